/* The chapter of the page on a large fleet: its groups, who differs from them, and how times and roofs are
 * spread. The other chapters show one run for each group. report.c calls it for `report` of more devices than
 * can stand side by side (red_fleet_is_large). */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "console/fleet_table.h"
#include "report/private.h"

enum { GROUPS_SHOWN = 8 };

/* ---- which runs are shown ------------------------------------------------------------------------------ */

/* Whether the run stands for one of the first groups. */
static bool is_shown(const struct red_fleet *fleet, const struct red_result *result) {
    for (size_t g = 0; g < fleet->groups_n && g < GROUPS_SHOWN; g++)
        if (fleet->devices[fleet->groups[g].usual].result == result)
            return true;
    return false;
}

/* Whether one of the results that are shown has a device of the file of `verify`. */
static bool has_device_of(const struct red_loaded_files *shown, const struct red_result *of) {
    for (size_t r = 0; r < shown->results_n; r++)
        for (size_t d = 0; d < of->run.devices_n; d++)
            if (red_result_find_device(&shown->results[r], of, d) >= 0)
                return true;
    return false;
}

/* Fills `shown` with the runs that stand for groups, and the checks of their devices: what they hold is still
 * owned by `loaded`; release the arrays with red_fleet_shown_free. */
enum red_status red_fleet_choose_shown(const struct red_fleet *fleet, const struct red_loaded_files *loaded,
                                       struct red_loaded_files *shown, struct red_error *error) {
    *shown = (struct red_loaded_files){.results = calloc(GROUPS_SHOWN, sizeof *shown->results),
                                       .checks = calloc(loaded->checks_n + 1, sizeof *shown->checks),
                                       .cubs = loaded->cubs,
                                       .cubs_n = loaded->cubs_n};
    if (shown->results == NULL || shown->checks == NULL)
        return red_fail(error, RED_E_MEMORY, "no memory for the runs of a fleet");
    for (size_t r = 0; r < loaded->results_n; r++)
        if (is_shown(fleet, &loaded->results[r]))
            shown->results[shown->results_n++] = loaded->results[r];
    for (size_t c = 0; c < loaded->checks_n; c++)
        if (has_device_of(shown, &loaded->checks[c].result))
            shown->checks[shown->checks_n++] = loaded->checks[c];
    return RED_OK;
}

void red_fleet_shown_free(struct red_loaded_files *shown) {
    free(shown->results);
    free(shown->checks);
    *shown = (struct red_loaded_files){.results_n = 0};
}

/* ---- the spread of times and roofs ----------------------------------------------------------------------
 */

/* Where the columns of the picture begin, as ratio to the group's median; the first begins at 0. */
static const double edges[] = {0, 0.8, 0.9, 0.95, 0.98, 0.99, 1.01, 1.02, 1.05, 1.1, 1.25, 1.5};
enum { EDGES_N = sizeof edges / sizeof edges[0] };

/* What is counted: a ratio of the device, 0 where it is not known. */
typedef double fleet_ratio(const struct red_fleet_device *device);

static double time_ratio_of(const struct red_fleet_device *device) {
    return device->time_ratio;
}

static double roof_ratio_of(const struct red_fleet_device *device) {
    return device->roof_ratio;
}

/* Adds the row of a group: how many of its devices lie in each column. */
static void add_group_row(struct red_chart *chart, const struct red_fleet *fleet, size_t g,
                          fleet_ratio *ratio_of) {
    const struct red_fleet_group *group = &fleet->groups[g];
    size_t counts[EDGES_N] = {0}, most = 0;
    for (size_t d = group->first; d < group->first + group->n; d++) {
        const double ratio = ratio_of(&fleet->devices[d]);
        size_t column = 0;
        while (column + 1 < EDGES_N && ratio >= edges[column + 1])
            column++;
        counts[column] += ratio > 0;
    }
    for (size_t c = 0; c < EDGES_N; c++)
        most = counts[c] > most ? counts[c] : most;
    if (most == 0)
        return;
    snprintf(chart->rows[chart->rows_n], sizeof chart->rows[0], "%.8s %.50s", red_fleet_letter(g).text,
             red_fleet_run_device(&fleet->devices[group->first])->info.id);
    red_table_put(chart->table, "%s", chart->rows[chart->rows_n]);
    for (size_t c = 0; c < EDGES_N; c++) {
        struct red_heat_field field = {c, chart->rows_n,
                                       .shade = log1p((double)counts[c]) / log1p((double)most)};
        snprintf(field.label, sizeof field.label, "%zu", counts[c]);
        red_table_put(chart->table, "%zu", counts[c]);
        if (counts[c] > 0)
            red_chart_add_field(chart, field);
    }
    chart->rows_n++;
}

