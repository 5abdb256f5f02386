/* The cells of `bench`, and what a call, a check and a run are expected to take. It lays the cells out, then
 * verifies, projects and warms up each before it is measured (run/measure.c). The user sees its progress,
 * "verifying N cells, then measuring them: about ...", and the cells in the table and as `cells` of the
 * result file. cli/cmd_bench.c makes the struct red_bench. Estimates are seen as over-budget cells, and as
 * "about 40 s" before a run of `verify` or `bench`. red_call_cost_X are for verify (verify/verify.c): the
 * time limit of a check, and whether it is over budget. */
#include "run/bench.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench/shim.h"
#include "cl/roof.h"
#include "core/clock.h"
#include "core/interrupt.h"
#include "host/reference.h"
#include "model/case.h"
#include "model/computed.h"
#include "model/primitive.h"
#include "run/estimate.h"
#include "run/run_private.h"
#include "run/session.h"

enum { BATCHES_MAX = 18, BATCHES_MIN = 6, CLOCK_STEPS_MIN = 1000 };

struct red_session_defaults red_bench_defaults(enum red_primitive primitive) {
    const struct red_primitive_row *row = &red_primitives[primitive];
    return (struct red_session_defaults){.types = "f32",
                                         .ops = row->op,
                                         .strategies = row->strategies,
                                         .gpu_best = row->gpu_best,
                                         .gpu_left = row->gpu_left,
                                         .by_shape = true};
}

/* For a cell and for a roof (run/measure.c), and for the estimate: calls_per_sample of the result file, and
 * how many samples there are. */
void red_measurement_plan(struct red_measurement *measurement, double call_s, double budget_s,
                          double clock_step_s) {
    measurement->call_s = call_s;
    double batch_s = fmax(CLOCK_STEPS_MIN * clock_step_s, budget_s / BATCHES_MAX);
    measurement->calls = call_s < batch_s ? (uint64_t)(batch_s / call_s) : 1;
    double batches = budget_s / (call_s * (double)measurement->calls);
    measurement->batches = batches >= BATCHES_MAX   ? BATCHES_MAX
                           : batches <= BATCHES_MIN ? BATCHES_MIN
                                                    : (unsigned)batches;
    measurement->batches = (measurement->batches + RED_ROUNDS_N - 1) / RED_ROUNDS_N * RED_ROUNDS_N;
}

/* For the estimates, and for the time limit of a batch (run/measure.c). */
double red_measurement_batch_s(const struct red_measurement *measurement) {
    return measurement->call_s * (double)(measurement->calls + red_gbench_untimed(measurement->calls));
}

/* For run/measure.c. */
bool red_measurement_is_live(const struct red_measurement *measurement) {
    return measurement->cell == NULL ? measurement->batches > 0 : measurement->cell->state == RED_STATE_PASS;
}

/* For run/measure.c and, with --resume, run/checkpoint.c. */
enum red_status red_measurement_make_room(struct red_measurement *measurement, struct red_error *error) {
    measurement->real_s = calloc(measurement->batches, sizeof *measurement->real_s);
    measurement->cpu_s = calloc(measurement->batches, sizeof *measurement->cpu_s);
    return measurement->real_s != NULL && measurement->cpu_s != NULL
               ? RED_OK
               : red_fail(error, RED_E_MEMORY, "no memory for samples");
}

static void measurement_clear(struct red_measurement *measurement) {
    free(measurement->real_s);
    free(measurement->cpu_s);
    *measurement = (struct red_measurement){.cell = NULL};
}

struct red_client *red_bench_client(const struct red_bench *bench, size_t device) {
    return device == 0 ? bench->session->host : bench->session->devices[device - 1];
}

/* The data that a cell is timed with. */
static struct red_data_kind timed_data_of_cell(const struct red_cell *cell) {
    struct red_data_kind data_kind = {RED_PATTERN_UNIFORM, 0};
    if (cell->at.data[0] != '\0')
        (void)red_data_kind_find(cell->at.data, cell->at.op, cell->at.dtype, cell->at.n, &data_kind);
    return data_kind;
}

