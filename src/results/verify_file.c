/* Writes the file of verify --output, and reads it for compare --drivers and reproduce. X_json writes an
 * X of the file, X_read reads one; the first fault of a file ends the verb that reads it. */
#include "results/verify_file.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/file.h"
#include "core/text.h"
#include "model/primitive.h"
#include "results/again.h"
#include "results/json.h"

enum { FILE_BYTES_MAX = 512 << 20, DEVICES_MAX = 64, STRATEGIES_MAX = 1024, CHECKS_MAX = 4000000 };
enum { LANES_MAX = 1024 };

static const char schema_name[] = "clreduce-verify";

/* ---- checks -------------------------------------------------------------------------------------------- */

/* "fault"; null where no answer came. */
static json_t *fault_json(const void *member) {
    const enum red_fault fault = *(const enum red_fault *)member;
    return fault == RED_FAULT_NONE ? json_null() : json_string(red_fault_names[fault]);
}

static void fault_read(struct red_reader *reader, const json_t *from, const char *key, void *member) {
    enum red_fault *fault = member;
    if (!json_is_null(json_object_get(from, key)))
        *fault = (enum red_fault)red_take_word(reader, from, key, red_fault_names, RED_FAULTS_N);
}

/* A text of any length that the struct owns; NULL is null. */
static json_t *owned_json(const void *member) {
    const char *text = *(char *const *)member;
    return text != NULL ? red_json_text(text) : json_null();
}

static void owned_read(struct red_reader *reader, const json_t *from, const char *key, void *member) {
    const char *text = json_string_value(json_object_get(from, key));
    const size_t n = text != NULL ? strlen(text) : 0;
    char **owned = member, none[1];
    if (reader->status != RED_OK)
        return;
    *owned = n > 0 ? calloc(n + 1, 1) : NULL;
    if (n > 0 && *owned == NULL)
        red_reader_fail_memory(reader);
    else
        red_take_text(reader, from, key, true, *owned ? *owned : none, n + 1);
}

#define CHECK(key, kind, member) RED_FIELD(struct red_verify_check, key, kind, member)
#define IF_SET(member)           RED_IF_SET(struct red_verify_check, member)
#define OWNED(json_key, member)                                                                              \
    {                                                                                                        \
        .key = (json_key), .kind = RED_FIELD_OWN, .offset = offsetof(struct red_verify_check, member),       \
        .write = owned_json, .read = owned_read                                                              \
    }

static const struct red_field geometry_fields[] = {{CHECK("group_size", WHOLE, geometry.group_size)},
                                                   {CHECK("groups", WHOLE, geometry.groups_n)},
                                                   {CHECK("elements_per_item", COUNT, geometry.item_n)},
                                                   {CHECK("lanes", COUNT, geometry.lanes)},
                                                   {CHECK("width", CHOSEN, geometry.width), .max = LANES_MAX},
                                                   {CHECK("loads", CHOSEN, geometry.loads), .max = LANES_MAX},
                                                   {.key = NULL}};

static const struct red_field expected_fields[] = {
    {CHECK("value", NAME, evidence.expected.value)},
    {CHECK("place", COUNT, evidence.expected.place), IF_SET(evidence.has_place)},
    {.key = NULL}};

static const struct red_field got_fields[] = {
    {CHECK("value", NAME, evidence.got.value)},
    {CHECK("place", COUNT, evidence.got.place), IF_SET(evidence.has_place)},
    {.key = NULL}};

