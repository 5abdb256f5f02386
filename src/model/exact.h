/* An exact accumulator for floating-point sums: oracle/truth.h compares every bounded result with its value.
 * A fixed-point number wide enough for any sum of doubles, in 32-bit digits held in 64-bit limbs so that
 * carries can wait (Kulisch 1971; the layout follows Neal, "Fast exact summation using small and large
 * superaccumulators", arXiv:1505.05571, 2015). */
#ifndef CLREDUCE_MODEL_EXACT_H
#define CLREDUCE_MODEL_EXACT_H

#include <stddef.h>
#include <stdint.h>

#include "model/types.h"

enum {
    RED_EXACT_LIMBS = 70, /* 2^-1074 ... 2^1165: room for 2^64 terms of the largest double */
    RED_EXACT_WORDS = RED_EXACT_LIMBS + 3
};

struct red_exact {
    int64_t limbs[RED_EXACT_LIMBS];
    uint32_t pending;  /* additions since carries were last propagated */
    double not_finite; /* 0, or the sum of the infinities and NaNs added */
};

void red_exact_reset(struct red_exact *sum);            /* to 0 */
void red_exact_add(struct red_exact *sum, double term); /* without rounding */
/* Adds every term. Where plain additions of them are exact in any order, which a look at them tells, a tenth
 * of the time of adding them one by one. */
void red_exact_add_all(struct red_exact *sum, const double *terms, size_t n);
/* Adds a * b without rounding, by the error-free product of Dekker 1971 with fma (exact unless the low part
 * underflows below 2^-1074). */
void red_exact_add_product(struct red_exact *sum, double a, double b);
void red_exact_merge(struct red_exact *sum, const struct red_exact *other); /* adds the other sum */

/* A sum as words, which are the same for the same sum: digits from 0 to 2^32 - 1, the last one of any sign,
 * then how many infinities, negative ones and NaNs there are of (0 or 1). Words of up to 2^31 sums may be
 * added one by one, as MPI_SUM does with MPI_INT64_T; what comes is read as the sum of all. */
void red_exact_to_words(const struct red_exact *sum, int64_t words[RED_EXACT_WORDS]);
void red_exact_from_words(const int64_t words[RED_EXACT_WORDS], struct red_exact *sum);

/* Adds n words, the first of which counts limbs[first]'s units and each further one 2^32 as much as the one
 * before: first + n < RED_EXACT_LIMBS. */
void red_exact_add_words(struct red_exact *sum, unsigned first, const int64_t *words, unsigned n);

/* The sum by parts_n as a value of the float type, rounded once: to the nearest, of two to the even one.
 * Beyond the greatest it is infinite; 0 is +0. */
struct red_value red_exact_round(const struct red_exact *sum, uint64_t parts_n,
                                 const struct red_dtype *dtype);

/* The sum as a double, within one unit in the last place; exact where the sum is representable. */
double red_exact_value(const struct red_exact *sum);
/* sum - value, within one unit in the last place of the difference. */
double red_exact_minus(const struct red_exact *sum, double value);

#endif
