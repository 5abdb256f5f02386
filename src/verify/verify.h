/* Verifying a session's strategies over the grid. */
#ifndef CLREDUCE_VERIFY_VERIFY_H
#define CLREDUCE_VERIFY_VERIFY_H

#include <stdio.h>

#include "core/output.h"
#include "run/session.h"

/* Two minutes are long enough for every strategy but contended accumulators on a GPU. */
#define RED_VERIFY_SHARE_S 120.0

/* What verify alone can be asked for. */
struct red_verify_options {
    bool first;             /* stop at the first wrong result */
    bool special, accuracy; /* show what comes of special values, or errors, instead */
    const char *show_data;  /* name of the data that is shown instead of checking; NULL: it checks */
    double soak_s;          /* verify again and again for so long; 0: once */
};

/* Checks every strategy of the session on every device, and prints to `out`: evidence of what is wrong as it
 * is found, what was covered, what cannot run and why, one closing line. Once the calls of a strategy have
 * taken share_s on a device, its slow checks are left out, unless the session's options set a time per cell,
 * or want all. With `with_table` also the counts per strategy, in the format and to the file that the
 * session's options name. Errors: RED_E_WRONG, RED_E_BUILD (with the compiler's log), RED_E_CRASHED,
 * RED_E_TIMED_OUT or RED_E_DEVICE with the first piece of evidence; RED_E_NO_DEVICE where nothing could be
 * checked; RED_E_INTERRUPTED. */
enum red_status red_verify_session(struct red_session *session, const struct red_verify_options *options,
                                   const struct red_output *output, double share_s, FILE *out,
                                   struct red_error *error);

/* Verifies the session with one seed after the other until --soak is over, three rounds at least, in the same
 * worker processes, which let go of all programs and data after each round. Prints to `out` what memory each
 * worker has then, and what it keeps per program. Errors: those of red_verify_session; RED_E_DEVICE where
 * that is more than 256 KiB from the second round on, or a worker did not last. */
enum red_status red_verify_soak(const struct red_session *session, const struct red_verify_options *options,
                                const struct red_output *output, FILE *out, struct red_error *error);

#endif
