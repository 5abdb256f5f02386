/* The cells of a benchmark, and the rows that are measured of them. */
#ifndef CLREDUCE_RUN_BENCH_H
#define CLREDUCE_RUN_BENCH_H

#include "results/journal.h"
#include "results/tuned.h"
#include "run/estimate.h"
#include "run/measurement.h"
#include "run/session.h"

/* Everything a bench run holds. The run's device 0 is the host; device d + 1 is the session's device d. */
struct red_bench {
    struct red_session *session;
    const struct red_tuned *tuned; /* borrowed: geometries in place of the default, or NULL */
    struct red_run run;
    struct red_measurement *rows; /* owned; what is measured */
    size_t rows_n;
    bool resume;                                       /* go on with the journal that lies there */
    struct red_journal *journal;                       /* owned; NULL: none is kept */
    struct red_check_rates rates[1 + RED_DEVICES_MAX]; /* of each device, from its first cells */
    double expected_s;                                 /* of the whole run; 0 until it is announced */
};

/* Lays out all cells, which --tune finds geometries for. Errors: RED_E_MEMORY, RED_E_INTERRUPTED. Release
 * with _clear. */
enum red_status red_bench_lay_out(struct red_session *session, struct red_bench *bench,
                                  struct red_error *error);

void red_bench_clear(struct red_bench *bench);

/* The row that is measured of a cell, without its plan of batches. */
struct red_measurement red_bench_measurement(const struct red_bench *bench, struct red_cell *cell);

/* The line of the register of known bugs that lists a cell of a device; NULL if none does. */
struct red_known_failure *red_bench_known(const struct red_bench *bench, const struct red_cell *cell);

/* Makes a cell that has failed as the register of known bugs says a known bug, which is not timed either. */
void red_bench_take_known(struct red_bench *bench, struct red_cell *cell);

/* Who works with the run's device. */
struct red_client *red_bench_client(const struct red_bench *bench, size_t device);

/* The case of one call of a cell over data of this kind. */
struct red_case red_cell_case(const struct red_bench *bench, const struct red_cell *cell,
                              struct red_probe probe);

#endif
