/* The chapters of `report` on one array over many ranks (files of bench --ranks), and the picture of it alone
 * (--format svg). report.c calls them; the user sees them behind the chapters of result files, or on a page
 * of their own. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "console/ranks_table.h"
#include "core/select.h"
#include "core/text.h"
#include "report/report_private.h"
#include "results/loaded.h"

/* A row of the tables of one scaling takes about so many bytes of a page that has room for a few scalings. */
enum { DRAWN_MAX = 10, TABLE_WIDTH = 100, ROW_BYTES = 1500 };

/* ---- what is wanted ------------------------------------------------------------------------------------ */

bool red_ranks_have_wanted(const struct red_report *report) {
    struct red_scaling scaling;
    for (size_t f = 0; f < report->loaded->ranks_n; f++)
        for (size_t at = 0; red_scaling_next(&report->loaded->ranks[f].pivot, &at, &scaling);)
            if (red_report_wants(report, &scaling.at))
                return true;
    return false;
}

/* ---- charts -------------------------------------------------------------------------------------------- */

/* Adds the line's efficiency with each number of ranks that has a time. */
static void add_efficiency_points(const struct red_scaling *scaling, const struct red_cell *line,
                                  struct red_series *series) {
    for (unsigned n = 0; (n = red_scaling_ranks_n_above(scaling, n)) > 0;) {
        const struct red_cell *row = red_scaling_cell(scaling, line, n),
                              *one = row != NULL ? red_ranks_cell_of_one(scaling->pivot, row) : NULL;
        const double times = scaling->weak ? 1 : n;
        if (one == NULL || row->samples_n == 0)
            continue;
        struct red_point point = red_ratio_point(n, &one->time, &row->time);
        if (row == one)
            point.low = point.high = point.y;
        point.y /= times;
        point.low /= times;
        point.high /= times;
        red_series_add(series, point);
    }
}

/* Sets what the drawing tells of its origin: ranks and their first device, library, host, date and version.
 */
static void set_origin(struct red_chart *chart, const struct red_run *run) {
    const struct red_over_ranks *over = &run->over_ranks;
    const struct red_rank *first = over->ranks_n > 0 ? &over->ranks[0] : NULL;
    red_text_add(chart->subject, sizeof chart->subject, "%s on %s%s",
                 red_ranks_text((unsigned)over->ranks_n).text,
                 first == NULL                   ? "no device"
                 : first->device_name[0] != '\0' ? first->device_name
                                                 : first->device,
                 over->ranks_n > 1 ? " and others of these ranks" : "");
    red_text_add(chart->origin, sizeof chart->origin, "driver %s, host %s%s%s; measured %.10s by %s",
                 first != NULL && first->driver[0] != '\0' ? first->driver : "none", run->host.processor,
                 over->mpi[0] != '\0' ? ", " : "", over->mpi, run->started, red_run_program_text(run).text);
}

/* Makes the chart of efficiency against the number of ranks, a line for each strategy and collective: the
 * fastest ones, the roof, and other programs. Empty where there is one rank alone. */
static void make_efficiency_chart(const struct red_scaling *scaling, struct red_chart *chart) {
    const struct red_cell *line;
    const unsigned most = red_scaling_most_ranks_n(scaling);
    const double longest_s = red_scaling_time_of_fastest(scaling, most, DRAWN_MAX);
    size_t lines_n = 0;
    if (most <= 1)
        return;
    red_chart_set_title_and_x(chart, NULL, "%s: efficiency against one rank",
                              red_scaling_title(scaling).text);
    chart->x_label = "ranks";
    red_chart_set_y(chart, RED_UNIT_SHARE, "efficiency", "as fast as one rank for each");
    set_origin(chart, scaling->pivot->run);
    for (size_t at = 0; (line = red_scaling_next_line(scaling, &at)) != NULL;) {
        const bool is_roof = line->kind == RED_CELL_ROOF, is_own = line->kind == RED_CELL_OWN;
        char name[sizeof chart->series[0].name];
        lines_n += !is_roof;
        if (is_own && red_ranks_cell_time_s(red_scaling_cell(scaling, line, most)) > longest_s)
            continue;
        snprintf(name, sizeof name, is_roof ? "reading alone" : "%.40s, %.30s",
                 is_roof ? "" : line->at.strategy->name, line->at.collective);
        add_efficiency_points(
            scaling, line,
            red_chart_add_series(
                chart, name, is_roof ? 0 : 1 + (unsigned)(lines_n - 1) % (RED_CATEGORIES_N - 1), !is_own));
    }
    snprintf(chart->description, sizeof chart->description,
             "Efficiency is %s; bands are 95 %% intervals. Both axes are logarithmic. %s",
             scaling->weak ? "the time of one rank by that of R ranks with as much for each"
                           : "the time of one rank by R times that of R ranks",
             isfinite(longest_s) ? "The fastest of all strategies and collectives are drawn." : "");
}

