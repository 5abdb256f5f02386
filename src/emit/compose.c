/* Makes the kernel text of `emit` of the program text's own parts: conditions are decided, what the kernel
 * does not reach is left out, and all else stays as the files of lib/ and the kernel have it, in their order.
 * Macros that only stand for names are spelled out (macros.c); those that compute stay macros. emit.c and
 * reproduction.c call it; the user sees the text as NAME.cl, and as strings in NAME.c. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "emit/emit_private.h"

/* ---- conditions ---------------------------------------------------------------------------------------- */

enum { NESTED_MAX = 32, WORD_BYTES = 64 };

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
    long long value = 0;
    char name[WORD_BYTES];
    const char *stop = at += strspn(at, " \t");
    if (strncmp(word, "ifdef", 5) != 0 && strncmp(word, "ifndef", 6) != 0) {
        if (!red_condition_read(choice->macros, at, (size_t)(end - at), &value))
            choice->wrong = word;
        return value != 0;
    }
    while (red_is_word_char(*stop))
        stop++;
    snprintf(name, sizeof name, "%.*s", (int)(stop - at), at);
    return (red_macros_find(choice->macros, name) != NULL) == (word[2] == 'd');
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
    size_t word_n = 0;
    word += is_directive ? 1 + strspn(word + 1, " \t") : 0;
    while (is_directive && red_is_word_char(word[word_n]))
        word_n++;
    if ((is_directive && take_condition(choice, word, word_n, end)) || !is_taken ||
        strncmp(line, "//@", 3) == 0 || (is_directive && strncmp(word, "line", 4) == 0))
        return;
    const char *name = word + word_n + strspn(word + word_n, " \t");
    size_t name_n = 0;
    while (red_is_word_char(name[name_n]))
        name_n++;
    if (is_directive && strncmp(word, "define", word_n) == 0)
        red_macros_define(choice->macros, name, end);
    else if (is_directive && strncmp(word, "undef", word_n) == 0)
        red_macros_undefine(choice->macros, name, name_n);
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

/* ---- what drivers decide ------------------------------------------------------------------------------- */

/* Whether a driver may define a macro of that name, and the word's file does not: the names of clang, of
 * extensions and of PoCL. Those that choose_lines defines are the same everywhere. */
static bool is_drivers_macro(const char *text, const char *word) {
    static const char *const begins[] = {"__", "cl_", "CL_", "POCL", "FP_FAST_"};
    static const char *const ours[] = {"__OPENCL_C_VERSION__", "cl_khr_int64_base_atomics",
                                       "cl_khr_int64_extended_atomics"};
    char defined[WORD_BYTES + 8];
    bool may_define = false;
    for (size_t i = 0; i < sizeof begins / sizeof begins[0]; i++)
        may_define = may_define || strncmp(word, begins[i], strlen(begins[i])) == 0;
    for (size_t i = 0; i < sizeof ours / sizeof ours[0]; i++)
        may_define = may_define && strcmp(word, ours[i]) != 0;
    snprintf(defined, sizeof defined, "define %s", word);
    return may_define && strstr(text, defined) == NULL;
}

/* Whether nothing but #pragma stands before the #endif: the lines below a condition. */
static bool is_about_pragmas(const char *lines) {
    for (;;) {
        lines += strspn(lines, " \t\n");
        if (strncmp(lines, "#pragma", 7) != 0)
            return strncmp(lines, "#endif", 6) == 0;
        lines += strcspn(lines, "\n");
    }
}

bool red_emit_asks_driver(const char *text, char *name, size_t name_bytes) {
    for (const char *line = text, *end; *line != '\0'; line = end + (*end == '\n')) {
        const char *at = line + strspn(line, " \t");
        end = line + strcspn(line, "\n");
        at += *at == '#' ? 1 + strspn(at + 1, " \t") : 0;
        bool is_condition = at > line && (strncmp(at, "if", 2) == 0 || strncmp(at, "elif", 4) == 0);
        is_condition = is_condition && !is_about_pragmas(end);
        for (; is_condition && at < end; at++) {
            size_t n = 0;
            while (red_is_word_char(at[n]))
                n++;
            snprintf(name, name_bytes, "%.*s", (int)n, at);
            if (n > 0 && is_drivers_macro(text, name))
                return true;
            at += n > 0 ? n - 1 : 0;
        }
    }
    return false;
}

