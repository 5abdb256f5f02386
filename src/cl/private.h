/* What the files of this room share and nobody else sees: the OpenCL objects. */
#ifndef CLREDUCE_CL_PRIVATE_H
#define CLREDUCE_CL_PRIVATE_H

#include "cl/digest.h"
#include "cl/newer.h"
#include "cl/plan.h"
#include "cl/program.h"

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
    struct red_digest digest;
};

struct red_resident {
    struct red_device *device;
    const struct red_input *input;
    cl_mem buffers[2];
    bool on_host;            /* the buffers are the input's own arrays */
    enum red_answer digests; /* whether the device's digest has been right about good data; unknown until it
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

#endif
