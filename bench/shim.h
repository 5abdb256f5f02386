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

#ifdef __cplusplus
}
#endif

#endif
