#include "bench/cells.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/current.h"
#include "bench/pace.h"
#include "bench/project.h"
#include "bench/tune.h"
#include "model/clock.h"
#include "oracle/bound.h"
#include "oracle/reference.h"

/* ---- verifying -------------------------------------------------------------------------------------------
 */

/* One size of one operation and type, and where the run stands. */
struct size {
    struct red_bench *bench;
    const struct red_op *op;
    const struct red_dtype *dtype;
    uint64_t n;
    double start_s;
};

static size_t session_device(const struct red_cell *cell) {
    return cell->device - 1; /* device 0 of a run is the host */
}

/* The host's row takes the same check; there is nothing to poison. */
static enum red_status verify_host(const struct red_cell *cell, struct red_dataset *dataset,
                                   struct red_verification *verification, struct red_error *error) {
    const struct red_segments *segments = NULL;
    struct red_work work = {.cell = (struct red_cell *)(uintptr_t)cell, .data = dataset, .data_n = 1};
    double chain = red_bound_chain(cell->strategy, cell->dtype, cell->op, &cell->geometry, cell->n);
    bool many = cell->segments_n > 1;
    uint64_t which;
    enum red_status status = RED_OK;
    if (many)
        status = red_answers_make(cell->op, cell->dtype, cell->segments_n, &work.answers, error);
    if (status == RED_OK && many)
        status = red_dataset_segments(dataset, false, &segments, error);
    if (status == RED_OK) {
        (void)red_work_call(&work);
        struct red_verdict verdict = many ? red_segments_check(segments, chain, &work.answers, &which)
                                          : red_truth_check(&dataset->truth, chain, work.value);
        *verification = (struct red_verification){.right = verdict.right,
                                                  .same_bits = true,
                                                  .error = verdict.error,
                                                  .bound = verdict.bound,
                                                  .absolute = many ? 0 : dataset->truth.absolute,
                                                  .evidence = "the OpenMP row is wrong"};
    }
    red_work_clear(&work);
    return status;
}

static enum red_status verify_on(struct red_bench *bench, struct red_dataset *dataset, struct red_cell *cell,
                                 struct red_error *error) {
    struct red_verification verification;
    const struct red_plan_spec spec = red_cell_spec(cell, cell->n);
    enum red_status status = RED_OK;
    if (cell->device == 0)
        status = verify_host(cell, dataset, &verification, error);
    else
        status =
            red_dataset_verify(bench->session, dataset, session_device(cell), &spec, &verification, error);
    if (status != RED_OK)
        return status;
    cell->checks_n++;
    cell->same_bits = verification.same_bits;
    cell->error = verification.error;
    cell->bound = verification.bound;
    cell->absolute = verification.absolute;
    return verification.right ? RED_OK : red_fail(error, RED_E_WRONG, "%s", verification.evidence);
}

/* ---- one cell --------------------------------------------------------------------------------------------
 */

/* The plan, or what the host needs. */
static enum red_status work_make(struct red_bench *bench, struct red_work *work, struct red_error *error) {
    struct red_cell *cell = work->cell;
    const struct red_plan_spec spec = red_cell_spec(cell, cell->n);
    enum red_status status = RED_OK;
    struct red_resident *resident = NULL;
    if (cell->device == 0)
        return cell->segments_n > 1
                   ? red_answers_make(cell->op, cell->dtype, cell->segments_n, &work->answers, error)
                   : RED_OK;
    for (unsigned i = work->data_n; i-- > 0 && status == RED_OK;) /* the first one last: it is the plan's */
        status = red_dataset_resident(bench->session, &work->data[i], session_device(cell), &resident, error);
    if (status == RED_OK)
        status = red_plan_create(resident, &spec, &work->plan, error);
    if (status != RED_OK)
        return status;
    cell->geometry = *red_plan_geometry(work->plan);
    snprintf(cell->standard, sizeof cell->standard, "%s", red_plan_standard(work->plan));
    return RED_OK;
}

