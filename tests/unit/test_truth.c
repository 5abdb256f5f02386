#include "tests/unit/testing.h"

#include <time.h>

#include "oracle/truth.h"
#include "tests/unit/catalogue.h"
#include "tests/unit/made_input.h"

static struct red_truth truth_of(const char *type, enum red_pattern pattern, uint64_t n) {
    struct red_input input = made_input(red_op_find("sum"), red_dtype_find(type), kind_of(pattern), n, 1);
    struct red_truth truth;
    red_truth_find(&input, &truth);
    red_input_clear(&input);
    return truth;
}

static void the_exact_tier_takes_no_neighbour(void **state) {
    struct red_truth truth = truth_of("f32", RED_PATTERN_WEIGHTS, 1000);
    struct red_value value = red_truth_value(&truth), zero = {.bits = 0};
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
    struct red_truth truth = truth_of("f64", RED_PATTERN_UNIFORM, 1000);
    struct red_value value = red_truth_value(&truth);
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
    struct red_truth truth = truth_of("i32", RED_PATTERN_UNIFORM, 100000);
    struct red_value value = red_truth_value(&truth);
    assert_true(truth.integer >> 32 != 0); /* the sum left the type */
    assert_true(red_truth_check(&truth, 0, value).right);
    value.i32 ^= 1;
    assert_false(red_truth_check(&truth, 1e9, value).right);
}

static double chain_of(const char *name, const char *op, struct red_geometry geometry, uint64_t n) {
    return red_bound_chain(red_catalogue_find(catalogue, name), red_dtype_find("f64"), red_op_find(op),
                           &geometry, n);
}

/* By hand, from the stages: item + group + finish (+ 1 for the product). */
static void chains_are_those_of_the_stages(void **state) {
    struct red_geometry one = {.group_size = 1, .groups_n = 1, .item_n = 1000, .lanes = 1},
                        each = {.group_size = 100, .groups_n = 10, .item_n = 1, .lanes = 1},
                        stride = {.group_size = 256, .groups_n = 8, .item_n = 1600, .lanes = 16},
                        wide = {.group_size = 256, .groups_n = 8, .item_n = 1600, .lanes = 64};
    assert_true(chain_of("serial", "sum", one, 1000) == 999);
    assert_true(chain_of("serial", "dot", one, 1000) == 1000);
    assert_true(chain_of("tree", "sum", each, 1000) == 0 + 7 + 9);
    assert_true(chain_of("tree_passes", "sum", each, 1000) == 0 + 7 + 7);
    assert_true(chain_of("cmpxchg_item", "sum", each, 1000) == 0 + 0 + 1000);
    assert_true(chain_of("cmpxchg_item", "sum", each, 990) ==
                0 + 0 + 990); /* ten items have nothing to add */
    assert_true(chain_of("cmpxchg_item", "sum", each, 5000) == 0 + 0 + 1000);
    assert_true(chain_of("wg_reduce", "sum", each, 1000) == 0 + 99 + 9);
    assert_true(chain_of("grid_stride_vec", "sum", stride, 3276800) == (100 + 2 * 15) + 8 + 7);
    assert_true(chain_of("cmpxchg_group", "sum", stride, 3276800) == (100 + 2 * 15) + 8 + 8);
    assert_true(chain_of("grid_stride_vec", "sum", wide, 3276800) == (25 + 2 * 63) + 8 + 7);
    struct red_geometry few = {.group_size = 256, .groups_n = 8, .item_n = 20, .lanes = 16};
    assert_true(chain_of("grid_stride_vec", "sum", few, 20 * 2048) == 19 + 8 + 7); /* no order has more */
}

/* The longest chain of an item that loads `vectors` in rounds of `rows`, the rest into the first of them,
 * folds the lanes one after the other, and then adds a tail: the worst that the kernels' text allows. */
static double worst_chain(uint64_t vectors, unsigned rows, unsigned lanes, uint64_t tail_n) {
    uint64_t adds = vectors / rows + vectors % rows, taken_n = vectors * (lanes / rows) + tail_n;
    double chain = (adds > 0 ? (double)adds - 1 : 0) + lanes - 1 + (double)tail_n;
    return fmin(chain, taken_n > 1 ? (double)taken_n - 1 : 0); /* adding to zero is exact */
}

