/* Has the table of --export kinds, checks KIND=FILE before long work, and writes the files. The export is a
 * run of bench (export/suite.c) or a duel (gate/print.c). */
#include "export/export.h"

#include <stdlib.h>
#include <string.h>

#include "bench/shim.h"
#include "core/file.h"
#include "core/select.h"
#include "core/text.h"

/* ---- the kinds -------------------------------------------------------------------------------------------
 * write_file below calls `write` of the row that KIND names; the user sees the FILE of --export KIND=FILE. */

/* Leaves out failed cells: compare.py 1.7.1 takes their 0 for a time, and ends with status 0. */
static enum red_status write_google_benchmark(const struct red_export *export, FILE *out,
                                              struct red_error *error) {
    size_t rows_n = 0;
    for (size_t i = 0; i < export->cells_n; i++)
        rows_n += export->cells[i].samples_n + 1;
    struct red_gbench_row *rows = calloc(rows_n + 1, sizeof *rows);
    rows_n = 0;
    for (size_t i = 0; i < export->cells_n && rows != NULL; i++) {
        const struct red_export_cell *cell = &export->cells[i];
        const double *real_s = cell->samples_n > 0 ? cell->samples_s : &cell->time_s;
        size_t samples_n = cell->samples_n > 0 ? cell->samples_n : 1;
        for (size_t s = 0; s < samples_n && red_export_cell_has_trusted_time(cell); s++)
            rows[rows_n++] = (struct red_gbench_row){
                .name = cell->name,
                .calls = cell->calls_per_sample > 0 ? cell->calls_per_sample : 1,
                .time = {real_s[s], cell->cpu_s != NULL && cell->samples_n > 0 ? cell->cpu_s[s] : real_s[s]}};
    }
    char *json = rows ? red_gbench_json(rows, rows_n) : NULL;
    if (json != NULL)
        fputs(json, out);
    free(rows);
    free(json);
    return json != NULL ? RED_OK : red_fail(error, RED_E_MEMORY, "no memory for Google Benchmark's JSON");
}

const struct red_export_format red_export_formats[] = {
    {.name = "google-benchmark", .summary = "Google Benchmark's compare.py", .write = write_google_benchmark},
    {.name = "github-action-benchmark",
     .summary = "github-action-benchmark, customSmallerIsBetter",
     .write = red_export_write_github_action},
    {.name = "junit",
     .summary = "Jenkins, GitLab",
     .write = red_export_write_junit,
     .takes_checks = true,
     .says_lost = true},
    {.name = "markdown",
     .summary = "GitHub's step summary",
     .write = red_export_write_markdown,
     .says_lost = true},
    {.name = "annotations",
     .summary = "GitHub's log",
     .write = red_export_write_annotations,
     .says_lost = true},
};
const size_t red_export_formats_n = sizeof red_export_formats / sizeof red_export_formats[0];

/* What stands behind the first =; empty where there is none, which parse_kind_and_path refuses. */
static const char *path_of(const char *kind_and_path) {
    const char *equals = strchr(kind_and_path, '=');
    return equals != NULL ? equals + 1 : "";
}

/* Finds the format of a value of --export and where the path begins. */
static enum red_status parse_kind_and_path(const char *kind_and_path, const struct red_export_format **format,
                                           const char **path, struct red_error *error) {
    enum { FORMATS_N = sizeof red_export_formats / sizeof red_export_formats[0] };
    const char *names[FORMATS_N];
    char kind[64];
    *path = path_of(kind_and_path);
    if (*path[0] == '\0')
        return red_fail(error, RED_E_INPUT,
                        "--export: '%s' is not valid; expected KIND=FILE, such as junit=report.xml",
                        kind_and_path);
    snprintf(kind, sizeof kind, "%.*s", (int)(*path - 1 - kind_and_path), kind_and_path);
    for (size_t i = 0; i < FORMATS_N; i++) {
        names[i] = red_export_formats[i].name;
        *format = &red_export_formats[i];
        if (strcmp(names[i], kind) == 0)
            return RED_OK;
    }
    return red_select_fail_unknown("kind of --export", kind, names, FORMATS_N, error);
}

