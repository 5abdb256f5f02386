/* What a call, a check and a run are expected to take. The user sees it as over-budget cells, and as "about
 * 40 s" before a run of `verify` or `bench`. red_call_cost_X are for verify (verify/verify.c): the time limit
 * of a check, and whether it is over budget. */
#include "run/estimate.h"

#include <math.h>
#include <stdio.h>

#include "model/case.h"
#include "run/private.h"
#include "run/session.h"

/* From how many elements on a call counts, up to how many they are few; numbers within so many times each
 * other are about the same. Calls that take at most AS_LONG times as long as one of few elements take as long
 * for each n. */
enum { COUNTED_N = 1 << 18, FEW_N = 1 << 12, ABOUT = 4, AS_LONG = 8 };
static const double SLOW_S = 0.05;

void red_call_cost_add(struct red_call_cost *cost, uint64_t n, double call_s) {
    if (call_s >= SLOW_S) {
        cost->slow_n = cost->slow_s > 0 && cost->slow_n < n ? cost->slow_n : n;
        cost->slow_s = fmax(cost->slow_s, call_s);
    }
    cost->least_n = cost->least_s > 0 && cost->least_n < n ? cost->least_n : n;
    cost->least_s = cost->least_s > 0 ? fmin(cost->least_s, call_s) : call_s;
    if (n <= FEW_N)
        cost->few_s = cost->few_s > 0 ? fmin(cost->few_s, call_s) : call_s;
    if (n < COUNTED_N)
        return;
    cost->s_per_element = fmax(cost->s_per_element, call_s / (double)n);
    const double beyond_s_per_element = fmax(0, call_s - cost->few_s) / (double)n;
    if (n >= ABOUT * cost->most_n)
        cost->most_s_per_element = beyond_s_per_element;
    else if (ABOUT * n >= cost->most_n)
        cost->most_s_per_element = fmax(cost->most_s_per_element, beyond_s_per_element);
    cost->most_n = cost->most_n > n ? cost->most_n : n;
}

void red_call_costs_add(struct red_call_costs *costs, size_t type, enum red_deed does, uint64_t n,
                        double call_s) {
    red_call_cost_add(&costs->all, n, call_s);
    red_call_cost_add(&costs->type[type], n, call_s);
    red_call_cost_add(&costs->does[does], n, call_s);
    red_call_cost_add(&costs->both[type][does], n, call_s);
}

double red_call_cost_of_most_s(const struct red_call_cost *cost, uint64_t n) {
    const bool is_as_long = cost->few_s == 0 || AS_LONG * cost->few_s >= cost->s_per_element * COUNTED_N;
    return cost->most_n > 0 && is_as_long ? cost->few_s + cost->most_s_per_element * (double)n : 0;
}

static bool is_known(const struct red_call_cost *cost) {
    return cost->s_per_element > 0 || cost->slow_s > 0;
}

/* In proportion to n, and not less than a slow call of fewer elements took. Calls may be `faster` times as
 * fast as the slowest of those that s_per_element is of. */
static double in_proportion_s(const struct red_call_cost *cost, uint64_t n, double faster) {
    const double slow_s = cost->slow_s > 0 && n >= cost->slow_n ? cost->slow_s : 0;
    return fmax(cost->s_per_element * (double)n / faster, slow_s);
}

double red_call_cost_s(const struct red_call_cost *own, const struct red_call_costs *costs, size_t type,
                       enum red_deed does, uint64_t n) {
    enum { FASTER = 4 };
    const struct red_call_cost *same = &costs->both[type][does];
    if (is_known(own) || is_known(same))
        return in_proportion_s(is_known(own) ? own : same, n, 1);
    if (is_known(&costs->type[type]) || is_known(&costs->does[does]))
        return fmax(in_proportion_s(&costs->type[type], n, 1),
                    in_proportion_s(&costs->does[does], n, FASTER));
    return in_proportion_s(&costs->all, n, FASTER);
}

double red_call_cost_least_s(const struct red_call_cost *cost, uint64_t n) {
    return n >= cost->least_n ? cost->least_s : 0;
}

/* ---- a run -----------------------------------------------------------------------------------------------
 * From the checks of bench (run/bench.c) and verify (verify/verify.c) so far. */

static const double PROGRAM_S = 0.5, CHECK_S = 8e-3, ELEMENT_S = 3e-9, MADE_S = 12e-9;

