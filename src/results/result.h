/* The result file: one canonical JSON per run, schema version 1 (results/result.schema.json). */
#ifndef CLREDUCE_RESULTS_RESULT_H
#define CLREDUCE_RESULTS_RESULT_H

#include "results/run.h"

/* Writes the run as JSON to `path` by way of a temporary file beside it, so that a file of that name is
 * always whole. "-" is the standard output. Errors: RED_E_INPUT if it cannot be written (the reason is
 * named), RED_E_MEMORY. */
enum red_status red_result_write_json(const struct red_run *run, const char *path, struct red_error *error);

/* The same as CSV: one line per cell, times in seconds, empty where there is none. */
enum red_status red_result_write_csv(const struct red_run *run, const char *path, struct red_error *error);

#endif
