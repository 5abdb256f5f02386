//@ name:   generic_tree
//@ idea:   the tree by a helper that takes pointers to any address space
//@ span:   each
//@ lanes:  1
//@ group:  tree
//@ finish: host
//@ needs:  local_memory, generic_address_space
//@ types:  all
//@ ops:    all
//@ source: OpenCL C 2.0 section 6.5.5
//@ counterpart: tree

/* One step: *low takes *high in. Both may lie anywhere. */
void take_in(RED_A *low, const RED_A *high) {
    *low = RED_COMBINE(*low, *high);
}

RED_KERNEL reduce(RED_INPUT, const ulong n, global RED_A *restrict out) {
    RED_LOCAL(RED_A, scratch, RED_GROUP_SIZE);
    const uint item = (uint)get_local_id(0);
    const ulong i = get_global_id(0);
    scratch[item] = i < n ? RED_LOAD(i) : RED_IDENTITY;
    for (uint width = RED_GROUP_SIZE; width > 1; width = (width + 1) / 2) {
        const uint half_width = (width + 1) / 2;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (item + half_width < width)
            take_in(&scratch[item], &scratch[item + half_width]);
    }
    if (item == 0)
        out[get_group_id(0)] = scratch[0];
}
