/* The field tables of what both ends of the protocol exchange: cases, capabilities and results. Structs that
 * files hold, too, have one table for both (results/json.h). */
#include "worker/protocol.h"

#include <stddef.h>
#include <string.h>

#include "bench/shim.h"
#include "worker/client.h"

/* ---- reading ------------------------------------------------------------------------------------------- */

/* False: for worker/client_asks.c the worker has crashed; for --resume what the line says is done again. */
bool red_protocol_read(const json_t *from, const struct red_field *fields, void *to) {
    struct red_error refused;
    struct red_reader reader = {.path = "", .error = &refused, .is_message = true};
    red_fields_read(&reader, from, fields, to);
    return reader.status == RED_OK;
}

#define FIELD(type, key, kind, member)                                                                       \
    { RED_FIELD(struct type, key, kind, member) }
#define BELOW(type, key, member, limit)                                                                      \
    { RED_FIELD(struct type, key, BITS, member), .max = (limit)-1 }

/* ---- cases --------------------------------------------------------------------------------------------- */

/* Its name; empty where the case has none. */
static json_t *strategy_json(const void *member) {
    const struct red_strategy *strategy = *(const struct red_strategy *const *)member;
    return json_string(strategy != NULL ? strategy->name : "");
}

/* Among those of the reader's catalogue. */
static void strategy_read(struct red_reader *reader, const json_t *from, const char *key, void *member) {
    const char *name = json_string_value(json_object_get(from, key));
    const struct red_strategy **strategy = member;
    *strategy = name != NULL && name[0] != '\0' ? red_catalogue_find(reader->reading, name) : NULL;
    if (name == NULL || (name[0] != '\0' && *strategy == NULL))
        red_reader_refuse(reader, key, "a strategy that this program knows");
}

static const struct red_field case_fields[] = {
    FIELD(red_case, "op", OP, data.op),
    FIELD(red_case, "type", TYPE, data.dtype),
    {RED_FIELD(struct red_case, "strategy", OWN, strategy), .write = strategy_json, .read = strategy_read},
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
    {RED_FIELD(struct red_case, "tuning", OBJECT, tuning), .members = red_tuning_fields},
    {.key = NULL},
};

/* The client writes it ("case", "other", "cases"), and worker/server_cases.c reads it. */
json_t *red_protocol_case(const struct red_case *spec) {
    return red_fields_json(case_fields, spec);
}

enum red_status red_protocol_read_case(const json_t *from, const struct red_catalogue *catalogue,
                                       struct red_case *spec, struct red_error *error) {
    struct red_case read = {.strategy = NULL};
    struct red_error refused;
    struct red_reader reader = {.path = "", .error = &refused, .is_message = true, .reading = catalogue};
    red_fields_read(&reader, from, case_fields, &read);
    if (reader.status != RED_OK)
        return red_fail(error, RED_E_INPUT, "a worker does not understand what it is to do");
    *spec = read;
    return RED_OK;
}

/* ---- answers ------------------------------------------------------------------------------------------- */

const struct red_field red_protocol_verification_fields[] = {
    FIELD(red_verification, "bits", BITS, value.bits),
    FIELD(red_verification, "index", BITS, value.index),
    FIELD(red_verification, "right", FLAG, right),
    FIELD(red_verification, "same_bits", FLAG, same_bits),
    FIELD(red_verification, "error", REAL, error),
    FIELD(red_verification, "bound", REAL, bound),
    FIELD(red_verification, "absolute", REAL, absolute),
    FIELD(red_verification, "place", BITS, place),
    FIELD(red_verification, "call_s", REAL, call_s),
    {RED_FIELD(struct red_verification, "evidence", OBJECT, evidence), .members = red_evidence_fields},
    {.key = NULL},
};

const struct red_field red_protocol_stress_fields[] = {
    FIELD(red_stress, "right", FLAG, right),
    FIELD(red_stress, "calls", BITS, calls_n),
    FIELD(red_stress, "took_s", REAL, took_s),
    FIELD(red_stress, "stored", BITS, stored_n),
    FIELD(red_stress, "words", BITS, words_n),
    {RED_FIELD(struct red_stress, "evidence", OBJECT, evidence), .members = red_evidence_fields},
    {.key = NULL},
};

static const struct red_field form_fields[] = {
    FIELD(red_form_findings, "asked", BITS, sizes.asked),
    FIELD(red_form_findings, "right", BITS, sizes.right),
    FIELD(red_form_findings, "largest", BITS, sizes.largest),
    FIELD(red_form_findings, "crashed", BITS, crashed_n),
    FIELD(red_form_findings, "reason", TEXT, reason),
    {.key = NULL},
};