static const struct red_field check_fields[] = {
    {CHECK("strategy", NAME, strategy)},
    {CHECK("op", NAME, op)},
    {CHECK("type", NAME, type)},
    {CHECK("shape", NAME, shape)},
    {CHECK("n", WHOLE, n)},
    {CHECK("segments", FROM_ONE, segments_n), .max = INT64_MAX},
    {CHECK("bins", COUNT, bins_n), IF_SET(bins_n), .may_lack = true},
    {CHECK("prefixes", COUNT, prefixes_n)},
    {CHECK("asked", OBJECT, asked), .members = red_tuning_fields},
    {.key = "geometry", .kind = RED_FIELD_OBJECT, .members = geometry_fields, IF_SET(geometry.group_size)},
    {CHECK("takes_groups", OPTIONAL_FLAG, takes_groups), IF_SET(takes_groups), .may_lack = true},
    {CHECK("standard", TEXT, standard)},
    {CHECK("data", NAME, data)},
    {CHECK("data_seed", WHOLE, data_seed)},
    {CHECK("state", STATE, state)},
    {CHECK("known_bug", STATE, known_bug), IF_SET(known_bug), .may_lack = true},
    {.key = "fault",
     .kind = RED_FIELD_OWN,
     .offset = offsetof(struct red_verify_check, evidence.fault),
     .write = fault_json,
     .read = fault_read},
    {.key = "expected", .kind = RED_FIELD_OBJECT, .members = expected_fields, IF_SET(evidence.fault)},
    {.key = "got", .kind = RED_FIELD_OBJECT, .members = got_fields, IF_SET(evidence.fault)},
    {CHECK("low", TEXT, evidence.low)},
    {CHECK("high", TEXT, evidence.high)},
    {CHECK("segment", COUNT, evidence.segment), IF_SET(evidence.segments_n)},
    {CHECK("run", TEXT, evidence.run)},
    OWNED("reason", reason),
    OWNED("again", again),
    OWNED("kernel", kernel),
    {.key = NULL}};

/* What the fields do not tell by themselves. */
static void check_read(struct red_reader *reader, const json_t *from, struct red_verify_check *check) {
    struct red_evidence *evidence = &check->evidence;
    red_fields_read(reader, from, check_fields, check);
    evidence->has_place = json_is_integer(json_object_get(json_object_get(from, "expected"), "place"));
    evidence->segments_n = json_is_integer(json_object_get(from, "segment")) ? check->segments_n : 0;
    if (check->strategy[0] == '\0')
        red_reader_refuse(reader, "strategy", "a name");
    if (check->state == RED_STATE_PASS || check->state == RED_STATE_PENDING)
        red_reader_refuse(reader, "state", "a state that is not right");
    if (evidence->fault != RED_FAULT_NONE && evidence->expected.value[0] == '\0')
        red_reader_refuse(reader, "expected", "what was expected, where there is a fault");
}

/* Makes the command for the check of that device anew: what the file has for one may be anything, and users
 * paste it. */
static void make_again(struct red_reader *reader, const struct red_verify_file *file, const char *device,
                       struct red_verify_check *check) {
    const struct red_again_place place = {.device = device, .path = file->result.path, .asked = &file->asked};
    free(check->again);
    check->again = red_again_command(&place, check);
    if (check->again == NULL)
        red_reader_fail_memory(reader);
}

/* ---- strategies ---------------------------------------------------------------------------------------- */

/* "unsupported_because"; of a file that was read without what moves a terminal's cursor. */
static json_t *reasons_json(const void *member) {
    struct json_t *const *reasons = member;
    return *reasons != NULL ? json_incref(*reasons) : json_array();
}

static void reasons_read(struct red_reader *reader, const json_t *from, const char *key, void *member) {
    const json_t *array = red_take_container(reader, from, key, JSON_ARRAY, CHECKS_MAX);
    struct json_t **reasons = member;
    char printable[sizeof reader->error->text];
    *reasons = array != NULL ? json_array() : NULL;
    for (size_t i = 0; i < json_array_size(array); i++) {
        const char *reason = json_string_value(json_array_get(array, i));
        if (reason == NULL)
            red_reader_refuse(reader, key, "texts");
        red_text_copy_printable(reason != NULL ? reason : "", printable, sizeof printable);
        if (json_array_append_new(*reasons, json_string(printable)) != 0)
            red_reader_fail_memory(reader);
    }
}

/* For compare/checks.c. */
const char *red_verify_strategy_reason(const struct red_verify_strategy *strategy, size_t i) {
    return json_string_value(json_array_get(strategy->unsupported_because, i));
}

#define STRATEGY(key, kind, member) RED_FIELD(struct red_verify_strategy, key, kind, member)
#define COUNTED(state, name)        {STRATEGY(name, WHOLE, counts[RED_STATE_##state])},

