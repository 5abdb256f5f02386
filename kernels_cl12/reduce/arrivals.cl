//@ name:   arrivals
//@ idea:   one 64-bit atomic per group adds its value and counts it: who finds all others there has the sum
//@ span:   stride
//@ lanes:  4x4
//@ group:  tree
//@ finish: last_group
//@ needs:  local_memory, exchange_64
//@ types:  i32, u32
//@ ops:    sum, dot, sumsq
//@ source: OpenCL 1.2 extension specification, section 9.5 (64-bit atomics): one word has one order of changes

#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable

/* GROUP_COMBINE, GROUP_LOCAL */
#include "lib/group_wide.cl"

/* The upper half of the word is the sum modulo 2^32: carries out of it are lost. The lower half counts the
 * groups that have added. All that passes between groups lies in that word, of whose changes atomics make one
 * order: nothing else has to be ordered. It is zero before a call and after it. */
RED_KERNEL reduce(RED_INPUT, const ulong n, global RED_A *restrict out) {
    GROUP_LOCAL;
    volatile global ulong *joined = (volatile global ulong *)RED_COUNTER(out);
    const RED_A value = GROUP_COMBINE(red_item_stride(RED_ARGS, n));
    if (get_local_id(0) == 0) {
        const ulong own = (ulong)RED_AS_WORD(value) << 32 | 1;
        const ulong all = own + atom_add(joined, own);
        if ((uint)all == get_num_groups(0)) {
            out[0] = RED_FROM_WORD((uint)(all >> 32));
            atom_xchg(joined, 0);
        }
    }
}
