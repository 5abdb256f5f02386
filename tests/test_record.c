#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "record/clock.h"
#include "record/file.h"
#include "record/statistics.h"

static void statistics_are_those_of_the_samples(void **state) {
    (void)state;
    const double samples[] = {5, 1, 4, 2, 3, 9, 7, 8, 6, 10, 12, 11, 14, 13, 15};
    struct red_statistics s;
    assert_int_equal(red_statistics_find(samples, 15, &s, NULL), RED_OK);
    assert_true(s.min == 1 && s.max == 15 && s.median == 8 && s.mean == 8);
    /* n = 15: ranks 4 and 12 enclose the median with 96.5 % (tables of order statistics). */
    assert_true(s.low == 4 && s.high == 12);
    assert_int_equal(red_statistics_find(samples, 1, &s, NULL), RED_OK);
    assert_true(s.min == 5 && s.low == 5 && s.high == 5 && s.median == 5);
    assert_int_equal(red_statistics_find(samples, 4, &s, NULL), RED_OK);
    assert_true(s.low == 1 && s.high == 5 && s.median == 3);
}

static void overlapping_intervals_are_a_tie(void **state) {
    (void)state;
    struct red_statistics a = {.low = 1, .high = 2}, b = {.low = 2, .high = 3}, c = {.low = 2.5, .high = 3};
    assert_int_equal(red_statistics_compare(&a, &b), 0);
    assert_int_equal(red_statistics_compare(&a, &c), -1);
    assert_int_equal(red_statistics_compare(&c, &a), 1);
}

static void the_clock_runs(void **state) {
    (void)state;
    double step_s = red_clock_step_s();
    assert_true(step_s > 0 && step_s < 1e-3);
    char text[32];
    red_clock_print_utc(text, sizeof text);
    assert_int_equal(strlen(text), 20);
}

static void a_file_is_whole_or_not_there(void **state) {
    (void)state;
    struct red_file file;
    struct red_error error;
    const char *path = "whole_or_not_there.txt";
    assert_int_equal(red_file_open(path, &file, &error), RED_OK);
    fputs("half", file.stream);
    assert_int_not_equal(access(path, F_OK), 0);
    red_file_abandon(&file);
    assert_int_not_equal(access(path, F_OK), 0);
    assert_int_equal(red_file_open(path, &file, &error), RED_OK);
    fputs("whole", file.stream);
    assert_int_equal(red_file_commit(&file, &error), RED_OK);
    assert_int_equal(access(path, F_OK), 0);
    assert_int_equal(red_file_check_writable(path, &error), RED_OK);
    assert_int_equal(access(path, F_OK), 0);
    remove(path);
}

static void what_cannot_be_written_is_said(void **state) {
    (void)state;
    static const char *const paths[] = {"/nowhere/x", "/", "/proc/x", "/dev/null/x"};
    struct red_error error;
    for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++) {
        assert_int_equal(red_file_check_writable(paths[i], &error), RED_E_INPUT);
        assert_non_null(strstr(error.text, paths[i]));
    }
    struct red_file file;
    assert_int_equal(red_file_open("/dev/full", &file, &error), RED_OK);
    fputs("text", file.stream);
    assert_int_equal(red_file_commit(&file, &error), RED_E_INPUT);
    assert_non_null(strstr(error.text, "No space"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(statistics_are_those_of_the_samples),
        cmocka_unit_test(overlapping_intervals_are_a_tie),
        cmocka_unit_test(the_clock_runs),
        cmocka_unit_test(a_file_is_whole_or_not_there),
        cmocka_unit_test(what_cannot_be_written_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
