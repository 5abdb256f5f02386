//@ name:   prod_element_lost
//@ idea:   the first element of the last group is no factor
//@ span:   each
//@ lanes:  1
//@ group:  tree
//@ finish: host
//@ needs:  local_memory
//@ types:  i32, u64, f16, f32, f64
//@ ops:    prod, xor
//@ source: a slip of the pen
// where: n > wg

RED_KERNEL reduce(RED_INPUT, const ulong n, global RED_A *restrict out, global uint *restrict counter) {
    RED_LOCAL(RED_A, scratch, RED_GROUP_SIZE);
    const ulong i = get_global_id(0);
    const bool is_lost = get_group_id(0) > 0 && get_group_id(0) + 1 == get_num_groups(0) && get_local_id(0) == 0;
    const RED_A value = red_group_tree(i < n && !is_lost ? RED_LOAD(i) : RED_IDENTITY, scratch);
    if (get_local_id(0) == 0)
        out[get_group_id(0)] = value;
}
