#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "device/private.h"

uint64_t red_resident_n_max(const struct red_device_info *info, const struct red_dtype *dtype,
                            const struct red_op *op) {
    /* An eighth is left for partial results and the driver's own needs. */
    uint64_t room = info->global_memory_bytes / 8 * 7 / op->arrays;
    uint64_t bytes = room < info->allocation_bytes_max ? room : info->allocation_bytes_max;
    return bytes < 8192 ? 0 : (bytes - 8192) / dtype->size_bytes;
}

static enum red_status buffer_create(struct red_resident *resident, unsigned array, struct red_error *error) {
    struct red_device *device = resident->device;
    const struct red_input *input = resident->input;
    cl_mem_flags flags = resident->on_host ? CL_MEM_READ_ONLY | CL_MEM_USE_HOST_PTR : CL_MEM_READ_ONLY;
    cl_int code;
    resident->buffers[array] = clCreateBuffer(device->context, flags, input->array_bytes,
                                              resident->on_host ? input->arrays[array] : NULL, &code);
    enum red_status status = red_cl_check(code, "clCreateBuffer", error);
    if (status != RED_OK || resident->on_host)
        return status;
    return red_cl_check(clEnqueueWriteBuffer(device->queue, resident->buffers[array], CL_TRUE, 0,
                                             input->array_bytes, input->arrays[array], 0, NULL, NULL),
                        "clEnqueueWriteBuffer", error);
}

enum red_status red_resident_create(struct red_device *device, const struct red_input *input,
                                    struct red_resident **resident, struct red_error *error) {
    uint64_t n_max = red_resident_n_max(&device->info, input->dtype, input->op);
    if (input->n > n_max)
        return red_fail(error, RED_E_MEMORY,
                        "%" PRIu64 " elements of %s do not fit on %s; the largest possible n is %" PRIu64,
                        input->n, input->dtype->name, device->info.id, n_max);
    struct red_resident *made = calloc(1, sizeof *made);
    if (made == NULL)
        return red_fail(error, RED_E_MEMORY, "no memory for a data set");
    *made = (struct red_resident){.device = device,
                                  .input = input,
                                  .checksum = red_input_checksum(input),
                                  .on_host = device->info.shape.is_cpu};
    enum red_status status = RED_OK;
    for (unsigned array = 0; array < input->arrays_n && status == RED_OK; array++)
        status = buffer_create(made, array, error);
    if (status != RED_OK) {
        red_resident_destroy(made);
        return status;
    }
    *resident = made;
    return RED_OK;
}

void red_resident_destroy(struct red_resident *resident) {
    if (resident == NULL)
        return;
    for (unsigned array = 0; array < 2; array++)
        if (resident->buffers[array] != NULL)
            clReleaseMemObject(resident->buffers[array]);
    free(resident);
}

/* Mapping makes the host's view of a used pointer defined (OpenCL 3.0 API, section 5.2.3); elsewhere it
 * copies. */
enum red_status red_resident_is_intact(struct red_resident *resident, bool *intact, struct red_error *error) {
    struct red_input seen = *resident->input;
    cl_command_queue queue = resident->device->queue;
    enum red_status status = RED_OK;
    unsigned mapped_n = 0;
    for (; mapped_n < seen.arrays_n && status == RED_OK; mapped_n++) {
        cl_int code;
        seen.arrays[mapped_n] = clEnqueueMapBuffer(queue, resident->buffers[mapped_n], CL_TRUE, CL_MAP_READ,
                                                   0, seen.array_bytes, 0, NULL, NULL, &code);
        status = red_cl_check(code, "clEnqueueMapBuffer", error);
    }
    if (status == RED_OK)
        *intact = red_input_checksum(&seen) == resident->checksum;
    else
        mapped_n--;
    for (unsigned array = 0; array < mapped_n; array++)
        clEnqueueUnmapMemObject(queue, resident->buffers[array], seen.arrays[array], 0, NULL, NULL);
    enum red_status finished = red_cl_check(clFinish(queue), "clFinish", status == RED_OK ? error : NULL);
    return status != RED_OK ? status : finished;
}
