#include "results/result.h"

#include <jansson.h>
#include <math.h>

#include "core/file.h"
#include "results/json.h"

/* Sizes by their bits, ascending. */
static json_t *sizes_json(const struct red_group_sizes *sizes, uint32_t bits) {
    json_t *array = json_array();
    for (size_t size = 1; bits != 0 && size <= sizes->largest; size++)
        for (unsigned i = 0; i < RED_GROUP_SIZES_N; i++)
            if (bits >> i & 1 && red_group_size_at(i, sizes->largest) == size)
                json_array_append_new(array, red_json_integer(size));
    return array;
}

/* null where group sizes make no difference, or nothing was run. */
static json_t *group_sizes_json(enum red_need_index need, const struct red_capability *capability) {
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
    red_capability_sizes_print(need, capability, words, sizeof words);
    return json_pack("{s:o, s:o, s:o}", "words",
                     words[0] ? red_json_text(words)
                              : json_string(capability->behaves == RED_YES ? "any" : "none"),
                     "asked", sizes_json(first, first->asked), "wrong", wrong);
}

/* Of what the run's strategies need: asking for more would hold up the result, and may hang the driver. */
static json_t *capabilities_json(const struct red_capabilities *capabilities) {
    static const char *const answers[RED_ANSWERS_N] = {
        [RED_UNKNOWN] = "unknown", [RED_NO] = "no", [RED_YES] = "yes"};
    json_t *object = json_object();
    for (unsigned need = 0; need < RED_NEEDS_N; need++) {
        char name[64];
        red_needs_print(UINT64_C(1) << need, name, sizeof name);
        const struct red_capability *capability =
            red_capability_known(capabilities, (enum red_need_index)need);
        if (capability == NULL)
            continue;
        json_object_set_new(object, name,
                            json_pack("{s:s, s:s, s:s, s:o, s:o}", "advertised",
                                      answers[capability->advertised], "builds", answers[capability->builds],
                                      "behaves", answers[capability->behaves], "reason",
                                      red_json_text(capability->reason), "group_sizes",
                                      group_sizes_json((enum red_need_index)need, capability)));
    }
    return object;
}

static json_t *ruler_json(const struct red_ruler *ruler) {
    if (!ruler->checked)
        return json_null();
    bool measured = ruler->quantum_ns > 0;
    return json_pack("{s:b, s:o, s:o, s:o, s:o, s:o}", "trusted", (int)ruler->trusted, "reason",
                     red_json_text(ruler->reason), "quantum_ns", red_json_positive(ruler->quantum_ns),
                     "r_squared", measured ? red_json_real(ruler->r_squared) : json_null(), "scale",
                     measured ? red_json_real(ruler->scale) : json_null(), "drift",
                     measured ? red_json_real(ruler->drift) : json_null());
}

static json_t *device_json(const struct red_run_device *device) {
    const struct red_device_info *info = &device->info;
    json_t *object =
        json_pack("{s:o, s:s, s:o, s:i, s:o, s:o}", "id", red_json_text(info->id), "kind",
                  device->is_host      ? "host"
                  : info->shape.is_cpu ? "cpu"
                                       : "gpu-or-accelerator",
                  "name", red_json_text(info->name), "compute_units", (int)info->shape.compute_units,
                  "roof_bytes_per_s", red_json_positive(device->roof_bytes_per_s), "roof_bytes",
                  red_json_positive((double)device->roof_bytes));
    if (device->is_host)
        return object;
    json_object_set_new(object, "platform", red_json_text(info->platform));
    json_object_set_new(object, "platform_version", red_json_text(info->platform_version));
    json_object_set_new(object, "vendor", red_json_text(info->vendor));
    json_object_set_new(object, "version", red_json_text(info->version));
    json_object_set_new(object, "c_versions", red_json_text(info->c_versions));
    json_object_set_new(object, "driver", red_json_text(info->driver));
    json_object_set_new(object, "group_size_max", red_json_integer(info->shape.group_size_max));
    json_object_set_new(object, "local_memory_bytes", red_json_integer(info->local_memory_bytes));
    json_object_set_new(object, "global_memory_bytes", red_json_integer(info->global_memory_bytes));
    json_object_set_new(object, "allocation_bytes_max", red_json_integer(info->allocation_bytes_max));
    json_object_set_new(object, "event_clock_ns", red_json_integer(info->event_clock_ns));
    json_object_set_new(object, "event_times", ruler_json(&device->ruler));
    json_object_set_new(object, "event_floor_s", red_json_positive(device->event_floor_s));
    json_object_set_new(object, "capabilities", capabilities_json(device->capabilities));
    return object;
}

