/* Forward progress between work-groups: which groups wait for which with success. OpenCL promises none (API
 * 3.2.2); what a device does is probed here, with every wait bounded, or tried without bounds. */
#ifndef CLREDUCE_CL_PROGRESS_H
#define CLREDUCE_CL_PROGRESS_H

#include "cl/device.h"

/* Whether the need is one of the four of waits, whose probes these are. */
bool red_need_is_of_progress(enum red_need_index need);

/* How many polls of a word by one item take 40 ms on a CPU, and 10 ms on others; measured at the first
 * question. Errors: those of building and launching. */
enum red_status red_progress_calibrate(struct red_device *device, uint32_t *polls, struct red_error *error);

/* Runs the probe of such a need in this process, in about 0.3 s. What it found stands in the capability's
 * reason, also where it behaves. The answers do not depend on the standard, so that a device is asked once
 * for all standards. Errors: those of building it; RED_E_WRONG where waits were not answered. */
enum red_status red_progress_probe_run(struct red_device *device, enum red_need_index need,
                                       enum red_c_standard standard, struct red_capability *capability,
                                       struct red_error *error);

#endif
