/* Disturbs memory beside kernels whose groups read what others of them wrote: those of litmus tests
 * (lib/litmus.cl) by groups of the same launch, those of `verify --stress` by launches on another queue. */

/* The next of a sequence that visits words of the scratch in no order (Numerical Recipes, 7.1). */
uint disturb_next(uint *at) {
    *at = *at * 1664525u + 1013904223u;
    return *at >> 8;
}

/* Stores and loads all over the first mask + 1 words of the scratch: bit 0 of `pattern` chooses the first
 * access of a turn, bit 1 the second; 1 is a store. Items may meet in a word: nobody looks at its value, but
 * at whether it is 0, which is never stored. */
void disturb_memory(global uint *scratch, const uint mask, const uint turns, const uint pattern,
                    const uint seed) {
    uint at = (uint)get_global_id(0) * 2654435761u ^ seed, sum = 0;
    for (uint turn = 0; turn < turns; turn++)
        for (uint access = 0; access < 2; access++) {
            const uint i = disturb_next(&at) & mask;
            if (pattern >> access & 1)
                scratch[i] = 1;
            else
                sum += scratch[i];
        }
    if (sum == 0x5eed5eed) /* so that no load is left out */
        scratch[0] = sum;
}

#ifndef LITMUS_LOCAL /* programs of litmus tests have kernels of their own */
kernel void disturb(global uint *scratch, const uint mask, const uint turns, const uint pattern,
                    const uint seed) {
    disturb_memory(scratch, mask, turns, pattern, seed);
}

/* Adds to *stored_n the number of words that are not 0, and makes them 0 again. */
kernel void count_stored(global uint *scratch, const uint words_n, volatile global uint *stored_n) {
    uint count = 0;
    for (uint i = (uint)get_global_id(0); i < words_n; i += (uint)get_global_size(0)) {
        count += scratch[i] != 0;
        scratch[i] = 0;
    }
    atomic_add(stored_n, count);
}
#endif
