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

/* Alone, without a host's choice: sums of the segments of floats that lie side by side. */
#ifndef RED_T
#define RED_T float
#endif
#ifndef RED_GROUP_SIZE
#define RED_GROUP_SIZE 256
#endif
#ifndef RED_LOAD
#define RED_WIDTH           4
#define RED_LOADS           4
#define RED_PASTE_(a, b)    a##b
#define RED_PASTE(a, b)     RED_PASTE_(a, b)
#define RED_KERNEL          kernel __attribute__((reqd_work_group_size(RED_GROUP_SIZE, 1, 1))) void
#define RED_A               RED_T
#define RED_IDENTITY        0
#define RED_COMBINE(a, b)   ((a) + (b))
#define RED_TAKE(a, b)      RED_COMBINE(a, b)
#define RED_INPUT           global const RED_T *restrict red_x
#define RED_SEGMENTS        const ulong segments_n
#define RED_ARGS_AT(i)      red_x + (i)
#define RED_LOAD(i)         red_x[i]
#define RED_VEC(w)          RED_PASTE(RED_T, 4)
#define RED_LOAD_VECTOR(i)  vload4(i, red_x)
#define RED_FOLD(w, v)      (((v).s0 + (v).s1) + ((v).s2 + (v).s3))
#define RED_EACH_LOAD(DO)   DO(0) DO(1) DO(2) DO(3)
#define RED_ALL_LOADS(sums) ((sums[0] + sums[1]) + (sums[2] + sums[3]))
#endif

#if RED_PLACE
#define item_range red_item_range /* lib/extremes.cl */
#else
/* Half of the loads go to either half of a range: a prefetcher follows two streams further than one. */
#define STREAMS  (RED_LOADS > 1 ? 2 : 1)
#define START(j) sums[j] = RED_IDENTITY;
#define NEXT(j)                                                                                              \
    next = RED_LOAD_VECTOR(i + j % STREAMS * stream_n + j / STREAMS);                                        \
    sums[j] = RED_TAKE(sums[j], next);
RED_A item_range(RED_INPUT, const ulong begin, const ulong end) {
    const ulong turn = RED_LOADS / STREAMS, stream_n = (end - begin) / (RED_WIDTH * RED_LOADS) * turn;
    RED_VEC(RED_WIDTH) sums[RED_LOADS], next;
    RED_EACH_LOAD(START)
    for (ulong i = begin / RED_WIDTH; i < begin / RED_WIDTH + stream_n; i += turn) {
        RED_EACH_LOAD(NEXT)
    }
    ulong i = begin + RED_WIDTH * STREAMS * stream_n;
    for (; i + RED_WIDTH <= end; i += RED_WIDTH)
        sums[0] = RED_COMBINE(sums[0], RED_LOAD_VECTOR(i / RED_WIDTH));
    RED_A value = RED_FOLD(RED_WIDTH, RED_ALL_LOADS(sums));
    for (; i < end; i++)
        value = RED_COMBINE(value, RED_LOAD(i));
    return value;
}
#endif

RED_KERNEL reduce(RED_INPUT, const ulong n, global RED_A *restrict out, RED_SEGMENTS) {
    const ulong segment = get_global_id(0);
    if (segment < segments_n)
        out[segment] = item_range(RED_ARGS_AT(segment * n), 0, n);
}
