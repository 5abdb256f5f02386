/* Counts the elements of a histogram exactly, and judges counts. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/numbers.h"
#include "core/random.h"
#include "model/bins.h"
#include "oracle/results_private.h"

struct right_counts {
    struct red_results_truth common;
    struct red_bins bins;
    uint64_t counts[]; /* of each bin, and of elements in none */
};

static const struct right_counts *counts_of(const struct red_results_truth *truth) {
    return (const struct right_counts *)truth;
}

static uint64_t counts_n(uint64_t n, unsigned bins_n) {
    (void)n;
    return (uint64_t)bins_n + 1;
}

/* Adds the bins of the elements of a block, before `end`, to the counts. */
static void count_block(const struct red_bins *bins, const void *array, uint64_t first, uint64_t end,
                        uint64_t *counts) {
    uint32_t found[RED_BINS_BLOCK_N];
    const size_t n = (size_t)red_lesser(end - first, RED_BINS_BLOCK_N);
    red_bins_find_block(bins, array, first, n, found);
    for (size_t i = 0; i < n; i++)
        counts[found[i]]++;
}

/* Counts n elements, each thread in counts of its own, which are then added up. False without memory. */
static bool count_elements(const struct red_input *input, uint64_t n, struct right_counts *right) {
    const uint64_t results_n = counts_n(n, input->bins_n);
    bool done = true;
#pragma omp parallel reduction(&& : done) if (n >= RED_SEVERAL_THREADS_N)
    {
        uint64_t *mine = calloc(results_n, sizeof *mine);
        done = mine != NULL;
#pragma omp for schedule(static)
        for (uint64_t first = 0; first < n; first += RED_BINS_BLOCK_N)
            if (mine != NULL)
                count_block(&right->bins, input->arrays[0], first, n, mine);
#pragma omp critical
        for (size_t i = 0; i < results_n && mine != NULL; i++)
            right->counts[i] += mine[i];
        free(mine);
    }
    return done;
}

static enum red_status make(const struct red_input *input, uint64_t n, struct red_results_truth **truth,
                            struct red_error *error) {
    struct right_counts *made = calloc(1, sizeof *made + counts_n(n, input->bins_n) * sizeof made->counts[0]);
    if (made == NULL)
        return red_fail(error, RED_E_MEMORY, "no memory for right answers");
    made->bins = red_bins_make(input->dtype, input->bins_n);
    if (!count_elements(input, n, made)) {
        free(made);
        return red_fail(error, RED_E_MEMORY, "no memory for the counts of %u bins", input->bins_n);
    }
    *truth = &made->common;
    return RED_OK;
}

static void update(struct red_results_truth *truth, uint64_t at, const struct red_value *before) {
    struct right_counts *right = (struct right_counts *)truth;
    right->counts[red_bins_find(&right->bins, before, 0)]--;
    right->counts[red_bins_find(&right->bins, truth->input->arrays[0], at)]++;
}

/* A count is an exact sum of ones, of the type of counts. */
static void count_at(const struct red_results_truth *truth, uint64_t i, struct red_truth *element) {
    const uint64_t count = counts_of(truth)->counts[i];
    *element = (struct red_truth){.op = truth->input->op->reduction,
                                  .dtype = red_op_result_dtype(truth->input->op, truth->input->dtype),
                                  .n = count,
                                  .exact_tier = true,
                                  .integer = count,
                                  .absolute = (double)count};
}

static struct red_correctness check_block(const struct red_results_truth *truth, double chain, uint64_t block,
                                          const void *results, uint64_t *which) {
    const struct red_dtype *result = red_op_result_dtype(truth->input->op, truth->input->dtype);
    const uint64_t first = block * RED_RESULTS_BLOCK_N,
                   n = red_lesser(truth->results_n - first, RED_RESULTS_BLOCK_N);
    (void)chain;
    for (*which = first; *which < first + n; ++*which) {
        const uint64_t got = result->get_integer(results, *which - first),
                       right = counts_of(truth)->counts[*which];
        if (got != right)
            return (struct red_correctness){.right = false,
                                            .error = fabs((double)got - (double)right),
                                            .share = INFINITY,
                                            .place = *which};
    }
    return (struct red_correctness){.right = true, .place = first + n - 1};
}

/* Whether counts add up to n, which does not depend on what is taken for the bin of an element. */
static bool counts_add_up(const struct red_results_truth *truth, const void *counts, uint64_t *which) {
    const struct red_dtype *result = red_op_result_dtype(truth->input->op, truth->input->dtype);
    uint64_t sum = 0;
    for (uint64_t i = 0; i < truth->results_n; i++)
        sum += result->get_integer(counts, i);
    if (sum != truth->n)
        *which = truth->results_n - 1;
    return sum == truth->n;
}

/* ---- changes ------------------------------------------------------------------------------------------- */

/* No one answer: a change gives one. */
static void find_nothing(const struct red_input *input, struct red_truth *truth) {
    (void)input, (void)truth;
}

/* Draws a value of another bin than that of element `at`, as likely of none as of any. Gives a number of both
 * bins, which stands for the counts: data that differ from the same in other such moves have other counts. */
static uint64_t draw_of_other_bin(const struct red_input *input, uint64_t at, uint64_t random,
                                  struct red_value *value) {
    const struct red_bins bins = red_bins_make(input->dtype, input->bins_n);
    const unsigned places_n = bins.reached_n + red_bins_have_outside(&bins),
                   bin = red_bins_find(&bins, input->arrays[0], at),
                   place = bin < bins.n ? bin : places_n - 1,
                   other = (place + 1 + (unsigned)(random >> 32) % (places_n - 1)) % places_n,
                   to = other < bins.reached_n ? other : bins.n;
    *value = (struct red_value){.index = 0};
    if (input->dtype->is_float)
        input->dtype->put_real(value, 0, red_bins_draw_real(&bins, to, (uint32_t)random));
    else
        input->dtype->put_integer(value, 0, red_bins_draw_integer(&bins, to, (uint32_t)random));
    return 1 + place + (uint64_t)other * places_n;
}

/* Sets change->after to an element of another bin, and the truth to the number of both bins. */
static bool move_to_other_bin(const struct red_input *input, const struct red_truth *truth, double chain,
                              uint64_t index, uint64_t random, struct red_change *change) {
    (void)truth, (void)chain, (void)index;
    change->truth.integer = draw_of_other_bin(input, change->at, random, &change->after);
    return true;
}

/* Stores one of another bin. */
static void put_of_other_bin(struct red_changes *changes, uint64_t place) {
    const size_t bytes = changes->now.dtype->size_bytes;
    struct red_value value;
    (void)draw_of_other_bin(&changes->now, place, red_random(&changes->random), &value);
    memcpy((char *)changes->now.arrays[0] + place * bytes, &value, bytes);
}

const struct red_results_hooks red_results_of_histogram = {.results_n = counts_n,
                                                           .make = make,
                                                           .update = update,
                                                           .at = count_at,
                                                           .check_block = check_block,
                                                           .fit_together = counts_add_up,
                                                           .find = find_nothing,
                                                           .change_element = move_to_other_bin,
                                                           .put_other = put_of_other_bin};
