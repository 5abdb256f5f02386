#include "tests/unit/testing.h"

#include <float.h>

#include "oracle/exact.h"

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
