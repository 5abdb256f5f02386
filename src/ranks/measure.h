/* Verifying and timing calls of a team: each rank's reduction of its piece, and the collective. */
#ifndef CLREDUCE_RANKS_MEASURE_H
#define CLREDUCE_RANKS_MEASURE_H

#include "ranks/team.h"

/* A cell that a team measures. */
struct red_timing {
    struct red_cell *cell; /* borrowed */
    const struct red_team *team;
    struct red_piece_call *call;       /* borrowed; NULL: kinds ALONE and BARE */
    struct red_collective *collective; /* owned; NULL: kinds ROOF and BARE */
    struct red_partial partial;        /* of kind ALONE: what is combined */
    void *bare;                        /* owned; of kind BARE */
    double bare_from, bare_to;
    unsigned batches_n;
};

/* Prepares the cell's collective. Release with _clear. Errors: those of red_collective_make. */
enum red_status red_timing_make(const struct red_team *team, struct red_piece_call *call,
                                const struct red_collective_row *collective, const struct red_op *op,
                                const struct red_dtype *dtype, struct red_cell *cell,
                                struct red_timing *timing, struct red_error *error);
void red_timing_clear(struct red_timing *timing);

/* Calls once and checks the answer, where a rank has it, against the whole array's; of a right one rank 0
 * keeps the bits in its cell. Errors, on all ranks of the team: RED_E_WRONG with what came; those of a call.
 */
enum red_status red_timing_check(struct red_timing *timing, const struct red_truth *whole,
                                 struct red_error *error);

/* Finds by a few calls how many a batch has, and how many batches fit into budget_s; makes room for the
 * samples. Errors, on all ranks of the team: those of a batch. */
enum red_status red_timing_plan(struct red_timing *timing, double budget_s, double clock_step_s,
                                struct red_error *error);

/* One batch: before it each piece has another element changed, and every answer is checked. Its sample goes
 * into the cell on rank 0. Errors, on all ranks of the team: RED_E_WRONG; those of a call. */
enum red_status red_timing_batch(struct red_timing *timing, struct red_error *error);

#endif
