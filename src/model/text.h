/* Texts that are put together from parts. */
#ifndef CLREDUCE_MODEL_TEXT_H
#define CLREDUCE_MODEL_TEXT_H

#include <stddef.h>

/* Appends to a text of at most text_bytes, its end included; what does not fit is cut. */
__attribute__((format(printf, 3, 4))) void red_text_add(char *text, size_t text_bytes, const char *format,
                                                        ...);

/* Copies what may stand within a comment of C, on one line, without ending it: letters of ASCII but *, ? and
 * \, for which blanks stand. What does not fit is cut. */
void red_text_comment(const char *from, char *text, size_t text_bytes);

#endif
