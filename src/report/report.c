/* The verb `report`, and `bench --report`: reads the files, and writes the chapters of the page in their
 * order. */
#include "report/report.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "console/ranks_table.h"
#include "core/file.h"
#include "core/memory.h"
#include "core/select.h"
#include "core/text.h"
#include "model/primitive.h"
#include "recommend/advice.h"
#include "report/report_private.h"
#include "results/loaded.h"

/* The kinds of charts, in the order of what readers ask: first what 2.x buys. --picture names one by its id,
 * with which the links of the page end, too. */
static const struct chart_kind {
    const char *id, *title;
    red_chart_maker *make;
    bool of_all; /* one chart of all devices */
} kinds[] = {
    {"pairs", "What 2.x buys over 1.x", red_chart_pairs, false},
    {"time", "Time to answer", red_chart_times, false},
    {"devices", "Device by device", red_chart_devices, true},
    {"cub", "Beside CUB", red_chart_cub, false},
    {"bandwidth", "Bandwidth, and the roof", red_chart_bandwidth, false},
    {"winners", "Who is fastest where", red_chart_winners, false},
    {"heat", "Group size against n", red_chart_heat_of_group_sizes, false},
    {"speedup", "Speed-up over OpenMP", red_chart_speedup, false},
    {"groups", "Speed-up against group size", red_chart_speedup_by_group_size, false},
    {"error", "Error against its bound", red_chart_errors, false},
    {"parts", "What the time is made of", red_chart_time_parts, false},
};

enum { KINDS_N = sizeof kinds / sizeof kinds[0] };

/* ---- charts -------------------------------------------------------------------------------------------- */

/* Which of the section's sources has most of a kind: lines, or fields of a heat map; of several that have the
 * same the first. NULL: none has any. */
static const struct red_series_source *source_of_most(const struct red_section *section,
                                                      const struct chart_kind *kind) {
    const struct red_series_source *best = NULL;
    size_t most = 0;
    for (size_t s = 0; s < (kind->of_all ? section->sources_n > 0 : section->sources_n); s++) {
        struct red_chart chart = {.number = 0};
        kind->make(section, &section->sources[s], 0, &chart);
        const size_t n = red_chart_is_empty(&chart)      ? 0
                         : chart.kind == RED_CHART_LINES ? chart.series_n
                                                         : chart.fields_n + 1;
        best = n > most ? &section->sources[s] : best;
        most = n > most ? n : most;
        red_chart_clear(&chart);
    }
    return best;
}

/* Makes a chart of a kind with all that stands in and below it; leaves it empty behind the last part. */
static void make_chart(const struct red_section *section, const struct chart_kind *kind,
                       const struct red_series_source *source, size_t part, bool alone,
                       struct red_chart *chart) {
    kind->make(section, source, part, chart);
    if (red_chart_is_empty(chart))
        return;
    red_chart_set_origin(chart, section, kind->of_all ? NULL : source, alone);
    red_chart_describe_states(chart);
}

/* Makes an id of a heading: "sum of f32 pairs" gives "sum-of-f32-pairs". Links of the page use it. */
static void id_format(const char *text, char *id, size_t id_bytes) {
    size_t used = 0;
    for (; *text != '\0' && used + 1 < id_bytes; text++) {
        bool fits = isalnum((unsigned char)*text) && (unsigned char)*text < 128;
        if (fits || (used > 0 && id[used - 1] != '-'))
            id[used++] = fits ? (char)tolower((unsigned char)*text) : '-';
    }
    while (used > 0 && id[used - 1] == '-')
        used--;
    id[used] = '\0';
}

/* Writes the heading of a part of the section, to which links of the page lead, unless it has been. */
static void write_heading_once(struct red_page *page, const struct red_section *section, const char *id,
                               const char *title, bool *begun) {
    char name[96], whole[160];
    if (*begun)
        return;
    snprintf(whole, sizeof whole, "%s %s", red_query_title(section->query).text, id);
    id_format(whole, name, sizeof name);
    page->format->heading(page, name, title);
    *begun = true;
}

