/* The field tables of result files, and the members that no kind of field describes: X_json writes member X,
 * X_read reads it. host_record, device_record and the like are the whole struct that the table is of.
 * results/fields.c calls them by way of the tables, for every file and message that has such a struct. The
 * user sees the key that stands in the table. */
#include "model/bins.h"
#include "model/evidence.h"
#include "results/json.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CAPABILITIES_MAX = 256, SAMPLES_MAX = 100000, LANES_MAX = 1024, ANSWER_DIGITS = 16 };

const struct red_field red_tuning_fields[] = {
    {RED_FIELD(struct red_tuning, "group_size", CHOSEN, group_size)},
    {RED_FIELD(struct red_tuning, "groups", CHOSEN, groups_n)},
    {RED_FIELD(struct red_tuning, "width", CHOSEN, width), .max = LANES_MAX},
    {RED_FIELD(struct red_tuning, "loads", CHOSEN, loads), .max = LANES_MAX},
    {.key = NULL}};

const struct red_field red_geometry_fields[] = {
    {RED_FIELD(struct red_geometry, "group_size", WHOLE, group_size)},
    {RED_FIELD(struct red_geometry, "groups", WHOLE, groups_n)},
    {RED_FIELD(struct red_geometry, "elements_per_item", COUNT, item_n)},
    {RED_FIELD(struct red_geometry, "lanes", COUNT, lanes)},
    {RED_FIELD(struct red_geometry, "width", CHOSEN, width), .max = LANES_MAX},
    {RED_FIELD(struct red_geometry, "loads", CHOSEN, loads), .max = LANES_MAX},
    {.key = NULL}};

/* ---- evidence ------------------------------------------------------------------------------------------ */

#define EVIDENCE(key, kind, member) RED_FIELD(struct red_evidence, key, kind, member)
/* A wrong kernel may give any place. */
#define ANSWER_FIELDS(which)                                                                                 \
    {                                                                                                        \
        {EVIDENCE("value", NAME, which.value)},                                                              \
            {EVIDENCE("place", BITS, which.place), RED_IF_FLAG(struct red_evidence, has_place)},             \
            {.key = NULL},                                                                                   \
    }
static const struct red_field expected_fields[] = ANSWER_FIELDS(expected), got_fields[] = ANSWER_FIELDS(got);

#define IF_FAULT RED_IF_SET(struct red_evidence, fault)
const struct red_field red_evidence_fields[] = {
    {EVIDENCE("fault", NAMED, fault), RED_NAMES(red_fault_names), IF_FAULT},
    {.key = "expected", .kind = RED_FIELD_OBJECT, .members = expected_fields, IF_FAULT},
    {.key = "got", .kind = RED_FIELD_OBJECT, .members = got_fields, IF_FAULT},
    {EVIDENCE("low", TEXT, low)},
    {EVIDENCE("high", TEXT, high)},
    {EVIDENCE("segment", COUNT, segment), RED_IF_SET(struct red_evidence, segments_n)},
    {EVIDENCE("run", TEXT, run)},
    {EVIDENCE("data", TEXT, data)},
    {EVIDENCE("bins", COUNT, bins_n)},
    {EVIDENCE("bound", REAL, bound)},
    {EVIDENCE("counter", BITS, counter)},
    {EVIDENCE("segments", COUNT, segments_n)},
    {.key = NULL}};

/* ---- hosts --------------------------------------------------------------------------------------------- */

static json_t *environment_json(const void *host_record) {
    const struct red_host *host = host_record;
    json_t *object = json_object();
    for (size_t i = 0; i < host->environment_n; i++)
        json_object_set_new(object, host->environment[i].name, red_json_text(host->environment[i].value));
    return object;
}

static void environment_read(struct red_reader *reader, const json_t *from, const char *key,
                             void *host_record) {
    struct red_host *host = host_record;
    const json_t *settings = red_take_container(reader, from, key, JSON_OBJECT, RED_SETTINGS_MAX);
    const char *name;
    json_t *value;
    json_object_foreach((json_t *)(uintptr_t)settings, name, value) {
        struct red_setting *setting = &host->environment[host->environment_n++];
        red_text_copy_printable(name, setting->name, sizeof setting->name);
        red_take_text(reader, settings, name, true, setting->value, sizeof setting->value);
    }
}

