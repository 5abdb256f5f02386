//@ name:   local_one_behind
//@ idea:   uses one slot behind the end of its local memory
//@ span:   each
//@ lanes:  1
//@ group:  tree
//@ finish: host
//@ needs:  local_memory
//@ types:  i32, u32, f32, f64
//@ ops:    sum, dot
//@ source: a slip of the pen
// expect: Invalid write of size 4 at local memory

RED_KERNEL reduce(RED_INPUT, const ulong n, global RED_A *restrict out, global uint *restrict counter) {
    RED_LOCAL(RED_A, scratch, RED_GROUP_SIZE);
    const uint item = (uint)get_local_id(0);
    const ulong i = get_global_id(0);
    const RED_A value = red_group_tree(i < n ? RED_LOAD(i) : RED_IDENTITY, scratch + 1);
    if (item == 0)
        out[get_group_id(0)] = value;
}
