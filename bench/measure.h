/* Measuring: all works in random order, in rounds, one device at a time. */
#ifndef CLREDUCE_BENCH_MEASURE_H
#define CLREDUCE_BENCH_MEASURE_H

#include "bench/cells.h"
#include "bench/shim.h"

/* Measures every work and the devices' roofs: RED_ROUNDS_N rounds; in each round one phase per device, in
 * which Google Benchmark runs the batches of all its cells in random order. Only one device works at a time,
 * and OpenMP's threads rest in between: waiting threads would spin against a CPU device's workers. After each
 * round every work's last result is checked again; a wrong one loses its samples. Then comes a separate pass
 * on the profiling queues for device times. Fills samples, statistics, roofs and states of bench->run.
 * Errors: RED_E_MEMORY, RED_E_DEVICE. */
enum red_status red_bench_measure(struct red_bench *bench, struct red_gbench *gbench,
                                  struct red_error *error);

/* The expected duration of red_bench_measure in seconds. */
double red_bench_measure_estimate_s(const struct red_bench *bench);

#endif
