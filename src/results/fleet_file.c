/* Writes fleet files, and finds the runs in one that is read. */
#include "results/fleet_file.h"

#include <string.h>

#include "core/file.h"
#include "core/text.h"

/* The texts of red_fleet_write. */
struct fleet_texts {
    const char *const *texts;
    const size_t *lengths;
    size_t n;
};

/* The text without a mark in front, and without blanks behind its end. */
static const char *trimmed(const char *text, size_t *n) {
    const size_t mark_n = red_text_bom_bytes(text, *n);
    *n -= mark_n;
    while (*n > 0 && strchr(" \t\r\n", text[mark_n + *n - 1]) != NULL)
        --*n;
    return text + mark_n;
}

/* Refuses what would make a fleet file that nobody can read: a text that is not one object or array. */
static enum red_status check_text(const char *path, const char *text, size_t n, size_t i,
                                  struct red_error *error) {
    struct red_reader reader = {.path = path, .error = error};
    const char *begin = trimmed(text, &n);
    struct red_large_array alone = {.name = RED_FLEET_ARRAY, .at = begin, .end = begin + n, .n = 1};
    size_t element_n = 0;
    const char *element = red_large_array_next_text(&alone, &reader, &element_n);
    if (element != NULL && element + element_n == begin + n && memchr(begin, '\0', n) == NULL)
        return RED_OK;
    return red_fail(error, RED_E_INPUT, "cannot write %.200s: text %zu of its runs is no whole file of JSON",
                    path, i);
}

/* A red_file_writer, of a struct fleet_texts. */
static enum red_status texts_print(const void *what, FILE *out, struct red_error *error) {
    const struct fleet_texts *fleet = what;
    (void)error;
    fputs("{\"schema\": 1, \"" RED_FLEET_ARRAY "\": [", out);
    for (size_t i = 0; i < fleet->n; i++) {
        size_t n = fleet->lengths[i];
        const char *text = trimmed(fleet->texts[i], &n);
        fputs(i > 0 ? ",\n" : "\n", out);
        fwrite(text, 1, n, out);
    }
    fputs("\n]}\n", out);
    return RED_OK;
}

/* For campaigns over many ranks; what could not be printed the stream tells. */
enum red_status red_fleet_write(const char *path, const char *const *texts, const size_t *lengths, size_t n,
                                struct red_error *error) {
    enum red_status status = RED_OK;
    for (size_t i = 0; i < n && status == RED_OK; i++)
        status = check_text(path, texts[i], lengths[i], i, error);
    return status == RED_OK
               ? red_file_write(path, texts_print, &(struct fleet_texts){texts, lengths, n}, error)
               : status;
}

/* Its runs are read as if each were a file. */
static const struct red_field no_fields[] = {{.key = NULL}};

const struct red_file_kind red_fleet_kind = {.what = "fleet file",
                                             .name_words = "a fleet file",
                                             .marker = RED_FLEET_ARRAY,
                                             .version_key = "schema",
                                             .version = 1,
                                             .fields = no_fields,
                                             .arrays = {RED_FLEET_ARRAY}};

struct red_large_array *red_fleet_runs(struct red_parsed *parsed) {
    (void)red_parsed_read(parsed, &red_fleet_kind, NULL, NULL);
    return red_parsed_array(parsed, RED_FLEET_ARRAY);
}
