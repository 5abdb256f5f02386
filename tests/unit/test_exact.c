#include "tests/unit/testing.h"

#include <float.h>

#include "model/exact.h"
#include "model/types.h"

static double sum_of(const double *terms, size_t n) {
    struct red_exact sum;
    red_exact_reset(&sum);
    for (size_t i = 0; i < n; i++)
        red_exact_add(&sum, terms[i]);
    return red_exact_value(&sum);
}
#define SUM(...) sum_of((double[]){__VA_ARGS__}, sizeof((double[]){__VA_ARGS__}) / sizeof(double))

static void sums_are_exact(void **state) {
    assert_true(SUM(0.0) == 0);
    assert_true(SUM(1e300, 1, -1e300) == 1);
    assert_true(SUM(1, 1e-300, -1) == 1e-300);
    assert_true(SUM(DBL_TRUE_MIN, DBL_TRUE_MIN) == 2 * DBL_TRUE_MIN);
    assert_true(SUM(DBL_MAX, DBL_MAX, -DBL_MAX, -DBL_MAX, -3) == -3);
    assert_true(SUM(-1, -2, -3.5) == -6.5);
    assert_true(SUM(0x1p53, 1, 1) == 0x1p53 + 2);
    assert_true(SUM(0x1p-1074, -0x1p-1074) == 0);
    assert_true(SUM(4294967296.0, -1) == 4294967295.0);
}

/* The order of the terms, and splitting them over two accumulators, change nothing. */
static void the_order_changes_nothing(void **state) {
    enum { N = 4000 };
    static double terms[N];
    struct red_exact forward, backward, half[2];
    red_exact_reset(&forward);
    red_exact_reset(&backward);
    red_exact_reset(&half[0]);
    red_exact_reset(&half[1]);
    srand(7);
    for (int i = 0; i < N; i++) {
        terms[i] = ldexp((double)rand() - RAND_MAX / 2, rand() % 1500 - 800);
        red_exact_add(&forward, terms[i]);
        red_exact_add(&half[i % 2], terms[i]);
    }
    for (int i = N - 1; i >= 0; i--)
        red_exact_add(&backward, terms[i]);
    red_exact_merge(&half[0], &half[1]);
    double value = red_exact_value(&forward);
    assert_true(value == red_exact_value(&backward) && value == red_exact_value(&half[0]));
    for (int i = 0; i < N; i++)
        red_exact_add(&half[0], -terms[i]);
    assert_true(red_exact_value(&half[0]) == 0);
}

/* Blocks that plain additions take exactly, blocks just beyond, and blocks that they do not. */
static void adding_all_is_adding_each(void **state) {
    enum { N = 1024 };
    static double terms[N];
    srand(11);
    for (int range = 0; range < 80; range++)
        for (int digits = 1; digits <= 53; digits += 4) {
            size_t n = (size_t)(1 + rand() % N);
            struct red_exact each, all;
            red_exact_reset(&each);
            red_exact_reset(&all);
            for (size_t i = 0; i < n; i++) {
                double significand = floor(ldexp((double)rand() / RAND_MAX + 1, digits - 1));
                terms[i] =
                    rand() % 8 ? ldexp(rand() % 2 ? significand : -significand, rand() % (range + 1)) : 0;
                red_exact_add(&each, terms[i]);
            }
            red_exact_add_all(&all, terms, n);
            assert_true(red_exact_value(&each) == red_exact_value(&all));
            red_exact_merge(
                &all, &each); /* twice the sum: digits that the value above rounds away must agree, too */
            for (size_t i = 0; i < n; i++)
                red_exact_add(&all, -2 * terms[i]);
            assert_true(red_exact_value(&all) == 0);
        }
}

static double sum_of_all(const double *terms, size_t n) {
    struct red_exact sum;
    red_exact_reset(&sum);
    red_exact_add_all(&sum, terms, n);
    return red_exact_value(&sum);
}

