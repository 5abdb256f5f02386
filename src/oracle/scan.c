/* Finds the right answers of scans and judges results by them, block by block. What decides is
 * red_truth_check of oracle/truth.c, as of reductions: here stands what passes an element fast, and no other
 * element is passed or refused without it.
 *
 * A NaN in a sum makes all sums behind it NaNs; least and greatest values pass over NaNs, and a prefix of
 * NaNs alone is as one without elements. Making it takes the time of red_truth_find; 2^26 results are judged
 * in less than a second on two cores. */
#include <math.h>
#include <stdlib.h>

#include "core/numbers.h"
#include "oracle/combiners.h"
#include "oracle/results_private.h"

/* A block has one exact prefix; its elements are taken by pieces that stay in the first cache. */
enum { BLOCK_N = RED_RESULTS_BLOCK_N, PIECE_N = 512 };

struct right_scan {
    struct red_results_truth common;
    uint64_t blocks_n;
    struct red_truth *aggregates; /* of the elements of each block, */
    struct red_truth starts[];    /* and of all before it; aggregates stand behind them */
};

/* ---- prefixes ------------------------------------------------------------------------------------------ */

/* The truth of `n` elements from the first on, on their own. Of none it is the identity. */
static void find_truth_of_range(const struct red_input *input, uint64_t first, uint64_t n,
                                struct red_truth *found) {
    const struct red_dtype *dtype = input->dtype;
    const struct red_op *op = input->op;
    struct red_input range = *input;
    range.op = op->reduction;
    range.n = n;
    range.segments_n = 1;
    range.arrays[0] = (char *)range.arrays[0] + first * dtype->size_bytes;
    red_truth_find(&range, found);
    found->exact_tier = red_data_kind_is_exact(input->data_kind, op, dtype);
    if (n > 0 || !red_op_picks(op))
        return;
    const bool least = op->does == RED_PICKS_LEAST;
    if (dtype->is_float)
        dtype->put_real(&found->extreme, 0, least ? (double)INFINITY : -(double)INFINITY);
    else
        dtype->put_integer(&found->extreme, 0, red_rank_integer(dtype, least ? red_rank_max(dtype) : 0));
}

/* Makes `sum`, the truth of a prefix, that of the prefix with the elements of `more` behind it. */
static void append_truth(struct red_truth *sum, const struct red_truth *more) {
    if (more->n > 0)
        red_combiner_of(sum->op)->merge(sum, more, sum->n);
    sum->n += more->n;
}

/* Finds the aggregate of block b of n elements, which an element may have changed. */
static void find_aggregate(struct right_scan *right, const struct red_input *input, uint64_t n, uint64_t b) {
    find_truth_of_range(input, b * BLOCK_N, red_lesser(BLOCK_N, n - b * BLOCK_N), &right->aggregates[b]);
}

/* Makes the starts of all blocks behind block b, whose own is right. */
static void add_up_blocks(struct right_scan *right, uint64_t b) {
    for (b++; b < right->blocks_n; b++) {
        right->starts[b] = right->starts[b - 1];
        append_truth(&right->starts[b], &right->aggregates[b - 1]);
    }
}

static enum red_status make(const struct red_input *input, uint64_t n, struct red_results_truth **truth,
                            struct red_error *error) {
    const uint64_t blocks_n = red_ceil_div(n, BLOCK_N);
    struct right_scan *made = malloc(sizeof *made + 2 * blocks_n * sizeof made->starts[0]);
    if (made == NULL)
        return red_fail(error, RED_E_MEMORY, "no memory for the prefixes of %llu blocks",
                        (unsigned long long)blocks_n);
    made->blocks_n = blocks_n;
    made->aggregates = made->starts + blocks_n;
#pragma omp parallel for schedule(static) if (n >= RED_SEVERAL_THREADS_N)
    for (uint64_t b = 0; b < blocks_n; b++)
        find_aggregate(made, input, n, b);
    if (blocks_n > 0)
        find_truth_of_range(input, 0, 0, &made->starts[0]);
    add_up_blocks(made, 0);
    *truth = &made->common;
    return RED_OK;
}

