/* Text for terminals, JSON and XML, the progress line, and quantities with units. */
#ifndef CLREDUCE_CORE_TEXT_H
#define CLREDUCE_CORE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* A short text that a function gives by value: red_size_text(n).text is an argument of printf. */
struct red_short_text {
    char text[128];
};

/* " (and 3 more)", behind the first of several that is told; "" for 0. */
struct red_short_text red_and_more_text(size_t n);

/* "A", ..., "Z", "AA": the letter of the side or file with that number, from 0 on, in tables. */
struct red_short_text red_letters_text(size_t number);

/* Appends to a text of at most text_bytes, its end included; what does not fit is cut. */
__attribute__((format(printf, 3, 4))) void red_text_add(char *text, size_t text_bytes, const char *format,
                                                        ...);

/* How many bytes of a byte order mark of UTF-8 the text begins with: 3 or 0. Readers of policies, JSON and
 * known failures skip them; a kernel file that has one is refused. */
size_t red_text_bom_bytes(const char *text, size_t text_n);

/* Whether the text has control characters, of which a terminal could do anything: those of ASCII, and of
 * UTF-8 those from U+0080 to U+009F. */
bool red_text_has_control(const char *text);

/* Puts a ? in the place of each byte of a control character but tab and line feed. */
void red_text_replace_control(char *text);

/* Prints a text with such a ? in it, whatever paths and names it has: a terminal does what control characters
 * say. What is longer than some paths are together is cut. */
__attribute__((format(printf, 2, 3))) void red_text_print(FILE *out, const char *format, ...);

/* Copies what may stand within a comment of C, on one line, without ending it: letters of ASCII but *, ? and
 * \, for which blanks stand. What does not fit is cut. For what kernels and devices say of themselves, in
 * files that emit and recommend write. */
void red_text_copy_for_comment(const char *from, char *text, size_t text_bytes);

/* ---- UTF-8 for JSON and XML ---------------------------------------------------------------------------- */

/* A copy in which every run of bytes that is no UTF-8 (a sequence that was cut, another encoding) is one
 * U+FFFD. Release with free; NULL if there is no memory. */
char *red_utf8_repaired(const char *text);

/* The same, and each character that XML has no place for (XML 1.0, "Char": control characters other than tab,
 * line feed and carriage return, U+FFFE and U+FFFF) is U+FFFD, too. */
char *red_utf8_for_xml(const char *text);

/* ---- lines on the screen ------------------------------------------------------------------------------- */

enum { RED_SCREEN_WIDTH = 100 };

/* Shows where a long run stands: on a terminal one line that is written over, elsewhere nothing. `done` in 0
 * ... 1; the estimate comes from the time since `start_s`. */
void red_progress(const char *what, double done, double start_s);

/* Clears that line. */
void red_progress_end(void);

/* How many characters UTF-8 text has, and how many bytes its first `width` characters take, or all of them.
 */
size_t red_text_width(const char *text);
size_t red_text_prefix_bytes(const char *text, size_t width);

/* Writes the first `bytes` of the text, with a ? for each byte of a control character: what comes from a file
 * or a driver moves no cursor. */
void red_plain_print(FILE *out, const char *text, size_t bytes);

/* Prints text with ? as red_plain_print and a line feed at its end, broken at blanks so that no line exceeds
 * the screen's width; `before_text` begins the first line, the others are indented by as much. */
void red_wrapped_print(FILE *out, const char *before_text, const char *text);

/* Writes the label as it is, and the text as a word of a shell's command, as in one that the user
 * is told to run: in quotes where it needs them. */
void red_shell_quoted_print(FILE *out, const char *label, const char *text);

/* Writes a field of CSV: in quotes where it needs them (RFC 4180, section 2, 5 to 7), and with an apostrophe
 * where a spreadsheet would take it for a formula. */
void red_csv_value_print(FILE *out, const char *text);

/* ---- quantities ------------------------------------------------------------------------------------------
 * Numbers with a unit, of options and policies. */

/* Reads seconds from 0.0001 to max_s: "10", "10s", "10 s" or "500ms". False for anything else. */
bool red_seconds_read(const char *text, double max_s, double *seconds);

/* Reads a percentage, "2 %" or "2.5%", as 2 or 2.5, of any size. False for anything else: what has no sign
 * might be meant as a fraction. */
bool red_percent_read(const char *text, double *percent);

#endif
