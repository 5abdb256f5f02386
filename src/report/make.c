#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/file.h"
#include "core/words.h"
#include "report/report.h"

/* What was read so far, which the report borrows. */
struct loaded {
    struct red_catalogue *catalogue;
    struct red_result *results;
    struct red_cub *cubs;
    size_t results_n, cubs_n;
};

static enum red_status load(const char *const *files, size_t files_n, struct loaded *loaded,
                            struct red_error *error) {
    enum red_status status = RED_OK;
    for (size_t i = 0; i < files_n && status == RED_OK; i++) {
        if (red_cub_is_one(files[i])) {
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

static void unload(struct loaded *loaded) {
    for (size_t i = 0; i < loaded->results_n; i++)
        red_result_clear(&loaded->results[i]);
    for (size_t i = 0; i < loaded->cubs_n; i++)
        red_cub_clear(&loaded->cubs[i]);
    red_catalogue_destroy(loaded->catalogue);
    free(loaded->results);
    free(loaded->cubs);
}

static enum red_status write(const struct red_report *report, const struct red_page_format *format,
                             const char *output, FILE *told, struct red_error *error) {
    struct red_file file;
    enum red_status status = red_file_open(output, &file, error);
    if (status != RED_OK)
        return status;
    status = format != NULL ? red_report_write(report, format, file.stream, error)
                            : red_report_chart(report, file.stream, error);
    if (status == RED_OK)
        status = red_file_commit(&file, error);
    else
        red_file_abandon(&file);
    if (status == RED_OK && told != NULL && strcmp(output, "-") != 0)
        red_named_print(told, "report: ", output);
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
        status = load(files, files_n, &loaded, error);
    report.results = loaded.results;
    report.results_n = loaded.results_n;
    report.cubs = loaded.cubs;
    report.cubs_n = loaded.cubs_n;
    report.catalogue = loaded.catalogue;
    if (status == RED_OK)
        status = write(&report, format, output, told, error);
    unload(&loaded);
    return status;
}
