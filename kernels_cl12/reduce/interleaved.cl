//@ name:   interleaved
//@ idea:   bit-mask tree: items whose low bits are zero add their neighbour; barrier at the loop's head
//@ span:   each
//@ lanes:  1
//@ group:  tree
//@ finish: host
//@ needs:  local_memory
//@ types:  all
//@ ops:    all
//@ source: lecture slides on OpenCL reduction (dot product); Harris, Optimizing parallel reduction in CUDA, 2007, step 1
//@ variant: interleaved_modulo MODULO=1
//@ idea:   items whose index is a multiple of twice the stride add their neighbour
//@ source: Harris, Optimizing parallel reduction in CUDA, 2007, step 1
//@ variant: interleaved_stored
//@ idea:   a first kernel stores each term (dot: the product) in global memory, the bit-mask tree adds them
//@ finish: stored
//@ source: lecture slides on OpenCL reduction (dot product in two kernels)

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

/* Of a power of two: by a mask, or by the remainder that it stands for. */
#ifdef MODULO
#define IS_MULTIPLE(a, b) ((a) % (b) == 0)
#else
#define IS_MULTIPLE(a, b) (((a) & ((b)-1)) == 0)
#endif

RED_KERNEL reduce(RED_INPUT, const ulong n, global RED_A *restrict out) {
    RED_LOCAL(RED_A, scratch, RED_GROUP_SIZE);
    const uint item = (uint)get_local_id(0);
    const ulong i = get_global_id(0);
    scratch[item] = i < n ? RED_LOAD(i) : RED_IDENTITY;
    for (uint offset = 1; offset < RED_GROUP_SIZE; offset *= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (IS_MULTIPLE(item, 2 * offset) && item + offset < RED_GROUP_SIZE)
            scratch[item] = RED_COMBINE(scratch[item], scratch[item + offset]);
    }
    if (item == 0)
        out[get_group_id(0)] = scratch[0];
}
