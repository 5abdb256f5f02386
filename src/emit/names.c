#define _POSIX_C_SOURCE 200809L /* strdup */
/* What functions, macros and types of a kernel's text are called: two texts in one, and no name of this
 * project's. The user sees it as NAME.cl. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "emit/emit_private.h"

enum { WORD_BYTES = 64, LINE_BYTES = 110, DEPTH_MAX = 1000 };

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
 * name already; NULL where it has all. */
static const char *without_prefix(const void *code, const char *word, char *room, size_t room_bytes) {
    /* "rank" is a local name of the functions that find it, and "x" of some that convert a value. */
    static const struct {
        const char *ours, *others, *suffix;
    } names[] = {{"red_rank", "rank_of", ""}, {"red_x", "x", ""},    {"red_x", "in_x", ""},
                 {"red_y", "y", ""},          {"red_y", "in_y", ""}, {"red_", "", ""},
                 {"red_", "", "_"},           {"RED_", "", ""},      {"RED_", "", "_"}};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const size_t n = strlen(names[i].ours);
        if (strncmp(word, names[i].ours, n) != 0)
            continue;
        snprintf(room, room_bytes, "%s%s%s", names[i].others, word + n, names[i].suffix);
        if (!red_has_word(code, strlen(code), room))
            return room;
    }
    return NULL;
}

/* Where a line that is too long is broken: behind "void" of a kernel, or the last comma of those that have
 * room and stand in the fewest parentheses; NULL where there is none. */
static const char *break_of(const char *line, size_t n) {
    static const char head[] = "kernel __attribute__((";
    const char *found = NULL;
    int depth = 0, least = DEPTH_MAX;
    if (n <= LINE_BYTES)
        return NULL;
    if (strncmp(line, head, strlen(head)) == 0)
        return strstr(line, ")) void ") + strlen(")) void");
    for (const char *at = line + strspn(line, " "); at < line + LINE_BYTES; at++) {
        depth += (*at == '(') - (*at == ')');
        if (strncmp(at, ", ", 2) == 0 && depth <= least) {
            found = at + 1;
            least = depth;
        }
    }
    return found;
}

/* Writes the text with long lines of code broken, of a macro by a backslash. */
static void put_with_breaks(FILE *out, const char *text) {
    bool is_macro = false;
    for (const char *line = text; *line != '\0';) {
        const size_t indent = strspn(line, " ");
        size_t n = strcspn(line, "\n");
        is_macro = is_macro || strncmp(line, "#define", 7) == 0;
        for (const char *at; strchr("*/", line[indent]) == NULL && (at = break_of(line, n)) != NULL;) {
            fprintf(out, "%.*s%s\n%*s", (int)(at - line), line, is_macro ? " \\" : "",
                    at[-1] == ',' ? (int)indent + 4 : 0, "");
            n -= (size_t)(at + 1 - line);
            line = at + 1;
        }
        fprintf(out, "%.*s%s", (int)n, line, line[n] == '\n' ? "\n" : "");
        is_macro = is_macro && n > 0 && line[n - 1] == '\\';
        line += n + (line[n] == '\n');
    }
}

enum red_status red_emit_drop_prefix(char **text, struct red_error *error) {
    char *renamed = NULL, *broken = NULL, *code = strdup(*text);
    size_t bytes = 0;
    FILE *out = code ? red_memstream_open(&renamed, &bytes) : NULL;
    if (out == NULL) {
        free(code);
        return red_fail(error, RED_E_MEMORY, "no memory for a kernel");
    }
    for (char *at = code; *at != '\0'; at++) /* in comments any word may stand */
        memset(at, ' ', red_comment_bytes(at));
    put_renamed(out, *text, strlen(*text), without_prefix, code);
    free(code);
    enum red_status status = replace_text(text, out, &renamed, error);
    out = status == RED_OK ? red_memstream_open(&broken, &bytes) : NULL;
    if (out == NULL)
        return red_fail(error, RED_E_MEMORY, "no memory for a kernel");
    put_with_breaks(out, *text);
    return replace_text(text, out, &broken, error);
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

/* Whether the part is a function that defines a macro of that name for itself. */
static bool defines_inside(const struct red_part *part, const char *name) {
    char line[WORD_BYTES + 16];
    snprintf(line, sizeof line, "\n#define %s", name);
    const size_t n = strlen(line);
    for (const char *at = part->at; at + n < part->at + part->n; at++)
        if (strncmp(at, line, n) == 0 && !red_is_word_char(at[n]))
            return true;
    return false;
}

/* A rename_word: functions, types and macros of the second text whose names the first has for others get the
 * suffix, and so do macros inside its functions. `names` is the struct joined_parts. */
static const char *with_suffix(const void *names, const char *word, char *room, size_t room_bytes) {
    const struct joined_parts *joint = names;
    for (size_t i = 0; i < joint->second_n; i++)
        if (!joint->is_shared[i] && ((strcmp(joint->second[i].name, word) == 0 && is_taken(joint, word)) ||
                                     defines_inside(&joint->second[i], word))) {
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
        const bool follows = i > 0 && (joint->second[i - 1].is_comment ||
                                       (part->at[0] == '#' && joint->second[i - 1].at[0] == '#' &&
                                        !joint->is_shared[i - 1] && part->at[-2] != '\n'));
        fputs(follows ? "" : "\n", out);
        put_renamed(out, part->at, part->n, with_suffix, joint);
        fputc('\n', out);
    }
    free(joint);
    return replace_text(text, out, &made, error);
}
