/* Field tables: writing a struct as JSON and reading it by one table. What result files and files of duels
 * hold of a host, a device, a cell or a geometry goes through here. */
#include "results/fields.h"

#include <math.h>
#include <string.h>

#include "results/json.h"

enum { MEMBERS_MAX = 256 };

static const char *const answer_names[RED_ANSWERS_N] = {
    [RED_UNKNOWN] = "unknown", [RED_NO] = "no", [RED_YES] = "yes"};

/* ---- writing ---------------------------------------------------------------------------------------------
 */

static uint64_t whole_of(const struct red_field *field, const void *member) {
    return field->bytes == sizeof(unsigned) ? *(const unsigned *)member : *(const uint64_t *)member;
}

static json_t *value_json(const struct red_field *field, const void *member) {
    switch (field->kind) {
    case RED_FIELD_TEXT:
    case RED_FIELD_NAME:
        return red_json_text(member);
    case RED_FIELD_WHOLE:
    case RED_FIELD_COUNT:
        return red_json_integer(whole_of(field, member));
    case RED_FIELD_CHOSEN:
        return red_json_chosen(whole_of(field, member));
    case RED_FIELD_NUMBER:
    case RED_FIELD_AMOUNT:
    case RED_FIELD_ERROR:
        return red_json_real(*(const double *)member);
    case RED_FIELD_POSITIVE:
        return red_json_positive(*(const double *)member);
    case RED_FIELD_FLAG:
        return json_boolean(*(const bool *)member);
    case RED_FIELD_STATE:
        return json_string(red_state_name(*(const enum red_state *)member));
    case RED_FIELD_ANSWER:
        return json_string(answer_names[*(const enum red_answer *)member]);
    case RED_FIELD_OBJECT:
        return red_fields_json(field->members, member);
    case RED_FIELD_OWN:
        break;
    }
    return field->write(member);
}

bool red_fields_put(json_t *object, const struct red_field *fields, const void *record) {
    bool whole = true;
    for (const struct red_field *field = fields; field->key != NULL && whole; field++) {
        const bool known = field->known == NULL || field->known(record);
        json_t *value = known ? value_json(field, (const char *)record + field->offset) : json_null();
        whole = json_object_set_new(object, field->key, value) == 0;
    }
    return whole;
}

json_t *red_fields_json(const struct red_field *fields, const void *record) {
    json_t *object = json_object();
    if (red_fields_put(object, fields, record))
        return object;
    json_decref(object);
    return NULL;
}

/* ---- reading ---------------------------------------------------------------------------------------------
 */

static void whole_set(struct red_reader *reader, const struct red_field *field, void *member,
                      uint64_t value) {
    if (field->bytes == sizeof(uint64_t))
        *(uint64_t *)member = value;
    else if (value <= UINT32_MAX)
        *(unsigned *)member = (unsigned)value;
    else
        red_reader_refuse(reader, field->key, "a smaller number");
}

static void number_read(struct red_reader *reader, const json_t *from, const char *key, double *member) {
    const json_t *value = json_object_get(from, key);
    if (json_is_number(value))
        *member = json_number_value(value);
    else
        red_reader_refuse(reader, key, "a number, or null");
}

/* The reader is within the object meanwhile, so that an error names its members by their path. */
static void object_read(struct red_reader *reader, const json_t *from, const struct red_field *field,
                        void *member) {
    const json_t *object = red_take_kind(reader, from, field->key, JSON_OBJECT, MEMBERS_MAX);
    char outside[sizeof reader->where];
    if (object == NULL)
        return;
    memcpy(outside, reader->where, sizeof outside);
    snprintf(reader->where, sizeof reader->where, "%.60s%s%.30s", outside, outside[0] ? "." : "", field->key);
    red_fields_read(reader, object, field->members, member);
    memcpy(reader->where, outside, sizeof outside);
}

static void member_read(struct red_reader *reader, const json_t *from, const struct red_field *field,
                        void *member) {
    const char *key = field->key;
    switch (field->kind) {
    case RED_FIELD_TEXT:
    case RED_FIELD_NAME:
        red_take_text(reader, from, key, field->kind == RED_FIELD_TEXT, member, field->bytes);
        break;
    case RED_FIELD_WHOLE:
    case RED_FIELD_COUNT:
        whole_set(reader, field, member, red_take_whole(reader, from, key));
        break;
    case RED_FIELD_CHOSEN:
        whole_set(reader, field, member,
                  red_take_chosen(reader, from, key, field->max > 0 ? field->max : INT64_MAX));
        break;
    case RED_FIELD_NUMBER:
        number_read(reader, from, key, member);
        break;
    case RED_FIELD_AMOUNT:
    case RED_FIELD_ERROR:
        *(double *)member = red_take_amount(reader, from, key);
        break;
    case RED_FIELD_POSITIVE:
        *(double *)member = red_take_positive(reader, from, key);
        break;
    case RED_FIELD_FLAG:
        *(bool *)member = red_take_flag(reader, from, key);
        break;
    case RED_FIELD_STATE:
        *(enum red_state *)member = red_take_state(reader, from, key);
        break;
    case RED_FIELD_ANSWER:
        *(enum red_answer *)member =
            (enum red_answer)red_take_word(reader, from, key, answer_names, RED_ANSWERS_N);
        break;
    case RED_FIELD_OBJECT:
        object_read(reader, from, field, member);
        break;
    case RED_FIELD_OWN:
        field->read(reader, from, key, member);
        break;
    }
}

/* Whether the member stays as it is for want of a value. */
static bool is_left(const json_t *from, const struct red_field *field) {
    const json_t *value = json_object_get(from, field->key);
    const bool may_be_null = field->kind == RED_FIELD_COUNT || field->kind == RED_FIELD_NUMBER ||
                             field->kind == RED_FIELD_AMOUNT || field->kind == RED_FIELD_ERROR ||
                             field->kind == RED_FIELD_FLAG || field->known != NULL;
    return value == NULL ? may_be_null || field->may_lack : may_be_null && json_is_null(value);
}

void red_fields_read(struct red_reader *reader, const json_t *from, const struct red_field *fields,
                     void *record) {
    for (const struct red_field *field = fields; field->key != NULL && reader->status == RED_OK; field++) {
        void *member = (char *)record + field->offset;
        if (field->kind == RED_FIELD_ERROR)
            *(double *)member = INFINITY;
        if (!is_left(from, field))
            member_read(reader, from, field, member);
    }
}