static double item_chain(unsigned lanes, uint64_t item_n) {
    struct red_strategy s = {.finish = RED_STRATEGY_HOST};
    struct red_geometry alone = {.group_size = 1, .groups_n = 1, .item_n = item_n, .lanes = lanes};
    return red_bound_chain(&s, red_dtype_find("f32"), red_op_find("sum"), &alone, item_n);
}

/* Stride: items take vectors in turn, then single elements. Chunk (kernels_cl12/reduce/chunk.cl): blocks, the
 * tail last. */
static void no_item_takes_more_than_its_geometry_says(void **state) {
    static const struct red_geometry_limits limits = {
        .compute_units = 2, .is_cpu = true, .group_size_max = 64};
    static const unsigned widths[] = {1, 2, 4, 8, 16}, accumulators[] = {1, 2, 4, 8};
    for (size_t i = 0; i < 20; i++)
        for (uint64_t n = 0; n < 3000; n += n < 300 ? 1 : 37) {
            unsigned width = widths[i / 4], rows = accumulators[i % 4], lanes = width * rows;
            struct red_strategy s = {.lanes = 1, .width = 1, .loads = 1, .span = RED_STRATEGY_STRIDE};
            const struct red_tuning tuning = {.group_size = 1 + n % 3, .width = width, .loads = rows};
            struct red_geometry g;
            assert_int_equal(red_geometry_choose(&s, red_op_find("sum"), red_dtype_find("f32"), &limits,
                                                 &tuning, n, &g, NULL),
                             RED_OK);
            uint64_t items = g.groups_n * g.group_size, vectors = n / width, tail = n % width;
            for (uint64_t item = 0; item < items; item++) {
                uint64_t taken = vectors / items + (item < vectors % items);
                uint64_t single = tail / items + (item < tail % items);
                assert_true(taken * width + single <= g.item_n);
                assert_true(worst_chain(taken, rows, lanes, single) <= item_chain(lanes, g.item_n));
            }
            s.span = RED_STRATEGY_CHUNK;
            assert_int_equal(red_geometry_choose(&s, red_op_find("sum"), red_dtype_find("f32"), &limits,
                                                 &tuning, n, &g, NULL),
                             RED_OK);
            uint64_t block = lanes < 64 ? 64 : lanes, blocks = g.item_n / block, rest = g.item_n % block;
            assert_true(g.groups_n * g.group_size * (blocks + (rest > 0)) * block >= n);
            for (uint64_t cut = 0; cut < lanes && cut <= g.item_n; cut++) /* a piece that ends in a tail */
                assert_true(worst_chain((g.item_n - cut) / lanes * rows, rows, lanes,
                                        (g.item_n - cut) % lanes) <= item_chain(lanes, g.item_n));
        }
}

/* Data of span stride, and who adds what of it: item_n elements an item, in two groups. */
enum { COMPENSATED_GROUPS_N = 2, COMPENSATED_ITEMS_MAX = 512 };
static struct red_geometry two_groups(size_t group_size, uint64_t item_n) {
    return (struct red_geometry){
        .group_size = group_size, .groups_n = COMPENSATED_GROUPS_N, .item_n = item_n, .lanes = 1};
}

static double term_of(const struct red_input *input, uint64_t i) {
    const double x = input->dtype->get_real(input->arrays[0], i);
    return input->op->term == RED_TERM_SQUARE    ? x * x
           : input->op->term == RED_TERM_PRODUCT ? x * input->dtype->get_real(input->arrays[1], i)
                                                 : x;
}

