/* verify --ranks: checks of one array over many ranks. cli/over_ranks.c calls it on every rank; rank 0
 * prints. */
#ifndef CLREDUCE_RANKS_TEAM_CHECKS_H
#define CLREDUCE_RANKS_TEAM_CHECKS_H

#include <stdio.h>

#include "ranks/scaling.h"
#include "ranks/team.h"

/* Refuses words that these options do not know. Errors: RED_E_INPUT with those that they do. */
enum red_status red_ranks_verify_options_check(const struct red_ranks_options *options,
                                               struct red_error *error);

/* Checks the session's operations and types (red_session_resolve_names) over the numbers of ranks asked for,
 * or 1, 2, 3 and so on:
 *   pairs        a covering choice (verify/covering_array.h) of all pairs of number of ranks, split,
 *                operation, type, n and data, by OpenMP's loop on each rank's piece
 *   strategies   then strategies of the session on the ranks' devices over some of these, until the budget is
 *                used up, or with --all each with every operation and type that it has
 *   collectives  every one of each, also on partial results that the seed draws
 * With --all also every operation, type, n and data with each number of ranks. Prints to `out`, on rank 0
 * alone: evidence of what is wrong with the command that repeats it, what was covered, what cannot run and
 * why, one closing line. Errors, on all ranks: RED_E_WRONG with the first piece of evidence, and what else
 * ends a check; RED_E_INPUT; those of red_member_open; RED_E_INTERRUPTED. */
enum red_status red_ranks_verify(const struct red_ranks *ranks, const struct red_ranks_options *options,
                                 const struct red_session *session, FILE *out, struct red_error *error);

/* ---- before an array is timed ----------------------------------------------------------------------------
 * Checks of one array over a team, which ranks/scaling.c makes, too. */

/* Checks this rank's own reduction of its piece as verify does (red_verify_case): with poison, canaries and
 * changes; timed_only: without the checking build. Of a strategy of the host, and of an empty piece, there is
 * nothing to check. Errors, on all ranks of the team: RED_E_WRONG with the evidence; those of
 * red_dataset_verify. */
enum red_status red_check_own(struct red_piece *piece, const struct red_strategy *strategy, bool timed_only,
                              struct red_error *error);

/* Calls once with the collective, and checks the answer against the whole array's. The cell says of which
 * strategy; its state is the caller's to set. Errors, on all ranks of the team: those of red_timing_make and
 * red_timing_check. */
enum red_status red_check_call(struct red_piece_call *call, const struct red_collective_row *collective,
                               struct red_cell *cell, struct red_error *error);

#endif
