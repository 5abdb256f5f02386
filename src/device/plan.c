#include "device/finish.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "oracle/reference.h"

/* ---- making ----------------------------------------------------------------------------------------------
 */

enum red_status red_plan_buffer(struct red_plan *plan, unsigned which, uint64_t values_n,
                                struct red_error *error) {
    size_t bytes = (size_t)values_n * plan->accumulator->size_bytes;
    cl_int code;
    plan->out[which] =
        clCreateBuffer(plan->device->context, CL_MEM_READ_WRITE, bytes + RED_CANARY_BYTES, NULL, &code);
    plan->out_bytes[which] = bytes;
    return red_cl_check(code, "clCreateBuffer for partial results", error);
}

#define SIGNATURE                                                                                            \
    "RED_KERNEL reduce(RED_INPUT, const ulong n, global RED_A *restrict out, global uint *restrict counter)"

/* One argument, with what the contract says of it. A driver that refuses its size or kind has found a kernel
 * with another signature. */
struct argument {
    size_t bytes;
    const void *value;
    const char *contract;
};

static enum red_status argument_set(const struct red_plan *plan, cl_kernel kernel, cl_uint i,
                                    const struct argument *argument, struct red_error *error) {
    cl_int code = clSetKernelArg(kernel, i, argument->bytes, argument->value);
    if (code == CL_INVALID_ARG_SIZE || code == CL_INVALID_ARG_VALUE || code == CL_INVALID_ARG_INDEX)
        return red_fail(error, RED_E_BUILD,
                        "%s: parameter %u of the kernel is not `%s` (%s); the contract is " SIGNATURE,
                        plan->strategy->path, i + 1, argument->contract, red_cl_error_name(code));
    return red_cl_check(code, "clSetKernelArg", error);
}

/* The kernel has `arrays` inputs, n, out and counter. */
static enum red_status arguments_set(const struct red_plan *plan, cl_kernel kernel, const cl_mem *inputs,
                                     cl_uint arrays_n, uint64_t n, cl_mem out, struct red_error *error) {
    const cl_ulong n_argument = n;
    const struct argument arguments[] = {
        {sizeof inputs[0], &inputs[0], "global const RED_T *restrict x"},
        {sizeof inputs[1], &inputs[1], "global const RED_T *restrict y"},
        {sizeof n_argument, &n_argument, "const ulong n"},
        {sizeof out, &out, "global RED_A *restrict out"},
        {sizeof plan->counter, &plan->counter, "global uint *restrict counter"},
    };
    cl_uint arguments_n = 0;
    cl_int code = clGetKernelInfo(kernel, CL_KERNEL_NUM_ARGS, sizeof arguments_n, &arguments_n, NULL);
    if (code == CL_SUCCESS && arguments_n != arrays_n + 3)
        return red_fail(error, RED_E_BUILD, "%s: the kernel has %u parameters; the contract is " SIGNATURE,
                        plan->strategy->path, arguments_n);
    enum red_status status = RED_OK;
    for (cl_uint i = 0; i < arrays_n + 3 && status == RED_OK; i++)
        status = argument_set(plan, kernel, i, &arguments[i < arrays_n ? i : i + 2 - arrays_n], error);
    return status;
}

/* A driver may allow this kernel less than the device's limits. Where the kernel names its group size
 * (reqd_work_group_size), the general answer is too low on NVIDIA's driver (256 where 1024 run): then the
 * launch decides. */
static enum red_status limits_check(const struct red_plan *plan, cl_kernel kernel, struct red_error *error) {
    cl_device_id device = plan->device->cl_device;
    size_t group_size_max = 0, named[3] = {0};
    cl_ulong local_bytes = 0;
    (void)clGetKernelWorkGroupInfo(kernel, device, CL_KERNEL_COMPILE_WORK_GROUP_SIZE, sizeof named, named,
                                   NULL);
    cl_int code = clGetKernelWorkGroupInfo(kernel, device, CL_KERNEL_WORK_GROUP_SIZE, sizeof group_size_max,
                                           &group_size_max, NULL);
    if (code == CL_SUCCESS && named[0] != plan->geometry.group_size &&
        plan->geometry.group_size > group_size_max)
        return red_fail(error, RED_E_UNSUPPORTED, "group size %zu is over this kernel's limit of %zu",
                        plan->geometry.group_size, group_size_max);
    code = clGetKernelWorkGroupInfo(kernel, device, CL_KERNEL_LOCAL_MEM_SIZE, sizeof local_bytes,
                                    &local_bytes, NULL);
    if (code == CL_SUCCESS && local_bytes > plan->device->info.local_memory_bytes)
        return red_fail(error, RED_E_UNSUPPORTED,
                        "group size %zu needs %llu bytes of local memory; there are %llu",
                        plan->geometry.group_size, (unsigned long long)local_bytes,
                        (unsigned long long)plan->device->info.local_memory_bytes);
    return RED_OK;
}

