/* The canary check: a pattern behind each buffer of a plan must hold after a call. */
#include "cl/finish.h"

/* The buffers that have a canary, and where it begins. */
struct guarded {
    cl_mem buffer;
    size_t used_bytes;
    bool is_counter;
};

enum { GUARDED_N = 4 };

static void guarded_list(const struct red_plan *plan, struct guarded list[GUARDED_N]) {
    list[0] = (struct guarded){plan->out[0], plan->out_bytes[0], false};
    list[1] = (struct guarded){plan->out[1], plan->out_bytes[1], false};
    list[3] = (struct guarded){plan->answer.buffer, plan->answer_bytes, false};
    list[2] = (struct guarded){plan->counter, sizeof(cl_uint), true};
}

enum red_status red_plan_check_canaries(struct red_plan *plan, unsigned char byte,
                                        struct red_canaries *traces, struct red_error *error) {
    struct guarded list[GUARDED_N];
    cl_command_queue queue = plan->device->queue;
    guarded_list(plan, list);
    red_mailbox_dismiss(&plan->mailbox);
    *traces = (struct red_canaries){.out_intact = true, .counter_intact = true};
    for (unsigned i = 0; i < GUARDED_N; i++) {
        unsigned char canary[RED_CANARY_BYTES];
        if (list[i].buffer == NULL)
            continue;
        cl_int code = clEnqueueReadBuffer(queue, list[i].buffer, CL_TRUE, list[i].used_bytes, sizeof canary,
                                          canary, 0, NULL, NULL);
        if (code != CL_SUCCESS)
            return red_cl_check(code, "reading a canary", error);
        bool *intact = list[i].is_counter ? &traces->counter_intact : &traces->out_intact;
        for (size_t at = 0; at < sizeof canary; at++)
            *intact = *intact && canary[at] == byte;
    }
    return red_cl_check(clEnqueueReadBuffer(queue, plan->counter, CL_TRUE, 0, sizeof traces->counter,
                                            &traces->counter, 0, NULL, NULL),
                        "reading the counter", error);
}

enum red_status red_plan_poison(struct red_plan *plan, unsigned char byte, struct red_error *error) {
    struct guarded list[GUARDED_N];
    cl_int code = CL_SUCCESS;
    guarded_list(plan, list);
    red_mailbox_dismiss(&plan->mailbox);
    plan->poison = byte;
    for (unsigned i = 0; i < GUARDED_N && code == CL_SUCCESS; i++) {
        size_t begin = list[i].is_counter ? list[i].used_bytes : 0;
        if (list[i].buffer != NULL)
            code = clEnqueueFillBuffer(plan->device->queue, list[i].buffer, &byte, 1, begin,
                                       list[i].used_bytes + RED_CANARY_BYTES - begin, 0, NULL, NULL);
    }
    if (code == CL_SUCCESS)
        code = clFinish(plan->device->queue);
    if (code != CL_SUCCESS)
        return red_cl_check(code, "clEnqueueFillBuffer", error);
    /* Or a kernel would be accused of what the driver did not do. */
    struct red_canaries traces;
    enum red_status status = red_plan_check_canaries(plan, byte, &traces, error);
    if (status == RED_OK && !(traces.out_intact && traces.counter_intact && traces.counter == 0))
        status =
            red_fail(error, RED_E_DEVICE,
                     "the driver of %s does not fill buffers: other bytes than clEnqueueFillBuffer's and "
                     "the counter's zero were read back before the run",
                     plan->device->info.id);
    return status;
}
