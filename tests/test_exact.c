#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <float.h>
#include <math.h>
#include <stdlib.h>

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
    (void)state;
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
    (void)state;
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

static void products_are_not_rounded(void **state) {
    (void)state;
    struct red_exact sum;
    red_exact_reset(&sum);
    const double a = 1 + 0x1p-30, b = 1 - 0x1p-30; /* the product needs 61 bits */
    red_exact_add_product(&sum, a, b);
    assert_true(red_exact_difference(&sum, 1) == -0x1p-60);
}

static void differences_are_exact(void **state) {
    (void)state;
    struct red_exact sum;
    red_exact_reset(&sum);
    for (int i = 0; i < 10; i++)
        red_exact_add(&sum, 0.1);
    /* 10 times the double nearest to 0.1 is 1 + 2^-54 exactly. */
    assert_true(red_exact_difference(&sum, 1) == 0x1p-54);
}

static void what_is_not_finite_stays_so(void **state) {
    (void)state;
    assert_true(SUM(1, INFINITY) == INFINITY);
    assert_true(isnan(SUM(INFINITY, -INFINITY)));
    assert_true(isnan(SUM(NAN, 1)));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums_are_exact),
        cmocka_unit_test(the_order_changes_nothing),
        cmocka_unit_test(products_are_not_rounded),
        cmocka_unit_test(differences_are_exact),
        cmocka_unit_test(what_is_not_finite_stays_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
