/* Writes structs as JSON, and reads them, by their field tables: what files, messages (worker/protocol.c) and
 * journals hold of a struct goes through here. `field` is a line of a table, `member` its place in the
 * struct, which is `record`. */
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/text.h"
#include "results/json.h"

enum { MEMBERS_MAX = 256 };

static const void *member_of(const struct red_field *field, const void *record) {
    return (const char *)record + field->offset;
}

/* The struct whose members stand within the table of another. */
static const void *within(const struct red_field *field, const void *record) {
    const void *member = member_of(field, record);
    return field->follows ? *(const void *const *)member : member;
}

/* Whether it is among the members that are asked for; `only` NULL: all are. */
static bool is_among(const char *key, const char *only) {
    const size_t n = strlen(key);
    const char *at = only;
    while (at != NULL && (at = strstr(at, key)) != NULL) {
        if ((at == only || at[-1] == ' ') && (at[n] == ' ' || at[n] == '\0'))
            return true;
        at += n;
    }
    return only == NULL;
}

static uint64_t integer_at(const void *member, size_t bytes) {
    return bytes == sizeof(unsigned) ? *(const unsigned *)member : *(const uint64_t *)member;
}

/* How many elements an array of the struct has. */
static size_t elements_n(const struct red_field *field, const void *record) {
    const struct red_elements *of = &field->of;
    if (of->count_bytes == 0)
        return field->bytes / of->bytes;
    const int64_t n = (int64_t)integer_at((const char *)record + of->count_offset, of->count_bytes);
    return n + of->more > 0 ? (size_t)(n + of->more) : 0;
}

/* Where the first of them is. */
static const char *elements_of(const struct red_field *field, const void *record) {
    const void *member = member_of(field, record);
    return field->of.owned ? *(const char *const *)member : member;
}

/* ---- writing -------------------------------------------------------------------------------------------
 * X_json makes the JSON of a member of kind X; NULL without memory. */

static json_t *text_json(const struct red_field *field, const void *record) {
    return red_json_text(member_of(field, record));
}

static json_t *integer_json(const struct red_field *field, const void *record) {
    return red_json_integer(integer_at(member_of(field, record), field->bytes));
}

/* All 64 bits, as a signed number. */
static json_t *bits_json(const struct red_field *field, const void *record) {
    return json_integer((json_int_t)integer_at(member_of(field, record), field->bytes));
}

static json_t *chosen_json(const struct red_field *field, const void *record) {
    return red_json_chosen(integer_at(member_of(field, record), field->bytes));
}

static json_t *number_json(const struct red_field *field, const void *record) {
    return red_json_real(*(const double *)member_of(field, record));
}

static json_t *positive_json(const struct red_field *field, const void *record) {
    return red_json_positive(*(const double *)member_of(field, record));
}

static json_t *flag_json(const struct red_field *field, const void *record) {
    return json_boolean(*(const bool *)member_of(field, record));
}

static json_t *named_json(const struct red_field *field, const void *record) {
    return json_string(field->names[*(const unsigned *)member_of(field, record)]);
}

static json_t *state_json(const struct red_field *field, const void *record) {
    return json_string(red_state_name(*(const enum red_state *)member_of(field, record)));
}

static json_t *strategy_json(const struct red_field *field, const void *record) {
    return red_json_text((*(const struct red_strategy *const *)member_of(field, record))->name);
}

static json_t *op_json(const struct red_field *field, const void *record) {
    return red_json_text((*(const struct red_op *const *)member_of(field, record))->name);
}

static json_t *type_json(const struct red_field *field, const void *record) {
    return red_json_text((*(const struct red_dtype *const *)member_of(field, record))->name);
}

static json_t *real_json(const struct red_field *field, const void *record) {
    return red_json_any_real(*(const double *)member_of(field, record));
}

static json_t *owned_text_json(const struct red_field *field, const void *record) {
    const char *text = *(char *const *)member_of(field, record);
    return text != NULL ? red_json_text(text) : json_null();
}

static bool members_put(json_t *object, const struct red_field *fields, const char *only, const void *record);

/* An object of the field, or an element of its list. */
static json_t *element_json(const struct red_field *field, const void *element) {
    json_t *object = json_object();
    if (members_put(object, field->members, field->only, element))
        return object;
    json_decref(object);
    return NULL;
}

