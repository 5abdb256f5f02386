//@ name:   wg_reduce_atomic
//@ idea:   private sums, work_group_reduce_<op>, then one C11 atomic per group
//@ span:   stride
//@ lanes:  16
//@ group:  built_in
//@ finish: atomic
//@ needs:  collectives, compare_and_swap, c11_device_scope
//@ types:  all
//@ ops:    all
//@ source: OpenCL C 2.0 sections 6.13.11 and 6.13.15; cmpxchg_group with both built-ins
//@ counterpart: cmpxchg_group

/* Integers have the operation as one atomic; floats loop on their bits, as red_cmpxchg_combine does. Relaxed
 * is enough: the host reads only after the kernel has ended. */
void c11_combine(global RED_A *out, const RED_A value) {
#if RED_IS_FLOAT
    volatile global RED_PASTE(atomic_, RED_WORD) *word = (volatile global RED_PASTE(atomic_, RED_WORD) *)out;
    RED_WORD guess = RED_AS_WORD(RED_IDENTITY);
    while (!atomic_compare_exchange_weak_explicit(
        word, &guess, RED_AS_WORD(RED_COMBINE(RED_FROM_WORD(guess), value)), memory_order_relaxed,
        memory_order_relaxed, memory_scope_device))
        ;
#else
    RED_NAMED_(atomic_fetch_, _explicit)
    ((volatile global RED_PASTE(atomic_, RED_A) *)out, value, memory_order_relaxed, memory_scope_device);
#endif
}

RED_KERNEL reduce(RED_INPUT, const ulong n, global RED_A *restrict out, global uint *restrict counter) {
    const RED_A value = RED_WG_REDUCE(red_item_stride(RED_ARGS, n));
    if (get_local_id(0) == 0)
        c11_combine(out, value);
}
