/* Makes the kernel text of `emit` of the program text's own parts: conditions are decided, what the kernel
 * does not reach is left out, and all else stays as the files of lib/ and the kernel have it, in their order.
 * Macros that only stand for other words are written out (macros.c); those that compute stay macros. emit.c
 * and reproduction.c call it; the user sees the text as NAME.cl, and as strings in NAME.c. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "emit/emit_private.h"

/* ---- expressions --------------------------------------------------------------------------------------- */

/* An operator between two values, its strength and its result; of several that begin alike the longest stands
 * first. */
#define WRAPPED(a, sign, b) (long long)((unsigned long long)(a)sign(unsigned long long)(b))
#define OPERATORS(X)                                                                                         \
    X("||", 1, a || b)                                                                                       \
    X("&&", 2, a &&b)                                                                                        \
    X("==", 6, a == b)                                                                                       \
    X("!=", 6, a != b)                                                                                       \
    X("<<", 8, WRAPPED(a, <<, b & 63))                                                                       \
    X(">>", 8, a >> (b & 63))                                                                                \
    X("<=", 7, a <= b)                                                                                       \
    X(">=", 7, a >= b)                                                                                       \
    X("|", 3, a | b)                                                                                         \
    X("^", 4, a ^ b)                                                                                         \
    X("&", 5, a &b)                                                                                          \
    X("<", 7, a < b)                                                                                         \
    X(">", 7, a > b)                                                                                         \
    X("+", 9, WRAPPED(a, +, b))                                                                              \
    X("-", 9, WRAPPED(a, -, b))                                                                              \
    X("*", 10, WRAPPED(a, *, b))                                                                             \
    X("/", 10, b == 0 ? 0 : b == -1 ? WRAPPED(0, -, a) : a / b)                                              \
    X("%", 10, b == 0 || b == -1 ? 0 : a % b)

#define SIGN(sign, strength, result)     sign,
#define STRENGTH(sign, strength, result) strength,
#define RESULT(sign, strength, result)   result,
static const char *const signs[] = {OPERATORS(SIGN)};
static const int strengths[] = {OPERATORS(STRENGTH)};
enum { OPERATORS_N = sizeof signs / sizeof signs[0] };

static long long operate(size_t i, long long a, long long b) {
    const long long results[] = {OPERATORS(RESULT)};
    return results[i];
}

struct expression {
    const struct red_macros *macros;
    const char *at;
    bool is_wrong;
};

static long long read_choice(struct expression *expression);

/* Whether this character comes next, behind blanks and comments, which are then passed. */
static bool pass(struct expression *expression, char c) {
    for (size_t n = 1; n > 0; expression->at += n)
        n = strspn(expression->at, " \t\v") + red_comment_bytes(expression->at);
    const bool is_it = *expression->at == c;
    expression->at += is_it;
    return is_it;
}

/* A number, a name, which is 0, or what stands between parentheses. */
static long long read_value(struct expression *expression) {
    if (pass(expression, '!'))
        return !read_value(expression);
    if (pass(expression, '-'))
        return WRAPPED(0, -, read_value(expression));
    if (pass(expression, '~'))
        return ~read_value(expression);
    if (pass(expression, '+'))
        return read_value(expression);
    if (pass(expression, '(')) {
        const long long value = read_choice(expression);
        expression->is_wrong = !pass(expression, ')') || expression->is_wrong;
        return value;
    }
    const char *at = expression->at;
    size_t n = red_word_bytes(at);
    expression->is_wrong = n == 0 || expression->is_wrong;
    expression->at += n;
    if (n != strlen("defined") || strncmp(at, "defined", n) != 0)
        return isdigit((unsigned char)*at) ? (long long)strtoull(at, NULL, 0) : 0;
    const bool opens = pass(expression, '(');
    pass(expression, ' ');
    at = expression->at;
    expression->at += n = red_word_bytes(at);
    expression->is_wrong = (opens && !pass(expression, ')')) || n == 0 || expression->is_wrong;
    return red_macros_find(expression->macros, at, n) != NULL;
}

/* Operators of at least this strength. */
static long long read_operators(struct expression *expression, int least) {
    long long value = read_value(expression);
    for (;;) {
        size_t i = 0;
        pass(expression, ' ');
        while (i < OPERATORS_N && strncmp(expression->at, signs[i], strlen(signs[i])) != 0)
            i++;
        if (i == OPERATORS_N || strengths[i] < least)
            return value;
        expression->at += strlen(signs[i]);
        value = operate(i, value, read_operators(expression, strengths[i] + 1));
    }
}

static long long read_choice(struct expression *expression) {
    const long long decides = read_operators(expression, 1);
    if (!pass(expression, '?'))
        return decides;
    const long long yes = read_choice(expression);
    expression->is_wrong = !pass(expression, ':') || expression->is_wrong;
    const long long no = read_choice(expression);
    return decides ? yes : no;
}

