/* Writes result files (bench --output, --format csv) and reads them (report, compare, recommend, emit), by
 * the tables here and in results/tables.c. X_json writes an X of the run, X_read reads one from its JSON; the
 * first fault of a file ends the verb that reads it. */
#include "results/result.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/file.h"
#include "core/memory.h"
#include "core/numbers.h"
#include "core/text.h"
#include "results/bans.h"
#include "results/figures.h"
#include "results/json.h"
#include "results/steadiness.h"

enum { SCHEMA = 2, DEVICES_MAX = 64, CELLS_MAX = 1000000, DIGITS = 9 };

/* ---- devices ------------------------------------------------------------------------------------------- */

/* The member with which a cell or an accuracy begins. NULL without memory. */
static json_t *device_json(const struct red_run *run, size_t device) {
    return json_pack("{s:o}", "device", red_json_text(run->devices[device].info.id));
}

/* The index of the device whose id the cell has. */
static size_t device_read(struct red_reader *reader, const json_t *from, const struct red_run *run) {
    char id[sizeof run->devices->info.id];
    size_t device = 0;
    red_take_text(reader, from, "device", false, id, sizeof id);
    while (device < run->devices_n && strcmp(run->devices[device].info.id, id) != 0)
        device++;
    if (device == run->devices_n)
        red_reader_refuse(reader, "device", "the id of one of the devices");
    return device < run->devices_n ? device : 0;
}

/* ---- writing ------------------------------------------------------------------------------------------- */

