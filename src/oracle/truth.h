/* The right answer of one data set, and the check of a result against it. */
#ifndef CLREDUCE_ORACLE_TRUTH_H
#define CLREDUCE_ORACLE_TRUTH_H

#include "model/input.h"
#include "oracle/exact.h"

struct red_truth {
    const struct red_dtype *dtype; /* of the elements */
    const struct red_op *op;
    uint64_t n;
    bool exact_tier;          /* only the exact value is right */
    uint64_t integer;         /* sums of integers: modulo 2^64 */
    struct red_exact real;    /* sums of floats: exact */
    double absolute;          /* sums of floats: sum of |terms|, rounded up */
    struct red_value extreme; /* otherwise: the value looked for, */
    uint64_t index;           /* and the lowest index that holds it */
};

/* Finds the exact answer for the data set. A NaN is an extreme only where there is nothing else. Time: about
 * 3 ns per element and core. */
void red_truth_find(const struct red_input *input, struct red_truth *truth);

/* The answer rounded to the type of the result, for display and for comparing bits. */
struct red_value red_truth_value(const struct red_truth *truth);

/* Writes an answer to the question of this truth, right or wrong: "1.5", or of places "1.5 at 17". */
void red_truth_print(const struct red_truth *truth, const struct red_value *value, char *text,
                     size_t text_size_bytes);

struct red_verdict {
    bool right;
    double error; /* |got - exact|; for integers, and where only the place is wrong, 0 or 1 */
    double bound; /* the largest error that passes; 0 in the exact tier, infinite where red_bound is */
};

/* Judges a result. In the exact tier it must equal the exact answer, its place included; otherwise its error
 * must not exceed red_bound(chain, ...) of oracle/bound.h. NaN and infinities are wrong unless they are the
 * exact answer. */
struct red_verdict red_truth_check(const struct red_truth *truth, double chain, struct red_value got);

#endif