static json_t *object_json(const struct red_field *field, const void *record) {
    return element_json(field, member_of(field, record));
}

static json_t *array_json(const struct red_field *field, const void *record) {
    const char *first = elements_of(field, record);
    const size_t n = elements_n(field, record);
    if (field->of.or_count && first == NULL)
        return red_json_integer(n);
    json_t *array = json_array();
    bool whole = array != NULL;
    for (size_t i = 0; i < n && whole; i++) {
        const void *element = first + i * field->of.bytes;
        json_t *value = field->kind == RED_FIELD_NUMBERS  ? red_json_real(*(const double *)element)
                        : field->kind == RED_FIELD_REALS  ? red_json_any_real(*(const double *)element)
                        : field->kind == RED_FIELD_WHOLES ? red_json_integer(*(const uint64_t *)element)
                        : field->of.write != NULL         ? field->of.write(record, i)
                                                          : element_json(field, element);
        whole = json_array_append_new(array, value) == 0;
    }
    if (whole)
        return array;
    json_decref(array);
    return NULL;
}

static json_t *own_json(const struct red_field *field, const void *record) {
    return field->write(member_of(field, record));
}

/* Whether the struct has the member: otherwise null is written. */
static bool is_known(const struct red_field *field, const void *record) {
    static const char zeros[sizeof(uint64_t)];
    return (field->known == NULL || field->known(record)) &&
           (field->if_set.bytes == 0 ||
            memcmp((const char *)record + field->if_set.offset, zeros, field->if_set.bytes) != 0);
}

static json_t *member_json(const struct red_field *field, const void *record);

/* Puts those of the struct's members into the object, too. False without memory. */
static bool members_put(json_t *object, const struct red_field *fields, const char *only,
                        const void *record) {
    bool whole = object != NULL;
    for (const struct red_field *field = fields; field->key != NULL && whole; field++) {
        const bool known = is_known(field, record);
        if (field->kind == RED_FIELD_WITHIN)
            whole = !known || members_put(object, field->members, field->only, within(field, record));
        else if ((known || !field->may_lack) && is_among(field->key, only))
            whole = json_object_set_new(object, field->key,
                                        known ? member_json(field, record) : json_null()) == 0;
    }
    return whole;
}

json_t *red_fields_add(json_t *object, const struct red_field *fields, const void *record) {
    if (members_put(object, fields, NULL, record))
        return object;
    json_decref(object);
    return NULL;
}

json_t *red_fields_json(const struct red_field *fields, const void *record) {
    return red_fields_add(json_object(), fields, record);
}

/* ---- printing ------------------------------------------------------------------------------------------ */

/* Whether a list of the table is one of lines. */
static bool has_lines(const struct red_field *fields) {
    bool has = false;
    for (const struct red_field *field = fields; field->key != NULL; field++)
        has = has || field->of.lines;
    return has;
}

/* Prints a value, and releases it. False without memory, or where it is NULL. */
static bool value_print(json_t *value, size_t digits, FILE *out) {
    const size_t flags = JSON_COMPACT | JSON_ENCODE_ANY | JSON_REAL_PRECISION(digits);
    const bool whole = value != NULL && json_dumpf(value, out, flags) == 0;
    json_decref(value);
    return whole;
}

static bool record_print(const struct red_field *fields, const void *record, size_t digits, const char *end,
                         FILE *out);

/* Prints a list, each element on a line of its own: only one is made at a time, for there may be millions. */
static bool lines_print(const struct red_field *field, const void *record, size_t digits, const char *end,
                        FILE *out) {
    const size_t n = elements_n(field, record);
    const char *first = elements_of(field, record);
    bool whole = true;
    fputc('[', out);
    for (size_t i = 0; i < n && whole; i++) {
        fputs(i > 0 ? ",\n" : "\n", out);
        whole = record_print(field->members, first + i * field->of.bytes, digits, end, out);
    }
    fputs(end, out);
    return whole;
}

