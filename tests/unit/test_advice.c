#include "tests/unit/testing.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>

#include "recommend/advice.h"
#include "tests/unit/catalogue.h"

enum { SIZES_N = 15 };

/* Curves as they would be measured: sizes 2^10 to 2^24, times by a function, each off by `noise` (standard
 * deviation of its logarithm). */
static struct red_strategy strategies[40];
static struct red_cell cells[40 * SIZES_N];

typedef double time_of(size_t candidate, double n);

static struct red_curves curves_of(size_t candidates_n, time_of *time, double noise, uint64_t seed) {
    static struct red_result result;
    static struct red_query query;
    struct red_curves curves = {.result = &result,
                                .query = &query,
                                .runs_n = 1,
                                .sizes = calloc(SIZES_N, sizeof *curves.sizes),
                                .sizes_n = SIZES_N,
                                .candidates = calloc(candidates_n, sizeof *curves.candidates),
                                .candidates_n = candidates_n,
                                .log_s = calloc(candidates_n * SIZES_N, sizeof *curves.log_s),
                                .sd = calloc(candidates_n * SIZES_N, sizeof *curves.sd),
                                .cells = calloc(candidates_n * SIZES_N, sizeof *curves.cells)};
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    gsl_rng_set(random, seed);
    memset(strategies, 0, sizeof strategies);
    for (size_t c = 0; c < candidates_n; c++) {
        struct red_strategy *strategy = &strategies[c];
        snprintf(strategy->name, sizeof strategy->name, "s%zu", c);
        strategy->standard = RED_STANDARD_CL12;
        strategy->span = RED_STRATEGY_STRIDE;
        strategy->text = "";
        curves.candidates[c].at.strategy = strategy;
        for (size_t i = 0; i < SIZES_N; i++) {
            curves.sizes[i] = UINT64_C(1) << (10 + i);
            curves.log_s[c * SIZES_N + i] =
                log(time(c, (double)curves.sizes[i])) + (noise > 0 ? gsl_ran_gaussian(random, noise) : 0);
            curves.sd[c * SIZES_N + i] = fmax(noise, 1e-3);
            cells[c * SIZES_N + i] = (struct red_cell){.at.strategy = strategy,
                                                       .at.n = curves.sizes[i],
                                                       .geometry = {.group_size = 64, .groups_n = 4}};
            curves.cells[c * SIZES_N + i] = &cells[c * SIZES_N + i];
        }
    }
    gsl_rng_free(random);
    return curves;
}

static struct red_advice advise(struct red_curves curves) {
    struct red_advice advice;
    struct red_error error = {.text = ""};
    assert_int_equal(red_advice_make(&curves, 1, &advice, &error), RED_OK);
    return advice;
}

/* The first launches quickly and reads slowly, the second the other way round: they cross at 2^17. */
static double crossing(size_t candidate, double n) {
    return candidate == 0 ? 1e-5 + 2e-10 * n : 1e-5 + 1e-10 * (1 << 17) + 1e-10 * n;
}

static void an_edge_is_where_the_curves_cross(void **state) {
    struct red_advice advice = advise(curves_of(2, crossing, 0, 1));
    assert_int_equal(advice.bands_n, 2);
    assert_int_equal(advice.bands[0].candidate, 0);
    assert_int_equal(advice.bands[1].candidate, 1);
    const struct red_edge *edge = &advice.bands[1].edge;
    assert_in_range(edge->n, 110000, 150000);
    assert_true(edge->low <= edge->n && edge->n <= edge->high);
    assert_false(advice.bands[0].is_tie);
    assert_int_equal(red_advice_band(&advice, 1)->candidate, 0);
    assert_int_equal(red_advice_band(&advice, edge->n - 1)->candidate, 0);
    assert_int_equal(red_advice_band(&advice, edge->n)->candidate, 1);
    assert_int_equal(red_advice_band(&advice, UINT64_MAX)->candidate, 1);
    red_advice_clear(&advice);
}

/* Of noisy curves the interval holds the crossover in about 95 of 100 cases, and it is not empty of meaning.
 */
