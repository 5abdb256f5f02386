#include "results/past.h"

#include <jansson.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/file.h"
#include "results/elements.h"
#include "results/reader.h"

enum {
    FILE_BYTES_MAX = 512 << 20,
    DEVICES_MAX = 64,
    CAPABILITIES_MAX = 256,
    CELLS_MAX = 1000000,
    SAMPLES_MAX = 100000
};

/* ---- devices ---------------------------------------------------------------------------------------------
 */

static enum red_answer take_answer(struct red_reader *reader, const json_t *from, const char *key) {
    static const char *const names[RED_ANSWERS_N] = {
        [RED_UNKNOWN] = "unknown", [RED_NO] = "no", [RED_YES] = "yes"};
    return (enum red_answer)red_take_word(reader, from, key, names, RED_ANSWERS_N);
}

static void capabilities_read(struct red_reader *reader, const json_t *from, struct red_past_device *device) {
    const json_t *answers = red_take_kind(reader, from, "capabilities", JSON_OBJECT, CAPABILITIES_MAX);
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
        red_text_copy(name, capability->name, sizeof capability->name);
        capability->advertised = take_answer(reader, answer, "advertised");
        capability->builds = take_answer(reader, answer, "builds");
        capability->behaves = take_answer(reader, answer, "behaves");
        red_take_text(reader, answer, "reason", true, capability->reason, sizeof capability->reason);
        /* Files of older programs lack it. */
        const json_t *sizes = json_object_get(answer, "group_sizes");
        if (json_is_object(sizes) && capability->behaves == RED_YES)
            red_take_text(reader, sizes, "words", false, capability->group_sizes,
                          sizeof capability->group_sizes);
        if (strcmp(capability->group_sizes, "any") == 0)
            capability->group_sizes[0] = '\0';
    }
}

static void device_read(struct red_reader *reader, const json_t *from, struct red_past_device *device) {
    char kind[32];
    red_take_text(reader, from, "id", false, device->id, sizeof device->id);
    red_take_text(reader, from, "name", true, device->name, sizeof device->name);
    red_take_text(reader, from, "kind", false, kind, sizeof kind);
    red_take_text(reader, from, "platform", true, device->platform, sizeof device->platform);
    red_take_text(reader, from, "platform_version", true, device->platform_version,
                  sizeof device->platform_version);
    red_take_text(reader, from, "version", true, device->version, sizeof device->version);
    red_take_text(reader, from, "driver", true, device->driver, sizeof device->driver);
    device->is_host = strcmp(kind, "host") == 0;
    device->is_cpu = device->is_host || strcmp(kind, "cpu") == 0;
    device->compute_units = red_take_chosen(reader, from, "compute_units", UINT32_MAX);
    device->group_size_max = red_take_chosen(reader, from, "group_size_max", INT64_MAX);
    device->local_memory_bytes = red_take_positive(reader, from, "local_memory_bytes");
    device->memory_bytes = red_take_positive(reader, from, "global_memory_bytes");
    device->event_floor_s = red_take_positive(reader, from, "event_floor_s");
    device->roof_bytes_per_s = red_take_positive(reader, from, "roof_bytes_per_s");
    const json_t *events = json_object_get(from, "event_times");
    device->events_checked = json_is_object(events);
    device->events_trusted = json_is_true(json_object_get(events, "trusted"));
    if (device->events_checked)
        red_take_text(reader, events, "reason", true, device->events_reason, sizeof device->events_reason);
    if (!device->is_host && reader->status == RED_OK)
        capabilities_read(reader, from, device);
}

/* ---- cells -----------------------------------------------------------------------------------------------
 */

static size_t device_find(const struct red_past *past, const char *id) {
    size_t device = 0;
    while (device < past->devices_n && strcmp(past->devices[device].id, id) != 0)
        device++;
    return device;
}

static void samples_read(struct red_reader *reader, const json_t *samples, struct red_past_cell *cell) {
    size_t n = json_array_size(samples);
    cell->samples_s = n > 0 ? calloc(n, sizeof *cell->samples_s) : NULL;
    if (n == 0 || n > SAMPLES_MAX)
        red_reader_refuse(reader, "time_to_answer.samples_s", "an array of one or more");
    else if (cell->samples_s == NULL)
        reader->status = red_fail(reader->error, RED_E_MEMORY, "no memory for %.200s", reader->path);
    while (cell->samples_n < n && reader->status == RED_OK) {
        double sample = json_number_value(json_array_get(samples, cell->samples_n));
        cell->samples_s[cell->samples_n++] = sample;
        if (!(sample >= 1e-12 && sample <= 1e9))
            red_reader_refuse(reader, "time_to_answer.samples_s", "numbers from 1e-12 to 1e9");
    }
}

