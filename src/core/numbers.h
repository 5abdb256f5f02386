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

/* A build for any x86-64 has the loops three times, and takes those that this processor is made for. */
#if defined(__x86_64__) && !defined(__AVX2__) && defined(__GLIBC__) && !defined(__clang__) && __GNUC__ >= 12
#define RED_CLONES __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define RED_CLONES
#endif

#endif
