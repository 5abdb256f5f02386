//@ name:   second_pass
//@ idea:   the second launch walks the partial results one by one, the first one the elements by vectors
//@ span:   stride
//@ lanes:  16
//@ group:  tree
//@ finish: two_kernels
//@ needs:  local_memory
//@ types:  all
//@ ops:    all
//@ source: a user

RED_KERNEL reduce(RED_INPUT, const ulong n, global RED_A *restrict out, global uint *restrict counter) {
    RED_LOCAL(RED_A, scratch, RED_GROUP_SIZE);
#if RED_PASS == 0
    RED_A value = red_item_stride(RED_ARGS, n);
#else
    RED_A value = RED_IDENTITY;
    for (ulong i = get_local_id(0); i < n; i += RED_GROUP_SIZE)
        value = RED_COMBINE(value, RED_LOAD(i));
#endif
    value = red_group_tree(value, scratch);
    if (get_local_id(0) == 0)
        out[get_group_id(0)] = value;
}
