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

/* Alone, without a host's choice: sums of the segments of floats that lie side by side. */
#ifndef RED_T
#define RED_T float
#endif
#ifndef RED_GROUP_SIZE
#define RED_GROUP_SIZE 256
#endif
#ifndef RED_LOAD
#define RED_KERNEL                   kernel __attribute__((reqd_work_group_size(RED_GROUP_SIZE, 1, 1))) void
#define RED_A                        RED_T
#define RED_IDENTITY                 0
#define RED_COMBINE(a, b)            ((a) + (b))
#define RED_INPUT                    global const RED_T *restrict red_x
#define RED_SEGMENTS                 const ulong segments_n
#define RED_ARGS_AT(i)               red_x + (i)
#define RED_LOAD(i)                  red_x[i]
#define RED_LOCAL(type, name, count) local type name[count]
#endif

/* Every step-th element from the first on: neighbours read neighbouring addresses. */
RED_A item_turns(RED_INPUT, const ulong first, const ulong step, const ulong n) {
    RED_A value = RED_IDENTITY;
    for (ulong i = first; i < n; i += step)
        value = RED_COMBINE(value, RED_LOAD(i));
    return value;
}

/* Each step folds the upper half of the group's values onto the lower, for any group size. The barrier stands
 * at the loop's head, so every store is seen before the next step reads it. Item 0 has the result. */
RED_A group_tree(const RED_A value, local RED_A *scratch) {
    const uint item = (uint)get_local_id(0);
    scratch[item] = value;
    for (uint width = RED_GROUP_SIZE; width > 1; width = (width + 1) / 2) {
        const uint half_width = (width + 1) / 2;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (item + half_width < width)
            scratch[item] = RED_COMBINE(scratch[item], scratch[item + half_width]);
    }
    return scratch[item];
}

RED_KERNEL reduce(RED_INPUT, const ulong n, global RED_A *restrict out, RED_SEGMENTS) {
    RED_LOCAL(RED_A, scratch, RED_GROUP_SIZE);
    const ulong segment = get_group_id(0);
    const RED_A value =
        group_tree(item_turns(RED_ARGS_AT(segment * n), get_local_id(0), RED_GROUP_SIZE, n), scratch);
    if (get_local_id(0) == 0)
        out[segment] = value;
}
