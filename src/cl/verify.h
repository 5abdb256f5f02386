/* Checks a strategy on a data set against the truth: `verify`, and `bench` before it times a case. */
#ifndef CLREDUCE_CL_VERIFY_H
#define CLREDUCE_CL_VERIFY_H

#include "cl/plan.h"
#include "model/case.h"
#include "oracle/change.h"
#include "oracle/truth.h"

/* Checks one strategy on one resident data set, of which it reduces all.
 * Run 1 uses the checking variant (local memory is poisoned) with poisoned output buffers
 * (red_op_poison_accumulator). Run 2 uses the very program that is timed with other poison, and calls its
 * plan twice, as timing does. All three results must pass red_truth_check; in the exact tier their bits are
 * thereby the same. After each call the canaries behind the output buffers and the counter must hold, the
 * counter must be zero again, and the input must be unchanged, poison behind its end included; an input that
 * was changed is restored. Where the data can change (red_changes_n), run 3 is of the timed program over a
 * copy in another buffer, through all steps of oracle/change.h. Beyond RED_VERIFY_LONG_N there is no run 1;
 * with `timed_only` there is none at all, at half the compiling, and beyond that n run 2 is one call.
 * A wrong result is no error: *verification tells. Errors: those of red_plan_create and red_plan_run. */
enum red_status red_verify(struct red_resident *resident, const struct red_truth *truth,
                           const struct red_case *spec, bool timed_only,
                           struct red_verification *verification, struct red_error *error);

/* The same for a segmented strategy: all answers of each call must pass red_segments_check. Its
 * verification's value and absolute are those of the first segment. With `timed_only` there is no run 1. */
enum red_status red_verify_segments(struct red_resident *resident, const struct red_segments *segments,
                                    const struct red_case *spec, bool timed_only,
                                    struct red_verification *verification, struct red_error *error);

/* ---- data that changes between calls ------------------------------------------------------------------- */

/* The first call that is wrong, or the last. */
struct red_change_seen {
    struct red_value value;
    struct red_truth truth;
    struct red_verdict verdict;
    char name[64];
};

/* Runs the program that is timed over a copy of the data, in a buffer of its own, through all steps of
 * oracle/change.h until a call is wrong. The data must be such that red_changes_n is not 0. Errors: those of
 * red_plan_create and red_plan_run. */
enum red_status red_verify_changes(struct red_resident *resident, const struct red_truth *truth,
                                   const struct red_case *spec, unsigned prefixes_n,
                                   struct red_change_seen *seen, struct red_error *error);

#endif