/* A form of a struct red_capability, as a probe has found it. */
static void form_read(struct red_reader *reader, json_t *from, void *holder, size_t f) {
    struct red_capability *capability = holder;
    red_fields_read(reader, from, form_fields, &capability->forms[f]);
    capability->forms[f].sizes.right &= capability->forms[f].sizes.asked;
}

const struct red_field red_protocol_capability_fields[] = {
    BELOW(red_capability, "advertised", advertised, RED_ANSWERS_N),
    BELOW(red_capability, "builds", builds, RED_ANSWERS_N),
    BELOW(red_capability, "behaves", behaves, RED_ANSWERS_N),
    FIELD(red_capability, "times_asked", BITS, repeats.asked_n),
    FIELD(red_capability, "times_right", BITS, repeats.right_n),
    FIELD(red_capability, "reason", TEXT, reason),
    FIELD(red_capability, "is_trusted", FLAG, is_trusted),
    {RED_FIELD(struct red_capability, "forms", LIST, forms), .members = form_fields,
     RED_ELEMENTS(struct red_capability, forms), RED_COUNT(struct red_capability, forms_n),
     .of.read = form_read},
    {.key = NULL},
};

/* ---- times -----------------------------------------------------------------------------------------------
 * Answers about times: worker/server_cases.c writes them, worker/client_asks.c reads them. */

const struct red_field red_protocol_ready_fields[] = {
    FIELD(red_ready, "shortest_s", REAL, shortest_s),
    FIELD(red_ready, "typical_s", REAL, typical_s),
    {RED_FIELD(struct red_ready, "geometry", OBJECT, geometry), .members = red_geometry_fields},
    FIELD(red_ready, "standard", TEXT, standard),
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

/* A struct red_samples of the struct. */
#define TIMES(type, key, member)                                                                             \
    RED_FIELD(struct type, key, REALS, member.s), RED_ELEMENTS(struct type, member.s),                       \
        RED_COUNT(struct type, member.n)

const struct red_field red_protocol_times_fields[] = {{RED_FIELD(struct red_samples, "times_s", REALS, s),
                                                       RED_ELEMENTS(struct red_samples, s),
                                                       RED_COUNT(struct red_samples, n)},
                                                      {.key = NULL}};
static const struct red_field launch_fields[] = {{TIMES(red_launch_samples, "times_s", times)},
                                                 {TIMES(red_launch_samples, "gaps_s", gaps)},
                                                 {.key = NULL}};

static void launch_read(struct red_reader *reader, json_t *from, void *holder, size_t i) {
    struct red_profile *profile = holder;
    struct red_launch_samples *launch = &profile->launches[i];
    red_fields_read(reader, from, launch_fields, launch);
    if (launch->times.n != profile->runs.n || launch->gaps.n != profile->runs.n)
        red_reader_refuse(reader, "times_s", "two times of each run");
}

const struct red_field red_protocol_profile_fields[] = {
    {TIMES(red_profile, "times_s", runs)},
    {RED_FIELD(struct red_profile, "launches", LIST, launches), .members = launch_fields,
     RED_ELEMENTS(struct red_profile, launches), RED_COUNT(struct red_profile, launches_n),
     .of.read = launch_read},
    {.key = NULL}};

/* The stamps of a duel: n is set on both sides before. */
const struct red_field red_protocol_batches_fields[] = {
    {RED_FIELD(struct red_batches, "stamps_ns", WHOLES, stamps_ns),
     RED_ELEMENTS(struct red_batches, stamps_ns), RED_COUNT(struct red_batches, n), .of.more = 1,
     .of.as_many = "a stamp before each batch and after the last"},
    {.key = NULL}};

static const struct red_field clock_sample_fields[] = {
    FIELD(red_clock_sample, "steps", REAL, steps),   FIELD(red_clock_sample, "begin_s", REAL, begin_s),
    FIELD(red_clock_sample, "end_s", REAL, end_s),   FIELD(red_clock_sample, "queued", BITS, queued),
    FIELD(red_clock_sample, "submit", BITS, submit), FIELD(red_clock_sample, "start", BITS, start),
    FIELD(red_clock_sample, "end", BITS, end),       {.key = NULL},
};

/* From which the client judges the event clock. */
struct clock_samples {
    struct red_clock_sample of[RED_CLOCK_SAMPLES_N];
};

const struct red_field red_protocol_clock_samples_fields[] = {
    {RED_FIELD(struct clock_samples, "clock_samples", LIST, of), .members = clock_sample_fields,
     RED_ELEMENTS(struct clock_samples, of)},
    {.key = NULL}};
