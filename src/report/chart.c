/* The charts of a report before they are drawn: their data, ticks and scales, colours, and which strategies
 * of a section they show. charts.c and charts_pairs.c fill the charts that report.c begins for a section of
 * the files named to `report`; the user sees them on its page: drawn by svg.c, or as tables in Markdown
 * (page.c). */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/select.h"
#include "core/text.h"
#include "model/primitive.h"
#include "recommend/advice.h"
#include "report/report_private.h"

enum { TICKS_MAX = 9, NAMES_MAX = 12 };

/* ---- data ------------------------------------------------------------------------------------------------
 * charts.c and charts_pairs.c fill a chart and the table of its figures with these; report.c asks whether it
 * is empty, and clears it. */

struct red_series *red_chart_add_series(struct red_chart *chart, const char *name, unsigned colour,
                                        bool dashed) {
    if (chart->series_n == RED_CHART_SERIES_MAX)
        return NULL;
    struct red_series *series = &chart->series[chart->series_n++];
    *series = (struct red_series){.colour = colour, .marker = (unsigned)chart->series_n, .dashed = dashed};
    snprintf(series->name, sizeof series->name, "%s", name);
    return series;
}

/* Whether a value can be drawn on a logarithmic axis. No time and no size is beyond these. */
static bool has_place(double value) {
    return value > 1e-30 && value < 1e30;
}

void red_series_add(struct red_series *series, struct red_point point) {
    if (series == NULL || !has_place(point.x) || !has_place(point.y))
        return;
    point.low = has_place(point.low) ? point.low : point.y;
    point.high = has_place(point.high) ? point.high : point.y;
    if (RED_GROW(series->points, series->points_n, 1))
        series->points[series->points_n++] = point;
    else
        red_memory_note_failure();
}

void red_chart_add_field(struct red_chart *chart, struct red_heat_field field) {
    if (RED_GROW(chart->fields, chart->fields_n, 1))
        chart->fields[chart->fields_n++] = field;
    else
        red_memory_note_failure();
}

bool red_chart_is_empty(const struct red_chart *chart) {
    size_t points_n = 0;
    for (size_t i = 0; i < chart->series_n; i++)
        points_n += chart->series[i].points_n;
    return points_n == 0 && chart->fields_n == 0;
}

void red_chart_clear(struct red_chart *chart) {
    for (size_t i = 0; i < chart->series_n; i++)
        free(chart->series[i].points);
    free(chart->fields);
    red_table_destroy(chart->table);
    *chart = (struct red_chart){.series_n = 0};
}

/* ---- ticks -----------------------------------------------------------------------------------------------
 * The labels at the axes of a drawing (svg.c); a value is written so in a point's tooltip, too. */

void red_axis_ticks_insert(struct red_axis_ticks *ticks, double value) {
    size_t at = ticks->n;
    while (at > 0 && ticks->values[at - 1] >= value)
        at--;
    if ((at < ticks->n && ticks->values[at] <= value) || ticks->n == RED_AXIS_TICKS_ROOM)
        return;
    memmove(&ticks->values[at + 1], &ticks->values[at], (ticks->n - at) * sizeof ticks->values[0]);
    ticks->values[at] = value;
    ticks->n++;
}

void red_axis_ticks_thin_and_label_sizes(struct red_axis_ticks *ticks, size_t max) {
    size_t step = (ticks->n + max - 1) / (max ? max : 1), kept = 0;
    for (size_t i = 0; i < ticks->n; i += step) {
        ticks->values[kept] = ticks->values[i];
        ticks->labels[kept] = red_size_text((uint64_t)ticks->values[kept]);
        kept++;
    }
    ticks->n = kept;
}

/* Writes a number from 1000 on with three digits and a comma before every third place: "1,230,000". */
static void with_commas_format(double value, const char *unit, char *text, size_t text_bytes) {
    const double unit_of_last = pow(10, floor(log10(value)) - 2);
    char digits[32];
    const int n = snprintf(digits, sizeof digits, "%.0f", round(value / unit_of_last) * unit_of_last);
    text[0] = '\0';
    for (int i = 0; i < n; i++)
        red_text_add(text, text_bytes, "%s%c", i > 0 && (n - i) % 3 == 0 ? "," : "", digits[i]);
    red_text_add(text, text_bytes, "%s", unit);
}