/* Prints the members, what `before` says in front of the first one. */
static bool members_print(const struct red_field *fields, const char *only, const void *record, size_t digits,
                          const char *end, const char **before, FILE *out) {
    bool whole = true;
    for (const struct red_field *field = fields; field->key != NULL && whole; field++) {
        const bool known = is_known(field, record);
        if (field->kind == RED_FIELD_WITHIN) {
            whole = !known || members_print(field->members, field->only, within(field, record), digits, end,
                                            before, out);
            continue;
        }
        if ((!known && field->may_lack) || !is_among(field->key, only))
            continue;
        fprintf(out, "%s\"%s\": ", *before, field->key);
        *before = ",\n";
        whole = field->of.lines ? lines_print(field, record, digits, end, out)
                                : value_print(known ? member_json(field, record) : json_null(), digits, out);
    }
    return whole;
}

/* Prints the struct as an object: where its table has lists of lines each member is a line, and each element,
 * which is printed alike. False without memory. */
static bool record_print(const struct red_field *fields, const void *record, size_t digits, const char *end,
                         FILE *out) {
    const char *before = "{";
    if (!has_lines(fields))
        return value_print(red_fields_json(fields, record), digits, out);
    const bool whole = members_print(fields, NULL, record, digits, end, &before, out);
    fputc('}', out);
    return whole;
}

enum red_status red_file_kind_print(const struct red_file_kind *kind, const void *record, FILE *out,
                                    struct red_error *error) {
    const char *before = ",\n";
    fprintf(out, "{\"%s\": \"%s\",\n\"%s\": %u", kind->name_key, kind->name, kind->version_key,
            kind->version);
    if (!kind->has_program)
        fprintf(out, ",\n\"%s\": \"%s\"", kind->program_key, CLREDUCE_VERSION);
    const bool whole = members_print(kind->fields, NULL, record, kind->digits, kind->end, &before, out);
    fputs("}\n", out);
    return whole || ferror(out) ? RED_OK : red_fail(error, RED_E_MEMORY, "no memory for the %s", kind->what);
}

/* ---- reading -------------------------------------------------------------------------------------------
 * X_read reads a member of kind X from the object under the field's key; what is not as it must be is the
 * reader's error. */

/* Stores a number that was read; what an unsigned member cannot hold is refused. */
static void set_integer(struct red_reader *reader, const struct red_field *field, void *record,
                        uint64_t value) {
    void *member = (char *)record + field->offset;
    if (field->bytes == sizeof(uint64_t))
        *(uint64_t *)member = value;
    else if (value <= UINT32_MAX)
        *(unsigned *)member = (unsigned)value;
    else
        red_reader_refuse(reader, field->key, "a smaller number");
}

static void text_read(struct red_reader *reader, const json_t *from, const struct red_field *field,
                      void *record) {
    char *member = (char *)record + field->offset;
    const char *text = json_string_value(json_object_get(from, field->key));
    red_take_text(reader, from, field->key, field->kind == RED_FIELD_TEXT, member, field->bytes);
    if (reader->is_message && text != NULL)
        snprintf(member, field->bytes, "%s", text); /* as it is */
    if (field->kind == RED_FIELD_NAME && member[0] == '\0')
        red_reader_refuse(reader, field->key, "a name");
}

static void whole_read(struct red_reader *reader, const json_t *from, const struct red_field *field,
                       void *record) {
    set_integer(reader, field, record, red_take_whole(reader, from, field->key));
}

static void chosen_read(struct red_reader *reader, const json_t *from, const struct red_field *field,
                        void *record) {
    const uint64_t most = field->max > 0 ? field->max : INT64_MAX;
    set_integer(reader, field, record, red_take_chosen(reader, from, field->key, most));
}

static void bits_read(struct red_reader *reader, const json_t *from, const struct red_field *field,
                      void *record) {
    const json_t *value = json_object_get(from, field->key);
    const uint64_t bits = (uint64_t)json_integer_value(value);
    if (!json_is_integer(value) || (field->max > 0 && bits > field->max))
        red_reader_refuse(reader, field->key, "a whole number that it can have");
    else
        set_integer(reader, field, record, bits);
}

static void from_one_read(struct red_reader *reader, const json_t *from, const struct red_field *field,
                          void *record) {
    const json_t *value = json_object_get(from, field->key);
    const json_int_t number = json_is_integer(value) ? json_integer_value(value) : 0;
    char expected[64];
    snprintf(expected, sizeof expected, "a whole number from 1 to %" PRIu64, field->max);
    if (number < 1 || (uint64_t)number > field->max)
        red_reader_refuse(reader, field->key, expected);
    set_integer(reader, field, record, (uint64_t)number);
}

