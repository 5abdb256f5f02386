/* The right answer of one data set, and the check of a result against it. Every verified and every timed
 * result goes through it (cl/case_check.c, worker/prepared.c); what fails makes the cell `wrong`. */
#ifndef CLREDUCE_ORACLE_TRUTH_H
#define CLREDUCE_ORACLE_TRUTH_H

#include "model/answers.h"
#include "model/case.h"
#include "model/evidence.h"
#include "model/exact.h"
#include "model/geometry.h"
#include "model/input.h"

struct red_truth {
    const struct red_dtype *dtype; /* of the elements */
    const struct red_op *op;
    uint64_t n;
    bool exact_tier;          /* only the exact value is right */
    uint64_t integer;         /* sums of integers: modulo 2^64 */
    struct red_exact real;    /* sums of floats: exact; products: to 2^-110 of them */
    double absolute;          /* sums of floats: sum of |terms|, rounded up; products: |product| */
    uint64_t roundings_n;     /* products of floats: factors that are no powers of two */
    struct red_value extreme; /* otherwise: the value looked for, */
    uint64_t index;           /* and the lowest index that holds it */
};

/* Finds the exact answer for the data set. A NaN is an extreme only where there is nothing else. Time: about
 * 3 ns per element and core. Of a histogram, which has many answers (oracle/results.h), it is 0. */
void red_truth_find(const struct red_input *input, struct red_truth *truth);

/* Adds what `other` says, the truth of further elements of the same array. Its places count from other_first
 * on; those of `truth`, which may be all zeros, count in the whole already. In any order: the lowest index
 * holds an extreme. */
void red_truth_merge(struct red_truth *truth, const struct red_truth *other, uint64_t other_first);

/* Finds the truth of a share of the whole array: of its blocks of 2^16 elements those whose number modulo
 * of_n is `which`, with places as in the whole. All shares merged are the truth of the whole. They are other
 * parts of it than the pieces of processes, so that an element that two pieces have, or none, shows. Each
 * block is made from the seed and forgotten: it takes no more memory for more elements, and the time of
 * making the data and of red_truth_find. Errors: RED_E_MEMORY. */
enum red_status red_truth_find_stripes(const struct red_data_spec *whole, unsigned which, unsigned of_n,
                                       struct red_truth *truth, struct red_error *error);

/* The answer rounded to the type of the result, for display and for comparing bits. */
struct red_value red_truth_value(const struct red_truth *truth);

/* Writes `answer`, which may be right or wrong, as the operation and type of the truth have it: "1.5", or of
 * places "1.5 at 17". */
void red_truth_answer_format(const struct red_truth *truth, const struct red_value *answer, char *text,
                             size_t text_size_bytes);

/* The right answers of segments. */
struct red_segment_truths;

/* Finds the exact answer of every segment of the input: they lie side by side or, with `columns`, are the
 * columns of a matrix of input->segments_n columns. Release with _destroy. Errors: RED_E_MEMORY. */
enum red_status red_segments_find_truths(const struct red_input *input, bool columns,
                                         struct red_segment_truths **segments, struct red_error *error);
void red_segments_destroy(struct red_segment_truths *segments);
uint64_t red_segments_n(const struct red_segment_truths *segments);

/* Bytes that the right answer of a segment takes. */
double red_segment_truth_bytes(void);

/* The truth of one segment. Its exact sum is kept to twice the digits of a double. */
void red_segments_truth(const struct red_segment_truths *segments, uint64_t i, struct red_truth *truth);

/* Sets it: worker/prepared.c has changed elements of the segment. */
void red_segments_set_truth(struct red_segment_truths *segments, uint64_t i, const struct red_truth *truth);

/* What the check of a result yields. */
struct red_correctness {
    bool right;
    double error; /* |got - exact|; for integers, and where only the place is wrong, 0 or 1 */
    double bound; /* the largest error that passes; 0 in the exact tier, infinite where red_bound is */
    /* The error by the bound, or by the sum of |terms| where that is infinite: it tells which of several
     * errors is the worst; infinite of an answer that had to be exact and is not. */
    double share;
    uint64_t place; /* of many results, the one whose error and bound these are */
};

/* Judges a result. In the exact tier it must equal the exact answer, its place included; otherwise its error
 * must not exceed red_bound(chain, ...) of oracle/truth.h. NaN and infinities are wrong unless they are the
 * exact answer. */
struct red_correctness red_truth_check(const struct red_truth *truth, double chain, struct red_value got);

/* Judges the answers of all segments. Yields the correctness of the first wrong one, and its segment in
 * *which; if all are right, the largest error and the largest bound, and the number of segments in *which. */
struct red_correctness red_segments_check(const struct red_segment_truths *segments, double chain,
                                          const struct red_answers *answers, uint64_t *which);

/* ---- error bounds ----------------------------------------------------------------------------------------
 * How wrong a floating-point reduction may be and still be right. */

