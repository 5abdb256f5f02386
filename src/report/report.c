/* The verb `report`, and `bench --report`: reads the files, and writes the chapters of the page in their
 * order. */
#include "report/report.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/file.h"
#include "core/select.h"
#include "core/text.h"
#include "recommend/advice.h"
#include "report/private.h"

/* The kinds of charts, in the order of what readers ask: first what 2.x buys. Where a page has no room for
 * all, the last ones, which explain, are left out. */
static const struct kind {
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
    {"heat", "Group size against n", red_chart_heat, false},
    {"speedup", "Speed-up over OpenMP", red_chart_speedup, false},
    {"groups", "Speed-up against group size", red_chart_group_sizes, false},
    {"error", "Error against its bound", red_chart_errors, false},
    {"parts", "What the time is made of", red_chart_parts, false},
};

/* ---- charts -------------------------------------------------------------------------------------------- */

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

/* Writes the heading of a kind unless it has been. */
static void write_heading_once(struct red_page *page, const struct red_section *section, const char *id,
                               const char *title, bool *begun) {
    char name[96], query[96], whole[160];
    if (*begun)
        return;
    red_query_title(section->query, query, sizeof query);
    snprintf(whole, sizeof whole, "%s %s", query, id);
    id_format(whole, name, sizeof name);
    page->format->heading(page, name, title);
    *begun = true;
}

/* Shows the parts of one kind for one source; the heading once, when there is something below it. */
static void show_parts(struct red_page *page, const struct red_section *section, const struct kind *kind,
                       const struct red_series_source *source, bool *begun) {
    bool more = true;
    for (size_t part = 0; more && page->status == RED_OK; part++) {
        struct red_chart chart = {.series_n = 0};
        red_page_fail(page, kind->make(section, source, part, &chart, page->error));
        more = !red_chart_is_empty(&chart);
        if (more && !*begun) {
            write_heading_once(page, section, kind->id, kind->title, begun);
            page->format->side_by_side(page, true);
        }
        chart.number = page->charts_n++;
        if (more)
            page->format->chart(page, &chart);
        red_chart_clear(&chart);
    }
}

/* Shows one kind of chart for all devices of the section. */
static void show_kind(struct red_page *page, const struct red_section *section, const struct kind *kind) {
    bool begun = false;
    for (size_t s = 0; s < (kind->of_all ? 1 : section->sources_n); s++)
        show_parts(page, section, kind, &section->sources[s], &begun);
    if (begun)
        page->format->side_by_side(page, false);
}

/* Whether an earlier file has this device and query: all its runs make one advice, shown with the first. */
static bool is_advised_before(const struct red_report *report, size_t file, size_t device,
                              const struct red_query *query) {
    for (size_t before = 0; before < file; before++)
        if (red_result_find_device(&report->results[before], &report->results[file], device) >= 0 &&
            red_result_find_query(&report->results[before], query) != NULL)
            return true;
    return false;
}

/* ---- queries ------------------------------------------------------------------------------------------- */

/* Whether no file before this one has it, so that each query comes once. */
static bool is_first_with(const struct red_report *report, size_t file, const struct red_query *query) {
    for (size_t before = 0; before < file; before++)
        if (red_result_find_query(&report->results[before], query) != NULL)
            return false;
    return true;
}

/* Whether --op and --type choose the query. */
static bool is_wanted(const struct red_report *report, const struct red_query *query) {
    return (report->op == NULL || red_select_matches(report->op, query->op->name)) &&
           (report->type == NULL || red_select_matches(report->type, query->dtype->name));
}

/* Calls `take` for every query that is wanted, on its section. */
static void each_query(const struct red_report *report, struct red_page *page,
                       void (*take)(const struct red_report *report, struct red_page *page,
                                    const struct red_section *section, void *context),
                       void *context) {
    for (size_t r = 0; r < report->results_n; r++) {
        const struct red_result *result = &report->results[r];
        for (size_t q = 0; q < result->queries_n && page->status == RED_OK; q++) {
            struct red_section section;
            if (!is_first_with(report, r, &result->queries[q]) || !is_wanted(report, &result->queries[q]))
                continue;
            red_page_fail(page, red_section_make(&section, &result->queries[q], report, page->error));
            if (page->status == RED_OK)
                take(report, page, &section, context);
            red_section_clear(&section);
        }
    }
}