static void number_read(struct red_reader *reader, const json_t *from, const struct red_field *field,
                        void *record) {
    const enum red_field_kind kind = field->kind;
    const bool is_any = kind == RED_FIELD_NUMBER,
               is_above = kind == RED_FIELD_ABOVE_ZERO || kind == RED_FIELD_POSITIVE;
    const json_t *value = json_object_get(from, field->key);
    const double number = json_number_value(value), most = field->most > 0 ? field->most : DBL_MAX;
    char expected[64] = "a number";
    if (json_is_number(value) && (is_any || number >= 0) && number <= most && !(is_above && number == 0)) {
        *(double *)((char *)record + field->offset) = number;
        return;
    }
    if (!is_any)
        red_text_add(expected, sizeof expected, is_above ? " above 0" : " from 0");
    if (field->most > 0)
        red_text_add(expected, sizeof expected, ", and at most %g", most);
    if (is_any || kind == RED_FIELD_POSITIVE)
        red_text_add(expected, sizeof expected, ", or null");
    red_reader_refuse(reader, field->key, expected);
}

static void flag_read(struct red_reader *reader, const json_t *from, const struct red_field *field,
                      void *record) {
    *(bool *)((char *)record + field->offset) = red_take_flag(reader, from, field->key);
}

static void named_read(struct red_reader *reader, const json_t *from, const struct red_field *field,
                       void *record) {
    *(unsigned *)((char *)record + field->offset) =
        (unsigned)red_take_word(reader, from, field->key, field->names, field->names_n);
}

static void state_read(struct red_reader *reader, const json_t *from, const struct red_field *field,
                       void *record) {
    const char *names[RED_STATES_N];
    for (int state = 0; state < RED_STATES_N; state++)
        names[state] = red_state_name((enum red_state)state);
    *(enum red_state *)((char *)record + field->offset) =
        (enum red_state)red_take_word(reader, from, field->key, names, RED_STATES_N);
}

/* Takes the member's name, which is not empty. */
static void take_name(struct red_reader *reader, const json_t *from, const struct red_field *field,
                      char name[RED_STRANGER_NAME_BYTES]) {
    red_take_text(reader, from, field->key, false, name, RED_STRANGER_NAME_BYTES);
    if (name[0] == '\0')
        red_reader_refuse(reader, field->key, "a name");
}

/* Sets the member to what was found by its name, and says why nothing was. */
static void set_named(struct red_reader *reader, const struct red_field *field, void *record,
                      const void *found, const char *expected) {
    *(const void **)((char *)record + field->offset) = found;
    if (found == NULL && reader->status == RED_OK && reader->strangers != NULL)
        red_reader_fail_memory(reader);
    else if (found == NULL)
        red_reader_refuse(reader, field->key, expected);
}

static void strategy_read(struct red_reader *reader, const json_t *from, const struct red_field *field,
                          void *record) {
    char name[RED_STRANGER_NAME_BYTES];
    take_name(reader, from, field, name);
    set_named(reader, field, record,
              reader->strangers != NULL ? red_strangers_strategy(reader->strangers, name) : NULL,
              "a strategy that this program knows");
}

static void op_read(struct red_reader *reader, const json_t *from, const struct red_field *field,
                    void *record) {
    char name[RED_STRANGER_NAME_BYTES];
    take_name(reader, from, field, name);
    set_named(reader, field, record,
              reader->strangers != NULL ? red_strangers_op(reader->strangers, name) : red_op_find(name),
              "an operation that this program knows");
}

static void type_read(struct red_reader *reader, const json_t *from, const struct red_field *field,
                      void *record) {
    char name[RED_STRANGER_NAME_BYTES];
    take_name(reader, from, field, name);
    set_named(reader, field, record,
              reader->strangers != NULL ? red_strangers_dtype(reader->strangers, name) : red_dtype_find(name),
              "a type that this program knows");
}

static void real_read(struct red_reader *reader, const json_t *from, const struct red_field *field,
                      void *record) {
    if (!red_json_read_any_real(json_object_get(from, field->key),
                                (double *)((char *)record + field->offset)))
        red_reader_refuse(reader, field->key, "a number");
}

