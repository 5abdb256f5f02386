/* Times the geometries of one strategy and searches the fastest one, for bench --tune (run/autotune.c), which
 * makes the timing setup of --strategy, --op, --type and --n. Prints nothing itself: run/autotune.c prints
 * the best one as "tuned: ...", and keeps it in the file, and prints what failed. */
#include <math.h>
#include <stdlib.h>

#include "core/clock.h"
#include "core/select.h"
#include "run/private.h"

/* ---- timing -------------------------------------------------------------------------------------------- */

enum { STEP = 16, SMALLEST_N = 1024 };

/* How often a candidate is called: at the data's own n until its time is certain, at smaller n to see
 * whether to go on. */
static const struct search_effort {
    unsigned calls_max;
    double limit_s;
} glance = {3, 0.01}, thorough = {400, 0.02};

/* A call over the first n elements of the timed data. */
static struct red_case case_at(const struct red_timing_setup *timing, const struct red_tuning *tuning,
                               uint64_t n) {
    struct red_case spec = red_case_make(&timing->data, timing->strategy, tuning);
    spec.n = n;
    return spec;
}

/* Times a call at n with the worker of the device: with care at the n of the data, else at a glance. */
static enum red_status time_geometry_at(const struct red_timing_setup *timing,
                                        const struct red_tuning *tuning, uint64_t n, double *call_s,
                                        struct red_error *error) {
    const struct search_effort *effort = n == timing->data.n ? &thorough : &glance;
    const struct red_case spec = case_at(timing, tuning, n);
    struct red_error found = {.text = ""};
    enum red_status status =
        red_client_time_calls(timing->client, &spec, effort->calls_max, effort->limit_s, 0, call_s, &found);
    return status == RED_OK ? RED_OK : red_fail(error, status, "%.3000s (while tuning)", found.text);
}

/* Whether a call at the data's own n, n_factor times the n that took call_s, would take too long. Below a
 * millisecond a projection mostly shows the cost of launching, so the call is simply made. */
static bool is_hopeless(double call_s, double n_factor, double limit_s) {
    const double cheap_s = 1e-3;
    return call_s > cheap_s && call_s * n_factor > limit_s;
}

/* This file times the default and each candidate by it; an error of the default leaves the strategy
 * untuned. */
enum red_status red_geometry_time(const struct red_timing_setup *timing, const struct red_tuning *tuning,
                                  double limit_s, double *call_s, struct red_error *error) {
    uint64_t all_n = timing->data.n, n = all_n;
    while (n / STEP >= SMALLEST_N)
        n /= STEP;
    for (;; n = n > all_n / STEP ? all_n : n * STEP) {
        enum red_status status = time_geometry_at(timing, tuning, n, call_s, error);
        double n_factor = (double)all_n / (double)(n ? n : 1);
        if (status != RED_OK || n == all_n)
            return status;
        if (is_hopeless(*call_s, n_factor, limit_s))
            return red_fail(error, RED_E_UNSUPPORTED, "one call would take about %.3g s", *call_s * n_factor);
    }
}

/* ---- racing -------------------------------------------------------------------------------------------- */

/* Enough for an interval of the median; each as short as a batch may be. */
enum { BATCHES_N = 12 };
static const double BATCH_S = 0.002;

/* For race_best_into_entry (run/autotune.c): whether the best one beats the default. */
enum red_status red_geometry_race(const struct red_timing_setup *timing, const struct red_tuning tunings[2],
                                  uint64_t n, struct red_statistics times[2], struct red_error *error) {
    const struct red_case cases[2] = {case_at(timing, &tunings[0], n), case_at(timing, &tunings[1], n)};
    struct red_samples samples[2];
    double batch_s = fmax(1000 * timing->clock_step_s, BATCH_S);
    enum red_status status = red_client_race(timing->client, cases, BATCHES_N, batch_s, samples, error);
    for (unsigned side = 0; side < 2 && status == RED_OK; side++)
        status = samples[side].n > 0
                     ? red_statistics_find(samples[side].s, samples[side].n, &times[side], error)
                     : red_fail(error, RED_E_DEVICE, "a race without times");
    return status;
}

/* ---- axes ---------------------------------------------------------------------------------------------- */

/* The number of groups comes first, as it takes no compiling. */
enum axis { AXIS_GROUPS, AXIS_WIDTH, AXIS_LOADS, AXIS_GROUP_SIZE, AXES_N };
enum { VALUES_MAX = 64, GROUP_SIZE_MAX = 1024, GROUPS_PER_UNIT_MAX = 64 };