/* Writes the charts of one kind and source, all parts, and before the first of the kind the heading. */
static void write_charts_of_source(struct red_page *page, const struct red_section *section,
                                   const struct chart_kind *kind, const struct red_series_source *source,
                                   bool *begun) {
    bool more = true;
    for (size_t part = 0; more; part++) {
        struct red_chart chart = {.number = page->charts_n++};
        make_chart(section, kind, source, part, false, &chart);
        more = !red_chart_is_empty(&chart);
        if (more && !*begun) {
            write_heading_once(page, section, kind->id, kind->title, begun);
            page->format->begin_side_by_side(page);
        }
        if (more)
            page->format->chart(page, &chart);
        red_chart_clear(&chart);
    }
}

/* Writes the charts of one kind for all devices of the section, below one heading, if there are any. Of the
 * first kind the device with most of it comes first: the page's first picture is that of --format svg. */
static void write_charts(struct red_page *page, const struct red_section *section,
                         const struct chart_kind *kind) {
    const struct red_series_source *first = kind == &kinds[0] ? source_of_most(section, kind) : NULL;
    bool begun = false;
    if (first != NULL)
        write_charts_of_source(page, section, kind, first, &begun);
    for (size_t s = 0; s < (kind->of_all ? 1 : section->sources_n); s++)
        if (&section->sources[s] != first)
            write_charts_of_source(page, section, kind, &section->sources[s], &begun);
    if (begun)
        page->format->end(page);
}

/* ---- queries ------------------------------------------------------------------------------------------- */

/* Whether a file before this one has the query, and unless the device is negative this device of the file.
 * Then the page has its section, or its advice, already. */
static bool is_in_earlier_file(const struct red_report *report, size_t file, long device,
                               const struct red_query *query) {
    const struct red_result *results = report->loaded->results;
    for (size_t before = 0; before < file; before++)
        if (red_result_find_query(&results[before], query) != NULL &&
            (device < 0 || red_result_find_device(&results[before], &results[file], (size_t)device) >= 0))
            return true;
    return false;
}

bool red_report_wants(const struct red_report *report, const struct red_at *at) {
    return red_at_is_chosen(at, NULL, report->op, report->type);
}

/* A walk over the sections of all queries that are wanted, each once; it begins as {.file = 0}. */
struct section_walk {
    size_t file, query; /* to look at next */
    struct red_section section;
};

/* Makes the walk's next section, and clears the one before it. False, and nothing to clear, behind the last
 * one and where *status is or becomes an error, that of red_section_make. */
static bool make_next_section(const struct red_report *report, struct section_walk *walk,
                              enum red_status *status, struct red_error *error) {
    red_section_clear(&walk->section);
    for (; walk->file < report->loaded->results_n; walk->file++, walk->query = 0) {
        const struct red_result *result = &report->loaded->results[walk->file];
        while (walk->query < result->queries_n && *status == RED_OK) {
            const struct red_query *query = &result->queries[walk->query++];
            if (is_in_earlier_file(report, walk->file, -1, query) || !red_report_wants(report, &query->at))
                continue;
            *status = red_section_make(&walk->section, query, report, error);
            if (*status == RED_OK)
                return true;
            red_section_clear(&walk->section);
        }
    }
    return false;
}

/* Writes which strategy to use, of each device in words: clreduce recommend has the figures. */
static void write_advice(const struct red_report *report, struct red_page *page,
                         const struct red_section *section) {
    const struct red_candidate_filter filter = {.strategy = NULL};
    bool begun = false;
    for (size_t s = 0; s < section->sources_n && page->status == RED_OK; s++) {
        if (red_result_has_slowest(section->sources[s].result, section->query)) /* advice is by those */
            continue;
        const struct red_series_source *source = &section->sources[s];
        const size_t file = (size_t)(source->result - report->loaded->results);
        const struct red_query *query = red_result_find_query(source->result, section->query);
        struct red_curves curves;
        struct red_advice advice = {.bands_n = 0};
        char text[4096];
        if (is_in_earlier_file(report, file, (long)source->view.device, query))
            continue; /* all its runs make one advice, shown with the first */
        page->status =
            red_curves_make(report->loaded, file, source->view.device, query, &filter, &curves, page->error);
        if (page->status == RED_OK)
            page->status = red_advice_make(&curves, 1, &advice, page->error);
        if (page->status == RED_OK && advice.bands_n > 0) {
            if (!begun) {
                write_heading_once(page, section, "use", "What to use", &begun);
                page->format->begin_side_by_side(page);
            }
            advice.openmp.times_n = 0; /* the factor stands above, and in the tables: of one run each */
            red_advice_sentence(&advice, text, sizeof text);
            page->format->text(page, text);
        }
        red_advice_clear(&advice);
    }
    if (begun)
        page->format->end(page);
}