/* Where the calls take turns with several arrays, each of them must come to its own answer, twice. */
static enum red_status check_turns(struct red_work *work, struct red_error *error) {
    char got[64];
    unsigned reductions = work->reductions;
    bool right = true;
    work->reductions = 1;
    for (unsigned i = 0; work->data_n > 1 && i < 2 * work->data_n && right; i++) {
        if (red_work_call(work) != 0)
            return red_fail(error, work->error.status, "%s", work->error.text);
        right = red_work_is_right(work, got, sizeof got);
    }
    work->reductions = reductions;
    return right ? RED_OK
                 : red_fail(
                       error, RED_E_WRONG,
                       "iterated: expected the answer of array %u of %u, which takes another's place, got %s",
                       work->turn + 1, work->data_n, got);
}

/* Makes the work that is timed and calls it until it is warm: CPU drivers compile at the first launch. */
static enum red_status warm_up(struct red_bench *bench, struct red_dataset *timed, struct red_cell *cell,
                               struct red_error *error) {
    struct red_work work = {.cell = cell,
                            .device = cell->device,
                            .data = timed,
                            .data_n = red_session_ring(bench->session),
                            .reductions = bench->run.shape->calls_n};
    enum red_status status = work_make(bench, &work, error);
    work.chain = red_bound_chain(cell->strategy, cell->dtype, cell->op, &cell->geometry, cell->n);
    if (status == RED_OK)
        status = check_turns(&work, error);
    double shortest_s = 0, call_s = status == RED_OK ? red_work_typical_call(&work, 0.02, &shortest_s) : 0;
    if (call_s < 0)
        status = red_fail(error, work.error.status, "%s", work.error.text);
    if (status != RED_OK) {
        red_work_clear(&work);
        return status;
    }
    cell->call_s = shortest_s / work.reductions;
    red_work_plan(&work, call_s, bench->run.time_per_cell_s, bench->run.clock_step_s);
    bench->works[bench->works_n++] = work;
    return RED_OK;
}

/* The steps that every cell of one size takes, one after the other; a data set serves all cells before the
 * next one is made. Each step gets the data set it is about. */
typedef enum red_status cell_step(struct red_bench *bench, struct red_dataset *dataset, struct red_cell *cell,
                                  struct red_error *error);

static enum red_status admit(struct red_bench *bench, struct red_dataset *timed, struct red_cell *cell,
                             struct red_error *error) {
    struct red_resident *resident = NULL;
    enum red_status status = red_strategy_admits(cell->strategy, cell->dtype, cell->op, error);
    if (status == RED_OK)
        status = red_op_check_n(cell->op, cell->dtype, cell->n, error);
    if (status != RED_OK || cell->device == 0)
        return status;
    status = red_dataset_resident(bench->session, timed, session_device(cell), &resident, error);
    if (status == RED_OK)
        status = red_cell_project(bench, resident, cell, error);
    return status;
}

static enum red_status verify_and_warm_up(struct red_bench *bench, struct red_dataset *timed,
                                          struct red_cell *cell, struct red_error *error) {
    enum red_status status = verify_on(bench, timed, cell, error);
    if (status == RED_OK)
        status = warm_up(bench, timed, cell, error);
    if (status == RED_OK)
        cell->state = RED_STATE_PASS;
    return status;
}

/* What the device can do is asked before the clock of the step runs: its probes have limits of their own. */
static void ask_driver(const struct red_bench *bench, const struct red_cell *cell) {
    enum red_c_standard standard;
    if (cell->device > 0)
        (void)red_capability_decide(bench->session->devices[session_device(cell)], cell->strategy,
                                    cell->dtype, cell->op, &standard, NULL);
}

