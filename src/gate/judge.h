/* What follows from the samples of a duel. Statistics are GSL's.
 *
 * A round is dropped, for both sides, where a control took more than 1 + plan.control_shift times its
 * shortest (a time of 0 was not taken), or for what was seen while measuring.
 *
 * Of a launch: the median, over its good rounds, of log(shortest batch of head / shortest batch of base) (the
 * first batch after a switch does not count); with fewer than 5 good rounds it does not count. Processes have
 * a bias of their own, and what differs between launches is what counts: intervals and tests are Student's t
 * over launches, never over rounds (Kalibera and Jones, Rigorous benchmarking in reasonable time, 2013). Now
 * and then a process is a third slower for all of its life, on either side alike, so the share plan.trim of
 * the launches is left out at either end (stats/student.h).
 *
 * Stage 1 nominates: a cell whose one-sided limit lies beyond plan.nominate. Stage 2 measures nominated cells
 * again, in launches of their own, and only its samples confirm: SLOWER if the hypothesis "slower by the
 * margin at most" is rejected after Holm's correction over all nominated cells (Holm, A simple sequentially
 * rejective multiple test procedure, 1979) and, since there are several looks, at alpha / looks each
 * (Bonferroni; for rejections that stay, Ye, Li, Liu and Yao, A group sequential Holm procedure, 2013). So
 * any false SLOWER in a whole duel has at most the chance alpha, however many cells there are. FASTER is
 * judged in the same way for itself. A look sees the first plan.look_launches_n launches that count, twice as
 * many, and so on.
 *
 * SAME: the 95 % interval of the ratio, of 3 launches or more, lies within twice the margin on either side:
 * in stage 1, or for a nominated cell at a look of stage 2, which ends it.
 *
 * Before all that WRONG and FAILED: a side whose state is so. UNTRUSTED: a cell that the head lacks; more
 * than half of all rounds dropped, named for what dropped the most of them. And when no more launches are
 * wanted, of ratios that change by more than the margin, with p < 0.001 (two-sided, 3 launches or more each):
 *   UNSTEADY  from the earlier to the later half of a launch's good rounds, over the launches of the stage
 *             that decides
 *   DRIFT     from the launches before some point to those after it, of that stage's or of all, whatever the
 *             point: each has its share of the 0.001 (Bonferroni; Welch's t, with the degrees of the smaller
 *             sample) */
#ifndef CLREDUCE_GATE_JUDGE_H
#define CLREDUCE_GATE_JUDGE_H

#include "gate/duel.h"

/* Whether a round counts: RED_DROP_CONTROLS where a control moved, otherwise what was seen while measuring.
 */
enum red_drop red_block_drop(const struct red_duel_plan *plan, const struct red_block *block);

/* What a launch says of a cell. */
struct red_process_pair_ratio {
    double log_ratio; /* of head to base; negative is faster */
    double shift;     /* of the later half of its good rounds against the earlier half */
    size_t good_n;    /* rounds that count */
};

/* False if too few of its rounds count. */
bool red_process_pair_ratio_of(const struct red_duel_plan *plan, const struct red_process_pair *pair,
                               struct red_process_pair_ratio *found);

/* What a call of one side takes in a launch, in seconds: the median over all rounds of the turns' shortest
 * batches. False if there are no rounds, or no memory. */
bool red_process_pair_time(const struct red_duel_plan *plan, const struct red_process_pair *pair,
                           enum red_who who, uint64_t calls, double *time_s);

/* Judges all cells by all samples that there are: fills every cell's finding, and in next[] (cells_n of them,
 * or NULL) whether it needs another launch, in which stage, budgets aside. Stage 2 must begin only when no
 * cell needs stage 1 any more, since Holm's correction is for all nominated cells. Errors: RED_E_MEMORY. */
enum red_next { RED_NEXT_NONE, RED_NEXT_STAGE_1, RED_NEXT_STAGE_2 };
enum red_status red_duel_judge(struct red_duel *duel, enum red_next *next, struct red_error *error);

#endif
