/* Writes result files (bench --output, --format csv) and reads them (report, compare, recommend, emit). Their
 * members are listed in results/tables.c. X_json writes an X of the run, X_read reads one from its JSON; the
 * first fault of a file ends the verb that reads it. */
#include "results/result.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/file.h"
#include "core/text.h"
#include "results/bans.h"
#include "results/json.h"
#include "results/steadiness.h"

enum { SCHEMA = 2, DEVICES_MAX = 64, CELLS_MAX = 1000000, MEMBERS_MAX = 256 };

/* ---- what a cell is of --------------------------------------------------------------------------------- */

/* A cell's device, strategy, operation and type, by their names. */
struct cell_names {
    char device[32], strategy[64], op[64], type[64];
};

static const struct red_field cell_names_fields[] = {
    {RED_FIELD(struct cell_names, "device", NAME, device)},
    {RED_FIELD(struct cell_names, "strategy", NAME, strategy)},
    {RED_FIELD(struct cell_names, "op", NAME, op)},
    {RED_FIELD(struct cell_names, "type", NAME, type)},
    {.key = NULL}};

/* The members with which a cell or an accuracy begins. NULL without memory. */
static json_t *cell_names_json(const struct red_run *run, size_t device, const struct red_strategy *strategy,
                               const struct red_op *op, const struct red_dtype *dtype) {
    return json_pack("{s:o, s:o, s:o, s:o}", "device", red_json_text(run->devices[device].info.id),
                     "strategy", red_json_text(strategy->name), "op", red_json_text(op->name), "type",
                     red_json_text(dtype->name));
}

/* What stands for a strategy, operation or type that this program lacks; `compare` shows its name. NULL with
 * the reader's status. */
static struct red_stranger *stranger_find_or_add(struct red_reader *reader, struct red_result *result,
                                                 const char *name) {
    size_t at = 0, high = result->strangers_n;
    while (at < high) {
        size_t middle = at + (high - at) / 2;
        if (strcmp(result->strangers[middle]->name, name) < 0)
            at = middle + 1;
        else
            high = middle;
    }
    if (at < result->strangers_n && strcmp(result->strangers[at]->name, name) == 0)
        return result->strangers[at];
    struct red_stranger **grown =
        realloc(result->strangers, (result->strangers_n + 1) * sizeof(struct red_stranger *));
    struct red_stranger *stranger = grown ? calloc(1, sizeof *stranger) : NULL;
    result->strangers = grown ? grown : result->strangers;
    if (stranger == NULL) {
        red_reader_fail_memory(reader);
        return NULL;
    }
    snprintf(stranger->name, sizeof stranger->name, "%s", name);
    snprintf(stranger->strategy.name, sizeof stranger->strategy.name, "%.31s", name);
    stranger->strategy.standard = RED_STANDARD_CL12;
    stranger->op.name = stranger->dtype.name = stranger->name;
    memmove(&grown[at + 1], &grown[at], (result->strangers_n - at) * sizeof *grown);
    result->strangers_n++;
    return grown[at] = stranger;
}

/* Reads the names with which a cell of the file begins, and finds what they name; for an unknown name adds a
 * stranger to the result. */
static void names_read_or_add_stranger(struct red_reader *reader, const json_t *from,
                                       struct red_result *result, const struct red_catalogue *catalogue,
                                       size_t *device, const struct red_strategy **strategy,
                                       const struct red_op **op, const struct red_dtype **dtype) {
    struct cell_names place;
    struct red_stranger *stranger;
    red_fields_read(reader, from, cell_names_fields, &place);
    if (reader->status != RED_OK)
        return;
    *device = 0;
    while (*device < result->run.devices_n && strcmp(result->run.devices[*device].info.id, place.device) != 0)
        ++*device;
    if (*device == result->run.devices_n)
        red_reader_refuse(reader, "device", "the id of one of the devices");
    *strategy = catalogue != NULL ? red_catalogue_find(catalogue, place.strategy) : NULL;
    *op = red_op_find(place.op);
    *dtype = red_dtype_find(place.type);
    if (*strategy == NULL && (stranger = stranger_find_or_add(reader, result, place.strategy)) != NULL)
        *strategy = &stranger->strategy;
    if (*op == NULL && (stranger = stranger_find_or_add(reader, result, place.op)) != NULL)
        *op = &stranger->op;
    if (*dtype == NULL && (stranger = stranger_find_or_add(reader, result, place.type)) != NULL)
        *dtype = &stranger->dtype;
}

