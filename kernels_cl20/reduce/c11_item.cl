//@ name:   c11_item
//@ idea:   every work-item adds to one accumulator by atomic_fetch_<op>, relaxed
//@ span:   each
//@ lanes:  1
//@ group:  none
//@ finish: atomic
//@ needs:  integer_atomics, c11_device_scope
//@ types:  all
//@ ops:    all
//@ source: OpenCL C 2.0 section 6.13.11
//@ counterpart: atomic_item
//@ variant: c11_item_acq_rel C11_ORDER=memory_order_acq_rel
//@ idea:   every work-item adds to one accumulator by atomic_fetch_<op>, acq_rel
//@ needs:  integer_atomics, c11_device_scope, c11_acq_rel
//@ variant: c11_item_seq_cst C11_ORDER=memory_order_seq_cst
//@ idea:   every work-item adds to one accumulator by atomic_fetch_<op>, seq_cst
//@ needs:  integer_atomics, c11_device_scope, c11_seq_cst
//@ variant: float_atomic_item
//@ idea:   every work-item adds by the native float atomic
//@ needs:  float_atomics
//@ types:  floats
//@ ops:    sum, dot, sumsq, mean
//@ source: OpenCL Extension Specification, cl_ext_float_atomics
//@ counterpart: cmpxchg_item
//@ variant: c11_cmpxchg_item COMBINE_INTO=c11_cmpxchg_combine
//@ idea:   every work-item adds by atomic_compare_exchange_weak on the bits
//@ needs:  compare_and_swap, c11_device_scope
//@ counterpart: cmpxchg_item

#include "lib/c11.cl"

/* How the accumulator takes a value in: a native float atomic has no loop, the hardware adds. */
#ifndef COMBINE_INTO
#define COMBINE_INTO C11_ATOMIC
#endif

RED_KERNEL reduce(RED_INPUT, const ulong n, global RED_A *restrict out) {
    const ulong i = get_global_id(0);
    if (i < n)
        COMBINE_INTO(out, RED_LOAD(i));
}
