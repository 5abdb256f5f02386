/* Checks of one array over a team: those before it is timed (ranks/scaling.c), and those that verify makes
 * (ranks/verify.c). */
#ifndef CLREDUCE_RANKS_CHECK_H
#define CLREDUCE_RANKS_CHECK_H

#include "ranks/measure.h"

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

/* Combines partial results that the seed draws, several times by the same collective, and compares with their
 * fold in the order of the ranks: the answer is the same bit by bit, but that sums of floats may be off by
 * their bound, and those of `exact` are the exact one. Drawn are places of equal values, sums that wrap,
 * floats of many magnitudes, ranks without an element, and n up to 2^40. Errors, on all ranks of the team:
 * RED_E_WRONG; those of red_collective_make. */
enum red_status red_check_folds(const struct red_team *team, const struct red_collective_row *collective,
                                const struct red_op *op, const struct red_dtype *dtype, uint64_t seed,
                                struct red_error *error);

/* Cuts arrays that the seed draws, many of them longer than any memory, and checks that the pieces follow
 * each other, are all of the array and as long as their weights say, and are the same on all ranks. Errors,
 * on all ranks: RED_E_WRONG. */
enum red_status red_check_cuts(const struct red_ranks *ranks, uint64_t seed, struct red_error *error);

#endif