/* ---- writing ------------------------------------------------------------------------------------------- */

/* The i-th of run->devices; the host lacks what a driver says. */
static json_t *device_json(const struct red_run *run, size_t i) {
    const struct red_run_device *device = &run->devices[i];
    json_t *object = red_fields_json(red_device_fields, device);
    return device->is_host ? object : red_fields_add(object, red_opencl_fields, device);
}

/* The i-th of run->cells. */
static json_t *cell_json(const struct red_run *run, size_t i) {
    const struct red_cell *cell = &run->cells[i];
    return red_fields_add(cell_names_json(run, cell->device, cell->strategy, cell->op, cell->dtype),
                          red_cell_fields, cell);
}

/* What a file leaves out of a cell, by the object that it is in. */
static const char *const times_that_follow[] = {"min_s", "max_s", "mean_s", NULL},
                         *const errors_of_exact[] = {"error", "bound", "sum_of_absolutes", NULL};

static void leave_out(json_t *object, const char *const *keys) {
    for (; *keys != NULL; keys++)
        (void)json_object_del(object, *keys);
}

/* The same as a file keeps it: without what is null or false (of a cell that was not timed the time stays
 * null), without what follows from the samples, and without the errors of an answer that has to be exact. */
static json_t *kept_cell_json(const struct red_run *run, size_t i) {
    const struct red_cell *cell = &run->cells[i];
    json_t *json = cell_json(run, i);
    leave_out(json_object_get(json, "time_to_answer"), times_that_follow);
    if (cell->error == 0 && cell->bound == 0 && cell->absolute == 0)
        leave_out(json_object_get(json, "accuracy"), errors_of_exact);
    red_json_leave_out_unset(json, "time_to_answer");
    red_json_leave_out_unset(json_object_get(json, "geometry"), "");
    red_json_leave_out_unset(json_object_get(json, "asked"), "");
    return red_json_pack_numbers(json);
}

/* The i-th of run->accuracies: errors that `bench --accuracy` found, no part of a cell. */
static json_t *accuracy_json(const struct red_run *run, size_t i) {
    const struct red_accuracy *accuracy = &run->accuracies[i];
    return red_fields_add(
        cell_names_json(run, accuracy->device, accuracy->strategy, accuracy->op, accuracy->dtype),
        red_accuracy_fields, accuracy);
}

/* Puts an array of n elements. False without memory. */
static bool put_array(json_t *root, const char *key, const struct red_run *run, size_t n,
                      json_t *(*element_json)(const struct red_run *, size_t)) {
    json_t *array = json_array();
    for (size_t i = 0; i < n; i++)
        if (json_array_append_new(array, element_json(run, i)) != 0)
            break;
    const bool whole = json_array_size(array) == n;
    return json_object_set_new(root, key, array) == 0 && whole;
}

/* Members of a cell that most cells of a file have alike. */
static const char *const usual_keys[] = {"shape", "asked", "standard", "accuracy"};

/* What most of the cells have under the key, if any value is that of more than half of them (Boyer and Moore,
 * MJRTY - a fast majority vote algorithm, 1991); NULL: they have none. */
static json_t *find_usual(const json_t *cells, const char *key) {
    json_t *usual = NULL;
    size_t more_n = 0;
    for (size_t i = 0; i < json_array_size(cells); i++) {
        json_t *value = json_object_get(json_array_get(cells, i), key);
        if (more_n == 0)
            usual = value;
        more_n = value == usual || (usual != NULL && json_equal(value, usual)) ? more_n + 1 : more_n - 1;
    }
    return usual;
}

/* Moves what is usual out of the cells: a cell without such a member says null. False without memory. */
static bool put_usual(json_t *root, json_t *cells) {
    json_t *all = json_object();
    bool whole = all != NULL;
    for (size_t k = 0; k < sizeof usual_keys / sizeof usual_keys[0]; k++) {
        const char *key = usual_keys[k];
        json_t *usual = json_incref(find_usual(cells, key));
        for (size_t i = 0; i < json_array_size(cells) && usual != NULL; i++) {
            json_t *cell = json_array_get(cells, i), *value = json_object_get(cell, key);
            if (value == NULL)
                whole = json_object_set_new(cell, key, json_null()) == 0 && whole;
            else if (json_equal(value, usual))
                (void)json_object_del(cell, key);
        }
        whole = (usual == NULL || json_object_set(all, key, usual) == 0) && whole;
        json_decref(usual);
    }
    return json_object_set_new(root, "usual", all) == 0 && whole;
}

