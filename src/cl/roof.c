/* Measures the roof (console table: share of the roof). A worker asks: worker/prepared.c. */
#include "cl/roof.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cl/cl_private.h"
#include "host/reference.h"
#include "model/catalogue.h"
#include "model/device_info.h"
#include "model/primitive.h"

enum { VECTOR_BYTES = 64, TELL = 3 /* the kernel's argument */ };

struct red_roof {
    struct red_device *device;
    cl_kernel kernel;
    cl_mem out;
    size_t global, local;
    uint64_t vectors_n;
    bool copies; /* to `out`, which is as large as the array then */
};

/* Chooses how many items read, and the size of their groups. On a CPU a few single items read long pieces;
 * elsewhere many groups stride, or take short pieces. */
static void roof_set_sizes(struct red_roof *roof, unsigned form) {
    const struct red_geometry_limits *shape = &roof->device->info.shape;
    bool single = shape->is_cpu && form == 0;
    roof->local = single ? 1 : shape->group_size_max < 256 ? shape->group_size_max : 256;
    roof->global = roof->local * shape->compute_units * (shape->is_cpu ? 4 : 16);
}

/* Reads everything once, and compares what was seen with what the host sees: a driver that ends loops early
 * would have too high a roof. */
static enum red_status check_reads_everything(struct red_roof *roof, const struct red_input *input,
                                              struct red_error *error) {
    cl_command_queue queue = roof->device->queue;
    cl_uint tell = 1, silent = 0, seen = 0;
    uint64_t words = red_reference_read_all(input->arrays[0], roof->vectors_n * (VECTOR_BYTES / 8));
    red_reference_stop_spinning();
    uint32_t wanted = (uint32_t)words ^ (uint32_t)(words >> 32);
    cl_int code = red_cl_write(queue, roof->out, 0, &seen, sizeof seen);
    if (code == CL_SUCCESS)
        code = clSetKernelArg(roof->kernel, TELL, sizeof tell, &tell);
    enum red_status status = red_cl_check(code, "preparing the roof", error);
    if (status == RED_OK)
        status = red_roof_run(roof, error);
    if (status != RED_OK)
        return status;
    code = red_cl_read(queue, roof->out, 0, &seen, sizeof seen);
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

/* Copies everything once, and compares the copy with the array. */
static enum red_status check_copies_everything(struct red_roof *roof, const struct red_input *input,
                                               struct red_error *error) {
    cl_command_queue queue = roof->device->queue;
    const size_t bytes = (size_t)roof->vectors_n * VECTOR_BYTES;
    cl_int code = CL_SUCCESS;
    enum red_status status = red_roof_run(roof, error);
    if (status != RED_OK)
        return status;
    void *copy = clEnqueueMapBuffer(queue, roof->out, CL_TRUE, CL_MAP_READ, 0, bytes, 0, NULL, NULL, &code);
    if (code != CL_SUCCESS)
        return red_cl_check(code, "checking the roof", error);
    if (memcmp(copy, input->arrays[0], bytes) != 0)
        status = red_fail(error, RED_E_WRONG, "its kernel does not copy everything");
    code = clEnqueueUnmapMemObject(queue, roof->out, copy, 0, NULL, NULL);
    return status == RED_OK ? red_cl_check(red_cl_wait(queue, code), "checking the roof", error) : status;
}

/* Builds the kernel of the form, makes `out`, and sets the arguments. */
static enum red_status roof_prepare(struct red_roof *roof, const struct red_resident *resident, unsigned form,
                                    struct red_error *error) {
    const char *name = roof->copies ? "copy_roof" : "roof";
    const cl_uint magic = 0x5eed1e55, silent = 0;
    const cl_ulong vectors_n = roof->vectors_n, bytes = vectors_n * VECTOR_BYTES;
    char file[32], text[4096];
    cl_int code;
    snprintf(file, sizeof file, "%s.cl", name);
    snprintf(text, sizeof text, "%s%s", form == 0 ? "#define ROOF_PIECES\n" : "",
             red_embedded_find(file)->text);
    enum red_status status = red_kernel_make(roof->device, file, text, RED_CL12, name, &roof->kernel, error);
    if (status != RED_OK)
        return status;
    roof->out = clCreateBuffer(roof->device->context, CL_MEM_READ_WRITE, roof->copies ? bytes : sizeof magic,
                               NULL, &code);
    const struct red_cl_argument of_roof[] = {{sizeof resident->buffers[0], &resident->buffers[0]},
                                              {sizeof vectors_n, &vectors_n},
                                              {sizeof magic, &magic},
                                              [TELL] = {sizeof silent, &silent},
                                              {sizeof roof->out, &roof->out}};
    const struct red_cl_argument of_copy[] = {of_roof[0], {sizeof bytes, &bytes}, of_roof[TELL + 1]};
    if (code == CL_SUCCESS)
        code = roof->copies ? red_cl_set_arguments(roof->kernel, 0, of_copy, 3)
                            : red_cl_set_arguments(roof->kernel, 0, of_roof, 5);
    return red_cl_check(code, "preparing the roof", error);
}

/* For bench and column "roof GB/s" of `devices`; a failure is "no read roof ..." on standard error. */
enum red_status red_roof_create(struct red_resident *resident, unsigned form, struct red_roof **roof,
                                struct red_error *error) {
    const struct red_input *input = resident->input;
    enum red_status status = red_device_info_check_version(&resident->device->info, error);
    if (status != RED_OK)
        return status;
    struct red_roof *made = calloc(1, sizeof *made);
    if (made == NULL)
        return red_fail(error, RED_E_MEMORY, "no memory for the roof");
    made->device = resident->device;
    made->vectors_n = input->n * input->dtype->size_bytes / VECTOR_BYTES;
    made->copies = red_primitives[input->op->primitive].roof_copies;
    roof_set_sizes(made, form);
    status = roof_prepare(made, resident, form, error);
    if (status == RED_OK)
        status = (made->copies ? check_copies_everything : check_reads_everything)(made, input, error);
    if (status == RED_OK)
        *roof = made;
    else
        red_roof_destroy(made);
    return status;
}

void red_roof_destroy(struct red_roof *roof) {
    if (roof == NULL)
        return;
    red_cl_release_kernel(roof->kernel);
    red_cl_release_buffers(&roof->out, 1);
    free(roof);
}

enum red_status red_roof_run(struct red_roof *roof, struct red_error *error) {
    cl_command_queue queue = roof->device->queue;
    cl_int code = red_cl_launch(queue, roof->kernel, roof->global, roof->local, NULL);
    return code == CL_SUCCESS ? red_cl_check(clFinish(queue), "the roof", error)
                              : red_cl_check_launch(code, roof->local, error);
}

/* By the time of a call the GB/s of the roof; "roof_bytes" in the JSON. */
uint64_t red_roof_bytes(const struct red_roof *roof) {
    return roof->vectors_n * VECTOR_BYTES * (roof->copies ? 2 : 1);
}
