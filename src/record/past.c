#include "record/past.h"

#include <ctype.h>
#include <jansson.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "record/file.h"

enum {
    FILE_BYTES_MAX = 64 << 20,
    DEVICES_MAX = 64,
    CAPABILITIES_MAX = 256,
    CELLS_MAX = 1000000,
    LANES_MAX = 1024
};

/* Where the reader is, and the first thing that was not as it must be. */
struct reader {
    const char *path;
    char where[96]; /* "cells[3]" */
    enum red_status status;
    struct red_error *error;
};

static void refuse(struct reader *reader, const char *key, const char *expected) {
    if (reader->status == RED_OK)
        reader->status = red_fail(reader->error, RED_E_INPUT, "%.200s: %s%s%s: expected %s", reader->path,
                                  reader->where, reader->where[0] && key[0] ? "." : "", key, expected);
}

/* ---- members ---------------------------------------------------------------------------------------------
 */

/* U+0080 to U+009F, of which terminals take some for the beginning of a command. */
static bool is_wide_control(const char *at) {
    return (unsigned char)at[0] == 0xc2 && (unsigned char)at[1] >= 0x80 && (unsigned char)at[1] <= 0x9f;
}

/* Printable characters only; bytes from 0x80 on are UTF-8, which jansson has checked. A text that is cut may
 * end within one, so what is cut ends before it. */
static void copy(const char *from, char *text, size_t text_bytes) {
    size_t used = 0;
    for (; *from != '\0' && used + 1 < text_bytes; from++) {
        bool is_wide = is_wide_control(from);
        from += is_wide; /* to its second byte */
        text[used++] = is_wide || iscntrl((unsigned char)*from) ? ' ' : *from;
    }
    while (*from != '\0' && used > 0 && ((unsigned char)*from & 0xc0) == 0x80) {
        from--;
        used--;
    }
    text[used] = '\0';
}

/* A text, or "" where null is allowed. */
static void take_text(struct reader *reader, const json_t *from, const char *key, bool may_lack, char *text,
                      size_t text_bytes) {
    const json_t *value = json_object_get(from, key);
    text[0] = '\0';
    if (json_is_string(value))
        copy(json_string_value(value), text, text_bytes);
    else if (!may_lack || !(value == NULL || json_is_null(value)))
        refuse(reader, key, "a text");
}

static uint64_t take_whole(struct reader *reader, const json_t *from, const char *key) {
    const json_t *value = json_object_get(from, key);
    if (!json_is_integer(value) || json_integer_value(value) < 0)
        refuse(reader, key, "a whole number from 0");
    return (uint64_t)json_integer_value(value);
}

/* A whole number from 1 to max, or 0 where it is null or missing. */
static uint64_t take_chosen(struct reader *reader, const json_t *from, const char *key, uint64_t max) {
    const json_t *value = json_object_get(from, key);
    if (value == NULL || json_is_null(value))
        return 0;
    uint64_t number = take_whole(reader, from, key);
    if (number == 0 || number > max)
        refuse(reader, key, "a whole number from 1, or null");
    return number;
}

/* A number above 0, or 0 where it is null or missing. */
static double take_positive(struct reader *reader, const json_t *from, const char *key) {
    const json_t *value = json_object_get(from, key);
    if (value == NULL || json_is_null(value))
        return 0;
    double number = json_number_value(value);
    if (json_is_number(value) && isfinite(number) && number > 0)
        return number;
    refuse(reader, key, "a number above 0, or null");
    return 0;
}

static const json_t *take_kind(struct reader *reader, const json_t *from, const char *key, json_type type,
                               size_t max) {
    const json_t *value = json_object_get(from, key);
    bool is_array = type == JSON_ARRAY;
    if (!json_is_object(from) || value == NULL || json_typeof(value) != type)
        refuse(reader, key, is_array ? "an array" : "an object");
    else if ((is_array ? json_array_size(value) : json_object_size(value)) > max)
        refuse(reader, key, "fewer entries");
    return reader->status == RED_OK ? value : NULL;
}

