/* Writes the file of verify --output, and reads it for compare --drivers and reproduce. X_json writes an
 * X of the file, X_read reads one; the first fault of a file ends the verb that reads it. */
#include "results/verify_file.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/file.h"
#include "core/memory.h"
#include "core/text.h"
#include "model/primitive.h"
#include "results/again.h"
#include "results/json.h"

enum { FILE_BYTES_MAX = 512 << 20, DEVICES_MAX = 64, STRATEGIES_MAX = 1024, CHECKS_MAX = 4000000 };
enum { DIGITS = 9 };

/* ---- checks -------------------------------------------------------------------------------------------- */

#define CHECK(key, kind, member) RED_FIELD(struct red_verify_check, key, kind, member)
#define CHECK_AT                 CHECK("", WITHIN, at), .members = red_at_fields
#define IF_SET(member)           RED_IF_SET(struct red_verify_check, member)
static const struct red_field check_fields[] = {
    {CHECK_AT, .only = "strategy op type"},
    {CHECK("shape", NAME, at.shape)},
    {CHECK_AT, .only = "n"},
    {CHECK("segments", FROM_ONE, segments_n), .max = INT64_MAX},
    {CHECK_AT, .only = "bins"},
    {CHECK("prefixes", COUNT, prefixes_n)},
    {CHECK("stress_s", REAL, stress_s), IF_SET(stress_s), .may_lack = true},
    {CHECK_AT, .only = "asked"},
    {CHECK("geometry", OBJECT, geometry), .members = red_geometry_fields, IF_SET(geometry.group_size)},
    {CHECK("takes_groups", OPTIONAL_FLAG, takes_groups), IF_SET(takes_groups), .may_lack = true},
    {CHECK("standard", TEXT, standard)},
    {CHECK("data", NAME, at.data)},
    {CHECK("data_seed", WHOLE, data_seed)},
    {CHECK("state", STATE, state)},
    {CHECK("known_bug", STATE, known_bug), IF_SET(known_bug), .may_lack = true},
    {CHECK("", WITHIN, evidence), .members = red_evidence_fields,
     .only = "fault expected got low high segment run"},
    {CHECK("reason", OWNED_TEXT, reason)},
    {CHECK("again", OWNED_TEXT, again)},
    {CHECK("kernel", OWNED_TEXT, kernel)},
    {.key = NULL}};

struct red_at red_verify_check_at(const struct red_verify_check *check) {
    const struct red_shape segments = {.kind = RED_SHAPE_SEGMENTS};
    struct red_at at = check->at;
    if (red_at_shape_kind(&check->at) == RED_SHAPE_SEGMENTS)
        red_at_set_shape(&at, &segments, check->segments_n, check->at.n);
    return at;
}

/* Makes the command for the check of that device anew: what the file has for one may be anything, and users
 * paste it. */
static void make_again(struct red_reader *reader, const char *device, struct red_verify_check *check) {
    const struct red_verify_file *file = reader->reading;
    const struct red_again_place place = {.device = device, .path = file->result.path, .asked = &file->asked};
    free(check->again);
    check->again = red_again_command(&place, check);
    if (check->again == NULL)
        red_reader_fail_memory(reader);
}

