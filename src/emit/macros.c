/* Macros of a program text: what they are, and how those that only stand for other words are written out, so
 * that a kernel for people has types and functions where the contract has macros. compose.c calls them; the
 * user sees what they leave in NAME.cl. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "emit/emit_private.h"

/* ---- the table ----------------------------------------------------------------------------------------- */

const struct red_macro *red_macros_find(const struct red_macros *macros, const char *name, size_t n) {
    for (size_t i = 0; i < macros->n; i++) {
        const struct red_macro *macro = &macros->all[i];
        if (n > 0 && n < sizeof macro->name && macro->is_defined && macro->name[n] == '\0' &&
            memcmp(macro->name, name, n) == 0)
            return macro;
    }
    return NULL;
}

/* Which parameter of the macro the word is; -1 for none, and without a macro. */
static int parameter_of(const struct red_macro *macro, const char *word, size_t n) {
    for (int i = 0; macro != NULL && i < macro->parameters_n; i++)
        if (strncmp(macro->parameters[i], word, n) == 0 && macro->parameters[i][n] == '\0')
            return i;
    return -1;
}

/* Makes a macro's body: without comments, and without blanks around ## and at its end. */
static char *make_body(const char *at, const char *end) {
    char *body = malloc((size_t)(end - at) + 1), *to = body;
    while (body != NULL && at < end) {
        const size_t comment = red_comment_bytes(at);
        const bool is_blank = strchr(" \t", *at) != NULL;
        while (strncmp(at, "##", 2) == 0 && to > body && to[-1] == ' ')
            to--;
        if (comment == 0 && !(is_blank && to > body + 1 && strncmp(to - 2, "##", 2) == 0))
            *to++ = is_blank ? ' ' : *at;
        at += comment > 0 ? comment : 1;
    }
    while (to != NULL && to > body && strchr(" \\\n", to[-1]) != NULL)
        to--;
    if (to != NULL)
        *to = '\0';
    return body;
}

void red_macros_define(struct red_macros *macros, const char *at, const char *end) {
    struct red_macro macro = {.parameters_n = -1, .is_defined = true};
    size_t n = red_word_bytes(at);
    snprintf(macro.name, sizeof macro.name, "%.*s", (int)n, at);
    at += n;
    if (*at == '(') {
        macro.parameters_n = 0;
        for (at++; at != end && *at != ')'; at += n == 0 ? 1 : n) {
            n = red_word_bytes(at);
            if (n > 0 && macro.parameters_n < RED_MACRO_PARAMETERS_MAX)
                snprintf(macro.parameters[macro.parameters_n++], sizeof macro.parameters[0], "%.*s", (int)n,
                         at);
        }
        at++;
    }
    at += strspn(at, " \t\\\n");
    macro.body = make_body(at < end ? at : end, end);
    for (size_t i = 0; i < macros->n && macro.body != NULL; i++) {
        struct red_macro *old = &macros->all[i];
        if (strcmp(old->name, macro.name) != 0)
            continue;
        macro.is_redefined = strcmp(old->body, macro.body) != 0;
        old->is_defined = false;
    }
    if (macro.body == NULL || !RED_GROW(macros->all, macros->n, 1)) {
        free(macro.body);
        macros->has_failed = true;
    } else {
        macros->all[macros->n++] = macro;
    }
}

void red_macros_undefine(struct red_macros *macros, const char *name, size_t n) {
    const struct red_macro *macro = red_macros_find(macros, name, n);
    if (macro != NULL)
        macros->all[macro - macros->all].is_defined = false;
}

void red_macros_clear(struct red_macros *macros) {
    for (size_t i = 0; i < macros->n; i++)
        free(macros->all[i].body);
    free(macros->all);
}

/* ---- writing them out ---------------------------------------------------------------------------------- */

/* How a text is written: which macros are replaced, and in whose body it stands. */
struct spelling {
    struct red_macros *macros;
    bool all;                       /* as a compiler does, for conditions; else those that are written out */
    const struct red_macro *within; /* its parameters are no macros; NULL: of none */
    const struct red_macro *hidden; /* is being replaced, and so are those of `up`: none is again */
    const struct spelling *up;
};

/* The arguments of a call. */
struct call {
    const char *at[RED_MACRO_PARAMETERS_MAX], *end; /* behind the closing parenthesis */
    size_t bytes[RED_MACRO_PARAMETERS_MAX];
    int n;
};

