/* Google Benchmark behind plain C: it calls, batches, times and reports; this header is all that the C
 * side sees of it. No exception crosses. */
#ifndef CLREDUCE_BENCH_SHIM_H
#define CLREDUCE_BENCH_SHIM_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct red_gbench;

/* Makes a handle, or NULL if there is no memory. One at a time: Google Benchmark keeps its registry in
 * globals. */
struct red_gbench *red_gbench_create(void);
void red_gbench_destroy(struct red_gbench *bench);

/* One call; anything but 0 means failure and ends this benchmark. */
typedef int (*red_gbench_call)(void *context);

/* Called after a batch with the benchmark's index (the order of adding, from 0 in every run) and the seconds
 * per call. Failed batches do not arrive here. */
typedef void (*red_gbench_sink)(void *context, size_t index, double seconds_per_call);

/* The calls before a batch of so many that are not timed. They pay for what ran before, such as caches full
 * of other data: of 2^24 f32 on two cores the first three calls took 2.3, 2.2 and 1.6 ms, all others 1.3. A
 * call that is a batch of its own is so long that one is enough. */
static inline uint64_t red_gbench_untimed(uint64_t calls) {
    return calls > 1 ? 3 : 1;
}

/* Adds a benchmark for the next run: one batch of `calls` calls, and those before it. The same name may be
 * added again for later runs: its rows are repetitions of each other. Returns 0, or -1 without memory. */
int red_gbench_add(struct red_gbench *bench, const char *name, red_gbench_call call, void *context,
                   uint64_t calls);

/* Runs everything added, in the order of adding, and forgets the benchmarks; the rows are kept for
 * red_gbench_json. Returns 0, or -1 if Google Benchmark threw. */
int red_gbench_run(struct red_gbench *bench, red_gbench_sink sink, void *context);

/* Removes all rows of this name. */
void red_gbench_drop(struct red_gbench *bench, const char *name);

/* All rows of all runs as the JSON that Google Benchmark's tools read: only batches that succeeded, no empty
 * rows, no aggregates; names hold nothing that differs from run to run, so that two files can be compared.
 * Release with free. NULL without memory. */
char *red_gbench_json(const struct red_gbench *bench);

#ifdef __cplusplus
}
#endif

#endif