struct red_short_text red_axis_value_text(enum red_chart_unit axis, double value) {
    static const struct {
        double unit;
        const char *name;
    } times[] = {{1, " s"}, {1e-3, " ms"}, {1e-6, " us"}, {1e-9, " ns"}};
    static const char *const units[RED_UNITS_N] = {
        [RED_UNIT_RATIO] = "x", [RED_UNIT_RATE] = "", [RED_UNIT_SHARE] = "", [RED_UNIT_PERCENT] = " %"};
    struct red_short_text made;
    size_t t = 0;
    while (axis == RED_UNIT_TIMES && t < 3 && value < 0.9999 * times[t].unit)
        t++;
    value /= times[t].unit;
    const char *unit = axis == RED_UNIT_TIMES ? times[t].name : units[axis];
    if (value >= 999.5 && value < 999.5e12)
        with_commas_format(value, unit, made.text, sizeof made.text);
    else if (axis != RED_UNIT_SHARE && value > 0 && value < 1e-4)
        snprintf(made.text, sizeof made.text, "%.*f%s", (int)(2 - floor(log10(value))), value, unit);
    else
        snprintf(made.text, sizeof made.text, "%.3g%s", value, unit);
    return made;
}

/* Round numbers of a decade, from coarse to fine. */
static const double rounds[][20] = {
    {1}, {1, 3}, {1, 2, 5}, {1, 1.5, 2, 3, 5, 7}, {1, 1.2, 1.4, 1.6, 1.8, 2, 2.5, 3, 3.5, 4, 5, 6, 7, 8, 9}};
enum { ROUNDS_N = sizeof rounds / sizeof rounds[0], ROUNDS_ROOM = sizeof rounds[0] / sizeof rounds[0][0] };

/* Makes only ticks of round numbers between low and high, without labels: `round_numbers` times each power of
 * ten, or with decades_apart k every k-th one. */
static void make_round_ticks(struct red_axis_ticks *ticks, const double *round_numbers, double decades_apart,
                             double low, double high) {
    ticks->n = 0;
    for (double d = floor(log10(low)); d <= log10(high); d += decades_apart)
        for (size_t s = 0; s < ROUNDS_ROOM && round_numbers[s] > 0; s++)
            if (round_numbers[s] * pow(10, d) >= low && round_numbers[s] * pow(10, d) <= high)
                red_axis_ticks_insert(ticks, round_numbers[s] * pow(10, d));
}

void red_axis_ticks_make(struct red_axis_ticks *ticks, enum red_chart_unit axis, double low, double high,
                         size_t max) {
    double decades = 1;
    ticks->n = 0;
    if (!(low > 0) || !(high > low) || !isfinite(high / low))
        return;
    while (log10(high / low) / decades > (double)max)
        decades++;
    make_round_ticks(ticks, rounds[0], decades, low, high);
    for (size_t s = 1; s < ROUNDS_N; s++) {
        struct red_axis_ticks finer = {.n = 0};
        make_round_ticks(&finer, rounds[s], 1, low, high);
        if (finer.n <= max && finer.n > ticks->n)
            *ticks = finer;
    }
    for (size_t i = 0; i < ticks->n; i++)
        ticks->labels[i] = red_axis_value_text(axis, ticks->values[i]);
}

/* ---- scales ----------------------------------------------------------------------------------------------
 * svg.c asks for the scales of the chart that it draws, and where a value lies on them. */

double red_scale_share(const struct red_scale *scale, double value) {
    if (scale->logarithmic)
        return log(value / scale->low) / log(scale->high / scale->low);
    return (value - scale->low) / (scale->high - scale->low);
}

/* Makes the logarithmic scale reach to a value; what has no place on a logarithmic axis is left out. */
static void widen_scale(struct red_scale *scale, double value) {
    if (!(value > 0) || !isfinite(value))
        return;
    scale->low = scale->low > 0 && scale->low < value ? scale->low : value;
    scale->high = scale->high > value ? scale->high : value;
}

static void make_scales_of_lines(const struct red_chart *chart, struct red_scale *x, struct red_scale *y) {
    *x = *y = (struct red_scale){.logarithmic = true};
    for (size_t l = 0; l < chart->series_n; l++) {
        for (size_t p = 0; p < chart->series[l].points_n; p++) {
            const struct red_point *point = &chart->series[l].points[p];
            widen_scale(x, point->x);
            widen_scale(y, point->low);
            widen_scale(y, point->high);
            widen_scale(y, point->y);
            red_axis_ticks_insert(&x->ticks, point->x);
        }
    }
    widen_scale(y, chart->cross_line);
    x->low /= 1.1;
    x->high *= 1.1;
    y->low /= 1.15;
    y->high *= 1.15;
    red_axis_ticks_thin_and_label_sizes(&x->ticks, TICKS_MAX);
    red_axis_ticks_make(&y->ticks, chart->axis, y->low, y->high, TICKS_MAX);
}

