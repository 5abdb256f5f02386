/* What the files of src/run share beside run/bench.h: cost projections and the estimate of a run
 * (estimate.c), and the checkpoint of `bench` (checkpoint.c). */
#ifndef CLREDUCE_RUN_PRIVATE_H
#define CLREDUCE_RUN_PRIVATE_H

#include "run/bench.h"
#include "stats/statistics.h"
#include "worker/client.h"

/* ---- cost projection -------------------------------------------------------------------------------------
 * What a call of a cell will take, before it is made at its n: `over-budget` cells come from here. */

/* Climbs from the last known point to n by factors of 4, on the cell's own data, and stops as soon as the
 * projection says no: what is out of reach costs a few small calls. Of an iterated shape, and there of the
 * host's cells too, one reduction at n is timed, and a call is so many of them. Fills cell->projected_s and,
 * where iterated, cell->call_s. Errors: RED_E_UNSUPPORTED and state over-budget; those of
 * red_client_time_calls. */
enum red_status red_cell_project(const struct red_bench *bench, struct red_cell *cell,
                                 struct red_error *error);

/* With how many data sets a cell is checked: of cells that differ in their timed data alone the first is
 * checked with all of them, others with what they are timed with. */
unsigned red_cell_checks_n(const struct red_bench *bench, const struct red_cell *cell);

/* About how many seconds the whole run takes, from its beginning to its end: by what checks have taken so far
 * on each device, and by the measurements that are planned. That some cells will not run, or not so long, is
 * not known. */
double red_bench_whole_run_estimate_s(const struct red_bench *bench);

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
