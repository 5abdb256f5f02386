#include "cl/finish.h"

static uint64_t ceil_div(uint64_t a, uint64_t b) {
    return a / b + (a % b != 0);
}

/* ---- enqueueing, fetching, leaving: what several finishes share ---- */

static cl_int launch_enqueue(const struct red_plan *plan, unsigned i, cl_command_queue queue,
                             cl_event *event) {
    return clEnqueueNDRangeKernel(queue, plan->launches[i].kernel, 1, NULL, &plan->launches[i].global,
                                  &plan->geometry.group_size, 0, NULL, event);
}

static cl_int launches_enqueue(struct red_plan *plan, cl_command_queue queue, cl_event *events,
                               unsigned *events_n) {
    cl_int code = CL_SUCCESS;
    for (unsigned i = 0; i < plan->launches_n && code == CL_SUCCESS; i++) {
        code = launch_enqueue(plan, i, queue, events ? &events[i] : NULL);
        *events_n += events != NULL && code == CL_SUCCESS;
    }
    return code;
}

static cl_int read_fetch(struct red_plan *plan, cl_command_queue queue) {
    plan->read = plan->room;
    return clEnqueueReadBuffer(queue, plan->out[plan->result], CL_TRUE, 0, plan->read_bytes, plan->read, 0,
                               NULL, NULL);
}

static cl_int nothing_leave(struct red_plan *plan, cl_command_queue queue) {
    (void)plan, (void)queue;
    return CL_SUCCESS;
}

/* One launch whose groups leave a value each. */
static enum red_status partials_prepare(struct red_plan *plan, uint64_t read_n, struct red_error *error) {
    plan->read_n = read_n;
    enum red_status status = RED_OK;
    if (plan->out[0] == NULL)
        status = red_plan_buffer(plan, 0, plan->geometry.groups_n, error);
    return status != RED_OK
               ? status
               : red_plan_launch(plan, 0, plan->inputs, plan->n, plan->geometry.groups_n, 0, error);
}

/* ---- host, passes, two_kernels ---- */

/* The answers of many segments are mapped, not copied: they stay where they are on a CPU, and come over the
 * bus of a GPU into memory that is made for it. They are read until the next run. */
static cl_int host_fetch(struct red_plan *plan, cl_command_queue queue) {
    cl_int code;
    if (plan->answers.n == 0)
        return read_fetch(plan, queue);
    plan->read = plan->mapped = clEnqueueMapBuffer(queue, plan->out[0], CL_TRUE, CL_MAP_READ, 0,
                                                   plan->read_bytes, 0, NULL, NULL, &code);
    return code;
}

static cl_int host_enqueue(struct red_plan *plan, cl_command_queue queue, cl_event *events,
                           unsigned *events_n) {
    cl_int code = red_plan_unmap(plan);
    return code == CL_SUCCESS ? launches_enqueue(plan, queue, events, events_n) : code;
}

/* Of segments every partial result is one. */
static enum red_status host_prepare(struct red_plan *plan, struct red_error *error) {
    if (!red_strategy_is_segmented(plan->strategy))
        return partials_prepare(plan, plan->geometry.groups_n, error);
    enum red_status status = red_answers_make(plan->op, plan->dtype, plan->segments_n, &plan->answers, error);
    if (status == RED_OK)
        status = red_plan_buffer(plan, 0, plan->segments_n, error);
    return status != RED_OK ? status : partials_prepare(plan, plan->segments_n, error);
}

/* Each pass reads what the last one wrote and leaves one value per group; two buffers take turns, so the
 * input is never touched. */
static enum red_status passes_prepare(struct red_plan *plan, struct red_error *error) {
    uint64_t left = plan->geometry.groups_n, taken_n = plan->geometry.group_size * plan->geometry.lanes;
    enum red_status status = red_plan_buffer(plan, 0, left, error);
    if (status == RED_OK && left > 1)
        status = red_plan_buffer(plan, 1, ceil_div(left, taken_n), error);
    if (status == RED_OK)
        status = red_plan_launch(plan, 0, plan->inputs, plan->n, left, 0, error);
    while (status == RED_OK && left > 1) {
        uint64_t groups_n = ceil_div(left, taken_n);
        status = red_plan_launch(plan, 1, &plan->out[plan->result], left, groups_n, 1 - plan->result, error);
        plan->result = 1 - plan->result;
        left = groups_n;
    }
    plan->read_n = 1;
    return status;
}

