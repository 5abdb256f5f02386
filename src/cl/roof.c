#include "cl/roof.h"

#include <stdio.h>
#include <stdlib.h>

#include "cl/private.h"
#include "model/catalogue.h"
#include "model/device_info.h"
#include "oracle/reference.h"

enum { VECTOR_BYTES = 64, TELL = 3 /* the kernel's argument */ };

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

/* Reads everything once, and compares what was seen with what the host sees: a driver that ends loops early
 * would have too high a roof. */
static enum red_status check_seen(struct red_roof *roof, const struct red_input *input,
                                  struct red_error *error) {
    cl_command_queue queue = roof->device->queue;
    cl_uint tell = 1, silent = 0, seen = 0;
    uint64_t words = red_reference_read_all(input->arrays[0], roof->vectors_n * (VECTOR_BYTES / 8));
    red_reference_stop_spinning();
    uint32_t wanted = (uint32_t)words ^ (uint32_t)(words >> 32);
    cl_int code = clEnqueueWriteBuffer(queue, roof->out, CL_TRUE, 0, sizeof seen, &seen, 0, NULL, NULL);
    if (code == CL_SUCCESS)
        code = clSetKernelArg(roof->kernel, TELL, sizeof tell, &tell);
    enum red_status status = red_cl_check(code, "preparing the roof", error);
    if (status == RED_OK)
        status = red_roof_run(roof, error);
    if (status != RED_OK)
        return status;
    code = clEnqueueReadBuffer(queue, roof->out, CL_TRUE, 0, sizeof seen, &seen, 0, NULL, NULL);
    if (code == CL_SUCCESS)
        code = clSetKernelArg(roof->kernel, TELL, sizeof silent, &silent);
    status = red_cl_check(code, "checking the roof", error);
    if (status == RED_OK && seen != wanted)
        status =
            red_fail(error, RED_E_WRONG,
                     "the XOR of all that its kernel read is %#010x, not %#010x: it does not read everything",
                     (unsigned)seen, (unsigned)wanted);
    return status;
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
    cl_uint silent = 0;
    if (code == CL_SUCCESS)
        code = clSetKernelArg(made->kernel, 0, sizeof resident->buffers[0], &resident->buffers[0]);
    if (code == CL_SUCCESS)
        code = clSetKernelArg(made->kernel, 1, sizeof vectors_n, &vectors_n);
    if (code == CL_SUCCESS)
        code = clSetKernelArg(made->kernel, 2, sizeof magic, &magic);
    if (code == CL_SUCCESS)
        code = clSetKernelArg(made->kernel, TELL, sizeof silent, &silent);
    if (code == CL_SUCCESS)
        code = clSetKernelArg(made->kernel, 4, sizeof made->out, &made->out);
    status = red_cl_check(code, "preparing the roof", error);
    if (status == RED_OK)
        status = check_seen(made, input, error);
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