static void an_edge_has_an_honest_interval(void **state) {
    unsigned held_n = 0, all_n = 0, narrow_n = 0;
    for (uint64_t seed = 1; seed <= 200; seed++) {
        struct red_advice advice = advise(curves_of(2, crossing, 0.02, seed));
        if (advice.bands_n == 2) {
            const struct red_edge *edge = &advice.bands[1].edge;
            all_n++;
            held_n += edge->low <= 140000 && edge->high >= 120000;
            narrow_n += edge->high < 8 * edge->low;
        }
        red_advice_clear(&advice);
    }
    if (all_n < 195 || held_n < all_n * 90 / 100 || narrow_n < all_n * 90 / 100)
        fail_msg("%u of 200 have an edge, %u hold the crossover, %u are narrow", all_n, held_n, narrow_n);
}

/* They cross at 2^17, so slowly that noise of 4 % moves the crossover by more than a decade. */
static double crossing_slowly(size_t candidate, double n) {
    const double decades = log10(n / (1 << 17));
    return 1e-5 * sqrt(n) * (candidate == 0 ? 1 : 1 - 0.05 * decades);
}

static void an_edge_that_nobody_knows_is_wide(void **state) {
    struct red_curves curves = curves_of(2, crossing_slowly, 0, 1);
    for (size_t i = 0; i < 2 * SIZES_N; i++)
        curves.sd[i] = 0.04;
    struct red_advice advice = advise(curves);
    assert_int_equal(advice.bands_n, 2);
    const struct red_edge *edge = &advice.bands[1].edge;
    assert_true(edge->is_wide && edge->low * RED_EITHER_TIMES <= edge->high);
    /* As far apart as at the measured n of the interval that is farthest from 2^17. */
    const double most =
        0.05 * fmax(log10((1 << 17) / (double)edge->low), log10((double)edge->high / (1 << 17)));
    assert_true(edge->apart > 0 && edge->apart <= expm1(-log1p(-most)) + 1e-6);
    red_advice_clear(&advice);
    advice = advise(curves_of(2, crossing, 0, 1));
    assert_false(advice.bands[1].edge.is_wide);
    assert_near(advice.bands[1].edge.apart, 0, 0);
    red_advice_clear(&advice);
}

/* ---- OpenMP -------------------------------------------------------------------------------------------- */

/* Advice beside OpenMP on a host that takes these times. */
static struct red_advice advise_beside(double launch_s, double element_s) {
    struct red_curves curves = curves_of(2, crossing, 0, 1);
    curves.host_log_s = calloc(SIZES_N, sizeof *curves.host_log_s);
    curves.host_sd = calloc(SIZES_N, sizeof *curves.host_sd);
    for (size_t i = 0; i < SIZES_N; i++) {
        curves.host_log_s[i] = log(launch_s + element_s * (double)curves.sizes[i]);
        curves.host_sd[i] = 1e-3;
    }
    return advise(curves);
}

static void the_device_pays_from_where_it_is_faster(void **state) {
    struct red_advice advice =
        advise_beside(1e-6, 2e-10 + 9e-6 / 50000); /* faster than the first up to 50000 */
    assert_true(advice.openmp.known);
    assert_in_range(advice.openmp.pays_from, 42000, 58000);
    assert_int_equal(advice.openmp.times_n, 1 << 10);
    assert_near(advice.openmp.times, (1e-5 + 2e-10 * 1024) / (1e-6 + 3.8e-10 * 1024), 0.05);
    red_advice_clear(&advice);
    advice = advise_beside(1e-6, 1e-11);
    assert_int_equal(advice.openmp.pays_from, 0); /* not even at the largest n */
    assert_int_equal(advice.openmp.times_n > 0, 1);
    red_advice_clear(&advice);
    advice = advise_beside(1, 0);
    assert_int_equal(advice.openmp.pays_from, 1);
    assert_near(advice.openmp.times, 0, 0);
    red_advice_clear(&advice);
    advice = advise(curves_of(2, crossing, 0, 1));
    assert_false(advice.openmp.known);
    red_advice_clear(&advice);
}

