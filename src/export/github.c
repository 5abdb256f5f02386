/* --export markdown and annotations: what GitHub shows of a step; github-action-benchmark, an action that
 * draws times over commits. export/export.c calls the writers with the cells of a bench or a duel, and the
 * FILE of --export. */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "core/file.h"
#include "core/memory.h"
#include "export/suite.h"
#include "results/figures.h"

/* GitHub refuses a step's summary above 1 MiB; what else the step says, and our last line, need room, too. It
 * shows ten annotations of a kind. */
enum { SUMMARY_BYTES_MAX = (1 << 20) - (1 << 16), ANNOTATIONS_MAX = 10, TEXT_BYTES_MAX = 400 };

/* Whether Markdown counts the cell as failed, writes its result bold, and lists it first. */
static bool is_failure_or_error(const struct red_export_cell *cell) {
    enum red_outcome outcome = red_export_cell_outcome(cell);
    return outcome == RED_OUTCOME_FAILURE || outcome == RED_OUTCOME_ERROR;
}

/* ---- Markdown ------------------------------------------------------------------------------------------ */

/* Text that is nothing but text, on one line: a punctuation mark as a numeric reference has no meaning in
 * Markdown, HTML or a table (CommonMark 0.31, section 2.5). What is longer than max_bytes is cut. */
static void put_markdown_text(FILE *out, const char *text, size_t max_bytes) {
    for (size_t i = 0; text[i] != '\0'; i++) {
        unsigned char c = (unsigned char)text[i];
        if (i >= max_bytes && (c & 0xc0) != 0x80) {
            fputs(" ...", out);
            return;
        }
        if (c < ' ')
            fputc(' ', out);
        else if (strchr("\\`*_{}[]<>()#+!|~&@:\"'^$=", c) != NULL)
            fprintf(out, "&#%u;", c);
        else
            fputc(c, out);
    }
}

static void put_name(FILE *out, const struct red_export_cell *cell) {
    put_markdown_text(out, cell->name, SIZE_MAX);
}

static void put_result(FILE *out, const struct red_export_cell *cell) {
    fputs(is_failure_or_error(cell) ? "**" : "", out);
    put_markdown_text(out, red_export_cell_word(cell), TEXT_BYTES_MAX);
    fputs(is_failure_or_error(cell) ? "**" : "", out);
}

static void put_time(FILE *out, const struct red_export_cell *cell) {
    if (cell->time_s > 0)
        fputs(red_export_time_text(cell->time_s).text, out);
}

static void put_interval(FILE *out, const struct red_export_cell *cell) {
    if (cell->low_s > 0)
        fprintf(out, "%s to %s", red_export_time_text(cell->low_s).text,
                red_export_time_text(cell->high_s).text);
}

static void put_ratio(FILE *out, const struct red_export_cell *cell) {
    if (cell->ratio > 0)
        fprintf(out, "%.4g", cell->ratio);
    if (cell->ratio_low > 0)
        fprintf(out, " (%.4g to %.4g)", cell->ratio_low, cell->ratio_high);
}

static void put_why(FILE *out, const struct red_export_cell *cell) {
    put_markdown_text(out, red_export_cell_why(cell), TEXT_BYTES_MAX);
}

/* Columns of the Markdown table, before that of "why"; behind these stand the figures that any cell has. */
static const struct column {
    const char *heading, *rule;
    void (*put)(FILE *out, const struct red_export_cell *cell);
    bool is_of_duel; /* there only with a verdict */
} columns[] = {{"cell", ":--", put_name, false},
               {"result", ":--", put_result, false},
               {"time to answer", "--:", put_time, false},
               {"95 % interval", ":--", put_interval, false},
               {"head / base", ":--", put_ratio, true}},
  why = {"why", ":--", put_why, false};

/* Which columns a table has. */
struct shown_columns {
    const struct column *of[sizeof columns / sizeof columns[0]];
    const struct red_figure *figures[RED_FIGURES_MAX];
    size_t n, figures_n;
};