/* All of a result file. NULL without memory. */
static json_t *run_json(const struct red_run *run) {
    const char *version = run->version[0] != '\0' ? run->version : CLREDUCE_VERSION;
    json_t *root = red_fields_add(
        json_pack("{s:i, s:{s:s, s:s}}", "schema", SCHEMA, "suite", "name", "clreduce", "version", version),
        red_run_fields, run);
    if (root != NULL && put_array(root, "devices", run, run->devices_n, device_json) &&
        put_array(root, "cells", run, run->cells_n, kept_cell_json) &&
        put_usual(root, json_object_get(root, "cells")) &&
        put_array(root, "accuracy", run, run->accuracies_n, accuracy_json))
        return root;
    json_decref(root);
    return NULL;
}

/* For bench --output (cli/files.c). */
enum red_status red_result_write_json(const struct red_run *run, const char *path, struct red_error *error) {
    json_t *json = run_json(run);
    enum red_status status = json != NULL ? red_json_write(json, path, 9, error)
                                          : red_fail(error, RED_E_MEMORY, "no memory for the result file");
    json_decref(json);
    return status;
}

/* ---- CSV ----------------------------------------------------------------------------------------------- */

/* A column is a member of the cell's JSON, or of an object in it. */
static const struct column {
    const char *name, *object, *key;
    int digits; /* of numbers */
} columns[] = {{"device", NULL, "device", 0},
               {"strategy", NULL, "strategy", 0},
               {"op", NULL, "op", 0},
               {"type", NULL, "type", 0},
               {"shape", NULL, "shape", 0},
               {"n", NULL, "n", 0},
               {"group_size", "geometry", "group_size", 0},
               {"groups", "geometry", "groups", 0},
               {"state", NULL, "state", 0},
               {"median_s", "time_to_answer", "median_s", 9},
               {"low_s", "time_to_answer", "low_s", 9},
               {"high_s", "time_to_answer", "high_s", 9},
               {"min_s", "time_to_answer", "min_s", 9},
               {"samples", "time_to_answer", "samples_s", 0}, /* their number */
               {"device_time_s", NULL, "device_time_s", 9},
               {"gb_per_s", NULL, "gb_per_s", 6}, /* in no file: of bytes and time */
               {"projected_s", NULL, "projected_s", 6},
               {"error", "accuracy", "error", 6},
               {"bound", "accuracy", "bound", 6},
               {"width", "geometry", "width", 0},
               {"loads", "geometry", "loads", 0},
               {"tuned", "geometry", "tuned", 0},
               {"back_to_back_s", NULL, "back_to_back_s", 9},
               {"bins", NULL, "bins", 0},
               {"data", NULL, "data", 0},
               {"unchecked", NULL, "unchecked", 0},
               {"experiment", NULL, "experiment", 0}};
enum { COLUMNS_N = sizeof columns / sizeof columns[0] };

/* Nothing where the cell has no such member; of an array the number of its elements. */
static void csv_value_print(const struct column *column, const json_t *cell, FILE *out) {
    const json_t *from = column->object != NULL ? json_object_get(cell, column->object) : cell;
    const json_t *value = json_object_get(from, column->key);
    if (json_is_string(value) && strpbrk(json_string_value(value), ",\"\n") != NULL)
        red_csv_quoted_print(out, "", json_string_value(value));
    else if (json_is_string(value))
        fputs(json_string_value(value), out);
    else if (json_is_real(value))
        fprintf(out, "%.*g", column->digits, json_real_value(value));
    else if (json_is_integer(value))
        fprintf(out, "%lld", (long long)json_integer_value(value));
    else if (json_is_boolean(value))
        fputc(json_is_true(value) ? '1' : '0', out);
    else if (strcmp(column->name, "samples") == 0)
        fprintf(out, "%zu", json_array_size(value));
}

/* Prints all cells; a red_file_writer, of a struct red_run. */
static enum red_status csv_print(const void *what, FILE *out, struct red_error *error) {
    const struct red_run *run = what;
    for (size_t c = 0; c < COLUMNS_N; c++)
        fprintf(out, "%s%s", columns[c].name, c + 1 < COLUMNS_N ? "," : "\n");
    for (size_t i = 0; i < run->cells_n; i++) {
        const struct red_cell *cell = &run->cells[i];
        json_t *json = cell_json(run, i);
        if (json == NULL)
            return red_fail(error, RED_E_MEMORY, "no memory for the cells as CSV");
        if (cell->samples_n > 0 && red_cell_bytes(cell) > 0)
            json_object_set_new(json, "gb_per_s",
                                red_json_real(1e-9 * red_cell_bytes(cell) / cell->time.median));
        for (size_t c = 0; c < COLUMNS_N; c++) {
            csv_value_print(&columns[c], json, out);
            fputc(c + 1 < COLUMNS_N ? ',' : '\n', out);
        }
        json_decref(json);
    }
    return RED_OK;
}

