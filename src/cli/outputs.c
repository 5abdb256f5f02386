#include "cli/outputs.h"

#include <string.h>

#include "console/console_table.h"
#include "core/words.h"
#include "export/export.h"
#include "export/run_suite.h"
#include "report/report.h"
#include "results/journal.h"
#include "results/result.h"

const char *red_outputs_data_path(const struct red_options *options) {
    return options->output.path                         ? options->output.path
           : options->output.format == RED_FORMAT_TABLE ? NULL
                                                        : "-";
}

FILE *red_outputs_screen(const struct red_options *options) {
    const char *data = red_outputs_data_path(options);
    if (data != NULL && strcmp(data, "-") == 0)
        return NULL;
    return red_exports_take_screen(options->output.exports, options->output.exports_n) ? stderr : stdout;
}

/* A page is made of the result file. */
static enum red_status check_report(const struct red_options *options, struct red_error *error) {
    if (options->output.path == NULL || !red_file_is_regular(options->output.path) ||
        options->output.format == RED_FORMAT_CSV)
        return red_fail(
            error, RED_E_INPUT,
            "--report makes a page of the result file; add --output FILE, and leave out --format csv");
    return red_file_check_writable(options->bench.report, error);
}

enum red_status red_outputs_check(const struct red_options *options, struct red_error *error) {
    enum red_status status = RED_OK;
    if (options->output.path != NULL)
        status = red_journal_check_writable(options->output.path, error);
    if (status == RED_OK && options->bench.report != NULL)
        status = check_report(options, error);
    if (status != RED_OK)
        return status;
    return red_exports_check(options->output.exports, options->output.exports_n, error);
}

/* What is done with the run in the form for other programs. */
typedef enum red_status export_use(const struct red_export *export, const char *const *kinds_and_paths,
                                   size_t n, struct red_error *error);

static enum red_status with_export(const struct red_options *options, const struct red_run *run,
                                   export_use *use, struct red_error *error) {
    struct red_run_export made;
    if (options->output.exports_n == 0)
        return RED_OK;
    enum red_status status = red_run_export_make(run, &made, error);
    if (status == RED_OK)
        status = use(&made.export, options->output.exports, options->output.exports_n, error);
    red_run_export_clear(&made);
    return status;
}

enum red_status red_outputs_check_cells(const struct red_options *options, const struct red_run *run,
                                        struct red_error *error) {
    return with_export(options, run, red_exports_check_cells, error);
}

enum red_status red_outputs_write(const struct red_options *options, const struct red_bench *bench,
                                  struct red_error *error) {
    struct red_error unwritten = {.text = ""};
    bool csv = options->output.format == RED_FORMAT_CSV;
    const char *data = red_outputs_data_path(options);
    FILE *screen = red_outputs_screen(options);
    enum red_status status = RED_OK;
    if (data != NULL)
        status = (csv ? red_result_write_csv : red_result_write_json)(&bench->run, data, error);
    if (screen != NULL) {
        red_console_table_write(screen, &bench->run, bench->session->catalogue);
        if (data != NULL && status == RED_OK)
            red_named_print(screen, "\nresult file: ", data);
        else if (data == NULL)
            fputs("\nNo result file was asked for; --output FILE writes one.\n", screen);
    }
    if (options->bench.report != NULL && status == RED_OK)
        status = red_report_make(&data, 1, &(const struct red_report){.op = NULL}, &red_page_html,
                                 options->bench.report, screen, error);
    enum red_status exported = with_export(options, &bench->run, red_exports_write, &unwritten);
    if (exported != RED_OK && status != RED_OK)
        fprintf(stderr, "%s\n", unwritten.text);
    else if (exported != RED_OK)
        status = red_fail(error, exported, "%s", unwritten.text);
    return status;
}

static enum red_status check_whole(const struct red_export *export, const char *const *kinds_and_paths,
                                   size_t n, struct red_error *error) {
    (void)kinds_and_paths;
    (void)n;
    return red_exports_check_whole(export, error);
}

enum red_status red_outputs_check_whole(const struct red_options *options, const struct red_run *run,
                                        struct red_error *error) {
    return with_export(options, run, check_whole, error);
}
