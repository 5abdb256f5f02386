/* Charts of `report` that show the strategies of one device: a line for each against n (times, bandwidth,
 * speed-up, errors), group sizes (heat map, speed-up), which strategy is fastest where (heat map), and what
 * the time is made of (bars); and what all makers of charts share. write_charts in report.c calls the makers
 * red_chart_*, for each operation and type (--op, --type) and each device of the files named to `report`; the
 * user sees the chart on the page, below the title of its kind. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/select.h"
#include "core/text.h"
#include "model/primitive.h"
#include "report/report_private.h"

/* ---- for all makers --------------------------------------------------------------------------------------
 * Makers here and in charts_pairs.c call these; seen in a chart's heading, at its axes, and as columns of its
 * table. */

void red_chart_set_title_and_x(struct red_chart *chart, const struct red_series_source *source,
                               const char *title, ...) {
    char text[sizeof chart->title - sizeof source->label - 2];
    va_list values;
    va_start(values, title);
    vsnprintf(text, sizeof text, title, values);
    va_end(values);
    if (source != NULL)
        snprintf(chart->title, sizeof chart->title, "%s: %s", source->label, text);
    else
        snprintf(chart->title, sizeof chart->title, "%s", text);
    chart->x_label = "n, elements";
}

void red_chart_set_y(struct red_chart *chart, enum red_chart_unit axis, const char *label,
                     const char *name_of_line_at_1) {
    chart->axis = axis;
    chart->y_label = label;
    chart->cross_line = name_of_line_at_1 != NULL ? 1 : 0;
    chart->cross_line_name = name_of_line_at_1;
}

struct red_point red_time_point(double x, const struct red_statistics *time) {
    return (struct red_point){x, time->median, time->low, time->high};
}

struct red_point red_ratio_point(double x, const struct red_statistics *a, const struct red_statistics *b) {
    return (struct red_point){x, a->median / b->median, a->low / b->high, a->high / b->low};
}

size_t red_chart_add_size_columns(struct red_chart *chart, const struct red_table_view *view) {
    size_t room = RED_TABLE_COLUMNS_MAX - red_table_columns_n(chart->table);
    size_t first = view->sizes_n > room ? view->sizes_n - room : 0;
    for (size_t i = first; i < view->sizes_n; i++)
        red_table_add_column(chart->table, red_size_text(view->sizes[i]).text, true, 0);
    return first;
}

/* ---- a line for each strategy -------------------------------------------------------------------------- */

/* What a series shows of a cell at the point's x: sets the rest of the point, and gives the text of its
 * figure in the table. Where there is none, y stays 0, which has no place on a logarithmic axis. */
typedef struct red_short_text point_setter(const struct red_table_view *view, const struct red_cell *cell,
                                           struct red_point *point);

/* Adds a strategy's row to the table and, unless `series` is NULL, its points: on the view's device or on the
 * host (0). Where it has no time, the table tells how the cell ended: "wrong", "over". Strategy NULL:
 * OpenMP. */
static void add_strategy_row_and_points(struct red_chart *chart, const struct red_table_view *view,
                                        size_t device, const struct red_strategy *strategy, size_t first_size,
                                        point_setter *set_point, struct red_series *series) {
    red_table_put(chart->table, "%s", strategy ? strategy->name : RED_HOST_STRATEGY);
    for (size_t i = first_size; i < view->sizes_n; i++) {
        const uint64_t n = view->sizes[i];
        const struct red_cell *cell = strategy != NULL
                                          ? red_run_fastest(view->run, device, strategy, &view->at, n)
                                          : red_table_view_openmp(view, n);
        struct red_point point = {.x = (double)n};
        struct red_short_text text = {.text = RED_NOT_MEASURED};
        const struct red_cell *first =
            strategy != NULL ? red_run_fastest_or_first(view->run, device, strategy, &view->at, n) : NULL;
        if (cell != NULL)
            text = set_point(view, cell, &point);
        else if (first != NULL)
            text = red_table_view_cell_text(view, first);
        red_series_add(series, point);
        red_table_put(chart->table, "%s", text.text);
    }
}

/* The strategy as charts of the section show it; NULL if they do not. */
static const struct red_chosen *chosen_of_section(const struct red_section *section,
                                                  const struct red_strategy *strategy) {
    for (size_t i = 0; i < section->chosen_n; i++)
        if (section->chosen[i].strategy == strategy)
            return &section->chosen[i];
    return NULL;
}

/* Adds the strategies that are not drawn as rows of the table, those of the host but for OpenMP first. */
static void add_rows_of_others(struct red_chart *chart, const struct red_section *section,
                               const struct red_table_view *view, size_t first_size,
                               point_setter *set_point) {
    const struct red_strategy *last = NULL;
    for (size_t i = 0; i < view->run->cells_n; i++) {
        const struct red_cell *cell = &view->run->cells[i];
        const bool is_hosts = cell->device == 0 && strcmp(cell->at.strategy->name, RED_HOST_STRATEGY) != 0;
        if ((cell->device != view->device && !is_hosts) || cell->at.strategy == last ||
            chosen_of_section(section, cell->at.strategy) != NULL)
            continue;
        last = cell->at.strategy;
        add_strategy_row_and_points(chart, view, cell->device, cell->at.strategy, first_size, set_point,
                                    NULL);
    }
}

