/* Macros of a program text: what they are, what a condition makes of them, and how those that only stand for
 * names are spelled out, so that a kernel for people has types and functions where the contract has macros.
 * compose.c calls them; the user sees what they leave in NAME.cl. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "emit/emit_private.h"

/* ---- the table ----------------------------------------------------------------------------------------- */

static const struct red_macro *find(const struct red_macros *macros, const char *name, size_t n) {
    for (size_t i = 0; i < macros->n; i++) {
        const struct red_macro *macro = &macros->all[i];
        if (n > 0 && n < sizeof macro->name && macro->is_defined && macro->name[n] == '\0' &&
            macro->name[n - 1] == name[n - 1] && memcmp(macro->name, name, n) == 0)
            return macro;
    }
    return NULL;
}

const struct red_macro *red_macros_find(const struct red_macros *macros, const char *name) {
    return find(macros, name, strlen(name));
}

/* Which parameter of the macro the word is; -1 for none, and without a macro. */
static int parameter_of(const struct red_macro *macro, const char *word, size_t n) {
    for (int i = 0; macro != NULL && i < macro->parameters_n; i++)
        if (strncmp(macro->parameters[i], word, n) == 0 && macro->parameters[i][n] == '\0')
            return i;
    return -1;
}

/* Makes one line of a macro's body: without comments, line breaks and blanks around ##. */
static char *make_body(const char *at, const char *end) {
    char *body = malloc((size_t)(end - at) + 1), *to = body;
    while (body != NULL && at < end) {
        const size_t comment = red_comment_bytes(at);
        const bool is_blank = comment > 0 || strchr(" \t\n\\", *at) != NULL;
        const bool is_wanted = !is_blank || (to > body && strchr(" #", to[-1]) == NULL);
        if (strncmp(at, "##", 2) == 0 && to > body && to[-1] == ' ')
            to--;
        if (is_wanted)
            *to++ = is_blank ? ' ' : *at;
        at += comment > 0 ? comment : 1;
    }
    while (to != NULL && to > body && to[-1] == ' ')
        to--;
    if (to != NULL)
        *to = '\0';
    return body;
}

const char *red_macros_define(struct red_macros *macros, const char *at, const char *end) {
    struct red_macro macro = {.parameters_n = -1, .is_defined = true};
    at += strspn(at, " \t");
    for (size_t n = 0; at < end && red_is_word_char(*at); at++)
        if (n + 1 < sizeof macro.name)
            macro.name[n++] = *at;
    if (*at == '(') {
        macro.parameters_n = 0;
        for (at++; at < end && *at != ')';) {
            size_t n = 0;
            while (red_is_word_char(at[n]))
                n++;
            if (n > 0 && macro.parameters_n < RED_MACRO_PARAMETERS_MAX)
                snprintf(macro.parameters[macro.parameters_n++], sizeof macro.parameters[0], "%.*s", (int)n,
                         at);
            at += n > 0 ? n : 1;
        }
        at++;
    }
    at += strspn(at, " \t");
    macro.body = make_body(at, end);
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
    return at;
}

void red_macros_undefine(struct red_macros *macros, const char *name, size_t n) {
    const struct red_macro *macro = find(macros, name, n);
    if (macro != NULL)
        macros->all[macro - macros->all].is_defined = false;
}

void red_macros_clear(struct red_macros *macros) {
    for (size_t i = 0; i < macros->n; i++)
        free(macros->all[i].body);
    free(macros->all);
}

/* ---- which stand for names ----------------------------------------------------------------------------- */

static size_t word_bytes(const char *at) {
    size_t n = 0;
    while (red_is_word_char(at[n]))
        n++;
    return n;
}

