#define _GNU_SOURCE /* strcasestr */
#include "cl/log.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* Colours, bells and cursor movements are for a terminal that the compiler knew. Bytes from 0x80 on may be
 * UTF-8. */
static void tame(char *text) {
    for (; *text != '\0'; text++)
        if ((iscntrl((unsigned char)*text) && *text != '\n' && *text != '\t') || *text == '\x7f')
            *text = ' ';
}

static void excerpt(const char *log, char *text, size_t text_bytes) {
    size_t length = strlen(log);
    while (length > 0 && strchr(" \t\r\n", log[length - 1]) != NULL)
        length--;
    if (length < text_bytes) {
        snprintf(text, text_bytes, "%.*s", (int)length, log);
        return;
    }
    const char *error = strcasestr(log, "error"), *begin = log;
    while (error != NULL && error > log && error[-1] != '\n')
        error--;
    if (error != NULL && error < log + length)
        begin = error;
    length -= (size_t)(begin - log);
    int used = snprintf(text, text_bytes, "%s%.*s", begin > log ? "...\n" : "", (int)length, begin);
    if ((size_t)used >= text_bytes && text_bytes > 3)
        memcpy(text + text_bytes - 4, "...", 4);
}

void red_log_excerpt(const char *log, char *text, size_t text_bytes) {
    excerpt(log, text, text_bytes);
    tame(text);
}
