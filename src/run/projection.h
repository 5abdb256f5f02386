/* The cost projection of a cell: what a call will take, before it is made at its size. */
#ifndef CLREDUCE_RUN_PROJECTION_H
#define CLREDUCE_RUN_PROJECTION_H

#include "run/bench.h"

/* Climbs from the last known point to n by factors of 4, on the cell's own data, and stops as soon as the
 * projection says no: what is out of reach costs a few small calls. Of an iterated shape, and there of the
 * host's cells too, one reduction at n is timed, and a call is so many of them. Fills cell->projected_s and,
 * where iterated, cell->call_s. Errors: RED_E_UNSUPPORTED and state over-budget; those of
 * red_client_time_calls. */
enum red_status red_cell_project(const struct red_bench *bench, struct red_cell *cell,
                                 struct red_error *error);

/* About how many seconds the whole run takes, from its beginning to its end: by what checks have taken so far
 * on each device, and by the rows that are planned. That some cells will not run, or not so long, is not
 * known. */
double red_bench_estimate_s(const struct red_bench *bench);

#endif
