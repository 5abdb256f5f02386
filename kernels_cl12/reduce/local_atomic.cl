//@ name:   local_atomic
//@ idea:   private sums, atomic_add (min, max) in local memory, then one per group in global memory
//@ span:   stride
//@ lanes:  4x4
//@ group:  serial
//@ finish: atomic
//@ needs:  local_memory, integer_atomics
//@ types:  all
//@ ops:    all
//@ source: OpenCL 1.2 section 6.12.11

RED_KERNEL reduce(RED_INPUT, const ulong n, global RED_A *restrict out) {
    RED_LOCAL(RED_A, total, 1);
    if (get_local_id(0) == 0)
        total[0] = RED_IDENTITY;
    barrier(CLK_LOCAL_MEM_FENCE);
    RED_ATOMIC(total, red_item_stride(RED_ARGS, n));
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0)
        RED_ATOMIC(out, total[0]);
}
