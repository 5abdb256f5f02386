/* Lists what the host program of `reproduce` launches, as cl/finish_launches.c does for a plan:
 * reproduction.c writes it. Of primitives whose results stay on the device their own files list it. The
 * reproduction is that of red_reproduction_write. */
#include <inttypes.h>

#include "core/numbers.h"
#include "core/text.h"
#include "emit/emit_private.h"

/* Appends a launch; one over partial results reads the buffer `from`. */
static void add_launch(struct red_launch_list *list, struct red_listed_launch launch) {
    if (list->n < RED_LISTED_LAUNCHES_MAX)
        list->rows[list->n++] = launch;
    list->result = launch.to;
}

/* The launch over the data, whose groups leave values_n values, of which the host reads read_n. */
static void list_one(const struct red_reproduction *r, struct red_launch_list *list, uint64_t values_n,
                     uint64_t read_n) {
    list->values_n[0] = values_n;
    list->read_n = read_n;
    add_launch(list, (struct red_listed_launch){.n = r->n, .groups_n = r->geometry.groups_n});
}

static void list_host(const struct red_reproduction *r, struct red_launch_list *list) {
    if (!red_strategy_is_segmented(r->strategy)) {
        list_one(r, list, r->geometry.groups_n, r->geometry.groups_n);
        return;
    }
    list_one(r, list, r->segments_n, 1);
    list->first = r->evidence.segment;
}

/* One launch that leaves one value: alone, or, of groups, in front of theirs. */
static void list_one_left(const struct red_reproduction *r, struct red_launch_list *list) {
    list_one(r, list, r->strategy->finish == RED_STRATEGY_ATOMIC ? 1 : r->geometry.groups_n, 1);
}

static void list_two_kernels(const struct red_reproduction *r, struct red_launch_list *list) {
    list_one(r, list, r->geometry.groups_n, 1);
    list->values_n[1] = 1;
    add_launch(list,
               (struct red_listed_launch){
                   .pass = 1, .over_partials = true, .n = r->geometry.groups_n, .groups_n = 1, .to = 1});
}

/* A launch that stores a term of each element, then host's over these. */
static void list_stored(const struct red_reproduction *r, struct red_launch_list *list) {
    const uint64_t terms_n = r->n * r->segments_n, groups_n = red_ceil_div(terms_n, r->geometry.group_size);
    list_host(r, list);
    list->values_n[1] = terms_n > 0 ? terms_n : 1;
    list->rows[0].to = 1;
    list->rows[0].groups_n = groups_n > 0 ? groups_n : 1;
    add_launch(list,
               (struct red_listed_launch){
                   .pass = 1, .over_partials = true, .n = r->n, .groups_n = r->geometry.groups_n, .from = 1});
}

static void list_passes(const struct red_reproduction *r, struct red_launch_list *list) {
    const uint64_t taken_n = r->geometry.group_size * r->geometry.lanes;
    uint64_t left = r->geometry.groups_n;
    list_one(r, list, left, 1);
    list->values_n[1] = left > 1 ? red_ceil_div(left, taken_n) : 0;
    for (unsigned from = 0; left > 1; from = 1 - from) {
        const uint64_t groups_n = red_ceil_div(left, taken_n);
        add_launch(list, (struct red_listed_launch){.pass = 1,
                                                    .over_partials = true,
                                                    .n = left,
                                                    .groups_n = groups_n,
                                                    .from = from,
                                                    .to = 1 - from});
        left = groups_n;
    }
}

static void list_sweeps(const struct red_reproduction *r, struct red_launch_list *list) {
    const struct red_accumulator *accumulator = red_op_accumulator(r->input->op, r->input->dtype);
    list_one(r, list, 16 / accumulator->size_bytes * r->geometry.groups_n, 1);
    add_launch(list, (struct red_listed_launch){.pass = 1, .n = r->n, .groups_n = r->geometry.groups_n});
    add_launch(list, (struct red_listed_launch){.pass = 2, .n = r->n, .groups_n = 1});
}

/* ---- steps -----------------------------------------------------------------------------------------------
 */

uint64_t red_launches_parts_n(const struct red_reproduction *r) {
    return r->geometry.groups_n * (r->strategy->group == RED_STRATEGY_NONE ? r->geometry.group_size : 1);
}

