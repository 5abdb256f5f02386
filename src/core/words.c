#define _POSIX_C_SOURCE 200809L /* isatty */
#include "core/words.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include "core/clock.h"
#include "core/text.h"

void red_progress(const char *what, double done, double start_s) {
    if (!isatty(STDERR_FILENO))
        return;
    double spent_s = red_clock_s() - start_s;
    char left[32] = "";
    if (done > 0.02 && spent_s > 1)
        snprintf(left, sizeof left, ", about %.0f s left", ceil(spent_s / done * (1 - done)));
    fprintf(stderr, "\r%-60.60s %3.0f %%%-24s", what, 100 * done, left);
}

void red_progress_end(void) {
    if (isatty(STDERR_FILENO))
        fprintf(stderr, "\r%90s\r", "");
}

size_t red_text_width(const char *text) {
    size_t width = 0;
    for (; *text != '\0'; text++)
        width += (*text & 0xc0) != 0x80; /* a continuation byte belongs to the character before */
    return width;
}

size_t red_text_bytes(const char *text, size_t width) {
    size_t bytes = 0;
    while (text[bytes] != '\0' && (width > 0 || (text[bytes] & 0xc0) == 0x80)) {
        width -= (text[bytes] & 0xc0) != 0x80;
        bytes++;
    }
    return bytes;
}

void red_plain_print(FILE *out, const char *text, size_t bytes) {
    char piece[512];
    for (size_t at = 0; at < bytes; at += strlen(piece)) {
        snprintf(piece, sizeof piece, "%.*s", (int)(bytes - at), text + at);
        size_t length = strlen(piece);
        if (length == 0)
            return;
        if (length + 1 == sizeof piece && piece[length - 1] == '\xc2') /* the rest tells what it is */
            piece[length - 1] = '\0';
        red_text_plain(piece);
        fputs(piece, out);
    }
}

void red_named_print(FILE *out, const char *label, const char *name) {
    fputs(label, out);
    red_plain_print(out, name, strlen(name));
    fputc('\n', out);
}

void red_wrapped_print(FILE *out, const char *first, const char *text) {
    size_t indent = strlen(first), room = RED_SCREEN_WIDTH - indent;
    fputs(first, out);
    while (red_text_width(text) > room) {
        size_t most = red_text_bytes(text, room), length = most;
        while (length > most / 2 && text[length] != ' ')
            length--;
        length = length > most / 2 ? length : most;
        red_plain_print(out, text, length);
        fprintf(out, "\n%*s", (int)indent, "");
        text += length + strspn(text + length, " ");
    }
    red_plain_print(out, text, strlen(text));
    fputc('\n', out);
}

void red_quoted_print(FILE *out, const char *label, const char *text) {
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./-+,:@%";
    fputs(label, out);
    if (text[0] != '\0' && text[strspn(text, plain)] == '\0') {
        fputs(text, out);
        return;
    }
    /* bash takes $'\033'; a terminal must not take the character itself. */
    const bool has_control = red_text_has_control(text);
    fputs(has_control ? "$'" : "'", out);
    for (const char *at = text; *at != '\0'; at++) {
        if (has_control && (strchr("'\\", *at) != NULL || *at < ' ' || *at > '~'))
            fprintf(out, "\\%03o", (unsigned)(unsigned char)*at);
        else
            fputs(*at == '\'' ? "'\\''" : (char[2]){*at, '\0'}, out);
    }
    fputc('\'', out);
}
