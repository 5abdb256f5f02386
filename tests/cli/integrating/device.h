/* What the examples of docs/integrating.md begin with: the first device of the platform whose name has this
 * in it. */
#ifndef DEVICE_H
#define DEVICE_H

#ifndef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 300
#endif
#include <CL/cl.h>
#include <string.h>

struct device {
    cl_device_id id;
    cl_context context;
};

static inline int device_open(const char *platform, struct device *device) {
    cl_platform_id platforms[16];
    cl_uint n = 0;
    clGetPlatformIDs(16, platforms, &n);
    for (cl_uint i = 0; i < n && i < 16; i++) {
        char name[128] = "";
        cl_int code = CL_SUCCESS;
        clGetPlatformInfo(platforms[i], CL_PLATFORM_NAME, sizeof name, name, NULL);
        if (strstr(name, platform) == NULL ||
            clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_ALL, 1, &device->id, NULL) != CL_SUCCESS)
            continue;
        device->context = clCreateContext(NULL, 1, &device->id, NULL, NULL, &code);
        return code == CL_SUCCESS;
    }
    return 0;
}

#endif
