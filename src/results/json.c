/* Writes values of JSON, and reads and checks those of files. The first fault of a file is printed as
 * "a.json: cells[3].n: expected ..."; a message with one is refused. */
#include "results/json.h"

#include <ctype.h>
#include <gsl/gsl_sort.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/file.h"
#include "core/memory.h"
#include "core/text.h"

/* Values of files, of messages between processes, of journals, and of recommend --format json. */
json_t *red_json_any_text(const char *text) {
    char *repaired = red_utf8_repaired(text);
    json_t *made = repaired ? json_string(repaired) : NULL;
    if (repaired == NULL)
        red_memory_note_failure();
    free(repaired);
    return made;
}

json_t *red_json_text(const char *value) {
    return value[0] == '\0' ? json_null() : red_json_any_text(value);
}

json_t *red_json_real(double value) {
    json_t *made = json_real(value);
    return made ? made : json_null();
}

json_t *red_json_positive(double value) {
    return value > 0 ? red_json_real(value) : json_null();
}

json_t *red_json_any_real(double value) {
    char text[32];
    snprintf(text, sizeof text, "%g", value);
    return isfinite(value) ? json_real(value) : json_string(text);
}

bool red_json_read_any_real(const json_t *from, double *value) {
    const char *text = json_string_value(from);
    char *end = NULL;
    if (text == NULL && !json_is_number(from))
        return false;
    *value = text ? strtod(text, &end) : json_number_value(from);
    return text == NULL || (end != text && *end == '\0');
}

json_t *red_json_integer(uint64_t value) {
    return json_integer(value < INT64_MAX ? (json_int_t)value : INT64_MAX);
}

json_t *red_json_chosen(uint64_t value) {
    return value > 0 ? red_json_integer(value) : json_null();
}

/* ---- numbers as files keep them ------------------------------------------------------------------------ */

enum { DIGITS = 7, PARTS = 10000 };

static bool is_of_reals(const json_t *value) {
    bool of_reals = json_array_size(value) > 0;
    for (size_t i = 0; i < json_array_size(value); i++)
        of_reals = of_reals && json_is_real(json_array_get(value, i));
    return of_reals;
}

static double rounded(double number) {
    char text[32];
    snprintf(text, sizeof text, "%.*g", DIGITS, number);
    return strtod(text, NULL);
}

/* The median, of two the lower one, so that it is one of them: what is read and written again stays as it
 * is. The least above 0 where that is less than a hundredth of the median, which would be rounded by more
 * than 1 %; the largest amount where the median is not above 0; 0 where all are 0, -1 without memory. */
static double base_of(const json_t *array) {
    const size_t n = json_array_size(array);
    double *numbers = malloc(n * sizeof *numbers), base = -1;
    for (size_t i = 0; i < n && numbers != NULL; i++)
        numbers[i] = json_real_value(json_array_get(array, i));
    if (numbers != NULL) {
        gsl_sort(numbers, 1, n);
        size_t least = 0;
        while (least < (n - 1) / 2 && numbers[least] <= 0)
            least++;
        base = numbers[(n - 1) / 2];
        base = base <= 0                     ? fmax(numbers[n - 1], -numbers[0])
               : 100 * numbers[least] < base ? numbers[least]
                                             : base;
        base = rounded(base);
    }
    free(numbers);
    return base;
}

/* By how many parts of the base a number is off; what is above 0 stays so. */
static json_int_t off_by(double number, double base) {
    const json_int_t off = llround((number / base - 1) * PARTS);
    return number > 0 && off <= -PARTS ? 1 - PARTS : off;
}

/* `median`: what stands beside the array, if anything does. */
static json_t *packed_json(const json_t *array, const json_t *median) {
    const bool is_known = json_real_value(median) > 0;
    const double base = is_known ? rounded(json_real_value(median)) : base_of(array);
    json_t *off = json_array();
    for (size_t i = 0; i < json_array_size(array) && base == 0; i++)
        json_array_append_new(off, json_integer(0));
    if (base == 0)
        return off;
    for (size_t i = 0; i < json_array_size(array) && base > 0; i++)
        json_array_append_new(off, json_integer(off_by(json_real_value(json_array_get(array, i)), base)));
    const bool whole = json_array_size(off) == json_array_size(array);
    json_t *packed =
        is_known ? json_pack("{s:o}", "off", off) : json_pack("{s:f, s:o}", "about", base, "off", off);
    if (whole)
        return packed;
    json_decref(packed);
    return NULL;
}

