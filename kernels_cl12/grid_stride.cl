//@ name:   grid_stride
//@ idea:   persistent groups walk the array one element per item and turn, then the tree
//@ span:   stride
//@ lanes:  1
//@ group:  tree
//@ finish: host
//@ needs:  local_memory
//@ types:  all
//@ ops:    all
//@ source: Harris, CUDA pro tip: write flexible kernels with grid-stride loops, 2013

RED_KERNEL reduce(RED_INPUT, const ulong n, global RED_A *restrict out, global uint *restrict counter) {
    RED_LOCAL(RED_A, scratch, RED_GROUP_SIZE);
    RED_A value = RED_IDENTITY;
    for (ulong i = get_global_id(0); i < n; i += get_global_size(0))
        value = RED_COMBINE(value, RED_LOAD(i));
    value = red_group_tree(value, scratch);
    if (get_local_id(0) == 0)
        out[get_group_id(0)] = value;
}
