/* Prints the table of `bench` after its run: times, rates, pairs of 2.x and 1.x, what was not timed and why.
 * The report (report/report.c) makes views of its own, and takes names and ratios from here. */
#include "console/console_table.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "console/table.h"
#include "core/memory.h"
#include "core/select.h"
#include "core/text.h"
#include "model/primitive.h"
#include "results/steadiness.h"

/* Finds what of the geometry a strategy was asked to run with several values of. */
static void find_varied_geometry(struct red_table_view *view) {
    const struct red_run *run = view->run;
    for (size_t i = 1; i < run->cells_n; i++) {
        const struct red_tuning *a = &run->cells[i - 1].at.asked, *b = &run->cells[i].at.asked;
        if (!red_at_is_same(&run->cells[i].at, &run->cells[i - 1].at, RED_AT(DEVICE) | RED_AT(STRATEGY)))
            continue;
        view->with_group_size = view->with_group_size || a->group_size != b->group_size;
        view->with_groups = view->with_groups || a->groups_n != b->groups_n;
        view->with_lanes = view->with_lanes || a->width != b->width || a->loads != b->loads;
    }
}

/* Called below for the tables of `bench`, and by report/chart.c for each device of a section. */
void red_table_view_begin(struct red_table_view *view, const struct red_run *run,
                          const struct red_catalogue *catalogue, FILE *out) {
    *view = (struct red_table_view){.run = run, .catalogue = catalogue, .out = out};
    for (size_t i = 0; i < run->cells_n; i++)
        red_sizes_insert(view->sizes, &view->sizes_n, RED_TABLE_VIEW_SIZES_MAX, run->cells[i].at.n);
    find_varied_geometry(view);
}

/* True for cells of this table: the device's, and the host's (OpenMP) to compare with. */
static bool is_cell_of_device_or_host(const struct red_table_view *view, const struct red_cell *cell) {
    return red_at_is_same(&cell->at, &view->at, RED_AT_TABLE) &&
           (cell->device == view->device || cell->device == 0);
}

/* A line is a row of the table: cells that differ in n only and stand together. True for its first cell. */
static bool begins_line(const struct red_run *run, const struct red_cell *cell) {
    return cell == run->cells || !red_cell_same_line(cell - 1, cell);
}

/* "tree"; what is compared stands behind it, "chunk:64:g8:16x4": group size, groups, lanes. */
static struct red_short_text line_name(const struct red_table_view *view, const struct red_cell *cell) {
    struct red_tuning_words words = RED_TUNING_SHORT;
    struct red_short_text made = {.text = ""};
    char asked[64] = "";
    if (!view->with_group_size)
        words.group_size = NULL;
    if (!view->with_groups)
        words.groups = NULL;
    if (!view->with_lanes)
        words.lanes = NULL;
    if (cell->device > 0)
        red_tuning_format(&cell->at.asked, words, asked, sizeof asked);
    red_text_add(made.text, sizeof made.text, "%s%s", cell->at.strategy->name, asked);
    return made;
}

/* The cell of the line that begins at `line` with this n, or NULL. */
static const struct red_cell *find_cell_of_line(const struct red_table_view *view,
                                                const struct red_cell *line, uint64_t n) {
    const struct red_run *run = view->run;
    for (const struct red_cell *at = line; at < run->cells + run->cells_n; at++) {
        if (at != line && begins_line(run, at))
            break;
        if (at->at.n == n)
            return at;
    }
    return NULL;
}

/* For marks, pairs and summary of `bench`, and for the charts of a report. */
const struct red_cell *red_table_view_fastest(const struct red_table_view *view,
                                              const struct red_strategy *strategy, uint64_t n) {
    return red_run_fastest(view->run, view->device, strategy, &view->at, n);
}

/* For the column OpenMP and the summary of `bench`, and for OpenMP in the charts of a report. */
const struct red_cell *red_table_view_openmp(const struct red_table_view *view, uint64_t n) {
    return red_run_openmp(view->run, &view->at, n);
}

/* For the summary (summary.c), and for the lines of a report's charts. */
bool red_table_view_device_has_strategy(const struct red_table_view *view,
                                        const struct red_strategy *strategy) {
    for (size_t i = 0; i < view->run->cells_n; i++)
        if (view->run->cells[i].at.strategy == strategy && view->run->cells[i].device == view->device)
            return true;
    return false;
}

