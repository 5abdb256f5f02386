/* The right answers of a case, whatever form they have: one value, a value for each segment, or all results
 * of a scan or a histogram. */
#ifndef CLREDUCE_ORACLE_RIGHT_H
#define CLREDUCE_ORACLE_RIGHT_H

#include "model/answers.h"
#include "oracle/results.h"
#include "oracle/truth.h"

/* All are borrowed. Of segments and results one at most is there. */
struct red_right {
    const struct red_truth *truth;             /* of one array */
    const struct red_segment_truths *segments; /* or NULL */
    const struct red_results_truth *results;   /* or NULL */
};

/* What a call has left, in that form. */
struct red_got {
    struct red_value value;            /* of one array, or of the only segment */
    const struct red_answers *answers; /* of segments; NULL: there is one */
    const void *results;               /* all of a scan or a histogram */
};

struct red_judged {
    struct red_correctness correctness; /* of results the worst one's; of segments the first wrong one's, or
                                           the largest error and bound */
    uint64_t which;                     /* the segment or result that is wrong; 0 of one value */
    struct red_value value; /* that one's, of a result with its place as index; if all are right, the first
                               segment's, or the last result's */
};

struct red_judged red_right_judge(const struct red_right *right, double chain, const struct red_got *got);

/* A number that is the same where all bits of what came are the same. */
uint64_t red_got_bits(const struct red_right *right, const struct red_got *got);

/* Fills the evidence of what was judged: expected, got, where it stands, and the range that is right; the
 * rest is zero. */
void red_right_find_evidence(const struct red_right *right, double chain, const struct red_judged *judged,
                             struct red_evidence *evidence);

/* Of segments the truth of segment i; otherwise that of the array. */
struct red_truth red_right_truth(const struct red_right *right, uint64_t i);

/* Of results the truth of result i; otherwise that of the array. */
struct red_truth red_right_result_truth(const struct red_right *right, uint64_t i);

#endif
