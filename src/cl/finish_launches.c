/* The finishes that enqueue kernels and read once: host, stored, passes, passes_waiting, two_kernels,
 * command_buffer, which records its launches and enqueues them as one, sweeps, atomic, last_group,
 * device_enqueue. cl/plan.c calls their steps with the plan of a case (--strategy): they are its time to
 * answer, and what they read becomes its answer; a failure is the cell's reason. */
#include <inttypes.h>
#include <math.h>

#include "cl/finish.h"

/* Reads the partial results. The answers of many segments are mapped, not copied: they
 * stay where they are on a CPU, and come over the bus of a GPU into memory that is made for it. They are read
 * until the next run. */
static cl_int host_fetch(struct red_plan *plan, cl_command_queue queue) {
    cl_int code;
    if (plan->answers.n == 0)
        return red_finish_read(plan, queue);
    plan->read = plan->mapped = clEnqueueMapBuffer(queue, plan->out[0], CL_TRUE, CL_MAP_READ, 0,
                                                   plan->read_bytes, 0, NULL, NULL, &code);
    return code;
}

/* Unmaps what host_fetch has mapped, and enqueues the launch. */
static cl_int host_enqueue(struct red_plan *plan, cl_command_queue queue, cl_event *events,
                           unsigned *events_n) {
    cl_int code = red_plan_unmap(plan);
    return code == CL_SUCCESS ? red_finish_enqueue(plan, queue, events, events_n) : code;
}

static void host_answer(struct red_plan *plan, struct red_value *value) {
    if (plan->answers.n == 0) {
        red_finish_fold(plan, value);
        return;
    }
    red_host_answers_of_partials(plan->op, plan->dtype, plan->read, plan->n,
                                 plan->strategy->span == RED_STRATEGY_COLUMN, &plan->answers);
    *value = red_answers_get(&plan->answers, 0);
}

/* Makes room for the partial results, and a launch over `inputs`; of segments each partial result is an
 * answer. */
static enum red_status prepare_for_host(struct red_plan *plan, unsigned pass, const cl_mem *inputs,
                                        struct red_error *error) {
    const bool is_segmented = red_strategy_is_segmented(plan->strategy);
    enum red_status status = RED_OK;
    plan->read_n = is_segmented ? plan->segments_n : plan->geometry.groups_n;
    if (is_segmented)
        status = red_answers_make_room(plan->op, plan->dtype, plan->segments_n, &plan->answers, error);
    if (status == RED_OK)
        status = (is_segmented ? red_plan_make_out : red_plan_make_for_host)(plan, 0, plan->read_n, error);
    return status == RED_OK
               ? red_plan_add_launch(plan, pass, inputs, plan->n, plan->geometry.groups_n, 0, error)
               : status;
}

static enum red_status host_prepare(struct red_plan *plan, struct red_error *error) {
    return prepare_for_host(plan, 0, plan->inputs, error);
}

const struct red_finish_steps red_finish_host = {
    .prepare = host_prepare,
    .enqueue = host_enqueue,
    .fetch = host_fetch,
    .answer = host_answer,
};

/* Lays out a launch that stores the term of each element, and one over these, as host has it. */
static enum red_status stored_prepare(struct red_plan *plan, struct red_error *error) {
    const struct red_device_info *info = &plan->device->info;
    const uint64_t terms_n = plan->n * plan->segments_n;
    const double bytes = (double)terms_n * (double)plan->accumulator->size_bytes,
                 of_host = info->shape.is_cpu ? red_data_room_bytes() : bytes,
                 room = fmin((double)info->allocation_bytes_max, of_host);
    if (bytes > room)
        return red_fail(error, RED_E_UNSUPPORTED,
                        "%s stores %" PRIu64 " terms, %.1f GiB, and %s has room for %.1f; choose a smaller "
                        "--n or --shape",
                        plan->strategy->name, terms_n, bytes / (1 << 30), info->id, room / (1 << 30));
    enum red_status status = red_plan_make_out(plan, 1, terms_n, error);
    if (status == RED_OK)
        status =
            red_plan_add_launch(plan, 0, plan->inputs, plan->n,
                                red_ceil_div(terms_n, plan->geometry.group_size) + (terms_n == 0), 1, error);
    return status == RED_OK ? prepare_for_host(plan, 1, &plan->out[1], error) : status;
}

const struct red_finish_steps red_finish_stored = {
    .prepare = stored_prepare,
    .enqueue = host_enqueue,
    .fetch = host_fetch,
    .answer = host_answer,
};

/* Lays out launch after launch until one value is left. Each pass reads what the last one wrote and leaves
 * one value per group; two buffers take turns, so the input is never touched. */
static enum red_status passes_prepare(struct red_plan *plan, struct red_error *error) {
    uint64_t left = plan->geometry.groups_n, taken_n = plan->geometry.group_size * plan->geometry.lanes;
    enum red_status status = red_plan_make_out(plan, 0, left, error);
    if (status == RED_OK && left > 1)
        status = red_plan_make_out(plan, 1, red_ceil_div(left, taken_n), error);
    if (status == RED_OK)
        status = red_plan_add_launch(plan, 0, plan->inputs, plan->n, left, 0, error);
    while (status == RED_OK && left > 1) {
        uint64_t groups_n = red_ceil_div(left, taken_n);
        status =
            red_plan_add_launch(plan, 1, &plan->out[plan->result], left, groups_n, 1 - plan->result, error);
        plan->result = 1 - plan->result;
        left = groups_n;
    }
    plan->read_n = 1;
    return status;
}