enum red_status red_plan_launch(struct red_plan *plan, bool over_partials, const cl_mem *inputs, uint64_t n,
                                uint64_t groups_n, cl_mem out, struct red_error *error) {
    if (plan->launches_n == RED_LAUNCHES_MAX)
        return red_fail(error, RED_E_UNSUPPORTED, "more than %d passes", RED_LAUNCHES_MAX);
    struct red_launch *launch = &plan->launches[plan->launches_n];
    const struct red_variant variant = {.strategy = plan->strategy,
                                        .dtype = plan->dtype,
                                        .op = plan->op,
                                        .group_size = plan->geometry.group_size,
                                        .over_partials = over_partials,
                                        .poison_local = plan->poison_local};
    char *text = NULL;
    enum red_status status = red_source_text(&variant, &text, error);
    if (status == RED_OK)
        status = red_program_kernel(plan->device, plan->strategy->path, text, plan->standard, "reduce",
                                    &launch->kernel, error);
    free(text);
    if (status != RED_OK)
        return status;
    plan->launches_n++;
    launch->global = (size_t)groups_n * plan->geometry.group_size;
    status = limits_check(plan, launch->kernel, error);
    if (status == RED_OK)
        status =
            arguments_set(plan, launch->kernel, inputs, over_partials ? 1 : plan->op->arrays, n, out, error);
    return status;
}

/* The small things every plan has: a zero counter, the accumulator's first value, room for what is read back.
 * The counter is not set again: a kernel that uses it leaves it at zero, as it found it, so that no run pays
 * for a reset. */
static enum red_status plan_fill(struct red_plan *plan, struct red_error *error) {
    static const char zeros[sizeof(cl_uint) + RED_CANARY_BYTES] = {0};
    cl_int code;
    plan->counter = clCreateBuffer(plan->device->context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                                   sizeof zeros, (void *)(uintptr_t)zeros, &code);
    enum red_status status = red_cl_check(code, "clCreateBuffer for the counter", error);
    if (status != RED_OK)
        return status;
    red_reference_start(plan->op, plan->dtype, plan->identity);
    status = red_finishes[plan->strategy->finish].prepare(plan, error);
    if (status != RED_OK)
        return status;
    plan->read_bytes = (size_t)plan->read_n * plan->accumulator->size_bytes;
    plan->read = malloc(plan->read_bytes);
    return plan->read ? RED_OK : red_fail(error, RED_E_MEMORY, "no memory for the partial results");
}

enum red_status red_plan_create(struct red_resident *resident, const struct red_plan_spec *spec,
                                struct red_plan **plan, struct red_error *error) {
    struct red_device *device = resident->device;
    if (spec->n > resident->input->n || spec->op->arrays != resident->input->op->arrays)
        return red_fail(error, RED_E_INPUT,
                        "the data set has %" PRIu64 " elements for %s, not %" PRIu64 " for %s",
                        resident->input->n, resident->input->op->name, spec->n, spec->op->name);
    struct red_plan *made = calloc(1, sizeof *made);
    if (made == NULL)
        return red_fail(error, RED_E_MEMORY, "no memory for a plan");
    *made = (struct red_plan){.device = device,
                              .strategy = spec->strategy,
                              .dtype = resident->input->dtype,
                              .op = spec->op,
                              .accumulator = red_op_accumulator(spec->op, resident->input->dtype),
                              .n = spec->n,
                              .poison_local = spec->poison_local};
    memcpy(made->inputs, resident->buffers, sizeof made->inputs);
    size_t group_size = spec->group_size;
    if (group_size == 0)
        group_size = red_geometry_default_group_size(spec->strategy, &device->info.shape);
    enum red_status status = red_strategy_admits(spec->strategy, made->dtype, spec->op, error);
    if (status == RED_OK)
        status = red_op_check_n(spec->op, made->dtype, spec->n, error);
    if (status == RED_OK)
        status = red_geometry_choose(spec->strategy, &device->info.shape, group_size, spec->n,
                                     &made->geometry, error);
    if (status == RED_OK)
        status = red_capability_decide(device, spec->strategy, made->dtype, spec->op, &made->standard, error);
    if (status == RED_OK)
        status = plan_fill(made, error);
    if (status != RED_OK) {
        red_plan_destroy(made);
        return status;
    }
    *plan = made;
    return RED_OK;
}

void red_plan_destroy(struct red_plan *plan) {
    if (plan == NULL)
        return;
    for (unsigned i = 0; i < plan->launches_n; i++)
        clReleaseKernel(plan->launches[i].kernel);
    for (unsigned i = 0; i < 2; i++)
        if (plan->out[i] != NULL)
            clReleaseMemObject(plan->out[i]);
    if (plan->counter != NULL)
        clReleaseMemObject(plan->counter);
    free(plan->read);
    free(plan);
}

