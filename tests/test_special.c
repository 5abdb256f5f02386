#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "bench/special.h"

enum { N = 1000 };

/* Judges `got`, by its double, where `pattern` is reduced. */
static enum red_judgement judge(const char *op, const char *type, struct red_special special, double got,
                                uint64_t index, const char **words) {
    struct red_input input;
    struct red_truth truth;
    const struct red_dtype *dtype = red_dtype_find(type);
    struct red_value value = {.index = index};
    assert_int_equal(
        red_input_make(dtype, red_op_find(op), (struct red_probe){special.pattern, 0}, N, 1, &input, NULL),
        RED_OK);
    red_truth_find(&input, &truth);
    red_input_clear(&input);
    red_op_result(truth.op, dtype)->put_real(&value, 0, got);
    return red_special_judge(&special, &truth, &value, words);
}

/* What exact arithmetic answers: of the data itself, not of a judge. */
static double exact(const char *op, const char *type, enum red_pattern pattern, uint64_t *index) {
    struct red_input input;
    struct red_truth truth;
    const struct red_dtype *dtype = red_dtype_find(type);
    assert_int_equal(
        red_input_make(dtype, red_op_find(op), (struct red_probe){pattern, 0}, N, 1, &input, NULL), RED_OK);
    red_truth_find(&input, &truth);
    red_input_clear(&input);
    struct red_value value = red_truth_value(&truth);
    *index = value.index;
    return red_op_result(truth.op, dtype)->get_real(&value, 0);
}

static void the_exact_answer_is_exact_for_every_operation_and_type(void **state) {
    static const char *const ops[] = {"sum", "dot", "sumsq", "mean", "min", "max", "argmin", "argmax"};
    static const char *const types[] = {"f16", "f32", "f64"};
    (void)state;
    for (enum red_pattern pattern = RED_PATTERN_NAN; pattern <= RED_PATTERN_DENORMALS; pattern++)
        for (size_t o = 0; o < 8; o++)
            for (size_t t = 0; t < 3; t++) {
                const char *words = NULL;
                uint64_t index;
                double right = exact(ops[o], types[t], pattern, &index);
                const struct red_special special = {.pattern = pattern};
                assert_int_equal(judge(ops[o], types[t], special, right, index, &words), RED_AS_EXACT);
                assert_string_equal(words, "");
            }
}