/* For compare: "settings, environment" among what differs between two runs. */
char *red_host_environment_text(const struct red_host *host) {
    json_t *object = environment_json(host);
    char *text = json_dumps(object, JSON_SORT_KEYS | JSON_ENSURE_ASCII);
    json_decref(object);
    return text;
}

#define HOST(key, kind, member) RED_FIELD(struct red_host, key, kind, member)

const struct red_field red_host_fields[] = {
    {HOST("name", TEXT, name)},
    {HOST("processor", TEXT, processor)},
    {HOST("system", TEXT, system)},
    {HOST("cores", COUNT, cores_n)},
    {HOST("memory_gib", AMOUNT, memory_gib)},
    {HOST("load_1min", AMOUNT, load)},
    {HOST("kept_awake", OPTIONAL_FLAG, kept_awake)},
    {HOST("compiler", TEXT, compiler)},
    {.key = "environment", .kind = RED_FIELD_OWN, .write = environment_json, .read = environment_read},
    {.key = NULL}};

/* ---- capabilities --------------------------------------------------------------------------------------
 * "capabilities" of a device: what worker processes probed. compare --drivers shows where devices differ. */

/* Sizes by their bits, ascending. */
static json_t *sizes_json(const struct red_group_sizes *sizes, uint32_t bits) {
    json_t *array = json_array();
    for (size_t size = 1; bits != 0 && size <= sizes->largest; size++)
        for (unsigned i = 0; i < RED_GROUP_SIZES_N; i++)
            if (bits >> i & 1 && red_probed_group_size(i, sizes->largest) == size)
                json_array_append_new(array, red_json_integer(size));
    return array;
}

/* null where group sizes make no difference, or nothing was run. */
static json_t *group_sizes_of_capability_json(enum red_need_index need,
                                              const struct red_capability *capability) {
    char words[RED_CAPABILITY_TEXT_BYTES];
    const struct red_group_sizes *first = &capability->forms[0].sizes;
    if (capability->forms_n == 0 || first->asked == 0)
        return json_null();
    json_t *wrong = json_object();
    for (size_t f = 0; f < capability->forms_n; f++) {
        const struct red_group_sizes *sizes = &capability->forms[f].sizes;
        const char *name = red_form_kind(need, f)->name;
        if (sizes->asked != sizes->right)
            json_object_set_new(wrong, name[0] ? name : "all",
                                sizes_json(sizes, sizes->asked & ~sizes->right));
    }
    red_capability_sizes_format(need, capability, words, sizeof words);
    return json_pack("{s:o, s:o, s:o}", "words",
                     words[0] ? red_json_text(words)
                              : json_string(capability->behaves == RED_YES ? "any" : "none"),
                     "asked", sizes_json(first, first->asked), "wrong", wrong);
}

static json_t *group_sizes_json(const void *capability_record) {
    const struct red_run_capability *found = capability_record;
    return found->group_sizes != NULL ? json_incref(found->group_sizes) : json_null();
}

static void group_sizes_read(struct red_reader *reader, const json_t *from, const char *key,
                             void *capability_record) {
    struct red_run_capability *found = capability_record;
    json_t *sizes = json_object_get(from, key);
    if (!json_is_object(sizes))
        return; /* null, or no member: group sizes make no difference, or were not judged */
    found->group_sizes = json_incref(sizes);
    red_take_text(reader, sizes, "words", true, found->words, sizeof found->words);
}

static const char *const answer_names[RED_ANSWERS_N] = {[RED_UNKNOWN] = "unknown",
                                                        [RED_NO] = "no",
                                                        [RED_YES] = "yes",
                                                        [RED_UNSTEADY] = "unsteady",
                                                        [RED_PARTLY] = "partly"};

#define CAPABILITY(key, kind, member) RED_FIELD(struct red_run_capability, key, kind, member)