/* The formula of oracle/truth.h, term by term, by long doubles. */
static double compensated_bound(const struct red_input *input, const struct red_geometry *geometry) {
    const bool is_double = input->dtype->digits == 53;
    const double u = is_double ? 0x1p-53 : 0x1p-24, levels = ceil(log2((double)geometry->group_size)),
                 hu = u * ((double)geometry->item_n - 1 + 2 * levels), gamma = hu / (1 - hu);
    long double groups[COMPENSATED_GROUPS_N] = {0}, absolute = 0, rounded = 0;
    for (uint64_t i = 0; i < input->n; i++) {
        const double term = term_of(input, i);
        groups[i / geometry->group_size % COMPENSATED_GROUPS_N] += term;
        absolute += fabs(term);
        if (!is_double && (double)(float)term != term)
            rounded += fabs(term);
    }
    const double by_groups = (double)(fabsl(groups[0]) + fabsl(groups[1])),
                 sum = (double)fabsl(groups[0] + groups[1]), by_host = is_double ? 1 : 0x1p-29;
    const bool is_mean = input->op->role == RED_ROLE_MEAN;
    const double error = u * (1 + by_host) * by_groups + (is_mean ? u * sum : 0) + u * (double)rounded +
                         gamma * gamma * (double)absolute;
    return (error + u * sum) / (is_mean ? (double)input->n : 1);
}

static double found_bound(const struct red_input *input, const struct red_geometry *geometry) {
    struct red_truth truth;
    red_truth_find(input, &truth);
    const double chain =
        red_bound_chain_of_data(red_catalogue_find(catalogue, "compensated"), geometry, input, &truth);
    return red_truth_check(&truth, chain, red_truth_value(&truth)).bound;
}

static void compensated_sums_have_the_bound_of_their_groups(void **state) {
    static const char *const types[] = {"f16", "f32", "f64"}, *const ops[] = {"sum", "mean", "dot", "sumsq"};
    static const enum red_pattern patterns[] = {RED_PATTERN_UNIFORM, RED_PATTERN_CANCELLING, RED_PATTERN_WIDE,
                                                RED_PATTERN_HUGE};
    const uint64_t seed = (uint64_t)time(NULL);
    print_message("seed %llu\n", (unsigned long long)seed);
    for (size_t i = 0; i < 3 * 4 * 4; i++) {
        const struct red_dtype *dtype = red_dtype_find(types[i % 3]);
        const struct red_op *op = red_op_find(ops[i / 3 % 4]);
        if (dtype->digits == 53 && op->term != RED_TERM_ELEMENT)
            continue; /* products of doubles have no exact type here */
        const struct red_geometry geometry = two_groups(1 + (seed + i) % 33, 64);
        const uint64_t n = COMPENSATED_GROUPS_N * geometry.group_size * geometry.item_n - seed % 2;
        struct red_input input = made_input(op, dtype, kind_of(patterns[i / 12]), n, seed);
        const double found = found_bound(&input, &geometry), expected = compensated_bound(&input, &geometry);
        assert_true(found >= expected && found < expected * (1 + 1e-3));
        red_input_clear(&input);
    }
}

/* A kernel of two groups: with corrections, or without. Values are of the type that T names, all operations
 * as they stand, as a device makes them. */
#define MODEL(T)                                                                                             \
    static void add_##T(T *sum, T *missing, T term) {                                                        \
        const T old = *sum, added = old + term, seen = added - old;                                          \
        *missing += (old - (added - seen)) + (term - seen);                                                  \
        *sum = added;                                                                                        \
    }                                                                                                        \
    static double sum_as_##T(const struct red_input *input, size_t group_size, bool corrected) {             \
        T sums[COMPENSATED_GROUPS_N * COMPENSATED_ITEMS_MAX] = {0},                                          \
                                      missings[COMPENSATED_GROUPS_N * COMPENSATED_ITEMS_MAX] = {0};          \
        const size_t items_n = COMPENSATED_GROUPS_N * group_size;                                            \
        double all = 0;                                                                                      \
        for (uint64_t i = 0; i < input->n; i++)                                                              \
            add_##T(&sums[i % items_n], &missings[i % items_n],                                              \
                    (T)input->dtype->get_real(input->arrays[0], i));                                         \
        for (size_t g = 0; g < COMPENSATED_GROUPS_N; g++) {                                                  \
            T *sum = sums + g * group_size, *missing = missings + g * group_size;                            \
            for (size_t width = group_size; width > 1; width = (width + 1) / 2)                              \
                for (size_t i = 0; i + (width + 1) / 2 < width; i++) {                                       \
                    add_##T(&sum[i], &missing[i], sum[i + (width + 1) / 2]);                                 \
                    missing[i] += missing[i + (width + 1) / 2];                                              \
                }                                                                                            \
            const T left = corrected ? sum[0] + missing[0] : sum[0];                                         \
            all += left;                                                                                     \
        }                                                                                                    \
        return (double)(T)all;                                                                               \
    }
