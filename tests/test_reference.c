#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "oracle/reference.h"
#include "oracle/truth.h"

static void the_reference_is_right(void **state) {
    (void)state;
    static const uint64_t sizes[] = {0,  1,   2,   7,   8,     9,     31,    32,
                                     33, 255, 256, 257, 32767, 32768, 32769, 100003};
    static const enum red_pattern patterns[] = {RED_PATTERN_WEIGHTS, RED_PATTERN_UNIFORM};
    for (size_t t = 0; t < red_dtypes_n; t++)
        for (size_t o = 0; o < red_ops_n; o++)
            for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++)
                for (size_t p = 0; p < 2; p++) {
                    struct red_input input;
                    struct red_truth truth;
                    assert_int_equal(red_input_make(&red_dtypes[t], &red_ops[o],
                                                    (struct red_probe){patterns[p], 0}, sizes[s], 9, &input,
                                                    NULL),
                                     RED_OK);
                    red_truth_find(&input, &truth);
                    union red_value value = red_reference_reduce(input.op, input.dtype,
                                                                 (const void *const *)input.arrays, input.n);
                    assert_true(red_truth_check(&truth, (double)sizes[s], value).right);
                    red_input_clear(&input);
                }
    red_reference_rest();
}

static void partial_results_fold(void **state) {
    (void)state;
    const uint32_t integers[] = {UINT32_MAX, 5, UINT32_MAX};
    const float floats[] = {16777216.0f, 1.0f, 1.0f}; /* in float the ones would be lost */
    const struct red_op *sum = red_op_find("sum");
    assert_int_equal(red_reference_fold(sum, red_dtype_find("i32"), integers, 3).i32, 3);
    assert_int_equal(red_reference_fold(sum, red_dtype_find("u32"), integers, 3).u32, 3);
    assert_true(red_reference_fold(sum, red_dtype_find("f32"), floats, 3).f32 == 16777218.0f);
    for (size_t t = 0; t < red_dtypes_n; t++)
        assert_true(red_reference_fold(sum, &red_dtypes[t], NULL, 0).bits == 0);
}

static void reading_reads_everything(void **state) {
    (void)state;
    static uint64_t words[50000];
    for (size_t i = 0; i < 50000; i += 999) {
        words[i] = UINT64_C(1) << (i % 64);
        assert_true(red_reference_read(words, 50000) == words[i]);
        words[i] = 0;
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_reference_is_right),
        cmocka_unit_test(partial_results_fold),
        cmocka_unit_test(reading_reads_everything),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