/* For the lines "2.x : 1.x" of `bench`, and the report's chart "What 2.x buys over 1.x". */
size_t red_table_view_find_pairs(const struct red_table_view *view,
                                 struct red_strategy_pair pairs[RED_STRATEGIES_MAX]) {
    const struct red_strategy *last = NULL;
    size_t n = 0;
    for (size_t i = 0; i < view->run->cells_n && n < RED_STRATEGIES_MAX; i++) {
        const struct red_cell *cell = &view->run->cells[i];
        if (!is_cell_of_device_or_host(view, cell) || cell->device != view->device ||
            cell->at.strategy == last || cell->at.strategy->counterpart[0] == '\0')
            continue;
        last = cell->at.strategy;
        pairs[n] = (struct red_strategy_pair){
            last, red_catalogue_find(view->catalogue, cell->at.strategy->counterpart)};
        n += pairs[n].earlier != NULL;
    }
    return n;
}

/* For the table of `bench`, and for tables and heat maps of a report. */
const char *red_state_word(enum red_state state) {
    static const char *const marks[RED_STATES_N] = {
        [RED_STATE_PENDING] = "pend",     [RED_STATE_PASS] = "?",
        [RED_STATE_WRONG] = "WRONG",      [RED_STATE_BUILD_FAILED] = "build",
        [RED_STATE_UNSUPPORTED] = "-",    [RED_STATE_OVER_BUDGET] = "over",
        [RED_STATE_FAILED] = "failed",    [RED_STATE_CRASHED] = "crash",
        [RED_STATE_TIMED_OUT] = "hang",   [RED_STATE_KNOWN_BUG] = "bug",
        [RED_STATE_IMPLAUSIBLE] = "fast!"};
    return marks[state];
}

/* Behind the time of a cell that is the slowest of several data: which it was; blank: uniform. */
static char data_mark(const struct red_cell *cell) {
    return cell->at.data[0] != '\0' ? (char)tolower((unsigned char)cell->at.data[0]) : ' ';
}

/* For the head of a table of `bench`, and a report's section of slowest data. */
void red_table_view_data_format(const struct red_table_view *view, char *text, size_t text_bytes) {
    const struct red_run *run = view->run;
    char marks[16] = "", listed[96] = "";
    unsigned bins_n = 0;
    bool is_slowest = false, has_data = false;
    for (const struct red_cell *cell = run->cells; cell < run->cells + run->cells_n; cell++) {
        const char mark[] = {data_mark(cell), '\0'};
        if (!is_cell_of_device_or_host(view, cell))
            continue;
        bins_n = cell->at.bins_n;
        is_slowest = is_slowest || cell->is_slowest;
        has_data = has_data || red_at_has_data(&cell->at);
        if (cell->at.data[0] == '\0' || strstr(marks, mark) != NULL)
            continue;
        red_text_add(listed, sizeof listed, "%s%s = %s", marks[0] == '\0' ? ": " : ", ", mark, cell->at.data);
        red_text_add(marks, sizeof marks, "%s", mark);
    }
    text[0] = '\0';
    if (bins_n > 0)
        red_text_add(text, text_bytes, "%u bins%s", bins_n, has_data ? ", " : "");
    if (has_data)
        red_text_add(text, text_bytes, "%s%s", is_slowest ? "slowest data of each cell" : "uniform data",
                     listed);
}

/* An entry of the table of `bench`, and of the tables below the report's charts of lines. */
struct red_short_text red_table_view_cell_text(const struct red_table_view *view,
                                               const struct red_cell *cell) {
    struct red_short_text made = {.text = ""};
    if (cell != NULL && cell->samples_n == 0)
        snprintf(made.text, sizeof made.text, "%s ", red_state_word(cell->state));
    if (cell == NULL || cell->samples_n == 0)
        return made;
    const struct red_cell *best = red_table_view_fastest(view, NULL, cell->at.n);
    bool wins = best != NULL && !cell->banned && (cell->device > 0 || view->device == 0) &&
                red_statistics_compare(&cell->time, &best->time) == 0;
    red_text_add(made.text, sizeof made.text, "%s", red_number_text(1e6 * cell->time.median).text);
    if (cell->is_slowest)
        red_text_add(made.text, sizeof made.text, "%c", data_mark(cell));
    red_text_add(made.text, sizeof made.text, "%s", red_cell_is_doubtful(cell) ? "?" : wins ? "*" : " ");
    return made;
}

