/* Puts data sets on a device, and finds out after a call whether the kernel wrote to its input (device
 * checksum) or past its buffers (canary check). Either makes the cell `wrong`. worker/prepared.c makes the
 * residents of cases, for workers and `once`, and cl/case_check.c the one of its run 3. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cl/cl_private.h"
#include "cl/finish.h"
#include "model/catalogue.h"

/* ---- canary check ----------------------------------------------------------------------------------------
 * A pattern behind each buffer of a plan must hold after a call. */

/* The buffers that have a canary, behind used_bytes. Of these the first poisoned_bytes have no value before a
 * call, and the others are zeros then. */
struct guarded_buffer {
    cl_mem buffer;
    size_t used_bytes, poisoned_bytes;
};

enum { COUNTER_AT = RED_PLAN_OUTS_N, ANSWER_AT, GUARDED_N };

/* Lists the plan's buffers that a kernel may write to; .buffer is NULL where the plan has none. */
static void list_guarded_buffers(const struct red_plan *plan, struct guarded_buffer list[GUARDED_N]) {
    for (unsigned i = 0; i < RED_PLAN_OUTS_N; i++)
        list[i] = (struct guarded_buffer){
            plan->out[i], plan->out_bytes[i],
            red_strategy_groups_have_words(plan->strategy) ? RED_RESULT_BYTES : plan->out_bytes[i]};
    list[COUNTER_AT] = (struct guarded_buffer){plan->counter, plan->counter_bytes, 0};
    list[ANSWER_AT] = (struct guarded_buffer){plan->answer.buffer, plan->answer_bytes, plan->answer_bytes};
}

/* Reads what lies in front of the canary where groups have words: behind the result poison, of a polled plan
 * in its place, too, and then zeros. */
static enum red_status read_words(struct red_plan *plan, unsigned char poison, struct red_canaries *canaries,
                                  struct red_error *error) {
    const size_t result_bytes =
        plan->strategy->finish == RED_STRATEGY_POLLED ? 0 : plan->accumulator->size_bytes;
    uint32_t *words = malloc(plan->out_bytes[0]);
    if (words == NULL)
        return red_fail(error, RED_E_MEMORY, "no memory for the words of groups");
    const cl_int code = red_cl_read(plan->device->queue, plan->out[0], 0, words, plan->out_bytes[0]);
    for (size_t at = result_bytes; at < RED_RESULT_BYTES && code == CL_SUCCESS; at++)
        canaries->out_intact = canaries->out_intact && ((unsigned char *)words)[at] == poison;
    for (size_t i = RED_RESULT_BYTES / sizeof words[0];
         i < plan->out_bytes[0] / sizeof words[0] && code == CL_SUCCESS && canaries->counter == 0; i++)
        canaries->counter = words[i];
    free(words);
    return red_cl_check(code, "reading the words of groups", error);
}

enum red_status red_plan_read_canaries(struct red_plan *plan, unsigned char poison,
                                       struct red_canaries *canaries, struct red_error *error) {
    struct guarded_buffer list[GUARDED_N];
    cl_command_queue queue = plan->device->queue;
    list_guarded_buffers(plan, list);
    red_mailbox_end_launch(&plan->mailbox);
    *canaries = (struct red_canaries){.out_intact = true, .counter_intact = true};
    for (unsigned i = 0; i < GUARDED_N; i++) {
        unsigned char canary[RED_CANARY_BYTES];
        if (list[i].buffer == NULL)
            continue;
        cl_int code = red_cl_read(queue, list[i].buffer, list[i].used_bytes, canary, sizeof canary);
        if (code != CL_SUCCESS)
            return red_cl_check(code, "reading a canary", error);
        bool *intact = i == COUNTER_AT ? &canaries->counter_intact : &canaries->out_intact;
        for (size_t at = 0; at < sizeof canary; at++)
            *intact = *intact && canary[at] == poison;
    }
    canaries->counter = 0;
    if (red_strategy_groups_have_words(plan->strategy))
        return read_words(plan, poison, canaries, error);
    return plan->has_state ? RED_OK
                           : red_cl_check(red_cl_read(queue, plan->counter, 0, &canaries->counter,
                                                      sizeof canaries->counter),
                                          "reading the counter", error);
}

/* Asked to fill more than 4 GiB, NVIDIA's driver 580 says that it did and leaves the end as it was; asked
 * piece by piece, it loses the context. Other drivers of NVIDIA's hang or fail from 2 GiB on (pyopencl, issue
 * 395). */
enum { FILL_BYTES_MAX = 1 << 30 };

/* Fills a buffer of red_plan_poison's plan from `begin` to before `end`: the first bytes by the driver's
 * command, the others as copies of them. */
