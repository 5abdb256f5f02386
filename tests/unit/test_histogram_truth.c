#include "tests/unit/testing.h"

#include <omp.h>

#include "core/random.h"
#include "host/reference.h"
#include "model/bins.h"
#include "oracle/change.h"
#include "oracle/results.h"
#include "tests/unit/made_input.h"

static const char *const types[] = {"u8", "u16", "u32", "i32", "f32"};
enum { TYPES_N = sizeof types / sizeof types[0] };

static struct red_input made_data(const char *op, const char *type, enum red_pattern pattern, unsigned bins_n,
                                  uint64_t n, uint64_t seed) {
    struct red_input input;
    struct red_error error;
    const struct red_data_spec spec = {.op = red_op_find(op),
                                       .dtype = red_dtype_find(type),
                                       .data_kind = kind_of(pattern),
                                       .n = n,
                                       .segments_n = 1,
                                       .bins_n = bins_n,
                                       .seed = seed};
    assert_ok(red_input_make(&spec, &input, &error), &error);
    return input;
}

static struct red_results_truth *made_truth(const struct red_input *input, uint64_t n) {
    struct red_results_truth *truth = NULL;
    struct red_error error;
    assert_ok(red_results_truth_make(input, n, &truth, &error), &error);
    return truth;
}

static const struct red_dtype *result_of(const struct red_input *input) {
    return red_op_result_dtype(input->op, input->dtype);
}

/* The counts of the first n elements, one by one. Release with free. */
static void *counts_of(const struct red_input *input, uint64_t n) {
    const struct red_bins bins = red_bins_make(input->dtype, input->bins_n);
    void *counts = calloc((size_t)input->bins_n + 1, result_of(input)->size_bytes);
    for (uint64_t i = 0; i < n; i++) {
        const unsigned bin = red_bins_find(&bins, input->arrays[0], i);
        result_of(input)->put_integer(counts, bin, result_of(input)->get_integer(counts, bin) + 1);
    }
    return counts;
}

static bool is_right(const struct red_results_truth *truth, const void *counts) {
    uint64_t which;
    return red_results_check(truth, 0, counts, &which).right;
}

static void change_count(const struct red_input *input, void *counts, uint64_t bin, int by) {
    const uint64_t count = result_of(input)->get_integer(counts, bin);
    result_of(input)->put_integer(counts, bin, count + (uint64_t)(int64_t)by);
}

/* Data of any type, pattern, number of bins and n, drawn; some are for several threads. */
typedef void data_test(const struct red_input *input, uint64_t *random);
static void for_each_data(unsigned times, uint64_t seed, data_test *test) {
    static const unsigned bins[] = {1, 2, 7, 256, 255, 1000, 20000, 65536};
    uint64_t random = seed;
    for (unsigned i = 0; i < times; i++) {
        const uint64_t h = red_random(&random),
                       n = i % 16 == 0 ? RED_SEVERAL_THREADS_N + h % 5000 : h % (UINT64_C(1) << h % 15);
        const unsigned which = (unsigned)(h >> 20) % (RED_PATTERN_PERIOD - RED_PATTERN_EDGES + 2);
        struct red_input input =
            made_data(i % 2 ? "count" : "count64", types[i % TYPES_N],
                      which == 0 ? RED_PATTERN_UNIFORM : (enum red_pattern)(RED_PATTERN_EDGES + which - 1),
                      bins[h >> 40 & 7], n, red_random(&random));
        test(&input, &random);
        red_input_clear(&input);
    }
}

/* ---- truth --------------------------------------------------------------------------------------------- */

/* Of all elements, and of the first ones alone, by one thread and by three. */
static void check_right_counts(const struct red_input *input, uint64_t *random) {
    const uint64_t n = *random % 3 == 0 ? input->n : red_random(random) % (input->n + 1);
    void *counts = counts_of(input, n);
    for (int threads_n = 1; threads_n <= 3; threads_n += 2) {
        omp_set_num_threads(threads_n);
        struct red_results_truth *truth = made_truth(input, n);
        uint64_t which = 0, sum = 0;
        assert_true(red_results_check(truth, 0, counts, &which).right);
        assert_int_equal(which, red_results_n(input->op, n, input->bins_n));
        assert_int_equal(which, input->bins_n + 1);
        for (uint64_t bin = 0; bin < which; bin++) {
            struct red_truth element;
            red_results_truth_at(truth, bin, &element);
            sum += element.integer;
            assert_int_equal(element.integer, result_of(input)->get_integer(counts, bin));
        }
        assert_int_equal(sum, n);
        red_results_truth_destroy(truth);
    }
    free(counts);
}

static void right_counts_are_right(void **state) {
    for_each_data(160, 1, check_right_counts);
    red_reference_stop_spinning();
}