/* At 16 characters for the names and 19 for the figures that are always there 8 columns of 8 fill the screen.
 */
enum { NAME_WIDTH_MIN = 16, COLUMN_WIDTH_MIN = 8, PAIR_WIDTH = 35 };

/* ---- the table ----------------------------------------------------------------------------------------- */

/* How wide the columns are, and which of them are printed below each other: as many as fit on the screen. */
struct table_layout {
    int name_width, column_width;
    int always_width, some_width; /* of the figures behind the last column: always there, or known of some */
    int figure_widths[RED_FIGURES_MAX]; /* each with the blank before it; 0: no column */
    size_t columns_n;                   /* that fit */
    size_t first, last;                 /* the sizes from first to before last */
};

/* A width that a text of this length fits into, too. */
static int wider_of(int width, size_t length) {
    return (int)length > width ? (int)length : width;
}

/* The next line of the table behind this one, or the first behind NULL; NULL behind the last. */
static const struct red_cell *next_line(const struct red_table_view *view, const struct red_cell *line) {
    const struct red_run *run = view->run;
    for (line = line == NULL ? run->cells : line + 1; line < run->cells + run->cells_n; line++)
        if (is_cell_of_device_or_host(view, line) && begins_line(run, line))
            return line;
    return NULL;
}

/* The figure of the line, which is that of its largest n of all. */
static struct red_short_text figure_of_line(const struct red_table_view *view,
                                            const struct red_figure *figure, const struct red_cell *line) {
    return red_figure_text(figure, view->run, find_cell_of_line(view, line, view->sizes[view->sizes_n - 1]));
}

/* Finds the widths of figures. Those that only some strategies have are as wide as their texts. */
static void find_figure_widths(const struct red_table_view *view, struct table_layout *layout) {
    for (const struct red_figure *figure = NULL; (figure = red_figure_next(figure, RED_IN_BENCH)) != NULL;) {
        int *width = &layout->figure_widths[figure - red_figures];
        *width = figure->width > 0 ? figure->width + 1 : 0;
        layout->always_width += *width;
        if (figure->width > 0)
            continue;
        for (const struct red_cell *line = NULL; (line = next_line(view, line)) != NULL;)
            *width = wider_of(*width, strlen(figure_of_line(view, figure, line).text));
        *width = *width > 0 ? 1 + wider_of(*width, strlen(figure->heading)) : 0;
        layout->some_width += *width;
    }
}

/* The layout of the table, before its first columns. */
static struct table_layout find_layout(const struct red_table_view *view) {
    struct table_layout layout = {.name_width = NAME_WIDTH_MIN, .column_width = COLUMN_WIDTH_MIN};
    const struct red_run *run = view->run;
    for (const struct red_cell *cell = run->cells; cell < run->cells + run->cells_n; cell++) {
        if (!is_cell_of_device_or_host(view, cell))
            continue;
        layout.name_width = wider_of(layout.name_width, strlen(line_name(view, cell).text));
        layout.column_width =
            wider_of(layout.column_width, strlen(red_table_view_cell_text(view, cell).text) + 1);
        layout.column_width = wider_of(layout.column_width, strlen(red_size_text(cell->at.n).text) + 2);
    }
    find_figure_widths(view, &layout);
    int columns_n = (RED_SCREEN_WIDTH - layout.always_width - layout.name_width) / layout.column_width;
    layout.columns_n = columns_n > 1 ? (size_t)columns_n : 1;
    return layout;
}

/* Prints a line without the blanks that fill its last column. */
static void print_trimmed_line(const struct red_table_view *view, const char *text) {
    size_t length = strlen(text);
    while (length > 0 && text[length - 1] == ' ')
        length--;
    fprintf(view->out, "%.*s\n", (int)length, text);
}

