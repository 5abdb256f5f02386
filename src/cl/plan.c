/* Makes plans and runs them: for each timed reduction (worker/prepared.c) and each check (cl/case_check.c),
 * of a case that the worker's question brings, or `once`. A failure is the reason of the cell. */
#include "cl/finish.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/clock.h"
#include "host/reference.h"
#include "model/bins.h"
#include "model/computed.h"

/* ---- making -------------------------------------------------------------------------------------------- */

enum red_status red_plan_make_out(struct red_plan *plan, unsigned out_i, uint64_t values_n,
                                  struct red_error *error) {
    return red_plan_make_out_bytes(plan, out_i, (size_t)values_n * plan->accumulator->size_bytes, error);
}

enum red_status red_plan_make_out_bytes(struct red_plan *plan, unsigned out_i, size_t bytes,
                                        struct red_error *error) {
    cl_int code;
    plan->out[out_i] =
        clCreateBuffer(plan->device->context, CL_MEM_READ_WRITE, bytes + RED_CANARY_BYTES, NULL, &code);
    plan->out_bytes[out_i] = bytes;
    return red_cl_check(code, "clCreateBuffer for partial results", error);
}

/* How many bytes a device stores in the host's memory as fast as in its own. H200, n = 2^26: a call whose
 * groups leave 2 KiB takes 74 us, and 79 us if they are copied; 32 KiB: 79 us and 92. */
enum { HOST_BUFFER_BYTES_MAX = 1 << 16 };

enum red_status red_plan_make_for_host(struct red_plan *plan, unsigned out_i, uint64_t values_n,
                                       struct red_error *error) {
    const size_t bytes = (size_t)values_n * plan->accumulator->size_bytes;
    if (plan->device->newer.create_buffer_nv == NULL || bytes > HOST_BUFFER_BYTES_MAX)
        return red_plan_make_out(plan, out_i, values_n, error);
    const cl_int code = red_host_buffer_create(plan->device, bytes + RED_CANARY_BYTES, &plan->out[out_i]);
    plan->out_bytes[out_i] = bytes;
    plan->result_in_host_buffer = true;
    return red_cl_check(code, "clCreateBufferNV for partial results", error);
}

/* Makes a buffer of zeros, and its canary. */
static enum red_status make_zeros(const struct red_plan *plan, size_t bytes, cl_mem *buffer,
                                  struct red_error *error) {
    cl_int code;
    void *zeros = calloc(1, bytes + RED_CANARY_BYTES);
    if (zeros == NULL)
        return red_fail(error, RED_E_MEMORY, "no memory for a counter");
    *buffer = clCreateBuffer(plan->device->context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                             bytes + RED_CANARY_BYTES, zeros, &code);
    free(zeros);
    return red_cl_check(code, "clCreateBuffer for the counter", error);
}

/* Makes what groups count themselves by: a buffer of its own, or behind the result. It is not set again, so
 * that no run pays for a reset. */
static enum red_status make_counter(struct red_plan *plan, struct red_error *error) {
    const size_t state_bytes =
        red_geometry_state_bytes(plan->strategy, &plan->geometry, plan->n, plan->bins_n);
    plan->has_state = state_bytes > 0;
    if (red_strategy_groups_have_words(plan->strategy)) {
        plan->out_bytes[0] = state_bytes;
        return make_zeros(plan, state_bytes, &plan->out[0], error);
    }
    plan->counter_bytes = plan->has_state ? state_bytes : sizeof(cl_uint);
    return make_zeros(plan, plan->counter_bytes, &plan->counter, error);
}

/* Makes what the plan runs with: what its finish lays out (buffers, kernels, launches), and what every plan
 * has, a zero counter, the accumulator's first value, room for what is read back. */
static enum red_status plan_make_parts(struct red_plan *plan, struct red_error *error) {
    enum red_status status = make_counter(plan, error);
    if (status != RED_OK)
        return status;
    red_host_scan_partials(plan->op, plan->dtype, plan->identity, 1);
    status = plan->finish.prepare(plan, error);
    if (status != RED_OK)
        return status;
    plan->read_bytes = (size_t)plan->read_n * plan->accumulator->size_bytes;
    plan->room = malloc(plan->read_bytes > 0 ? plan->read_bytes : 1);
    return plan->room ? RED_OK : red_fail(error, RED_E_MEMORY, "no memory for the partial results");
}

