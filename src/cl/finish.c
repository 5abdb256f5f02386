/* What several finishes share, and the table of all: reached from cl/plan.c alone. */
#include "cl/finish.h"

cl_int red_finish_launch(const struct red_plan *plan, unsigned i, cl_command_queue queue, cl_event *event) {
    return clEnqueueNDRangeKernel(queue, plan->launches[i].kernel, 1, NULL, &plan->launches[i].global,
                                  &plan->geometry.group_size, 0, NULL, event);
}

cl_int red_finish_enqueue(struct red_plan *plan, cl_command_queue queue, cl_event *events,
                          unsigned *events_n) {
    cl_int code = CL_SUCCESS;
    for (unsigned i = 0; i < plan->launches_n && code == CL_SUCCESS; i++) {
        code = red_finish_launch(plan, i, queue, events ? &events[i] : NULL);
        *events_n += events != NULL && code == CL_SUCCESS;
    }
    return code;
}

cl_int red_finish_read(struct red_plan *plan, cl_command_queue queue) {
    plan->read = plan->room;
    return clEnqueueReadBuffer(queue, plan->out[plan->result], CL_TRUE, 0, plan->read_bytes, plan->read, 0,
                               NULL, NULL);
}

cl_int red_finish_leave_nothing(struct red_plan *plan, cl_command_queue queue) {
    (void)plan, (void)queue;
    return CL_SUCCESS;
}

/* One launch whose groups leave a value each. */
enum red_status red_finish_prepare_partials(struct red_plan *plan, uint64_t read_n, struct red_error *error) {
    plan->read_n = read_n;
    enum red_status status = RED_OK;
    if (plan->out[0] == NULL)
        status = red_plan_buffer(plan, 0, plan->geometry.groups_n, error);
    return status != RED_OK
               ? status
               : red_plan_launch(plan, 0, plan->inputs, plan->n, plan->geometry.groups_n, 0, error);
}

#define DECLARE(id, name, spans, wants, chain, burden, traits)                                               \
    extern const struct red_finish red_finish_##name;
RED_FINISHES(DECLARE)
#define ROW(id, name, spans, wants, chain, burden, traits) [RED_STRATEGY_##id] = &red_finish_##name,
const struct red_finish *const red_finishes[RED_FINISHES_N] = {RED_FINISHES(ROW)};
