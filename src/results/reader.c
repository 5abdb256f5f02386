#include "results/reader.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "core/text.h"

void red_reader_refuse(struct red_reader *reader, const char *key, const char *expected) {
    if (reader->status == RED_OK)
        reader->status = red_fail(reader->error, RED_E_INPUT, "%.200s: %s%s%s: expected %s", reader->path,
                                  reader->where, reader->where[0] && key[0] ? "." : "", key, expected);
}

/* How many bytes at `at` are a character that is not to be shown: ASCII's control characters; U+0080 to
 * U+009F, of which terminals take some for the beginning of a command; those that turn the direction of all
 * that follows (U+200E, U+200F, U+202A to U+202E, U+2066 to U+2069). 0 for all others. */
static size_t unseen_bytes(const char *at) {
    const unsigned char a = (unsigned char)at[0], b = (unsigned char)(a ? at[1] : 0),
                        c = (unsigned char)(b ? at[2] : 0);
    if (a < 0x80)
        return iscntrl(a) ? 1 : 0;
    if (a == 0xc2 && b >= 0x80 && b <= 0x9f)
        return 2;
    bool marks = b == 0x80 && (c == 0x8e || c == 0x8f || (c >= 0xaa && c <= 0xae));
    bool isolates = b == 0x81 && c >= 0xa6 && c <= 0xa9;
    return a == 0xe2 && (marks || isolates) ? 3 : 0;
}

/* Printable characters only; bytes from 0x80 on are UTF-8, which jansson has checked. A text that is cut may
 * end within one, so what is cut ends before it. */
void red_text_copy(const char *from, char *text, size_t text_bytes) {
    size_t used = 0;
    while (*from != '\0' && used + 1 < text_bytes) {
        size_t unseen = unseen_bytes(from);
        text[used++] = unseen > 0 ? ' ' : *from;
        from += unseen > 0 ? unseen : 1;
    }
    while (*from != '\0' && used > 0 && ((unsigned char)*from & 0xc0) == 0x80) {
        from--;
        used--;
    }
    text[used] = '\0';
}

/* A text, or "" where null is allowed. */
void red_take_text(struct red_reader *reader, const json_t *from, const char *key, bool may_lack, char *text,
                   size_t text_bytes) {
    const json_t *value = json_object_get(from, key);
    text[0] = '\0';
    if (json_is_string(value))
        red_text_copy(json_string_value(value), text, text_bytes);
    else if (!may_lack || !(value == NULL || json_is_null(value)))
        red_reader_refuse(reader, key, "a text");
}

uint64_t red_take_whole(struct red_reader *reader, const json_t *from, const char *key) {
    const json_t *value = json_object_get(from, key);
    if (!json_is_integer(value) || json_integer_value(value) < 0)
        red_reader_refuse(reader, key, "a whole number from 0");
    return (uint64_t)json_integer_value(value);
}

/* A whole number from 1 to max, or 0 where it is null or missing. */
uint64_t red_take_chosen(struct red_reader *reader, const json_t *from, const char *key, uint64_t max) {
    const json_t *value = json_object_get(from, key);
    if (value == NULL || json_is_null(value))
        return 0;
    uint64_t number = red_take_whole(reader, from, key);
    if (number == 0 || number > max)
        red_reader_refuse(reader, key, "a whole number from 1, or null");
    return number;
}

/* A number above 0, or 0 where it is null or missing. */
double red_take_positive(struct red_reader *reader, const json_t *from, const char *key) {
    const json_t *value = json_object_get(from, key);
    if (value == NULL || json_is_null(value))
        return 0;
    double number = json_number_value(value);
    if (json_is_number(value) && isfinite(number) && number > 0)
        return number;
    red_reader_refuse(reader, key, "a number above 0, or null");
    return 0;
}

double red_take_amount(struct red_reader *reader, const json_t *from, const char *key) {
    const json_t *value = json_object_get(from, key);
    double number = json_number_value(value);
    if (json_is_number(value) && isfinite(number) && number >= 0)
        return number;
    red_reader_refuse(reader, key, "a number from 0");
    return 0;
}

bool red_take_flag(struct red_reader *reader, const json_t *from, const char *key) {
    const json_t *value = json_object_get(from, key);
    if (!json_is_boolean(value))
        red_reader_refuse(reader, key, "true or false");
    return json_is_true(value);
}

const json_t *red_take_kind(struct red_reader *reader, const json_t *from, const char *key, json_type type,
                            size_t max) {
    const json_t *value = json_object_get(from, key);
    bool is_array = type == JSON_ARRAY;
    if (!json_is_object(from) || value == NULL || json_typeof(value) != type)
        red_reader_refuse(reader, key, is_array ? "an array" : "an object");
    else if ((is_array ? json_array_size(value) : json_object_size(value)) > max)
        red_reader_refuse(reader, key, "fewer entries");
    return reader->status == RED_OK ? value : NULL;
}

size_t red_take_word(struct red_reader *reader, const json_t *from, const char *key, const char *const *names,
                     size_t names_n) {
    const char *word = json_string_value(json_object_get(from, key));
    char expected[160] = "";
    size_t used = 0;
    for (size_t i = 0; word != NULL && i < names_n; i++)
        if (strcmp(word, names[i]) == 0)
            return i;
    for (size_t i = 0; i < names_n && used < sizeof expected; i++)
        used += (size_t)snprintf(expected + used, sizeof expected - used, "%s%s", i ? ", " : "", names[i]);
    red_reader_refuse(reader, key, expected);
    return 0;
}

enum red_state red_take_state(struct red_reader *reader, const json_t *from, const char *key) {
    const char *names[RED_STATES_N];
    for (int state = 0; state < RED_STATES_N; state++)
        names[state] = red_state_name((enum red_state)state);
    return (enum red_state)red_take_word(reader, from, key, names, RED_STATES_N);
}

json_t *red_reader_root(struct red_reader *reader, const char *what, const char *text, size_t text_n) {
    json_error_t found;
    const size_t mark_n = red_text_mark(text, text_n);
    const char *nul = text_n > 0 ? memchr(text, '\0', text_n) : NULL;
    if (nul != NULL) { /* jansson passes over one behind a number */
        reader->status = red_fail(reader->error, RED_E_INPUT, "%.200s is no %s: byte %zu is a NUL",
                                  reader->path, what, (size_t)(nul - text) + 1);
        return NULL;
    }
    const unsigned long failed_n = red_memory_failed_n();
    json_t *root = json_loadb(text + mark_n, text_n - mark_n, JSON_REJECT_DUPLICATES, &found);
    if (root == NULL) {
        char told[sizeof found.text];
        red_text_copy(found.text, told, sizeof told); /* it quotes the file */
        if (red_memory_failed_n() != failed_n)
            reader->status = red_fail(reader->error, RED_E_MEMORY, "no memory to read %.200s", reader->path);
        else
            reader->status = red_fail(reader->error, RED_E_INPUT, "%.200s is no %s: line %d: %s",
                                      reader->path, what, found.line, told);
    }
    return root;
}
