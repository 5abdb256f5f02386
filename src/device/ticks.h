/* Launches of known work, with what the driver's clock and the host's say of them: what event times are
 * judged by (record/ruler.h). */
#ifndef CLREDUCE_DEVICE_TICKS_H
#define CLREDUCE_DEVICE_TICKS_H

#include <stdint.h>

#include "device/device.h"

/* Sizes of work, and launches of each. */
enum { RED_TICK_SIZES = 5, RED_TICK_REPEATS = 5, RED_TICKS_N = RED_TICK_SIZES * RED_TICK_REPEATS };

/* One launch of a single work-item on the profiling queue. */
struct red_tick {
    double steps;                        /* of a chain in which each waits for the one before */
    double begin_s, end_s;               /* host clock: before the launch, and when it was waited for */
    uint64_t queued, submit, start, end; /* the driver's four stamps, in ns (OpenCL 3.0 API, section 5.14) */
};

/* Launches the sizes in turns, RED_TICK_REPEATS times each; the longest takes about 5 ms. Errors:
 * RED_E_BUILD, RED_E_DEVICE, RED_E_MEMORY; RED_E_UNSUPPORTED where the driver has no event times. */
enum red_status red_ticks_take(struct red_device *device, struct red_tick ticks[RED_TICKS_N],
                               struct red_error *error);

/* One launch of so many steps. Errors: those of red_ticks_take. */
enum red_status red_tick_take(struct red_device *device, uint32_t steps, struct red_tick *tick,
                              struct red_error *error);

#endif