/* ---- before there is anything to write ----------------------------------------------------------------- */

/* Puts '--export KIND=FILE: ' before an error that was found; RED_OK stays. */
static enum red_status prefix_error_with_option(enum red_status status, const char *kind_and_path,
                                                const struct red_error *found, struct red_error *error) {
    return status == RED_OK ? RED_OK : red_fail(error, status, "--export %s: %s", kind_and_path, found->text);
}

enum red_status red_exports_check_options(const char *const *kinds_and_paths, size_t n, bool of_checks,
                                          struct red_error *error) {
    enum red_status status = RED_OK;
    for (size_t i = 0; i < n && status == RED_OK; i++) {
        const struct red_export_format *format;
        const char *path = NULL;
        status = parse_kind_and_path(kinds_and_paths[i], &format, &path, error);
        if (status == RED_OK && of_checks && !format->takes_checks)
            status = red_fail(error, RED_E_INPUT,
                              "--export %s holds times, and this verb measures none; junit holds checks",
                              format->name);
        if (status == RED_OK)
            status = red_file_check_writable(path, error);
    }
    return status;
}

/* Then the tables go to stderr. */
bool red_exports_use_stdout(const char *const *kinds_and_paths, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (red_file_is_same(path_of(kinds_and_paths[i]), "-"))
            return true;
    return false;
}

/* ---- writing ------------------------------------------------------------------------------------------- */

/* For the exit status of bench, and for a line on stderr. */
enum red_status red_export_refuse_lost_cells(const struct red_export *export, struct red_error *error) {
    for (size_t i = 0; i < export->cells_n; i++) {
        const struct red_export_cell *cell = &export->cells[i];
        const char *why = red_export_cell_why(cell);
        if (red_export_cell_lacks_due_time(cell)) /* the first line of a compiler's log is enough */
            return red_fail(error, RED_E_BUILD, "%zu of %zu cells have no time; the first is %s (%s: %.*s)",
                            red_export_count(export, red_export_cell_lacks_due_time), export->cells_n,
                            cell->name, red_export_cell_word(cell), (int)strcspn(why, "\n"), why);
    }
    return RED_OK;
}

/* Writes the export whole or not at all. */
static enum red_status write_file(const struct red_export *export, const struct red_export_format *format,
                                  const char *path, struct red_error *error) {
    struct red_file file;
    enum red_status status = red_file_open(path, &file, error);
    if (status == RED_OK) {
        status = format->write(export, file.stream, error);
        if (status == RED_OK)
            status = red_file_commit(&file, error);
        else
            red_file_abandon(&file);
    }
    return status;
}

/* Called below for each value of --export. */
enum red_status red_export_write(const struct red_export *export, const char *kind_and_path,
                                 struct red_error *error) {
    const struct red_export_format *format;
    const char *path = NULL;
    struct red_error found = {.text = ""};
    struct red_export_clean clean;
    enum red_status status = parse_kind_and_path(kind_and_path, &format, &path, error);
    if (status != RED_OK)
        return status;
    status = red_export_clean(export, &clean, &found);
    if (status == RED_OK)
        status = write_file(&clean.export, format, path, &found);
    if (status == RED_OK && !format->says_lost &&
        red_export_refuse_lost_cells(&clean.export, &found) != RED_OK)
        red_text_print(stderr, "--export %s leaves out what should be there: %s\n", kind_and_path,
                       found.text);
    red_export_clean_clear(&clean);
    return prefix_error_with_option(status, kind_and_path, &found, error);
}

enum red_status red_exports_write(const struct red_export *export, const char *const *kinds_and_paths,
                                  size_t n, struct red_error *error) {
    enum red_status first = RED_OK;
    for (size_t i = 0; i < n; i++) {
        struct red_error found = {.text = ""};
        enum red_status status = red_export_write(export, kinds_and_paths[i], &found);
        if (status != RED_OK && first != RED_OK)
            fprintf(stderr, "%s\n", found.text);
        else if (status != RED_OK)
            first = red_fail(error, status, "%s", found.text);
    }
    return first;
}