static const struct red_field strategy_fields[] = {
    {STRATEGY("strategy", NAME, name)},
    {STRATEGY("planned", COUNT, planned_n)},
    COUNTED(PASS, "right") COUNTED(WRONG, "wrong") COUNTED(BUILD_FAILED, "build-failed")
        COUNTED(UNSUPPORTED, "unsupported") COUNTED(OVER_BUDGET, "over-budget") COUNTED(FAILED, "failed")
            COUNTED(CRASHED, "crashed") COUNTED(TIMED_OUT, "timed-out") COUNTED(KNOWN_BUG, "known-bug")
                COUNTED(PENDING, "pending"){STRATEGY("nothing_to_launch", COUNT, idle_n),
                                            RED_IF_SET(struct red_verify_strategy, idle_n), .may_lack = true},
    {STRATEGY("not_promised", TEXT, not_promised)},
    {STRATEGY("levels", COUNT, levels_n), RED_IF_SET(struct red_verify_strategy, levels_n), .may_lack = true},
    {STRATEGY("levels_never_checked", COUNT, levels_left_n),
     RED_IF_SET(struct red_verify_strategy, levels_left_n), .may_lack = true},
    {STRATEGY("unchecked", TEXT, unchecked), RED_IF_SET(struct red_verify_strategy, unchecked[0]),
     .may_lack = true},
    {.key = "unsupported_because",
     .kind = RED_FIELD_OWN,
     .offset = offsetof(struct red_verify_strategy, unsupported_because),
     .write = reasons_json,
     .read = reasons_read},
    {.key = "wrong_patterns",
     .kind = RED_FIELD_OWN,
     .offset = offsetof(struct red_verify_strategy, wrong_patterns),
     RED_IF_SET(struct red_verify_strategy, wrong_patterns),
     .may_lack = true,
     .write = reasons_json,
     .read = reasons_read},
    {.key = NULL}};

/* ---- the file ------------------------------------------------------------------------------------------ */

#define RUN(key, kind, member) RED_FIELD(struct red_run, key, kind, member)

static const struct red_field run_fields[] = {
    {RUN("suite_version", NAME, version)},
    {RUN("command", TEXT, command)},
    {RUN("primitive", TEXT, primitive), RED_IF_SET(struct red_run, primitive[0]), .may_lack = true},
    {RUN("started", TEXT, started)},
    {RUN("seed", COUNT, seed)},
    {RUN("wall_s", AMOUNT, wall_s)},
    {RUN("host", OBJECT, host), .members = red_host_fields},
    {.key = NULL}};

#define ASKED(key, kind, member)                                                                             \
    RED_FIELD(struct red_verify_asked, key, kind, member), RED_IF_SET(struct red_verify_asked, member),      \
        .may_lack = true

static const struct red_field asked_fields[] = {{ASKED("all", OPTIONAL_FLAG, all)},
                                                {ASKED("despite_probes", OPTIONAL_FLAG, despite_probes)},
                                                {ASKED("time_per_cell_s", AMOUNT, time_per_cell_s)},
                                                {ASKED("patience_s", AMOUNT, patience_s)},
                                                {.key = NULL}};

enum red_status red_verify_file_create(size_t devices_n, struct red_verify_file *file,
                                       struct red_error *error) {
    *file = (struct red_verify_file){.result.run.devices =
                                         calloc(devices_n + 1, sizeof *file->result.run.devices),
                                     .devices = calloc(devices_n + 1, sizeof *file->devices)};
    if (file->result.run.devices == NULL || file->devices == NULL) {
        red_verify_file_clear(file);
        return red_fail(error, RED_E_MEMORY, "no memory for the checks of %zu devices", devices_n);
    }
    file->result.run.devices_n = devices_n;
    return RED_OK;
}

/* Frees what a check of the file owns. */
static void check_clear(struct red_verify_check *check) {
    free(check->reason);
    free(check->again);
    free(check->kernel);
}

void red_verify_file_clear(struct red_verify_file *file) {
    for (size_t d = 0; file->devices != NULL && d < file->result.run.devices_n; d++) {
        struct red_verify_device *device = &file->devices[d];
        for (size_t i = 0; i < device->checks_n; i++)
            check_clear(&device->checks[i]);
        for (size_t s = 0; s < device->strategies_n; s++) {
            json_decref(device->strategies[s].unsupported_because);
            json_decref(device->strategies[s].wrong_patterns);
        }
        free(device->checks);
        free(device->strategies);
    }
    free(file->devices);
    red_result_clear(&file->result);
    *file = (struct red_verify_file){.devices = NULL};
}