/* For bench --format csv (cli/files.c). */
enum red_status red_result_write_csv(const struct red_run *run, const char *path, struct red_error *error) {
    return red_file_write(path, csv_print, run, error);
}

/* ---- reading ------------------------------------------------------------------------------------------- */

/* What is being read: the arrays that make a file large are read element by element, so that a file takes
 * little more memory than its text. */
enum { ARRAY_CELLS, ARRAY_ACCURACY, ARRAYS_N };
struct result_reading {
    struct red_reader reader;
    const struct red_catalogue *catalogue;
    struct red_result *result;
    json_t *usual; /* what a cell has that it does not say; NULL: nothing */
    struct red_large_array arrays[ARRAYS_N];
};

static void device_read(struct red_reader *reader, const json_t *from, struct red_run_device *device) {
    red_fields_read(reader, from, red_device_fields, device);
    if (!device->is_host)
        red_fields_read(reader, from, red_opencl_fields, device);
    device->event_clock.checked = json_is_object(json_object_get(from, "event_times"));
}

/* Refuses times that no clock can have measured, so that ratios of times stay finite. */
static void check_times(struct red_reader *reader, const struct red_cell *cell) {
    const struct red_statistics *time = &cell->time;
    if ((cell->samples_n > 0) != (cell->state == RED_STATE_PASS))
        red_reader_refuse(reader, "time_to_answer", "times where the state is pass, and nowhere else");
    if (cell->samples_n > 0 &&
        !(time->low >= 1e-12 && time->low <= time->median && time->median <= time->high && time->high <= 1e9))
        red_reader_refuse(reader, "time_to_answer", "1e-12 <= low_s <= median_s <= high_s <= 1e9");
}

/* What files leave out (kept_cell_json). */
static void find_left_out(struct red_reader *reader, const json_t *from, struct red_cell *cell) {
    const json_t *accuracy = json_object_get(from, "accuracy");
    struct red_statistics found;
    if (json_is_object(accuracy) && json_object_get(accuracy, "bound") == NULL)
        cell->error = cell->bound = cell->absolute = 0;
    if (cell->samples_s == NULL || cell->time.mean > 0 || reader->status != RED_OK)
        return;
    reader->status = red_statistics_find(cell->samples_s, cell->samples_n, &found, reader->error);
    cell->time.min = found.min;
    cell->time.max = found.max;
    cell->time.mean = found.mean;
}

/* The i-th of the file's cells. */
static void cell_read(struct result_reading *reading, json_t *from, size_t i) {
    struct red_reader *reader = &reading->reader;
    struct red_cell *cell = &reading->result->run.cells[i];
    if (json_object_update_missing(from, reading->usual) != 0 && json_is_object(from) &&
        reading->usual != NULL)
        red_reader_fail_memory(reader);
    names_read_or_add_stranger(reader, from, reading->result, reading->catalogue, &cell->device,
                               &cell->strategy, &cell->op, &cell->dtype);
    red_fields_read(reader, from, red_cell_fields, cell);
    cell->device_id = reading->result->run.devices[cell->device].info.id;
    check_times(reader, cell);
    find_left_out(reader, from, cell);
    cell->time.n = cell->samples_n;
    cell->segments_n += cell->segments_n == 0; /* 1 is left out */
    if (strcmp(cell->data, red_pattern_name(RED_PATTERN_UNIFORM)) == 0)
        cell->data[0] = '\0';
    cell->checks_n += cell->checks_n == 0 && json_is_object(json_object_get(from, "accuracy"));
    cell->tuning = (struct red_tuning){.group_size = cell->geometry.group_size,
                                       .groups_n = cell->geometry.groups_n,
                                       .width = cell->geometry.width,
                                       .loads = cell->geometry.loads};
}

static void accuracy_read(struct result_reading *reading, json_t *from, size_t i) {
    struct red_accuracy *accuracy = &reading->result->run.accuracies[i];
    names_read_or_add_stranger(&reading->reader, from, reading->result, reading->catalogue, &accuracy->device,
                               &accuracy->strategy, &accuracy->op, &accuracy->dtype);
    red_fields_read(&reading->reader, from, red_accuracy_fields, accuracy);
}