/* Writes before the charts of a section which devices' times cannot be compared; "In short" says why. */
static void write_incomparable(const struct red_report *report, struct red_page *page,
                               const struct red_section *section) {
    for (size_t s = 0; s < section->sources_n; s++) {
        const struct red_series_source *source = &section->sources[s];
        const struct red_run_device *device = &source->view.run->devices[source->view.device];
        const size_t file = (size_t)(source->result - report->loaded->results);
        char text[256];
        snprintf(text, sizeof text,
                 "%s%s: these times cannot be compared; no factor below is to be relied on (?).",
                 red_report_letter(report, file, " ").text, device->info.id);
        if (device->steadiness.fails)
            page->format->text(page, text);
    }
}

/* Writes the chapter of a section: its charts, advice and errors; where an earlier one had no room on the
 * page, only counts it. */
static void write_section(const struct red_report *report, struct red_page *page,
                          const struct red_section *section) {
    const struct red_short_text title = red_query_title(section->query);
    char id[96], data[192] = "";
    if (page->left_out_n > 0) { /* the page is full */
        page->left_out_n++;
        return;
    }
    page->may_leave_out = true;
    id_format(title.text, id, sizeof id);
    red_page_begin_chapter(page, id, title.text);
    if (section->sources_n > 0)
        red_table_view_data_format(&section->sources[0].view, data, sizeof data);
    if (data[0] != '\0')
        page->format->text(page, data);
    write_incomparable(report, page, section);
    write_charts(page, section, &kinds[0]);
    write_advice(report, page, section);
    for (size_t k = 1; k < KINDS_N; k++)
        write_charts(page, section, &kinds[k]);
    red_method_write_accuracy(page, section);
    red_page_end_chapter(page);
    page->may_leave_out = false;
}

/* ---- in short ------------------------------------------------------------------------------------------ */

enum { SENTENCE_QUERIES_MAX = 8 };

/* Writes a sentence on the source, behind the letter of its file. */
static void write_labelled(const struct red_report *report, struct red_page *page,
                           const struct red_series_source *source, const char *sentence) {
    const size_t file = (size_t)(source->result - report->loaded->results);
    char text[2200];
    snprintf(text, sizeof text, "%s%s", red_report_letter(report, file, ": ").text, sentence);
    page->format->text(page, text);
}

/* Whether an earlier file has the source's device and the section's query: then "In short" has figures of
 * that one alone, since two runs of a device would answer one question twice. */
static bool is_another_run(const struct red_report *report, const struct red_section *section,
                           const struct red_series_source *source) {
    return is_in_earlier_file(report, (size_t)(source->result - report->loaded->results),
                              (long)source->view.device, section->query);
}

/* Writes the sentences on each device below "In short": the summary, and one on CUB's times if there are
 * some. */
static void write_device_sentences(const struct red_report *report, struct red_page *page,
                                   const struct red_section *section) {
    const char *bullets[RED_BULLETS_MAX];
    for (size_t s = 0; s < section->sources_n; s++) {
        const struct red_series_source *source = &section->sources[s];
        struct red_summary summary = {.bullets_n = 0};
        char text[2048];
        const bool is_new = !is_another_run(report, section, source);
        red_cub_sentence_format(section, source, text, sizeof text);
        if (!is_new && text[0] == '\0')
            continue;
        page->format->begin_block(page);
        if (is_new) {
            red_table_view_summary_make(&source->view, &summary);
            write_labelled(report, page, source, summary.head);
        }
        for (size_t i = 0; i < summary.bullets_n; i++)
            bullets[i] = summary.bullets[i];
        page->format->list(page, bullets, summary.bullets_n);
        if (text[0] != '\0')
            write_labelled(report, page, source, text);
        page->format->end(page);
    }
}

