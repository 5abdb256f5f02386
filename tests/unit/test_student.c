/* Student's t of trimmed means, against values worked out by hand. */
#include "tests/unit/testing.h"

#include "stats/statistics.h"

/* The largest is left out with the smallest, then counts as its neighbour: 2 2 3 4 4. */
static void what_is_far_away_moves_nothing(void **state) {
    static const double values[] = {3, 1e6, 2, 4, 1};
    double room[5];
    struct red_student found = red_student_of(values, 5, 0.2, room);
    assert_int_equal(found.n, 3);
    assert_near(found.mean, 3, 1e-6);
    assert_near(found.error, sqrt(4. / 6), 1e-6);
    assert_near(red_student_half_width(&found, 0.025), 4.302653 * sqrt(4. / 6), 1e-6); /* t of 2 degrees */
    assert_near(red_student_p_value_above(&found, 3 - 2.919986 * sqrt(4. / 6)), 0.05, 1e-6);
    assert_near(values[1], 1e6, 1e-6);
}

static void untrimmed_is_the_mean(void **state) {
    static const double values[] = {3, 15, 2, 4, 1};
    double room[5];
    struct red_student found = red_student_of(values, 5, 0, room);
    assert_int_equal(found.n, 5);
    assert_near(found.mean, 5, 1e-6);
    assert_near(found.error, sqrt(130. / 4 / 5), 1e-6);
    found = red_student_of(values, 4, 0.2, room); /* a fifth of four is none */
    assert_int_equal(found.n, 4);
    assert_near(found.mean, 6, 1e-6);
}

static void the_same_share_at_either_end(void **state) {
    static const struct { size_t n, left_n; } all[] = {{5, 3}, {9, 7}, {10, 6}, {15, 9}, {24, 16}};
    double values[24], room[24];
    for (size_t i = 0; i < 24; i++)
        values[i] = (double)i;
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        struct red_student found = red_student_of(values, all[i].n, 0.2, room);
        assert_int_equal(found.n, all[i].left_n);
        assert_near(found.mean, (double)(all[i].n - 1) / 2, 1e-6);
    }
}

static void few_say_nothing(void **state) {
    static const double value = 7;
    double room[1];
    struct red_student one = red_student_of(&value, 1, 0.2, room),
                       none = red_student_of(&value, 0, 0.2, room);
    assert_near(one.mean, 7, 1e-6);
    assert_near(none.mean, 0, 1e-6);
    assert_true(isinf(red_student_half_width(&one, 0.025)) && isinf(red_student_half_width(&none, 0.025)));
    assert_near(red_student_p_value_above(&one, -1e9), 1, 1e-6);
    assert_near(red_student_p_value_apart(&one, &none), 1, 1e-6);
}

static void without_spread_it_is_so_or_not(void **state) {
    static const struct red_student at_0 = {0, 0, 5}, at_1 = {1, 0, 5};
    assert_near(red_student_half_width(&at_1, 0.025), 0, 1e-6);
    assert_near(red_student_p_value_above(&at_1, 0.5), 0, 1e-6);
    assert_near(red_student_p_value_above(&at_1, 1), 1, 1e-6);
    assert_near(red_student_p_value_apart(&at_0, &at_1), 0, 1e-6);
    assert_near(red_student_p_value_apart(&at_1, &at_1), 1, 1e-6);
}

/* t of the smaller sample's 4 degrees is 2.776445 at 0.025 on one side. */
static void apart_is_two_sided(void **state) {
    static const struct red_student a = {1, 0.3, 5}, b = {1 + 0.5 * 2.776445, 0.4, 12};
    assert_near(red_student_p_value_apart(&a, &b), 0.05, 1e-6);
    assert_near(red_student_p_value_apart(&b, &a), 0.05, 1e-6);
    assert_near(red_student_p_value_apart(&a, &a), 1, 1e-6);
}