static const struct red_field capability_fields[] = {
    {CAPABILITY("advertised", NAMED, advertised), RED_NAMES(answer_names)},
    {CAPABILITY("builds", NAMED, builds), RED_NAMES(answer_names)},
    {CAPABILITY("behaves", NAMED, behaves), RED_NAMES(answer_names)},
    {CAPABILITY("times_asked", COUNT, asked_n)},
    {CAPABILITY("times_right", COUNT, right_n)},
    {CAPABILITY("reason", TEXT, reason)},
    {.key = "group_sizes", .kind = RED_FIELD_OWN, .write = group_sizes_json, .read = group_sizes_read},
    {.key = NULL}};

/* What is asked once has no numbers of answers. */
static json_t *capability_json(const struct red_run_capability *found) {
    json_t *object = red_fields_json(capability_fields, found);
    if (found->asked_n == 0) {
        (void)json_object_del(object, "times_asked");
        (void)json_object_del(object, "times_right");
    }
    return object;
}

/* Puts what probes have found so far, which is what the run's strategies need: asking for more would hold up
 * the result, and may hang the driver. False without memory. */
static bool capabilities_put(json_t *object, const struct red_capabilities *capabilities) {
    bool whole = true;
    for (unsigned need = 0; need < RED_NEEDS_N && whole; need++) {
        const struct red_capability *capability =
            red_capability_best_known(capabilities, (enum red_need_index)need);
        if (capability == NULL)
            continue;
        struct red_run_capability found = {
            .advertised = capability->advertised,
            .builds = capability->builds,
            .behaves = red_capability_told(capability),
            .asked_n = capability->repeats.asked_n,
            .right_n = capability->repeats.right_n,
            .group_sizes = group_sizes_of_capability_json((enum red_need_index)need, capability)};
        red_needs_format(RED_SET(need), found.name, sizeof found.name);
        snprintf(found.reason, sizeof found.reason, "%s", capability->reason);
        whole = found.group_sizes != NULL &&
                json_object_set_new(object, found.name, capability_json(&found)) == 0;
        json_decref(found.group_sizes);
    }
    return whole;
}

/* A run that was read keeps what the file had. */
static json_t *capabilities_json(const void *device_record) {
    const struct red_run_device *device = device_record;
    json_t *object = json_object();
    bool whole = device->capabilities == NULL || capabilities_put(object, device->capabilities);
    for (size_t i = 0; i < device->found_n && whole; i++)
        whole = json_object_set_new(object, device->found[i].name, capability_json(&device->found[i])) == 0;
    if (whole)
        return object;
    json_decref(object);
    return NULL;
}

static void capabilities_read(struct red_reader *reader, const json_t *from, const char *key,
                              void *device_record) {
    struct red_run_device *device = device_record;
    const json_t *answers = red_take_container(reader, from, key, JSON_OBJECT, CAPABILITIES_MAX);
    const char *name;
    json_t *answer;
    device->found = calloc(json_object_size(answers) + 1, sizeof *device->found);
    if (device->found == NULL)
        red_reader_fail_memory(reader);
    json_object_foreach((json_t *)(uintptr_t)(reader->status == RED_OK ? answers : NULL), name, answer) {
        struct red_run_capability *found = &device->found[device->found_n++];
        red_text_copy_printable(name, found->name, sizeof found->name);
        red_fields_read(reader, answer, capability_fields, found);
    }
}

/* ---- devices ------------------------------------------------------------------------------------------- */

static json_t *device_kind_json(const void *device_record) {
    const struct red_run_device *device = device_record;
    return json_string(device->is_host ? "host" : device->info.shape.is_cpu ? "cpu" : "gpu-or-accelerator");
}

static void device_kind_read(struct red_reader *reader, const json_t *from, const char *key,
                             void *device_record) {
    struct red_run_device *device = device_record;
    char kind[32];
    red_take_text(reader, from, key, false, kind, sizeof kind);
    device->is_host = strcmp(kind, "host") == 0;
    device->info.shape.is_cpu = device->is_host || strcmp(kind, "cpu") == 0;
}

#define INFO(key, kind, member) RED_FIELD(struct red_device_info, key, kind, member)