json_t *red_json_pack_numbers(json_t *object) {
    const char *key;
    json_t *value;
    void *next;
    bool whole = object != NULL;
    json_object_foreach_safe(object, next, key, value) {
        if (json_is_object(value)) {
            json_t *packed = red_json_pack_numbers(json_incref(value)); /* which releases it without memory */
            whole = packed != NULL && whole;
            json_decref(packed);
        } else if (is_of_reals(value))
            whole = json_object_set_new(object, key,
                                        packed_json(value, json_object_get(object, "median_s"))) == 0 &&
                    whole;
        else if (json_is_real(value))
            json_real_set(value, rounded(json_real_value(value)));
    }
    if (whole)
        return object;
    json_decref(object);
    return NULL;
}

void red_json_leave_out_unset(json_t *object, const char *kept) {
    const char *key;
    json_t *value;
    void *next;
    json_object_foreach_safe(object, next, key, value) {
        if ((json_is_null(value) || json_is_false(value)) && strcmp(key, kept) != 0)
            (void)json_object_del(object, key);
    }
}

/* ---- files --------------------------------------------------------------------------------------------- */

/* Prints a member of the file's object: of an array of objects each on a line of its own. False without
 * memory. */
static bool member_print(const char *key, const json_t *value, size_t flags, FILE *out) {
    const size_t lines_n = json_is_object(json_array_get(value, 0)) ? json_array_size(value) : 0;
    bool whole = true;
    fprintf(out, "\"%s\": ", key);
    if (lines_n == 0)
        return json_dumpf(value, out, flags) == 0;
    for (size_t i = 0; i < lines_n && whole; i++) {
        fputs(i > 0 ? ",\n" : "[\n", out);
        whole = json_dumpf(json_array_get(value, i), out, flags) == 0;
    }
    fputs("\n]", out);
    return whole;
}

static bool object_print(json_t *object, size_t flags, FILE *out) {
    const char *key, *before = "{\n";
    json_t *value;
    bool whole = true;
    json_object_foreach(object, key, value) {
        fputs(before, out);
        whole = member_print(key, value, flags | JSON_COMPACT | JSON_ENCODE_ANY, out) && whole;
        before = ",\n";
    }
    fputs("\n}", out);
    return whole;
}

/* For result files (bench --output), and devices --format json, which people read. */
enum red_status red_json_write(json_t *json, const char *path, size_t digits, struct red_error *error) {
    struct red_file file;
    enum red_status status = red_file_open(path, &file, error);
    if (status != RED_OK)
        return status;
    const size_t flags = JSON_REAL_PRECISION(digits);
    bool dumped = json_is_object(json) ? object_print(json, flags, file.stream)
                                       : json_dumpf(json, file.stream, JSON_INDENT(1) | flags) == 0;
    fputc('\n', file.stream);
    if (dumped || ferror(file.stream))
        return red_file_commit(&file, error); /* which knows why writing failed */
    red_file_abandon(&file);
    return red_fail(error, RED_E_MEMORY, "no memory to write %s", path);
}

/* "a.json: cells[3].n: expected a whole number from 0"; only the first one counts. */
void red_reader_refuse(struct red_reader *reader, const char *key, const char *expected) {
    if (reader->status == RED_OK)
        reader->status = red_fail(reader->error, RED_E_INPUT, "%.200s: %s%s%s: expected %s", reader->path,
                                  reader->where, reader->where[0] && key[0] ? "." : "", key, expected);
}

void red_reader_fail_memory(struct red_reader *reader) {
    reader->status = red_fail(reader->error, RED_E_MEMORY, "no memory for %.200s", reader->path);
}

/* How many bytes at `at` are a character that is not to be shown: ASCII's control characters; U+0080 to
 * U+009F, of which terminals take some for the beginning of a command; those that turn the direction of all
 * that follows (U+200E, U+200F, U+202A to U+202E, U+2066 to U+2069). 0 for all others. */
