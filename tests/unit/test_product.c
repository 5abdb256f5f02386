/* Exact products: their digits, how they are merged and changed, and the data of products, which stay in
 * range and show what is lost, doubled or taken for 0. */
#include "tests/unit/testing.h"

#include <math.h>

#include "core/random.h"
#include "oracle/combiners.h"
#include "tests/unit/made_input.h"

static const char *const floats[] = {"f16", "f32", "f64"};
enum { FLOATS_N = 3, SEEDS = 5 };

static const struct red_op *prod(void) {
    return red_op_find("prod");
}

/* The truth of these doubles. */
static struct red_truth truth_of(double *factors, uint64_t n) {
    const struct red_input input = {.dtype = red_dtype_find("f64"),
                                    .op = prod(),
                                    .data_kind = kind_of(RED_PATTERN_UNIFORM),
                                    .n = n,
                                    .segments_n = 1,
                                    .arrays_n = 1,
                                    .arrays = {factors}};
    struct red_truth truth;
    red_truth_find(&input, &truth);
    return truth;
}
#define TRUTH(...) truth_of((double[]){__VA_ARGS__}, sizeof((double[]){__VA_ARGS__}) / sizeof(double))

/* |product - high - low| by |product|. */
static double off_by(const struct red_truth *truth, double high, double low) {
    struct red_exact rest = truth->real;
    red_exact_add(&rest, -high);
    red_exact_add(&rest, -low);
    return fabs(red_exact_value(&rest)) / fabs(high);
}

static void products_have_all_digits(void **state) {
    struct red_truth truth = TRUTH(3, -5, 0.5, 7);
    assert_true(off_by(&truth, -52.5, 0) == 0);
    assert_int_equal(truth.roundings_n, 3);
    truth = TRUTH(1 + 0x1p-52, 1 + 0x1p-52); /* 1 + 2^-51 + 2^-104 */
    assert_true(off_by(&truth, 1 + 0x1p-51, 0x1p-104) == 0);
    truth = TRUTH(0x1p1000, 0x1p1000, 0x1p-1000, -0x1p-1000,
                  3); /* of any exponents, though doubles have none such */
    assert_true(off_by(&truth, -3, 0) == 0);
    truth = TRUTH(0x1p-1074);
    assert_true(off_by(&truth, 0x1p-1074, 0) == 0);
    const uint64_t a = UINT64_C(0x1fffffffffffff), b = UINT64_C(0x123456789abcd);
    __extension__ const unsigned __int128 whole = (unsigned __int128)a * b;
    truth = TRUTH((double)a, (double)b);
    const double high = (double)(whole >> 53) * 0x1p53, low = (double)(whole & ((UINT64_C(1) << 53) - 1));
    assert_true(off_by(&truth, high, low) == 0);
}

static void special_factors_decide(void **state) {
    struct red_truth truth = TRUTH(2, -INFINITY, 3);
    assert_true(red_truth_value(&truth).f64 == -INFINITY);
    truth = TRUTH(-INFINITY, -INFINITY);
    assert_true(red_truth_value(&truth).f64 == INFINITY);
    truth = TRUTH(0, 5, INFINITY);
    assert_true(isnan(red_truth_value(&truth).f64));
    truth = TRUTH(0, NAN);
    assert_true(isnan(red_truth_value(&truth).f64));
    truth = TRUTH(-0.0, 5);
    assert_true(red_truth_value(&truth).f64 == 0);
    truth = TRUTH(0x1p1000, 0x1p24);
    assert_true(red_truth_value(&truth).f64 == INFINITY);
    truth = truth_of((double[]){-1}, 0);
    assert_true(red_truth_value(&truth).f64 == 1);
}