bool red_expression_read(const struct red_macros *macros, const char *text, long long *value) {
    struct expression expression = {.macros = macros, .at = text};
    *value = read_choice(&expression);
    return !expression.is_wrong && (pass(&expression, ' '), *expression.at == '\0');
}

/* ---- conditions ---------------------------------------------------------------------------------------- */

enum { NESTED_MAX = 32, WORD_BYTES = 64, INDENT = 4 };

/* An #if that is open. */
struct condition {
    bool is_outer_taken, is_taken, was_taken; /* what is around it, this branch, and a branch up to here */
    size_t written_n, kept_n;                 /* of the text before it, and without the comment at its end */
};

/* A text of which conditions choose lines. */
struct choice {
    struct red_macros *macros;
    char *made; /* has room for the whole text */
    size_t made_n;
    struct condition open[NESTED_MAX];
    int depth;
    const char *wrong; /* a line that cannot be decided */
};

/* How much of the text stands before the comment with which it ends; all of it if it ends with none. */
static size_t bytes_before_last_comment(const char *text, size_t n) {
    size_t begin = n;
    while (begin > 0 && text[begin - 1] == '\n')
        begin--;
    if (begin < 2 || strncmp(text + begin - 2, "*/", 2) != 0)
        return n;
    while (begin > 0 && strncmp(text + begin, "/*", 2) != 0)
        begin--;
    return begin == 0 || text[begin - 1] == '\n' ? begin : n;
}

/* Whether the condition behind #if, #ifdef, #ifndef or #elif holds. */
static bool decide(struct choice *choice, const char *word, const char *at, const char *end) {
    at += strspn(at, " \t");
    if (strncmp(word, "ifdef", 5) == 0 || strncmp(word, "ifndef", 6) == 0)
        return (red_macros_find(choice->macros, at, red_word_bytes(at)) != NULL) == (word[2] == 'd');
    long long value = 0;
    char *text = red_macros_make_text(choice->macros, true, at, (size_t)(end - at));
    if (text != NULL && !red_expression_read(choice->macros, text, &value))
        choice->wrong = word;
    free(text);
    return value != 0;
}

/* Opens, changes or closes a condition; false if the directive is none. `at` stands behind its word. */
static bool take_condition(struct choice *choice, const char *word, size_t n, const char *end) {
    struct condition *top = choice->depth > 0 ? &choice->open[choice->depth - 1] : NULL;
    const bool opens = strncmp(word, "if", 2) == 0, turns = strncmp(word, "el", 2) == 0,
               closes = n == 5 && strncmp(word, "endif", n) == 0;
    if (!opens && !turns && !closes)
        return false;
    if ((opens && choice->depth == NESTED_MAX) || (!opens && top == NULL)) {
        choice->wrong = word;
        return true;
    }
    if (opens) {
        const bool is_outer_taken = top == NULL || top->is_taken;
        const bool holds = is_outer_taken && decide(choice, word, word + n, end);
        choice->open[choice->depth++] =
            (struct condition){is_outer_taken, holds, holds, choice->made_n,
                               bytes_before_last_comment(choice->made, choice->made_n)};
    } else if (turns) {
        top->is_taken = top->is_outer_taken && !top->was_taken &&
                        (n == 4 && word[2] == 's' ? true : decide(choice, word, word + n, end));
        top->was_taken = top->was_taken || top->is_taken;
    } else {
        /* Where nothing is left of it, nothing is of the comment before it. */
        if (choice->made_n == top->written_n)
            choice->made_n = top->kept_n;
        choice->depth--;
    }
    return true;
}

/* Writes the line, unless a condition leaves it out, or nobody reads it: #line, and a manifest's lines. */
static void take_line(struct choice *choice, const char *line, size_t n) {
    const char *const end = line + n, *word = line + strspn(line, " \t");
    const bool is_directive = *word == '#';
    const bool is_taken = choice->depth == 0 || choice->open[choice->depth - 1].is_taken;
    word += is_directive ? 1 + strspn(word + 1, " \t") : 0;
    const size_t word_n = is_directive ? red_word_bytes(word) : 0;
    if ((is_directive && take_condition(choice, word, word_n, end)) || !is_taken ||
        strncmp(line, "//@", 3) == 0 || (is_directive && strncmp(word, "line", 4) == 0))
        return;
    const char *name = word + word_n + strspn(word + word_n, " \t");
    if (is_directive && strncmp(word, "define", word_n) == 0)
        red_macros_define(choice->macros, name, end);
    else if (is_directive && strncmp(word, "undef", word_n) == 0)
        red_macros_undefine(choice->macros, name, red_word_bytes(name));
    else if (is_directive && strncmp(word, "error", word_n) == 0)
        choice->wrong = word;
    memcpy(choice->made + choice->made_n, line, n);
    choice->made_n += n + 1;
    choice->made[choice->made_n - 1] = '\n';
}

