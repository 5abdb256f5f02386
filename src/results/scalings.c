/* Finds cells over ranks that belong together: those of a scaling, of a line of its table, with one rank, and
 * of another program over the same devices (CUB with NCCL, for example). */
#include "results/scalings.h"

#include <gsl/gsl_sort.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/numbers.h"

double red_ranks_cell_time_s(const struct red_cell *cell) {
    return cell != NULL && cell->samples_n > 0 ? cell->time.median : INFINITY;
}

/* Whether the cell is of a kind that reads an array. */
static bool has_array(const struct red_cell *cell) {
    return cell->kind != RED_CELL_BARE && cell->kind != RED_CELL_ALONE;
}

static bool is_weak(const struct red_cell *cell) {
    return cell->at.scaling[0] != '\0';
}

/* n of the scaling that the cell itself says: of weak scaling what each rank has. */
static uint64_t n_of_scaling(const struct red_cell *cell) {
    return is_weak(cell) ? cell->at.n / cell->at.ranks_n : cell->at.n;
}

/* ---- other programs ------------------------------------------------------------------------------------ */

bool red_ranks_run_fits_peer(const struct red_run *run, const struct red_run *peer) {
    const struct red_over_ranks *ours = &run->over_ranks, *theirs = &peer->over_ranks;
    if (red_run_is_of_peer(run) || theirs->ranks_n > ours->ranks_n)
        return false;
    for (size_t r = 0; r < theirs->ranks_n; r++)
        if (strcmp(ours->ranks[r].device_name, theirs->ranks[r].device_name) != 0)
            return false;
    return true;
}

/* Whether both say the same of what they measured. */
static bool is_same_cell(const struct red_cell *a, const struct red_cell *b) {
    return a->kind == b->kind && red_at_is_same(&a->at, &b->at, RED_AT_ALL & ~RED_AT(DEVICE));
}

/* Sets *samples_s to a copy of both cells' samples of a part, or to NULL where one of them lacks it. */
static enum red_status join_part(const struct red_cell *a, const struct red_cell *b, enum red_time_part part,
                                 double **samples_s, struct red_error *error) {
    const double *first_s = red_cell_part_s(a, part), *second_s = red_cell_part_s(b, part);
    const size_t n = a->samples_n + b->samples_n;
    *samples_s = NULL;
    if (first_s == NULL || second_s == NULL)
        return RED_OK;
    *samples_s = malloc(n * sizeof **samples_s);
    if (*samples_s == NULL)
        return red_fail(error, RED_E_MEMORY, "no memory for %zu samples", n);
    memcpy(*samples_s, first_s, a->samples_n * sizeof **samples_s);
    memcpy(*samples_s + a->samples_n, second_s, b->samples_n * sizeof **samples_s);
    return RED_OK;
}

/* Puts a cell with the samples of both in the place of the first. */
static enum red_status join_cells(struct red_ranks_pivot *pivot, const struct red_cell **place,
                                  const struct red_cell *more, struct red_error *error) {
    struct red_cell *joined = &pivot->joined[pivot->joined_n++];
    const struct red_cell *first = *place;
    enum red_status status = RED_OK;
    *joined = *first;
    joined->cpu_s = NULL;
    joined->answers = NULL;
    joined->answers_n = 0;
    status = join_part(first, more, RED_PART_TOTAL, &joined->samples_s, error);
    for (int part = RED_PART_DEVICE; part < RED_PARTS_N; part++) {
        joined->parts_s[part] = NULL;
        if (status == RED_OK)
            status = join_part(first, more, (enum red_time_part)part, &joined->parts_s[part], error);
    }
    joined->samples_n += more->samples_n;
    *place = joined;
    return status == RED_OK ? red_cell_find_statistics(joined, error) : status;
}

/* Adds another program's cell, to the same one of a file before, where there is one. */
static enum red_status add_peer_cell(struct red_ranks_pivot *pivot, const struct red_cell *cell,
                                     struct red_error *error) {
    for (size_t i = pivot->own_n; i < pivot->cells_n; i++)
        if (is_same_cell(pivot->cells[i], cell) && pivot->cells[i]->samples_s != NULL &&
            cell->samples_s != NULL)
            return join_cells(pivot, &pivot->cells[i], cell, error);
    pivot->cells[pivot->cells_n++] = cell;
    return RED_OK;
}

/* ---- the pivot ----------------------------------------------------------------------------------------- */