/* Makes room for one check more. False without memory. */
static bool make_room_for_one(struct red_verify_device *device) {
    if (device->checks_n < device->room)
        return true;
    const size_t room = device->room > 0 ? 2 * device->room : 64;
    struct red_verify_check *grown = realloc(device->checks, room * sizeof *grown);
    if (grown == NULL)
        return false;
    device->checks = grown;
    device->room = room;
    return true;
}

enum red_status red_verify_file_add(struct red_verify_device *device, const struct red_verify_check *check,
                                    struct red_error *error) {
    struct red_verify_check copy = *check;
    if (!make_room_for_one(device)) {
        check_clear(&copy);
        return red_fail(error, RED_E_MEMORY, "no memory for a check that is not right");
    }
    device->checks[device->checks_n++] = copy;
    return RED_OK;
}

/* ---- writing: a line for each check, one at a time, for there may be millions ---- */

enum { FLAGS = JSON_COMPACT | JSON_ENCODE_ANY | JSON_REAL_PRECISION(9) };

/* Prints each member of the object on a line of its own, with a comma behind it, and releases the object.
 * False without memory, or where it is NULL. */
static bool members_print(json_t *object, FILE *out) {
    const char *key;
    json_t *value;
    bool whole = object != NULL;
    json_object_foreach(object, key, value) {
        fprintf(out, "\"%s\": ", key);
        whole = json_dumpf(value, out, FLAGS) == 0 && whole;
        fputs(",\n", out);
    }
    json_decref(object);
    return whole;
}

/* Prints an array of n structs of so many bytes each, by their table, each on a line. False without memory.
 */
static bool array_print(const char *key, const struct red_field *fields, const void *first, size_t n,
                        size_t bytes, FILE *out) {
    bool whole = true;
    fprintf(out, "\"%s\": [", key);
    for (size_t i = 0; i < n && whole; i++) {
        json_t *element = red_fields_json(fields, (const char *)first + i * bytes);
        fputs(i > 0 ? ",\n" : "\n", out);
        whole = element != NULL && json_dumpf(element, out, FLAGS) == 0;
        json_decref(element);
    }
    fputs("]", out);
    return whole;
}

/* Prints the i-th device, with its strategies and checks. False without memory. */
static bool device_print(const struct red_verify_file *file, size_t i, FILE *out) {
    const struct red_run_device *of = &file->result.run.devices[i];
    const struct red_verify_device *device = &file->devices[i];
    fputs("{", out);
    bool whole =
        members_print(red_fields_add(red_fields_json(red_device_fields, of), red_opencl_fields, of), out) &&
        array_print("strategies", strategy_fields, device->strategies, device->strategies_n,
                    sizeof *device->strategies, out);
    fputs(",\n", out);
    whole = whole && array_print("checks", check_fields, device->checks, device->checks_n,
                                 sizeof *device->checks, out);
    fputs("}", out);
    return whole;
}

/* Called by verify/evidence.c for --format json. What could not be printed the stream tells. */
enum red_status red_verify_file_print(const void *what, FILE *out, struct red_error *error) {
    const struct red_verify_file *file = what;
    const struct red_run *run = &file->result.run;
    fputs("{", out);
    bool whole = members_print(
        red_fields_add(red_fields_add(json_pack("{s:s, s:i}", "schema", schema_name, "schema_version", 1),
                                      run_fields, run),
                       asked_fields, &file->asked),
        out);
    fputs("\"devices\": [", out);
    for (size_t d = 0; d < run->devices_n && whole; d++) {
        fputs(d > 0 ? ",\n" : "\n", out);
        whole = device_print(file, d, out);
    }
    fputs("]}\n", out);
    return whole || ferror(out) ? RED_OK : red_fail(error, RED_E_MEMORY, "no memory for the file of verify");
}

/* ---- reading ------------------------------------------------------------------------------------------- */

/* Where the reader is: "devices[0].checks[3]". */
static void set_where(struct red_reader *reader, size_t device, const char *array, size_t i) {
    snprintf(reader->where, sizeof reader->where, "devices[%zu].%s[%zu]", device, array, i);
}