/* Whether the cell is timed with this data. */
static bool is_cell_timed_with(const struct red_cell *cell, struct red_data_kind data_kind) {
    return timed_data_of_cell(cell).pattern == data_kind.pattern;
}

/* With how many data sets a cell is checked: of cells that differ in their timed data alone the first is
 * checked with all of them, at least 2, others with what they are timed with. */
static unsigned checks_n_of_cell(const struct red_bench *bench, const struct red_cell *cell) {
    const struct red_selection *selection = &bench->parts[cell->part].selection;
    struct red_data_kind sets[RED_DATA_SETS_MAX + 1], timed[RED_TIMED_DATA_MAX];
    return red_selection_timed_data(selection, cell->at.op, cell->at.dtype, timed) > 1 &&
                   !is_cell_timed_with(cell, timed[0])
               ? 1
               : red_selection_data_kinds(selection, cell->at.op, cell->at.dtype, cell->at.n, sets);
}

/* The case of one reduction of a cell over data of this kind, which is what is verified and projected; for
 * calls of several reductions see red_measurement.spec. */
static struct red_case case_of_cell(const struct red_bench *bench, const struct red_cell *cell,
                                    struct red_data_kind data_kind) {
    const struct red_shape *shape = &bench->parts[cell->part].selection.shape;
    struct red_data_spec data =
        red_data_spec_make(cell->at.op, cell->at.dtype, data_kind, cell->at.n, bench->run.seed);
    data.segments_n = cell->segments_n;
    data.bins_n = cell->at.bins_n;
    data.making = shape->kind == RED_SHAPE_COMPUTED ? RED_MADE_IN_KERNEL : RED_MADE_BY_PATTERN;
    struct red_case made = red_case_make(&data, cell->at.strategy, &cell->at.asked);
    made.keep = shape->kind != RED_SHAPE_CHANGED && /* red_measurement_make has other data timed */
                data_kind.pattern == timed_data_of_cell(cell).pattern;
    return made;
}

/* For a cell that passed, here or (--resume, run/checkpoint.c) in an earlier run. */
struct red_measurement red_measurement_make(const struct red_bench *bench, struct red_cell *cell) {
    struct red_measurement measurement = {
        .cell = cell, .device = cell->device, .spec = case_of_cell(bench, cell, timed_data_of_cell(cell))};
    const struct red_part *part = &bench->parts[cell->part];
    measurement.spec.arrays_n = red_session_arrays_n(&part->session);
    measurement.spec.reductions = part->selection.shape.calls_n;
    if (part->selection.shape.kind == RED_SHAPE_CHANGED) {
        measurement.spec.data.making = RED_MADE_BY_LAUNCH;
        measurement.spec.keep = true;
        /* So that one element of those before shows in a sum. Extremes of other seeds differ where elements
         * have many bits. */
        if (!red_op_picks(cell->at.op) && cell->at.n <= RED_COMPUTED_N_MAX)
            measurement.spec.data.data_kind = (struct red_data_kind){RED_PATTERN_WEIGHTS, 0};
    }
    return measurement;
}

/* ---- known bugs ------------------------------------------------------------------------------------------
 * Of --expect: such a cell has the state known-bug, and cli/cmd_bench.c prints which lines no longer hold. */

struct red_known_failure *red_bench_known_failure(const struct red_bench *bench,
                                                  const struct red_cell *cell) {
    return red_session_known_failure(bench->session, cell->device - 1, cell->at.strategy, cell->at.op,
                                     cell->at.dtype, cell->at.n, cell->geometry.group_size);
}

