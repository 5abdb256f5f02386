//@ name:   element_lost_at_groups_of_96
//@ idea:   with groups of 96 items the last item leaves out its element
//@ span:   each
//@ lanes:  1
//@ group:  serial
//@ finish: host
//@ needs:  local_memory
//@ types:  i32, f32
//@ ops:    sum, max
//@ source: a slip of the pen
// where: wg == 96

RED_KERNEL reduce(RED_INPUT, const ulong n, global RED_A *restrict out, global uint *restrict counter) {
    RED_LOCAL(RED_A, scratch, RED_GROUP_SIZE);
    const uint item = (uint)get_local_id(0);
    const ulong i = get_global_id(0);
    scratch[item] = i < n && (RED_GROUP_SIZE != 96 || item != 95) ? RED_LOAD(i) : RED_IDENTITY;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint other = 1; item == 0 && other < RED_GROUP_SIZE; other++)
        scratch[0] = RED_COMBINE(scratch[0], scratch[other]);
    if (item == 0)
        out[get_group_id(0)] = scratch[0];
}
