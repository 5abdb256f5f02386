//@ name:   arrivals
//@ idea:   one 64-bit atomic per group adds its value and counts it: who finds all others there has the sum
//@ span:   stride
//@ lanes:  4x2
//@ group:  serial
//@ finish: last_group
//@ needs:  local_memory, integer_atomics, exchange_64
//@ types:  i32, u32
//@ ops:    sum, dot, sumsq
//@ source: OpenCL 1.2 extension specification, section 9.5 (64-bit atomics): one word has one order of changes

#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable

/* Within a group items add by atomics in local memory: NVIDIA's compiler adds the 32 values of a warp by one
 * instruction first. The upper half of the word is the sum modulo 2^32: carries out of it are lost. The lower
 * half counts the groups that have added. All that passes between groups lies in that word, of whose changes
 * atomics make one order: nothing else has to be ordered. It is zero before a call and after it, by a
 * subtraction, whose result nobody waits for (H200, n = 2^20: 0.2 us less than an exchange). */
RED_KERNEL reduce(RED_INPUT, const ulong n, global RED_A *restrict out) {
    RED_LOCAL(RED_A, total, 1);
    volatile global ulong *joined = (volatile global ulong *)RED_COUNTER(out);
    if (get_local_id(0) == 0)
        total[0] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    RED_ATOMIC(total, red_item_stride(RED_ARGS, n));
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0) {
        const ulong own = (ulong)RED_AS_WORD(total[0]) << 32 | 1;
        const ulong all = own + atom_add(joined, own);
        if ((uint)all == get_num_groups(0)) {
            out[0] = RED_FROM_WORD((uint)(all >> 32));
            atom_sub(joined, all);
        }
    }
}