void red_launches_add_steps(const struct red_reproduction *r, struct red_launch_list *list,
                            uint64_t results_n, const uint64_t *sizes, const uint64_t *groups_n,
                            const uint64_t *parts_groups_n) {
    size_t steps_n;
    const struct red_step *steps = red_steps_of(r->strategy, &steps_n);
    for (size_t i = 0; i < steps_n; i++) {
        const unsigned level = steps[i].over_carries;
        const bool over_parts = steps[i].pass == RED_STEP_PARTS;
        add_launch(
            list, (struct red_listed_launch){.pass = steps[i].pass,
                                             .over_partials = steps[i].over_carries,
                                             .n = sizes[level + over_parts],
                                             .groups_n = over_parts ? parts_groups_n[level] : groups_n[level],
                                             .from = level,
                                             .to = level});
    }
    list->leaves_results = true;
    list->result = 0;
    list->values_n[0] = results_n;
    list->judges_one = !red_data_kind_is_exact(r->input->data_kind, r->input->op, r->input->dtype);
    list->first = list->judges_one ? r->evidence.got.place : 0;
    list->read_n = list->judges_one ? 1 : results_n;
}

/* By finish of a reduction what lists its launches; NULL: no host program can be written for it. */
static void (*const lists[RED_FINISHES_N])(const struct red_reproduction *r, struct red_launch_list *list) = {
    [RED_STRATEGY_HOST] = list_host,
    [RED_STRATEGY_STORED] = list_stored,
    [RED_STRATEGY_PASSES] = list_passes,
    [RED_STRATEGY_PASSES_WAITING] = list_passes,
    [RED_STRATEGY_TWO_KERNELS] = list_two_kernels,
    [RED_STRATEGY_SWEEPS] = list_sweeps,
    [RED_STRATEGY_ATOMIC] = list_one_left,
    [RED_STRATEGY_LAST_GROUP] = list_one_left,
    [RED_STRATEGY_SVM] = list_host,
    [RED_STRATEGY_POLLED] = list_one_left,
    [RED_STRATEGY_PERSISTENT] = list_one_left,
    [RED_STRATEGY_DEVICE_ENQUEUE] = list_one_left,
    [RED_STRATEGY_COMMAND_BUFFER] = list_two_kernels,
};

/* The primitive's own, or that of the finish. */
static void (*list_of(const struct red_strategy *strategy))(const struct red_reproduction *,
                                                            struct red_launch_list *) {
    const struct red_emit_hooks *hooks = red_emit_hooks_of(strategy->primitive);
    return hooks->list != NULL ? hooks->list : lists[strategy->finish];
}

enum red_status red_reproduction_check(const struct red_strategy *strategy, struct red_error *error) {
    const char *reason = list_of(strategy) == NULL ? "there is no host side of this finish yet" : NULL;
    if (strategy->needs & RED_NEED(SVM_SYSTEM))
        reason = "the kernel takes addresses of the host's own memory";
    if (strategy->needs & RED_NEED(PIPES))
        reason = "the partial results travel through a pipe";
    if (strategy->needs & RED_NEED(LOCAL_ARGUMENT))
        reason = "the kernel gets its local memory as an argument";
    char name[64];
    if (reason == NULL && strategy->text != NULL && red_emit_asks_driver(strategy->text, name, sizeof name))
        return red_fail(
            error, RED_E_UNSUPPORTED,
            "%s cannot be reproduced by a text without conditions: it asks for %s, which each driver "
            "defines or not; take that condition out of the kernel file",
            strategy->name, name);
    return reason == NULL ? RED_OK
                          : red_fail(error, RED_E_UNSUPPORTED,
                                     "%s (finish %s) cannot be reproduced by a host program of 150 lines: %s",
                                     strategy->name, red_finish_names[strategy->finish], reason);
}

void red_launches_list(const struct red_reproduction *reproduction, struct red_launch_list *list) {
    list_of(reproduction->strategy)(reproduction, list);
}

bool red_launch_waits_for_calls(const struct red_reproduction *reproduction) {
    return (red_finish_rows[reproduction->strategy->finish].traits & RED_FINISH_WAITS) != 0;
}
