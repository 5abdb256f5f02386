/* A duel for people, and its exit status. */
#ifndef CLREDUCE_GATE_PRINT_H
#define CLREDUCE_GATE_PRINT_H

#include <stdio.h>

#include "core/output.h"
#include "gate/duel.h"

/* Shows the sides, a line for each cell, the worst first, and what follows. Errors: RED_E_MEMORY. */
enum red_status red_duel_show(const struct red_duel *duel, FILE *out, struct red_error *error);

/* The cells alone, as CSV or JSON, to the standard output. Errors: RED_E_MEMORY, RED_E_INPUT. */
enum red_status red_duel_show_cells(const struct red_duel *duel, enum red_format format,
                                    struct red_error *error);

/* Why the cell's verdict is what it is: "+5.2 % (+4.1 to +6.3 %) in 10 launches of stage 2; ...". */
void red_duel_sentence(const struct red_duel_cell *cell, char *text, size_t text_bytes);

/* What the cell means for the exit status: RED_OK, RED_E_SLOWER, the head's trouble, or RED_E_UNDECIDED where
 * the head lacks it or it is required and has no answer. What is quarantined means nothing. */
enum red_status red_duel_cell_status(const struct red_duel_cell *cell);

/* The worst over all cells: wrong, crashed, timed out, failed, slower, undecided, in this order, with the
 * first of its kind. RED_E_NO_DEVICE where nothing was measured, but for an
 * interruption. */
enum red_status red_duel_verdict(const struct red_duel *duel, struct red_error *error);

/* Its files for other programs (export.c): the head's times, and the verdicts. Writes all that --export asks
 * for. Errors: those of red_exports_write. */
enum red_status red_duel_export(const struct red_duel *duel, const struct red_output *output,
                                struct red_error *error);

#endif
