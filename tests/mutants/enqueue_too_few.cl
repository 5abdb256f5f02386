//@ name:   enqueue_too_few
//@ idea:   the enqueued kernel leaves out the last partial result
//@ span:   stride
//@ lanes:  16
//@ group:  tree
//@ finish: device_enqueue
//@ needs:  local_memory, device_enqueue
//@ types:  i32, u32, f32, f64
//@ ops:    sum, dot
//@ source: a slip of the pen
//@ counterpart: tree_two
// where: several

void enqueue_partials(global RED_A *out, const uint partials_n) {
    void (^add_up)(void) = ^{
      for (uint i = 1; i + 1 < partials_n; i++)
          out[0] = RED_COMBINE(out[0], out[i]);
    };
    enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(1), add_up);
}

RED_KERNEL reduce(RED_INPUT, const ulong n, global RED_A *restrict out, global uint *restrict counter) {
    RED_LOCAL(RED_A, scratch, RED_GROUP_SIZE);
    RED_A value = red_group_tree(red_item_stride(RED_ARGS, n), scratch);
    if (get_local_id(0) == 0)
        out[get_group_id(0)] = value;
    if (get_global_id(0) == 0)
        enqueue_partials(out, (uint)get_num_groups(0));
}