/* ---- pieces -------------------------------------------------------------------------------------------- */

enum { WIDTHS_N = 17 };

/* A part of the text, spelled; of a macro for vectors, which is written once for each width that is used. */
struct piece {
    struct red_part part;
    const struct red_macro *macro; /* NULL: it is none */
    int width_at;                  /* which parameter of the macro is the width; -1: none */
    char *text[WIDTHS_N];          /* owned; [0] without a width */
};

struct pieces {
    struct red_macros *macros;
    struct piece *all;
    size_t n;
    bool has_failed;       /* memory */
    char left[WORD_BYTES]; /* a macro for vectors whose width is no number */
};

/* Writes the head of a macro's definition, without the parameter for the width, which is part of its name. */
static void put_define(FILE *out, const struct piece *piece, int width) {
    const struct red_macro *macro = piece->macro;
    const char *before = "(";
    fprintf(out, "#define %s%d", macro->name, width);
    for (int i = 0; i < macro->parameters_n; i++) {
        if (i == piece->width_at)
            continue;
        fprintf(out, "%s%s", before, macro->parameters[i]);
        before = ", ";
    }
    fputs(*before == ',' ? ")" : "", out);
}

/* Writes the text with the number in place of the word "w". */
static void put_with_width(FILE *out, const char *at, const char *end, int width) {
    for (const char *begin = at; at < end;) {
        const bool is_call = at > begin && (red_is_word_char(at[-1]) || at[-1] == ')' || at[-1] == ']');
        if (strncmp(at, "(w)", 3) == 0 && !is_call) {
            fprintf(out, "%d", width);
            at += 3;
            continue;
        }
        const char *word = at;
        while (at < end && red_is_word_char(*at))
            at++;
        if (at - word == 1 && *word == 'w')
            fprintf(out, "%d", width);
        else
            fwrite(word, 1, at > word ? (size_t)(at - word) : 1, out);
        at += at == word;
    }
}

/* Writes a definition: its head, and its body spelled. */
static void put_macro(FILE *out, struct pieces *pieces, const struct piece *piece, int width) {
    const char *const end = piece->part.at + piece->part.n, *at = piece->part.at + strlen("#define");
    at += strspn(at, " \t");
    at += strlen(piece->macro->name);
    if (*at == '(')
        at = red_find_closing(at) + 1;
    if (width > 0)
        put_define(out, piece, width);
    else
        fprintf(out, "%.*s", (int)(at - piece->part.at), piece->part.at);
    at += strspn(at, " \t");
    fputs(at < end ? " " : "", out);
    if (width == 0) {
        red_macros_put_spelled(out, pieces->macros, piece->macro, at, (size_t)(end - at));
        return;
    }
    char *body = NULL;
    size_t bytes;
    FILE *filled = red_memstream_open(&body, &bytes);
    if (filled != NULL)
        put_with_width(filled, at, end, width);
    if (filled == NULL || !red_memstream_close(filled, &body)) {
        pieces->has_failed = true;
        return;
    }
    red_macros_put_spelled(out, pieces->macros, piece->macro, body, strlen(body));
    free(body);
}

