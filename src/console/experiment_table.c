/* Makes the tables of experiments from the cells of a run, and prints them for `bench --experiments`
 * (cli/files.c); report/experiments.c puts them on the page. */
#include "console/experiment_table.h"

#include <string.h>

#include "console/console_table.h"
#include "core/text.h"
#include "results/steadiness.h"

/* ---- which cells --------------------------------------------------------------------------------------- */

/* What a table is of: an experiment and a device, with the host to compare with; and what varies in it. */
struct choice {
    const struct red_run *run;
    size_t device;
    const struct red_experiment *experiment;
    bool ops, sizes, group_sizes;
    const struct red_cell *first; /* a cell of the device; NULL: there is none */
};

/* The next cell of the choice behind `cell`, or the first behind NULL; NULL behind the last. */
static const struct red_cell *next_cell(const struct choice *choice, const struct red_cell *cell) {
    const struct red_run *run = choice->run;
    for (cell = cell == NULL ? run->cells : cell + 1; cell < run->cells + run->cells_n; cell++)
        if (strcmp(cell->experiment, choice->experiment->letter) == 0 &&
            (cell->device == choice->device || cell->device == 0))
            return cell;
    return NULL;
}

static struct choice choose(const struct red_run *run, size_t device,
                            const struct red_experiment *experiment) {
    struct choice choice = {.run = run, .device = device, .experiment = experiment};
    for (const struct red_cell *cell = NULL; (cell = next_cell(&choice, cell)) != NULL;) {
        const struct red_cell *first = choice.first;
        if (cell->device != device)
            continue;
        choice.first = first != NULL ? first : cell;
        choice.ops = choice.ops || (first != NULL && cell->op != first->op);
        choice.sizes = choice.sizes || (first != NULL && cell->n != first->n);
        choice.group_sizes =
            choice.group_sizes || (first != NULL && cell->asked.group_size != first->asked.group_size);
    }
    return choice;
}

/* ---- rows and columns ----------------------------------------------------------------------------------
 * Columns are what varies: n, or the operation, or the group size. Rows are strategies, with the group size
 * where that varies and is no column. */

static struct red_short_text column_name(const struct choice *choice, const struct red_cell *cell) {
    struct red_short_text made = {.text = "time"};
    if (choice->sizes)
        return red_size_text(cell->n);
    if (choice->ops)
        snprintf(made.text, sizeof made.text, "%s", cell->op->name);
    else if (choice->group_sizes)
        snprintf(made.text, sizeof made.text, "%zu", cell->asked.group_size);
    return made;
}

static struct red_short_text row_name(const struct choice *choice, const struct red_cell *cell) {
    struct red_short_text made = {.text = ""};
    red_text_add(made.text, sizeof made.text, "%s", cell->strategy->name);
    if (cell->device > 0 && choice->group_sizes && (choice->sizes || choice->ops))
        red_text_add(made.text, sizeof made.text, ":%zu", cell->asked.group_size);
    return made;
}

static bool is_same_text(struct red_short_text a, struct red_short_text b) {
    return strcmp(a.text, b.text) == 0;
}

/* Whether no cell before this one has its name. */
static bool is_first_of(const struct choice *choice, const struct red_cell *cell,
                        struct red_short_text (*name)(const struct choice *, const struct red_cell *)) {
    for (const struct red_cell *at = NULL; (at = next_cell(choice, at)) != cell;)
        if (is_same_text(name(choice, at), name(choice, cell)))
            return false;
    return true;
}

/* The cell of the row and the column that have these cells; NULL: there is none. */
static const struct red_cell *cell_at(const struct choice *choice, const struct red_cell *row,
                                      const struct red_cell *column) {
    for (const struct red_cell *at = NULL; (at = next_cell(choice, at)) != NULL;)
        if (is_same_text(row_name(choice, at), row_name(choice, row)) &&
            is_same_text(column_name(choice, at), column_name(choice, column)))
            return at;
    return NULL;
}

/* ---- tables -------------------------------------------------------------------------------------------- */

