/* The fleet file: many runs in one file, each a result file or a file of `verify` as text; schema version 1
 * (results/fleet.schema.json). Ranks of one campaign give their files, and one of them writes it;
 * results/loaded.c reads it as if each run were a file of its own, "fleet.json[3]". */
#ifndef CLREDUCE_RESULTS_FLEET_FILE_H
#define CLREDUCE_RESULTS_FLEET_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include "core/status.h"
#include "results/json.h"

/* The member that holds the runs. */
#define RED_FLEET_ARRAY "fleet"

/* Writes the n texts, each a whole file of JSON, as one fleet file, whole or not at all ("-": the standard
 * output). No copy of a text is made. Errors: RED_E_INPUT where the file cannot be written, or a text is not
 * one object or array of JSON as far as its brackets tell, naming which; RED_E_MEMORY. */
enum red_status red_fleet_write(const char *path, const char *const *texts, const size_t *lengths, size_t n,
                                struct red_error *error);

/* What a fleet file says of itself. */
extern const struct red_file_kind red_fleet_kind;

/* The array of runs of what was parsed; red_large_array_next_text gives them. The reader's error is
 * RED_E_INPUT for another version. */
struct red_large_array *red_fleet_runs(struct red_parsed *parsed);

#endif
