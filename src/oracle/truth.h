/* The right answer of one data set, and the check of a result against it. */
#ifndef CLREDUCE_ORACLE_TRUTH_H
#define CLREDUCE_ORACLE_TRUTH_H

#include "model/input.h"
#include "oracle/exact.h"
#include "oracle/reference.h"

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

/* The right answers of segments. */
struct red_segments;

/* Finds the exact answer of every segment of the input: they lie side by side or, with `columns`, are the
 * columns of a matrix of input->segments_n columns. Release with _destroy. Errors: RED_E_MEMORY. */
enum red_status red_segments_find(const struct red_input *input, bool columns, struct red_segments **segments,
                                  struct red_error *error);
void red_segments_destroy(struct red_segments *segments);

/* The truth of one segment. Its exact sum is kept to twice the digits of a double. */
void red_segments_truth(const struct red_segments *segments, uint64_t i, struct red_truth *truth);

/* Sets it: the elements have changed. */
void red_segments_set(struct red_segments *segments, uint64_t i, const struct red_truth *truth);

struct red_verdict {
    bool right;
    double error; /* |got - exact|; for integers, and where only the place is wrong, 0 or 1 */
    double bound; /* the largest error that passes; 0 in the exact tier, infinite where red_bound is */
};

/* Judges a result. In the exact tier it must equal the exact answer, its place included; otherwise its error
 * must not exceed red_bound(chain, ...) of oracle/bound.h. NaN and infinities are wrong unless they are the
 * exact answer. */
struct red_verdict red_truth_check(const struct red_truth *truth, double chain, struct red_value got);

/* Judges all answers. Gives the verdict about the first one that is wrong, and its place in *which; if all
 * are right, with the largest error and the largest bound. */
struct red_verdict red_segments_check(const struct red_segments *segments, double chain,
                                      const struct red_answers *answers, uint64_t *which);

#endif
