/* Launches of known work with the times that the driver and the host give them: taken by cl/clock_samples.h,
 * judged by stats/event_clock.h. */
#ifndef CLREDUCE_MODEL_CLOCK_SAMPLE_H
#define CLREDUCE_MODEL_CLOCK_SAMPLE_H

#include <stdint.h>

/* Sizes of work, and launches of each. */
enum {
    RED_CLOCK_SAMPLE_SIZES = 5,
    RED_CLOCK_SAMPLE_REPEATS = 5,
    RED_CLOCK_SAMPLES_N = RED_CLOCK_SAMPLE_SIZES * RED_CLOCK_SAMPLE_REPEATS
};

/* One launch of a single work-item on the profiling queue. */
struct red_clock_sample {
    double steps;                        /* of a chain in which each waits for the one before */
    double begin_s, end_s;               /* host clock: before the launch, and when it was waited for */
    uint64_t queued, submit, start, end; /* the driver's four stamps, in ns (OpenCL 3.0 API, section 5.14) */
};

#endif