/* Chooses the plan's geometry from what the case asks; may probe the device. A group size that nobody has
 * chosen is the nearest to the default at which the strategy runs. */
static enum red_status plan_choose_geometry(struct red_plan *plan, const struct red_case *spec,
                                            uint64_t segments_n, struct red_error *error) {
    struct red_device *device = plan->device;
    struct red_tuning tuning = spec->tuning;
    enum red_status status =
        red_geometry_choose_segments(spec->strategy, spec->data.op, plan->dtype, &device->info.shape, &tuning,
                                     spec->n, segments_n, &plan->geometry, error);
    if (status != RED_OK || tuning.group_size > 0 || !red_geometry_takes_group_size(spec->strategy))
        return status;
    tuning.group_size =
        red_capability_usable_group_size(&device->info, &device->capabilities, spec->strategy, plan->dtype,
                                         spec->data.op, plan->geometry.group_size);
    if (tuning.group_size == 0 || tuning.group_size == plan->geometry.group_size)
        return RED_OK;
    return red_geometry_choose_segments(spec->strategy, spec->data.op, plan->dtype, &device->info.shape,
                                        &tuning, spec->n, segments_n, &plan->geometry, error);
}

enum red_status red_plan_create(struct red_resident *resident, const struct red_case *spec,
                                struct red_plan **plan, struct red_error *error) {
    struct red_device *device = resident->device;
    uint64_t segments_n = spec->data.segments_n > 0 ? spec->data.segments_n : 1;
    if (spec->n > resident->input->n / segments_n || spec->data.op->arrays != resident->input->op->arrays)
        return red_fail(error, RED_E_INPUT,
                        "the data set has %" PRIu64 " elements for %s, not %" PRIu64 " for %s",
                        resident->input->n, resident->input->op->name, spec->n, spec->data.op->name);
    struct red_plan *made = calloc(1, sizeof *made);
    if (made == NULL)
        return red_fail(error, RED_E_MEMORY, "no memory for a plan");
    *made = (struct red_plan){.device = device,
                              .strategy = spec->strategy,
                              .finish = red_finish_steps_of(spec->strategy->finish),
                              .dtype = resident->input->dtype,
                              .op = spec->data.op,
                              .accumulator = red_op_accumulator(spec->data.op, resident->input->dtype),
                              .n = spec->n,
                              .segments_n = segments_n,
                              .bins_n = spec->data.bins_n,
                              .in_place = spec->in_place,
                              .is_computed = resident->input->making == RED_MADE_IN_KERNEL,
                              .form = resident->input->form,
                              .poison_local = spec->poison_local};
    memcpy(made->inputs, resident->buffers, sizeof made->inputs);
    memcpy(made->arrays, resident->input->arrays, sizeof made->arrays);
    enum red_status status =
        red_strategy_check_type_and_op(spec->strategy, made->dtype, spec->data.op, error);
    if (status == RED_OK)
        status = red_op_check_n(spec->data.op, made->dtype, spec->n, error);
    if (status == RED_OK)
        status = red_bins_check(spec->strategy, spec->data.bins_n, error);
    if (status == RED_OK && made->is_computed)
        status = red_elements_check_op(spec->data.op, error);
    /* In columns a place is found as that of the whole matrix. */
    if (status == RED_OK && spec->strategy->span == RED_STRATEGY_COLUMN)
        status = red_op_check_n(spec->data.op, made->dtype, spec->n * segments_n, error);
    if (status == RED_OK)
        status = plan_choose_geometry(made, spec, segments_n, error);
    if (status == RED_OK)
        status =
            red_capability_choose_standard(&device->info, &device->capabilities, spec->strategy, made->dtype,
                                           spec->data.op, made->geometry.group_size, &made->standard, error);
    if (status == RED_OK)
        status = plan_make_parts(made, error);
    if (status != RED_OK) {
        red_plan_destroy(made);
        return status;
    }
    *plan = made;
    return RED_OK;
}