static json_t *statistics_json(const struct red_cell *cell) {
    const struct red_statistics *t = &cell->time;
    if (cell->samples_n == 0)
        return json_null();
    json_t *samples = json_array();
    for (size_t i = 0; i < cell->samples_n; i++)
        json_array_append_new(samples, red_json_real(cell->samples_s[i]));
    return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "median_s", red_json_real(t->median),
                     "low_s", red_json_real(t->low), "high_s", red_json_real(t->high), "min_s",
                     red_json_real(t->min), "max_s", red_json_real(t->max), "mean_s", red_json_real(t->mean),
                     "calls_per_sample", red_json_integer(cell->calls_per_sample), "samples_s", samples);
}

/* "array", "segments:1048576x160", "iterate:100". */
static void shape_print(const struct red_run *run, const struct red_cell *cell, char *text,
                        size_t text_bytes) {
    const char *name = red_shape_names[run->shape ? run->shape->kind : RED_SHAPE_ARRAY];
    if (run->shape != NULL && run->shape->kind == RED_SHAPE_SEGMENTS)
        snprintf(text, text_bytes, "%s:%llux%llu", name, (unsigned long long)cell->segments_n,
                 (unsigned long long)cell->n);
    else if (run->shape != NULL && run->shape->kind == RED_SHAPE_ITERATE)
        snprintf(text, text_bytes, "%s:%u", name, run->shape->calls_n);
    else
        snprintf(text, text_bytes, "%s", name);
}

static json_t *cell_json(const struct red_run *run, const struct red_cell *cell) {
    char shape[64];
    shape_print(run, cell, shape, sizeof shape);
    json_t *object =
        json_pack("{s:o, s:s, s:s, s:s, s:s, s:o, s:o, s:s, s:o, s:o}", "device",
                  red_json_text(run->devices[cell->device].info.id), "strategy", cell->strategy->name, "op",
                  cell->op->name, "type", cell->dtype->name, "shape", shape, "n", red_json_integer(cell->n),
                  "segments", red_json_integer(cell->segments_n), "state", red_state_name(cell->state),
                  "reason", red_json_text(cell->reason), "projected_s", red_json_positive(cell->projected_s));
    json_object_set_new(
        object, "geometry",
        json_pack("{s:o, s:o, s:o, s:o, s:o, s:b}", "group_size", red_json_integer(cell->geometry.group_size),
                  "groups", red_json_integer(cell->geometry.groups_n), "elements_per_item",
                  red_json_integer(cell->geometry.item_n), "width", red_json_chosen(cell->geometry.width),
                  "loads", red_json_chosen(cell->geometry.loads), "tuned", (int)cell->tuned));
    json_object_set_new(object, "asked", red_json_tuning(&cell->asked));
    json_object_set_new(object, "standard", red_json_text(cell->standard));
    json_object_set_new(object, "time_to_answer", statistics_json(cell));
    json_object_set_new(object, "device_time_s", red_json_positive(cell->device_s));
    json_object_set_new(object, "back_to_back_s", red_json_positive(cell->back_to_back_s));
    json_object_set_new(object, "device_time_note", red_json_text(cell->device_time_note));
    bool checked = cell->checks_n > 0;
    json_object_set_new(
        object, "accuracy",
        !checked
            ? json_null()
            : json_pack("{s:i, s:o, s:o, s:o, s:b}", "data_sets", (int)cell->checks_n, "error",
                        red_json_real(cell->error), "bound", red_json_real(cell->bound), "sum_of_absolutes",
                        red_json_real(cell->absolute), "two_runs_same_bits", (int)cell->same_bits));
    return object;
}

static json_t *accuracy_json(const struct red_run *run, const struct red_accuracy *a) {
    bool is_known = a->state == RED_STATE_PASS;
    return json_pack("{s:o, s:s, s:s, s:s, s:s, s:o, s:s, s:o, s:o, s:o, s:o, s:o, s:o}", "device",
                     red_json_text(run->devices[a->device].info.id), "strategy", a->strategy->name, "op",
                     a->op->name, "type", a->dtype->name, "data", red_pattern_name(a->pattern), "n",
                     red_json_integer(a->n), "state", red_state_name(a->state), "error",
                     is_known ? red_json_real(a->error) : json_null(), "bound",
                     is_known ? red_json_real(a->bound) : json_null(), "sum_of_absolutes",
                     is_known ? red_json_real(a->absolute) : json_null(), "error_in_units",
                     is_known ? red_json_real(a->error / a->unit) : json_null(), "share_of_bound",
                     is_known && isfinite(a->bound) ? red_json_real(a->error / a->bound) : json_null(),
                     "two_runs_same_bits", is_known ? json_boolean(a->same_bits) : json_null());
}

