/* Faults of what a driver says: strings, limits, capabilities, lists. */
#include <string.h>

#include "layer.h"

/* ---- strings ---- */

static cl_int give(const void *from, size_t bytes, size_t room, void *value, size_t *needed) {
    if (needed != NULL)
        *needed = bytes;
    if (value == NULL)
        return CL_SUCCESS;
    if (room < bytes)
        return CL_INVALID_VALUE;
    memcpy(value, from, bytes);
    return CL_SUCCESS;
}

/* True if the fault makes up the string. */
static bool made_up(size_t room, void *value, size_t *needed, cl_int *code) {
    static char text[4096];
    size_t bytes = 0;
    if (fault_is("strings_empty")) {
        bytes = 1;
        text[0] = '\0';
    } else if (fault_is("strings_long") || fault_is("strings_endless")) {
        bytes = fault_is("strings_long") ? sizeof text : sizeof text - 64; /* without an end */
        memset(text, 'x', sizeof text);
        text[sizeof text - 1] = '\0';
    } else if (fault_is("strings_binary")) {
        static const char bad[] = "\x1b[31m\xff\xfe=cmd|' /C calc'!A0,\"<script>\"\n\t\xc3";
        bytes = sizeof bad;
        memcpy(text, bad, sizeof bad);
    } else
        return false;
    *code = give(text, bytes, room, value, needed);
    return true;
}

static cl_int CL_API_CALL get_platform_info(cl_platform_id platform, cl_platform_info what, size_t room,
                                            void *value, size_t *needed) {
    cl_int code;
    fault_break("info");
    if (what == CL_PLATFORM_NAME && fault_is("rusticl_without_devices"))
        return give("rusticl", sizeof "rusticl", room, value, needed);
    if ((what == CL_PLATFORM_NAME || what == CL_PLATFORM_VERSION || what == CL_PLATFORM_VENDOR) &&
        made_up(room, value, needed, &code))
        return code;
    return fault_next->clGetPlatformInfo(platform, what, room, value, needed);
}

/* ---- limits and capabilities ---- */

static bool is_string(cl_device_info what) {
    return what == CL_DEVICE_NAME || what == CL_DEVICE_VENDOR || what == CL_DRIVER_VERSION ||
           what == CL_DEVICE_OPENCL_C_VERSION;
}

static bool is_newer(cl_device_info what) {
    return what >= 0x1050 && what < 0x1080; /* what 2.x and 3.0 added */
}

static cl_int CL_API_CALL get_device_info(cl_device_id device, cl_device_info what, size_t room, void *value,
                                          size_t *needed) {
    cl_int code;
    if (is_string(what) && made_up(room, value, needed, &code))
        return code;
    if (fault_is("queries_unknown") && is_newer(what))
        return CL_INVALID_VALUE;
    if (fault_is("queries_empty") && is_newer(what))
        return give("", 0, room, value, needed);
    if (what == CL_DEVICE_TYPE && fault_is("claims_gpu"))
        return give(&(cl_device_type){CL_DEVICE_TYPE_GPU}, sizeof(cl_device_type), room, value, needed);
    if (what == CL_DEVICE_MAX_WORK_GROUP_SIZE && fault_is("limit_group"))
        return give(&(size_t){fault_number()}, sizeof(size_t), room, value, needed);
    if (what == CL_DEVICE_MAX_COMPUTE_UNITS && fault_is("limit_units"))
        return give(&(cl_uint){1}, sizeof(cl_uint), room, value, needed);
    if (what == CL_DEVICE_MAX_COMPUTE_UNITS && fault_is("no_units"))
        return give(&(cl_uint){0}, sizeof(cl_uint), room, value, needed);
    if (what == CL_DEVICE_LOCAL_MEM_SIZE && fault_is("limit_local"))
        return give(&(cl_ulong){1024}, sizeof(cl_ulong), room, value, needed);
    if (what == CL_DEVICE_MAX_MEM_ALLOC_SIZE && fault_is("limit_allocation"))
        return give(&(cl_ulong){64 << 20}, sizeof(cl_ulong), room, value, needed);
    if (what == CL_DEVICE_WORK_GROUP_COLLECTIVE_FUNCTIONS_SUPPORT && fault_is("claims_collectives"))
        return give(&(cl_bool){CL_TRUE}, sizeof(cl_bool), room, value, needed);
    if (what == CL_DEVICE_SVM_CAPABILITIES && fault_is("denies_svm"))
        return give(&(cl_ulong){0}, sizeof(cl_ulong), room, value, needed);
    if (what == CL_DEVICE_EXTENSIONS && fault_is("denies_extensions"))
        return give("", 1, room, value, needed);
    return fault_next->clGetDeviceInfo(device, what, room, value, needed);
}

static cl_int CL_API_CALL get_kernel_info(cl_kernel kernel, cl_device_id device,
                                          cl_kernel_work_group_info what, size_t room, void *value,
                                          size_t *needed) {
    if (what == CL_KERNEL_WORK_GROUP_SIZE && (fault_is("limit_group") || fault_is("understates_group")))
        return give(&(size_t){fault_number()}, sizeof(size_t), room, value, needed);
    return fault_next->clGetKernelWorkGroupInfo(kernel, device, what, room, value, needed);
}

/* ---- lists ---- */

static cl_int CL_API_CALL get_platforms(cl_uint room, cl_platform_id *platforms, cl_uint *n) {
    return fault_is("no_platforms") ? -1001 : fault_next->clGetPlatformIDs(room, platforms, n);
}

static cl_int CL_API_CALL get_devices(cl_platform_id platform, cl_device_type type, cl_uint room,
                                      cl_device_id *devices, cl_uint *n) {
    fault_break("list");
    return fault_is("no_devices") || fault_is("rusticl_without_devices")
               ? CL_DEVICE_NOT_FOUND
               : fault_next->clGetDeviceIDs(platform, type, room, devices, n);
}

void fault_install_info(cl_icd_dispatch *table) {
    table->clGetPlatformIDs = get_platforms;
    table->clGetPlatformInfo = get_platform_info;
    table->clGetDeviceIDs = get_devices;
    table->clGetDeviceInfo = get_device_info;
    table->clGetKernelWorkGroupInfo = get_kernel_info;
}
