#include "worker/protocol.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/text.h"

/* ---- numbers and texts -----------------------------------------------------------------------------------
 */

json_t *red_wire_real(double value) {
    char text[32];
    snprintf(text, sizeof text, "%g", value);
    return isfinite(value) ? json_real(value) : json_string(text);
}

bool red_wire_read_real(const json_t *from, double *value) {
    const char *text = json_string_value(from);
    char *end = NULL;
    if (text == NULL && !json_is_number(from))
        return false;
    *value = text ? strtod(text, &end) : json_number_value(from);
    return text == NULL || (end != text && *end == '\0');
}

json_t *red_wire_reals(const double *values, size_t n) {
    json_t *array = json_array();
    for (size_t i = 0; i < n; i++)
        json_array_append_new(array, red_wire_real(values[i]));
    return array;
}

bool red_wire_read_reals(const json_t *from, double *values, size_t room, size_t *n) {
    bool good = json_is_array(from) && json_array_size(from) <= room;
    *n = good ? json_array_size(from) : 0;
    for (size_t i = 0; i < *n && good; i++)
        good = red_wire_read_real(json_array_get(from, i), &values[i]);
    return good;
}

json_t *red_wire_text(const char *text) {
    char *repaired = red_utf8_repaired(text);
    json_t *made = repaired ? json_string(repaired) : NULL;
    free(repaired);
    return made;
}

/* Bits of 64 do not fit into JSON's signed numbers as what they are. */
static json_t *bits(uint64_t value) {
    return json_integer((json_int_t)value);
}

static bool read_bits(const json_t *from, const char *key, uint64_t *value) {
    const json_t *member = json_object_get(from, key);
    *value = (uint64_t)json_integer_value(member);
    return json_is_integer(member);
}

json_t *red_wire_stamps(const uint64_t *stamps_ns, size_t n) {
    json_t *array = json_array();
    for (size_t i = 0; i < n; i++)
        json_array_append_new(array, bits(stamps_ns[i]));
    return array;
}

bool red_wire_read_stamps(const json_t *from, uint64_t *stamps_ns, size_t n) {
    bool good = json_array_size(from) == n;
    for (size_t i = 0; i < n && good; i++) {
        good = json_is_integer(json_array_get(from, i));
        stamps_ns[i] = (uint64_t)json_integer_value(json_array_get(from, i));
    }
    return good;
}

static bool read_size(const json_t *from, const char *key, size_t *value) {
    uint64_t wide;
    bool good = read_bits(from, key, &wide);
    *value = (size_t)wide;
    return good;
}

static bool read_unsigned(const json_t *from, const char *key, unsigned *value) {
    uint64_t wide;
    bool good = read_bits(from, key, &wide) && wide <= UINT32_MAX;
    *value = (unsigned)wide;
    return good;
}

static bool read_bool(const json_t *from, const char *key, bool *value) {
    const json_t *member = json_object_get(from, key);
    *value = json_is_true(member);
    return json_is_boolean(member);
}

static bool read_text(const json_t *from, const char *key, char *text, size_t text_bytes) {
    const char *value = json_string_value(json_object_get(from, key));
    snprintf(text, text_bytes, "%s", value ? value : "");
    return value != NULL;
}

static bool read_real(const json_t *from, const char *key, double *value) {
    return red_wire_read_real(json_object_get(from, key), value);
}

/* ---- cases ------------------------------------------------------------------------------------------------
 */

static json_t *tuning_json(const struct red_tuning *tuning) {
    return json_pack("{s:o, s:o, s:o, s:o}", "group_size", bits(tuning->group_size), "groups",
                     bits(tuning->groups_n), "width", bits(tuning->width), "loads", bits(tuning->loads));
}

static bool read_tuning(const json_t *from, struct red_tuning *tuning) {
    return read_size(from, "group_size", &tuning->group_size) &&
           read_bits(from, "groups", &tuning->groups_n) && read_unsigned(from, "width", &tuning->width) &&
           read_unsigned(from, "loads", &tuning->loads);
}

