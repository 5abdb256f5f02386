#define _POSIX_C_SOURCE 200809L /* strdup */
/* Makes the kernel text of `emit`: mcpp resolves the macros, unused code goes, names lose this project's
 * prefix, and lines are broken (emit/tidy.c does blanks and parentheses). emit/emit.c calls it; the user sees
 * the text as NAME.cl, and as strings in NAME.c. */
#include <errno.h>
#include <fcntl.h>
#include <mcpp_lib.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/file.h"
#include "core/interrupt.h"
#include "core/memory.h"
#include "core/spawn.h"
#include "emit/private.h"

enum { WORD_BYTES = 64 };

/* ---- renaming ------------------------------------------------------------------------------------------ */

/* Gives one program text's word another name; NULL: it keeps its own. */
typedef const char *rename_word(const void *names, const char *word, char *room, size_t room_bytes);

/* Writes the text with words renamed. A word that has no room in the buffer stays. */
static void put_renamed(FILE *out, const char *at, size_t n, rename_word *rename, const void *names) {
    char word[WORD_BYTES], room[2 * WORD_BYTES];
    for (const char *end = at + n; at < end;) {
        size_t length = 0;
        while (at + length < end && red_is_word_char(at[length]))
            length++;
        snprintf(word, sizeof word, "%.*s", (int)length, at);
        const char *other =
            length > 0 && length < sizeof word ? rename(names, word, room, sizeof room) : NULL;
        if (other != NULL)
            fputs(other, out);
        else
            fwrite(at, 1, length > 0 ? length : 1, out);
        at += length > 0 ? length : 1;
    }
}

/* Closes the stream, whose buffer is *made, and puts what it holds in the place of the text. */
static enum red_status replace_text(char **text, FILE *out, char **made, struct red_error *error) {
    if (!red_memstream_close(out, made))
        return red_fail(error, RED_E_MEMORY, "no memory for a kernel");
    free(*text);
    *text = *made;
    return RED_OK;
}

/* A rename_word: "red_pair" is "pair" in NAME.cl, "pair_" where the code, which is `names` here, has that
 * name already; NULL where it has both. */
static const char *without_prefix(const void *code, const char *word, char *room, size_t room_bytes) {
    /* "rank" is a local name of the functions that find it, and "x" of those that convert a value. */
    static const struct {
        const char *ours, *others;
    } prefixes[] = {{"red_rank", "rank_of"}, {"red_x", "in_x"}, {"red_y", "in_y"}, {"red_", ""}};
    for (size_t i = 0; i < sizeof prefixes / sizeof prefixes[0]; i++) {
        const size_t n = strlen(prefixes[i].ours);
        if (strncmp(word, prefixes[i].ours, n) != 0)
            continue;
        snprintf(room, room_bytes, "%s%s", prefixes[i].others, word + n);
        if (red_has_word(code, strlen(code), room))
            snprintf(room, room_bytes, "%s%s_", prefixes[i].others, word + n);
        return red_has_word(code, strlen(code), room) ? NULL : room;
    }
    return NULL;
}

enum red_status red_emit_drop_prefix(char **text, struct red_error *error) {
    char *made = NULL, *code = strdup(*text);
    size_t bytes = 0;
    FILE *out = code ? red_memstream_open(&made, &bytes) : NULL;
    if (out == NULL) {
        free(code);
        return red_fail(error, RED_E_MEMORY, "no memory for a kernel");
    }
    for (char *at = code; *at != '\0'; at++) /* in comments any word may stand */
        memset(at, ' ', red_comment_bytes(at));
    put_renamed(out, *text, strlen(*text), without_prefix, code);
    free(code);
    return replace_text(text, out, &made, error);
}

/* ---- two texts in one ---------------------------------------------------------------------------------- */

struct joined_parts {
    struct red_part first[RED_PARTS_MAX], second[RED_PARTS_MAX];
    bool is_shared[RED_PARTS_MAX]; /* of the second: the first text has it */
    size_t first_n, second_n;
    const char *suffix;
};

static bool is_same_part(const struct red_part *a, const struct red_part *b) {
    return a->n == b->n && memcmp(a->at, b->at, a->n) == 0;
}