/* What is kept of doubles is 106 bits and more, whoever multiplies. */
static void pieces_merge_to_the_whole(void **state) {
    for (size_t t = 0; t < FLOATS_N; t++)
        for (uint64_t n = 2; n < 3000; n = 3 * n + 1) {
            struct red_input input =
                made_input(prod(), red_dtype_find(floats[t]), kind_of(RED_PATTERN_UNIFORM), n, 3);
            struct red_input piece = input;
            struct red_truth whole, truths[2];
            red_truth_find(&input, &whole);
            piece.n = n / 2;
            red_truth_find(&piece, &truths[0]);
            piece.arrays[0] = (char *)input.arrays[0] + piece.n * input.dtype->size_bytes;
            piece.n = n - piece.n;
            red_truth_find(&piece, &truths[1]);
            red_truth_merge(&truths[0], &truths[1], n / 2);
            assert_int_equal(truths[0].roundings_n, whole.roundings_n);
            assert_int_equal(truths[0].n, n);
            const double high = red_exact_value(&whole.real), low = red_exact_minus(&whole.real, high);
            assert_true(off_by(&truths[0], high, low) < 0x1p-104);
            red_input_clear(&input);
        }
}

static void integers_are_modulo_2_64(void **state) {
    static const char *const types[] = {"i8", "u8", "i32", "u32", "i64", "u64"};
    for (size_t t = 0; t < 6; t++) {
        const struct red_dtype *dtype = red_dtype_find(types[t]);
        struct red_input input = made_input(prod(), dtype, kind_of(RED_PATTERN_WEIGHTS), 777, 4);
        struct red_truth truth;
        uint64_t product = 1;
        for (uint64_t i = 0; i < input.n; i++)
            product *= dtype->get_integer(input.arrays[0], i);
        red_truth_find(&input, &truth);
        assert_true(truth.integer == product && product % 2 == 1);
        struct red_value value = red_truth_value(&truth);
        assert_true(red_truth_check(&truth, 0, value).right);
        value.bits ^= 2;
        assert_false(red_truth_check(&truth, 1e9, value).right);
        red_input_clear(&input);
    }
}

/* No order leaves the range of the accumulator's normal numbers: all factors above 1 together do not, nor do
 * all below. */
static void data_stay_in_range(void **state) {
    for (size_t t = 0; t < FLOATS_N; t++)
        for (unsigned i = 0; i < 4; i++)
            for (uint64_t n = 1; n < 3000000; n = 7 * n + 5) {
                const struct red_dtype *dtype = red_dtype_find(floats[t]);
                const struct red_data_kind kind =
                    i == 3 ? kind_of(RED_PATTERN_UNIFORM) : red_exact_data_kind(prod(), dtype, n, i);
                const double limit = dtype->bits == 64 ? 1021 : 125;
                struct red_input input = made_input(prod(), dtype, kind, n, n);
                double bits[2] = {0, 0};
                uint64_t more_n = 0;
                for (uint64_t k = 0; k < n; k++) {
                    const double size = fabs(dtype->get_real(input.arrays[0], k));
                    assert_true(size > 0);
                    if (size != 1)
                        bits[size < 1] += fabs(log2(size));
                    more_n += size != 1;
                }
                assert_true(bits[0] < limit && bits[1] < limit);
                assert_true(kind.pattern == RED_PATTERN_PART || n < 100 ? true : more_n >= 50);
                red_input_clear(&input);
            }
}

enum fault { LOST, TWICE, ZERO, OF_NEIGHBOUR, FAULTS_N };

/* The factor that a kernel takes element i for, where element `at` has the fault. */
static double factor(const struct red_input *input, uint64_t i, uint64_t at, enum fault fault) {
    const double x = input->dtype->get_real(input->arrays[0], i);
    if (i != at)
        return x;
    const double instead[] = {[LOST] = 1,
                              [TWICE] = x * x,
                              [ZERO] = 0,
                              [OF_NEIGHBOUR] = input->dtype->get_real(input->arrays[0], i ^ 1)};
    return instead[fault];
}

/* Whether the data show the fault, in floats' or doubles' own arithmetic, from the first element on. */
static bool is_shown(const struct red_input *input, uint64_t at, enum fault fault) {
    const bool is_double = input->dtype->bits == 64;
    struct red_truth truth;
    struct red_value got = {.bits = 0};
    float narrow = 1;
    double wide = 1;
    for (uint64_t i = 0; i < input->n; i++) {
        narrow *= (float)factor(input, i, at, fault);
        wide *= factor(input, i, at, fault);
    }
    red_op_result_dtype(input->op, input->dtype)->put_real(&got, 0, is_double ? wide : (double)narrow);
    red_truth_find(input, &truth);
    return !red_truth_check(&truth, (double)input->n - 1, got).right;
}

