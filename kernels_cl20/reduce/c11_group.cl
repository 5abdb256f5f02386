//@ name:   c11_group
//@ idea:   private sums, a tree, then one atomic_fetch_<op> per group, relaxed
//@ span:   stride
//@ lanes:  4x4
//@ group:  tree
//@ finish: atomic
//@ needs:  local_memory, integer_atomics, c11_device_scope
//@ types:  all
//@ ops:    all
//@ source: OpenCL C 2.0 section 6.13.11
//@ counterpart: atomic_group
//@ variant: c11_group_acq_rel C11_ORDER=memory_order_acq_rel
//@ idea:   private sums, a tree, then one atomic_fetch_<op> per group, acq_rel
//@ needs:  local_memory, integer_atomics, c11_device_scope, c11_acq_rel
//@ variant: c11_group_seq_cst C11_ORDER=memory_order_seq_cst
//@ idea:   private sums, a tree, then one atomic_fetch_<op> per group, seq_cst
//@ needs:  local_memory, integer_atomics, c11_device_scope, c11_seq_cst
//@ variant: float_atomic_group
//@ idea:   private sums, a tree, then one native float atomic per group
//@ needs:  local_memory, float_atomics
//@ types:  floats
//@ ops:    sum, dot, sumsq, mean
//@ source: OpenCL Extension Specification, cl_ext_float_atomics
//@ counterpart: cmpxchg_group
//@ variant: c11_cmpxchg_group COMBINE_INTO=c11_cmpxchg_combine
//@ idea:   private sums, a tree, then one atomic_compare_exchange_weak per group
//@ needs:  local_memory, compare_and_swap, c11_device_scope
//@ counterpart: cmpxchg_group

#include "lib/c11.cl"

/* How the accumulator takes a value in: a native float atomic has no loop, the hardware adds. */
#ifndef COMBINE_INTO
#define COMBINE_INTO C11_ATOMIC
#endif

RED_KERNEL reduce(RED_INPUT, const ulong n, global RED_A *restrict out) {
    RED_LOCAL(RED_A, scratch, RED_GROUP_SIZE);
    const RED_A value = red_group_tree(red_item_stride(RED_ARGS, n), scratch);
    if (get_local_id(0) == 0)
        COMBINE_INTO(out, value);
}
