#include "emit/blanks.h"

#include <assert.h>
#include <stdarg.h>

void red_blanks_put(struct red_blanks *blanks, const char *key, const char *value) {
    assert(blanks->n < RED_BLANKS_MAX);
    blanks->all[blanks->n++] = (struct red_blank){key, value};
}

void red_blanks_set(struct red_blanks *blanks, const char *key, const char *format, ...) {
    assert(blanks->n < RED_BLANKS_MAX);
    char *value = blanks->values[blanks->n];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(value, RED_BLANK_BYTES, format, arguments);
    va_end(arguments);
    red_blanks_put(blanks, key, value);
}

void red_blanks_set_flag(struct red_blanks *blanks, const char *key, bool holds) {
    red_blanks_set(blanks, key, "%s", holds ? "yes" : "");
}
