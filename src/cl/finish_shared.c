/* The finishes whose results lie in host-visible memory: svm, polled, and persistent, whose launch waits
 * for calls at a mailbox there. cl/plan.c calls their steps with the plan of a case (--strategy): they are
 * its time to answer; a failure is the cell's reason. `.alone` is the note why the cell has no device time.
 */
#include <string.h>

#include "cl/finish.h"

/* The groups leave their values in shared virtual memory, of which the host folds all (red_plan_run). */
static enum red_status svm_prepare(struct red_plan *plan, struct red_error *error) {
    size_t bytes = (size_t)plan->geometry.groups_n * plan->accumulator->size_bytes;
    cl_int code =
        red_host_visible_create(plan->device, RED_HOST_VISIBLE_SVM, bytes + RED_CANARY_BYTES, &plan->shared);
    plan->out[0] = plan->shared.buffer;
    plan->out_bytes[0] = bytes;
    enum red_status status = red_cl_check(code, plan->shared.last_call, error);
    return status == RED_OK ? red_finish_prepare_partials(plan, plan->geometry.groups_n, error) : status;
}

/* Waits for the kernel's end, and maps coarse memory. */
static cl_int svm_fetch(struct red_plan *plan, cl_command_queue queue) {
    const cl_int code = red_finish_flush(plan, queue);
    plan->read = plan->shared.memory;
    if (code != CL_SUCCESS)
        return code;
    return plan->shared.is_coarse
               ? plan->device->newer.enqueue_svm_map(queue, CL_TRUE, CL_MAP_READ, plan->shared.memory,
                                                     plan->read_bytes, 0, NULL, NULL)
               : clFinish(queue);
}

/* Unmaps coarse memory, which svm_fetch mapped; red_plan_run calls it after the fold. */
static cl_int svm_give_back(struct red_plan *plan, cl_command_queue queue) {
    return plan->shared.is_coarse
               ? plan->device->newer.enqueue_svm_unmap(queue, plan->shared.memory, 0, NULL, NULL)
               : CL_SUCCESS;
}

const struct red_finish_steps red_finish_svm = {
    .prepare = svm_prepare,
    .fetch = svm_fetch,
    .give_back = svm_give_back,
};

/* For polled and persistent. */
static enum red_host_visible_kind visible_kind_of(const struct red_plan *plan) {
    return plan->strategy->needs & RED_NEED(SVM_POLLED) ? RED_HOST_VISIBLE_SVM_ATOMIC : RED_HOST_VISIBLE_HOST;
}

/* For polled (value and flag) and persistent (mailbox). */
enum red_status red_finish_make_answer_memory(struct red_plan *plan, size_t bytes, struct red_error *error) {
    plan->answer_bytes = bytes;
    cl_int code =
        red_host_visible_create(plan->device, visible_kind_of(plan), bytes + RED_CANARY_BYTES, &plan->answer);
    return red_cl_check(code, plan->answer.last_call, error);
}

/* Partial results stay in the device's memory, where the last group reads them fast. */
static enum red_status polled_prepare(struct red_plan *plan, struct red_error *error) {
    enum red_status status = red_finish_make_answer_memory(plan, RED_ANSWER_WORDS * sizeof(cl_uint), error);
    return status == RED_OK ? red_finish_prepare_partials(plan, 1, error) : status;
}

/* The word that is not 0 where the answer is there. */
static uint32_t *flag_of(const struct red_plan *plan) {
    return (uint32_t *)plan->answer.memory + RED_ANSWER_FLAG;
}

/* Enqueues the launch behind a cleared flag. */
static cl_int polled_enqueue(struct red_plan *plan, cl_command_queue queue, cl_event *events,
                             unsigned *events_n) {
    *(volatile uint32_t *)flag_of(plan) = 0;
    return red_finish_enqueue(plan, queue, events, events_n);
}

