/* The probes of a group's built-ins: each form at several group sizes. Included by this room only. */
#ifndef CLREDUCE_CL_GROUP_PROBE_H
#define CLREDUCE_CL_GROUP_PROBE_H

#include "cl/probe.h"

/* Builds the kernels of all forms of the need; adds to the capability what is not known yet: the answers of
 * each form at each size, and the first reason of each. Errors: those of building. */
enum red_status red_group_probe_run(struct red_device *device, enum red_need_index need,
                                    enum red_c_standard standard, const struct red_probe_watch *watch,
                                    struct red_capability *capability, struct red_error *error);

#endif
