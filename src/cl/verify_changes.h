/* A strategy over data that changes between its calls. Included by this room only. */
#ifndef CLREDUCE_CL_VERIFY_CHANGES_H
#define CLREDUCE_CL_VERIFY_CHANGES_H

#include "cl/plan.h"
#include "oracle/changes.h"

/* The first call that is wrong, or the last. */
struct red_change_seen {
    struct red_value value;
    struct red_truth truth;
    struct red_verdict verdict;
    char name[64];
};

/* Runs the program that is timed over a copy of the data, in a buffer of its own, through all steps of
 * oracle/changes.h until a call is wrong. The data must be such that red_changes_n is not 0. Errors: those of
 * red_plan_create and red_plan_run. */
enum red_status red_verify_changes(struct red_resident *resident, const struct red_truth *truth,
                                   const struct red_case *spec, unsigned prefixes_n,
                                   struct red_change_seen *seen, struct red_error *error);

#endif
