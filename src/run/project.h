/* What a cell will cost, before it is called at its size. */
#ifndef CLREDUCE_RUN_PROJECT_H
#define CLREDUCE_RUN_PROJECT_H

#include "run/bench.h"

/* Climbs from the last known point to n by factors of 4, on the cell's own data, and stops as soon as the
 * projection says no: what is out of reach costs a few small calls. Of an iterated shape, and there of the
 * host's cells too, one reduction at n is timed, and a call is so many of them. Fills cell->projected_s and,
 * where iterated, cell->call_s. Errors: RED_E_UNSUPPORTED and state over-budget; those of red_remote_time. */
enum red_status red_cell_project(const struct red_bench *bench, struct red_cell *cell,
                                 struct red_error *error);

/* About how many seconds the whole run will take, as far as can be told before it: programs, data and budgets
 * are known; that some cells will not run, or not so long, is not. */
double red_bench_expected_s(const struct red_bench *bench);

#endif