/* Sets is_shared of the parts of the second text that the first has, too, and that use none that differs. */
static void mark_parts_that_first_has(struct joined_parts *joint) {
    const struct red_part *second = joint->second;
    for (size_t i = 0; i < joint->second_n; i++)
        for (size_t k = 0; k < joint->first_n; k++)
            joint->is_shared[i] = joint->is_shared[i] || is_same_part(&second[i], &joint->first[k]);
    for (bool more = true; more;) {
        more = false;
        for (size_t i = 0; i < joint->second_n; i++)
            for (size_t k = 0; k < joint->second_n && joint->is_shared[i]; k++)
                if (!joint->is_shared[k] && !second[i].is_comment &&
                    red_has_word(second[i].at, second[i].n, second[k].name)) {
                    joint->is_shared[i] = false;
                    more = true;
                }
    }
    /* A comment belongs to the part after it. */
    for (size_t i = joint->second_n; i-- > 0;)
        if (second[i].is_comment && i + 1 < joint->second_n)
            joint->is_shared[i] = joint->is_shared[i + 1];
}

/* Whether the first text has a function or a type of that name. */
static bool is_taken(const struct joined_parts *joint, const char *name) {
    for (size_t i = 0; i < joint->first_n; i++)
        if (strcmp(joint->first[i].name, name) == 0)
            return true;
    return false;
}

/* A rename_word: functions and types of the second text whose names the first has for others get the suffix.
 * `names` is the struct joined_parts. */
static const char *with_suffix(const void *names, const char *word, char *room, size_t room_bytes) {
    const struct joined_parts *joint = names;
    for (size_t i = 0; i < joint->second_n; i++)
        if (!joint->is_shared[i] && strcmp(joint->second[i].name, word) == 0 && is_taken(joint, word)) {
            snprintf(room, room_bytes, "%s%s", word, joint->suffix);
            return room;
        }
    return NULL;
}

enum red_status red_emit_join(char **text, const char *second, const char *suffix, const char *title,
                              struct red_error *error) {
    struct joined_parts *joint = calloc(1, sizeof *joint);
    char *made = NULL;
    size_t bytes = 0;
    FILE *out = joint ? red_memstream_open(&made, &bytes) : NULL;
    if (out == NULL) {
        free(joint);
        return red_fail(error, RED_E_MEMORY, "no memory for a kernel");
    }
    joint->suffix = suffix;
    joint->first_n = red_parts_split(*text, joint->first);
    joint->second_n = red_parts_split(second, joint->second);
    mark_parts_that_first_has(joint);
    fputs(*text, out);
    if (title != NULL)
        fprintf(out, "\n/* ---- %s ---- */\n", title);
    for (size_t i = 0; i < joint->second_n; i++) {
        const struct red_part *part = &joint->second[i];
        if (joint->is_shared[i])
            continue;
        fputs(i > 0 && joint->second[i - 1].is_comment ? "" : "\n", out);
        put_renamed(out, part->at, part->n, with_suffix, joint);
        fputc('\n', out);
    }
    free(joint);
    return replace_text(text, out, &made, error);
}

enum { LINE_BYTES = 110, RESOLVED_BYTES_MAX = 16 << 20 };
#define KERNEL_MARK "#pragma clreduce"

/* ---- the preprocessor ---------------------------------------------------------------------------------- */

/* Writes a line; of a macro without its comment, which mcpp would turn into a comment on the code after it.
 */
static void write_line_for_mcpp(FILE *file, const char *line, size_t n, bool in_macro) {
    for (size_t i = 0; i < n; i++) {
        size_t comment = in_macro ? red_comment_bytes(line + i) : 0;
        if (comment == 0 || i + comment > n)
            fputc(line[i], file);
        else
            i += comment - 1;
    }
}

/* Writes the program text as a file for mcpp, without #line, which mcpp would obey, and without manifest
 * lines. */
static enum red_status write_for_mcpp(const char *path, const char *text, struct red_error *error) {
    FILE *file = fopen(path, "w");
    if (file == NULL)
        return red_fail(error, RED_E_INPUT, "cannot write %.200s: %s", path, strerror(errno));
    bool in_macro = false;
    for (const char *at = text; *at != '\0';) {
        size_t n = strcspn(at, "\n");
        in_macro = in_macro || strncmp(at, "#define", 7) == 0;
        /* A mark keeps the prelude's last comment from what the manifest stands before. */
        if (strncmp(at, "//@", 3) == 0)
            fputs(KERNEL_MARK, file);
        else if (strncmp(at, "#line", 5) != 0)
            write_line_for_mcpp(file, at, n, in_macro);
        in_macro = in_macro && n > 0 && at[n - 1] == '\\';
        fputc('\n', file);
        at += n + (at[n] == '\n');
    }
    return fclose(file) == 0 ? RED_OK
                             : red_fail(error, RED_E_INPUT, "cannot write %.200s: is the disk full?", path);
}

/* Runs mcpp in a process of its own, since 2.7.2 crashes without memory and frees nothing. Returns how that
 * ended, as waitpid tells: 0 if all went well; or -1 with errno. What mcpp prints goes to the file `log`. */