static cl_int fill_with_poison(const struct red_plan *plan, cl_mem buffer, size_t begin, size_t end) {
    cl_command_queue queue = plan->device->queue;
    const size_t filled = end - begin < FILL_BYTES_MAX ? end - begin : FILL_BYTES_MAX;
    cl_int code = clEnqueueFillBuffer(queue, buffer, &plan->poison, 1, begin, filled, 0, NULL, NULL);
    for (size_t at = begin + filled; at < end && code == CL_SUCCESS; at += filled)
        code = clEnqueueCopyBuffer(queue, buffer, buffer, begin, at, end - at < filled ? end - at : filled, 0,
                                   NULL, NULL);
    return code;
}

/* Before a call: what a faulty one left in a counter is that call's fault alone. A scan or a histogram keeps
 * its state. */
static cl_int poison_buffer(const struct red_plan *plan, const struct guarded_buffer *guarded) {
    static const cl_uint zero = 0;
    const size_t poisoned = guarded->poisoned_bytes, used = guarded->used_bytes;
    cl_int code =
        fill_with_poison(plan, guarded->buffer, poisoned == used ? 0 : used, used + RED_CANARY_BYTES);
    if (code == CL_SUCCESS && poisoned > 0 && poisoned < used)
        code = fill_with_poison(plan, guarded->buffer, 0, poisoned);
    if (code == CL_SUCCESS && poisoned < used &&
        (!plan->has_state || red_strategy_groups_have_words(plan->strategy)))
        code = clEnqueueFillBuffer(plan->device->queue, guarded->buffer, &zero, sizeof zero, poisoned,
                                   used - poisoned, 0, NULL, NULL);
    return code;
}

enum red_status red_plan_poison(struct red_plan *plan, unsigned char poison, struct red_error *error) {
    struct guarded_buffer list[GUARDED_N];
    cl_int code = red_plan_unmap(plan); /* what is mapped may not be filled */
    list_guarded_buffers(plan, list);
    red_mailbox_end_launch(&plan->mailbox);
    plan->poison = poison;
    for (unsigned i = 0; i < GUARDED_N && code == CL_SUCCESS; i++) {
        if (list[i].buffer != NULL)
            code = poison_buffer(plan, &list[i]);
    }
    code = red_cl_wait(plan->device->queue, code);
    if (code != CL_SUCCESS)
        return red_cl_check(code, "clEnqueueFillBuffer", error);
    /* Otherwise a kernel would be called wrong for what the driver did not fill. */
    struct red_canaries canaries;
    enum red_status status = red_plan_read_canaries(plan, poison, &canaries, error);
    if (status == RED_OK && !(canaries.out_intact && canaries.counter_intact && canaries.counter == 0))
        status =
            red_fail(error, RED_E_DEVICE,
                     "the driver of %s does not fill buffers: other bytes than clEnqueueFillBuffer's and "
                     "the counter's zero were read back before the run",
                     plan->device->info.id);
    return status;
}

/* ---- device checksum ----------------------------------------------------------------------------------- */

enum { GROUPS_MAX = 4096 };

/* Builds the kernel of the device checksum, and its buffer; false if this device cannot have one. On a CPU a
 * group is one worker's loop; elsewhere many items hide the memory's latency. */
static bool checksum_prepare(struct red_device *device) {
    struct red_checksum *checksum = &device->checksum;
    const struct red_geometry_limits *shape = &device->info.shape;
    char text[4096];
    cl_int code;
    size_t group_size = shape->is_cpu ? 1 : 256, groups_n = shape->compute_units * (shape->is_cpu ? 1u : 16u);
    checksum->group_size = group_size < shape->group_size_max ? group_size : shape->group_size_max;
    checksum->groups_n = groups_n < GROUPS_MAX ? groups_n : GROUPS_MAX;
    snprintf(text, sizeof text, "#define DIGEST_GROUP_SIZE %zu\n%s", checksum->group_size,
             red_embedded_find("digest.cl")->text);
    enum red_status status =
        red_kernel_make(device, "digest.cl", text, RED_CL12, "digest", &checksum->kernel, NULL);
    if (status != RED_OK)
        return false;
    checksum->sums = clCreateBuffer(device->context, CL_MEM_READ_WRITE, checksum->groups_n * sizeof(cl_ulong),
                                    NULL, &code);
    return code == CL_SUCCESS;
}

/* Launches the checksum over a buffer, of which the first word is word `first` of the data set. */
static cl_int checksum_enqueue(struct red_device *device, cl_mem buffer, cl_ulong words_n, cl_ulong first) {
    const struct red_checksum *checksum = &device->checksum;
    const cl_ulong vectors_n = words_n / 8; /* an array is of whole pages */
    const struct red_cl_argument arguments[] = {{sizeof buffer, &buffer},
                                                {sizeof vectors_n, &vectors_n},
                                                {sizeof first, &first},
                                                {sizeof checksum->sums, &checksum->sums}};
    return red_cl_launch_with(device->queue, checksum->kernel, arguments, 4, checksum->groups_n,
                              checksum->group_size, NULL);
}

