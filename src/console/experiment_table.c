/* Makes the tables of experiments from the cells of a run, and prints them for `bench --experiments`
 * (cli/files.c); report/experiments.c puts them on the page. */
#include "console/experiment_table.h"

#include <string.h>

#include "console/console_table.h"
#include "core/select.h"
#include "results/figures.h"
#include "results/steadiness.h"

/* ---- which cells --------------------------------------------------------------------------------------- */

enum { SOURCES_MAX = 64 };

/* What a table is of: an experiment on devices, each with its host to compare with; and what varies in it. */
struct choice {
    const struct red_experiment_source *sources;
    size_t sources_n;
    const struct red_experiment *experiment;
    unsigned varies;              /* of the axes operation, n, asked geometry and shape */
    const struct red_cell *first; /* a cell of a device; NULL: there is none */
};

/* The next cell of the source behind `cell`, or the first behind NULL; NULL behind the last. */
static const struct red_cell *next_cell(const struct choice *choice, size_t source,
                                        const struct red_cell *cell) {
    const struct red_run *run = choice->sources[source].run;
    for (cell = cell == NULL ? run->cells : cell + 1; cell < run->cells + run->cells_n; cell++)
        if (strcmp(cell->experiment, choice->experiment->letter) == 0 &&
            (cell->device == choice->sources[source].device || cell->device == 0))
            return cell;
    return NULL;
}

static struct choice choose(const struct red_experiment_source *sources, size_t sources_n,
                            const struct red_experiment *experiment) {
    struct choice choice = {.sources = sources, .sources_n = sources_n, .experiment = experiment};
    for (size_t s = 0; s < sources_n; s++)
        for (const struct red_cell *cell = NULL; (cell = next_cell(&choice, s, cell)) != NULL;) {
            if (cell->device != sources[s].device)
                continue;
            choice.first = choice.first != NULL ? choice.first : cell;
            choice.varies |= red_at_difference(&cell->at, &choice.first->at,
                                               RED_AT(OP) | RED_AT(N) | RED_AT(ASKED) | RED_AT(SHAPE));
        }
    return choice;
}

/* ---- rows and columns ----------------------------------------------------------------------------------
 * Columns are what varies: n, or the operation, or the group size. Rows are strategies, with the group size
 * where that varies and is no column, and with the shape where files have several (whole and not). */

static struct red_short_text column_name(const struct choice *choice, const struct red_cell *cell) {
    struct red_short_text made = {.text = "time"};
    if (choice->varies & RED_AT(N))
        return red_size_text(cell->at.n);
    if (choice->varies & RED_AT(OP))
        snprintf(made.text, sizeof made.text, "%s", cell->at.op->name);
    else if (choice->varies & RED_AT(ASKED))
        snprintf(made.text, sizeof made.text, "%zu", cell->at.asked.group_size);
    return made;
}

static struct red_short_text row_name(const struct choice *choice, const struct red_cell *cell) {
    struct red_short_text made = {.text = ""};
    red_text_add(made.text, sizeof made.text, "%s", cell->at.strategy->name);
    if (cell->device > 0 && choice->varies & RED_AT(ASKED) && choice->varies & (RED_AT(N) | RED_AT(OP)))
        red_text_add(made.text, sizeof made.text, ":%zu", cell->at.asked.group_size);
    if (choice->varies & RED_AT(SHAPE))
        red_text_add(made.text, sizeof made.text, " %s", cell->at.shape);
    return made;
}

static bool is_same_text(struct red_short_text a, struct red_short_text b) {
    return strcmp(a.text, b.text) == 0;
}

/* Whether no cell of the source before this one has its row. */
static bool begins_row(const struct choice *choice, size_t source, const struct red_cell *cell) {
    for (const struct red_cell *at = NULL; (at = next_cell(choice, source, at)) != cell;)
        if (is_same_text(row_name(choice, at), row_name(choice, cell)))
            return false;
    return true;
}

/* The cell of the row of this one, and of the column; NULL: there is none. */
static const struct red_cell *cell_at(const struct choice *choice, size_t source, const struct red_cell *row,
                                      const char *column) {
    for (const struct red_cell *at = NULL; (at = next_cell(choice, source, at)) != NULL;)
        if (is_same_text(row_name(choice, at), row_name(choice, row)) &&
            strcmp(column_name(choice, at).text, column) == 0)
            return at;
    return NULL;
}

/* ---- tables -------------------------------------------------------------------------------------------- */

/* What a table shows of each cell: its time, how many times as fast it is as the sequential program, or a
 * figure. */
struct shown {
    const char *title;
    bool is_speed_up;
    const struct red_figure *figure; /* or NULL */
};

/* Finds what the i-th table of the experiment shows; the first of every experiment has times. False: it has
 * no such table. */
