//@ name:   last_group_skipped
//@ idea:   the last group hands on the identity
//@ span:   each
//@ lanes:  1
//@ group:  tree
//@ finish: host
//@ needs:  local_memory
//@ types:  i32, u32, f32, f64
//@ ops:    sum, dot
//@ source: a slip of the pen
// where: n > 0

RED_KERNEL reduce(RED_INPUT, const ulong n, global RED_A *restrict out, global uint *restrict counter) {
    RED_LOCAL(RED_A, scratch, RED_GROUP_SIZE);
    const ulong i = get_global_id(0);
    const RED_A value = red_group_tree(
        i < n && (get_group_id(0) + 1 < get_num_groups(0)) ? RED_LOAD(i) : RED_IDENTITY, scratch);
    if (get_local_id(0) == 0)
        out[get_group_id(0)] = value;
}