/* Makes the chart of the parts of a call's time against the number of ranks, of the fastest strategy and
 * collective on the most ranks, with the table of its figures. */
static void make_parts_chart(const struct red_scaling *scaling, struct red_chart *chart) {
    static const unsigned colours[RED_PARTS_N] = {0, 1, 5, 4};
    static const char *const names[RED_PARTS_N] = {"in all", "device", "imbalance", "collective"};
    const struct red_cell *fastest = red_scaling_fastest(scaling, red_scaling_most_ranks_n(scaling));
    if (fastest == NULL)
        return;
    red_chart_set_title_and_x(chart, NULL, "%s: parts of the time of %.40s, %.30s",
                              red_scaling_title(scaling).text, fastest->at.strategy->name,
                              fastest->at.collective);
    chart->x_label = "ranks";
    red_chart_set_y(chart, RED_UNIT_TIMES, "median", NULL);
    set_origin(chart, scaling->pivot->run);
    chart->table = red_table_create("ranks|in all>|device>|imbalance>|collective>|of roof>");
    for (size_t part = 0; part < RED_PARTS_N; part++)
        red_chart_add_series(chart, names[part], colours[part], part == RED_PART_TOTAL);
    for (unsigned n = 0; (n = red_scaling_ranks_n_above(scaling, n)) > 0;) {
        const struct red_cell *row = red_scaling_cell(scaling, fastest, n);
        if (row == NULL || row->samples_n == 0)
            continue;
        red_table_put(chart->table, "%u", n);
        for (size_t part = 0; part < RED_PARTS_N; part++) {
            const double median_s = row->part_medians_s[part];
            red_series_add(&chart->series[part], (struct red_point){n, median_s, median_s, median_s});
            red_table_put(chart->table, "%s", red_time_text(median_s).text);
        }
        red_table_put(chart->table, "%s", red_share_text(red_ranks_roof_share(scaling->pivot, row)).text);
    }
    snprintf(chart->description, sizeof chart->description,
             "What the time is made of: the mean of the ranks' own reductions (device), how much the slowest "
             "takes longer than that (imbalance), and the rest (collective). Medians of each part; both axes "
             "are logarithmic.");
}

/* ---- chapters ------------------------------------------------------------------------------------------ */

/* Writes the chart unless it is empty, and clears it. */
static void write_and_clear_chart(struct red_page *page, struct red_chart *chart) {
    chart->number = page->charts_n++;
    if (!red_chart_is_empty(chart))
        page->format->chart(page, chart);
    red_chart_clear(chart);
}