static void owned_text_read(struct red_reader *reader, const json_t *from, const struct red_field *field,
                            void *record) {
    const char *text = json_string_value(json_object_get(from, field->key));
    const size_t n = text != NULL ? strlen(text) : 0;
    char **owned = (char **)(void *)((char *)record + field->offset), none[1];
    if (reader->status != RED_OK)
        return;
    *owned = n > 0 ? calloc(n + 1, 1) : NULL;
    if (n > 0 && *owned == NULL)
        red_reader_fail_memory(reader);
    else
        red_take_text(reader, from, field->key, true, *owned ? *owned : none, n + 1);
}

/* The reader is within the member, or element i of it, meanwhile: errors name what is in it by its path. */
static void enter(struct red_reader *reader, char outside[sizeof reader->where], const char *key, size_t i) {
    memcpy(outside, reader->where, sizeof reader->where);
    snprintf(reader->where, sizeof reader->where, "%.50s%s%.30s", outside, outside[0] ? "." : "", key);
    if (i != SIZE_MAX)
        red_text_add(reader->where, sizeof reader->where, "[%zu]", i);
}

static void leave(struct red_reader *reader, const char outside[sizeof reader->where]) {
    memcpy(reader->where, outside, sizeof reader->where);
}

static void only_read(struct red_reader *reader, const json_t *from, const struct red_field *fields,
                      const char *only, void *record);

static void object_read(struct red_reader *reader, const json_t *from, const struct red_field *field,
                        void *record) {
    const json_t *object =
        red_take_container(reader, from, field->key, JSON_OBJECT, field->max > 0 ? field->max : MEMBERS_MAX);
    char outside[sizeof reader->where];
    if (object == NULL)
        return;
    enter(reader, outside, field->key, SIZE_MAX);
    only_read(reader, object, field->members, field->only, (char *)record + field->offset);
    leave(reader, outside);
}

static void within_read(struct red_reader *reader, const json_t *from, const struct red_field *field,
                        void *record) {
    only_read(reader, from, field->members, field->only, (void *)(uintptr_t)within(field, record));
}

static void own_read(struct red_reader *reader, const json_t *from, const struct red_field *field,
                     void *record) {
    if (field->read != NULL)
        field->read(reader, from, field->key, (char *)record + field->offset);
}

/* ---- reading: arrays ----------------------------------------------------------------------------------- */

/* Sets the member that says how many, of n elements. */
static void set_count(const struct red_elements *of, void *record, size_t elements_n) {
    const size_t n = (size_t)((int64_t)elements_n - of->more);
    void *count = (char *)record + of->count_offset;
    if (of->count_bytes == sizeof(unsigned))
        *(unsigned *)count = (unsigned)n;
    else if (of->count_bytes > 0)
        *(size_t *)count = n;
}

/* Makes room for n elements, or refuses so many; NULL with the reader's status. */
static char *room_for(struct red_reader *reader, const struct red_field *field, void *record, size_t n) {
    const struct red_elements *of = &field->of;
    const size_t most = of->owned ? (size_t)field->max : field->bytes / of->bytes;
    char *first = (char *)record + field->offset;
    char all[32], some[48] = "an array of one or more";
    snprintf(all, sizeof all, "%zu elements", most);
    if (of->least > 1)
        snprintf(some, sizeof some, "an array of %zu to %zu elements", of->least, most);
    const char *expected = n > most                                                ? "fewer entries"
                           : of->as_many != NULL && n != elements_n(field, record) ? of->as_many
                           : of->count_bytes == 0 && n != most                     ? all
                           : n < of->least                                         ? some
                                                                                   : NULL;
    if (expected != NULL)
        red_reader_refuse(reader, field->key, expected);
    if (reader->status != RED_OK)
        return NULL;
    if (!of->owned)
        return memset(first, 0, field->bytes); /* what is not sent is zero */
    size_t room = 1;
    while (room < n) /* as RED_GROW has it, so that the array can grow */
        room *= 2;
    if ((*(char **)(void *)first = calloc(room, of->bytes)) == NULL)
        red_reader_fail_memory(reader);
    return *(char **)(void *)first;
}

/* Numbers as files have them, which may be packed (red_json_pack_numbers). */
static void numbers_read(struct red_reader *reader, const json_t *from, const struct red_field *field,
                         void *record) {
    const json_t *value = json_object_get(from, field->key);
    const json_int_t counted_n = field->of.or_count && json_is_integer(value) ? json_integer_value(value) : 0;
    const size_t n = red_json_numbers_n(value);
    if (counted_n > 0 && (uint64_t)counted_n <= field->max) {
        set_count(&field->of, record, (size_t)counted_n);
        return;
    }
    double *numbers = (double *)(void *)room_for(reader, field, record, n);
    if (numbers == NULL)
        return;
    red_take_numbers(reader, from, field->key, field->least, field->most, numbers, n);
    if (field->of.as_many == NULL)
        set_count(&field->of, record, n);
}