/* One fault at a time, in a bin that is drawn, and what is told of it. */
static void check_faults(const struct red_input *input, uint64_t *random) {
    struct red_results_truth *truth = made_truth(input, input->n);
    void *counts = counts_of(input, input->n);
    const uint64_t bin = red_random(random) % (input->bins_n + UINT64_C(1)),
                   next = (bin + 1) % (input->bins_n + UINT64_C(1)), first = bin < next ? bin : next;
    static const int faults[][2] = {{-1, 0}, {1, 0}, {0, 1}, {-1, 1}, {1, -1}, {-2, 0}};
    for (size_t f = 0; f < sizeof faults / sizeof faults[0]; f++) {
        uint64_t which = 0, of_block = 0;
        change_count(input, counts, bin, faults[f][0]);
        change_count(input, counts, next, faults[f][1]);
        const uint64_t wrong = faults[f][0] == 0 ? next : faults[f][1] == 0 ? bin : first;
        const struct red_correctness correctness = red_results_check(truth, 0, counts, &which);
        assert_false(correctness.right);
        assert_true(correctness.error >= 1);
        assert_int_equal(which, wrong);
        const uint64_t block = wrong / RED_RESULTS_BLOCK_N;
        const char *of = (const char *)counts + block * RED_RESULTS_BLOCK_N * result_of(input)->size_bytes;
        assert_false(red_results_check_block(truth, 0, block, of, &of_block).right);
        assert_int_equal(of_block, wrong);
        change_count(input, counts, bin, -faults[f][0]);
        change_count(input, counts, next, -faults[f][1]);
        assert_true(is_right(truth, counts));
        assert_true(red_results_check_block(truth, 0, block, of, &of_block).right);
    }
    free(counts);
    red_results_truth_destroy(truth);
}

static void every_fault_is_found(void **state) {
    for_each_data(200, 2, check_faults);
}

/* Elements left out, counted twice, or bins that a kernel forgets: all at once. */
static void check_kernels(const struct red_input *input, uint64_t *random) {
    struct red_results_truth *truth = made_truth(input, input->n);
    const size_t bytes = ((size_t)input->bins_n + 1) * result_of(input)->size_bytes;
    void *counts = counts_of(input, input->n), *zeros = calloc(1, bytes);
    const uint64_t cut = input->n > 0 ? red_random(random) % input->n : 0;
    if (input->n > 0) {
        void *fewer = counts_of(input, cut), *last_lost = memcpy(malloc(bytes), counts, bytes);
        assert_false(is_right(truth, fewer));
        assert_false(is_right(truth, zeros));
        result_of(input)->put_integer(last_lost, input->bins_n, 0);
        assert_int_equal(is_right(truth, last_lost),
                         result_of(input)->get_integer(counts, input->bins_n) == 0);
        result_of(input)->put_integer(last_lost, input->bins_n - 1, 0);
        assert_int_equal(is_right(truth, last_lost),
                         result_of(input)->get_integer(counts, input->bins_n) == 0 &&
                             result_of(input)->get_integer(counts, input->bins_n - 1) == 0);
        free(last_lost);
        free(fewer);
    }
    assert_int_equal(is_right(truth, zeros), input->n == 0);
    free(zeros);
    free(counts);
    red_results_truth_destroy(truth);
}

static void lost_elements_and_bins_are_found(void **state) {
    for_each_data(100, 3, check_kernels);
}

/* ---- changes ------------------------------------------------------------------------------------------- */

/* As a guard does before each batch: the truth follows, and what was right before is wrong, with the data as
 * they were and as the change before had them. Where there is but one change, the data as they are follow it.
 */
static void check_draws(const struct red_input *input, uint64_t *random) {
    struct red_results_truth *truth = made_truth(input, input->n);
    struct red_truth original;
    struct red_change change;
    red_truth_find(input, &original);
    struct red_value last = red_truth_value(&original);
    void *kept = counts_of(input, input->n);
    const size_t bytes = input->dtype->size_bytes;
    for (int i = 0; i < 6 && input->n > 0; i++) {
        char *const array = input->arrays[0];
        if (!red_change_draw(input, &original, (struct red_strided_elements){0, 1}, 1, last, random,
                             &change)) {
            assert_true(i > 0 && !is_right(truth, kept) && (input->n == 1 || input->bins_n <= 2));
            last = red_truth_value(&original);
            free(kept);
            kept = counts_of(input, input->n);
            continue;
        }
        last = red_truth_value(&change.truth);
        memcpy(array + change.at * bytes, &change.after, bytes);
        red_results_truth_update(truth, change.at, &change.before);
        void *counts = counts_of(input, input->n);
        assert_true(is_right(truth, counts));
        assert_false(is_right(truth, kept));
        free(kept);
        kept = counts;
        memcpy(array + change.at * bytes, &change.before, bytes);
        red_results_truth_update(truth, change.at, &change.after);
    }
    assert_true(input->n > 0 || !red_change_draw(input, &original, (struct red_strided_elements){0, 1}, 1,
                                                 last, random, &change));
    free(kept);
    red_results_truth_destroy(truth);
}

