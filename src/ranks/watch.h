/* The watch over this rank (ranks/ranks.h), as joining and leaving start and end it. */
#ifndef CLREDUCE_RANKS_WATCH_H
#define CLREDUCE_RANKS_WATCH_H

#include "ranks/ranks.h"

/* Divides this process in two, before MPI, threads and drivers: the watch, in which the function never
 * returns, and the rank, in which it does. From now on a crash, an exit, a signal or a step that takes too
 * long ends the process that mpirun started, and with it all ranks. `who` names the rank until
 * red_watch_begin does; with is_launched both end when the process that started this one does. Errors:
 * RED_E_MEMORY, RED_E_CRASHED. */
enum red_status red_watch_divide(const char *who, bool is_launched, double patience_s,
                                 struct red_error *error);

/* The rank is known; its work is done, and how. What goes wrong in between is an error whatever the process
 * says of its end. */
void red_watch_begin(const struct red_ranks *ranks);
void red_watch_end(enum red_status status);

#endif
