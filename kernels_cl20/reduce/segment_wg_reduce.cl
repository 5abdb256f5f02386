//@ name:   segment_wg_reduce
//@ idea:   a work-group per segment: its items take turns, then work_group_reduce_<op>
//@ span:   segment
//@ lanes:  1
//@ group:  built_in
//@ finish: host
//@ needs:  collectives
//@ types:  all
//@ ops:    all
//@ source: OpenCL C 2.0 section 6.13.15
//@ counterpart: segment_group

/* Alone, without a host's choice: sums of the segments of floats that lie side by side. */
#ifndef RED_T
#define RED_T float
#endif
#ifndef RED_GROUP_SIZE
#define RED_GROUP_SIZE 256
#endif
#ifndef RED_LOAD
#define RED_KERNEL           kernel __attribute__((reqd_work_group_size(RED_GROUP_SIZE, 1, 1))) void
#define RED_A                RED_T
#define RED_IDENTITY         0
#define RED_COMBINE(a, b)    ((a) + (b))
#define RED_INPUT            global const RED_T *restrict red_x
#define RED_SEGMENTS         const ulong segments_n
#define RED_ARGS_AT(i)       red_x + (i)
#define RED_LOAD(i)          red_x[i]
#define RED_WG_REDUCE(value) work_group_reduce_add(value)
#endif

/* Every step-th element from the first on: neighbours read neighbouring addresses. */
RED_A item_turns(RED_INPUT, const ulong first, const ulong step, const ulong n) {
    RED_A value = RED_IDENTITY;
    for (ulong i = first; i < n; i += step)
        value = RED_COMBINE(value, RED_LOAD(i));
    return value;
}

RED_KERNEL reduce(RED_INPUT, const ulong n, global RED_A *restrict out, RED_SEGMENTS) {
    const ulong segment = get_group_id(0);
    const RED_A value =
        RED_WG_REDUCE(item_turns(RED_ARGS_AT(segment * n), get_local_id(0), RED_GROUP_SIZE, n));
    if (get_local_id(0) == 0)
        out[segment] = value;
}