json_t *red_wire_case(const struct red_case *spec) {
    const struct red_data_spec *data = &spec->data;
    json_t *wire =
        json_pack("{s:s, s:s, s:o, s:o, s:o, s:o, s:o}", "op", data->op->name, "type", data->dtype->name,
                  "pattern", bits(data->probe.pattern), "part", bits(data->probe.part), "data_n",
                  bits(data->n), "segments", bits(data->segments_n), "seed", bits(data->seed));
    json_object_set_new(wire, "strategy", json_string(spec->strategy ? spec->strategy->name : ""));
    json_object_set_new(wire, "form", bits(spec->form));
    json_object_set_new(wire, "n", bits(spec->n));
    json_object_set_new(wire, "tuning", tuning_json(&spec->tuning));
    json_object_set_new(wire, "arrays", bits(spec->arrays_n));
    json_object_set_new(wire, "reductions", bits(spec->reductions));
    json_object_set_new(wire, "prefixes", bits(spec->prefixes_n));
    json_object_set_new(wire, "keep", json_boolean(spec->keep));
    return wire;
}

static bool read_data(const json_t *from, struct red_data_spec *data) {
    char op[64], type[64];
    unsigned pattern = 0;
    bool good = read_text(from, "op", op, sizeof op) && read_text(from, "type", type, sizeof type) &&
                read_unsigned(from, "pattern", &pattern) && pattern < RED_PATTERNS_N &&
                read_unsigned(from, "part", &data->probe.part) && read_bits(from, "data_n", &data->n) &&
                read_bits(from, "segments", &data->segments_n) && read_bits(from, "seed", &data->seed);
    data->probe.pattern = (enum red_pattern)pattern;
    data->op = good ? red_op_find(op) : NULL;
    data->dtype = good ? red_dtype_find(type) : NULL;
    return data->op != NULL && data->dtype != NULL;
}

enum red_status red_wire_read_case(const json_t *from, const struct red_catalogue *catalogue,
                                   struct red_case *spec, struct red_error *error) {
    struct red_case read = {.keep = false};
    char strategy[128];
    bool good = read_data(from, &read.data) && read_text(from, "strategy", strategy, sizeof strategy) &&
                read_unsigned(from, "form", &read.form) && read_bits(from, "n", &read.n) &&
                read_tuning(json_object_get(from, "tuning"), &read.tuning) &&
                read_unsigned(from, "arrays", &read.arrays_n) &&
                read_unsigned(from, "reductions", &read.reductions) &&
                read_unsigned(from, "prefixes", &read.prefixes_n) && read_bool(from, "keep", &read.keep);
    if (good && strategy[0] != '\0') {
        read.strategy = red_catalogue_find(catalogue, strategy);
        good = read.strategy != NULL;
    }
    if (!good)
        return red_fail(error, RED_E_INPUT, "a worker does not understand what it is to do");
    *spec = read;
    return RED_OK;
}

json_t *red_wire_geometry(const struct red_geometry *geometry) {
    return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o}", "group_size", bits(geometry->group_size), "groups",
                     bits(geometry->groups_n), "item_n", bits(geometry->item_n), "lanes",
                     bits(geometry->lanes), "width", bits(geometry->width), "loads", bits(geometry->loads));
}

bool red_wire_read_geometry(const json_t *from, struct red_geometry *geometry) {
    struct red_geometry read;
    bool good = read_size(from, "group_size", &read.group_size) &&
                read_bits(from, "groups", &read.groups_n) && read_bits(from, "item_n", &read.item_n) &&
                read_unsigned(from, "lanes", &read.lanes) && read_unsigned(from, "width", &read.width) &&
                read_unsigned(from, "loads", &read.loads);
    if (good)
        *geometry = read;
    return good;
}

