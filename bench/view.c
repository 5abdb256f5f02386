#include "bench/view.h"

#include <stdio.h>

bool red_view_holds(const struct red_view *view, const struct red_cell *cell) {
    return cell->op == view->op && cell->dtype == view->dtype &&
           (cell->device == view->device || cell->device == 0);
}

bool red_run_begins_line(const struct red_run *run, const struct red_cell *cell) {
    return cell == run->cells || !red_cell_same_line(cell - 1, cell);
}

void red_view_line_name(const struct red_view *view, const struct red_cell *cell, char *text,
                        size_t text_bytes) {
    const struct red_tuning *asked = &cell->asked;
    char group_size[24] = "", groups[24] = "", lanes[16] = "";
    if (view->with_group_size && cell->device > 0)
        snprintf(group_size, sizeof group_size, ":%zu", asked->group_size);
    if (view->with_groups && cell->device > 0)
        snprintf(groups, sizeof groups, ":g%llu", (unsigned long long)asked->groups_n);
    if (view->with_lanes && cell->device > 0)
        snprintf(lanes, sizeof lanes, ":%ux%u", asked->width, asked->loads);
    snprintf(text, text_bytes, "%s%s%s%s", cell->strategy->name, group_size, groups, lanes);
}

const struct red_cell *red_view_line_cell(const struct red_view *view, const struct red_cell *line,
                                          uint64_t n) {
    const struct red_run *run = view->run;
    for (const struct red_cell *at = line; at < run->cells + run->cells_n; at++) {
        if (at != line && red_run_begins_line(run, at))
            break;
        if (at->n == n)
            return at;
    }
    return NULL;
}

const struct red_cell *red_view_fastest(const struct red_view *view, const struct red_strategy *strategy,
                                        uint64_t n) {
    return red_run_fastest(view->run, view->device, strategy, view->op, view->dtype, n);
}

const struct red_cell *red_view_openmp(const struct red_view *view, uint64_t n) {
    return red_run_fastest(view->run, 0, NULL, view->op, view->dtype, n);
}

const struct red_strategy *red_view_counterpart(const struct red_view *view, const struct red_cell *cell) {
    if (cell->device != view->device || cell->strategy->counterpart[0] == '\0')
        return NULL;
    return red_catalogue_find(view->catalogue, cell->strategy->counterpart);
}

void red_number_print(double value, char *text, size_t text_bytes) {
    int decimals = value < 0.0995 ? 3 : value < 9.995 ? 2 : value < 99.95 ? 1 : 0;
    snprintf(text, text_bytes, "%.*f", decimals, value);
}
