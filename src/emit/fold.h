/* What written files know of values: their types, how the host brings partial results together, and what a
 * test expects of them. */
#ifndef CLREDUCE_EMIT_FOLD_H
#define CLREDUCE_EMIT_FOLD_H

#include "emit/blanks.h"
#include "emit/emit.h"

/* The emission has a name. */
void red_emit_set_fold(struct red_blanks *blanks, const struct red_emission *emission);

/* The C type of an element; a half is its bits. */
const char *red_emit_c_type(const struct red_dtype *dtype);

#endif
