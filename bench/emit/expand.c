#define _POSIX_C_SOURCE 200809L /* open_memstream */
#include "bench/emit/expand.h"

#include <errno.h>
#include <mcpp_lib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/emit/tidy.h"
#include "bench/scratch.h"

enum { LINE_BYTES = 110 };
#define KERNEL_MARK "#pragma clreduce"

/* ---- the preprocessor ------------------------------------------------------------------------------------
 */

/* mcpp reads files. It takes #line for what it is, and a manifest's lines are no program. */
static enum red_status write_plain(const char *path, const char *text, struct red_error *error) {
    FILE *file = fopen(path, "w");
    if (file == NULL)
        return red_fail(error, RED_E_INPUT, "cannot write %.200s: %s", path, strerror(errno));
    for (const char *at = text; *at != '\0';) {
        size_t n = strcspn(at, "\n");
        /* A mark keeps the prelude's last comment from what the manifest stands before. */
        if (strncmp(at, "//@", 3) == 0)
            fputs(KERNEL_MARK, file);
        else if (strncmp(at, "#line", 5) != 0)
            fwrite(at, 1, n, file);
        fputc('\n', file);
        at += n + (at[n] == '\n');
    }
    return fclose(file) == 0 ? RED_OK
                             : red_fail(error, RED_E_INPUT, "cannot write %.200s: is the disk full?", path);
}

/* Everything is resolved for the standard that the strategy is written for; extensions are taken to be there.
 */
static enum red_status resolve(const struct red_variant *variant, const char *text, char **resolved,
                               struct red_error *error) {
    char folder[RED_SCRATCH_BYTES] = "", path[RED_SCRATCH_BYTES + 16];
    enum red_status status = red_scratch_make(folder, error);
    if (status != RED_OK)
        return status;
    snprintf(path, sizeof path, "%s/kernel.cl", folder);
    status = write_plain(path, text, error);
    char version[] = "-D__OPENCL_C_VERSION__=120";
    if (variant->strategy->standard == RED_STANDARD_CL20)
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
                         path};
    if (status == RED_OK) {
        mcpp_use_mem_buffers(
            1); /* for good: mcpp 2.7.2 frees what it has given back once more at the next call */
        int failed = mcpp_lib_main((int)(sizeof arguments / sizeof arguments[0]), arguments);
        const char *out = mcpp_get_mem_buffer(OUT), *told = mcpp_get_mem_buffer(ERR);
        *resolved = failed == 0 && out != NULL ? strdup(out) : NULL;
        if (*resolved == NULL)
            status = red_fail(error, RED_E_INPUT, "the macros of %s cannot be resolved: %.400s",
                              variant->strategy->name, told ? told : "no memory");
    }
    red_scratch_remove(folder);
    return status;
}

/* ---- what is used ----------------------------------------------------------------------------------------
 */

/* Comments speak of macros by their names: some are numbers now, and some are gone. */
static void put_comment(FILE *out, const struct red_part *part, const struct red_variant *variant) {
    const struct red_strategy *strategy = variant->strategy;
    static const char gone[] = "RED_FOLD(w, v), or ";
    const struct {
        const char *name;
        unsigned value;
    } numbers[] = {{"RED_WIDTH", variant->width    ? variant->width
                                 : strategy->width ? strategy->width
                                                   : 4},
                   {"RED_LOADS", variant->width    ? variant->loads
                                 : strategy->width ? strategy->loads
                                                   : 4},
                   {"RED_GROUP_SIZE", (unsigned)variant->group_size}};
    for (const char *at = part->at; at < part->at + part->n;) {
        size_t k = 0, numbers_n = sizeof numbers / sizeof numbers[0];
        if (strncmp(at, gone, sizeof gone - 1) == 0)
            at += sizeof gone - 1;
        while (k < numbers_n && strncmp(at, numbers[k].name, strlen(numbers[k].name)) != 0)
            k++;
        if (k < numbers_n) {
            fprintf(out, "%u", numbers[k].value);
            at += strlen(numbers[k].name);
        } else {
            fputc(*at++, out);
        }
    }
}

/* Where the word or sign after `at` ends. */
static size_t next_bytes(const char *at) {
    return 2 + strcspn(at + 2, " ,;\n");
}

/* What a macro had on one line takes several: after a semicolon, at the indentation of the first; and what is
 * too long goes on after a comma. Lines that macros left empty go. */