/* Writes what the letters stand for, where there are several files: the page's first lines, since letters
 * stand in all that follows. */
static void write_letters(const struct red_report *report, struct red_page *page) {
    const struct red_loaded_files *loaded = report->loaded;
    char lines[RED_SOURCES_MAX][640];
    const char *texts[RED_SOURCES_MAX];
    size_t n = 0;
    if (loaded->results_n < 2)
        return;
    for (size_t r = 0; r < loaded->results_n && n < RED_SOURCES_MAX; r++) {
        const struct red_result *result = &loaded->results[r];
        lines[n][0] = '\0';
        red_text_add(lines[n], sizeof lines[n], "%s: %s, measured %.10s on %s",
                     red_report_letter(report, r, "").text, result->path, result->run.started,
                     result->machine);
        texts[n] = lines[n];
        n++;
    }
    page->format->list(page, texts, n);
}

void red_report_write_bans(const struct red_loaded_files *loaded, const struct red_result *result,
                           const char *letter, struct red_page *page) {
    for (size_t d = 0; d < result->run.devices_n && page->status == RED_OK; d++) {
        struct red_bans bans = {.n = 0};
        char label[192], text[RED_BANS_BYTES], again[RED_BANS_BYTES];
        page->status = red_bans_add(&bans, &result->run, d, page->error);
        if (page->status == RED_OK)
            page->status = red_bans_add_checks(&bans, NULL, loaded, result, d, NULL, page->error);
        snprintf(label, sizeof label, "%s%s", letter, result->run.devices[d].info.id);
        red_bans_sentence(&bans, label, text, sizeof text);
        if (bans.n > 0)
            page->format->text(page, text);
        red_bans_again_format(&bans, "", again, sizeof again);
        if (again[0] != '\0')
            page->format->code(page, again);
        red_bans_clear(&bans);
    }
}

/* Writes first of all what strategies did wrong, whatever --op and --type choose. */
static void write_bans(const struct red_report *report, struct red_page *page) {
    for (size_t r = 0; r < report->loaded->results_n; r++)
        red_report_write_bans(report->loaded, &report->loaded->results[r],
                              red_report_letter(report, r, " ").text, page);
}

/* Adds to the table of "In short" a row for each device of the section. */
static void add_fastest_rows(struct red_table *table, const struct red_section *section) {
    for (size_t s = 0; s < section->sources_n; s++) {
        const struct red_table_view *view = &section->sources[s].view;
        const uint64_t ends[] = {view->sizes_n ? view->sizes[0] : 0,
                                 red_table_view_summary_size(view, NULL, NULL),
                                 view->sizes_n ? view->sizes[view->sizes_n - 1] : 0};
        if (is_another_run(section->report, section, &section->sources[s]))
            continue;
        RED_PUT(table, red_query_title(section->query).text, section->sources[s].label);
        for (size_t e = 0; e < sizeof ends / sizeof ends[0]; e++) {
            const struct red_short_text fastest = red_fastest_text(view, ends[e], ": ", "");
            red_table_put(table, "%s", fastest.text[0] ? fastest.text : "-");
        }
    }
}

/* Writes which devices are in several files, so that the chapter has figures of the first one alone. */
static void write_other_runs(const struct red_report *report, struct red_page *page) {
    char text[640] = "";
    for (size_t r = 1; r < report->loaded->results_n; r++) {
        const struct red_result *result = &report->loaded->results[r];
        for (size_t d = 0; d < result->run.devices_n; d++) {
            bool is_there = false;
            for (size_t before = 0; before < r && !result->run.devices[d].is_host; before++)
                is_there =
                    is_there || red_result_find_device(&report->loaded->results[before], result, d) >= 0;
            if (is_there)
                red_text_add(text, sizeof text, "%s%s%s", text[0] != '\0' ? ", " : "",
                             red_report_letter(report, r, " ").text, result->run.devices[d].info.id);
        }
    }
    if (text[0] == '\0')
        return;
    red_text_add(
        text, sizeof text,
        ": further runs of a device above; for what both measured, the figures here are of the first.");
    page->format->text(page, text);
}