static int mcpp_run(char *const *arguments, int n, const char *log) {
    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0) {
        int told = open(log, O_WRONLY | O_CREAT | O_TRUNC, 0600);
        if (told >= 0) {
            dup2(told, STDOUT_FILENO);
            dup2(told, STDERR_FILENO);
        }
        int failed = mcpp_lib_main(n, (char **)(uintptr_t)arguments);
        _exit(fflush(NULL) != 0 || failed != 0);
    }
    if (pid < 0)
        return -1;
    red_leftover_set_awaited_process(pid);
    const int ended = red_spawn_wait(pid);
    red_leftover_set_awaited_process(0);
    return ended;
}

/* Fills the error with why mcpp failed: a crash, or what it said in its log. */
static enum red_status fail_mcpp(const char *strategy, int ended, const char *log, struct red_error *error) {
    char *told = NULL;
    size_t told_n = 0;
    if (ended < 0)
        return red_fail(error, RED_E_MEMORY, "the macros of %s cannot be resolved: %s", strategy,
                        strerror(errno));
    if (WIFSIGNALED(ended))
        return red_fail(error, RED_E_MEMORY,
                        "the macros of %s cannot be resolved: mcpp crashed, which it does without memory",
                        strategy);
    (void)red_file_read(log, "log", 1 << 16, &told, &told_n, NULL);
    enum red_status status = red_fail(error, RED_E_INPUT, "the macros of %s cannot be resolved: %.400s",
                                      strategy, told != NULL && told_n > 0 ? told : "no memory");
    free(told);
    return status;
}

/* Resolves the macros for the standard of the strategy, as if all extensions were there. */
static enum red_status resolve_macros(const struct red_build_spec *build, const char *text, char **resolved,
                                      struct red_error *error) {
    struct red_scratch scratch;
    char paths[3][RED_SCRATCH_BYTES + 16];
    size_t n = 0;
    enum red_status status = red_scratch_make(&scratch, error);
    if (status != RED_OK)
        return status;
    snprintf(paths[0], sizeof paths[0], "%s/kernel.cl", scratch.path);
    snprintf(paths[1], sizeof paths[1], "%s/resolved.cl", scratch.path);
    snprintf(paths[2], sizeof paths[2], "%s/log", scratch.path);
    status = write_for_mcpp(paths[0], text, error);
    char version[] = "-D__OPENCL_C_VERSION__=120";
    if (build->strategy->standard == RED_STANDARD_CL20)
        memcpy(strchr(version, '=') + 1, "200", 3);
    /* -C keeps comments, -P makes no line marks, -N defines nothing of its own, -W0 is quiet. */
    char *arguments[] = {(char[]){"mcpp"},
                         (char[]){"-C"},
                         (char[]){"-P"},
                         (char[]){"-N"},
                         (char[]){"-W0"},
                         version,
                         (char[]){"-Dcl_khr_int64_base_atomics=1"},
                         (char[]){"-Dcl_khr_int64_extended_atomics=1"},
                         paths[0],
                         paths[1]};
    int ended =
        status == RED_OK ? mcpp_run(arguments, (int)(sizeof arguments / sizeof arguments[0]), paths[2]) : 0;
    if (status == RED_OK && ended != 0)
        status = fail_mcpp(build->strategy->name, ended, paths[2], error);
    if (status == RED_OK)
        status = red_file_read(paths[1], "resolved kernel", RESOLVED_BYTES_MAX, resolved, &n, error);
    red_scratch_remove(&scratch);
    return status;
}

/* Whether a driver may define a macro of that name, and the word's file does not: the names of clang, of
 * extensions and of PoCL. Those that resolve_macros defines are the same everywhere. */
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

/* ---- what is used -------------------------------------------------------------------------------------- */

/* What comments may say of macros: names for which they get a number, and words that they lose. */
static const char *const numbered[] = {"RED_WIDTH", "RED_LOADS", "RED_GROUP_SIZE", "RED_T_BITS"};
enum { NUMBERED_N = sizeof numbered / sizeof numbered[0] };
static const char gone[] = "RED_FOLD(w, v), or ";

/* Which of `numbered` stands at this place of a comment; NUMBERED_N if none does. */
static size_t find_numbered(const char *at) {
    size_t k = 0;
    while (k < NUMBERED_N && strncmp(at, numbered[k], strlen(numbered[k])) != 0)
        k++;
    return k;
}

