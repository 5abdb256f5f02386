#define _GNU_SOURCE /* RTLD_DEFAULT */
#include "cl/newer.h"

#include <dlfcn.h>
#include <string.h>

#include "cl/private.h"

/* ISO C has no way from an object's address to a function's, POSIX has. */
static void take(void *function, const void *address) {
    memcpy(function, &address, sizeof address);
}

static void take_core(const struct red_device *device, unsigned version, const char *name, void *function) {
    take(function, device->info.api_version >= version ? dlsym(RTLD_DEFAULT, name) : NULL);
}

static void take_extension(cl_platform_id platform, const char *name, void *function) {
    take(function, platform ? clGetExtensionFunctionAddressForPlatform(platform, name) : NULL);
}

void red_newer_find(const struct red_device *device, struct red_newer *newer) {
    cl_platform_id platform = NULL;
    take_core(device, 20, "clSVMAlloc", &newer->svm_alloc);
    take_core(device, 20, "clSVMFree", &newer->svm_free);
    take_core(device, 20, "clSetKernelArgSVMPointer", &newer->set_kernel_arg_svm);
    take_core(device, 20, "clSetKernelExecInfo", &newer->set_kernel_exec_info);
    take_core(device, 20, "clEnqueueSVMMap", &newer->enqueue_svm_map);
    take_core(device, 20, "clEnqueueSVMUnmap", &newer->enqueue_svm_unmap);
    take_core(device, 20, "clCreatePipe", &newer->create_pipe);
    take_core(device, 20, "clCreateCommandQueueWithProperties", &newer->create_queue);
    if (clGetDeviceInfo(device->cl_device, CL_DEVICE_PLATFORM, sizeof platform, &platform, NULL) !=
        CL_SUCCESS)
        platform = NULL;
    take_extension(platform, "clCreateBufferNV", &newer->create_buffer_nv);
    take_extension(platform, "clCreateCommandBufferKHR", &newer->create_command_buffer);
    take_extension(platform, "clFinalizeCommandBufferKHR", &newer->finalize_command_buffer);
    take_extension(platform, "clReleaseCommandBufferKHR", &newer->release_command_buffer);
    take_extension(platform, "clEnqueueCommandBufferKHR", &newer->enqueue_command_buffer);
    take_extension(platform, "clCommandNDRangeKernelKHR", &newer->command_ndrange);
}

enum red_status red_newer_device_queue(struct red_device *device, struct red_error *error) {
    static const cl_bitfield properties[] = {
        CL_QUEUE_PROPERTIES,
        CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_ON_DEVICE | CL_QUEUE_ON_DEVICE_DEFAULT, 0};
    cl_int code;
    if (device->on_device != NULL)
        return RED_OK;
    if (device->newer.create_queue == NULL)
        return red_fail(error, RED_E_UNSUPPORTED, "no clCreateCommandQueueWithProperties");
    device->on_device = device->newer.create_queue(device->context, device->cl_device, properties, &code);
    return code == CL_SUCCESS
               ? RED_OK
               : red_fail(error, RED_E_UNSUPPORTED, "no on-device queue: %s", red_cl_error_name(code));
}