/* Writes the chapter "In short": sentences for each device of the first queries, and a row of the table for
 * each device of all queries. */
static void write_in_short(const struct red_report *report, struct red_page *page) {
    struct red_table *table = red_table_create("question|device|smallest n|around 2^20|largest n");
    size_t queries_n = 0;
    red_page_begin_chapter(page, "in-short", "In short");
    write_letters(report, page);
    write_bans(report, page);
    page->format->begin_side_by_side(page);
    for (struct section_walk walk = {.file = 0};
         make_next_section(report, &walk, &page->status, page->error);) {
        if (queries_n++ < SENTENCE_QUERIES_MAX)
            write_device_sentences(report, page, &walk.section);
        add_fastest_rows(table, &walk.section);
    }
    red_page_put_and_destroy_table(page, "The fastest strategy of each device (~ ties with it)", table);
    page->format->end(page);
    write_other_runs(report, page);
    red_page_end_chapter(page);
}

/* ---- the page ------------------------------------------------------------------------------------------ */

/* "Reductions", "Scans", "Reductions and scans": what the files have; without cells the first. */
static void primitives_format(const struct red_report *report, char *text, size_t text_bytes) {
    const char *last = NULL;
    text[0] = '\0';
    for (int p = 0; p < RED_PRIMITIVES_N; p++) {
        if (!red_loaded_files_have_primitive(report->loaded, (enum red_primitive)p))
            continue;
        if (last != NULL)
            red_text_add(text, text_bytes, "%s%s", text[0] ? ", " : "", last);
        last = red_primitives[p].nouns;
    }
    if (last != NULL)
        red_text_add(text, text_bytes, "%s%s", text[0] ? " and " : "", last);
    if (text[0] == '\0')
        red_text_add(text, text_bytes, "%s", red_primitives[RED_PRIMITIVE_DEFAULT].nouns);
    text[0] = (char)toupper((unsigned char)text[0]);
}

/* Whether the page has files of bench --ranks and no result file. */
static bool is_of_ranks_alone(const struct red_report *report) {
    return report->loaded->results_n == 0 && report->loaded->ranks_n > 0;
}

/* "Reductions in OpenCL on intel, pocl", "One array over 8 ranks: Open MPI v4.1.4, MPI 3.1". Letters of files
 * stand nowhere before they are explained. */
static void page_title_format(const struct red_report *report, char *text, size_t text_bytes) {
    const char *comma = "";
    struct red_short_text seen = {.text = ""};
    if (is_of_ranks_alone(report)) {
        const struct red_over_ranks *over = &report->loaded->ranks[0].result.run.over_ranks;
        text[0] = '\0';
        red_text_add(text, text_bytes, "One array over %s%s%s", red_ranks_text((unsigned)over->ranks_n).text,
                     over->mpi[0] != '\0' ? ": " : "", over->mpi);
        return;
    }
    primitives_format(report, text, text_bytes);
    red_text_add(text, text_bytes, " in OpenCL on ");
    for (size_t r = 0; r < report->loaded->results_n; r++) {
        for (size_t d = 0; d < report->loaded->results[r].run.devices_n; d++) {
            const struct red_run_device *device = &report->loaded->results[r].run.devices[d];
            if (device->is_host || red_select_names(seen.text, device->info.id))
                continue;
            red_text_add(text, text_bytes, "%s%s", comma, device->info.id);
            red_text_add(seen.text, sizeof seen.text, "%s%s", comma[0] != '\0' ? "," : "", device->info.id);
            comma = ", ";
        }
    }
    if (comma[0] == '\0')
        red_text_add(text, text_bytes, "the host alone");
}

