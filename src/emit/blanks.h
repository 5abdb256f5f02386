/* What the blanks of templates are filled in with. */
#ifndef CLREDUCE_EMIT_BLANKS_H
#define CLREDUCE_EMIT_BLANKS_H

#include <stdbool.h>

#include "emit/template.h"

enum { RED_BLANKS_MAX = 96, RED_BLANK_BYTES = 512 };

struct red_blanks {
    struct red_blank all[RED_BLANKS_MAX];
    char values[RED_BLANKS_MAX][RED_BLANK_BYTES];
    size_t n;
};

/* A value that is as long as it likes; it stays the caller's. */
void red_blanks_put(struct red_blanks *blanks, const char *key, const char *value);

/* A value of one line. */
__attribute__((format(printf, 3, 4))) void red_blanks_set(struct red_blanks *blanks, const char *key,
                                                          const char *format, ...);

/* A condition. */
void red_blanks_set_flag(struct red_blanks *blanks, const char *key, bool holds);

#endif
