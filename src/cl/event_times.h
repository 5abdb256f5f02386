/* What a driver says of a launch's times: samples of its clock beside the host's, and what event times hold
 * beside the work. cl/cl_private.h has what the room itself asks for: red_cl_event_times, red_device_block.
 */
#ifndef CLREDUCE_CL_EVENT_TIMES_H
#define CLREDUCE_CL_EVENT_TIMES_H

#include <stddef.h>
#include <stdint.h>

#include "cl/device.h"
#include "model/case.h"

/* ---- clock samples ---------------------------------------------------------------------------------------
 * Launches of known work, with what the driver's clock and the host's say of them: what event times are
 * judged by (stats/statistics.h). */

/* Takes all RED_CLOCK_SAMPLES_N: finds the longest size, about 5 ms, and launches the sizes in turns,
 * RED_CLOCK_SAMPLE_REPEATS times each. Errors: RED_E_BUILD, RED_E_DEVICE, RED_E_MEMORY; RED_E_UNSUPPORTED
 * where the driver has no event times. */
enum red_status red_clock_sample_set_take(struct red_device *device,
                                          struct red_clock_sample clock_samples[RED_CLOCK_SAMPLES_N],
                                          struct red_error *error);

/* Makes one launch of so many steps, a duel's reference workload that is a chain. Errors: those of
 * red_clock_sample_set_take. */
enum red_status red_clock_sample_take(struct red_device *device, uint32_t steps,
                                      struct red_clock_sample *clock_sample, struct red_error *error);

/* ---- event floor -----------------------------------------------------------------------------------------
 * What event times hold beside the work: the device time of a kernel that does nothing. */

/* Fills times_s with START to END of n launches of an empty kernel of one work-item. A clock of coarse steps
 * may show 0. Errors: RED_E_BUILD, RED_E_DEVICE, RED_E_UNSUPPORTED (no event times), RED_E_MEMORY. */
enum red_status red_event_floor_measure(struct red_device *device, double *times_s, size_t n,
                                        struct red_error *error);

#endif