static bool find_shown(const struct red_experiment *experiment, unsigned i, struct shown *shown) {
    const char *rest = experiment->figures;
    char key[RED_SELECT_PATTERN_BYTES];
    *shown = (struct shown){.title = "time to answer in us"};
    if (i == 0)
        return true;
    if (experiment->has_speed_up && i == 1) {
        *shown = (struct shown){"times as fast as the sequential program", true, NULL};
        return true;
    }
    i -= experiment->has_speed_up ? 2 : 1;
    while (rest != NULL && red_select_next(&rest, key))
        if (i-- == 0) {
            shown->figure = red_figure_find(key);
            shown->title = shown->figure->title;
            return true;
        }
    return false;
}

/* Puts a figure in us, marked where it is unsteady; or what became of the cell. */
static void put_time(struct red_table *table, const struct red_cell *cell) {
    const bool is_timed = cell != NULL && cell->samples_n > 0;
    red_table_put(table, "%s%s",
                  cell == NULL ? ""
                  : is_timed   ? red_number_text(1e6 * cell->time.median).text
                               : red_state_name(cell->state),
                  is_timed && red_cell_is_doubtful(cell) ? "?" : "");
}

/* Puts, in place of a time, how many times as fast it is as the sequential program. */
static void put_speed_up(const struct choice *choice, size_t source, struct red_table *table,
                         const struct red_cell *cell) {
    const struct red_cell *sequential = NULL;
    for (const struct red_cell *at = NULL; cell != NULL && (at = next_cell(choice, source, at)) != NULL;)
        if (strcmp(at->at.strategy->name, RED_SEQUENTIAL_STRATEGY) == 0 &&
            red_at_is_same(&at->at, &cell->at, RED_AT(N) | RED_AT(OP)))
            sequential = at;
    const bool is_known = sequential != NULL && sequential->samples_n > 0 && cell->samples_n > 0 &&
                          !red_cell_is_incomplete(cell);
    red_table_put(table, "%s", is_known ? red_ratio_text(&sequential->time, &cell->time).text : "");
}

/* Adds a column for each value of what varies. */
static void add_columns(const struct choice *choice, struct red_table *table) {
    for (size_t s = 0; s < choice->sources_n; s++)
        for (const struct red_cell *cell = NULL; (cell = next_cell(choice, s, cell)) != NULL;) {
            const struct red_short_text name = column_name(choice, cell);
            bool is_there = false;
            for (size_t c = 0; c < red_table_columns_n(table) && !is_there; c++)
                is_there = strcmp(red_table_column(table, c)->name, name.text) == 0;
            if (!is_there)
                red_table_add_column(table, name.text, true, 0);
        }
}

/* Whether any cell of the row has the figure. */
static bool row_has_figure(const struct choice *choice, size_t source, const struct red_cell *row,
                           const struct red_figure *figure) {
    for (const struct red_cell *at = NULL; (at = next_cell(choice, source, at)) != NULL;)
        if (is_same_text(row_name(choice, at), row_name(choice, row)) &&
            red_figure_text(figure, choice->sources[source].run, at).text[0] != '\0')
            return true;
    return false;
}

/* Whether a row of the table begins with the cell. The host has times alone. */
static bool is_shown_row(const struct choice *choice, size_t source, const struct red_cell *cell,
                         const struct shown *shown) {
    const bool is_of_times = !shown->is_speed_up && shown->figure == NULL;
    return begins_row(choice, source, cell) && (cell->device > 0 || is_of_times) &&
           (shown->figure == NULL || row_has_figure(choice, source, cell, shown->figure));
}

/* Makes a table: the device, where there are several, the strategy, and what varies. */
static struct red_table *make_table(const struct choice *choice, const struct shown *shown) {
    struct red_table *table = red_table_create(choice->sources_n > 1 ? "device|strategy" : "strategy");
    const size_t names_n = red_table_columns_n(table);
    add_columns(choice, table);
    for (size_t s = 0; s < choice->sources_n; s++)
        for (const struct red_cell *row = NULL; (row = next_cell(choice, s, row)) != NULL;) {
            if (!is_shown_row(choice, s, row, shown))
                continue;
            if (choice->sources_n > 1)
                red_table_put(table, "%s", choice->sources[s].label);
            red_table_put(table, "%s", row_name(choice, row).text);
            for (size_t c = names_n; c < red_table_columns_n(table); c++) {
                const struct red_cell *cell = cell_at(choice, s, row, red_table_column(table, c)->name);
                if (shown->is_speed_up)
                    put_speed_up(choice, s, table, cell);
                else if (shown->figure != NULL)
                    red_table_put(table, "%s",
                                  red_figure_text(shown->figure, choice->sources[s].run, cell).text);
                else
                    put_time(table, cell);
            }
        }
    return table;
}

/* "intel, dot of f32, n = 2^20: time to answer in us, by group size; ? = unsteady or disturbed"; of several
 * devices without their names. */
