/* Entry points newer than OpenCL 1.2, looked up while running: a loader or a driver may lack any of them.
 * Included by this room only. */
#ifndef CLREDUCE_CL_NEWER_H
#define CLREDUCE_CL_NEWER_H

#define CL_TARGET_OPENCL_VERSION          300
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS /* clCreateCommandQueue is the one that every driver has */
#include <CL/cl.h>

#include "cl/device.h"

/* cl_khr_command_buffer, provisional until revision 0.9.x: what is used here has kept its form since 0.9.0.
 * The headers of some systems lack it, so its names are our own. */
typedef struct red_cl_command_buffer *red_command_buffer;

struct red_newer {
    void *(CL_API_CALL *svm_alloc)(cl_context, cl_svm_mem_flags, size_t, cl_uint);
    void(CL_API_CALL *svm_free)(cl_context, void *);
    cl_int(CL_API_CALL *set_kernel_arg_svm)(cl_kernel, cl_uint, const void *);
    cl_int(CL_API_CALL *set_kernel_exec_info)(cl_kernel, cl_kernel_exec_info, size_t, const void *);
    cl_int(CL_API_CALL *enqueue_svm_map)(cl_command_queue, cl_bool, cl_map_flags, void *, size_t, cl_uint,
                                         const cl_event *, cl_event *);
    cl_int(CL_API_CALL *enqueue_svm_unmap)(cl_command_queue, void *, cl_uint, const cl_event *, cl_event *);
    cl_mem(CL_API_CALL *create_pipe)(cl_context, cl_mem_flags, cl_uint, cl_uint, const intptr_t *, cl_int *);
    cl_command_queue(CL_API_CALL *create_queue)(cl_context, cl_device_id, const cl_bitfield *, cl_int *);
    cl_mem(CL_API_CALL *create_buffer_nv)(cl_context, cl_mem_flags, cl_bitfield, size_t, void *, cl_int *);
    red_command_buffer(CL_API_CALL *create_command_buffer)(cl_uint, const cl_command_queue *,
                                                           const cl_bitfield *, cl_int *);
    cl_int(CL_API_CALL *finalize_command_buffer)(red_command_buffer);
    cl_int(CL_API_CALL *release_command_buffer)(red_command_buffer);
    cl_int(CL_API_CALL *enqueue_command_buffer)(cl_uint, cl_command_queue *, red_command_buffer, cl_uint,
                                                const cl_event *, cl_event *);
    cl_int(CL_API_CALL *command_ndrange)(red_command_buffer, cl_command_queue, const cl_bitfield *, cl_kernel,
                                         cl_uint, const size_t *, const size_t *, const size_t *, cl_uint,
                                         const cl_uint *, cl_uint *, void *);
};

/* Fills what there is for the device, NULL for the rest. A core function counts only from the device's own
 * API version on: a loader hands out entry points that an old driver's table does not have. */
void red_newer_find(const struct red_device *device, struct red_newer *newer);

/* The device's default on-device queue, from which kernels enqueue; made at the first call and kept by the
 * device. Errors: RED_E_UNSUPPORTED, RED_E_DEVICE. */
enum red_status red_newer_device_queue(struct red_device *device, struct red_error *error);

#endif
