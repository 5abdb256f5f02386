#include "tests/unit/testing.h"

#include <gsl/gsl_rng.h>

#include "model/axes.h"

static const struct red_strategy strategies[] = {{.name = "tree"}, {.name = "chunk"}, {.name = "tree_loop"}};
static const char *const devices[] = {"pocl", "intel", "intel.1"};
static const char *const shapes[] = {"", "segments:3x7", "iterate:5"};
static const char *const collectives[] = {"", "mpi_reduce", "exact"};
static const char *const scalings[] = {"", "weak", "other"};
static const char *const data[] = {"", "one bin", "sorted"};

enum { VALUES_N = 3, PLACES_N = 40, SEEDS_N = 20 };

/* Puts the i-th value of an axis into a place: three for each axis, all different. A new axis needs a row. */
static void set_value(struct red_at *at, enum red_axis axis, size_t i) {
    switch (axis) {
    case RED_AXIS_DEVICE:
        at->device = devices[i];
        return;
    case RED_AXIS_STRATEGY:
        at->strategy = &strategies[i];
        return;
    case RED_AXIS_OP:
        at->op = &red_ops[i];
        return;
    case RED_AXIS_TYPE:
        at->dtype = &red_dtypes[i];
        return;
    case RED_AXIS_SHAPE:
        snprintf(at->shape, sizeof at->shape, "%s", shapes[i]);
        return;
    case RED_AXIS_BINS:
        at->bins_n = (unsigned)(7 * i);
        return;
    case RED_AXIS_DATA:
        snprintf(at->data, sizeof at->data, "%s", data[i]);
        return;
    case RED_AXIS_ASKED:
        at->asked = (struct red_tuning){.group_size = 64 * i, .groups_n = i / 2};
        return;
    case RED_AXIS_RANKS:
        at->ranks_n = (unsigned)(2 * i);
        return;
    case RED_AXIS_COLLECTIVE:
        snprintf(at->collective, sizeof at->collective, "%s", collectives[i]);
        return;
    case RED_AXIS_SCALING:
        snprintf(at->scaling, sizeof at->scaling, "%s", scalings[i]);
        return;
    case RED_AXIS_N:
        at->n = 100 * i;
        return;
    case RED_AXES_N:
        break;
    }
    fail_msg("axis %d (%s) has no values here", (int)axis, red_axis_key(axis));
}

static struct red_at random_place(gsl_rng *random) {
    struct red_at at = {.n = 0};
    for (int axis = 0; axis < RED_AXES_N; axis++)
        set_value(&at, (enum red_axis)axis, gsl_rng_uniform_int(random, VALUES_N));
    return at;
}

static struct red_short_text name_of(const struct red_at *at, unsigned axes) {
    struct red_short_text made;
    red_at_name(at, axes, made.text, sizeof made.text);
    return made;
}

/* Results that differ in one axis are two by that axis, in every order, name and column, and one without it.
 */
static void one_axis_tells_apart(void **state) {
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    for (uint64_t seed = 1; seed <= SEEDS_N; seed++)
        for (int axis = 0; axis < RED_AXES_N; axis++)
            for (size_t value = 0; value < VALUES_N; value++) {
                gsl_rng_set(random, seed);
                struct red_at a = random_place(random), b = a;
                set_value(&a, (enum red_axis)axis, value);
                set_value(&b, (enum red_axis)axis, (value + 1) % VALUES_N);
                const unsigned only = 1u << axis, others = RED_AT_ALL & ~only;
                assert_true(red_at_compare(&a, &b, RED_AT_ALL) * red_at_compare(&b, &a, RED_AT_ALL) < 0);
                assert_true(red_at_compare(&a, &b, only) * red_at_compare(&b, &a, only) < 0);
                assert_int_equal(red_at_compare(&a, &b, others), 0);
                assert_true(red_at_is_same(&a, &b, others) && !red_at_is_same(&a, &b, only));
                assert_int_equal(red_at_difference(&a, &b, RED_AT_ALL), only);
                assert_int_equal(red_at_difference(&a, &b, others), 0);
                const struct red_at one = red_at_projection(&a, only), rest = red_at_projection(&a, others);
                assert_int_equal(red_at_difference(&one, &a, only), 0);
                assert_int_equal(red_at_difference(&rest, &a, others), 0);
                assert_int_equal(red_at_difference(&one, &(struct red_at){.n = 0}, others), 0);
                assert_string_not_equal(name_of(&a, RED_AT_ALL).text, name_of(&b, RED_AT_ALL).text);
                assert_string_equal(name_of(&a, others).text, name_of(&b, others).text);
                assert_string_not_equal(red_axis_text(&a, (enum red_axis)axis).text,
                                        red_axis_text(&b, (enum red_axis)axis).text);
            }
    gsl_rng_free(random);
}

/* Whatever axes count, the order is one: antisymmetric and transitive. */
static void the_order_is_one(void **state) {
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    for (uint64_t seed = 1; seed <= SEEDS_N; seed++) {
        struct red_at places[PLACES_N];
        gsl_rng_set(random, seed);
        for (size_t i = 0; i < PLACES_N; i++)
            places[i] = random_place(random);
        const unsigned axes = (unsigned)gsl_rng_uniform_int(random, RED_AT_ALL + 1);
        for (size_t i = 0; i < PLACES_N; i++)
            for (size_t j = 0; j < PLACES_N; j++) {
                const int order = red_at_compare(&places[i], &places[j], axes);
                const int back = red_at_compare(&places[j], &places[i], axes);
                assert_int_equal((order > 0) - (order < 0), (back < 0) - (back > 0));
                for (size_t k = 0; k < PLACES_N; k++)
                    if (order <= 0 && red_at_compare(&places[j], &places[k], axes) <= 0)
                        assert_true(red_at_compare(&places[i], &places[k], axes) <= 0);
            }
    }
    gsl_rng_free(random);
}