/* Which strategy to use, of each device in words: clreduce recommend has the figures. */
static void show_advice(struct red_page *page, const struct red_section *section,
                        const struct red_report *report) {
    const struct red_candidate_filter filter = {.strategy = NULL};
    bool begun = false;
    for (size_t s = 0; s < section->sources_n && page->status == RED_OK; s++) {
        const struct red_series_source *source = &section->sources[s];
        const size_t file = (size_t)(source->result - report->results);
        const struct red_query *query = red_result_find_query(source->result, section->query);
        struct red_curves curves;
        struct red_advice advice = {.bands_n = 0};
        char text[2048];
        if (is_advised_before(report, file, source->view.device, query))
            continue;
        red_page_fail(page, red_curves_make(report->results, report->results_n, file, source->view.device,
                                            query, &filter, &curves, page->error));
        if (page->status == RED_OK)
            red_page_fail(page, red_advice_make(&curves, 1, &advice, page->error));
        if (page->status == RED_OK && advice.bands_n > 0) {
            write_heading_once(page, section, "use", "What to use", &begun);
            red_advice_sentence(&advice, text, sizeof text);
            page->format->text(page, text);
        }
        red_advice_clear(&advice);
    }
}

/* Writes the chapter of a section: its charts, advice and errors. */
static void show_section(const struct red_report *report, struct red_page *page,
                         const struct red_section *section, void *context) {
    (void)context;
    char title[96], id[96];
    bool hard = false;
    if (page->left_out_n > 0) { /* the page is full */
        page->left_out_n++;
        return;
    }
    page->may_leave_out = true;
    red_query_title(section->query, title, sizeof title);
    id_format(title, id, sizeof id);
    page->format->chapter(page, id, title);
    show_kind(page, section, &kinds[0]);
    show_advice(page, section, report);
    for (size_t k = 1; k < sizeof kinds / sizeof kinds[0]; k++)
        show_kind(page, section, &kinds[k]);
    for (size_t s = 0; s < section->sources_n; s++)
        hard = red_method_write_accuracy(page, &section->sources[s], hard);
    page->format->chapter_end(page);
    page->may_leave_out = false;
}

/* ---- in short ------------------------------------------------------------------------------------------ */

enum { SENTENCES_MAX = 8 };

struct brief {
    struct red_table *table;
    size_t queries_n;
};

static void write_labelled(struct red_page *page, const struct red_series_source *source, const char *text) {
    char labelled[2200];
    bool has_letter = strchr(source->label, ' ') != NULL;
    snprintf(labelled, sizeof labelled, "%.*s%s%s", has_letter ? 1 : 0, source->label, has_letter ? ": " : "",
             text);
    page->format->text(page, labelled);
}

/* Writes the summary sentence of each device, below "In short". */
static void write_summaries(const struct red_report *report, struct red_page *page,
                            const struct red_section *section, void *context) {
    (void)report;
    struct brief *brief = context;
    for (size_t s = 0; s < section->sources_n && brief->queries_n < SENTENCES_MAX; s++) {
        const struct red_series_source *source = &section->sources[s];
        char text[2048];
        red_table_view_summary(&source->view, text, sizeof text);
        write_labelled(page, source, text);
        red_cub_sentence(section, source, text, sizeof text);
        if (text[0] != '\0')
            write_labelled(page, source, text);
    }
    brief->queries_n++;
}

/* "chunk at 2^20: 10.8 us", of the fastest strategy */
static void fastest_format(const struct red_table_view *view, uint64_t n, char *text, size_t text_bytes) {
    const struct red_cell *best = red_table_view_fastest(view, NULL, n);
    char size[32], time[32];
    snprintf(text, text_bytes, "-");
    if (best == NULL)
        return;
    red_size_format(n, size, sizeof size);
    red_number_format(1e6 * best->time.median, time, sizeof time);
    snprintf(text, text_bytes, "%s at %s: %s us", best->strategy->name, size, time);
}

/* Adds to the table of "In short" a row for each device of the section. */
static void add_fastest_rows(const struct red_report *report, struct red_page *page,
                             const struct red_section *section, void *context) {
    (void)report;
    struct brief *brief = context;
    char title[96], texts[3][128];
    red_query_title(section->query, title, sizeof title);
    for (size_t s = 0; s < section->sources_n && page->status == RED_OK; s++) {
        const struct red_table_view *view = &section->sources[s].view;
        const uint64_t ends[3] = {view->sizes_n ? view->sizes[0] : 0,
                                  red_table_view_summary_size(view, NULL, NULL),
                                  view->sizes_n ? view->sizes[view->sizes_n - 1] : 0};
        for (size_t e = 0; e < 3; e++)
            fastest_format(view, ends[e], texts[e], sizeof texts[0]);
        const char *values[] = {title, section->sources[s].label, texts[0], texts[1], texts[2]};
        red_page_fail(page, red_table_add(brief->table, values, page->error));
    }
}