/* Every double between the largest and the least, where the sum of all leaves no room for a rounding. */
static void adding_all_at_the_limits(void **state) {
    static const double rows[][4] = {
        {0x1p53, 1, 0x1p53, 1},
        {0x1p52, 1, -0x1p52, 1},
        {DBL_MAX, DBL_MAX, -DBL_MAX, -3},
        {DBL_TRUE_MIN, 3, -3, 0},
        {0x1p-1022, 0x1p-1074, 0, 0},
        {0x1.8p23, 0x1p-29, 0x1p-29, 0x1p-29},
        {0x1.fffffep127, 0x1p-149, 1, -1},
        {-0.0, 0, -0.0, 0},
        {0x1p1023, 0x1p1023, 0x1p1023, 0x1p1023},
    };
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++) {
        struct red_exact all;
        red_exact_reset(&all);
        red_exact_add_all(&all, rows[r], 4);
        for (int i = 0; i < 4; i++)
            red_exact_add(&all, -rows[r][i]);
        assert_true(red_exact_value(&all) == 0);
    }
    assert_true(sum_of_all((const double[]){1, INFINITY, 2}, 3) == INFINITY);
    assert_true(isnan(sum_of_all((const double[]){INFINITY, -INFINITY}, 2)));
    assert_true(isnan(sum_of_all((const double[]){NAN, 0, 0}, 3)));
}

static void products_are_not_rounded(void **state) {
    struct red_exact sum;
    red_exact_reset(&sum);
    const double a = 1 + 0x1p-30, b = 1 - 0x1p-30; /* the product needs 61 bits */
    red_exact_add_product(&sum, a, b);
    assert_true(red_exact_minus(&sum, 1) == -0x1p-60);
}

static void differences_are_exact(void **state) {
    struct red_exact sum;
    red_exact_reset(&sum);
    for (int i = 0; i < 10; i++)
        red_exact_add(&sum, 0.1);
    /* 10 times the double nearest to 0.1 is 1 + 2^-54 exactly. */
    assert_true(red_exact_minus(&sum, 1) == 0x1p-54);
}

static void what_is_not_finite_stays_so(void **state) {
    assert_true(SUM(1, INFINITY) == INFINITY);
    assert_true(isnan(SUM(INFINITY, -INFINITY)));
    assert_true(isnan(SUM(NAN, 1)));
}

/* Words of 64 bits, as kernels leave them: with digits of 32 bits, carries that wait, signs in any of them.
 */
static void words_are_added(void **state) {
    struct red_exact words, terms;
    for (unsigned first = 0; first < 60; first += 11) {
        const double unit = ldexp(1, 32 * (int)first - 1074);
        red_exact_reset(&words);
        red_exact_reset(&terms);
        for (int i = 0; i < 3; i++) /* 2^40 + 5 - 3 * 2^32 - 2^64 */
            red_exact_add_words(&words, first, (const int64_t[]){(INT64_C(1) << 40) + 5, -3, -1}, 3);
        for (int i = 0; i < 3; i++) {
            red_exact_add(&terms, (0x1p40 + 5) * unit);
            red_exact_add(&terms, -3 * 0x1p32 * unit);
            red_exact_add(&terms, -0x1p64 * unit);
        }
        assert_true(red_exact_value(&words) == red_exact_value(&terms));
        assert_true(red_exact_minus(&words, red_exact_value(&terms)) ==
                    red_exact_minus(&terms, red_exact_value(&terms)));
    }
}

/* The sign of 2 sum - parts_n (a + b): on which side of the middle of a and b the sum by parts_n lies. */
static int side_of_middle(const struct red_exact *sum, double parts_n, double a, double b) {
    struct red_exact rest = *sum;
    red_exact_merge(&rest, sum);
    red_exact_add_product(&rest, -a, parts_n);
    red_exact_add_product(&rest, -b, parts_n);
    const double value = red_exact_value(&rest);
    return (value > 0) - (value < 0);
}

/* By definition: no neighbour is closer, and one that is as close is odd. Behind the greatest value stands
 * what would come next, which is infinity. */
static bool is_rounded(const struct red_exact *sum, double parts_n, const struct red_dtype *dtype) {
    const struct red_value value = red_exact_round(sum, (uint64_t)parts_n, dtype);
    const double greatest = red_rank_real(dtype, red_rank_max(dtype));
    const double behind = 2 * greatest - red_rank_real(dtype, red_rank_max(dtype) - 1);
    const double real = dtype->get_real(&value, 0);
    if (isinf(real))
        return side_of_middle(sum, parts_n, copysign(greatest, real), copysign(behind, real)) *
                   (real > 0 ? 1 : -1) >=
               0;
    const uint64_t rank = red_rank_of(dtype, &value, 0);
    const double above = rank == red_rank_max(dtype) ? behind : red_rank_real(dtype, rank + 1);
    const double below = rank == 0 ? -behind : red_rank_real(dtype, rank - 1);
    const bool is_even = (value.bits & 1) == 0;
    return side_of_middle(sum, parts_n, real, above) <= (is_even ? 0 : -1) &&
           side_of_middle(sum, parts_n, real, below) >= (is_even ? 0 : 1);
}

