/* Judges the results of a primitive that leaves many, block by block, through the hooks of the primitive. */
#include "oracle/results_private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/numbers.h"

const struct red_results_hooks *red_results_hooks_of(const struct red_op *op) {
    static const struct red_results_hooks none = {.results_n = NULL};
#define ROW(id, name) [RED_PRIMITIVE_##id] = &red_results_of_##name,
    static const struct red_results_hooks *const hooks[RED_PRIMITIVES_N] = {RED_RESULT_PRIMITIVES(ROW)};
#undef ROW
    return hooks[op->primitive] != NULL ? hooks[op->primitive] : &none;
}

bool red_correctness_is_worse(const struct red_correctness *one, const struct red_correctness *other) {
    return one->share > other->share ||
           (one->share == other->share && (one->place >= other->place) == one->right);
}

uint64_t red_results_n(const struct red_op *op, uint64_t n, unsigned bins_n) {
    const struct red_results_hooks *hooks = red_results_hooks_of(op);
    return hooks->results_n != NULL ? hooks->results_n(n, bins_n) : 0;
}

enum red_status red_results_truth_make(const struct red_input *input, uint64_t n,
                                       struct red_results_truth **truth, struct red_error *error) {
    const struct red_results_hooks *hooks = red_results_hooks_of(input->op);
    *truth = NULL;
    if (hooks->make == NULL)
        return RED_OK;
    const enum red_status status = hooks->make(input, n, truth, error);
    if (status != RED_OK)
        return status;
    (*truth)->hooks = hooks;
    (*truth)->input = input;
    (*truth)->n = n;
    (*truth)->results_n = hooks->results_n(n, input->bins_n);
    return RED_OK;
}

void red_results_truth_destroy(struct red_results_truth *truth) {
    free(truth);
}

uint64_t red_results_truth_n(const struct red_results_truth *truth) {
    return truth->results_n;
}

void red_results_truth_update(struct red_results_truth *truth, uint64_t at, const struct red_value *before) {
    if (at < truth->n)
        truth->hooks->update(truth, at, before);
}

void red_results_truth_at(const struct red_results_truth *truth, uint64_t i, struct red_truth *element) {
    truth->hooks->at(truth, i, element);
}

struct red_correctness red_results_judge(const struct red_results_truth *truth, double chain, uint64_t i,
                                         const void *result) {
    struct red_value got = {.bits = 0, .index = 0};
    struct red_truth element;
    memcpy(&got.bits, result, red_op_result_dtype(truth->input->op, truth->input->dtype)->size_bytes);
    red_results_truth_at(truth, i, &element);
    struct red_correctness correctness = red_truth_check(&element, chain, got);
    correctness.place = i;
    return correctness;
}

void red_results_find_evidence(const struct red_results_truth *truth, double chain, struct red_value got,
                               struct red_evidence *evidence) {
    struct red_truth element;
    red_results_truth_at(truth, got.index, &element);
    red_truth_find_evidence(&element, chain, got, evidence);
    evidence->has_place = true;
    evidence->bins_n = truth->input->bins_n;
    evidence->expected.place = evidence->got.place = got.index;
}

struct red_correctness red_results_check_block(const struct red_results_truth *truth, double chain,
                                               uint64_t block, const void *results, uint64_t *which) {
    return truth->hooks->check_block(truth, chain, block, results, which);
}

struct red_correctness red_results_check(const struct red_results_truth *truth, double chain,
                                         const void *results, uint64_t *which) {
    const size_t block_bytes =
        RED_RESULTS_BLOCK_N * red_op_result_dtype(truth->input->op, truth->input->dtype)->size_bytes;
    const char *from = results;
    const uint64_t blocks_n = red_ceil_div(truth->results_n, RED_RESULTS_BLOCK_N);
    uint64_t first = truth->results_n;
    struct red_correctness worst = {.right = true};
#pragma omp parallel for schedule(static) reduction(min                                                      \
                                                    : first) if (truth->results_n >= RED_SEVERAL_THREADS_N)
    for (uint64_t b = 0; b < blocks_n; b++) {
        uint64_t wrong;
        const struct red_correctness correctness =
            red_results_check_block(truth, chain, b, from + b * block_bytes, &wrong);
        first = !correctness.right && wrong < first ? wrong : first;
#pragma omp critical(worst_of_results)
        if (red_correctness_is_worse(&correctness, &worst))
            worst = correctness;
    }
    *which = first;
    worst.right = first == truth->results_n;
    if (!worst.right)
        return worst;
    return truth->hooks->fit_together == NULL || truth->hooks->fit_together(truth, results, which)
               ? worst
               : (struct red_correctness){.right = false};
}