/* Intel's CPU runtime 2026.2 corrupts its memory with pipes of a few packets. */
enum { PIPE_SLACK = 1024 };

/* Partial results that travel through a pipe have no buffer; each is a packet. */
static enum red_status pipe_create(struct red_plan *plan, struct red_error *error) {
    cl_int code;
    plan->pipe =
        plan->device->newer.create_pipe(plan->device->context, 0, (cl_uint)plan->accumulator->size_bytes,
                                        (cl_uint)plan->geometry.groups_n + PIPE_SLACK, NULL, &code);
    return red_cl_check(code, "clCreatePipe", error);
}

/* The second launch is of one group, over the partial results of the first. */
static enum red_status two_kernels_prepare(struct red_plan *plan, struct red_error *error) {
    uint64_t groups_n = plan->geometry.groups_n;
    enum red_status status = red_plan_buffer(plan, 0, groups_n, error);
    if (status == RED_OK)
        status = red_plan_buffer(plan, 1, 1, error);
    if (status == RED_OK && (plan->strategy->needs & RED_NEED_PIPES))
        status = pipe_create(plan, error);
    if (status == RED_OK)
        status = red_plan_launch(plan, 0, plan->inputs, plan->n, groups_n, 0, error);
    if (status == RED_OK)
        status = red_plan_launch(plan, 1, &plan->out[0], groups_n, 1, 1, error);
    plan->result = 1;
    plan->read_n = 1;
    return status;
}

/* Twice over the elements, as what the first time was found is needed the second; then one group brings
 * together what was left. A group may leave as much as four values of 32 bits, or two of 64. */
static enum red_status sweeps_prepare(struct red_plan *plan, struct red_error *error) {
    uint64_t groups_n = plan->geometry.groups_n;
    enum red_status status = red_plan_buffer(plan, 0, 16 / plan->accumulator->size_bytes * groups_n, error);
    for (unsigned pass = 0; pass < 3 && status == RED_OK; pass++)
        status = red_plan_launch(plan, pass, plan->inputs, plan->n, pass < 2 ? groups_n : 1, 0, error);
    plan->read_n = 1;
    return status;
}

/* ---- atomic, last_group, device_enqueue ---- */

/* One accumulator, set to the identity before every run. */
static enum red_status atomic_prepare(struct red_plan *plan, struct red_error *error) {
    enum red_status status = red_plan_buffer(plan, 0, 1, error);
    plan->resets_accumulator = true;
    return status != RED_OK ? status : partials_prepare(plan, 1, error);
}

/* The kernel leaves a value per group and brings them together in the first. */
static enum red_status last_group_prepare(struct red_plan *plan, struct red_error *error) {
    return partials_prepare(plan, 1, error);
}

static enum red_status device_enqueue_prepare(struct red_plan *plan, struct red_error *error) {
    enum red_status status = red_newer_device_queue(plan->device, error);
    return status != RED_OK ? status : partials_prepare(plan, 1, error);
}

/* ---- svm, polled ---- */

/* out[0] for a value of each group, in memory of that kind. */
static enum red_status shared_create(struct red_plan *plan, enum red_shared_kind kind,
                                     struct red_error *error) {
    size_t bytes = (size_t)plan->geometry.groups_n * plan->accumulator->size_bytes;
    cl_int code = red_shared_create(plan->device, kind, bytes + RED_CANARY_BYTES, &plan->shared);
    plan->out[0] = plan->shared.buffer;
    plan->out_bytes[0] = bytes;
    return red_cl_check(code, "making memory for partial results that the host sees", error);
}

static enum red_status svm_prepare(struct red_plan *plan, struct red_error *error) {
    enum red_status status = shared_create(plan, RED_SHARED_SVM, error);
    return status == RED_OK ? partials_prepare(plan, plan->geometry.groups_n, error) : status;
}

