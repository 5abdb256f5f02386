/* Makes the kernel text of `emit` readable after the preprocessor: splits it into parts, and removes blanks,
 * parentheses and constants that a person would not write. expand.c hands in what mcpp has made of the
 * strategy's program text; the user sees it as NAME.cl. */
#include "emit/private.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

bool red_is_word_char(char c) {
    return isalnum((unsigned char)c) || c == '_';
}

/* Whether the text, which stops at `end`, ends with this suffix. */
static bool ends_with(const char *text, const char *end, const char *suffix) {
    const size_t n = strlen(suffix);
    return (size_t)(end - text) >= n && strncmp(end - n, suffix, n) == 0;
}

const char *red_skip_blanks_before(const char *text, const char *at) {
    while (at > text && at[-1] == ' ')
        at--;
    return at;
}

void red_erase(char *at, size_t n) {
    memmove(at, at + n, strlen(at + n) + 1);
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
    if (strncmp(at, "/*", 2) == 0) {
        const char *end = strstr(at + 2, "*/");
        return end ? (size_t)(end + 2 - at) : strlen(at);
    }
    return strncmp(at, "//", 2) == 0 ? strcspn(at, "\n") : 0;
}

/* Bytes of the definition that begins here, which ends with its last brace, or a semicolon outside of all. */
static size_t definition_bytes(const char *at) {
    int depth = 0;
    const char *c = at;
    for (; *c != '\0'; c++) {
        size_t comment = red_comment_bytes(c);
        c += comment;
        if (*c == '\0')
            break;
        depth += (*c == '{') - (*c == '}');
        bool closes = *c == '}' && depth == 0;
        const char *next = c + 1 + strspn(c + 1, " ");
        if ((closes && (*next == '\n' || *next == '\0')) || (*c == ';' && depth == 0))
            return (size_t)(c + 1 - at);
    }
    return (size_t)(c - at);
}

/* Sets the name of a definition: the word before the first parenthesis that is no attribute's, or before the
 * last semicolon of a type. */
static void set_part_name(struct red_part *part) {
    const char *end = part->at + part->n, *stop = end;
    bool is_type = strncmp(part->at, "typedef", 7) == 0;
    for (const char *c = part->at; c < end && !is_type; c++) {
        if (*c != '(')
            continue;
        stop = c;
        if (ends_with(part->at, c, "__attribute__")) {
            c = strstr(c, "))");
            stop = end;
            if (c++ == NULL)
                break;
            continue;
        }
        break;
    }
    while (stop > part->at && !red_is_word_char(stop[-1]))
        stop--;
    const char *start = stop;
    while (start > part->at && red_is_word_char(start[-1]))
        start--;
    snprintf(part->name, sizeof part->name, "%.*s", (int)(stop - start), start);
}

size_t red_parts_split(const char *text, struct red_part *parts) {
    size_t n = 0;
    for (const char *at = text + strspn(text, " \n"); *at != '\0' && n < RED_PARTS_MAX;
         at += strspn(at, " \n")) {
        struct red_part *part = &parts[n++];
        *part = (struct red_part){.at = at, .n = red_comment_bytes(at)};
        part->is_comment = part->n > 0;
        if (*at == '#') {
            part->n = strcspn(at, "\n");
            part->is_used = true;
        } else if (!part->is_comment) {
            part->n = definition_bytes(at);
            part->is_kernel = strncmp(at, "kernel", 6) == 0;
            set_part_name(part);
        }
        at += part->n;
    }
    return n;
}

bool red_has_word(const char *text, size_t n, const char *word) {
    const size_t length = strlen(word);
    for (const char *at = text; length > 0 && at + length <= text + n; at++)
        if (strncmp(at, word, length) == 0 && (at == text || !red_is_word_char(at[-1])) &&
            (at + length == text + n || !red_is_word_char(at[length])))
            return true;
    return false;
}

