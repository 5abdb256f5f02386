/* What `duel` prints: the table of verdicts, the same as CSV or JSON, and its exit status; and the files of
 * --export. */
#ifndef CLREDUCE_GATE_PRINT_H
#define CLREDUCE_GATE_PRINT_H

#include <stdio.h>

#include "core/output.h"
#include "gate/duel.h"

/* Prints the two sides, a table with a row for each cell, the worst verdict first, and how many there are of
 * each. Errors: RED_E_MEMORY. */
enum red_status red_duel_print(const struct red_duel *duel, FILE *out, struct red_error *error);

/* Prints the table alone, as CSV or JSON, to the standard output. Errors: RED_E_MEMORY, RED_E_INPUT. */
enum red_status red_duel_print_cells(const struct red_duel *duel, enum red_format format,
                                     struct red_error *error);

/* Writes why the cell has its verdict: "+5.2 % (+4.1 to +6.3 %) in 10 launches of stage 2; ...". */
void red_duel_reason_format(const struct red_duel_cell *cell, char *text, size_t text_bytes);

/* What the cell contributes to the exit status: RED_OK, RED_E_SLOWER, the failure of the head, or
 * RED_E_UNDECIDED where the head lacks it, or where it is required and has no verdict. A quarantined cell
 * contributes nothing. */
enum red_status red_duel_cell_status(const struct red_duel_cell *cell);

/* The exit status of the duel: of the worst cell (wrong, crashed, timed out, failed, slower, undecided, in
 * this order), whose first one the message names. RED_E_NO_DEVICE where nothing was measured and nobody
 * interrupted. */
enum red_status red_duel_verdict(const struct red_duel *duel, struct red_error *error);

/* Its files for other programs (export.c): the head's times, and the verdicts. Writes all that --export asks
 * for. Errors: those of red_exports_write. */
enum red_status red_duel_export(const struct red_duel *duel, const struct red_output *output,
                                struct red_error *error);

#endif