void red_bench_mark_if_known_bug(struct red_bench *bench, struct red_cell *cell) {
    char found[sizeof cell->reason];
    if (cell->device == 0 || cell->state == RED_STATE_PENDING || cell->state == RED_STATE_PASS ||
        cell->state == RED_STATE_KNOWN_BUG)
        return;
    struct red_known_failure *known = red_bench_known_failure(bench, cell);
    if (known == NULL || red_known_failure_count(known, cell->state) != RED_STATE_KNOWN_BUG)
        return;
    snprintf(found, sizeof found, "%s", cell->reason);
    snprintf(cell->reason, sizeof cell->reason, "%s, since %s: %.200s (%.200s)", red_state_name(cell->state),
             known->since, known->reason, found);
    cell->known_bug = cell->state;
    cell->state = RED_STATE_KNOWN_BUG;
}

/* ---- the layout ---------------------------------------------------------------------------------------- */

/* Makes a cell of the line at each n of --n, from index `at` on. Gives the next free index. */
static size_t lay_out_sizes(struct red_bench *bench, const struct red_cell *line, size_t at) {
    const struct red_selection *selection = &bench->parts[line->part].selection;
    for (size_t i = 0; i < selection->n.n; i++) {
        struct red_cell *cell = &bench->run.cells[at++];
        *cell = *line;
        cell->at.n = selection->n.values[i];
        cell->segments_n = red_shape_segments_n(&selection->shape, cell->at.n);
        red_at_set_shape(&cell->at, &selection->shape, cell->segments_n, cell->at.n);
        if (line->device == 0)
            cell->geometry = red_host_geometry(cell->at.strategy, cell->at.n, cell->segments_n);
        else /* where the strategy cannot run, none is chosen */
            (void)red_geometry_choose_segments(cell->at.strategy, cell->at.op, cell->at.dtype,
                                               &bench->run.devices[cell->device].info.shape, &cell->at.asked,
                                               cell->at.n, cell->segments_n, &cell->geometry, NULL);
    }
    return at;
}

/* Makes the line of uniform data, or those of the others, from index `at` on. Gives the next free index. */
static size_t lay_out_data(struct red_bench *bench, bool uniform, struct red_cell *line, size_t at) {
    const struct red_selection *selection = &bench->parts[line->part].selection;
    struct red_data_kind timed[RED_TIMED_DATA_MAX];
    const unsigned timed_n = red_selection_timed_data(selection, line->at.op, line->at.dtype, timed);
    line->at.bins_n = red_selected_bins_n(selection);
    for (unsigned i = 0; i < timed_n; i++) {
        const bool is_uniform = timed[i].pattern == RED_PATTERN_UNIFORM;
        if (is_uniform != uniform)
            continue;
        snprintf(line->at.data, sizeof line->at.data, "%s",
                 is_uniform ? "" : red_pattern_name(timed[i].pattern));
        at = lay_out_sizes(bench, line, at);
    }
    return at;
}

/* Adds the cells of a device of a part for one operation and type with uniform data, or with all others, from
 * index `at` on. Gives the next free index. A line is one row of the table on the screen: everything but n.
 */
static size_t lay_out_device(struct red_bench *bench, size_t part, size_t device, const struct red_op *op,
                             const struct red_dtype *dtype, bool uniform, size_t at) {
    const struct red_session *session = &bench->parts[part].session;
    const struct red_experiment *experiment = bench->parts[part].experiment;
    struct red_cell line = {.part = part, .device = device};
    line.at = (struct red_at){.device = bench->run.devices[device].info.id, .op = op, .dtype = dtype};
    snprintf(line.experiment, sizeof line.experiment, "%s", experiment != NULL ? experiment->letter : "");
    for (size_t i = 0; device == 0 && i < red_catalogue_n(session->catalogue); i++) {
        line.at.strategy = red_catalogue_get(session->catalogue, i);
        if (line.at.strategy->standard == RED_STANDARD_HOST &&
            red_session_takes_host_row(session, line.at.strategy))
            at = lay_out_data(bench, uniform, &line, at);
    }
    for (size_t s = 0; device > 0 && s < session->strategies_n; s++) {
        if (!red_session_takes(session, device - 1, session->strategies[s], op, dtype))
            continue;
        for (size_t t = 0; t < red_selection_tunings_n(session->selection); t++) {
            line.at.strategy = session->strategies[s];
            line.at.asked = red_selection_tuning(session->selection, t);
            at = lay_out_data(bench, uniform, &line, at);
        }
    }
    return at;
}