const struct red_field red_device_info_fields[] = {
    {INFO("id", NAME, id)},
    {INFO("name", TEXT, name)},
    {INFO("compute_units", COUNT, shape.compute_units)},
    {INFO("platform", TEXT, platform)},
    {INFO("platform_version", TEXT, platform_version)},
    {INFO("vendor", TEXT, vendor)},
    {INFO("version", TEXT, version)},
    {INFO("c_versions", TEXT, c_versions)},
    {INFO("driver", TEXT, driver)},
    {INFO("group_size_max", COUNT, shape.group_size_max)},
    {INFO("local_memory_bytes", COUNT, local_memory_bytes)},
    {INFO("global_memory_bytes", COUNT, global_memory_bytes)},
    {INFO("allocation_bytes_max", COUNT, allocation_bytes_max)},
    {INFO("event_clock_ns", COUNT, event_clock_ns)},
    {INFO("api_version", WHOLE, api_version)},
    {INFO("is_cpu", FLAG, shape.is_cpu)},
    {INFO("denormals_f32", FLAG, denormals_f32)},
    {INFO("denormals_f64", FLAG, denormals_f64)},
    {.key = NULL}};

#define DEVICE(key, kind, member) RED_FIELD(struct red_run_device, key, kind, member)

static const struct red_field event_clock_fields[] = {
    {DEVICE("trusted", OPTIONAL_FLAG, event_clock.trusted)},
    {DEVICE("reason", TEXT, event_clock.reason)},
    {DEVICE("quantum_ns", POSITIVE, event_clock.quantum_ns)},
    {DEVICE("r_squared", NUMBER, event_clock.r_squared),
     RED_IF_SET(struct red_run_device, event_clock.quantum_ns)},
    {DEVICE("scale", NUMBER, event_clock.scale), RED_IF_SET(struct red_run_device, event_clock.quantum_ns)},
    {DEVICE("drift", NUMBER, event_clock.drift), RED_IF_SET(struct red_run_device, event_clock.quantum_ns)},
    {.key = NULL}};

static bool is_of_opencl(const void *device_record) {
    return !((const struct red_run_device *)device_record)->is_host;
}

/* What a device of OpenCL has beyond the host. */
static const struct red_field opencl_fields[] = {
    {DEVICE("", WITHIN, info), .members = red_device_info_fields,
     .only = "platform platform_version vendor version c_versions driver group_size_max local_memory_bytes "
             "global_memory_bytes allocation_bytes_max event_clock_ns"},
    {.key = "event_times",
     .kind = RED_FIELD_OBJECT,
     .members = event_clock_fields,
     RED_IF_FLAG(struct red_run_device, event_clock.checked)},
    {DEVICE("event_floor_s", POSITIVE, event_floor_s)},
    {.key = "capabilities", .kind = RED_FIELD_OWN, .write = capabilities_json, .read = capabilities_read},
    {.key = NULL}};

const struct red_field red_device_fields[] = {
    {DEVICE("", WITHIN, info), .members = red_device_info_fields, .only = "id"},
    {.key = "kind", .kind = RED_FIELD_OWN, .write = device_kind_json, .read = device_kind_read},
    {DEVICE("", WITHIN, info), .members = red_device_info_fields, .only = "name compute_units"},
    {DEVICE("roof_bytes_per_s", POSITIVE, roof_bytes_per_s)},
    {DEVICE("roof_bytes", POSITIVE, roof_bytes)},
    {.key = "", .kind = RED_FIELD_WITHIN, .members = opencl_fields, .known = is_of_opencl},
    {.key = NULL}};

/* ---- cells --------------------------------------------------------------------------------------------- */

static bool has_segments(const void *cell_record) {
    return ((const struct red_cell *)cell_record)->segments_n != 1;
}

static const struct red_field launch_fields[] = {
    {RED_FIELD(struct red_launch_times, "times_s", NUMBERS, s), .most = 1e9,
     RED_ELEMENTS(struct red_launch_times, s), RED_COUNT(struct red_launch_times, n), .of.least = 2},
    {RED_FIELD(struct red_launch_times, "gaps_s", NUMBERS, gap_s), .least = -1e9, .most = 1e9,
     RED_ELEMENTS(struct red_launch_times, gap_s), RED_COUNT(struct red_launch_times, n), .of.more = -1,
     .of.as_many = "a gap between each two launches"},
    {.key = NULL}};

