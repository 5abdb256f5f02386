/* Pseudorandom numbers and shuffles that depend on the seed alone (--seed), and hashes. */
#ifndef CLREDUCE_CORE_RANDOM_H
#define CLREDUCE_CORE_RANDOM_H

#include <stddef.h>
#include <stdint.h>

/* The next of a sequence of 64 random bits; any start value will do. splitmix64 (Steele, Lea and Flood, "Fast
 * splittable pseudorandom number generators", OOPSLA 2014). */
uint64_t red_random(uint64_t *state);

/* Puts n items, of that many bytes each (16 at most), into an order that follows from the state (Fisher and
 * Yates). */
void red_random_shuffle(void *items, size_t n, size_t item_bytes, uint64_t *state);

/* ---- hash ------------------------------------------------------------------------------------------------
 * FNV-1a, 64 bits (Fowler, Noll, Vo). It tells whether two things are the same, but can be forged. */

/* What a hash begins with. */
#define RED_HASH UINT64_C(0xcbf29ce484222325)

/* Goes on with one more byte, or word. */
static inline uint64_t red_hash_add(uint64_t hash, uint64_t word) {
    return (hash ^ word) * UINT64_C(0x100000001b3);
}

/* Goes on with a text, without its end. */
static inline uint64_t red_hash_text(uint64_t hash, const char *text) {
    for (; *text != '\0'; text++)
        hash = red_hash_add(hash, (unsigned char)*text);
    return hash;
}

#endif
