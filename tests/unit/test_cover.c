#include "tests/unit/testing.h"

#include "verify/verify_private.h"

static bool all_valid(const void *context, const unsigned char *levels) {
    return true;
}

/* Level 3 of factor 0 excludes level 0 of factor 1. */
static bool one_excluded(const void *context, const unsigned char *levels) {
    return !(levels[0] == 3 && levels[1] == 0);
}

static struct red_covering_array made(const struct red_covering_spec *spec) {
    struct red_covering_array array;
    struct red_error error;
    assert_ok(red_covering_array_make(spec, &array, &error), &error);
    return array;
}

static size_t uncovered(const struct red_covering_spec *spec, const struct red_covering_array *array) {
    size_t missing = 0;
    for (size_t f = 0; f < spec->factors_n; f++)
        for (size_t g = f + 1; g < spec->factors_n; g++)
            for (size_t i = 0; i < spec->levels_n[f]; i++)
                for (size_t j = 0; j < spec->levels_n[g]; j++) {
                    size_t row = 0;
                    while (row < array->rows_n && (array->rows[row][f] != i || array->rows[row][g] != j))
                        row++;
                    missing += row == array->rows_n;
                }
    return missing;
}

static void all_pairs_occur_in_few_rows(void **state) {
    struct red_covering_spec spec = {
        .factors_n = 6, .levels_n = {11, 4, 2, 6, 59, 9}, .seed = 1, .valid = all_valid};
    struct red_covering_array array = made(&spec);
    assert_int_equal(uncovered(&spec, &array), 0);
    assert_int_equal(array.impossible_n, 0);
    assert_true(array.rows_n >= 59 * 11 && array.rows_n < 59 * 11 * 12 / 10);
    red_covering_array_clear(&array);
}

static void impossible_pairs_are_left_out_and_counted(void **state) {
    struct red_covering_spec spec = {.factors_n = 3, .levels_n = {5, 4, 3}, .seed = 2, .valid = one_excluded};
    struct red_covering_array array = made(&spec);
    assert_int_equal(uncovered(&spec, &array), 1);
    assert_int_equal(array.impossible_n, 1);
    for (size_t i = 0; i < array.rows_n; i++)
        assert_true(one_excluded(NULL, array.rows[i]));
    red_covering_array_clear(&array);
}

/* One combination in 2400 is valid: no luck finds it, and no pair of it may be called impossible. */
static bool needle(const void *context, const unsigned char *levels) {
    return levels[0] == 9 && levels[1] == 7 && levels[2] == 4 && levels[3] == 5;
}

static void a_pair_is_impossible_only_if_everything_was_tried(void **state) {
    struct red_covering_spec spec = {.factors_n = 4, .levels_n = {10, 8, 5, 6}, .seed = 3, .valid = needle};
    struct red_covering_array array = made(&spec);
    assert_int_equal(array.rows_n, 1);
    assert_int_equal(array.pairs_n, 6);
    assert_int_equal(array.impossible_n, 10 * 8 + 10 * 5 + 10 * 6 + 8 * 5 + 8 * 6 + 5 * 6 - 6);
    red_covering_array_clear(&array);
}

static size_t combinations(const struct red_covering_array *array, size_t shared_n) {
    size_t n = 0;
    for (size_t i = 0; i < array->rows_n; i++) {
        size_t j = 0;
        while (j < i && memcmp(array->rows[i], array->rows[j], shared_n) != 0)
            j++;
        n += i == j;
    }
    return n;
}

/* As data are: half of them for two of the types alone, and at every third size. */
static bool data_are_scarce(const void *context, const unsigned char *levels) {
    return levels[4] < 5 || (levels[0] >= 2 && (levels[3] + levels[4]) % 3 == 0);
}