/* Puts a figure in us, marked where it is unsteady; or what became of the cell. */
static void put_time(struct red_table *table, const struct red_cell *cell) {
    const bool is_timed = cell != NULL && cell->samples_n > 0;
    red_table_put(table, "%s%s",
                  cell == NULL ? ""
                  : is_timed   ? red_number_text(1e6 * cell->time.median).text
                               : red_state_name(cell->state),
                  is_timed && (red_cell_is_unsteady(cell) || cell->time.is_incomparable) ? "?" : "");
}

/* Puts, in place of a time, how many times as fast it is as the sequential program. */
static void put_speed_up(const struct choice *choice, struct red_table *table, const struct red_cell *cell) {
    const struct red_cell *sequential = NULL;
    for (const struct red_cell *at = NULL; cell != NULL && (at = next_cell(choice, at)) != NULL;)
        if (strcmp(at->strategy->name, RED_SEQUENTIAL_STRATEGY) == 0 && at->n == cell->n && at->op == cell->op)
            sequential = at;
    const bool is_known = sequential != NULL && sequential->samples_n > 0 && cell->samples_n > 0 &&
                          !red_cell_is_incomplete(cell);
    red_table_put(table, "%s", is_known ? red_ratio_text(&sequential->time, &cell->time).text : "");
}

/* Makes the table of times, or of their factors to the sequential program. */
static struct red_table *make_grid(const struct choice *choice, bool speed_up) {
    struct red_table *table = red_table_create("strategy");
    for (const struct red_cell *cell = NULL; (cell = next_cell(choice, cell)) != NULL;)
        if (is_first_of(choice, cell, column_name))
            red_table_add_column(table, column_name(choice, cell).text, true, 0);
    for (const struct red_cell *row = NULL; (row = next_cell(choice, row)) != NULL;) {
        if (!is_first_of(choice, row, row_name) || (speed_up && row->device == 0))
            continue;
        red_table_put(table, "%s", row_name(choice, row).text);
        for (const struct red_cell *column = NULL; (column = next_cell(choice, column)) != NULL;) {
            if (!is_first_of(choice, column, column_name))
                continue;
            const struct red_cell *cell = cell_at(choice, row, column);
            if (speed_up)
                put_speed_up(choice, table, cell);
            else
                put_time(table, cell);
        }
    }
    return table;
}

static struct red_table *make_times(const struct choice *choice) {
    return make_grid(choice, false);
}

static struct red_table *make_speed_ups(const struct choice *choice) {
    return make_grid(choice, true);
}

/* Makes the table of event times: a row for each cell of the device. */
static struct red_table *make_launches(const struct choice *choice) {
    unsigned most_n = 0;
    for (const struct red_cell *cell = NULL; (cell = next_cell(choice, cell)) != NULL;)
        most_n = cell->launches.n > most_n ? cell->launches.n : most_n;
    struct red_table *table = red_table_create("strategy|n>|all launches>@40");
    for (unsigned i = 0; i < most_n; i++) {
        char name[32];
        if (i > 0)
            red_table_add_columns(table, "gap>");
        snprintf(name, sizeof name, "launch %u", i + 1);
        red_table_add_column(table, name, true, 0);
    }
    for (const struct red_cell *cell = NULL; (cell = next_cell(choice, cell)) != NULL;) {
        const struct red_launch_times *launches = &cell->launches;
        if (cell->device == 0 || cell->samples_n == 0)
            continue;
        RED_PUT(table, row_name(choice, cell).text, red_size_text(cell->n).text,
                cell->device_s > 0 ? red_number_text(1e6 * cell->device_s).text : cell->device_time_note);
        for (unsigned i = 0; i < most_n; i++) {
            if (i > 0)
                red_table_put(table, "%s",
                              i < launches->n ? red_number_text(1e6 * launches->gap_s[i - 1]).text : "");
            red_table_put(table, "%s", i < launches->n ? red_number_text(1e6 * launches->s[i]).text : "");
        }
    }
    return table;
}

/* The tables there are; the first is of every experiment. */
static const struct table_kind {
    enum red_experiment_table of;
    struct red_table *(*make)(const struct choice *choice);
    const char *figures;
} kinds[] = {
    {RED_EXPERIMENT_TIMES, make_times, "time to answer in us"},
    {RED_EXPERIMENT_LAUNCHES, make_launches, "event times of each launch, and the gaps between them, in us"},
    {RED_EXPERIMENT_SPEED_UP, make_speed_ups, "times as fast as the sequential program"},
};

