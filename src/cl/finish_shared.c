/* The finishes whose results lie in host-visible memory: svm, polled. cl/plan.c calls their steps with the
 * plan of a case (--strategy): they are its time to answer; a failure is the cell's reason. */
#include <string.h>

#include "cl/finish.h"

/* For svm and joined: what the groups leave there is folded (red_plan_run). */
enum red_status red_finish_make_shared_out(struct red_plan *plan, enum red_host_visible_kind kind,
                                           struct red_error *error) {
    size_t bytes = (size_t)plan->geometry.groups_n * plan->accumulator->size_bytes;
    cl_int code = red_host_visible_create(plan->device, kind, bytes + RED_CANARY_BYTES, &plan->shared);
    plan->out[0] = plan->shared.buffer;
    plan->out_bytes[0] = bytes;
    return red_cl_check(code, plan->shared.last_call, error);
}

/* The groups leave their values in shared virtual memory, of which the host folds all. */
static enum red_status svm_prepare(struct red_plan *plan, struct red_error *error) {
    enum red_status status = red_finish_make_shared_out(plan, RED_HOST_VISIBLE_SVM, error);
    return status == RED_OK ? red_finish_prepare_partials(plan, plan->geometry.groups_n, error) : status;
}

/* Waits for the kernel's end, and maps coarse memory. */
static cl_int svm_fetch(struct red_plan *plan, cl_command_queue queue) {
    plan->read = plan->shared.memory;
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

/* For polled, persistent and joined. */
enum red_host_visible_kind red_finish_visible_kind(const struct red_plan *plan) {
    return plan->strategy->needs & RED_NEED_SVM_POLLED ? RED_HOST_VISIBLE_SVM_ATOMIC : RED_HOST_VISIBLE_HOST;
}

/* For polled (value and flag), persistent and joined (mailbox). */
enum red_status red_finish_make_answer_memory(struct red_plan *plan, size_t bytes, struct red_error *error) {
    plan->answer_bytes = bytes;
    cl_int code = red_host_visible_create(plan->device, red_finish_visible_kind(plan),
                                          bytes + RED_CANARY_BYTES, &plan->answer);
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