/* Refuses what is no array, or too long; the file's object says what else is there. True: it can be read. */
static bool check_array(struct red_reader *reader, const json_t *root, const struct red_large_array *array) {
    if (array->at == NULL)
        (void)red_take_container(reader, root, array->name, JSON_ARRAY, CELLS_MAX);
    else if (array->n > CELLS_MAX)
        red_reader_refuse(reader, array->name, "fewer entries");
    return reader->status == RED_OK && array->at != NULL;
}

/* Reads an array's elements; counts them in *elements_n, which is 0 before. */
static void array_read(struct result_reading *reading, struct red_large_array *array, size_t *elements_n,
                       void (*read)(struct result_reading *, json_t *, size_t)) {
    struct red_reader *reader = &reading->reader;
    json_t *element;
    while (*elements_n < array->n && (element = red_large_array_next(array, reader)) != NULL) {
        snprintf(reader->where, sizeof reader->where, "%s[%zu]", array->name, *elements_n);
        read(reading, element, (*elements_n)++);
        json_decref(element);
    }
}

/* Refuses what is no result file, and one of another version of the program, which it names. */
static void check_schema(struct red_reader *reader, const json_t *root) {
    const json_t *schema = json_object_get(root, "schema"),
                 *version = json_object_get(json_object_get(root, "suite"), "version");
    char expected[160], printable[32];
    snprintf(expected, sizeof expected, "%d: a result file of clreduce bench", SCHEMA);
    if (json_is_integer(schema) && json_is_string(version)) {
        red_text_copy_printable(json_string_value(version), printable, sizeof printable);
        snprintf(expected, sizeof expected,
                 "%d; another clreduce, which called itself %s, wrote this file: read it with that one, or "
                 "measure again with this one",
                 SCHEMA, printable);
    }
    if (json_integer_value(schema) != SCHEMA)
        red_reader_refuse(reader, "schema", expected);
}

/* All but devices, cells and accuracies; and the words for the machine, by which files are joined. */
static void head_read(struct red_reader *reader, const json_t *root, struct red_result *result) {
    struct red_run *run = &result->run;
    check_schema(reader, root);
    const json_t *suite = red_take_container(reader, root, "suite", JSON_OBJECT, MEMBERS_MAX);
    red_take_text(reader, suite, "version", false, run->version, sizeof run->version);
    red_fields_read(reader, root, red_run_fields, run);
    snprintf(result->machine, sizeof result->machine, "%.100s, %.120s, %.0f GiB", run->host.name,
             run->host.processor, run->host.memory_gib);
    const char *together = red_host_ranks_together(&run->host);
    if (together[0] != '\0')
        red_text_add(result->machine, sizeof result->machine, ", %.10s ranks at a time", together);
}

/* Devices, cells and accuracies. */
static void body_read(struct result_reading *reading, const json_t *root) {
    struct red_reader *reader = &reading->reader;
    struct red_large_array *cells = &reading->arrays[ARRAY_CELLS],
                           *accuracy = &reading->arrays[ARRAY_ACCURACY];
    struct red_run *run = &reading->result->run;
    const json_t *devices = red_take_container(reader, root, "devices", JSON_ARRAY, DEVICES_MAX);
    reading->usual = json_object_get(root, "usual");
    if (reading->usual != NULL && !json_is_object(reading->usual))
        red_reader_refuse(reader, "usual", "an object");
    if (!check_array(reader, root, cells))
        return;
    if ((accuracy->at != NULL || json_object_get(root, "accuracy") != NULL) &&
        !check_array(reader, root, accuracy))
        return;
    run->devices = calloc(json_array_size(devices) + 1, sizeof *run->devices);
    run->cells = calloc(cells->n + 1, sizeof *run->cells);
    run->accuracies = calloc(accuracy->n + 1, sizeof *run->accuracies);
    if (run->devices == NULL || run->cells == NULL || run->accuracies == NULL) {
        red_reader_fail_memory(reader);
        return;
    }
    while (run->devices_n < json_array_size(devices) && reader->status == RED_OK) {
        snprintf(reader->where, sizeof reader->where, "devices[%zu]", run->devices_n);
        device_read(reader, json_array_get(devices, run->devices_n), &run->devices[run->devices_n]);
        run->devices_n++;
    }
    reader->where[0] = '\0';
    array_read(reading, cells, &run->cells_n, cell_read);
    array_read(reading, accuracy, &run->accuracies_n, accuracy_read);
}