/* Waits for the flag, not for the kernel's end; the answer stands beside it. */
static cl_int polled_fetch(struct red_plan *plan, cl_command_queue queue) {
    const cl_int code = red_host_visible_await_flag(plan->device, queue, flag_of(plan));
    struct red_pair pair;
    plan->read = plan->answer.memory;
    if (code != CL_SUCCESS || plan->accumulator->word_bits != 0)
        return code;
    memcpy(&pair, plan->answer.memory, sizeof pair);
    pair.index >>= 1;
    plan->read = memcpy(plan->room, &pair, sizeof pair);
    return CL_SUCCESS;
}

const struct red_finish_steps red_finish_polled = {
    .prepare = polled_prepare,
    .enqueue = polled_enqueue,
    .fetch = polled_fetch,
};

/* ---- persistent: the launch waits for calls at a mailbox ---- */

/* Makes the plan's mailbox in memory that host and kernel use at any time. */
static enum red_status mailbox_create(struct red_plan *plan, struct red_error *error) {
    enum red_status status = red_finish_make_answer_memory(plan, sizeof(struct red_mailbox), error);
    plan->mailbox = (struct red_mailbox_host){.mailbox = plan->answer.memory, .patience = 1};
    return status;
}

/* Allows the plan's kernels to read the host's own memory, for strategies that need shared system memory;
 * else the cell is `unsupported` with this reason. */
static enum red_status allow_host_addresses(struct red_plan *plan, struct red_error *error) {
    const cl_bool yes = CL_TRUE;
    const struct red_newer_functions *newer = &plan->device->newer;
    cl_int code = newer->set_kernel_exec_info == NULL ? CL_INVALID_OPERATION : CL_SUCCESS;
    if (!(plan->strategy->needs & RED_NEED(SVM_SYSTEM)))
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

/* Lays out one launch, which is made by the first run and answers the later ones. */
static enum red_status persistent_prepare(struct red_plan *plan, struct red_error *error) {
    enum red_status status = mailbox_create(plan, error);
    if (status == RED_OK)
        status = red_finish_prepare_partials(plan, 1, error);
    return status == RED_OK ? allow_host_addresses(plan, error) : status;
}

/* Launches the kernel that waits for requests. */
static cl_int launch_waiting_kernel(struct red_plan *plan, cl_command_queue queue) {
    if (plan->mailbox.launched != NULL)
        clReleaseEvent(plan->mailbox.launched);
    plan->mailbox.launched = NULL;
    red_mailbox_prepare_launch(&plan->mailbox);
    cl_int code = red_finish_launch(plan, 0, queue, &plan->mailbox.launched);
    if (code == CL_SUCCESS)
        code = clFlush(queue);
    red_mailbox_note_whether_late(&plan->mailbox);
    return code;
}

/* Sends the call as a request, and launches the kernel only if none waits; gives no events. */
static cl_int persistent_enqueue(struct red_plan *plan, cl_command_queue queue, cl_event *events,
                                 unsigned *events_n) {
    (void)events, (void)events_n;
    red_mailbox_send_request(&plan->mailbox, plan->arrays, plan->n);
    return red_mailbox_launch_waits(&plan->mailbox) ? CL_SUCCESS : launch_waiting_kernel(plan, queue);
}

/* Waits for the answer. If the waiting launch has left, a new one is made, which finds the request and
 * cannot leave without an answer. */
static cl_int await_answer_or_relaunch(struct red_plan *plan, cl_command_queue queue) {
    bool left = false;
    cl_int code = red_mailbox_await_answer(&plan->mailbox, &left);
    if (code != CL_SUCCESS || !left)
        return code;
    code = launch_waiting_kernel(plan, queue);
    if (code == CL_SUCCESS)
        code = red_mailbox_await_answer(&plan->mailbox, &left);
    return code == CL_SUCCESS && left ? CL_INVALID_OPERATION : code;
}

/* Waits for the answer, the first thing in the mailbox. */
static cl_int persistent_fetch(struct red_plan *plan, cl_command_queue queue) {
    plan->read = plan->answer.memory;
    return await_answer_or_relaunch(plan, queue);
}

const struct red_finish_steps red_finish_persistent = {
    .prepare = persistent_prepare,
    .enqueue = persistent_enqueue,
    .fetch = persistent_fetch,
    .alone = "one launch answers many calls, each after the other",
};
