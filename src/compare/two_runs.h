/* The two-run comparison, base and head of one suite (`compare BASE HEAD`): what ended otherwise, and whose
 * times differ by more than their intervals. An interval comes from one process, and processes differ, so
 * nothing here is called slower or faster; the verb `duel` decides that. */
#ifndef CLREDUCE_COMPARE_TWO_RUNS_H
#define CLREDUCE_COMPARE_TWO_RUNS_H

#include "compare/compare.h"

/* How much processes may scatter: not at all, little, much (docs/times.md, "Two stored runs"). */
enum { RED_SCATTERS_N = 3 };

struct red_timed_pair; /* a cell that has a time in both runs */

struct red_two_runs {
    struct red_comparison comparison;
    struct red_timed_pair *pairs; /* owned; those beyond their intervals first, of these those that take
                               longer, and of these the farthest first */
    size_t pairs_n, longer_n, shorter_n, unknown_n, incomparable_n, incomplete_n;
    size_t common_n;                 /* asked in both */
    size_t other_geometry_n;         /* run with another geometry than in base */
    size_t fallen_n, fallen_wrong_n; /* in trouble in head and not in base; of these wrong results */
    size_t lost_n;                   /* with a time in base and none in head */
    size_t bad_n;                    /* in trouble in both */
    double median_ratio;             /* of all pairs that can be compared, if there are any */
    double expected[RED_SCATTERS_N]; /* how many pairs lie beyond their intervals by chance alone */
};

/* Makes the pairs and the counts of the two files that the comparison holds; cli/cmd_compare.c loads them.
 * Release with red_two_runs_clear. Errors: RED_E_INPUT for files without a common cell; RED_E_MEMORY. */
enum red_status red_two_runs_line_up(struct red_two_runs *stored, struct red_error *error);
void red_two_runs_clear(struct red_two_runs *stored);

/* Prints the tables of `compare BASE HEAD` and the summary; of a struct red_two_runs. Errors: none. */
red_file_writer red_two_runs_show;

/* Writes a row for every key as CSV or JSON (--format). Errors: RED_E_MEMORY, RED_E_INPUT. */
enum red_status red_two_runs_write(const struct red_two_runs *stored, struct red_error *error);

/* For --fail-above, in this order: RED_E_WRONG or RED_E_DEVICE for cells in trouble in head and not in base;
 * RED_E_SLOWER for a cell whose range lies wholly above ratio_max (1.05: 5 % longer); RED_E_UNDECIDED for one
 * that has a time in base and cannot be judged. */
enum red_status red_two_runs_check_head(const struct red_two_runs *stored, double ratio_max,
                                        struct red_error *error);

#endif