/* Real numbers of messages, or whole ones. */
static void array_read(struct red_reader *reader, const json_t *from, const struct red_field *field,
                       void *record) {
    const json_t *array = red_take_container(reader, from, field->key, JSON_ARRAY, SIZE_MAX);
    const bool is_whole = field->kind == RED_FIELD_WHOLES;
    const size_t n = json_array_size(array);
    char *first = array != NULL ? room_for(reader, field, record, n) : NULL;
    for (size_t i = 0; i < n && first != NULL && reader->status == RED_OK; i++) {
        const json_t *value = json_array_get(array, i);
        void *element = first + i * field->of.bytes;
        if (is_whole && json_is_integer(value) && json_integer_value(value) >= 0)
            *(uint64_t *)element = (uint64_t)json_integer_value(value);
        else if (is_whole || !red_json_read_any_real(value, element))
            red_reader_refuse(reader, field->key, is_whole ? "whole numbers from 0" : "numbers");
    }
    if (field->of.as_many == NULL && first != NULL)
        set_count(&field->of, record, n);
}

/* The file's array of that name, if that is read element by element. */
static struct red_large_array *large_array(const struct red_reader *reader, const json_t *from,
                                           const char *key) {
    for (size_t i = 0; from == reader->root && i < reader->arrays_n; i++)
        if (reader->arrays[i].at != NULL && strcmp(reader->arrays[i].name, key) == 0)
            return &reader->arrays[i];
    return NULL;
}

static void list_read(struct red_reader *reader, const json_t *from, const struct red_field *field,
                      void *record) {
    struct red_large_array *large = large_array(reader, from, field->key);
    const json_t *array =
        large == NULL ? red_take_container(reader, from, field->key, JSON_ARRAY, SIZE_MAX) : NULL;
    const size_t n = large != NULL ? large->n : json_array_size(array);
    char *first = large != NULL || array != NULL ? room_for(reader, field, record, n) : NULL;
    char outside[sizeof reader->where];
    json_t *element;
    for (size_t i = 0; i < n && first != NULL && reader->status == RED_OK; i++) {
        element = large != NULL ? red_large_array_next(large, reader) : json_incref(json_array_get(array, i));
        if (element == NULL)
            break;
        if (field->of.as_many == NULL)
            set_count(&field->of, record, i + 1);
        enter(reader, outside, field->key, i);
        if (field->of.read != NULL)
            field->of.read(reader, element, record, i);
        else
            only_read(reader, element, field->members, field->only, first + i * field->of.bytes);
        leave(reader, outside);
        json_decref(element);
    }
}

/* ---- kinds --------------------------------------------------------------------------------------------- */

static const struct kind {
    json_t *(*write)(const struct red_field *field, const void *record);
    void (*read)(struct red_reader *reader, const json_t *from, const struct red_field *field, void *record);
    bool may_be_null; /* in a file, or may lack there: the member is zero then */
} kinds_of_fields[] = {
    [RED_FIELD_TEXT] = {text_json, text_read, false},
    [RED_FIELD_NAME] = {text_json, text_read, false},
    [RED_FIELD_WHOLE] = {integer_json, whole_read, false},
    [RED_FIELD_COUNT] = {integer_json, whole_read, true},
    [RED_FIELD_FROM_ONE] = {integer_json, from_one_read, false},
    [RED_FIELD_CHOSEN] = {chosen_json, chosen_read, false},
    [RED_FIELD_NUMBER] = {number_json, number_read, true},
    [RED_FIELD_AMOUNT] = {number_json, number_read, true},
    [RED_FIELD_POSITIVE] = {positive_json, number_read, true},
    [RED_FIELD_ABOVE_ZERO] = {number_json, number_read, false},
    [RED_FIELD_FROM_ZERO] = {number_json, number_read, false},
    [RED_FIELD_ERROR] = {number_json, number_read, true},
    [RED_FIELD_OPTIONAL_FLAG] = {flag_json, flag_read, true},
    [RED_FIELD_FLAG] = {flag_json, flag_read, false},
    [RED_FIELD_NAMED] = {named_json, named_read, false},
    [RED_FIELD_STATE] = {state_json, state_read, false},
    [RED_FIELD_STRATEGY] = {strategy_json, strategy_read, false},
    [RED_FIELD_OP] = {op_json, op_read, false},
    [RED_FIELD_TYPE] = {type_json, type_read, false},
    [RED_FIELD_BITS] = {bits_json, bits_read, false},
    [RED_FIELD_REAL] = {real_json, real_read, false},
    [RED_FIELD_OWNED_TEXT] = {owned_text_json, owned_text_read, false},
    [RED_FIELD_OBJECT] = {object_json, object_read, false},
    [RED_FIELD_WITHIN] = {object_json, within_read, false},
    [RED_FIELD_NUMBERS] = {array_json, numbers_read, false},
    [RED_FIELD_REALS] = {array_json, array_read, false},
    [RED_FIELD_WHOLES] = {array_json, array_read, false},
    [RED_FIELD_LIST] = {array_json, list_read, false},
    [RED_FIELD_OWN] = {own_json, own_read, false},
};