/* ---- a file --------------------------------------------------------------------------------------- */

/* Called for each result file that report, compare, recommend or emit is given (results/loaded.c). */
enum red_status red_result_read(const char *path, const char *text, size_t text_n,
                                const struct red_catalogue *catalogue, struct red_result *result,
                                struct red_error *error) {
    struct result_reading reading = {
        .reader = {.path = path, .error = error},
        .catalogue = catalogue,
        .result = result,
        .arrays = {[ARRAY_CELLS] = {.name = "cells"}, [ARRAY_ACCURACY] = {.name = "accuracy"}}};
    *result = (struct red_result){.queries_n = 0};
    red_text_copy_printable(path, result->path, sizeof result->path);
    json_t *root =
        red_reader_root_but_arrays(&reading.reader, "result file", text, text_n, reading.arrays, ARRAYS_N);
    if (root == NULL)
        return reading.reader.status;
    head_read(&reading.reader, root, result);
    if (reading.reader.status == RED_OK)
        body_read(&reading, root);
    json_decref(root);
    enum red_status status = reading.reader.status;
    if (status == RED_OK) {
        red_run_judge_steadiness(&result->run);
        status = red_run_mark_banned(&result->run, error);
    }
    if (status == RED_OK)
        status = red_queries_make(result, error);
    if (status != RED_OK)
        red_result_clear(result);
    return status;
}

/* Keeps the cells and accuracies of the primitive (NULL: of any) whose device has a place in `places`, by
 * index (NULL: each its own; SIZE_MAX: none). */
static enum red_status keep_cells(struct red_result *result, const enum red_primitive *primitive,
                                  const size_t *places, struct red_error *error) {
    struct red_run *run = &result->run;
    size_t cells_n = 0, accuracies_n = 0;
    red_queries_clear(result);
    for (size_t i = 0; i < run->cells_n; i++) {
        struct red_cell *cell = &run->cells[i];
        const size_t place = places != NULL ? places[cell->device] : cell->device;
        if ((primitive == NULL || cell->op->primitive == *primitive) && place != SIZE_MAX) {
            cell->device = place;
            cell->device_id = cell->device_id != NULL ? run->devices[place].info.id : NULL;
            run->cells[cells_n++] = *cell;
            continue;
        }
        free(cell->samples_s);
        free(cell->cpu_s);
    }
    for (size_t i = 0; i < run->accuracies_n; i++) {
        struct red_accuracy *accuracy = &run->accuracies[i];
        const size_t place = places != NULL ? places[accuracy->device] : accuracy->device;
        if ((primitive != NULL && accuracy->op->primitive != *primitive) || place == SIZE_MAX)
            continue;
        accuracy->device = place;
        run->accuracies[accuracies_n++] = *accuracy;
    }
    run->cells_n = cells_n;
    run->accuracies_n = accuracies_n;
    return red_queries_make(result, error);
}

/* Called by results/loaded.c for --primitive of report, compare and recommend. */
enum red_status red_result_keep_primitive(struct red_result *result, enum red_primitive primitive,
                                          struct red_error *error) {
    return keep_cells(result, &primitive, NULL, error);
}

/* Called by results/loaded.c for --device of report. */
enum red_status red_result_keep_devices(struct red_result *result, const struct red_device_info *infos,
                                        size_t infos_n, const char *patterns, struct red_error *error) {
    struct red_run *run = &result->run;
    size_t *places = calloc(run->devices_n + 1, sizeof *places), kept_n = 0;
    enum red_status status =
        places != NULL ? RED_OK : red_fail(error, RED_E_MEMORY, "no memory for the devices of a result");
    for (size_t d = 0; d < run->devices_n && status == RED_OK; d++) {
        const bool is_kept = run->devices[d].is_host ||
                             red_device_info_is_selected(infos, infos_n, &run->devices[d].info, patterns);
        places[d] = is_kept ? kept_n : SIZE_MAX;
        if (is_kept)
            run->devices[kept_n++] = run->devices[d];
        else
            red_run_device_clear(&run->devices[d]);
    }
    if (status == RED_OK) {
        run->devices_n = kept_n;
        status = keep_cells(result, NULL, places, error);
    }
    free(places);
    return status;
}

void red_result_clear(struct red_result *result) {
    red_queries_clear(result);
    red_run_clear(&result->run);
    for (size_t i = 0; i < result->strangers_n; i++)
        free(result->strangers[i]);
    free(result->strangers);
    *result = (struct red_result){.queries_n = 0};
}
