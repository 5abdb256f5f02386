#include "compare/compare.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const red_relation_names[] = {
    [RED_ONE_RUN] = "one run", [RED_OTHER_RUN] = "another run", [RED_OTHER_MACHINE] = "different machine"};

/* ---- questions -------------------------------------------------------------------------------------------
 */

static int subject_compare(const struct red_cell *a, const struct red_cell *b) {
    int order = strcmp(a->op->name, b->op->name);
    order = order ? order : strcmp(a->dtype->name, b->dtype->name);
    order = order ? order : strcmp(a->shape, b->shape);
    return order ? order : strcmp(a->strategy->name, b->strategy->name);
}

static int n_compare(const struct red_cell *a, const struct red_cell *b) {
    return (a->n > b->n) - (a->n < b->n);
}

/* Of devices side by side: what is asked, then n. */
static int question_compare(const struct red_cell *a, const struct red_cell *b) {
    int order = subject_compare(a, b);
    return order ? order : n_compare(a, b);
}

/* The same of runs side by side, whatever the geometry. */
static int device_question_compare(const struct red_cell *a, const struct red_cell *b) {
    int order = strcmp(a->device_id, b->device_id);
    return order ? order : question_compare(a, b);
}

/* With it: n comes last, so that what differs in n only stands together. */
static int run_question_compare(const struct red_cell *a, const struct red_cell *b) {
    int order = strcmp(a->device_id, b->device_id);
    order = order ? order : subject_compare(a, b);
    order = order ? order : red_tuning_compare(&a->asked, &b->asked);
    return order ? order : n_compare(a, b);
}

/* Of the same question the fastest first, then what has no time. */
static int speed_compare(const struct red_cell *a, const struct red_cell *b) {
    bool a_timed = a->time.median > 0, b_timed = b->time.median > 0;
    if (a_timed != b_timed)
        return a_timed ? -1 : 1;
    return (a->time.median > b->time.median) - (a->time.median < b->time.median);
}

static int cell_compare(const void *left, const void *right, red_question_order *compare) {
    const struct red_cell *a = *(const struct red_cell *const *)left;
    const struct red_cell *b = *(const struct red_cell *const *)right;
    int order = compare(a, b);
    return order ? order : speed_compare(a, b);
}

static int by_question(const void *left, const void *right) {
    return cell_compare(left, right, question_compare);
}

static int by_device_question(const void *left, const void *right) {
    return cell_compare(left, right, device_question_compare);
}

static int by_run_question(const void *left, const void *right) {
    return cell_compare(left, right, run_question_compare);
}

