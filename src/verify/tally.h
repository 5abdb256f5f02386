/* What became of the checks of `verify`, and how it is reported. */
#ifndef CLREDUCE_VERIFY_TALLY_H
#define CLREDUCE_VERIFY_TALLY_H

#include <stdio.h>

#include "core/output.h"
#include "results/run.h"
#include "run/estimate.h"
#include "run/session.h"
#include "verify/outcomes.h"
#include "verify/verify.h"

struct red_device_checks;

enum { RED_TYPES_MAX = 32 };

/* What became of the checks of one strategy on one device. */
struct red_tally {
    size_t planned_n;                          /* checks */
    size_t happened[RED_STATES_N];             /* what became of them */
    size_t refused_n;                          /* combinations of type and operation that cannot run at all */
    struct red_call_cost costs[RED_TYPES_MAX]; /* types differ by what an atomic update of theirs costs */
    struct red_call_cost cost;                 /* of all */
    double spent_s;                            /* by calls, and by checks that came to no end */
    size_t programs_n;                         /* so far */
};

/* One run of `verify`. */
struct red_verify {
    struct red_session *session;
    const struct red_verify_options *options;
    const struct red_output *output; /* of the table; NULL: none is written */
    FILE *out;                       /* for people */
    struct red_outcomes *outcomes;   /* NULL: none is kept */
    double limit_s;                  /* of one check */
    double share_s; /* for the calls of a strategy; infinite where the user set a limit, or wants all */
    double start_s;
    size_t announced_n; /* devices whose checks have been counted */
    struct red_tally tallies[RED_DEVICES_MAX][RED_CHOICE_MAX];
    size_t totals[RED_STATES_N];
    struct red_error first[RED_STATES_N]; /* the first line of each state */
    size_t absent_n;                      /* strategies that cannot run, though nobody expects that */
    struct red_error absent;              /* the first of them */
};

/* The user has had enough, or with --first something was wrong. */
bool red_verify_is_over(const struct red_verify *verify);

/* What became of the checks of the same strategy. */
struct red_tally *red_tally_of(const struct red_device_checks *checks, const struct red_check *check);

/* Counts a check that ended in the state, and reports the first few of each as they happen. */
void red_tally_add(struct red_device_checks *checks, const struct red_check *check, enum red_state state,
                   const char *text);

/* Counts what cannot run at all, once for each combination of type and operation. Where the register lists
 * what the driver lacks, reports which strategies among them it does not expect. */
void red_tally_add_refused(struct red_device_checks *checks);

/* Prints what was covered, and what cannot run. Errors: RED_E_MEMORY. */
enum red_status red_coverage_print(const struct red_device_checks *checks, struct red_error *error);

/* Writes the counts per strategy and device, in the format and to the file of `output`. Errors:
 * RED_E_INPUT, RED_E_MEMORY. */
enum red_status red_tally_write_table(const struct red_verify *verify, struct red_error *error);

/* Prints the closing line. Errors: RED_E_WRONG, RED_E_BUILD, RED_E_CRASHED, RED_E_TIMED_OUT or RED_E_DEVICE
 * with the first of its kind; RED_E_NO_DEVICE where nothing could be checked. */
enum red_status red_tally_verdict(const struct red_verify *verify, struct red_error *error);

#endif