/* Reads the element's block again, and adds up the blocks behind it: the answer before is wrong from this
 * element on. */
static void update(struct red_results_truth *truth, uint64_t at, const struct red_value *before) {
    struct right_scan *right = (struct right_scan *)truth;
    (void)before;
    find_aggregate(right, truth->input, truth->n, at / BLOCK_N);
    add_up_blocks(right, at / BLOCK_N);
}

/* The truth of the reduction (op->reduction) of the element's prefix; without elements it is the identity. */
static void prefix_at(const struct red_results_truth *truth, uint64_t i, struct red_truth *element) {
    const struct right_scan *right = (const struct right_scan *)truth;
    const uint64_t first = i / BLOCK_N * BLOCK_N, n = i - first + !truth->input->op->exclusive;
    struct red_truth rest;
    find_truth_of_range(truth->input, first, n, &rest);
    *element = right->starts[i / BLOCK_N];
    append_truth(element, &rest);
}

/* ---- judging ------------------------------------------------------------------------------------------- */

/* What the pieces of a block hand on: the prefix so far, and what has been found. */
struct walk {
    const struct right_scan *right;
    double chain;
    const void *results;
    uint64_t base; /* what the first of the results is the result of */
    /* Of integers the sum, or the extreme as a key of which the least is looked for; of floats the sum as
     * sum + rest, with the sum of |terms| and that of infinities and NaNs, or the extreme, of the wanted
     * sign, in `sum`. */
    uint64_t integer;
    double sum, rest, absolute, not_finite;
    struct red_correctness worst; /* of elements that passed; once one is wrong, of all behind it, too */
};

/* Turns integers so that the lesser key, unsigned, is the one looked for. */
static uint64_t turned_bits(const struct red_op *op, const struct red_dtype *dtype) {
    if (!red_op_picks(op))
        return 0;
    return (dtype->kind == RED_SIGNED ? UINT64_C(1) << 63 : 0) ^
           (op->does == RED_PICKS_GREATEST ? ~UINT64_C(0) : 0);
}

/* Says of each of n results of integers, from the first on, whether it is right. */
static void judge_integers(struct walk *walk, uint64_t first, size_t n, bool *right) {
    const struct red_input *input = walk->right->common.input;
    const struct red_dtype *result = red_op_result_dtype(input->op, input->dtype);
    const uint64_t turned = turned_bits(input->op, input->dtype);
    const unsigned beyond = 64 - result->bits;
    uint64_t x[PIECE_N], got[PIECE_N], prefixes[PIECE_N + 1];
    input->dtype->get_integers(input->arrays[0], first, n, x);
    result->get_integers(walk->results, first - walk->base, n, got);
    prefixes[0] = walk->integer;
    if (!red_op_picks(input->op))
        for (size_t i = 0; i < n; i++)
            prefixes[i + 1] = prefixes[i] + x[i];
    else
        for (size_t i = 0; i < n; i++)
            prefixes[i + 1] = red_lesser(x[i] ^ turned, prefixes[i]);
    walk->integer = prefixes[n];
    const uint64_t *expected = prefixes + !input->op->exclusive;
    for (size_t i = 0; i < n; i++)
        right[i] = (expected[i] ^ turned ^ got[i]) << beyond == 0;
}

/* The same where the least or the greatest of floats is looked for: a NaN is neither, and is never right. */
static void judge_real_extremes(struct walk *walk, uint64_t first, size_t n, bool *right) {
    const struct red_input *input = walk->right->common.input;
    const double sign = input->op->does == RED_PICKS_GREATEST ? -1 : 1;
    double x[PIECE_N], got[PIECE_N], prefixes[PIECE_N + 1];
    input->dtype->get_reals(input->arrays[0], first, n, x);
    input->dtype->get_reals(walk->results, first - walk->base, n, got);
    prefixes[0] = walk->sum;
    for (size_t i = 0; i < n; i++)
        prefixes[i + 1] = sign * x[i] < prefixes[i] ? sign * x[i] : prefixes[i];
    walk->sum = prefixes[n];
    const double *expected = prefixes + !input->op->exclusive;
    for (size_t i = 0; i < n; i++)
        right[i] = sign * got[i] == expected[i];
}

