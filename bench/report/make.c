#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/report/report.h"
#include "record/file.h"

static enum red_status load(const char *const *files, size_t files_n, const struct red_catalogue *catalogue,
                            struct red_recall *recalls, size_t *n, struct red_error *error) {
    enum red_status status = RED_OK;
    while (*n < files_n && status == RED_OK) {
        status = red_recall_load(files[*n], catalogue, &recalls[*n], error);
        *n += status == RED_OK;
    }
    return status;
}

static enum red_status write(const struct red_report *report, const struct red_page_format *format,
                             const char *output, FILE *told, struct red_error *error) {
    struct red_file file;
    enum red_status status = red_file_open(output, &file, error);
    if (status != RED_OK)
        return status;
    status = format != NULL ? red_report_write(report, format, file.stream, error)
                            : red_report_picture(report, file.stream, error);
    if (status == RED_OK)
        status = red_file_commit(&file, error);
    else
        red_file_abandon(&file);
    if (status == RED_OK && told != NULL && strcmp(output, "-") != 0)
        fprintf(told, "report: %s\n", output);
    return status;
}

enum red_status red_report_make(const char *const *files, size_t files_n, const struct red_report *wanted,
                                const struct red_page_format *format, const char *output, FILE *told,
                                struct red_error *error) {
    struct red_catalogue *catalogue = NULL;
    struct red_recall *recalls = calloc(files_n + 1, sizeof *recalls);
    struct red_report report = *wanted;
    enum red_status status = recalls ? red_catalogue_create(&catalogue, error)
                                     : red_fail(error, RED_E_MEMORY, "no memory for a report");
    report.recalls = recalls;
    report.recalls_n = 0;
    report.catalogue = catalogue;
    if (status == RED_OK)
        status = load(files, files_n, catalogue, recalls, &report.recalls_n, error);
    if (status == RED_OK)
        status = write(&report, format, output, told, error);
    for (size_t i = 0; i < report.recalls_n; i++)
        red_recall_clear(&recalls[i]);
    red_catalogue_destroy(catalogue);
    free(recalls);
    return status;
}