/* Whether the part is a comment that speaks of other macros, which are gone. */
static bool is_about_macros(const struct red_part *part) {
    for (const char *at = part->at; part->is_comment && at < part->at + part->n; at++)
        if (strncmp(at, "RED_", 4) == 0 && find_numbered(at) == NUMBERED_N &&
            strncmp(at, gone, sizeof gone - 1) != 0)
            return true;
    return false;
}

/* Writes a comment into NAME.cl, with numbers in place of macros' names. */
static void put_comment_with_numbers(FILE *out, const struct red_part *part,
                                     const struct red_build_spec *build) {
    const struct red_strategy *strategy = build->strategy;
    const unsigned values[NUMBERED_N] = {build->width      ? build->width
                                         : strategy->width ? strategy->width
                                                           : 4,
                                         build->width      ? build->loads
                                         : strategy->width ? strategy->loads
                                                           : 4,
                                         (unsigned)build->group_size, build->dtype->bits};
    for (const char *at = part->at; at < part->at + part->n;) {
        if (strncmp(at, gone, sizeof gone - 1) == 0)
            at += sizeof gone - 1;
        const size_t k = find_numbered(at);
        if (k < NUMBERED_N) {
            fprintf(out, "%u", values[k]);
            at += strlen(numbered[k]);
        } else {
            fputc(*at++, out);
        }
    }
}

/* Bytes from `at`, a comma before a blank, to the end of the word behind it. */
static size_t bytes_to_next_word_end(const char *at) {
    return 2 + strcspn(at + 2, " ,;\n");
}

/* Where a line of code stands: a line that macros made is broken into several. */
struct line_layout {
    size_t column, indent, indent_before;
    int depth; /* of parentheses */
};

/* Whether a long line is broken here: after a comma if what follows it has no room, and after | if the line
 * has none. */
static bool is_break_of_long_line(const struct line_layout *layout, const char *at) {
    return (*at == ',' && layout->column + bytes_to_next_word_end(at) > LINE_BYTES) ||
           (*at == '|' && layout->column + strcspn(at, "\n;") > LINE_BYTES);
}

/* Decides whether the line is broken after this character; if so, sets the next line's indent: the body of a
 * function or condition one step to the right, a statement where the one before it began, as what follows a
 * block, and the rest of a long line. */
static bool decide_break_after(struct line_layout *layout, const char *text, const char *at,
                               const char *end) {
    if (at + 1 >= end || (at[1] != ' ' && (*at != ';' || at[1] != ';')))
        return false;
    bool is_statement = *at == ';' && layout->depth == 0;
    bool opens = *at == '{' && layout->depth == 0 && at - text >= 2 && at[-1] == ' ' && at[-2] != '=';
    bool closes =
        *at == '}' && layout->depth == 0 && (at[2] == '{' || at[2] == '}'); /* a block's, not the last */
    bool is_long = is_break_of_long_line(layout, at);
    if (!is_statement && !opens && !closes && !is_long)
        return false;
    layout->indent += opens ? 4 : 0;
    layout->column = layout->indent + (is_long ? 4 : 0);
    return true;
}

/* Breaks the line after `at`, unless it ends there by itself: writes the line feed and the indent, one step
 * less before a closing brace. Gives the last character that it has passed: lone semicolons and blanks are
 * left out. */
static const char *put_line_break(FILE *out, struct line_layout *layout, const char *at, const char *end) {
    at += strspn(at + 1, *at == ';' ? " ;" : " ");
    if (at + 1 >= end || at[1] == '\n') {
        layout->column = 1; /* the line ends by itself */
        return at;
    }
    if (at[1] == '}' && layout->indent >= 4)
        layout->column = layout->indent -= 4;
    fprintf(out, "\n%*s", (int)layout->column, "");
    return at;
}

/* Writes one part of the program text into NAME.cl. It breaks a line that a macro made into several, and
 * leaves out lines that macros left empty. Comments inside it stay. */
static void put_code_with_line_breaks(FILE *out, const struct red_part *part) {
    const char *end = part->at + part->n;
    struct line_layout layout = {.depth = 0};
    for (const char *at = part->at; at < end; at++) {
        if (layout.column == 0) {
            layout.indent = strspn(at, " ");
            if (at[layout.indent] == '\n') {
                at += layout.indent;
                continue;
            }
        }
        size_t comment = red_comment_bytes(at);
        if (comment > 0) { /* which mcpp moves to the left */
            fprintf(out, "%*s%.*s", layout.column == 0 ? (int)layout.indent_before : 0, "", (int)comment, at);
            at += comment - 1;
            layout.column = 1;
            continue;
        }
        layout.indent_before = layout.column == 0 ? layout.indent : layout.indent_before;
        layout.depth += (*at == '(') - (*at == ')');
        fputc(*at, out);
        layout.column = *at == '\n' ? 0 : layout.column + 1;
        if (decide_break_after(&layout, part->at, at, end))
            at = put_line_break(out, &layout, at, end);
    }
}

