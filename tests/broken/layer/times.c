/* Faults of event times. */
#include <stdlib.h>

#include "layer.h"

static cl_int real_time(cl_event event, cl_profiling_info what, cl_ulong *value) {
    return fault_next->clGetEventProfilingInfo(event, what, sizeof *value, value, NULL);
}

cl_event fault_idle_event;

/* What the fault makes of the four times. */
static cl_ulong wrong_time(cl_profiling_info what, cl_ulong value, cl_ulong start, cl_ulong end) {
    bool is_start = what == CL_PROFILING_COMMAND_START, is_end = what == CL_PROFILING_COMMAND_END;
    cl_ulong took = end - start;
    if (fault_is("times_zero"))
        return 0;
    if (fault_is("times_constant"))
        return 1000000;
    if (fault_is("times_swapped") && (is_start || is_end))
        return is_start ? end : start;
    if (fault_is("times_wrapped") && (is_start || is_end)) /* a clock of 32 bits */
        return is_start ? 0xffffffff - took / 2 : took / 2;
    if (fault_is("times_short") && is_end)
        return start + took / 1000;
    if (fault_is("times_long") && is_end)
        return start + took * 1000;
    if (fault_is("times_fixed") && is_end) /* of enqueueing, not of the work */
        return start + 5000;
    if (fault_is("times_random") && is_end)
        return start + (cl_ulong)(rand() % 1000000);
    if (fault_is("times_coarse"))
        return value / 10000000 * 10000000;
    if (fault_is("times_late") && what == CL_PROFILING_COMMAND_SUBMIT)
        return start + 1000;
    if (fault_is("times_jump") && is_end && rand() % 3 == 0)
        return end + 3600000000000;
    return value;
}

static cl_int CL_API_CALL profiling_info(cl_event event, cl_profiling_info what, size_t room, void *value,
                                         size_t *needed) {
    cl_ulong start = 0, end = 0;
    if (fault_is("times_missing"))
        return CL_PROFILING_INFO_NOT_AVAILABLE;
    cl_int code = fault_next->clGetEventProfilingInfo(event, what, room, value, needed);
    if (code == CL_SUCCESS && value != NULL &&
        real_time(event, CL_PROFILING_COMMAND_START, &start) == CL_SUCCESS &&
        real_time(event, CL_PROFILING_COMMAND_END, &end) == CL_SUCCESS)
        *(cl_ulong *)value = wrong_time(what, *(cl_ulong *)value, start, end);
    if (code == CL_SUCCESS && value != NULL && fault_idle_event == event && what != CL_PROFILING_COMMAND_END)
        *(cl_ulong *)value -= FAULT_IDLE_NS;
    return code;
}

void fault_install_times(cl_icd_dispatch *table) {
    table->clGetEventProfilingInfo = profiling_info;
}
