/* Verifying again and again: what leaks shows. */
#ifndef CLREDUCE_VERIFY_SOAK_H
#define CLREDUCE_VERIFY_SOAK_H

#include <stdio.h>

#include "run/session.h"

/* Verifies the session with one seed after the other until --soak is over, three rounds at least, in the same
 * worker processes, which let go of all programs and data after each round. Prints to `out` what memory each
 * worker has then, and what it keeps per program. Errors: those of red_verify_session; RED_E_DEVICE where
 * that is more than 256 KiB from the second round on, or a worker did not last. */
enum red_status red_soak_session(const struct red_session *session, FILE *out, struct red_error *error);

#endif