/* Whether a used part calls a function whose name begins so: only then the #pragma lines of extensions are
 * written. */
static bool uses_atomics(const struct red_part *parts, size_t n, const char *begin) {
    for (size_t i = 0; i < n; i++) {
        const char *found = parts[i].is_used && !parts[i].is_comment ? parts[i].at : NULL;
        found = found != NULL && *found != '#' ? strstr(found, begin) : NULL;
        if (found != NULL && found < parts[i].at + parts[i].n)
            return true;
    }
    return false;
}

/* Whether a part that is used is also written: all but marks, directives unless atomics are used, and what is
 * said of a kernel file without a host. */
static bool is_code_or_needed_directive(const struct red_part *part, bool has_atomics) {
    static const char alone[] = "/* Alone, ";
    if (part->at[0] != '#')
        return strncmp(part->at, alone, sizeof alone - 1) != 0;
    return strncmp(part->at, KERNEL_MARK, strlen(KERNEL_MARK)) != 0 && has_atomics;
}

/* Makes *text of the parts that the kernel uses, as a person would have written them; the caller frees it. */
static enum red_status write_used_parts(const struct red_build_spec *build, const char *resolved, char **text,
                                        struct red_error *error) {
    struct red_part *parts = calloc(RED_PARTS_MAX, sizeof *parts);
    size_t bytes = 0;
    FILE *out = parts ? red_memstream_open(text, &bytes) : NULL;
    if (out == NULL) {
        free(parts);
        return red_fail(error, RED_E_MEMORY, "no memory for a kernel");
    }
    size_t n = red_parts_split(resolved, parts);
    bool first = true;
    red_parts_mark_used(parts, n);
    /* In 1.2 the extensions are for functions of 64 bits, which have names of their own. */
    const bool has_atomics =
        uses_atomics(parts, n, build->strategy->standard == RED_STANDARD_CL20 ? "atom" : "atom_");
    bool behind_comment = false; /* which was written, and belongs to the next part */
    for (size_t i = 0; i < n; i++) {
        const bool is_written = parts[i].is_used && is_code_or_needed_directive(&parts[i], has_atomics) &&
                                !is_about_macros(&parts[i]);
        if (is_written) {
            fputs(first || behind_comment ? "" : "\n", out);
            first = false;
            if (parts[i].is_comment)
                put_comment_with_numbers(out, &parts[i], build);
            else
                put_code_with_line_breaks(out, &parts[i]);
            fputc('\n', out);
        }
        behind_comment = is_written && parts[i].is_comment;
    }
    free(parts);
    return red_memstream_close(out, text) ? RED_OK : red_fail(error, RED_E_MEMORY, "no memory for a kernel");
}

/* Refuses a text in which a macro of the contract is left: where one makes the name of another, and what this
 * is given stands behind both, mcpp does not resolve it (C11 6.10.3.4 leaves it open). */
static enum red_status check_macros_are_resolved(const struct red_build_spec *build, const char *text,
                                                 struct red_error *error) {
    for (const char *at = text; *at != '\0'; at++) {
        at += red_comment_bytes(at);
        if (strncmp(at, "RED_", 4) == 0 && (at == text || !red_is_word_char(at[-1])))
            return red_fail(error, RED_E_INPUT,
                            "the macros of %s cannot be resolved: %.*s is left; write what uses it without a "
                            "macro that another one names",
                            build->strategy->name, (int)strcspn(at, " ()[],;\n"), at);
        if (*at == '\0')
            break;
    }
    return RED_OK;
}

enum red_status red_emit_expand(const struct red_build_spec *build, char **made, struct red_error *error) {
    char *source = NULL, *resolved = NULL;
    enum red_status status = red_source_text(build, &source, error);
    if (status == RED_OK)
        status = resolve_macros(build, source, &resolved, error);
    if (status == RED_OK) {
        red_tidy_spaces(resolved);
        red_tidy_expressions(resolved);
        red_tidy_expressions(resolved); /* of what the first time was not yet a value */
        if (build->group_size == 1)
            red_tidy_lone_items(resolved);
        for (int turn = 0; turn < 3; turn++) { /* numbers lose their parentheses, and can be folded then */
            red_tidy_constants(resolved);
            red_tidy_expressions(resolved);
        }
        red_tidy_spaces(resolved);
        status = write_used_parts(build, resolved, made, error);
    }
    if (status == RED_OK)
        status = check_macros_are_resolved(build, *made, error);
    free(source);
    free(resolved);
    return status;
}
