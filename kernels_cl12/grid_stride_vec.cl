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

RED_KERNEL reduce(RED_INPUT, const ulong n, global RED_A *restrict out, global uint *restrict counter) {
    RED_LOCAL(RED_A, scratch, RED_GROUP_SIZE);
    const RED_A value = red_group_tree(red_item_stride(RED_ARGS, n), scratch);
    if (get_local_id(0) == 0)
        out[get_group_id(0)] = value;
}
