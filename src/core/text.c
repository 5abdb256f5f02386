#define _POSIX_C_SOURCE 200809L /* isatty */
/* Replaces control characters and invalid UTF-8 before text of drivers and files reaches a terminal or a
 * file; prints progress and wrapped lines; reads "10 s" and "2 %". `text` is of any part of the program. */
#include "core/text.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/clock.h"

enum { PRINTED_BYTES = 16384 }; /* four paths */

void red_text_add(char *text, size_t text_bytes, const char *format, ...) {
    size_t used = strlen(text);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text + used, text_bytes - used, format, arguments);
    va_end(arguments);
}

/* At the end of bench, duel and their --each and --ranks, whose last line is about the first of what failed.
 */
struct red_short_text red_and_more_text(size_t n) {
    struct red_short_text made = {.text = ""};
    if (n > 0)
        red_text_add(made.text, sizeof made.text, " (and %zu more)", n);
    return made;
}

/* For the sides of compare --drivers, and the files of a report. */
struct red_short_text red_letters_text(size_t number) {
    struct red_short_text made = {.text = ""};
    if (number >= 26)
        red_text_add(made.text, sizeof made.text, "%s", red_letters_text(number / 26 - 1).text);
    red_text_add(made.text, sizeof made.text, "%c", (char)('A' + number % 26));
    return made;
}

/* `text` is a whole file: a policy, JSON, known failures, or a kernel, which is refused then. */
size_t red_text_bom_bytes(const char *text, size_t text_n) {
    return text_n >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
}

/* How many bytes of a control character begin here. */
static size_t control_bytes(const char *at) {
    const unsigned char c = (unsigned char)at[0], next = (unsigned char)(c != '\0' ? at[1] : 0);
    if (c == 0xc2 && next >= 0x80 && next <= 0x9f)
        return 2;
    return c < ' ' || c == 0x7f;
}

/* Paths of --kernel, texts of manifests and words of the command line that have one are refused or quoted. */
bool red_text_has_control(const char *text) {
    for (; *text != '\0'; text++)
        if (control_bytes(text) > 0)
            return true;
    return false;
}

/* The same, but of tabs and line feeds 0: these stay. */
static size_t replaced_bytes(const char *at) {
    return *at == '\t' || *at == '\n' ? 0 : control_bytes(at);
}

/* Messages (core/status.c), cells of tables (console/table.c) and the next function go through it. */
void red_text_replace_control(char *text) {
    for (; *text != '\0'; text++)
        memset(text, '?', replaced_bytes(text));
}

/* For lines beside tables, on either stream, which name a file, a device or a driver. */
void red_text_print(FILE *out, const char *format, ...) {
    char text[PRINTED_BYTES];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    red_text_replace_control(text);
    fputs(text, out);
}

/* `from` is a strategy's idea or a device's name, in files of emit and the C header of recommend. */
void red_text_copy_for_comment(const char *from, char *text, size_t text_bytes) {
    size_t n = 0;
    for (; from[n] != '\0' && n + 1 < text_bytes; n++) {
        const unsigned char c = (unsigned char)from[n];
        text[n] = c < ' ' || c > '~' || c == '*' || c == '\\' || c == '?' ? ' ' : from[n];
    }
    text[n] = '\0';
}

/* A byte that belongs to the character before. */
static bool is_utf8_continuation(char byte) {
    return (byte & 0xc0) == 0x80;
}

/* Bytes of the well-formed sequence that begins here, or 0 (The Unicode Standard 15.0, table 3-7: the second
 * byte excludes overlong forms, surrogates and what lies beyond U+10FFFF). */
static size_t utf8_sequence_bytes(const unsigned char *at) {
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
        if (!is_utf8_continuation((char)at[i]))
            return 0;
    return bytes;
}

/* Whether XML 1.0 has a place for a well-formed sequence (production 2, Char). */
static bool is_xml_character(const unsigned char *at, size_t bytes) {
    if (bytes == 1)
        return at[0] >= 0x20 || at[0] == '\t' || at[0] == '\n' || at[0] == '\r';
    return bytes != 3 || at[0] != 0xef || at[1] != 0xbf || at[2] < 0xbe;
}