/* ---- answers ---------------------------------------------------------------------------------------------
 */

json_t *red_wire_verification(const struct red_verification *v) {
    return json_pack("{s:o, s:o, s:b, s:b, s:o, s:o, s:o, s:o, s:o}", "bits", bits(v->value.bits), "index",
                     bits(v->value.index), "right", (int)v->right, "same_bits", (int)v->same_bits, "error",
                     red_wire_real(v->error), "bound", red_wire_real(v->bound), "absolute",
                     red_wire_real(v->absolute), "call_s", red_wire_real(v->call_s), "evidence",
                     red_wire_text(v->evidence));
}

bool red_wire_read_verification(const json_t *from, struct red_verification *v) {
    struct red_verification read = {.right = false};
    bool good = read_bits(from, "bits", &read.value.bits) && read_bits(from, "index", &read.value.index) &&
                read_bool(from, "right", &read.right) && read_bool(from, "same_bits", &read.same_bits) &&
                read_real(from, "error", &read.error) && read_real(from, "bound", &read.bound) &&
                read_real(from, "absolute", &read.absolute) && read_real(from, "call_s", &read.call_s) &&
                read_text(from, "evidence", read.evidence, sizeof read.evidence);
    if (good)
        *v = read;
    return good;
}

/* The strings of a device; X(member). */
#define INFO_TEXTS(X)                                                                                        \
    X(id)                                                                                                    \
    X(platform)                                                                                              \
    X(platform_version) X(name) X(vendor) X(version) X(c_versions) X(driver)

json_t *red_wire_info(const struct red_device_info *info) {
    json_t *wire = json_object();
#define INFO_TEXT(member) json_object_set_new(wire, #member, red_wire_text(info->member));
    INFO_TEXTS(INFO_TEXT)
#undef INFO_TEXT
    json_object_set_new(wire, "api_version", bits(info->api_version));
    json_object_set_new(wire, "compute_units", bits(info->shape.compute_units));
    json_object_set_new(wire, "is_cpu", json_boolean(info->shape.is_cpu));
    json_object_set_new(wire, "group_size_max", bits(info->shape.group_size_max));
    json_object_set_new(wire, "local_memory_bytes", bits(info->local_memory_bytes));
    json_object_set_new(wire, "global_memory_bytes", bits(info->global_memory_bytes));
    json_object_set_new(wire, "allocation_bytes_max", bits(info->allocation_bytes_max));
    json_object_set_new(wire, "event_clock_ns", bits(info->event_clock_ns));
    json_object_set_new(wire, "denormals_f32", json_boolean(info->denormals_f32));
    json_object_set_new(wire, "denormals_f64", json_boolean(info->denormals_f64));
    return wire;
}

bool red_wire_read_info(const json_t *from, struct red_device_info *info) {
    struct red_device_info read = {.id = ""};
    bool good = true;
#define INFO_TEXT(member) good = good && read_text(from, #member, read.member, sizeof read.member);
    INFO_TEXTS(INFO_TEXT)
#undef INFO_TEXT
    good = good && read_unsigned(from, "api_version", &read.api_version) &&
           read_unsigned(from, "compute_units", &read.shape.compute_units) &&
           read_bool(from, "is_cpu", &read.shape.is_cpu) &&
           read_size(from, "group_size_max", &read.shape.group_size_max) &&
           read_bits(from, "local_memory_bytes", &read.local_memory_bytes) &&
           read_bits(from, "global_memory_bytes", &read.global_memory_bytes) &&
           read_bits(from, "allocation_bytes_max", &read.allocation_bytes_max) &&
           read_bits(from, "event_clock_ns", &read.event_clock_ns) &&
           read_bool(from, "denormals_f32", &read.denormals_f32) &&
           read_bool(from, "denormals_f64", &read.denormals_f64);
    if (good)
        *info = read;
    return good;
}

