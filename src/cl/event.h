/* What event times hold beside the work: the device time of a kernel that does nothing. */
#ifndef CLREDUCE_CL_EVENT_H
#define CLREDUCE_CL_EVENT_H

#include <stddef.h>

#include "cl/device.h"

/* Fills times_s with START to END of n launches of an empty kernel of one work-item. A clock of coarse steps
 * may show 0. Errors: RED_E_BUILD, RED_E_DEVICE, RED_E_UNSUPPORTED (no event times), RED_E_MEMORY. */
enum red_status red_floor_find(struct red_device *device, double *times_s, size_t n, struct red_error *error);

#endif