/* Makes the text without conditions, and fills in the table of its macros. */
static enum red_status choose_lines(const struct red_build_spec *build, const char *text,
                                    struct red_macros *macros, char **made, struct red_error *error) {
    static const char *const everywhere[] = {"cl_khr_int64_base_atomics 1",
                                             "cl_khr_int64_extended_atomics 1"};
    const char *version = build->strategy->standard == RED_STANDARD_CL20 ? "__OPENCL_C_VERSION__ 200"
                                                                         : "__OPENCL_C_VERSION__ 120";
    struct choice *choice = calloc(1, sizeof *choice);
    if (choice == NULL || (choice->made = malloc(strlen(text) + 2)) == NULL) {
        free(choice);
        return red_fail(error, RED_E_MEMORY, "no memory for a kernel");
    }
    choice->macros = macros;
    red_macros_define(macros, version, version + strlen(version));
    for (size_t i = 0; i < sizeof everywhere / sizeof everywhere[0]; i++)
        red_macros_define(macros, everywhere[i], everywhere[i] + strlen(everywhere[i]));
    for (size_t n; *text != '\0' && choice->wrong == NULL; text += n + (text[n] == '\n')) {
        n = red_line_bytes(text);
        take_line(choice, text, n);
    }
    const char *wrong = choice->wrong;
    choice->made[choice->made_n] = '\0';
    *made = choice->made;
    free(choice);
    if (wrong != NULL)
        return red_fail(error, RED_E_INPUT, "the conditions of %s cannot be decided: #%.*s",
                        build->strategy->name, (int)strcspn(wrong, "\n"), wrong);
    return !macros->has_failed ? RED_OK : red_fail(error, RED_E_MEMORY, "no memory for a kernel");
}

/* ---- a text with macros written out -------------------------------------------------------------------- */

struct program {
    struct red_macros *macros;
    struct red_part *parts; /* of the text in which macros are written out */
    size_t n;
    char left[WORD_BYTES]; /* a name of the contract that nothing in the text defines */
};

/* Writes the text without lines of blanks. Where a macro of several lines was written out, marked by \v, they
 * begin where the line of its call does. */
static void put_tidy(FILE *out, const char *text) {
    size_t indent = 0;
    for (const char *line = text, *next; *line != '\0'; line = next) {
        const size_t n = strcspn(line, "\n\v"), blanks = strspn(line, " ");
        const bool is_inner = line > text && line[-1] == '\v';
        next = line + n + (line[n] != '\0');
        if (blanks == n && n > 0)
            continue;
        indent = is_inner ? indent : blanks;
        const size_t skipped = !is_inner ? 0 : blanks < INDENT ? blanks : INDENT;
        fprintf(out, "%*s%.*s%s", is_inner ? (int)indent : 0, "", (int)(n - skipped), line + skipped,
                line[n] != '\0' ? "\n" : "");
    }
}

/* ---- what the kernel reaches --------------------------------------------------------------------------- */

/* Marks the part as used, and all that it names: other parts, and an enumeration by its constants. */
static void mark(struct program *program, struct red_part *used) {
    used->is_used = true;
    for (const char *at = used->at; at < used->at + used->n;) {
        const size_t comment = red_comment_bytes(at), n = comment > 0 ? 0 : red_word_bytes(at);
        char word[WORD_BYTES];
        snprintf(word, sizeof word, "%.*s", (int)n, at);
        bool is_found = strstr(word, "RED_") == NULL || red_macros_find(program->macros, at, n) != NULL;
        for (size_t i = 0; i < program->n && n > 0; i++) {
            struct red_part *part = &program->parts[i];
            const bool is_it = strcmp(part->name, word) == 0 ||
                               (strncmp(part->at, "enum", 4) == 0 && red_has_word(part->at, part->n, word));
            is_found = is_found || is_it;
            if (is_it && !part->is_used)
                mark(program, part);
        }
        if (!is_found)
            snprintf(program->left, sizeof program->left, "%s", word);
        at += comment > 0 ? comment : n > 0 ? n : 1;
    }
}

/* Whether the macros of which a comment speaks are in the text. */
static bool is_about_what_is_there(const struct program *program, const struct red_part *comment) {
    for (const char *at = comment->at; at < comment->at + comment->n; at++) {
        const size_t n = red_word_bytes(at);
        bool is_there = strncmp(at, "RED_", 4) != 0;
        for (size_t i = 0; i < program->n && !is_there; i++)
            is_there = program->parts[i].is_used && strlen(program->parts[i].name) == n &&
                       strncmp(program->parts[i].name, at, n) == 0;
        if (!is_there)
            return false;
        at += n > 0 ? n - 1 : 0;
    }
    return true;
}

