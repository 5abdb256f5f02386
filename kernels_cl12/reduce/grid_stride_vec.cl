//@ name:   grid_stride_vec
//@ idea:   persistent groups walk the array, several vectors in flight, then a tree
//@ span:   stride
//@ lanes:  4x4
//@ group:  tree
//@ finish: host
//@ needs:  local_memory
//@ types:  all
//@ ops:    all
//@ source: Harris 2007, step 7; Luitjens, vectorized memory access, 2013
//@ variant: tree_two
//@ idea:   private sums and a tree per group; a second kernel of one group finishes
//@ finish: two_kernels
//@ source: Harris 2007, kernel decomposition; the second launch is the same text over the partial results
//@ variant: svm_result
//@ idea:   partial results in shared virtual memory: the host folds them where they are, without a read command
//@ finish: svm
//@ needs:  local_memory, svm
//@ source: OpenCL 2.0 section 5.6
//@ counterpart: grid_stride_vec
//@ variant: command_buffer
//@ idea:   both launches recorded once and replayed by one command
//@ finish: command_buffer
//@ needs:  local_memory, command_buffer
//@ source: OpenCL Extension Specification, cl_khr_command_buffer
//@ counterpart: tree_two

RED_KERNEL reduce(RED_INPUT, const ulong n, global RED_A *restrict out, global uint *restrict counter) {
    RED_LOCAL(RED_A, scratch, RED_GROUP_SIZE);
    const RED_A value = red_group_tree(red_item_stride(RED_ARGS, n), scratch);
    if (get_local_id(0) == 0)
        out[get_group_id(0)] = value;
}