/* Tells how many chapters the page has no room for, if there are any: on the page as a chapter, and on the
 * standard error. */
static void write_and_print_left_out_chapters(struct red_page *page) {
    char text[256];
    if (page->left_out_n == 0)
        return;
    red_page_begin_chapter(page, "left-out", "Left out");
    snprintf(text, sizeof text,
             "%zu chapters are left out, since the page would become too long for those who are to read it. "
             "clreduce report with --op and --type shows fewer operations and types.",
             page->left_out_n);
    page->format->text(page, text);
    red_page_end_chapter(page);
    fprintf(stderr, "%s\n", text);
}

/* RED_E_INPUT, naming the queries that there are, where --op and --type are given and choose none of them. */
static enum red_status check_any_wanted(const struct red_report *report, struct red_error *error) {
    char titles[256];
    if ((report->op == NULL && report->type == NULL) || red_ranks_have_wanted(report))
        return RED_OK;
    for (size_t r = 0; r < report->loaded->results_n; r++)
        for (size_t q = 0; q < report->loaded->results[r].queries_n; q++)
            if (red_report_wants(report, &report->loaded->results[r].queries[q].at))
                return RED_OK;
    red_loaded_files_titles_format(report->loaded, titles, sizeof titles);
    return red_fail(error, RED_E_INPUT, "nothing of --op %.40s, --type %.40s is in the files; they have: %s",
                    report->op ? report->op : "*", report->type ? report->type : "*", titles);
}

/* Writes the whole page; called for the files named to `report`, or the one of `bench --report`. */
enum red_status red_report_write(const struct red_report *report, const struct red_page_format *format,
                                 FILE *out, struct red_error *error) {
    struct red_page page = {.format = format, .error = error};
    page_title_format(report, page.title, sizeof page.title);
    enum red_status status = check_any_wanted(report, error);
    if (status != RED_OK)
        return status;
    page.status = red_page_allocate_buffers(&page);
    if (page.status == RED_OK && is_of_ranks_alone(report)) {
        red_ranks_write_chapters(report, &page);
    } else if (page.status == RED_OK) {
        write_in_short(report, &page);
        red_experiments_write_chapter(report, &page);
        for (struct section_walk walk = {.file = 0}; make_next_section(report, &walk, &page.status, error);)
            write_section(report, &page, &walk.section);
        red_ranks_write_chapters(report, &page);
        red_method_write_not_run(report, &page);
        red_method_write_conditions(report, &page);
    }
    if (page.status == RED_OK) {
        red_method_write_commands(report, &page);
        write_and_print_left_out_chapters(&page);
    }
    return red_page_write_and_clear(&page, out);
}

/* ---- one picture ----------------------------------------------------------------------------------------
 * For `report --format svg`. */

enum { PICTURE_CHARTS_MAX = 12 };

static const char ranks_picture[] = "efficiency", parts_picture[] = "parts";

/* The kind of that name, or (NULL) the first; NULL: there is none. */
static const struct chart_kind *find_kind(const char *name) {
    for (size_t k = 0; k < KINDS_N; k++)
        if (name == NULL || strcmp(kinds[k].id, name) == 0)
            return &kinds[k];
    return NULL;
}

/* Refuses a --picture that is none, with the names of all. */
static enum red_status check_picture(const char *name, struct red_error *error) {
    char names[256] = "";
    if (find_kind(name) != NULL || strcmp(name, ranks_picture) == 0)
        return RED_OK;
    for (size_t k = 0; k < KINDS_N; k++)
        red_text_add(names, sizeof names, "%s, ", kinds[k].id);
    return red_fail(error, RED_E_INPUT, "--picture: '%.60s' is not valid; expected %sor of ranks %s", name,
                    names, ranks_picture);
}