struct parameter_values {
    uint64_t of[VALUES_MAX]; /* ascending */
    size_t n;
};

/* Whether the strategy leaves this parameter to who calls it. */
static bool strategy_has_axis(const struct red_strategy *strategy, enum axis axis) {
    const bool has[AXES_N] = {[AXIS_GROUPS] = red_geometry_takes_groups(strategy),
                              [AXIS_GROUP_SIZE] = red_geometry_takes_group_size(strategy),
                              [AXIS_WIDTH] = strategy->width > 0,
                              [AXIS_LOADS] = strategy->width > 0};
    return has[axis];
}

/* For tune_strategies (run/autotune.c), which passes over a strategy without. */
bool red_hill_climb_has_choice(const struct red_strategy *strategy) {
    for (int axis = 0; axis < AXES_N; axis++)
        if (strategy_has_axis(strategy, (enum axis)axis))
            return true;
    return false;
}

/* The tuning's value of that parameter. */
static uint64_t axis_value_of(const struct red_tuning *tuning, enum axis axis) {
    const uint64_t values[AXES_N] = {[AXIS_GROUPS] = tuning->groups_n,
                                     [AXIS_GROUP_SIZE] = tuning->group_size,
                                     [AXIS_WIDTH] = tuning->width,
                                     [AXIS_LOADS] = tuning->loads};
    return values[axis];
}

/* A copy of the tuning with this value of one parameter, the next candidate. */
static struct red_tuning tuning_with(const struct red_tuning *tuning, enum axis axis, uint64_t value) {
    struct red_tuning changed = *tuning;
    if (axis == AXIS_GROUPS)
        changed.groups_n = value;
    else if (axis == AXIS_GROUP_SIZE)
        changed.group_size = (size_t)value;
    else if (axis == AXIS_WIDTH)
        changed.width = (unsigned)value;
    else
        changed.loads = (unsigned)value;
    return changed;
}

/* first, twice as much, and so on up to max. */
static void powers_of_two_insert(struct parameter_values *values, uint64_t first, uint64_t max) {
    for (uint64_t value = first; value <= max; value *= 2)
        red_sizes_insert(values->of, &values->n, VALUES_MAX, value);
}

/* Groups are tried in powers of two, and in whole numbers per compute unit. */
static struct parameter_values axis_values(enum axis axis, const struct red_geometry_limits *limits,
                                           uint64_t current) {
    struct parameter_values values = {.n = 0};
    uint64_t units_n = limits->compute_units, group_size_max = limits->group_size_max;
    if (group_size_max > GROUP_SIZE_MAX)
        group_size_max = GROUP_SIZE_MAX;
    const uint64_t max[AXES_N] = {[AXIS_GROUPS] = GROUPS_PER_UNIT_MAX * units_n,
                                  [AXIS_GROUP_SIZE] = group_size_max,
                                  [AXIS_WIDTH] = 16,
                                  [AXIS_LOADS] = 8};
    powers_of_two_insert(&values, 1, max[axis]);
    if (axis == AXIS_GROUPS)
        powers_of_two_insert(&values, units_n, max[axis]);
    red_sizes_insert(values.of, &values.n, VALUES_MAX, current);
    return values;
}

/* ---- trying -------------------------------------------------------------------------------------------- */

/* A candidate is given up when it would take HOPELESS times as long as the best one; to be the new best one,
 * it must take less than STEP_FACTOR of its time. */
static const double HOPELESS = 4, STEP_FACTOR = 0.99;

struct climb {
    const struct red_timing_setup *timing;
    const struct red_geometry_limits *limits;
    double end_s; /* of the clock */
    struct red_hill_climb *search;
};

static bool was_tried(const struct climb *climb, const struct red_tuning *tuning) {
    for (size_t i = 0; i < climb->search->tried_n; i++)
        if (red_tuning_compare(&climb->search->tried[i].tuning, tuning) == 0)
            return true;
    return false;
}

/* Times a candidate. True if it is the best so far, which search->best then says; false also where it was
 * tried before, or time or room is over. */
