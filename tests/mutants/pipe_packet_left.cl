//@ name:   pipe_packet_left
//@ idea:   one packet stays in the pipe
//@ span:   stride
//@ lanes:  16
//@ group:  tree
//@ finish: two_kernels
//@ needs:  local_memory, pipes
//@ types:  i32, u32, f32, f64
//@ ops:    sum, dot
//@ source: a slip of the pen
//@ counterpart: tree_two
// where: n > 0

RED_KERNEL reduce(RED_INPUT, const ulong n, global RED_A *restrict out, global uint *restrict counter,
                  RED_PIPE partials) {
    RED_LOCAL(RED_A, scratch, RED_GROUP_SIZE);
#if RED_PASS == 0
    const RED_A value = red_group_tree(red_item_stride(RED_ARGS, n), scratch);
    if (get_local_id(0) == 0)
        write_pipe(partials, &value);
#else
    RED_A value = RED_IDENTITY, packet;
    for (ulong i = get_local_id(0); i + 1 < n; i += RED_GROUP_SIZE)
        if (read_pipe(partials, &packet) == 0)
            value = RED_COMBINE(value, packet);
    value = red_group_tree(value, scratch);
    if (get_local_id(0) == 0)
        out[0] = value;
#endif
}