/* Whether the figures that only some strategies have fit beside the layout's columns. */
static bool has_room_for_some(const struct table_layout *layout) {
    const int columns_width = (int)(layout->last - layout->first) * layout->column_width;
    return layout->name_width + columns_width + layout->always_width + layout->some_width <= RED_SCREEN_WIDTH;
}

/* Appends the figures of the line, or their headings (NULL). */
static void add_figures(const struct red_table_view *view, const struct table_layout *layout,
                        const struct red_cell *line, char *row, size_t row_bytes) {
    for (const struct red_figure *figure = NULL; (figure = red_figure_next(figure, RED_IN_BENCH)) != NULL;) {
        const int width = layout->figure_widths[figure - red_figures];
        if (width > 0 && (figure->width > 0 || has_room_for_some(layout)))
            red_text_add(row, row_bytes, " %*s", width - 1,
                         line != NULL ? figure_of_line(view, figure, line).text : figure->heading);
    }
}

/* Prints, below the times, each figure for which there was no room beside them, with the lines that have it.
 */
static void print_figures_below(const struct red_table_view *view, const struct table_layout *layout) {
    const int name_width =
        layout->name_width < RED_SCREEN_WIDTH / 2 ? layout->name_width : RED_SCREEN_WIDTH / 2;
    char heading[32];
    snprintf(heading, sizeof heading, "n = %.24s", red_size_text(view->sizes[view->sizes_n - 1]).text);
    for (const struct red_figure *figure = NULL; (figure = red_figure_next(figure, RED_IN_BENCH)) != NULL;) {
        if (figure->width > 0 || layout->figure_widths[figure - red_figures] == 0)
            continue;
        struct red_table *table = red_table_create("");
        red_table_add_column(table, heading, false, (unsigned)name_width);
        red_table_add_column(table, figure->heading, true, (unsigned)(RED_SCREEN_WIDTH - 2 - name_width));
        for (const struct red_cell *line = NULL; (line = next_line(view, line)) != NULL;)
            if (figure_of_line(view, figure, line).text[0] != '\0')
                RED_PUT(table, line_name(view, line).text, figure_of_line(view, figure, line).text);
        fputc('\n', view->out);
        red_table_print(table, view->out);
        red_table_destroy(table);
    }
}

/* Prints the heading and every line of the table, with the times at the layout's sizes; behind the last size
 * of all there are figures. */
static void print_times_of_columns(const struct red_table_view *view, const struct table_layout *layout) {
    const bool with_figures = layout->last == view->sizes_n;
    char row[512];
    snprintf(row, sizeof row, "%-*s", layout->name_width, "n =");
    for (size_t i = layout->first; i < layout->last; i++)
        red_text_add(row, sizeof row, "%*s ", layout->column_width - 1, red_size_text(view->sizes[i]).text);
    if (with_figures)
        add_figures(view, layout, NULL, row, sizeof row);
    print_trimmed_line(view, row);
    for (const struct red_cell *line = NULL; (line = next_line(view, line)) != NULL;) {
        snprintf(row, sizeof row, "%-*s", layout->name_width, line_name(view, line).text);
        for (size_t i = layout->first; i < layout->last; i++)
            red_text_add(row, sizeof row, "%*s", layout->column_width,
                         red_table_view_cell_text(view, find_cell_of_line(view, line, view->sizes[i])).text);
        if (with_figures)
            add_figures(view, layout, line, row, sizeof row);
        print_trimmed_line(view, row);
    }
    if (with_figures && layout->some_width > 0 && !has_room_for_some(layout))
        print_figures_below(view, layout);
}

/* ---- pairs --------------------------------------------------------------------------------------------- */

/* The fastest cell of one of a pair; NULL also where it was not checked at every level: no factor is told. */
static const struct red_cell *cell_of_pair(const struct red_table_view *view,
                                           const struct red_strategy *strategy, uint64_t n) {
    const struct red_cell *cell = red_table_view_fastest(view, strategy, n);
    return cell != NULL && !red_cell_is_incomplete(cell) ? cell : NULL;
}

/* Prints how many times faster the later strategy is at the layout's sizes, `with_heading` below a line of
 * these. False, and nothing printed, if the two were never timed at the same n of these. A name that is too
 * long for its column gets a line of its own. */