/* Writes the chapter "In short": a sentence and a row of the table for each device and query. */
static void show_brief(const struct red_report *report, struct red_page *page) {
    static const struct red_column columns[] = {{.name = "question"},
                                                {.name = "device"},
                                                {.name = "smallest n"},
                                                {.name = "around 2^20"},
                                                {.name = "largest n"}};
    struct brief brief = {.table = red_table_create(columns, sizeof columns / sizeof columns[0])};
    if (brief.table == NULL)
        red_page_fail(page, red_fail(page->error, RED_E_MEMORY, "no memory for a table"));
    page->format->chapter(page, "in-short", "In short");
    each_query(report, page, write_summaries, &brief);
    each_query(report, page, add_fastest_rows, &brief);
    if (page->status == RED_OK)
        page->format->table(page, "The fastest strategy of each device", brief.table);
    page->format->chapter_end(page);
    red_table_destroy(brief.table);
}

/* ---- the page ------------------------------------------------------------------------------------------ */

/* "Reductions in OpenCL on A intel, B pocl" */
static void page_title_format(const struct red_report *report, char *text, size_t text_bytes) {
    size_t used = (size_t)snprintf(text, text_bytes, "Reductions in OpenCL on ");
    const char *comma = "";
    for (size_t r = 0; r < report->results_n; r++) {
        char letter[8];
        red_report_file_letter(report, r, letter, sizeof letter);
        for (size_t d = 0; d < report->results[r].run.devices_n && used < text_bytes; d++) {
            const struct red_run_device *device = &report->results[r].run.devices[d];
            if (device->is_host)
                continue;
            used += (size_t)snprintf(text + used, text_bytes - used, "%s%s%s%s", comma, letter,
                                     letter[0] ? " " : "", device->info.id);
            comma = ", ";
        }
    }
    if (comma[0] == '\0' && used < text_bytes)
        snprintf(text + used, text_bytes - used, "the host alone");
}

/* Writes a chapter that tells how many chapters the page has no room for, if there are any. */
static void show_left_out(struct red_page *page) {
    char text[256];
    if (page->left_out_n == 0)
        return;
    page->format->chapter(page, "left-out", "Left out");
    snprintf(text, sizeof text,
             "%zu chapters are left out, since the page would become too long for those who are to read it. "
             "clreduce "
             "report with --op and --type shows fewer operations and types.",
             page->left_out_n);
    page->format->text(page, text);
    page->format->chapter_end(page);
    fprintf(stderr, "%s\n", text);
}

/* Names the queries that there are, where none of them is wanted. */
static enum red_status check_wanted(const struct red_report *report, struct red_error *error) {
    char titles[256] = "";
    size_t used = 0;
    for (size_t r = 0; r < report->results_n; r++) {
        for (size_t q = 0; q < report->results[r].queries_n; q++) {
            char title[96];
            const struct red_query *query = &report->results[r].queries[q];
            if (is_wanted(report, query))
                return RED_OK;
            red_query_title(query, title, sizeof title);
            if (is_first_with(report, r, query) && used < sizeof titles)
                used +=
                    (size_t)snprintf(titles + used, sizeof titles - used, "%s%s", used ? ", " : "", title);
        }
    }
    return report->op == NULL && report->type == NULL
               ? RED_OK
               : red_fail(error, RED_E_INPUT,
                          "nothing of --op %.40s, --type %.40s is in the files; they have: %s",
                          report->op ? report->op : "*", report->type ? report->type : "*", titles);
}

enum red_status red_report_write(const struct red_report *report, const struct red_page_format *format,
                                 FILE *out, struct red_error *error) {
    struct red_page page = {.format = format, .error = error};
    page_title_format(report, page.title, sizeof page.title);
    enum red_status status = check_wanted(report, error);
    if (status != RED_OK)
        return status;
    status = format->create(&page, error);
    if (status == RED_OK) {
        show_brief(report, &page);
        each_query(report, &page, show_section, NULL);
        red_method_write_failures(report, &page);
        red_method_write_conditions(report, &page);
        red_method_write_commands(report, &page);
        show_left_out(&page);
    }
    red_page_fail(&page, status);
    return format->finish(&page, out, error);
}

/* ---- one chart ----------------------------------------------------------------------------------------- */

static enum red_status write_svg(const struct red_chart *chart, FILE *out, struct red_error *error) {
    xmlBuffer *drawn = red_svg_draw(chart, true);
    if (drawn == NULL)
        return red_fail(error, RED_E_MEMORY, "no memory for a chart");
    fprintf(out, "%s\n", (const char *)xmlBufferContent(drawn));
    xmlBufferFree(drawn);
    return RED_OK;
}

/* How many pairs the device has; draws them to `out` unless that is NULL. */
static enum red_status count_or_draw_pairs(const struct red_section *section, size_t source, size_t *pairs_n,
                                           FILE *out, struct red_error *error) {
    struct red_chart chart = {.series_n = 0};
    enum red_status status = red_chart_pairs(section, &section->sources[source], 0, &chart, error);
    *pairs_n = chart.series_n;
    if (status == RED_OK && out != NULL)
        status = write_svg(&chart, out, error);
    red_chart_clear(&chart);
    return status;
}

