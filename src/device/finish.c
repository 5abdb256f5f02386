#include "device/finish.h"

static uint64_t ceil_div(uint64_t a, uint64_t b) {
    return a / b + (a % b != 0);
}

/* One value per group; the host folds them all. */
static enum red_status host_prepare(struct red_plan *plan, struct red_error *error) {
    enum red_status status = red_plan_buffer(plan, 0, plan->geometry.groups_n, error);
    plan->read_n = plan->geometry.groups_n;
    return status != RED_OK ? status
                            : red_plan_launch(plan, false, plan->inputs, plan->n, plan->geometry.groups_n,
                                              plan->out[0], error);
}

/* Each pass reads what the last one wrote and leaves one value per group; two buffers take turns, so the
 * input is never touched. */
static enum red_status passes_prepare(struct red_plan *plan, struct red_error *error) {
    uint64_t left = plan->geometry.groups_n, group_size = plan->geometry.group_size;
    enum red_status status = red_plan_buffer(plan, 0, left, error);
    if (status == RED_OK && left > 1)
        status = red_plan_buffer(plan, 1, ceil_div(left, group_size), error);
    if (status == RED_OK)
        status = red_plan_launch(plan, false, plan->inputs, plan->n, left, plan->out[0], error);
    while (status == RED_OK && left > 1) {
        uint64_t groups_n = ceil_div(left, group_size);
        status = red_plan_launch(plan, true, &plan->out[plan->result], left, groups_n,
                                 plan->out[1 - plan->result], error);
        plan->result = 1 - plan->result;
        left = groups_n;
    }
    plan->read_n = 1;
    return status;
}

/* One accumulator, set to the identity before every run. */
static enum red_status atomic_prepare(struct red_plan *plan, struct red_error *error) {
    enum red_status status = red_plan_buffer(plan, 0, 1, error);
    plan->read_n = 1;
    plan->resets_accumulator = true;
    return status != RED_OK ? status
                            : red_plan_launch(plan, false, plan->inputs, plan->n, plan->geometry.groups_n,
                                              plan->out[0], error);
}

const struct red_finish red_finishes[RED_FINISHES_N] = {
    [RED_STRATEGY_HOST] = {host_prepare},
    [RED_STRATEGY_PASSES] = {passes_prepare},
    [RED_STRATEGY_ATOMIC] = {atomic_prepare},
};