static void kept_counts_are_wrong_after_each_change(void **state) {
    for_each_data(100, 4, check_draws);
}

/* With two bins and few elements the same move would come again at once. */
static void the_same_move_never_comes_twice(void **state) {
    for (uint64_t seed = 0; seed < 40; seed++) {
        struct red_input input = made_data("count", "u8", RED_PATTERN_ENDS, 2, 1 + seed % 3, seed);
        uint64_t random = seed;
        check_draws(&input, &random);
        red_input_clear(&input);
    }
}

/* Other counts of the elements that belong to it after each step, and no more than told has changed. */
static void check_steps(const struct red_input *input, unsigned prefixes_n) {
    const uint64_t steps_n =
        red_changes_steps_n(input->op, input->data_kind.pattern, input->n, 1, prefixes_n);
    struct red_truth truth;
    struct red_changes changes;
    struct red_error error;
    uint64_t made_n = 0;
    void *kept = counts_of(input, input->n);
    char *before = malloc(input->array_bytes);
    memcpy(before, input->arrays[0], input->array_bytes);
    red_truth_find(input, &truth);
    assert_ok(red_changes_begin(input, &truth, 4, 128, prefixes_n, &changes, &error), &error);
    while (red_changes_next(&changes)) {
        struct red_results_truth *results = made_truth(&changes.now, changes.n);
        assert_false(is_right(results, kept));
        assert_int_equal(changes.truth.n, changes.n);
        const size_t bytes = input->dtype->size_bytes;
        for (unsigned i = 0; i < changes.places_n; i++)
            memcpy(before + changes.places[i] * bytes,
                   (const char *)changes.now.arrays[0] + changes.places[i] * bytes, bytes);
        assert_memory_equal(before, changes.now.arrays[0], input->array_bytes);
        free(kept);
        kept = counts_of(&changes.now, changes.n);
        assert_true(is_right(results, kept));
        red_results_truth_destroy(results);
        made_n++;
    }
    assert_int_equal(made_n, steps_n);
    red_changes_clear(&changes);
    free(before);
    free(kept);
}

static void each_step_of_verify_has_other_counts(void **state) {
    for (unsigned i = 0; i < 20 * TYPES_N; i++) {
        const uint64_t n = 1 + i * i % 3000;
        struct red_input input = made_data(i % 2 ? "count" : "count64", types[i % TYPES_N], RED_PATTERN_EDGES,
                                           1 + i * 7 % 300, n, i);
        check_steps(&input, i % 3 == 0 ? 0 : 64);
        red_input_clear(&input);
    }
    const struct red_op *count = red_op_find("count");
    assert_int_equal(red_changes_steps_n(count, RED_PATTERN_EDGES, 1000, 1, 64), RED_MOVES_N + 63);
    assert_int_equal(red_changes_steps_n(count, RED_PATTERN_UNIFORM, 1000, 1, 64), 0);
    assert_int_equal(red_changes_steps_n(count, RED_PATTERN_EDGES, RED_CHANGES_N_MAX + 1, 1, 64), 0);
}

/* ---- rows of the host ---------------------------------------------------------------------------------- */

/* By one thread, by three, and by the plain loop; what stands behind the counts is not written. */
static void check_host_rows(const struct red_input *input, uint64_t *random) {
    const uint64_t n = *random % 2 == 0 ? input->n : red_random(random) % (input->n + 1);
    const size_t bytes = ((size_t)input->bins_n + 1) * result_of(input)->size_bytes;
    void *right = counts_of(input, n);
    char *counts = malloc(bytes + 8);
    for (int by = 0; by < 3; by++) {
        memset(counts, 0x5a, bytes + 8);
        omp_set_num_threads(by == 0 ? 1 : 3);
        (by == 2 ? red_sequential_histogram : red_reference_histogram)(input->op, input->dtype, input->bins_n,
                                                                       input->arrays[0], n, counts);
        assert_memory_equal(counts, right, bytes);
        for (size_t i = bytes; i < bytes + 8; i++)
            assert_int_equal(counts[i], 0x5a);
    }
    free(counts);
    free(right);
}

static void rows_of_the_host_are_right(void **state) {
    for_each_data(200, 5, check_host_rows);
    red_reference_stop_spinning();
}
