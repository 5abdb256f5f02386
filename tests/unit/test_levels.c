#include "tests/unit/testing.h"

#include "core/random.h"
#include "core/select.h"
#include "model/input.h"
#include "verify/verify_private.h"

/* A drawn parameter space: a few strategies, of which nothing but their number matters here, types and
 * operations, group sizes with lanes, n of the grid, and all data. */
struct drawn_space {
    enum red_primitive primitive;
    const struct red_dtype *types[8];
    const struct red_op *ops[8];
    size_t group_sizes[10];
    size_t levels_n[RED_FACTORS_MAX];
    size_t data_first;
    unsigned bins[4];
    uint64_t seed;
};

static struct red_check check_of_row(const struct drawn_space *space, const unsigned char *row) {
    static const uint64_t groups[] = {0, 2, 3, 17, 67};
    static const unsigned widths[] = {0, 1, 4, 16};
    const size_t group_size = space->group_sizes[row[RED_FACTOR_GROUP_SIZE]];
    struct red_check check = {
        .dtype = space->types[row[RED_FACTOR_TYPE]],
        .op = space->ops[row[RED_FACTOR_OP]],
        .tuning = {.group_size = group_size,
                   .groups_n = groups[(row[RED_FACTOR_SIZE] + row[RED_FACTOR_DATA]) % 5],
                   .width = widths[row[RED_FACTOR_GROUP_SIZE] % 4],
                   .loads = widths[row[RED_FACTOR_GROUP_SIZE] % 4] > 0},
        .n = red_size_of_point(&red_size_points[row[RED_FACTOR_SIZE]], group_size),
        .segments_n = 1,
        .data_kind = red_data_levels[space->data_first + row[RED_FACTOR_DATA]]};
    if (space->primitive == RED_PRIMITIVE_HISTOGRAM)
        check.bins_n = space->bins[row[RED_FACTOR_GROUP_SIZE] % 4];
    memcpy(check.levels, row, RED_CHECK_FACTORS);
    return check;
}

static bool admits(const void *context, const unsigned char *row) {
    const struct red_check check = check_of_row(context, row);
    return red_op_check_n(check.op, check.dtype, check.n, NULL) == RED_OK &&
           red_pattern_fits(check.data_kind.pattern, check.op, check.dtype) &&
           (check.data_kind.pattern != RED_PATTERN_PART ||
            check.data_kind.part < red_data_kind_parts_n(check.op, check.dtype, check.n));
}

static struct drawn_space draw_space(enum red_primitive primitive, uint64_t seed) {
    static const size_t group_sizes[] = {1, 7, 32, 64, 100, 256, 31, 96, 4096, 33};
    uint64_t random = seed;
    struct drawn_space space = {.primitive = primitive, .seed = seed, .bins = {1, 256, 7, 4096}};
    memcpy(space.group_sizes, group_sizes, sizeof group_sizes);
    const size_t types_n = 1 + red_random(&random) % 4, ops_n = 1 + red_random(&random) % 3;
    for (size_t i = 0, first = red_random(&random); i < types_n; i++)
        space.types[i] = &red_dtypes[(first + i) % red_dtypes_n];
    size_t found_n = 0;
    for (size_t i = 0; i < red_ops_n && found_n < ops_n; i++)
        if (red_ops[i].primitive == primitive)
            space.ops[found_n++] = &red_ops[i];
    space.data_first = primitive == RED_PRIMITIVE_HISTOGRAM ? RED_DATA_EDGES : 0;
    const size_t levels_n[] = {1 + red_random(&random) % 5,
                               types_n,
                               found_n,
                               2 + red_random(&random) % 9,
                               red_size_points_n,
                               primitive == RED_PRIMITIVE_REDUCE ? RED_DATA_NANS : RED_DATA_LEVELS_N};
    memcpy(space.levels_n, levels_n, sizeof levels_n);
    space.levels_n[RED_FACTOR_DATA] -= space.data_first;
    return space;
}

