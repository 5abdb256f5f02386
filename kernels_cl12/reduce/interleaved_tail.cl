//@ name:   interleaved_tail
//@ idea:   bit-mask tree with the barrier at the loop's end, the loop's bound a macro
//@ span:   each
//@ lanes:  1
//@ group:  tree
//@ finish: host
//@ needs:  local_memory
//@ types:  all
//@ ops:    all
//@ source: lecture slides on OpenCL reduction (dot product), rearranged: a canary for compilers
//@ variant: interleaved_tail_size LOOP_BOUND=(uint)get_local_size(0)
//@ idea:   bit-mask tree with the barrier at the loop's end, the loop's bound get_local_size(0)

/* Compilers have miscompiled relatives of this loop: its bound is a constant in interleaved_tail, a call in
 * interleaved_tail_size. */
#ifndef LOOP_BOUND
#define LOOP_BOUND RED_GROUP_SIZE
#endif

RED_KERNEL reduce(RED_INPUT, const ulong n, global RED_A *restrict out) {
    RED_LOCAL(RED_A, scratch, RED_GROUP_SIZE);
    const uint item = (uint)get_local_id(0);
    const ulong i = get_global_id(0);
    scratch[item] = i < n ? RED_LOAD(i) : RED_IDENTITY;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint offset = 1; offset < LOOP_BOUND; offset *= 2) {
        const uint mask = 2 * offset - 1;
        if ((item & mask) == 0 && item + offset < LOOP_BOUND)
            scratch[item] = RED_COMBINE(scratch[item], scratch[item + offset]);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (item == 0)
        out[get_group_id(0)] = scratch[0];
}
