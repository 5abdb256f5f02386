/* The field tables of what both ends of the protocol exchange: cases, capabilities and results. Arrays have
 * functions of their own: X_json writes array X of the struct `holder`, X_read reads it. run/checkpoint.c
 * keeps geometries and samples in the same form. */
#include "worker/protocol.h"

#include <stddef.h>
#include <string.h>

#include "bench/shim.h"
#include "worker/client.h"

/* ---- reading ------------------------------------------------------------------------------------------- */

/* False: for worker/client_asks.c the worker has crashed; for --resume what the line says is done again. */
bool red_protocol_read(const json_t *from, const struct red_field *fields, void *to) {
    struct red_error refused;
    struct red_reader reader = {.path = "", .error = &refused};
    red_fields_read(&reader, from, fields, to);
    return reader.status == RED_OK;
}

#define FIELD(type, key, kind, member)                                                                       \
    { RED_FIELD(struct type, key, kind, member) }
#define BELOW(type, key, member, limit)                                                                      \
    { RED_FIELD(struct type, key, BITS, member), .max = (limit)-1 }

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
    FIELD(red_case, "bins", BITS, data.bins_n),
    BELOW(red_case, "making", data.making, RED_MAKINGS_N),
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

const struct red_field red_protocol_geometry_fields[] = {
    FIELD(red_geometry, "group_size", BITS, group_size),
    FIELD(red_geometry, "groups", BITS, groups_n),
    FIELD(red_geometry, "item_n", BITS, item_n),
    FIELD(red_geometry, "lanes", BITS, lanes),
    FIELD(red_geometry, "width", BITS, width),
    FIELD(red_geometry, "loads", BITS, loads),
    {.key = NULL},
};

/* The client writes it ("job", "other", "jobs"), and worker/server_cases.c reads it. */
json_t *red_protocol_case(const struct red_case *spec) {
    return red_fields_add(json_pack("{s:s, s:s, s:s}", "op", spec->data.op->name, "type",
                                    spec->data.dtype->name, "strategy",
                                    spec->strategy ? spec->strategy->name : ""),
                          case_fields, spec);
}

/* The text of that key; empty where there is none. */
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
                (strategy[0] == '\0' || read.strategy != NULL) && red_protocol_read(from, case_fields, &read);
    if (!good)
        return red_fail(error, RED_E_INPUT, "a worker does not understand what it is to do");
    *spec = read;
    return RED_OK;
}

/* ---- answers ------------------------------------------------------------------------------------------- */

static const struct red_field answer_text_fields[] = {
    FIELD(red_answer_text, "value", MESSAGE, value),
    FIELD(red_answer_text, "place", BITS, place),
    {.key = NULL},
};

/* The journal of verify has them, too (verify/tally.c). */
const struct red_field red_protocol_evidence_fields[] = {
    BELOW(red_evidence, "fault", fault, RED_FAULTS_N),
    FIELD(red_evidence, "data", MESSAGE, data),
    FIELD(red_evidence, "has_place", FLAG, has_place),
    {RED_FIELD(struct red_evidence, "bins", BITS, bins_n), .may_lack = true},
    {RED_FIELD(struct red_evidence, "expected", OBJECT, expected), .members = answer_text_fields},
    {RED_FIELD(struct red_evidence, "got", OBJECT, got), .members = answer_text_fields},
    FIELD(red_evidence, "low", MESSAGE, low),
    FIELD(red_evidence, "high", MESSAGE, high),
    FIELD(red_evidence, "bound", REAL, bound),
    FIELD(red_evidence, "counter", BITS, counter),
    FIELD(red_evidence, "segment", BITS, segment),
    FIELD(red_evidence, "segments", BITS, segments_n),
    FIELD(red_evidence, "run", MESSAGE, run),
    {.key = NULL},
};

const struct red_field red_protocol_verification_fields[] = {
    FIELD(red_verification, "bits", BITS, value.bits),
    FIELD(red_verification, "index", BITS, value.index),
    FIELD(red_verification, "right", FLAG, right),
    FIELD(red_verification, "same_bits", FLAG, same_bits),
    FIELD(red_verification, "error", REAL, error),
    FIELD(red_verification, "bound", REAL, bound),
    FIELD(red_verification, "absolute", REAL, absolute),
    FIELD(red_verification, "call_s", REAL, call_s),
    {RED_FIELD(struct red_verification, "evidence", OBJECT, evidence),
     .members = red_protocol_evidence_fields},
    {.key = NULL},
};