/* Makes a scale with one place for each name, and labels in equal steps, at most max. */
static void make_scale_of_names(struct red_scale *scale, const char names[][64], size_t n, size_t max) {
    const size_t step = (n + max - 1) / max;
    *scale = (struct red_scale){.low = -0.5, .high = (double)n - 0.5};
    for (size_t i = 0; i < n; i += step) {
        scale->ticks.values[scale->ticks.n] = (double)i;
        red_text_add(scale->ticks.labels[scale->ticks.n++].text, sizeof scale->ticks.labels[0], "%s",
                     names[i]);
    }
}

static void make_scale_of_percent(struct red_scale *scale) {
    *scale = (struct red_scale){.low = 0, .high = 100};
    for (double value = 0; value <= 100; value += 20) {
        scale->ticks.values[scale->ticks.n] = value;
        scale->ticks.labels[scale->ticks.n++] = red_axis_value_text(RED_UNIT_PERCENT, value);
    }
}

void red_chart_scales_make(const struct red_chart *chart, struct red_scale *x, struct red_scale *y) {
    if (chart->kind == RED_CHART_LINES) {
        make_scales_of_lines(chart, x, y);
        return;
    }
    make_scale_of_names(y, chart->rows, chart->rows_n, RED_CHART_NAMES_MAX);
    if (chart->kind == RED_CHART_HEAT_MAP) {
        make_scale_of_names(x, chart->columns, chart->columns_n, NAMES_MAX);
        return;
    }
    make_scale_of_percent(x);
    y->low = y->high; /* the first row is on top */
    y->high = -0.5;
}

/* ---- colours ------------------------------------------------------------------------------------------- */

const struct red_colour red_colours[] = {
    [RED_COLOUR_INK] = {"ink", "#1b1f24", "#e6e8ea"},
    [RED_COLOUR_MUTED] = {"muted", "#59616b", "#a3abb4"},
    [RED_COLOUR_GRID] = {"grid", "#d5d9de", "#3a4047"},
    [RED_COLOUR_PAPER] = {"paper", "#fefefe", "#15181c"},
    [RED_COLOUR_CATEGORY] = {"c0", "#1b1f25", "#e6e8eb"}, /* black */
    {"c1", "#0072b2", "#3d9bd9"},                         /* blue, lighter on black */
    {"c2", "#d55e00", "#d55e00"},                         /* vermillion */
    {"c3", "#008a64", "#009e73"},                         /* bluish green */
    {"c4", "#b85c92", "#cc79a7"},                         /* reddish purple */
    {"c5", "#a87400", "#e69f00"},                         /* orange */
    {"c6", "#2f8dc6", "#56b4e9"},                         /* sky blue */
    {"c7", "#857b00", "#f0e442"},                         /* yellow */
};
const size_t red_colours_n = sizeof red_colours / sizeof red_colours[0];
_Static_assert(sizeof red_colours / sizeof red_colours[0] == RED_COLOUR_CATEGORY + RED_CATEGORIES_N,
               "each category has its colour");

/* svg.c asks, for series, fields, bars and the legend. */
const struct red_colour *red_category_colour(unsigned category) {
    return &red_colours[RED_COLOUR_CATEGORY + category % RED_CATEGORIES_N];
}

const char *const red_shades[RED_SHADES_N] = {"#fde737", "#dcc94b", "#bbac5f", "#9b926d",
                                              "#7d7a78", "#5f6372", "#3d4c6c", "#00224e"};

/* ---- what is shown ---------------------------------------------------------------------------------------
 * Which strategies have lines in the charts of a section: seen in their legends; tables of times
 * have the others, too. */

/* By how much a strategy is slower than the best, over all n and devices, as a mean of logarithms; where it
 * has no time it counts as thirty times slower. Charts show those with the lowest cost. */
struct slowness {
    const struct red_strategy *strategy;
    double cost;
};

static struct slowness slowness_of(const struct red_section *section, const struct red_strategy *strategy) {
    struct slowness slowness = {.strategy = strategy};
    size_t n = 0;
    for (size_t s = 0; s < section->sources_n; s++) {
        const struct red_table_view *view = &section->sources[s].view;
        for (size_t i = 0; i < view->sizes_n; i++) {
            const struct red_cell *best = red_table_view_fastest(view, NULL, view->sizes[i]);
            const struct red_cell *own = red_table_view_fastest(view, strategy, view->sizes[i]);
            if (best == NULL)
                continue;
            slowness.cost += log(own ? own->time.median / best->time.median : 30);
            n++;
        }
    }
    slowness.cost /= n > 0 ? (double)n : 1;
    return slowness;
}