cl_int red_plan_unmap(struct red_plan *plan) {
    void *mapped = plan->mapped;
    plan->mapped = NULL;
    return mapped == NULL ? CL_SUCCESS
                          : clEnqueueUnmapMemObject(plan->device->queue, plan->out[0], mapped, 0, NULL, NULL);
}

void red_plan_destroy(struct red_plan *plan) {
    if (plan == NULL)
        return;
    (void)red_plan_unmap(plan);
    red_mailbox_end_launch(&plan->mailbox);
    if (plan->shared.buffer != NULL)
        plan->out[0] = NULL;
    red_host_visible_destroy(plan->device, &plan->shared);
    red_host_visible_destroy(plan->device, &plan->answer);
    const cl_mem buffers[] = {plan->out[0], plan->out[1],           plan->out[2],           plan->counter,
                              plan->pipe,   plan->change.arrays[0], plan->change.arrays[1], plan->row};
    if (plan->commands != NULL)
        plan->device->newer.release_command_buffer(plan->commands);
    for (unsigned i = 0; i < plan->launches_n; i++)
        clReleaseKernel(plan->launches[i].kernel);
    red_cl_release_kernel(plan->change.kernel);
    red_cl_release_buffers(buffers, sizeof buffers / sizeof buffers[0]);
    red_answers_clear(&plan->answers);
    free(plan->room);
    free(plan->exact);
    free(plan);
}

/* What --shape segments is checked by: all answers by cl/case_check.c, a few of each call by
 * worker/prepared.c. */
const struct red_answers *red_plan_answers(const struct red_plan *plan) {
    return plan->answers.n > 0 ? &plan->answers : NULL;
}

/* For worker/prepared.c: what of a piece of an array is combined with that of others. */
const struct red_partial *red_plan_partial(const struct red_plan *plan) {
    return &plan->partial;
}

/* For sums over the pieces of an array; the answer of the plan's own run is made of it, too. */
const struct red_exact *red_plan_exact_sum(const struct red_plan *plan) {
    return plan->exact;
}

/* For the checks of a scan: all results by cl/case_check.c, some behind each batch by worker/prepared.c. */
enum red_status red_plan_read_results(const struct red_plan *plan, uint64_t first, uint64_t n, void *to,
                                      struct red_error *error) {
    const size_t bytes = red_op_result_dtype(plan->op, plan->dtype)->size_bytes;
    return n == 0 ? RED_OK
                  : red_cl_check(red_cl_read(plan->device->queue, plan->out[0], (size_t)first * bytes, to,
                                             (size_t)n * bytes),
                                 "reading results", error);
}

/* Seen as "geometry" of a cell in the JSON, and in "once: begin, ..."; the error bound counts by it, too. */
const struct red_geometry *red_plan_geometry(const struct red_plan *plan) {
    return &plan->geometry;
}

/* "standard" of a cell in the JSON. */
const char *red_plan_standard(const struct red_plan *plan) {
    return red_c_standard_name(plan->standard);
}

/* ---- running ------------------------------------------------------------------------------------------- */

/* Enqueues the reset and what the finish enqueues; `events` may be NULL. */
static enum red_status enqueue_run(struct red_plan *plan, cl_command_queue queue, cl_event *events,
                                   unsigned *events_n, struct red_error *error) {
    cl_int code = CL_SUCCESS;
    if (plan->resets_accumulator)
        code = clEnqueueWriteBuffer(queue, plan->out[0], CL_FALSE, 0, plan->accumulator->size_bytes,
                                    plan->identity, 0, NULL, NULL);
    if (plan->in_place && plan->n > 0)
        code = clEnqueueCopyBuffer(queue, plan->inputs[0], plan->out[0], 0, 0,
                                   (size_t)plan->n * plan->dtype->size_bytes, 0, NULL, NULL);
    if (code != CL_SUCCESS)
        return red_cl_check(code, plan->in_place ? "copying the elements" : "resetting the accumulator",
                            error);
    code = plan->finish.enqueue(plan, queue, events, events_n);
    return code == CL_SUCCESS ? RED_OK : red_cl_check_launch(code, plan->geometry.group_size, error);
}

/* Ends a launch that waits, waits until nothing of the plan runs, and returns the status that it was given.
 * Until the queue is empty the driver may still read from the plan and write to it: after an error nobody
 * else would wait. */
