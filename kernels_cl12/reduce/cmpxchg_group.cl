//@ name:   cmpxchg_group
//@ idea:   private sums, a tree per group, then one atomic_cmpxchg per group
//@ span:   stride
//@ lanes:  4x4
//@ group:  tree
//@ finish: atomic
//@ needs:  local_memory, compare_and_swap
//@ types:  all
//@ ops:    all
//@ source: OpenCL 1.2 section 6.12.11; cmpxchg_item without the contention
//@ variant: atomic_group COMBINE_INTO=RED_ATOMIC
//@ idea:   private sums, a tree per group, then one atomic_add (min, max) per group
//@ needs:  local_memory, integer_atomics
//@ source: OpenCL 1.2 section 6.12.11

#include "lib/common.cl" /* red_item_stride, red_group_tree, and defaults */

#ifndef COMBINE_INTO
#define COMBINE_INTO cmpxchg_combine
/* The first guess is the identity, with which the accumulator starts; every later one is what the atomic
 * found, so no access is ever plain. Words are compared as integers: of -0.0 or NaN the loop
 * does not spin. */
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

RED_KERNEL reduce(RED_INPUT, const ulong n, global RED_A *restrict out, global uint *restrict counter) {
    RED_LOCAL(RED_A, scratch, RED_GROUP_SIZE);
    const RED_A value = red_group_tree(red_item_stride(RED_ARGS, n), scratch);
    if (get_local_id(0) == 0)
        COMBINE_INTO(out, value);
}
