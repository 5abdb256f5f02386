/* The neutral form of a run or a duel that every writer of --export takes, and the writers that need no more
 * than this room. The table of all kinds, and the way to a file, are in export/export.h.
 *
 * No failed cell ever appears as a time, and a missing cell is an error, not a silence. Cells that should
 * have a time and have none (red_export_cell_lacks_due_time) are told by every writer whose reader can be
 * told; where it cannot, the cell is left out, who writes the file says so, and the exit status is not 0.
 * What is `unsupported`, `over-budget`, `implausible` or a `known-bug` was not to have a time: it is left out
 * of files of times, and skipped in reports. */
#ifndef CLREDUCE_EXPORT_SUITE_H
#define CLREDUCE_EXPORT_SUITE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "core/text.h"
#include "results/run.h"

/* One cell as readers of other programs see it. All strings are borrowed. */
struct red_export_cell {
    const char *name; /* "pocl.0/tree/sum/f32/n:4096": unique, without what differs from run to run */
    const char *device, *strategy, *op, *type;
    uint64_t n;
    enum red_state state;    /* only RED_STATE_PASS has times */
    const char *reason;      /* why it is not `pass`; else "" */
    const char *unchecked;   /* levels at which its kernel was never checked: it counts as skipped, with its
                                time, if it passed and has no verdict; NULL or "" if there are none */
    bool untimed;            /* of a run that measures nothing: it lacks no time */
    const char *details;     /* lines behind the reason, where there is room for them; NULL: none */
    const double *samples_s; /* one per batch, seconds per call; NULL where there is none */
    const double *cpu_s;     /* beside them, of the measuring process's main thread, since Google Benchmark's
                                compare.py reads these, too; NULL where they are not known */
    size_t samples_n;
    uint64_t calls_per_sample;
    double time_s, low_s, high_s;    /* median and interval; 0: no time */
    const struct red_run *run;       /* of bench: what the figures of a timed cell are found in */
    const struct red_cell *measured; /* NULL: of a duel, or of checks */
    /* of a gate (two sides compared); verdict NULL: none */
    const char
        *verdict;     /* "SLOWER", "FASTER", "SAME", "UNDECIDED", "UNTRUSTED", "WRONG", "BROKEN", "FAILED" */
    const char *code; /* reason code of the verdict: "controls-moved" */
    const char *sentence;                /* for a person: "5.2 % slower (4.1 to 6.3 %)" */
    double ratio, ratio_low, ratio_high; /* head / base; 0: none */
    bool fails;                          /* the gate fails for it */
};

/* How long the cells of a device took together, where nothing of them was timed. */
struct red_export_device {
    const char *id; /* as in red_export_cell.device */
    double took_s;
};

struct red_export {
    const char *title, *command, *started; /* the last: UTC, ISO 8601 */
    const char *machine; /* what times depend on: its processor, and not a name that every run draws anew */
    const char *version;
    const struct red_export_cell *cells;
    size_t cells_n;
    const struct red_export_device *devices; /* NULL: a device took what its cells' times are together */
    size_t devices_n;
};

/* What a report of tests says of a cell. */
enum red_outcome {
    RED_OUTCOME_FAILURE, /* wrong, or confirmed slower */
    RED_OUTCOME_ERROR,   /* nobody knows: it crashed, hung, was not built or reached, or cannot be trusted */
    RED_OUTCOME_SKIPPED, /* not to be run here, not decided, or nothing that the gate fails for */
    RED_OUTCOME_PASSED,
    RED_OUTCOMES_N
};

/* The outcome by state and verdict. What the gate fails for is never skipped or passed, what it does not fail
 * for (quarantined, or no answer where none is required) is no failure and no error, and a verdict that is
 * none of the seven is an error. */
enum red_outcome red_export_cell_outcome(const struct red_export_cell *cell);

/* "SLOWER", "crashed": the verdict, or the state where there is none or the cell did not pass; of an
 * incomplete kernel RED_INCOMPLETE_WORDS. */
const char *red_export_cell_word(const struct red_export_cell *cell);

/* Why: the verdict's sentence, or the reason, or the levels that were never checked. "" if there is none. */
const char *red_export_cell_why(const struct red_export_cell *cell);

/* Whether the cell has a time: it passed, the time and every sample are finite and above 0, and the verdict
 * is not UNTRUSTED. */
bool red_export_cell_has_trusted_time(const struct red_export_cell *cell);

/* Whether it has none though it should: it is not timed, and neither `unsupported`, `over-budget`,
 * `implausible` nor a `known-bug`, unless the gate fails for that. */
bool red_export_cell_lacks_due_time(const struct red_export_cell *cell);

/* How many cells there are of which is_counted is true. */
size_t red_export_count(const struct red_export *export, bool is_counted(const struct red_export_cell *cell));

/* "12.3 us": four digits, in the unit that suits. */
struct red_short_text red_export_time_text(double seconds);

/* A copy that every writer can take as it is: strings are UTF-8 with no character that XML forbids, NULL ones
 * are "" (but for verdicts), names are unique and not empty, only timed cells have times, and an interval
 * that is not finite or does not hold the median is none. Errors: RED_E_INPUT for two cells of one name or
 * none; RED_E_MEMORY. Release with red_export_clean_clear, in any case. */
struct red_export_clean {
    struct red_export export;
    struct red_export_cell *cells; /* owned */
    char **texts;                  /* owned, as is each */
    size_t texts_n;
};
enum red_status red_export_clean(const struct red_export *export, struct red_export_clean *clean,
                                 struct red_error *error);
void red_export_clean_clear(struct red_export_clean *clean);

/* Writes a clean export for one reader. Whether writing succeeded is for the owner of `out` to find out.
 * Errors: RED_E_MEMORY. */
typedef enum red_status red_export_writer(const struct red_export *export, FILE *out,
                                          struct red_error *error);

/* github-action-benchmark, `customSmallerIsBetter` (its src/extract.ts): an array of {name, unit, value,
 * range, extra}, the median in ns. It skips in silence a name that has vanished, and takes null for 0, the
 * fastest of all: so a cell without a time is left out. An empty array makes it fail. */
red_export_writer red_export_write_github_action;

/* JUnit XML, as Jenkins, GitLab and Surefire's readers take it: a suite per device; failure, error and
 * skipped by outcome, each with its reason; `time` is the median in seconds, of timed cells alone; of a suite
 * the sum of these, or what its device took. */
red_export_writer red_export_write_junit;

/* Markdown for GitHub's summary of a step: a table, failures first, of at most 1 MiB, which is all that
 * GitHub takes of a step; what does not fit is counted in the last line. */
red_export_writer red_export_write_markdown;

/* GitHub's workflow commands, one line for each failure, error and undecided cell, in that order; the tenth
 * line counts what is left, since GitHub shows no more than ten of a step. Nothing where all is well. */
red_export_writer red_export_write_annotations;

/* ---- a run of bench --------------------------------------------------------------------------------------
 * A run of `bench` in the neutral form. */

struct red_run_export {
    struct red_export export;
    struct red_export_cell *cells;    /* owned */
    char (*names)[RED_AT_NAME_BYTES]; /* owned, one per cell */
    char machine[160];
};

/* All cells of the run, which must stay as it is until red_run_export_clear. Its roofs are no cells.
 * Errors: RED_E_MEMORY. */
enum red_status red_run_export_make(const struct red_run *run, struct red_run_export *made,
                                    struct red_error *error);
void red_run_export_clear(struct red_run_export *made);

#endif
