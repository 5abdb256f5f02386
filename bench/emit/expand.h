/* A strategy's program text for people: macros resolved for one type and operation, and nothing in it that is
 * not used. */
#ifndef CLREDUCE_BENCH_EMIT_EXPAND_H
#define CLREDUCE_BENCH_EMIT_EXPAND_H

#include "model/source.h"

/* Resolves the macros (mcpp, a preprocessor, does), drops what the kernel does not call, and makes of the
 * rest what a person would have written: blanks, parentheses and lines. `text` is the caller's to free.
 * Errors: those of red_source_text; RED_E_INPUT if the text cannot be resolved; RED_E_MEMORY. */
enum red_status red_emit_expand(const struct red_variant *variant, char **text, struct red_error *error);

/* Adds to one program text what another one has: what both have word for word stands there once, and what
 * else the second one defines gets a name that ends in `suffix`, below a line that says what it is. `text` is
 * replaced. Errors: RED_E_MEMORY.
 */
enum red_status red_emit_join(char **text, const char *second, const char *suffix, const char *title,
                              struct red_error *error);

/* Takes the prefix of this project's names from them, where the text has no such name yet. `text` is
 * replaced. Errors: RED_E_MEMORY. */
enum red_status red_emit_shorten(char **text, struct red_error *error);

#endif