static enum red_status end_run_with(struct red_plan *plan, enum red_status status) {
    red_mailbox_end_launch(&plan->mailbox);
    clFinish(plan->device->queue);
    return status;
}

enum red_status red_plan_run(struct red_plan *plan, struct red_value *value, struct red_error *error) {
    cl_command_queue queue = plan->device->queue;
    unsigned events_n = 0;
    enum red_status status = enqueue_run(plan, queue, NULL, &events_n, error);
    if (status != RED_OK)
        return end_run_with(plan, status);
    cl_int code = plan->finish.fetch(plan, queue);
    if (code != CL_SUCCESS)
        return end_run_with(plan, red_cl_check(code, "the reduction", error));
    plan->finish.answer(plan, value);
    code = plan->finish.give_back(plan, queue);
    return code == CL_SUCCESS ? RED_OK
                              : end_run_with(plan, red_cl_check(code, "ending the reduction", error));
}

/* For "run 2, second call" of cl/case_check.c. */
enum red_status red_plan_run_in_same_launch(struct red_plan *plan, struct red_value *value,
                                            struct red_error *error) {
    enum { PATIENCE_MAX = 256 };
    const uint64_t n = plan->n;
    struct red_mailbox_host *mailbox = &plan->mailbox;
    enum red_status status = RED_OK;
    bool twice = false;
    if (mailbox->mailbox == NULL)
        return red_plan_run(plan, value, error);
    while (status == RED_OK && !twice && mailbox->patience <= PATIENCE_MAX) {
        uint32_t launch = 0;
        red_mailbox_end_launch(mailbox); /* its first request would be another one */
        twice = true;
        for (int i = 0; i < 4 && status == RED_OK; i++) {
            plan->n = i % 2 == 0 ? 0 : n;
            memset(mailbox->mailbox->value, plan->poison, sizeof mailbox->mailbox->value);
            status = red_plan_run(plan, value, error);
            launch = i == 0 ? mailbox->launch : launch;
            twice = twice && mailbox->answers && mailbox->launch == launch;
        }
        twice = twice || mailbox->is_late;
        mailbox->patience *= 4;
    }
    plan->n = n;
    mailbox->patience = 1;
    return status;
}

/* Before and behind each batch (worker/prepared.c), as an element changes then. */
void red_plan_end_waiting_launch(struct red_plan *plan) {
    red_mailbox_end_launch(&plan->mailbox);
}

/* Adds up the times of the events, and keeps those of each launch. */
static enum red_status add_launch_times(const struct red_plan *plan, const cl_event *events, unsigned n,
                                        double *device_s, struct red_launch_times *launches,
                                        struct red_error *error) {
    struct red_event_times before = {0, 0}, times;
    *device_s = 0;
    launches->n = n <= RED_LAUNCH_TIMES_MAX ? n : 0;
    for (unsigned i = 0; i < n; i++, before = times) {
        const enum red_status status = red_cl_event_times(events[i], plan->finish.end, &times, error);
        if (status != RED_OK)
            return status;
        *device_s += 1e-9 * (double)(times.end - times.start);
        if (i < launches->n)
            launches->s[i] = 1e-9 * (double)(times.end - times.start);
        if (i > 0 && i < launches->n)
            launches->gap_s[i - 1] = 1e-9 * ((double)times.start - (double)before.end);
    }
    return RED_OK;
}

/* For the question `profile` of bench: "device_time_s" of a cell, or why it has none, "device_time_note", and
 * "launches". */
enum red_status red_plan_run_profiled(struct red_plan *plan, double *device_s,
                                      struct red_launch_times *launches, struct red_error *error) {
    cl_event events[RED_LAUNCHES_MAX] = {NULL};
    cl_command_queue queue = plan->device->profiling;
    unsigned events_n = 0;
    if (plan->finish.alone != NULL)
        return red_fail(error, RED_E_UNSUPPORTED, "%s", plan->finish.alone);
    /* No order holds between two queues: what a call has left on the other must have ended. */
    enum red_status status =
        red_cl_check(red_cl_wait(plan->device->queue, red_plan_unmap(plan)), "the call before", error);
    if (status == RED_OK)
        status = red_device_block(plan->device, plan->launches_n, error);
    if (status == RED_OK)
        status = enqueue_run(plan, queue, events, &events_n, error);
    cl_int finished = clFinish(queue);
    if (status == RED_OK)
        status = red_cl_check(finished, "the profiled reduction", error);
    if (status == RED_OK)
        status = add_launch_times(plan, events, events_n, device_s, launches, error);
    if (status == RED_OK && *device_s <= 0)
        status =
            red_fail(error, RED_E_UNSUPPORTED,
                     "event times untrusted: START and END are equal (the event clock's step is %llu ns)",
                     (unsigned long long)plan->device->info.event_clock_ns);
    for (unsigned i = 0; i < events_n; i++)
        clReleaseEvent(events[i]);
    return status;
}

