/* Arithmetic of sizes, for all rooms. */
#ifndef CLREDUCE_CORE_NUMBERS_H
#define CLREDUCE_CORE_NUMBERS_H

#include <stdint.h>

static inline uint64_t red_lesser(uint64_t a, uint64_t b) {
    return a < b ? a : b;
}
static inline uint64_t red_greater(uint64_t a, uint64_t b) {
    return a > b ? a : b;
}

/* The quotient, rounded up. */
static inline uint64_t red_ceil_div(uint64_t a, uint64_t b) {
    return a / b + (a % b != 0);
}

#endif
