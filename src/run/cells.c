#include "run/cells.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cl/roof.h"
#include "core/clock.h"
#include "core/interrupt.h"
#include "oracle/reference.h"
#include "run/project.h"
#include "run/resume.h"
#include "run/tune.h"
#include "worker/pace.h"

enum { CALLS_TYPICAL = 51 };
static const double WARM_UP_S = 0.02;

struct red_remote *red_bench_remote(const struct red_bench *bench, size_t device) {
    return device == 0 ? bench->session->host : bench->session->devices[device - 1];
}

struct red_case red_cell_case(const struct red_bench *bench, const struct red_cell *cell,
                              struct red_probe probe) {
    const struct red_data_spec data = {.op = cell->op,
                                       .dtype = cell->dtype,
                                       .probe = probe,
                                       .n = cell->n,
                                       .segments_n = cell->segments_n,
                                       .seed = bench->run.seed};
    struct red_case spec = red_case_make(&data, cell->strategy, &cell->tuning);
    spec.keep = probe.pattern == RED_PATTERN_UNIFORM;
    return spec;
}

struct red_row red_bench_row(const struct red_bench *bench, struct red_cell *cell) {
    const struct red_probe uniform = {RED_PATTERN_UNIFORM, 0};
    struct red_row row = {.cell = cell, .device = cell->device, .spec = red_cell_case(bench, cell, uniform)};
    row.spec.arrays_n = red_session_ring(bench->session);
    row.spec.reductions = bench->run.shape->calls_n;
    return row;
}

/* ---- one cell --------------------------------------------------------------------------------------------
 */

/* One size of one operation and type, and where the run stands. */
struct size {
    struct red_bench *bench;
    const struct red_op *op;
    const struct red_dtype *dtype;
    uint64_t n;
    double start_s;
};

/* The steps that every cell of one size takes, one after the other; workers keep the data of a step until the
 * next one. */
typedef enum red_status cell_step(struct red_bench *bench, struct red_probe probe, struct red_cell *cell,
                                  struct red_error *error);

/* What is projected to exceed the budget is not run; nothing is projected of small n, and a projection is no
 * measurement: the first check tells. On a busy machine a call may take longer once. */
static const double SLOWER_MAX = 2;

static enum red_status verify_on(struct red_bench *bench, struct red_probe probe, struct red_cell *cell,
                                 struct red_error *error) {
    struct red_verification verification;
    const struct red_case spec = red_cell_case(bench, cell, probe);
    enum red_status status = red_remote_verify(red_bench_remote(bench, cell->device), &spec, false,
                                               RED_VERIFY_CALLS * cell->projected_s, &verification, error);
    if (status != RED_OK)
        return status;
    if (verification.right && verification.call_s > SLOWER_MAX * bench->run.time_per_cell_s) {
        cell->state = RED_STATE_OVER_BUDGET;
        cell->projected_s = verification.call_s;
        return red_fail(error, RED_E_UNSUPPORTED, "one call takes %.3g s; the budget is %.3g s",
                        verification.call_s, bench->run.time_per_cell_s);
    }
    cell->checks_n++;
    cell->same_bits = verification.same_bits;
    cell->error = verification.error;
    cell->bound = verification.bound;
    cell->absolute = verification.absolute;
    return verification.right ? RED_OK : red_fail(error, RED_E_WRONG, "%s", verification.evidence);
}

/* Makes the row that is timed, and calls it until it is warm: CPU drivers compile at the first launch. */
static enum red_status warm_up(struct red_bench *bench, struct red_cell *cell, struct red_error *error) {
    struct red_row row = red_bench_row(bench, cell);
    struct red_ready ready;
    enum red_status status = red_remote_ready(red_bench_remote(bench, cell->device), &row.spec, CALLS_TYPICAL,
                                              WARM_UP_S, &ready, error);
    if (status != RED_OK)
        return status;
    cell->geometry = ready.geometry;
    snprintf(cell->standard, sizeof cell->standard, "%s", ready.standard);
    cell->call_s = ready.shortest_s / row.spec.reductions;
    red_row_plan(&row, ready.typical_s, bench->run.time_per_cell_s, bench->run.clock_step_s);
    bench->rows[bench->rows_n++] = row;
    return RED_OK;
}

struct red_expectation *red_bench_known(const struct red_bench *bench, const struct red_cell *cell) {
    return red_session_expectation(bench->session, cell->device - 1, cell->strategy, cell->op, cell->dtype,
                                   cell->n, cell->geometry.group_size);
}

/* What the register says must not be run. */
static enum red_status check_skip(const struct red_bench *bench, struct red_cell *cell,
                                  struct red_error *error) {
    const struct red_expectation *known = red_bench_known(bench, cell);
    if (known == NULL || !known->skip)
        return RED_OK;
    cell->state = RED_STATE_KNOWN_BUG;
    return red_fail(error, RED_E_UNSUPPORTED, "not run, since %s: %s", known->since, known->reason);
}