/* Writes the chapter of a scaling: its tables and charts. */
static void write_scaling(struct red_page *page, const struct red_scaling *scaling, size_t file,
                          size_t number) {
    struct red_chart efficiency = {.series_n = 0}, parts = {.series_n = 0};
    char id[64], text[1024];
    unsigned most = 0;
    if (page->left_out_n > 0) { /* the page is full */
        page->left_out_n++;
        return;
    }
    page->may_leave_out = true;
    snprintf(id, sizeof id, "scaling-%zu-%zu", file + 1, number);
    red_page_begin_chapter(page, id, red_scaling_title(scaling).text);
    red_scaling_sentence_format(scaling, text, sizeof text);
    if (text[0] != '\0')
        page->format->text(page, text);
    page->format->begin_side_by_side(page);
    make_efficiency_chart(scaling, &efficiency);
    write_and_clear_chart(page, &efficiency);
    make_parts_chart(scaling, &parts);
    write_and_clear_chart(page, &parts);
    page->format->end(page);
    const size_t lines_max = (size_t)page->format->figures_bytes_max / ROW_BYTES;
    red_scaling_left_out_format(scaling, lines_max, text, sizeof text);
    if (text[0] != '\0')
        page->format->text(page, text);
    while (red_scaling_ranks_n_above(scaling, most) > 0) {
        char caption[256];
        const unsigned first = red_scaling_ranks_n_above(scaling, most);
        struct red_table *table = red_scaling_times_table(scaling, TABLE_WIDTH, lines_max, &most);
        snprintf(caption, sizeof caption, "Time, efficiency against one rank, share of the roof: ");
        if (first < most)
            red_text_add(caption, sizeof caption, "%u to ", first);
        red_text_add(caption, sizeof caption, "%s", red_ranks_text(most).text);
        red_page_put_and_destroy_table(page, caption, table);
    }
    most = red_scaling_most_ranks_n(scaling);
    snprintf(text, sizeof text, "Parts of the time with %s", red_ranks_text(most).text);
    red_page_put_and_destroy_table(page, text, red_scaling_parts_table(scaling, lines_max, most));
    red_scaling_bits_format(scaling, text, sizeof text);
    if (text[0] != '\0')
        page->format->text(page, text);
    red_page_end_chapter(page);
    page->may_leave_out = false;
}

/* Appends a file of another program, and what that was built with. */
static void add_peer(char *text, size_t text_bytes, const char *before, const struct red_result *peer) {
    const struct red_over_ranks *over = &peer->run.over_ranks;
    const char *driver = over->ranks_n > 0 ? over->ranks[0].driver : "";
    red_text_add(text, text_bytes, driver[0] != '\0' ? "%s%s (%s)" : "%s%s%s", before, peer->path, driver);
}

/* Writes which other programs' cells there are, and the files of their times; "" if none. */
static void peers_format(const struct red_loaded_ranks *loaded, char *text, size_t text_bytes) {
    enum { NAMES_MAX = 6 };
    const struct red_ranks_pivot *pivot = &loaded->pivot;
    const struct red_cell *named[NAMES_MAX];
    size_t names_n = 0;
    text[0] = '\0';
    for (size_t i = 0; i < pivot->cells_n && names_n < NAMES_MAX; i++) {
        const struct red_cell *cell = pivot->cells[i];
        bool is_new = cell->kind == RED_CELL_PEER;
        for (size_t k = 0; k < names_n && is_new; k++)
            is_new = !red_at_is_same(&named[k]->at, &cell->at, RED_AT(STRATEGY) | RED_AT(COLLECTIVE));
        if (!is_new)
            continue;
        red_text_add(text, text_bytes, "%s%s with %s", names_n > 0 ? ", " : "", cell->at.strategy->name,
                     cell->at.collective);
        named[names_n++] = cell;
    }
    if (names_n == 0)
        return;
    red_text_add(text, text_bytes, " %s another program, timed by itself: ", names_n > 1 ? "are of" : "is");
    if (red_run_is_of_peer(&loaded->result.run))
        add_peer(text, text_bytes, "", &loaded->result);
    for (size_t p = 0; p < loaded->peers_n; p++)
        add_peer(text, text_bytes, p > 0 ? ", " : "", &loaded->peers[p]);
    red_text_add(text, text_bytes, ".");
}

/* Writes how the run was measured, and what the figures mean. */
static void write_method(struct red_page *page, const struct red_loaded_ranks *loaded) {
    const struct red_run *run = &loaded->result.run;
    const struct red_over_ranks *over = &run->over_ranks;
    char text[1024];
    snprintf(text, sizeof text,
             "%s%s%s; the array is cut into pieces %s, one for each rank, which makes its own from "
             "the seed. Run on %s (%s, %u core%s), %s, began %s, took %.0f s.",
             red_ranks_text((unsigned)over->ranks_n).text, over->mpi[0] ? ", started by " : "", over->mpi,
             over->split == RED_RUN_SPLIT_ROOF ? "in proportion to what the ranks' devices read per second"
                                               : "of the same length",
             run->host.name, run->host.processor, run->host.cores_n, run->host.cores_n == 1 ? "" : "s",
             red_run_program_text(run).text, run->started[0] ? run->started : "at a time that was not kept",
             run->wall_s);
    page->format->text(page, text);
    if (!red_run_is_of_peer(run))
        page->format->text(
            page,
            "A time begins as a barrier ends and lasts until the value stands on rank 0, with an allreduce "
            "on the last rank, on the clock of one node; over several nodes by rank 0's clock, with an "
            "allreduce the longest by each rank's own. Its parts: device, the "
            "mean of the ranks' own reductions; imbalance, by how much the longest of them is longer; "
            "collective, the rest. Efficiency is the time of one rank by R times that of R ranks for the "
            "same array (strong), or by that of R ranks with as much for each (weak). The roof is the time "
            "in which the same ranks only read the array, all at once. Strategies were verified before "
            "they were timed. A time with ? is unsteady, or of a run whose times cannot be compared.");
    peers_format(loaded, text, sizeof text);
    if (text[0] != '\0')
        page->format->text(page, text);
    red_page_put_and_destroy_table(page, "Where the ranks are", red_ranks_devices_table(over));
}