static bool print_pair_if_timed(const struct red_table_view *view, const struct table_layout *layout,
                                const struct red_strategy_pair *pair, bool with_heading) {
    char name[80], row[512];
    bool any = false;
    snprintf(name, sizeof name, "%s : %s", pair->later->name, pair->earlier->name);
    bool apart = strlen(name) >= PAIR_WIDTH;
    snprintf(row, sizeof row, "%-*s", PAIR_WIDTH, apart ? "" : name);
    for (size_t i = layout->first; i < layout->last; i++) {
        const struct red_cell *a = cell_of_pair(view, pair->later, view->sizes[i]),
                              *b = cell_of_pair(view, pair->earlier, view->sizes[i]);
        any = any || (a != NULL && b != NULL);
        red_text_add(row, sizeof row, "%*s", layout->column_width,
                     a != NULL && b != NULL ? red_ratio_text(&b->time, &a->time).text : "- ");
    }
    if (!any)
        return false;
    if (with_heading) {
        fprintf(view->out, "\n%-*s", PAIR_WIDTH, "2.x : 1.x, times faster (~ tie)");
        for (size_t i = layout->first; i < layout->last; i++)
            fprintf(view->out, "%*s", layout->column_width, red_size_text(view->sizes[i]).text);
        fputc('\n', view->out);
    }
    if (apart)
        fprintf(view->out, "%s\n", name);
    print_trimmed_line(view, row);
    return true;
}

/* ---- what did not run ---------------------------------------------------------------------------------- */

/* Whether the cell is of this table, not the host's beside a device, and has a state other than `pass`; of
 * the slowest data one whose reason does not stand below the table of uniform data. */
static bool has_not_passed_on_device(const struct red_table_view *view, const struct red_cell *cell) {
    return cell->device == view->device && red_at_is_same(&cell->at, &view->at, RED_AT_TABLE) &&
           cell->state != RED_STATE_PASS && !(cell->is_slowest && cell->at.data[0] == '\0');
}

/* The reasons of cells that are over budget differ in the projected time only. One line of "not timed:" of
 * `bench`, or one row of the report's "Not timed", tells of both. */
bool red_cells_ended_alike(const struct red_cell *a, const struct red_cell *b) {
    return a->state == b->state && (a->state == RED_STATE_OVER_BUDGET || strcmp(a->reason, b->reason) == 0);
}

/* Whether the reason is printed already: for another n of the line, or for another line with that reason. */
static bool is_reason_printed(const struct red_table_view *view, const struct red_cell *cell) {
    for (const struct red_cell *at = view->run->cells; at < cell; at++)
        if (has_not_passed_on_device(view, at) && red_cells_ended_alike(at, cell) &&
            (red_cell_same_line(at, cell) ||
             (at->at.n == cell->at.n && cell->state != RED_STATE_OVER_BUDGET)))
            return true;
    return false;
}

/* Writes the names of the lines that ended with the same reason at this n; over budget its own. */
static void line_names_of_reason_format(const struct red_table_view *view, const struct red_cell *cell,
                                        char *text, size_t text_bytes) {
    const struct red_run *run = view->run;
    text[0] = '\0';
    for (const struct red_cell *at = cell; at < run->cells + run->cells_n; at++) {
        bool shares = has_not_passed_on_device(view, at) && at->at.n == cell->at.n &&
                      red_cells_ended_alike(at, cell) && cell->state != RED_STATE_OVER_BUDGET;
        if (at != cell && !shares)
            continue;
        red_text_add(text, text_bytes, "%s%s", at == cell ? "" : ", ", line_name(view, at).text);
    }
}

/* "at n = 1001", or "from n = 2^24 on" if every larger n has it too. */
static void sizes_of_reason_format(const struct red_table_view *view, const struct red_cell *cell, char *text,
                                   size_t text_bytes) {
    size_t larger_n = 0, sharing_n = 0;
    for (const struct red_cell *at = cell + 1; at < view->run->cells + view->run->cells_n; at++) {
        if (begins_line(view->run, at))
            break;
        larger_n++;
        sharing_n += red_cells_ended_alike(at, cell);
    }
    const bool all_share = larger_n > 0 && larger_n == sharing_n;
    snprintf(text, text_bytes, all_share ? "from n = %s on" : "at n = %s%s", red_size_text(cell->at.n).text,
             sharing_n > 0 ? " and others" : "");
}

