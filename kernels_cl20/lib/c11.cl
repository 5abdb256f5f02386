/* What the strategies with C11 atomics share. Relaxed is enough to add: the host reads only
 * after the kernel has ended. A file that wants another order defines C11_ORDER before it includes this. */
#ifndef C11_ORDER
#define C11_ORDER memory_order_relaxed
#endif

/* The operation's own atomic: of integers, and where the device has them of floats. */
#define C11_ATOMIC(out, value)                                                                               \
    RED_NAMED_(atomic_fetch_, _explicit)(                                                                    \
        (volatile global RED_PASTE(atomic_, RED_A) *)(out), (value), C11_ORDER, memory_scope_device)

/* As red_cmpxchg_combine does it; an exchange that fails gives the word found there, and may fail without
 * cause. */
void c11_cmpxchg_combine(global RED_A *out, const RED_A value) {
    volatile global RED_PASTE(atomic_, RED_WORD) *word = (volatile global RED_PASTE(atomic_, RED_WORD) *)out;
    RED_WORD guess = RED_AS_WORD(RED_IDENTITY);
    while (!atomic_compare_exchange_weak_explicit(
        word, &guess, RED_AS_WORD(RED_COMBINE(RED_FROM_WORD(guess), value)), memory_order_relaxed,
        memory_order_relaxed, memory_scope_device))
        ;
}
