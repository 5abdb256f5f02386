//@ name:   last_partial_lost
//@ idea:   a pass over partial results overlooks the last of them (a pass of dot over one array)
//@ span:   each
//@ lanes:  1
//@ group:  tree
//@ finish: passes
//@ needs:  local_memory
//@ types:  i32, u32, f32, f64
//@ ops:    dot
//@ source: a slip of the pen
// where: n > wg

RED_KERNEL reduce(RED_INPUT, const ulong n, global RED_A *restrict out, global uint *restrict counter) {
    RED_LOCAL(RED_A, scratch, RED_GROUP_SIZE);
    const ulong i = get_global_id(0), end = RED_ARRAYS == 1 ? n - 1 : n;
    const RED_A value = red_group_tree(i < end ? RED_LOAD(i) : RED_IDENTITY, scratch);
    if (get_local_id(0) == 0)
        out[get_group_id(0)] = value;
}
