/* Arithmetic of sizes, for all rooms. */
#ifndef CLREDUCE_CORE_NUMBERS_H
#define CLREDUCE_CORE_NUMBERS_H

#include <stddef.h>
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

/* Sets `at`, a size_t, to the first of n places of a sorted array that is not below what is looked for, or to
 * n: where it stands, or belongs. `is_below` is an expression that tells of the place `at` whether it is
 * below. */
#define RED_LOWER_BOUND(at, n, is_below)                                                                     \
    for (size_t low_ = 0, high_ = (n); (at) = low_ + (high_ - low_) / 2, low_ < high_;                       \
         (is_below) ? (low_ = (at) + 1) : (high_ = (at)))

/* A build for any x86-64 has the loops three times, and takes those that this processor is made for. */
#if defined(__x86_64__) && !defined(__AVX2__) && defined(__GLIBC__) && !defined(__clang__) && __GNUC__ >= 12
#define RED_CLONES __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define RED_CLONES
#endif

#endif
