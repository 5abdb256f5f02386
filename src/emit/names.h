/* What the functions and types of program texts for people are called. */
#ifndef CLREDUCE_EMIT_NAMES_H
#define CLREDUCE_EMIT_NAMES_H

#include "core/status.h"

/* Adds to one program text what another one has: what both have word for word stands there once, and what
 * else the second one defines gets a name that ends in `suffix`, below a line that says what it is. `text` is
 * replaced. Errors: RED_E_MEMORY. */
enum red_status red_emit_join(char **text, const char *second, const char *suffix, const char *title,
                              struct red_error *error);

/* Takes the prefix of this project's names from them, where the text has no such name yet. `text` is
 * replaced. Errors: RED_E_MEMORY. */
enum red_status red_emit_shorten(char **text, struct red_error *error);

#endif