/* Whether a directive other than a macro is needed: of extensions for atomics where these are called. In 1.2
 * they are for functions of 64 bits, which have names of their own. */
static bool is_needed(const struct program *program, const struct red_part *directive, bool is_new) {
    bool is_called = strncmp(directive->at, "#pragma OPENCL EXTENSION cl_khr_int64_", 38) != 0;
    for (size_t i = 0; i < program->n && !is_called; i++) {
        const struct red_part *part = &program->parts[i];
        const char *found = strstr(part->at, is_new ? "atom" : "atom_");
        is_called = part->is_used && part->name[0] != '\0' && found != NULL && found < part->at + part->n;
    }
    return is_called;
}

static void mark_used(struct program *program, bool is_new) {
    for (size_t i = 0; i < program->n; i++)
        if (program->parts[i].is_kernel || (program->parts[i].is_used && program->parts[i].at[0] != '#'))
            mark(program, &program->parts[i]);
    for (size_t i = 0; i < program->n; i++)
        if (program->parts[i].at[0] == '#' && program->parts[i].name[0] == '\0')
            program->parts[i].is_used = is_needed(program, &program->parts[i], is_new);
    for (size_t i = 0; i + 1 < program->n; i++) {
        const struct red_part *next = &program->parts[i + 1];
        if (program->parts[i].is_comment)
            program->parts[i].is_used = !next->is_comment && next->name[0] != '\0' && next->is_used &&
                                        is_about_what_is_there(program, &program->parts[i]);
    }
}

/* ---- writing ------------------------------------------------------------------------------------------- */

/* Writes the parts that are used. A blank line stands before a comment and a function; between macros only
 * where the files have one. */
static void put_used(FILE *out, const struct program *program) {
    const struct red_part *last = NULL;
    for (size_t i = 0; i < program->n; i++) {
        const struct red_part *part = &program->parts[i];
        if (!part->is_used)
            continue;
        const bool follows_macro = last != NULL && last->at[0] == '#' && part->at[0] == '#';
        const bool has_gap = i > 0 && strncmp(part->at - 2, "\n\n", 2) == 0;
        if (last != NULL && !last->is_comment && (!follows_macro || has_gap))
            fputc('\n', out);
        fprintf(out, "%.*s\n", (int)part->n, part->at);
        last = part;
    }
}

/* Makes the text with macros written out, and the lines in order. */
static char *make_written_out(struct red_macros *macros, const char *text) {
    char *made = NULL, *written = red_macros_make_text(macros, false, text, strlen(text));
    size_t bytes;
    FILE *out = written != NULL ? red_memstream_open(&made, &bytes) : NULL;
    if (out != NULL)
        put_tidy(out, written);
    free(written);
    return out != NULL && red_memstream_close(out, &made) ? made : NULL;
}

/* Writes what the kernel reaches of a text without conditions. */
static enum red_status put_reached(FILE *out, const struct red_build_spec *build, struct red_macros *macros,
                                   const char *text, struct red_error *error) {
    struct program program = {.macros = macros, .parts = calloc(RED_PARTS_MAX, sizeof *program.parts)};
    char *written = make_written_out(macros, text);
    enum red_status status = RED_OK;
    if (program.parts == NULL || written == NULL || macros->has_failed) {
        status = red_fail(error, RED_E_MEMORY, "no memory for a kernel");
    } else {
        program.n = red_parts_split(written, program.parts);
        mark_used(&program, build->strategy->standard == RED_STANDARD_CL20);
        put_used(out, &program);
    }
    if (program.left[0] != '\0')
        status = red_fail(error, RED_E_INPUT, "the macros of %s cannot be resolved: nothing defines %s",
                          build->strategy->name, program.left);
    free(program.parts);
    free(written);
    return status;
}

enum red_status red_emit_compose(const struct red_build_spec *build, char **made, struct red_error *error) {
    struct red_macros macros = {.n = 0};
    char *source = NULL, *text = NULL;
    size_t bytes;
    enum red_status status = red_source_text(build, &source, error);
    if (status == RED_OK)
        status = choose_lines(build, source, &macros, &text, error);
    FILE *out = status == RED_OK ? red_memstream_open(made, &bytes) : NULL;
    if (out != NULL)
        status = put_reached(out, build, &macros, text, error);
    if (status == RED_OK && out == NULL)
        status = red_fail(error, RED_E_MEMORY, "no memory for a kernel");
    if (out != NULL && !red_memstream_close(out, made) && status == RED_OK)
        status = red_fail(error, RED_E_MEMORY, "no memory for a kernel");
    red_macros_clear(&macros);
    free(source);
    free(text);
    return status;
}
