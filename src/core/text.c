#include "core/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { PRINTED_BYTES = 16384 }; /* four paths */

void red_text_add(char *text, size_t text_bytes, const char *format, ...) {
    size_t used = strlen(text);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text + used, text_bytes - used, format, arguments);
    va_end(arguments);
}

size_t red_text_mark(const char *text, size_t text_n) {
    return text_n >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
}

/* How many bytes of a control character begin here. */
static size_t control_bytes(const char *at) {
    const unsigned char c = (unsigned char)at[0], next = (unsigned char)(c != '\0' ? at[1] : 0);
    if (c == 0xc2 && next >= 0x80 && next <= 0x9f)
        return 2;
    return c < ' ' || c == 0x7f;
}

bool red_text_has_control(const char *text) {
    for (; *text != '\0'; text++)
        if (control_bytes(text) > 0)
            return true;
    return false;
}

void red_text_plain(char *text) {
    for (; *text != '\0'; text++) {
        size_t n = *text == '\t' || *text == '\n' ? 0 : control_bytes(text);
        if (n > 0)
            memset(text, '?', n);
    }
}

void red_text_print(FILE *out, const char *format, ...) {
    char text[PRINTED_BYTES];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    red_text_plain(text);
    fputs(text, out);
}

void red_text_comment(const char *from, char *text, size_t text_bytes) {
    size_t n = 0;
    for (; from[n] != '\0' && n + 1 < text_bytes; n++) {
        const unsigned char c = (unsigned char)from[n];
        text[n] = c < ' ' || c > '~' || c == '*' || c == '\\' || c == '?' ? ' ' : from[n];
    }
    text[n] = '\0';
}
