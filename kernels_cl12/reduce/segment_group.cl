//@ name:   segment_group
//@ idea:   a work-group per segment: its items take turns, then a tree
//@ span:   segment
//@ lanes:  1
//@ group:  tree
//@ finish: host
//@ needs:  local_memory
//@ types:  all
//@ ops:    all
//@ source: lecture slides: segments of 160 values averaged; Harris, "Optimizing parallel reduction", step 3
//@ variant: segment_group_stored
//@ idea:   a first kernel stores each term in global memory, then a work-group per segment adds
//@ finish: stored
//@ source: lecture slides: 160 values of each pixel stored first, then averaged

RED_KERNEL reduce(RED_INPUT, const ulong n, global RED_A *restrict out, global uint *restrict counter,
                  RED_SEGMENTS) {
    RED_LOCAL(RED_A, scratch, RED_GROUP_SIZE);
    const ulong segment = get_group_id(0);
    const RED_A value =
        red_group_tree(red_item_turns(RED_ARGS_AT(segment * n), get_local_id(0), RED_GROUP_SIZE, n), scratch);
    if (get_local_id(0) == 0)
        out[segment] = value;
}
