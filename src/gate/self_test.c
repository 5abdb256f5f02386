#define _POSIX_C_SOURCE 200809L /* fork, kill */
#include "gate/self_test.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/interrupt.h"
#include "core/scratch.h"
#include "core/select.h"
#include "gate/duel.h"
#include "gate/slowed.h"
#include "gate/trials.h"

/* A change is what the calibration says it is; the base has some steps, too, and one more for the slowed
 * cell, so that only numbers differ. */
enum { BASE_STEPS = 16, CALIBRATIONS_MAX = 5, CALIBRATION_DUELS = 8 };
static const double STEP_S = 2e-9, CALIBRATION_CHANGE = 0.3;

const struct red_scenario red_scenarios[] = {
    {.name = "aa-fast",
     .profile = "fast",
     .what = "no change, suites of the fast profile",
     .sizes = "2^14",
     .strategies = "chunk,tree,cmpxchg_group,grid_stride_vec",
     .trials_n = 299,
     .good = "without a false SLOWER"},
    {.name = "aa-full",
     .profile = "full",
     .what = "no change, suites of the full profile",
     .sizes = "2^12,2^16,2^20",
     .strategies = "chunk,tree,cmpxchg_group,grid_stride_vec",
     .trials_n = 30,
     .good = "without a false SLOWER"},
    {.name = "slow-5",
     .profile = "full",
     .what = "one of four cells 5 % slower",
     .sizes = "2^12,2^14,2^16,2^18",
     .strategies = "tree",
     .trials_n = 59,
     .change = 0.05,
     .slowed_n = 1 << 16,
     .good = "confirmed SLOWER, and no other"},
    {.name = "slow-10-busy",
     .profile = "full",
     .what = "one of four cells 10 % slower, beside a process that is always busy",
     .sizes = "2^12,2^14,2^16,2^18",
     .strategies = "tree",
     .trials_n = 59,
     .change = 0.10,
     .slowed_n = 1 << 16,
     .busy = true,
     .good = "confirmed SLOWER, and no other"},
};
const size_t red_scenarios_n = sizeof red_scenarios / sizeof red_scenarios[0];

struct self_test {
    const struct red_options *options;
    struct red_trials trials;
    struct red_scratch scratch;
    char base[RED_SCRATCH_BYTES + 16], head[RED_SCRATCH_BYTES + 16]; /* kernel files in it */
};

/* ---- a duel of a scenario --------------------------------------------------------------------------------
 */

/* A neighbour that never rests; it ends with this process. */
static pid_t neighbour_start(void) {
    pid_t pid = fork();
    if (pid != 0)
        return pid;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    for (volatile uint64_t i = 0;; i++)
        ;
}

static void neighbour_stop(pid_t pid) {
    int how;
    if (pid <= 0)
        return;
    kill(pid, SIGKILL);
    waitpid(pid, &how, 0);
}

static enum red_status fight(const struct self_test *test, const struct red_scenario *scenario, uint64_t seed,
                             struct red_duel *duel, struct red_error *error) {
    struct red_options options = *test->options;
    options.profile = scenario->profile;
    options.seed = seed;
    options.data_sets = 1;
    options.strategy = scenario->strategies;
    options.n = (struct red_sizes){.n = 0};
    if (scenario->change > 0) {
        options.side_kernel[0] = test->base;
        options.side_kernel[1] = test->head;
        options.strategy = NULL;
    }
    enum red_status status = red_sizes_parse("--n", scenario->sizes, &options.n, error);
    pid_t neighbour = scenario->busy ? neighbour_start() : 0;
    if (status == RED_OK && neighbour < 0)
        status = red_fail(error, RED_E_DEVICE, "the busy process cannot be started");
    if (status == RED_OK)
        status = red_duel_fight(&options, duel, error);
    neighbour_stop(neighbour);
    red_sizes_clear(&options.n);
    return status;
}

/* ---- calibration -----------------------------------------------------------------------------------------
 */

static enum red_status write_kernels(const struct self_test *test, const struct red_scenario *scenario,
                                     uint32_t steps, struct red_error *error) {
    uint64_t n = scenario->slowed_n;
    enum red_status status =
        red_slowed_write(scenario->strategies, BASE_STEPS, n, BASE_STEPS + 1, test->base, error);
    return status == RED_OK ? red_slowed_write(scenario->strategies, BASE_STEPS, n, BASE_STEPS + 1 + steps,
                                               test->head, error)
                            : status;
}

