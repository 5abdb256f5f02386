/* Counts elements exactly, and judges counts. For oracle/results.c: the cells of --primitive histogram. */
#include "oracle/histogram.h"

#include <math.h>
#include <stdlib.h>

struct red_histogram_truth {
    const struct red_input *input;
    struct red_bins bins;
    uint64_t n;
    uint64_t counts[]; /* bins.n + 1 */
};

enum { AT_ONCE = 4096 };

/* Adds the bins of the elements from `first` to before `end`, AT_ONCE at most, to the counts. */
static void count_block(const struct red_histogram_truth *truth, uint64_t first, uint64_t end,
                        uint64_t *counts) {
    uint32_t found[AT_ONCE];
    const size_t n = (size_t)(end - first < AT_ONCE ? end - first : AT_ONCE);
    red_bins_find_block(&truth->bins, truth->input->arrays[0], first, n, found);
    for (size_t i = 0; i < n; i++)
        counts[found[i]]++;
}

/* Counts all elements, each thread in counts of its own, which are then added up. False without memory. */
static bool count_elements(struct red_histogram_truth *truth) {
    const size_t counts_n = (size_t)truth->bins.n + 1;
    bool done = true;
#pragma omp parallel reduction(&& : done) if (truth->n >= RED_SEVERAL_THREADS_N)
    {
        uint64_t *mine = calloc(counts_n, sizeof *mine);
        done = mine != NULL;
#pragma omp for schedule(static)
        for (uint64_t first = 0; first < truth->n; first += AT_ONCE)
            if (mine != NULL)
                count_block(truth, first, truth->n, mine);
#pragma omp critical
        for (size_t i = 0; i < counts_n && mine != NULL; i++)
            truth->counts[i] += mine[i];
        free(mine);
    }
    return done;
}

/* For oracle/results.c, of each data set. */
enum red_status red_histogram_truth_make(const struct red_input *input, uint64_t n,
                                         struct red_histogram_truth **truth, struct red_error *error) {
    const size_t counts_n = (size_t)input->bins_n + 1;
    struct red_histogram_truth *made = calloc(1, sizeof *made + counts_n * sizeof made->counts[0]);
    if (made == NULL)
        return red_fail(error, RED_E_MEMORY, "no memory for the counts of %u bins", input->bins_n);
    made->input = input;
    made->bins = red_bins_make(input->dtype, input->bins_n);
    made->n = n;
    if (!count_elements(made)) {
        free(made);
        return red_fail(error, RED_E_MEMORY, "no memory for the counts of %u bins", input->bins_n);
    }
    *truth = made;
    return RED_OK;
}

void red_histogram_truth_destroy(struct red_histogram_truth *truth) {
    free(truth);
}

void red_histogram_truth_update(struct red_histogram_truth *truth, uint64_t at,
                                const struct red_value *before) {
    if (at >= truth->n)
        return;
    truth->counts[red_bins_find(&truth->bins, before, 0)]--;
    truth->counts[red_bins_find(&truth->bins, truth->input->arrays[0], at)]++;
}

uint64_t red_histogram_truth_count(const struct red_histogram_truth *truth, uint64_t i) {
    return truth->counts[i];
}

/* Behind each batch, and below. */
struct red_correctness red_histogram_check_range(const struct red_histogram_truth *truth, uint64_t first,
                                                 uint64_t n, const void *counts, uint64_t *which) {
    const struct red_dtype *result = red_op_result_dtype(truth->input->op, truth->input->dtype);
    for (*which = first; *which < first + n; ++*which) {
        const uint64_t got = result->get_integer(counts, *which - first), right = truth->counts[*which];
        if (got != right)
            return (struct red_correctness){.right = false, .error = fabs((double)got - (double)right)};
    }
    return (struct red_correctness){.right = true};
}

/* The sum does not depend on what is taken for the bin of an element. */
struct red_correctness red_histogram_check(const struct red_histogram_truth *truth, const void *counts,
                                           uint64_t *which) {
    const struct red_dtype *result = red_op_result_dtype(truth->input->op, truth->input->dtype);
    const uint64_t counts_n = (uint64_t)truth->bins.n + 1;
    struct red_correctness correctness = red_histogram_check_range(truth, 0, counts_n, counts, which);
    uint64_t sum = 0;
    for (uint64_t i = 0; i < counts_n; i++)
        sum += result->get_integer(counts, i);
    if (correctness.right && sum != truth->n) {
        correctness.right = false;
        *which = truth->bins.n;
    }
    return correctness;
}