/* The copy that red_utf8_repaired gives, or with for_xml red_utf8_for_xml. */
static char *copy_mended(const char *text, bool for_xml) {
    static const char replacement[] = "\xef\xbf\xbd";
    const unsigned char *at = (const unsigned char *)text;
    char *made = malloc(3 * strlen(text) + 1);
    size_t used = 0;
    while (made != NULL && *at != '\0') {
        size_t bytes = utf8_sequence_bytes(at);
        bool fits = bytes > 0 && (!for_xml || is_xml_character(at, bytes));
        size_t taken = fits ? bytes : 3;
        memcpy(made + used, fits ? (const char *)at : replacement, taken);
        used += taken;
        at += bytes;
        while (bytes == 0 && *at != '\0' && utf8_sequence_bytes(at) == 0)
            at++;
    }
    if (made != NULL)
        made[used] = '\0';
    return made;
}

/* For JSON (results/json.c, console/table.c), errors of workers, and reasons in a policy. */
char *red_utf8_repaired(const char *text) {
    return copy_mended(text, false);
}

/* For names and texts of --export (export/suite.c). */
char *red_utf8_for_xml(const char *text) {
    return copy_mended(text, true);
}

/* `what` is the step of bench, verify or duel that is at work. */
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

/* By this and the next columns of tables (console/table.c) and labels of charts (report/svg.c) are fitted. */
size_t red_text_width(const char *text) {
    size_t width = 0;
    for (; *text != '\0'; text++)
        width += !is_utf8_continuation(*text);
    return width;
}

size_t red_text_prefix_bytes(const char *text, size_t width) {
    size_t bytes = 0;
    while (text[bytes] != '\0' && (width > 0 || is_utf8_continuation(text[bytes])))
        width -= !is_utf8_continuation(text[bytes++]);
    return bytes;
}

/* For the next function, and for the drivers that were left out (worker/icd.c). */
void red_plain_print(FILE *out, const char *text, size_t bytes) {
    for (size_t at = 0; at < bytes && text[at] != '\0';) {
        size_t n = replaced_bytes(text + at);
        if (n == 0)
            fputc(text[at++], out);
        for (; n > 0; n--, at++)
            fputc('?', out);
    }
}

/* For notes below tables: of bench, compare, recommend and devices. */
void red_wrapped_print(FILE *out, const char *before_text, const char *text) {
    size_t indent = strlen(before_text), room = RED_SCREEN_WIDTH - indent;
    fputs(before_text, out);
    while (red_text_width(text) > room) {
        size_t most = red_text_prefix_bytes(text, room), length = most;
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

/* For commands that verify, compare and emit tell the user to run. */
void red_shell_quoted_print(FILE *out, const char *label, const char *text) {
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./-+,:@%=";
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

/* What a spreadsheet would take for a formula: a text that begins so, and is no number. */
static bool is_formula(const char *text) {
    char *end;
    (void)strtod(text, &end);
    return text[0] != '\0' && text[1] != '\0' && strchr("=+-@\t\r", text[0]) != NULL && *end != '\0';
}

/* For bench --format csv and tables of --format csv. */
void red_csv_value_print(FILE *out, const char *text) {
    if (strpbrk(text, ",\"\r\n") == NULL && !is_formula(text)) {
        fputs(text, out);
        return;
    }
    fputs(is_formula(text) ? "\"'" : "\"", out);
    for (const char *at = text; *at != '\0'; at++)
        fputs(*at == '"' ? "\"\"" : (char[2]){*at, '\0'}, out);
    fputc('"', out);
}

/* What follows the number and blanks, or NULL where no number begins: strtod would take "nan", "inf" and
 * signs. */
static const char *read_unsigned_number(const char *text, double *number) {
    char *end;
    if (!isdigit((unsigned char)text[0]) && text[0] != '.')
        return NULL;
    *number = strtod(text, &end);
    return end + strspn(end, " \t");
}

/* `text` is of --time and other options (cli/option_table.c), or `budget` of a policy. */
bool red_seconds_read(const char *text, double max_s, double *seconds) {
    const char *unit = read_unsigned_number(text, seconds);
    if (unit == NULL)
        return false;
    if (strcmp(unit, "ms") == 0)
        *seconds *= 1e-3;
    else if (unit[0] != '\0' && strcmp(unit, "s") != 0)
        return false;
    return *seconds >= 1e-4 && *seconds <= max_s;
}

/* `text` is `margin` of a policy. */
bool red_percent_read(const char *text, double *percent) {
    const char *unit = read_unsigned_number(text, percent);
    return unit != NULL && strcmp(unit, "%") == 0;
}