/* Reads the arguments behind a macro's name; false if no parenthesis follows, or too many do. */
static bool read_call(const char *at, const char *end, struct call *call) {
    int depth = 0;
    at += strspn(at, " \t\n\\");
    *call = (struct call){.n = 0};
    if (at >= end || *at != '(')
        return false;
    for (const char *from = at + 1; at < end; at++) {
        depth += (*at == '(') - (*at == ')');
        if (depth > 1 || (depth == 1 && *at != ','))
            continue;
        if (call->n == RED_MACRO_PARAMETERS_MAX)
            return false;
        from += strspn(from, " \t\n\\");
        const char *stop = at;
        while (stop > from && strchr(" \t\n\\", stop[-1]) != NULL)
            stop--;
        call->at[call->n] = from;
        call->bytes[call->n++] = stop > from ? (size_t)(stop - from) : 0;
        from = at + 1;
        if (depth == 0) {
            call->end = at + 1;
            return true;
        }
    }
    return false;
}

static void put_text(FILE *out, const struct spelling *how, const char *at, size_t n);

/* Makes what put_text writes; the caller frees it. Without memory the table says so, and it is NULL. */
static char *make_text(const struct spelling *how, const char *at, size_t n) {
    char *made = NULL;
    size_t bytes;
    FILE *out = red_memstream_open(&made, &bytes);
    if (out != NULL)
        put_text(out, how, at, n);
    if (out == NULL || !red_memstream_close(out, &made)) {
        how->macros->has_failed = true;
        return NULL;
    }
    return made;
}