static uint64_t random_bits(void) {
    uint64_t bits = 0;
    for (int i = 0; i < 5; i++)
        bits = bits << 15 ^ (uint64_t)rand();
    return bits;
}

/* Adds parts_n times the middle between a value and the next one, and perhaps what is too little to see. */
static void add_middle(struct red_exact *sum, double parts_n, double value, double next) {
    const double half = (next - value) / 2;
    red_exact_add_product(sum, value, parts_n);
    red_exact_add_product(sum, half, parts_n);
    if (rand() % 2)
        red_exact_add(sum, (rand() % 2 ? 1 : -1) * ldexp(1, rand() % 2 ? -1074 : -200 - rand() % 800));
}

/* Sums and means, of which half lie in the middle of two values or a trace beside it. Doubles whose half is
 * none, or whose product overflows, are left out. */
static void sums_are_rounded_once(void **state) {
    static const double parts[] = {1, 2, 3, 7, 10, 1000, 0x1p20 + 1, 0x1p40 - 3, 0x1p53};
    const char *const types[] = {"f16", "f32", "f64"};
    const unsigned seed = (unsigned)getpid();
    srand(seed);
    for (int i = 0; i < 60000; i++) {
        const struct red_dtype *dtype = red_dtype_find(types[i % 3]);
        const uint64_t middle = red_rank_middle(dtype), left_out = dtype->bits == 64 ? UINT64_C(60) << 52 : 1;
        const uint64_t magnitude = random_bits() % (middle - 2 * left_out) + (rand() % 8 ? left_out : 0);
        const uint64_t rank = rand() % 2 ? middle + magnitude : middle - magnitude;
        const double parts_n = parts[(size_t)rand() % (sizeof parts / sizeof parts[0])];
        const double value = red_rank_real(dtype, rank), next = red_rank_real(dtype, rank + 1);
        struct red_exact sum;
        red_exact_reset(&sum);
        if (rand() % 2)
            for (int terms_n = 1 + rand() % 5; terms_n > 0; terms_n--)
                red_exact_add(&sum,
                              red_rank_real(dtype, left_out + random_bits() % (2 * (middle - left_out))));
        else
            add_middle(&sum, parts_n, value, next);
        if (!is_rounded(&sum, parts_n, dtype)) {
            print_error("%s, seed %u, case %d: %a by %a\n", dtype->name, seed, i, red_exact_value(&sum),
                        parts_n);
            fail();
        }
    }
}

/* The greatest value and what is beyond, zeros, denormals of quotients, what is not finite. */
static void rounding_at_the_limits(void **state) {
    const struct red_dtype *f32 = red_dtype_find("f32"), *f64 = red_dtype_find("f64");
    struct red_exact sum;
    red_exact_reset(&sum);
    assert_true(red_exact_round(&sum, 1, f64).bits == 0 && red_exact_round(&sum, UINT64_MAX, f32).bits == 0);
    red_exact_add(&sum, -0x1p-1074);
    assert_true(red_exact_round(&sum, 1, f64).f64 == -0x1p-1074);
    assert_true(red_exact_round(&sum, 2, f64).bits == 0 && red_exact_round(&sum, 1, f32).bits == 0);
    red_exact_add(&sum, -0x1p-1073);
    assert_true(red_exact_round(&sum, 2, f64).f64 == -0x1p-1073 &&
                red_exact_round(&sum, 5, f64).f64 == -0x1p-1074);
    red_exact_reset(&sum);
    red_exact_add(&sum, DBL_MAX);
    assert_true(red_exact_round(&sum, 1, f64).f64 == DBL_MAX &&
                red_exact_round(&sum, 1, f32).f32 == INFINITY);
    red_exact_add(&sum, 0x1p970);
    assert_true(red_exact_round(&sum, 1, f64).f64 == INFINITY &&
                red_exact_round(&sum, 3, f64).f64 == DBL_MAX / 3);
    red_exact_add(&sum, -0x1p-1074);
    assert_true(red_exact_round(&sum, 1, f64).f64 == DBL_MAX);
    red_exact_add(&sum, -INFINITY);
    assert_true(red_exact_round(&sum, 1, f64).f64 == -INFINITY);
    red_exact_add(&sum, INFINITY);
    assert_true(isnan(red_exact_round(&sum, 1, f32).f32));
}
