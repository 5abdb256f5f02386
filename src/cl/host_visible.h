/* Host-visible memory: the host and a kernel both see it, without a command that copies. Included by this
 * room only. */
#ifndef CLREDUCE_CL_HOST_VISIBLE_H
#define CLREDUCE_CL_HOST_VISIBLE_H

#define CL_TARGET_OPENCL_VERSION          300
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS /* as in cl/device.h */
#include <CL/cl.h>
#include <stdbool.h>
#include <stdint.h>

struct red_device;

enum red_host_visible_kind {
    RED_HOST_VISIBLE_SVM,        /* shared virtual memory, fine-grained where there is such; see is_coarse */
    RED_HOST_VISIBLE_SVM_FINE,   /* fine-grained: the host uses it as it is, when the kernel has ended */
    RED_HOST_VISIBLE_SVM_ATOMIC, /* fine-grained with atomics: host and kernel may use it at the same time */
    RED_HOST_VISIBLE_HOST, /* a buffer in the host's memory that stays mapped: that either side sees what the
                        other has written is what drivers do, not what OpenCL promises */
};

struct red_host_visible {
    void *memory;  /* NULL: there is none */
    cl_mem buffer; /* over the same memory */
    bool is_svm;
    bool is_coarse; /* must be mapped before the host reads it (OpenCL 3.0 API, section 5.6.1) */
};

/* Makes `bytes` of it, all zero. For RED_HOST_VISIBLE_HOST takes clCreateBufferNV's host location where the
 * driver has it (cl_nv_create_buffer), otherwise CL_MEM_ALLOC_HOST_PTR. *shared is valid to destroy after an
 * error, too: CL_MEM_OBJECT_ALLOCATION_FAILURE where the driver gives no such memory. */
cl_int red_host_visible_create(const struct red_device *device, enum red_host_visible_kind kind, size_t bytes,
                               struct red_host_visible *shared);

/* Gives it back when the device's queues have finished. */
void red_host_visible_destroy(const struct red_device *device, struct red_host_visible *shared);

/* Makes it argument i of the kernel. Shared virtual memory is set by its pointer: once for a kernel object
 * and never mixed with a buffer for the same argument, which one driver does not survive. */
cl_int red_host_visible_set(const struct red_device *device, cl_kernel kernel, cl_uint i,
                            const struct red_host_visible *shared);

/* One turn of a loop that waits: leaves more of a core to whom it is shared with. */
void red_host_visible_spin(void);

/* Waits until a kernel of the queue has stored 1 to the flag, and stores 0 again. What the kernel wrote
 * before it released the flag, or in the same store, can then be read, while the kernel itself may not have
 * ended yet. Spins for as long as that beats sleeping: 30 us on a CPU, whose cores the kernel wants, 10 ms
 * elsewhere; then it waits for the queue's end. Fails with CL_INVALID_OPERATION where that comes without the
 * flag. */
cl_int red_host_visible_await(const struct red_device *device, cl_command_queue queue, uint32_t *flag);

#endif
