/* The geometries that verify goes through. */
#ifndef CLREDUCE_BENCH_GRID_H
#define CLREDUCE_BENCH_GRID_H

#include "bench/cover.h"
#include "bench/options.h"

/* With --wg: every combination of --wg, --groups and --lanes. Without: usual group sizes up to the device's
 * largest, each with a number of groups and lanes, the default or others, unless --groups and --lanes say
 * which. Every one has a group size. Errors: RED_E_INPUT if there are more than RED_LEVELS_MAX. */
enum red_status red_grid_make(const struct red_options *options, size_t group_size_max,
                              struct red_tuning tunings[RED_LEVELS_MAX], size_t *tunings_n,
                              struct red_error *error);

/* The tuning for a strategy: a choice that it does not take, and nobody asked for, is left out. */
struct red_tuning red_grid_tuning(const struct red_options *options, const struct red_tuning *tuning,
                                  const struct red_strategy *strategy);

#endif