/* Writes code: what its lines define is not replaced, and a line of which nothing is left is left out. */
static void put_code(FILE *out, struct pieces *pieces, const struct red_part *part) {
    const char *const end = part->at + part->n, *from = part->at;
    for (const char *at = from; at <= end; at++) {
        const bool defines =
            *at == '#' && strncmp(at, "#define", 7) == 0 && (at == part->at || at[-1] == '\n');
        if (at < end && !defines)
            continue;
        red_macros_put_spelled(out, pieces->macros, NULL, from, (size_t)(at - from));
        if (at == end)
            return;
        struct piece inner = {.part = {.at = at, .n = red_line_bytes(at)}, .width_at = -1};
        char name[WORD_BYTES];
        const char *word = at + 7 + strspn(at + 7, " \t");
        size_t n = 0;
        while (red_is_word_char(word[n]))
            n++;
        snprintf(name, sizeof name, "%.*s", (int)n, word);
        inner.macro = red_macros_find(pieces->macros, name);
        if (inner.macro == NULL)
            fwrite(at, 1, inner.part.n, out);
        else if (!red_macro_is_name(pieces->macros, inner.macro))
            put_macro(out, pieces, &inner, 0);
        at = from = at + inner.part.n;
        at--;
    }
}

/* Takes out lines of blanks, and all but one blank before a backslash at a line's end. */
static void tidy_lines(char *text) {
    char *to = text, *line = text;
    for (const char *at = text; *at != '\0'; at++) {
        if (*at == '\n' || (*at == '\\' && at[1] == '\n')) {
            while (to > line && to[-1] == ' ')
                to--;
            const bool is_blank = to == line && at > text && at[-1] == ' ';
            if (*at == '\n' && is_blank)
                continue;
            if (*at == '\\')
                *to++ = ' ';
        }
        *to++ = *at;
        line = *at == '\n' ? to : line;
    }
    *to = '\0';
}

/* Makes the piece's text for a width, or without one. */
static void spell(struct pieces *pieces, struct piece *piece, int width) {
    char *made = NULL;
    size_t bytes;
    FILE *out = red_memstream_open(&made, &bytes);
    const bool stays = piece->part.is_comment || (piece->part.at[0] == '#' && piece->macro == NULL);
    if (out != NULL && stays)
        fwrite(piece->part.at, 1, piece->part.n, out);
    else if (out != NULL && piece->macro != NULL)
        put_macro(out, pieces, piece, width);
    else if (out != NULL)
        put_code(out, pieces, &piece->part);
    if (out == NULL || !red_memstream_close(out, &made)) {
        pieces->has_failed = true;
        return;
    }
    tidy_lines(made);
    piece->text[width] = made;
}

/* Splits the text, and spells what has no width. */
static bool make_pieces(struct pieces *pieces, const char *text) {
    struct red_part *parts = calloc(RED_PARTS_MAX, sizeof *parts);
    pieces->n = parts != NULL ? red_parts_split(text, parts) : 0;
    pieces->all = parts != NULL ? calloc(pieces->n + 1, sizeof *pieces->all) : NULL;
    for (size_t i = 0; i < pieces->n && pieces->all != NULL; i++) {
        struct piece *piece = &pieces->all[i];
        *piece = (struct piece){.part = parts[i], .width_at = -1};
        if (strncmp(piece->part.at, "#define", 7) == 0)
            piece->macro = red_macros_find(pieces->macros, piece->part.name);
        if (piece->macro != NULL)
            piece->width_at = red_macro_width_parameter(pieces->macros, piece->macro);
        if (piece->width_at < 0)
            spell(pieces, piece, 0);
        const char *made = piece->text[0];
        if (made != NULL && piece->part.at[0] != '#' && !piece->part.is_comment) {
            red_part_set_name(&piece->part, made, strlen(made));
            piece->part.is_kernel = strncmp(made, "kernel ", 7) == 0 || strncmp(made, "__kernel ", 9) == 0;
        }
    }
    free(parts);
    return pieces->all != NULL && !pieces->has_failed;
}

static void pieces_clear(struct pieces *pieces) {
    for (size_t i = 0; i < pieces->n && pieces->all != NULL; i++)
        for (size_t w = 0; w < WIDTHS_N; w++)
            free(pieces->all[i].text[w]);
    free(pieces->all);
}

/* ---- what the kernel reaches --------------------------------------------------------------------------- */

static void mark_words(struct pieces *pieces, const char *text);