const struct red_geometry *red_plan_geometry(const struct red_plan *plan) {
    return &plan->geometry;
}

const char *red_plan_standard(const struct red_plan *plan) {
    return red_c_standard_name(plan->standard);
}

/* ---- running ---------------------------------------------------------------------------------------------
 */

/* Enqueues the reset and every launch; `events` (one per launch) may be NULL. */
static enum red_status enqueue(struct red_plan *plan, cl_command_queue queue, cl_event *events,
                               struct red_error *error) {
    cl_int code = CL_SUCCESS;
    if (plan->resets_accumulator)
        code = clEnqueueWriteBuffer(queue, plan->out[0], CL_FALSE, 0, plan->accumulator->size_bytes,
                                    plan->identity, 0, NULL, NULL);
    if (code != CL_SUCCESS)
        return red_cl_check(code, "resetting the accumulator", error);
    for (unsigned i = 0; i < plan->launches_n && code == CL_SUCCESS; i++)
        code = clEnqueueNDRangeKernel(queue, plan->launches[i].kernel, 1, NULL, &plan->launches[i].global,
                                      &plan->geometry.group_size, 0, NULL, events ? &events[i] : NULL);
    return code == CL_SUCCESS ? RED_OK : red_cl_check_launch(code, plan->geometry.group_size, error);
}

/* Until the queue is empty the driver may still read from the plan and write to it: after an error nobody
 * else would wait. */
static enum red_status give_up(cl_command_queue queue, enum red_status status) {
    clFinish(queue);
    return status;
}

enum red_status red_plan_run(struct red_plan *plan, struct red_value *value, struct red_error *error) {
    cl_command_queue queue = plan->device->queue;
    enum red_status status = enqueue(plan, queue, NULL, error);
    if (status != RED_OK)
        return give_up(queue, status);
    cl_int code = clEnqueueReadBuffer(queue, plan->out[plan->result], CL_TRUE, 0, plan->read_bytes,
                                      plan->read, 0, NULL, NULL);
    if (code != CL_SUCCESS)
        return give_up(queue, red_cl_check(code, "the reduction", error));
    *value = red_reference_fold(plan->op, plan->dtype, plan->read, plan->read_n, plan->n);
    return RED_OK;
}

/* Adds END - START of one event. A driver whose clock is coarser than a short kernel gives END = START. */
static enum red_status event_time(cl_event event, double *device_s, struct red_error *error) {
    cl_int state = CL_COMPLETE;
    cl_ulong start = 0, end = 0;
    cl_int code = clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof state, &state, NULL);
    if (code == CL_SUCCESS && state < 0)
        return red_cl_check(state, "a profiled kernel", error);
    code = clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof start, &start, NULL);
    if (code == CL_SUCCESS)
        code = clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof end, &end, NULL);
    if (code != CL_SUCCESS)
        return red_fail(error, RED_E_UNSUPPORTED, "the driver has no event times: %s",
                        red_cl_error_name(code));
    if (end < start)
        return red_fail(error, RED_E_UNSUPPORTED, "event times untrusted: END is %llu ns before START",
                        (unsigned long long)(start - end));
    *device_s += 1e-9 * (double)(end - start);
    return RED_OK;
}

enum red_status red_plan_run_profiled(struct red_plan *plan, double *device_s, struct red_error *error) {
    cl_event events[RED_LAUNCHES_MAX] = {NULL};
    cl_command_queue queue = plan->device->profiling;
    enum red_status status = enqueue(plan, queue, events, error);
    cl_int finished = clFinish(queue);
    if (status == RED_OK)
        status = red_cl_check(finished, "the profiled reduction", error);
    *device_s = 0;
    for (unsigned i = 0; i < plan->launches_n && status == RED_OK; i++)
        status = event_time(events[i], device_s, error);
    if (status == RED_OK && *device_s <= 0)
        status =
            red_fail(error, RED_E_UNSUPPORTED,
                     "event times untrusted: START and END are equal (the event clock's step is %llu ns)",
                     (unsigned long long)plan->device->info.event_clock_ns);
    for (unsigned i = 0; i < plan->launches_n; i++)
        if (events[i] != NULL)
            clReleaseEvent(events[i]);
    return status;
}

enum red_status red_plan_run_bare(struct red_plan *plan, struct red_error *error) {
    cl_command_queue queue = plan->device->queue;
    const struct red_launch *launch = &plan->launches[0];
    cl_int code = clEnqueueNDRangeKernel(queue, launch->kernel, 1, NULL, &launch->global,
                                         &plan->geometry.group_size, 0, NULL, NULL);
    if (code == CL_SUCCESS)
        code =
            clEnqueueReadBuffer(queue, plan->out[0], CL_TRUE, 0, plan->read_bytes, plan->read, 0, NULL, NULL);
    return code == CL_SUCCESS ? RED_OK : give_up(queue, red_cl_check(code, "the bare loop", error));
}
