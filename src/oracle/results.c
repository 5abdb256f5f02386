/* Counts elements exactly, and judges counts; of scans it passes on to oracle/scan.c. `input` is a data set
 * of
 * --op, whose row says which. */
#include "oracle/results.h"

#include <math.h>
#include <stdlib.h>

#include "core/numbers.h"
#include "model/bins.h"
#include "oracle/scan.h"

struct red_results_truth {
    const struct red_input *input;
    uint64_t n, results_n;
    struct red_scan_truth *scan; /* or NULL, and there are */
    struct red_bins bins;
    uint64_t counts[]; /* one for each result */
};

/* worker/prepared.c and cl/verify.c make so much room for what a case reads back. */
uint64_t red_results_n(const struct red_op *op, uint64_t n, unsigned bins_n) {
    const uint64_t results_n[RED_PRIMITIVES_N] = {
        [RED_PRIMITIVE_SCAN] = n, [RED_PRIMITIVE_HISTOGRAM] = (uint64_t)bins_n + 1};
    return results_n[op->primitive];
}

/* ---- counting ------------------------------------------------------------------------------------------ */

/* Adds the bins of the elements of a block, before `end`, to the counts. */
static void count_block(const struct red_results_truth *truth, uint64_t first, uint64_t end,
                        uint64_t *counts) {
    uint32_t found[RED_BINS_BLOCK_N];
    const size_t n = (size_t)red_lesser(end - first, RED_BINS_BLOCK_N);
    red_bins_find_block(&truth->bins, truth->input->arrays[0], first, n, found);
    for (size_t i = 0; i < n; i++)
        counts[found[i]]++;
}

/* Counts all elements, each thread in counts of its own, which are then added up. Errors: RED_E_MEMORY. */
static enum red_status count_elements(struct red_results_truth *truth, struct red_error *error) {
    bool done = true;
    truth->bins = red_bins_make(truth->input->dtype, truth->input->bins_n);
#pragma omp parallel reduction(&& : done) if (truth->n >= RED_SEVERAL_THREADS_N)
    {
        uint64_t *mine = calloc(truth->results_n, sizeof *mine);
        done = mine != NULL;
#pragma omp for schedule(static)
        for (uint64_t first = 0; first < truth->n; first += RED_BINS_BLOCK_N)
            if (mine != NULL)
                count_block(truth, first, truth->n, mine);
#pragma omp critical
        for (size_t i = 0; i < truth->results_n && mine != NULL; i++)
            truth->counts[i] += mine[i];
        free(mine);
    }
    return done ? RED_OK
                : red_fail(error, RED_E_MEMORY, "no memory for the counts of %u bins", truth->bins.n);
}

/* For cl/verify.c and worker/prepared.c, of each data set. */
enum red_status red_results_truth_make(const struct red_input *input, uint64_t n,
                                       struct red_results_truth **truth, struct red_error *error) {
    const uint64_t results_n = red_results_n(input->op, n, input->bins_n);
    const bool is_scan = input->op->primitive == RED_PRIMITIVE_SCAN;
    struct red_results_truth *made =
        calloc(1, sizeof *made + (is_scan ? 0 : results_n) * sizeof made->counts[0]);
    if (made == NULL)
        return red_fail(error, RED_E_MEMORY, "no memory for right answers");
    made->input = input;
    made->n = n;
    made->results_n = results_n;
    enum red_status status =
        is_scan ? red_scan_truth_make(input, n, &made->scan, error) : count_elements(made, error);
    if (status == RED_OK)
        *truth = made;
    else
        free(made);
    return status;
}

void red_results_truth_destroy(struct red_results_truth *truth) {
    if (truth != NULL)
        red_scan_truth_destroy(truth->scan);
    free(truth);
}

/* For worker/prepared.c, before each batch. */
void red_results_truth_update(struct red_results_truth *truth, uint64_t at, const struct red_value *before) {
    if (truth->scan != NULL)
        red_scan_truth_update(truth->scan, at);
    else if (at < truth->n) {
        truth->counts[red_bins_find(&truth->bins, before, 0)]--;
        truth->counts[red_bins_find(&truth->bins, truth->input->arrays[0], at)]++;
    }
}

