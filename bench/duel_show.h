/* A duel for people. */
#ifndef CLREDUCE_BENCH_DUEL_SHOW_H
#define CLREDUCE_BENCH_DUEL_SHOW_H

#include <stdio.h>

#include "record/duel.h"

/* Prints the sides, a line for each cell and what follows. Errors: RED_E_MEMORY. */
enum red_status red_duel_show(const struct red_duel *duel, FILE *out, struct red_error *error);

#endif
