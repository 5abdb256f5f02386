//@ name:   first_add
//@ idea:   each work-item combines two elements while loading, then the tree
//@ span:   each
//@ lanes:  2
//@ group:  tree
//@ finish: host
//@ needs:  local_memory
//@ types:  all
//@ ops:    all
//@ source: Harris, Optimizing parallel reduction in CUDA, 2007, step 4

RED_KERNEL reduce(RED_INPUT, const ulong n, global RED_A *restrict out, global uint *restrict counter) {
    RED_LOCAL(RED_A, scratch, RED_GROUP_SIZE);
    const ulong i = 2 * RED_GROUP_SIZE * (ulong)get_group_id(0) + get_local_id(0);
    const RED_A low = i < n ? RED_LOAD(i) : RED_IDENTITY;
    const RED_A high = i + RED_GROUP_SIZE < n ? RED_LOAD(i + RED_GROUP_SIZE) : RED_IDENTITY;
    const RED_A value = red_group_tree(RED_COMBINE(low, high), scratch);
    if (get_local_id(0) == 0)
        out[get_group_id(0)] = value;
}