/* Whether the text is a list of names, with an index where they have one, or one call with names. */
static bool is_made_of_names(const char *text) {
    static const char names[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_[], ";
    const size_t n = red_word_bytes(text), length = strlen(text);
    return (n > 0 || length == 0) && !isdigit((unsigned char)text[0]) &&
           (strspn(text, names) == length ||
            (text[n] == '(' && n + strspn(text + n + 1, names) + 2 == length && text[length - 1] == ')'));
}

/* Whether the text is a part of a declaration. */
static bool is_declaration(const char *text) {
    static const char *const qualifiers[] = {"global",   "local",      "private",   "constant", "const",
                                             "volatile", "write_only", "read_only", "kernel"};
    const size_t n = red_word_bytes(text);
    for (size_t i = 0; i < sizeof qualifiers / sizeof qualifiers[0]; i++)
        if (strlen(qualifiers[i]) == n && strncmp(qualifiers[i], text, n) == 0)
            return strpbrk(text, "{;=") == NULL;
    return false;
}

/* Whether the macro only stands for other words, which a person would have written: names, a call, a part of
 * a declaration, or what ## joins, as those do that take the width of vectors; or its own name ends with '_',
 * as those of the host's choices do and of what lib/ has for its own macros. All others compute, and stay. */
static bool is_written_out(struct red_macros *macros, const struct red_macro *macro) {
    struct red_macro *own = &macros->all[macro - macros->all];
    if (own->is_judged || own->is_redefined)
        return own->is_written_out;
    own->is_judged = true; /* one that names itself stays */
    if (own->name[strlen(own->name) - 1] == '_')
        return own->is_written_out = true;
    const struct spelling within = {.macros = macros, .within = own};
    char *text = make_text(&within, own->body, strlen(own->body));
    const size_t n = text != NULL ? red_word_bytes(text) : 0;
    const struct red_macro *first = red_macros_find(macros, text, n);
    const bool calls_macro = first != NULL && first->parameters_n >= 0 && text[n] == '(';
    own->is_written_out =
        text != NULL && (strstr(text, "##") != NULL || is_declaration(text) ||
                         (is_made_of_names(text) && (!calls_macro || own->parameters_n >= 0)));
    free(text);
    return own->is_written_out;
}

/* A word as ## joins it: a number's name is the number. */
static const char *number_or_word(const struct red_macros *macros, const char *word, size_t *n) {
    const struct red_macro *macro = red_macros_find(macros, word, *n);
    if (macro == NULL || macro->parameters_n >= 0 || !isdigit((unsigned char)macro->body[0]))
        return word;
    *n = strlen(macro->body);
    return macro->body;
}

/* Writes the macro's body with the arguments in place of its parameters. ## stays where it cannot be
 * resolved: where an operand is a parameter of the macro in whose body this stands. */
static void put_body(FILE *out, const struct spelling *how, const struct red_macro *macro,
                     char *const *arguments) {
    bool is_operand = false, is_open = false;
    for (const char *at = macro->body; *at != '\0';) {
        size_t n = red_word_bytes(at) > 0 ? red_word_bytes(at) : 1;
        const int k = parameter_of(macro, at, n);
        const char *text = k < 0 ? at : arguments[k] != NULL ? arguments[k] : "", *const next = at + n;
        const bool joins = strncmp(next, "##", 2) == 0;
        n = k < 0 ? n : strlen(text);
        const bool is_parameter = parameter_of(how->within, text, n) >= 0;
        fputs(is_operand && n > 0 && (is_open || is_parameter) ? "##" : "", out);
        if (joins || is_operand)
            text = number_or_word(how->macros, text, &n);
        fwrite(text, 1, n, out);
        is_operand = joins;
        is_open = is_parameter;
        at = joins ? next + 2 : next;
    }
}

/* Whether the macro is being replaced. */
static bool is_hidden(const struct spelling *how, const struct red_macro *macro) {
    while (how != NULL && how->hidden != macro)
        how = how->up;
    return how != NULL;
}

/* Writes what stands for the macro, whose name ends at `at`; gives what follows. */
static const char *put_macro(FILE *out, const struct spelling *how, const struct red_macro *macro,
                             const char *at, const char *end) {
    const struct spelling inner = {how->macros, how->all, how->within, macro, how};
    struct call call = {.n = 0, .end = at};
    char *arguments[RED_MACRO_PARAMETERS_MAX] = {NULL}, *text = NULL;
    size_t bytes;
    if ((!how->all && !is_written_out(how->macros, macro)) ||
        (macro->parameters_n >= 0 && !read_call(at, end, &call))) {
        fputs(macro->name, out);
        return at;
    }
    const struct red_macro *other = red_macros_find(how->macros, macro->body, strlen(macro->body));
    if (macro->parameters_n < 0 && other != NULL && !is_hidden(&inner, other))
        return put_macro(out, &inner, other, at, end); /* the arguments follow the macro's other name */
    for (int k = 0; k < call.n; k++)
        arguments[k] = make_text(how, call.at[k], call.bytes[k]);
    FILE *body = red_memstream_open(&text, &bytes);
    if (body != NULL)
        put_body(body, how, macro, arguments);
    if (body == NULL || !red_memstream_close(body, &text))
        how->macros->has_failed = true;
    else
        put_text(out, &inner, text, strlen(text));
    for (int k = 0; k < call.n; k++)
        free(arguments[k]);
    free(text);
    return call.end;
}

/* Writes a line that defines a macro; gives what follows. */
static const char *put_define(FILE *out, const struct spelling *how, const char *at) {
    const char *const end = at + red_line_bytes(at);
    const char *const name = at + strlen("#define") + strspn(at + strlen("#define"), " \t");
    const size_t n = red_word_bytes(name);
    const struct red_macro *macro = red_macros_find(how->macros, name, n);
    const struct spelling inner = {how->macros, how->all, macro, NULL, NULL};
    const char *body = name[n] == '(' ? red_find_closing(name + n) + 1 : name + n;
    fprintf(out, "#define %.*s", (int)(body - name), name);
    body += strspn(body, " \t");
    fputs(body < end && *body != '\\' ? " " : "", out);
    put_text(out, &inner, body, (size_t)(end - body));
    return end;
}

/* Bytes that no macro changes: a comment, a text between quotes, a number, what is asked
 * of a macro; 0: none. */
static size_t fixed_bytes(const char *at) {
    const size_t comment = red_comment_bytes(at), n = red_word_bytes(at);
    if (n == strlen("defined") && strncmp(at, "defined", n) == 0)
        return n + strspn(at + n, " (") + red_word_bytes(at + n + strspn(at + n, " ("));
    if (comment > 0 || !(*at == '"' || isdigit((unsigned char)*at)))
        return comment;
    if (*at != '"')
        return n;
    const char *close = strchr(at + 1, '"');
    return close != NULL ? (size_t)(close + 1 - at) : strlen(at);
}

static void put_text(FILE *out, const struct spelling *how, const char *at, size_t n) {
    const char *const begin = at, *const end = at + n;
    while (at < end) {
        const size_t blanks = strspn(at, " \t"), fixed = fixed_bytes(at);
        const size_t word = fixed > 0 ? fixed : red_word_bytes(at);
        const bool is_joined = strncmp(at + word, "##", 2) == 0 || (at > begin && at[-1] == '#');
        const struct red_macro *macro =
            fixed == 0 && !is_joined ? red_macros_find(how->macros, at, word) : NULL;
        if (strncmp(at, "#define", 7) == 0 && (at == begin || at[-1] == '\n')) {
            at = put_define(out, how, at);
        } else if (at[blanks] == '\\' && at[blanks + 1] == '\n') {
            fputs(how->within != NULL ? " \\\n" : "\v", out); /* which the place of the call indents */
            at += blanks + 2;
        } else if (macro != NULL && !is_hidden(how, macro) && parameter_of(how->within, at, word) < 0) {
            at = put_macro(out, how, macro, at + word, end);
        } else {
            const size_t left = (size_t)(end - at), one = word > 0 ? word : 1;
            fwrite(at, 1, one < left ? one : left, out);
            at += one < left ? one : left;
        }
    }
}

char *red_macros_make_text(struct red_macros *macros, bool all, const char *at, size_t n) {
    const struct spelling how = {.macros = macros, .all = all};
    return make_text(&how, at, n);
}
