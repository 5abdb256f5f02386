/* Words for people: progress, wrapped text. */
#ifndef CLREDUCE_CORE_WORDS_H
#define CLREDUCE_CORE_WORDS_H

#include <stddef.h>
#include <stdio.h>

enum { RED_SCREEN_WIDTH = 100 };

/* Shows where a long run stands: on a terminal one line that is written over, elsewhere nothing. `done` in 0
 * ... 1; the estimate comes from the time since `start_s`. */
void red_progress(const char *what, double done, double start_s);
void red_progress_end(void);

/* Characters of UTF-8 text, and the bytes of its first `width` characters. */
size_t red_text_width(const char *text);
size_t red_text_bytes(const char *text, size_t width);

/* Writes the first `bytes` of the text, with a ? for each byte of a control character: what comes from a file
 * or a driver moves no cursor. */
void red_plain_print(FILE *out, const char *text, size_t bytes);

/* A line: the label, and the name of a file, or what else comes from outside, as red_plain_print has it. */
void red_named_print(FILE *out, const char *label, const char *name);

/* Prints text, broken at blanks so that no line exceeds the screen's width; the first line follows `first`,
 * the others are indented by as much. */
void red_wrapped_print(FILE *out, const char *first, const char *text);

/* Writes the label and the text, in quotes for a shell where it needs them. */
void red_quoted_print(FILE *out, const char *label, const char *text);

#endif
