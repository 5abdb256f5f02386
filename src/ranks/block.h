/* A block of bench --ranks: all that is measured for one operation, type, scaling and n, in which every
 * number of ranks has a team's part. ranks/scaling.c verifies and times it. */
#ifndef CLREDUCE_RANKS_BLOCK_H
#define CLREDUCE_RANKS_BLOCK_H

#include "ranks/measure.h"
#include "ranks/resume.h"

enum { RED_TRIALS_MAX = RED_CHOICE_MAX + 2 };

/* What a run holds while it is made. */
struct red_work {
    const struct red_ranks *ranks;
    const struct red_session *session;
    struct red_member member;
    double *weights; /* owned; of each rank */
    struct red_team teams[RED_RANK_COUNTS_MAX];
    size_t teams_n;
    const struct red_collective_row *collectives[RED_COLLECTIVES_MAX];
    size_t collectives_n;
    struct red_run *run;
    double clock_step_s, budget_s;
    unsigned roof_form; /* of the two the faster one on this rank's device */
    struct red_resume *resume;
    unsigned blocks_n; /* so far */
    uint64_t random;
};

/* A strategy, the host's among them, or what has none, over the pieces of a team. */
struct red_trial {
    const struct red_strategy *strategy;
    enum red_cell_kind kind;    /* not PEER */
    struct red_piece_call call; /* over the timed data; its piece is NULL where it is not ready */
    struct red_timing timings[RED_COLLECTIVES_MAX];
    size_t first_cell, cells_n; /* of the block's cells */
};

/* A team's part of a block. */
struct red_team_part {
    struct red_data_spec spec; /* of the whole array */
    struct red_piece piece;
    struct red_trial trials[RED_TRIALS_MAX];
    size_t trials_n;
};

struct red_block {
    struct red_work *work;
    const struct red_op *op;
    const struct red_dtype *dtype;
    bool weak, is_first;         /* is_first: of the operation and type; it has the collectives alone, too */
    uint64_t n;                  /* asked for: in all, or per rank */
    unsigned number;             /* of the run's blocks */
    struct red_team_part *parts; /* owned; of each team */
    struct red_cell *cells;      /* owned; they become the run's (red_block_move_cells) */
    size_t cells_n;
};

/* Makes the cells of what each team measures. Release with _clear. Errors: RED_E_MEMORY. */
enum red_status red_block_lay_out(struct red_block *block, struct red_error *error);
void red_block_clear(struct red_block *block);

struct red_trial_id red_block_trial_id(const struct red_block *block, size_t team,
                                       const struct red_trial *trial);

/* Puts a cell, or those of a trial, in the state that an error means, unless it is in trouble already. */
void red_ranks_cell_fail(struct red_cell *cell, const struct red_error *why);
void red_block_fail_trial(const struct red_block *block, const struct red_trial *trial,
                          const struct red_error *why);

/* Leaves out the trials in which two runs have ended. */
void red_block_give_up_trials(const struct red_block *block);

/* Whether a cell of the trial is still to be measured; whether the trial is verified. */
bool red_block_is_open(const struct red_block *block, const struct red_trial *trial);
bool red_trial_is_verified(const struct red_trial *trial);

/* Makes statistics of the samples, on rank 0. Errors: RED_E_MEMORY. */
enum red_status red_block_find_statistics(struct red_block *block, struct red_error *error);

/* Moves the cells to the end of the run's. Errors: RED_E_MEMORY. */
enum red_status red_block_move_cells(struct red_block *block, struct red_error *error);

#endif
