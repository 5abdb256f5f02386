/* The verb `reproduce`, as cli/cmd_reproduce.c calls it: finds a check that fails and the smallest n at which
 * it still does, and has the folder written that a driver's developer can be sent (emit/reproduction.h). */
#ifndef CLREDUCE_REPRODUCE_REPRODUCE_H
#define CLREDUCE_REPRODUCE_REPRODUCE_H

#include <stdio.h>

#include "core/status.h"
#include "results/verify_file.h"
#include "run/session.h"

struct red_reproduce_options {
    bool keep_n;        /* do not look for a smaller n */
    bool overwrite;     /* files that are in the folder */
    const char *folder; /* NULL: by strategy, operation and type */
};

/* The check of a file of verify that is to be reproduced, and the id of its device: of those that the
 * selection names the worst, known bugs among them, and of several the first. NULL where there is none; then
 * *device stays as it was. */
const struct red_verify_check *red_reproduce_choose_check(const struct red_verify_file *file,
                                                          const struct red_selection *selection,
                                                          const char **device);

/* Makes the check again; the session is of its device, operation and type alone, and has its strategy. Then
 * looks for the smallest n at which it fails, by bisection: every n that is told was checked. Prints to `out`
 * what was found and what was written. Errors: RED_E_UNDECIDED where it does not fail, RED_E_UNSUPPORTED
 * where it cannot run, or where the finish has no host program; RED_E_INTERRUPTED; those of
 * red_reproduction_write. */
enum red_status red_reproduce_session(struct red_session *session, const struct red_verify_check *check,
                                      const struct red_reproduce_options *options, FILE *out,
                                      struct red_error *error);

#endif
