/* Turns cases, geometries, capabilities and results into JSON and back, for both ends of the protocol. */
#include "worker/protocol.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/text.h"

/* ---- numbers and texts -----------------------------------------------------------------------------------
 */

json_t *red_protocol_real(double value) {
    char text[32];
    snprintf(text, sizeof text, "%g", value);
    return isfinite(value) ? json_real(value) : json_string(text);
}

bool red_protocol_read_real(const json_t *from, double *value) {
    const char *text = json_string_value(from);
    char *end = NULL;
    if (text == NULL && !json_is_number(from))
        return false;
    *value = text ? strtod(text, &end) : json_number_value(from);
    return text == NULL || (end != text && *end == '\0');
}

json_t *red_protocol_reals(const double *values, size_t n) {
    json_t *array = json_array();
    for (size_t i = 0; i < n; i++)
        json_array_append_new(array, red_protocol_real(values[i]));
    return array;
}

bool red_protocol_read_reals(const json_t *from, double *values, size_t room, size_t *n) {
    bool good = json_is_array(from) && json_array_size(from) <= room;
    *n = good ? json_array_size(from) : 0;
    for (size_t i = 0; i < *n && good; i++)
        good = red_protocol_read_real(json_array_get(from, i), &values[i]);
    return good;
}

json_t *red_protocol_text(const char *text) {
    char *repaired = red_utf8_repaired(text);
    json_t *made = repaired ? json_string(repaired) : NULL;
    free(repaired);
    return made;
}

/* Bits of 64 do not fit into JSON's signed numbers as what they are. */
static json_t *bits(uint64_t value) {
    return json_integer((json_int_t)value);
}

json_t *red_protocol_stamps(const uint64_t *stamps_ns, size_t n) {
    json_t *array = json_array();
    for (size_t i = 0; i < n; i++)
        json_array_append_new(array, bits(stamps_ns[i]));
    return array;
}

bool red_protocol_read_stamps(const json_t *from, uint64_t *stamps_ns, size_t n) {
    bool good = json_array_size(from) == n;
    for (size_t i = 0; i < n && good; i++) {
        good = json_is_integer(json_array_get(from, i));
        stamps_ns[i] = (uint64_t)json_integer_value(json_array_get(from, i));
    }
    return good;
}

/* ---- structs by their members ----------------------------------------------------------------------------
 */

enum kind { WHOLE, FLAG, REAL, TEXT };

/* A member of a struct under its key. A whole number of any width; `limit`: what it stays below, 0: any. */
struct field {
    const char *key;
    enum kind kind;
    size_t offset, bytes;
    uint64_t limit;
};

#define FIELD(type, key, kind, member)                                                                       \
    { key, kind, offsetof(struct type, member), sizeof((struct type *)0)->member, 0 }
#define BELOW(type, key, member, limit)                                                                      \
    { key, WHOLE, offsetof(struct type, member), sizeof((struct type *)0)->member, limit }
#define FIELDS_N(fields) (sizeof(fields) / sizeof(fields)[0])

static uint64_t whole_get(const void *member, size_t bytes) {
    return bytes == sizeof(uint64_t) ? *(const uint64_t *)member : *(const uint32_t *)member;
}

static void put_fields(json_t *to, const struct field *fields, size_t n, const void *from) {
    for (size_t i = 0; i < n; i++) {
        const char *member = (const char *)from + fields[i].offset;
        json_t *made = fields[i].kind == WHOLE  ? bits(whole_get(member, fields[i].bytes))
                       : fields[i].kind == FLAG ? json_boolean(*(const bool *)(const void *)member)
                       : fields[i].kind == REAL ? red_protocol_real(*(const double *)(const void *)member)
                                                : red_protocol_text(member);
        json_object_set_new(to, fields[i].key, made);
    }
}

static json_t *fields_json(const struct field *fields, size_t n, const void *from) {
    json_t *object = json_object();
    put_fields(object, fields, n, from);
    return object;
}

static bool fits(const json_t *from, const struct field *field) {
    const uint64_t whole = (uint64_t)json_integer_value(from);
    double real;
    switch (field->kind) {
    case WHOLE:
        return json_is_integer(from) && (field->limit == 0 || whole < field->limit) &&
               (field->bytes == sizeof(uint64_t) || whole <= UINT32_MAX);
    case FLAG:
        return json_is_boolean(from);
    case REAL:
        return red_protocol_read_real(from, &real);
    case TEXT:
        return json_is_string(from);
    }
    return false;
}

static void set(const json_t *from, const struct field *field, void *member) {
    const uint64_t whole = (uint64_t)json_integer_value(from);
    if (field->kind == WHOLE && field->bytes == sizeof(uint64_t))
        *(uint64_t *)member = whole;
    else if (field->kind == WHOLE)
        *(uint32_t *)member = (uint32_t)whole;
    else if (field->kind == FLAG)
        *(bool *)member = json_is_true(from);
    else if (field->kind == REAL)
        (void)red_protocol_read_real(from, member);
    else
        snprintf(member, field->bytes, "%s", json_string_value(from));
}

