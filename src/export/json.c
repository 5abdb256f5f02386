/* --export github-action-benchmark, bmf and lnt: the formats that are JSON. export/export.c calls the writers
 * with the cells of a bench or a duel, and the FILE of --export. */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "export/suite.h"

enum { BENCHER_NAME_BYTES = 1024 };

/* A time in nanoseconds, as all three formats have it. */
static json_t *nanoseconds_json(double seconds) {
    return json_real(1e9 * seconds);
}

/* Writes the JSON and releases it. RED_E_MEMORY if it is NULL or not complete: what there was no memory for
 * is missing in it. */
static enum red_status write_and_release_json(json_t *json, bool is_complete, FILE *out,
                                              struct red_error *error) {
    bool written =
        json != NULL && is_complete && json_dumpf(json, out, JSON_INDENT(1) | JSON_REAL_PRECISION(9)) == 0;
    json_decref(json);
    fputc('\n', out);
    /* A stream that takes no more is told where it is closed. */
    return written || ferror(out) ? RED_OK : red_fail(error, RED_E_MEMORY, "no memory for the JSON");
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
                            nanoseconds_json(cell->time_s), "extra", extra);
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
    return write_and_release_json(
        rows, json_array_size(rows) == red_export_count(export, red_export_cell_has_trusted_time), out,
        error);
}

/* ---- Bencher ------------------------------------------------------------------------------------------- */

/* Bencher's entry of a timed cell. NULL without memory. */
static json_t *bmf_entry(const struct red_export_cell *cell) {
    json_t *latency = json_pack("{s:o}", "value", nanoseconds_json(cell->time_s));
    if (latency != NULL && cell->low_s > 0) {
        json_object_set_new(latency, "lower_value", nanoseconds_json(cell->low_s));
        json_object_set_new(latency, "upper_value", nanoseconds_json(cell->high_s));
    }
    return json_pack("{s:o}", "latency", latency);
}

enum red_status red_export_write_bmf(const struct red_export *export, FILE *out, struct red_error *error) {
    json_t *benchmarks = json_object();
    enum red_status status = RED_OK;
    for (size_t i = 0; i < export->cells_n && status == RED_OK; i++) {
        const struct red_export_cell *cell = &export->cells[i];
        if (!red_export_cell_has_trusted_time(cell))
            continue;
        if (strlen(cell->name) > BENCHER_NAME_BYTES)
            status = red_fail(error, RED_E_INPUT, "Bencher takes names of at most %d bytes, and not '%s'",
                              BENCHER_NAME_BYTES, cell->name);
        else
            json_object_set_new(benchmarks, cell->name, bmf_entry(cell));
    }
    if (status == RED_OK)
        return write_and_release_json(benchmarks,
                                      json_object_size(benchmarks) ==
                                          red_export_count(export, red_export_cell_has_trusted_time),
                                      out, error);
    json_decref(benchmarks);
    return status;
}

/* ---- LNT ----------------------------------------------------------------------------------------------- */

/* Its own value of execution_status; 0 is the one that needs not be said. */
enum { LNT_FAIL = 1 };

/* LNT's entry of a cell: all its samples, or execution_status 1 where it is lost. */
static json_t *lnt_entry(const struct red_export_cell *cell) {
    if (!red_export_cell_has_trusted_time(cell))
        return json_pack("{s:s, s:i}", "name", cell->name, "execution_status", LNT_FAIL);
    json_t *times = json_array();
    for (size_t i = 0; i < cell->samples_n; i++)
        json_array_append_new(times, nanoseconds_json(cell->samples_s[i]));
    if (cell->samples_n == 0)
        json_array_append_new(times, nanoseconds_json(cell->time_s));
    return json_pack("{s:s, s:o}", "name", cell->name, "execution_time", times);
}

enum red_status red_export_write_lnt(const struct red_export *export, FILE *out, struct red_error *error) {
    json_t *tests = json_array();
    const char *machine = export->machine[0] != '\0' ? export->machine : "unknown";
    char time[20]; /* without its zone */
    snprintf(time, sizeof time, "%s", export->started);
    for (size_t i = 0; i < export->cells_n; i++) {
        const struct red_export_cell *cell = &export->cells[i];
        if (red_export_cell_has_trusted_time(cell) || red_export_cell_lacks_due_time(cell))
            json_array_append_new(tests, lnt_entry(cell));
    }
    bool whole = json_array_size(tests) == red_export_count(export, red_export_cell_has_trusted_time) +
                                               red_export_count(export, red_export_cell_lacks_due_time);
    json_t *report = json_pack("{s:s, s:{s:s}, s:{s:s, s:s, s:s, s:s, s:s, s:s}, s:o}", "format_version", "2",
                               "machine", "name", machine, "run", "start_time", time, "end_time", time,
                               "llvm_project_revision", export->started, "suite", export->title,
                               "suite_version", export->version, "command", export->command, "tests", tests);
    return write_and_release_json(report, whole, out, error);
}
