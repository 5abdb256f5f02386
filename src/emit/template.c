/* Fills in the templates of `emit` (reduce.c.in and others, embedded when the program is built): @KEY@, and
 * lines with @if, @else, @end, @include. emit/emit.c sets the blanks; the user sees them filled in the files
 * of `emit`. */
#include <assert.h>
#include <stdarg.h>
#include <stdbool.h>
#include <string.h>

#include "core/memory.h"
#include "emit/emit_private.h"

enum { DEPTH_MAX = 8, KEY_BYTES = 32 };

struct template_writer {
    const struct red_blank *blanks;
    size_t blanks_n;
    bool shows[DEPTH_MAX]; /* of each condition that is open */
    int depth;
};

/* The value of the key of n characters, or NULL. */
static const char *blank_value(const struct template_writer *writer, const char *key, size_t n) {
    for (size_t i = 0; i < writer->blanks_n; i++)
        if (strlen(writer->blanks[i].key) == n && strncmp(writer->blanks[i].key, key, n) == 0)
            return writer->blanks[i].value;
    return NULL;
}

/* Whether all @if conditions around the line hold. */
static bool is_line_shown(const struct template_writer *writer) {
    for (int d = 0; d < writer->depth; d++)
        if (!writer->shows[d])
            return false;
    return true;
}

/* Follows the conditions of a template: whether the line is an @if, @else or @end, which is not written;
 * keeps track of the conditions that are open. */
static bool follow_condition(struct template_writer *writer, const char *line, size_t n) {
    if (n > 4 && strncmp(line, "@if ", 4) == 0 && writer->depth < DEPTH_MAX) {
        const bool is_negated = line[4] == '!';
        const char *value = blank_value(writer, line + 4 + is_negated, n - 4 - is_negated);
        writer->shows[writer->depth++] = (value != NULL && value[0] != '\0') != is_negated;
        return true;
    }
    if (n == 5 && strncmp(line, "@else", 5) == 0 && writer->depth > 0) {
        writer->shows[writer->depth - 1] = !writer->shows[writer->depth - 1];
        return true;
    }
    if (n == 4 && strncmp(line, "@end", 4) == 0 && writer->depth > 0) {
        writer->depth--;
        return true;
    }
    return false;
}

/* Writes a line of an emitted file, with values for its @KEY@s. */
static enum red_status write_filled_line(const struct template_writer *writer, const char *line, size_t n,
                                         FILE *out, struct red_error *error) {
    for (const char *at = line; at < line + n;) {
        const char *open = memchr(at, '@', (size_t)(line + n - at));
        const char *close = open ? memchr(open + 1, '@', (size_t)(line + n - open - 1)) : NULL;
        if (close == NULL) {
            fwrite(at, 1, (size_t)(line + n - at), out);
            break;
        }
        const char *value = blank_value(writer, open + 1, (size_t)(close - open - 1));
        if (value == NULL)
            return red_fail(error, RED_E_INPUT, "a template has no value for %.*s", (int)(close + 1 - open),
                            open);
        fwrite(at, 1, (size_t)(open - at), out);
        fputs(value, out);
        at = close + 1;
    }
    fputc('\n', out);
    return RED_OK;
}

/* What templates of primitives share, by the name behind @include. */
#define PART(name)                                                                                           \
    { #name, red_emit_##name##_c }
static const struct {
    const char *name, *template;
} parts[] = {PART(source_head),  PART(source_making), PART(source_order),       PART(source_follow_both),
             PART(source_clear), PART(source_create), PART(source_host_buffer), PART(source_answer),
             PART(source_place), PART(test_head),     PART(test_element),       PART(test_device),
             PART(test_filling), PART(test_steps),    PART(test_main)};

/* The template that a line of n characters includes; NULL where it is another line. */
static const char *included_template(const char *line, size_t n) {
    static const char word[] = "@include ";
    const size_t word_n = sizeof word - 1;
    for (size_t i = 0; i < sizeof parts / sizeof parts[0] && n > word_n; i++)
        if (strncmp(line, word, word_n) == 0 && strlen(parts[i].name) == n - word_n &&
            strncmp(line + word_n, parts[i].name, n - word_n) == 0)
            return parts[i].template;
    return NULL;
}

enum red_status red_template_write(const char *template, const struct red_blank *blanks, size_t blanks_n,
                                   FILE *out, struct red_error *error) {
    struct template_writer writer = {.blanks = blanks, .blanks_n = blanks_n};
    enum red_status status = RED_OK;
    for (const char *line = template; *line != '\0' && status == RED_OK;) {
        const size_t n = strcspn(line, "\n");
        const char *included = included_template(line, n);
        if (!follow_condition(&writer, line, n) && is_line_shown(&writer))
            status = included != NULL ? red_template_write(included, blanks, blanks_n, out, error)
                                      : write_filled_line(&writer, line, n, out, error);
        line += n + (line[n] == '\n');
    }
    return status;
}

enum red_status red_template_make(const char *template, const struct red_blanks *blanks, char **text,
                                  struct red_error *error) {
    size_t bytes = 0;
    FILE *out = red_memstream_open(text, &bytes);
    enum red_status status =
        out != NULL ? red_template_write(template, blanks->all, blanks->n, out, error) : RED_OK;
    if (out == NULL || (!red_memstream_close(out, text) && status == RED_OK))
        status = red_fail(error, RED_E_MEMORY, "no memory for files");
    return status;
}

void red_blanks_set_borrowed(struct red_blanks *blanks, const char *key, const char *value) {
    assert(blanks->n < RED_BLANKS_MAX);
    blanks->all[blanks->n++] = (struct red_blank){key, value};
}

void red_blanks_set(struct red_blanks *blanks, const char *key, const char *format, ...) {
    assert(blanks->n < RED_BLANKS_MAX);
    char *value = blanks->values[blanks->n];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(value, RED_BLANK_BYTES, format, arguments);
    va_end(arguments);
    red_blanks_set_borrowed(blanks, key, value);
}

void red_blanks_set_flag(struct red_blanks *blanks, const char *key, bool holds) {
    red_blanks_set(blanks, key, "%s", holds ? "yes" : "");
}