/* Marks the piece as used; of a macro for vectors, for this width. */
static void mark(struct pieces *pieces, struct piece *piece, int width) {
    if (width == 0 && piece->part.is_used)
        return;
    piece->part.is_used = true;
    if (width > 0 && piece->text[width] != NULL)
        return;
    if (width > 0)
        spell(pieces, piece, width);
    if (piece->text[width] != NULL)
        mark_words(pieces, piece->text[width]);
}

/* Marks all that the word names: a part, a macro for vectors with a width behind its name, or a constant. */
static void mark_word(struct pieces *pieces, const char *word) {
    for (size_t i = 0; i < pieces->n; i++) {
        struct piece *piece = &pieces->all[i];
        const size_t n = strlen(piece->part.name);
        if (n == 0 || piece->part.is_comment)
            continue;
        const bool is_it = strcmp(piece->part.name, word) == 0;
        if (piece->width_at >= 0 && strncmp(piece->part.name, word, n) == 0) {
            const int width = is_it ? 0 : atoi(word + n);
            if (is_it)
                snprintf(pieces->left, sizeof pieces->left, "%s", word);
            if (width > 0 && width < WIDTHS_N && word[n + strspn(word + n, "0123456789")] == '\0')
                mark(pieces, piece, width);
        } else if (is_it || (strncmp(piece->part.at, "enum", 4) == 0 &&
                             red_has_word(piece->part.at, piece->part.n, word))) {
            mark(pieces, piece, 0);
        }
    }
}

/* Marks what a name that ## makes may be: all that begins with the word before it, or ends with that behind.
 */
static void mark_joined(struct pieces *pieces, const char *before, size_t before_n, const char *after,
                        size_t after_n) {
    for (size_t i = 0; i < pieces->n; i++) {
        const char *name = pieces->all[i].part.name;
        const size_t n = strlen(name);
        if (pieces->all[i].width_at < 0 && !pieces->all[i].part.is_comment &&
            ((before_n > 0 && n > before_n && strncmp(name, before, before_n) == 0) ||
             (after_n > 0 && n > after_n && strncmp(name + n - after_n, after, after_n) == 0)))
            mark(pieces, &pieces->all[i], 0);
    }
}

/* Marks all that the text names. */
static void mark_words(struct pieces *pieces, const char *text) {
    for (const char *at = text; *at != '\0';) {
        const size_t comment = red_comment_bytes(at);
        char word[WORD_BYTES];
        size_t n = 0;
        while (comment == 0 && red_is_word_char(at[n]))
            n++;
        if (n > 0 && n < sizeof word && !isdigit((unsigned char)*at)) {
            const char *after = at + n + 2;
            size_t after_n = 0;
            const bool is_member = at > text && at[-1] == '.';
            while (strncmp(at + n, "##", 2) == 0 && red_is_word_char(after[after_n]))
                after_n++;
            snprintf(word, sizeof word, "%.*s", (int)n, at);
            mark_word(pieces, word);
            if (after_n > 0) /* a parameter is a short word */
                mark_joined(pieces, at, is_member || n < 3 ? 0 : n, after, after_n < 3 ? 0 : after_n);
        }
        at += comment > 0 ? comment : n > 0 ? n : 1;
    }
}

/* Whether the macros of which a comment speaks are in the text. */
static bool is_about_what_is_there(const struct pieces *pieces, const struct red_part *comment) {
    for (const char *at = comment->at; at < comment->at + comment->n; at++) {
        char word[WORD_BYTES];
        size_t n = 0, k = 0;
        while (red_is_word_char(at[n]))
            n++;
        snprintf(word, sizeof word, "%.*s", (int)n, at);
        while (k < pieces->n && strcmp(pieces->all[k].part.name, word) != 0)
            k++;
        if (strncmp(word, "RED_", 4) == 0 && (k == pieces->n || !pieces->all[k].part.is_used))
            return false;
        at += n > 0 ? n - 1 : 0;
    }
    return true;
}

/* Whether a directive other than a macro is needed: of extensions for atomics where these are called. In 1.2
 * they are for functions of 64 bits, which have names of their own. */
