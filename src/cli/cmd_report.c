/* The verb `report`: result files as a page to look at. */
#include <stdio.h>

#include "cli/options.h"
#include "report/report.h"

static const struct red_page_format *const formats[RED_FORMATS_N] = {[RED_FORMAT_HTML] = &red_page_html,
                                                                     [RED_FORMAT_MARKDOWN] =
                                                                         &red_page_markdown,
                                                                     [RED_FORMAT_TERM] = &red_page_screen,
                                                                     [RED_FORMAT_SVG] = NULL};

enum red_status red_cmd_report(const struct red_options *options, struct red_error *error) {
    const struct red_report wanted = {.op = options->op, .type = options->type};
    if (options->files_n == 0)
        return red_fail(
            error, RED_E_INPUT,
            "report RESULT.json... wants result files of clreduce bench --output; see clreduce report "
            "--help");
    return red_report_make(options->files, options->files_n, &wanted, formats[options->format],
                           options->output ? options->output : "-", stdout, error);
}