/* Appends the charts of a kind, all parts, of the section's device that has most of it. */
static void add_charts_of_kind(const struct red_section *section, const struct chart_kind *kind,
                               struct red_chart *charts, size_t *n) {
    const struct red_series_source *source = source_of_most(section, kind);
    for (size_t part = 0; source != NULL && *n < PICTURE_CHARTS_MAX; part++) {
        charts[*n] = (struct red_chart){.number = (unsigned)*n};
        make_chart(section, kind, source, part, true, &charts[*n]);
        if (red_chart_is_empty(&charts[*n])) {
            red_chart_clear(&charts[*n]);
            return;
        }
        ++*n;
    }
}

/* Writes the charts as one file. */
static enum red_status write_charts_alone(const struct red_chart *charts, size_t n, FILE *out,
                                          struct red_error *error) {
    xmlBuffer *drawn = red_svg_draw(charts, n, true);
    enum red_status status = red_memory_check(error);
    if (status == RED_OK)
        fprintf(out, "%s\n", (const char *)xmlBufferContent(drawn));
    xmlBufferFree(drawn);
    return status;
}

/* Appends the names of the kinds that the section has, each once. */
static void add_kinds_there(const struct red_section *section, bool is_there[KINDS_N]) {
    for (size_t k = 0; k < KINDS_N; k++)
        is_there[k] = is_there[k] || source_of_most(section, &kinds[k]) != NULL;
}

/* Fails since the files have nothing for the picture, with the names of those for which they have. */
static enum red_status fail_without_chart(const struct chart_kind *kind, const bool is_there[KINDS_N],
                                          struct red_error *error) {
    char names[256] = "";
    for (size_t k = 0; k < KINDS_N; k++)
        if (is_there[k])
            red_text_add(names, sizeof names, "%s%s", names[0] != '\0' ? ", " : "", kinds[k].id);
    if (kind == &kinds[0])
        return red_fail(error, RED_E_INPUT,
                        "no 2.x strategy was timed together with its counterpart; --picture has: %s", names);
    return red_fail(error, RED_E_INPUT, "the files have nothing for --picture %s (%s); they have: %s",
                    kind->id, kind->title, names);
}

/* Writes the charts of a kind, of each primitive those of its first query that is wanted, as SVG. */
static enum red_status write_charts_of_kind(const struct red_report *report, const struct chart_kind *kind,
                                            FILE *out, struct red_error *error) {
    struct red_chart *charts = calloc(PICTURE_CHARTS_MAX, sizeof *charts);
    bool is_there[KINDS_N] = {false};
    const struct red_op *ops[RED_PRIMITIVES_N] = {NULL}; /* of the query that is drawn, as its type */
    const struct red_dtype *types[RED_PRIMITIVES_N] = {NULL};
    size_t queries_n = 0, left_n = 0, n = 0;
    enum red_status status = charts != NULL ? check_any_wanted(report, error)
                                            : red_fail(error, RED_E_MEMORY, "no memory for a picture");
    for (struct section_walk walk = {.file = 0}; make_next_section(report, &walk, &status, error);
         queries_n++) {
        const struct red_op *op = walk.section.query->at.op, **drawn = &ops[op->primitive];
        const struct red_dtype *dtype = walk.section.query->at.dtype;
        left_n += *drawn != NULL && (op != *drawn || dtype != types[op->primitive]);
        if (*drawn != NULL)
            continue;
        *drawn = op;
        types[op->primitive] = dtype;
        add_charts_of_kind(&walk.section, kind, charts, &n);
        if (n == 0)
            add_kinds_there(&walk.section, is_there);
    }
    if (status == RED_OK && queries_n == 0)
        status = red_fail(error, RED_E_INPUT, "the files have no cells, so there is no chart of them");
    else if (status == RED_OK && n == 0)
        status = fail_without_chart(kind, is_there, error);
    if (status == RED_OK)
        status = write_charts_alone(charts, n, out, error);
    if (status == RED_OK && left_n > 0)
        fprintf(stderr,
                "the picture is of %s; --op and --type choose another of the files' operations and types\n",
                charts[0].title);
    for (size_t i = 0; i < n; i++)
        red_chart_clear(&charts[i]);
    free(charts);
    return status;
}

enum { RANKS_CHARTS_MAX = 4 };