static json_t *member_json(const struct red_field *field, const void *record) {
    return kinds_of_fields[field->kind].write(field, record);
}

/* Whether there is no value for the member, and need not be one. */
static bool may_stay_unset(const struct red_reader *reader, const json_t *from,
                           const struct red_field *field) {
    const json_t *value = json_object_get(from, field->key);
    const bool is_left_out = field->known != NULL || field->if_set.bytes > 0,
               may_be_null = is_left_out || (kinds_of_fields[field->kind].may_be_null && !reader->is_message);
    if (field->kind == RED_FIELD_WITHIN ||
        (field->kind == RED_FIELD_LIST && large_array(reader, from, field->key) != NULL))
        return false;
    return value == NULL ? field->may_lack || (may_be_null && !reader->is_message)
                         : may_be_null && json_is_null(value);
}

/* Makes a member zero that has no value, whatever was there before, and those of an object that has no place
 * of its own; an error that is not told stays infinite. */
static void leave_unset(const struct red_field *field, void *record) {
    char *member = (char *)record + field->offset;
    if (field->sets_flag)
        *((bool *)record + field->if_set.offset) = false;
    if (field->kind != RED_FIELD_ERROR)
        memset(member, 0, field->bytes);
    if (field->kind == RED_FIELD_OBJECT && field->bytes == 0)
        for (const struct red_field *inner = field->members; inner->key != NULL; inner++)
            leave_unset(inner, member);
}

static void only_read(struct red_reader *reader, const json_t *from, const struct red_field *fields,
                      const char *only, void *record) {
    for (const struct red_field *field = fields; field->key != NULL && reader->status == RED_OK; field++) {
        const bool is_within = field->kind == RED_FIELD_WITHIN;
        if (!is_within && !is_among(field->key, only))
            continue;
        if (field->kind == RED_FIELD_ERROR)
            *(double *)(void *)((char *)record + field->offset) = INFINITY;
        if (is_within && !is_known(field, record))
            continue;
        if (may_stay_unset(reader, from, field)) {
            leave_unset(field, record);
            continue;
        }
        if (field->sets_flag)
            *((bool *)record + field->if_set.offset) = true;
        if (reader->is_message && !is_within && json_object_get(from, field->key) == NULL)
            red_reader_refuse(reader, field->key, "a value");
        kinds_of_fields[field->kind].read(reader, from, field, record);
    }
}

void red_fields_read(struct red_reader *reader, const json_t *from, const struct red_field *fields,
                     void *record) {
    only_read(reader, from, fields, NULL, record);
}

/* ---- kinds of files ------------------------------------------------------------------------------------ */

/* Adds the names of the kind's arrays to those that are left out of the object. How many there are. */
static size_t add_arrays(struct red_large_array *arrays, size_t n, const struct red_file_kind *kind) {
    for (size_t i = 0; i < RED_FILE_ARRAYS_MAX && kind->arrays[i] != NULL; i++) {
        bool is_there = false;
        for (size_t k = 0; k < n; k++)
            is_there = is_there || strcmp(arrays[k].name, kind->arrays[i]) == 0;
        if (!is_there && n < RED_PARSED_ARRAYS_MAX)
            arrays[n++] = (struct red_large_array){.name = kind->arrays[i]};
    }
    return n;
}

