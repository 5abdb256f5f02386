/* What the files of this room share and nobody else sees: the OpenCL objects. */
#ifndef CLREDUCE_CL_PRIVATE_H
#define CLREDUCE_CL_PRIVATE_H

#define CL_TARGET_OPENCL_VERSION          300
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS /* clCreateCommandQueue is the one that every driver has */

#include <CL/cl.h>

#include "cl/checksum.h"
#include "cl/device.h"
#include "cl/plan.h"
#include "cl/program.h"

/* ---- entry points newer than OpenCL 1.2, looked up while running: a loader or a driver may lack any of them
 */

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

struct red_device {
    struct red_device_info info;
    cl_device_id cl_device;
    cl_context context;
    cl_command_queue queue;     /* time to answer */
    cl_command_queue profiling; /* device time; and what waits while others run */
    cl_command_queue on_device; /* from which kernels enqueue; NULL until asked for */
    struct red_newer newer;
    struct red_capabilities capabilities; /* what is not known is probed in this process */
    struct red_programs programs;
    struct red_checksum checksum;
};

struct red_resident {
    struct red_device *device;
    const struct red_input *input;
    cl_mem buffers[2];
    bool on_host;            /* the buffers are the input's own arrays */
    enum red_answer digests; /* whether the device's checksum has been right about good data; unknown until it
                                is asked for */
};

/* "CL_OUT_OF_RESOURCES", or "an unlisted OpenCL error". */
const char *red_cl_error_name(cl_int code);

/* RED_OK for CL_SUCCESS; otherwise RED_E_MEMORY or RED_E_DEVICE with the call's name and the code's. */
enum red_status red_cl_check(cl_int code, const char *call, struct red_error *error);

/* The same for clEnqueueNDRangeKernel: a launch that is refused for its group size, or for the registers and
 * the local memory that a group of this size would take, is RED_E_UNSUPPORTED. */
enum red_status red_cl_check_launch(cl_int code, size_t group_size, struct red_error *error);

/* Adds END - START of one event, or what `which_end` names instead of END. A driver whose clock is coarser
 * than a short kernel gives END = START. Errors: RED_E_UNSUPPORTED where there are no event times, or none to
 * be trusted. */
enum red_status red_cl_event_time(cl_event event, cl_profiling_info which_end, double *device_s,
                                  struct red_error *error);

/* Fills what there is for the device, NULL for the rest. A core function counts only from the device's own
 * API version on: a loader hands out entry points that an old driver's table does not have. */
void red_newer_find(const struct red_device *device, struct red_newer *newer);

/* The device's default on-device queue, from which kernels enqueue; made at the first call and kept by the
 * device. Errors: RED_E_UNSUPPORTED, RED_E_DEVICE. */
enum red_status red_newer_device_queue(struct red_device *device, struct red_error *error);

#endif
