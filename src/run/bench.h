/* What `bench` measures and how: its measurements and cells, preparing and measuring them. cli/cmd_bench.c
 * calls these; the user sees progress on stderr, and then the cells as table and result file. */
#ifndef CLREDUCE_RUN_BENCH_H
#define CLREDUCE_RUN_BENCH_H

#include "model/case.h"
#include "model/experiments.h"
#include "results/journal.h"
#include "results/run.h"
#include "run/estimate.h"
#include "run/session.h"

/* ---- defaults --------------------------------------------------------------------------------------------
 * What is measured where the user chose nothing: n, seconds for a cell, and the rest. */

#define RED_BENCH_SIZES  "2^10..2^24:x4"
#define RED_BENCH_CELL_S 0.08
struct red_session_defaults red_bench_defaults(enum red_primitive primitive);

/* ---- measurements ----------------------------------------------------------------------------------------
 * A measurement is of a cell that passed, or of a roof: how it is made, and its samples. */

/* Batches are interleaved over this many rounds, so that slow drift affects all cells equally. */
enum { RED_ROUNDS_N = 6 };

struct red_measurement {
    struct red_cell *cell; /* NULL for a roof */
    size_t device;         /* index into red_run.devices */
    struct red_case spec;
    double bytes;   /* that a call reads, of a roof */
    double call_s;  /* expected of a call */
    uint64_t calls; /* per batch */
    unsigned batches;
    double *real_s, *cpu_s; /* owned; seconds per reduction, one per batch */
    size_t samples_n;
};

/* Finds calls per batch and number of batches for calls that take call_s: a batch spans at least 1000 steps
 * of the clock, and all batches together about the budget, but at least 6: fewer samples have no 95 %
 * interval. The untimed calls before every batch (bench/shim.h) come on top of the budget. */
void red_measurement_plan(struct red_measurement *measurement, double call_s, double budget_s,
                          double clock_step_s);

/* What a batch is expected to take, with the calls before it. */
double red_measurement_batch_s(const struct red_measurement *measurement);

/* Whether it takes part in the rounds, with or without samples yet: a cell that failed or was wrong does not.
 */
bool red_measurement_is_live(const struct red_measurement *measurement);

/* Allocates room for as many samples as there are batches. Errors: RED_E_MEMORY. red_bench_clear
 * releases it. */
enum red_status red_measurement_make_room(struct red_measurement *measurement, struct red_error *error);

/* ---- cells --------------------------------------------------------------------------------------------- */

/* A part of a run: cells of one selection. */
struct red_part {
    const struct red_experiment *experiment; /* NULL: of the command line */
    bool is_whole;                           /* has sizes that the experiment takes as a whole alone */
    struct red_selection selection;          /* owns n and wg where there is an experiment */
    struct red_session session;              /* of that selection (red_session_make_part) */
};

/* Makes the parts of a run of the session: of each chosen experiment one, or, where none is chosen, of all of
 * the command line. They are not copied: a part's session points at its selection. Release with
 * red_parts_destroy before the session is closed. Errors: RED_E_MEMORY; RED_E_INPUT for a strategy that does
 * not exist. */
enum red_status red_parts_create(const struct red_session *session,
                                 const struct red_experiment_choice *choice, struct red_part **parts,
                                 size_t *parts_n, struct red_error *error);
void red_parts_destroy(struct red_part *parts, size_t parts_n);

/* Refuses parts whose data do not fit into the host's memory, and says on stderr which part has arrays that
 * do not fit into a device. Errors: those of red_session_check_memory. */
enum red_status red_parts_check_memory(const struct red_part *parts, size_t parts_n, struct red_error *error);

/* Everything a bench run holds. The run's device 0 is the host; device d + 1 is the session's device d. */
struct red_bench {
    struct red_session *session;
    const struct red_part *parts; /* borrowed */
    size_t parts_n;
    struct red_run run;
    struct red_measurement *measurements; /* owned; what is measured */
    size_t measurements_n;
    bool resume;                                       /* go on with the journal that lies there */
    struct red_journal *journal;                       /* owned; NULL: none is kept */
    struct red_check_rates rates[1 + RED_DEVICES_MAX]; /* of each device, from its first cells */
    double expected_s;                                 /* of the whole run; 0 until it is announced */
};

/* Makes a run's host, with the threads that OpenMP has now. */
void red_bench_host_device(struct red_run_device *device);

/* Lays out the cells of all parts in bench->run, part by part, with their geometries, and room for their
 * measurements; nothing is run. Errors: RED_E_MEMORY. Release with _clear. */
enum red_status red_bench_lay_out(struct red_bench *bench, struct red_error *error);

/* Releases all but the journal, which red_journal_close closes before. */
void red_bench_clear(struct red_bench *bench);

/* Makes what is to be measured of a cell, without its plan of batches; it is not added to the bench. */
struct red_measurement red_measurement_make(const struct red_bench *bench, struct red_cell *cell);

/* The line of the register of known bugs that lists a cell of a device; NULL if none does. */
struct red_known_failure *red_bench_known_failure(const struct red_bench *bench, const struct red_cell *cell);

/* Turns a cell that failed as the register of known bugs says into a known bug, which is not timed either,
 * and counts it in the register; leaves any other cell as it is. */
void red_bench_mark_if_known_bug(struct red_bench *bench, struct red_cell *cell);

/* The client of the worker that holds the run's device; the host's for device 0. */
struct red_client *red_bench_client(const struct red_bench *bench, size_t device);

/* ---- preparing -------------------------------------------------------------------------------------------
 * Cells are made ready for timing: verified, projected, warmed up. */

/* Verifies each cell on exact and on the timed data, projects its cost and warms it
 * up. What cannot run gets its state and reason; what can becomes a measurement. A wrong cell is no error
 * here. With a result_path (or NULL) a journal is kept beside it, and with --resume gone on from. Errors:
 * RED_E_MEMORY, RED_E_INTERRUPTED; those of red_bench_checkpoint_open. */
enum red_status red_bench_prepare(struct red_bench *bench, const char *result_path, struct red_error *error);

/* ---- measuring -------------------------------------------------------------------------------------------
 * All measurements are made in random order, in rounds, one device at a time. */

/* Makes every measurement, and those of the devices' roofs: RED_ROUNDS_N rounds; in each round one phase per
 * device, in which its worker runs the batches of all its measurements in random order. Only one worker works
 * at a time, and OpenMP's threads rest in between: waiting threads would spin against a CPU device's workers.
 * The result of every call is checked (worker/prepared.h); a measurement whose result is wrong, or that
 * fails, loses its samples. Then comes a separate pass on the profiling queues for device times. Fills
 * samples, statistics, roofs and states of bench->run; what was read faster than any memory is implausible
 * (red_run_mark_implausible). Errors: RED_E_MEMORY; RED_E_INTERRUPTED, after which bench->run holds what
 * there is.
 */
enum red_status red_bench_measure(struct red_bench *bench, struct red_error *error);

/* The first measurement of a device in a round is called untimed for this long, since the driver's sleeping
 * threads must wake up. */
#define RED_WAKE_S 0.005

/* Asks the device's worker for one batch of the measurement: seconds per reduction. A failure is the cell's,
 * which gets its state and reason, and the measurement loses its samples. Errors: those of red_client_batch.
 */
enum red_status red_measurement_time_batch(struct red_bench *bench, struct red_measurement *measurement,
                                           const struct red_batch_care *care, struct red_gbench_time *time);

/* The expected duration of the batches of all measurements so far in seconds, before roofs are added. */
double red_bench_batches_estimate_s(const struct red_bench *bench);

#endif