static cl_int svm_fetch(struct red_plan *plan, cl_command_queue queue) {
    plan->read = plan->shared.memory;
    return plan->shared.is_coarse
               ? plan->device->newer.enqueue_svm_map(queue, CL_TRUE, CL_MAP_READ, plan->shared.memory,
                                                     plan->read_bytes, 0, NULL, NULL)
               : clFinish(queue);
}

static cl_int svm_leave(struct red_plan *plan, cl_command_queue queue) {
    return plan->shared.is_coarse
               ? plan->device->newer.enqueue_svm_unmap(queue, plan->shared.memory, 0, NULL, NULL)
               : CL_SUCCESS;
}

/* Of a strategy whose host looks into memory while a kernel runs. */
static enum red_shared_kind seen_by_host(const struct red_plan *plan) {
    return plan->strategy->needs & RED_NEED_SVM_POLLED ? RED_SHARED_SVM_ATOMIC : RED_SHARED_HOST;
}

static enum red_status answer_create(struct red_plan *plan, size_t bytes, struct red_error *error) {
    plan->answer_bytes = bytes;
    return red_cl_check(
        red_shared_create(plan->device, seen_by_host(plan), bytes + RED_CANARY_BYTES, &plan->answer),
        "making memory for the answer that the host sees", error);
}

/* Partial results stay in the device's memory, where the last group reads them fast. */
static enum red_status polled_prepare(struct red_plan *plan, struct red_error *error) {
    enum red_status status = answer_create(plan, RED_ANSWER_WORDS * sizeof(cl_uint), error);
    return status == RED_OK ? partials_prepare(plan, 1, error) : status;
}

static uint32_t *flag_of(const struct red_plan *plan) {
    return (uint32_t *)plan->answer.memory + RED_ANSWER_FLAG;
}

/* Whoever waits in another way leaves the flag up; back to back nobody looks at it. */
static cl_int polled_enqueue(struct red_plan *plan, cl_command_queue queue, cl_event *events,
                             unsigned *events_n) {
    *(volatile uint32_t *)flag_of(plan) = 0;
    return launches_enqueue(plan, queue, events, events_n);
}

static cl_int polled_fetch(struct red_plan *plan, cl_command_queue queue) {
    plan->read = plan->answer.memory;
    return red_shared_await(plan->device, queue, flag_of(plan));
}

/* ---- persistent: one launch, many calls ---- */

static enum red_status mailbox_create(struct red_plan *plan, struct red_error *error) {
    enum red_status status = answer_create(plan, sizeof(struct red_mailbox), error);
    plan->mailbox = (struct red_mailbox_host){.mailbox = plan->answer.memory, .patience = 1};
    return status;
}

/* Lets the launches read what the question has addresses of, if it has. */
static enum red_status addresses_allow(struct red_plan *plan, struct red_error *error) {
    const cl_bool yes = CL_TRUE;
    const struct red_newer *newer = &plan->device->newer;
    cl_int code = newer->set_kernel_exec_info == NULL ? CL_INVALID_OPERATION : CL_SUCCESS;
    if (!(plan->strategy->needs & RED_NEED_SVM_SYSTEM))
        return RED_OK;
    if (!plan->device->info.shape.is_cpu)
        return red_fail(error, RED_E_UNSUPPORTED,
                        "the array lies in the device's own memory, where the host has no address for it");
    for (unsigned i = 0; i < plan->launches_n && code == CL_SUCCESS; i++)
        code = newer->set_kernel_exec_info(plan->launches[i].kernel,
                                           CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM, sizeof yes, &yes);
    return code == CL_SUCCESS
               ? RED_OK
               : red_fail(error, RED_E_UNSUPPORTED,
                          "no clSetKernelExecInfo with CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM");
}

static enum red_status persistent_prepare(struct red_plan *plan, struct red_error *error) {
    enum red_status status = mailbox_create(plan, error);
    if (status == RED_OK)
        status = partials_prepare(plan, 1, error);
    return status == RED_OK ? addresses_allow(plan, error) : status;
}