/* The figure of a cell with a time; "" where there is none. */
static struct red_short_text figure_text(const struct red_figure *figure,
                                         const struct red_export_cell *cell) {
    return red_figure_text(figure, cell->run, cell->time_s > 0 ? cell->measured : NULL);
}

static struct shown_columns find_columns(const struct red_export *export) {
    struct shown_columns shown = {.n = 0};
    bool is_duel = false;
    for (size_t i = 0; i < export->cells_n; i++)
        is_duel = is_duel || export->cells[i].verdict != NULL;
    for (size_t c = 0; c < sizeof columns / sizeof columns[0]; c++)
        if (is_duel || !columns[c].is_of_duel)
            shown.of[shown.n++] = &columns[c];
    for (const struct red_figure *figure = NULL;
         (figure = red_figure_next(figure, RED_IN_MARKDOWN)) != NULL;) {
        bool any = false;
        for (size_t i = 0; i < export->cells_n && !any; i++)
            any = figure_text(figure, &export->cells[i]).text[0] != '\0';
        if (any)
            shown.figures[shown.figures_n++] = figure;
    }
    return shown;
}

/* The cell's line of the Markdown table. */
static void put_cell_row(FILE *out, const struct red_export_cell *cell, const struct shown_columns *shown) {
    fputs("| ", out);
    for (size_t c = 0; c < shown->n; c++) {
        shown->of[c]->put(out, cell);
        fputs(" | ", out);
    }
    for (size_t f = 0; f < shown->figures_n; f++) {
        put_markdown_text(out, figure_text(shown->figures[f], cell).text, SIZE_MAX);
        fputs(" | ", out);
    }
    why.put(out, cell);
    fputs(" |\n", out);
}

/* Writes what stands above the cells: title, counts, facts of the run, and the table's heading. */
static void put_heading(FILE *out, const struct red_export *export, const struct shown_columns *shown) {
    const struct {
        const char *label, *text;
    } facts[] = {{"command", export->command},
                 {"version", export->version},
                 {"machine", export->machine},
                 {"started", export->started}};
    fputs("### ", out);
    put_markdown_text(out, export->title, TEXT_BYTES_MAX);
    fprintf(out, "\n\n**%zu of %zu cells failed**; %zu have a time.\n\n| | |\n| :-- | :-- |\n",
            red_export_count(export, is_failure_or_error), export->cells_n,
            red_export_count(export, red_export_cell_has_trusted_time));
    for (size_t i = 0; i < sizeof facts / sizeof facts[0]; i++) {
        fprintf(out, "| %s | ", facts[i].label);
        put_markdown_text(out, facts[i].text, TEXT_BYTES_MAX);
        fputs(" |\n", out);
    }
    fputs("\n|", out);
    for (size_t c = 0; c < shown->n; c++)
        fprintf(out, " %s |", shown->of[c]->heading);
    for (size_t f = 0; f < shown->figures_n; f++)
        fprintf(out, " %s |", shown->figures[f]->heading);
    fprintf(out, " %s |\n|", why.heading);
    for (size_t c = 0; c < shown->n; c++)
        fprintf(out, " %s |", shown->of[c]->rule);
    for (size_t f = 0; f < shown->figures_n; f++)
        fputs(" --: |", out);
    fprintf(out, " %s |\n", why.rule);
}

/* A summary that grows as long as it fits. */
struct step_summary {
    FILE *made;
    char *text;
    size_t bytes, kept_bytes, left_n;
};

/* Adds the rows of cells with failure or error (`failures`) or of all others, as long as GitHub takes them;
 * counts those left out. */
static void add_cell_rows(struct step_summary *step_summary, const struct red_export *export,
                          const struct shown_columns *shown, bool failures) {
    for (size_t i = 0; i < export->cells_n; i++) {
        if (is_failure_or_error(&export->cells[i]) != failures)
            continue;
        if (step_summary->left_n == 0) {
            put_cell_row(step_summary->made, &export->cells[i], shown);
            fflush(step_summary->made);
        }
        if (step_summary->bytes > SUMMARY_BYTES_MAX)
            step_summary->left_n++;
        else
            step_summary->kept_bytes = step_summary->bytes;
    }
}

