/* Texts that are put together from parts. */
#ifndef CLREDUCE_CORE_TEXT_H
#define CLREDUCE_CORE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Appends to a text of at most text_bytes, its end included; what does not fit is cut. */
__attribute__((format(printf, 3, 4))) void red_text_add(char *text, size_t text_bytes, const char *format,
                                                        ...);

/* How many bytes of a byte order mark of UTF-8 the text begins with: 3 or 0. */
size_t red_text_mark(const char *text, size_t text_n);

/* Whether the text has control characters, of which a terminal could do anything: those of ASCII, and of
 * UTF-8 those from U+0080 to U+009F. */
bool red_text_has_control(const char *text);

/* Puts a ? in the place of each byte of a control character but tab and line feed. */
void red_text_plain(char *text);

/* Prints a text with such a ? in it, whatever paths and names it has: a terminal does what control characters
 * say. What is longer than some paths are together is cut. */
__attribute__((format(printf, 2, 3))) void red_text_print(FILE *out, const char *format, ...);

/* Copies what may stand within a comment of C, on one line, without ending it: letters of ASCII but *, ? and
 * \, for which blanks stand. What does not fit is cut. */
void red_text_comment(const char *from, char *text, size_t text_bytes);

/* Text that any reader of JSON takes, or of XML. */

/* A copy in which every run of bytes that is no UTF-8 (a sequence that was cut, another encoding) is one
 * U+FFFD. Release with free; NULL if there is no memory. */
char *red_utf8_repaired(const char *text);

/* The same, and each character that XML has no place for (XML 1.0, "Char": control characters other than tab,
 * line feed and carriage return, U+FFFE and U+FFFF) is U+FFFD, too. */
char *red_utf8_cleaned(const char *text);

#endif