/* What so many steps more cost, by one duel of the full profile about the slowed cell alone. */
static enum red_status measure_once(const struct self_test *test, const struct red_scenario *scenario,
                                    uint64_t seed, struct red_finding *found, double *call_s,
                                    struct red_error *error) {
    struct red_scenario alone = *scenario;
    char n[24];
    struct red_duel *duel = calloc(1, sizeof *duel);
    snprintf(n, sizeof n, "%llu", (unsigned long long)scenario->slowed_n);
    alone.sizes = n;
    if (duel == NULL)
        return red_fail(error, RED_E_MEMORY, "no memory for a duel");
    enum red_status status = fight(test, &alone, seed, duel, error);
    if (status == RED_OK && (duel->cells_n != 1 || !(duel->cells[0].finding.ratio > 0) ||
                             red_code_verdict(duel->cells[0].finding.code) == RED_UNTRUSTED))
        status =
            red_fail(error, RED_E_DEVICE, "the slowdown cannot be calibrated: %s",
                     duel->cells_n == 1 ? red_code_words(duel->cells[0].finding.code) : "choose one device");
    if (status == RED_OK) {
        *found = duel->cells[0].finding;
        *call_s = duel->cells[0].call_s[RED_BASE];
    }
    red_duel_clear(duel);
    free(duel);
    return status;
}

/* The same by several duels: the geometric mean of their ratios, whose error is that of a mean. */
static enum red_status measure_change(const struct self_test *test, const struct red_scenario *scenario,
                                      uint32_t steps, unsigned duels_n, struct red_finding *found,
                                      double *call_s, struct red_error *error) {
    double mean = 0, squares = 0;
    enum red_status status = write_kernels(test, scenario, steps, error);
    for (unsigned i = 0; i < duels_n && status == RED_OK; i++) {
        struct red_finding one;
        status = measure_once(test, scenario, 1 + i, &one, call_s, error);
        if (status != RED_OK)
            break;
        mean += log(one.ratio) / duels_n;
        squares += pow(log(one.high / one.low) / 2 / duels_n, 2);
    }
    *found = (struct red_finding){
        .ratio = exp(mean), .low = exp(mean - sqrt(squares)), .high = exp(mean + sqrt(squares))};
    return status;
}

/* How many steps cost between a tenth and a half, and what. */
static enum red_status find_steps(struct self_test *test, const struct red_scenario *scenario,
                                  uint32_t *steps, struct red_finding *found, struct red_error *error) {
    double call_s = 0;
    *steps = BASE_STEPS;
    enum red_status status = measure_change(test, scenario, 0, 1, found, &call_s, error);
    double wanted = CALIBRATION_CHANGE * call_s / STEP_S;
    for (int tries = 0; tries < CALIBRATIONS_MAX && status == RED_OK; tries++) {
        *steps = (uint32_t)fmin(fmax(BASE_STEPS, wanted), 1e9);
        status = measure_change(test, scenario, *steps, 1, found, &call_s, error);
        if (found->ratio > 1.1 && found->ratio < 1.5)
            return status;
        wanted = *steps * CALIBRATION_CHANGE / fmin(fmax(found->ratio - 1, 0.02), 10);
    }
    return status == RED_OK
               ? red_fail(error, RED_E_DEVICE, "the slowdown cannot be calibrated: %u steps cost %.1f %%",
                          *steps, 100 * (found->ratio - 1))
               : status;
}

/* What many steps cost, and half of them, which tells how far costs are in proportion. */
static enum red_status calibrate(struct self_test *test, const struct red_scenario *scenario,
                                 struct red_calibration *calibration, struct red_error *error) {
    struct red_finding whole = {.ratio = 0}, half = {.ratio = 0};
    uint32_t steps = 0;
    double call_s = 0;
    fprintf(stderr, "calibrating the slowdown of %s\n", scenario->strategies);
    enum red_status status = find_steps(test, scenario, &steps, &whole, error);
    if (status == RED_OK)
        status = measure_change(test, scenario, steps, CALIBRATION_DUELS, &whole, &call_s, error);
    if (status == RED_OK)
        status = measure_change(test, scenario, steps / 2, CALIBRATION_DUELS, &half, &call_s, error);
    if (status == RED_OK && (whole.ratio < 1.05 || half.ratio < 1.02 || half.ratio > whole.ratio))
        status = red_fail(error, RED_E_DEVICE,
                          "the slowdown cannot be calibrated: %u steps cost %.1f %%, half of them %.1f %%",
                          steps, 100 * (whole.ratio - 1), 100 * (half.ratio - 1));
    if (status != RED_OK)
        return status;
    *calibration = (struct red_calibration){.steps = steps,
                                            .call_s = call_s,
                                            .whole = whole.ratio,
                                            .whole_low = whole.low,
                                            .whole_high = whole.high,
                                            .half = half.ratio,
                                            .half_low = half.low,
                                            .half_high = half.high};
    return red_trials_calibrate(&test->trials, scenario, calibration, error);
}

/* How many steps cost so much, by the mean of what one costs among all of them and among half. A parabola
 * through both would extrapolate their noise. */
