#include "tests/unit/testing.h"

#include <omp.h>

#include "host/reference.h"
#include "oracle/results.h"
#include "oracle/truth.h"
#include "tests/unit/made_input.h"

typedef void partial_function(const struct red_op *op, const struct red_dtype *dtype,
                              const void *const arrays[2], uint64_t n, struct red_partial *partial);

static struct red_value reduced_by(partial_function *reduce, const struct red_op *op,
                                   const struct red_dtype *dtype, const void *const arrays[2], uint64_t n) {
    struct red_partial partial;
    reduce(op, dtype, arrays, n, &partial);
    return red_partial_answer(op, dtype, &partial, n);
}

static struct red_value folded(const struct red_op *op, const struct red_dtype *dtype, const void *partials,
                               uint64_t partials_n) {
    struct red_partial partial;
    red_host_fold_partial(op, dtype, partials, partials_n, &partial);
    return red_partial_answer(op, dtype, &partial, partials_n);
}

static void the_reference_is_right(void **state) {
    static const uint64_t sizes[] = {0,   1,   2,   7,    8,    9,     31,    32,    33,
                                     255, 256, 257, 2049, 4097, 32767, 32768, 32769, 100003};
    static const enum red_pattern patterns[] = {RED_PATTERN_WEIGHTS, RED_PATTERN_UNIFORM};
    for (size_t t = 0; t < red_dtypes_n; t++)
        for (size_t o = 0; o < RED_REDUCTIONS_N; o++)
            for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++)
                for (size_t p = 0; p < 2; p++) {
                    if (red_op_check_n(&red_ops[o], &red_dtypes[t], sizes[s], NULL) != RED_OK)
                        continue;
                    struct red_input input =
                        made_input(&red_ops[o], &red_dtypes[t], kind_of(patterns[p]), sizes[s], 9);
                    struct red_truth truth;
                    red_truth_find(&input, &truth);
                    struct red_value value = reduced_by(red_reference_partial, input.op, input.dtype,
                                                        (const void *const *)input.arrays, input.n);
                    assert_true(red_truth_check(&truth, (double)sizes[s], value).right);
                    value = reduced_by(red_sequential_partial, input.op, input.dtype,
                                       (const void *const *)input.arrays, input.n);
                    assert_true(red_truth_check(&truth, (double)sizes[s], value).right);
                    red_input_clear(&input);
                }
    red_reference_stop_spinning();
}

/* Each thread of the oracle has its own first extreme: that of the first thread is the answer. */
static void the_first_of_equals_is_the_place(void **state) {
    static const char *const ops[] = {"argmin", "argmax"};
    for (size_t o = 0; o < 2; o++) {
        struct red_input input = made_input(red_op_find(ops[o]), red_dtype_find("u8"),
                                            kind_of(RED_PATTERN_UNIFORM), RED_SEVERAL_THREADS_N + 77, 9);
        struct red_truth truth;
        red_truth_find(&input, &truth);
        const struct red_value value = reduced_by(red_reference_partial, input.op, input.dtype,
                                                  (const void *const *)input.arrays, input.n);
        assert_true(red_truth_check(&truth, 0, value).right);
        red_input_clear(&input);
    }
    red_reference_stop_spinning();
}