/* Whether it is one of the primitive's three of the main question, 2.x against 1.x, which charts always show.
 */
static bool is_always_drawn(const struct red_strategy *strategy) {
    return red_select_names(red_primitives[strategy->primitive].always_drawn, strategy->name);
}

/* Which strategies to choose first: those that are always drawn, then the fastest. */
static int by_preference(const void *left, const void *right) {
    const struct slowness *a = left, *b = right;
    bool first = is_always_drawn(a->strategy), second = is_always_drawn(b->strategy);
    if (first != second)
        return first ? -1 : 1;
    return (a->cost > b->cost) - (a->cost < b->cost);
}

/* The order of series: strategies of 1.x first, then 2.x, each by name. */
static int by_standard_and_name(const void *left, const void *right) {
    const struct red_chosen *a = left, *b = right;
    if (a->strategy->standard != b->strategy->standard)
        return (a->strategy->standard > b->strategy->standard) -
               (a->strategy->standard < b->strategy->standard);
    return strcmp(a->strategy->name, b->strategy->name);
}

/* The same for a 2.x strategy and the one that it replaces, which have one colour. */
static const char *family_name(const struct red_strategy *strategy) {
    return strategy->counterpart[0] != '\0' ? strategy->counterpart : strategy->name;
}

/* Sets colours and dashes of the strategies that were chosen. */
static void colour_and_dash_chosen(struct red_section *section) {
    unsigned colours_n = 0;
    for (size_t i = 0; i < section->chosen_n; i++) {
        struct red_chosen *chosen = &section->chosen[i];
        chosen->dashed = chosen->strategy->standard == RED_STANDARD_CL20;
        for (size_t k = 0; k < i && chosen->colour == 0; k++)
            if (strcmp(family_name(section->chosen[k].strategy), family_name(chosen->strategy)) == 0)
                chosen->colour = section->chosen[k].colour;
        if (chosen->colour == 0) /* the first one is ink, for what is compared with */
            chosen->colour = 1 + colours_n++ % (RED_CATEGORIES_N - 1);
    }
}

static bool is_among(const struct slowness *all, size_t n, const struct red_strategy *strategy) {
    for (size_t i = 0; i < n; i++)
        if (all[i].strategy == strategy)
            return true;
    return false;
}

/* Chooses the strategies that have lines in the section's charts, RED_CHOSEN_MAX at most, sorts them and
 * gives them their colours. */
static void choose_drawn_strategies(struct red_section *section) {
    struct slowness all[RED_STRATEGIES_MAX];
    size_t n = 0;
    for (size_t s = 0; s < section->sources_n; s++) {
        const struct red_run *run = section->sources[s].view.run;
        for (size_t i = 0; i < run->cells_n && n < RED_STRATEGIES_MAX; i++) {
            const struct red_cell *cell = &run->cells[i];
            if (cell->device == 0 || cell->samples_n == 0 || is_among(all, n, cell->at.strategy))
                continue;
            all[n++] = slowness_of(section, cell->at.strategy);
        }
    }
    qsort(all, n, sizeof all[0], by_preference);
    section->strategies_n = n;
    section->chosen_n = n < RED_CHOSEN_MAX ? n : RED_CHOSEN_MAX;
    for (size_t i = 0; i < section->chosen_n; i++)
        section->chosen[i] = (struct red_chosen){.strategy = all[i].strategy};
    qsort(section->chosen, section->chosen_n, sizeof section->chosen[0], by_standard_and_name);
    colour_and_dash_chosen(section);
}

/* ---- the section -----------------------------------------------------------------------------------------
 * A chapter of the page: report.c makes one for each query of the files that --op and --type choose. */

/* Seen in titles of charts, in tables and in sentences of the page, where `report` has several files. */
struct red_short_text red_report_letter(const struct red_report *report, size_t file, const char *separator) {
    struct red_short_text made = {.text = ""};
    if (report->loaded->results_n > 1)
        snprintf(made.text, sizeof made.text, "%.8s%s", red_letters_text(file).text, separator);
    return made;
}

/* Whether a value of the chart's table is this word. */
static bool table_has_word(const struct red_table *table, const char *word) {
    for (size_t r = 0; r < red_table_rows_n(table); r++)
        for (size_t c = 1; c < red_table_columns_n(table); c++) {
            const char *value = red_table_value(table, r, c);
            const size_t n = strcspn(value, " ");
            if (n == strlen(word) && strncmp(value, word, n) == 0)
                return true;
        }
    return false;
}

