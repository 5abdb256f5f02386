/* What `verify` leaves out of a strategy's checks, since nobody promises it: kinds of special values. */
#ifndef CLREDUCE_VERIFY_PROMISES_H
#define CLREDUCE_VERIFY_PROMISES_H

#include <stdio.h>

#include "run/session.h"

/* Writes "nan, denormal": the kinds that the strategy does not promise on the session's device d for some of
 * the chosen types and operations. Empty where it promises all. */
void red_promises_print_lacking(const struct red_session *session, size_t d,
                                const struct red_strategy *strategy, char *text, size_t text_bytes);

/* Writes for people what is not promised, why, of which operations and by which of the strategies; `runs`
 * says which of them the device runs. Nothing where all is. */
void red_promises_tell_lacking(const struct red_session *session, size_t d, const bool *runs, FILE *out);

#endif