/* For a journal of cells over ranks (ranks/resume.c), and below. */
json_t *red_cell_json(const struct red_run *run, const struct red_cell *cell) {
    return red_fields_add(device_json(run, cell->device), red_cell_fields, cell);
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
static json_t *kept_json(const struct red_run *run, const struct red_cell *cell) {
    json_t *json = red_cell_json(run, cell);
    leave_out(json_object_get(json, "time_to_answer"), times_that_follow);
    if (cell->error == 0 && cell->bound == 0 && cell->absolute == 0)
        leave_out(json_object_get(json, "accuracy"), errors_of_exact);
    red_json_leave_out_unset(json, "time_to_answer");
    red_json_leave_out_unset(json_object_get(json, "geometry"), "");
    red_json_leave_out_unset(json_object_get(json, "asked"), "");
    return red_json_pack_numbers(json);
}

/* The i-th of run->cells, and of those beside them. */
static json_t *kept_cell_json(const void *run_record, size_t i) {
    const struct red_run *run = run_record;
    return kept_json(run, &run->cells[i]);
}

static json_t *kept_beside_json(const void *run_record, size_t i) {
    const struct red_run *run = run_record;
    return kept_json(run, &run->beside[i]);
}

/* The i-th of run->accuracies: errors that `bench --accuracy` found, no part of a cell. */
static json_t *accuracy_json(const void *run_record, size_t i) {
    const struct red_run *run = run_record;
    const struct red_accuracy *accuracy = &run->accuracies[i];
    return red_fields_add(device_json(run, accuracy->device), red_accuracy_fields, accuracy);
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

/* ---- CSV ----------------------------------------------------------------------------------------------- */

/* A figure, or a member of the cell's JSON. Nothing where the cell has none. */
static void csv_value_print(const struct red_figure *column, const struct red_cell *cell, const json_t *json,
                            FILE *out) {
    const json_t *from = column->object != NULL ? json_object_get(json, column->object) : json;
    const json_t *value = column->member != NULL ? json_object_get(from, column->member) : NULL;
    if (column->find != NULL)
        red_csv_value_print(out, red_figure_data(column, cell).text);
    else if (json_is_string(value))
        red_csv_value_print(out, json_string_value(value));
    else if (json_is_real(value))
        fprintf(out, "%.*g", column->digits, json_real_value(value));
    else if (json_is_integer(value))
        fprintf(out, "%lld", (long long)json_integer_value(value));
}

/* The axes that are no such column have one behind them, so that whatever tells two cells apart is there. */
static bool is_column(enum red_axis axis) {
    const struct red_figure *column = red_figure_find(red_axis_key(axis));
    return column != NULL && column->in & RED_IN_CSV;
}

/* Prints the others of these axes of a cell, or their keys (NULL), each behind a comma, and ends the line. */
static void csv_axes_print(unsigned axes, const struct red_at *at, FILE *out) {
    for (int axis = 0; axis < RED_AXES_N; axis++) {
        if (!(axes >> axis & 1) || is_column((enum red_axis)axis))
            continue;
        fputc(',', out);
        red_csv_value_print(out, at != NULL ? red_axis_text(at, (enum red_axis)axis).text
                                            : red_axis_key((enum red_axis)axis));
    }
    fputc('\n', out);
}

/* Prints all cells; a red_file_writer, of a struct red_run. */
static enum red_status csv_print(const void *what, FILE *out, struct red_error *error) {
    const struct red_run *run = what;
    const unsigned axes = red_run_axes(run);
    const struct red_figure *column = NULL;
    while ((column = red_figure_next(column, RED_IN_CSV)) != NULL)
        fprintf(out, "%s%s", column > red_figures ? "," : "", column->key);
    csv_axes_print(axes, NULL, out);
    for (size_t i = 0; i < run->cells_n; i++) {
        const struct red_cell *cell = &run->cells[i];
        json_t *json = red_cell_json(run, cell);
        if (json == NULL)
            return red_fail(error, RED_E_MEMORY, "no memory for the cells as CSV");
        while ((column = red_figure_next(column, RED_IN_CSV)) != NULL) {
            fputs(column > red_figures ? "," : "", out);
            csv_value_print(column, cell, json, out);
        }
        csv_axes_print(axes, &cell->at, out);
        json_decref(json);
    }
    return RED_OK;
}

/* For bench --format csv (cli/files.c). */
enum red_status red_result_write_csv(const struct red_run *run, const char *path, struct red_error *error) {
    return red_file_write(path, csv_print, run, error);
}

/* ---- reading ------------------------------------------------------------------------------------------- */

/* Refuses times that no clock can have measured, so that ratios of times stay finite. */
static void check_times(struct red_reader *reader, const struct red_cell *cell) {
    const struct red_statistics *time = &cell->time;
    if ((cell->samples_n > 0) != (cell->state == RED_STATE_PASS))
        red_reader_refuse(reader, "time_to_answer", "times where the state is pass, and nowhere else");
    if (cell->samples_n > 0 &&
        !(time->low >= 1e-12 && time->low <= time->median && time->median <= time->high && time->high <= 1e9))
        red_reader_refuse(reader, "time_to_answer", "1e-12 <= low_s <= median_s <= high_s <= 1e9");
}

/* What files leave out (kept_cell_json), and another program's may leave out, too: the median and its
 * interval, which follow from the samples. */
static void find_left_out(struct red_reader *reader, const json_t *from, struct red_cell *cell) {
    const json_t *accuracy = json_object_get(from, "accuracy");
    struct red_statistics found;
    if (json_is_object(accuracy) && json_object_get(accuracy, "bound") == NULL)
        cell->error = cell->bound = cell->absolute = 0;
    if (cell->samples_s == NULL || cell->time.mean > 0 || reader->status != RED_OK)
        return;
    reader->status = red_statistics_find(cell->samples_s, cell->samples_n, &found, reader->error);
    if (cell->time.median == 0 && cell->time.low == 0 && cell->time.high == 0)
        cell->time = found;
    cell->time.min = found.min;
    cell->time.max = found.max;
    cell->time.mean = found.mean;
}

/* Refuses what a cell over ranks, or one that is not, cannot be. */
static void check_ranks(struct red_reader *reader, const json_t *from, const struct red_run *run,
                        const struct red_cell *cell) {
    const bool is_of_array = cell->kind != RED_CELL_ALONE && cell->kind != RED_CELL_BARE,
               has_collective = cell->kind != RED_CELL_ROOF && cell->kind != RED_CELL_BARE;
    const size_t ranks_n = run->over_ranks.ranks_n;
    if (cell->at.ranks_n == 0 && !json_is_object(json_object_get(from, "geometry")))
        red_reader_refuse(reader, "geometry", "an object");
    if ((cell->at.ranks_n > 0) != (ranks_n > 0) || cell->at.ranks_n > ranks_n)
        red_reader_refuse(reader, "ranks",
                          ranks_n > 0 ? "as many as the file has, or fewer" : "none without over_ranks");
    if ((cell->at.collective[0] != '\0') != (ranks_n > 0 && has_collective))
        red_reader_refuse(reader, "collective", "a name where ranks combine, and nowhere else");
    if (cell->at.scaling[0] != '\0' &&
        (ranks_n == 0 || !is_of_array || strcmp(cell->at.scaling, RED_SCALING_WEAK) != 0))
        red_reader_refuse(reader, "scaling", "\"weak\" of an array over ranks, and nowhere else");
}

/* A cell of the file, with all that it does not say itself. Those that stand beside the others have no
 * strategy. */
static void cell_read(struct red_reader *reader, const json_t *from, const struct red_run *run,
                      bool is_beside, struct red_cell *cell) {
    cell->device = device_read(reader, from, run);
    if (json_is_object(from) && json_object_get(from, "asked") == NULL)
        red_reader_refuse(
            reader, "asked",
            "an object, which an earlier clreduce did not write: read the file with that one, or "
            "measure again");
    red_fields_read(reader, from, red_cell_fields, cell);
    cell->at.device = run->devices[cell->device].info.id;
    if (!is_beside && cell->at.strategy == NULL)
        red_reader_refuse(reader, "strategy", "a text");
    if (is_beside != (cell->kind >= RED_CELL_ROOF) || (is_beside && cell->at.strategy != NULL))
        red_reader_refuse(reader, "kind", is_beside ? "one without a strategy" : "one with a strategy");
    check_ranks(reader, from, run, cell);
    find_left_out(reader, from, cell);
    check_times(reader, cell);
    if (reader->status == RED_OK)
        reader->status = red_cell_find_part_medians(cell, reader->error);
    cell->time.n = cell->samples_n;
    cell->segments_n += cell->segments_n == 0; /* 1 is left out */
    if (strcmp(cell->at.data, red_pattern_name(RED_PATTERN_UNIFORM)) == 0)
        cell->at.data[0] = '\0';
    cell->checks_n += cell->checks_n == 0 && json_is_object(json_object_get(from, "accuracy"));
}

/* The i-th of run->cells, and of those beside them. */
static void own_cell_read(struct red_reader *reader, json_t *from, void *run_record, size_t i) {
    struct red_run *run = run_record;
    const json_t *usual = reader->reading; /* what a cell has that it does not say; NULL: nothing */
    if (usual != NULL && json_is_object(from) &&
        json_object_update_missing(from, (json_t *)(uintptr_t)usual) != 0)
        red_reader_fail_memory(reader);
    cell_read(reader, from, run, false, &run->cells[i]);
}

static void beside_cell_read(struct red_reader *reader, json_t *from, void *run_record, size_t i) {
    struct red_run *run = run_record;
    cell_read(reader, from, run, true, &run->beside[i]);
}

bool red_cell_read(const json_t *from, const struct red_run *run, const struct red_catalogue *catalogue,
                   struct red_cell *cell) {
    struct red_error error;
    struct red_strangers strangers = {.catalogue = catalogue};
    struct red_reader reader = {.path = "", .error = &error, .strangers = &strangers};
    *cell = (struct red_cell){.device = 0};
    cell_read(&reader, from, run, !json_is_string(json_object_get(from, "strategy")), cell);
    const bool is_whole = reader.status == RED_OK && strangers.n == 0;
    if (!is_whole)
        red_cell_clear(cell);
    red_strangers_clear(&strangers);
    return is_whole;
}

static void accuracy_read(struct red_reader *reader, json_t *from, void *run_record, size_t i) {
    struct red_run *run = run_record;
    struct red_accuracy *accuracy = &run->accuracies[i];
    accuracy->device = device_read(reader, from, run);
    red_fields_read(reader, from, red_accuracy_fields, accuracy);
    accuracy->at.device = run->devices[accuracy->device].info.id;
}

/* ---- a file -------------------------------------------------------------------------------------------- */

#define RUN(key, kind, member) RED_FIELD(struct red_run, key, kind, member)

static const struct red_field suite_fields[] = {
    {RUN("name", TEXT, program), .may_lack = true}, {RUN("version", NAME, version)}, {.key = NULL}};

static const struct red_field file_fields[] = {
    {.key = "suite", .kind = RED_FIELD_OBJECT, .members = suite_fields},
    {.key = "", .kind = RED_FIELD_WITHIN, .members = red_run_fields},
    {RUN("devices", LIST, devices), .members = red_device_fields, .max = DEVICES_MAX,
     RED_OWNED(struct red_run, devices), RED_COUNT(struct red_run, devices_n)},
    {RUN("cells", LIST, cells), .max = CELLS_MAX, RED_OWNED(struct red_run, cells),
     RED_COUNT(struct red_run, cells_n), .of.write = kept_cell_json, .of.read = own_cell_read},
    {RUN("beside", LIST, beside), RED_IF_SET(struct red_run, over_ranks.ranks_n), .may_lack = true,
     .max = CELLS_MAX, RED_OWNED(struct red_run, beside), RED_COUNT(struct red_run, beside_n),
     .of.write = kept_beside_json, .of.read = beside_cell_read},
    {RUN("accuracy", LIST, accuracies), .may_lack = true, .max = CELLS_MAX,
     RED_OWNED(struct red_run, accuracies), RED_COUNT(struct red_run, accuracies_n),
     .of.write = accuracy_json, .of.read = accuracy_read},
    {.key = NULL}};

const struct red_file_kind red_result_kind = {.what = "result file",
                                              .name_words = "a result file of clreduce bench",
                                              .marker = "suite",
                                              .version_key = "schema",
                                              .version = SCHEMA,
                                              .program_key = "suite",
                                              .has_program = true,
                                              .fields = file_fields,
                                              .arrays = {"cells", "beside", "accuracy"}};

/* All of a result file: what cells have alike stands behind them. NULL without memory. */
static json_t *run_json(const struct red_run *run) {
    struct red_run whole = *run;
    if (whole.version[0] == '\0')
        snprintf(whole.version, sizeof whole.version, "%s", CLREDUCE_VERSION);
    if (whole.program[0] == '\0')
        snprintf(whole.program, sizeof whole.program, "clreduce");
    json_t *root = red_fields_add(json_pack("{s:i}", "schema", SCHEMA), file_fields, &whole);
    json_t *accuracy = json_incref(json_object_get(root, "accuracy"));
    (void)json_object_del(root, "accuracy");
    const bool has_usual = put_usual(root, json_object_get(root, "cells"));
    if (json_object_set_new(root, "accuracy", accuracy) == 0 && has_usual)
        return root;
    json_decref(root);
    return NULL;
}

/* For bench --output (cli/files.c). */
enum red_status red_result_write_json(const struct red_run *run, const char *path, struct red_error *error) {
    json_t *json = run_json(run);
    enum red_status status = json != NULL ? red_json_write(json, path, DIGITS, error)
                                          : red_fail(error, RED_E_MEMORY, "no memory for the result file");
    json_decref(json);
    return status;
}

/* Called for each result file that report, compare, recommend or emit is given (results/loaded.c). */
enum red_status red_result_take(struct red_parsed *parsed, const struct red_catalogue *catalogue,
                                struct red_result *result) {
    const json_t *usual = json_object_get(parsed->root, "usual");
    struct red_run *run = &result->run;
    *result = (struct red_result){.strangers = {.catalogue = catalogue}};
    parsed->reader.strangers = &result->strangers;
    red_text_copy_printable(parsed->reader.path, result->path, sizeof result->path);
    if (usual != NULL && !json_is_object(usual))
        red_reader_refuse(&parsed->reader, "usual", "an object");
    enum red_status status = red_parsed_read(parsed, &red_result_kind, run, usual);
    red_host_machine_format(&run->host, result->machine, sizeof result->machine);
    if (status == RED_OK) {
        red_run_judge_steadiness(run);
        status = red_run_mark_banned(run, parsed->reader.error);
    }
    if (status == RED_OK)
        status = red_queries_make(result, parsed->reader.error);
    if (status != RED_OK)
        red_result_clear(result);
    return status;
}

/* The same of a text that has to be one. */
enum red_status red_result_read(const char *path, const char *text, size_t text_n,
                                const struct red_catalogue *catalogue, struct red_result *result,
                                struct red_error *error) {
    static const struct red_file_kind *const kinds[] = {&red_result_kind};
    struct red_parsed parsed;
    enum red_status status = red_parsed_open(path, kinds[0]->what, text, text_n, kinds, 1, &parsed, error);
    *result = (struct red_result){.queries_n = 0};
    if (status == RED_OK)
        status = red_result_take(&parsed, catalogue, result);
    red_parsed_close(&parsed);
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
        if ((primitive == NULL || cell->at.op->primitive == *primitive) && place != SIZE_MAX) {
            cell->device = place;
            cell->at.device = cell->at.device != NULL ? run->devices[place].info.id : NULL;
            run->cells[cells_n++] = *cell;
            continue;
        }
        red_cell_clear(cell);
    }
    for (size_t i = 0; i < run->accuracies_n; i++) {
        struct red_accuracy *accuracy = &run->accuracies[i];
        const size_t place = places != NULL ? places[accuracy->device] : accuracy->device;
        if ((primitive != NULL && accuracy->at.op->primitive != *primitive) || place == SIZE_MAX)
            continue;
        accuracy->device = place;
        accuracy->at.device = run->devices[place].info.id;
        run->accuracies[accuracies_n++] = *accuracy;
    }
    run->cells_n = cells_n;
    run->accuracies_n = accuracies_n;
    return red_queries_make(result, error);
}

enum red_status red_result_keep_primitive(struct red_result *result, enum red_primitive primitive,
                                          struct red_error *error) {
    return keep_cells(result, &primitive, NULL, error);
}

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
    red_strangers_clear(&result->strangers);
    *result = (struct red_result){.queries_n = 0};
}