/* Takes every pending cell of the size through the step. A failure is the cell's: state and reason. */
static void take_step(const struct size *size, cell_step *step, struct red_dataset *dataset) {
    struct red_run *run = &size->bench->run;
    for (size_t i = 0; i < run->cells_n; i++) {
        struct red_cell *cell = &run->cells[i];
        struct red_error error = {.text = ""};
        if (cell->op != size->op || cell->dtype != size->dtype || cell->n != size->n ||
            cell->state != RED_STATE_PENDING)
            continue;
        char what[96];
        snprintf(what, sizeof what, "verifying %s on %s, %s %s, n = %llu", cell->strategy->name,
                 run->devices[cell->device].info.id, size->op->name, size->dtype->name,
                 (unsigned long long)size->n);
        red_progress(what, (double)size->bench->works_n / (double)run->cells_n, size->start_s);
        ask_driver(size->bench, cell);
        red_current_begin(red_patience_s(size->n, size->bench->run.time_per_cell_s), "%s, group size %zu",
                          what, cell->geometry.group_size);
        enum red_status status = step(size->bench, dataset, cell, &error);
        red_current_end();
        if (status != RED_OK && cell->state == RED_STATE_PENDING)
            cell->state = red_state_of(status);
        if (status != RED_OK)
            snprintf(cell->reason, sizeof cell->reason, "%.500s", error.text);
        if (cell->device == 0)
            red_reference_rest();
    }
}

/* ---- the layout ------------------------------------------------------------------------------------------
 */

/* The host's geometry: one contiguous piece per thread. */
static void host_geometry(struct red_cell *cell) {
    size_t threads_n = red_reference_threads_for(cell->n * cell->segments_n);
    cell->geometry = (struct red_geometry){
        .group_size = threads_n, .groups_n = 1, .item_n = cell->n / threads_n + (cell->n % threads_n != 0)};
    if (cell->segments_n > 1)
        cell->geometry.item_n = cell->n; /* a thread takes whole segments */
}

/* Where the strategy cannot run, what was chosen still stands there. */
static void device_geometry(const struct red_bench *bench, struct red_cell *cell) {
    const struct red_shape_limits *limits = &bench->run.devices[cell->device].info.shape;
    (void)red_geometry_choose_segments(cell->strategy, cell->op, cell->dtype, limits, &cell->tuning, cell->n,
                                       cell->segments_n, &cell->geometry, NULL);
}

static size_t lay_out_line(struct red_bench *bench, const struct red_cell *line, size_t at) {
    for (size_t i = 0; i < bench->session->options->n.n; i++) {
        struct red_cell *cell = &bench->run.cells[at++];
        *cell = *line;
        cell->n = bench->session->options->n.values[i];
        cell->segments_n = red_shape_segments(bench->run.shape, cell->n);
        cell->tuning = cell->asked;
        if (line->device > 0 && bench->tuned != NULL)
            red_tune_cell(bench->tuned, &bench->run.devices[line->device].info, cell);
        if (line->device == 0)
            host_geometry(cell);
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
        for (size_t t = 0; t < red_options_tunings_n(session->options); t++) {
            line.strategy = session->strategies[s];
            line.asked = red_options_tuning(session->options, t);
            at = lay_out_line(bench, &line, at);
        }
    }
    return at;
}

static enum red_status lay_out(struct red_bench *bench, struct red_error *error) {
    struct red_session *session = bench->session;
    struct red_run *run = &bench->run;
    size_t tables_n = session->ops_n * session->types_n, n_n = session->options->n.n;
    size_t tunings_n = red_options_tunings_n(session->options);
    size_t lines_n = tables_n * (1 + session->devices_n * session->strategies_n * tunings_n);
    run->devices_n = 1 + session->devices_n;
    run->devices = calloc(run->devices_n, sizeof *run->devices);
    run->cells = calloc(lines_n * n_n, sizeof *run->cells);
    bench->datasets = calloc(tables_n * n_n * red_session_ring(session), sizeof *bench->datasets);
    bench->works = calloc(lines_n * n_n + run->devices_n * (RED_ROOF_FORMS_N + 1), sizeof *bench->works);
    if (run->devices == NULL || run->cells == NULL || bench->datasets == NULL || bench->works == NULL)
        return red_fail(error, RED_E_MEMORY, "no memory for %zu cells", lines_n * n_n);
    run->devices[0] = (struct red_run_device){.is_host = true};
    run->devices[0].info.shape.compute_units = red_reference_threads_n();
    snprintf(run->devices[0].info.id, sizeof run->devices[0].info.id, "host");
    snprintf(run->devices[0].info.name, sizeof run->devices[0].info.name, "OpenMP, %u threads",
             red_reference_threads_n());
    for (size_t d = 0; d < session->devices_n; d++)
        run->devices[d + 1] = (struct red_run_device){.info = *red_device_info(session->devices[d]),
                                                      .device = session->devices[d]};
    for (size_t o = 0; o < session->ops_n; o++)
        for (size_t t = 0; t < session->types_n; t++)
            for (size_t d = 0; d < run->devices_n; d++)
                run->cells_n = lay_out_device(bench, d, session->ops[o], session->types[t], run->cells_n);
    return RED_OK;
}

