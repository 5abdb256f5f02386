#include "device/roof.h"

#include <stdio.h>
#include <stdlib.h>

#include "device/choose.h"
#include "device/private.h"
#include "model/catalogue.h"

enum { VECTOR_BYTES = 64 };

struct red_roof {
    struct red_device *device;
    cl_kernel kernel;
    cl_mem out;
    size_t global, local;
    uint64_t vectors_n;
};

/* On a CPU a few single items read long pieces; elsewhere many groups stride, or take short pieces. */
static void roof_shape(struct red_roof *roof, unsigned form) {
    const struct red_shape_limits *shape = &roof->device->info.shape;
    bool single = shape->is_cpu && form == 0;
    roof->local = single ? 1 : shape->group_size_max < 256 ? shape->group_size_max : 256;
    roof->global = roof->local * shape->compute_units * (shape->is_cpu ? 4 : 16);
}

enum red_status red_roof_create(struct red_resident *resident, unsigned form, struct red_roof **roof,
                                struct red_error *error) {
    enum red_status status = red_device_info_check(&resident->device->info, error);
    if (status != RED_OK)
        return status;
    char text[4096];
    cl_uint magic = 0x5eed1e55;
    cl_int code;
    struct red_roof *made = calloc(1, sizeof *made);
    if (made == NULL)
        return red_fail(error, RED_E_MEMORY, "no memory for the roof");
    const struct red_input *input = resident->input;
    made->device = resident->device;
    made->vectors_n = input->n * input->dtype->size_bytes / VECTOR_BYTES;
    roof_shape(made, form);
    snprintf(text, sizeof text, "%s%s", form == 0 ? "#define ROOF_PIECES\n" : "",
             red_embedded_find("roof.cl")->text);
    status = red_program_kernel(made->device, "roof.cl", text, RED_CL12, "roof", &made->kernel, error);
    if (status != RED_OK)
        goto cleanup;
    made->out = clCreateBuffer(made->device->context, CL_MEM_READ_WRITE, sizeof magic, NULL, &code);
    cl_ulong vectors_n = made->vectors_n;
    if (code == CL_SUCCESS)
        code = clSetKernelArg(made->kernel, 0, sizeof resident->buffers[0], &resident->buffers[0]);
    if (code == CL_SUCCESS)
        code = clSetKernelArg(made->kernel, 1, sizeof vectors_n, &vectors_n);
    if (code == CL_SUCCESS)
        code = clSetKernelArg(made->kernel, 2, sizeof magic, &magic);
    if (code == CL_SUCCESS)
        code = clSetKernelArg(made->kernel, 3, sizeof made->out, &made->out);
    status = red_cl_check(code, "preparing the roof", error);
    if (status != RED_OK)
        goto cleanup;
    *roof = made;
    return RED_OK;

cleanup:
    red_roof_destroy(made);
    return status;
}

void red_roof_destroy(struct red_roof *roof) {
    if (roof == NULL)
        return;
    if (roof->kernel != NULL)
        clReleaseKernel(roof->kernel);
    if (roof->out != NULL)
        clReleaseMemObject(roof->out);
    free(roof);
}

enum red_status red_roof_run(struct red_roof *roof, struct red_error *error) {
    cl_command_queue queue = roof->device->queue;
    cl_int code =
        clEnqueueNDRangeKernel(queue, roof->kernel, 1, NULL, &roof->global, &roof->local, 0, NULL, NULL);
    return code == CL_SUCCESS ? red_cl_check(clFinish(queue), "the roof", error)
                              : red_cl_check_launch(code, roof->local, error);
}

uint64_t red_roof_bytes(const struct red_roof *roof) {
    return roof->vectors_n * VECTOR_BYTES;
}
