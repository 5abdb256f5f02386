/* The default grid of `clreduce bench` as a program of Google Benchmark, with its options and its reports:
 *     reduce_benchmark [--benchmark_filter=REGEX] [--benchmark_repetitions=N] [--benchmark_format=json] ...
 * A benchmark is named DEVICE/STRATEGY/OPERATION/TYPE/N. Those that the filter matches are verified, and then
 * run: their time is what a worker tells of a batch of calls, the time to answer of one. What cannot run, or
 * was wrong, has the reason instead of a time. Exit status: 0; 1 an option that Google Benchmark does not
 * know; 2 a wrong result; 5 a driver has failed; 77 no device; 130 interrupted. */
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/shim.h"
#include "core/clock.h"
#include "core/interrupt.h"
#include "core/memory.h"
#include "core/text.h"
#include "results/run.h"
#include "run/bench.h"
#include "worker/server.h"

/* One cell of the grid. */
struct entry {
    struct red_bench *bench;
    struct red_cell *cell;
    struct red_measurement *measurement; /* NULL: it did not pass */
    char name[160], *reason;             /* owned; NULL: it was not asked for */
};

/* The grid, entry i beside benchmark i. */
struct grid {
    struct red_part *parts; /* owned: one, of the defaults */
    size_t parts_n;
    struct red_bench bench;
    struct entry *entries;                   /* owned */
    struct red_gbench_benchmark *benchmarks; /* owned */
    int *chosen;                             /* owned */
    size_t n;
    int has_json_file; /* of red_gbench_initialize */
};

/* Why the cell has no time, as text that JSON can hold. */
static const char *entry_reason(struct entry *entry) {
    char text[sizeof entry->cell->reason + 32];
    snprintf(text, sizeof text, "%s: %s", red_state_name(entry->cell->state), entry->cell->reason);
    red_text_replace_control(text);
    free(entry->reason);
    entry->reason = red_utf8_repaired(text);
    return entry->reason != NULL ? entry->reason : "no memory for the reason";
}

/* A red_gbench_time_batch of an entry that passed. */
static const char *time_batch(void *context, int begins, double *call_s) {
    struct entry *entry = context;
    struct red_gbench_time time;
    if (!red_measurement_is_live(entry->measurement))
        return entry_reason(entry);
    if (begins && entry->cell->device > 0)
        red_client_stop_spinning(entry->bench->session->host);
    const struct red_batch_care care = {.wake_s = begins ? RED_WAKE_S : 0, .check_stale = begins};
    enum red_status status = red_measurement_time_batch(entry->bench, entry->measurement, &care, &time);
    *call_s = status == RED_OK ? time.real_s : 0;
    return status == RED_OK              ? NULL
           : status == RED_E_INTERRUPTED ? "interrupted while it was timed"
                                         : entry_reason(entry);
}

/* ---- the grid ------------------------------------------------------------------------------------------ */

static void grid_clear(struct grid *grid) {
    for (size_t i = 0; i < grid->n; i++)
        free(grid->entries[i].reason);
    red_bench_clear(&grid->bench);
    red_parts_destroy(grid->parts, grid->parts_n);
    free(grid->entries);
    free(grid->benchmarks);
    free(grid->chosen);
}

/* Lays out the default grid, and names its cells. */
static enum red_status grid_make(struct red_session *session, struct grid *grid, struct red_error *error) {
    struct red_bench *bench = &grid->bench;
    bench->session = session;
    bench->parts = grid->parts;
    bench->parts_n = grid->parts_n;
    bench->run.seed = session->selection->seed;
    bench->run.shape = &session->selection->shape;
    bench->run.time_per_cell_s = session->selection->time_per_cell_s;
    bench->run.clock_step_s = red_clock_measure_step_s();
    bench->expected_s = INFINITY; /* how long it takes is for Google Benchmark to decide: none is announced */
    red_run_set_primitive(&bench->run, session->selection->primitive);
    enum red_status status = red_bench_lay_out(bench, error);
    if (status != RED_OK)
        return status;
    const size_t n = bench->run.cells_n;
    grid->entries = calloc(n + 1, sizeof *grid->entries);
    grid->benchmarks = calloc(n + 1, sizeof *grid->benchmarks);
    grid->chosen = calloc(n + 1, sizeof *grid->chosen);
    if (grid->entries == NULL || grid->benchmarks == NULL || grid->chosen == NULL)
        return red_fail(error, RED_E_MEMORY, "no memory for %zu benchmarks", n);
    grid->n = n; /* behind the arrays, which grid_clear looks through */
    for (size_t i = 0; i < grid->n; i++) {
        const struct red_cell *cell = &bench->run.cells[i];
        snprintf(grid->entries[i].name, sizeof grid->entries[i].name, "%s/%s/%s/%s/%llu",
                 bench->run.devices[cell->device].info.id, cell->at.strategy->name, cell->at.op->name,
                 cell->at.dtype->name, (unsigned long long)cell->at.n);
        grid->benchmarks[i].name = grid->entries[i].name;
    }
    return RED_OK;
}