/* What the elements of a workload take by these constants; what checks took on the device scales it. */
static double unscaled_elements_s(const struct red_workload *workload) {
    return RED_VERIFY_CALLS * workload->elements * ELEMENT_S + workload->made * MADE_S;
}

void red_workload_add(struct red_workload *sum, const struct red_workload *more) {
    sum->checks_n += more->checks_n;
    sum->programs_n += more->programs_n;
    sum->elements += more->elements;
    sum->made += more->made;
}

struct red_workload red_workload_without(const struct red_workload *all, const struct red_workload *part) {
    return (struct red_workload){.checks_n = all->checks_n - part->checks_n,
                                 .programs_n = all->programs_n - part->programs_n,
                                 .elements = fmax(0, all->elements - part->elements),
                                 .made = fmax(0, all->made - part->made)};
}

void red_check_rates_add(struct red_check_rates *rates, const struct red_workload *check, double took_s) {
    if (check->programs_n > 0 && rates->first_s <= 0) {
        rates->first_s = took_s;
        return;
    }
    const bool is_large = check->elements >= RED_LARGE_CHECK_N;
    const bool is_new = check->programs_n > 0;
    struct red_check_times *checks = is_new ? &rates->compiling : is_large ? &rates->large : &rates->small;
    checks->n++;
    checks->s += took_s;
    checks->elements_s += unscaled_elements_s(check);
    if (took_s > checks->slowest_s) {
        checks->slowest_s = took_s;
        checks->slowest_elements_s = unscaled_elements_s(check);
    }
}

void red_check_rates_add_large_grid(struct red_check_rates *rates, double longer_s) {
    rates->large_grids_s += fmax(0, longer_s);
    rates->large_grids_n++;
}

/* What the checks took, the slowest counted as SLOWEST_MAX others of its size at most. */
static double checks_s_capped(const struct red_check_times *checks) {
    enum { SLOWEST_MAX = 4 };
    if (checks->n < 2)
        return checks->s;
    const double others_s = checks->s - checks->slowest_s,
                 others_elements_s = checks->elements_s - checks->slowest_elements_s;
    const double larger = fmax(1, checks->slowest_elements_s * (double)(checks->n - 1) / others_elements_s);
    return others_s + fmin(checks->slowest_s, SLOWEST_MAX * larger * others_s / (double)(checks->n - 1));
}

/* Where only one program was new, its time, which includes the start of the driver, is an upper limit. */
double red_workload_s(const struct red_workload *workload, const struct red_check_rates *rates) {
    const double check_s =
        rates->small.n > 0 ? checks_s_capped(&rates->small) / (double)rates->small.n : CHECK_S;
    const double scale = rates->large.n > 0
                             ? fmax(0, checks_s_capped(&rates->large) - (double)rates->large.n * check_s) /
                                   rates->large.elements_s
                             : 1;
    const double compiling_s =
        fmax(0, checks_s_capped(&rates->compiling) - (double)rates->compiling.n * check_s -
                    scale * rates->compiling.elements_s);
    const double program_s = rates->compiling.n > 0 ? compiling_s / (double)rates->compiling.n
                             : rates->first_s > 0   ? fmin(rates->first_s, PROGRAM_S)
                                                    : PROGRAM_S;
    const double large_grid_s =
        rates->large_grids_n > 0 ? rates->large_grids_s / (double)rates->large_grids_n : 0;
    return (double)workload->programs_n * (program_s + large_grid_s) + (double)workload->checks_n * check_s +
           scale * unscaled_elements_s(workload);
}

/* For verify/verify.c, where a worker makes all checks of a strategy. */
double red_shared_work_s(double work_s, size_t parts_n, size_t workers_n) {
    const double parts = fmax(1, (double)parts_n), workers = fmax(1, (double)workers_n);
    return work_s * ceil(parts / workers) / parts;
}

/* For verify/early.c: "takes longer than announced: 40 s so far, about 80 s left". */
bool red_estimate_correct(double *told_s, double spent_s, double done_share, double *left_s) {
    const double first_s = 5, share_min = 0.1, off = 2, shorter_by_s = 20;
    if (spent_s < first_s || !(done_share > 0) || (done_share < share_min && spent_s < off * *told_s))
        return false;
    const double projected_s = spent_s / done_share;
    if (projected_s <= off * *told_s && *told_s <= fmax(off * projected_s, projected_s + shorter_by_s))
        return false;
    *told_s = projected_s;
    *left_s = projected_s - spent_s;
    return true;
}