void red_chart_describe_states(struct red_chart *chart) {
    const char *before = " In the table: ";
    for (int s = 0; s <= RED_STATES_N; s++) {
        const bool is_state = s < RED_STATES_N;
        const char *word = is_state ? red_state_word((enum red_state)s) : RED_NOT_MEASURED;
        if (s == RED_STATE_PASS || !table_has_word(chart->table, word))
            continue;
        red_text_add(chart->description, sizeof chart->description, "%s%s = %s", before, word,
                     is_state ? red_state_name((enum red_state)s) : "not measured");
        before = ", ";
    }
    if (before[0] == ',')
        red_text_add(chart->description, sizeof chart->description, ".");
}

/* Appends what the times of a source depend on: "Intel(R) OpenCL, driver 2023.16.7, host AMD EPYC; measured
 * 2026-11-20 by clreduce 1.0". */
static void add_origin(const struct red_series_source *source, char *text, size_t text_bytes) {
    const struct red_run *run = source->view.run;
    const struct red_device_info *info = &run->devices[source->view.device].info;
    red_text_add(text, text_bytes, "%s, driver %s", info->platform, info->driver);
    if (run->host.processor[0] != '\0' && strstr(info->name, run->host.processor) == NULL)
        red_text_add(text, text_bytes, ", host %s", run->host.processor);
    red_text_add(text, text_bytes, "; measured %.10s by %s", run->started, red_run_program_text(run).text);
}

void red_chart_set_origin(struct red_chart *chart, const struct red_section *section,
                          const struct red_series_source *source, bool alone) {
    const struct red_short_text query = red_query_title(section->query);
    const struct red_run_device *device =
        source != NULL ? &source->view.run->devices[source->view.device] : NULL;
    char what[sizeof chart->title];
    snprintf(what, sizeof what, "%s", chart->title);
    chart->subject[0] = chart->origin[0] = '\0';
    for (size_t s = 0; s < section->sources_n && device == NULL; s++) {
        red_text_add(chart->origin, sizeof chart->origin, "%s%s: ", s > 0 ? "; " : "",
                     section->sources[s].label);
        add_origin(&section->sources[s], chart->origin, sizeof chart->origin);
    }
    if (device != NULL)
        add_origin(source, chart->origin, sizeof chart->origin);
    if (alone && device != NULL) {
        snprintf(chart->title, sizeof chart->title, "%s on %s%s", query.text, device->info.id,
                 device->steadiness.fails ? ": these times cannot be compared" : "");
        const size_t label_n = strlen(source->label); /* the title of the page is "A intel: ..." */
        red_text_add(chart->subject, sizeof chart->subject, "%s; %s",
                     strncmp(what, source->label, label_n) == 0 ? what + label_n + 2 : what,
                     device->info.name);
    } else {
        red_text_add(chart->subject, sizeof chart->subject, "%s%s%s", query.text,
                     device != NULL ? " on " : "", device != NULL ? device->info.name : "");
    }
}

/* Makes the source of a device, with the cells of the query that was found in its file. */
static void fill_source(struct red_series_source *source, const struct red_report *report, size_t file,
                        const struct red_query *query, size_t device) {
    const struct red_result *result = &report->loaded->results[file];
    red_text_add(source->label, sizeof source->label, "%s%s", red_report_letter(report, file, " ").text,
                 result->run.devices[device].info.id);
    source->result = result;
    red_table_view_begin(&source->view, &query->run, report->catalogue, NULL);
    source->view.device = device;
    source->view.at = query->at;
}

enum red_status red_section_make(struct red_section *section, const struct red_query *query,
                                 const struct red_report *report, struct red_error *error) {
    *section = (struct red_section){.query = query, .report = report};
    section->sources = calloc(RED_SOURCES_MAX, sizeof *section->sources);
    if (section->sources == NULL)
        return red_fail(error, RED_E_MEMORY, "no memory for a report");
    for (size_t r = 0; r < report->loaded->results_n; r++) {
        const struct red_result *result = &report->loaded->results[r];
        const struct red_query *found = red_result_find_query(result, query);
        for (size_t d = 0; found != NULL && d < result->run.devices_n; d++) {
            if (result->run.devices[d].is_host)
                continue;
            if (section->sources_n == RED_SOURCES_MAX)
                return red_fail(error, RED_E_INPUT,
                                "a report shows at most %d devices side by side: name fewer files, or some "
                                "devices by --device; compare --drivers shows all",
                                RED_SOURCES_MAX);
            fill_source(&section->sources[section->sources_n++], report, r, found, d);
        }
    }
    choose_drawn_strategies(section);
    return RED_OK;
}

void red_section_clear(struct red_section *section) {
    free(section->sources);
    *section = (struct red_section){.sources_n = 0};
}
