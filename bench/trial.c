#include "bench/trial.h"

#include <math.h>

#include "bench/current.h"
#include "bench/shim.h"
#include "bench/work.h"
#include "model/clock.h"
#include "oracle/bound.h"

/* ---- timing ----------------------------------------------------------------------------------------------
 */

enum { STEP = 16, SMALLEST_N = 1024 };

/* At the data's own n a candidate is called until it is known well, at smaller n to see whether to go on. */
static const struct effort {
    size_t calls_max;
    double limit_s;
} glance = {3, 0.01}, look = {400, 0.02};

static enum red_status plan_make(const struct red_trial *trial, const struct red_tuning *tuning, uint64_t n,
                                 struct red_work *work, struct red_error *error) {
    const struct red_plan_spec spec = {
        .strategy = trial->strategy, .op = trial->truth->op, .n = n, .tuning = *tuning};
    *work = (struct red_work){.cell = NULL};
    return red_plan_create(trial->resident, &spec, &work->plan, error);
}

static enum red_status calls_time(struct red_work *work, const struct effort *effort, double *call_s,
                                  struct red_error *error) {
    /* CPU drivers compile at the first launch. */
    *call_s = red_work_shortest_call(work, 1, 0);
    if (*call_s >= 0)
        *call_s = red_work_shortest_call(work, effort->calls_max, effort->limit_s);
    return *call_s >= 0 ? RED_OK : red_fail(error, work->error.status, "%s", work->error.text);
}

static enum red_status result_check(const struct red_trial *trial, const struct red_work *work,
                                    struct red_error *error) {
    const struct red_truth *truth = trial->truth;
    double chain = red_bound_chain(trial->strategy, truth->dtype, truth->op, red_plan_geometry(work->plan),
                                   trial->truth->n);
    struct red_value right = red_truth_value(truth);
    char expected[64], got[64];
    if (red_truth_check(truth, chain, work->value).right)
        return RED_OK;
    red_truth_print(truth, &right, expected, sizeof expected);
    red_truth_print(truth, &work->value, got, sizeof got);
    return red_fail(error, RED_E_WRONG, "probe=uniform: expected %s, got %s (while tuning)", expected, got);
}

static enum red_status time_at(const struct red_trial *trial, const struct red_tuning *tuning, uint64_t n,
                               double *call_s, struct red_error *error) {
    struct red_work work;
    enum red_status status = plan_make(trial, tuning, n, &work, error);
    if (status == RED_OK)
        status = calls_time(&work, n == trial->truth->n ? &look : &glance, call_s, error);
    if (status == RED_OK && n == trial->truth->n)
        status = result_check(trial, &work, error);
    red_work_clear(&work);
    return status;
}

/* Launching costs as much for few elements as for many, and a busy machine makes it look worse: below a
 * millisecond trying is cheaper than guessing. */
static bool is_hopeless(double call_s, double times_n, double limit_s) {
    const double cheap_s = 1e-3;
    return call_s > cheap_s && call_s * times_n > limit_s;
}

static enum red_status climb(const struct red_trial *trial, const struct red_tuning *tuning, double limit_s,
                             double *call_s, struct red_error *error) {
    uint64_t n = trial->truth->n;
    while (n / STEP >= SMALLEST_N)
        n /= STEP;
    for (;; n = n > trial->truth->n / STEP ? trial->truth->n : n * STEP) {
        enum red_status status = time_at(trial, tuning, n, call_s, error);
        double times_n = (double)trial->truth->n / (double)(n ? n : 1);
        if (status != RED_OK || n == trial->truth->n)
            return status;
        if (is_hopeless(*call_s, times_n, limit_s))
            return red_fail(error, RED_E_UNSUPPORTED, "one call would take about %.3g s", *call_s * times_n);
    }
}

enum red_status red_trial_time(const struct red_trial *trial, const struct red_tuning *tuning, double limit_s,
                               double *call_s, struct red_error *error) {
    red_current_begin(red_patience_s(trial->truth->n, limit_s),
                      "tuning %s, %s of %s, on %s, n = %llu, group size %zu, %llu groups, lanes %ux%u",
                      trial->strategy->name, trial->truth->op->name, trial->truth->dtype->name, trial->device,
                      (unsigned long long)trial->truth->n, tuning->group_size,
                      (unsigned long long)tuning->groups_n, tuning->width, tuning->loads);
    enum red_status status = climb(trial, tuning, limit_s, call_s, error);
    /* Nobody has verified this kernel: what it did to the data must not fall on others. */
    enum red_status kept = red_resident_check(trial->resident, status == RED_OK ? error : NULL);
    red_current_end();
    return status == RED_OK ? kept : status;
}

/* ---- racing ----------------------------------------------------------------------------------------------
 */

/* Enough for an interval of the median, as short as a batch may be. */
enum { BATCHES_N = 12 };
static const double RACE_S = 0.036;

static enum red_status batch_time(struct red_work *work, double *call_s, struct red_error *error) {
    double start_s = red_clock_s();
    uint64_t untimed_n = red_gbench_untimed(work->calls);
    for (uint64_t i = 0; i < untimed_n + work->calls; i++) {
        if (i == untimed_n)
            start_s = red_clock_s();
        if (red_work_call(work) != 0)
            return red_fail(error, work->error.status, "%s", work->error.text);
    }
    *call_s = (red_clock_s() - start_s) / (double)work->calls;
    return RED_OK;
}

static enum red_status race(const struct red_trial *trial, struct red_work works[2],
                            struct red_statistics times[2], struct red_error *error) {
    double samples_s[2][BATCHES_N], call_s;
    enum red_status status = RED_OK;
    for (unsigned side = 0; side < 2 && status == RED_OK; side++) {
        status = calls_time(&works[side], &glance, &call_s, error);
        if (status == RED_OK)
            red_work_plan(&works[side], call_s, RACE_S, trial->clock_step_s);
    }
    for (unsigned i = 0; i < 2 * BATCHES_N && status == RED_OK; i++) {
        unsigned round = i / 2, side = (i + round) % 2;
        status = batch_time(&works[side], &samples_s[side][round], error);
    }
    for (unsigned side = 0; side < 2 && status == RED_OK; side++)
        status = red_statistics_find(samples_s[side], BATCHES_N, &times[side], error);
    return status;
}

enum red_status red_trial_race(const struct red_trial *trial, const struct red_tuning tunings[2], uint64_t n,
                               struct red_statistics times[2], struct red_error *error) {
    struct red_work works[2] = {{.cell = NULL}, {.cell = NULL}};
    red_current_begin(red_patience_s(n, 0), "tuning %s, %s of %s, on %s, n = %llu", trial->strategy->name,
                      trial->truth->op->name, trial->truth->dtype->name, trial->device,
                      (unsigned long long)n);
    enum red_status status = plan_make(trial, &tunings[0], n, &works[0], error);
    if (status == RED_OK)
        status = plan_make(trial, &tunings[1], n, &works[1], error);
    if (status == RED_OK)
        status = race(trial, works, times, error);
    red_current_end();
    red_work_clear(&works[0]);
    red_work_clear(&works[1]);
    return status;
}