/* Kinds one after the other, and those of a kind by what is measured. */
static int compare_places(const struct red_cell *a, const struct red_cell *b) {
    const int order = (a->kind > b->kind) - (a->kind < b->kind);
    return order ? order : red_at_compare(&a->at, &b->at, RED_AT_ALL & ~RED_AT(DEVICE));
}

/* For qsort: of the same place what was timed comes first. */
static int by_place(const void *left, const void *right) {
    const struct red_cell *a = *(const struct red_cell *const *)left,
                          *b = *(const struct red_cell *const *)right;
    const int order = compare_places(a, b);
    return order ? order : (a->samples_n == 0) - (b->samples_n == 0);
}

/* The timed cell of the place; NULL if there is none. */
static const struct red_cell *find_timed(const struct red_ranks_pivot *pivot, const struct red_cell *place) {
    size_t at;
    RED_LOWER_BOUND(at, pivot->cells_n, compare_places(pivot->by_at[at], place) < 0);
    const struct red_cell *found = at < pivot->cells_n ? pivot->by_at[at] : NULL;
    return found != NULL && compare_places(found, place) == 0 && found->samples_n > 0 ? found : NULL;
}

/* The same of either way of scaling, that of the place before the other. */
static const struct red_cell *find_of_any_scaling(const struct red_ranks_pivot *pivot,
                                                  struct red_cell *place) {
    const struct red_cell *found = find_timed(pivot, place);
    if (found != NULL)
        return found;
    snprintf(place->at.scaling, sizeof place->at.scaling, "%s", is_weak(place) ? "" : RED_SCALING_WEAK);
    return find_timed(pivot, place);
}

enum red_status red_ranks_pivot_make(const struct red_run *run, const struct red_result *peers,
                                     size_t peers_n, struct red_ranks_pivot *pivot, struct red_error *error) {
    size_t most = run->beside_n + run->cells_n + 1;
    enum red_status status = RED_OK;
    for (size_t p = 0; p < peers_n; p++)
        most += peers[p].run.beside_n + peers[p].run.cells_n;
    *pivot = (struct red_ranks_pivot){.run = run,
                                      .cells = calloc(most, sizeof *pivot->cells),
                                      .by_at = calloc(most, sizeof *pivot->by_at),
                                      .joined = calloc(most, sizeof *pivot->joined)};
    if (pivot->cells == NULL || pivot->by_at == NULL || pivot->joined == NULL)
        return red_fail(error, RED_E_MEMORY, "no memory for %zu cells over ranks", most);
    for (size_t i = 0; i < run->beside_n; i++)
        pivot->cells[pivot->cells_n++] = &run->beside[i];
    for (size_t i = 0; i < run->cells_n; i++)
        pivot->cells[pivot->cells_n++] = &run->cells[i];
    pivot->own_n = pivot->cells_n;
    for (size_t p = 0; p < peers_n; p++) {
        const struct red_run *peer = &peers[p].run;
        for (size_t i = 0; i < peer->beside_n + peer->cells_n && status == RED_OK; i++)
            status = add_peer_cell(
                pivot, i < peer->beside_n ? &peer->beside[i] : &peer->cells[i - peer->beside_n], error);
    }
    memcpy(pivot->by_at, pivot->cells, pivot->cells_n * sizeof *pivot->by_at);
    qsort(pivot->by_at, pivot->cells_n, sizeof *pivot->by_at, by_place);
    return status;
}

void red_ranks_pivot_clear(struct red_ranks_pivot *pivot) {
    for (size_t i = 0; i < pivot->joined_n; i++)
        red_cell_clear(&pivot->joined[i]);
    free(pivot->joined);
    free(pivot->cells);
    free(pivot->by_at);
    *pivot = (struct red_ranks_pivot){.run = NULL};
}

/* ---- cells that belong together ------------------------------------------------------------------------ */

/* Any operation and type has the same. */
const struct red_cell *red_ranks_bare_beside(const struct red_ranks_pivot *pivot,
                                             const struct red_cell *cell) {
    for (size_t i = 0; i < pivot->cells_n; i++)
        if (pivot->cells[i]->kind == RED_CELL_BARE && pivot->cells[i]->at.ranks_n == cell->at.ranks_n &&
            pivot->cells[i]->samples_n > 0)
            return pivot->cells[i];
    return NULL;
}

