/* Splits a program text into parts: comments, macros, functions, types. compose.c and names.c go through
 * these. */
#include "emit/emit_private.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

bool red_is_word_char(char c) {
    return isalnum((unsigned char)c) || c == '_';
}

size_t red_word_bytes(const char *at) {
    size_t n = 0;
    while (red_is_word_char(at[n]))
        n++;
    return n;
}

/* Whether the text, which stops at `end`, ends with this suffix. */
static bool ends_with(const char *text, const char *end, const char *suffix) {
    const size_t n = strlen(suffix);
    return (size_t)(end - text) >= n && strncmp(end - n, suffix, n) == 0;
}

const char *red_find_closing(const char *open) {
    static const char opens[] = "([{", closes[] = ")]}";
    const char close = closes[strchr(opens, *open) - opens];
    int depth = 0;
    for (const char *c = open; *c != '\0'; c++) {
        depth += (*c == *open) - (*c == close);
        if (depth == 0)
            return c;
    }
    return NULL;
}

/* ---- parts --------------------------------------------------------------------------------------------- */

size_t red_comment_bytes(const char *at) {
    if (at[0] == '/' && at[1] == '*') {
        const char *end = strstr(at + 2, "*/");
        return end ? (size_t)(end + 2 - at) : strlen(at);
    }
    return at[0] == '/' && at[1] == '/' ? strcspn(at, "\n") : 0;
}

size_t red_line_bytes(const char *at) {
    size_t n = 0;
    for (size_t comment; at[n] != '\0' && (at[n] != '\n' || (n > 0 && at[n - 1] == '\\'));
         n += comment > 0 ? comment : 1)
        comment = red_comment_bytes(at + n);
    return n;
}

/* Bytes of the definition that begins here, which ends with its last brace, or a semicolon outside of all;
 * of a macro's call that stands alone on its line, those of the call. */
static size_t definition_bytes(const char *at) {
    const char *c = at + red_word_bytes(at);
    int depth = 0;
    const char *const close = *c == '(' && c > at ? red_find_closing(c) : NULL;
    if (close != NULL && (close[1] == '\n' || close[1] == '\0'))
        return (size_t)(close + 1 - at);
    for (c = at; *c != '\0'; c++) {
        size_t comment = red_comment_bytes(c);
        c += comment;
        if (*c == '\0')
            break;
        depth += (*c == '{') - (*c == '}');
        bool closes = *c == '}' && depth == 0;
        const char *next = c + 1 + strspn(c + 1, " ");
        if ((closes && (*next == '\n' || *next == '\0' || red_comment_bytes(next) > 0)) ||
            (*c == ';' && depth == 0))
            return (size_t)(c + 1 - at);
    }
    return (size_t)(c - at);
}

/* The first parenthesis that is no attribute's, bracket or '=' of a definition; its end if there is none. */
static const char *end_of_name(const char *at, const char *end) {
    for (const char *c = at; c < end; c++) {
        if (strchr("(=[", *c) == NULL)
            continue;
        if (!ends_with(at, c, "__attribute__"))
            return c;
        const char *close = strstr(c, "))");
        if (close == NULL)
            return end;
        c = close + 1;
    }
    return end;
}

/* Sets the name: the word before the first parenthesis, before the last semicolon of a type, or behind
 * #define. */
static void set_name(struct red_part *part) {
    const char *at = part->at, *const end = at + part->n, *stop = at;
    if (strncmp(at, "#define", 7) == 0 || strncmp(at, "#undef", 6) == 0) {
        at += strcspn(at, " \t");
        at += strspn(at, " \t");
        stop = at + red_word_bytes(at);
    } else if (*at != '#' && !ends_with(at, end, ")")) { /* which a macro's call does */
        stop = strncmp(at, "typedef", 7) == 0 ? end : end_of_name(at, end);
    }
    while (stop > at && !red_is_word_char(stop[-1]))
        stop--;
    const char *start = stop;
    while (start > at && red_is_word_char(start[-1]))
        start--;
    snprintf(part->name, sizeof part->name, "%.*s", (int)(stop - start), start);
}

/* Whether the word stands in front of a function's body, behind attributes, too. */
static bool is_kernel(const struct red_part *part) {
    const char *body = memchr(part->at, '{', part->n);
    const size_t head_n = body != NULL ? (size_t)(body - part->at) : 0;
    return red_has_word(part->at, head_n, "kernel") || red_has_word(part->at, head_n, "__kernel");
}

size_t red_parts_split(const char *text, struct red_part *parts) {
    size_t n = 0;
    for (const char *at = text + strspn(text, " \n"); *at != '\0' && n < RED_PARTS_MAX;
         at += strspn(at, " \n")) {
        struct red_part *part = &parts[n++];
        *part = (struct red_part){.at = at, .n = red_comment_bytes(at)};
        part->is_comment = part->n > 0;
        if (!part->is_comment) {
            part->n = *at == '#' ? red_line_bytes(at) : definition_bytes(at);
            part->is_kernel = is_kernel(part);
            set_name(part);
            part->is_used = part->name[0] == '\0';
        }
        at += part->n;
    }
    return n;
}

unsigned red_emit_parameters_n(const char *text, const char *kernel) {
    struct red_part parts[RED_PARTS_MAX];
    const size_t parts_n = red_parts_split(text, parts), name_n = strlen(kernel);
    for (size_t i = 0; i < parts_n; i++) {
        const char *at = parts[i].at, *end = at + parts[i].n;
        if (!parts[i].is_kernel || strcmp(parts[i].name, kernel) != 0)
            continue;
        while (at < end &&
               (strncmp(at, kernel, name_n) != 0 || red_is_word_char(at[-1]) || at[name_n] != '('))
            at++;
        const char *closing = at < end ? red_find_closing(at + name_n) : NULL;
        unsigned n = closing != NULL;
        for (at += name_n; closing != NULL && at < closing; at++)
            n += *at == ',';
        return n;
    }
    return 0;
}

bool red_has_word(const char *text, size_t n, const char *word) {
    const size_t length = strlen(word);
    for (const char *at = text; length > 0 && at + length <= text + n; at++)
        if (*at == *word && strncmp(at, word, length) == 0 &&
            (at == text || (at[-1] != '.' && !red_is_word_char(at[-1]))) &&
            (at + length == text + n || !red_is_word_char(at[length])))
            return true;
    return false;
}
