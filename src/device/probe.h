/* The probe kernels behind the three answers of a capability. */
#ifndef CLREDUCE_DEVICE_PROBE_H
#define CLREDUCE_DEVICE_PROBE_H

#include "device/device.h"

/* Is told what a probe is about to do, so that somebody still knows after a crash: group_size 0 means
 * building. */
struct red_probe_watch {
    void (*enter)(void *context, size_t group_size);
    void *context;
};

/* Builds and runs the probe of a need in this process: 5 groups each of 1, 7, 32, 100 and 128 work-items, as
 * far as the device takes them for this kernel, summing exact integers; `advertised` is what the driver's
 * queries say (OpenCL 3.0 API, section 4.2). watch may be NULL. */
void red_probe_run(struct red_device *device, enum red_need_index need, enum red_c_standard standard,
                   const struct red_probe_watch *watch, struct red_capability *capability);

/* What the driver's queries say of a need, without building anything. */
enum red_answer red_probe_advertised(struct red_device *device, enum red_need_index need);

#endif
