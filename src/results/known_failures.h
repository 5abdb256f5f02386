/* Known failures: what is expected to fail on which driver (--expect), so that a run says what is new. What
 * is listed still runs, and must still fail: a line that no longer holds is printed, and fails verify. */
#ifndef CLREDUCE_RESULTS_KNOWN_FAILURES_H
#define CLREDUCE_RESULTS_KNOWN_FAILURES_H

#include <dirent.h>
#include <stdio.h>

#include "core/select.h"
#include "model/device_info.h"
#include "results/run.h"

/* Which of the cells that a line lists are in its state. */
enum red_known_failure_share {
    RED_EXPECT_ALL,
    RED_EXPECT_SOME,  /* "some-": some are, and not all */
    RED_EXPECT_FLAKY, /* "flaky-": which ones, if any, differs between runs: a race of the driver's */
};

/* A line, and what has been seen of it. */
struct red_known_failure {
    char file[128];                        /* as it was given, for messages; of a long path the end */
    unsigned line;                         /* from 1 */
    char platform[128], device[128];       /* globs */
    char driver[64];                       /* range of versions: "*", "3.1", "3.0..3.1", "..3.1", "3.0.." */
    char strategy[256], op[128], type[64]; /* lists of globs; the first perhaps behind "needs:" */
    struct red_size_range n, group_size;
    enum red_state state;
    enum red_known_failure_share share;
    bool skip; /* they are not run: for what hangs a machine */
    char since[12];
    char reason[256];
    size_t met_n, passed_n; /* cells that were as expected; that were right instead */
    size_t unmade_n;        /* that were over budget, so that nobody knows */
};

struct red_known_failures {
    struct red_known_failure *rows; /* owned */
    size_t n;
};

/* Reads a register, appending.
 *   name         of the file, for messages
 *   text         its text_n bytes, of which a byte 0 is an error
 * Lines are comments that begin with "#", and
 *   platform: GLOB        a driver that the lines below are about, before any of them; begins a new one
 *   device: GLOB
 *   driver: 3.0..3.1      a range of its versions; these two are "*" until they are said
 *   STRATEGY OP TYPE N GROUP-SIZE STATE SINCE REASON...
 * STRATEGY, OP and TYPE are globs or lists of them, STRATEGY also "needs:" and a list of needs: each strategy
 * that needs one of these for the operation and type, as where the driver has a built-in wrong, N and
 * GROUP-SIZE ranges (red_size_range_read), STATE is wrong, build-failed, unsupported, failed, crashed or
 * timed-out, with "some-" before it where not all are, or "flaky-" where in some runs none is, or skip; SINCE
 * a date such as 2026-11-22. Release with _clear. Errors: RED_E_INPUT with file and line; RED_E_MEMORY. */
enum red_status red_known_failures_read(const char *name, const char *text, size_t text_n,
                                        struct red_known_failures *known_failures, struct red_error *error);
void red_known_failures_clear(struct red_known_failures *known_failures);

/* Whether the entry of a folder is a file of known failures, *.expect: a filter for scandir.
 * The loader of --expect uses it, and the check that no output overwrites an input (cli/files.c). */
int red_known_failures_is_file(const struct dirent *entry);

/* The list behind "needs:"; NULL of a line that names strategies. */
const char *red_known_failure_needs(const struct red_known_failure *row);

/* Reads a file, or all files of a folder whose names end in ".expect", in order. Errors: those of _read;
 * RED_E_INPUT where there is nothing to read. */
enum red_status red_known_failures_load(const char *path, struct red_known_failures *known_failures,
                                        struct red_error *error);

/* What is asked about. */
struct red_known_failure_cell {
    const struct red_device_info *device;
    const struct red_strategy *strategy;
    const struct red_op *op;
    const struct red_dtype *dtype;
    uint64_t n;
    size_t group_size;
};

/* The first line that lists the cell; NULL if none does. */
struct red_known_failure *red_known_failures_find(const struct red_known_failures *known_failures,
                                                  const struct red_known_failure_cell *cell);

/* Whether the register tells what this driver lacks: it has lines "unsupported" about it. Then a strategy
 * that cannot run at all and is not listed is a finding. verify reports it, then. */
bool red_known_failures_has_unsupported(const struct red_known_failures *known_failures,
                                        const struct red_device_info *device);

/* Counts what became of a cell that the line lists, and gives the state to show: RED_STATE_KNOWN_BUG where it
 * is as expected; otherwise what it is. What is unsupported as expected stays so: a lack is no bug. */
enum red_state red_known_failure_count(struct red_known_failure *row, enum red_state state);

/* Whether the line no longer holds: something that it lists was right, or with "some-" everything was; never
 * with "flaky-". Writes the sentence that says so: "pocl.expect:7: ...". */
bool red_known_failure_no_longer_holds(const struct red_known_failure *row, char *text, size_t text_bytes);

/* Writes that sentence for each line that no longer holds, as "unexpected pass: ...". How many. Of a run that
 * is not complete those with "some-" are not judged. */
size_t red_known_failures_print_outdated(const struct red_known_failures *known_failures,
                                         bool run_is_complete, FILE *out);

/* Whether a driver's version lies in a range. Versions are compared number by number, as far as the range
 * says them: "3.1+debian" and "3.1.2" are both in "3.0..3.1". A version without numbers is in "*" only. */
bool red_version_range_has(const char *range, const char *version);

#endif
