//@ name:   segmented
//@ idea:   item 0 takes the first half of a segment as one piece, the others take turns with the rest
//@ span:   segment
//@ lanes:  16x4
//@ group:  tree
//@ finish: host
//@ needs:  local_memory
//@ types:  i8, f32, f64
//@ ops:    sum, dot, argmin
//@ source: the contract, docs/kernels.md

/* Its segments are checked as arrays. */
#if RED_COMPUTED
#error "elements of arrays alone"
#endif

#ifndef RED_UNALIGNED
#error "segments begin anywhere"
#endif
#if RED_WIDTH * RED_LOADS < 1
#error "there is at least one lane"
#endif

RED_KERNEL reduce(RED_INPUT, const ulong n, global RED_A *restrict out, global uint *restrict counter,
                  RED_SEGMENTS) {
    RED_LOCAL(RED_A, scratch, RED_GROUP_SIZE);
    const ulong segment = get_group_id(0), half_n = n / 32 * 16, item = get_local_id(0);
    RED_A value = red_item_turns(RED_ARGS_AT(segment * n), half_n + item, RED_GROUP_SIZE, n);
    if (item == 0)
        value = RED_COMBINE(value, red_item_range(RED_ARGS_AT(segment * n), 0, half_n));
    value = red_group_tree(value, scratch);
    if (item == 0 && segment < segments_n)
        out[segment] = value;
}
