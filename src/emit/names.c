#define _POSIX_C_SOURCE 200809L /* strdup */
#include "emit/names.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/memstream.h"
#include "emit/tidy.h"

enum { WORD_BYTES = 64 };

/* ---- renaming --------------------------------------------------------------------------------------------
 */

/* Gives one program text's word another name; NULL: it keeps its own. */
typedef const char *rename_word(const void *names, const char *word, char *room, size_t room_bytes);

/* What is no word stays, and so does a word that has no room. */
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

static enum red_status replace(char **text, FILE *out, char **made, struct red_error *error) {
    if (!red_memstream_close(out, made))
        return red_fail(error, RED_E_MEMORY, "no memory for a kernel");
    free(*text);
    *text = *made;
    return RED_OK;
}

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
        return red_has_word(code, strlen(code), room) ? NULL : room;
    }
    return NULL;
}

enum red_status red_emit_shorten(char **text, struct red_error *error) {
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
    return replace(text, out, &made, error);
}

/* ---- two texts in one ------------------------------------------------------------------------------------
 */

struct joint {
    struct red_part first[RED_PARTS_MAX], second[RED_PARTS_MAX];
    bool is_shared[RED_PARTS_MAX]; /* of the second: the first text has it */
    size_t first_n, second_n;
    const char *suffix;
};

static bool is_same(const struct red_part *a, const struct red_part *b) {
    return a->n == b->n && memcmp(a->at, b->at, a->n) == 0;
}

/* What both have, and what uses nothing that differs. */
static void find_shared(struct joint *joint) {
    const struct red_part *second = joint->second;
    for (size_t i = 0; i < joint->second_n; i++)
        for (size_t k = 0; k < joint->first_n; k++)
            joint->is_shared[i] = joint->is_shared[i] || is_same(&second[i], &joint->first[k]);
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
    /* A comment goes with what it stands before. */
    for (size_t i = 0; i + 1 < joint->second_n; i++)
        if (second[i].is_comment)
            joint->is_shared[i] = joint->is_shared[i + 1];
}

static const char *with_suffix(const void *names, const char *word, char *room, size_t room_bytes) {
    const struct joint *joint = names;
    for (size_t i = 0; i < joint->second_n; i++)
        if (!joint->is_shared[i] && strcmp(joint->second[i].name, word) == 0) {
            snprintf(room, room_bytes, "%s%s", word, joint->suffix);
            return room;
        }
    return NULL;
}

enum red_status red_emit_join(char **text, const char *second, const char *suffix, const char *title,
                              struct red_error *error) {
    struct joint *joint = calloc(1, sizeof *joint);
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
    find_shared(joint);
    fprintf(out, "%s\n/* ---- %s ---- */\n", *text, title);
    for (size_t i = 0; i < joint->second_n; i++) {
        const struct red_part *part = &joint->second[i];
        if (joint->is_shared[i])
            continue;
        fputs(i > 0 && joint->second[i - 1].is_comment ? "" : "\n", out);
        put_renamed(out, part->at, part->n, with_suffix, joint);
        fputc('\n', out);
    }
    free(joint);
    return replace(text, out, &made, error);
}