/* ---- cells over ranks ---------------------------------------------------------------------------------- */

/* Each rank has a geometry of its own, which nothing tells. */
static bool has_geometry(const void *cell_record) {
    const struct red_cell *cell = cell_record;
    return cell->at.ranks_n == 0 || cell->geometry.group_size > 0;
}

static bool has_parts(const void *cell_record) {
    const struct red_cell *cell = cell_record;
    return cell->parts_s[RED_PART_DEVICE] != NULL || cell->parts_s[RED_PART_IMBALANCE] != NULL ||
           cell->parts_s[RED_PART_COLLECTIVE] != NULL;
}

/* Samples of a part, in the order of the total's. */
#define PART(key, part)                                                                                      \
    RED_FIELD(struct red_cell, key, NUMBERS, parts_s[part]),                                                 \
        .least = -1e9, .most = 1e9, .max = SAMPLES_MAX, RED_OWNED(struct red_cell, parts_s[part]),           \
        RED_COUNT(struct red_cell, samples_n), .of.as_many = "as many numbers as samples_s has",             \
        RED_IF_SET(struct red_cell, parts_s[part]), .may_lack = true

static const struct red_field part_fields[] = {{PART("device", RED_PART_DEVICE)},
                                               {PART("imbalance", RED_PART_IMBALANCE)},
                                               {PART("collective", RED_PART_COLLECTIVE)},
                                               {.key = NULL}};

static json_t *answers_json(const void *cell_record) {
    const struct red_cell *cell = cell_record;
    json_t *array = json_array();
    for (size_t i = 0; i < cell->answers_n; i++) {
        char digits[ANSWER_DIGITS + 1];
        snprintf(digits, sizeof digits, "%" PRIx64, cell->answers[i]);
        json_array_append_new(array, json_string(digits));
    }
    return array;
}

/* Bits need all 64, which numbers of JSON have not. */
static void answers_read(struct red_reader *reader, const json_t *from, const char *key, void *cell_record) {
    struct red_cell *cell = cell_record;
    const json_t *array = red_take_container(reader, from, key, JSON_ARRAY, RED_ANSWERS_MAX);
    if (array != NULL && (cell->answers = calloc(RED_ANSWERS_MAX, sizeof *cell->answers)) == NULL)
        red_reader_fail_memory(reader);
    for (size_t i = 0; i < json_array_size(array) && reader->status == RED_OK; i++) {
        const char *digits = json_string_value(json_array_get(array, i));
        const size_t digits_n = digits != NULL ? strspn(digits, "0123456789abcdef") : 0;
        if (digits_n < 1 || digits_n > ANSWER_DIGITS || digits[digits_n] != '\0' ||
            (digits_n > 1 && digits[0] == '0'))
            red_reader_refuse(reader, key, "up to 16 hexadecimal digits without leading zeros each");
        else
            cell->answers[cell->answers_n++] = strtoull(digits, NULL, 16);
    }
}

static bool has_answers(const void *cell_record) {
    return ((const struct red_cell *)cell_record)->answers_n > 0;
}

static bool is_known_bug(const void *cell_record) {
    const struct red_cell *cell = cell_record;
    return cell->state == RED_STATE_KNOWN_BUG && cell->known_bug != RED_STATE_PENDING;
}

#define AT(key, kind, member) RED_FIELD(struct red_at, key, kind, member)
#define AT_IF_SET(member)     RED_IF_SET(struct red_at, member), .may_lack = true

const struct red_field red_at_fields[] = {
    {AT("strategy", STRATEGY, strategy)},
    {AT("op", OP, op)},
    {AT("type", TYPE, dtype)},
    {AT("shape", TEXT, shape)},
    {AT("n", WHOLE, n)},
    {AT("bins", CHOSEN, bins_n), .max = RED_BINS_MAX, AT_IF_SET(bins_n)},
    {AT("data", TEXT, data), AT_IF_SET(data[0])},
    {AT("ranks", CHOSEN, ranks_n), .max = RED_RANKS_MAX, AT_IF_SET(ranks_n)},
    {AT("collective", TEXT, collective), AT_IF_SET(collective[0])},
    {AT("scaling", TEXT, scaling), AT_IF_SET(scaling[0])},
    {AT("asked", OBJECT, asked), .members = red_tuning_fields},
    {.key = NULL}};