/* Adds the checksum of a buffer to *sum, without reading it back: over the bus of a GPU that takes a thousand
 * times as long. False if the device cannot tell. */
static bool checksum_add(struct red_device *device, cl_mem buffer, cl_ulong words_n, cl_ulong first,
                         uint64_t *sum) {
    struct red_checksum *checksum = &device->checksum;
    cl_ulong sums[GROUPS_MAX];
    if (checksum->kernel == NULL && !checksum->failed)
        checksum->failed = !checksum_prepare(device);
    if (checksum->failed || checksum_enqueue(device, buffer, words_n, first) != CL_SUCCESS ||
        red_cl_read(device->queue, checksum->sums, 0, sums, checksum->groups_n * sizeof sums[0]) !=
            CL_SUCCESS)
        return false;
    for (size_t i = 0; i < checksum->groups_n; i++)
        *sum += sums[i];
    return true;
}

/* Finds what red_input_compute_checksum would say of the arrays in `buffers`. */
static bool checksum_find(struct red_device *device, const struct red_input *input, const cl_mem *buffers,
                          uint64_t *sum) {
    const cl_ulong words_n = input->array_bytes / sizeof(cl_ulong);
    bool is_found = true;
    *sum = 0;
    for (unsigned array = 0; array < input->arrays_n && is_found; array++)
        is_found = checksum_add(device, buffers[array], words_n, array * words_n, sum);
    return is_found;
}

bool red_plan_find_checksum(const struct red_plan *plan, size_t bytes, uint64_t *sum) {
    *sum = 0;
    return checksum_add(plan->device, plan->out[0], bytes / sizeof(cl_ulong), 0, sum);
}

void red_checksum_clear(struct red_checksum *checksum) {
    red_cl_release_kernel(checksum->kernel);
    red_cl_release_buffers(&checksum->sums, 1);
    *checksum = (struct red_checksum){.failed = false};
}

/* ---- data sets on the device --------------------------------------------------------------------------- */

/* The largest n of this type and operation that fits into the device's memory and largest allocation: named
 * where a data set does not fit. */
static uint64_t n_max_find(const struct red_device_info *info, const struct red_dtype *dtype,
                           const struct red_op *op) {
    /* An eighth is left for partial results and the driver's own needs. */
    uint64_t room = info->global_memory_bytes / 8 * 7 / op->arrays;
    uint64_t bytes = room < info->allocation_bytes_max ? room : info->allocation_bytes_max;
    return bytes < 8192 ? 0 : (bytes - 8192) / dtype->size_bytes;
}

/* Makes the device's buffer of an array, and copies the elements where the host's memory is another. */
static enum red_status buffer_create(struct red_resident *resident, unsigned array, struct red_error *error) {
    struct red_device *device = resident->device;
    const struct red_input *input = resident->input;
    cl_mem_flags flags = resident->on_host ? CL_MEM_READ_ONLY | CL_MEM_USE_HOST_PTR : CL_MEM_READ_ONLY;
    cl_int code;
    resident->buffers[array] = clCreateBuffer(device->context, flags, input->array_bytes,
                                              resident->on_host ? input->arrays[array] : NULL, &code);
    enum red_status status = red_cl_check(code, "clCreateBuffer", error);
    if (status == RED_OK && !resident->on_host)
        status = red_cl_check(red_cl_write(device->queue, resident->buffers[array], 0, input->arrays[array],
                                           input->array_bytes),
                              "clEnqueueWriteBuffer", error);
    /* Each size may fit alone, and not beside the others that are there. */
    return status == RED_E_MEMORY
               ? red_fail(error, RED_E_UNSUPPORTED,
                          "no room on %s for %" PRIu64
                          " elements of %s beside the other data; choose fewer sizes at a time",
                          device->info.id, input->n, input->dtype->name)
               : status;
}

/* Whether the device's own checksum of the arrays is the expected one. False: they were overwritten, or the
 * device cannot tell. */
static bool device_confirms_intact(struct red_resident *resident) {
    uint64_t checksum;
    return checksum_find(resident->device, resident->input, resident->buffers, &checksum) &&
           checksum == resident->input->checksum;
}