/* h: the longest chain of roundings that one element can meet on its way into the result (Higham,
 * Accuracy and Stability of Numerical Algorithms, 2002, section 4.2), whatever order a compiler chooses
 * inside a stage. With k elements per item, v lanes, L items per group and G groups:
 *   around   1 for a product or a square, 1 for the division of a mean
 *   item     k - 1: no order of adding k values has a longer chain. With v lanes at most
 *            ceil(k/v) + 2 (v - 1), if that is less: rounds of v elements, one rounding each, as long as
 *            there are v; then fewer than v that are left, as vectors or one by one; and v - 1 for folding
 *            the lanes, since a compiler need not keep the tree
 *   group    tree ceil(log2 L); serial and built-in L - 1; pair 1; none 0
 *   finish   host, svm: G - 1 additions in double, each worth 2^(accumulator's digits - 53) roundings;
 *            passes: the item's and the group's chain again for every further pass;
 *            two_kernels, command_buffer, sweeps, last_group, polled,
 *            device_enqueue: G - 1 in any order;
 *            atomic: one per value added: G, or with group none min(n, G L)
 * A strategy that is exact (red_strategy_is_exact) has no chain: its one rounding is the result's, below.
 * Of a scan, whose element must reach each answer behind it, the item's chain is straight and the group's
 * counts twice, up to the aggregate and down to each item; then follow, where there are several aggregates
 * (of tiles; with group none of items), one addition fewer than there are, by the host in double, and 2 for
 * the carry, which is rounded and added. */
double red_bound_chain(const struct red_strategy *strategy, const struct red_dtype *dtype,
                       const struct red_op *op, const struct red_geometry *geometry, uint64_t n);

/* Of a strategy that claims bound `compensated` (RED_BOUNDS), which that function judges as if each group's
 * sum were as large as its sum of |terms|: the chain for the data themselves, the input's first truth->n
 * elements. Of other strategies the same as that function.
 *
 * A group adds by TwoSum, whose sum and rounding error are exact (Knuth, TAOCP 2, section 4.2.2, theorem B),
 * and adds the errors apart. They are at most gamma_h * sum |terms| together, and adding them costs gamma_h
 * of that (Ogita, Rump and Oishi, Accurate sum and dot product, SIAM J. Sci. Comput. 26(6), 2005,
 * proposition 4.5, for n - 1 additions in a row). Then what a group leaves is rounded once, and so is what
 * the finish makes of them: error <= gamma_h^2 * sum |terms| + u * (1 + f) * sum |sum of a group| + u * |sum|
 *
 * h: the longest chain in a group: k - 1 of an item, and 2 for each step of a tree, in which an item's errors
 * meet the step's own and those of the other item.
 *
 * f: the finish's chain as above: of host G - 1 additions in double, which are nothing beside a float's
 * rounding, and of doubles are roundings like others.
 *
 * A mean has u * |sum| once more for its division, dot and sumsq have u * |product| of each product that is
 * no value of the accumulator's type. As everywhere, the chain is that in units of u * sum |terms|. */
double red_bound_chain_of_data(const struct red_strategy *strategy, const struct red_geometry *geometry,
                               const struct red_input *input, const struct red_truth *truth);

/* The largest error that passes: gamma_h * sum |terms| + u * (|exact sum| + gamma_h * sum |terms|), with
 * u = 2^-digits and gamma_h = hu / (1 - hu) (Higham 2002, lemma 3.1); it grows with h. From hu = 1 on
 * (f32: a chain of 2^24) the lemma says nothing and the bound is infinite: every finite result passes, and
 * the exact tier alone decides.
 *   abs_terms_sum  sum of |terms|
 *   abs_exact_sum  |exact sum|, not the sum itself */
double red_bound(double chain, unsigned digits, double abs_terms_sum, double abs_exact_sum);

/* ---- ranges ----------------------------------------------------------------------------------------------
 * The right answers of one data set, prepared so that the check of a timed call costs a comparison or two. */

struct red_range {
    const struct red_truth *truth; /* borrowed */
    double chain;
    const struct red_dtype *result;
    struct red_value known; /* right: the same bits are right again */
    double low, high;       /* what lies between is right, too; low > high: nothing is told so */
};

/* Makes the range of exactly what red_truth_check(truth, chain, ...) lets pass (worker/prepared.c). */
void red_range_make(const struct red_truth *truth, double chain, struct red_range *range);

/* For an answer of other bits than the one known: compares with the interval, which leaves a little out at
 * both ends, and asks red_truth_check about what lies there or outside. What passes is known from then on. A
 * NaN lies in no interval. */
bool red_range_learn_if_right(struct red_range *range, struct red_value value);

/* Whether the answer of a timed call is right (worker/prepared.h); the last right one is kept as known. */
static inline bool red_range_holds(struct red_range *range, struct red_value value) {
    return (value.bits == range->known.bits && value.index == range->known.index) ||
           red_range_learn_if_right(range, value);
}

/* Fills the evidence of an answer that is not right: expected, got, and in which range an answer is right;
 * the rest is zero. */
void red_truth_find_evidence(const struct red_truth *truth, double chain, struct red_value got,
                             struct red_evidence *evidence);

#endif
