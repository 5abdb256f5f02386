/* A strategy's program text for people: macros resolved for one type and operation, and nothing in it that is
 * not used. */
#ifndef CLREDUCE_EMIT_EXPAND_H
#define CLREDUCE_EMIT_EXPAND_H

#include "model/source.h"

/* Resolves the macros (mcpp, a preprocessor, does), drops what the kernel does not call, and makes of the
 * rest what a person would have written: blanks, parentheses and lines. `text` is the caller's to free.
 * Errors: those of red_source_text; RED_E_INPUT if the text cannot be resolved; RED_E_MEMORY. */
enum red_status red_emit_expand(const struct red_variant *variant, char **text, struct red_error *error);

#endif
