/* Files with blanks to be filled in. */
#ifndef CLREDUCE_EMIT_TEMPLATE_H
#define CLREDUCE_EMIT_TEMPLATE_H

#include <stdio.h>

#include "core/status.h"

/* A value by its key. A key that is not there, and one of an empty value, is false. */
struct red_blank {
    const char *key, *value;
};

/* Writes the template: @KEY@ becomes its value; what stands between a line "@if KEY" and "@else" or "@end"
 * stays if the key is true, what stands behind "@else" if it is not. They may stand in each other. Errors:
 * RED_E_INPUT for a key between @ signs that is not there, which is a mistake in the template. */
enum red_status red_template_write(const char *template, const struct red_blank *blanks, size_t blanks_n,
                                   FILE *out, struct red_error *error);

/* The templates, embedded when the program is built. */
extern const char red_emit_header[], red_emit_source[], red_emit_test[], red_emit_cmake[];

#endif