/* For the question `back_to_back` of bench: "back_to_back_s" of a cell. */
enum red_status red_plan_run_back_to_back(struct red_plan *plan, uint64_t calls_n, double *call_s,
                                          struct red_error *error) {
    cl_command_queue queue = plan->device->queue;
    enum red_status status = RED_OK;
    unsigned events_n = 0;
    if (plan->finish.alone != NULL)
        return red_fail(error, RED_E_UNSUPPORTED, "%s", plan->finish.alone);
    if (plan->finish.host_stands_between)
        return red_fail(error, RED_E_UNSUPPORTED, "the host waits between the launches of a call");
    double start_s = red_clock_s();
    for (uint64_t i = 0; i < calls_n && status == RED_OK; i++)
        status = enqueue_run(plan, queue, NULL, &events_n, error);
    if (status != RED_OK)
        return end_run_with(plan, status);
    cl_int code = clFinish(queue);
    *call_s = (red_clock_s() - start_s) / (double)calls_n;
    return red_cl_check(code, "calls back to back", error);
}

bool red_plan_can_call_in_a_row(const struct red_plan *plan) {
    return plan->finish.fetch == red_finish_read && plan->finish.answer == red_finish_fold &&
           plan->finish.alone == NULL && !plan->finish.host_stands_between;
}

/* The answer lies where the next call leaves its own: a copy is kept. */
enum red_status red_plan_enqueue_call(struct red_plan *plan, unsigned call, struct red_error *error) {
    cl_command_queue queue = plan->device->queue;
    unsigned events_n = 0;
    cl_int code = CL_SUCCESS;
    if (plan->row == NULL)
        plan->row = clCreateBuffer(plan->device->context, CL_MEM_READ_WRITE,
                                   RED_CALLS_IN_A_ROW_MAX * plan->read_bytes, NULL, &code);
    enum red_status status = red_cl_check(code, "clCreateBuffer for answers", error);
    if (status == RED_OK)
        status = enqueue_run(plan, queue, NULL, &events_n, error);
    if (status == RED_OK)
        status = red_cl_check(clEnqueueCopyBuffer(queue, plan->out[plan->result], plan->row, 0,
                                                  call * plan->read_bytes, plan->read_bytes, 0, NULL, NULL),
                              "keeping an answer", error);
    return status == RED_OK ? RED_OK : end_run_with(plan, status);
}

enum red_status red_plan_end_calls(struct red_plan *plan, unsigned calls_n, struct red_value *values,
                                   struct red_error *error) {
    void *read = malloc(calls_n * plan->read_bytes);
    if (read == NULL)
        return end_run_with(plan, red_fail(error, RED_E_MEMORY, "no memory for answers"));
    const cl_int code = red_cl_read(plan->device->queue, plan->row, 0, read, calls_n * plan->read_bytes);
    for (unsigned i = 0; i < calls_n && code == CL_SUCCESS; i++) {
        plan->read = (char *)read + i * plan->read_bytes;
        red_finish_fold(plan, &values[i]);
    }
    free(read);
    return code == CL_SUCCESS ? RED_OK : end_run_with(plan, red_cl_check(code, "calls in a row", error));
}

enum red_status red_plan_run_bare(struct red_plan *plan, struct red_error *error) {
    cl_command_queue queue = plan->device->queue;
    cl_int code = red_finish_launch(plan, 0, queue, NULL);
    if (code == CL_SUCCESS)
        code = red_finish_read(plan, queue);
    return code == CL_SUCCESS ? RED_OK : end_run_with(plan, red_cl_check(code, "the bare loop", error));
}