/* Whether the text has a word of a declaration, which no expression has. */
static bool has_qualifier(const char *text) {
    static const char *const words[] = {"global",   "local",  "private",    "constant", "const",
                                        "volatile", "kernel", "write_only", "read_only"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (red_has_word(text, strlen(text), words[i]))
            return true;
    return false;
}

/* Whether it is a name, a list of names, a call, or a part of a declaration: no operator is in it. */
static bool is_made_of_names(const char *body) {
    const bool declares = has_qualifier(body);
    int depth = 0;
    for (const char *at = body; *at != '\0'; at++) {
        depth += (*at == '(') - (*at == ')');
        if (!red_is_word_char(*at) && strchr(declares ? " ,()[]*" : " ,()", *at) == NULL)
            return false;
        if (*at == ' ' && depth == 0 && !declares && at[-1] != ',')
            return false;
    }
    return true;
}

enum { DEPTH_MAX = 8 };

/* Whether the macro joins words by ##, or another one does for it. */
static bool joins_words(const struct red_macros *macros, const struct red_macro *macro, int depth) {
    if (strstr(macro->body, "##") != NULL)
        return true;
    for (const char *at = macro->body; *at != '\0' && depth < DEPTH_MAX;
         at += red_is_word_char(*at) ? 0 : 1) {
        const size_t n = word_bytes(at);
        const struct red_macro *named = n > 0 ? find(macros, at, n) : NULL;
        if (named != NULL && named != macro && joins_words(macros, named, depth + 1))
            return true;
        at += n;
        if (*at == '\0')
            break;
    }
    return false;
}

/* Whether the macro stands for a name, so that a person would have written that: what it is depends on no
 * operator, or the host has chosen it (RED_MAP_). One that the text defines twice stays. */
static bool is_name(const struct red_macros *macros, const struct red_macro *macro, int depth) {
    const char *body = macro->body;
    const size_t n = word_bytes(body);
    if (macro->is_redefined || depth == DEPTH_MAX)
        return false;
    if (body[0] == '\0' ||
        (strncmp(macro->name, "RED_", 4) == 0 && macro->name[strlen(macro->name) - 1] == '_'))
        return true;
    if ((n == 0 && body[0] != ',') || isdigit((unsigned char)body[0]) || strpbrk(body, "{;=") != NULL)
        return false;
    const struct red_macro *first = find(macros, body, n);
    if (macro->parameters_n < 0)
        return is_made_of_names(body) &&
               (first == NULL || first->parameters_n < 0 || is_name(macros, first, depth + 1));
    return strncmp(body + n, "##", 2) == 0 ||
           (first != NULL && first->parameters_n >= 0 && joins_words(macros, first, 0) &&
            is_name(macros, first, depth + 1)) ||
           (has_qualifier(body) && is_made_of_names(body));
}

bool red_macro_is_name(const struct red_macros *macros, const struct red_macro *macro) {
    return is_name(macros, macro, 0);
}

int red_macro_width_parameter(const struct red_macros *macros, const struct red_macro *macro) {
    return macro->is_redefined || is_name(macros, macro, 0) ? -1 : parameter_of(macro, "w", 1);
}

/* ---- spelling ------------------------------------------------------------------------------------------ */

/* Macros that are being replaced, which their own text does not name again. */
struct hidden {
    const struct red_macro *macro;
    const struct hidden *up;
};

/* How a text is spelled: which macros are replaced, and in whose body it stands. */
struct spelling {
    struct red_macros *macros;
    bool all;                       /* as a compiler does, for conditions; else those that are names */
    const struct red_macro *within; /* its parameters are no macros; NULL: of none */
    const struct hidden *hidden;
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

static void put_spelled(FILE *out, const struct spelling *how, const char *at, size_t n);

/* Makes what put_spelled writes; the caller frees it. Without memory the table says so, and it is empty. */
static char *make_spelled(const struct spelling *how, const char *at, size_t n) {
    char *made = NULL;
    size_t bytes;
    FILE *out = red_memstream_open(&made, &bytes);
    if (out != NULL)
        put_spelled(out, how, at, n);
    if (out == NULL || !red_memstream_close(out, &made)) {
        how->macros->has_failed = true;
        return NULL;
    }
    return made;
}

/* Makes an argument as it stands in the macro's body. Where the macro joins words, a number's name is the
 * number. */
static char *make_argument(const struct spelling *how, const struct red_macro *macro, const struct call *call,
                           int k) {
    const struct spelling all = {how->macros, true, how->within, how->hidden};
    char *made = make_spelled(how, call->at[k], call->bytes[k]);
    const size_t n = made != NULL ? word_bytes(made) : 0;
    if (how->all || n == 0 || made[n] != '\0' || !joins_words(how->macros, macro, 0))
        return made;
    char *number = make_spelled(&all, made, n);
    const bool is_number =
        number != NULL && isdigit((unsigned char)number[0]) && number[word_bytes(number)] == '\0';
    free(is_number ? made : number);
    return is_number ? number : made;
}

/* The operand of ## at `at`: a word of the body, or what was given for a parameter. */
static const char *operand_at(const struct red_macro *macro, const struct call *call, const char *at,
                              size_t *n) {
    *n = word_bytes(at);
    const int k = parameter_of(macro, at, *n);
    if (k >= 0)
        *n = k < call->n ? call->bytes[k] : 0;
    return k < 0 ? at : k < call->n ? call->at[k] : "";
}

/* Writes ## where it cannot be resolved: an operand is a parameter of the macro in whose body this stands. */
static void put_join(FILE *out, const struct spelling *how, const struct red_macro *macro,
                     const struct call *call, const char *at) {
    const char *left = at;
    size_t left_n, right_n;
    while (left > macro->body && red_is_word_char(left[-1]))
        left--;
    left = operand_at(macro, call, left, &left_n);
    const char *right = operand_at(macro, call, at + 2, &right_n);
    if (left_n > 0 && right_n > 0 &&
        (parameter_of(how->within, left, left_n) >= 0 || parameter_of(how->within, right, right_n) >= 0))
        fputs("##", out);
}

/* Writes the macro's body with the arguments of the call in place of parameters. */
static void put_body(FILE *out, const struct spelling *how, const struct red_macro *macro,
                     const struct call *call) {
    for (const char *at = macro->body; *at != '\0';) {
        const bool joins = strncmp(at, "##", 2) == 0;
        const size_t n = joins ? 2 : word_bytes(at) > 0 ? word_bytes(at) : 1;
        const int k = parameter_of(macro, at, n);
        if (joins) {
            put_join(out, how, macro, call, at);
        } else if (k < 0 || k >= call->n) {
            fwrite(at, 1, n, out);
        } else if ((at > macro->body && at[-1] == '#') || at[n] == '#') {
            fwrite(call->at[k], 1, call->bytes[k], out);
        } else {
            char *argument = make_argument(how, macro, call, k);
            fputs(argument != NULL ? argument : "", out);
            free(argument);
        }
        at += n;
    }
}

/* Writes a call of a macro for vectors as one of that for this width, whose name ends with it. False if the
 * width is no number. */
static bool put_call_of_width(FILE *out, const struct spelling *how, const struct red_macro *macro,
                              const struct call *call, int width_at) {
    const struct spelling all = {how->macros, true, how->within, how->hidden};
    long long width = 0;
    char *text = width_at < call->n ? make_spelled(&all, call->at[width_at], call->bytes[width_at]) : NULL;
    const bool is_number = text != NULL && red_expression_read(text, &width) && width > 0 && width <= 16;
    free(text);
    if (!is_number)
        return false;
    fprintf(out, "%s%lld", macro->name, width);
    const char *before = "(";
    for (int i = 0; i < call->n; i++) {
        if (i == width_at)
            continue;
        fputs(before, out);
        put_spelled(out, how, call->at[i], call->bytes[i]);
        before = ", ";
    }
    fputs(call->n > 1 ? ")" : "", out);
    return true;
}

/* Writes what stands for the macro, whose name of n characters is at `at`; gives what follows. */
static const char *put_macro(FILE *out, const struct spelling *how, const struct red_macro *macro,
                             const char *at, size_t n, const char *end) {
    struct call call = {.n = 0, .end = at + n};
    const bool has_call = macro->parameters_n < 0 || read_call(at + n, end, &call);
    const int width_at = how->all ? -1 : red_macro_width_parameter(how->macros, macro);
    if (has_call && width_at >= 0 && put_call_of_width(out, how, macro, &call, width_at))
        return call.end;
    if (!has_call || !(how->all || is_name(how->macros, macro, 0))) {
        fwrite(at, 1, n, out);
        return at + n;
    }
    char *text = NULL;
    size_t bytes;
    FILE *body = red_memstream_open(&text, &bytes);
    if (body != NULL)
        put_body(body, how, macro, &call);
    if (body == NULL || !red_memstream_close(body, &text)) {
        how->macros->has_failed = true;
        return call.end;
    }
    const struct hidden hidden = {macro, how->hidden};
    const struct spelling inner = {how->macros, how->all, how->within, &hidden};
    put_spelled(out, &inner, text, strlen(text));
    free(text);
    return call.end;
}

/* Bytes that no macro changes: a comment, a text between quotes, a number; 0: none. */
static size_t fixed_bytes(const char *at) {
    const size_t comment = red_comment_bytes(at);
    if (comment > 0 || !(*at == '"' || isdigit((unsigned char)*at)))
        return comment;
    if (*at != '"')
        return word_bytes(at);
    const char *close = strchr(at + 1, '"');
    return close != NULL ? (size_t)(close + 1 - at) : strlen(at);
}

static void put_spelled(FILE *out, const struct spelling *how, const char *at, size_t n) {
    for (const char *const end = at + n; at < end;) {
        size_t fixed = fixed_bytes(at);
        const size_t word = fixed > 0 ? 0 : word_bytes(at);
        const struct red_macro *macro = word > 0 ? find(how->macros, at, word) : NULL;
        const struct hidden *hidden = how->hidden;
        while (hidden != NULL && hidden->macro != macro)
            hidden = hidden->up;
        if (macro != NULL && hidden == NULL && parameter_of(how->within, at, word) < 0) {
            at = put_macro(out, how, macro, at, word, end);
            continue;
        }
        fixed = fixed > 0 ? fixed : word > 0 ? word : 1;
        fixed = fixed < (size_t)(end - at) ? fixed : (size_t)(end - at);
        fwrite(at, 1, fixed, out);
        at += fixed;
    }
}

void red_macros_put_spelled(FILE *out, struct red_macros *macros, const struct red_macro *within,
                            const char *at, size_t n) {
    const struct spelling how = {macros, false, within, NULL};
    put_spelled(out, &how, at, n);
}

/* ---- conditions ---------------------------------------------------------------------------------------- */

/* An operator between two values; of several that begin alike the longest stands first. */
static const struct operator{
    const char *sign;
    int strength;
}
operators[] = {{"||", 1}, {"&&", 2}, {"==", 6}, {"!=", 6}, {"<<", 8}, {">>", 8},
               {"<=", 7}, {">=", 7}, {"|", 3},  {"^", 4},  {"&", 5},  {"<", 7},
               {">", 7},  {"+", 9},  {"-", 9},  {"*", 10}, {"/", 10}, {"%", 10}};

struct expression {
    const char *at;
    bool is_wrong;
};

static long long read_choice(struct expression *expression);

static const char *next(struct expression *expression) {
    expression->at += strspn(expression->at, " \t\n\\");
    return expression->at;
}

/* A number, a name, which is 0, or what stands between parentheses. */
static long long read_value(struct expression *expression) {
    const char *at = next(expression);
    if (*at != '\0' && strchr("!-+~", *at) != NULL) {
        expression->at++;
        const long long value = read_value(expression);
        return *at == '!'   ? !value
               : *at == '-' ? (long long)(0 - (unsigned long long)value)
               : *at == '~' ? ~value
                            : value;
    }
    if (*at == '(') {
        expression->at++;
        const long long value = read_choice(expression);
        expression->is_wrong = *next(expression) != ')' || expression->is_wrong;
        expression->at += *expression->at != '\0';
        return value;
    }
    expression->is_wrong = !red_is_word_char(*at) || expression->is_wrong;
    expression->at += word_bytes(at);
    return isdigit((unsigned char)*at) ? (long long)strtoull(at, NULL, 0) : 0;
}

static long long operate(const char *sign, long long a, long long b) {
    switch (sign[0]) {
    case '|':
        return sign[1] == '|' ? a || b : a | b;
    case '&':
        return sign[1] == '&' ? a && b : a & b;
    case '^':
        return a ^ b;
    case '=':
        return a == b;
    case '!':
        return a != b;
    case '<':
        return sign[1] == '<'   ? (long long)((unsigned long long)a << (b & 63))
               : sign[1] == '=' ? a <= b
                                : a < b;
    case '>':
        return sign[1] == '>' ? a >> (b & 63) : sign[1] == '=' ? a >= b : a > b;
    case '+':
        return (long long)((unsigned long long)a + (unsigned long long)b);
    case '-':
        return (long long)((unsigned long long)a - (unsigned long long)b);
    case '*':
        return (long long)((unsigned long long)a * (unsigned long long)b);
    case '/':
        return b == 0 ? 0 : b == -1 ? (long long)(0 - (unsigned long long)a) : a / b;
    default:
        return b == 0 || b == -1 ? 0 : a % b;
    }
}

/* Operators of at least this strength. */
static long long read_operators(struct expression *expression, int least) {
    long long value = read_value(expression);
    for (;;) {
        const struct operator* found = NULL;
        const char *at = next(expression);
        for (size_t i = 0; i < sizeof operators / sizeof operators[0] && found == NULL; i++)
            if (strncmp(at, operators[i].sign, strlen(operators[i].sign)) == 0)
                found = &operators[i];
        if (found == NULL || found->strength < least)
            return value;
        expression->at += strlen(found->sign);
        value = operate(found->sign, value, read_operators(expression, found->strength + 1));
    }
}

static long long read_choice(struct expression *expression) {
    const long long decides = read_operators(expression, 1);
    if (*next(expression) != '?')
        return decides;
    expression->at++;
    const long long yes = read_choice(expression);
    expression->is_wrong = *next(expression) != ':' || expression->is_wrong;
    expression->at += *expression->at != '\0';
    const long long no = read_choice(expression);
    return decides ? yes : no;
}

bool red_expression_read(const char *text, long long *value) {
    struct expression expression = {.at = text};
    *value = read_choice(&expression);
    return !expression.is_wrong && *next(&expression) == '\0';
}

bool red_condition_read(struct red_macros *macros, const char *at, size_t n, long long *value) {
    const struct spelling all = {macros, true, NULL, NULL};
    char *asked = NULL;
    size_t bytes;
    FILE *out = red_memstream_open(&asked, &bytes);
    for (const char *const end = at + n; out != NULL && at < end;) {
        const size_t word = word_bytes(at), comment = red_comment_bytes(at);
        if (word != 7 || strncmp(at, "defined", word) != 0) {
            fwrite(at, 1, comment > 0 ? 0 : word > 0 ? word : 1, out);
            at += comment > 0 ? comment : word > 0 ? word : 1;
            continue;
        }
        at += word + strspn(at + word, " ");
        const bool opens = *at == '(';
        at += opens ? 1 + strspn(at + 1, " ") : 0;
        fputs(find(macros, at, word_bytes(at)) != NULL ? "1" : "0", out);
        at += word_bytes(at);
        at += opens ? strspn(at, " ") + 1 : 0;
    }
    if (out == NULL || !red_memstream_close(out, &asked)) {
        macros->has_failed = true;
        return true;
    }
    char *text = make_spelled(&all, asked, strlen(asked));
    const bool is_right = text == NULL || red_expression_read(text, value);
    free(asked);
    free(text);
    return is_right;
}