/* A check, and what its fields do not tell by themselves. */
static void check_read(struct red_reader *reader, json_t *from, void *device_record, size_t i) {
    const struct red_verify_device *device = device_record;
    struct red_verify_check *check = &device->checks[i];
    struct red_evidence *evidence = &check->evidence;
    red_fields_read(reader, from, check_fields, check);
    evidence->segments_n = json_is_integer(json_object_get(from, "segment")) ? check->segments_n : 0;
    if (check->state == RED_STATE_PASS || check->state == RED_STATE_PENDING)
        red_reader_refuse(reader, "state", "a state that is not right");
    if (json_object_get(from, "fault") == NULL)
        red_reader_refuse(reader, "fault", "what was wrong, or null");
    if (evidence->fault != RED_FAULT_NONE && evidence->expected.value[0] == '\0')
        red_reader_refuse(reader, "expected", "what was expected, where there is a fault");
    if (reader->status == RED_OK)
        make_again(reader, device->of->info.id, check);
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

/* For compare/drivers.c. */
const char *red_verify_strategy_reason(const struct red_verify_strategy *strategy, size_t i) {
    return json_string_value(json_array_get(strategy->unsupported_because, i));
}

#define STRATEGY(key, kind, member) RED_FIELD(struct red_verify_strategy, key, kind, member)
#define COUNTED(state, name)        {STRATEGY(name, WHOLE, counts[RED_STATE_##state])},

static const struct red_field strategy_fields[] = {
    {STRATEGY("strategy", STRATEGY, strategy)},
    {STRATEGY("planned", COUNT, planned_n)},
    COUNTED(PASS, "right") COUNTED(WRONG, "wrong") COUNTED(BUILD_FAILED, "build-failed")
        COUNTED(UNSUPPORTED, "unsupported") COUNTED(OVER_BUDGET, "over-budget") COUNTED(FAILED, "failed")
            COUNTED(CRASHED, "crashed") COUNTED(TIMED_OUT, "timed-out") COUNTED(KNOWN_BUG, "known-bug")
                COUNTED(PENDING, "pending"){STRATEGY("nothing_to_launch", COUNT, idle_n),
                                            RED_IF_SET(struct red_verify_strategy, idle_n), .may_lack = true},
    {STRATEGY("stress_calls", WHOLE, stress_calls_n), RED_IF_SET(struct red_verify_strategy, stress_calls_n),
     .may_lack = true},
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

#define DEVICE(key, kind, member) RED_FIELD(struct red_verify_device, key, kind, member)

static const struct red_field device_fields[] = {
    {DEVICE("", WITHIN, of), .members = red_device_fields, .follows = true},
    {DEVICE("strategies", LIST, strategies), .members = strategy_fields, .max = STRATEGIES_MAX,
     RED_OWNED(struct red_verify_device, strategies), RED_COUNT(struct red_verify_device, strategies_n),
     .of.lines = true},
    {DEVICE("checks", LIST, checks), .members = check_fields, .max = CHECKS_MAX,
     RED_OWNED(struct red_verify_device, checks), RED_COUNT(struct red_verify_device, checks_n),
     .of.lines = true, .of.read = check_read},
    {.key = NULL}};

#define ASKED(key, kind, member)                                                                             \
    RED_FIELD(struct red_verify_asked, key, kind, member), RED_IF_SET(struct red_verify_asked, member),      \
        .may_lack = true

static const struct red_field asked_fields[] = {{ASKED("all", OPTIONAL_FLAG, all)},
                                                {ASKED("despite_probes", OPTIONAL_FLAG, despite_probes)},
                                                {ASKED("time_per_cell_s", AMOUNT, time_per_cell_s)},
                                                {ASKED("patience_s", AMOUNT, patience_s)},
                                                {.key = NULL}};

static void device_read(struct red_reader *reader, json_t *from, void *file_record, size_t d) {
    struct red_verify_file *file = file_record;
    struct red_verify_device *device = &file->devices[d];
    device->of = &file->result.run.devices[d];
    red_fields_read(reader, from, device_fields, device);
}

#define FILE_FIELD(key, kind, member) RED_FIELD(struct red_verify_file, key, kind, member)

static const struct red_field file_fields[] = {
    {FILE_FIELD("suite_version", NAME, result.run.version)},
    {FILE_FIELD("command", TEXT, result.run.command)},
    {FILE_FIELD("primitive", TEXT, result.run.primitive),
     RED_IF_SET(struct red_verify_file, result.run.primitive[0]), .may_lack = true},
    {FILE_FIELD("started", TEXT, result.run.started)},
    {FILE_FIELD("seed", COUNT, result.run.seed)},
    {FILE_FIELD("wall_s", AMOUNT, result.run.wall_s)},
    {FILE_FIELD("host", OBJECT, result.run.host), .members = red_host_fields},
    {FILE_FIELD("", WITHIN, asked), .members = asked_fields},
    {FILE_FIELD("devices", LIST, devices), .members = device_fields, .max = DEVICES_MAX,
     RED_OWNED(struct red_verify_file, devices), RED_COUNT(struct red_verify_file, result.run.devices_n),
     .of.lines = true, .of.read = device_read},
    {.key = NULL}};

const struct red_file_kind red_verify_file_kind = {.what = "file of verify",
                                                   .name_key = "schema",
                                                   .name = "clreduce-verify",
                                                   .name_words = "a file of clreduce verify --output",
                                                   .version_key = "schema_version",
                                                   .version = 1,
                                                   .program_key = "suite_version",
                                                   .has_program = true,
                                                   .fields = file_fields,
                                                   .arrays = {"devices"},
                                                   .digits = DIGITS,
                                                   .end = "]"};

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
    for (size_t d = 0; d < devices_n; d++)
        file->devices[d].of = &file->result.run.devices[d];
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

enum red_status red_verify_file_add(struct red_verify_device *device, const struct red_verify_check *check,
                                    struct red_error *error) {
    struct red_verify_check copy = *check;
    if (!RED_GROW(device->checks, device->checks_n, 1)) {
        check_clear(&copy);
        return red_fail(error, RED_E_MEMORY, "no memory for a check that is not right");
    }
    device->checks[device->checks_n++] = copy;
    return RED_OK;
}

enum red_status red_verify_file_print(const void *file, FILE *out, struct red_error *error) {
    return red_file_kind_print(&red_verify_file_kind, file, out, error);
}

enum red_status red_verify_file_take(struct red_parsed *parsed, struct red_verify_file *file) {
    struct red_result *result = &file->result;
    *file = (struct red_verify_file){.result.run.devices = calloc(DEVICES_MAX, sizeof *result->run.devices)};
    if (result->run.devices == NULL)
        red_reader_fail_memory(&parsed->reader);
    red_text_copy_printable(parsed->reader.path, result->path, sizeof result->path);
    parsed->reader.strangers = &result->strangers;
    const enum red_status status = red_parsed_read(parsed, &red_verify_file_kind, file, file);
    red_host_machine_format(&result->run.host, result->machine, sizeof result->machine);
    if (status != RED_OK)
        red_verify_file_clear(file);
    return status;
}

enum red_status red_verify_file_read(const char *path, const char *text, size_t text_n,
                                     struct red_verify_file *file, struct red_error *error) {
    static const struct red_file_kind *const kinds[] = {&red_verify_file_kind};
    struct red_parsed parsed;
    enum red_status status = red_parsed_open(path, kinds[0]->what, text, text_n, kinds, 1, &parsed, error);
    *file = (struct red_verify_file){.devices = NULL};
    if (status == RED_OK)
        status = red_verify_file_take(&parsed, file);
    red_parsed_close(&parsed);
    return status;
}

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
