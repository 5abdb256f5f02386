/* Random numbers that follow from the seed. */
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

#endif
