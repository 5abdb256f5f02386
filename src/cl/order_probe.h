/* Order between work-groups: whether an idiom by which one group publishes what others read is seen to fail.
 * OpenCL 1.x promises none of them (API 3.3.4, C 6.15.12.5); litmus tests show what a driver keeps. */
#ifndef CLREDUCE_CL_ORDER_PROBE_H
#define CLREDUCE_CL_ORDER_PROBE_H

#include "cl/device.h"

/* Whether the need is such an idiom. */
bool red_need_is_of_order(enum red_need_index need);

/* Runs the idiom's litmus tests in this process, each for 0.1 s at most (1 s on a busy CPU), and compiles
 * them first. What was seen stands in the capability's reason. It behaves where weakened twins of its tests
 * are seen, and it is not; where nothing is seen it is not known to behave, and trusted. Tests have their own
 * standards, so that a device is asked once for all. Errors: RED_E_WRONG where a weak outcome was seen;
 * RED_E_UNSUPPORTED of an idiom of 2.x under OpenCL C 1.2; those of building. */
enum red_status red_order_probe_run(struct red_device *device, enum red_need_index need,
                                    enum red_c_standard standard, struct red_capability *capability,
                                    struct red_error *error);

#endif