void red_parts_mark_used(struct red_part *parts, size_t n) {
    for (size_t i = 0; i < n; i++)
        parts[i].is_used = parts[i].is_used || parts[i].is_kernel;
    for (bool more = true; more;) {
        more = false;
        for (size_t i = 0; i < n; i++) {
            for (size_t k = 0; k < n && !parts[i].is_used && parts[i].name[0] != '\0'; k++)
                parts[i].is_used = parts[k].is_used && !parts[k].is_comment &&
                                   red_has_word(parts[k].at, parts[k].n, parts[i].name) && (more = true);
        }
    }
    for (size_t i = 0; i + 1 < n; i++)
        if (parts[i].is_comment && !parts[i + 1].is_comment && parts[i + 1].name[0] != '\0')
            parts[i].is_used = parts[i + 1].is_used;
}

/* ---- blanks -------------------------------------------------------------------------------------------- */

/* Whether the text ends with a word that people write a blank behind. */
static bool ends_with_keyword(const char *text, const char *end) {
    static const char *const words[] = {"if", "for", "while", "switch", "return", "else"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        const size_t n = strlen(words[i]);
        if (ends_with(text, end, words[i]) &&
            ((size_t)(end - text) == n || !red_is_word_char(end[-(long)n - 1])))
            return true;
    }
    return false;
}

/* Whether what stands between parentheses is a type: "(float)" before what it converts, and "(float4)(...)",
 * are no parentheses around a value. */
static bool is_cast(const char *inner, size_t n) {
    static const char *const types[] = {"void", "char",  "uchar", "short", "ushort", "int",    "uint",
                                        "long", "ulong", "half",  "float", "double", "size_t", "red_pair"};
    size_t letters = n;
    while (letters > 0 && isdigit((unsigned char)inner[letters - 1]))
        letters--;
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
        if ((strlen(types[i]) == letters || strlen(types[i]) == n) &&
            strncmp(inner, types[i], strlen(types[i])) == 0)
            return true;
    return false;
}

/* Whether the text ends with a conversion, "(float)". */
static bool ends_with_cast(const char *text, const char *end) {
    const char *open = end;
    while (open > text && open[-1] != '(' && open[-1] != '\n')
        open--;
    return end > open && end[-1] == ')' && open > text && open[-1] == '(' &&
           is_cast(open, (size_t)(end - open) - 1);
}

/* Whether a person would write a blank between the text and `after`. */
static bool wants_space(const char *text, const char *end, char after) {
    const char before = end[-1];
    bool calls = (after == '(' || after == '[') && red_is_word_char(before) && !ends_with_keyword(text, end);
    bool makes = after == '{' && ends_with(text, end, "(red_pair)"); /* before what it is made of */
    bool converts = (after == '(' || red_is_word_char(after)) && ends_with_cast(text, end);
    return strchr("([~", before) == NULL && strchr(");,]", after) == NULL && before != ' ' && !calls &&
           !makes && !converts;
}

void red_tidy_spaces(char *text) {
    char *to = text;
    for (const char *from = text; *from != '\0';) {
        size_t comment = red_comment_bytes(from);
        bool begins = to == text || to[-1] == '\n';
        if (comment > 0 || begins) { /* comments and what stands before a line's first word stay */
            size_t n = comment > 0 ? comment : strspn(from, " ");
            memmove(to, from, n);
            to += n;
            from += n;
            if (n > 0)
                continue;
        }
        if (*from == '\n')
            while (to > text && to[-1] == ' ')
                to--;
        bool is_blank = *from == ' ';
        if (!is_blank || (to > text && wants_space(text, to, from[1]) && from[1] != ' ' && from[1] != '\n'))
            *to++ = *from;
        from++;
    }
    *to = '\0';
}

/* ---- parentheses --------------------------------------------------------------------------------------- */

/* Whether the parentheses belong to the word before them: a call, a condition or an attribute needs them. */
static bool belongs_to_word(const char *text, const char *open) {
    const char *before = red_skip_blanks_before(text, open);
    if (ends_with(text, before, "__attribute__("))
        return true;
    if (before == text || !(red_is_word_char(before[-1]) || before[-1] == ']'))
        return false;
    return !ends_with(text, before, "return");
}