/* Prints below "not timed:" each reason once, with the lines and sizes that it holds for. */
static void print_not_timed(const struct red_table_view *view) {
    const struct red_run *run = view->run;
    bool any = false;
    for (const struct red_cell *cell = run->cells; cell < run->cells + run->cells_n; cell++) {
        if (!has_not_passed_on_device(view, cell) || is_reason_printed(view, cell))
            continue;
        char names[512], where[96], text[1200];
        line_names_of_reason_format(view, cell, names, sizeof names);
        sizes_of_reason_format(view, cell, where, sizeof where);
        if (cell->is_slowest)
            red_text_add(where, sizeof where, " with %s", cell->at.data);
        snprintf(text, sizeof text, "%s: %s %s: %s", names, red_state_name(cell->state), where, cell->reason);
        fputs(any ? "" : "\nnot timed:\n", view->out);
        red_wrapped_print(view->out, "  ", text);
        any = true;
    }
}

/* ---- all ----------------------------------------------------------------------------------------------- */

/* What the head of a table tells of its cells. */
struct head_notes {
    bool pending, waits; /* whether there are cells that were not reached, or whose launch waits */
};

static struct head_notes find_head_notes(const struct red_table_view *view) {
    struct head_notes notes = {.pending = false};
    for (size_t i = 0; i < view->run->cells_n; i++) {
        const struct red_cell *cell = &view->run->cells[i];
        if (!is_cell_of_device_or_host(view, cell))
            continue;
        notes.pending = notes.pending || cell->state == RED_STATE_PENDING;
        notes.waits = notes.waits || (cell->state == RED_STATE_PASS &&
                                      red_strategy_finish_has(cell->at.strategy, RED_FINISH_WAITS));
    }
    return notes;
}

/* Prints what stands above a table: device, operation, roofs, notes. */
static void print_head(const struct red_table_view *view) {
    const struct red_run_device *device = &view->run->devices[view->device], *host = view->run->devices;
    const struct red_device_info *info = &device->info;
    const struct head_notes notes = find_head_notes(view);
    char text[512];
    snprintf(text, sizeof text, "%s: %s%s%s%s%s", info->id, info->name, device->is_host ? "" : ", ",
             info->version, info->driver[0] ? ", driver " : "", info->driver);
    fputc('\n', view->out);
    red_wrapped_print(view->out, "", text);
    fprintf(view->out,
            "%s of %s: median time to answer in us; * = fastest on this device or tied, ? = unsteady or "
            "disturbed\n",
            view->at.op->name, view->at.dtype->name);
    red_table_view_data_format(view, text, sizeof text);
    if (text[0] != '\0')
        fprintf(view->out, "%s\n", text);
    if (notes.pending)
        fputs("pend = not measured: interrupted\n", view->out);
    const struct red_shape *shape = view->run->shape;
    static const char *const of_shapes[RED_SHAPES_N] = {
        [RED_SHAPE_SEGMENTS] = "n elements each, until all answers are there",
        [RED_SHAPE_ITERATE] = "time of one reduction; each call has another array",
        [RED_SHAPE_COMPUTED] = "n elements each, which are computed and read from nowhere, until all answers "
                               "are there",
        [RED_SHAPE_CHANGED] = "time of changing the array and reducing it once"};
    if (shape != NULL && of_shapes[shape->kind] != NULL)
        fprintf(view->out, "shape %s: %s\n", shape->text, of_shapes[shape->kind]);
    const char *roof = red_primitives[view->at.op->primitive].roof;
    if (device->is_host && host->roof_bytes_per_s > 0)
        fprintf(view->out, "%s: %s GB/s\n", roof, red_rate_text(host->roof_bytes_per_s).text);
    else if (device->roof_bytes_per_s > 0)
        fprintf(view->out, "%s: %s GB/s on this device, %s GB/s on the host\n", roof,
                red_rate_text(device->roof_bytes_per_s).text, red_rate_text(host->roof_bytes_per_s).text);
    if (notes.waits) /* their times have no launch in them, as all others have */
        fputs("persistent*: a launch waits between calls, as OpenMP's threads do\n", view->out);
}