#define CELL(key, kind, member) RED_FIELD(struct red_cell, key, kind, member)

static const struct red_field time_fields[] = {
    {CELL("median_s", POSITIVE, time.median)},
    {CELL("low_s", POSITIVE, time.low)},
    {CELL("high_s", POSITIVE, time.high)},
    {CELL("min_s", POSITIVE, time.min)},
    {CELL("max_s", POSITIVE, time.max)},
    {CELL("mean_s", POSITIVE, time.mean)},
    {CELL("calls_per_sample", COUNT, calls_per_sample)},
    {CELL("samples_s", NUMBERS, samples_s), .least = 1e-12, .most = 1e9, .max = SAMPLES_MAX,
     RED_OWNED(struct red_cell, samples_s), RED_COUNT(struct red_cell, samples_n), .of.least = 1,
     .of.or_count = true},
    {.key = "parts_s",
     .kind = RED_FIELD_OBJECT,
     .members = part_fields,
     .known = has_parts,
     .may_lack = true},
    {.key = NULL}};

static const struct red_field check_fields[] = {{CELL("data_sets", COUNT, checks_n)},
                                                {CELL("error", ERROR, error)},
                                                {CELL("bound", ERROR, bound)},
                                                {CELL("sum_of_absolutes", ERROR, absolute)},
                                                {CELL("two_runs_same_bits", OPTIONAL_FLAG, same_bits)},
                                                {.key = NULL}};

const struct red_field red_settled_fields[] = {
    {CELL("device_time_s", POSITIVE, device_s), RED_IF_SET(struct red_cell, device_s)},
    {CELL("launches", OBJECT, launches), .members = launch_fields, RED_IF_SET(struct red_cell, launches.n),
     .may_lack = true},
    {CELL("back_to_back_s", POSITIVE, back_to_back_s), RED_IF_SET(struct red_cell, back_to_back_s)},
    {CELL("device_time_note", TEXT, device_time_note)},
    {.key = NULL}};

/* Axes of a cell, in the order that files have. */
#define CELL_AT CELL("", WITHIN, at), .members = red_at_fields

const struct red_field red_cell_fields[] = {
    {CELL("strategy", STRATEGY, at.strategy), RED_IF_SET(struct red_cell, at.strategy), .may_lack = true},
    {CELL_AT, .only = "op type shape n"},
    {CELL("segments", CHOSEN, segments_n), .known = has_segments, .may_lack = true},
    {CELL_AT, .only = "bins"},
    {CELL("experiment", TEXT, experiment), RED_IF_SET(struct red_cell, experiment[0]), .may_lack = true},
    {CELL_AT, .only = "data"},
    {CELL("kind", NAMED, kind), RED_NAMES(red_cell_kind_names), RED_IF_SET(struct red_cell, kind),
     .may_lack = true},
    {CELL_AT, .only = "ranks collective scaling"},
    {CELL("state", STATE, state)},
    {CELL("known_bug", STATE, known_bug), .known = is_known_bug, .may_lack = true},
    {CELL("reason", TEXT, reason)},
    {CELL("unchecked", TEXT, unchecked), RED_IF_SET(struct red_cell, unchecked[0]), .may_lack = true},
    {CELL("projected_s", POSITIVE, projected_s)},
    {CELL("geometry", OBJECT, geometry), .members = red_geometry_fields,
     .only = "group_size groups elements_per_item width loads", .known = has_geometry, .may_lack = true},
    {CELL_AT, .only = "asked"},
    {CELL("standard", TEXT, standard)},
    {.key = "time_to_answer",
     .kind = RED_FIELD_OBJECT,
     .members = time_fields,
     RED_IF_SET(struct red_cell, samples_n)},
    {.key = "", .kind = RED_FIELD_WITHIN, .members = red_settled_fields},
    {.key = "accuracy",
     .kind = RED_FIELD_OBJECT,
     .members = check_fields,
     RED_IF_SET(struct red_cell, checks_n)},
    {.key = "answers",
     .kind = RED_FIELD_OWN,
     .known = has_answers,
     .may_lack = true,
     .write = answers_json,
     .read = answers_read},
    {.key = NULL}};