/* Where the side's cells of the question begin, or would. */
static size_t first_at(const struct red_side *side, const struct red_cell *question) {
    size_t low = 0, high = side->cells_n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (side->order(side->cells[middle], question) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool is_about(const struct red_side *side, size_t at, const struct red_cell *question) {
    return at < side->cells_n && side->order(side->cells[at], question) == 0;
}

const struct red_cell *red_side_answer(const struct red_side *side, const struct red_cell *question) {
    size_t at = first_at(side, question);
    return is_about(side, at, question) ? side->cells[at] : NULL;
}

const struct red_cell *red_side_worst(const struct red_side *side, const struct red_cell *question) {
    const struct red_cell *worst = NULL;
    for (size_t at = first_at(side, question); is_about(side, at, question); at++)
        if (worst == NULL || red_state_severity(side->cells[at]->state) > red_state_severity(worst->state))
            worst = side->cells[at];
    return worst;
}

enum red_state red_side_state(const struct red_side *side, const struct red_cell *question) {
    const struct red_cell *worst = red_side_worst(side, question);
    return worst ? worst->state : RED_STATE_PENDING;
}

const struct red_cell *red_side_time(const struct red_side *side, const struct red_cell *question) {
    const struct red_cell *cell = red_side_answer(side, question);
    return cell != NULL && cell->time.median > 0 && !red_state_is_failure(red_side_state(side, question))
               ? cell
               : NULL;
}

/* The side whose next question comes first; NULL when all are through. */
static const struct red_cell *next_question(const struct red_comparison *comparison, const size_t *at) {
    const struct red_cell *next = NULL;
    for (size_t s = 0; s < comparison->sides_n; s++) {
        const struct red_side *side = &comparison->sides[s];
        if (at[s] < side->cells_n && (next == NULL || side->order(side->cells[at[s]], next) < 0))
            next = side->cells[at[s]];
    }
    return next;
}

enum red_status red_comparison_each(const struct red_comparison *comparison, red_question_take *take,
                                    void *context, struct red_error *error) {
    size_t at[RED_SIDES_MAX] = {0};
    const struct red_cell *question;
    enum red_status status = RED_OK;
    while (status == RED_OK && (question = next_question(comparison, at)) != NULL) {
        for (size_t s = 0; s < comparison->sides_n; s++) {
            const struct red_side *side = &comparison->sides[s];
            while (at[s] < side->cells_n && side->order(side->cells[at[s]], question) == 0)
                at[s]++;
        }
        status = take(context, question, error);
    }
    return status;
}

/* ---- sides -----------------------------------------------------------------------------------------------
 */

const struct red_run_device *red_side_device(const struct red_side *side) {
    return &side->result->run.devices[side->device];
}

/* Without its cells. Errors: RED_E_INPUT, RED_E_MEMORY. */
static enum red_status side_add(struct red_comparison *comparison, const struct red_result *result,
                                struct red_side **side, struct red_error *error) {
    if (comparison->sides_n == RED_SIDES_MAX)
        return red_fail(error, RED_E_INPUT, "compare takes at most %d devices at a time", RED_SIDES_MAX);
    *side = &comparison->sides[comparison->sides_n];
    **side =
        (struct red_side){.result = result, .cells = calloc(result->run.cells_n + 1, sizeof *(*side)->cells)};
    if ((*side)->cells == NULL)
        return red_fail(error, RED_E_MEMORY, "no memory to compare");
    comparison->sides_n++;
    return RED_OK;
}

static enum red_status side_add_device(struct red_comparison *comparison, const struct red_result *result,
                                       size_t device, struct red_error *error) {
    struct red_side *side = NULL;
    enum red_status status = side_add(comparison, result, &side, error);
    if (status != RED_OK)
        return status;
    side->label[0] = (char)('A' + comparison->sides_n - 1);
    side->device = device;
    side->order = question_compare;
    for (size_t i = 0; i < result->run.cells_n; i++)
        if (result->run.cells[i].device == device)
            side->cells[side->cells_n++] = &result->run.cells[i];
    qsort(side->cells, side->cells_n, sizeof *side->cells, by_question);
    return RED_OK;
}

enum red_status red_comparison_sides(struct red_comparison *comparison, struct red_error *error) {
    enum red_status status = RED_OK;
    for (size_t f = 0; f < comparison->results_n; f++) {
        const struct red_result *result = &comparison->results[f];
        for (size_t d = 0; d < result->run.devices_n && status == RED_OK; d++)
            if (!result->run.devices[d].is_host)
                status = side_add_device(comparison, result, d, error);
    }
    if (status != RED_OK || comparison->sides_n >= 2)
        return status;
    return red_fail(error, RED_E_INPUT,
                    "compare --drivers wants two devices or more, in one result file or several; there is %s",
                    comparison->sides_n == 1 ? "one" : "none");
}

static void sides_order(struct red_comparison *comparison, red_question_order *order,
                        int (*compare)(const void *, const void *)) {
    for (size_t s = 0; s < comparison->sides_n; s++) {
        struct red_side *side = &comparison->sides[s];
        side->order = order;
        qsort(side->cells, side->cells_n, sizeof *side->cells, compare);
    }
}

/* What nobody has written down is settled, as red_comparison_runs says; sides in device_question_compare's
 * order. */
static enum red_status settle_asked(void *context, const struct red_cell *question, struct red_error *error) {
    struct red_comparison *comparison = context;
    bool all_tell = true, all_are_one = true;
    (void)error;
    for (size_t s = 0; s < comparison->sides_n; s++) {
        const struct red_side *side = &comparison->sides[s];
        size_t first = first_at(side, question), at = first;
        for (; is_about(side, at, question); at++)
            all_tell = all_tell && !side->cells[at]->asked_unknown;
        all_are_one = all_are_one && at - first <= 1;
    }
    for (size_t s = 0; s < comparison->sides_n && !all_tell; s++) {
        const struct red_side *side = &comparison->sides[s];
        struct red_result *result = &comparison->results[s];
        for (size_t at = first_at(side, question); is_about(side, at, question); at++) {
            struct red_cell *cell = &result->run.cells[side->cells[at] - result->run.cells];
            cell->asked = all_are_one ? (struct red_tuning){.group_size = 0} : cell->tuning;
        }
    }
    return RED_OK;
}

enum red_status red_comparison_runs(struct red_comparison *comparison, struct red_error *error) {
    static const char *const labels[] = {"base", "head"};
    comparison->is_of_runs = true;
    for (size_t f = 0; f < comparison->results_n; f++) {
        const struct red_result *result = &comparison->results[f];
        struct red_side *side = NULL;
        enum red_status status = side_add(comparison, result, &side, error);
        if (status != RED_OK)
            return status;
        snprintf(side->label, sizeof side->label, "%s", labels[f]);
        while (side->cells_n < result->run.cells_n) {
            side->cells[side->cells_n] = &result->run.cells[side->cells_n];
            side->cells_n++;
        }
    }
    sides_order(comparison, device_question_compare, by_device_question);
    enum red_status status = red_comparison_each(comparison, settle_asked, comparison, error);
    sides_order(comparison, run_question_compare, by_run_question);
    return status;
}

void red_comparison_clear(struct red_comparison *comparison) {
    for (size_t s = 0; s < comparison->sides_n; s++)
        free(comparison->sides[s].cells);
    for (size_t i = 0; i < comparison->results_n; i++)
        red_result_clear(&comparison->results[i]);
    comparison->sides_n = comparison->results_n = 0;
}

/* ---- what may be compared ---------------------------------------------------------------------------------
 */

enum red_relation red_sides_relate(const struct red_side *a, const struct red_side *b) {
    if (a->result == b->result)
        return RED_ONE_RUN;
    return strcmp(a->result->machine, b->result->machine) == 0 ? RED_OTHER_RUN : RED_OTHER_MACHINE;
}

struct red_ratio red_ratio_of(const struct red_cell *a, const struct red_cell *b) {
    return (struct red_ratio){b->time.median / a->time.median, b->time.low / a->time.high,
                              b->time.high / a->time.low};
}
