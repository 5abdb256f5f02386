/* Verifying again and again: what leaks shows. */
#ifndef CLREDUCE_BENCH_SOAK_H
#define CLREDUCE_BENCH_SOAK_H

#include <stdio.h>

#include "bench/session.h"

/* Verifies the session with one seed after the other until --soak is over, three rounds at least, in the same
 * worker processes, which let go of all programs and data after each round. Prints to `out` what memory each
 * worker has then. Errors: those of red_verify_session; RED_E_DEVICE where a worker has more than a tenth,
 * and 64 MiB, more than after the second round: the driver leaks, or this program. */
enum red_status red_soak_session(const struct red_session *session, FILE *out, struct red_error *error);

#endif
