//@ name:   segment_item
//@ idea:   a work-item per segment, four vector accumulators: the CPU's shape
//@ span:   segment
//@ lanes:  16x4
//@ group:  none
//@ finish: host
//@ needs:  nothing
//@ types:  all
//@ ops:    all
//@ source: the loop over segments of an OpenMP program
//@ variant: segment_item_stored
//@ idea:   a first kernel stores each term in global memory, then a work-item per segment adds
//@ finish: stored
//@ source: lecture slides: 160 values of each pixel stored first, then averaged

RED_KERNEL reduce(RED_INPUT, const ulong n, global RED_A *restrict out, global uint *restrict counter,
                  RED_SEGMENTS) {
    const ulong segment = get_global_id(0);
    if (segment < segments_n)
        out[segment] = red_item_range(RED_ARGS_AT(segment * n), 0, n);
}
