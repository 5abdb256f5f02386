/* The finishes of scans: how groups come to the carries in front of their tiles. cl/plan.c calls their steps
 * with the plan of a case (--primitive scan): the time of a call ends when the results may be used on the
 * device, so nothing is read. out[0] has the results, out[1] a carry for each group, or for each item where
 * items do not meet; out[2] the same of finish two_levels for the carries. */
#include "cl/finish.h"
#include "host/fold.h"

/* RED_PASS of a kernel: what it does in the launch. */
enum { PASS_TILES, PASS_CARRIES, PASS_RESULTS };

/* What all these finishes do. */
#define SCAN_STEPS .fetch = red_finish_wait, .answer = red_finish_leave

/* How many carries there are: of groups, or of items. */
static uint64_t carries_n(const struct red_plan *plan) {
    return red_finish_parts_n(plan, plan->geometry.groups_n);
}

/* Gives the plan its results and carries. */
static enum red_status make_buffers(struct red_plan *plan, struct red_error *error) {
    enum red_status status = red_finish_make_results(plan, error);
    plan->read_n = plan->strategy->finish == RED_STRATEGY_HOST_CARRIES ? carries_n(plan) : 0;
    return status == RED_OK ? red_plan_make_out(plan, 1, carries_n(plan), error) : status;
}

/* Appends a launch over the elements: of all groups, or in PASS_CARRIES of one over so many carries. */
static enum red_status add_launch(struct red_plan *plan, unsigned pass, struct red_error *error) {
    const bool over_carries = pass == PASS_CARRIES;
    const struct red_primitive_launch launch = {.pass = pass,
                                                .n = over_carries ? carries_n(plan) : plan->n,
                                                .groups_n = over_carries ? 1 : plan->geometry.groups_n};
    return plan->n == 0 ? RED_OK : red_plan_add_primitive_launch(plan, &launch, error);
}

/* What the launches of each finish do, as bits. */
static const unsigned passes[RED_FINISHES_N] = {
    [RED_STRATEGY_SINGLE_PASS] = 1 << PASS_TILES,
    [RED_STRATEGY_SCAN_THEN_PROPAGATE] = 1 << PASS_TILES | 1 << PASS_CARRIES | 1 << PASS_RESULTS,
    [RED_STRATEGY_REDUCE_THEN_SCAN] = 1 << PASS_TILES | 1 << PASS_CARRIES | 1 << PASS_RESULTS,
    [RED_STRATEGY_HOST_CARRIES] = 1 << PASS_TILES | 1 << PASS_RESULTS,
};

/* Lays out these launches; what the kernel does in each is its own matter. */
static enum red_status passes_prepare(struct red_plan *plan, struct red_error *error) {
    enum red_status status = make_buffers(plan, error);
    for (unsigned pass = PASS_TILES; pass <= PASS_RESULTS && status == RED_OK; pass++)
        if (passes[plan->strategy->finish] >> pass & 1)
            status = add_launch(plan, pass, error);
    return status;
}

const struct red_finish_steps red_finish_single_pass = {.prepare = passes_prepare, SCAN_STEPS};
const struct red_finish_steps red_finish_scan_then_propagate = {.prepare = passes_prepare, SCAN_STEPS};
const struct red_finish_steps red_finish_reduce_then_scan = {.prepare = passes_prepare, SCAN_STEPS};

/* ---- the host scans the carries ---- */

/* Between the two launches: reads the groups' sums, makes them prefixes, writes these. */
static cl_int scan_carries_on_host(struct red_plan *plan, cl_command_queue queue) {
    cl_int code = red_cl_read(queue, plan->out[1], 0, plan->room, plan->read_bytes);
    if (code != CL_SUCCESS)
        return code;
    red_host_scan_partials(plan->op, plan->dtype, plan->room, plan->read_n);
    return clEnqueueWriteBuffer(queue, plan->out[1], CL_FALSE, 0, plan->read_bytes, plan->room, 0, NULL,
                                NULL);
}

static cl_int host_carries_enqueue(struct red_plan *plan, cl_command_queue queue, cl_event *events,
                                   unsigned *events_n) {
    cl_int code = CL_SUCCESS;
    for (unsigned i = 0; i < plan->launches_n && code == CL_SUCCESS; i++) {
        code = i > 0 ? scan_carries_on_host(plan, queue) : CL_SUCCESS;
        if (code == CL_SUCCESS)
            code = red_finish_launch(plan, i, queue, events ? &events[i] : NULL);
        *events_n += code == CL_SUCCESS;
    }
    return code;
}

const struct red_finish_steps red_finish_host_carries = {
    .prepare = passes_prepare, .enqueue = host_carries_enqueue, SCAN_STEPS, .host_stands_between = true};

/* ---- the carries' own scan has two levels ---- */

/* The same text once more over the carries, with carries of their own, lies between the first and the last
 * launch. */
static enum red_status two_levels_prepare(struct red_plan *plan, struct red_error *error) {
    const uint64_t tile_n = plan->geometry.group_size * plan->geometry.lanes, n = carries_n(plan);
    const uint64_t groups_n = red_ceil_div(n, tile_n);
    const struct red_primitive_launch inner[] = {{PASS_TILES, n, groups_n, .over_carries = true},
                                                 {PASS_CARRIES, groups_n, 1, .over_carries = true},
                                                 {PASS_RESULTS, n, groups_n, .over_carries = true}};
    enum red_status status = make_buffers(plan, error);
    if (status == RED_OK)
        status = red_plan_make_out(plan, 2, groups_n, error);
    if (status == RED_OK)
        status = add_launch(plan, PASS_TILES, error);
    for (size_t i = 0; i < sizeof inner / sizeof inner[0] && status == RED_OK && plan->n > 0; i++)
        status = red_plan_add_primitive_launch(plan, &inner[i], error);
    return status == RED_OK ? add_launch(plan, PASS_RESULTS, error) : status;
}

const struct red_finish_steps red_finish_two_levels = {.prepare = two_levels_prepare, SCAN_STEPS};