const struct red_field red_protocol_device_info_fields[] = {
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

static const struct red_field form_fields[] = {
    FIELD(red_form_findings, "asked", BITS, sizes.asked),
    FIELD(red_form_findings, "right", BITS, sizes.right),
    FIELD(red_form_findings, "largest", BITS, sizes.largest),
    FIELD(red_form_findings, "crashed", BITS, crashed_n),
    FIELD(red_form_findings, "reason", MESSAGE, reason),
    {.key = NULL},
};

/* The forms of a struct red_capability, as a probe has found them. */
static json_t *forms_json(const void *holder) {
    const struct red_capability *capability = holder;
    json_t *forms = json_array();
    for (size_t f = 0; f < capability->forms_n; f++)
        json_array_append_new(forms, red_fields_json(form_fields, &capability->forms[f]));
    return forms;
}

static void forms_read(struct red_reader *reader, const json_t *from, const char *key, void *holder) {
    struct red_capability *capability = holder;
    const json_t *forms = red_take_container(reader, from, key, JSON_ARRAY, RED_FORMS_MAX);
    memset(capability->forms, 0, sizeof capability->forms); /* a probe fills those that are not sent, too */
    capability->forms_n = json_array_size(forms);
    for (size_t f = 0; f < capability->forms_n; f++) {
        red_fields_read(reader, json_array_get(forms, f), form_fields, &capability->forms[f]);
        capability->forms[f].sizes.right &= capability->forms[f].sizes.asked;
    }
}

const struct red_field red_protocol_capability_fields[] = {
    BELOW(red_capability, "advertised", advertised, RED_ANSWERS_N),
    BELOW(red_capability, "builds", builds, RED_ANSWERS_N),
    BELOW(red_capability, "behaves", behaves, RED_ANSWERS_N),
    FIELD(red_capability, "times_asked", BITS, repeats.asked_n),
    FIELD(red_capability, "times_right", BITS, repeats.right_n),
    FIELD(red_capability, "reason", MESSAGE, reason),
    FIELD(red_capability, "is_trusted", FLAG, is_trusted),
    {.key = "forms", .kind = RED_FIELD_OWN, .write = forms_json, .read = forms_read},
    {.key = NULL},
};

/* ---- times -----------------------------------------------------------------------------------------------
 * Answers about times: worker/server_cases.c writes them, worker/client_asks.c reads them. */

const struct red_field red_protocol_ready_fields[] = {
    FIELD(red_ready, "shortest_s", REAL, shortest_s),
    FIELD(red_ready, "typical_s", REAL, typical_s),
    {RED_FIELD(struct red_ready, "geometry", OBJECT, geometry), .members = red_protocol_geometry_fields},
    FIELD(red_ready, "standard", MESSAGE, standard),
    FIELD(red_ready, "bytes", REAL, bytes),
    {.key = NULL},
};

const struct red_field red_protocol_batch_fields[] = {
    FIELD(red_gbench_time, "real_s", REAL, real_s),
    FIELD(red_gbench_time, "cpu_s", REAL, cpu_s),
    {.key = NULL},
};

const struct red_field red_protocol_call_fields[] = {{.key = "call_s", .kind = RED_FIELD_REAL},
                                                     {.key = NULL}};
const struct red_field red_protocol_took_fields[] = {{.key = "took_s", .kind = RED_FIELD_REAL},
                                                     {.key = NULL}};

/* The samples in the journal are written by it, too (run/checkpoint.c), and read by _read_reals. */
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

/* The seconds of a struct red_samples. */
static json_t *times_json(const void *holder) {
    const struct red_samples *times = holder;
    return red_protocol_reals(times->s, times->n);
}

static void times_read(struct red_reader *reader, const json_t *from, const char *key, void *holder) {
    struct red_samples *times = holder;
    if (!red_protocol_read_reals(json_object_get(from, key), times->s, RED_TIMES_MAX, &times->n))
        red_reader_refuse(reader, key, "times");
}

#define TIMES                                                                                                \
    { .key = "times_s", .kind = RED_FIELD_OWN, .write = times_json, .read = times_read }
const struct red_field red_protocol_times_fields[] = {TIMES, {.key = NULL}};

/* Of each launch its times, and those behind it. */
static json_t *launches_json(const void *holder) {
    const struct red_profile *profile = holder;
    json_t *array = json_array();
    for (size_t i = 0; i < profile->launches_n; i++)
        json_array_append_new(
            array, json_pack("[o, o]", times_json(&profile->launches[i]), times_json(&profile->gaps[i])));
    return array;
}

static void launches_read(struct red_reader *reader, const json_t *from, const char *key, void *holder) {
    struct red_profile *profile = holder;
    const json_t *array = red_take_container(reader, from, key, JSON_ARRAY, RED_LAUNCH_TIMES_MAX);
    profile->launches_n = json_array_size(array);
    for (size_t i = 0; i < profile->launches_n; i++) {
        struct red_samples *times = &profile->launches[i], *gaps = &profile->gaps[i];
        const json_t *of = json_array_get(array, i);
        if (!red_protocol_read_reals(json_array_get(of, 0), times->s, RED_TIMES_MAX, &times->n) ||
            !red_protocol_read_reals(json_array_get(of, 1), gaps->s, RED_TIMES_MAX, &gaps->n) ||
            times->n != profile->runs.n || gaps->n != profile->runs.n)
            red_reader_refuse(reader, key, "two times of each run");
    }
}

const struct red_field red_protocol_profile_fields[] = {
    TIMES,
    {.key = "launches", .kind = RED_FIELD_OWN, .write = launches_json, .read = launches_read},
    {.key = NULL}};

/* The stamps of a struct red_batches of a duel: n + 1, and n is set on both sides before. */
static json_t *stamps_json(const void *holder) {
    const struct red_batches *batches = holder;
    json_t *array = json_array();
    for (size_t i = 0; i <= batches->n; i++)
        json_array_append_new(array, red_json_integer(batches->stamps_ns[i]));
    return array;
}

static void stamps_read(struct red_reader *reader, const json_t *from, const char *key, void *holder) {
    struct red_batches *batches = holder;
    const json_t *array = json_object_get(from, key);
    if (json_array_size(array) != batches->n + 1)
        red_reader_refuse(reader, key, "a stamp before each batch and after the last");
    for (size_t i = 0; i <= batches->n && reader->status == RED_OK; i++) {
        if (!json_is_integer(json_array_get(array, i)))
            red_reader_refuse(reader, key, "whole numbers");
        batches->stamps_ns[i] = (uint64_t)json_integer_value(json_array_get(array, i));
    }
}

const struct red_field red_protocol_batches_fields[] = {
    {.key = "stamps_ns", .kind = RED_FIELD_OWN, .write = stamps_json, .read = stamps_read}, {.key = NULL}};

static const struct red_field clock_sample_fields[] = {
    FIELD(red_clock_sample, "steps", REAL, steps),   FIELD(red_clock_sample, "begin_s", REAL, begin_s),
    FIELD(red_clock_sample, "end_s", REAL, end_s),   FIELD(red_clock_sample, "queued", BITS, queued),
    FIELD(red_clock_sample, "submit", BITS, submit), FIELD(red_clock_sample, "start", BITS, start),
    FIELD(red_clock_sample, "end", BITS, end),       {.key = NULL},
};

/* An array of RED_CLOCK_SAMPLES_N struct red_clock_sample, from which the client judges the event clock. */
static json_t *clock_samples_json(const void *holder) {
    const struct red_clock_sample *samples = holder;
    json_t *array = json_array();
    for (size_t i = 0; i < RED_CLOCK_SAMPLES_N; i++)
        json_array_append_new(array, red_fields_json(clock_sample_fields, &samples[i]));
    return array;
}

static void clock_samples_read(struct red_reader *reader, const json_t *from, const char *key, void *holder) {
    struct red_clock_sample *samples = holder;
    const json_t *array = json_object_get(from, key);
    for (size_t i = 0; i < RED_CLOCK_SAMPLES_N; i++)
        red_fields_read(reader, json_array_get(array, i), clock_sample_fields, &samples[i]);
}

const struct red_field red_protocol_clock_samples_fields[] = {
    {.key = "ticks", .kind = RED_FIELD_OWN, .write = clock_samples_json, .read = clock_samples_read},
    {.key = NULL}};