const struct red_finish_steps red_finish_passes = {.prepare = passes_prepare};

/* Enqueues each launch when the event of the one before it is there: how long the host takes to hear of that
 * and to enqueue lies between the two. */
static cl_int passes_waiting_enqueue(struct red_plan *plan, cl_command_queue queue, cl_event *events,
                                     unsigned *events_n) {
    cl_int code = CL_SUCCESS;
    for (unsigned i = 0; i < plan->launches_n && code == CL_SUCCESS; i++) {
        cl_event own = NULL, *event = events != NULL ? &events[i] : &own;
        code = red_finish_launch(plan, i, queue, event);
        *events_n += events != NULL && code == CL_SUCCESS;
        if (code == CL_SUCCESS && i + 1 < plan->launches_n)
            code = clWaitForEvents(1, event);
        if (own != NULL)
            clReleaseEvent(own);
    }
    return code;
}

const struct red_finish_steps red_finish_passes_waiting = {
    .prepare = passes_prepare, .enqueue = passes_waiting_enqueue, .host_stands_between = true};

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

/* Lays out two launches. The second is of one group, over the partial results of the first. */
static enum red_status two_kernels_prepare(struct red_plan *plan, struct red_error *error) {
    uint64_t groups_n = plan->geometry.groups_n;
    enum red_status status = red_plan_make_out(plan, 0, groups_n, error);
    if (status == RED_OK)
        status = red_plan_make_for_host(plan, 1, 1, error);
    if (status == RED_OK && (plan->strategy->needs & RED_NEED(PIPES)))
        status = pipe_create(plan, error);
    if (status == RED_OK)
        status = red_plan_add_launch(plan, 0, plan->inputs, plan->n, groups_n, 0, error);
    if (status == RED_OK)
        status = red_plan_add_launch(plan, 1, &plan->out[0], groups_n, 1, 1, error);
    plan->result = 1;
    plan->read_n = 1;
    return status;
}

const struct red_finish_steps red_finish_two_kernels = {.prepare = two_kernels_prepare};

/* For the finish command_buffer: prepares the launches of two_kernels, and records them for the queue of time
 * to answer. */
static enum red_status command_buffer_prepare(struct red_plan *plan, struct red_error *error) {
    const struct red_newer_functions *newer = &plan->device->newer;
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

/* Enqueues the recorded launches on the queue they were recorded for, whatever `queue` is; without events, as
 * PoCL and Intel's runtime give the time that enqueueing takes, and not the kernels'. */
static cl_int command_buffer_enqueue(struct red_plan *plan, cl_command_queue queue, cl_event *events,
                                     unsigned *events_n) {
    (void)queue, (void)events, (void)events_n;
    return plan->device->newer.enqueue_command_buffer(0, NULL, plan->commands, 0, NULL, NULL);
}

const struct red_finish_steps red_finish_command_buffer = {
    .prepare = command_buffer_prepare,
    .enqueue = command_buffer_enqueue,
    .alone = "recorded launches have no event times, and are not enqueued while they are at work",
};

/* Lays out three launches: twice over the elements, as what the first time was found is needed the second;
 * then one group brings together what was left. A group may leave as much as four values of 32 bits, or two
 * of 64. */
static enum red_status sweeps_prepare(struct red_plan *plan, struct red_error *error) {
    uint64_t groups_n = plan->geometry.groups_n;
    enum red_status status = red_plan_make_out(plan, 0, 16 / plan->accumulator->size_bytes * groups_n, error);
    for (unsigned pass = 0; pass < 3 && status == RED_OK; pass++)
        status = red_plan_add_launch(plan, pass, plan->inputs, plan->n, pass < 2 ? groups_n : 1, 0, error);
    plan->read_n = 1;
    return status;
}

const struct red_finish_steps red_finish_sweeps = {.prepare = sweeps_prepare};

/* Lays out one launch over one accumulator, which cl/plan.c sets to the identity before every run. */
static enum red_status atomic_prepare(struct red_plan *plan, struct red_error *error) {
    enum red_status status = red_plan_make_out(plan, 0, 1, error);
    plan->resets_accumulator = true;
    return status != RED_OK ? status : red_finish_prepare_partials(plan, 1, error);
}

const struct red_finish_steps red_finish_atomic = {.prepare = atomic_prepare};

/* Makes the buffer of partial results and one launch; the host reads the first value, in which the last group
 * has combined them. The counter, or the words of groups, are made by cl/plan.c. */
static enum red_status last_group_prepare(struct red_plan *plan, struct red_error *error) {
    return red_finish_prepare_partials(plan, 1, error);
}

const struct red_finish_steps red_finish_last_group = {.prepare = last_group_prepare};

/* Lays out one launch, whose kernel itself enqueues what combines its partial results, on the on-device queue
 * that is made here. */
static enum red_status device_enqueue_prepare(struct red_plan *plan, struct red_error *error) {
    enum red_status status = red_on_device_queue_make(plan->device, error);
    return status != RED_OK ? status : red_finish_prepare_partials(plan, 1, error);
}

/* The event ends when what the kernel has enqueued has ended, too. */
const struct red_finish_steps red_finish_device_enqueue = {
    .prepare = device_enqueue_prepare,
    .end = CL_PROFILING_COMMAND_COMPLETE,
};
