/* Google Benchmark behind plain C: it calls, times and reports; this header is all that the C side sees of
 * it. No exception crosses. */
#ifndef CLREDUCE_BENCH_SHIM_H
#define CLREDUCE_BENCH_SHIM_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* One call; anything but 0 means failure and ends the batch. */
typedef int (*red_gbench_call)(void *context);

/* Seconds per call. */
struct red_gbench_time {
    double real_s, cpu_s; /* by the clock on the wall; of this process's main thread */
};

/* The calls before a batch of so many that are not timed. They pay for what ran before, such as caches full
 * of other data: of 2^24 f32 on two cores the first three calls took 2.3, 2.2 and 1.6 ms, all others 1.3. A
 * call that is a batch of its own is so long that one is enough. */
static inline uint64_t red_gbench_untimed(uint64_t calls) {
    return calls > 1 ? 3 : 1;
}

/* Times one batch of `calls` calls, after those that are not timed. Returns 0; -1 where a call failed (then
 * no further one is made), where there is no memory or the times make no sense. */
int red_gbench_batch(red_gbench_call call, void *context, uint64_t calls, struct red_gbench_time *time);

/* One batch that was timed. Batches of one name are its repetitions. */
struct red_gbench_row {
    const char *name; /* borrowed; UTF-8 without control characters other than tab and line ends, which the
                         JSON of Google Benchmark 1.7.1 holds as they are */
    uint64_t calls;
    struct red_gbench_time time;
};

/* The JSON that Google Benchmark's tools read, without empty rows or aggregates. Release with free. NULL
 * without memory. */
char *red_gbench_json(const struct red_gbench_row *rows, size_t rows_n);

/* ---- a program of benchmarks -----------------------------------------------------------------------------
 * For bench/reduce_benchmark.c: Google Benchmark's own options, loop and reports. Where its library ends the
 * program (--help, a file that cannot be written), so does this. */

/* Takes Google Benchmark's options out of the arguments. *has_json_file is set where --benchmark_out asks for
 * JSON, for those below. Returns 0; -1 where there are other arguments, which it names. */
int red_gbench_initialize(int *argc, char **argv, int *has_json_file);

/* Times one batch; `begins` is set of the first one of a run. *call_s is of one call, in seconds. NULL, or
 * why there is no time. */
typedef const char *red_gbench_time_batch(void *context, int begins, double *call_s);

struct red_gbench_benchmark {
    const char *name;  /* "/manual_time" follows in reports, and for the filter */
    const char *error; /* why it cannot run; NULL: it can */
    red_gbench_time_batch *time_batch;
    void *context;
    uint64_t calls;      /* in a batch */
    double bytes, items; /* of a call, for bytes_per_second and items_per_second */
};

/* Sets `chosen` of those of the names that --benchmark_filter matches; none for --benchmark_list_tests, which
 * prints them. Nothing is called. Returns 0; -1 without memory. */
int red_gbench_choose(const struct red_gbench_benchmark *benchmarks, size_t benchmarks_n, int has_json_file,
                      int *chosen);

/* Adds a line to the context in reports. */
void red_gbench_add_context(const char *key, const char *text);

/* Runs all of them, and reports. What failed once has its error in reports, and no time in any repetition; in
 * JSON the name of such a row ends with "_error". Returns 0; -1 without memory. */
int red_gbench_run(const struct red_gbench_benchmark *benchmarks, size_t benchmarks_n, int has_json_file);

#ifdef __cplusplus
}
#endif

#endif