/* Prints one table: its head, times, pairs of 2.x and 1.x, what was not timed, summary. */
static void print_table_and_summary(const struct red_table_view *view) {
    struct table_layout layout = find_layout(view);
    struct red_strategy_pair pairs[RED_STRATEGIES_MAX];
    const size_t pairs_n = view->device > 0 ? red_table_view_find_pairs(view, pairs) : 0;
    bool paired = false;
    print_head(view);
    for (; layout.first < view->sizes_n; layout.first = layout.last) {
        bool headed = false;
        layout.last = layout.first + layout.columns_n;
        layout.last = layout.last < view->sizes_n ? layout.last : view->sizes_n;
        print_times_of_columns(view, &layout);
        for (size_t i = 0; i < pairs_n; i++)
            headed = print_pair_if_timed(view, &layout, &pairs[i], !headed) || headed;
        paired = paired || headed;
        if (layout.last < view->sizes_n)
            fputc('\n', view->out);
    }
    if (!paired && pairs_n > 0)
        fputs("\n2.x : 1.x: no 2.x strategy was timed together with its counterpart\n", view->out);
    print_not_timed(view);
    char text[512];
    red_steadiness_sentence_format(view->run, view->device, text, sizeof text);
    if (view->device > 0)
        red_table_view_summary_print(view);
    else if (text[0] != '\0') {
        fputc('\n', view->out);
        red_wrapped_print(view->out, "On the host ", text);
    }
}

/* Whether the run has cells of the host alone, as no device was asked for: the host's cells are printed as a
 * table of their own. */
static bool is_host_alone(const struct red_run *run) {
    return run->cells_n == 0 || run->cells[run->cells_n - 1].device == 0;
}

/* Prints the tables of runs with the same operations and types, of which the first has uniform data and the
 * second the slowest: for each operation and type both. */
static void print_tables_of_runs(FILE *out, const struct red_run *runs, size_t runs_n,
                                 const struct red_catalogue *catalogue) {
    struct red_table_view view;
    for (size_t device = is_host_alone(runs) ? 0 : 1; device < runs->devices_n; device++) {
        bool bans_are_told = false;
        for (size_t i = 0; i < runs->cells_n; i++) {
            const struct red_cell *cell = &runs->cells[i];
            /* Once per table: at the first cell of the device's first line. */
            if (cell->device != device || !begins_line(runs, cell) ||
                (i > 0 && red_at_is_same(&cell[-1].at, &cell->at, RED_AT(DEVICE) | RED_AT_TABLE)))
                continue;
            for (size_t r = 0; r < runs_n; r++) {
                red_table_view_begin(&view, &runs[r], catalogue, out);
                view.device = device;
                view.at = cell->at;
                view.bans_are_told = bans_are_told;
                print_table_and_summary(&view);
                bans_are_told = true;
            }
        }
    }
}

void red_console_table_print(FILE *out, const struct red_run *run, const struct red_catalogue *catalogue) {
    struct red_cell *uniform = calloc(run->cells_n + 1, sizeof *uniform), *slowest = NULL;
    struct red_run runs[] = {*run, *run};
    runs[0].cells = uniform;
    runs[0].cells_n = 0;
    for (size_t i = 0; i < run->cells_n && uniform != NULL; i++)
        if (run->cells[i].at.data[0] == '\0')
            uniform[runs[0].cells_n++] = run->cells[i];
    const bool is_uniform = runs[0].cells_n == run->cells_n;
    if (uniform != NULL && !is_uniform)
        runs[1].cells = slowest = red_cells_slowest(NULL, run, &runs[1].cells_n);
    if (slowest != NULL) {
        for (size_t r = 0; r < 2; r++) {
            runs[r].ordered = NULL;
            red_run_make_index(&runs[r]);
        }
        const bool any_uniform = runs[0].cells_n > 0;
        print_tables_of_runs(out, &runs[any_uniform ? 0 : 1], any_uniform ? 2 : 1, catalogue);
        free(runs[0].ordered);
        free(runs[1].ordered);
    } else if (is_uniform) {
        print_tables_of_runs(out, run, 1, catalogue);
    } else {
        red_memory_note_failure();
    }
    free(uniform);
    free(slowest);
}