/* Then bench prints "took 90 s (40 s were expected on an idle machine)", verify "(about 40 s were expected)".
 */
bool red_estimate_is_far_off(double spent_s, double expected_s) {
    return fabs(spent_s - expected_s) > fmax(20, 0.5 * expected_s);
}

/* In what bench and verify print before they begin. */
struct red_short_text red_duration_text(double seconds) {
    struct red_short_text made;
    if (seconds < 90)
        snprintf(made.text, sizeof made.text, "%.0f s", fmax(seconds, 1));
    else if (seconds < 90 * 60)
        snprintf(made.text, sizeof made.text, "%.0f minutes", seconds / 60);
    else
        snprintf(made.text, sizeof made.text, "%.1f hours", seconds / 3600);
    return made;
}

/* ---- a cell ----------------------------------------------------------------------------------------------
 * What a cell will cost before it is called at its n ("over-budget", with the projection). */

/* The last two known points of time against n. */
struct trend {
    double n[2], s[2];
    int points;
};

/* Points closer than a factor of 2 show noise, not a slope: the later one replaces the earlier. */
static void trend_add(struct trend *trend, double n, double s) {
    if (trend->points > 0 && n < 2 * trend->n[1]) {
        trend->n[1] = n;
        trend->s[1] = s;
        return;
    }
    trend->n[0] = trend->n[1];
    trend->s[0] = trend->s[1];
    trend->n[1] = n;
    trend->s[1] = s;
    trend->points++;
}

/* Projects a power law through the two points; from a single point a straight line, but only to 4 times its
 * n, unless it is over the budget itself. 0, no projection, while launching costs more than adding. */
static double trend_project(const struct trend *trend, double n, double budget_s) {
    const double launch_s = 100e-6;
    if (trend->points == 0 || trend->s[1] < launch_s)
        return 0;
    if (trend->points == 1)
        return trend->s[1] > budget_s || n <= 4 * trend->n[1] ? trend->s[1] * n / trend->n[1] : 0;
    double slope = log(trend->s[1] / trend->s[0]) / log(trend->n[1] / trend->n[0]);
    return trend->s[1] * pow(n / trend->n[1], fmin(fmax(slope, 0.5), 1.5));
}

/* The points of smaller n of the same line, whose cells are in ascending n. */
static struct trend trend_of(const struct red_bench *bench, const struct red_cell *cell) {
    struct trend trend = {.points = 0};
    for (const struct red_cell *at = bench->run.cells; at < cell; at++)
        if (red_cell_same_line(at, cell) && at->call_s > 0 && at->at.n > 0)
            trend_add(&trend, (double)at->at.n, at->call_s);
    return trend;
}

/* A projection farther than this many times the known n is too uncertain to give a cell up. */
static const double FAR = 16;
static const double ITERATED_MAX = 2;

/* Calls that are timed for a point, and those with the two that are made before and not counted. */
enum { CALLS_N = 5, CALLS_MADE = CALLS_N + 2 };

/* Projects a call of the cell from calls of the same line at smaller n, and makes such calls where there are
 * too few. A projection above the budget is an error, and the cell over-budget. */
static enum red_status time_smaller_n_and_project(const struct red_bench *bench, struct red_cell *cell,
                                                  struct red_error *error) {
    struct trend trend = trend_of(bench, cell);
    double budget_s = bench->run.time_per_cell_s;
    uint64_t n = trend.points > 0 ? 4 * (uint64_t)trend.n[1] : 1024;
    enum red_status status = RED_OK;
    for (; status == RED_OK; n *= 4) {
        cell->projected_s = trend_project(&trend, (double)cell->at.n, budget_s);
        if (trend_project(&trend, fmin((double)cell->at.n, FAR * trend.n[1]), budget_s) > budget_s) {
            cell->state = RED_STATE_OVER_BUDGET;
            return red_fail(error, RED_E_UNSUPPORTED,
                            "one call would take about %.3g s; the budget is %.3g s (--time-per-cell)",
                            cell->projected_s, budget_s);
        }
        if (n >= cell->at.n)
            return RED_OK;
        struct red_case spec = red_cell_case(bench, cell, red_cell_timed_data(cell));
        double call_s = 0;
        spec.n = n;
        status =
            red_client_time_calls(red_bench_client(bench, cell->device), &spec, CALLS_N, budget_s,
                                  CALLS_MADE * trend_project(&trend, (double)n, budget_s), &call_s, error);
        trend_add(&trend, (double)n, call_s);
    }
    return status;
}