static enum red_status admit(struct red_bench *bench, struct red_probe probe, struct red_cell *cell,
                             struct red_error *error) {
    enum red_status status = red_strategy_admits(cell->strategy, cell->dtype, cell->op, error);
    (void)probe;
    if (status == RED_OK)
        status = red_op_check_n(cell->op, cell->dtype, cell->n, error);
    if (status == RED_OK && cell->device > 0)
        status = check_skip(bench, cell, error);
    return status == RED_OK ? red_cell_project(bench, cell, error) : status;
}

static enum red_status verify_and_warm_up(struct red_bench *bench, struct red_probe probe,
                                          struct red_cell *cell, struct red_error *error) {
    enum red_status status = verify_on(bench, probe, cell, error);
    if (status == RED_OK)
        status = warm_up(bench, cell, error);
    if (status == RED_OK)
        cell->state = RED_STATE_PASS;
    return status;
}

void red_bench_take_known(struct red_bench *bench, struct red_cell *cell) {
    char found[sizeof cell->reason];
    if (cell->device == 0 || cell->state == RED_STATE_PENDING || cell->state == RED_STATE_PASS ||
        cell->state == RED_STATE_KNOWN_BUG)
        return;
    struct red_expectation *known = red_bench_known(bench, cell);
    if (known == NULL || red_expectation_take(known, cell->state) != RED_STATE_KNOWN_BUG)
        return;
    snprintf(found, sizeof found, "%s", cell->reason);
    snprintf(cell->reason, sizeof cell->reason, "%s, since %s: %.200s (%.200s)", red_state_name(cell->state),
             known->since, known->reason, found);
    cell->state = RED_STATE_KNOWN_BUG;
}

/* Takes every pending cell of the size through the step. A failure is the cell's: state and reason. */
static void take_step(const struct size *size, cell_step *step, struct red_probe probe) {
    struct red_run *run = &size->bench->run;
    for (size_t i = 0; i < run->cells_n && !red_interrupted(); i++) {
        struct red_cell *cell = &run->cells[i];
        struct red_error error = {.text = ""};
        if (cell->op != size->op || cell->dtype != size->dtype || cell->n != size->n ||
            cell->state != RED_STATE_PENDING)
            continue;
        char what[160];
        snprintf(what, sizeof what, "verifying %s on %s, %s %s, n = %llu", cell->strategy->name,
                 run->devices[cell->device].info.id, size->op->name, size->dtype->name,
                 (unsigned long long)size->n);
        red_progress(what, (double)size->bench->rows_n / (double)run->cells_n, size->start_s);
        enum red_status status = step(size->bench, probe, cell, &error);
        if (status != RED_OK && cell->state == RED_STATE_PENDING)
            cell->state = red_state_of(status);
        if (status != RED_OK)
            snprintf(cell->reason, sizeof cell->reason, "%.500s", error.text);
        red_bench_take_known(size->bench, cell);
        cell->untried = status == RED_E_UNTRIED ||
                        (cell->device > 0 && red_remote_is_lost(red_bench_remote(size->bench, cell->device)));
        if (cell->state == RED_STATE_PASS)
            red_resume_cell(size->bench, cell, &size->bench->rows[size->bench->rows_n - 1]);
        else if (cell->state != RED_STATE_PENDING)
            red_resume_cell(size->bench, cell, NULL);
    }
}

/* ---- the layout ------------------------------------------------------------------------------------------
 */

/* Where the strategy cannot run, what was chosen still stands there. */
static void device_geometry(const struct red_bench *bench, struct red_cell *cell) {
    const struct red_shape_limits *limits = &bench->run.devices[cell->device].info.shape;
    (void)red_geometry_choose_segments(cell->strategy, cell->op, cell->dtype, limits, &cell->tuning, cell->n,
                                       cell->segments_n, &cell->geometry, NULL);
}

static size_t lay_out_line(struct red_bench *bench, const struct red_cell *line, size_t at) {
    for (size_t i = 0; i < bench->session->selection->n.n; i++) {
        struct red_cell *cell = &bench->run.cells[at++];
        *cell = *line;
        cell->n = bench->session->selection->n.values[i];
        cell->segments_n = red_shape_segments(bench->run.shape, cell->n);
        red_cell_shape_print(bench->run.shape, cell->segments_n, cell->n, cell->shape, sizeof cell->shape);
        cell->tuning = cell->asked;
        if (line->device > 0 && bench->tuned != NULL)
            red_tune_cell(bench->tuned, &bench->run.devices[line->device].info, cell);
        if (line->device == 0)
            cell->geometry = red_host_geometry(cell->n, cell->segments_n);
        else
            device_geometry(bench, cell);
    }
    return at;
}

/* A line is one row of the answer: everything but n. */
static size_t lay_out_device(struct red_bench *bench, size_t device, const struct red_op *op,
                             const struct red_dtype *dtype, size_t at) {
    const struct red_session *session = bench->session;
    struct red_cell line = {.device = device, .op = op, .dtype = dtype};
    if (device == 0) {
        line.strategy = red_catalogue_find(session->catalogue, "openmp");
        return lay_out_line(bench, &line, at);
    }
    for (size_t s = 0; s < session->strategies_n; s++) {
        for (size_t t = 0; t < red_selection_tunings_n(session->selection); t++) {
            line.strategy = session->strategies[s];
            line.asked = red_selection_tuning(session->selection, t);
            at = lay_out_line(bench, &line, at);
        }
    }
    return at;
}

