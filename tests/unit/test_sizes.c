#include "tests/unit/testing.h"

#include "core/select.h"

static void expect_list(const char *text, const uint64_t *values, size_t n) {
    struct red_sizes sizes;
    struct red_error error;
    assert_int_equal(red_sizes_parse("--n", text, &sizes, &error), RED_OK);
    assert_int_equal(sizes.n, n);
    for (size_t i = 0; i < n; i++)
        assert_true(sizes.values[i] == values[i]);
    red_sizes_clear(&sizes);
}
#define EXPECT(text, ...) expect_list(text, (uint64_t[]){__VA_ARGS__}, sizeof((uint64_t[]){__VA_ARGS__}) / 8)

static void every_form_is_read(void **state) {
    EXPECT("0", 0);
    EXPECT("1000,7,1000", 7, 1000);
    EXPECT("2^10", 1024);
    EXPECT("2^24+1,2^24-1", 16777215, 16777217);
    EXPECT("3..25", 3, 6, 12, 24);
    EXPECT("2^10..2^16:x4", 1024, 4096, 16384, 65536);
    EXPECT("0..8:+3", 0, 3, 6);
    EXPECT("5..5", 5);
    EXPECT("18446744073709551615", UINT64_MAX);
    EXPECT("2^63..18446744073709551615", UINT64_C(1) << 63);
    EXPECT("18446744073709551614..18446744073709551615:+1", UINT64_MAX - 1, UINT64_MAX);
}

static void malformed_lists_are_refused(void **state) {
    static const char *const wrong[] = {
        "",
        ",",
        "5,",
        "abc",
        "2^",
        "2^64",
        "10..5",
        "1..10:x1",
        "1..10:+0",
        "1..10:y2",
        " 5",
        "5 ",
        "-1",
        "1e6",
        "1..",
        "..5",
        "0..8",
        "0..8:x2",
        "1...5",
        "2^3-9",
        "2^63+18446744073709551615",
        "18446744073709551616",
        "0x10",
        "1..5:x",
        "1..5:",
        "5;6",
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        struct red_sizes sizes = {0};
        struct red_error error;
        assert_told(wrong[i], red_sizes_parse("--n", wrong[i], &sizes, &error), &error, "--n");
    }
}

static void a_list_has_an_end(void **state) {
    struct red_sizes sizes;
    struct red_error error;
    assert_int_equal(red_sizes_parse("--n", "1..4096:+1", &sizes, &error), RED_OK);
    red_sizes_clear(&sizes);
    assert_told("1..4097:+1", red_sizes_parse("--n", "1..4097:+1", &sizes, &error), &error, "4096");
}

static bool grid_holds(uint64_t group_size, uint64_t n) {
    for (size_t i = 0; i < red_size_points_n; i++)
        if (red_size_of_point(&red_size_points[i], group_size) == n)
            return true;
    return false;
}

static void the_grid_holds_what_breaks_kernels(void **state) {
    static const uint64_t group_sizes[] = {1, 7, 100, 256};
    static const uint64_t fixed[] = {0, 1, 2, 13, 1021, 1023, 1024, 1025, 65535, 1048575, 1048577, 17039361};
    for (size_t g = 0; g < sizeof group_sizes / sizeof group_sizes[0]; g++) {
        for (size_t i = 0; i < sizeof fixed / sizeof fixed[0]; i++)
            assert_true(grid_holds(group_sizes[g], fixed[i]));
        for (uint64_t groups = 1; groups <= 3; groups++)
            for (uint64_t n = groups * group_sizes[g] - 1; n <= groups * group_sizes[g] + 1; n++)
                assert_true(grid_holds(group_sizes[g], n));
        assert_true(grid_holds(group_sizes[g], 17 * group_sizes[g] + 1));
    }
}

/* Tails of loops and of vectors are cut at these; the group size lends none of its own. */
static void no_remainder_is_missing(void **state) {
    for (uint64_t k = 2; k <= 16; k++)
        for (uint64_t rest = 0; rest < k; rest++) {
            bool found = false;
            for (size_t i = 0; i < red_size_points_n && !found; i++)
                found =
                    red_size_points[i].groups == 0 && red_size_of_point(&red_size_points[i], 1) % k == rest;
            if (!found)
                fail_msg("no n of the grid leaves %d modulo %d", (int)rest, (int)k);
        }
}

static void sizes_are_written_as_people_say_them(void **state) {
    static const struct {
        uint64_t n;
        const char *text;
    } rows[] = {
        {0, "0"},         {1, "1"},       {512, "512"},         {1023, "2^10-1"},           {1024, "2^10"},
        {1025, "2^10+1"}, {1000, "1000"}, {16777217, "2^24+1"}, {UINT64_C(1) << 40, "2^40"}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        assert_string_equal(red_size_text(rows[i].n).text, rows[i].text);
}

static void a_size_has_its_place(void **state) {
    const uint64_t sizes[] = {1, 4, 9};
    assert_int_equal(red_sizes_count_below(sizes, 0, 4), 0);
    assert_int_equal(red_sizes_count_below(sizes, 3, 0), 0);
    assert_int_equal(red_sizes_count_below(sizes, 3, 1), 0);
    assert_int_equal(red_sizes_count_below(sizes, 3, 4), 1);
    assert_int_equal(red_sizes_count_below(sizes, 3, 5), 2);
    assert_int_equal(red_sizes_count_below(sizes, 3, 10), 3);
}