/* ---- devices ---------------------------------------------------------------------------------------------
 */

static enum red_answer take_answer(struct reader *reader, const json_t *from, const char *key) {
    static const char *const names[RED_ANSWERS_N] = {
        [RED_UNKNOWN] = "unknown", [RED_NO] = "no", [RED_YES] = "yes"};
    char word[16];
    take_text(reader, from, key, false, word, sizeof word);
    for (int answer = 0; answer < RED_ANSWERS_N; answer++)
        if (strcmp(word, names[answer]) == 0)
            return (enum red_answer)answer;
    refuse(reader, key, "yes, no or unknown");
    return RED_UNKNOWN;
}

static void capabilities_read(struct reader *reader, const json_t *from, struct red_past_device *device) {
    const json_t *answers = take_kind(reader, from, "capabilities", JSON_OBJECT, CAPABILITIES_MAX);
    const char *name;
    json_t *answer;
    if (answers == NULL)
        return;
    device->capabilities = calloc(json_object_size(answers) + 1, sizeof *device->capabilities);
    if (device->capabilities == NULL) {
        reader->status = red_fail(reader->error, RED_E_MEMORY, "no memory for %.200s", reader->path);
        return;
    }
    json_object_foreach((json_t *)(uintptr_t)answers, name, answer) {
        struct red_past_capability *capability = &device->capabilities[device->capabilities_n++];
        copy(name, capability->name, sizeof capability->name);
        capability->advertised = take_answer(reader, answer, "advertised");
        capability->builds = take_answer(reader, answer, "builds");
        capability->behaves = take_answer(reader, answer, "behaves");
    }
}

static void device_read(struct reader *reader, const json_t *from, struct red_past_device *device) {
    char kind[32];
    take_text(reader, from, "id", false, device->id, sizeof device->id);
    take_text(reader, from, "name", true, device->name, sizeof device->name);
    take_text(reader, from, "kind", false, kind, sizeof kind);
    take_text(reader, from, "platform", true, device->platform, sizeof device->platform);
    take_text(reader, from, "platform_version", true, device->platform_version,
              sizeof device->platform_version);
    take_text(reader, from, "driver", true, device->driver, sizeof device->driver);
    device->is_host = strcmp(kind, "host") == 0;
    device->roof_bytes_per_s = take_positive(reader, from, "roof_bytes_per_s");
    const json_t *events = json_object_get(from, "event_times");
    device->events_checked = json_is_object(events);
    device->events_trusted = json_is_true(json_object_get(events, "trusted"));
    if (device->events_checked)
        take_text(reader, events, "reason", true, device->events_reason, sizeof device->events_reason);
    if (!device->is_host && reader->status == RED_OK)
        capabilities_read(reader, from, device);
}

/* ---- cells -----------------------------------------------------------------------------------------------
 */

static enum red_state take_state(struct reader *reader, const json_t *from) {
    char word[32];
    take_text(reader, from, "state", false, word, sizeof word);
    for (int state = 0; state < RED_STATES_N; state++)
        if (strcmp(word, red_state_name((enum red_state)state)) == 0)
            return (enum red_state)state;
    refuse(reader, "state", "a state such as pass or wrong");
    return RED_STATE_PENDING;
}