MODEL(float)
MODEL(double)

/* Whether a sum by the model is within the bound. */
static bool is_model_right(const char *type, size_t group_size, uint64_t seed, bool corrected) {
    const struct red_dtype *dtype = red_dtype_find(type);
    const struct red_geometry geometry = two_groups(group_size, dtype->bits == 64 ? 1024 : 64);
    struct red_input input = made_input(red_op_find("sum"), dtype, kind_of(RED_PATTERN_CANCELLING),
                                        COMPENSATED_GROUPS_N * group_size * geometry.item_n, seed);
    struct red_truth truth;
    struct red_value got = {.bits = 0};
    red_truth_find(&input, &truth);
    dtype->put_real(&got, 0,
                    dtype->digits == 53 ? sum_as_double(&input, group_size, corrected)
                                        : sum_as_float(&input, group_size, corrected));
    const double chain =
        red_bound_chain_of_data(red_catalogue_find(catalogue, "compensated"), &geometry, &input, &truth);
    red_input_clear(&input);
    return red_truth_check(&truth, chain, got).right;
}

/* By the elements an item that verify takes. In a single check a plain sum of floats may be right by chance,
 * one time in a hundred or less. */
static void a_sum_without_its_correction_is_rejected(void **state) {
    static const size_t group_sizes[] = {8, 32, 100, 256, 512};
    const uint64_t first = (uint64_t)time(NULL);
    size_t lucky_n = 0;
    print_message("seed %llu\n", (unsigned long long)first);
    for (size_t i = 0; i < 5 * 10; i++) {
        const size_t group_size = group_sizes[i % 5];
        assert_true(is_model_right("f32", group_size, first + i, true));
        assert_true(is_model_right("f64", group_size, first + i, true));
        lucky_n += is_model_right("f64", group_size, first + i, false);
        lucky_n += is_model_right("f32", group_size, first + i, false);
    }
    print_message("%zu of 100 plain sums are right by chance\n", lucky_n);
    assert_true(lucky_n < 15);
}

static void what_is_not_compensated_has_its_chain(void **state) {
    struct red_input input =
        made_input(red_op_find("sum"), red_dtype_find("f32"), kind_of(RED_PATTERN_CANCELLING), 4096, 1);
    struct red_truth truth;
    const struct red_geometry geometry = two_groups(32, 64);
    const struct red_strategy *tree = red_catalogue_find(catalogue, "grid_stride"),
                              *compensated = red_catalogue_find(catalogue, "compensated");
    red_truth_find(&input, &truth);
    assert_true(red_bound_chain_of_data(tree, &geometry, &input, &truth) ==
                red_bound_chain(tree, truth.dtype, truth.op, &geometry, 4096));
    /* Of timed calls, whose data change: as if no group's sum cancelled. */
    const double any = red_bound_chain(compensated, truth.dtype, truth.op, &geometry, 4096);
    assert_true(any > 1 && any < 1.001 &&
                red_bound_chain_of_data(compensated, &geometry, &input, &truth) < any);
    red_input_clear(&input);
}

static void the_bound_is_the_formulas(void **state) {
    double u = 0x1p-24, gamma = 10 * u / (1 - 10 * u);
    assert_near(red_bound(10, 24, 3, 2), 3 * gamma + u * (2 + 3 * gamma), 1e-20);
    assert_true(red_bound(0, 53, 7, 1) == 0x1p-53);
    assert_true(isfinite(red_bound(0x1p24 - 1, 24, 1, 1)));
    assert_true(isinf(red_bound(0x1p24, 24, 1, 1))); /* the lemma ends here */
    for (double chain = 1; chain < 0x1p26; chain *= 1.01) {
        double next = red_bound(1.01 * chain, 24, 1, 1);
        assert_true(red_bound(chain, 24, 1, 1) < next || isinf(next));
    }
}