static void time_read(struct red_reader *reader, const json_t *from, struct red_past_cell *cell) {
    const json_t *time = json_object_get(from, "time_to_answer");
    bool has_time = json_is_object(time);
    if (!has_time && time != NULL && !json_is_null(time))
        red_reader_refuse(reader, "time_to_answer", "an object or null");
    if (has_time != (cell->state == RED_STATE_PASS))
        red_reader_refuse(reader, "time_to_answer", "times where the state is pass, and nowhere else");
    if (!has_time)
        return;
    cell->median_s = red_take_positive(reader, time, "median_s");
    cell->low_s = red_take_positive(reader, time, "low_s");
    cell->high_s = red_take_positive(reader, time, "high_s");
    /* No clock and no patience goes farther, and ratios stay numbers. */
    if (!(cell->low_s >= 1e-12 && cell->low_s <= cell->median_s && cell->median_s <= cell->high_s &&
          cell->high_s <= 1e9))
        red_reader_refuse(reader, "time_to_answer", "1e-12 <= low_s <= median_s <= high_s <= 1e9");
    samples_read(reader, json_object_get(time, "samples_s"), cell);
}

/* A number, or null for what is infinite. */
static double infinite_read(struct red_reader *reader, const json_t *from, const char *key) {
    const json_t *value = json_object_get(from, key);
    return value == NULL || json_is_null(value) ? INFINITY : red_take_amount(reader, from, key);
}

static void accuracy_read(struct red_reader *reader, const json_t *from, struct red_past_cell *cell) {
    const json_t *accuracy = json_object_get(from, "accuracy");
    cell->is_checked = json_is_object(accuracy);
    if (!cell->is_checked)
        return;
    cell->error = infinite_read(reader, accuracy, "error");
    cell->bound = infinite_read(reader, accuracy, "bound");
    cell->absolute = infinite_read(reader, accuracy, "sum_of_absolutes");
    cell->same_bits = json_is_true(json_object_get(accuracy, "two_runs_same_bits"));
}

static void geometry_read(struct red_reader *reader, const json_t *from, struct red_past_cell *cell) {
    const json_t *in_use = red_take_kind(reader, from, "geometry", JSON_OBJECT, CAPABILITIES_MAX);
    cell->tells_asked = json_object_get(from, "asked") != NULL;
    cell->asked = red_take_tuning(reader, from, "asked");
    if (reader->status != RED_OK)
        return;
    cell->in_use =
        (struct red_tuning){.group_size = (size_t)red_take_whole(reader, in_use, "group_size"),
                            .groups_n = red_take_whole(reader, in_use, "groups"),
                            .width = (unsigned)red_take_chosen(reader, in_use, "width", RED_LANES_READ_MAX),
                            .loads = (unsigned)red_take_chosen(reader, in_use, "loads", RED_LANES_READ_MAX)};
}

static void cell_read(struct red_reader *reader, const json_t *from, const struct red_past *past,
                      struct red_past_cell *cell) {
    char device[32];
    red_take_text(reader, from, "device", false, device, sizeof device);
    cell->device = device_find(past, device);
    if (cell->device == past->devices_n)
        red_reader_refuse(reader, "device", "the id of one of the devices");
    else
        cell->device_id = past->devices[cell->device].id;
    red_take_text(reader, from, "strategy", false, cell->strategy, sizeof cell->strategy);
    red_take_text(reader, from, "op", false, cell->op, sizeof cell->op);
    red_take_text(reader, from, "type", false, cell->type, sizeof cell->type);
    red_take_text(reader, from, "shape", true, cell->shape, sizeof cell->shape);
    red_take_text(reader, from, "reason", true, cell->reason, sizeof cell->reason);
    cell->n = red_take_whole(reader, from, "n");
    cell->state = red_take_state(reader, from, "state");
    cell->segments_n = red_take_chosen(reader, from, "segments", INT64_MAX);
    cell->segments_n += cell->segments_n == 0;
    red_take_text(reader, from, "standard", true, cell->standard, sizeof cell->standard);
    cell->projected_s = red_take_positive(reader, from, "projected_s");
    cell->device_s = red_take_positive(reader, from, "device_time_s");
    cell->back_to_back_s = red_take_positive(reader, from, "back_to_back_s");
    geometry_read(reader, from, cell);
    time_read(reader, from, cell);
    accuracy_read(reader, from, cell);
}

