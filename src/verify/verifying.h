/* Verifying a session's strategies over the grid. */
#ifndef CLREDUCE_VERIFY_VERIFYING_H
#define CLREDUCE_VERIFY_VERIFYING_H

#include <stdio.h>

#include "run/session.h"

/* Two minutes are long enough for every strategy but contended accumulators on a GPU. */
#define RED_VERIFY_SHARE_S 120.0

/* Checks every strategy of the session on every device, and prints to `out`: evidence of what is wrong as it
 * is found, what was covered, what cannot run and why, one closing line. Once the calls of a strategy have
 * taken share_s on a device, its slow checks are left out, unless the session's options set a time per cell,
 * or want all. With `with_table` also the counts per strategy, in the format and to the file that the
 * session's options name. Errors: RED_E_WRONG, RED_E_BUILD (with the compiler's log), RED_E_CRASHED,
 * RED_E_TIMED_OUT or RED_E_DEVICE with the first piece of evidence; RED_E_NO_DEVICE where nothing could be
 * checked; RED_E_INTERRUPTED. */
enum red_status red_verify_session(struct red_session *session, double share_s, FILE *out, bool with_table,
                                   struct red_error *error);

#endif
