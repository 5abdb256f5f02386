/* The file of a duel: one JSON with every sample and what follows from them (results/duel.schema.json,
 * version 1). */
#ifndef CLREDUCE_GATE_DUEL_FILE_H
#define CLREDUCE_GATE_DUEL_FILE_H

#include "gate/duel_result.h"

/* Writes it to `path`, "-" for the standard output, by way of a temporary file. Errors: RED_E_INPUT,
 * RED_E_MEMORY. */
enum red_status red_duel_write(const struct red_duel *duel, const char *path, struct red_error *error);

/* Reads one of 256 MiB at most. Nothing in it is believed: what there is makes sense, or is an error.
 * Findings, which follow from the samples, are left to red_duel_judge. Release with red_duel_clear. Errors:
 * RED_E_INPUT naming the file and the member; RED_E_MEMORY. */
enum red_status red_duel_load(const char *path, struct red_duel *duel, struct red_error *error);

/* The same from text_n bytes; `path` is for messages. */
enum red_status red_duel_read(const char *path, const char *text, size_t text_n, struct red_duel *duel,
                              struct red_error *error);

#endif
