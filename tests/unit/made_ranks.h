/* A run of bench --ranks whose figures can be computed by hand. After testing.h. */
#ifndef CLREDUCE_TESTS_MADE_RANKS_H
#define CLREDUCE_TESTS_MADE_RANKS_H

#include "results/ranks.h"

enum { MADE_ROWS_MAX = 64 };

static inline struct red_ranks_run made_ranks_run(size_t ranks_n) {
    struct red_ranks_run run = {.version = "0.1.0",
                                .started = "2026-11-26T15:00:00Z",
                                .command = "mpirun -n 4 clreduce bench --ranks",
                                .mpi = "Open MPI v4.1.4, MPI 3.1",
                                .host = {.name = "box", .processor = "a processor", .cores_n = 2},
                                .seed = INT64_MAX,
                                .split = "equal",
                                .time_per_cell_s = 0.5,
                                .wall_s = 12.5,
                                .ranks = calloc(ranks_n + 1, sizeof *run.ranks),
                                .ranks_n = ranks_n,
                                .rows = calloc(MADE_ROWS_MAX, sizeof *run.rows)};
    assert_true(run.ranks != NULL && run.rows != NULL);
    for (size_t r = 0; r < ranks_n; r++)
        run.ranks[r] = (struct red_rank){.host = "box",
                                         .node = (unsigned)(r / 2),
                                         .device = "pocl",
                                         .device_name = "a device",
                                         .driver = "3.1",
                                         .cores_n = 1,
                                         .roof_bytes_per_s = 1e10};
    return run;
}

/* Adds a row of sums of f32 whose median of the total is this: of three samples that differ a little. */
static inline struct red_ranks_row *add_made_row(struct red_ranks_run *run, enum red_ranks_kind kind,
                                                 const char *collective, uint64_t n, unsigned ranks_n,
                                                 bool weak, double total_s) {
    static const double around[] = {1, 0.5, 1.5};
    struct red_ranks_row *row = &run->rows[run->rows_n++];
    assert_in_range(run->rows_n, 1, MADE_ROWS_MAX);
    *row = (struct red_ranks_row){.kind = kind,
                                  .op = "sum",
                                  .type = "f32",
                                  .n = n,
                                  .ranks_n = ranks_n,
                                  .weak = weak,
                                  .state = RED_STATE_PASS,
                                  .checks_n = 4,
                                  .samples_n = 3,
                                  .calls_per_sample = 10};
    snprintf(row->strategy, sizeof row->strategy, "%s",
             !red_ranks_kind_has_strategy(kind) ? ""
             : kind == RED_RANKS_HOST           ? "openmp"
                                                : "chunk");
    snprintf(row->collective, sizeof row->collective, "%s",
             red_ranks_kind_has_collective(kind) ? collective : "");
    for (size_t part = 0; part < RED_PARTS_N; part++) {
        static const double shares[RED_PARTS_N] = {1, 0.875, 0.0625, 0.0625};
        row->samples_s[part] = calloc(3, sizeof *row->samples_s[part]);
        assert_non_null(row->samples_s[part]);
        for (size_t i = 0; i < 3; i++)
            row->samples_s[part][i] = total_s * shares[part] * around[i];
    }
    assert_int_equal(red_ranks_row_find_medians(row, NULL), RED_OK);
    return row;
}

/* The row has so many answers: the first one, and what follows it. */
static inline void add_made_answers(struct red_ranks_row *row, size_t n, uint64_t first) {
    row->answers_n = n;
    for (size_t i = 0; i < n; i++)
        row->answers[i] = first + i;
}

/* The row has not passed: it loses its samples. */
static inline void make_row_fail(struct red_ranks_row *row, enum red_state state, const char *reason) {
    for (size_t part = 0; part < RED_PARTS_N; part++) {
        free(row->samples_s[part]);
        row->samples_s[part] = NULL;
        row->medians_s[part] = 0;
    }
    row->samples_n = 0;
    row->time = (struct red_statistics){.n = 0};
    row->state = state;
    snprintf(row->reason, sizeof row->reason, "%s", reason);
}

#endif