/* Sets what the drawing tells of its origin: how many devices, when they were measured, and the version. */
static void set_origin(struct red_chart *chart, const struct red_fleet *fleet) {
    const char *first = "", *last = "";
    for (size_t d = 0; d < fleet->devices_n; d++) {
        const char *started = fleet->devices[d].result->run.started;
        first = first[0] == '\0' || strcmp(started, first) < 0 ? started : first;
        last = strcmp(started, last) > 0 ? started : last;
    }
    snprintf(chart->subject, sizeof chart->subject, "%zu devices of %zu hosts", fleet->devices_n,
             fleet->hosts_n);
    snprintf(chart->origin, sizeof chart->origin, "measured %.10s to %.10s; drawn by clreduce %s", first,
             last, CLREDUCE_VERSION);
}

/* Writes the picture of one ratio, unless no group has it. */
static void write_spread(const struct red_fleet *fleet, struct red_page *page, fleet_ratio *ratio_of,
                         const char *title, const char *x_label) {
    struct red_chart chart = {.number = page->charts_n++, .kind = RED_CHART_HEAT_MAP};
    snprintf(chart.title, sizeof chart.title, "%s", title);
    snprintf(
        chart.description, sizeof chart.description,
        "%s: how many devices of each group lie from this value on and before the next (blank: none); 1 is "
        "the median of the group.",
        title);
    set_origin(&chart, fleet);
    chart.x_label = x_label;
    chart.y_label = "group";
    chart.table = red_table_create("group");
    for (size_t c = 0; c < EDGES_N; c++) {
        snprintf(chart.columns[chart.columns_n], sizeof chart.columns[0], "%.3g", edges[c]);
        red_table_add_column(chart.table, chart.columns[chart.columns_n++], true, 0);
    }
    for (size_t g = fleet->groups_n < GROUPS_SHOWN ? fleet->groups_n : GROUPS_SHOWN; g-- > 0;)
        add_group_row(&chart, fleet, g, ratio_of); /* the first is the uppermost */
    if (!red_chart_is_empty(&chart))
        page->format->chart(page, &chart);
    red_chart_clear(&chart);
}

/* ---- the chapter ----------------------------------------------------------------------------------------
 */

/* Writes which runs the other chapters show. */
static void write_shown(const struct red_fleet *fleet, struct red_page *page) {
    char text[1536] = "The chapters below show one run for each group, which is as most of it are: ",
         name[400];
    for (size_t g = 0; g < fleet->groups_n && g < GROUPS_SHOWN; g++) {
        const size_t usual = fleet->groups[g].usual;
        red_fleet_device_name(fleet, usual, name, sizeof name);
        red_text_add(text, sizeof text, "%s%s %s on %.100s", g > 0 ? ", " : "", red_fleet_letter(g).text,
                     red_fleet_run_device(&fleet->devices[usual])->info.id, name);
    }
    if (fleet->groups_n > GROUPS_SHOWN)
        red_text_add(text, sizeof text, "; of the other %zu groups none", fleet->groups_n - GROUPS_SHOWN);
    red_text_add(text, sizeof text, ".");
    page->format->text(page, text);
}

void red_fleet_write_chapter(const struct red_fleet *fleet, struct red_page *page) {
    char text[1024];
    size_t left_n;
    red_page_begin_chapter(page, "fleet", "The fleet");
    red_fleet_sentence(fleet, text, sizeof text);
    page->format->text(page, text);
    red_page_put_and_destroy_table(page, "Groups", red_fleet_groups_table(fleet));
    red_page_put_and_destroy_table(page, "Who differs from most of its group, what is most urgent first",
                                   red_fleet_outliers_table(fleet, &left_n));
    if (left_n > 0) {
        snprintf(text, sizeof text,
                 "%zu more are left out here; clreduce compare --drivers --format csv has the times and "
                 "states of all.",
                 left_n);
        page->format->text(page, text);
    }
    page->format->heading(page, "fleet-spread", "How far devices of a group are apart");
    page->format->begin_side_by_side(page);
    write_spread(fleet, page, time_ratio_of, "Time to answer by the median of the group",
                 "times as long as the group, from");
    write_spread(fleet, page, roof_ratio_of, "Roof by the median of the group",
                 "times the roof of the group, from");
    page->format->end(page);
    write_shown(fleet, page);
    red_page_end_chapter(page);
}