/* ---- accuracy --------------------------------------------------------------------------------------------
 */

static void survey_read(struct red_reader *reader, const json_t *from, const struct red_past *past,
                        struct red_past_accuracy *accuracy) {
    char device[32];
    red_take_text(reader, from, "device", false, device, sizeof device);
    accuracy->device = device_find(past, device);
    if (accuracy->device == past->devices_n)
        red_reader_refuse(reader, "device", "the id of one of the devices");
    red_take_text(reader, from, "strategy", false, accuracy->strategy, sizeof accuracy->strategy);
    red_take_text(reader, from, "op", false, accuracy->op, sizeof accuracy->op);
    red_take_text(reader, from, "type", false, accuracy->type, sizeof accuracy->type);
    red_take_text(reader, from, "data", false, accuracy->data, sizeof accuracy->data);
    accuracy->n = red_take_whole(reader, from, "n");
    accuracy->is_known = red_take_state(reader, from, "state") == RED_STATE_PASS;
    accuracy->error_in_units = infinite_read(reader, from, "error_in_units");
    const json_t *share = json_object_get(from, "share_of_bound");
    accuracy->share_of_bound =
        share == NULL || json_is_null(share) ? 0 : red_take_amount(reader, from, "share_of_bound");
}

/* ---- the file --------------------------------------------------------------------------------------------
 */

static void host_read(struct red_reader *reader, const json_t *host, struct red_past *past) {
    const json_t *awake = json_object_get(host, "kept_awake");
    red_take_text(reader, host, "name", true, past->host, sizeof past->host);
    red_take_text(reader, host, "processor", true, past->processor, sizeof past->processor);
    snprintf(past->machine, sizeof past->machine, "%s, %s, %.0f GiB", past->host, past->processor,
             red_take_positive(reader, host, "memory_gib"));
    red_take_text(reader, host, "system", true, past->system, sizeof past->system);
    red_take_text(reader, host, "compiler", true, past->compiler, sizeof past->compiler);
    past->load = red_take_positive(reader, host, "load_1min");
    past->cores_n = red_take_chosen(reader, host, "cores", INT64_MAX);
    past->kept_awake = json_is_true(awake);
    if (awake != NULL && !json_is_boolean(awake))
        red_reader_refuse(reader, "host.kept_awake", "true or false");
    const json_t *environment = red_take_kind(reader, host, "environment", JSON_OBJECT, CAPABILITIES_MAX);
    past->environment = environment ? json_dumps(environment, JSON_SORT_KEYS | JSON_ENSURE_ASCII) : NULL;
    if (reader->status == RED_OK && past->environment == NULL)
        reader->status = red_fail(reader->error, RED_E_MEMORY, "no memory for %.200s", reader->path);
}

static void head_read(struct red_reader *reader, const json_t *root, struct red_past *past) {
    if (json_integer_value(json_object_get(root, "schema")) != 1)
        red_reader_refuse(reader, "schema", "1: a result file of clreduce bench");
    const json_t *suite = red_take_kind(reader, root, "suite", JSON_OBJECT, CAPABILITIES_MAX);
    const json_t *host = red_take_kind(reader, root, "host", JSON_OBJECT, CAPABILITIES_MAX);
    if (reader->status != RED_OK)
        return;
    red_take_text(reader, suite, "version", false, past->version, sizeof past->version);
    red_take_text(reader, root, "started", true, past->started, sizeof past->started);
    red_take_text(reader, root, "command", true, past->command, sizeof past->command);
    past->seed = (uint64_t)json_integer_value(json_object_get(root, "seed"));
    past->time_per_cell_s = red_take_positive(reader, root, "time_per_cell_s");
    past->clock_step_s = red_take_positive(reader, root, "clock_step_s");
    past->wall_s = red_take_positive(reader, root, "wall_s");
    host_read(reader, host, past);
}

