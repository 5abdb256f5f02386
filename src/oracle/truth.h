/* The right answer of one data set, and the check of a result against it. */
#ifndef CLREDUCE_ORACLE_TRUTH_H
#define CLREDUCE_ORACLE_TRUTH_H

#include "model/input.h"
#include "oracle/exact.h"

struct red_truth {
    const struct red_dtype *dtype;
    bool exact_tier;       /* only the exact bits are right */
    uint64_t integer;      /* integers: the sum modulo 2^64 */
    struct red_exact real; /* floats: the exact sum */
    double absolute;       /* floats: sum of |terms|, rounded up */
};

/* Sums the terms of the data set exactly. Time: about 2 ns per element and core. */
void red_truth_find(const struct red_input *input, struct red_truth *truth);

/* The answer rounded to the type, for display and for comparing bits. */
union red_value red_truth_value(const struct red_truth *truth);

struct red_verdict {
    bool right;
    double error; /* |got - exact|; for integers 0 or 1 */
    double bound; /* the largest error that passes; 0 in the exact tier, infinite where red_bound is */
};

/* Judges a result. In the exact tier it must equal the exact sum; otherwise its error must not exceed
 * red_bound(chain, ...) of oracle/bound.h. NaN and infinities are wrong unless they are the exact answer. */
struct red_verdict red_truth_check(const struct red_truth *truth, double chain, union red_value got);

#endif
