//@ name:   pipe_partials
//@ idea:   partial results travel through a pipe to the second kernel
//@ span:   stride
//@ lanes:  4x4
//@ group:  tree
//@ finish: two_kernels
//@ needs:  local_memory, pipes
//@ types:  all
//@ ops:    all
//@ source: OpenCL C 2.0 section 6.13.16
//@ counterpart: tree_two

/* The first launch writes one packet per group, the second one reads as many. */
RED_KERNEL reduce(RED_INPUT, const ulong n, global RED_A *restrict out, RED_PIPE partials) {
    RED_LOCAL(RED_A, scratch, RED_GROUP_SIZE);
#if RED_PASS == 0
    const RED_A value = red_group_tree(red_item_stride(RED_ARGS, n), scratch);
    if (get_local_id(0) == 0)
        write_pipe(partials, &value);
#else
    RED_A value = RED_IDENTITY, packet;
    for (ulong i = get_local_id(0); i < n; i += RED_GROUP_SIZE)
        if (read_pipe(partials, &packet) == 0)
            value = RED_COMBINE(value, packet);
    value = red_group_tree(value, scratch);
    if (get_local_id(0) == 0)
        out[0] = value;
#endif
}
