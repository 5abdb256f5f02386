/* Finish command_buffer: records the launches of two_kernels, enqueues them as one. cl/plan.c calls it with
 * the plan of a case (--strategy): it is its time to answer; a failure is the cell's reason. `.alone` is the
 * note why the cell has no device time. */
#include "cl/finish.h"

/* Prepares the launches of two_kernels, and records them for the queue of time to answer. */
static enum red_status command_buffer_prepare(struct red_plan *plan, struct red_error *error) {
    const struct red_newer_functions *newer = &plan->device->newer;
    enum red_status status = red_finish_prepare_two_kernels(plan, error);
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