enum red_status red_export_write_markdown(const struct red_export *export, FILE *out,
                                          struct red_error *error) {
    struct step_summary step_summary = {.kept_bytes = 0};
    const struct shown_columns shown = find_columns(export);
    bool whole = false;
    step_summary.made = red_memstream_open(&step_summary.text, &step_summary.bytes);
    if (step_summary.made != NULL) {
        put_heading(step_summary.made, export, &shown);
        fflush(step_summary.made);
        step_summary.kept_bytes = step_summary.bytes;
        add_cell_rows(&step_summary, export, &shown, true);
        add_cell_rows(&step_summary, export, &shown, false);
        whole = red_memstream_close(step_summary.made, &step_summary.text);
    }
    if (whole)
        fwrite(step_summary.text, 1, step_summary.kept_bytes, out);
    if (whole && step_summary.left_n > 0)
        fprintf(out, "\n%zu more cells do not fit into what GitHub shows.\n", step_summary.left_n);
    free(step_summary.text);
    return whole ? RED_OK : red_fail(error, RED_E_MEMORY, "no memory for a summary");
}

/* ---- annotations --------------------------------------------------------------------------------------- */

/* Writes a text of a workflow command as the runner reads it again (actions/runner, ActionCommand.cs): in a
 * property a colon and a comma end something, too. "##[" begins a command of the runner's older form. */
static void put_escaped(FILE *out, const char *text, bool property) {
    for (const char *at = text; *at != '\0'; at++) {
        if (strchr("%\r\n", *at) != NULL || (property && strchr(":,", *at) != NULL))
            fprintf(out, "%%%02X", (unsigned char)*at);
        else
            fputc(*at, out);
        if (strncmp(at, "#[", 2) == 0 && at > text && at[-1] == '#')
            fputc(' ', out);
    }
}

/* Where in a file a compiler complains. */
struct place {
    char file[RED_PATH_BYTES];
    unsigned line, column;
};

/* Reads ":16"; returns what stands behind it, or NULL where that is no number. */
static const char *read_colon_and_number(const char *at, unsigned *number) {
    const size_t digits_n = *at == ':' ? strspn(at + 1, "0123456789") : 0;
    return digits_n > 0 && digits_n < 9 && sscanf(at + 1, "%u", number) == 1 ? at + 1 + digits_n : NULL;
}

/* Finds the first place that a build's log names, in one of two forms: "k.cl:16:41: error: ..." or
 * "error: k.cl:16:41: ...". False where there is none. */
static bool find_place(const char *log, struct place *place) {
    static const char error[] = "error: ", fatal[] = "fatal error: ";
    const size_t error_n = strlen(error);
    for (const char *colon = strchr(log, ':'); colon != NULL; colon = strchr(colon + 1, ':')) {
        const char *behind = read_colon_and_number(colon, &place->line), *file = colon;
        behind = behind != NULL ? read_colon_and_number(behind, &place->column) : NULL;
        while (file > log && (unsigned char)file[-1] > ' ')
            file--;
        const size_t file_n = (size_t)(colon - file);
        if (behind == NULL || strncmp(behind, ": ", 2) != 0 || file_n == 0 || file_n >= sizeof place->file)
            continue;
        if (((size_t)(file - log) >= error_n && strncmp(file - error_n, error, error_n) == 0) ||
            strncmp(behind + 2, error, error_n) == 0 || strncmp(behind + 2, fatal, strlen(fatal)) == 0) {
            memcpy(place->file, file, file_n);
            place->file[file_n] = '\0';
            return true;
        }
    }
    return false;
}

/* One pass over cells, worst first. */
static const struct annotation {
    const char *level;
    enum red_outcome outcome;
} annotations[] = {
    {"error", RED_OUTCOME_FAILURE}, {"error", RED_OUTCOME_ERROR}, {"warning", RED_OUTCOME_SKIPPED}};

/* Whether GitHub shows the cell as this outcome. Of skipped ones only those without an answer, and those that
 * failed and are quarantined; not those that were not to be run here. */
