/* A report: what result files say, as a page. */
#ifndef CLREDUCE_REPORT_REPORT_H
#define CLREDUCE_REPORT_REPORT_H

#include "model/catalogue.h"
#include "report/page.h"
#include "results/cub.h"
#include "results/result.h"

struct red_report {
    const struct red_result *results;
    size_t results_n;
    const struct red_cub *cubs; /* CUB's times: each beside the run of its device that began nearest */
    size_t cubs_n;
    const struct red_catalogue *catalogue;
    const char *op, *type; /* lists of names or globs: which queries are shown in full; NULL: all */
};

/* Writes the report in the format to `out`. Errors: RED_E_MEMORY, RED_E_INPUT. */
enum red_status red_report_write(const struct red_report *report, const struct red_page_format *format,
                                 FILE *out, struct red_error *error);

/* Writes the chart of what 2.x buys over 1.x, of the first question that is wanted and the device with the
 * most pairs, as an SVG file of its own. Errors: RED_E_INPUT if there is no pair; RED_E_MEMORY. */
enum red_status red_report_chart(const struct red_report *report, FILE *out, struct red_error *error);

/* Makes a page of the files, which are result files and those of CUB's times, and writes it to `output` ("-":
 * the standard output), whole or not at all; says so on `told` unless that is NULL. Errors: as
 * red_result_load, red_cub_load, red_report_write and red_file_open; RED_E_INPUT without a result file. */
enum red_status red_report_make(const char *const *files, size_t files_n, const struct red_report *wanted,
                                const struct red_page_format *format, const char *output, FILE *told,
                                struct red_error *error); /* format NULL: the first chart alone */

/* ---- its chapters (report.c, method.c, accuracy.c)
 * -------------------------------------------------------------------
 */

/* Errors on data that is hard to add, of a source whose run looked; explained unless that was `begun`.
 * Returns whether it is now. */
struct red_series_source;
bool red_report_accuracy(struct red_page *page, const struct red_series_source *source, bool begun);

/* What did not run and why, on each device. */
void red_report_troubles(const struct red_report *report, struct red_page *page);

/* Machines, devices, settings, what was done, and what to doubt. */
void red_report_method(const struct red_report *report, struct red_page *page);

/* The commands that make the files and the page again. */
void red_report_again(const struct red_report *report, struct red_page *page);

/* "A": of several files each has a letter. */
void red_report_file_label(const struct red_report *report, size_t file, char *text, size_t text_bytes);

#endif