/* Writes the first chapter of a file: its sentences, what was not right, collectives, how it was measured. */
static void write_overview(const struct red_report *report, struct red_page *page, size_t file) {
    const struct red_loaded_ranks *loaded = &report->loaded->ranks[file];
    const struct red_ranks_pivot *pivot = &loaded->pivot;
    struct red_scaling scaling;
    char id[32], title[160], text[1024];
    snprintf(id, sizeof id, "ranks-%zu", file + 1);
    snprintf(title, sizeof title, "One array over %s",
             red_ranks_text((unsigned)pivot->run->over_ranks.ranks_n).text);
    if (report->loaded->ranks_n > 1)
        red_text_add(title, sizeof title, ": %.100s", loaded->result.path);
    red_page_begin_chapter(page, id, title);
    red_report_write_bans(report->loaded, &loaded->result, "", page);
    for (size_t at = 0; red_scaling_next(pivot, &at, &scaling);) {
        red_scaling_sentence_format(&scaling, text, sizeof text);
        if (red_report_wants(report, &scaling.at) && red_scaling_is_largest(&scaling) && text[0] != '\0')
            page->format->text(page, text);
    }
    red_page_put_and_destroy_table(page, "Not right, or not timed", red_ranks_faults_table(pivot));
    red_page_put_and_destroy_table(page, "Collectives alone, beside MPI_Reduce of 8 bytes",
                                   red_ranks_collectives_table(pivot));
    write_method(page, loaded);
    red_page_end_chapter(page);
}

void red_ranks_write_chapters(const struct red_report *report, struct red_page *page) {
    for (size_t f = 0; f < report->loaded->ranks_n; f++) {
        struct red_scaling scaling;
        size_t number = 0;
        write_overview(report, page, f);
        for (size_t at = 0; red_scaling_next(&report->loaded->ranks[f].pivot, &at, &scaling);)
            if (red_report_wants(report, &scaling.at))
                write_scaling(page, &scaling, f, ++number);
    }
}

size_t red_ranks_make_charts(const struct red_report *report, bool of_parts, struct red_chart *charts,
                             size_t charts_max) {
    size_t n = 0;
    for (size_t f = 0; f < report->loaded->ranks_n; f++) {
        struct red_scaling scaling;
        for (size_t at = 0;
             n < charts_max && red_scaling_next(&report->loaded->ranks[f].pivot, &at, &scaling);) {
            if (!red_report_wants(report, &scaling.at) || !red_scaling_is_largest(&scaling))
                continue;
            if (of_parts)
                make_parts_chart(&scaling, &charts[n]);
            else
                make_efficiency_chart(&scaling, &charts[n]);
            charts[n].number = (unsigned)n;
            red_text_add(charts[n].subject, sizeof charts[n].subject, ": %s",
                         of_parts ? "parts of a call's time" : "efficiency against one rank");
            snprintf(charts[n].title, sizeof charts[n].title, "%.15s of %.7s, %s, %s%s", scaling.at.op->name,
                     scaling.at.dtype->name, scaling.weak ? "weak" : "strong", red_size_text(scaling.n).text,
                     scaling.weak ? " each" : "");
            if (red_chart_is_empty(&charts[n]))
                red_chart_clear(&charts[n]);
            else
                n++;
        }
    }
    return n;
}
