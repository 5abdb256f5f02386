/* The accumulator as an integer word, for compare-and-swap on its bits. */
#if RED_WORD_BITS != 0 && RED_IS_FLOAT
#define RED_AS_WORD(value)  RED_PASTE(as_, RED_WORD)(value)
#define RED_FROM_WORD(word) RED_PASTE(as_, RED_A)(word)
#elif RED_WORD_BITS != 0
#define RED_AS_WORD(value)  ((RED_WORD)(value))
#define RED_FROM_WORD(word) ((RED_A)(word))
#endif

/* RED_CMPXCHG(p, old, new) and RED_XCHG(p, new): p is a `volatile global RED_WORD *`; gives the word found
 * there. RED_ATOMIC(p, value) combines the value into *p, global or local, by the operation's own atomic:
 * integers only.
 */
#if RED_WORD_BITS == 32
#define RED_CMPXCHG(p, old, new) atomic_cmpxchg(p, old, new)
#define RED_XCHG(p, new)         atomic_xchg(p, new)
#define RED_ATOMIC(p, value)     RED_NAMED_(atomic_, )(p, value)
#elif RED_WORD_BITS == 64 && defined(cl_khr_int64_base_atomics)
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
/* A 64-bit C11 atomic needs both (OpenCL C 2.0, 6.13.11), atom_min and atom_max the second. */
#ifdef cl_khr_int64_extended_atomics
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable
#endif
#define RED_CMPXCHG(p, old, new) atom_cmpxchg(p, old, new)
#define RED_XCHG(p, new)         atom_xchg(p, new)
#define RED_ATOMIC(p, value)     RED_NAMED_(atom_, )(p, value)
#endif

/* Combines a value into the accumulator by compare-and-swap. The first guess is the identity, with which the
 * accumulator starts; every later one is what the atomic found, so no access is ever plain. Words are
 * compared as integers: -0.0 and NaN cannot make the loop spin. */
#ifdef RED_CMPXCHG
void red_cmpxchg_combine(global RED_A *out, const RED_A value) {
    volatile global RED_WORD *word = (volatile global RED_WORD *)out;
    RED_WORD guess = RED_AS_WORD(RED_IDENTITY);
    for (;;) {
        const RED_A combined = RED_COMBINE(RED_FROM_WORD(guess), value);
        const RED_WORD found = RED_CMPXCHG(word, guess, RED_AS_WORD(combined));
        if (found == guess)
            return;
        guess = found;
    }
}
#endif
