/* The verb `reproduce`, as cli/cmd_reproduce.c calls it: finds a check that fails and the smallest n at which
 * it still does, and has the folder written that a driver's developer can be sent (emit/reproduction.h). */
#ifndef CLREDUCE_REPRODUCE_REPRODUCE_H
#define CLREDUCE_REPRODUCE_REPRODUCE_H

#include <stdio.h>

#include "core/status.h"
#include "run/session.h"

struct red_reproduce_options {
    bool keep_n;        /* do not look for a smaller n */
    bool overwrite;     /* files that are in the folder */
    const char *folder; /* NULL: by strategy, operation and type */
};

/* Checks the session's devices, strategies, operations, types and sizes, in this order, with the data sets of
 * `verify`, until one check fails. Then looks for the smallest n at which it does, by bisection: every n that
 * is told was checked. Prints to `out` what was found and what was written. Errors: RED_E_UNDECIDED where
 * nothing fails, RED_E_NO_DEVICE, RED_E_UNSUPPORTED where nothing runs, or where the finish has no host
 * program; RED_E_INTERRUPTED; those of red_reproduction_write. */
enum red_status red_reproduce_session(struct red_session *session,
                                      const struct red_reproduce_options *options, FILE *out,
                                      struct red_error *error);

#endif