static json_t *wire_form(const struct red_form *form) {
    return json_pack("{s:o, s:o, s:o, s:o, s:o}", "asked", bits(form->sizes.asked), "right",
                     bits(form->sizes.right), "largest", bits(form->sizes.largest), "crashed",
                     bits(form->crashed_n), "reason", red_wire_text(form->reason));
}

json_t *red_wire_capability(const struct red_capability *capability) {
    json_t *forms = json_array();
    for (size_t f = 0; f < capability->forms_n; f++)
        json_array_append_new(forms, wire_form(&capability->forms[f]));
    return json_pack("{s:o, s:o, s:o, s:o, s:o}", "advertised", bits(capability->advertised), "builds",
                     bits(capability->builds), "behaves", bits(capability->behaves), "reason",
                     red_wire_text(capability->reason), "forms", forms);
}

static bool read_answer(const json_t *from, const char *key, enum red_answer *answer) {
    unsigned value;
    bool good = read_unsigned(from, key, &value) && value < RED_ANSWERS_N;
    *answer = good ? (enum red_answer)value : RED_UNKNOWN;
    return good;
}

static bool read_form(const json_t *from, struct red_form *form) {
    unsigned asked, right;
    bool good = read_unsigned(from, "asked", &asked) && read_unsigned(from, "right", &right) &&
                read_size(from, "largest", &form->sizes.largest) &&
                read_unsigned(from, "crashed", &form->crashed_n) &&
                read_text(from, "reason", form->reason, sizeof form->reason);
    form->sizes.asked = good ? asked : 0;
    form->sizes.right = good ? right & asked : 0;
    return good;
}

bool red_wire_read_capability(const json_t *from, struct red_capability *capability) {
    struct red_capability read = {.reason = ""};
    const json_t *forms = json_object_get(from, "forms");
    read.forms_n = json_array_size(forms);
    bool good = json_is_array(forms) && read.forms_n <= RED_FORMS_MAX;
    for (size_t f = 0; f < read.forms_n && good; f++)
        good = read_form(json_array_get(forms, f), &read.forms[f]);
    good = good && read_answer(from, "advertised", &read.advertised) &&
           read_answer(from, "builds", &read.builds) && read_answer(from, "behaves", &read.behaves) &&
           read_text(from, "reason", read.reason, sizeof read.reason);
    if (good)
        *capability = read;
    return good;
}

json_t *red_wire_ticks(const struct red_tick ticks[RED_TICKS_N]) {
    json_t *rows = json_array();
    for (size_t i = 0; i < RED_TICKS_N; i++)
        json_array_append_new(rows, json_pack("[o, o, o, o, o, o, o]", red_wire_real(ticks[i].steps),
                                              red_wire_real(ticks[i].begin_s), red_wire_real(ticks[i].end_s),
                                              bits(ticks[i].queued), bits(ticks[i].submit),
                                              bits(ticks[i].start), bits(ticks[i].end)));
    return rows;
}

static uint64_t element_bits(const json_t *row, size_t i) {
    return (uint64_t)json_integer_value(json_array_get(row, i));
}

bool red_wire_read_ticks(const json_t *from, struct red_tick ticks[RED_TICKS_N]) {
    bool good = json_array_size(from) == RED_TICKS_N;
    for (size_t i = 0; i < RED_TICKS_N && good; i++) {
        const json_t *row = json_array_get(from, i);
        good = json_array_size(row) == 7 && red_wire_read_real(json_array_get(row, 0), &ticks[i].steps) &&
               red_wire_read_real(json_array_get(row, 1), &ticks[i].begin_s) &&
               red_wire_read_real(json_array_get(row, 2), &ticks[i].end_s);
        ticks[i].queued = element_bits(row, 3);
        ticks[i].submit = element_bits(row, 4);
        ticks[i].start = element_bits(row, 5);
        ticks[i].end = element_bits(row, 6);
    }
    return good;
}