static void time_read(struct reader *reader, const json_t *from, struct red_past_cell *cell) {
    const json_t *time = json_object_get(from, "time_to_answer");
    bool has_time = json_is_object(time);
    if (!has_time && time != NULL && !json_is_null(time))
        refuse(reader, "time_to_answer", "an object or null");
    if (has_time != (cell->state == RED_STATE_PASS))
        refuse(reader, "time_to_answer", "times where the state is pass, and nowhere else");
    if (!has_time)
        return;
    cell->median_s = take_positive(reader, time, "median_s");
    cell->low_s = take_positive(reader, time, "low_s");
    cell->high_s = take_positive(reader, time, "high_s");
    /* No clock and no patience goes farther, and ratios stay numbers. */
    if (!(cell->low_s >= 1e-12 && cell->low_s <= cell->median_s && cell->median_s <= cell->high_s &&
          cell->high_s <= 1e9))
        refuse(reader, "time_to_answer", "1e-12 <= low_s <= median_s <= high_s <= 1e9");
    cell->samples_n = json_array_size(json_object_get(time, "samples_s"));
    if (cell->samples_n == 0)
        refuse(reader, "time_to_answer.samples_s", "an array of one or more");
}

static void geometry_read(struct reader *reader, const json_t *from, struct red_past_cell *cell) {
    const json_t *in_use = take_kind(reader, from, "geometry", JSON_OBJECT, CAPABILITIES_MAX);
    const json_t *asked = json_object_get(from, "asked");
    cell->tells_asked = asked != NULL;
    if (cell->tells_asked)
        asked = take_kind(reader, from, "asked", JSON_OBJECT, CAPABILITIES_MAX);
    if (reader->status != RED_OK)
        return;
    cell->in_use = (struct red_tuning){.group_size = (size_t)take_whole(reader, in_use, "group_size"),
                                       .groups_n = take_whole(reader, in_use, "groups"),
                                       .width = (unsigned)take_chosen(reader, in_use, "width", LANES_MAX),
                                       .loads = (unsigned)take_chosen(reader, in_use, "loads", LANES_MAX)};
    cell->asked =
        (struct red_tuning){.group_size = (size_t)take_chosen(reader, asked, "group_size", INT64_MAX),
                            .groups_n = take_chosen(reader, asked, "groups", INT64_MAX),
                            .width = (unsigned)take_chosen(reader, asked, "width", LANES_MAX),
                            .loads = (unsigned)take_chosen(reader, asked, "loads", LANES_MAX)};
}

static void cell_read(struct reader *reader, const json_t *from, const struct red_past *past,
                      struct red_past_cell *cell) {
    char device[32];
    take_text(reader, from, "device", false, device, sizeof device);
    while (cell->device < past->devices_n && strcmp(past->devices[cell->device].id, device) != 0)
        cell->device++;
    if (cell->device == past->devices_n)
        refuse(reader, "device", "the id of one of the devices");
    else
        cell->device_id = past->devices[cell->device].id;
    take_text(reader, from, "strategy", false, cell->strategy, sizeof cell->strategy);
    take_text(reader, from, "op", false, cell->op, sizeof cell->op);
    take_text(reader, from, "type", false, cell->type, sizeof cell->type);
    take_text(reader, from, "shape", true, cell->shape, sizeof cell->shape);
    take_text(reader, from, "reason", true, cell->reason, sizeof cell->reason);
    cell->n = take_whole(reader, from, "n");
    cell->state = take_state(reader, from);
    geometry_read(reader, from, cell);
    time_read(reader, from, cell);
}

/* ---- the file --------------------------------------------------------------------------------------------
 */

static void host_read(struct reader *reader, const json_t *host, struct red_past *past) {
    const json_t *awake = json_object_get(host, "kept_awake");
    take_text(reader, host, "name", true, past->host, sizeof past->host);
    take_text(reader, host, "processor", true, past->processor, sizeof past->processor);
    snprintf(past->machine, sizeof past->machine, "%s, %s, %.0f GiB", past->host, past->processor,
             take_positive(reader, host, "memory_gib"));
    past->cores_n = take_chosen(reader, host, "cores", INT64_MAX);
    past->kept_awake = json_is_true(awake);
    if (awake != NULL && !json_is_boolean(awake))
        refuse(reader, "host.kept_awake", "true or false");
    const json_t *environment = take_kind(reader, host, "environment", JSON_OBJECT, CAPABILITIES_MAX);
    past->environment = environment ? json_dumps(environment, JSON_SORT_KEYS | JSON_ENSURE_ASCII) : NULL;
    if (reader->status == RED_OK && past->environment == NULL)
        reader->status = red_fail(reader->error, RED_E_MEMORY, "no memory for %.200s", reader->path);
}