/* Sets all members, or none where one of them is not as it must be. */
static bool read_fields(const json_t *from, const struct field *fields, size_t n, void *to) {
    for (size_t i = 0; i < n; i++)
        if (!fits(json_object_get(from, fields[i].key), &fields[i]))
            return false;
    for (size_t i = 0; i < n; i++)
        set(json_object_get(from, fields[i].key), &fields[i], (char *)to + fields[i].offset);
    return true;
}

/* ---- cases -----------------------------------------------------------------------------------------------
 */

static const struct field case_fields[] = {
    BELOW(red_case, "pattern", data.data_kind.pattern, RED_PATTERNS_N),
    FIELD(red_case, "part", WHOLE, data.data_kind.part),
    FIELD(red_case, "data_n", WHOLE, data.n),
    FIELD(red_case, "segments", WHOLE, data.segments_n),
    FIELD(red_case, "seed", WHOLE, data.seed),
    FIELD(red_case, "form", WHOLE, form),
    FIELD(red_case, "n", WHOLE, n),
    FIELD(red_case, "arrays", WHOLE, arrays_n),
    FIELD(red_case, "reductions", WHOLE, reductions),
    FIELD(red_case, "prefixes", WHOLE, prefixes_n),
    FIELD(red_case, "keep", FLAG, keep),
};

static const struct field tuning_fields[] = {
    FIELD(red_tuning, "group_size", WHOLE, group_size),
    FIELD(red_tuning, "groups", WHOLE, groups_n),
    FIELD(red_tuning, "width", WHOLE, width),
    FIELD(red_tuning, "loads", WHOLE, loads),
};

static const struct field geometry_fields[] = {
    FIELD(red_geometry, "group_size", WHOLE, group_size), FIELD(red_geometry, "groups", WHOLE, groups_n),
    FIELD(red_geometry, "item_n", WHOLE, item_n),         FIELD(red_geometry, "lanes", WHOLE, lanes),
    FIELD(red_geometry, "width", WHOLE, width),           FIELD(red_geometry, "loads", WHOLE, loads),
};

json_t *red_protocol_case(const struct red_case *spec) {
    json_t *message =
        json_pack("{s:s, s:s, s:s, s:o}", "op", spec->data.op->name, "type", spec->data.dtype->name,
                  "strategy", spec->strategy ? spec->strategy->name : "", "tuning",
                  fields_json(tuning_fields, FIELDS_N(tuning_fields), &spec->tuning));
    put_fields(message, case_fields, FIELDS_N(case_fields), spec);
    return message;
}

static const char *name_of(const json_t *from, const char *key) {
    const char *name = json_string_value(json_object_get(from, key));
    return name ? name : "";
}

enum red_status red_protocol_read_case(const json_t *from, const struct red_catalogue *catalogue,
                                       struct red_case *spec, struct red_error *error) {
    const char *strategy = json_string_value(json_object_get(from, "strategy"));
    struct red_case read = {
        .data = {.op = red_op_find(name_of(from, "op")), .dtype = red_dtype_find(name_of(from, "type"))},
        .strategy = strategy ? red_catalogue_find(catalogue, strategy) : NULL};
    bool good =
        read.data.op != NULL && read.data.dtype != NULL && strategy != NULL &&
        (strategy[0] == '\0' || read.strategy != NULL) &&
        read_fields(from, case_fields, FIELDS_N(case_fields), &read) &&
        read_fields(json_object_get(from, "tuning"), tuning_fields, FIELDS_N(tuning_fields), &read.tuning);
    if (!good)
        return red_fail(error, RED_E_INPUT, "a worker does not understand what it is to do");
    *spec = read;
    return RED_OK;
}

json_t *red_protocol_geometry(const struct red_geometry *geometry) {
    return fields_json(geometry_fields, FIELDS_N(geometry_fields), geometry);
}

bool red_protocol_read_geometry(const json_t *from, struct red_geometry *geometry) {
    return read_fields(from, geometry_fields, FIELDS_N(geometry_fields), geometry);
}

/* ---- answers ---------------------------------------------------------------------------------------------
 */

static const struct field verification_fields[] = {
    FIELD(red_verification, "bits", WHOLE, value.bits),
    FIELD(red_verification, "index", WHOLE, value.index),
    FIELD(red_verification, "right", FLAG, right),
    FIELD(red_verification, "same_bits", FLAG, same_bits),
    FIELD(red_verification, "error", REAL, error),
    FIELD(red_verification, "bound", REAL, bound),
    FIELD(red_verification, "absolute", REAL, absolute),
    FIELD(red_verification, "call_s", REAL, call_s),
    FIELD(red_verification, "evidence", TEXT, evidence),
};

json_t *red_protocol_verification(const struct red_verification *verification) {
    return fields_json(verification_fields, FIELDS_N(verification_fields), verification);
}

bool red_protocol_read_verification(const json_t *from, struct red_verification *verification) {
    return read_fields(from, verification_fields, FIELDS_N(verification_fields), verification);
}

