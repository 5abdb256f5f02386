/* The watch over this rank (ranks/ranks.h), as joining and leaving start and end it. */
#ifndef CLREDUCE_RANKS_WATCH_H
#define CLREDUCE_RANKS_WATCH_H

#include "ranks/ranks.h"

/* Begins: from now on a crash, an exit within a driver, or a step that takes too long ends all ranks. */
enum red_status red_watch_begin(const struct red_ranks *ranks, struct red_error *error);
void red_watch_end(void);

#endif
