/* What the files of src/run share beside run/bench.h: the checkpoint of `bench` (checkpoint.c). */
#ifndef CLREDUCE_RUN_PRIVATE_H
#define CLREDUCE_RUN_PRIVATE_H

#include "run/bench.h"
#include "stats/statistics.h"
#include "worker/client.h"

/* ---- checkpoint of bench ---------------------------------------------------------------------------------
 * What `bench` writes into its checkpoint, and how it goes on from there (--resume). Without a journal (no
 * file was asked for) nothing is written. */

/* Opens the journal of the run that was laid out, and with --resume takes over its contents: cells with
 * their states, and measurements to be measured with their samples. Errors: those of red_journal_open. */
enum red_status red_bench_checkpoint_open(struct red_bench *bench, const char *result_path,
                                          struct red_error *error);

/* Writes what became of a cell while it was prepared or measured. `measurement` is what will be measured of
 * it, or NULL. */
void red_bench_checkpoint_cell(struct red_bench *bench, const struct red_cell *cell,
                               const struct red_measurement *measurement);

/* Writes the last sample of a measurement; nothing for a roof. */
void red_bench_checkpoint_sample(struct red_bench *bench, const struct red_measurement *measurement);

/* Writes that all of a cell is known, device time included. */
void red_bench_checkpoint_settled(struct red_bench *bench, const struct red_cell *cell);

#endif
