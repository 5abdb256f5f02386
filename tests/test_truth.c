#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

#include "model/catalogue.h"
#include "oracle/bound.h"
#include "oracle/truth.h"

static struct red_truth truth_of(const char *type, enum red_pattern pattern, uint64_t n) {
    struct red_input input;
    struct red_truth truth;
    assert_int_equal(red_input_make(red_dtype_find(type), red_op_find("sum"), (struct red_probe){pattern, 0},
                                    n, 1, &input, NULL),
                     RED_OK);
    red_truth_find(&input, &truth);
    red_input_clear(&input);
    return truth;
}

static void the_exact_tier_takes_no_neighbour(void **state) {
    (void)state;
    struct red_truth truth = truth_of("f32", RED_PATTERN_WEIGHTS, 1000);
    union red_value value = red_truth_value(&truth), zero = {.bits = 0};
    assert_true(red_truth_check(&truth, 1000, value).right);
    value.f32 = nextafterf(value.f32, INFINITY);
    assert_false(red_truth_check(&truth, 1000, value).right);
    value.f32 = NAN;
    assert_false(red_truth_check(&truth, 1000, value).right);
    struct red_truth none = truth_of("f32", RED_PATTERN_WEIGHTS, 0);
    assert_true(red_truth_check(&none, 0, zero).right);
    zero.f32 = -0.0f;
    assert_true(red_truth_check(&none, 0, zero).right);
}

static void the_bounded_tier_ends_at_its_bound(void **state) {
    (void)state;
    struct red_truth truth = truth_of("f64", RED_PATTERN_UNIFORM, 1000);
    union red_value value = red_truth_value(&truth);
    double exact = value.f64, bound = red_truth_check(&truth, 10, value).bound;
    assert_true(bound > 0);
    value.f64 = exact + 0.9 * bound;
    assert_true(red_truth_check(&truth, 10, value).right);
    value.f64 = exact + 1.2 * bound;
    assert_false(red_truth_check(&truth, 10, value).right);
    value.f64 = INFINITY;
    assert_false(red_truth_check(&truth, 1e9, value).right);
    value.f64 = NAN;
    assert_false(red_truth_check(&truth, 1e9, value).right);
}

static void integers_wrap_and_are_exact(void **state) {
    (void)state;
    struct red_truth truth = truth_of("i32", RED_PATTERN_UNIFORM, 100000);
    union red_value value = red_truth_value(&truth);
    assert_true(truth.integer >> 32 != 0); /* the sum left the type */
    assert_true(red_truth_check(&truth, 0, value).right);
    value.i32 ^= 1;
    assert_false(red_truth_check(&truth, 1e9, value).right);
}

static double chain_of(const char *name, const char *op, struct red_geometry geometry, uint64_t n) {
    struct red_catalogue *catalogue = NULL;
    assert_int_equal(red_catalogue_create(&catalogue, NULL), RED_OK);
    double chain = red_bound_chain(red_catalogue_find(catalogue, name), red_dtype_find("f64"),
                                   red_op_find(op), &geometry, n);
    red_catalogue_destroy(catalogue);
    return chain;
}

/* By hand, from the stages: item + group + finish (+ 1 for the product). */
static void chains_are_those_of_the_stages(void **state) {
    (void)state;
    struct red_geometry one = {1, 1, 1000}, each = {100, 10, 1}, stride = {256, 8, 1600};
    assert_true(chain_of("serial", "sum", one, 1000) == 999);
    assert_true(chain_of("serial", "dot", one, 1000) == 1000);
    assert_true(chain_of("tree", "sum", each, 1000) == 0 + 7 + 9);
    assert_true(chain_of("tree_passes", "sum", each, 1000) == 0 + 7 + 7);
    assert_true(chain_of("cmpxchg_item", "sum", each, 1000) == 0 + 0 + 1000);
    assert_true(chain_of("wg_reduce", "sum", each, 1000) == 0 + 99 + 9);
    assert_true(chain_of("grid_stride_vec", "sum", stride, 3276800) == (100 + 3 + 15) + 8 + 7);
    assert_true(chain_of("cmpxchg_group", "sum", stride, 3276800) == (100 + 3 + 15) + 8 + 8);
}

static void the_bound_is_the_formulas(void **state) {
    (void)state;
    double u = 0x1p-24, gamma = 10 * u / (1 - 10 * u);
    assert_true(fabs(red_bound(10, 24, 3, 2) - (3 * gamma + u * (2 + 3 * gamma))) < 1e-20);
    assert_true(isfinite(red_bound(16777216, 24, 1, 1)));
    assert_true(red_bound(0, 53, 7, 1) == 0x1p-53);
    for (double chain = 1; chain < 0x1p26; chain *= 1.5)
        assert_true(red_bound(chain, 24, 1, 1) < red_bound(1.5 * chain, 24, 1, 1) || chain > 0x1p22);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_exact_tier_takes_no_neighbour),
        cmocka_unit_test(the_bounded_tier_ends_at_its_bound),
        cmocka_unit_test(integers_wrap_and_are_exact),
        cmocka_unit_test(chains_are_those_of_the_stages),
        cmocka_unit_test(the_bound_is_the_formulas),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
