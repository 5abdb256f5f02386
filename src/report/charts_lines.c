/* Charts of `report` with a line for each strategy against n: times, bandwidth, speed-up, errors; and what
 * all makers of charts share. write_charts in report.c calls the makers red_chart_*, for each operation and
 * type (--op, --type) and each device of the files named to `report`; the user sees the chart on the page,
 * below the title of its kind. */
#include "report/private.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/select.h"
#include "model/primitive.h"

/* ---- for all makers --------------------------------------------------------------------------------------
 * Makers of charts_*.c call these; seen in a chart's heading, at its axes, and as columns of its table. */

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

const struct red_chosen *red_section_chosen(const struct red_section *section,
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
            red_section_chosen(section, cell->at.strategy) != NULL)
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

/* ---- the charts ---------------------------------------------------------------------------------------- */

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