static void head_read(struct reader *reader, const json_t *root, struct red_past *past) {
    const json_t *suite = take_kind(reader, root, "suite", JSON_OBJECT, CAPABILITIES_MAX);
    const json_t *host = take_kind(reader, root, "host", JSON_OBJECT, CAPABILITIES_MAX);
    if (json_integer_value(json_object_get(root, "schema")) != 1)
        refuse(reader, "schema", "1: a result file of clreduce");
    if (reader->status != RED_OK)
        return;
    take_text(reader, suite, "version", false, past->version, sizeof past->version);
    take_text(reader, root, "started", true, past->started, sizeof past->started);
    past->time_per_cell_s = take_positive(reader, root, "time_per_cell_s");
    host_read(reader, host, past);
}

static void body_read(struct reader *reader, const json_t *root, struct red_past *past) {
    const json_t *devices = take_kind(reader, root, "devices", JSON_ARRAY, DEVICES_MAX);
    const json_t *cells = take_kind(reader, root, "cells", JSON_ARRAY, CELLS_MAX);
    if (reader->status != RED_OK)
        return;
    past->devices = calloc(json_array_size(devices) + 1, sizeof *past->devices);
    past->cells = calloc(json_array_size(cells) + 1, sizeof *past->cells);
    if (past->devices == NULL || past->cells == NULL) {
        reader->status = red_fail(reader->error, RED_E_MEMORY, "no memory for %.200s", reader->path);
        return;
    }
    while (past->devices_n < json_array_size(devices) && reader->status == RED_OK) {
        snprintf(reader->where, sizeof reader->where, "devices[%zu]", past->devices_n);
        struct red_past_device *device = &past->devices[past->devices_n];
        device_read(reader, json_array_get(devices, past->devices_n++), device);
    }
    while (past->cells_n < json_array_size(cells) && reader->status == RED_OK) {
        snprintf(reader->where, sizeof reader->where, "cells[%zu]", past->cells_n);
        struct red_past_cell *cell = &past->cells[past->cells_n];
        cell_read(reader, json_array_get(cells, past->cells_n++), past, cell);
    }
}

enum red_status red_past_read(const char *path, const char *text, size_t text_n, struct red_past *past,
                              struct red_error *error) {
    struct reader reader = {.path = path, .error = error};
    json_error_t found;
    *past = (struct red_past){.cells_n = 0};
    copy(path, past->path, sizeof past->path);
    json_t *root = json_loadb(text, text_n, JSON_REJECT_DUPLICATES, &found);
    if (root == NULL) {
        char told[sizeof found.text];
        copy(found.text, told, sizeof told); /* it quotes the file */
        return red_fail(error, RED_E_INPUT, "%.200s is no result file: line %d: %s", path, found.line, told);
    }
    head_read(&reader, root, past);
    if (reader.status == RED_OK)
        body_read(&reader, root, past);
    json_decref(root);
    if (reader.status != RED_OK)
        red_past_clear(past);
    return reader.status;
}

enum red_status red_past_load(const char *path, struct red_past *past, struct red_error *error) {
    char *text = NULL;
    size_t n = 0;
    *past = (struct red_past){.cells_n = 0};
    enum red_status status = red_file_read(path, "result file", FILE_BYTES_MAX, &text, &n, error);
    if (status == RED_OK)
        status = red_past_read(path, text, n, past, error);
    free(text);
    return status;
}

void red_past_clear(struct red_past *past) {
    for (size_t i = 0; i < past->devices_n; i++)
        free(past->devices[i].capabilities);
    free(past->devices);
    free(past->cells);
    free(past->environment);
    *past = (struct red_past){.cells_n = 0};
}