/* An answer, and what is to be said of it. */
static const struct {
    const char *op, *type;
    struct red_special special;
    double got;
    enum red_judgement judgement;
    const char *words;
} rows[] = {
    {"sum", "f32", {.pattern = RED_PATTERN_NAN}, 500, RED_IS_WRONG, "the NaN is lost"},
    {"mean", "f64", {.pattern = RED_PATTERN_NAN}, INFINITY, RED_IS_WRONG, "the NaN is lost"},
    {"sum", "f32", {.pattern = RED_PATTERN_NAN, .own_extremes = true}, 500, RED_IS_WRONG, "the NaN is lost"},
    {"sum", "f32", {.pattern = RED_PATTERN_INFINITY}, 500, RED_IS_WRONG, "the infinity is lost"},
    {"sum", "f32", {.pattern = RED_PATTERN_INFINITY}, -INFINITY, RED_IS_WRONG, "the infinity is lost"},
    {"sumsq", "f32", {.pattern = RED_PATTERN_INFINITY}, NAN, RED_DEVIATES, "the infinity became a NaN"},
    {"sum", "f16", {.pattern = RED_PATTERN_INFINITIES}, 500, RED_IS_WRONG, "the infinities are lost"},
    {"sum", "f32", {.pattern = RED_PATTERN_INFINITIES}, INFINITY, RED_IS_WRONG, "one infinity is lost"},
    {"sum", "f32", {.pattern = RED_PATTERN_NEGATIVE_ZEROS}, -0.0, RED_AS_EXACT, ""},
    {"sum", "f32", {.pattern = RED_PATTERN_NEGATIVE_ZEROS}, 1e-30, RED_IS_WRONG, "another number"},
    {"min", "f32", {.pattern = RED_PATTERN_NEGATIVE_ZEROS}, 0.0, RED_AS_EXACT, ""},
    {"min", "f32", {.pattern = RED_PATTERN_NAN}, NAN, RED_IS_WRONG, "a NaN"},
    {"max", "f64", {.pattern = RED_PATTERN_NAN}, 0.5, RED_IS_WRONG, "another value"},
    {"max",
     "f64",
     {.pattern = RED_PATTERN_NAN, .own_extremes = true},
     0.5,
     RED_DEVIATES,
     "the driver's built-in does not pass over it"},
    {"min",
     "f32",
     {.pattern = RED_PATTERN_INFINITIES, .own_extremes = true},
     0.5,
     RED_IS_WRONG,
     "another value"},
    {"argmax", "f32", {.pattern = RED_PATTERN_NAN, .own_extremes = true}, NAN, RED_IS_WRONG, "a NaN"},
    {"sum",
     "f32",
     {.pattern = RED_PATTERN_DENORMALS},
     0,
     RED_DEVIATES,
     "count as 0: the driver claims no CL_FP_DENORM"},
    {"sum",
     "f32",
     {.pattern = RED_PATTERN_DENORMALS},
     0x1p-149,
     RED_DEVIATES,
     "count as 0: the driver claims no CL_FP_DENORM"},
    {"sum", "f32", {.pattern = RED_PATTERN_DENORMALS}, 1, RED_IS_WRONG, "another number"},
    {"sum",
     "f32",
     {.pattern = RED_PATTERN_DENORMALS, .keeps_denormals = true},
     0,
     RED_IS_WRONG,
     "count as 0, though the driver claims CL_FP_DENORM"},
    {"sum",
     "f32",
     {.pattern = RED_PATTERN_DENORMALS, .keeps_denormals = true},
     0x1p-149,
     RED_IS_WRONG,
     "another number"},
    {"max",
     "f64",
     {.pattern = RED_PATTERN_DENORMALS},
     0,
     RED_DEVIATES,
     "count as 0: the driver claims no CL_FP_DENORM"},
    {"max", "f64", {.pattern = RED_PATTERN_DENORMALS}, 0x1p-1074, RED_IS_WRONG, "another value"},
    {"sum", "f16", {.pattern = RED_PATTERN_DENORMALS}, 0, RED_IS_WRONG, "another number"},
    {"argmin", "f32", {.pattern = RED_PATTERN_DENORMALS}, 0, RED_IS_WRONG, "another value"},
};

static void answers_are_judged_and_named(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const char *words = NULL;
        enum red_judgement judgement =
            judge(rows[i].op, rows[i].type, rows[i].special, rows[i].got, 0, &words);
        if (judgement != rows[i].judgement || strcmp(words, rows[i].words) != 0)
            fail_msg("row %zu, %s of %s, %s: got %s, '%s'", i, rows[i].op, rows[i].type,
                     red_pattern_name(rows[i].special.pattern), red_judgement_names[judgement], words);
    }
}

static void a_place_counts_too(void **state) {
    (void)state;
    const char *words = NULL;
    uint64_t index;
    const struct red_special special = {.pattern = RED_PATTERN_NEGATIVE_ZEROS};
    assert_true(exact("argmin", "f32", special.pattern, &index) == 0 && index == 0);
    assert_int_equal(judge("argmin", "f32", special, 0.0, 0, &words), RED_AS_EXACT);
    assert_int_equal(judge("argmin", "f32", special, -0.0, 5, &words), RED_IS_WRONG);
    assert_string_equal(words, "at another place");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_exact_answer_is_exact_for_every_operation_and_type),
        cmocka_unit_test(answers_are_judged_and_named),
        cmocka_unit_test(a_place_counts_too),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