const struct red_cell *red_ranks_cell_of_one(const struct red_ranks_pivot *pivot,
                                             const struct red_cell *cell) {
    struct red_cell place = {.kind = cell->kind, .at = cell->at};
    if (is_weak(cell) && cell->at.n % cell->at.ranks_n != 0)
        return NULL;
    place.at.n = n_of_scaling(cell);
    place.at.ranks_n = 1;
    return has_array(cell) ? find_of_any_scaling(pivot, &place) : NULL;
}

double red_ranks_efficiency(const struct red_ranks_pivot *pivot, const struct red_cell *cell) {
    const struct red_cell *one = red_ranks_cell_of_one(pivot, cell);
    if (cell->samples_n == 0 || one == NULL)
        return 0;
    return one->time.median / (cell->time.median * (is_weak(cell) ? 1 : cell->at.ranks_n));
}

double red_ranks_roof_share(const struct red_ranks_pivot *pivot, const struct red_cell *cell) {
    struct red_cell place = {
        .kind = RED_CELL_ROOF,
        .at = red_at_projection(&cell->at, RED_AT_ALL & ~(RED_AT(STRATEGY) | RED_AT(COLLECTIVE)))};
    const struct red_cell *roof = find_of_any_scaling(pivot, &place);
    const double share = cell->samples_n > 0 && roof != NULL ? roof->time.median / cell->time.median : 0;
    return share < RED_ROOF_SHARE_IMPOSSIBLE ? share : 0;
}

/* ---- scalings ------------------------------------------------------------------------------------------ */

/* Whether the cell is one of the scaling's. */
static bool has_cell(const struct red_scaling *scaling, const struct red_cell *cell) {
    return has_array(cell) && n_of_scaling(cell) == scaling->n &&
           (is_weak(cell) == scaling->weak || cell->at.ranks_n == 1) &&
           red_at_is_same(&cell->at, &scaling->at, RED_AT_TABLE);
}

/* Whether both cells stand in one line of a table. */
static bool has_same_line(const struct red_cell *a, const struct red_cell *b) {
    return a->kind == b->kind && red_at_is_same(&a->at, &b->at, RED_AT(STRATEGY) | RED_AT(COLLECTIVE));
}

/* The scaling that the cell itself says, whose cells may be anywhere. */
static struct red_scaling scaling_of(const struct red_ranks_pivot *pivot, const struct red_cell *cell) {
    return (struct red_scaling){.pivot = pivot,
                                .at = cell->at,
                                .weak = is_weak(cell),
                                .n = n_of_scaling(cell),
                                .end = pivot->cells_n};
}

/* Whether a cell before this one is of the same scaling, by what both say themselves: most often the one
 * before. */
static bool is_scaling_of_cell_before(const struct red_ranks_pivot *pivot, size_t at) {
    const struct red_scaling scaling = scaling_of(pivot, pivot->cells[at]);
    for (size_t i = at; i > 0; i--)
        if (is_weak(pivot->cells[i - 1]) == scaling.weak && has_cell(&scaling, pivot->cells[i - 1]))
            return true;
    return false;
}

bool red_scaling_next(const struct red_ranks_pivot *pivot, size_t *at, struct red_scaling *scaling) {
    while (*at < pivot->cells_n && (!has_array(pivot->cells[*at]) || is_scaling_of_cell_before(pivot, *at)))
        ++*at;
    if (*at == pivot->cells_n)
        return false;
    *scaling = scaling_of(pivot, pivot->cells[(*at)++]);
    while (!has_cell(scaling, pivot->cells[scaling->first]))
        scaling->first++;
    while (!has_cell(scaling, pivot->cells[scaling->end - 1]))
        scaling->end--;
    return true;
}

bool red_scaling_is_largest(const struct red_scaling *scaling) {
    for (size_t i = 0; i < scaling->pivot->cells_n; i++) {
        const struct red_cell *cell = scaling->pivot->cells[i];
        if (has_array(cell) && is_weak(cell) == scaling->weak && n_of_scaling(cell) > scaling->n &&
            red_at_is_same(&cell->at, &scaling->at, RED_AT_TABLE))
            return false;
    }
    return true;
}

unsigned red_scaling_ranks_n_above(const struct red_scaling *scaling, unsigned ranks_n) {
    unsigned least = 0;
    for (size_t i = scaling->first; i < scaling->end; i++) {
        const struct red_cell *cell = scaling->pivot->cells[i];
        if (cell->at.ranks_n > ranks_n && (least == 0 || cell->at.ranks_n < least) && has_cell(scaling, cell))
            least = cell->at.ranks_n;
    }
    return least;
}