static enum red_status prepare_size(const struct size *size, struct red_error *error) {
    struct red_bench *bench = size->bench;
    struct red_dataset *timed = &bench->datasets[bench->datasets_n];
    const struct red_probe uniform = {RED_PATTERN_UNIFORM, 0};
    uint64_t seed = bench->run.seed, segments_n = red_shape_segments(bench->run.shape, size->n);
    enum red_status status = RED_OK;
    for (unsigned i = 0; i < red_session_ring(bench->session) && status == RED_OK; i++) {
        status = red_dataset_make_segments(size->dtype, size->op, uniform, size->n, segments_n, seed + i,
                                           &timed[i], error);
        bench->datasets_n += status == RED_OK;
    }
    if (status != RED_OK)
        return status;
    take_step(size, admit, timed);
    for (unsigned i = 0;
         i < red_exact_probes_n(bench->session, size->op, size->dtype, size->n) && status == RED_OK; i++) {
        struct red_dataset exact;
        struct red_probe probe = red_exact_probe(bench->session, size->op, size->dtype, size->n, i);
        status =
            red_dataset_make_segments(size->dtype, size->op, probe, size->n, segments_n, seed, &exact, error);
        if (status == RED_OK) {
            take_step(size, verify_on, &exact);
            red_dataset_clear(&exact);
        }
    }
    if (status == RED_OK)
        take_step(size, verify_and_warm_up, timed);
    return status;
}

enum red_status red_bench_prepare(struct red_session *session, struct red_bench *bench,
                                  struct red_error *error) {
    bench->session = session;
    double start_s = red_clock_s();
    enum red_status status = lay_out(bench, error);
    char duration[32];
    bench->expected_s = status == RED_OK ? red_bench_expected_s(bench) : 0;
    red_duration_print(bench->expected_s, duration, sizeof duration);
    fprintf(stderr, "verifying %zu cells, then measuring them: about %s on an idle machine",
            bench->run.cells_n, duration);
    if (session->options->data_sets > 0)
        fprintf(stderr, "; each with at most %u exact data set%s", session->options->data_sets,
                session->options->data_sets == 1 ? "" : "s");
    fputc('\n', stderr);
    for (size_t o = 0; o < session->ops_n; o++)
        for (size_t t = 0; t < session->types_n; t++)
            for (size_t i = 0; i < session->options->n.n && status == RED_OK; i++) {
                const struct size size = {bench, session->ops[o], session->types[t],
                                          session->options->n.values[i], start_s};
                status = prepare_size(&size, error);
            }
    red_progress_end();
    return status;
}

void red_bench_clear(struct red_bench *bench) {
    for (size_t i = 0; i < bench->works_n; i++)
        red_work_clear(&bench->works[i]);
    for (size_t i = 0; i < bench->datasets_n; i++)
        red_dataset_clear(&bench->datasets[i]);
    free(bench->works);
    free(bench->datasets);
    red_run_clear(&bench->run);
    *bench = (struct red_bench){.session = NULL};
}
