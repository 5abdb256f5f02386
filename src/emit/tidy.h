/* What a preprocessor leaves, made readable. */
#ifndef CLREDUCE_EMIT_TIDY_H
#define CLREDUCE_EMIT_TIDY_H

#include <stdbool.h>
#include <stddef.h>

/* One definition, comment or directive at the top level of a program text. */
struct red_part {
    const char *at;
    size_t n;
    char name[64]; /* of a function or type; "" for others */
    bool is_comment, is_kernel, is_used;
};

enum { RED_PARTS_MAX = 256 };

/* Splits the text, which stays as it is; what has no room is dropped. Returns their number. */
size_t red_parts_split(const char *text, struct red_part *parts);

/* Marks kernels, all that they call, directly or not, directives, and the comment before each of them. */
void red_parts_use(struct red_part *parts, size_t n);

/* Whether names and numbers are made of it: a letter, a digit, or '_'. */
bool red_is_word_char(char c);

/* Whether the word stands in the text as a word of its own. */
bool red_has_word(const char *text, size_t n, const char *word);

/* Bytes of the comment that begins here; 0 if none does. */
size_t red_comment_bytes(const char *at);

/* Rewrites the text in place, which only gets shorter: no blanks where nobody writes them, and no parentheses
 * around a single name or number, or around what has some already. */
void red_tidy_blanks(char *text);
void red_tidy_parentheses(char *text);

#endif