/* Every element, by one thread and by three, which pieces of any length are left to. */
static void scans_are_right(void **state) {
    static const uint64_t sizes[] = {0,  1,    2,     3,     15,    16,    17,    63,
                                     65, 1000, 32767, 32768, 32769, 40000, 100003};
    static const enum red_pattern patterns[] = {RED_PATTERN_WEIGHTS, RED_PATTERN_UNIFORM, RED_PATTERN_SAW,
                                                RED_PATTERN_ISLANDS};
    for (size_t t = 0; t < red_dtypes_n; t++)
        for (size_t o = RED_REDUCTIONS_N; o < RED_REDUCTIONS_N + RED_SCANS_N; o++)
            for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++)
                for (size_t p = 0; p < 4; p++) {
                    const uint64_t n = sizes[s];
                    if (!red_pattern_fits(patterns[p], &red_ops[o], &red_dtypes[t]))
                        continue;
                    struct red_input input =
                        made_input(&red_ops[o], &red_dtypes[t], kind_of(patterns[p]), n, s);
                    struct red_results_truth *truth;
                    struct red_error error;
                    assert_ok(red_results_truth_make(&input, n, &truth, &error), &error);
                    void *results = malloc(8 * (size_t)n + 8);
                    assert_non_null(results);
                    for (int by = 0; by < 3; by++) {
                        memset(results, 0x5a, 8 * (size_t)n + 8);
                        omp_set_num_threads(by == 0 ? 1 : 3);
                        (by == 2 ? red_sequential_scan : red_reference_scan)(input.op, input.dtype, 0,
                                                                             input.arrays[0], n, results);
                        uint64_t which;
                        assert_true(red_results_check(truth, (double)n, results, &which).right);
                    }
                    free(results);
                    red_results_truth_destroy(truth);
                    red_input_clear(&input);
                }
    red_reference_stop_spinning();
}

/* Segments of many lengths: each is answered as an array of its own. */
static void sequential_segments_are_right(void **state) {
    for (size_t t = 0; t < red_dtypes_n; t++)
        for (size_t o = 0; o < RED_REDUCTIONS_N; o++)
            for (uint64_t n = 1; n < 600 && red_op_has_type(&red_ops[o], &red_dtypes[t]); n = 2 * n + t) {
                struct red_input input =
                    made_segments(&red_ops[o], &red_dtypes[t], kind_of(RED_PATTERN_WEIGHTS), n, 7, o);
                struct red_segment_truths *truths;
                struct red_answers answers;
                struct red_error error;
                uint64_t which;
                assert_ok(red_segments_find_truths(&input, false, &truths, &error), &error);
                assert_ok(red_answers_make_room(input.op, input.dtype, 7, &answers, &error), &error);
                red_sequential_reduce_segments(input.op, input.dtype, (const void *const *)input.arrays, n,
                                               &answers);
                assert_true(red_segments_check(truths, (double)n, &answers, &which).right);
                red_answers_clear(&answers);
                red_segments_destroy(truths);
                red_input_clear(&input);
            }
}

/* NaNs are passed over, wherever they stand; of equal places the first wins. */
static void the_plain_loop_finds_the_first_of_equals(void **state) {
    const float values[][4] = {
        {NAN, 2, NAN, 2}, {3, -1, -1, 2}, {NAN, NAN, -0.0f, 0}, {INFINITY, NAN, INFINITY, 7}};
    const uint64_t at[] = {1, 1, 2, 3};
    for (size_t i = 0; i < 4; i++) {
        const void *const arrays[2] = {values[i], NULL};
        const struct red_value place =
            reduced_by(red_sequential_partial, red_op_find("argmin"), red_dtype_find("f32"), arrays, 4);
        assert_true(place.index == at[i] && place.f32 == values[i][at[i]]);
    }
}

static void partial_results_fold(void **state) {
    const uint32_t integers[] = {UINT32_MAX, 5, UINT32_MAX};
    const float floats[] = {16777216.0f, 1.0f, 1.0f}; /* in float the ones would be lost */
    const struct red_op *sum = red_op_find("sum");
    assert_int_equal(folded(sum, red_dtype_find("i32"), integers, 3).i32, 3);
    assert_int_equal(folded(sum, red_dtype_find("u32"), integers, 3).u32, 3);
    assert_true(folded(sum, red_dtype_find("f32"), floats, 3).f32 == 16777218.0f);
    for (size_t t = 0; t < red_dtypes_n; t++)
        assert_true(folded(sum, &red_dtypes[t], NULL, 0).bits == 0);
}