/* How many cells a part has at most. */
static size_t cells_of_part_max(const struct red_part *part) {
    const struct red_session *session = &part->session;
    const size_t tunings_n = red_selection_tunings_n(&part->selection),
                 rows_n = RED_HOST_ROWS_N + session->devices_n * session->strategies_n * tunings_n;
    struct red_data_kind timed[RED_TIMED_DATA_MAX];
    size_t tables_n = 0;
    for (size_t o = 0; o < session->ops_n; o++)
        for (size_t t = 0; t < session->types_n; t++)
            tables_n += red_selection_timed_data(&part->selection, session->ops[o], session->types[t], timed);
    return tables_n * rows_n * part->selection.n.n;
}

void red_bench_host_device(struct red_run_device *device) {
    *device = (struct red_run_device){.is_host = true};
    device->info.shape.compute_units = red_reference_threads_n();
    snprintf(device->info.id, sizeof device->info.id, "host");
    snprintf(device->info.name, sizeof device->info.name, "OpenMP, %u threads", red_reference_threads_n());
}

/* Fills the devices of the run: the host, and those of the session. */
static void lay_out_run_devices(const struct red_session *session, struct red_run *run) {
    red_bench_host_device(&run->devices[0]);
    for (size_t d = 0; d < session->devices_n; d++)
        run->devices[d + 1] =
            (struct red_run_device){.info = *red_client_info(session->devices[d]),
                                    .capabilities = red_client_capabilities(session->devices[d])};
}

enum red_status red_bench_lay_out(struct red_bench *bench, struct red_error *error) {
    struct red_run *run = &bench->run;
    size_t cells_n = 0;
    for (size_t p = 0; p < bench->parts_n; p++)
        cells_n += cells_of_part_max(&bench->parts[p]);
    run->devices_n = 1 + bench->session->devices_n;
    run->devices = calloc(run->devices_n, sizeof *run->devices);
    run->cells = calloc(cells_n, sizeof *run->cells);
    bench->measurements =
        calloc(cells_n + run->devices_n * (RED_ROOF_FORMS_N + 1), sizeof *bench->measurements);
    if (run->devices == NULL || run->cells == NULL || bench->measurements == NULL)
        return red_fail(error, RED_E_MEMORY, "no memory for %zu cells", cells_n);
    lay_out_run_devices(bench->session, run);
    for (size_t p = 0; p < bench->parts_n; p++) {
        const struct red_session *session = &bench->parts[p].session;
        for (size_t o = 0; o < session->ops_n; o++)
            for (size_t t = 0; t < session->types_n; t++)
                for (size_t d = 0; d < 2 * run->devices_n; d++) /* as files are read: uniform data first */
                    run->cells_n = lay_out_device(bench, p, d % run->devices_n, session->ops[o],
                                                  session->types[t], d < run->devices_n, run->cells_n);
    }
    return RED_OK;
}

void red_bench_clear(struct red_bench *bench) {
    for (size_t i = 0; i < bench->measurements_n; i++)
        measurement_clear(&bench->measurements[i]);
    free(bench->measurements);
    red_run_clear(&bench->run);
    *bench = (struct red_bench){.session = NULL};
}

/* ---- what calls take ----------------------------------------------------------------------------------- */

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