/* Advice beside OpenMP that takes `elsewhere` times as long as what is recommended, and at the sizes from
 * `first` to `last` `there` times as long. */
static struct red_advice advise_beside_one_stretch(size_t first, size_t last, double there,
                                                   double elsewhere) {
    struct red_curves curves = curves_of(1, crossing, 0, 1);
    curves.host_log_s = calloc(SIZES_N, sizeof *curves.host_log_s);
    curves.host_sd = calloc(SIZES_N, sizeof *curves.host_sd);
    for (size_t i = 0; i < SIZES_N; i++) {
        curves.host_log_s[i] = curves.log_s[i] + log(i >= first && i <= last ? there : elsewhere);
        curves.host_sd[i] = 1e-3;
    }
    return advise(curves);
}

/* Where OpenMP is faster at some n alone, or as fast from some n on, nothing more is said. */
static void what_openmp_is_at_one_n_is_not_told_of_all(void **state) {
    struct red_advice advice = advise_beside_one_stretch(6, 7, 0.5, 2); /* 2^16 and 2^17 */
    assert_int_equal(strncmp(red_openmp_where(&advice.openmp).text, "at some n below ", 16), 0);
    assert_true(advice.openmp.device_wins);
    assert_false(red_advice_openmp_is_faster(&advice, 1));
    assert_false(red_advice_openmp_is_faster(&advice, 1 << 15));
    assert_true(red_advice_openmp_is_faster(&advice, 60000));
    assert_true(red_advice_openmp_is_faster(&advice, 1 << 16));
    assert_true(red_advice_openmp_is_faster(&advice, 150000));
    assert_false(red_advice_openmp_is_faster(&advice, UINT64_MAX));
    red_advice_clear(&advice);
    advice = advise_beside_one_stretch(SIZES_N - 1, SIZES_N, 0.5, 2);
    assert_string_equal(red_openmp_where(&advice.openmp).text, "at some n up to the largest n");
    assert_true(red_advice_openmp_is_faster(&advice, UINT64_MAX));
    assert_false(red_advice_openmp_is_faster(&advice, 1 << 10));
    red_advice_clear(&advice);
    advice = advise_beside_one_stretch(0, 3, 0.5, 1); /* as fast from 2^14 on */
    assert_string_equal(red_openmp_where(&advice.openmp).text, "below 2^14");
    assert_false(advice.openmp.device_wins);
    assert_false(red_advice_openmp_is_faster(&advice, 1 << 14));
    red_advice_clear(&advice);
    advice = advise(curves_of(1, crossing, 0, 1));
    assert_false(red_advice_openmp_is_faster(&advice, 1 << 10));
    red_advice_clear(&advice);
}

static double alike(size_t candidate, double n) {
    (void)candidate;
    return 1e-5 + 1e-10 * n;
}

/* Forty strategies that are the same: whoever is fastest by luck must not make a band. */
static void luck_makes_no_bands(void **state) {
    for (uint64_t seed = 1; seed <= 50; seed++) {
        struct red_advice advice = advise(curves_of(40, alike, 0.01, seed));
        assert_in_range(advice.bands_n, 1, 2);
        size_t changes_n = 0;
        for (size_t i = 1; i < SIZES_N; i++)
            changes_n += red_curves_fastest(&advice.curves, i) != red_curves_fastest(&advice.curves, i - 1);
        assert_true(changes_n > 8); /* what a reader of one run would do */
        red_advice_clear(&advice);
    }
}

static void a_tie_goes_to_the_simpler_one(void **state) {
    struct red_curves curves = curves_of(3, alike, 0.005, 3);
    strategies[0].standard = RED_STANDARD_CL20;
    strategies[0].needs = RED_NEED(SVM) | RED_NEED(LOCAL_MEMORY);
    strategies[1].needs = RED_NEED(LOCAL_MEMORY) | RED_NEED(ATOMIC32);
    strategies[2].needs = RED_NEED(LOCAL_MEMORY);
    for (size_t i = 0; i < SIZES_N; i++)
        curves.log_s[i] -= 0.002; /* by so little that nobody can tell */
    struct red_advice advice = advise(curves);
    assert_int_equal(advice.bands_n, 1);
    assert_int_equal(advice.bands[0].candidate, 2);
    assert_true(advice.bands[0].is_tie);
    assert_int_equal(advice.bands[0].ties_n, 2);
    assert_int_equal(advice.bands[0].portable, 2);
    red_advice_clear(&advice);
}

