/* Passes on to the oracle of the primitive: `input` is a data set of --op, whose row says which. */
#include "oracle/results.h"

#include <stdlib.h>

#include "oracle/histogram.h"
#include "oracle/scan.h"

_Static_assert((int)RED_RESULTS_BLOCK_N == (int)RED_SCAN_BLOCK_N, "a block of results is one of a scan");

struct red_results_truth {
    const struct red_input *input;
    uint64_t results_n;
    struct red_scan_truth *scan; /* one of these, the other is NULL */
    struct red_histogram_truth *histogram;
};

/* Of a case (worker/prepared.c, cl/verify.c): room for what is read back. */
uint64_t red_results_n(const struct red_op *op, uint64_t n, unsigned bins_n) {
    const uint64_t results_n[RED_PRIMITIVES_N] = {
        [RED_PRIMITIVE_SCAN] = n, [RED_PRIMITIVE_HISTOGRAM] = (uint64_t)bins_n + 1};
    return results_n[op->primitive];
}

/* For cl/verify.c and worker/prepared.c, of each data set. */
enum red_status red_results_truth_make(const struct red_input *input, uint64_t n,
                                       struct red_results_truth **truth, struct red_error *error) {
    struct red_results_truth *made = calloc(1, sizeof *made);
    if (made == NULL)
        return red_fail(error, RED_E_MEMORY, "no memory for right answers");
    made->input = input;
    made->results_n = red_results_n(input->op, n, input->bins_n);
    enum red_status status = input->op->primitive == RED_PRIMITIVE_SCAN
                                 ? red_scan_truth_make(input, n, &made->scan, error)
                                 : red_histogram_truth_make(input, n, &made->histogram, error);
    if (status == RED_OK)
        *truth = made;
    else
        free(made);
    return status;
}

void red_results_truth_destroy(struct red_results_truth *truth) {
    if (truth == NULL)
        return;
    red_scan_truth_destroy(truth->scan);
    red_histogram_truth_destroy(truth->histogram);
    free(truth);
}

/* For worker/prepared.c, before each batch. */
void red_results_truth_update(struct red_results_truth *truth, uint64_t at, const struct red_value *before) {
    if (truth->scan != NULL)
        red_scan_truth_update(truth->scan, at);
    else
        red_histogram_truth_update(truth->histogram, at, before);
}

/* A count is an exact sum of ones, of the type of counts. */
static void set_truth_of_count(const struct red_results_truth *truth, uint64_t i, struct red_truth *element) {
    *element = (struct red_truth){.op = truth->input->op->reduction,
                                  .dtype = red_op_result_dtype(truth->input->op, truth->input->dtype),
                                  .exact_tier = true,
                                  .integer = red_histogram_truth_count(truth->histogram, i)};
    element->n = element->integer;
    element->absolute = (double)element->integer;
}

/* Expected values of messages and evidence. */
void red_results_truth_at(const struct red_results_truth *truth, uint64_t i, struct red_truth *element) {
    if (truth->scan != NULL)
        red_scan_truth_at(truth->scan, i, element);
    else
        set_truth_of_count(truth, i, element);
}

/* Of a wrong result (cl/verify.c, worker/server_cases.c): verify prints it, with the result's place. */
void red_results_find_evidence(const struct red_results_truth *truth, double chain, struct red_value got,
                               struct red_evidence *evidence) {
    struct red_truth element;
    red_results_truth_at(truth, got.index, &element);
    red_truth_find_evidence(&element, chain, got, evidence);
    evidence->has_place = true;
    evidence->bins_n = truth->input->bins_n;
    evidence->expected.place = evidence->got.place = got.index;
}

struct red_correctness red_results_check(const struct red_results_truth *truth, double chain,
                                         const void *results, uint64_t *which) {
    return truth->scan != NULL ? red_scan_check(truth->scan, chain, results, which)
                               : red_histogram_check(truth->histogram, results, which);
}

/* Behind each batch. */
struct red_correctness red_results_check_block(const struct red_results_truth *truth, double chain,
                                               uint64_t block, const void *results, uint64_t *which) {
    const uint64_t first = block * RED_RESULTS_BLOCK_N, left_n = truth->results_n - first,
                   n = left_n < RED_RESULTS_BLOCK_N ? left_n : RED_RESULTS_BLOCK_N;
    return truth->scan != NULL ? red_scan_check_block(truth->scan, chain, block, results, which)
                               : red_histogram_check_range(truth->histogram, first, n, results, which);
}