enum { WITH_OPENMP = 1, WITH_OTHERS = 2 };

/* Creates the table of the chart. Adds the chosen strategies as lines and as its rows, and of `with` OpenMP
 * as both, and the other strategies as rows. */
static void add_table_and_lines(struct red_chart *chart, const struct red_section *section,
                                const struct red_table_view *view, int with, point_setter *set_point) {
    chart->table = red_table_create("strategy");
    size_t first_size = red_chart_add_size_columns(chart, view);
    if ((with & WITH_OPENMP) != 0)
        add_strategy_row_and_points(chart, view, 0, NULL, first_size, set_point,
                                    red_chart_add_series(chart, RED_HOST_STRATEGY, 0, false));
    for (size_t i = 0; i < section->chosen_n; i++) {
        const struct red_chosen *chosen = &section->chosen[i];
        if (!red_table_view_device_has_strategy(view, chosen->strategy))
            continue;
        struct red_series *series =
            red_chart_add_series(chart, chosen->strategy->name, chosen->colour, chosen->dashed);
        series->marker = (unsigned)(1 + i); /* the same on every device */
        add_strategy_row_and_points(chart, view, view->device, chosen->strategy, first_size, set_point,
                                    series);
    }
    if ((with & WITH_OTHERS) != 0)
        add_rows_of_others(chart, section, view, first_size, set_point);
}

/* Called for the text below a chart, and by report.c for the table of the chapter "In short". */
struct red_short_text red_fastest_text(const struct red_table_view *view, uint64_t n, const char *before_time,
                                       const char *behind) {
    const struct red_cell *best = red_table_view_fastest(view, NULL, n);
    struct red_short_text made = {.text = ""};
    if (best != NULL)
        red_text_add(made.text, sizeof made.text, "%s at %s%s%s us%s%s", red_fastest_names(view, best).text,
                     red_size_text(n).text, before_time, red_number_text(1e6 * best->time.median).text,
                     best->time.is_incomparable ? "?" : "", behind);
    return made;
}

/* The smallest n from 1 on at which anything was timed; 0: none. */
static uint64_t smallest_timed_size(const struct red_table_view *view) {
    for (size_t i = 0; i < view->sizes_n; i++)
        if (view->sizes[i] > 0 && red_table_view_fastest(view, NULL, view->sizes[i]) != NULL)
            return view->sizes[i];
    return 0;
}

/* Sets the description, which stands below the chart: what is shown, the fastest at either end, what is
 * drawn. */
static void describe_lines(struct red_chart *chart, const struct red_section *section,
                           const struct red_table_view *view, const char *what) {
    char more[160] = "";
    if (section->strategies_n > section->chosen_n)
        snprintf(more, sizeof more,
                 " %zu of %zu strategies are drawn: the fastest ones, and the classic ones.",
                 section->chosen_n, section->strategies_n);
    snprintf(chart->description, sizeof chart->description,
             "%s Fastest: %s, %s. Both axes are logarithmic; lines of 2.x are dashed, in the colour of the "
             "1.x strategy that they replace.%s",
             what, red_fastest_text(view, smallest_timed_size(view), " (", ")").text,
             red_fastest_text(view, red_table_view_largest_size(view, NULL), " (", ")").text, more);
}

/* ---- the charts of lines ------------------------------------------------------------------------------- */

static struct red_short_text set_time_point(const struct red_table_view *view, const struct red_cell *cell,
                                            struct red_point *point) {
    *point = red_time_point(point->x, &cell->time);
    return red_table_view_cell_text(view, cell);
}

void red_chart_times(const struct red_section *section, const struct red_series_source *source, size_t part,
                     struct red_chart *chart) {
    char what[256];
    if (part > 0)
        return;
    red_chart_set_title_and_x(chart, source, "time to answer, us");
    red_chart_set_y(chart, RED_UNIT_TIMES, "time to answer, median", NULL);
    add_table_and_lines(chart, section, &source->view, WITH_OPENMP | WITH_OTHERS, set_time_point);
    snprintf(
        what, sizeof what,
        "Median time from the first enqueue until %s, against n; bands are 95 %% intervals. In the table * "
        "marks the fastest and what ties with it, ? what is unsteady.",
        red_primitives[source->view.at.op->primitive].answer);
    describe_lines(chart, section, &source->view, what);
}

static struct red_short_text set_bandwidth_point(const struct red_table_view *view,
                                                 const struct red_cell *cell, struct red_point *point) {
    const double bytes = 1e-9 * red_cell_bytes(cell);
    (void)view;
    *point = (struct red_point){point->x, bytes / cell->time.median, bytes / cell->time.high,
                                bytes / cell->time.low};
    return red_number_text(point->y);
}

