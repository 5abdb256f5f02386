/* Launches of known work, with what the driver's clock and the host's say of them: what event times are
 * judged by (stats/event_clock.h). */
#ifndef CLREDUCE_CL_CLOCK_SAMPLES_H
#define CLREDUCE_CL_CLOCK_SAMPLES_H

#include "cl/device.h"
#include "model/clock_sample.h"
#include <stddef.h>

/* Launches the sizes in turns, RED_CLOCK_SAMPLE_REPEATS times each; the longest takes about 5 ms. Errors:
 * RED_E_BUILD, RED_E_DEVICE, RED_E_MEMORY; RED_E_UNSUPPORTED where the driver has no event times. */
enum red_status red_clock_samples_take(struct red_device *device,
                                       struct red_clock_sample ticks[RED_CLOCK_SAMPLES_N],
                                       struct red_error *error);

/* One launch of so many steps. Errors: those of red_clock_samples_take. */
enum red_status red_clock_sample_take(struct red_device *device, uint32_t steps,
                                      struct red_clock_sample *tick, struct red_error *error);

/* What event times hold beside the work: the device time of a kernel that does nothing. */

/* Fills times_s with START to END of n launches of an empty kernel of one work-item. A clock of coarse steps
 * may show 0. Errors: RED_E_BUILD, RED_E_DEVICE, RED_E_UNSUPPORTED (no event times), RED_E_MEMORY. */
enum red_status red_floor_find(struct red_device *device, double *times_s, size_t n, struct red_error *error);

#endif