void red_call_costs_add(struct red_call_costs *costs, size_t type, enum red_combiner does, uint64_t n,
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
                       enum red_combiner does, uint64_t n) {
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

/* ---- what checks and runs take ---------------------------------------------------------------------------
 * From the checks of bench and verify (verify/verify.c) so far. */

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

/* For verify/verify.c: "takes longer than announced: 40 s so far, about 80 s left". */
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

/* ---- projecting a cell -----------------------------------------------------------------------------------
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
        struct red_case spec = case_of_cell(bench, cell, timed_data_of_cell(cell));
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

/* Before a cell is verified: climbs from the last known point to n by factors of 4, on the cell's own data,
 * and stops as soon as the projection says no: what is out of reach costs a few small calls. Of an iterated
 * shape, and there of the host's cells too, one reduction at n is timed, and a call is so many of them. Fills
 * cell->projected_s and, where iterated, cell->call_s. Errors: RED_E_UNSUPPORTED and state over-budget; those
 * of red_client_time_calls. */
static enum red_status project_cell(const struct red_bench *bench, struct red_cell *cell,
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

/* About how many seconds the whole run takes, from its beginning to its end: by what checks have taken so far
 * on each device, and by the measurements that are planned. That some cells will not run, or not so long, is
 * not known. */
static double whole_run_estimate_s(const struct red_bench *bench) {
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
        const unsigned checks_n = checks_n_of_cell(bench, cell);
        total_s += cell->state == RED_STATE_PENDING ? unplanned_cell_s(bench, cell, mean_s) : 0;
        of->programs_n += cell->device > 0 && checks_n > 1 && (i == 0 || !red_cell_same_line(cell - 1, cell));
        of->checks_n += checks_n;
        of->elements += (double)checks_n * (double)(cell->at.n * cell->segments_n);
    }
    for (size_t device = 0; device < run->devices_n; device++)
        total_s += red_workload_s(&work[device], &bench->rates[device]);
    return total_s;
}

/* ---- preparing a cell ---------------------------------------------------------------------------------- */

enum { CALLS_TYPICAL = 51 };
static const double WARM_UP_S = 0.02;

/* After this many seconds the estimate is printed, even if no cell has shown yet what elements cost. */
static const double ANNOUNCE_S = 10;

/* One size of one operation and type of a part, which of its cells, and where the run stands. */
struct op_type_n {
    struct red_bench *bench;
    size_t part;
    const struct red_op *op;
    const struct red_dtype *dtype;
    uint64_t n;
    double start_s;
    const struct red_data_kind *timed; /* cells that are timed with this data; NULL: all */
};

/* The steps that every cell of one size takes, one after the other; workers keep the data of a step until the
 * next one. */
typedef enum red_status cell_step(struct red_bench *bench, struct red_data_kind data_kind,
                                  struct red_cell *cell, struct red_error *error);

/* A call may take this many times the budget in the first check, since a busy machine may delay it once. The
 * projection has left out slower cells before, but there is none for small n. */
static const double SLOWER_MAX = 2;

/* A step: verifies the cell on data of this kind. What a single call shows to be too slow is over-budget. */
static enum red_status verify_cell_on(struct red_bench *bench, struct red_data_kind data_kind,
                                      struct red_cell *cell, struct red_error *error) {
    struct red_verification verification;
    const struct red_case spec = case_of_cell(bench, cell, data_kind);
    enum red_status status =
        red_case_require_right(red_bench_client(bench, cell->device), &spec, false,
                               RED_VERIFY_CALLS * cell->projected_s, &verification, error);
    if (status != RED_OK && status != RED_E_WRONG)
        return status;
    if (status == RED_OK && verification.call_s > SLOWER_MAX * bench->run.time_per_cell_s) {
        cell->state = RED_STATE_OVER_BUDGET;
        cell->projected_s = verification.call_s;
        return red_fail(error, RED_E_UNSUPPORTED,
                        "one call takes %.3g s; the budget is %.3g s (--time-per-cell)", verification.call_s,
                        bench->run.time_per_cell_s);
    }
    cell->checks_n++;
    cell->same_bits = verification.same_bits;
    cell->error = verification.error;
    cell->bound = verification.bound;
    cell->absolute = verification.absolute;
    return status;
}

/* The share of the time per cell that the cell gets: 1, or less where it is timed with other data than the
 * first. For its warming up and its batches. */
static double share_of_cell(const struct red_bench *bench, const struct red_cell *cell) {
    const struct red_selection *selection = &bench->parts[cell->part].selection;
    struct red_data_kind timed[RED_TIMED_DATA_MAX];
    (void)red_selection_timed_data(selection, cell->at.op, cell->at.dtype, timed);
    return selection->time_per_other_s > 0 && !is_cell_timed_with(cell, timed[0])
               ? selection->time_per_other_s / selection->time_per_cell_s
               : 1;
}

/* Adds the measurement that is timed, and calls it until times are steady: CPU drivers compile at the first
 * call. */
static enum red_status add_measurement_and_warm_up(struct red_bench *bench, struct red_cell *cell,
                                                   struct red_error *error) {
    struct red_measurement measurement = red_measurement_make(bench, cell);
    struct red_ready ready;
    const double share = share_of_cell(bench, cell);
    enum red_status status = red_client_prepare(red_bench_client(bench, cell->device), &measurement.spec,
                                                CALLS_TYPICAL, share * WARM_UP_S, &ready, error);
    if (status != RED_OK)
        return status;
    cell->geometry = ready.geometry;
    snprintf(cell->standard, sizeof cell->standard, "%s", ready.standard);
    cell->call_s = ready.shortest_s / measurement.spec.reductions;
    red_measurement_plan(&measurement, ready.typical_s, share * bench->run.time_per_cell_s,
                         bench->run.clock_step_s);
    bench->measurements[bench->measurements_n++] = measurement;
    return RED_OK;
}

/* A cell that the register marks as not to be run ends as known-bug. */
static enum red_status refuse_skipped_cell(const struct red_bench *bench, struct red_cell *cell,
                                           struct red_error *error) {
    const struct red_known_failure *known = red_bench_known_failure(bench, cell);
    if (known == NULL || !known->skip)
        return RED_OK;
    cell->state = RED_STATE_KNOWN_BUG;
    return red_fail(error, RED_E_UNSUPPORTED, "not run, since %s: %s", known->since, known->reason);
}

/* The first step: a cell that cannot run, may not run or takes too long ends here, with its reason. */
static enum red_status admit_and_project_cell(struct red_bench *bench, struct red_data_kind data_kind,
                                              struct red_cell *cell, struct red_error *error) {
    enum red_status status =
        red_strategy_check_type_and_op(cell->at.strategy, cell->at.dtype, cell->at.op, error);
    (void)data_kind;
    if (status == RED_OK)
        status = red_op_check_n(cell->at.op, cell->at.dtype, cell->at.n, error);
    if (status == RED_OK && cell->device > 0)
        status = refuse_skipped_cell(bench, cell, error);
    return status == RED_OK ? project_cell(bench, cell, error) : status;
}

/* The last step, on the timed data: a cell that gets so far passes, and has a measurement. */
static enum red_status verify_and_warm_up_cell(struct red_bench *bench, struct red_data_kind data_kind,
                                               struct red_cell *cell, struct red_error *error) {
    enum red_status status = verify_cell_on(bench, data_kind, cell, error);
    if (status == RED_OK)
        status = add_measurement_and_warm_up(bench, cell, error);
    if (status == RED_OK)
        cell->state = RED_STATE_PASS;
    return status;
}

/* Prints how many cells there are and about how long the run takes, once; nothing where there is none. */
static void announce_estimate_once(struct red_bench *bench) {
    const unsigned data_sets = bench->session->selection->data_sets;
    if (bench->expected_s > 0 || bench->run.cells_n == 0)
        return;
    bench->expected_s = whole_run_estimate_s(bench);
    red_progress_end();
    fprintf(stderr, "verifying %zu cells, then measuring them: about %s on an idle machine",
            bench->run.cells_n, red_duration_text(bench->expected_s).text);
    if (data_sets > 0)
        fprintf(stderr, "; each with at most %u exact data set%s", data_sets, data_sets == 1 ? "" : "s");
    fputc('\n', stderr);
}

/* Adds the time of a check, one verify of a cell, to the device's rates for the estimate. Its program was new
 * if no cell of its line was checked before. */
static void add_check_time(struct red_bench *bench, const struct red_cell *cell, double took_s) {
    const struct red_cell *at = cell;
    bool is_new = cell->device > 0 && cell->checks_n <= 1 && checks_n_of_cell(bench, cell) > 1;
    while (is_new && at > bench->run.cells && red_cell_same_line(at - 1, cell))
        is_new = (--at)->checks_n == 0;
    const struct red_workload work = {
        .checks_n = 1, .programs_n = is_new, .elements = (double)(cell->at.n * cell->segments_n)};
    red_check_rates_add(&bench->rates[cell->device], &work, took_s);
}

/* Takes every pending cell of the size through the step. A failure is the cell's: state and reason. Shows
 * progress, times checks for the estimate, and writes cells that are done into the checkpoint. */
static void take_cells_through_step(const struct op_type_n *size, cell_step *step,
                                    struct red_data_kind data_kind) {
    struct red_run *run = &size->bench->run;
    for (size_t i = 0; i < run->cells_n && !red_interrupted(); i++) {
        struct red_cell *cell = &run->cells[i];
        struct red_error error = {.text = ""};
        if (cell->part != size->part || cell->at.op != size->op || cell->at.dtype != size->dtype ||
            cell->at.n != size->n || cell->state != RED_STATE_PENDING ||
            (size->timed != NULL && !is_cell_timed_with(cell, *size->timed)))
            continue;
        char what[160];
        snprintf(what, sizeof what, "verifying %s on %s, %s %s, n = %llu", cell->at.strategy->name,
                 run->devices[cell->device].info.id, size->op->name, size->dtype->name,
                 (unsigned long long)size->n);
        red_progress(what, (double)size->bench->measurements_n / (double)run->cells_n, size->start_s);
        const double begun_s = red_clock_s();
        const unsigned checks_n = cell->checks_n;
        enum red_status status = step(size->bench, data_kind, cell, &error);
        if (cell->checks_n > checks_n)
            add_check_time(size->bench, cell, red_clock_s() - begun_s);
        if (red_clock_s() > size->start_s + ANNOUNCE_S)
            announce_estimate_once(size->bench);
        if (status != RED_OK && cell->state == RED_STATE_PENDING)
            cell->state = red_state_of(status);
        if (status != RED_OK)
            snprintf(cell->reason, sizeof cell->reason, "%.500s", error.text);
        red_bench_mark_if_known_bug(size->bench, cell);
        cell->untried = status == RED_E_UNTRIED ||
                        (cell->device > 0 && red_client_is_lost(red_bench_client(size->bench, cell->device)));
        if (cell->state == RED_STATE_PASS)
            red_bench_checkpoint_cell(size->bench, cell,
                                      &size->bench->measurements[size->bench->measurements_n - 1]);
        else if (cell->state != RED_STATE_PENDING)
            red_bench_checkpoint_cell(size->bench, cell, NULL);
    }
}

/* ---- sizes --------------------------------------------------------------------------------------------- */

/* Takes the cells of one size through the first step, for which some are called at smaller n. */
static void admit_and_project_cells_of(const struct op_type_n *size) {
    take_cells_through_step(size, admit_and_project_cell, (struct red_data_kind){RED_PATTERN_UNIFORM, 0});
}

/* Whether any cell that was checked was large enough to show what elements cost, or none has a larger n. */
static bool element_cost_is_known(const struct op_type_n *size) {
    const struct red_run *run = &size->bench->run;
    bool checked = false, largest = true;
    for (size_t i = 0; i < run->cells_n; i++) {
        const struct red_cell *cell = &run->cells[i];
        largest = largest && cell->at.n <= size->n;
        checked = checked || (cell->checks_n > 0 && cell->at.n * cell->segments_n >= RED_LARGE_CHECK_N);
    }
    return checked || largest;
}

/* Takes the cells of one size through all steps (the first one was before where a call is many reductions);
 * those that reach the end have a measurement. Prints the estimate once it is known. */
static void prepare_cells_of(const struct op_type_n *size) {
    struct red_bench *bench = size->bench;
    const struct red_selection *selection = &bench->parts[size->part].selection;
    struct red_data_kind sets[RED_DATA_SETS_MAX + 1], timed[RED_TIMED_DATA_MAX];
    struct op_type_n of_first = *size, of_same = *size;
    if (selection->shape.calls_n <= 1)
        admit_and_project_cells_of(size);
    const unsigned sets_n = red_selection_data_kinds(selection, size->op, size->dtype, size->n, sets),
                   timed_n = red_selection_timed_data(selection, size->op, size->dtype, timed);
    /* All other cells of a data set follow at once, so that it is made once; at last those of timed data that
     * are no exact set. Cells that have passed take no further step. */
    of_first.timed = &timed[0];
    for (unsigned i = 0; i + 1 < sets_n; i++) {
        take_cells_through_step(&of_first, verify_cell_on, sets[i]);
        for (unsigned k = 1; k < timed_n; k++) {
            of_same.timed = &timed[k];
            if (timed[k].pattern == sets[i].pattern)
                take_cells_through_step(&of_same, verify_and_warm_up_cell, timed[k]);
        }
    }
    for (unsigned k = 0; k < timed_n; k++) {
        of_same.timed = &timed[k];
        take_cells_through_step(&of_same, verify_and_warm_up_cell, timed[k]);
    }
    if (element_cost_is_known(size))
        announce_estimate_once(bench);
}

/* Calls `step` for every operation, type and n of the part. */
static void for_each_op_type_and_n(struct red_bench *bench, size_t part, double start_s,
                                   void (*step)(const struct op_type_n *)) {
    const struct red_session *session = &bench->parts[part].session;
    for (size_t o = 0; o < session->ops_n; o++)
        for (size_t t = 0; t < session->types_n; t++)
            for (size_t i = 0; i < session->selection->n.n; i++) {
                const struct op_type_n size = {
                    bench,   part, session->ops[o], session->types[t], session->selection->n.values[i],
                    start_s, NULL};
                step(&size);
            }
}

/* Of a run that is interrupted while it verifies no cell was measured: the table, the files and the page tell
 * them as pending, with this reason. */
static void make_all_unmeasured_pending(struct red_run *run) {
    for (size_t i = 0; i < run->cells_n; i++) {
        struct red_cell *cell = &run->cells[i];
        if (cell->state != RED_STATE_PENDING && cell->state != RED_STATE_PASS)
            continue;
        snprintf(cell->reason, sizeof cell->reason, "not measured: interrupted%s",
                 cell->state == RED_STATE_PASS ? "; what was verified is right" : " before it was verified");
        cell->state = RED_STATE_PENDING;
    }
}

enum red_status red_bench_prepare(struct red_bench *bench, const char *result_path, struct red_error *error) {
    struct red_session *session = bench->session;
    double start_s = red_clock_s();
    enum red_status status = RED_OK;
    for (size_t d = 0; d < session->devices_n; d++) /* what --accuracy met is no cell */
        red_client_reset_failures(session->devices[d]);
    if (result_path != NULL)
        status = red_bench_checkpoint_open(bench, result_path, error);
    if (status != RED_OK) {
        bench->run.cells_n = 0; /* there is nothing to write: what another run has written stays */
        return status;
    }
    /* How often a reduction is called is the user's: what it takes is timed before anything is announced. */
    for (size_t p = 0; p < bench->parts_n; p++)
        if (bench->parts[p].selection.shape.calls_n > 1)
            for_each_op_type_and_n(bench, p, start_s, admit_and_project_cells_of);
    if (bench->parts_n == 1 && bench->parts[0].selection.shape.calls_n > 1)
        announce_estimate_once(bench);
    for (size_t p = 0; p < bench->parts_n; p++)
        for_each_op_type_and_n(bench, p, start_s, prepare_cells_of);
    announce_estimate_once(bench);
    red_progress_end();
    red_client_stop_spinning(session->host);
    if (red_interrupted())
        make_all_unmeasured_pending(&bench->run);
    return red_interrupted() ? red_fail(error, RED_E_INTERRUPTED, "interrupted while verifying") : RED_OK;
}
