//@ name:   strided_index
//@ idea:   the first items work, at addresses two strides apart: no divergence, local bank conflicts
//@ span:   each
//@ lanes:  1
//@ group:  tree
//@ finish: host
//@ needs:  local_memory
//@ types:  all
//@ ops:    all
//@ source: Harris, Optimizing parallel reduction in CUDA, 2007, step 2

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

RED_KERNEL reduce(RED_INPUT, const ulong n, global RED_A *restrict out) {
    RED_LOCAL(RED_A, scratch, RED_GROUP_SIZE);
    const uint item = (uint)get_local_id(0);
    const ulong i = get_global_id(0);
    scratch[item] = i < n ? RED_LOAD(i) : RED_IDENTITY;
    for (uint stride = 1; stride < RED_GROUP_SIZE; stride *= 2) {
        const uint at = 2 * stride * item;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (at + stride < RED_GROUP_SIZE)
            scratch[at] = RED_COMBINE(scratch[at], scratch[at + stride]);
    }
    if (item == 0)
        out[get_group_id(0)] = scratch[0];
}