/* 4 x 2 x 7 has 56 combinations, and 28 of them hold all pairs. */
static void shared_factors_are_seldom_combined_anew(void **state) {
    struct red_covering_spec spec = {
        .factors_n = 5, .levels_n = {4, 2, 7, 70, 10}, .shared_n = 3, .seed = 5, .valid = all_valid};
    struct red_covering_array array = made(&spec);
    assert_int_equal(uncovered(&spec, &array), 0);
    assert_in_range(combinations(&array, 3), 28, 34);
    assert_in_range(array.rows_n, 700, 770);
    red_covering_array_clear(&array);
}

static void every_row_has_a_pair_that_no_other_has(void **state) {
    struct red_covering_spec spec = {
        .factors_n = 5, .levels_n = {4, 2, 7, 30, 10}, .shared_n = 3, .seed = 5, .valid = data_are_scarce};
    struct red_covering_array array = made(&spec);
    for (size_t i = 0; i < array.rows_n; i++) {
        unsigned char row[RED_FACTORS_MAX];
        size_t pairs_n = 0;
        memcpy(row, array.rows[i], sizeof row);
        memcpy(array.rows[i], array.rows[i ? 0 : 1], sizeof row); /* as if it were not there */
        assert_true(red_covering_array_count(&spec, (const unsigned char(*)[RED_FACTORS_MAX])array.rows,
                                             array.rows_n, &pairs_n));
        assert_true(pairs_n < array.pairs_n);
        memcpy(array.rows[i], row, sizeof row);
    }
    red_covering_array_clear(&array);
}

/* 4 x 7 pairs need 28 combinations of the shared factors; that much data is impossible here costs none more.
 */
static void greed_is_not_led_astray_by_what_is_impossible(void **state) {
    struct red_covering_spec spec = {
        .factors_n = 5, .levels_n = {4, 2, 7, 70, 10}, .shared_n = 3, .seed = 5, .valid = data_are_scarce};
    for (spec.seed = 1; spec.seed <= 5; spec.seed++) {
        struct red_covering_array array = made(&spec);
        assert_int_equal(uncovered(&spec, &array), array.impossible_n);
        assert_int_equal(combinations(&array, 3), 28);
        red_covering_array_clear(&array);
    }
}

static void given_rows_come_first_and_cover_their_pairs(void **state) {
    const unsigned char given[][RED_FACTORS_MAX] = {{1, 1, 1}, {1, 1, 1}, {4, 3, 2}};
    struct red_covering_spec spec = {.factors_n = 3,
                                     .levels_n = {5, 4, 3},
                                     .shared_n = 1,
                                     .seed = 2,
                                     .given = given,
                                     .given_n = 3,
                                     .valid = all_valid};
    struct red_covering_array array = made(&spec);
    assert_int_equal(uncovered(&spec, &array), 0);
    assert_memory_equal(array.rows, given, sizeof given); /* the spare second one is kept, too */
    spec.given_n = 0;
    struct red_covering_array alone = made(&spec);
    assert_true(array.rows_n <= alone.rows_n + 2); /* no pair of theirs is covered again */
    red_covering_array_clear(&array);
    red_covering_array_clear(&alone);
}

static void pairs_of_rows_are_counted_once(void **state) {
    struct red_covering_spec spec = {.factors_n = 3, .levels_n = {2, 2, 2}};
    const unsigned char rows[][RED_FACTORS_MAX] = {{0, 0, 0}, {0, 0, 1}, {0, 0, 0}};
    size_t pairs_n = 0;
    assert_true(red_covering_array_count(&spec, rows, 3, &pairs_n));
    assert_int_equal(pairs_n, 5);
    assert_true(red_covering_array_count(&spec, rows, 0, &pairs_n));
    assert_int_equal(pairs_n, 0);
}

static void the_same_seed_chooses_the_same(void **state) {
    struct red_covering_spec spec = {.factors_n = 4, .levels_n = {7, 5, 6, 3}, .seed = 9, .valid = all_valid};
    struct red_covering_array a = made(&spec), b = made(&spec);
    assert_int_equal(a.rows_n, b.rows_n);
    for (size_t i = 0; i < a.rows_n; i++)
        assert_memory_equal(a.rows[i], b.rows[i], spec.factors_n);
    red_covering_array_clear(&a);
    red_covering_array_clear(&b);
}
