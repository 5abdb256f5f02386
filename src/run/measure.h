/* Measuring: all rows in random order, in rounds, one device at a time. */
#ifndef CLREDUCE_RUN_MEASURE_H
#define CLREDUCE_RUN_MEASURE_H

#include "run/bench.h"

/* Measures every row, and the devices' roofs: RED_BLOCKS_N rounds; in each round one phase per device, in
 * which its worker runs the batches of all its rows in random order. Only one worker works at a time, and
 * OpenMP's threads rest in between: waiting threads would spin against a CPU device's workers. The result of
 * every call is checked (worker/prepared.h); a row whose result is wrong, or that fails, loses its samples.
 * Then comes a separate pass on the profiling queues for device times. Fills samples, statistics, roofs and
 * states of bench->run; what was read faster than any memory is implausible (red_run_check_rates). Errors:
 * RED_E_MEMORY; RED_E_INTERRUPTED, after which bench->run holds what there is. */
enum red_status red_bench_measure(struct red_bench *bench, struct red_error *error);

/* The expected duration of red_bench_measure in seconds. */
double red_bench_measure_estimate_s(const struct red_bench *bench);

#endif