enum red_status red_parsed_open(const char *path, const char *what, const char *text, size_t text_n,
                                const struct red_file_kind *const *kinds, size_t kinds_n,
                                struct red_parsed *parsed, struct red_error *error) {
    struct red_reader *reader = &parsed->reader;
    *parsed = (struct red_parsed){.reader = {.path = path, .error = error}};
    for (size_t k = 0; k < kinds_n; k++)
        reader->arrays_n = add_arrays(parsed->arrays, reader->arrays_n, kinds[k]);
    parsed->root = red_reader_root_but_arrays(reader, what, text, text_n, parsed->arrays, reader->arrays_n);
    reader->root = parsed->root;
    reader->arrays = parsed->arrays;
    return reader->status;
}

void red_parsed_close(struct red_parsed *parsed) {
    json_decref(parsed->root);
    parsed->root = NULL;
}

struct red_large_array *red_parsed_array(struct red_parsed *parsed, const char *name) {
    return large_array(&parsed->reader, parsed->root, name);
}

/* Whether the file has the member that tells of the kind: an array that is read element by element, or an
 * object. */
static bool has_marker(const struct red_parsed *parsed, const struct red_file_kind *kind) {
    for (size_t i = 0; i < RED_FILE_ARRAYS_MAX && kind->arrays[i] != NULL; i++)
        if (strcmp(kind->arrays[i], kind->marker) == 0)
            return large_array(&parsed->reader, parsed->root, kind->marker) != NULL;
    return json_is_object(json_object_get(parsed->root, kind->marker));
}

bool red_parsed_is(const struct red_parsed *parsed, const struct red_file_kind *kind) {
    if (kind->name_key != NULL) {
        const char *name = json_string_value(json_object_get(parsed->root, kind->name_key));
        return name != NULL && strcmp(name, kind->name) == 0;
    }
    return json_is_integer(json_object_get(parsed->root, kind->version_key)) && has_marker(parsed, kind);
}

/* Refuses a file of another version, and names the program that wrote it as far as that is told. */
static void check_version(struct red_parsed *parsed, const struct red_file_kind *kind) {
    const json_t *root = parsed->root, *program = json_object_get(root, kind->program_key);
    char expected[160], named[64] = "", printable[32];
    program = json_is_object(program) ? json_object_get(program, "version") : program;
    if (json_is_string(program)) {
        red_text_copy_printable(json_string_value(program), printable, sizeof printable);
        snprintf(named, sizeof named, ", which called itself %s,", printable);
    }
    snprintf(expected, sizeof expected,
             "%u; another clreduce%s wrote this file: read it with that one, or measure again with this one",
             kind->version, named);
    if (json_integer_value(json_object_get(root, kind->version_key)) != (json_int_t)kind->version)
        red_reader_refuse(&parsed->reader, kind->version_key, expected);
}

enum red_status red_parsed_read(struct red_parsed *parsed, const struct red_file_kind *kind, void *record,
                                const void *reading) {
    struct red_reader *reader = &parsed->reader;
    char expected[160];
    for (size_t i = 0; i < reader->arrays_n; i++)
        parsed->arrays[i].what = kind->what;
    if (!red_parsed_is(parsed, kind)) {
        if (kind->name != NULL)
            snprintf(expected, sizeof expected, "\"%s\": %s", kind->name, kind->name_words);
        else
            snprintf(expected, sizeof expected, "%u: %s", kind->version, kind->name_words);
        red_reader_refuse(reader, kind->name != NULL ? kind->name_key : kind->version_key, expected);
    }
    check_version(parsed, kind);
    reader->reading = reading;
    red_fields_read(reader, parsed->root, kind->fields, record);
    return reader->status;
}

enum red_status red_file_kind_read(const struct red_file_kind *kind, const char *path, const char *text,
                                   size_t text_n, void *record, const void *reading,
                                   struct red_error *error) {
    struct red_parsed parsed;
    enum red_status status = red_parsed_open(path, kind->what, text, text_n, &kind, 1, &parsed, error);
    if (status == RED_OK)
        status = red_parsed_read(&parsed, kind, record, reading);
    red_parsed_close(&parsed);
    return status;
}
