/* Whether the times of a run can be compared at all: the one judgement that bench, report, recommend, compare
 * and emit show before any factor. */
#ifndef CLREDUCE_RESULTS_STEADINESS_H
#define CLREDUCE_RESULTS_STEADINESS_H

#include "core/processors.h"
#include "results/run.h"

/* ---- what others took of the processors -----------------------------------------------------------------
 * The load average counts this program's own threads, and the builds of the minute before. So the time itself
 * is taken: what processors worked for anybody, less what this process and its children used. That,
 * `others_s` of a result file, decides wherever it is known; the load at the end, `load_1min_end`, decides
 * where it is not: in a run of less than 0.3 s, in one of several ranks of a host, and where there is no
 * /proc. */

/* Puts into the run how busy others kept the processors between two of these, and the load now. What takes
 * less than 0.3 s of each processor stays unknown, since the system counts in steps of 0.01 s. */
void red_run_put_processor_times(struct red_run *run, const struct red_processor_times *begin,
                                 const struct red_processor_times *end);

/* The share of the processors' time that other programs (and, on a virtual machine, its neighbours) took; -1
 * where the run does not tell. */
double red_run_others_share(const struct red_run *run);

/* ---- the judgement ------------------------------------------------------------------------------------- */

/* Whether the median of a timed cell could as well be a quarter more or less: its 95 % interval is wider than
 * half of it. */
bool red_cell_is_unsteady(const struct red_cell *cell);

/* Whether tables mark the time with ?: it is unsteady, or of a run whose times cannot be compared. */
bool red_cell_is_doubtful(const struct red_cell *cell);

/* Limits, with what was measured at each (docs/times.md, "Whether times can be compared"). */
#define RED_OTHERS_SHARE_MOST   0.15 /* of the processors' time */
#define RED_UNSTEADY_SHARE_MOST 0.5  /* of a device's timed cells */
#define RED_SPEED_CHANGE_MOST   1.5  /* slowest by fastest third of the run */
#define RED_SPEED_CELLS_MIN     4    /* fewer cells do not tell that */

/* Judges each device of the run, and the host, by what is known of it, and fills red_run_device.steadiness
 * and red_cell.time.is_incomparable; call it when all cells have their times. A device fails where
 *  - it is a processor, and others took more than RED_OTHERS_SHARE_MOST of its time; where that is unknown,
 *    where the load at the end was above twice the processors (the run itself keeps each busy once);
 *  - more than RED_UNSTEADY_SHARE_MOST of its cells are unsteady;
 *  - it changed its speed by RED_SPEED_CHANGE_MOST: all its cells are the reference, as each is timed in each
 *    round. Of the first, the middle and the last third of the rounds it is the median over all cells of the
 *    median of these samples by the median of all.
 * Other programs alone say nothing against a GPU: its cells do. */
void red_run_judge_steadiness(struct red_run *run);

/* "52 of 52 cells are unsteady; other programs took 83 % of the processors' time. End other programs, ...":
 * why times of the device cannot be compared, and what to do; "" where they can be. */
void red_steadiness_reason_format(const struct red_run *run, size_t device, char *text, size_t text_bytes);

/* "These times of intel cannot be compared: ..." of the device; "" where they can be. */
void red_steadiness_sentence_format(const struct red_run *run, size_t device, char *text, size_t text_bytes);

#endif
