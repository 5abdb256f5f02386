/* The page of a report, as the verb `report` and `bench --report` make it from result files. */
#ifndef CLREDUCE_REPORT_REPORT_H
#define CLREDUCE_REPORT_REPORT_H

#include <stdio.h>

#include "console/table.h"
#include "core/status.h"
#include "model/catalogue.h"
#include "results/bans.h"
#include "results/result.h"

/* So many devices a page sets side by side. */
enum { RED_REPORT_DEVICES_MAX = 32 };

/* What a page is made of. */
struct red_report {
    const struct red_loaded_files *loaded; /* another program's times: each beside the run of its device that
                                              began nearest */
    const char *const *files;              /* that the user named, for the command that makes the page */
    size_t files_n;
    const struct red_catalogue *catalogue;
    const enum red_primitive *primitive; /* of what is shown at all; NULL: of everything */
    const char *op, *type; /* lists of names or globs: which queries are shown in full; NULL: all */
    const char *device;    /* --device: which devices are shown at all; NULL: all */
    const char *picture;   /* --picture, for format NULL; NULL: what 2.x buys, or of ranks the efficiency */
};

/* The formats of a page (report --format html, md). */
struct red_page_format;
extern const struct red_page_format red_page_html, red_page_markdown;

/* A chapter of a page that has one table. */
struct red_page_chapter {
    char title[256], text[1024];
    struct red_table *table;
};

/* Writes a page of such chapters, each with its own title. Errors: RED_E_MEMORY. */
enum red_status red_page_write_chapters(const char *title, const struct red_page_chapter *chapters,
                                        size_t chapters_n, const struct red_page_format *format, FILE *out,
                                        struct red_error *error);

/* Writes the report in the format to `out`. Errors: RED_E_MEMORY, RED_E_INPUT. */
enum red_status red_report_write(const struct red_report *report, const struct red_page_format *format,
                                 FILE *out, struct red_error *error);

/* Makes a page of the files, which are result files, another program's too, those of `verify` and of `bench
 * --ranks`, and writes it to `output` ("-": the standard output), whole or not at all; says so on `told`
 * unless that is NULL. Of `wanted` only primitive, op, type, device and picture count. `format` NULL: the
 * charts of one picture alone, as SVG, of each primitive's first query that is wanted and the device that has
 * most of it: what 2.x buys over 1.x, which is the page's first, or the one that is named; of files of
 * `bench --ranks` alone those of efficiency. Errors: as red_loaded_files_load_with_times, red_report_write
 * and red_file_open; RED_E_INPUT without a file that has times, without a chart, for a name that is none,
 * and for a device that is in no file. */
enum red_status red_report_write_from_files(const char *const *files, size_t files_n,
                                            const struct red_report *wanted,
                                            const struct red_page_format *format, const char *output,
                                            FILE *told, struct red_error *error);

#endif