/* Two geometries that were asked for and the default of one strategy, of which nobody can tell which is
 * faster. */
static void a_tie_of_geometries_goes_to_the_default(void **state) {
    struct red_curves curves = curves_of(3, alike, 0, 1);
    for (size_t c = 0; c < 3; c++)
        curves.candidates[c].at.strategy = &strategies[0];
    curves.candidates[0].at.asked =
        (struct red_tuning){.group_size = 64, .groups_n = 8, .width = 16, .loads = 4};
    curves.candidates[1].at.asked = (struct red_tuning){.groups_n = 2};
    for (size_t i = 0; i < SIZES_N; i++)
        curves.log_s[i] -= 0.002;
    for (size_t i = 0; i < 3 * SIZES_N; i++)
        curves.sd[i] = 0.02;
    struct red_advice advice = advise(curves);
    assert_int_equal(advice.bands_n, 1);
    assert_int_equal(advice.bands[0].candidate, 2);
    assert_string_equal(red_candidate_text(&advice.curves.candidates[2]).text, "s0");
    assert_true(advice.bands[0].is_tie);
    assert_int_equal(advice.bands[0].ties_n, 2);
    assert_string_equal(red_candidate_text(&advice.curves.candidates[1]).text, "s0:g2");
    red_advice_clear(&advice);
}

static double thrice(size_t candidate, double n) {
    return (candidate == 0 ? 1 : 1.5) * alike(candidate, n);
}

/* What is half as fast again is no tie, however simple. */
static void speed_is_worth_more_than_simplicity(void **state) {
    struct red_curves curves = curves_of(2, thrice, 0.02, 4);
    strategies[0].standard = RED_STANDARD_CL20;
    struct red_advice advice = advise(curves);
    assert_int_equal(advice.bands_n, 1);
    assert_int_equal(advice.bands[0].candidate, 0);
    assert_false(advice.bands[0].is_tie);
    assert_near(advice.bands[0].margin, 0.5, 0.05);
    assert_true(advice.bands[0].margin_low < 0.5 && advice.bands[0].margin_high > 0.5);
    assert_int_equal(advice.bands[0].portable, 1);
    assert_near(advice.bands[0].portable_margin, 0.5, 0.05);
    assert_int_equal(advice.everywhere, 0);
    red_advice_clear(&advice);
}

/* What the runner-up loses is told of geometries of one strategy, too. */
static void another_geometry_is_a_runner_up(void **state) {
    struct red_curves curves = curves_of(2, thrice, 0, 1);
    curves.candidates[1].at.strategy = &strategies[0];
    curves.candidates[0].at.asked =
        (struct red_tuning){.group_size = 64, .groups_n = 8, .width = 16, .loads = 4};
    curves.candidates[1].at.asked =
        (struct red_tuning){.group_size = 64, .groups_n = 1, .width = 16, .loads = 4};
    struct red_advice advice = advise(curves);
    assert_string_equal(red_candidate_text(&advice.curves.candidates[advice.bands[0].candidate]).text,
                        "s0:64:g8:16x4");
    assert_int_equal(advice.bands[0].runner_up, 1);
    assert_near(advice.bands[0].margin, 0.5, 1e-6);
    assert_false(advice.bands[0].is_tie);
    red_advice_clear(&advice);
}

/* A strategy that was too slow to be timed from some n on cannot be recommended there. */
static void what_has_no_time_is_not_chosen(void **state) {
    struct red_curves curves = curves_of(2, thrice, 0, 1);
    for (size_t i = 8; i < SIZES_N; i++)
        curves.log_s[i] = curves.sd[i] = NAN;
    struct red_advice advice = advise(curves);
    assert_int_equal(advice.bands_n, 2);
    assert_int_equal(advice.bands[1].candidate, 1);
    assert_int_equal(advice.bands[1].first, 8);
    assert_int_equal(advice.everywhere, 1);
    assert_int_equal(advice.bands[1].runner_up, SIZE_MAX);
    red_advice_clear(&advice);
}

