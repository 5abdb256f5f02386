/* The answer on the screen. */
#ifndef CLREDUCE_CONSOLE_CONSOLE_TABLE_H
#define CLREDUCE_CONSOLE_CONSOLE_TABLE_H

#include <stdio.h>

#include "results/run.h"

/* Prints, per device, operation and type: times to answer with the column's best marked, bandwidth, share of
 * the roof and ratio to OpenMP at the largest n; the pairs of 2.x and 1.x; what did not run and why; and one
 * sentence. At most 100 characters wide. `catalogue` resolves counterparts. */
struct red_catalogue;
void red_console_table_write(FILE *out, const struct red_run *run, const struct red_catalogue *catalogue);

#endif
