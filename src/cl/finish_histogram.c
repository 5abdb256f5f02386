/* The finishes of histograms: how the counts of groups come together. cl/plan.c calls their steps with the
 * plan of a case (--primitive histogram): the time of a call ends when the counts may be used on the device,
 * so nothing is read. out[0] has a count for each bin, and then of the elements in none; out[1] copies of
 * these; the counter's buffer is the state of finish one_launch_counts. */
#include "cl/finish.h"

/* RED_PASS of a kernel: what it does in the launch. */
enum { PASS_COUNT, PASS_JOIN };

/* How many counts an answer has. */
static uint64_t counts_n(const struct red_plan *plan) {
    return (uint64_t)plan->bins_n + 1;
}

/* What all these finishes do. */
#define HISTOGRAM_STEPS .fetch = red_finish_wait, .answer = red_finish_leave

/* Gives the plan its counts, and so many copies of them. */
static enum red_status make_buffers(struct red_plan *plan, uint64_t copies_n, struct red_error *error) {
    enum { COPIES_BYTES_MAX = 1 << 28 }; /* zeros and sums of more take longer than any array */
    if (copies_n > COPIES_BYTES_MAX / plan->accumulator->size_bytes / counts_n(plan))
        return red_fail(error, RED_E_UNSUPPORTED,
                        "%llu copies of %u bins take more than 256 MiB; choose fewer --groups or --bins",
                        (unsigned long long)copies_n, plan->bins_n);
    enum red_status status = red_finish_make_results(plan, error);
    return status == RED_OK ? red_plan_make_out(plan, 1, copies_n * counts_n(plan), error) : status;
}

/* The groups that count: one at least, since of no elements there are zeros to leave. */
static uint64_t counting_groups_n(const struct red_plan *plan) {
    return plan->geometry.groups_n > 0 ? plan->geometry.groups_n : 1;
}

/* Appends the launch over all elements. */
static enum red_status add_counting_launch(struct red_plan *plan, struct red_error *error) {
    const struct red_primitive_launch launch = {
        .pass = PASS_COUNT, .n = plan->n, .groups_n = counting_groups_n(plan)};
    return red_plan_add_primitive_launch(plan, &launch, error);
}

static enum red_status one_launch_prepare(struct red_plan *plan, struct red_error *error) {
    enum red_status status = make_buffers(plan, 1, error);
    return status == RED_OK ? add_counting_launch(plan, error) : status;
}

const struct red_finish_steps red_finish_one_launch_counts = {.prepare = one_launch_prepare, HISTOGRAM_STEPS};

/* Sets the counts to zero in front of the launch: a command of the call. */
static cl_int zeroed_counts_enqueue(struct red_plan *plan, cl_command_queue queue, cl_event *events,
                                    unsigned *events_n) {
    static const cl_uint zero = 0;
    cl_int code =
        clEnqueueFillBuffer(queue, plan->out[0], &zero, sizeof zero, 0, plan->out_bytes[0], 0, NULL, NULL);
    return code == CL_SUCCESS ? red_finish_enqueue(plan, queue, events, events_n) : code;
}

const struct red_finish_steps red_finish_zeroed_counts = {
    .prepare = one_launch_prepare, .enqueue = zeroed_counts_enqueue, HISTOGRAM_STEPS};

/* A copy for each group, or for each item where items do not meet; items share the counts and add them up. */
static enum red_status joined_copies_prepare(struct red_plan *plan, struct red_error *error) {
    const uint64_t copies_n = red_finish_parts_n(plan, counting_groups_n(plan));
    const struct red_primitive_launch join = {
        .pass = PASS_JOIN,
        .n = copies_n,
        .groups_n = red_geometry_joining_groups_n(plan->geometry.group_size, counts_n(plan))};
    enum red_status status = make_buffers(plan, copies_n, error);
    if (status == RED_OK)
        status = add_counting_launch(plan, error);
    return status == RED_OK ? red_plan_add_primitive_launch(plan, &join, error) : status;
}

const struct red_finish_steps red_finish_joined_copies = {.prepare = joined_copies_prepare, HISTOGRAM_STEPS};
