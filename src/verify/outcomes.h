/* What `verify` has found out so far, in a journal beside its --output, so that --resume does not ask again.
 */
#ifndef CLREDUCE_VERIFY_OUTCOMES_H
#define CLREDUCE_VERIFY_OUTCOMES_H

#include "core/output.h"
#include "results/run.h"
#include "verify/test_plan.h"

/* Which check: a row of a chapter (verify/test_plan.h) of the session's device. */
struct red_check_place {
    size_t device, chapter, row;
    const struct red_check *check; /* what stands there: another one's outcome is not taken for its own */
};

/* What came of it. */
struct red_outcome {
    enum red_state state;                              /* whatever the register of known bugs says */
    double call_s;                                     /* of the kernel; 0 if there was no answer */
    double check_s;                                    /* of the whole check */
    char text[sizeof((struct red_error *)NULL)->text]; /* why it is not right */
};

struct red_outcomes;

/* Opens the journal of the output, with --resume one that is there. NULL in *outcomes, and no
 * error, without --output, or where that is no file, so that there is none. Release with _close. Errors:
 * those of red_journal_open.
 */
enum red_status red_outcomes_open(const struct red_session *session, const struct red_output *output,
                                  struct red_outcomes **outcomes, struct red_error *error);

/* Deletes the journal unless it is to be kept. Whether it is there to be gone on with. */
bool red_outcomes_close(struct red_outcomes *outcomes, bool keep);

/* How many checks of the device an earlier run has made; 0 without a journal (NULL). */
size_t red_outcomes_n(const struct red_outcomes *outcomes, size_t device);

/* What an earlier run has found; false if it has not come so far, or there is no journal (NULL). */
bool red_outcomes_find(const struct red_outcomes *outcomes, const struct red_check_place *place,
                       struct red_outcome *outcome);

/* Writes down what was found. Does nothing without a journal (NULL). */
void red_outcomes_add(struct red_outcomes *outcomes, const struct red_check_place *place,
                      const struct red_outcome *outcome);

#endif
