//@ name:   device_enqueue
//@ idea:   the kernel enqueues a second one that adds its partial results
//@ span:   stride
//@ lanes:  4x4
//@ group:  tree
//@ finish: device_enqueue
//@ needs:  local_memory, device_enqueue
//@ types:  all
//@ ops:    all
//@ source: OpenCL C 2.0 section 6.13.17
//@ counterpart: tree_two

/* One group, when the first kernel has ended; its local memory comes with the enqueue. */
void enqueue_partials(global RED_A *out, const uint partials_n) {
    void (^add_up)(local void *) = ^(local void *memory) {
      local RED_A *scratch = memory;
      RED_A value = RED_IDENTITY;
      for (uint i = (uint)get_local_id(0); i < partials_n; i += RED_GROUP_SIZE)
          value = RED_COMBINE(value, out[i]);
      value = red_group_tree(value, scratch);
      if (get_local_id(0) == 0)
          out[0] = value;
    };
    enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL,
                   ndrange_1D(RED_GROUP_SIZE, RED_GROUP_SIZE), add_up,
                   (uint)(RED_GROUP_SIZE * sizeof(RED_A)));
}

RED_KERNEL reduce(RED_INPUT, const ulong n, global RED_A *restrict out) {
    RED_LOCAL(RED_A, scratch, RED_GROUP_SIZE);
    const RED_A value = red_group_tree(red_item_stride(RED_ARGS, n), scratch);
    if (get_local_id(0) == 0)
        out[get_group_id(0)] = value;
    if (get_global_id(0) == 0 && get_num_groups(0) > 1)
        enqueue_partials(out, (uint)get_num_groups(0));
}