/* The plan of a covering choice of the space, and beside it, as verify has them, more data of few elements.
 */
static struct red_test_plan make_plan(const struct drawn_space *space) {
    struct red_test_plan plan = {.n = 0};
    struct red_covering_spec spec = {.factors_n = RED_CHECK_FACTORS,
                                     .shared_n = RED_PROGRAM_FACTORS,
                                     .seed = space->seed,
                                     .valid = admits,
                                     .context = space};
    struct red_covering_array array;
    struct red_error error;
    memcpy(spec.levels_n, space->levels_n, sizeof spec.levels_n);
    memcpy(plan.levels_n, space->levels_n, sizeof plan.levels_n);
    assert_ok(red_covering_array_make(&spec, &array, &error), &error);
    for (size_t i = 0; i < array.rows_n; i++) {
        struct red_check check = check_of_row(space, array.rows[i]);
        assert_true(red_test_plan_append(&plan, &check));
        check.is_extra = true;
        check.n = 3 + i % 200;
        check.prefixes_n = 64;
        check.data_kind = red_exact_data_kind(check.op, check.dtype, check.n, 0);
        assert_true(red_test_plan_append(&plan, &check));
    }
    red_covering_array_clear(&array);
    assert_true(red_test_plan_sort_covering(&plan));
    return plan;
}

/* A call for these elements of a kernel that takes 50 ms for 2^20. */
static double linear_s(uint64_t n) {
    return 0.05 * (double)n / (1 << 20);
}

static void clear(struct red_levels *levels, size_t n) {
    for (size_t s = 0; s < n; s++)
        red_levels_clear(&levels[s]);
}

/* How many checks a strategy makes until no level of its own is left; all before the first that is of pairs
 * alone. */
static void judge_plan(const struct drawn_space *space, const struct red_test_plan *plan) {
    const size_t strategies_n = space->levels_n[RED_FACTOR_STRATEGY];
    struct red_levels levels[8] = {{.of = {{.n = 0}}}};
    size_t left_n, made_n[8] = {0};
    double spent_s[8] = {0};
    for (size_t i = 0; i < plan->n; i++)
        assert_true(red_levels_add(&levels[plan->rows[i].levels[RED_FACTOR_STRATEGY]], &plan->rows[i]));
    for (size_t i = 0; i < plan->n; i++) {
        const struct red_check *check = &plan->rows[i];
        const size_t s = check->levels[RED_FACTOR_STRATEGY], levels_n = red_levels_count(&levels[s], &left_n);
        assert_true(levels_n >= red_size_points_n - 1);
        if (!check->is_of_levels && left_n > 0)
            fail_msg("seed %llu: row %zu is of pairs, and %zu levels of strategy %zu lack",
                     (unsigned long long)space->seed, i, left_n, s);
        if (check->is_of_levels) {
            made_n[s] += !check->repeats;
            spent_s[s] += check->repeats ? 0 : red_check_calls_n(check) * linear_s(check->n);
            red_levels_settle(&levels[s], check);
        }
    }
    for (size_t s = 0; s < strategies_n; s++) {
        /* Each n is one check at least; other levels come with these. */
        assert_in_range(made_n[s], 1, 2 * red_size_points_n);
        assert_true(spent_s[s] < RED_VERIFY_SHARE_S);
        (void)red_levels_count(&levels[s], &left_n);
        assert_int_equal(left_n, 0);
    }
    clear(levels, strategies_n);
}

static void every_level_comes_before_any_pair(void **state) {
    uint64_t seed = seed_of_run();
    for (unsigned i = 0; i < 12; i++) {
        const struct drawn_space space = draw_space((enum red_primitive)(i % RED_PRIMITIVES_N), seed + i);
        struct red_test_plan plan = make_plan(&space);
        judge_plan(&space, &plan);
        red_test_plan_clear(&plan);
    }
}