/* Prefixes of a piece: sums are `sums` + `rests`. */
struct real_prefixes {
    double sums[PIECE_N + 1], rests[PIECE_N + 1], absolutes[PIECE_N + 1], not_finites[PIECE_N + 1];
};

/* Adds n terms. What a sum's rounding drops (TwoSum, Knuth 1997, section 4.2.2) is added up apart: the rests
 * of 2^14 terms are off by 2^14 2^-53 times the sum of what was dropped, which is 2^14 2^-53 times the sum of
 * |terms| at most: by 2^-78 of it. */
static void add_reals(struct walk *walk, const double *x, size_t n, struct real_prefixes *prefixes) {
    double sum = walk->sum, rest = walk->rest, absolute = walk->absolute, not_finite = walk->not_finite;
    for (size_t i = 0;; i++) {
        prefixes->sums[i] = sum;
        prefixes->rests[i] = rest;
        prefixes->absolutes[i] = absolute;
        prefixes->not_finites[i] = not_finite;
        if (i == n)
            break;
        const bool is_finite = isfinite(x[i]);
        const double term = is_finite ? x[i] : 0, next = sum + term, added = next - sum;
        rest += (sum - (next - added)) + (term - added);
        sum = next;
        absolute += fabs(term);
        not_finite += is_finite ? 0 : x[i];
    }
    walk->sum = sum;
    walk->rest = rest;
    walk->absolute = absolute;
    walk->not_finite = not_finite;
}

/* Whether results are off by less than their bounds; those that are within 2^-40 of it, or within the
 * rounding of rests, are left to red_truth_check. In the exact tier no error is let pass: prefixes are
 * doubles there, and have no rests. */
static void judge_sums(struct walk *walk, const struct real_prefixes *prefixes, uint64_t first, size_t n,
                       const double *got, bool *right) {
    const struct red_input *input = walk->right->common.input;
    const unsigned digits = red_op_accumulator(input->op, input->dtype)->digits;
    const size_t from = !input->op->exclusive;
    const bool exact = walk->right->starts[0].exact_tier;
    const double of_absolute = exact ? 0 : red_bound(walk->chain, digits, 1, 0),
                 of_exact = exact ? 0 : ldexp(1, -(int)digits), of_rests = exact ? 0 : 0x1p-70;
    const double *sums = prefixes->sums + from, *rests = prefixes->rests + from,
                 *absolutes = prefixes->absolutes + from, *not_finites = prefixes->not_finites + from;
    struct red_correctness worst = walk->worst;
    for (size_t i = 0; i < n; i++) {
        const double error = fabs((sums[i] - got[i]) + rests[i]);
        const double bound = isinf(of_absolute)
                                 ? (double)INFINITY
                                 : of_absolute * absolutes[i] + of_exact * fabs(sums[i] + rests[i]);
        right[i] = isfinite(got[i]) && not_finites[i] == 0 &&
                   error + of_rests * absolutes[i] <= bound * (1 - 0x1p-40);
        const double unit = isinf(bound) ? absolutes[i] : bound;
        if ((right[i] || (!worst.right && not_finites[i] == 0)) && error >= worst.share * unit)
            worst =
                (struct red_correctness){worst.right, error, bound, error > 0 ? error / unit : 0, first + i};
    }
    walk->worst = worst;
}

/* Says of each of n results of sums of floats, from the first on, whether it is right, or nothing is
 * known. */