/* Leaves in the grid what the filter chooses, so that nothing else is verified. */
static enum red_status grid_choose(struct grid *grid, struct red_error *error) {
    size_t kept_n = 0;
    if (red_gbench_choose(grid->benchmarks, grid->n, grid->has_json_file, grid->chosen) != 0)
        return red_fail(error, RED_E_MEMORY, "no memory for %zu benchmarks", grid->n);
    for (size_t i = 0; i < grid->n; i++) {
        if (!grid->chosen[i])
            continue;
        grid->bench.run.cells[kept_n] = grid->bench.run.cells[i];
        memmove(grid->entries[kept_n].name, grid->entries[i].name, sizeof grid->entries[i].name);
        kept_n++;
    }
    grid->n = grid->bench.run.cells_n = kept_n;
    return RED_OK;
}

/* Verifies the cells, and completes the benchmark of each: what is timed, or why nothing is. */
static enum red_status grid_prepare(struct grid *grid, struct red_error *error) {
    struct red_bench *bench = &grid->bench;
    enum red_status status = red_bench_prepare(bench, NULL, error);
    for (size_t device = 1; device < bench->run.devices_n; device++) {
        const struct red_device_info *info = &bench->run.devices[device].info;
        char text[512];
        red_client_stop_probers(red_bench_client(bench, device));
        snprintf(text, sizeof text, "%.200s, driver %.200s", info->name, info->driver);
        red_gbench_add_context(info->id, text);
    }
    for (size_t i = 0; i < bench->measurements_n; i++)
        grid->entries[bench->measurements[i].cell - bench->run.cells].measurement = &bench->measurements[i];
    for (size_t i = 0; i < grid->n; i++) {
        struct entry *entry = &grid->entries[i];
        entry->bench = bench;
        entry->cell = &bench->run.cells[i];
        grid->benchmarks[i] =
            (struct red_gbench_benchmark){.name = entry->name,
                                          .error = entry->measurement == NULL ? entry_reason(entry) : NULL,
                                          .time_batch = time_batch,
                                          .context = entry,
                                          .calls = entry->measurement == NULL ? 1 : entry->measurement->calls,
                                          .bytes = red_cell_bytes(entry->cell),
                                          .items = (double)entry->cell->at.n};
    }
    return status;
}

/* A wrong result before all; a kernel of ours that a driver does not build is a row without a time. */
static enum red_status grid_judge(const struct grid *grid) {
    size_t counts[RED_STATES_N] = {0};
    for (size_t i = 0; i < grid->n; i++)
        counts[grid->bench.run.cells[i].state]++;
    counts[RED_STATE_BUILD_FAILED] = 0;
    return red_state_status(red_state_deciding_exit(counts));
}

/* ---- the program --------------------------------------------------------------------------------------- */

static enum red_status run(struct red_session *session, int has_json_file, struct red_error *error) {
    const struct red_experiment_choice none = {.letters = 0};
    struct grid grid = {.has_json_file = has_json_file};
    enum red_status status = red_parts_create(session, &none, &grid.parts, &grid.parts_n, error);
    if (status == RED_OK)
        status = red_parts_check_memory(grid.parts, grid.parts_n, error);
    if (status == RED_OK)
        status = grid_make(session, &grid, error);
    if (status == RED_OK)
        status = grid_choose(&grid, error);
    if (status == RED_OK && grid.n > 0) {
        status = grid_prepare(&grid, error);
        if (status == RED_OK && red_gbench_run(grid.benchmarks, grid.n, has_json_file) != 0)
            status = red_fail(error, RED_E_MEMORY, "no memory for %zu benchmarks", grid.n);
        if (status == RED_OK)
            status = red_interrupted() ? red_fail(error, RED_E_INTERRUPTED, "interrupted while measuring")
                                       : grid_judge(&grid);
    }
    grid_clear(&grid);
    return status;
}

int main(int argc, char **argv) {
    struct red_error error = {.text = ""};
    struct red_selection selection = {.seed = 1,
                                      .shape = {.calls_n = 1},
                                      .time_per_cell_s = RED_BENCH_CELL_S,
                                      .program = "reduce_benchmark"};
    const struct red_session_defaults defaults = red_bench_defaults(selection.primitive);
    struct red_session session;
    int has_json_file = 0;
    const bool is_worker = argc > 1 && strcmp(argv[1], "worker") == 0; /* how a session starts this program */
    signal(SIGPIPE, SIG_IGN);                                          /* a child that ends is an error */
    red_memory_handle_failures();
    red_drivers_use_beside_program();
    if (is_worker)
        return red_exit_status_of(red_worker_serve(NULL, 0, &error));
    if (red_gbench_initialize(&argc, argv, &has_json_file) != 0)
        return 1; /* as all programs of Google Benchmark */
    red_interrupt_handle_signals();
    enum red_status status = red_sizes_parse("--n", RED_BENCH_SIZES, &selection.n, &error);
    if (status == RED_OK)
        status = red_session_open(&selection, &defaults, &session, &error);
    if (status == RED_OK) {
        status = run(&session, has_json_file, &error);
        red_session_close(&session);
    }
    red_sizes_clear(&selection.n);
    if (error.text[0] != '\0' && status != RED_OK)
        fprintf(stderr, "reduce_benchmark: %s\n", error.text);
    return red_exit_status_of(status);
}