void red_chart_bandwidth(const struct red_section *section, const struct red_series_source *source,
                         size_t part, struct red_chart *chart) {
    const struct red_table_view *view = &source->view;
    const struct red_primitive_row *primitive = &red_primitives[view->at.op->primitive];
    const double roof = 1e-9 * view->run->devices[view->device].roof_bytes_per_s;
    const struct red_cell *largest =
        red_table_view_fastest(view, NULL, red_table_view_largest_size(view, NULL));
    char what[256];
    if (part > 0 || largest == NULL || red_cell_bytes(largest) <= 0)
        return;
    red_chart_set_title_and_x(chart, source, "effective bandwidth, GB/s");
    red_chart_set_y(chart, RED_UNIT_RATE, "GB/s", primitive->roof);
    chart->cross_line = roof;
    add_table_and_lines(chart, section, view, WITH_OPENMP, set_bandwidth_point);
    if (roof > 0)
        snprintf(what, sizeof what,
                 "Bytes of %s by the time to answer. The line across is the roof, %s GB/s: what a kernel "
                 "that only %s reached in the same run.",
                 primitive->bytes, red_rate_text(1e9 * roof).text, primitive->only);
    else
        snprintf(what, sizeof what, "Bytes of %s by the time to answer. No roof was measured in this run.",
                 primitive->bytes);
    describe_lines(chart, section, view, what);
}

static struct red_short_text set_speedup_point(const struct red_table_view *view, const struct red_cell *cell,
                                               struct red_point *point) {
    const struct red_cell *openmp = red_table_view_openmp(view, cell->at.n);
    if (openmp == NULL || red_cell_is_incomplete(cell))
        return (struct red_short_text){.text = ""};
    *point = red_ratio_point(point->x, &openmp->time, &cell->time);
    return red_ratio_text(&openmp->time, &cell->time);
}

void red_chart_speedup(const struct red_section *section, const struct red_series_source *source, size_t part,
                       struct red_chart *chart) {
    if (part > 0)
        return;
    red_chart_set_title_and_x(chart, source, "speed-up over OpenMP");
    red_chart_set_y(chart, RED_UNIT_RATIO, "times as fast as OpenMP", "OpenMP");
    add_table_and_lines(chart, section, &source->view, 0, set_speedup_point);
    describe_lines(chart, section, &source->view,
                   "How many times as fast as the OpenMP loop on the host's processors; above the line at 1 "
                   "the device is faster. ~ in the table: the 95 % intervals overlap.");
}

static struct red_short_text set_share_of_bound_point(const struct red_table_view *view,
                                                      const struct red_cell *cell, struct red_point *point) {
    struct red_short_text made = {.text = ""};
    (void)view;
    if (cell->checks_n == 0 || !(cell->bound > 0) || !isfinite(cell->bound) || !isfinite(cell->error))
        return made;
    point->y = point->low = point->high = cell->error / cell->bound;
    snprintf(made.text, sizeof made.text, cell->error > 0 ? "%.1e" : "exact", point->y);
    return made;
}

void red_chart_errors(const struct red_section *section, const struct red_series_source *source, size_t part,
                      struct red_chart *chart) {
    if (part > 0)
        return;
    red_chart_set_title_and_x(chart, source, "observed error by its bound");
    red_chart_set_y(chart, RED_UNIT_SHARE, "error : bound", "bound");
    add_table_and_lines(chart, section, &source->view, WITH_OPENMP, set_share_of_bound_point);
    snprintf(chart->description, sizeof chart->description,
             "How much of the error that is allowed each strategy made on the timed data. The bound is that "
             "of its own longest chain of additions (Higham 2002, chapter 4), so it differs from strategy to "
             "strategy; above 1 a result is wrong, and not timed. An exact result has no place on a "
             "logarithmic axis.");
}

enum { GROUP_SIZES_MAX = 32, WINNER_BYTES = 128, NARROW_FROM = 12 };

/* ---- group sizes --------------------------------------------------------------------------------------- */

/* Finds the group sizes of timed cells, ascending, where several were asked for. Returns their number. */
static size_t list_timed_group_sizes(const struct red_table_view *view, uint64_t sizes[GROUP_SIZES_MAX]) {
    size_t n = 0;
    for (size_t i = 0; i < view->run->cells_n && view->with_group_size; i++) {
        const struct red_cell *cell = &view->run->cells[i];
        if (cell->device == view->device && cell->samples_n > 0 && cell->at.asked.group_size > 0)
            red_sizes_insert(sizes, &n, GROUP_SIZES_MAX, cell->at.asked.group_size);
    }
    return n;
}

/* The fastest cell with this group size at n, of one strategy or (NULL) of any that is not banned; NULL: none
 * was timed. */