/* ---- accuracies and the run ---------------------------------------------------------------------------- */

static bool is_accuracy_known(const void *accuracy) {
    const enum red_state state = ((const struct red_accuracy *)accuracy)->state;
    return state == RED_STATE_PASS || state == RED_STATE_WRONG;
}

#define ACCURACY(key, kind, member) RED_FIELD(struct red_accuracy, key, kind, member)

const struct red_field red_accuracy_fields[] = {
    {ACCURACY("", WITHIN, at), .members = red_at_fields, .only = "strategy op type"},
    {ACCURACY("data", NAME, at.data)},
    {ACCURACY("", WITHIN, at), .members = red_at_fields, .only = "n"},
    {ACCURACY("state", STATE, state)},
    {ACCURACY("error", ERROR, error), .known = is_accuracy_known},
    {ACCURACY("bound", ERROR, bound), .known = is_accuracy_known},
    {ACCURACY("sum_of_absolutes", ERROR, absolute), .known = is_accuracy_known},
    {ACCURACY("error_in_units", ERROR, error_in_units), .known = is_accuracy_known},
    {ACCURACY("share_of_bound", ERROR, share_of_bound), .known = is_accuracy_known},
    {ACCURACY("place", WHOLE, place), RED_IF_SET(struct red_accuracy, place), .may_lack = true},
    {ACCURACY("two_runs_same_bits", OPTIONAL_FLAG, same_bits), .known = is_accuracy_known},
    {.key = NULL}};

#define RUN(key, kind, member) RED_FIELD(struct red_run, key, kind, member)

static const struct red_field processor_time_fields[] = {
    {RUN("all_s", POSITIVE, processors_s)}, {RUN("others_s", AMOUNT, others_s)}, {.key = NULL}};

#define RANK(key, kind, member) RED_FIELD(struct red_rank, key, kind, member)

static const struct red_field rank_fields[] = {{RANK("host", NAME, host)},
                                               {RANK("node", WHOLE, node)},
                                               {RANK("device", NAME, device)},
                                               {RANK("device_name", TEXT, device_name)},
                                               {RANK("driver", TEXT, driver)},
                                               {RANK("cores", COUNT, cores_n)},
                                               {RANK("roof_bytes_per_s", POSITIVE, roof_bytes_per_s)},
                                               {.key = NULL}};

#define OVER_RANKS(key, kind, member) RED_FIELD(struct red_over_ranks, key, kind, member)

static const struct red_field over_ranks_fields[] = {
    {OVER_RANKS("mpi", TEXT, mpi)},
    {OVER_RANKS("split", NAMED, split), RED_NAMES(red_run_split_names)},
    {OVER_RANKS("ranks", LIST, ranks), .members = rank_fields, .max = RED_RANKS_MAX,
     RED_OWNED(struct red_over_ranks, ranks), RED_COUNT(struct red_over_ranks, ranks_n), .of.least = 1},
    {.key = NULL}};

const struct red_field red_run_fields[] = {
    {RUN("started", TEXT, started)},
    {RUN("command", TEXT, command)},
    {RUN("primitive", TEXT, primitive), RED_IF_SET(struct red_run, primitive[0]), .may_lack = true},
    {RUN("seed", COUNT, seed)},
    {RUN("time_per_cell_s", AMOUNT, time_per_cell_s)},
    {RUN("clock_step_s", AMOUNT, clock_step_s)},
    {RUN("wall_s", AMOUNT, wall_s)},
    {RUN("host", OBJECT, host), .members = red_host_fields},
    {RUN("over_ranks", OBJECT, over_ranks), .members = over_ranks_fields,
     RED_IF_SET(struct red_run, over_ranks.ranks_n), .may_lack = true},
    {RUN("load_1min_end", POSITIVE, load_end), RED_IF_SET(struct red_run, load_end), .may_lack = true},
    {.key = "processor_time",
     .kind = RED_FIELD_OBJECT,
     .members = processor_time_fields,
     RED_IF_SET(struct red_run, processors_s),
     .may_lack = true},
    {.key = NULL}};
