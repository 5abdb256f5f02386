//@ name:   tree
//@ idea:   stride halves each step, sequential addresses in local memory; the host adds the partial results
//@ span:   each
//@ lanes:  1
//@ group:  tree
//@ finish: host
//@ needs:  local_memory
//@ types:  all
//@ ops:    all
//@ source: article on OpenCL 1.x sum reduction; Harris, Optimizing parallel reduction in CUDA, 2007, step 3
//@ variant: tree_passes
//@ idea:   the tree again over its own partial results, until one value is left
//@ finish: passes
//@ source: article on OpenCL reduction in two enqueued passes; Harris 2007, kernel decomposition
//@ variant: tree_passes_waiting
//@ idea:   tree_passes, the host waiting for the event of each launch before it enqueues the next
//@ finish: passes_waiting
//@ source: OpenCL 1.2 section 5.9; lecture slides: the kernel enqueued twice, with and without clWaitForEvents between

/* Alone, without a host's choice: a sum of floats. */
#ifndef RED_T
#define RED_T float
#endif
#ifndef RED_GROUP_SIZE
#define RED_GROUP_SIZE 256
#endif
#ifndef RED_LOAD
#define RED_A                        RED_T
#define RED_IDENTITY                 0
#define RED_COMBINE(a, b)            ((a) + (b))
#define RED_INPUT                    global const RED_T *restrict red_x
#define RED_LOAD(i)                  red_x[i]
#define RED_KERNEL                   kernel __attribute__((reqd_work_group_size(RED_GROUP_SIZE, 1, 1))) void
#define RED_LOCAL(type, name, count) local type name[count]
#endif

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

RED_KERNEL reduce(RED_INPUT, const ulong n, global RED_A *restrict out) {
    RED_LOCAL(RED_A, scratch, RED_GROUP_SIZE);
    const ulong i = get_global_id(0);
    const RED_A value = group_tree(i < n ? RED_LOAD(i) : RED_IDENTITY, scratch);
    if (get_local_id(0) == 0)
        out[get_group_id(0)] = value;
}