static bool try_geometry(struct climb *climb, const struct red_tuning *tuning) {
    struct red_hill_climb *search = climb->search;
    struct red_tried_tuning *candidate = &search->tried[search->tried_n];
    struct red_error error = {.text = ""};
    double best_s = search->tried[search->best].call_s;
    if (was_tried(climb, tuning) || search->tried_n == RED_HILL_CLIMB_MAX || red_clock_s() > climb->end_s)
        return false;
    *candidate = (struct red_tried_tuning){.tuning = *tuning, .call_s = INFINITY};
    enum red_status status =
        red_geometry_time(climb->timing, tuning, HOPELESS * best_s, &candidate->call_s, &error);
    if (status != RED_OK)
        candidate->call_s = INFINITY;
    if (status != RED_OK && status != RED_E_UNSUPPORTED && search->error.status == RED_OK) {
        search->failed = *tuning;
        search->error = error;
    }
    search->tried_n++;
    if (candidate->call_s >= STEP_FACTOR * best_s)
        return false;
    search->best = search->tried_n - 1;
    return true;
}

/* Tries values from the best one on in one direction, until two in a row are no better: one may be noise. */
static void try_values_towards(struct climb *climb, enum axis axis, const struct parameter_values *values,
                               int direction) {
    struct red_tuning from = climb->search->tried[climb->search->best].tuning;
    size_t at = 0;
    while (values->of[at] != axis_value_of(&from, axis))
        at++;
    for (int misses = 0; misses < 2;) {
        at += (size_t)direction; /* below 0 wraps around, beyond the end */
        if (at >= values->n)
            return;
        struct red_tuning next = tuning_with(&from, axis, values->of[at]);
        misses = try_geometry(climb, &next) ? 0 : misses + 1;
    }
}

/* Tries the larger values of one parameter and, if none is better, the smaller ones. */
static void try_values_of_axis(struct climb *climb, enum axis axis) {
    size_t before = climb->search->best;
    uint64_t current = axis_value_of(&climb->search->tried[before].tuning, axis);
    const struct parameter_values values = axis_values(axis, climb->limits, current);
    try_values_towards(climb, axis, &values, 1);
    if (climb->search->best == before)
        try_values_towards(climb, axis, &values, -1);
}

/* The default, spelt out where there is a choice. It is the first candidate, and what "faster than the
 * default" means. */
static enum red_status default_tuning_find(const struct red_timing_setup *timing,
                                           const struct red_geometry_limits *limits,
                                           struct red_tuning *tuning, struct red_error *error) {
    struct red_tuning left = {.width = 0};
    const struct red_data_spec *data = &timing->data;
    struct red_geometry geometry;
    enum red_status status = red_geometry_choose(timing->strategy, data->op, data->dtype, limits, &left,
                                                 data->n, &geometry, error);
    if (status == RED_OK && red_geometry_takes_group_size(timing->strategy))
        left.group_size = red_client_nearest_group_size(timing->client, timing->strategy, data->dtype,
                                                        data->op, geometry.group_size);
    if (left.group_size > 0)
        status = red_geometry_choose(timing->strategy, data->op, data->dtype, limits, &left, data->n,
                                     &geometry, error);
    if (status != RED_OK)
        return status;
    *tuning = (struct red_tuning){
        .group_size = geometry.group_size,
        .groups_n = strategy_has_axis(timing->strategy, AXIS_GROUPS) ? geometry.groups_n : 0,
        .width = geometry.width,
        .loads = geometry.loads};
    return RED_OK;
}

/* For tune_strategy (run/autotune.c); search->best is raced with the default then. */
enum red_status red_hill_climb_run(const struct red_timing_setup *timing,
                                   const struct red_geometry_limits *limits, double budget_s, double limit_s,
                                   struct red_hill_climb *search, struct red_error *error) {
    struct climb climb = {
        .timing = timing, .limits = limits, .end_s = red_clock_s() + budget_s, .search = search};
    *search = (struct red_hill_climb){.tried_n = 1};
    struct red_tried_tuning *standard = &search->tried[0];
    enum red_status status = default_tuning_find(timing, limits, &standard->tuning, error);
    if (status == RED_OK)
        status = red_geometry_time(timing, &standard->tuning, limit_s, &standard->call_s, error);
    for (size_t before = RED_HILL_CLIMB_MAX; status == RED_OK && before != search->best;) {
        before = search->best;
        for (int axis = 0; axis < AXES_N; axis++)
            if (strategy_has_axis(timing->strategy, (enum axis)axis))
                try_values_of_axis(&climb, (enum axis)axis);
    }
    return status;
}
