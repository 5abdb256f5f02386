/* A run over ranks whose figures can be computed by hand. After testing.h. */
#ifndef CLREDUCE_TESTS_MADE_RANKS_H
#define CLREDUCE_TESTS_MADE_RANKS_H

#include "results/scalings.h"

enum { MADE_CELLS_MAX = 64 };

static inline struct red_run made_ranks_run(size_t ranks_n) {
    struct red_run run = {.version = "0.1.0",
                          .started = "2026-11-26T15:00:00Z",
                          .command = "mpirun -n 4 clreduce bench --ranks",
                          .host = {.name = "box", .processor = "a processor", .cores_n = 2},
                          .seed = INT64_MAX,
                          .time_per_cell_s = 0.5,
                          .wall_s = 12.5,
                          .over_ranks = {.mpi = "Open MPI v4.1.4, MPI 3.1",
                                         .split = RED_RUN_SPLIT_EQUAL,
                                         .ranks = calloc(ranks_n + 1, sizeof *run.over_ranks.ranks),
                                         .ranks_n = ranks_n},
                          .devices = calloc(2, sizeof *run.devices),
                          .devices_n = 2,
                          .cells = calloc(MADE_CELLS_MAX, sizeof *run.cells),
                          .beside = calloc(MADE_CELLS_MAX, sizeof *run.beside)};
    assert_true(run.over_ranks.ranks != NULL && run.devices != NULL && run.cells != NULL &&
                run.beside != NULL);
    for (size_t r = 0; r < ranks_n; r++)
        run.over_ranks.ranks[r] = (struct red_rank){.host = "box",
                                                    .node = (unsigned)(r / 2),
                                                    .device = "pocl",
                                                    .device_name = "a device",
                                                    .driver = "3.1",
                                                    .cores_n = 1,
                                                    .roof_bytes_per_s = 1e10};
    run.devices[0] = (struct red_run_device){.is_host = true, .info = {.id = "host", .name = "OpenMP"}};
    run.devices[1] = (struct red_run_device){.info = {.id = "pocl", .name = "a device", .driver = "3.1"}};
    return run;
}

/* Adds a cell of sums of f32 whose median of the total is this: of three samples that differ a little. */
static inline struct red_cell *add_made_cell(struct red_run *run, enum red_cell_kind kind,
                                             const char *collective, uint64_t n, unsigned ranks_n, bool weak,
                                             double total_s) {
    static const struct red_strategy chunk = {.name = "chunk"};
    static const double around[] = {1, 0.9, 1.1}, shares[RED_PARTS_N] = {1, 0.875, 0.0625, 0.0625};
    const bool has_strategy = kind == RED_CELL_OWN || kind == RED_CELL_PEER;
    struct red_cell *cell = has_strategy ? &run->cells[run->cells_n++] : &run->beside[run->beside_n++];
    assert_in_range(has_strategy ? run->cells_n : run->beside_n, 1, MADE_CELLS_MAX);
    *cell = (struct red_cell){.kind = kind,
                              .at = {.device = run->devices[1].info.id,
                                     .strategy = has_strategy ? &chunk : NULL,
                                     .op = red_op_find("sum"),
                                     .dtype = red_dtype_find("f32"),
                                     .ranks_n = ranks_n,
                                     .n = n},
                              .device = 1,
                              .segments_n = 1,
                              .state = RED_STATE_PASS,
                              .checks_n = has_strategy ? 4 : 0,
                              .samples_n = 3,
                              .calls_per_sample = 10};
    snprintf(cell->at.scaling, sizeof cell->at.scaling, "%s", weak ? RED_SCALING_WEAK : "");
    snprintf(cell->at.shape, sizeof cell->at.shape, "%s", has_strategy ? "array" : "");
    if (has_strategy || kind == RED_CELL_ALONE)
        snprintf(cell->at.collective, sizeof cell->at.collective, "%s", collective);
    cell->samples_s = calloc(3, sizeof *cell->samples_s);
    for (int part = RED_PART_DEVICE; part < RED_PARTS_N; part++)
        cell->parts_s[part] = calloc(3, sizeof *cell->parts_s[part]);
    for (int part = 0; part < RED_PARTS_N; part++) {
        double *samples_s = red_cell_part_s(cell, (enum red_time_part)part);
        assert_non_null(samples_s);
        for (size_t i = 0; i < 3; i++)
            samples_s[i] = total_s * shares[part] * around[i];
    }
    assert_int_equal(red_cell_find_statistics(cell, NULL), RED_OK);
    return cell;
}

/* The same of OpenMP's loop in each rank. */
static inline struct red_cell *add_made_host(struct red_run *run, const char *collective, uint64_t n,
                                             unsigned ranks_n, bool weak, double total_s) {
    static const struct red_strategy openmp = {.name = "openmp", .standard = RED_STANDARD_HOST};
    struct red_cell *cell = add_made_cell(run, RED_CELL_OWN, collective, n, ranks_n, weak, total_s);
    cell->device = 0;
    cell->at.device = run->devices[0].info.id;
    cell->at.strategy = &openmp;
    return cell;
}

/* The cell has so many answers: the first one, and what follows it. */
static inline struct red_cell *add_made_answers(struct red_cell *cell, size_t n, uint64_t first) {
    cell->answers = calloc(RED_ANSWERS_MAX, sizeof *cell->answers);
    assert_non_null(cell->answers);
    cell->answers_n = n;
    for (size_t i = 0; i < n; i++)
        cell->answers[i] = first + i;
    return cell;
}

/* The cell has not passed: it loses its samples. */
static inline void make_cell_fail(struct red_cell *cell, enum red_state state, const char *reason) {
    red_cell_clear(cell);
    memset(cell->part_medians_s, 0, sizeof cell->part_medians_s);
    cell->time = (struct red_statistics){.n = 0};
    cell->state = state;
    snprintf(cell->reason, sizeof cell->reason, "%s", reason);
}

/* The pivot of the run. Release with red_ranks_pivot_clear. */
static inline struct red_ranks_pivot made_pivot(const struct red_run *run) {
    struct red_ranks_pivot pivot;
    assert_int_equal(red_ranks_pivot_make(run, NULL, 0, &pivot, NULL), RED_OK);
    return pivot;
}

#endif
