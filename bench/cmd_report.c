/* The verb `report`: result files as a page to look at. */
#include <stdlib.h>

#include "bench/options.h"
#include "bench/report/report.h"
#include "record/file.h"

static const struct red_page_format *const formats[RED_FORMATS_N] = {[RED_FORMAT_HTML] = &red_page_html,
                                                                     [RED_FORMAT_MARKDOWN] =
                                                                         &red_page_markdown,
                                                                     [RED_FORMAT_TERM] = &red_page_screen};

static enum red_status load(const struct red_options *options, const struct red_catalogue *catalogue,
                            struct red_recall *recalls, size_t *n, struct red_error *error) {
    for (size_t i = 0; i < options->files_n; i++) {
        enum red_status status = red_recall_load(options->files[i], catalogue, &recalls[i], error);
        if (status != RED_OK)
            return status;
        (*n)++;
    }
    return RED_OK;
}

static enum red_status write(const struct red_report *report, const struct red_options *options,
                             struct red_error *error) {
    struct red_file file;
    enum red_status status = red_file_open(options->output ? options->output : "-", &file, error);
    if (status != RED_OK)
        return status;
    status = red_report_write(report, formats[options->format], file.stream, error);
    if (status == RED_OK)
        return red_file_commit(&file, error);
    red_file_abandon(&file);
    return status;
}

enum red_status red_cmd_report(const struct red_options *options, struct red_error *error) {
    struct red_catalogue *catalogue = NULL;
    struct red_recall *recalls = calloc(RED_RESULT_FILES_MAX, sizeof *recalls);
    struct red_report report = {.recalls = recalls, .op = options->op, .type = options->type};
    enum red_status status = RED_OK;
    if (options->files_n == 0)
        status = red_fail(
            error, RED_E_INPUT,
            "report RESULT.json... wants result files of clreduce bench --output; see clreduce report "
            "--help");
    else if (recalls == NULL)
        status = red_fail(error, RED_E_MEMORY, "no memory for a report");
    if (status == RED_OK)
        status = red_catalogue_create(&catalogue, error);
    report.catalogue = catalogue;
    if (status == RED_OK)
        status = load(options, catalogue, recalls, &report.recalls_n, error);
    if (status == RED_OK)
        status = write(&report, options, error);
    for (size_t i = 0; i < report.recalls_n; i++)
        red_recall_clear(&recalls[i]);
    red_catalogue_destroy(catalogue);
    free(recalls);
    return status;
}