/* Writes the charts of efficiency against the number of ranks, or of the parts of a time, as SVG. */
static enum red_status write_ranks_charts(const struct red_report *report, FILE *out,
                                          struct red_error *error) {
    struct red_chart charts[RANKS_CHARTS_MAX] = {{.series_n = 0}};
    const bool of_parts = report->picture != NULL && strcmp(report->picture, parts_picture) == 0;
    enum red_status status = check_any_wanted(report, error);
    if (status == RED_OK && report->picture != NULL && !of_parts &&
        strcmp(report->picture, ranks_picture) != 0)
        status = red_fail(error, RED_E_INPUT, "of ranks --picture has %s and %s, not %s", ranks_picture,
                          parts_picture, report->picture);
    const size_t n = status == RED_OK ? red_ranks_make_charts(report, of_parts, charts, RANKS_CHARTS_MAX) : 0;
    if (status == RED_OK && n == 0)
        status = red_fail(error, RED_E_INPUT,
                          "%.200s has no times on one rank and on more, so there is no chart of efficiency",
                          report->loaded->ranks[0].result.path);
    if (status == RED_OK)
        status = write_charts_alone(charts, n, out, error);
    for (size_t i = 0; i < n; i++)
        red_chart_clear(&charts[i]);
    return status;
}

/* ---- from files ---------------------------------------------------------------------------------------- */

/* What a file of `report` is made of. */
struct report_output {
    const struct red_report *report;
    const struct red_page_format *format; /* NULL: one picture */
};

/* A red_file_writer, of a struct report_output. */
static enum red_status write_output(const void *what, FILE *out, struct red_error *error) {
    const struct report_output *output = what;
    const char *picture = output->report->picture;
    if (output->format != NULL)
        return red_report_write(output->report, output->format, out, error);
    if (is_of_ranks_alone(output->report) ||
        (picture != NULL && strcmp(picture, ranks_picture) == 0 && output->report->loaded->ranks_n > 0))
        return write_ranks_charts(output->report, out, error);
    const struct chart_kind *kind = find_kind(picture);
    if (kind == NULL)
        return red_fail(error, RED_E_INPUT, "--picture %s is of files of bench --ranks, and none is here",
                        picture);
    return write_charts_of_kind(output->report, kind, out, error);
}

enum red_status red_report_write_from_files(const char *const *files, size_t files_n,
                                            const struct red_report *wanted,
                                            const struct red_page_format *format, const char *output,
                                            FILE *told, struct red_error *error) {
    struct red_loaded_files loaded = {.results_n = 0};
    struct red_catalogue *catalogue = NULL;
    enum red_status status = check_picture(wanted->picture, error);
    if (status == RED_OK)
        status = red_catalogue_create(&catalogue, error);
    if (status == RED_OK)
        status = red_loaded_files_load_with_times(files, files_n, catalogue, true, &loaded, stderr, error);
    if (status == RED_OK)
        status = red_loaded_files_keep_primitive(&loaded, wanted->primitive, error);
    if (status == RED_OK)
        status = red_loaded_files_keep_devices(&loaded, wanted->device, error);
    const struct red_report report = {.loaded = &loaded,
                                      .files = files,
                                      .files_n = files_n,
                                      .catalogue = catalogue,
                                      .primitive = wanted->primitive,
                                      .op = wanted->op,
                                      .type = wanted->type,
                                      .device = wanted->device,
                                      .picture = wanted->picture};
    for (size_t i = 0; i < loaded.results_n && status == RED_OK; i++)
        status = red_result_mark_banned_by_checks(&loaded.results[i], &loaded, error);
    for (size_t i = 0; i < loaded.ranks_n && status == RED_OK; i++)
        status = red_result_mark_banned_by_checks(&loaded.ranks[i].result, &loaded, error);
    if (status == RED_OK)
        status = red_file_write(output, write_output, &(struct report_output){&report, format}, error);
    if (status == RED_OK && told != NULL && strcmp(output, "-") != 0)
        red_text_print(told, "report: %s\n", output);
    red_loaded_files_clear(&loaded);
    red_catalogue_destroy(catalogue);
    return status;
}