static const struct red_cell *fastest_with_group_size(const struct red_table_view *view,
                                                      const struct red_strategy *strategy,
                                                      uint64_t group_size, uint64_t n) {
    const struct red_cell *fastest = NULL;
    for (size_t i = 0; i < view->run->cells_n; i++) {
        const struct red_cell *cell = &view->run->cells[i];
        if (cell->device != view->device || cell->at.n != n || cell->samples_n == 0 ||
            cell->at.asked.group_size != group_size ||
            (strategy != NULL ? cell->at.strategy != strategy : cell->banned))
            continue;
        if (fastest == NULL || cell->time.median < fastest->time.median)
            fastest = cell;
    }
    return fastest;
}

/* Names the chart's columns by the sizes, the largest ones if there are many. Returns the index in
 * view->sizes of the first. */
static size_t name_size_columns(struct red_chart *chart, const struct red_table_view *view) {
    size_t first = view->sizes_n > RED_CHART_NAMES_MAX - 1 ? view->sizes_n - (RED_CHART_NAMES_MAX - 1) : 0;
    for (size_t i = first; i < view->sizes_n; i++)
        red_text_add(chart->columns[chart->columns_n++], sizeof chart->columns[0], "%s",
                     red_size_text(view->sizes[i]).text);
    return first;
}

/* ---- fields without a value ----------------------------------------------------------------------------
 * In a heat map a mark says why there is no time; the legend has what the marks stand for. */

/* The mark of a state, and its words. A cell that passed is left out since its strategy is banned. */
#define BAD_END "! failed, crashed or timed out"
#define NO_BAN  "? known bug or implausible"
static const char *const blanks[RED_STATES_N] = {[RED_STATE_PENDING] = ". not measured",
                                                 [RED_STATE_UNSUPPORTED] = "- unsupported",
                                                 [RED_STATE_OVER_BUDGET] = "> over budget",
                                                 [RED_STATE_BUILD_FAILED] = BAD_END,
                                                 [RED_STATE_FAILED] = BAD_END,
                                                 [RED_STATE_CRASHED] = BAD_END,
                                                 [RED_STATE_TIMED_OUT] = BAD_END,
                                                 [RED_STATE_KNOWN_BUG] = NO_BAN,
                                                 [RED_STATE_IMPLAUSIBLE] = NO_BAN,
                                                 [RED_STATE_PASS] =
                                                     "# left out, since it was wrong or ended badly",
                                                 [RED_STATE_WRONG] = "X wrong"};

/* Adds what a mark, or of ties the hatching, stands for to the map's legend, unless it is there. */
static void explain_once(struct red_chart *chart, const char *name, bool hatched) {
    for (size_t l = 0; l < chart->series_n; l++)
        if (strcmp(chart->series[l].name, name) == 0)
            return;
    struct red_series *series = red_chart_add_series(chart, name, 0, hatched);
    if (series != NULL)
        series->is_blank = true;
}

/* Adds a field of the map's next row that says why no cell of the strategy (NULL: of any) has a time with
 * this group size (0: any) at n, and once for each mark its name in the legend. Gives the word for the table.
 */
static const char *add_blank_field(struct red_chart *chart, const struct red_table_view *view,
                                   const struct red_strategy *strategy, uint64_t group_size, uint64_t n,
                                   size_t column) {
    enum red_state told = RED_STATE_PENDING;
    for (size_t i = 0; i < view->run->cells_n; i++) {
        const struct red_cell *cell = &view->run->cells[i];
        if (cell->device != view->device || cell->at.n != n ||
            (strategy != NULL && cell->at.strategy != strategy) ||
            (group_size > 0 && cell->at.asked.group_size != group_size))
            continue;
        const bool has_ended = cell->state != RED_STATE_PASS || cell->samples_n > 0;
        told = has_ended && red_state_is_worse(cell->state, told) ? cell->state : told;
    }
    struct red_heat_field field = {column, chart->rows_n, .is_blank = true, .label = {blanks[told][0]}};
    red_chart_add_field(chart, field);
    explain_once(chart, blanks[told], false);
    return told == RED_STATE_PENDING ? RED_NOT_MEASURED
           : told == RED_STATE_PASS  ? "banned"
                                     : red_state_word(told);
}

/* ---- heat ---------------------------------------------------------------------------------------------- */

/* The part-th of the chosen strategies that have times with several group sizes. */
static const struct red_strategy *heat_map_strategy(const struct red_section *section,
                                                    const struct red_table_view *view,
                                                    const uint64_t *group_sizes, size_t group_sizes_n,
                                                    size_t part) {
    for (size_t c = 0; c < section->chosen_n; c++) {
        size_t timed_n = 0;
        for (size_t g = 0; g < group_sizes_n; g++) {
            bool timed = false;
            for (size_t i = 0; i < view->sizes_n && !timed; i++)
                timed = fastest_with_group_size(view, section->chosen[c].strategy, group_sizes[g],
                                                view->sizes[i]) != NULL;
            timed_n += timed;
        }
        if (timed_n >= 2 && part-- == 0)
            return section->chosen[c].strategy;
    }
    return NULL;
}

