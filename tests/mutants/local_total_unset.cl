//@ name:   local_total_unset
//@ idea:   the local total is never set to the identity
//@ span:   stride
//@ lanes:  16
//@ group:  serial
//@ finish: atomic
//@ needs:  local_memory, integer_atomics
//@ types:  i32, u32
//@ ops:    sum, dot
//@ source: a slip of the pen
// expect: \(run 1\)

RED_KERNEL reduce(RED_INPUT, const ulong n, global RED_A *restrict out, global uint *restrict counter) {
    RED_LOCAL(RED_A, total, 1);
    RED_ATOMIC(total, red_item_stride(RED_ARGS, n));
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0)
        RED_ATOMIC(out, total[0]);
}