/* value and index of the operation over four floats, by the reference and by the truth */
/* Of finish host_carries: the first carry is the identity, the last partial result is in none. */
static void carries_are_exclusive_prefixes(void **state) {
    uint64_t sums[] = {5, UINT64_MAX, 3, 7};
    static const uint64_t sums_before[] = {0, 5, 4, 7};
    red_host_scan_partials(red_op_find("exclusive_sum"), red_dtype_find("i8"), sums, 4);
    assert_memory_equal(sums, sums_before, sizeof sums);
    int32_t least[] = {4, -7, 9, -8};
    static const int32_t least_before[] = {INT32_MAX, 4, -7, -7};
    red_host_scan_partials(red_op_find("inclusive_min"), red_dtype_find("i8"), least, 4);
    assert_memory_equal(least, least_before, sizeof least);
    float greatest[] = {-3, -9, -1, -2};
    static const float greatest_before[] = {-INFINITY, -3, -3, -1};
    red_host_scan_partials(red_op_find("inclusive_max"), red_dtype_find("f32"), greatest, 4);
    assert_memory_equal(greatest, greatest_before, sizeof greatest);
    float halves[] = {0.5F, 0.25F, 4096, 0.125F};
    static const float halves_before[] = {0, 0.5F, 0.75F};
    red_host_scan_partials(red_op_find("exclusive_sum"), red_dtype_find("f16"), halves, 3);
    assert_memory_equal(halves, halves_before, sizeof halves_before);
    assert_true(halves[3] == 0.125F); /* behind the end */
}

static void check_place(const char *op, const float values[4], float expected, uint64_t index) {
    struct red_input input =
        made_input(red_op_find(op), red_dtype_find("f32"), kind_of(RED_PATTERN_UNIFORM), 4, 1);
    struct red_truth truth;
    for (size_t i = 0; i < 4; i++)
        ((float *)input.arrays[0])[i] = values[i];
    red_truth_find(&input, &truth);
    struct red_value value =
        reduced_by(red_reference_partial, input.op, input.dtype, (const void *const *)input.arrays, input.n);
    assert_true(value.f32 == expected && value.index == index);
    assert_true(red_truth_check(&truth, 4, value).right);
    value.index++;
    assert_false(red_truth_check(&truth, 4, value).right);
    red_input_clear(&input);
}

static void places_are_the_first_of_equals(void **state) {
    check_place("argmin", (const float[]){3, -1, -1, 2}, -1, 1);
    check_place("argmax", (const float[]){3, -1, 3, 2}, 3, 0);
    check_place("argmin", (const float[]){NAN, 2, NAN, 2}, 2, 1);
    check_place("argmax", (const float[]){NAN, -INFINITY, NAN, NAN}, -INFINITY, 1);
    check_place("argmin", (const float[]){1, 0.0f, -0.0f, 1}, 0, 1);
    check_place("argmax", (const float[]){-1, -0.0f, 0.0f, -1}, 0, 1);
    check_place("argmin", (const float[]){INFINITY, INFINITY, INFINITY, INFINITY}, INFINITY, 0);
    check_place("argmax", (const float[]){1e-40f, 2e-40f, -3e-40f, 0}, 2e-40f, 1);
}

/* Element i of n, which are all `rest`, is `value`; the operation must find it there. The loops go by blocks,
 * and places lie in others than the first. */
static void check_place_among(const char *op, size_t type, double rest, const double values[2],
                              const uint64_t at[2], uint64_t expected) {
    enum { N = 70001 };
    static double elements[N];
    const struct red_dtype *dtype = &red_dtypes[type];
    for (uint64_t i = 0; i < N; i++) {
        const double value = i == at[0] ? values[0] : i == at[1] ? values[1] : rest;
        if (dtype->is_float)
            dtype->put_real(elements, i, value);
        else
            dtype->put_integer(elements, i, (uint64_t)(int64_t)value);
    }
    const void *const arrays[2] = {elements, NULL};
    const struct red_value got = reduced_by(red_reference_partial, red_op_find(op), dtype, arrays, N);
    assert_int_equal(got.index, expected);
    if (dtype->is_float)
        assert_true(dtype->get_real(&got, 0) == values[0]);
    else
        assert_int_equal(dtype->get_integer(&got, 0), (uint64_t)(int64_t)values[0]);
}

