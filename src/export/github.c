/* --export markdown and annotations: what GitHub shows of a step. */
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "export/suite.h"

/* GitHub refuses a step's summary above 1 MiB; what else the step says, and our last line, need room, too. It
 * shows ten annotations of a kind. */
enum { SUMMARY_BYTES_MAX = (1 << 20) - (1 << 16), ANNOTATIONS_MAX = 10, TEXT_BYTES_MAX = 400 };

static bool is_failure(const struct red_export_cell *cell) {
    enum red_outcome outcome = red_export_cell_outcome(cell);
    return outcome == RED_OUTCOME_FAILURE || outcome == RED_OUTCOME_ERROR;
}

/* ---- Markdown ------------------------------------------------------------------------------------------ */

/* Text that is nothing but text, on one line: a punctuation mark as a numeric reference has no meaning in
 * Markdown, HTML or a table (CommonMark 0.31, section 2.5). What is longer than max_bytes is cut. */
static void put_text(FILE *out, const char *text, size_t max_bytes) {
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

static void put_time(FILE *out, double seconds) {
    char text[RED_TIME_BYTES];
    red_export_time_print(seconds, text);
    fputs(text, out);
}

static void put_row(FILE *out, const struct red_export_cell *cell, bool gate) {
    fputs("| ", out);
    put_text(out, cell->name, SIZE_MAX);
    fputs(is_failure(cell) ? " | **" : " | ", out);
    put_text(out, red_export_cell_word(cell), TEXT_BYTES_MAX);
    fputs(is_failure(cell) ? "** | " : " | ", out);
    if (cell->time_s > 0)
        put_time(out, cell->time_s);
    fputs(" | ", out);
    if (cell->low_s > 0) {
        put_time(out, cell->low_s);
        fputs(" to ", out);
        put_time(out, cell->high_s);
    }
    fputs(gate ? " | " : "", out);
    if (gate && cell->ratio > 0)
        fprintf(out, "%.4g", cell->ratio);
    if (gate && cell->ratio_low > 0)
        fprintf(out, " (%.4g to %.4g)", cell->ratio_low, cell->ratio_high);
    fputs(" | ", out);
    put_text(out, red_export_cell_why(cell), TEXT_BYTES_MAX);
    fputs(" |\n", out);
}

static size_t count_failures(const struct red_export *export) {
    size_t n = 0;
    for (size_t i = 0; i < export->cells_n; i++)
        n += is_failure(&export->cells[i]);
    return n;
}

static void put_head(FILE *out, const struct red_export *export, bool gate) {
    const struct {
        const char *label, *text;
    } facts[] = {{"command", export->command},
                 {"version", export->version},
                 {"machine", export->machine},
                 {"started", export->started}};
    fputs("### ", out);
    put_text(out, export->title, TEXT_BYTES_MAX);
    fprintf(out, "\n\n**%zu of %zu cells failed**; %zu have a time.\n\n| | |\n| :-- | :-- |\n",
            count_failures(export), export->cells_n, red_export_timed_n(export));
    for (size_t i = 0; i < sizeof facts / sizeof facts[0]; i++) {
        fprintf(out, "| %s | ", facts[i].label);
        put_text(out, facts[i].text, TEXT_BYTES_MAX);
        fputs(" |\n", out);
    }
    fprintf(out,
            "\n| cell | result | time to answer | 95 %% interval |%s why |\n"
            "| :-- | :-- | --: | :-- |%s :-- |\n",
            gate ? " head / base |" : "", gate ? " :-- |" : "");
}

/* A summary that grows as long as it fits. */
struct summary {
    FILE *made;
    char *text;
    size_t bytes, kept_bytes, left_n;
};

static void add_rows(struct summary *summary, const struct red_export *export, bool gate, bool failures) {
    for (size_t i = 0; i < export->cells_n; i++) {
        if (is_failure(&export->cells[i]) != failures)
            continue;
        if (summary->left_n == 0) {
            put_row(summary->made, &export->cells[i], gate);
            fflush(summary->made);
        }
        if (summary->bytes > SUMMARY_BYTES_MAX)
            summary->left_n++;
        else
            summary->kept_bytes = summary->bytes;
    }
}

enum red_status red_export_write_markdown(const struct red_export *export, const char *old, FILE *out,
                                          struct red_error *error) {
    struct summary summary = {.kept_bytes = 0};
    bool gate = false, whole = false;
    (void)old;
    for (size_t i = 0; i < export->cells_n; i++)
        gate = gate || export->cells[i].verdict != NULL;
    summary.made = red_memstream_open(&summary.text, &summary.bytes);
    if (summary.made != NULL) {
        put_head(summary.made, export, gate);
        fflush(summary.made);
        summary.kept_bytes = summary.bytes;
        add_rows(&summary, export, gate, true);
        add_rows(&summary, export, gate, false);
        whole = red_memstream_close(summary.made, &summary.text);
    }
    if (whole)
        fwrite(summary.text, 1, summary.kept_bytes, out);
    if (whole && summary.left_n > 0)
        fprintf(out, "\n%zu more cells do not fit into what GitHub shows.\n", summary.left_n);
    free(summary.text);
    return whole ? RED_OK : red_fail(error, RED_E_MEMORY, "no memory for a summary");
}

/* ---- annotations --------------------------------------------------------------------------------------- */

/* As the runner reads them again (actions/runner, ActionCommand.cs): in properties a colon and a comma end
 * something, too. */
static void put_escaped(FILE *out, const char *text, bool property) {
    for (const char *at = text; *at != '\0'; at++)
        if (strchr("%\r\n", *at) != NULL || (property && strchr(":,", *at) != NULL))
            fprintf(out, "%%%02X", (unsigned char)*at);
        else
            fputc(*at, out);
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
           (outcome != RED_OUTCOME_SKIPPED || cell->state == RED_STATE_PASS || red_export_cell_is_lost(cell));
}

enum red_status red_export_write_annotations(const struct red_export *export, const char *old, FILE *out,
                                             struct red_error *error) {
    size_t all_n = 0, written_n = 0;
    const size_t levels_n = sizeof annotations / sizeof annotations[0];
    (void)old;
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
        fprintf(out, "::%s title=clreduce%%3A ", annotation->level);
        put_escaped(out, cell->name, true);
        fputs("::", out);
        put_escaped(out, red_export_cell_word(cell), false);
        fputs(": ", out);
        put_escaped(out, red_export_cell_why(cell), false);
        fputc('\n', out);
    }
    return RED_OK;
}
