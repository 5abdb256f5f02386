/* The two-run comparison, base and head of one suite (`compare BASE HEAD`): what ended otherwise, and whose
 * times differ by more than their intervals. An interval comes from one process, and processes differ, so
 * nothing here is called slower or faster; the verb `duel` decides that. */
#ifndef CLREDUCE_COMPARE_TWO_RUNS_H
#define CLREDUCE_COMPARE_TWO_RUNS_H

#include "compare/compare.h"

enum { RED_ACROSS_BYTES = 64, RED_TOLD_BYTES = 3072 };

/* Where the range of the ratio lies. Of fewer than 6 samples there is no interval at 95 %. */
enum red_apart { RED_APART_LONGER, RED_APART_SHORTER, RED_APART_WITHIN, RED_APART_UNKNOWN };

/* A cell that has a time in both runs. */
struct red_timed {
    const struct red_cell *base, *head;
    struct red_ratio ratio; /* head by base */
    enum red_apart apart;
};

struct red_timed red_timed_make(const struct red_cell *base, const struct red_cell *head);

/* Standard deviations of the ratio's logarithm between processes: none, little, much. For each, `expected`
 * says how many pairs lie beyond their intervals by chance alone (docs/times.md, "Two stored runs"). */
enum { RED_SCATTERS_N = 3 };
extern const double red_scatters[RED_SCATTERS_N];

struct red_two_runs {
    struct red_comparison comparison;
    char across[RED_ACROSS_BYTES]; /* in what the runs differ, "machine,driver"; "" if in nothing */
    char told[RED_TOLD_BYTES];     /* the same, one a line */
    struct red_timed *pairs; /* owned; those beyond their intervals first, of these those that take longer,
                               and of these the farthest first */
    size_t pairs_n, longer_n, shorter_n, unknown_n;
    size_t common_n;                 /* asked in both */
    size_t moved_n;                  /* run with another geometry than in base */
    size_t fallen_n, fallen_wrong_n; /* in trouble in head and not in base; of these wrong results */
    size_t lost_n;                   /* with a time in base and none in head */
    size_t bad_n;                    /* in trouble in both */
    double median_ratio;             /* of all pairs, if there are any */
    double expected[RED_SCATTERS_N];
};

/* Checks the words of --across, NULL for none. Errors: RED_E_INPUT with the nearest one. */
enum red_status red_comparability_check(const char *across, struct red_error *error);

/* Whether times of the comparison's two files may be set against each other: of the same machine, devices,
 * drivers, version and settings, but for what is accepted (--across; NULL: nothing); always of the same
 * shape. Fills `across` and `told`. Errors: RED_E_INPUT with all differences. */
enum red_status red_two_runs_check_comparable(struct red_two_runs *stored, const char *accepted,
                                              struct red_error *error);

/* Lines up the two files that the comparison holds. Release with red_two_runs_clear. Errors: RED_E_INPUT for
 * files that have no cell in common; RED_E_MEMORY. */
enum red_status red_two_runs_line_up(struct red_two_runs *stored, struct red_error *error);
void red_two_runs_clear(struct red_two_runs *stored);

/* Keys by how they ended: in trouble in head and not in base; otherwise in another state; in base only;
 * in head only. Each has one of these, or none. */
bool red_key_fell_into_failure(const struct red_comparison *comparison, const struct red_cell *key);
bool red_key_state_changed(const struct red_comparison *comparison, const struct red_cell *key);
bool red_key_is_missing(const struct red_comparison *comparison, const struct red_cell *key);
bool red_key_is_new(const struct red_comparison *comparison, const struct red_cell *key);

/* Prints the tables of `compare BASE HEAD`, the summary and the duel command. Errors: RED_E_MEMORY. */
enum red_status red_two_runs_show(const struct red_two_runs *stored, FILE *out, struct red_error *error);

/* Writes every cell as CSV or JSON (--format). Errors: RED_E_MEMORY, RED_E_INPUT. */
enum red_status red_two_runs_write(const struct red_two_runs *stored, struct red_error *error);

/* The command that measures what differs again, live. Errors: RED_E_MEMORY. */
enum red_status red_two_runs_duel_command_print(const struct red_two_runs *stored, FILE *out,
                                                struct red_error *error);

/* For --fail-above, in this order: RED_E_WRONG or RED_E_DEVICE for cells in trouble in head and not in base;
 * RED_E_SLOWER for a cell whose range lies wholly above `limit` (a ratio); RED_E_UNDECIDED for one that has a
 * time in base and cannot be judged. */
enum red_status red_two_runs_check_limit(const struct red_two_runs *stored, double limit,
                                         struct red_error *error);

#endif