/* The launch that waits. */
static cl_int persistent_launch(struct red_plan *plan, cl_command_queue queue) {
    if (plan->mailbox.launched != NULL)
        clReleaseEvent(plan->mailbox.launched);
    plan->mailbox.launched = NULL;
    red_mailbox_prepare(&plan->mailbox);
    cl_int code = launch_enqueue(plan, 0, queue, &plan->mailbox.launched);
    if (code == CL_SUCCESS)
        code = clFlush(queue);
    red_mailbox_launched(&plan->mailbox);
    return code;
}

static cl_int persistent_enqueue(struct red_plan *plan, cl_command_queue queue, cl_event *events,
                                 unsigned *events_n) {
    (void)events, (void)events_n;
    red_mailbox_ask(&plan->mailbox, plan->arrays, plan->n, 1);
    return red_mailbox_waits(&plan->mailbox) ? CL_SUCCESS : persistent_launch(plan, queue);
}

/* Has the answer of the launch that waits. One that has just been launched finds the question: it does not go
 * without an answer. */
static cl_int persistent_await(struct red_plan *plan, cl_command_queue queue) {
    bool left = false;
    cl_int code = red_mailbox_await(&plan->mailbox, &left);
    if (code != CL_SUCCESS || !left)
        return code;
    code = persistent_launch(plan, queue);
    if (code == CL_SUCCESS)
        code = red_mailbox_await(&plan->mailbox, &left);
    return code == CL_SUCCESS && left ? CL_INVALID_OPERATION : code;
}

static cl_int persistent_fetch(struct red_plan *plan, cl_command_queue queue) {
    plan->read = plan->answer.memory;
    return persistent_await(plan, queue);
}

/* ---- joined: the launch that waits begins at once, and one of the call's own joins it ---- */

/* Pass 0 waits; pass 1, which the call makes, has a group for each of the other units. Two programs: PoCL 5
 * ends with a failed assertion where one runs in two queues at a time. */
static enum red_status joined_prepare(struct red_plan *plan, struct red_error *error) {
    const uint64_t units_n = plan->device->info.shape.compute_units;
    enum red_status status = shared_create(plan, seen_by_host(plan), error);
    if (status == RED_OK)
        status = mailbox_create(plan, error);
    if (status == RED_OK)
        status = red_plan_launch(plan, 0, plan->inputs, plan->n, 1, 0, error);
    if (status == RED_OK)
        status = red_plan_launch(plan, 1, plan->inputs, plan->n, units_n > 1 ? units_n - 1 : 1, 0, error);
    plan->read_n = plan->geometry.groups_n;
    return status == RED_OK ? addresses_allow(plan, error) : status;
}

/* The launch that waits has a queue for itself, as nothing overtakes on its own. One piece is not worth a
 * second launch. A launch that has not begun when the caller waits for the other may get the caller's thread,
 * and keep it until its patience ends. */
static cl_int joined_enqueue(struct red_plan *plan, cl_command_queue queue, cl_event *events,
                             unsigned *events_n) {
    const bool is_joined = plan->geometry.groups_n > 1;
    cl_int code = CL_SUCCESS;
    (void)events, (void)events_n;
    red_mailbox_ask(&plan->mailbox, plan->arrays, plan->n, (uint32_t)plan->geometry.groups_n);
    if (!red_mailbox_waits(&plan->mailbox)) {
        code = persistent_launch(plan, plan->device->profiling);
        if (code == CL_SUCCESS && is_joined)
            red_mailbox_await_begin(&plan->mailbox);
    }
    return code == CL_SUCCESS && is_joined ? launch_enqueue(plan, 1, queue, NULL) : code;
}

/* The call's own launch ends only when every piece is taken: if the one that waits left without having seen
 * the question, the other took them all. clFinish, and no spinning: a driver may let the caller's thread
 * work. */
