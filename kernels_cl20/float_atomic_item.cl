//@ name:   float_atomic_item
//@ idea:   every work-item adds by the native float atomic
//@ span:   each
//@ lanes:  1
//@ group:  none
//@ finish: atomic
//@ needs:  float_atomics
//@ types:  floats
//@ ops:    sum, dot, sumsq, mean
//@ source: OpenCL Extension Specification, cl_ext_float_atomics
//@ counterpart: cmpxchg_item

/* Native: the hardware adds, no loop. Relaxed is enough: the host reads only after the kernel has ended. */
#define FLOAT_ADD(out, value)                                                                                \
    atomic_fetch_add_explicit((volatile global RED_PASTE(atomic_, RED_A) *)(out), (value),                   \
                              memory_order_relaxed, memory_scope_device)

RED_KERNEL reduce(RED_INPUT, const ulong n, global RED_A *restrict out, global uint *restrict counter) {
    const ulong i = get_global_id(0);
    if (i < n)
        FLOAT_ADD(out, RED_LOAD(i));
}