static json_t *run_json(const struct red_run *run) {
    json_t *devices = json_array(), *cells = json_array(), *accuracies = json_array();
    for (size_t i = 0; i < run->devices_n; i++)
        json_array_append_new(devices, device_json(&run->devices[i]));
    for (size_t i = 0; i < run->cells_n; i++)
        json_array_append_new(cells, cell_json(run, &run->cells[i]));
    for (size_t i = 0; i < run->accuracies_n; i++)
        json_array_append_new(accuracies, accuracy_json(run, &run->accuracies[i]));
    /* What there was no memory for is missing. */
    bool whole = json_array_size(devices) == run->devices_n && json_array_size(cells) == run->cells_n &&
                 json_array_size(accuracies) == run->accuracies_n;
    if (!whole) {
        json_decref(devices);
        json_decref(cells);
        json_decref(accuracies);
        return NULL;
    }
    return json_pack("{s:i, s:{s:s, s:s}, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "schema", 1,
                     "suite", "name", "clreduce", "version", CLREDUCE_VERSION, "started",
                     red_json_text(run->started), "command", red_json_text(run->command), "seed",
                     red_json_integer(run->seed), "time_per_cell_s", red_json_real(run->time_per_cell_s),
                     "clock_step_s", red_json_real(run->clock_step_s), "wall_s", red_json_real(run->wall_s),
                     "host", red_json_host(&run->host), "devices", devices, "cells", cells, "accuracy",
                     accuracies);
}

enum red_status red_result_write_json(const struct red_run *run, const char *path, struct red_error *error) {
    struct red_file file;
    json_t *json = run_json(run);
    if (json == NULL)
        return red_fail(error, RED_E_MEMORY, "no memory for the result file");
    enum red_status status = red_file_open(path, &file, error);
    if (status == RED_OK) {
        bool dumped = json_dumpf(json, file.stream, JSON_INDENT(1) | JSON_REAL_PRECISION(9)) == 0;
        fputc('\n', file.stream);
        if (dumped || ferror(file.stream)) {
            status = red_file_commit(&file, error); /* which knows why writing failed */
        } else {
            red_file_abandon(&file);
            status = red_fail(error, RED_E_MEMORY, "no memory to write %s", path);
        }
    }
    json_decref(json);
    return status;
}

enum red_status red_result_write_csv(const struct red_run *run, const char *path, struct red_error *error) {
    struct red_file file;
    enum red_status status = red_file_open(path, &file, error);
    if (status != RED_OK)
        return status;
    fputs("device,strategy,op,type,shape,n,group_size,groups,state,median_s,low_s,high_s,min_s,samples,"
          "device_time_s,gb_per_s,projected_s,error,bound,width,loads,tuned,"
          "back_to_back_s\n",
          file.stream);
    for (size_t i = 0; i < run->cells_n; i++) {
        const struct red_cell *cell = &run->cells[i];
        char shape[64];
        shape_print(run, cell, shape, sizeof shape);
        fprintf(file.stream, "%s,%s,%s,%s,%s,%llu,%zu,%llu,%s,", run->devices[cell->device].info.id,
                cell->strategy->name, cell->op->name, cell->dtype->name, shape, (unsigned long long)cell->n,
                cell->geometry.group_size, (unsigned long long)cell->geometry.groups_n,
                red_state_name(cell->state));
        if (cell->samples_n > 0)
            fprintf(file.stream, "%.9g,%.9g,%.9g,%.9g,%zu,", cell->time.median, cell->time.low,
                    cell->time.high, cell->time.min, cell->samples_n);
        else
            fputs(",,,,0,", file.stream);
        if (cell->device_s > 0)
            fprintf(file.stream, "%.9g", cell->device_s);
        if (cell->samples_n > 0)
            fprintf(file.stream, ",%.6g,", 1e-9 * red_cell_bytes(cell) / cell->time.median);
        else
            fputs(",,", file.stream);
        if (cell->projected_s > 0)
            fprintf(file.stream, "%.6g", cell->projected_s);
        fputc(',', file.stream);
        if (cell->checks_n > 0)
            fprintf(file.stream, "%.6g", cell->error);
        fputc(',', file.stream);
        if (cell->checks_n > 0 && isfinite(cell->bound))
            fprintf(file.stream, "%.6g", cell->bound);
        if (cell->geometry.width > 0)
            fprintf(file.stream, ",%u,%u", cell->geometry.width, cell->geometry.loads);
        else
            fputs(",,", file.stream);
        fprintf(file.stream, ",%d,", (int)cell->tuned);
        if (cell->back_to_back_s > 0)
            fprintf(file.stream, "%.9g", cell->back_to_back_s);
        fputc('\n', file.stream);
    }
    return red_file_commit(&file, error);
}