static void put_code(FILE *out, const struct red_part *part) {
    const char *end = part->at + part->n;
    size_t column = 0, indent = 0, indent_before = 0;
    int depth = 0;
    for (const char *at = part->at; at < end; at++) {
        if (column == 0) {
            indent = strspn(at, " ");
            if (at[indent] == '\n') {
                at += indent;
                continue;
            }
        }
        size_t comment = red_comment_bytes(at);
        if (comment > 0) { /* which mcpp moves to the left */
            fprintf(out, "%*s%.*s", column == 0 ? (int)indent_before : 0, "", (int)comment, at);
            at += comment - 1;
            column = 1;
            continue;
        }
        indent_before = column == 0 ? indent : indent_before;
        depth += (*at == '(') - (*at == ')');
        fputc(*at, out);
        column = *at == '\n' ? 0 : column + 1;
        bool more = at + 1 < end && at[1] == ' ';
        bool is_statement = *at == ';' && depth == 0 && more;
        bool is_long = *at == ',' && more && column + next_bytes(at) > LINE_BYTES;
        if (is_statement || is_long) {
            column = is_long ? indent + 4 : indent;
            fprintf(out, "\n%*s", (int)column, "");
            at += strspn(at + 1, " ");
        }
    }
}

/* Directives are those of 64-bit atomics, which only some use, and marks. */
static bool is_for_all(const struct red_part *part, const char *text) {
    return part->at[0] != '#' ||
           (strncmp(part->at, KERNEL_MARK, strlen(KERNEL_MARK)) != 0 && strstr(text, "atom_") != NULL);
}

static enum red_status keep_used(const struct red_variant *variant, const char *resolved, char **text,
                                 struct red_error *error) {
    struct red_part *parts = calloc(RED_PARTS_MAX, sizeof *parts);
    size_t bytes = 0;
    FILE *out = parts ? open_memstream(text, &bytes) : NULL;
    if (out == NULL) {
        free(parts);
        return red_fail(error, RED_E_MEMORY, "no memory for a kernel");
    }
    size_t n = red_parts_split(resolved, parts);
    bool first = true;
    red_parts_use(parts, n);
    for (size_t i = 0; i < n; i++) {
        if (!parts[i].is_used || !is_for_all(&parts[i], resolved))
            continue;
        bool follows = i > 0 && parts[i - 1].is_used && parts[i - 1].is_comment;
        fputs(first || follows ? "" : "\n", out);
        first = false;
        if (parts[i].is_comment)
            put_comment(out, &parts[i], variant);
        else
            put_code(out, &parts[i]);
        fputc('\n', out);
    }
    free(parts);
    return fclose(out) == 0 ? RED_OK : red_fail(error, RED_E_MEMORY, "no memory for a kernel");
}

enum red_status red_emit_expand(const struct red_variant *variant, char **text, struct red_error *error) {
    char *source = NULL, *resolved = NULL;
    enum red_status status = red_source_text(variant, &source, error);
    if (status == RED_OK)
        status = resolve(variant, source, &resolved, error);
    if (status == RED_OK) {
        red_tidy_blanks(resolved);
        red_tidy_parentheses(resolved);
        red_tidy_parentheses(resolved); /* of what the first time was not yet a value */
        red_tidy_blanks(resolved);
        status = keep_used(variant, resolved, text, error);
    }
    free(source);
    free(resolved);
    return status;
}

/* ---- names -----------------------------------------------------------------------------------------------
 */

enum red_status red_emit_rename(char **text, const char *suffix, struct red_error *error) {
    struct red_part *parts = calloc(RED_PARTS_MAX, sizeof *parts);
    char *made = NULL;
    size_t bytes = 0;
    FILE *out = parts ? open_memstream(&made, &bytes) : NULL;
    if (out == NULL) {
        free(parts);
        return red_fail(error, RED_E_MEMORY, "no memory for a kernel");
    }
    size_t n = red_parts_split(*text, parts);
    for (const char *at = *text; *at != '\0';) {
        size_t length = 0, k = 0;
        while (red_is_word_char(at[length]))
            length++;
        while (k < n &&
               (length == 0 || strlen(parts[k].name) != length || strncmp(at, parts[k].name, length) != 0))
            k++;
        fwrite(at, 1, length > 0 ? length : 1, out);
        if (k < n)
            fputs(suffix, out);
        at += length > 0 ? length : 1;
    }
    free(parts);
    if (fclose(out) != 0)
        return red_fail(error, RED_E_MEMORY, "no memory for a kernel");
    free(*text);
    *text = made;
    return RED_OK;
}