/* The names that files of --export, policies and histories have. */
static void names_are_as_they_were(void **state) {
    struct red_at at = {.device = "pocl.0",
                        .strategy = &strategies[0],
                        .op = red_op_find("sum"),
                        .dtype = red_dtype_find("f32"),
                        .n = 4096};
    assert_string_equal(name_of(&at, RED_AT_ALL).text, "pocl.0/tree/sum/f32/n:4096");
    assert_string_equal(name_of(&at, RED_AT(STRATEGY) | RED_AT(N)).text, "tree/n:4096");
    at.asked = (struct red_tuning){.group_size = 64, .groups_n = 8, .width = 16, .loads = 4};
    snprintf(at.shape, sizeof at.shape, "segments:30x4096");
    assert_string_equal(name_of(&at, RED_AT_ALL).text,
                        "pocl.0/tree/sum/f32/segments:30/wg:64/groups:8/lanes:16x4/n:4096");
    assert_string_equal(red_axis_text(&at, RED_AXIS_ASKED).text, ":64:g8:16x4");
    at = (struct red_at){.device = "pocl.0", .strategy = &strategies[0], .op = red_op_find("count")};
    at.bins_n = 7;
    snprintf(at.data, sizeof at.data, "half in one");
    assert_string_equal(name_of(&at, RED_AT_ALL & ~RED_AT(TYPE)).text,
                        "pocl.0/tree/count/bins:7/data:half-in-one/n:0");
    at = (struct red_at){.device = "pocl.0",
                         .strategy = &strategies[0],
                         .op = red_op_find("sum"),
                         .dtype = red_dtype_find("f32"),
                         .ranks_n = 4,
                         .collective = "mpi_reduce",
                         .scaling = RED_SCALING_WEAK,
                         .n = 4096};
    assert_string_equal(name_of(&at, RED_AT_ALL).text, "pocl.0/tree/sum/f32/ranks:4/mpi_reduce/weak/n:4096");
    at.scaling[0] = '\0';
    assert_string_equal(red_axis_text(&at, RED_AXIS_SCALING).text, "strong");
}

static void a_shape_is_known_by_its_text(void **state) {
    static const struct {
        const char *shape, *text;
        enum red_shape_kind kind;
    } rows[] = {{"", "array", RED_SHAPE_ARRAY},
                {"array", "array", RED_SHAPE_ARRAY},
                {"segments:30x7", "segments", RED_SHAPE_SEGMENTS},
                {"computed:1048576x160", "computed", RED_SHAPE_COMPUTED},
                {"iterate:100", "iterate:100", RED_SHAPE_ITERATE},
                {"changed:7", "changed:7", RED_SHAPE_CHANGED},
                {"another:3", "array", RED_SHAPE_ARRAY}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct red_at at = {.n = 1};
        snprintf(at.shape, sizeof at.shape, "%s", rows[i].shape);
        assert_int_equal(red_at_shape_kind(&at), rows[i].kind);
        assert_string_equal(red_at_shape(&at).text, rows[i].text);
    }
}

/* A strategy, operation or type that its list lacks is not chosen, whatever the other lists have. */
static void lists_choose_places(void **state) {
    (void)state;
    const struct red_at at = {.strategy = &strategies[0], .op = &red_ops[0], .dtype = &red_dtypes[0]};
    char own[64], other[64];
    snprintf(own, sizeof own, "%s,%s", red_dtypes[1].name, red_dtypes[0].name);
    snprintf(other, sizeof other, "%s,%s", red_dtypes[1].name, red_dtypes[2].name);
    assert_true(red_at_is_chosen(&at, NULL, NULL, NULL));
    assert_true(red_at_is_chosen(&at, "chunk,tr*", red_ops[0].name, own));
    assert_false(red_at_is_chosen(&at, "chunk,tree_*", red_ops[0].name, own));
    assert_false(red_at_is_chosen(&at, "tree", red_ops[1].name, own));
    assert_false(red_at_is_chosen(&at, "tree", red_ops[0].name, other));
    /* A query has no strategy, and is asked without a list of them. */
    const struct red_at query = {.op = &red_ops[0], .dtype = &red_dtypes[0]};
    assert_true(red_at_is_chosen(&query, NULL, red_ops[0].name, NULL));
}

static void a_title_says_what_is_not_usual(void **state) {
    const struct red_at usual = {.op = red_op_find("sum"), .dtype = red_dtype_find("f32"), .shape = "array"},
                        at = {.op = red_op_find("count"),
                              .dtype = red_dtype_find("u32"),
                              .shape = "segments:30x7",
                              .bins_n = 7,
                              .data = "sorted",
                              .ranks_n = 4};
    assert_string_equal(red_at_title(&usual, RED_AT_ALL).text, "sum of f32");
    assert_string_equal(
        red_at_title(&at, RED_AT_ALL).text,
        "count of u32 in 7 bins with sorted data, shape segments:30x7 over 4 ranks, strong scaling");
    assert_string_equal(red_at_title(&at, RED_AT(BINS) | RED_AT(RANKS)).text,
                        "count of u32 in 7 bins over 4 ranks, strong scaling");
    assert_string_equal(red_at_title(&at, 0).text, "count of u32");
}