/* Adds a group size: a row of fields to the heat map, and one to the table of its figures. */
static void add_heat_row(struct red_chart *chart, const struct red_table_view *view,
                         const struct red_strategy *strategy, uint64_t group_size, size_t first_size) {
    snprintf(chart->rows[chart->rows_n], sizeof chart->rows[0], "%llu", (unsigned long long)group_size);
    red_table_put(chart->table, "%llu", (unsigned long long)group_size);
    for (size_t i = first_size; i < view->sizes_n; i++) {
        const struct red_cell *cell = fastest_with_group_size(view, strategy, group_size, view->sizes[i]);
        const struct red_cell *best = red_table_view_fastest(view, strategy, view->sizes[i]);
        if (cell == NULL) {
            red_table_put(chart->table, "%s",
                          add_blank_field(chart, view, strategy, group_size, view->sizes[i], i - first_size));
            continue;
        }
        const double ratio = cell->time.median / best->time.median;
        const bool ties = red_statistics_compare(&cell->time, &best->time) == 0;
        struct red_heat_field field = {i - first_size, chart->rows_n, .shade = fmin(1, log(ratio) / log(4))};
        if (chart->columns_n > NARROW_FROM) /* the table has the other digits */
            snprintf(field.label, sizeof field.label, "%.*f", ratio < 9.95 ? 1 : 0, fmin(ratio, 1e9));
        else
            snprintf(field.label, sizeof field.label, "%.20s", red_number_text(ratio).text);
        red_text_add(field.label, sizeof field.label, "%s", ties && cell != best ? "~" : "");
        if (ties && cell != best)
            explain_once(chart, "~ ties with 1.00", false);
        red_table_put(chart->table, "%s",
                      cell == best ? "1.00 " : red_ratio_text(&cell->time, &best->time).text);
        red_chart_add_field(chart, field);
    }
    chart->rows_n++;
}

void red_chart_heat_of_group_sizes(const struct red_section *section, const struct red_series_source *source,
                                   size_t part, struct red_chart *chart) {
    const struct red_table_view *view = &source->view;
    uint64_t group_sizes[GROUP_SIZES_MAX];
    size_t group_sizes_n = list_timed_group_sizes(view, group_sizes);
    const struct red_strategy *strategy = heat_map_strategy(section, view, group_sizes, group_sizes_n, part);
    if (strategy == NULL)
        return;
    red_chart_set_title_and_x(chart, source, "%s, group size by n: times as long as the best of the column",
                              strategy->name);
    chart->kind = RED_CHART_HEAT_MAP;
    chart->y_label = "work-group size";
    chart->table = red_table_create("group size");
    size_t first_size = name_size_columns(chart, view);
    for (size_t c = 0; c < chart->columns_n; c++)
        red_table_add_column(chart->table, chart->columns[c], true, 0);
    for (size_t g = 0; g < group_sizes_n; g++)
        add_heat_row(chart, view, strategy, group_sizes[g], first_size);
    snprintf(chart->description, sizeof chart->description,
             "Time to answer of %s by the time with the group size that is best for this n: 1.00 is the "
             "best, darker is slower; ~ ties with the best, since the 95 %% intervals overlap.",
             strategy->name);
}

/* ---- speed-up against group size ----------------------------------------------------------------------- */

/* The n that the charts of a kind show: chart 0 the n of the summary, chart 1 the largest that was timed; 0:
 * there is no such chart. */
static uint64_t n_of_nth_chart(const struct red_table_view *view, size_t chart_i) {
    const uint64_t spoken = red_table_view_summary_size(view, NULL, NULL);
    const uint64_t largest = red_table_view_largest_size(view, NULL);
    return chart_i == 0 ? spoken : chart_i == 1 && largest != spoken ? largest : 0;
}

/* Adds a strategy: its line of speed-up by group size, and a row of the table if it has a time. */
static void add_speedup_line_and_row(struct red_chart *chart, const struct red_table_view *view,
                                     const struct red_chosen *chosen, unsigned marker, uint64_t n,
                                     const uint64_t *group_sizes, size_t group_sizes_n) {
    const struct red_cell *openmp = red_table_view_openmp(view, n), *cells[GROUP_SIZES_MAX];
    struct red_series *series =
        red_chart_add_series(chart, chosen->strategy->name, chosen->colour, chosen->dashed);
    bool any = false;
    series->marker = marker;
    for (size_t g = 0; g < group_sizes_n; g++) {
        cells[g] = fastest_with_group_size(view, chosen->strategy, group_sizes[g], n);
        any = any || cells[g] != NULL;
    }
    if (!any)
        return;
    red_table_put(chart->table, "%s", chosen->strategy->name);
    for (size_t g = 0; g < group_sizes_n; g++) {
        if (cells[g] != NULL)
            red_series_add(series, red_ratio_point((double)group_sizes[g], &openmp->time, &cells[g]->time));
        red_table_put(chart->table, "%s",
                      cells[g] != NULL ? red_ratio_text(&openmp->time, &cells[g]->time).text : "");
    }
}

