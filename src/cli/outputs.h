/* What a run of `bench` leaves behind: the result file, the table, files for other programs. */
#ifndef CLREDUCE_CLI_OUTPUTS_H
#define CLREDUCE_CLI_OUTPUTS_H

#include <stdio.h>

#include "cli/options.h"
#include "run/bench.h"

/* Where the data goes: with --format json or csv and no --output it is the standard output, and nothing else
 * is; a table alone has none (NULL). */
const char *red_outputs_data_path(const struct red_options *options);

/* Where what is for a person goes: NULL where the data is on the standard output, and nothing else. Beside an
 * export there, it is the standard error. */
FILE *red_outputs_screen(const struct red_options *options);

/* An hour of measuring must not end in a file that cannot be written. Errors: RED_E_INPUT. */
enum red_status red_outputs_check(const struct red_options *options, struct red_error *error);

/* The same once the cells are known: what is kept from run to run must be of the same ones. */
enum red_status red_outputs_check_cells(const struct red_options *options, const struct red_run *run,
                                        struct red_error *error);

/* Writes them all. The table goes to the screen; the result file is JSON, or with --format csv CSV. Errors:
 * those of writing; if there are several the first, and the others are told on stderr. */
enum red_status red_outputs_write(const struct red_options *options, const struct red_bench *bench,
                                  struct red_error *error);

/* Where files for other programs were asked for: red_exports_check_whole. */
enum red_status red_outputs_check_whole(const struct red_options *options, const struct red_run *run,
                                        struct red_error *error);

#endif
