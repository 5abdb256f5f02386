/* Checks of one array over a team, before anything of it is timed (ranks/scaling.c), and those that verify
 * makes (ranks/verify.c). */
#ifndef CLREDUCE_RANKS_CHECK_H
#define CLREDUCE_RANKS_CHECK_H

#include "ranks/measure.h"

/* Checks this rank's own reduction of its piece as verify does (red_verify_case): with poison, canaries and
 * changes. Of a row of the host, and of an empty piece, there is nothing to check. Errors, on all ranks of
 * the team: RED_E_WRONG with the evidence; those of red_dataset_verify. */
enum red_status red_check_own(struct red_piece *piece, const struct red_strategy *strategy,
                              struct red_error *error);

/* Calls once with the collective, and checks the answer against the whole array's. The row says of which
 * strategy; its state is the caller's to set. Errors, on all ranks of the team: those of red_timing_make and
 * red_timing_check. */
enum red_status red_check_call(struct red_piece_call *call, const struct red_collective_row *collective,
                               struct red_ranks_row *row, struct red_error *error);

#endif
