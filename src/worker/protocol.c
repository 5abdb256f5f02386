/* Turns cases, geometries, capabilities and results into JSON and back, for both ends of the protocol. The
 * writer of X is red_protocol_X, its reader red_protocol_read_X; run/checkpoint.c uses them, too. */
#include "worker/protocol.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/text.h"

/* ---- numbers and texts --------------------------------------------------------------------------------- */

json_t *red_protocol_reals(const double *values, size_t n) {
    json_t *array = json_array();
    for (size_t i = 0; i < n; i++)
        json_array_append_new(array, red_json_any_real(values[i]));
    return array;
}

bool red_protocol_read_reals(const json_t *from, double *values, size_t room, size_t *n) {
    bool good = json_is_array(from) && json_array_size(from) <= room;
    *n = good ? json_array_size(from) : 0;
    for (size_t i = 0; i < *n && good; i++)
        good = red_json_read_any_real(json_array_get(from, i), &values[i]);
    return good;
}

json_t *red_protocol_stamps(const uint64_t *stamps_ns, size_t n) {
    json_t *array = json_array();
    for (size_t i = 0; i < n; i++)
        json_array_append_new(array, red_json_bits(stamps_ns[i]));
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

/* ---- structs by their members -------------------------------------------------------------------------- */

#define FIELD(type, key, kind, member)                                                                       \
    { RED_FIELD(struct type, key, kind, member) }
#define BELOW(type, key, member, limit)                                                                      \
    { RED_FIELD(struct type, key, BITS, member), .max = (limit)-1 }

/* Sets all members, or none where one of them is not as it must be. */
static bool read_fields(const json_t *from, const struct red_field *fields, void *to, size_t bytes) {
    struct red_error refused;
    struct red_reader reader = {.path = "", .error = &refused};
    void *read = malloc(bytes);
    if (read == NULL)
        return false;
    memcpy(read, to, bytes);
    red_fields_read(&reader, from, fields, read);
    if (reader.status == RED_OK)
        memcpy(to, read, bytes);
    free(read);
    return reader.status == RED_OK;
}

/* ---- cases --------------------------------------------------------------------------------------------- */

static const struct red_field tuning_fields[] = {
    FIELD(red_tuning, "group_size", BITS, group_size),
    FIELD(red_tuning, "groups", BITS, groups_n),
    FIELD(red_tuning, "width", BITS, width),
    FIELD(red_tuning, "loads", BITS, loads),
    {.key = NULL},
};

static const struct red_field case_fields[] = {
    BELOW(red_case, "pattern", data.data_kind.pattern, RED_PATTERNS_N),
    FIELD(red_case, "part", BITS, data.data_kind.part),
    FIELD(red_case, "data_n", BITS, data.n),
    FIELD(red_case, "segments", BITS, data.segments_n),
    FIELD(red_case, "seed", BITS, data.seed),
    FIELD(red_case, "form", BITS, form),
    FIELD(red_case, "n", BITS, n),
    FIELD(red_case, "arrays", BITS, arrays_n),
    FIELD(red_case, "reductions", BITS, reductions),
    FIELD(red_case, "prefixes", BITS, prefixes_n),
    FIELD(red_case, "keep", FLAG, keep),
    {RED_FIELD(struct red_case, "tuning", OBJECT, tuning), .members = tuning_fields},
    {.key = NULL},
};

static const struct red_field geometry_fields[] = {
    FIELD(red_geometry, "group_size", BITS, group_size),
    FIELD(red_geometry, "groups", BITS, groups_n),
    FIELD(red_geometry, "item_n", BITS, item_n),
    FIELD(red_geometry, "lanes", BITS, lanes),
    FIELD(red_geometry, "width", BITS, width),
    FIELD(red_geometry, "loads", BITS, loads),
    {.key = NULL},
};

json_t *red_protocol_case(const struct red_case *spec) {
    json_t *message = json_pack("{s:s, s:s, s:s}", "op", spec->data.op->name, "type", spec->data.dtype->name,
                                "strategy", spec->strategy ? spec->strategy->name : "");
    (void)red_fields_put(message, case_fields, spec);
    return message;
}

static const char *text_of_member(const json_t *from, const char *key) {
    const char *name = json_string_value(json_object_get(from, key));
    return name ? name : "";
}

enum red_status red_protocol_read_case(const json_t *from, const struct red_catalogue *catalogue,
                                       struct red_case *spec, struct red_error *error) {
    const char *strategy = json_string_value(json_object_get(from, "strategy"));
    struct red_case read = {.data = {.op = red_op_find(text_of_member(from, "op")),
                                     .dtype = red_dtype_find(text_of_member(from, "type"))},
                            .strategy = strategy ? red_catalogue_find(catalogue, strategy) : NULL};
    bool good = read.data.op != NULL && read.data.dtype != NULL && strategy != NULL &&
                (strategy[0] == '\0' || read.strategy != NULL) &&
                read_fields(from, case_fields, &read, sizeof read);
    if (!good)
        return red_fail(error, RED_E_INPUT, "a worker does not understand what it is to do");
    *spec = read;
    return RED_OK;
}

json_t *red_protocol_geometry(const struct red_geometry *geometry) {
    return red_fields_json(geometry_fields, geometry);
}

bool red_protocol_read_geometry(const json_t *from, struct red_geometry *geometry) {
    return read_fields(from, geometry_fields, geometry, sizeof *geometry);
}

/* ---- answers ------------------------------------------------------------------------------------------- */

static const struct red_field verification_fields[] = {
    FIELD(red_verification, "bits", BITS, value.bits),
    FIELD(red_verification, "index", BITS, value.index),
    FIELD(red_verification, "right", FLAG, right),
    FIELD(red_verification, "same_bits", FLAG, same_bits),
    FIELD(red_verification, "error", REAL, error),
    FIELD(red_verification, "bound", REAL, bound),
    FIELD(red_verification, "absolute", REAL, absolute),
    FIELD(red_verification, "call_s", REAL, call_s),
    FIELD(red_verification, "evidence", MESSAGE, evidence),
    {.key = NULL},
};

json_t *red_protocol_verification(const struct red_verification *verification) {
    return red_fields_json(verification_fields, verification);
}

bool red_protocol_read_verification(const json_t *from, struct red_verification *verification) {
    return read_fields(from, verification_fields, verification, sizeof *verification);
}

static const struct red_field info_fields[] = {
    FIELD(red_device_info, "id", MESSAGE, id),
    FIELD(red_device_info, "platform", MESSAGE, platform),
    FIELD(red_device_info, "platform_version", MESSAGE, platform_version),
    FIELD(red_device_info, "name", MESSAGE, name),
    FIELD(red_device_info, "vendor", MESSAGE, vendor),
    FIELD(red_device_info, "version", MESSAGE, version),
    FIELD(red_device_info, "c_versions", MESSAGE, c_versions),
    FIELD(red_device_info, "driver", MESSAGE, driver),
    FIELD(red_device_info, "api_version", BITS, api_version),
    FIELD(red_device_info, "compute_units", BITS, shape.compute_units),
    FIELD(red_device_info, "is_cpu", FLAG, shape.is_cpu),
    FIELD(red_device_info, "group_size_max", BITS, shape.group_size_max),
    FIELD(red_device_info, "local_memory_bytes", BITS, local_memory_bytes),
    FIELD(red_device_info, "global_memory_bytes", BITS, global_memory_bytes),
    FIELD(red_device_info, "allocation_bytes_max", BITS, allocation_bytes_max),
    FIELD(red_device_info, "event_clock_ns", BITS, event_clock_ns),
    FIELD(red_device_info, "denormals_f32", FLAG, denormals_f32),
    FIELD(red_device_info, "denormals_f64", FLAG, denormals_f64),
    {.key = NULL},
};

json_t *red_protocol_device_info(const struct red_device_info *info) {
    return red_fields_json(info_fields, info);
}

bool red_protocol_read_device_info(const json_t *from, struct red_device_info *info) {
    return read_fields(from, info_fields, info, sizeof *info);
}

static const struct red_field form_fields[] = {
    FIELD(red_form, "asked", BITS, sizes.asked),     FIELD(red_form, "right", BITS, sizes.right),
    FIELD(red_form, "largest", BITS, sizes.largest), FIELD(red_form, "crashed", BITS, crashed_n),
    FIELD(red_form, "reason", MESSAGE, reason),      {.key = NULL},
};

static const struct red_field capability_fields[] = {
    BELOW(red_capability, "advertised", advertised, RED_ANSWERS_N),
    BELOW(red_capability, "builds", builds, RED_ANSWERS_N),
    BELOW(red_capability, "behaves", behaves, RED_ANSWERS_N),
    FIELD(red_capability, "reason", MESSAGE, reason),
    {.key = NULL},
};

json_t *red_protocol_capability(const struct red_capability *capability) {
    json_t *forms = json_array(), *message = red_fields_json(capability_fields, capability);
    for (size_t f = 0; f < capability->forms_n; f++)
        json_array_append_new(forms, red_fields_json(form_fields, &capability->forms[f]));
    json_object_set_new(message, "forms", forms);
    return message;
}

bool red_protocol_read_capability(const json_t *from, struct red_capability *capability) {
    struct red_capability read = {.reason = ""};
    const json_t *forms = json_object_get(from, "forms");
    read.forms_n = json_array_size(forms);
    bool good = json_is_array(forms) && read.forms_n <= RED_FORMS_MAX &&
                read_fields(from, capability_fields, &read, sizeof read);
    for (size_t f = 0; f < read.forms_n && good; f++) {
        good = read_fields(json_array_get(forms, f), form_fields, &read.forms[f], sizeof read.forms[f]);
        read.forms[f].sizes.right &= read.forms[f].sizes.asked;
    }
    if (good)
        *capability = read;
    return good;
}

json_t *red_protocol_clock_samples(const struct red_clock_sample samples[RED_CLOCK_SAMPLES_N]) {
    json_t *rows = json_array();
    for (size_t i = 0; i < RED_CLOCK_SAMPLES_N; i++)
        json_array_append_new(
            rows, json_pack("[o, o, o, o, o, o, o]", red_json_any_real(samples[i].steps),
                            red_json_any_real(samples[i].begin_s), red_json_any_real(samples[i].end_s),
                            red_json_bits(samples[i].queued), red_json_bits(samples[i].submit),
                            red_json_bits(samples[i].start), red_json_bits(samples[i].end)));
    return rows;
}

static uint64_t row_stamp(const json_t *row, size_t i) {
    return (uint64_t)json_integer_value(json_array_get(row, i));
}

bool red_protocol_read_clock_samples(const json_t *from,
                                     struct red_clock_sample samples[RED_CLOCK_SAMPLES_N]) {
    bool good = json_array_size(from) == RED_CLOCK_SAMPLES_N;
    for (size_t i = 0; i < RED_CLOCK_SAMPLES_N && good; i++) {
        const json_t *row = json_array_get(from, i);
        good = json_array_size(row) == 7 &&
               red_json_read_any_real(json_array_get(row, 0), &samples[i].steps) &&
               red_json_read_any_real(json_array_get(row, 1), &samples[i].begin_s) &&
               red_json_read_any_real(json_array_get(row, 2), &samples[i].end_s);
        samples[i].queued = row_stamp(row, 3);
        samples[i].submit = row_stamp(row, 4);
        samples[i].start = row_stamp(row, 5);
        samples[i].end = row_stamp(row, 6);
    }
    return good;
}