static void nothing_timed_is_no_advice(void **state) {
    struct red_curves curves = curves_of(2, crossing, 0, 1);
    curves.sizes_n = 0;
    struct red_advice advice = advise(curves);
    assert_int_equal(advice.bands_n, 0);
    assert_null(red_advice_band(&advice, 100));
    red_advice_clear(&advice);
}

/* ---- rules --------------------------------------------------------------------------------------------- */

static void rules_change_with_band_and_geometry(void **state) {
    struct red_curves curves = curves_of(2, crossing, 0, 1);
    for (size_t i = 4; i < SIZES_N; i++)
        cells[i].geometry.groups_n = 8;
    strategies[1].span = RED_STRATEGY_EACH;
    strategies[1].lanes = 2;
    struct red_advice advice = advise(curves);
    struct red_error error = {.text = ""};
    struct red_rule *rules = NULL;
    size_t n = 0;
    assert_int_equal(red_rules_make(&advice, &rules, &n, &error), RED_OK);
    assert_int_equal(n, 3);
    assert_int_equal(rules[0].n_from, 0);
    assert_int_equal(rules[0].groups_n, 4);
    assert_int_equal(rules[1].n_from, 11586); /* between 2^13 and 2^14 */
    assert_int_equal(rules[1].groups_n, 8);
    assert_int_equal(rules[1].per_item, 0);
    assert_int_equal(rules[2].n_from, advice.bands[1].edge.n);
    assert_int_equal(rules[2].groups_n, 0);
    assert_int_equal(rules[2].per_item, 2);
    free(rules);
    red_advice_clear(&advice);
}

/* ---- strategies ---------------------------------------------------------------------------------------- */

static void the_order_of_additions_is_told(void **state) {
    static const struct {
        const char *strategy, *op, *type, *order;
    } cases[] = {{"tree", "sum", "f32", "fixed"},
                 {"cmpxchg_group", "sum", "f32", "varies"},
                 {"cmpxchg_group", "sum", "i32", "any"},
                 {"cmpxchg_group", "max", "f64", "any"},
                 {"wg_reduce", "sum", "f32", "driver"},
                 {"float_atomic_item", "mean", "f32", "varies"},
                 {"last_group", "dot", "f32", "fixed"},
                 {"local_atomic", "sum", "f32", "varies"},
                 {"wg_reduce_atomic", "sum", "f32", "varies"},
                 {"look_back", "inclusive_sum", "f32", "varies"},
                 {"scan_chunk_chained", "exclusive_sum", "f64", "fixed"},
                 {"look_back_fixed", "inclusive_sum", "f32", "fixed"},
                 {"look_back", "inclusive_max", "f32", "any"},
                 {"scan_serial", "inclusive_sum", "f32", "fixed"},
                 {"scan_chunk", "inclusive_sum", "f32", "fixed"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_string_equal(red_strategy_bits_order(red_catalogue_find(catalogue, cases[i].strategy),
                                                    red_op_find(cases[i].op), red_dtype_find(cases[i].type)),
                            cases[i].order);
    const struct red_strategy stranger = {.name = "mine", .standard = RED_STANDARD_CL12};
    assert_string_equal(red_strategy_bits_order(&stranger, red_op_find("sum"), red_dtype_find("f32")),
                        "unknown");
    assert_false(red_strategy_is_portable(&stranger));
    assert_true(red_strategy_is_portable(red_catalogue_find(catalogue, "chunk")));
    assert_false(red_strategy_is_portable(red_catalogue_find(catalogue, "last_group")));
    assert_false(red_strategy_is_portable(red_catalogue_find(catalogue, "wg_reduce")));
    assert_true(red_strategy_burden(red_catalogue_find(catalogue, "chunk")) <
                red_strategy_burden(red_catalogue_find(catalogue, "svm_chunk")));
}
