#include "cl/event.h"

#include "cl/private.h"

enum red_status red_cl_event_time(cl_event event, cl_profiling_info which_end, double *device_s,
                                  struct red_error *error) {
    cl_int state = CL_COMPLETE;
    cl_ulong start = 0, end = 0;
    cl_int code = clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof state, &state, NULL);
    if (code == CL_SUCCESS && state < 0)
        return red_cl_check(state, "a profiled kernel", error);
    code = clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof start, &start, NULL);
    if (code == CL_SUCCESS)
        code = clGetEventProfilingInfo(event, which_end, sizeof end, &end, NULL);
    if (code != CL_SUCCESS)
        return red_fail(error, RED_E_UNSUPPORTED, "the driver has no event times: %s",
                        red_cl_error_name(code));
    if (end < start)
        return red_fail(error, RED_E_UNSUPPORTED, "event times untrusted: END is %llu ns before START",
                        (unsigned long long)(start - end));
    *device_s += 1e-9 * (double)(end - start);
    return RED_OK;
}

static const char empty_text[] = "kernel void nothing(void) {}\n";

static enum red_status launch_once(struct red_device *device, cl_kernel kernel, double *time_s,
                                   struct red_error *error) {
    const size_t one = 1;
    cl_event event = NULL;
    cl_int code = clEnqueueNDRangeKernel(device->profiling, kernel, 1, NULL, &one, &one, 0, NULL, &event);
    cl_int finished = clFinish(device->profiling);
    enum red_status status = red_cl_check(code != CL_SUCCESS ? code : finished, "an empty kernel", error);
    *time_s = 0;
    if (status == RED_OK)
        status = red_cl_event_time(event, CL_PROFILING_COMMAND_END, time_s, error);
    if (event != NULL)
        clReleaseEvent(event);
    return status;
}

enum red_status red_floor_find(struct red_device *device, double *times_s, size_t n,
                               struct red_error *error) {
    cl_kernel kernel = NULL;
    enum red_status status =
        red_program_kernel(device, "an empty kernel", empty_text, RED_CL12, "nothing", &kernel, error);
    for (size_t i = 0; i < n && status == RED_OK; i++)
        status = launch_once(device, kernel, &times_s[i], error);
    if (kernel != NULL)
        clReleaseKernel(kernel);
    return status;
}
