//@ name:   wg_reduce_atomic
//@ idea:   private sums, work_group_reduce_<op>, then one C11 atomic per group
//@ span:   stride
//@ lanes:  4x4
//@ group:  built_in
//@ finish: atomic
//@ needs:  collectives, compare_and_swap, c11_device_scope
//@ types:  all
//@ ops:    all
//@ source: OpenCL C 2.0 sections 6.13.11 and 6.13.15; cmpxchg_group with both built-ins
//@ counterpart: cmpxchg_group

#include "lib/c11.cl"

/* Most operations on integers are one atomic; products and floats loop on their bits. */
#if RED_HAS_ATOMIC
#define COMBINE_INTO(out, value) C11_ATOMIC(out, value)
#else
#define COMBINE_INTO(out, value) c11_cmpxchg_combine(out, value)
#endif

RED_KERNEL reduce(RED_INPUT, const ulong n, global RED_A *restrict out) {
    const RED_A value = RED_WG_REDUCE(red_item_stride(RED_ARGS, n));
    if (get_local_id(0) == 0)
        COMBINE_INTO(out, value);
}
