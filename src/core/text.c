#include "core/text.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
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

static bool is_tail(unsigned char byte) {
    return (byte & 0xc0) == 0x80;
}

/* Bytes of the well-formed sequence that begins here, or 0 (The Unicode Standard 15.0, table 3-7: the second
 * byte excludes overlong forms, surrogates and what lies beyond U+10FFFF). */
static size_t sequence_bytes(const unsigned char *at) {
    if (at[0] < 0x80)
        return 1;
    if (at[0] < 0xc2 || at[0] > 0xf4)
        return 0;
    unsigned char low = at[0] == 0xe0 ? 0xa0 : at[0] == 0xf0 ? 0x90 : 0x80;
    unsigned char high = at[0] == 0xed ? 0x9f : at[0] == 0xf4 ? 0x8f : 0xbf;
    size_t bytes = at[0] < 0xe0 ? 2 : at[0] < 0xf0 ? 3 : 4;
    if (at[1] < low || at[1] > high)
        return 0;
    for (size_t i = 2; i < bytes; i++)
        if (!is_tail(at[i]))
            return 0;
    return bytes;
}

/* Whether XML 1.0 has a place for a well-formed sequence (production 2, Char). */
static bool is_in_xml(const unsigned char *at, size_t bytes) {
    if (bytes == 1)
        return at[0] >= 0x20 || at[0] == '\t' || at[0] == '\n' || at[0] == '\r';
    return bytes != 3 || at[0] != 0xef || at[1] != 0xbf || at[2] < 0xbe;
}

static char *mended(const char *text, bool for_xml) {
    static const char replacement[] = "\xef\xbf\xbd";
    const unsigned char *at = (const unsigned char *)text;
    char *made = malloc(3 * strlen(text) + 1);
    size_t used = 0;
    while (made != NULL && *at != '\0') {
        size_t bytes = sequence_bytes(at);
        bool fits = bytes > 0 && (!for_xml || is_in_xml(at, bytes));
        size_t taken = fits ? bytes : 3;
        memcpy(made + used, fits ? (const char *)at : replacement, taken);
        used += taken;
        at += bytes;
        while (bytes == 0 && *at != '\0' && sequence_bytes(at) == 0)
            at++;
    }
    if (made != NULL)
        made[used] = '\0';
    return made;
}

char *red_utf8_repaired(const char *text) {
    return mended(text, false);
}

char *red_utf8_cleaned(const char *text) {
    return mended(text, true);
}