void red_chart_speedup_by_group_size(const struct red_section *section,
                                     const struct red_series_source *source, size_t part,
                                     struct red_chart *chart) {
    const struct red_table_view *view = &source->view;
    uint64_t group_sizes[GROUP_SIZES_MAX];
    size_t group_sizes_n = list_timed_group_sizes(view, group_sizes);
    const uint64_t n = n_of_nth_chart(view, part);
    const struct red_short_text size = red_size_text(n);
    if (group_sizes_n < 2 || n == 0 || red_table_view_openmp(view, n) == NULL)
        return;
    red_chart_set_title_and_x(chart, source, "speed-up over OpenMP against group size, n = %s", size.text);
    chart->x_label = "work-group size";
    red_chart_set_y(chart, RED_UNIT_RATIO, "times as fast as OpenMP", "OpenMP");
    chart->table = red_table_create("strategy");
    for (size_t g = 0; g < group_sizes_n; g++) {
        char name[32];
        snprintf(name, sizeof name, "%llu", (unsigned long long)group_sizes[g]);
        red_table_add_column(chart->table, name, true, 0);
    }
    for (size_t c = 0; c < section->chosen_n; c++)
        add_speedup_line_and_row(chart, view, &section->chosen[c], (unsigned)(1 + c), n, group_sizes,
                                 group_sizes_n);
    snprintf(chart->description, sizeof chart->description,
             "How many times as fast as the OpenMP loop each strategy is at n = %s, against the work-group "
             "size; above the line at 1 the device is faster.",
             size.text);
}

/* ---- who is fastest ------------------------------------------------------------------------------------ */

/* The fastest cell with this group size at n, of one strategy or (NULL) of any; group size 0: with the
 * default of each strategy. NULL: none was timed. */
static const struct red_cell *fastest_with_group_size_if_any(const struct red_table_view *view,
                                                             const struct red_strategy *strategy,
                                                             uint64_t group_size, uint64_t n) {
    return group_size > 0 ? fastest_with_group_size(view, strategy, group_size, n)
                          : red_table_view_fastest(view, strategy, n);
}

enum { RIVALS_MAX = 2 };

/* Lists the first strategies that tie with the fastest cell at its n: their intervals overlap with its own.
 * Returns the number of all of them. */
static size_t rivals_list(const struct red_table_view *view, const struct red_cell *best, uint64_t group_size,
                          const struct red_strategy *rivals[RIVALS_MAX]) {
    const struct red_strategy *last = best->at.strategy;
    size_t rivals_n = 0;
    for (size_t i = 0; i < view->run->cells_n; i++) {
        const struct red_cell *cell = &view->run->cells[i];
        if (cell->device != view->device || cell->at.n != best->at.n || cell->banned ||
            cell->at.strategy == best->at.strategy || cell->at.strategy == last)
            continue;
        const struct red_cell *own =
            fastest_with_group_size_if_any(view, cell->at.strategy, group_size, best->at.n);
        last = cell->at.strategy;
        if (own == NULL || red_statistics_compare(&own->time, &best->time) != 0)
            continue;
        if (rivals_n < RIVALS_MAX)
            rivals[rivals_n] = cell->at.strategy;
        rivals_n++;
    }
    return rivals_n;
}

/* For the table of the chapter "In short", for the text below charts and for "Device by device". */
struct red_short_text red_fastest_names(const struct red_table_view *view, const struct red_cell *best) {
    const struct red_strategy *rivals[RIVALS_MAX];
    const size_t rivals_n = rivals_list(view, best, 0, rivals);
    struct red_short_text made = {.text = ""};
    red_text_add(made.text, sizeof made.text, "%s", best->at.strategy->name);
    if (rivals_n == 1)
        red_text_add(made.text, sizeof made.text, " ~ %s", rivals[0]->name);
    else if (rivals_n > 1)
        red_text_add(made.text, sizeof made.text, " ~ %zu more", rivals_n);
    return made;
}

/* "chunk ~ svm_chunk, serial +2": the fastest, and what ties with it. */
static void fastest_and_rivals_format(const struct red_table_view *view, const struct red_cell *best,
                                      uint64_t group_size, char *text, size_t text_bytes) {
    const struct red_strategy *rivals[RIVALS_MAX];
    const size_t rivals_n = rivals_list(view, best, group_size, rivals);
    snprintf(text, text_bytes, "%s", best->at.strategy->name);
    for (size_t i = 0; i < rivals_n && i < RIVALS_MAX; i++)
        red_text_add(text, text_bytes, "%s%s", i == 0 ? " ~ " : ", ", rivals[i]->name);
    if (rivals_n > RIVALS_MAX)
        red_text_add(text, text_bytes, " +%zu", rivals_n - RIVALS_MAX);
}

/* The letter of the strategy in the chart's legend, which gets it if it is new, and its *colour.
 * Strategies that are not chosen share the ink's colour. */