enum red_status red_bench_lay_out(struct red_session *session, struct red_bench *bench,
                                  struct red_error *error) {
    bench->session = session;
    struct red_run *run = &bench->run;
    size_t tables_n = session->ops_n * session->types_n, n_n = session->selection->n.n;
    size_t tunings_n = red_selection_tunings_n(session->selection);
    size_t lines_n = tables_n * (1 + session->devices_n * session->strategies_n * tunings_n);
    run->devices_n = 1 + session->devices_n;
    run->devices = calloc(run->devices_n, sizeof *run->devices);
    run->cells = calloc(lines_n * n_n, sizeof *run->cells);
    bench->rows = calloc(lines_n * n_n + run->devices_n * (RED_ROOF_FORMS_N + 1), sizeof *bench->rows);
    if (run->devices == NULL || run->cells == NULL || bench->rows == NULL)
        return red_fail(error, RED_E_MEMORY, "no memory for %zu cells", lines_n * n_n);
    run->devices[0] = (struct red_run_device){.is_host = true};
    run->devices[0].info.shape.compute_units = red_reference_threads_n();
    snprintf(run->devices[0].info.id, sizeof run->devices[0].info.id, "host");
    snprintf(run->devices[0].info.name, sizeof run->devices[0].info.name, "OpenMP, %u threads",
             red_reference_threads_n());
    for (size_t d = 0; d < session->devices_n; d++)
        run->devices[d + 1] =
            (struct red_run_device){.info = *red_remote_info(session->devices[d]),
                                    .capabilities = red_remote_capabilities(session->devices[d])};
    for (size_t o = 0; o < session->ops_n; o++)
        for (size_t t = 0; t < session->types_n; t++)
            for (size_t d = 0; d < run->devices_n; d++)
                run->cells_n = lay_out_device(bench, d, session->ops[o], session->types[t], run->cells_n);
    return RED_OK;
}

static void admit_size(const struct size *size) {
    take_step(size, admit, (struct red_probe){RED_PATTERN_UNIFORM, 0});
}

static void prepare_size(const struct size *size) {
    struct red_bench *bench = size->bench;
    const struct red_probe uniform = {RED_PATTERN_UNIFORM, 0};
    if (bench->run.shape->calls_n <= 1)
        admit_size(size);
    for (unsigned i = 0; i < red_exact_probes_n(bench->session, size->op, size->dtype, size->n); i++)
        take_step(size, verify_on, red_exact_probe(bench->session, size->op, size->dtype, size->n, i));
    take_step(size, verify_and_warm_up, uniform);
}

static void each_size(struct red_bench *bench, double start_s, void (*prepare)(const struct size *)) {
    const struct red_session *session = bench->session;
    for (size_t o = 0; o < session->ops_n; o++)
        for (size_t t = 0; t < session->types_n; t++)
            for (size_t i = 0; i < session->selection->n.n; i++) {
                const struct size size = {bench, session->ops[o], session->types[t],
                                          session->selection->n.values[i], start_s};
                prepare(&size);
            }
}

enum red_status red_bench_prepare(struct red_bench *bench, const char *result_path, struct red_error *error) {
    struct red_session *session = bench->session;
    double start_s = red_clock_s();
    enum red_status status = RED_OK;
    for (size_t d = 0; d < session->devices_n; d++) /* what tuning tried is no cell */
        red_remote_pardon(session->devices[d]);
    if (result_path != NULL)
        status = red_resume_open(bench, result_path, error);
    char duration[32];
    if (status != RED_OK) {
        bench->run.cells_n = 0; /* there is nothing to write: what another run has written stays */
        return status;
    }
    /* How often a reduction is called is the user's: what it takes is timed before anything is announced. */
    if (bench->run.shape->calls_n > 1)
        each_size(bench, start_s, admit_size);
    bench->expected_s = red_bench_expected_s(bench);
    red_duration_print(bench->expected_s, duration, sizeof duration);
    fprintf(stderr, "verifying %zu cells, then measuring them: about %s on an idle machine",
            bench->run.cells_n, duration);
    if (session->selection->data_sets > 0)
        fprintf(stderr, "; each with at most %u exact data set%s", session->selection->data_sets,
                session->selection->data_sets == 1 ? "" : "s");
    fputc('\n', stderr);
    each_size(bench, start_s, prepare_size);
    red_progress_end();
    red_remote_rest(session->host);
    return red_interrupted() ? red_fail(error, RED_E_INTERRUPTED, "interrupted while verifying") : RED_OK;
}

void red_bench_clear(struct red_bench *bench) {
    for (size_t i = 0; i < bench->rows_n; i++)
        red_row_clear(&bench->rows[i]);
    free(bench->rows);
    red_run_clear(&bench->run);
    *bench = (struct red_bench){.session = NULL};
}