static void title_format(const struct choice *choice, const struct shown *shown, char *title,
                         size_t title_bytes) {
    const struct red_cell *first = choice->first;
    title[0] = '\0';
    if (choice->sources_n == 1)
        red_text_add(title, title_bytes, "%s, ", choice->sources[0].label);
    red_text_add(title, title_bytes, "%s of %s",
                 choice->varies & RED_AT(OP) ? "operations" : first->at.op->name, first->at.dtype->name);
    if (choice->varies & RED_AT(SHAPE))
        red_text_add(title, title_bytes, ", of several shapes");
    else if (red_at_shape_kind(&first->at) != RED_SHAPE_ARRAY)
        red_text_add(title, title_bytes, ", shape %s", first->at.shape);
    else if (!(choice->varies & RED_AT(N)))
        red_text_add(title, title_bytes, ", n = %s", red_size_text(first->at.n).text);
    red_text_add(title, title_bytes, ": %s", shown->title);
    if (choice->varies & (RED_AT(N) | RED_AT(OP) | RED_AT(ASKED)))
        red_text_add(title, title_bytes, ", by %s",
                     choice->varies & RED_AT(N)    ? "n"
                     : choice->varies & RED_AT(OP) ? "operation"
                                                   : "group size");
    red_text_add(title, title_bytes, "%s", shown->figure == NULL ? "; ? = unsteady or disturbed" : "");
}

bool red_experiment_table_make(const struct red_experiment_source *sources, size_t sources_n,
                               const struct red_experiment *experiment, unsigned i, struct red_table **table,
                               char *title, size_t title_bytes) {
    const struct choice choice = choose(sources, sources_n, experiment);
    struct shown shown;
    if (choice.first == NULL || !find_shown(experiment, i, &shown))
        return false;
    *table = make_table(&choice, &shown);
    title_format(&choice, &shown, title, title_bytes);
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

/* Whether a cell before this one of its strategy ended for the same reason, which is printed already. */
static bool is_reason_told(const struct choice *choice, size_t source, const struct red_cell *cell) {
    for (const struct red_cell *at = NULL; (at = next_cell(choice, source, at)) != cell;)
        if (red_at_is_same(&at->at, &cell->at, RED_AT(DEVICE) | RED_AT(STRATEGY)) &&
            red_cells_ended_alike(at, cell))
            return true;
    return false;
}

/* Prints why cells of a run were not timed, each reason of a strategy once; the host's, which every device
 * has beside it, with the first one's. */
static void print_reasons(FILE *out, const struct choice *choice) {
    for (size_t s = 0; s < choice->sources_n; s++)
        for (const struct red_cell *cell = NULL; (cell = next_cell(choice, s, cell)) != NULL;) {
            char text[900];
            if ((cell->device == 0 && s > 0) || cell->state == RED_STATE_PASS ||
                is_reason_told(choice, s, cell))
                continue;
            snprintf(text, sizeof text, "%s: %s, %s at n = %s: %s: %s",
                     choice->sources[s].run->devices[cell->device].info.id, row_name(choice, cell).text,
                     cell->at.op->name, red_size_text(cell->at.n).text, red_state_name(cell->state),
                     cell->reason);
            red_wrapped_print(out, "  ", text);
        }
}

/* Prints which devices' times cannot be compared, and why. */
static void print_steadiness(FILE *out, const struct red_run *run) {
    for (size_t device = 0; device < run->devices_n; device++) {
        char text[512], before[96];
        red_steadiness_sentence_format(run, device, text, sizeof text);
        if (text[0] == '\0')
            continue;
        snprintf(before, sizeof before, "On %.80s ", device > 0 ? run->devices[device].info.id : "the host");
        fputc('\n', out);
        red_wrapped_print(out, before, text);
    }
}

/* Called for bench --experiments (cli/files.c). */
void red_experiments_print(FILE *out, const struct red_run *run) {
    struct red_experiment_source sources[SOURCES_MAX];
    size_t sources_n = 0;
    for (size_t device = run->devices_n > 1 ? 1 : 0; device < run->devices_n && sources_n < SOURCES_MAX;
         device++) {
        sources[sources_n] = (struct red_experiment_source){.run = run, .device = device};
        snprintf(sources[sources_n++].label, sizeof sources->label, "%.79s", run->devices[device].info.id);
    }
    for (size_t e = 0; e < red_experiments_n; e++) {
        const struct choice choice = choose(sources, sources_n, &red_experiments[e]);
        struct red_table *table;
        char title[256], none[512];
        for (unsigned i = 0; red_experiment_table_make(sources, sources_n, &red_experiments[e], i, &table,
                                                       title, sizeof title);
             i++) {
            if (i == 0)
                fprintf(out, "\n%s) %s\n", red_experiments[e].letter, red_experiments[e].question);
            snprintf(none, sizeof none, "%s: unknown; %s", title, choice.first->device_time_note);
            red_table_print_below(table, title, none, out);
            red_table_destroy(table);
        }
        if (choice.first != NULL)
            print_reasons(out, &choice);
    }
    print_steadiness(out, run);
}
