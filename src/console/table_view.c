#include "console/table_view.h"

#include <stdio.h>
#include <string.h>

#include "core/sizes.h"

void red_table_view_add_size(struct red_table_view *view, uint64_t n) {
    const size_t at = red_sizes_place(view->sizes, view->sizes_n, n);
    if ((at < view->sizes_n && view->sizes[at] == n) || view->sizes_n == RED_TABLE_VIEW_SIZES_MAX)
        return;
    memmove(&view->sizes[at + 1], &view->sizes[at], (view->sizes_n - at) * sizeof view->sizes[0]);
    view->sizes[at] = n;
    view->sizes_n++;
}

/* What a strategy was asked to run with more than one of. */
static void find_what_varies(struct red_table_view *view) {
    const struct red_run *run = view->run;
    for (size_t i = 1; i < run->cells_n; i++) {
        const struct red_tuning *a = &run->cells[i - 1].asked, *b = &run->cells[i].asked;
        if (run->cells[i].strategy != run->cells[i - 1].strategy ||
            run->cells[i].device != run->cells[i - 1].device)
            continue;
        view->with_group_size = view->with_group_size || a->group_size != b->group_size;
        view->with_groups = view->with_groups || a->groups_n != b->groups_n;
        view->with_lanes = view->with_lanes || a->width != b->width || a->loads != b->loads;
    }
}

void red_table_view_make(struct red_table_view *view, const struct red_run *run,
                         const struct red_catalogue *catalogue, FILE *out) {
    *view = (struct red_table_view){.run = run, .catalogue = catalogue, .out = out};
    for (size_t i = 0; i < run->cells_n; i++)
        red_table_view_add_size(view, run->cells[i].n);
    find_what_varies(view);
}

bool red_table_view_holds(const struct red_table_view *view, const struct red_cell *cell) {
    return cell->op == view->op && cell->dtype == view->dtype &&
           (cell->device == view->device || cell->device == 0);
}

bool red_run_begins_line(const struct red_run *run, const struct red_cell *cell) {
    return cell == run->cells || !red_cell_same_line(cell - 1, cell);
}

void red_table_view_line_name(const struct red_table_view *view, const struct red_cell *cell, char *text,
                              size_t text_bytes) {
    struct red_tuning_words words = RED_TUNING_SHORT;
    char asked[64] = "";
    if (!view->with_group_size)
        words.group_size = NULL;
    if (!view->with_groups)
        words.groups = NULL;
    if (!view->with_lanes)
        words.lanes = NULL;
    if (cell->device > 0)
        red_tuning_print(&cell->asked, words, asked, sizeof asked);
    snprintf(text, text_bytes, "%s%s", cell->strategy->name, asked);
}

const struct red_cell *red_table_view_line_cell(const struct red_table_view *view,
                                                const struct red_cell *line, uint64_t n) {
    const struct red_run *run = view->run;
    for (const struct red_cell *at = line; at < run->cells + run->cells_n; at++) {
        if (at != line && red_run_begins_line(run, at))
            break;
        if (at->n == n)
            return at;
    }
    return NULL;
}

const struct red_cell *red_table_view_fastest(const struct red_table_view *view,
                                              const struct red_strategy *strategy, uint64_t n) {
    return red_run_fastest(view->run, view->device, strategy, view->op, view->dtype, n);
}

const struct red_cell *red_table_view_openmp(const struct red_table_view *view, uint64_t n) {
    return red_run_fastest(view->run, 0, NULL, view->op, view->dtype, n);
}

const struct red_strategy *red_table_view_counterpart(const struct red_table_view *view,
                                                      const struct red_cell *cell) {
    if (cell->device != view->device || cell->strategy->counterpart[0] == '\0')
        return NULL;
    return red_catalogue_find(view->catalogue, cell->strategy->counterpart);
}

void red_number_print(double value, char *text, size_t text_bytes) {
    int decimals = value < 0.0995 ? 3 : value < 9.995 ? 2 : value < 99.95 ? 1 : 0;
    snprintf(text, text_bytes, "%.*f", decimals, value);
}

static const char *state_mark(enum red_state state) {
    static const char *const marks[RED_STATES_N] = {
        [RED_STATE_PENDING] = "pend",     [RED_STATE_PASS] = "?",
        [RED_STATE_WRONG] = "WRONG",      [RED_STATE_BUILD_FAILED] = "build",
        [RED_STATE_UNSUPPORTED] = "-",    [RED_STATE_OVER_BUDGET] = "over",
        [RED_STATE_FAILED] = "failed",    [RED_STATE_CRASHED] = "crash",
        [RED_STATE_TIMED_OUT] = "hang",   [RED_STATE_KNOWN_BUG] = "bug",
        [RED_STATE_IMPLAUSIBLE] = "fast!"};
    return marks[state];
}

/* A median that could as well be a quarter more or less. */
static bool is_unsteady(const struct red_cell *cell) {
    return cell->time.high - cell->time.low > 0.5 * cell->time.median;
}

void red_table_view_format_cell(const struct red_table_view *view, const struct red_cell *cell, char *text,
                                size_t text_bytes) {
    text[0] = '\0';
    if (cell == NULL)
        return;
    if (cell->samples_n == 0) {
        snprintf(text, text_bytes, "%s ", state_mark(cell->state));
        return;
    }
    const struct red_cell *best = red_table_view_fastest(view, NULL, cell->n);
    bool wins = best != NULL && (cell->device > 0 || view->device == 0) &&
                red_statistics_compare(&cell->time, &best->time) == 0;
    red_number_print(1e6 * cell->time.median, text, text_bytes - 1);
    strcat(text, is_unsteady(cell) ? "?" : wins ? "*" : " ");
}

/* "1.21x", or "1.21~" where the intervals of the medians overlap. */
void red_table_view_format_ratio(const struct red_cell *a, const struct red_cell *b, char *text,
                                 size_t text_bytes) {
    red_number_print(a->time.median / b->time.median, text, text_bytes - 1);
    strcat(text, red_statistics_compare(&a->time, &b->time) == 0 ? "~" : "x");
}
