#include "cl/checksum.h"

#include <stdio.h>

#include "cl/private.h"
#include "model/catalogue.h"

enum { GROUPS_MAX = 4096 };

/* On a CPU a group is one worker's loop; elsewhere many items hide the memory's latency. */
static bool prepare(struct red_device *device) {
    struct red_checksum *checksum = &device->checksum;
    const struct red_shape_limits *shape = &device->info.shape;
    char text[4096];
    cl_int code;
    size_t group_size = shape->is_cpu ? 1 : 256, groups_n = shape->compute_units * (shape->is_cpu ? 1u : 16u);
    checksum->group_size = group_size < shape->group_size_max ? group_size : shape->group_size_max;
    checksum->groups_n = groups_n < GROUPS_MAX ? groups_n : GROUPS_MAX;
    snprintf(text, sizeof text, "#define DIGEST_GROUP_SIZE %zu\n%s", checksum->group_size,
             red_embedded_find("digest.cl")->text);
    enum red_status status =
        red_program_kernel(device, "digest.cl", text, RED_CL12, "digest", &checksum->kernel, NULL);
    if (status != RED_OK)
        return false;
    checksum->sums = clCreateBuffer(device->context, CL_MEM_READ_WRITE, checksum->groups_n * sizeof(cl_ulong),
                                    NULL, &code);
    return code == CL_SUCCESS;
}

static cl_int array_enqueue(struct red_device *device, cl_mem buffer, cl_ulong words_n, cl_ulong first) {
    const struct red_checksum *checksum = &device->checksum;
    const cl_ulong vectors_n = words_n / 8; /* an array is of whole pages */
    size_t global = checksum->groups_n * checksum->group_size;
    cl_int code = clSetKernelArg(checksum->kernel, 0, sizeof buffer, &buffer);
    if (code == CL_SUCCESS)
        code = clSetKernelArg(checksum->kernel, 1, sizeof vectors_n, &vectors_n);
    if (code == CL_SUCCESS)
        code = clSetKernelArg(checksum->kernel, 2, sizeof first, &first);
    if (code == CL_SUCCESS)
        code = clSetKernelArg(checksum->kernel, 3, sizeof checksum->sums, &checksum->sums);
    return code == CL_SUCCESS ? clEnqueueNDRangeKernel(device->queue, checksum->kernel, 1, NULL, &global,
                                                       &checksum->group_size, 0, NULL, NULL)
                              : code;
}

bool red_checksum_find(struct red_device *device, const struct red_input *input,
                       struct _cl_mem *const *buffers, uint64_t *checksum) {
    struct red_checksum *checksum = &device->checksum;
    cl_ulong sums[GROUPS_MAX], words_n = input->array_bytes / sizeof(cl_ulong);
    if (checksum->kernel == NULL && !checksum->failed)
        checksum->failed = !prepare(device);
    if (checksum->failed)
        return false;
    *checksum = 0;
    for (unsigned array = 0; array < input->arrays_n; array++) {
        cl_int code = array_enqueue(device, buffers[array], words_n, array * words_n);
        if (code == CL_SUCCESS)
            code = clEnqueueReadBuffer(device->queue, checksum->sums, CL_TRUE, 0,
                                       checksum->groups_n * sizeof sums[0], sums, 0, NULL, NULL);
        if (code != CL_SUCCESS)
            return false;
        for (size_t i = 0; i < checksum->groups_n; i++)
            *checksum += sums[i];
    }
    return true;
}

void red_checksum_clear(struct red_checksum *checksum) {
    if (checksum->kernel != NULL)
        clReleaseKernel(checksum->kernel);
    if (checksum->sums != NULL)
        clReleaseMemObject(checksum->sums);
    *checksum = (struct red_checksum){.failed = false};
}