static const struct field info_fields[] = {
    FIELD(red_device_info, "id", TEXT, id),
    FIELD(red_device_info, "platform", TEXT, platform),
    FIELD(red_device_info, "platform_version", TEXT, platform_version),
    FIELD(red_device_info, "name", TEXT, name),
    FIELD(red_device_info, "vendor", TEXT, vendor),
    FIELD(red_device_info, "version", TEXT, version),
    FIELD(red_device_info, "c_versions", TEXT, c_versions),
    FIELD(red_device_info, "driver", TEXT, driver),
    FIELD(red_device_info, "api_version", WHOLE, api_version),
    FIELD(red_device_info, "compute_units", WHOLE, shape.compute_units),
    FIELD(red_device_info, "is_cpu", FLAG, shape.is_cpu),
    FIELD(red_device_info, "group_size_max", WHOLE, shape.group_size_max),
    FIELD(red_device_info, "local_memory_bytes", WHOLE, local_memory_bytes),
    FIELD(red_device_info, "global_memory_bytes", WHOLE, global_memory_bytes),
    FIELD(red_device_info, "allocation_bytes_max", WHOLE, allocation_bytes_max),
    FIELD(red_device_info, "event_clock_ns", WHOLE, event_clock_ns),
    FIELD(red_device_info, "denormals_f32", FLAG, denormals_f32),
    FIELD(red_device_info, "denormals_f64", FLAG, denormals_f64),
};

json_t *red_protocol_info(const struct red_device_info *info) {
    return fields_json(info_fields, FIELDS_N(info_fields), info);
}

bool red_protocol_read_info(const json_t *from, struct red_device_info *info) {
    return read_fields(from, info_fields, FIELDS_N(info_fields), info);
}

static const struct field form_fields[] = {
    FIELD(red_form, "asked", WHOLE, sizes.asked),     FIELD(red_form, "right", WHOLE, sizes.right),
    FIELD(red_form, "largest", WHOLE, sizes.largest), FIELD(red_form, "crashed", WHOLE, crashed_n),
    FIELD(red_form, "reason", TEXT, reason),
};

static const struct field capability_fields[] = {
    BELOW(red_capability, "advertised", advertised, RED_ANSWERS_N),
    BELOW(red_capability, "builds", builds, RED_ANSWERS_N),
    BELOW(red_capability, "behaves", behaves, RED_ANSWERS_N),
    FIELD(red_capability, "reason", TEXT, reason),
};

json_t *red_protocol_capability(const struct red_capability *capability) {
    json_t *forms = json_array(),
           *message = fields_json(capability_fields, FIELDS_N(capability_fields), capability);
    for (size_t f = 0; f < capability->forms_n; f++)
        json_array_append_new(forms, fields_json(form_fields, FIELDS_N(form_fields), &capability->forms[f]));
    json_object_set_new(message, "forms", forms);
    return message;
}

bool red_protocol_read_capability(const json_t *from, struct red_capability *capability) {
    struct red_capability read = {.reason = ""};
    const json_t *forms = json_object_get(from, "forms");
    read.forms_n = json_array_size(forms);
    bool good = json_is_array(forms) && read.forms_n <= RED_FORMS_MAX &&
                read_fields(from, capability_fields, FIELDS_N(capability_fields), &read);
    for (size_t f = 0; f < read.forms_n && good; f++) {
        good = read_fields(json_array_get(forms, f), form_fields, FIELDS_N(form_fields), &read.forms[f]);
        read.forms[f].sizes.right &= read.forms[f].sizes.asked;
    }
    if (good)
        *capability = read;
    return good;
}

json_t *red_protocol_ticks(const struct red_clock_sample ticks[RED_CLOCK_SAMPLES_N]) {
    json_t *rows = json_array();
    for (size_t i = 0; i < RED_CLOCK_SAMPLES_N; i++)
        json_array_append_new(rows,
                              json_pack("[o, o, o, o, o, o, o]", red_protocol_real(ticks[i].steps),
                                        red_protocol_real(ticks[i].begin_s),
                                        red_protocol_real(ticks[i].end_s), bits(ticks[i].queued),
                                        bits(ticks[i].submit), bits(ticks[i].start), bits(ticks[i].end)));
    return rows;
}

static uint64_t element_bits(const json_t *row, size_t i) {
    return (uint64_t)json_integer_value(json_array_get(row, i));
}

bool red_protocol_read_ticks(const json_t *from, struct red_clock_sample ticks[RED_CLOCK_SAMPLES_N]) {
    bool good = json_array_size(from) == RED_CLOCK_SAMPLES_N;
    for (size_t i = 0; i < RED_CLOCK_SAMPLES_N && good; i++) {
        const json_t *row = json_array_get(from, i);
        good = json_array_size(row) == 7 && red_protocol_read_real(json_array_get(row, 0), &ticks[i].steps) &&
               red_protocol_read_real(json_array_get(row, 1), &ticks[i].begin_s) &&
               red_protocol_read_real(json_array_get(row, 2), &ticks[i].end_s);
        ticks[i].queued = element_bits(row, 3);
        ticks[i].submit = element_bits(row, 4);
        ticks[i].start = element_bits(row, 5);
        ticks[i].end = element_bits(row, 6);
    }
    return good;
}
