/* Charts of `report`: group sizes (heat map, speed-up), which strategy is fastest where (heat map), and what
 * the time is made of (bars). write_charts in report.c calls the makers red_chart_*, for each operation and
 * type (--op, --type) and each device of the files named to `report`; the user sees the chart on the page,
 * below the title of its kind. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/select.h"
#include "core/text.h"
#include "model/primitive.h"
#include "report/private.h"

enum { GROUP_SIZES_MAX = 32, WINNER_BYTES = 128, RIVALS_SHOWN = 2 };

/* ---- group sizes --------------------------------------------------------------------------------------- */

/* Finds the group sizes of timed cells, ascending, where several were asked for. Returns their number. */
static size_t list_timed_group_sizes(const struct red_table_view *view, uint64_t sizes[GROUP_SIZES_MAX]) {
    size_t n = 0;
    for (size_t i = 0; i < view->run->cells_n && view->with_group_size; i++) {
        const struct red_cell *cell = &view->run->cells[i];
        if (cell->device == view->device && cell->samples_n > 0 && cell->asked.group_size > 0)
            red_sizes_insert(sizes, &n, GROUP_SIZES_MAX, cell->asked.group_size);
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
        if (cell->device != view->device || cell->n != n || cell->samples_n == 0 ||
            cell->asked.group_size != group_size ||
            (strategy != NULL ? cell->strategy != strategy : cell->banned))
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
        red_table_put(chart->table, "%s",
                      cell == NULL   ? ""
                      : cell == best ? "1.00 "
                                     : red_ratio_text(&cell->time, &best->time).text);
        if (cell == NULL)
            continue;
        const double ratio = cell->time.median / best->time.median;
        struct red_heat_field field = {i - first_size, chart->rows_n, .shade = fmin(1, log(ratio) / log(4))};
        snprintf(field.label, sizeof field.label, "%.20s", red_number_text(ratio).text);
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
             "best, darker is slower. ~ in the table: the 95 %% intervals overlap.",
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
    red_chart_set_y(chart, RED_AXIS_RATIO, "times as fast as OpenMP", "OpenMP");
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
 * default of each strategy. */
static const struct red_cell *fastest_with_size_or_default(const struct red_table_view *view,
                                                           const struct red_strategy *strategy,
                                                           uint64_t group_size, uint64_t n) {
    return group_size > 0 ? fastest_with_group_size(view, strategy, group_size, n)
                          : red_table_view_fastest(view, strategy, n);
}

/* "chunk ~ svm_chunk, serial": the fastest, and up to RIVALS_SHOWN whose intervals overlap with its
 * own. Returns the number of all those, the fastest not counted. */
static size_t fastest_and_rivals_format(const struct red_table_view *view, const struct red_cell *best,
                                        uint64_t group_size, char *text, size_t text_bytes) {
    const struct red_strategy *last = best->strategy;
    size_t rivals_n = 0;
    snprintf(text, text_bytes, "%s", best->strategy->name);
    for (size_t i = 0; i < view->run->cells_n; i++) {
        const struct red_cell *cell = &view->run->cells[i];
        if (cell->device != view->device || cell->n != best->n || cell->banned ||
            cell->strategy == best->strategy || cell->strategy == last)
            continue;
        const struct red_cell *own = fastest_with_size_or_default(view, cell->strategy, group_size, best->n);
        last = cell->strategy;
        if (own == NULL || red_statistics_compare(&own->time, &best->time) != 0)
            continue;
        if (rivals_n++ < RIVALS_SHOWN)
            red_text_add(text, text_bytes, "%s%s", rivals_n == 1 ? " ~ " : ", ", cell->strategy->name);
    }
    if (rivals_n > RIVALS_SHOWN)
        red_text_add(text, text_bytes, " +%zu", rivals_n - RIVALS_SHOWN);
    return rivals_n;
}

/* The letter of the strategy in the chart's legend, which gets it if it is new, and its *colour.
 * Strategies that are not chosen share the ink's colour. */
static char find_or_add_letter_and_colour(struct red_chart *chart, const struct red_section *section,
                                          const struct red_strategy *strategy, unsigned *colour) {
    const struct red_chosen *chosen = red_section_chosen(section, strategy);
    char name[96];
    *colour = chosen != NULL ? chosen->colour : 0;
    for (size_t l = 0; l < chart->series_n; l++)
        if (strcmp(chart->series[l].name + 2, strategy->name) == 0)
            return chart->series[l].name[0];
    const char letter = (char)('A' + chart->series_n);
    snprintf(name, sizeof name, "%c %s", letter, strategy->name);
    return red_chart_add_series(chart, name, *colour, false) != NULL ? letter : '?';
}

/* Adds a row of fields to the heat map for a group size, 0: the default of each strategy. */
static void add_winner_field_row(struct red_chart *chart, const struct red_section *section,
                                 const struct red_table_view *view, uint64_t group_size, size_t first_size) {
    for (size_t i = first_size; i < view->sizes_n; i++) {
        const struct red_cell *best = fastest_with_size_or_default(view, NULL, group_size, view->sizes[i]);
        char text[WINNER_BYTES];
        if (best == NULL)
            continue;
        struct red_heat_field field = {i - first_size, chart->rows_n, .shade = -1};
        field.hatched = fastest_and_rivals_format(view, best, group_size, text, sizeof text) > 0;
        snprintf(field.label, sizeof field.label, "%c",
                 find_or_add_letter_and_colour(chart, section, best->strategy, &field.colour));
        red_chart_add_field(chart, field);
    }
    chart->rows_n++;
}

/* Adds a row of the table for an n. */
static void add_winner_table_row(struct red_chart *chart, const struct red_table_view *view, uint64_t n,
                                 const uint64_t *group_sizes, size_t group_sizes_n) {
    red_table_put(chart->table, "%s", red_size_text(n).text);
    for (size_t g = 0; g < group_sizes_n; g++) {
        const struct red_cell *best = fastest_with_size_or_default(view, NULL, group_sizes[g], n);
        char text[WINNER_BYTES] = "";
        if (best != NULL)
            fastest_and_rivals_format(view, best, group_sizes[g], text, sizeof text);
        red_table_put(chart->table, "%s", text);
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
    for (size_t i = first_size; i < view->sizes_n; i++)
        add_winner_table_row(chart, view, view->sizes[i], group_sizes, group_sizes_n);
    snprintf(chart->description, sizeof chart->description,
             "Which strategy is fastest at each n%s. Hatched, and ~ in the table: others cannot be told "
             "apart from it, since the 95 %% intervals overlap.",
             varies ? " and group size" : "; each has the group size that is the default for it");
}

/* ---- parts of the time --------------------------------------------------------------------------------- */

/* The share of the whole, from 0 to 100 also where the part, of another pass, is longer. */
static double clamped_percent(double part, double whole) {
    return 100 * fmin(1, fmax(0, part / whole));
}

enum { TIME_PARTS_N = 3 };

/* Adds a strategy's bar of three parts to the chart, and a row to its table. */
static void add_bar(struct red_chart *chart, const struct red_cell *cell) {
    const double whole = cell->time.median, kernels = clamped_percent(cell->device_s, whole);
    const double launched =
        cell->back_to_back_s > 0 ? fmax(kernels, clamped_percent(cell->back_to_back_s, whole)) : kernels;
    const double parts[TIME_PARTS_N] = {kernels, launched - kernels, 100 - launched};
    snprintf(chart->rows[chart->rows_n], sizeof chart->rows[0], "%s", cell->strategy->name);
    chart->rows_n++;
    RED_PUT(chart->table, cell->strategy->name, red_number_text(1e6 * whole).text);
    for (size_t p = 0; p < TIME_PARTS_N; p++) {
        red_table_put(chart->table, "%.0f %%", parts[p]);
        red_series_add(&chart->series[p], (struct red_point){(double)chart->rows_n, parts[p], 0, 0});
    }
}

void red_chart_time_parts(const struct red_section *section, const struct red_series_source *source,
                          size_t part, struct red_chart *chart) {
    const char *waiting = red_primitives[source->view.op->primitive].waiting;
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
    chart->axis = RED_AXIS_PERCENT;
    chart->x_label = "share of the time to answer";
    chart->y_label = "";
    chart->table = red_table_create("strategy|time, us>");
    for (size_t p = 0; p < TIME_PARTS_N; p++) {
        red_chart_add_series(chart, names[p], colours[p], p == TIME_PARTS_N - 1);
        red_table_add_column(chart->table, names[p], true, 0);
    }
    for (size_t c = 0; c < section->chosen_n; c++) {
        const struct red_cell *cell = red_table_view_fastest(view, section->chosen[c].strategy, n);
        if (cell != NULL && cell->device_s > 0)
            add_bar(chart, cell);
    }
    snprintf(chart->description, sizeof chart->description,
             "Of the time to answer at n = %s: the kernels by event times (START to END, a separate pass); "
             "what a call takes more when many are enqueued one behind the other (launching); and the rest, "
             "which is %s and what the host does.",
             size.text, waiting);
}