/* Reads device d of the file: what it is, how its checks ended, and those that are not right. */
static void device_read(struct red_reader *reader, const json_t *from, struct red_verify_file *file,
                        size_t d) {
    struct red_run_device *of = &file->result.run.devices[d];
    struct red_verify_device *device = &file->devices[d];
    snprintf(reader->where, sizeof reader->where, "devices[%zu]", d);
    red_fields_read(reader, from, red_device_fields, of);
    red_fields_read(reader, from, red_opencl_fields, of);
    of->event_clock.checked = json_is_object(json_object_get(from, "event_times"));
    const json_t *strategies = red_take_container(reader, from, "strategies", JSON_ARRAY, STRATEGIES_MAX);
    const json_t *checks = red_take_container(reader, from, "checks", JSON_ARRAY, CHECKS_MAX);
    if (reader->status != RED_OK)
        return;
    device->strategies = calloc(json_array_size(strategies) + 1, sizeof *device->strategies);
    device->checks = calloc(json_array_size(checks) + 1, sizeof *device->checks);
    if (device->strategies == NULL || device->checks == NULL) {
        red_reader_fail_memory(reader);
        return;
    }
    while (device->strategies_n < json_array_size(strategies) && reader->status == RED_OK) {
        const size_t s = device->strategies_n++;
        set_where(reader, d, "strategies", s);
        red_fields_read(reader, json_array_get(strategies, s), strategy_fields, &device->strategies[s]);
    }
    while (device->checks_n < json_array_size(checks) && reader->status == RED_OK) {
        const size_t i = device->checks_n++;
        set_where(reader, d, "checks", i);
        check_read(reader, json_array_get(checks, i), &device->checks[i]);
        if (reader->status == RED_OK)
            make_again(reader, file, of->info.id, &device->checks[i]);
    }
    device->room = json_array_size(checks) + 1;
}

/* Called below, and for each file that may be a result file, too (results/loaded.c). */
bool red_verify_file_is_schema(const struct json_t *schema) {
    const char *name = json_string_value(schema);
    return name != NULL && strcmp(name, schema_name) == 0;
}

/* Reads what the file's object holds, the devices last. */
static void file_read(struct red_reader *reader, const json_t *root, struct red_verify_file *file) {
    struct red_result *result = &file->result;
    const json_t *devices = red_take_container(reader, root, "devices", JSON_ARRAY, DEVICES_MAX);
    if (!red_verify_file_is_schema(json_object_get(root, "schema")))
        red_reader_refuse(reader, "schema", "\"clreduce-verify\": a file of clreduce verify --output");
    if (json_integer_value(json_object_get(root, "schema_version")) != 1)
        red_reader_refuse(reader, "schema_version", "1");
    if (reader->status == RED_OK &&
        red_verify_file_create(json_array_size(devices), file, reader->error) != RED_OK)
        reader->status = RED_E_MEMORY;
    if (reader->status != RED_OK)
        return;
    red_text_copy_printable(reader->path, result->path, sizeof result->path);
    red_fields_read(reader, root, run_fields, &result->run);
    red_fields_read(reader, root, asked_fields, &file->asked);
    snprintf(result->machine, sizeof result->machine, "%.100s, %.120s, %.0f GiB", result->run.host.name,
             result->run.host.processor, result->run.host.memory_gib);
    for (size_t d = 0; d < json_array_size(devices) && reader->status == RED_OK; d++)
        device_read(reader, json_array_get(devices, d), file, d);
}

enum red_status red_verify_file_read(const char *path, const char *text, size_t text_n,
                                     struct red_verify_file *file, struct red_error *error) {
    struct red_reader reader = {.path = path, .error = error};
    *file = (struct red_verify_file){.devices = NULL};
    json_t *root = red_reader_root(&reader, "file of verify", text, text_n);
    if (root != NULL)
        file_read(&reader, root, file);
    json_decref(root);
    if (reader.status != RED_OK)
        red_verify_file_clear(file);
    return reader.status;
}

/* Called by cli/cmd_reproduce.c; the other verbs that take such files read them by results/loaded.c. */
enum red_status red_verify_file_load(const char *path, struct red_verify_file *file,
                                     struct red_error *error) {
    char *text = NULL;
    size_t n = 0;
    *file = (struct red_verify_file){.devices = NULL};
    enum red_status status = red_file_read(path, "file of verify", FILE_BYTES_MAX, &text, &n, error);
    if (status == RED_OK)
        status = red_verify_file_read(path, text, n, file, error);
    free(text);
    return status;
}