unsigned red_scaling_most_ranks_n(const struct red_scaling *scaling) {
    unsigned own = 0, peers = 0;
    for (size_t i = scaling->first; i < scaling->end; i++) {
        const struct red_cell *cell = scaling->pivot->cells[i];
        unsigned *most = cell->kind == RED_CELL_PEER ? &peers : &own;
        if (cell->at.ranks_n > *most && has_cell(scaling, cell))
            *most = cell->at.ranks_n;
    }
    return own > 0 ? own : peers;
}

const struct red_cell *red_scaling_next_line(const struct red_scaling *scaling, size_t *at) {
    const struct red_cell *const *cells = scaling->pivot->cells;
    while (scaling->first + *at < scaling->end) {
        const size_t i = scaling->first + (*at)++;
        bool is_known = !has_cell(scaling, cells[i]);
        for (size_t k = scaling->first; k < i && !is_known; k++)
            is_known = has_cell(scaling, cells[k]) && has_same_line(cells[k], cells[i]);
        if (!is_known)
            return cells[i];
    }
    return NULL;
}

const struct red_cell *red_scaling_cell(const struct red_scaling *scaling, const struct red_cell *line,
                                        unsigned ranks_n) {
    const struct red_cell *other = NULL;
    for (size_t i = scaling->first; i < scaling->end; i++) {
        const struct red_cell *cell = scaling->pivot->cells[i];
        if (cell->at.ranks_n != ranks_n || !has_cell(scaling, cell) || !has_same_line(cell, line))
            continue;
        if (is_weak(cell) == scaling->weak)
            return cell;
        other = other != NULL ? other : cell;
    }
    return other;
}

/* The fastest of a kind; of our own not of the host. */
static const struct red_cell *fastest_of_kind(const struct red_scaling *scaling, enum red_cell_kind kind,
                                              unsigned ranks_n) {
    const struct red_cell *best = NULL;
    for (size_t i = scaling->first; i < scaling->end; i++) {
        const struct red_cell *cell = scaling->pivot->cells[i];
        if (cell->kind == kind && cell->at.ranks_n == ranks_n && cell->samples_n > 0 &&
            has_cell(scaling, cell) && !cell->banned &&
            (best == NULL || cell->time.median < best->time.median) &&
            (kind != RED_CELL_OWN || !scaling->pivot->run->devices[cell->device].is_host))
            best = cell;
    }
    return best;
}

const struct red_cell *red_scaling_fastest(const struct red_scaling *scaling, unsigned ranks_n) {
    return fastest_of_kind(scaling, RED_CELL_OWN, ranks_n);
}

const struct red_cell *red_scaling_fastest_peer(const struct red_scaling *scaling, unsigned ranks_n) {
    return fastest_of_kind(scaling, RED_CELL_PEER, ranks_n);
}

enum red_ranks_bits red_scaling_bits(const struct red_scaling *scaling, const struct red_cell *line) {
    const struct red_cell *first = NULL;
    enum red_ranks_bits bits = RED_BITS_UNKNOWN;
    for (size_t i = scaling->first; i < scaling->end && !scaling->weak; i++) {
        const struct red_cell *cell = scaling->pivot->cells[i];
        if (cell->answers_n == 0 || !has_cell(scaling, cell) || !has_same_line(cell, line))
            continue;
        first = first != NULL ? first : cell;
        if (cell->answers_n != first->answers_n)
            return RED_BITS_UNKNOWN;
        if (memcmp(cell->answers, first->answers, cell->answers_n * sizeof cell->answers[0]) != 0)
            bits = RED_BITS_DIFFER;
        else if (cell->at.ranks_n != first->at.ranks_n && bits == RED_BITS_UNKNOWN)
            bits = RED_BITS_SAME;
    }
    return bits;
}

double red_scaling_time_of_fastest(const struct red_scaling *scaling, unsigned ranks_n, size_t lines_n) {
    double *times_s = calloc(scaling->end - scaling->first, sizeof *times_s), found_s = INFINITY;
    const struct red_cell *line;
    size_t n = 0;
    if (times_s == NULL) {
        red_memory_note_failure();
        return 0;
    }
    for (size_t at = 0; (line = red_scaling_next_line(scaling, &at)) != NULL;)
        if (line->kind == RED_CELL_OWN)
            times_s[n++] = red_ranks_cell_time_s(red_scaling_cell(scaling, line, ranks_n));
    gsl_sort(times_s, 1, n);
    if (n > lines_n && lines_n > 0)
        found_s = times_s[lines_n - 1];
    free(times_s);
    return found_s;
}
