/* What a benchmark puts into its checkpoint, and how it goes on from there. */
#ifndef CLREDUCE_RUN_BENCH_CHECKPOINT_H
#define CLREDUCE_RUN_BENCH_CHECKPOINT_H

#include "run/bench.h"

/* Opens the journal of the run that was laid out, and with --resume takes over what stands in it: cells with
 * their states, and rows to be measured with their samples. Errors: those of red_journal_open. */
enum red_status red_bench_checkpoint_open(struct red_bench *bench, const char *result_path,
                                          struct red_error *error);

/* Writes what became of a cell while it was prepared or measured. `row` is what will be measured of it, or
 * NULL. */
void red_bench_checkpoint_cell(struct red_bench *bench, const struct red_cell *cell,
                               const struct red_measurement *row);

/* Writes the last sample of a row. */
void red_bench_checkpoint_sample(struct red_bench *bench, const struct red_measurement *row);

/* Writes that all of a cell is known, device time included. */
void red_bench_checkpoint_finalized(struct red_bench *bench, const struct red_cell *cell);

#endif