/* The largest n of a single strategy comes before its pairs, and small n before that. */
static void the_largest_n_is_among_the_first(void **state) {
    struct drawn_space space = draw_space(RED_PRIMITIVE_REDUCE, seed_of_run());
    space.levels_n[RED_FACTOR_STRATEGY] = 1;
    struct red_test_plan plan = make_plan(&space);
    const struct red_size_point *last = &red_size_points[red_size_points_n - 1];
    size_t at = 0;
    while (at < plan.n && plan.rows[at].n < red_size_of_point(last, 1))
        at++;
    assert_true(at < plan.n && plan.rows[at].is_of_levels && at > 0 && plan.rows[0].n < 1 << 16);
    assert_true(at < 2 * red_size_points_n);
    red_test_plan_clear(&plan);
}

/* Rows of equal checks stay side by side, so that one is made and the others repeat it. */
static void equal_checks_are_made_once(void **state) {
    struct drawn_space space = draw_space(RED_PRIMITIVE_REDUCE, seed_of_run());
    struct red_test_plan plan = make_plan(&space);
    for (size_t i = 0; i < plan.n; i++)
        for (size_t j = i + 1; j < plan.n; j++) {
            const struct red_check *a = &plan.rows[i], *b = &plan.rows[j];
            const bool alike =
                memcmp(a->levels, b->levels, RED_PROGRAM_FACTORS) == 0 && a->n == b->n &&
                a->prefixes_n == b->prefixes_n && red_tuning_compare(&a->tuning, &b->tuning) == 0 &&
                a->data_kind.pattern == b->data_kind.pattern && a->data_kind.part == b->data_kind.part;
            if (alike && !b->repeats)
                fail_msg("rows %zu and %zu are both made", i, j);
        }
    red_test_plan_clear(&plan);
}

/* The words name what is most telling first, and how many there are beside those. */
static void levels_that_lack_are_named(void **state) {
    struct red_levels levels = {.of = {{.n = 0}}};
    struct red_check check = {.dtype = red_dtype_find("i32"),
                              .op = red_op_find("sum"),
                              .n = 17,
                              .segments_n = 1,
                              .tuning = {.group_size = 64},
                              .data_kind = {RED_PATTERN_WEIGHTS, 0}};
    char text[RED_UNCHECKED_BYTES];
    size_t left_n;
    assert_true(red_levels_add(&levels, &check));
    red_levels_settle(&levels, &check);
    red_levels_left_format(&levels, 4, text, sizeof text);
    assert_string_equal(text, "");
    check.n = 1 << 20;
    check.levels[RED_FACTOR_SIZE] = 1;
    check.dtype = red_dtype_find("f64");
    check.tuning.group_size = 96;
    check.segments_n = 66301;
    assert_true(red_levels_add(&levels, &check));
    assert_int_equal(red_levels_count(&levels, &left_n), RED_LEVEL_AXES_N + 4);
    assert_int_equal(left_n, 4);
    red_levels_left_format(&levels, 2, text, sizeof text);
    assert_string_equal(text, "n = 1048576, type f64 and 2 more");
    red_levels_left_format(&levels, 4, text, sizeof text);
    assert_string_equal(text, "n = 1048576, type f64, group size 96, 66301 segments");
    red_levels_clear(&levels);
}

/* A scan of nothing has no results: nothing is launched, and no level is checked by it. */
static void a_check_that_launches_nothing_has_no_levels(void **state) {
    struct red_levels levels = {.of = {{.n = 0}}};
    struct red_check check = {.dtype = red_dtype_find("i32"), .op = red_op_find("inclusive_sum"), .n = 0};
    size_t left_n;
    assert_false(red_check_launches(&check));
    assert_true(red_levels_add(&levels, &check));
    assert_int_equal(red_levels_count(&levels, &left_n), 0);
    check.n = 1;
    assert_true(red_check_launches(&check));
    check.n = 0;
    check.op = red_op_find("sum");
    assert_true(red_check_launches(&check));
    check.op = red_op_find("count");
    check.bins_n = 1;
    assert_true(red_check_launches(&check));
    red_levels_clear(&levels);
}
