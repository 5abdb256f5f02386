#include "run/project.h"

#include <math.h>

#include "worker/pace.h"

/* The last two known points of time against n. */
struct trend {
    double n[2], s[2];
    int points;
};

/* Points that are close together tell noise, not a slope: the later one takes the place of the other. */
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

/* Power law through the two points; from a single point a straight line, but not far, unless it is over the
 * budget itself. No forecast (0) while launching costs more than adding. */
static double trend_project(const struct trend *trend, double n, double budget_s) {
    const double launch_s = 100e-6;
    if (trend->points == 0 || trend->s[1] < launch_s)
        return 0;
    if (trend->points == 1)
        return trend->s[1] > budget_s || n <= 4 * trend->n[1] ? trend->s[1] * n / trend->n[1] : 0;
    double slope = log(trend->s[1] / trend->s[0]) / log(trend->n[1] / trend->n[0]);
    return trend->s[1] * pow(n / trend->n[1], fmin(fmax(slope, 0.5), 1.5));
}

/* What smaller n of the same line have shown; cells of a line stand in ascending n. */
static struct trend trend_of(const struct red_bench *bench, const struct red_cell *cell) {
    struct trend trend = {.points = 0};
    for (const struct red_cell *at = bench->run.cells; at < cell; at++)
        if (red_cell_same_line(at, cell) && at->call_s > 0 && at->n > 0)
            trend_add(&trend, (double)at->n, at->call_s);
    return trend;
}

/* Noise grows with the distance of a forecast: no cell is given up for what lies beyond this factor. */
static const double FAR = 16;
static const double ITERATED_MAX = 2;

/* Of a question how long a call takes, those two that are not counted among them. */
enum { CALLS_N = 5, CALLS_MADE = CALLS_N + 2 };

static enum red_status project_size(const struct red_bench *bench, struct red_cell *cell,
                                    struct red_error *error) {
    struct trend trend = trend_of(bench, cell);
    double budget_s = bench->run.time_per_cell_s;
    uint64_t n = trend.points > 0 ? 4 * (uint64_t)trend.n[1] : 1024;
    enum red_status status = RED_OK;
    for (; status == RED_OK; n *= 4) {
        cell->projected_s = trend_project(&trend, (double)cell->n, budget_s);
        if (trend_project(&trend, fmin((double)cell->n, FAR * trend.n[1]), budget_s) > budget_s) {
            cell->state = RED_STATE_OVER_BUDGET;
            return red_fail(error, RED_E_UNSUPPORTED,
                            "one call would take about %.3g s; the budget is %.3g s", cell->projected_s,
                            budget_s);
        }
        if (n >= cell->n)
            return RED_OK;
        struct red_case spec = red_cell_case(bench, cell, (struct red_probe){RED_PATTERN_UNIFORM, 0});
        double call_s = 0;
        spec.n = n;
        status = red_remote_time(red_bench_remote(bench, cell->device), &spec, CALLS_N, budget_s,
                                 CALLS_MADE * trend_project(&trend, (double)n, budget_s), &call_s, error);
        trend_add(&trend, (double)n, call_s);
    }
    return status;
}

/* A call of an iterated shape is many reductions, of which one is timed. Noise is no reason to give up. */
static enum red_status project_calls(const struct red_bench *bench, struct red_cell *cell,
                                     struct red_error *error) {
    struct red_case spec = red_cell_case(bench, cell, (struct red_probe){RED_PATTERN_UNIFORM, 0});
    double budget_s = bench->run.time_per_cell_s;
    enum red_status status = red_remote_time(red_bench_remote(bench, cell->device), &spec, CALLS_N, budget_s,
                                             CALLS_MADE * cell->projected_s, &cell->call_s, error);
    double call_s = bench->run.shape->calls_n * cell->call_s;
    if (status != RED_OK || call_s <= ITERATED_MAX * budget_s)
        return status;
    cell->state = RED_STATE_OVER_BUDGET;
    cell->projected_s = call_s;
    return red_fail(error, RED_E_UNSUPPORTED,
                    "one call, of %u reductions, would take about %.3g s; the budget is %.3g s",
                    bench->run.shape->calls_n, call_s, budget_s);
}

enum red_status red_cell_project(const struct red_bench *bench, struct red_cell *cell,
                                 struct red_error *error) {
    enum red_status status = cell->device > 0 ? project_size(bench, cell, error) : RED_OK;
    return status == RED_OK && bench->run.shape->calls_n > 1 ? project_calls(bench, cell, error) : status;
}

/* Where a call fits the budget only a few times, batches are of one call, and there is a least number of
 * them; two more calls make the cell ready. */
static double measuring_s(const struct red_bench *bench, const struct red_cell *cell) {
    struct red_row row = {.cell = NULL};
    if (bench->run.shape->calls_n <= 1 || cell->call_s <= 0)
        return bench->run.time_per_cell_s;
    red_row_plan(&row, bench->run.shape->calls_n * cell->call_s, bench->run.time_per_cell_s,
                 bench->run.clock_step_s);
    return red_row_batch_s(&row) * row.batches + 2 * row.call_s;
}

double red_bench_expected_s(const struct red_bench *bench) {
    const struct red_run *run = &bench->run;
    struct red_extent extent = {.checks_n = 0};
    double cells_s = 0;
    for (size_t i = 0; i < run->cells_n; i++) {
        const struct red_cell *cell = &run->cells[i];
        if (cell->state != RED_STATE_PENDING && cell->state != RED_STATE_PASS)
            continue; /* it is known already that it will not run */
        unsigned probes_n = 1 + red_exact_probes_n(bench->session, cell->op, cell->dtype, cell->n);
        cells_s += measuring_s(bench, cell);
        extent.programs_n += cell->device > 0 && (i == 0 || !red_cell_same_line(cell - 1, cell));
        extent.checks_n += probes_n;
        extent.elements += (double)probes_n * (double)(cell->n * cell->segments_n);
    }
    return red_extent_s(&extent, RED_PROGRAM_S) + cells_s;
}
