/* The data of one check, element by element, with what the program takes for its answer. */
#ifndef CLREDUCE_VERIFY_SHOW_DATA_H
#define CLREDUCE_VERIFY_SHOW_DATA_H

#include "core/output.h"
#include "core/status.h"
#include "run/session.h"

/* Writes the data set of that name (--show-data), of the session's one operation, type and n, to --output:
 * its elements, the exact answer, the answer rounded to the type of the result, and the largest error that
 * passes for the session's first strategy on its first device. Nothing is rounded: floats are hexadecimal.
 * Errors: RED_E_INPUT where more than one cell is chosen, or the operation has no such data; those of making
 * data and of writing. */
enum red_status red_show_data(const struct red_session *session, const char *name,
                              const struct red_output *output, struct red_error *error);

#endif