static enum red_status draw_best_pairs(const struct red_section *section, FILE *out,
                                       struct red_error *error) {
    size_t best = 0, most = 0, pairs_n = 0;
    enum red_status status = RED_OK;
    for (size_t s = 0; s < section->sources_n && status == RED_OK; s++) {
        status = count_or_draw_pairs(section, s, &pairs_n, NULL, error);
        best = pairs_n > most ? s : best;
        most = pairs_n > most ? pairs_n : most;
    }
    if (status == RED_OK && most == 0)
        status = red_fail(error, RED_E_INPUT, "no 2.x strategy was timed together with its counterpart");
    return status == RED_OK ? count_or_draw_pairs(section, best, &pairs_n, out, error) : status;
}

static enum red_status write_pairs(const struct red_report *report, FILE *out, struct red_error *error) {
    enum red_status status = check_wanted(report, error);
    for (size_t q = 0; status == RED_OK && q < report->results[0].queries_n; q++) {
        const struct red_query *query = &report->results[0].queries[q];
        struct red_section section;
        if (!is_wanted(report, query))
            continue;
        status = red_section_make(&section, query, report, error);
        if (status == RED_OK)
            status = draw_best_pairs(&section, out, error);
        red_section_clear(&section);
        return status;
    }
    return status;
}

/* ---- from files ---------------------------------------------------------------------------------------- */

/* What was read so far, which the report borrows. */
struct loaded {
    struct red_catalogue *catalogue;
    struct red_result *results;
    struct red_cub *cubs;
    size_t results_n, cubs_n;
};

static enum red_status load_files(const char *const *files, size_t files_n, struct loaded *loaded,
                                  struct red_error *error) {
    enum red_status status = RED_OK;
    for (size_t i = 0; i < files_n && status == RED_OK; i++) {
        if (red_cub_is_cub_file(files[i])) {
            status = red_cub_load(files[i], &loaded->cubs[loaded->cubs_n], error);
            loaded->cubs_n += status == RED_OK;
        } else {
            status = red_result_load(files[i], loaded->catalogue, &loaded->results[loaded->results_n], error);
            loaded->results_n += status == RED_OK;
        }
    }
    if (status == RED_OK && loaded->results_n == 0)
        status = red_fail(
            error, RED_E_INPUT,
            "%.200s has CUB's times alone; a report sets them beside a result file of clreduce bench "
            "--output",
            files[0]);
    return status;
}

static void loaded_clear(struct loaded *loaded) {
    for (size_t i = 0; i < loaded->results_n; i++)
        red_result_clear(&loaded->results[i]);
    for (size_t i = 0; i < loaded->cubs_n; i++)
        red_cub_clear(&loaded->cubs[i]);
    red_catalogue_destroy(loaded->catalogue);
    free(loaded->results);
    free(loaded->cubs);
}

/* Writes the page, or without a format the chart of pairs, to a file or the standard output. */
static enum red_status write_output(const struct red_report *report, const struct red_page_format *format,
                                    const char *output, FILE *told, struct red_error *error) {
    struct red_file file;
    enum red_status status = red_file_open(output, &file, error);
    if (status != RED_OK)
        return status;
    status = format != NULL ? red_report_write(report, format, file.stream, error)
                            : write_pairs(report, file.stream, error);
    if (status == RED_OK)
        status = red_file_commit(&file, error);
    else
        red_file_abandon(&file);
    if (status == RED_OK && told != NULL && strcmp(output, "-") != 0)
        red_text_print(told, "report: %s\n", output);
    return status;
}

enum red_status red_report_make(const char *const *files, size_t files_n, const struct red_report *wanted,
                                const struct red_page_format *format, const char *output, FILE *told,
                                struct red_error *error) {
    struct loaded loaded = {.results = calloc(files_n + 1, sizeof *loaded.results),
                            .cubs = calloc(files_n + 1, sizeof *loaded.cubs)};
    struct red_report report = *wanted;
    enum red_status status = loaded.results != NULL && loaded.cubs != NULL
                                 ? red_catalogue_create(&loaded.catalogue, error)
                                 : red_fail(error, RED_E_MEMORY, "no memory for a report");
    if (status == RED_OK)
        status = load_files(files, files_n, &loaded, error);
    report.results = loaded.results;
    report.results_n = loaded.results_n;
    report.cubs = loaded.cubs;
    report.cubs_n = loaded.cubs_n;
    report.catalogue = loaded.catalogue;
    if (status == RED_OK)
        status = write_output(&report, format, output, told, error);
    loaded_clear(&loaded);
    return status;
}