static char find_or_add_letter_and_colour(struct red_chart *chart, const struct red_section *section,
                                          const struct red_strategy *strategy, unsigned *colour) {
    const struct red_chosen *chosen = chosen_of_section(section, strategy);
    char name[96];
    *colour = chosen != NULL ? chosen->colour : 0;
    char letter = 'a'; /* capital ones are files */
    for (size_t l = 0; l < chart->series_n; l++) {
        if (strcmp(chart->series[l].name + 2, strategy->name) == 0)
            return chart->series[l].name[0];
        letter = (char)(letter + !chart->series[l].is_blank);
    }
    snprintf(name, sizeof name, "%c %s", letter, strategy->name);
    return red_chart_add_series(chart, name, *colour, false) != NULL ? letter : '*';
}

/* Adds a row of fields to the heat map for a group size, 0: the default of each strategy. */
static void add_winner_field_row(struct red_chart *chart, const struct red_section *section,
                                 const struct red_table_view *view, uint64_t group_size, size_t first_size) {
    for (size_t i = first_size; i < view->sizes_n; i++) {
        const struct red_cell *best = fastest_with_group_size_if_any(view, NULL, group_size, view->sizes[i]);
        const struct red_strategy *rivals[RIVALS_MAX];
        unsigned colour;
        if (best == NULL) {
            add_blank_field(chart, view, NULL, group_size, view->sizes[i], i - first_size);
            continue;
        }
        struct red_heat_field field = {i - first_size, chart->rows_n, .shade = -1};
        const size_t rivals_n = rivals_list(view, best, group_size, rivals);
        snprintf(field.label, sizeof field.label, "%c",
                 find_or_add_letter_and_colour(chart, section, best->at.strategy, &field.colour));
        if (rivals_n > 0)
            red_text_add(field.label, sizeof field.label, "%c%s",
                         find_or_add_letter_and_colour(chart, section, rivals[0], &colour),
                         rivals_n > 1 ? "+" : "");
        field.hatched = rivals_n > 0;
        if (field.hatched)
            explain_once(chart, "tied (+: with more)", true);
        field.colour = rivals_n > 0 ? 0 : field.colour; /* nobody's */
        red_chart_add_field(chart, field);
    }
    chart->rows_n++;
}

/* Adds the text of a row of the table at n: a name for each group size, behind a '\n' each. */
static void winner_texts_format(const struct red_table_view *view, uint64_t n, const uint64_t *group_sizes,
                                size_t group_sizes_n, char *text, size_t text_bytes) {
    text[0] = '\0';
    for (size_t g = 0; g < group_sizes_n; g++) {
        const struct red_cell *best = fastest_with_group_size_if_any(view, NULL, group_sizes[g], n);
        char names[WINNER_BYTES] = RED_NOT_MEASURED;
        if (best != NULL)
            fastest_and_rivals_format(view, best, group_sizes[g], names, sizeof names);
        red_text_add(text, text_bytes, "%s\n", names);
    }
}

/* Adds the rows of the table: one for neighbouring n with the same names, "2^10 ... 2^14". */
static void add_winner_table_rows(struct red_chart *chart, const struct red_table_view *view, size_t first,
                                  const uint64_t *group_sizes, size_t group_sizes_n) {
    char text[GROUP_SIZES_MAX * WINNER_BYTES], next[sizeof text];
    for (size_t i = first, end; i < view->sizes_n; i = end) {
        winner_texts_format(view, view->sizes[i], group_sizes, group_sizes_n, text, sizeof text);
        for (end = i + 1; end < view->sizes_n; end++) {
            winner_texts_format(view, view->sizes[end], group_sizes, group_sizes_n, next, sizeof next);
            if (strcmp(text, next) != 0)
                break;
        }
        red_table_put(chart->table, end > i + 1 ? "%s ... %s" : "%s", red_size_text(view->sizes[i]).text,
                      red_size_text(view->sizes[end - 1]).text);
        for (const char *names = text; *names != '\0'; names += strcspn(names, "\n") + 1)
            red_table_put(chart->table, "%.*s", (int)strcspn(names, "\n"), names);
    }
}

void red_chart_winners(const struct red_section *section, const struct red_series_source *source, size_t part,
                       struct red_chart *chart) {
    const struct red_table_view *view = &source->view;
    uint64_t group_sizes[GROUP_SIZES_MAX] = {0};
    size_t group_sizes_n = list_timed_group_sizes(view, group_sizes);
    const bool varies = group_sizes_n > 0;
    if (part > 0)
        return;
    red_chart_set_title_and_x(chart, source, "the fastest strategy");
    chart->kind = RED_CHART_HEAT_MAP;
    chart->y_label = "work-group size";
    chart->table = red_table_create("n");
    group_sizes_n += !varies;
    for (size_t g = 0; g < group_sizes_n; g++) {
        const unsigned long long size = group_sizes[g];
        char name[48];
        snprintf(chart->rows[g], sizeof chart->rows[0], varies ? "%llu" : "default size", size);
        snprintf(name, sizeof name, varies ? "group size %llu" : "fastest", size);
        red_table_add_column(chart->table, name, false, 0);
    }
    size_t first_size = name_size_columns(chart, view);
    for (size_t g = 0; g < group_sizes_n; g++)
        add_winner_field_row(chart, section, view, group_sizes[g], first_size);
    add_winner_table_rows(chart, view, first_size, group_sizes, group_sizes_n);
    snprintf(chart->description, sizeof chart->description,
             "Which strategy is fastest at each n%s. Hatched, with two letters, and ~ in the table: a tie, "
             "since the 95 %% intervals overlap; +: of more than two.",
             varies ? " and group size" : "; each has the group size that is the default for it");
}