size_t red_postfix_bytes(const char *at, size_t n) {
    size_t i = 0;
    while (i < n && (red_is_word_char(at[i]) || at[i] == '.'))
        i++;
    while (i > 0 && i < n && (at[i] == '[' || at[i] == '(')) {
        const char *close = red_find_closing(at + i);
        i = close != NULL && close < at + n ? (size_t)(close + 1 - at) : n;
        while (i < n && (red_is_word_char(at[i]) || at[i] == '.'))
            i++;
    }
    return i;
}

/* Whether the text is a value that binds as one (red_postfix_bytes), or one that is converted: "(float)x[i]".
 *   after  the character behind the parentheses around it */
static bool binds_as_one(const char *inner, size_t n, char after) {
    const char *end = *inner == '(' ? red_find_closing(inner) : NULL;
    bool converts = end != NULL && end < inner + n && is_cast(inner + 1, (size_t)(end - inner - 1));
    if (converts && strchr("[.(", after) == NULL) {
        n -= (size_t)(end + 1 - inner);
        inner = end + 1;
        end = n > 0 && *inner == '(' ? red_find_closing(inner) : NULL; /* "(float4)(0, 1, 2, 3)" */
        if (end == inner + n - 1 || (n > 0 && *inner == '{' && inner[n - 1] == '}'))
            return true;
    }
    return n > 0 && red_postfix_bytes(inner, n) == n;
}

/* Whether the parentheses enclose a whole: the right side of an assignment or of a return, an argument or an
 * index. Then no operator outside binds stronger than those inside. */
static bool encloses_whole(const char *text, const char *open, const char *close) {
    const char *before = red_skip_blanks_before(text, open);
    bool starts =
        before > text && ((before[-1] == '=' && before - text > 1 && strchr("=<>!", before[-2]) == NULL) ||
                          ends_with(text, before, "return"));
    bool is_argument = before > text && strchr("(,[", before[-1]) != NULL && strchr("),]", close[1]) != NULL;
    return (starts && close[1] == ';') || is_argument;
}

/* The first opening parenthesis from `at` on that stands in no comment; NULL if there is none. */
static char *next_parenthesis(char *at) {
    while (*at != '\0' && *at != '(')
        at += red_comment_bytes(at) > 0 ? red_comment_bytes(at) : 1;
    return *at == '(' ? at : NULL;
}

/* "(float)(float)x" converts once. */
static void fold_repeated_casts(char *open) {
    const char *close = red_find_closing(open);
    size_t n = close ? (size_t)(close + 1 - open) : 0;
    while (n > 2 && is_cast(open + 1, n - 2) && strncmp(open, open + n, n) == 0)
        red_erase(open, n);
}

/* Drops a pair of parentheses. "(a)*b" has no blanks, as if it were a cast; then they come in their place. */
static void drop_parentheses(char *open, char *close) {
    if (strchr("*&", close[1]) == NULL || close[1] == '\0' || close[2] == close[1]) {
        red_erase(close, 1);
        red_erase(open, 1);
        return;
    }
    const size_t n = (size_t)(close + 1 - open);
    *close = ' ';
    if (close[2] == ' ')
        red_erase(open, 1);
    else {
        memmove(open, open + 1, n);
        close[1] = ' ';
    }
}

void red_tidy_expressions(char *text) {
    for (char *open = next_parenthesis(text); open != NULL;) {
        const char *close = red_find_closing(open);
        if (close == NULL)
            return;
        const char *inner = open + 1;
        size_t n = (size_t)(close - inner);
        bool doubled = *inner == '(' && red_find_closing(inner) == close - 1;
        bool removes =
            !belongs_to_word(text, open) && (doubled || encloses_whole(text, open, close) ||
                                             (binds_as_one(inner, n, close[1]) && !is_cast(inner, n)));
        if (removes)
            drop_parentheses(open, text + (close - text));
        else
            fold_repeated_casts(open);
        open = next_parenthesis(removes || *open != '(' ? open : open + 1);
    }
}
