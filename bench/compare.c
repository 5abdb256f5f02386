#include "bench/compare.h"

#include <stdlib.h>
#include <string.h>

const char *const red_relation_names[] = {
    [RED_ONE_RUN] = "one run", [RED_OTHER_RUN] = "another run", [RED_OTHER_MACHINE] = "different machine"};

/* ---- questions -------------------------------------------------------------------------------------------
 */

/* The order of questions: what is asked, then n. */
static int question_compare(const struct red_past_cell *a, const struct red_past_cell *b) {
    int order = strcmp(a->op, b->op);
    order = order ? order : strcmp(a->type, b->type);
    order = order ? order : strcmp(a->shape, b->shape);
    order = order ? order : strcmp(a->strategy, b->strategy);
    return order ? order : (a->n > b->n) - (a->n < b->n);
}

/* Of the same question the fastest first, then what has no time. */
static int cell_compare(const void *left, const void *right) {
    const struct red_past_cell *a = *(const struct red_past_cell *const *)left;
    const struct red_past_cell *b = *(const struct red_past_cell *const *)right;
    int order = question_compare(a, b);
    bool a_timed = a->median_s > 0, b_timed = b->median_s > 0;
    if (order == 0 && a_timed != b_timed)
        return a_timed ? -1 : 1;
    return order ? order : (a->median_s > b->median_s) - (a->median_s < b->median_s);
}

/* Where the side's cells of the question begin, or would. */
static size_t first_at(const struct red_side *side, const struct red_past_cell *question) {
    size_t low = 0, high = side->cells_n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (question_compare(side->cells[middle], question) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool is_about(const struct red_side *side, size_t at, const struct red_past_cell *question) {
    return at < side->cells_n && question_compare(side->cells[at], question) == 0;
}

const struct red_past_cell *red_side_answer(const struct red_side *side,
                                            const struct red_past_cell *question) {
    size_t at = first_at(side, question);
    return is_about(side, at, question) ? side->cells[at] : NULL;
}

/* What counts first when geometries end differently. */
static const enum red_state by_weight[] = {RED_STATE_PENDING, RED_STATE_UNSUPPORTED, RED_STATE_OVER_BUDGET,
                                           RED_STATE_PASS,    RED_STATE_KNOWN_BUG,   RED_STATE_BUILD_FAILED,
                                           RED_STATE_FAILED,  RED_STATE_TIMED_OUT,   RED_STATE_CRASHED,
                                           RED_STATE_WRONG};
_Static_assert(sizeof by_weight / sizeof by_weight[0] == RED_STATES_N, "each state has its weight");

static size_t weight_of(enum red_state state) {
    size_t weight = 0;
    while (by_weight[weight] != state)
        weight++;
    return weight;
}

bool red_state_is_trouble(enum red_state state) {
    return weight_of(state) > weight_of(RED_STATE_KNOWN_BUG);
}

enum red_state red_side_state(const struct red_side *side, const struct red_past_cell *question) {
    enum red_state state = RED_STATE_PENDING;
    for (size_t at = first_at(side, question); is_about(side, at, question); at++)
        if (weight_of(side->cells[at]->state) > weight_of(state))
            state = side->cells[at]->state;
    return state;
}

const struct red_past_cell *red_side_time(const struct red_side *side, const struct red_past_cell *question) {
    const struct red_past_cell *cell = red_side_answer(side, question);
    return cell != NULL && cell->median_s > 0 && !red_state_is_trouble(red_side_state(side, question)) ? cell
                                                                                                       : NULL;
}

/* The side whose next question comes first; NULL when all are through. */
static const struct red_past_cell *next_question(const struct red_comparison *comparison, const size_t *at) {
    const struct red_past_cell *next = NULL;
    for (size_t s = 0; s < comparison->sides_n; s++) {
        const struct red_side *side = &comparison->sides[s];
        if (at[s] < side->cells_n && (next == NULL || question_compare(side->cells[at[s]], next) < 0))
            next = side->cells[at[s]];
    }
    return next;
}

enum red_status red_comparison_each(const struct red_comparison *comparison, red_question_take *take,
                                    void *context, struct red_error *error) {
    size_t at[RED_SIDES_MAX] = {0};
    const struct red_past_cell *question;
    enum red_status status = RED_OK;
    while (status == RED_OK && (question = next_question(comparison, at)) != NULL) {
        for (size_t s = 0; s < comparison->sides_n; s++) {
            const struct red_side *side = &comparison->sides[s];
            while (at[s] < side->cells_n && question_compare(side->cells[at[s]], question) == 0)
                at[s]++;
        }
        status = take(context, question, error);
    }
    return status;
}

/* ---- sides -----------------------------------------------------------------------------------------------
 */

const struct red_past_device *red_side_device(const struct red_side *side) {
    return &side->past->devices[side->device];
}

static enum red_status side_add(struct red_comparison *comparison, const struct red_past *past, size_t device,
                                struct red_error *error) {
    if (comparison->sides_n == RED_SIDES_MAX)
        return red_fail(error, RED_E_INPUT, "compare takes at most %d devices at a time", RED_SIDES_MAX);
    struct red_side *side = &comparison->sides[comparison->sides_n];
    *side = (struct red_side){.past = past, .device = device};
    side->cells = calloc(past->cells_n + 1, sizeof *side->cells);
    if (side->cells == NULL)
        return red_fail(error, RED_E_MEMORY, "no memory to compare");
    side->label[0] = (char)('A' + comparison->sides_n++);
    for (size_t i = 0; i < past->cells_n; i++)
        if (past->cells[i].device == device)
            side->cells[side->cells_n++] = &past->cells[i];
    qsort(side->cells, side->cells_n, sizeof *side->cells, cell_compare);
    return RED_OK;
}

enum red_status red_comparison_sides(struct red_comparison *comparison, struct red_error *error) {
    enum red_status status = RED_OK;
    for (size_t f = 0; f < comparison->pasts_n; f++) {
        const struct red_past *past = &comparison->pasts[f];
        for (size_t d = 0; d < past->devices_n && status == RED_OK; d++)
            if (!past->devices[d].is_host)
                status = side_add(comparison, past, d, error);
    }
    if (status != RED_OK || comparison->sides_n >= 2)
        return status;
    return red_fail(error, RED_E_INPUT,
                    "compare --drivers wants two devices or more, in one result file or several; there is %s",
                    comparison->sides_n == 1 ? "one" : "none");
}

void red_comparison_clear(struct red_comparison *comparison) {
    for (size_t s = 0; s < comparison->sides_n; s++)
        free(comparison->sides[s].cells);
    for (size_t i = 0; i < comparison->pasts_n; i++)
        red_past_clear(&comparison->pasts[i]);
    comparison->sides_n = comparison->pasts_n = 0;
}

/* ---- what may be compared ---------------------------------------------------------------------------------
 */

enum red_relation red_sides_relate(const struct red_side *a, const struct red_side *b) {
    if (a->past == b->past)
        return RED_ONE_RUN;
    return strcmp(a->past->machine, b->past->machine) == 0 ? RED_OTHER_RUN : RED_OTHER_MACHINE;
}

struct red_ratio red_ratio_of(const struct red_past_cell *a, const struct red_past_cell *b) {
    return (struct red_ratio){b->median_s / a->median_s, b->low_s / a->high_s, b->high_s / a->low_s};
}
