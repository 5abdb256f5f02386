/* The right answers of one data set, made ready for a look at every timed call: a comparison or two. */
#ifndef CLREDUCE_ORACLE_RANGE_H
#define CLREDUCE_ORACLE_RANGE_H

#include "oracle/truth.h"

struct red_range {
    const struct red_truth *truth; /* borrowed */
    double chain;
    const struct red_dtype *result;
    struct red_value known; /* right: the same bits are right again */
    double low, high;       /* what lies between is right, too; low > high: nothing is told so */
};

/* Exactly what red_truth_check(truth, chain, ...) lets pass. */
void red_range_make(const struct red_truth *truth, double chain, struct red_range *range);

/* For an answer of other bits than the one known: compares with the interval, which leaves a little out at
 * both ends, and asks red_truth_check about what lies there or outside. What passes is known from then on. A
 * NaN lies in no interval. */
bool red_range_look(struct red_range *range, struct red_value value);

/* Whether the answer is right. */
static inline bool red_range_holds(struct red_range *range, struct red_value value) {
    return (value.bits == range->known.bits && value.index == range->known.index) ||
           red_range_look(range, value);
}

#endif