static size_t unprintable_bytes(const char *at) {
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

/* For texts of a file and its path, and for a worker's error in a duel. Printable characters only; bytes from
 * 0x80 on are UTF-8 (jansson has checked those of files). A text that is cut may end within one, so what is
 * cut ends before it. */
void red_text_copy_printable(const char *from, char *text, size_t text_bytes) {
    size_t used = 0;
    while (*from != '\0' && used + 1 < text_bytes) {
        size_t unseen = unprintable_bytes(from);
        text[used++] = unseen > 0 ? ' ' : *from;
        from += unseen > 0 ? unseen : 1;
    }
    while (*from != '\0' && used > 0 && ((unsigned char)*from & 0xc0) == 0x80) {
        from--;
        used--;
    }
    text[used] = '\0';
}

/* red_take_X takes a member of a file's object; what is no X is the reader's error. */
void red_take_text(struct red_reader *reader, const json_t *from, const char *key, bool may_lack, char *text,
                   size_t text_bytes) {
    const json_t *value = json_object_get(from, key);
    text[0] = '\0';
    if (json_is_string(value))
        red_text_copy_printable(json_string_value(value), text, text_bytes);
    else if (!may_lack || !(value == NULL || json_is_null(value)))
        red_reader_refuse(reader, key, "a text");
}

uint64_t red_take_whole(struct red_reader *reader, const json_t *from, const char *key) {
    const json_t *value = json_object_get(from, key);
    if (!json_is_integer(value) || json_integer_value(value) < 0)
        red_reader_refuse(reader, key, "a whole number from 0");
    return (uint64_t)json_integer_value(value);
}

uint64_t red_take_chosen(struct red_reader *reader, const json_t *from, const char *key, uint64_t max) {
    const json_t *value = json_object_get(from, key);
    if (value == NULL || json_is_null(value))
        return 0;
    uint64_t number = red_take_whole(reader, from, key);
    if (number > 0 && number <= max)
        return number;
    char expected[80] = "a whole number from 1, or null";
    if (max < INT64_MAX)
        snprintf(expected, sizeof expected, "a whole number from 1 to %llu, or null",
                 (unsigned long long)max);
    red_reader_refuse(reader, key, expected);
    return number;
}

bool red_take_flag(struct red_reader *reader, const json_t *from, const char *key) {
    const json_t *value = json_object_get(from, key);
    if (!json_is_boolean(value))
        red_reader_refuse(reader, key, "true or false");
    return json_is_true(value);
}

const json_t *red_take_container(struct red_reader *reader, const json_t *from, const char *key,
                                 json_type type, size_t max) {
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

size_t red_json_numbers_n(const json_t *value) {
    return json_array_size(json_is_object(value) ? json_object_get(value, "off") : value);
}

void red_take_numbers(struct red_reader *reader, const json_t *from, const char *key, double least,
                      double most, double *numbers, size_t n) {
    const json_t *value = json_object_get(from, key), *array = value, *base = NULL;
    char expected[64];
    snprintf(expected, sizeof expected, "numbers from %g to %g", least, most);
    if (json_is_object(value)) {
        base = json_object_get(value, "about");
        base = base != NULL ? base : json_object_get(from, "median_s");
        array = json_object_get(value, "off");
        if (!(json_number_value(base) > 0))
            red_reader_refuse(reader, key, "about: a number above 0, or median_s beside it");
    }
    for (size_t i = 0; i < n && reader->status == RED_OK; i++) {
        const json_t *number = json_array_get(array, i);
        const double found = json_number_value(number);
        numbers[i] = base != NULL ? json_number_value(base) * (1 + found / PARTS) : found;
        if (!json_is_number(number) || !(numbers[i] >= least && numbers[i] <= most))
            red_reader_refuse(reader, key, expected);
    }
}

/* `what` is "result file" or "file of a duel". */
json_t *red_reader_root(struct red_reader *reader, const char *what, const char *text, size_t text_n) {
    json_error_t found;
    const size_t mark_n = red_text_bom_bytes(text, text_n);
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
        red_text_copy_printable(found.text, told, sizeof told); /* it quotes the file */
        if (red_memory_failed_n() != failed_n)
            reader->status = red_fail(reader->error, RED_E_MEMORY, "no memory to read %.200s", reader->path);
        else
            reader->status = red_fail(reader->error, RED_E_INPUT, "%.200s is no %s: line %d: %s",
                                      reader->path, what, found.line, told);
    }
    return root;
}