static bool is_needed(const struct pieces *pieces, const struct red_part *directive, bool is_new) {
    const char *begin = is_new ? "atom" : "atom_";
    if (strstr(directive->at, "cl_khr_int64_") == NULL ||
        strstr(directive->at, "cl_khr_int64_") > directive->at + directive->n)
        return true;
    for (size_t i = 0; i < pieces->n; i++)
        for (size_t w = 0; w < WIDTHS_N; w++)
            if (pieces->all[i].part.is_used && !pieces->all[i].part.is_comment &&
                pieces->all[i].part.at[0] != '#' && pieces->all[i].text[w] != NULL &&
                strstr(pieces->all[i].text[w], begin) != NULL)
                return true;
    return false;
}

static void mark_used(struct pieces *pieces, bool is_new) {
    for (size_t i = 0; i < pieces->n; i++) {
        struct piece *piece = &pieces->all[i];
        if (piece->part.is_kernel || (piece->part.is_used && piece->part.at[0] != '#')) {
            piece->part.is_used = false;
            mark(pieces, piece, 0);
        }
    }
    for (size_t i = 0; i < pieces->n; i++)
        if (pieces->all[i].part.at[0] == '#' && pieces->all[i].part.name[0] == '\0')
            pieces->all[i].part.is_used = is_needed(pieces, &pieces->all[i].part, is_new);
    for (size_t i = 0; i + 1 < pieces->n; i++) {
        const struct red_part *next = &pieces->all[i + 1].part;
        if (pieces->all[i].part.is_comment)
            pieces->all[i].part.is_used = !next->is_comment && next->name[0] != '\0' && next->is_used &&
                                          is_about_what_is_there(pieces, &pieces->all[i].part);
    }
}

/* ---- writing ------------------------------------------------------------------------------------------- */

/* Writes the pieces that are used. A blank line stands before a comment and a function; between macros only
 * where the files have one. */
static void put_used(FILE *out, const struct pieces *pieces, const char *text) {
    const struct piece *last = NULL;
    for (size_t i = 0; i < pieces->n; i++) {
        const struct piece *piece = &pieces->all[i];
        if (!piece->part.is_used)
            continue;
        const bool follows_macro = last != NULL && last->part.at[0] == '#' && piece->part.at[0] == '#';
        const bool has_gap = piece->part.at - text > 1 && strncmp(piece->part.at - 2, "\n\n", 2) == 0;
        if (last != NULL && !last->part.is_comment && (!follows_macro || has_gap))
            fputc('\n', out);
        for (size_t w = 0; w < WIDTHS_N; w++)
            if (piece->text[w] != NULL)
                fprintf(out, "%s\n", piece->text[w]);
        last = piece;
    }
}

enum red_status red_emit_compose(const struct red_build_spec *build, char **made, struct red_error *error) {
    struct red_macros macros = {.n = 0};
    struct pieces pieces = {.macros = &macros};
    char *source = NULL, *text = NULL;
    size_t bytes;
    enum red_status status = red_source_text(build, &source, error);
    if (status == RED_OK)
        status = choose_lines(build, source, &macros, &text, error);
    if (status == RED_OK && make_pieces(&pieces, text))
        mark_used(&pieces, build->strategy->standard == RED_STANDARD_CL20);
    else if (status == RED_OK)
        status = red_fail(error, RED_E_MEMORY, "no memory for a kernel");
    FILE *out = status == RED_OK ? red_memstream_open(made, &bytes) : NULL;
    if (out != NULL)
        put_used(out, &pieces, text);
    if (status == RED_OK &&
        (out == NULL || !red_memstream_close(out, made) || pieces.has_failed || macros.has_failed))
        status = red_fail(error, RED_E_MEMORY, "no memory for a kernel");
    else if (status == RED_OK && pieces.left[0] != '\0')
        status =
            red_fail(error, RED_E_INPUT,
                     "the macros of %s cannot be resolved: the width of %s is no number; give it one, or "
                     "RED_WIDTH, or the parameter w of a macro",
                     build->strategy->name, pieces.left);
    pieces_clear(&pieces);
    red_macros_clear(&macros);
    free(source);
    free(text);
    return status;
}