/* "intel, dot of f32, n = 2^20: time to answer in us, by group size" */
static void title_format(const struct choice *choice, const struct table_kind *kind, char *title,
                         size_t title_bytes) {
    const struct red_cell *first = choice->first;
    title[0] = '\0';
    red_text_add(title, title_bytes, "%s", choice->run->devices[choice->device].info.id);
    if (!choice->ops)
        red_text_add(title, title_bytes, ", %s of %s", first->op->name, first->dtype->name);
    if (strcmp(first->shape, "array") != 0)
        red_text_add(title, title_bytes, ", shape %s", first->shape);
    else if (!choice->sizes)
        red_text_add(title, title_bytes, ", n = %s", red_size_text(first->n).text);
    red_text_add(title, title_bytes, ": %s", kind->figures);
    if (kind->of != RED_EXPERIMENT_LAUNCHES && (choice->sizes || choice->ops || choice->group_sizes))
        red_text_add(title, title_bytes, ", by %s",
                     choice->sizes ? "n"
                     : choice->ops ? "operation"
                                   : "group size");
}

bool red_experiment_table_make(const struct red_run *run, size_t device,
                               const struct red_experiment *experiment, unsigned i,
                               struct red_table **table, char *title, size_t title_bytes) {
    const struct choice choice = choose(run, device, experiment);
    const unsigned kinds_n = experiment->table == RED_EXPERIMENT_TIMES ? 1 : 2;
    if (choice.first == NULL || i >= kinds_n)
        return false;
    const struct table_kind *kind = &kinds[i == 0 ? RED_EXPERIMENT_TIMES : experiment->table];
    *table = kind->make(&choice);
    title_format(&choice, kind, title, title_bytes);
    return true;
}

/* ---- the screen ---------------------------------------------------------------------------------------- */

/* For bench, and for a report. */
bool red_run_has_experiments(const struct red_run *run) {
    for (size_t i = 0; i < run->cells_n; i++)
        if (run->cells[i].experiment[0] != '\0')
            return true;
    return false;
}

/* Whether a cell before this one of its row ended for the same reason, which is printed already. */
static bool is_reason_told(const struct choice *choice, const struct red_cell *cell) {
    for (const struct red_cell *at = NULL; (at = next_cell(choice, at)) != cell;)
        if (at->device == cell->device && at->strategy == cell->strategy && red_cells_ended_alike(at, cell))
            return true;
    return false;
}

/* Prints why cells of the device were not timed, each reason of a strategy once. */
static void print_reasons(FILE *out, const struct choice *choice) {
    for (const struct red_cell *cell = NULL; (cell = next_cell(choice, cell)) != NULL;) {
        char text[800];
        if (cell->device != choice->device || cell->state == RED_STATE_PASS || is_reason_told(choice, cell))
            continue;
        snprintf(text, sizeof text, "%s, %s at n = %s: %s: %s", row_name(choice, cell).text, cell->op->name,
                 red_size_text(cell->n).text, red_state_name(cell->state), cell->reason);
        red_wrapped_print(out, "  ", text);
    }
}

/* Called for bench --experiments (cli/files.c). */
void red_experiments_print(FILE *out, const struct red_run *run) {
    for (size_t e = 0; e < red_experiments_n; e++) {
        const struct red_experiment *experiment = &red_experiments[e];
        bool is_asked = false;
        for (size_t device = run->devices_n > 1 ? 1 : 0; device < run->devices_n; device++) {
            struct red_table *table;
            char title[256];
            for (unsigned i = 0;
                 red_experiment_table_make(run, device, experiment, i, &table, title, sizeof title); i++) {
                if (!is_asked)
                    fprintf(out, "\n%s) %s\n", experiment->letter, experiment->question);
                is_asked = true;
                red_table_print_below(table, title, NULL, out);
                red_table_destroy(table);
            }
            const struct choice choice = choose(run, device, experiment);
            print_reasons(out, &choice);
        }
    }
}