static double steps_of(const struct red_calibration *c, double change) {
    return change * c->steps / ((c->whole - 1) / 2 + (c->half - 1));
}

static enum red_status make_change(struct self_test *test, const struct red_scenario *scenario,
                                   struct red_error *error) {
    struct red_calibration calibration;
    enum red_status status = RED_OK;
    if (!red_trials_calibration(&test->trials, scenario, &calibration))
        status = calibrate(test, scenario, &calibration, error);
    if (status != RED_OK)
        return status;
    return write_kernels(test, scenario, (uint32_t)lround(steps_of(&calibration, scenario->change)), error);
}

/* ---- trials ----------------------------------------------------------------------------------------------
 */

/* What nothing was measured of is no trial without a false alarm. */
static enum red_status check_measured(const struct red_duel *duel, struct red_error *error) {
    for (size_t c = 0; c < duel->cells_n; c++)
        if (duel->cells[c].series_n > 0)
            return RED_OK;
    const struct red_duel_cell *first = duel->cells_n > 0 ? &duel->cells[0] : NULL;
    return red_fail(error, RED_E_DEVICE, "a trial in which nothing could be measured: %s: %.400s",
                    first ? first->name : "no cell",
                    first == NULL                     ? ""
                    : first->reason[RED_BASE][0] != 0 ? first->reason[RED_BASE]
                                                      : first->reason[RED_HEAD]);
}

static enum red_status run_trial(struct self_test *test, const struct red_scenario *scenario,
                                 struct red_error *error) {
    struct red_duel *duel = calloc(1, sizeof *duel);
    enum red_status status = duel ? RED_OK : red_fail(error, RED_E_MEMORY, "no memory for a duel");
    if (status == RED_OK && scenario->change > 0)
        status = make_change(test, scenario, error);
    if (status == RED_OK)
        status = fight(test, scenario, 1 + red_trials_n(&test->trials, scenario), duel, error);
    if (status == RED_OK && !duel->interrupted)
        status = check_measured(duel, error);
    if (status == RED_OK && !duel->interrupted)
        status = red_trials_add(&test->trials, scenario, duel, error);
    if (duel != NULL)
        red_duel_clear(duel);
    free(duel);
    if (status == RED_OK && red_interrupted())
        status = red_fail(error, RED_E_INTERRUPTED, "interrupted; the same command goes on");
    return status;
}

static bool is_chosen(const struct self_test *test, const struct red_scenario *scenario) {
    return red_select_matches(test->options->self_test, scenario->name);
}

/* Scenarios take turns, so that whenever it ends each has had its share. */
static enum red_status run_trials(struct self_test *test, struct red_error *error) {
    enum red_status status = RED_OK;
    bool any = true;
    while (any && status == RED_OK) {
        any = false;
        for (size_t i = 0; i < red_scenarios_n && status == RED_OK; i++) {
            const struct red_scenario *scenario = &red_scenarios[i];
            if (!is_chosen(test, scenario) || red_trials_n(&test->trials, scenario) >= scenario->trials_n)
                continue;
            any = true;
            status = run_trial(test, scenario, error);
            red_trials_print(&test->trials, scenario, stderr);
        }
    }
    return status;
}

static enum red_status check_names(const struct red_options *options, struct red_error *error) {
    const char *names[8];
    for (size_t i = 0; i < red_scenarios_n; i++)
        names[i] = red_scenarios[i].name;
    return red_select_check("scenario", options->self_test, names, red_scenarios_n, error);
}

enum red_status red_self_test(const struct red_options *options, struct red_error *error) {
    struct self_test *test = calloc(1, sizeof *test);
    if (test == NULL)
        return red_fail(error, RED_E_MEMORY, "no memory for a self-test");
    test->options = options;
    enum red_status status = check_names(options, error);
    if (status == RED_OK)
        status = red_trials_open(options, &test->trials, error);
    if (status == RED_OK)
        status = red_scratch_make(&test->scratch, error);
    snprintf(test->base, sizeof test->base, "%s/base.cl", test->scratch.path);
    snprintf(test->head, sizeof test->head, "%s/head.cl", test->scratch.path);
    if (status == RED_OK)
        status = run_trials(test, error);
    for (size_t i = 0; i < red_scenarios_n; i++)
        if (is_chosen(test, &red_scenarios[i])) {
            red_trials_print(&test->trials, &red_scenarios[i], stdout);
            red_trials_print_machines(&test->trials, &red_scenarios[i], stdout);
        }
    for (size_t i = 0; i < red_scenarios_n && status == RED_OK; i++)
        if (is_chosen(test, &red_scenarios[i]))
            status = red_trials_check(&test->trials, &red_scenarios[i], error);
    red_scratch_remove(&test->scratch);
    red_trials_close(&test->trials);
    free(test);
    return status;
}