enum red_status red_resident_create(struct red_device *device, const struct red_input *input,
                                    struct red_resident **resident, struct red_error *error) {
    const bool has_arrays = input->making != RED_MADE_IN_KERNEL;
    uint64_t n_max = n_max_find(&device->info, input->dtype, input->op);
    if (has_arrays && input->n > n_max)
        return red_fail(error, RED_E_UNSUPPORTED,
                        "%" PRIu64 " elements of %s do not fit on %s; the largest possible n is %" PRIu64,
                        input->n, input->dtype->name, device->info.id, n_max);
    struct red_resident *made = calloc(1, sizeof *made);
    if (made == NULL)
        return red_fail(error, RED_E_MEMORY, "no memory for a data set");
    *made = (struct red_resident){.device = device, .input = input, .on_host = device->info.shape.is_cpu};
    enum red_status status = RED_OK;
    for (unsigned array = 0; has_arrays && array < input->arrays_n && status == RED_OK; array++)
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
    clFinish(resident->device->queue); /* what uses host memory must have ended before the caller frees it */
    red_cl_release_buffers(resident->buffers, 2);
    red_cl_release_buffers(resident->changed, 2);
    free(resident);
}

/* Maps the device's arrays into host memory; *seen is the input with the mapped arrays. Mapping makes the
 * host's view of a used pointer defined (OpenCL 3.0 API, section 5.2.3); elsewhere it copies. On an error
 * nothing stays mapped. */
static enum red_status map_arrays(struct red_resident *resident, cl_map_flags flags, struct red_input *seen,
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

/* Unmaps them, and waits until the device has them again. */
static enum red_status unmap_arrays(struct red_resident *resident, const struct red_input *seen,
                                    struct red_error *error) {
    cl_command_queue queue = resident->device->queue;
    cl_int code = CL_SUCCESS;
    for (unsigned array = 0; array < seen->arrays_n && code == CL_SUCCESS; array++)
        code = clEnqueueUnmapMemObject(queue, resident->buffers[array], seen->arrays[array], 0, NULL, NULL);
    return red_cl_check(red_cl_wait(queue, code), "clEnqueueUnmapMemObject", error);
}

/* Sets *intact: whether no kernel wrote to the data set. A device checksum that equals the expected one is
 * trusted: the device was never told that one. Any other is checked on the host; a device that is wrong about
 * good data is not asked again. */
static enum red_status find_whether_intact(struct red_resident *resident, bool *intact,
                                           struct red_error *error) {
    struct red_input seen;
    *intact = resident->device_checksum_is_trusted != RED_NO && device_confirms_intact(resident);
    if (*intact) {
        resident->device_checksum_is_trusted = RED_YES;
        return RED_OK;
    }
    enum red_status status = map_arrays(resident, CL_MAP_READ, &seen, error);
    if (status != RED_OK)
        return status;
    *intact = red_input_compute_checksum(&seen) == seen.checksum;
    if (*intact)
        resident->device_checksum_is_trusted = RED_NO;
    return unmap_arrays(resident, &seen, error);
}

/* Writes the data on the device anew, after a kernel has overwritten it. Where the device shares the host's
 * pages, the mapped arrays are the host's own. */
static enum red_status restore_arrays(struct red_resident *resident, struct red_error *error) {
    struct red_input seen;
    enum red_status status = map_arrays(resident, CL_MAP_WRITE, &seen, error);
    if (status != RED_OK)
        return status;
    red_input_fill(&seen);
    return unmap_arrays(resident, &seen, error);
}

/* Called after each call of verify's (cl/case_check.c), of `once`, and of the question `time`. */
enum red_status red_resident_check_and_restore(struct red_resident *resident, struct red_error *error) {
    const struct red_input *input = resident->input;
    bool intact = false;
    if (input->making == RED_MADE_IN_KERNEL)
        return RED_OK;
    enum red_status status = find_whether_intact(resident, &intact, error);
    if (status != RED_OK || intact)
        return status;
    status = restore_arrays(resident, error);
    if (status == RED_OK)
        status = find_whether_intact(resident, &intact, error);
    if (status != RED_OK)
        return status;
    if (!intact)
        return red_fail(error, RED_E_DEVICE, "%s does not keep what is written to its buffers",
                        resident->device->info.id);
    char data_kind[32];
    red_data_kind_format(input->data_kind, input->op, input->dtype, red_input_whole_n(input), data_kind,
                         sizeof data_kind);
    return red_fail(error, RED_E_WRONG, "data=%s: expected its input unchanged, got it overwritten",
                    data_kind);
}

/* The element that worker/prepared.c changes before a batch, and changes back behind it. */
enum red_status red_resident_write(struct red_resident *resident, size_t offset_bytes, const void *from,
                                   size_t bytes, struct red_error *error) {
    return red_cl_check(
        red_cl_write(resident->device->queue, resident->buffers[0], offset_bytes, from, bytes),
        "clEnqueueWriteBuffer", error);
}
