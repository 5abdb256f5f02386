/* The cells of `bench`: which there are, on which device, and what one call of each is. Preparing them
 * (run/cells.c), projecting their cost, resuming and measuring them build on this. */
#include "run/bench.h"

#include <stdio.h>
#include <stdlib.h>

#include "cl/roof.h"
#include "oracle/reference.h"
#include "run/autotune.h"

struct red_client *red_bench_client(const struct red_bench *bench, size_t device) {
    return device == 0 ? bench->session->host : bench->session->devices[device - 1];
}

struct red_case red_cell_case(const struct red_bench *bench, const struct red_cell *cell,
                              struct red_probe probe) {
    return (struct red_case){.data = {.op = cell->op,
                                      .dtype = cell->dtype,
                                      .probe = probe,
                                      .n = cell->n,
                                      .segments_n = cell->segments_n,
                                      .seed = bench->run.seed},
                             .strategy = cell->strategy,
                             .n = cell->n,
                             .tuning = cell->tuning,
                             .arrays_n = 1,
                             .reductions = 1,
                             .keep = probe.pattern == RED_PATTERN_UNIFORM};
}

struct red_measurement red_bench_measurement(const struct red_bench *bench, struct red_cell *cell) {
    const struct red_probe uniform = {RED_PATTERN_UNIFORM, 0};
    struct red_measurement row = {
        .cell = cell, .device = cell->device, .spec = red_cell_case(bench, cell, uniform)};
    row.spec.arrays_n = red_session_ring(bench->session);
    row.spec.reductions = bench->run.shape->calls_n;
    return row;
}

/* ---- known bugs -------------------------------------------------------------------------------------------
 */

struct red_known_failure *red_bench_known(const struct red_bench *bench, const struct red_cell *cell) {
    return red_session_known_failure(bench->session, cell->device - 1, cell->strategy, cell->op, cell->dtype,
                                     cell->n, cell->geometry.group_size);
}

void red_bench_take_known(struct red_bench *bench, struct red_cell *cell) {
    char found[sizeof cell->reason];
    if (cell->device == 0 || cell->state == RED_STATE_PENDING || cell->state == RED_STATE_PASS ||
        cell->state == RED_STATE_KNOWN_BUG)
        return;
    struct red_known_failure *known = red_bench_known(bench, cell);
    if (known == NULL || red_known_failure_add(known, cell->state) != RED_STATE_KNOWN_BUG)
        return;
    snprintf(found, sizeof found, "%s", cell->reason);
    snprintf(cell->reason, sizeof cell->reason, "%s, since %s: %.200s (%.200s)", red_state_name(cell->state),
             known->since, known->reason, found);
    cell->state = RED_STATE_KNOWN_BUG;
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
            red_autotune_apply(bench->tuned, &bench->run.devices[line->device].info, cell);
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
            (struct red_run_device){.info = *red_client_info(session->devices[d]),
                                    .capabilities = red_client_capabilities(session->devices[d])};
    for (size_t o = 0; o < session->ops_n; o++)
        for (size_t t = 0; t < session->types_n; t++)
            for (size_t d = 0; d < run->devices_n; d++)
                run->cells_n = lay_out_device(bench, d, session->ops[o], session->types[t], run->cells_n);
    return RED_OK;
}

void red_bench_clear(struct red_bench *bench) {
    for (size_t i = 0; i < bench->rows_n; i++)
        red_measurement_clear(&bench->rows[i]);
    free(bench->rows);
    red_run_clear(&bench->run);
    *bench = (struct red_bench){.session = NULL};
}
