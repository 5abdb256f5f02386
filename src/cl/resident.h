/* A data set on a device. worker/prepared.c makes it for the data sets of its cases, cl/case_check.c for
 * its run 3. */
#ifndef CLREDUCE_CL_RESIDENT_H
#define CLREDUCE_CL_RESIDENT_H

#include "cl/device.h"
#include "model/input.h"

struct red_resident;

/* Puts the data set on the device. On a CPU the buffers are the process's own arrays (CL_MEM_USE_HOST_PTR),
 * pages like those that the OpenMP row reads; elsewhere they are copies in device memory.
 * `input` is borrowed and must outlive the resident. Errors: RED_E_UNSUPPORTED if it exceeds the device (the
 * largest possible n is named), RED_E_DEVICE. */
enum red_status red_resident_create(struct red_device *device, const struct red_input *input,
                                    struct red_resident **resident, struct red_error *error);
void red_resident_destroy(struct red_resident *resident);

/* RED_OK if the device's arrays still hold what the host made, poison behind the end included. Call it after
 * running a kernel that nobody has verified. If they do not, RED_E_WRONG with the evidence, and the data is
 * as it was made again, on the device and (where a CPU shares the host's pages) on the host, so that nobody
 * else is blamed for it. Other errors: RED_E_DEVICE, RED_E_MEMORY. */
enum red_status red_resident_check_and_restore(struct red_resident *resident, struct red_error *error);

/* Writes `bytes` bytes to the first array, `offset_bytes` behind its beginning, once no launch is at work on
 * it; input->arrays[0] is not written to, unless it is the device's own. Errors: RED_E_DEVICE. */
enum red_status red_resident_write(struct red_resident *resident, size_t offset_bytes, const void *from,
                                   size_t bytes, struct red_error *error);

#endif
