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
//@ variant: tree_two
//@ idea:   private sums and a tree per group; a second kernel of one group finishes
//@ finish: two_kernels
//@ source: Harris 2007, kernel decomposition; the second launch is the same text over the partial results
//@ variant: svm_result
//@ idea:   partial results in shared virtual memory: the host folds them where they are, without a read command
//@ finish: svm
//@ needs:  local_memory, svm
//@ source: OpenCL 2.0 section 5.6
//@ counterpart: grid_stride_vec
//@ variant: command_buffer
//@ idea:   both launches recorded once and replayed by one command
//@ finish: command_buffer
//@ needs:  local_memory, command_buffer
//@ source: OpenCL Extension Specification, cl_khr_command_buffer
//@ counterpart: tree_two

/* Alone, without a host's choice: a sum of floats. */
#ifndef RED_T
#define RED_T float
#endif
#ifndef RED_GROUP_SIZE
#define RED_GROUP_SIZE 256
#endif
#ifndef RED_LOAD
#define RED_WIDTH                    4
#define RED_LOADS                    4
#define RED_PASTE_(a, b)             a##b
#define RED_PASTE(a, b)              RED_PASTE_(a, b)
#define RED_KERNEL                   kernel __attribute__((reqd_work_group_size(RED_GROUP_SIZE, 1, 1))) void
#define RED_A                        RED_T
#define RED_IDENTITY                 0
#define RED_COMBINE(a, b)            ((a) + (b))
#define RED_INPUT                    global const RED_T *restrict red_x
#define RED_ARGS                     red_x
#define RED_LOAD(i)                  red_x[i]
#define RED_VEC(w)                   RED_PASTE(RED_T, 4)
#define RED_LOAD_VECTOR(i)           ((global const RED_VEC(4) *)red_x)[i]
#define RED_FOLD(w, v)               (((v).s0 + (v).s1) + ((v).s2 + (v).s3))
#define RED_EACH_LOAD(DO)            DO(0) DO(1) DO(2) DO(3)
#define RED_ALL_LOADS(sums)          ((sums[0] + sums[1]) + (sums[2] + sums[3]))
#define RED_LOCAL(type, name, count) local type name[count]
#endif

#if RED_PLACE
#define item_stride red_item_stride /* lib/extremes.cl */
#else
/* An item's share of a grid stride, RED_LOADS vectors in flight: all loads of a turn stand before their use.
 * Less than a turn is left at the end; then who has no vector left loads one again, and drops it. */
RED_A item_stride(RED_INPUT, const ulong n) {
    const ulong vectors_n = n / RED_WIDTH, stride = get_global_size(0);
    RED_VEC(RED_WIDTH) all = RED_IDENTITY, loads[RED_LOADS];
#define TURN_LOAD(j) loads[j] = RED_LOAD_VECTOR(i + j * stride);
#define LAST_LOAD(j) loads[j] = RED_LOAD_VECTOR(i + j * stride < vectors_n ? i + j * stride : i);
#define LAST_DROP(j)                                                                                         \
    if (i + j * stride >= vectors_n)                                                                         \
        loads[j] = RED_IDENTITY;
    ulong i = get_global_id(0);
    for (; i + (RED_LOADS - 1) * stride < vectors_n; i += RED_LOADS * stride) {
        RED_EACH_LOAD(TURN_LOAD)
        all = RED_COMBINE(all, RED_ALL_LOADS(loads));
    }
    if (i < vectors_n) {
        RED_EACH_LOAD(LAST_LOAD)
        RED_EACH_LOAD(LAST_DROP)
        all = RED_COMBINE(all, RED_ALL_LOADS(loads));
    }
    RED_A value = RED_FOLD(RED_WIDTH, all);
    for (ulong tail = RED_WIDTH * vectors_n + get_global_id(0); tail < n; tail += stride)
        value = RED_COMBINE(value, RED_LOAD(tail));
    return value;
}
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
    const RED_A value = group_tree(item_stride(RED_ARGS, n), scratch);
    if (get_local_id(0) == 0)
        out[get_group_id(0)] = value;
}