static void places_are_found_in_any_block(void **state) {
    static const uint64_t indices[][2] = {{0, 1},       {63, 64},       {4095, 4096},
                                          {5000, 5001}, {34999, 35072}, {1, 70000}};
    for (size_t t = 0; t < red_dtypes_n; t++)
        for (size_t i = 0; i < sizeof indices / sizeof indices[0]; i++) {
            const uint64_t *const at = indices[i], turned[2] = {at[1], at[0]};
            check_place_among("argmin", t, 7, (const double[]){3, 3}, at, at[0]);
            check_place_among("argmax", t, 7, (const double[]){9, 9}, turned, at[0]);
            check_place_among("argmax", t, 7, (const double[]){9, 8}, turned, at[1]);
            if (!red_dtypes[t].is_float)
                continue;
            check_place_among("argmin", t, 7, (const double[]){0.0, -0.0}, at, at[0]);
            check_place_among("argmax", t, -7, (const double[]){-0.0, 0.0}, at, at[0]);
            check_place_among("argmin", t, NAN, (const double[]){INFINITY, INFINITY}, at, at[0]);
            check_place_among("argmax", t, NAN, (const double[]){-INFINITY, NAN}, turned, at[1]);
        }
}

/* Blocks of bytes are summed in 32 bits: the greatest sums must fit. */
static void sums_of_bytes_are_exact(void **state) {
    enum { N = 100000 };
    static uint8_t bytes[N];
    const void *const arrays[2] = {bytes, bytes};
    for (unsigned value = 0; value < 256; value += 51) {
        const int64_t as_signed = value < 128 ? value : (int64_t)value - 256;
        memset(bytes, (int)value, N);
        for (uint64_t n = N - 70; n <= N; n += 7) {
            assert_true(
                reduced_by(red_reference_partial, red_op_find("sum"), red_dtype_find("u8"), arrays, n).u64 ==
                value * n);
            assert_true(
                reduced_by(red_reference_partial, red_op_find("dot"), red_dtype_find("u8"), arrays, n).u64 ==
                value * value * n);
            assert_true(
                reduced_by(red_reference_partial, red_op_find("sum"), red_dtype_find("i8"), arrays, n).i64 ==
                as_signed * (int64_t)n);
            assert_true(
                reduced_by(red_reference_partial, red_op_find("dot"), red_dtype_find("i8"), arrays, n).i64 ==
                as_signed * as_signed * (int64_t)n);
        }
    }
}

static void means_divide_and_small_integers_do_not_wrap(void **state) {
    const int8_t bytes[200] = {[0] = -128, [1] = -128, [199] = 127};
    uint8_t full[1000];
    for (size_t i = 0; i < 1000; i++)
        full[i] = 255;
    const void *const arrays[2] = {bytes, NULL}, *const of_full[2] = {full, NULL};
    assert_true(
        reduced_by(red_reference_partial, red_op_find("sum"), red_dtype_find("i8"), arrays, 200).i64 == -129);
    assert_true(
        reduced_by(red_reference_partial, red_op_find("mean"), red_dtype_find("i8"), arrays, 200).f64 ==
        -129.0 / 200);
    assert_true(reduced_by(red_reference_partial, red_op_find("min"), red_dtype_find("i8"), arrays, 200).i8 ==
                -128);
    assert_true(
        reduced_by(red_reference_partial, red_op_find("sumsq"), red_dtype_find("u8"), of_full, 1000).u64 ==
        65025000);
    assert_true(
        reduced_by(red_reference_partial, red_op_find("mean"), red_dtype_find("u8"), of_full, 1000).f64 ==
        255);
}

/* The compiler's conversion is the judge of ours, for all halves. */
static void every_half_is_read_as_it_is(void **state) {
    for (unsigned word = 0; word < 65536; word++) {
        red_half half;
        const uint16_t bits = (uint16_t)word;
        memcpy(&half, &bits, sizeof half);
        const void *const arrays[2] = {&half, NULL};
        float value =
            reduced_by(red_reference_partial, red_op_find("sum"), red_dtype_find("f16"), arrays, 1).f32;
        assert_true(value == (float)half || (isnan(value) && isnan((float)half)));
    }
}

static void reading_reads_everything(void **state) {
    static uint64_t words[50000];
    for (size_t i = 0; i < 50000; i += 999) {
        words[i] = UINT64_C(1) << (i % 64);
        assert_true(red_reference_read_all(words, 50000) == words[i]);
        words[i] = 0;
    }
}