/* Projects a call of an iterated shape: one reduction is timed, with the launch before it that changes the
 * array, and a call is many of them. ITERATED_MAX allows for noise. */
static enum red_status time_one_and_project_call(const struct red_bench *bench, struct red_cell *cell,
                                                 struct red_error *error) {
    struct red_case spec = red_measurement_make(bench, cell).spec;
    double budget_s = bench->run.time_per_cell_s;
    spec.reductions = 1;
    enum red_status status =
        red_client_time_calls(red_bench_client(bench, cell->device), &spec, CALLS_N, budget_s,
                              CALLS_MADE * cell->projected_s, &cell->call_s, error);
    const unsigned calls_n = bench->parts[cell->part].selection.shape.calls_n;
    double call_s = calls_n * cell->call_s;
    if (status != RED_OK || call_s <= ITERATED_MAX * budget_s)
        return status;
    cell->state = RED_STATE_OVER_BUDGET;
    cell->projected_s = call_s;
    return red_fail(
        error, RED_E_UNSUPPORTED,
        "one call, of %u reductions, would take about %.3g s; the budget is %.3g s (--time-per-cell)",
        calls_n, call_s, budget_s);
}

/* For run/bench.c, before a cell is verified: its projected_s, or the end of it as over-budget. */
enum red_status red_cell_project(const struct red_bench *bench, struct red_cell *cell,
                                 struct red_error *error) {
    enum red_status status = cell->device > 0 ? time_smaller_n_and_project(bench, cell, error) : RED_OK;
    return status == RED_OK && bench->parts[cell->part].selection.shape.calls_n > 1
               ? time_one_and_project_call(bench, cell, error)
               : status;
}

/* ---- the whole run ------------------------------------------------------------------------------------- */

/* Warming a cell up, profiling it, and calling it back to back. */
static const double BESIDE_S = 0.05;

/* About how many seconds a measurement takes. Two more calls make an iterated cell ready. */
static double measuring_s(const struct red_measurement *measurement) {
    return red_measurement_batch_s(measurement) * measurement->batches + BESIDE_S;
}

/* What measuring a cell takes that has no measurement yet: where a call fits the budget only a few times,
 * batches are of one call, and there is a least number of them; of other cells what those with a measurement
 * take (mean_s). */
static double unplanned_cell_s(const struct red_bench *bench, const struct red_cell *cell, double mean_s) {
    struct red_measurement measurement = {.cell = NULL};
    const unsigned calls_n = bench->parts[cell->part].selection.shape.calls_n;
    if (calls_n <= 1 || cell->call_s <= 0)
        return mean_s;
    red_measurement_plan(&measurement, calls_n * cell->call_s, bench->run.time_per_cell_s,
                         bench->run.clock_step_s);
    return measuring_s(&measurement) + 2 * measurement.call_s;
}

/* For announce_estimate_once (run/bench.c): "verifying N cells, then measuring them: about ...". */
double red_bench_whole_run_estimate_s(const struct red_bench *bench) {
    const struct red_run *run = &bench->run;
    struct red_workload work[1 + RED_DEVICES_MAX] = {{.checks_n = 0}};
    double total_s = 0, mean_s = run->time_per_cell_s + BESIDE_S;
    for (size_t i = 0; i < bench->measurements_n; i++)
        total_s += measuring_s(&bench->measurements[i]);
    if (bench->measurements_n > 0)
        mean_s = total_s / (double)bench->measurements_n;
    for (size_t i = 0; i < run->cells_n; i++) {
        const struct red_cell *cell = &run->cells[i];
        if (cell->state != RED_STATE_PENDING && cell->state != RED_STATE_PASS)
            continue; /* it is known already that it will not run */
        struct red_workload *of = &work[cell->device];
        const unsigned checks_n = red_cell_checks_n(bench, cell);
        total_s += cell->state == RED_STATE_PENDING ? unplanned_cell_s(bench, cell, mean_s) : 0;
        of->programs_n += cell->device > 0 && checks_n > 1 && (i == 0 || !red_cell_same_line(cell - 1, cell));
        of->checks_n += checks_n;
        of->elements += (double)checks_n * (double)(cell->at.n * cell->segments_n);
    }
    for (size_t device = 0; device < run->devices_n; device++)
        total_s += red_workload_s(&work[device], &bench->rates[device]);
    return total_s;
}