/* Whatever is lost, doubled or taken for 0 shows in one of the data sets that verify has for this n; without
 * a fault all are right. An element that is taken for its neighbour shows unless both are the same. */
static void faults_show(void **state) {
    enum { N = 300, DATA_N = 4 };
    for (size_t t = 0; t < FLOATS_N; t++) {
        const struct red_dtype *dtype = red_dtype_find(floats[t]);
        struct red_input inputs[DATA_N];
        for (unsigned d = 0; d < DATA_N; d++) {
            const struct red_data_kind kind =
                d + 1 == DATA_N ? kind_of(RED_PATTERN_UNIFORM) : red_exact_data_kind(prod(), dtype, N, d);
            inputs[d] = made_input(prod(), dtype, kind, N, 9);
            assert_false(is_shown(&inputs[d], N, LOST));
        }
        for (int fault = 0; fault < FAULTS_N; fault++)
            for (uint64_t at = 0; at < N; at += 7) {
                bool shown = false;
                for (unsigned d = 0; d < DATA_N; d++)
                    shown = shown || is_shown(&inputs[d], at, (enum fault)fault);
                assert_true(shown);
            }
        for (unsigned d = 0; d < DATA_N; d++)
            red_input_clear(&inputs[d]);
    }
}

/* Multiplies the elements from `first` on as a tree of random shape. */
static float random_tree(const float *x, uint64_t n, uint64_t *random) {
    if (n == 1)
        return x[0];
    const uint64_t left_n = 1 + red_random(random) % (n - 1);
    return random_tree(x, left_n, random) * random_tree(x + left_n, n - left_n, random);
}

static void every_order_is_within_the_bound(void **state) {
    uint64_t random = 5;
    for (uint64_t n = 2; n < 5000; n = 5 * n + 1) {
        struct red_input input =
            made_input(prod(), red_dtype_find("f32"), kind_of(RED_PATTERN_UNIFORM), n, n);
        struct red_truth truth;
        red_truth_find(&input, &truth);
        const double exact = red_exact_value(&truth.real);
        for (int i = 0; i < SEEDS; i++) {
            struct red_value got = {.f32 = random_tree(input.arrays[0], n, &random)};
            assert_true(red_truth_check(&truth, (double)n - 1, got).right);
        }
        /* gamma_(k - 1) of k factors, and the answer's own rounding: no more. */
        const double hu = (double)(truth.roundings_n - 1) * 0x1p-24, gamma = hu / (1 - hu);
        const double bound = fabs(exact) * (gamma + 0x1p-24 * (1 + gamma));
        struct red_value got = {.f32 = (float)exact};
        assert_near(red_truth_check(&truth, (double)n - 1, got).bound, bound, 1e-9 * bound);
        assert_true(truth.roundings_n <= 1024 && truth.roundings_n >= (n < 1024 ? n : 500));
        got.f32 = (float)(exact + 2 * bound);
        assert_false(red_truth_check(&truth, (double)n - 1, got).right);
        red_input_clear(&input);
    }
}

/* What is drawn before a timed call: the truth of the changed data is that of the data. */
static void changes_change_the_truth(void **state) {
    static const char *const types[] = {"i8", "u64", "f16", "f32", "f64"};
    for (size_t t = 0; t < 5; t++) {
        const struct red_dtype *dtype = red_dtype_find(types[t]);
        struct red_input input = made_input(prod(), dtype, kind_of(RED_PATTERN_UNIFORM), 500, 6);
        struct red_truth truth, found;
        uint64_t random = 8;
        red_truth_find(&input, &truth);
        for (int i = 0; i < 20; i++) {
            struct red_change change;
            assert_true(red_change_draw(&input, &truth, (struct red_strided_elements){0, 1}, 499,
                                        red_truth_value(&truth), &random, &change));
            memcpy((char *)input.arrays[0] + change.at * dtype->size_bytes, &change.after, dtype->size_bytes);
            truth = change.truth;
            red_truth_find(&input, &found);
            const struct red_value value = red_truth_value(&truth), right = red_truth_value(&found);
            assert_true(value.bits == right.bits && truth.integer == found.integer);
        }
        red_input_clear(&input);
    }
}
