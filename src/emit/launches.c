/* Lists what the host program of `reproduce` launches, as cl/finish_launches.c does for a plan:
 * reproduction.c writes it. The reproduction is that of red_reproduction_write. */
#include <inttypes.h>

#include "core/text.h"
#include "emit/private.h"

static uint64_t ceil_div(uint64_t a, uint64_t b) {
    return a / b + (a % b != 0);
}

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
    add_launch(list, (struct red_listed_launch){1, true, r->geometry.groups_n, 1, 0, 1});
}

/* A launch that stores a term of each element, then host's over these. */
static void list_stored(const struct red_reproduction *r, struct red_launch_list *list) {
    const uint64_t terms_n = r->n * r->segments_n, groups_n = ceil_div(terms_n, r->geometry.group_size);
    list_host(r, list);
    list->values_n[1] = terms_n > 0 ? terms_n : 1;
    list->rows[0].to = 1;
    list->rows[0].groups_n = groups_n > 0 ? groups_n : 1;
    add_launch(list, (struct red_listed_launch){1, true, r->n, r->geometry.groups_n, 1, 0});
}

static void list_passes(const struct red_reproduction *r, struct red_launch_list *list) {
    const uint64_t taken_n = r->geometry.group_size * r->geometry.lanes;
    uint64_t left = r->geometry.groups_n;
    list_one(r, list, left, 1);
    list->values_n[1] = left > 1 ? ceil_div(left, taken_n) : 0;
    for (unsigned from = 0; left > 1; from = 1 - from) {
        const uint64_t groups_n = ceil_div(left, taken_n);
        add_launch(list, (struct red_listed_launch){1, true, left, groups_n, from, 1 - from});
        left = groups_n;
    }
}

static void list_sweeps(const struct red_reproduction *r, struct red_launch_list *list) {
    const struct red_accumulator *accumulator = red_op_accumulator(r->input->op, r->input->dtype);
    list_one(r, list, 16 / accumulator->size_bytes * r->geometry.groups_n, 1);
    add_launch(list, (struct red_listed_launch){1, false, r->n, r->geometry.groups_n, 0, 0});
    add_launch(list, (struct red_listed_launch){2, false, r->n, 1, 0, 0});
}

/* By finish what lists its launches; NULL: no host program can be written for it. */
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

enum red_status red_reproduction_check(const struct red_strategy *strategy, struct red_error *error) {
    const char *reason = lists[strategy->finish] == NULL ? "there is no host side of this finish yet" : NULL;
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
    lists[reproduction->strategy->finish](reproduction, list);
}

/* ---- in the host program ------------------------------------------------------------------------------- */

bool red_launch_waits_for_calls(const struct red_reproduction *reproduction) {
    return (red_finish_rows[reproduction->strategy->finish].traits & RED_FINISH_WAITS) != 0;
}

enum { CALL_BYTES = 160 };

/* Writes the host program's call for a launch of red_blanks_set_launches. */
static void call_format(const struct red_listed_launch *launch, const char *name, char text[CALL_BYTES]) {
    char from[16] = "in, ARRAYS";
    if (launch->over_partials)
        snprintf(from, sizeof from, "&out[%u], 1", launch->from);
    snprintf(text, CALL_BYTES, "launch(\"%s\", %s, %" PRIu64 ", %" PRIu64 ", out[%u])", name, from, launch->n,
             launch->groups_n, launch->to);
}

void red_blanks_set_launches(struct red_blanks *blanks, const struct red_reproduction *r,
                             const struct red_launch_list *list, const char *const *names, char *calls,
                             size_t calls_bytes) {
    static const char replay[] = "        check(enqueue(0, NULL, commands, 0, NULL, NULL), "
                                 "\"clEnqueueCommandBufferKHR\");";
    const char *type = red_emit_accumulator_of(r->input->op, r->input->dtype)->c;
    const bool is_recorded = r->strategy->finish == RED_STRATEGY_COMMAND_BUFFER;
    const int indent = red_launch_waits_for_calls(r) ? 16 : is_recorded ? 4 : 8;
    for (size_t i = 0; i < list->n; i++) {
        char call[CALL_BYTES];
        call_format(&list->rows[i], names[i], call);
        red_text_add(calls, calls_bytes, "%s%*s%s;", i > 0 ? "\n" : "", indent, "", call);
    }
    red_blanks_set_flag(blanks, "RECORDED", is_recorded);
    red_blanks_set_borrowed(blanks, "RECORD", calls);
    red_blanks_set_borrowed(blanks, "LAUNCHES", is_recorded ? replay : calls);
    red_blanks_set(blanks, "OUTS", "%d", list->values_n[1] > 0 ? 2 : 1);
    if (list->values_n[1] > 0)
        red_blanks_set(blanks, "OUT_VALUES", "%" PRIu64 " * sizeof(%s), %" PRIu64 " * sizeof(%s)",
                       list->values_n[0], type, list->values_n[1], type);
    else
        red_blanks_set(blanks, "OUT_VALUES", "%" PRIu64 " * sizeof(%s)", list->values_n[0], type);
    red_blanks_set(blanks, "READ", "%" PRIu64, list->read_n);
    red_blanks_set_flag(blanks, "MANY", list->read_n > 1);
    red_blanks_set(blanks, "RESULT", "%u", list->result);
    red_blanks_set(blanks, "FIRST", "%" PRIu64, list->first);
    red_blanks_set(blanks, "GLOBAL", "%s",
                   r->strategy->needs & RED_NEED(NON_UNIFORM) ? "n > 0 ? n : groups" : "groups * GROUP_SIZE");
}
