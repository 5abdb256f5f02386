//@ name:   cmpxchg_item
//@ idea:   every work-item adds to one accumulator by atomic_cmpxchg on the bits
//@ span:   each
//@ lanes:  1
//@ group:  none
//@ finish: atomic
//@ needs:  compare_and_swap
//@ types:  all
//@ ops:    all
//@ source: OpenCL 1.2 section 6.12.11; the usual float atomic of OpenCL 1.x
//@ variant: atomic_item COMBINE_INTO=RED_ATOMIC
//@ idea:   every work-item adds to one accumulator by atomic_add (min, max)
//@ needs:  integer_atomics
//@ source: OpenCL 1.2 section 6.12.11

/* Alone, without a host's choice: a sum of floats. */
#ifndef RED_T
#define RED_T float
#endif
#ifndef RED_GROUP_SIZE
#define RED_GROUP_SIZE 256
#endif
#ifndef RED_LOAD
#define RED_KERNEL                     kernel __attribute__((reqd_work_group_size(RED_GROUP_SIZE, 1, 1))) void
#define RED_A                          RED_T
#define RED_WORD                       uint
#define RED_IDENTITY                   0
#define RED_COMBINE(a, b)              ((a) + (b))
#define RED_INPUT                      global const RED_T *restrict red_x
#define RED_LOAD(i)                    red_x[i]
#define RED_AS_WORD(value)             as_uint(value)
#define RED_FROM_WORD(word)            as_float(word)
#define RED_CMPXCHG(pointer, old, new) atomic_cmpxchg(pointer, old, new)
#endif

/* The first guess is the identity, with which the accumulator starts; every later one is what the atomic
 * found, so no access is ever plain. Words are compared as integers: of -0.0 or NaN the loop does not spin.
 */
#ifndef COMBINE_INTO
#define COMBINE_INTO cmpxchg_combine
void cmpxchg_combine(global RED_A *out, const RED_A value) {
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

RED_KERNEL reduce(RED_INPUT, const ulong n, global RED_A *restrict out) {
    const ulong i = get_global_id(0);
    if (i < n)
        COMBINE_INTO(out, RED_LOAD(i));
}
