/* What the files of src/run share beside run/bench.h: cost projections and the estimate of a run
 * (estimate.c), timing geometries and the hill climb of --tune (hill_climb.c), and the checkpoint of `bench`
 * (checkpoint.c). */
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

/* ---- timing a geometry -----------------------------------------------------------------------------------
 * To time a geometry: how long a call takes on one data set, whether one geometry is really faster than
 * another (--tune). */

struct red_timing_setup {
    const struct red_strategy *strategy;
    struct red_client *client;
    struct red_data_spec data;
    double clock_step_s;
};

/* The shortest of many calls, after one that is not counted. It is reached from smaller n by factors of 16:
 * what is projected to take longer than limit_s is given up. Errors: RED_E_UNSUPPORTED where the strategy
 * cannot run so, or is given up; RED_E_WRONG with the evidence if a result was wrong or the data was
 * overwritten (it is restored then); and those of red_client_time_calls. */
enum red_status red_geometry_time(const struct red_timing_setup *timing, const struct red_tuning *tuning,
                                  double limit_s, double *call_s, struct red_error *error);

/* Batches of calls of both in turns over the first n elements; which one begins alternates. Both have been
 * timed before. Errors: those of red_client_race. */
enum red_status red_geometry_race(const struct red_timing_setup *timing, const struct red_tuning tunings[2],
                                  uint64_t n, struct red_statistics times[2], struct red_error *error);

/* ---- hill climb ------------------------------------------------------------------------------------------
 * Searches one strategy's geometries for the fastest one (--tune). */

enum { RED_HILL_CLIMB_MAX = 192 };

struct red_tried_tuning {
    struct red_tuning tuning;
    double call_s; /* infinite if it cannot run, or takes too long */
};

/* What has been tried, and how it ended. */
struct red_hill_climb {
    struct red_tried_tuning tried[RED_HILL_CLIMB_MAX]; /* the default first */
    size_t tried_n;
    size_t best;
    struct red_tuning failed; /* the first candidate that was wrong or does not build, */
    struct red_error error;   /* and the evidence; RED_OK if there was none */
};

/* Whether a strategy leaves anything to choose. */
bool red_hill_climb_has_choice(const struct red_strategy *strategy);

/* Coordinate descent from the default: changes one of group size, number of groups, width and loads at a
 * time, up or down, as long as calls get faster. Ends when no change helps, or when the time is over.
 *   limits    the device's
 *   budget_s  for all geometries together
 *   limit_s   for a call of the default
 * Errors: those of red_geometry_time for the default. What other candidates fail by stands in *search. */
enum red_status red_hill_climb_run(const struct red_timing_setup *timing,
                                   const struct red_geometry_limits *limits, double budget_s, double limit_s,
                                   struct red_hill_climb *search, struct red_error *error);

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
