/* The data of histograms: cells that differ in it alone, and the slowest of them. Seen as the second table of
 * `bench`, and in the second section that report and recommend have for a histogram. */
#include <stdlib.h>
#include <string.h>

#include "results/run.h"

/* For files, names of cells and messages. */
const char *red_cell_data(const struct red_cell *cell) {
    return cell->data[0] != '\0' ? cell->data : red_pattern_name(RED_PATTERN_UNIFORM);
}

/* For the keys of compare, and below. */
int red_cell_bins_and_data_compare(const struct red_cell *a, const struct red_cell *b) {
    const int order = (a->bins_n > b->bins_n) - (a->bins_n < b->bins_n);
    return order ? order : strcmp(a->data, b->data);
}

/* A cell, where it stands among those that red_cells_slowest was given, and the one of uniform data. */
struct placed_cell {
    const struct red_cell *cell, *uniform;
    size_t at;
};

/* The order of all that two cells are of, but for the data. */
static int compare_but_data(const struct red_cell *a, const struct red_cell *b) {
    int order = (a->device > b->device) - (a->device < b->device);
    order = order ? order : strcmp(a->strategy->name, b->strategy->name);
    order = order ? order : strcmp(a->op->name, b->op->name);
    order = order ? order : strcmp(a->dtype->name, b->dtype->name);
    order = order ? order : strcmp(a->shape, b->shape);
    order = order ? order : (a->bins_n > b->bins_n) - (a->bins_n < b->bins_n);
    order = order ? order : red_tuning_compare(&a->asked, &b->asked);
    return order ? order : (a->n > b->n) - (a->n < b->n);
}

/* For qsort, of placed cells: those that differ in their data alone stand together, as they stood. */
static int by_all_but_data(const void *left, const void *right) {
    const struct placed_cell *a = left, *b = right;
    const int order = compare_but_data(a->cell, b->cell);
    return order ? order : (a->at > b->at) - (a->at < b->at);
}

static int by_place(const void *left, const void *right) {
    const struct placed_cell *a = left, *b = right;
    return (a->at > b->at) - (a->at < b->at);
}

/* Whether the cell is slower than another that differs in its data alone. */
static bool is_slower(const struct red_cell *cell, const struct red_cell *other) {
    if (cell->samples_n > 0 && other->samples_n > 0)
        return cell->time.median > other->time.median;
    if (cell->samples_n > 0 || other->samples_n > 0)
        return cell->samples_n == 0;
    return red_state_severity(cell->state) > red_state_severity(other->state);
}

/* For the second table of `bench` (console/console_table.c) and for queries of a file (results/queries.c). */
struct red_cell *red_cells_slowest(const struct red_run *first, const struct red_run *second,
                                   size_t *slowest_n) {
    const size_t first_n = first != NULL ? first->cells_n : 0, cells_n = first_n + second->cells_n;
    struct placed_cell *placed = calloc(cells_n + 1, sizeof *placed);
    struct red_cell *slowest = placed != NULL ? calloc(cells_n + 1, sizeof *slowest) : NULL;
    size_t groups_n = 0;
    for (size_t i = 0; i < cells_n && slowest != NULL; i++) {
        const struct red_cell *cell = i < first_n ? &first->cells[i] : &second->cells[i - first_n];
        placed[i] = (struct placed_cell){cell, cell->data[0] == '\0' ? cell : NULL, i};
    }
    if (slowest != NULL)
        qsort(placed, cells_n, sizeof *placed, by_all_but_data);
    for (size_t i = 0; i < cells_n && slowest != NULL; i++) {
        struct placed_cell *last = &placed[groups_n - (groups_n > 0)];
        if (groups_n == 0 || compare_but_data(last->cell, placed[i].cell) != 0) {
            placed[groups_n++] = placed[i];
            continue;
        }
        last->uniform = last->uniform != NULL ? last->uniform : placed[i].uniform;
        last->cell = is_slower(placed[i].cell, last->cell) ? placed[i].cell : last->cell;
    }
    if (slowest != NULL)
        qsort(placed, groups_n, sizeof *placed, by_place);
    for (size_t i = 0; i < groups_n; i++) {
        slowest[i] = *placed[i].cell;
        slowest[i].is_slowest = true;
        slowest[i].uniform = placed[i].uniform;
    }
    *slowest_n = groups_n;
    free(placed);
    return slowest;
}
