#include "core/utf8.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

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