static void judge_real_sums(struct walk *walk, uint64_t first, size_t n, bool *right) {
    const struct red_input *input = walk->right->common.input;
    const struct red_dtype *result = red_op_result_dtype(input->op, input->dtype);
    const size_t from = !input->op->exclusive;
    double x[PIECE_N], got[PIECE_N];
    struct real_prefixes prefixes;
    input->dtype->get_reals(input->arrays[0], first, n, x);
    result->get_reals(walk->results, first - walk->base, n, got);
    add_reals(walk, x, n, &prefixes);
    judge_sums(walk, &prefixes, first, n, got, right);
    for (size_t i = 0; i < n; i++) {
        const double expected = prefixes.not_finites[from + i];
        if (expected != 0)
            right[i] = got[i] == expected || (isnan(got[i]) && isnan(expected));
    }
}

/* Sets the walk to where block b begins. */
static void walk_begin(struct walk *walk, uint64_t b) {
    const struct red_truth *start = &walk->right->starts[b];
    const struct red_dtype *dtype = start->dtype;
    walk->integer = start->integer;
    walk->rest = walk->not_finite = 0;
    walk->absolute = start->absolute;
    if (red_op_picks(start->op) && dtype->is_float)
        walk->sum = dtype->get_real(&start->extreme, 0) * (start->op->does == RED_PICKS_GREATEST ? -1 : 1);
    else if (red_op_picks(start->op))
        walk->integer = dtype->get_integer(&start->extreme, 0) ^ turned_bits(start->op, dtype);
    else if (dtype->is_float) {
        walk->not_finite = start->real.not_finite;
        walk->sum = walk->not_finite != 0 ? 0 : red_exact_value(&start->real);
        walk->rest = walk->not_finite != 0 ? 0 : red_exact_minus(&start->real, walk->sum);
    }
}

/* Of a block the first wrong result decides; n in *which if there is none. Of sums that have a bound those
 * behind it are looked at, too, for the worst. */
static struct red_correctness check_block(const struct red_results_truth *truth, double chain, uint64_t block,
                                          const void *results, uint64_t *which) {
    const struct red_input *input = truth->input;
    const uint64_t end = red_lesser(truth->n, (block + 1) * BLOCK_N);
    const size_t bytes = red_op_result_dtype(input->op, input->dtype)->size_bytes;
    struct walk walk = {.right = (const struct right_scan *)truth,
                        .chain = chain,
                        .results = results,
                        .base = block * BLOCK_N,
                        .worst = {.right = true, .place = end - 1}};
    walk_begin(&walk, block);
    *which = truth->n;
    for (uint64_t first = walk.base; first < end; first += PIECE_N) {
        const size_t n = (size_t)red_lesser(end - first, PIECE_N);
        const struct walk before = walk;
        bool right[PIECE_N];
        (!input->dtype->is_float    ? judge_integers
         : !red_op_picks(input->op) ? judge_real_sums
                                    : judge_real_extremes)(&walk, first, n, right);
        for (size_t i = 0; i < n && walk.worst.right; i++) {
            if (right[i])
                continue;
            const struct red_correctness correctness = red_results_judge(
                truth, chain, first + i, (const char *)results + (first + i - walk.base) * bytes);
            if (red_correctness_is_worse(&correctness, &walk.worst))
                walk.worst = correctness;
            if (correctness.right)
                continue;
            *which = first + i;
            if (walk.right->starts[0].exact_tier)
                return correctness;
            walk = before; /* this piece again, with what is wrong in it */
            walk.worst = correctness;
            first -= PIECE_N;
        }
    }
    return walk.worst;
}

static uint64_t prefixes_n(uint64_t n, unsigned bins_n) {
    (void)bins_n;
    return n;
}

const struct red_results_hooks red_results_of_scan = {.results_n = prefixes_n,
                                                      .make = make,
                                                      .update = update,
                                                      .at = prefix_at,
                                                      .check_block = check_block,
                                                      .chain = red_prefix_chain};
