/* Probes: build and run the small kernel behind a capability, and ask what the driver advertises. The caller
 * is a worker, since a probe may crash the driver; in `once` a plan. */
#ifndef CLREDUCE_CL_PROBE_H
#define CLREDUCE_CL_PROBE_H

#include "cl/device.h"

/* Is told what a probe is about to do, so that somebody still knows after a crash: group_size 0 means
 * building. */
struct red_probe_watch {
    void (*enter)(void *context, const struct red_capability *so_far, size_t form, unsigned size_i,
                  size_t group_size);
    void *context;
};

/* Builds and runs the probe of a need in this process. What is judged by group sizes (red_forms_n) is asked
 * at those of red_probed_group_size, as far as the device takes them for this kernel; what `capability` holds
 * already, of an earlier probe that the driver did not survive, is not asked again. Anything else is run at a
 * few group sizes and behaves if all are right. `advertised` is what the driver's queries say (OpenCL 3.0
 * API, section 4.2). watch may be NULL. */
void red_probe_run(struct red_device *device, enum red_need_index need, enum red_c_standard standard,
                   const struct red_probe_watch *watch, struct red_capability *capability);

/* What the driver's queries say of a need, without building or running a probe: the first answer of a
 * capability in `devices`. */
enum red_answer red_device_advertises(struct red_device *device, enum red_need_index need);

#endif
