#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cl/private.h"

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
    if (status == RED_OK && !resident->on_host)
        status = red_cl_check(clEnqueueWriteBuffer(device->queue, resident->buffers[array], CL_TRUE, 0,
                                                   input->array_bytes, input->arrays[array], 0, NULL, NULL),
                              "clEnqueueWriteBuffer", error);
    /* Each size may fit alone, and not beside the others that are there. */
    return status == RED_E_MEMORY
               ? red_fail(error, RED_E_UNSUPPORTED,
                          "no room on %s for %" PRIu64
                          " elements of %s beside the other data; choose fewer sizes at a time",
                          device->info.id, input->n, input->dtype->name)
               : status;
}

static bool is_digest_right(struct red_resident *resident) {
    uint64_t checksum;
    return red_checksum_find(resident->device, resident->input, resident->buffers, &checksum) &&
           checksum == resident->input->checksum;
}

enum red_status red_resident_create(struct red_device *device, const struct red_input *input,
                                    struct red_resident **resident, struct red_error *error) {
    uint64_t n_max = red_resident_n_max(&device->info, input->dtype, input->op);
    if (input->n > n_max)
        return red_fail(error, RED_E_UNSUPPORTED,
                        "%" PRIu64 " elements of %s do not fit on %s; the largest possible n is %" PRIu64,
                        input->n, input->dtype->name, device->info.id, n_max);
    struct red_resident *made = calloc(1, sizeof *made);
    if (made == NULL)
        return red_fail(error, RED_E_MEMORY, "no memory for a data set");
    *made = (struct red_resident){.device = device, .input = input, .on_host = device->info.shape.is_cpu};
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
 * copies. *seen is the input with the mapped arrays; on an error nothing stays mapped. */
static enum red_status arrays_map(struct red_resident *resident, cl_map_flags flags, struct red_input *seen,
                                  struct red_error *error) {
    cl_command_queue queue = resident->device->queue;
    *seen = *resident->input;
    for (unsigned array = 0; array < seen->arrays_n; array++) {
        cl_int code;
        seen->arrays[array] = clEnqueueMapBuffer(queue, resident->buffers[array], CL_TRUE, flags, 0,
                                                 seen->array_bytes, 0, NULL, NULL, &code);
        if (code == CL_SUCCESS)
            continue;
        while (array-- > 0)
            clEnqueueUnmapMemObject(queue, resident->buffers[array], seen->arrays[array], 0, NULL, NULL);
        clFinish(queue);
        return red_cl_check(code, "clEnqueueMapBuffer", error);
    }
    return RED_OK;
}

static enum red_status arrays_unmap(struct red_resident *resident, const struct red_input *seen,
                                    struct red_error *error) {
    cl_command_queue queue = resident->device->queue;
    cl_int code = CL_SUCCESS;
    for (unsigned array = 0; array < seen->arrays_n && code == CL_SUCCESS; array++)
        code = clEnqueueUnmapMemObject(queue, resident->buffers[array], seen->arrays[array], 0, NULL, NULL);
    cl_int finished = clFinish(queue);
    return red_cl_check(code != CL_SUCCESS ? code : finished, "clEnqueueUnmapMemObject", error);
}

/* The device's own word is enough where it is the right one: it was computed from the words in memory, and
 * the device was never told what is expected. Any other is looked into on the host; who is wrong about good
 * data is not asked again. */
static enum red_status is_intact(struct red_resident *resident, bool *intact, struct red_error *error) {
    struct red_input seen;
    *intact = resident->digests != RED_NO && is_digest_right(resident);
    if (*intact) {
        resident->digests = RED_YES;
        return RED_OK;
    }
    enum red_status status = arrays_map(resident, CL_MAP_READ, &seen, error);
    if (status != RED_OK)
        return status;
    *intact = red_input_checksum(&seen) == seen.checksum;
    if (*intact)
        resident->digests = RED_NO;
    return arrays_unmap(resident, &seen, error);
}

/* Where the device shares the host's pages, the mapped arrays are the host's own. */
static enum red_status restore(struct red_resident *resident, struct red_error *error) {
    struct red_input seen;
    enum red_status status = arrays_map(resident, CL_MAP_WRITE, &seen, error);
    if (status != RED_OK)
        return status;
    red_input_restore(&seen);
    return arrays_unmap(resident, &seen, error);
}

enum red_status red_resident_check(struct red_resident *resident, struct red_error *error) {
    const struct red_input *input = resident->input;
    bool intact = false;
    enum red_status status = is_intact(resident, &intact, error);
    if (status != RED_OK || intact)
        return status;
    status = restore(resident, error);
    if (status == RED_OK)
        status = is_intact(resident, &intact, error);
    if (status != RED_OK)
        return status;
    if (!intact)
        return red_fail(error, RED_E_DEVICE, "%s does not keep what is written to its buffers",
                        resident->device->info.id);
    char probe[32];
    red_probe_print(input->probe, input->op, input->dtype, input->n, probe, sizeof probe);
    return red_fail(error, RED_E_WRONG, "probe=%s: expected its input unchanged, got it overwritten", probe);
}

enum red_status red_resident_write(struct red_resident *resident, size_t offset, const void *from,
                                   size_t bytes, struct red_error *error) {
    return red_cl_check(clEnqueueWriteBuffer(resident->device->queue, resident->buffers[0], CL_TRUE, offset,
                                             bytes, from, 0, NULL, NULL),
                        "clEnqueueWriteBuffer", error);
}
