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

void red_text_comment(const char *from, char *text, size_t text_bytes) {
    size_t n = 0;
    for (; from[n] != '\0' && n + 1 < text_bytes; n++) {
        const unsigned char c = (unsigned char)from[n];
        text[n] = c < ' ' || c > '~' || c == '*' || c == '\\' || c == '?' ? ' ' : from[n];
    }
    text[n] = '\0';
}