static cl_int joined_fetch(struct red_plan *plan, cl_command_queue queue) {
    bool left = false;
    plan->read = plan->shared.memory;
    if (plan->geometry.groups_n == 1)
        return persistent_await(plan, plan->device->profiling);
    cl_int code = clFinish(queue);
    return code == CL_SUCCESS ? red_mailbox_await(&plan->mailbox, &left) : code;
}

/* ---- command_buffer: the launches of two_kernels, recorded once ---- */

static enum red_status command_buffer_prepare(struct red_plan *plan, struct red_error *error) {
    const struct red_newer *newer = &plan->device->newer;
    enum red_status status = two_kernels_prepare(plan, error);
    cl_int code;
    if (status != RED_OK)
        return status;
    plan->commands = newer->create_command_buffer(1, &plan->device->queue, NULL, &code);
    for (unsigned i = 0; i < plan->launches_n && code == CL_SUCCESS; i++)
        code = newer->command_ndrange(plan->commands, NULL, NULL, plan->launches[i].kernel, 1, NULL,
                                      &plan->launches[i].global, &plan->geometry.group_size, 0, NULL, NULL,
                                      NULL);
    if (code == CL_SUCCESS)
        code = newer->finalize_command_buffer(plan->commands);
    return red_cl_check(code, "recording a command buffer", error);
}

/* On the queue it was recorded for; without events, as PoCL and Intel's runtime give the time that enqueueing
 * takes, and not the kernels'. */
static cl_int command_buffer_enqueue(struct red_plan *plan, cl_command_queue queue, cl_event *events,
                                     unsigned *events_n) {
    (void)queue, (void)events, (void)events_n;
    return plan->device->newer.enqueue_command_buffer(0, NULL, plan->commands, 0, NULL, NULL);
}

/* ---- the table ---- */

#define START_TO_END      CL_PROFILING_COMMAND_END
#define NO_EVENT_TIME     0
#define WITH_ITS_CHILDREN CL_PROFILING_COMMAND_COMPLETE

const struct red_finish red_finishes[RED_FINISHES_N] = {
    [RED_STRATEGY_HOST] = {host_prepare, host_enqueue, host_fetch, nothing_leave, START_TO_END, NULL},
    [RED_STRATEGY_PASSES] = {passes_prepare, launches_enqueue, read_fetch, nothing_leave, START_TO_END, NULL},
    [RED_STRATEGY_TWO_KERNELS] = {two_kernels_prepare, launches_enqueue, read_fetch, nothing_leave,
                                  START_TO_END, NULL},
    [RED_STRATEGY_SWEEPS] = {sweeps_prepare, launches_enqueue, read_fetch, nothing_leave, START_TO_END, NULL},
    [RED_STRATEGY_ATOMIC] = {atomic_prepare, launches_enqueue, read_fetch, nothing_leave, START_TO_END, NULL},
    [RED_STRATEGY_LAST_GROUP] = {last_group_prepare, launches_enqueue, read_fetch, nothing_leave,
                                 START_TO_END, NULL},
    [RED_STRATEGY_SVM] = {svm_prepare, launches_enqueue, svm_fetch, svm_leave, START_TO_END, NULL},
    [RED_STRATEGY_POLLED] = {polled_prepare, polled_enqueue, polled_fetch, nothing_leave, START_TO_END, NULL},
    [RED_STRATEGY_DEVICE_ENQUEUE] = {device_enqueue_prepare, launches_enqueue, read_fetch, nothing_leave,
                                     WITH_ITS_CHILDREN, NULL},
    [RED_STRATEGY_PERSISTENT] = {persistent_prepare, persistent_enqueue, persistent_fetch, nothing_leave,
                                 NO_EVENT_TIME, "one launch answers many calls, each after the other"},
    [RED_STRATEGY_JOINED] = {joined_prepare, joined_enqueue, joined_fetch, nothing_leave, NO_EVENT_TIME,
                             "one launch takes part in many calls, each after the other"},
    [RED_STRATEGY_COMMAND_BUFFER] =
        {command_buffer_prepare, command_buffer_enqueue, read_fetch, nothing_leave, NO_EVENT_TIME,
         "recorded launches have no event times, and are not enqueued while they are at work"},
};
