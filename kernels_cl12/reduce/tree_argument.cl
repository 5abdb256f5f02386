//@ name:   tree_argument
//@ idea:   tree, its local memory an argument that the host sets, not declared in the kernel
//@ span:   each
//@ lanes:  1
//@ group:  tree
//@ finish: host
//@ needs:  local_memory, local_argument
//@ types:  all
//@ ops:    all
//@ source: OpenCL 1.2 section 5.7.2, clSetKernelArg(kernel, i, bytes, NULL)

/* Alone, without a host's choice: a sum of floats. */
#ifndef RED_T
#define RED_T float
#endif
#ifndef RED_GROUP_SIZE
#define RED_GROUP_SIZE 256
#endif
#ifndef RED_LOAD
#define RED_A                 RED_T
#define RED_IDENTITY          0
#define RED_COMBINE(a, b)     ((a) + (b))
#define RED_INPUT             global const RED_T *restrict red_x
#define RED_LOAD(i)           red_x[i]
#define RED_KERNEL            kernel __attribute__((reqd_work_group_size(RED_GROUP_SIZE, 1, 1))) void
#define RED_LOCAL_ARGUMENT    local RED_A *restrict red_given
#define RED_LOCAL_GIVEN(name) local RED_A *const name = red_given
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

RED_KERNEL reduce(RED_INPUT, const ulong n, global RED_A *restrict out, RED_LOCAL_ARGUMENT) {
    RED_LOCAL_GIVEN(scratch);
    const ulong i = get_global_id(0);
    const RED_A value = group_tree(i < n ? RED_LOAD(i) : RED_IDENTITY, scratch);
    if (get_local_id(0) == 0)
        out[get_group_id(0)] = value;
}
