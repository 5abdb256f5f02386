/* Shared virtual memory, which the host reads without a read command. Included by this room only. */
#ifndef CLREDUCE_DEVICE_SHARED_H
#define CLREDUCE_DEVICE_SHARED_H

#include "device/private.h"

enum red_shared_kind {
    RED_SHARED_ANY,    /* fine-grained where there is such memory; otherwise the host must map it */
    RED_SHARED_ATOMIC, /* fine-grained with atomics: host and kernel may use it at the same time */
};

/* Gives memory, or NULL; release with device->newer.svm_free when the queue has finished. */
void *red_shared_alloc(const struct red_device *device, enum red_shared_kind kind, size_t bytes);

/* Whether memory of RED_SHARED_ANY must be mapped before the host reads it (OpenCL 3.0 API, section 5.6.1).
 */
bool red_shared_is_coarse(const struct red_device *device);

/* A buffer over that memory, by which it is filled and looked at. */
cl_int red_shared_buffer(const struct red_device *device, void *memory, size_t bytes, cl_mem *buffer);

/* Waits until a kernel of the queue has stored 1 to the flag, and stores 0 again. What the kernel wrote
 * before it released the flag can then be read, while the kernel itself may not have ended yet. Spins for as
 * long as that beats sleeping (30 us), then waits for the queue's end. Fails with CL_INVALID_OPERATION where
 * that comes without the flag. */
cl_int red_shared_await(cl_command_queue queue, uint32_t *flag);

#endif