static bool is_annotated(const struct red_export_cell *cell, enum red_outcome outcome) {
    return red_export_cell_outcome(cell) == outcome &&
           (outcome != RED_OUTCOME_SKIPPED || cell->state == RED_STATE_PASS ||
            red_export_cell_lacks_due_time(cell));
}

enum red_status red_export_write_annotations(const struct red_export *export, FILE *out,
                                             struct red_error *error) {
    size_t all_n = 0, written_n = 0;
    const size_t levels_n = sizeof annotations / sizeof annotations[0];
    (void)error;
    for (size_t i = 0; i < levels_n * export->cells_n; i++)
        all_n += is_annotated(&export->cells[i % export->cells_n], annotations[i / export->cells_n].outcome);
    size_t most_n = all_n > ANNOTATIONS_MAX ? ANNOTATIONS_MAX - 1 : all_n;
    for (size_t i = 0; i < levels_n * export->cells_n && written_n <= most_n; i++) {
        const struct red_export_cell *cell = &export->cells[i % export->cells_n];
        const struct annotation *annotation = &annotations[i / export->cells_n];
        if (!is_annotated(cell, annotation->outcome))
            continue;
        if (written_n++ == most_n) { /* the worst of those that are left out */
            fprintf(out, "::%s title=clreduce::%zu more; GitHub shows %d of a step\n", annotation->level,
                    all_n - most_n, ANNOTATIONS_MAX);
            return RED_OK;
        }
        struct place place;
        fprintf(out, "::%s ", annotation->level);
        if (cell->state == RED_STATE_BUILD_FAILED && find_place(red_export_cell_why(cell), &place)) {
            fputs("file=", out);
            put_escaped(out, place.file, true);
            fprintf(out, ",line=%u,col=%u,", place.line, place.column);
        }
        fputs("title=clreduce%3A ", out);
        put_escaped(out, cell->name, true);
        fputs("::", out);
        put_escaped(out, red_export_cell_word(cell), false);
        fputs(": ", out);
        put_escaped(out, red_export_cell_why(cell), false);
        fputc('\n', out);
    }
    return RED_OK;
}

/* ---- github-action-benchmark --------------------------------------------------------------------------- */

/* The row of a timed cell; `extra` is shown beside the value. NULL without memory. */
static json_t *github_action_row(const struct red_export_cell *cell) {
    const bool has_verdict = cell->verdict != NULL;
    json_t *extra = json_sprintf("%s of %s, n = %llu on %s: median of %zu batches of %llu calls%s%s%s%s",
                                 cell->op, cell->type, (unsigned long long)cell->n, cell->device,
                                 cell->samples_n, (unsigned long long)cell->calls_per_sample,
                                 has_verdict ? "\n" : "", has_verdict ? cell->verdict : "",
                                 has_verdict ? ": " : "", has_verdict ? cell->sentence : "");
    json_t *row = json_pack("{s:s, s:s, s:o, s:o}", "name", cell->name, "unit", "ns", "value",
                            json_real(1e9 * cell->time_s), "extra", extra);
    if (row != NULL && cell->low_s > 0)
        json_object_set_new(row, "range",
                            json_sprintf("%s to %s", red_export_time_text(cell->low_s).text,
                                         red_export_time_text(cell->high_s).text));
    return row;
}

enum red_status red_export_write_github_action(const struct red_export *export, FILE *out,
                                               struct red_error *error) {
    json_t *rows = json_array();
    for (size_t i = 0; i < export->cells_n; i++)
        if (red_export_cell_has_trusted_time(&export->cells[i]))
            json_array_append_new(rows, github_action_row(&export->cells[i]));
    const bool written =
        json_array_size(rows) == red_export_count(export, red_export_cell_has_trusted_time) &&
        json_dumpf(rows, out, JSON_INDENT(1) | JSON_REAL_PRECISION(9)) == 0;
    json_decref(rows);
    fputc('\n', out);
    /* A stream that takes no more is told where it is closed. */
    return written || ferror(out) ? RED_OK : red_fail(error, RED_E_MEMORY, "no memory for the JSON");
}
