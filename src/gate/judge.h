/* The verdicts of a duel, from its samples. Statistics are GSL's.
 *
 * A block is dropped, for both sides, where a reference workload took more than 1 + plan.workload_shift times
 * its shortest time (0: it was not timed), or where the worker's clock or a suspension made it invalid while
 * measuring.
 *
 * A process pair has one ratio: the median, over its good blocks, of log(shortest batch of head / shortest
 * batch of base); the first batch after a switch of sides does not count. With fewer than 5 good blocks a
 * pair does not count. Processes have a bias of their own, so pairs are the sample: intervals and tests are
 * Student's t over pairs, never over blocks (Kalibera and Jones, Rigorous benchmarking in reasonable time,
 * 2013). Now and then a process is a third slower for all of its life, on either side, so the share plan.trim
 * of the pairs is left out at either end (stats/student.h).
 *
 * Stage 1 nominates cells whose one-sided limit lies beyond plan.nominate. Stage 2 measures nominated cells
 * again, in process pairs of its own, and only its samples confirm: a cell is SLOWER if the hypothesis
 * "slower by the margin at most" is rejected after Holm's correction over all nominated cells (Holm, A simple
 * sequentially rejective multiple test procedure, 1979) and, since there are several looks, at alpha / looks
 * each (Bonferroni; rejections stay: Ye, Li, Liu and Yao, A group sequential Holm procedure, 2013). So the
 * chance of any false SLOWER in a whole duel is at most alpha, however many cells there are. FASTER is tested
 * in the same way, as a family of its own. The k-th look sees the first k times plan.look_pairs_n pairs that
 * count.
 *
 * SAME: the 95 % interval of the ratio, of 3 pairs or more, lies within twice the margin on either side, in
 * stage 1, or for a nominated cell at a look of stage 2, which then ends.
 *
 * Some verdicts come before all that. WRONG and FAILED: the state of a side is so. UNTRUSTED: the head lacks
 * the cell, or more than half of all blocks were dropped (the code names what dropped most of them). And
 * UNTRUSTED when no more pairs are wanted and the ratio changes by more than the margin, with p < 0.001
 * (two-sided, 3 pairs or more each): UNSTEADY  from the earlier to the later half of a pair's good blocks,
 * over the pairs of the stage that decides DRIFT     from the pairs before some point to those after it, of
 * that stage or of all; each possible point has its share of the 0.001 (Bonferroni; Welch's t, with the
 * degrees of freedom of the smaller sample) */
#ifndef CLREDUCE_GATE_JUDGE_H
#define CLREDUCE_GATE_JUDGE_H

#include "gate/duel.h"

/* Why a block does not count; RED_DROP_NONE if it does. */
enum red_drop red_block_drop(const struct red_duel_plan *plan, const struct red_block *block);

/* What a process pair says of a cell. */
struct red_process_pair_ratio {
    double log_ratio; /* of head to base; negative is faster */
    double shift;     /* of the later half of its good blocks against the earlier half */
    size_t good_n;    /* blocks that count */
};

/* False if too few of its blocks count. */
bool red_process_pair_ratio_of(const struct red_duel_plan *plan, const struct red_process_pair *pair,
                               struct red_process_pair_ratio *found);

/* How long a call of one side takes in a process pair, in seconds: the median over all blocks of the shortest
 * batches. False if there are no blocks, or no memory. */
bool red_process_pair_time(const struct red_duel_plan *plan, const struct red_process_pair *pair,
                           enum red_who who, uint64_t calls, double *time_s);

/* Judges all cells by all samples: fills the finding of each, and next[] (cells_n of them, or NULL): in which
 * stage it needs another process pair, budgets aside. Stage 2 must not begin before no cell needs stage 1 any
 * more, since Holm's correction is over all nominated cells. Errors: RED_E_MEMORY. */
enum red_next { RED_NEXT_NONE, RED_NEXT_STAGE_1, RED_NEXT_STAGE_2 };
enum red_status red_duel_judge(struct red_duel *duel, enum red_next *next, struct red_error *error);

#endif