/* Expected values of messages and evidence. A count is an exact sum of ones, of the type of counts. */
void red_results_truth_at(const struct red_results_truth *truth, uint64_t i, struct red_truth *element) {
    if (truth->scan != NULL) {
        red_scan_truth_at(truth->scan, i, element);
        return;
    }
    *element = (struct red_truth){.op = truth->input->op->reduction,
                                  .dtype = red_op_result_dtype(truth->input->op, truth->input->dtype),
                                  .n = truth->counts[i],
                                  .exact_tier = true,
                                  .integer = truth->counts[i],
                                  .absolute = (double)truth->counts[i]};
}

/* cl/verify.c and worker/server_cases.c ask it about a wrong result: verify prints it, with the result's
 * place. */
void red_results_find_evidence(const struct red_results_truth *truth, double chain, struct red_value got,
                               struct red_evidence *evidence) {
    struct red_truth element;
    red_results_truth_at(truth, got.index, &element);
    red_truth_find_evidence(&element, chain, got, evidence);
    evidence->has_place = true;
    evidence->bins_n = truth->input->bins_n;
    evidence->expected.place = evidence->got.place = got.index;
}

/* ---- judging ------------------------------------------------------------------------------------------- */

/* worker/prepared.c looks at a few blocks of a batch's results, where these are many. */
struct red_correctness red_results_check_block(const struct red_results_truth *truth, double chain,
                                               uint64_t block, const void *results, uint64_t *which) {
    const struct red_dtype *result = red_op_result_dtype(truth->input->op, truth->input->dtype);
    const uint64_t first = block * RED_RESULTS_BLOCK_N,
                   n = red_lesser(truth->results_n - first, RED_RESULTS_BLOCK_N);
    if (truth->scan != NULL)
        return red_scan_check_block(truth->scan, chain, block, results, which);
    for (*which = first; *which < first + n; ++*which) {
        const uint64_t got = result->get_integer(results, *which - first), right = truth->counts[*which];
        if (got != right)
            return (struct red_correctness){.right = false, .error = fabs((double)got - (double)right)};
    }
    return (struct red_correctness){.right = true};
}

/* Whether counts add up to n, which does not depend on what is taken for the bin of an element. */
static bool counts_add_up(const struct red_results_truth *truth, const void *counts) {
    const struct red_dtype *result = red_op_result_dtype(truth->input->op, truth->input->dtype);
    uint64_t sum = 0;
    for (uint64_t i = 0; i < truth->results_n; i++)
        sum += result->get_integer(counts, i);
    return sum == truth->n;
}

/* For cl/verify.c, whose evidence names the result, for batches (worker/guard.c), and for the rows of the
 * host (worker/server_cases.c). */
struct red_correctness red_results_check(const struct red_results_truth *truth, double chain,
                                         const void *results, uint64_t *which) {
    const size_t block_bytes =
        RED_RESULTS_BLOCK_N * red_op_result_dtype(truth->input->op, truth->input->dtype)->size_bytes;
    const char *from = results;
    const uint64_t blocks_n = red_ceil_div(truth->results_n, RED_RESULTS_BLOCK_N);
    uint64_t first = truth->results_n;
    double error = 0, bound = 0;
#pragma omp parallel for schedule(static) reduction(min                                                      \
                                                    : first)                                                 \
    reduction(max                                                                                            \
              : error, bound) if (truth->results_n >= RED_SEVERAL_THREADS_N)
    for (uint64_t b = 0; b < blocks_n; b++) {
        uint64_t wrong;
        if (first < b * RED_RESULTS_BLOCK_N)
            continue;
        const struct red_correctness correctness =
            red_results_check_block(truth, chain, b, from + b * block_bytes, &wrong);
        first = !correctness.right && wrong < first ? wrong : first;
        error = fmax(error, correctness.error);
        bound = fmax(bound, correctness.bound);
    }
    *which = first;
    if (first < truth->results_n)
        return red_results_check_block(truth, chain, first / RED_RESULTS_BLOCK_N,
                                       from + first / RED_RESULTS_BLOCK_N * block_bytes, which);
    if (truth->scan != NULL || counts_add_up(truth, results))
        return (struct red_correctness){.right = true, .error = error, .bound = bound};
    *which = truth->bins.n;
    return (struct red_correctness){.right = false};
}