/* The arrays that make a file large. */
enum { ARRAY_CELLS, ARRAY_ACCURACY, ARRAYS_N };

/* Whether it is there as an array, and not too long; the file's object says what else is there. */
static bool is_array(struct red_reader *reader, const json_t *root, const struct red_elements *array) {
    if (array->at == NULL)
        (void)red_take_kind(reader, root, array->name, JSON_ARRAY, CELLS_MAX);
    else if (array->n > CELLS_MAX)
        red_reader_refuse(reader, array->name, "fewer entries");
    return reader->status == RED_OK && array->at != NULL;
}

static void devices_read(struct red_reader *reader, const json_t *devices, struct red_past *past) {
    while (past->devices_n < json_array_size(devices) && reader->status == RED_OK) {
        snprintf(reader->where, sizeof reader->where, "devices[%zu]", past->devices_n);
        struct red_past_device *device = &past->devices[past->devices_n];
        device_read(reader, json_array_get(devices, past->devices_n++), device);
    }
    reader->where[0] = '\0';
}

/* One element of an array at a time, so that a file takes little more memory than its text. */
static void cells_read(struct red_reader *reader, struct red_elements *array, struct red_past *past) {
    json_t *element;
    while (past->cells_n < array->n && (element = red_elements_next(array, reader)) != NULL) {
        snprintf(reader->where, sizeof reader->where, "cells[%zu]", past->cells_n);
        cell_read(reader, element, past, &past->cells[past->cells_n++]);
        json_decref(element);
    }
}

static void accuracies_read(struct red_reader *reader, struct red_elements *array, struct red_past *past) {
    json_t *element;
    while (past->accuracies_n < array->n && (element = red_elements_next(array, reader)) != NULL) {
        snprintf(reader->where, sizeof reader->where, "accuracy[%zu]", past->accuracies_n);
        survey_read(reader, element, past, &past->accuracies[past->accuracies_n++]);
        json_decref(element);
    }
}

static void body_read(struct red_reader *reader, const json_t *root, struct red_elements arrays[ARRAYS_N],
                      struct red_past *past) {
    const json_t *devices = red_take_kind(reader, root, "devices", JSON_ARRAY, DEVICES_MAX);
    if (!is_array(reader, root, &arrays[ARRAY_CELLS]))
        return;
    /* Files of older programs lack it. */
    if ((arrays[ARRAY_ACCURACY].at != NULL || json_object_get(root, "accuracy") != NULL) &&
        !is_array(reader, root, &arrays[ARRAY_ACCURACY]))
        return;
    past->devices = calloc(json_array_size(devices) + 1, sizeof *past->devices);
    past->cells = calloc(arrays[ARRAY_CELLS].n + 1, sizeof *past->cells);
    past->accuracies = calloc(arrays[ARRAY_ACCURACY].n + 1, sizeof *past->accuracies);
    if (past->devices == NULL || past->cells == NULL || past->accuracies == NULL) {
        reader->status = red_fail(reader->error, RED_E_MEMORY, "no memory for %.200s", reader->path);
        return;
    }
    devices_read(reader, devices, past);
    if (reader->status == RED_OK)
        cells_read(reader, &arrays[ARRAY_CELLS], past);
    if (reader->status == RED_OK)
        accuracies_read(reader, &arrays[ARRAY_ACCURACY], past);
}

enum red_status red_past_read(const char *path, const char *text, size_t text_n, struct red_past *past,
                              struct red_error *error) {
    struct red_reader reader = {.path = path, .error = error};
    struct red_elements arrays[ARRAYS_N] = {
        [ARRAY_CELLS] = {.name = "cells"}, [ARRAY_ACCURACY] = {.name = "accuracy"}};
    *past = (struct red_past){.cells_n = 0};
    red_text_copy(path, past->path, sizeof past->path);
    json_t *root = red_elements_split(&reader, "result file", text, text_n, arrays, ARRAYS_N);
    if (root == NULL)
        return reader.status;
    head_read(&reader, root, past);
    if (reader.status == RED_OK)
        body_read(&reader, root, arrays, past);
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
    for (size_t i = 0; i < past->cells_n; i++)
        free(past->cells[i].samples_s);
    free(past->devices);
    free(past->cells);
    free(past->accuracies);
    free(past->environment);
    *past = (struct red_past){.cells_n = 0};
}
