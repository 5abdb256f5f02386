#include "model/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void red_text_add(char *text, size_t text_bytes, const char *format, ...) {
    size_t used = strlen(text);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text + used, text_bytes - used, format, arguments);
    va_end(arguments);
}
