/* Which tests of progress between groups end on a device. */
#ifndef CLREDUCE_LITMUS_PROGRESS_H
#define CLREDUCE_LITMUS_PROGRESS_H

#include <stdbool.h>
#include <stdio.h>

#include "core/status.h"
#include "worker/client.h"

/* Runs the tests of model/progress.h on each device, by ids and by tickets, each in a worker that is killed
 * if it has not ended after 2 s, and prints a table, and whose schedulers' promises are kept. A device that
 * drives a display, or of which that is not known, is left out with a line that says so, unless forced.
 * Errors: those of building a test, of the first device that fails, after the others; RED_E_INTERRUPTED. */
enum red_status red_litmus_progress_run(struct red_client *const *devices, size_t devices_n, bool is_forced,
                                        FILE *out, struct red_error *error);

#endif