/* ---- parts of the time --------------------------------------------------------------------------------- */

/* The share of the whole, from 0 to 100 also where the part, of another pass, is longer. */
static double clamped_percent(double part, double whole) {
    return 100 * fmin(1, fmax(0, part / whole));
}

enum { TIME_PARTS_N = 3 };

/* The fastest cell of the i-th chosen strategy at n, where its device time is known, which a bar needs. */
static const struct red_cell *cell_of_bar(const struct red_section *section,
                                          const struct red_table_view *view, size_t i, uint64_t n) {
    const struct red_cell *cell = red_table_view_fastest(view, section->chosen[i].strategy, n);
    return cell != NULL && cell->device_s > 0 ? cell : NULL;
}

/* The next figure of the page behind this one, or the first behind NULL, that any bar's cell has. */
static const struct red_figure *next_figure(const struct red_section *section,
                                            const struct red_table_view *view, uint64_t n,
                                            const struct red_figure *figure) {
    while ((figure = red_figure_next(figure, RED_IN_PAGE)) != NULL)
        for (size_t i = 0; i < section->chosen_n; i++)
            if (red_figure_text(figure, view->run, cell_of_bar(section, view, i, n)).text[0] != '\0')
                return figure;
    return NULL;
}

/* Adds a strategy's bar of three parts to the chart, and a row to its table. */
static void add_bar(struct red_chart *chart, const struct red_cell *cell) {
    const double whole = cell->time.median, kernels = clamped_percent(cell->device_s, whole);
    const double launched =
        cell->back_to_back_s > 0 ? fmax(kernels, clamped_percent(cell->back_to_back_s, whole)) : kernels;
    const double parts[TIME_PARTS_N] = {kernels, launched - kernels, 100 - launched};
    snprintf(chart->rows[chart->rows_n], sizeof chart->rows[0], "%s", cell->at.strategy->name);
    chart->rows_n++;
    RED_PUT(chart->table, cell->at.strategy->name, red_number_text(1e6 * whole).text);
    for (size_t p = 0; p < TIME_PARTS_N; p++) {
        red_table_put(chart->table, "%.0f %%", parts[p]);
        red_series_add(&chart->series[p], (struct red_point){(double)chart->rows_n, parts[p], 0, 0});
    }
}

void red_chart_time_parts(const struct red_section *section, const struct red_series_source *source,
                          size_t part, struct red_chart *chart) {
    const char *waiting = red_primitives[source->view.at.op->primitive].waiting;
    char rest[64];
    const char *const names[TIME_PARTS_N] = {"kernels on the device", "launching", rest};
    static const unsigned colours[TIME_PARTS_N] = {1, 5, 4};
    const struct red_table_view *view = &source->view;
    const struct red_run_device *device = &view->run->devices[view->device];
    const uint64_t n = n_of_nth_chart(view, part);
    const struct red_short_text size = red_size_text(n);
    if (n == 0 || (device->event_clock.checked && !device->event_clock.trusted))
        return;
    snprintf(rest, sizeof rest, "%s, host's share", waiting);
    red_chart_set_title_and_x(chart, source, "what the time to answer is made of, n = %s", size.text);
    chart->kind = RED_CHART_BARS;
    chart->axis = RED_UNIT_PERCENT;
    chart->x_label = "share of the time to answer";
    chart->y_label = "";
    chart->table = red_table_create("strategy|time, us>");
    for (size_t p = 0; p < TIME_PARTS_N; p++) {
        red_chart_add_series(chart, names[p], colours[p], p == TIME_PARTS_N - 1);
        red_table_add_column(chart->table, names[p], true, 0);
    }
    const struct red_figure *figure = NULL;
    while ((figure = next_figure(section, view, n, figure)) != NULL)
        red_table_add_column(chart->table, figure->heading, true, 0);
    for (size_t c = 0; c < section->chosen_n; c++) {
        const struct red_cell *cell = cell_of_bar(section, view, c, n);
        if (cell == NULL)
            continue;
        add_bar(chart, cell);
        while ((figure = next_figure(section, view, n, figure)) != NULL)
            red_table_put(chart->table, "%s", red_figure_text(figure, view->run, cell).text);
    }
    snprintf(
        chart->description, sizeof chart->description,
        "The time to answer at n = %s consists of the kernels by event times (START to END, a separate "
        "pass); of what a call takes more when many are enqueued one behind the other (launching); and of "
        "the rest, which is %s and what the host does.",
        size.text, waiting);
}
