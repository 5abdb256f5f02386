//@ name:        piped
//@ idea:        a packet for every group; one item of the second launch reads them all
//@ span:        stride
//@ lanes:       16
//@ group:       serial
//@ finish:      two_kernels
//@ needs:       local_memory, pipes
//@ types:       all
//@ ops:         all
//@ counterpart: tree_two
//@ source:      a user

RED_KERNEL reduce(RED_INPUT, const ulong n, global RED_A *restrict out, global uint *restrict counter,
                  RED_PIPE partials) {
#if RED_PASS == 0
    RED_LOCAL(RED_A, scratch, RED_GROUP_SIZE);
    const RED_A value = red_group_tree(red_item_stride(RED_ARGS, n), scratch);
    if (get_local_id(0) == 0)
        write_pipe(partials, &value);
#else
    if (get_local_id(0) != 0)
        return;
    RED_A value = RED_IDENTITY, packet;
    for (ulong i = 0; i < n; i++)
        if (read_pipe(partials, &packet) == 0)
            value = RED_COMBINE(value, packet);
    out[0] = value;
#endif
}
