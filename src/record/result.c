#include "record/result.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>

#include "record/file.h"
#include "record/utf8.h"

/* Jansson refuses strings that are not UTF-8, such as a path or a reason that was cut: they are repaired. It
 * refuses reals that are not finite, too: these become null. */
static json_t *text(const char *value) {
    char *repaired = value[0] != '\0' ? red_utf8_repaired(value) : NULL;
    json_t *made = repaired ? json_string(repaired) : NULL;
    free(repaired);
    return made ? made : json_null();
}

static json_t *real(double value) {
    json_t *made = json_real(value);
    return made ? made : json_null();
}

static json_t *positive(double value) {
    return value > 0 ? real(value) : json_null();
}

static json_t *integer(uint64_t value) {
    return json_integer((json_int_t)value);
}

static json_t *chosen(uint64_t value) {
    return value > 0 ? integer(value) : json_null();
}

/* Settings from outside that change how drivers and OpenMP work, as far as they are set. */
static json_t *environment_json(void) {
    static const char *const names[] = {
        "POCL_AFFINITY",
        "POCL_MAX_PTHREAD_COUNT",
        "POCL_DEVICES",
        "POCL_MEMORY_LIMIT",
        "CL_CONFIG_CPU_TARGET_ARCH",
        "CL_CONFIG_CPU_TBB_NUM_WORKERS",
        "CL_CONFIG_USE_TRAPPING",
        "DPCPP_CPU_NUM_CUS",
        "DPCPP_CPU_PLACES",
        "DPCPP_CPU_CU_AFFINITY",
        "DPCPP_CPU_SCHEDULE",
        "SYCL_CPU_PLACES",
        "SYCL_CPU_CU_AFFINITY",
        "SYCL_CPU_SCHEDULE",
        "OMP_NUM_THREADS",
        "OMP_PROC_BIND",
        "OMP_PLACES",
        "OMP_WAIT_POLICY",
    };
    json_t *object = json_object();
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (getenv(names[i]) != NULL)
            json_object_set_new(object, names[i], text(getenv(names[i])));
    return object;
}

static json_t *host_json(const struct red_host *host) {
    return json_pack("{s:o, s:o, s:o, s:i, s:o, s:o, s:b, s:o, s:o}", "name", text(host->name), "processor",
                     text(host->processor), "system", text(host->system), "cores", (int)host->cores_n,
                     "memory_gib", real(host->memory_gib), "load_1min", real(host->load), "kept_awake",
                     host->kept_awake, "compiler", text(host->compiler), "environment", environment_json());
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
                            json_pack("{s:s, s:s, s:s, s:o}", "advertised", answers[capability->advertised],
                                      "builds", answers[capability->builds], "behaves",
                                      answers[capability->behaves], "reason", text(capability->reason)));
    }
    return object;
}

static json_t *ruler_json(const struct red_ruler *ruler) {
    if (!ruler->checked)
        return json_null();
    bool measured = ruler->quantum_ns > 0;
    return json_pack("{s:b, s:o, s:o, s:o, s:o, s:o}", "trusted", (int)ruler->trusted, "reason",
                     text(ruler->reason), "quantum_ns", positive(ruler->quantum_ns), "r_squared",
                     measured ? real(ruler->r_squared) : json_null(), "scale",
                     measured ? real(ruler->scale) : json_null(), "drift",
                     measured ? real(ruler->drift) : json_null());
}

static json_t *device_json(const struct red_run_device *device) {
    const struct red_device_info *info = &device->info;
    json_t *object = json_pack("{s:o, s:s, s:o, s:i, s:o, s:o}", "id", text(info->id), "kind",
                               device->is_host      ? "host"
                               : info->shape.is_cpu ? "cpu"
                                                    : "gpu-or-accelerator",
                               "name", text(info->name), "compute_units", (int)info->shape.compute_units,
                               "roof_bytes_per_s", positive(device->roof_bytes_per_s), "roof_bytes",
                               positive((double)device->roof_bytes));
    if (device->is_host)
        return object;
    json_object_set_new(object, "platform", text(info->platform));
    json_object_set_new(object, "platform_version", text(info->platform_version));
    json_object_set_new(object, "vendor", text(info->vendor));
    json_object_set_new(object, "version", text(info->version));
    json_object_set_new(object, "c_versions", text(info->c_versions));
    json_object_set_new(object, "driver", text(info->driver));
    json_object_set_new(object, "group_size_max", integer(info->shape.group_size_max));
    json_object_set_new(object, "local_memory_bytes", integer(info->local_memory_bytes));
    json_object_set_new(object, "global_memory_bytes", integer(info->global_memory_bytes));
    json_object_set_new(object, "allocation_bytes_max", integer(info->allocation_bytes_max));
    json_object_set_new(object, "event_clock_ns", integer(info->event_clock_ns));
    json_object_set_new(object, "event_times", ruler_json(&device->ruler));
    json_object_set_new(object, "event_floor_s", positive(device->event_floor_s));
    json_object_set_new(object, "capabilities", capabilities_json(device->capabilities));
    return object;
}

static json_t *statistics_json(const struct red_cell *cell) {
    const struct red_statistics *t = &cell->time;
    if (cell->samples_n == 0)
        return json_null();
    json_t *samples = json_array();
    for (size_t i = 0; i < cell->samples_n; i++)
        json_array_append_new(samples, real(cell->samples_s[i]));
    return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "median_s", real(t->median), "low_s",
                     real(t->low), "high_s", real(t->high), "min_s", real(t->min), "max_s", real(t->max),
                     "mean_s", real(t->mean), "calls_per_sample", integer(cell->calls_per_sample),
                     "samples_s", samples);
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
                  text(run->devices[cell->device].info.id), "strategy", cell->strategy->name, "op",
                  cell->op->name, "type", cell->dtype->name, "shape", shape, "n", integer(cell->n),
                  "segments", integer(cell->segments_n), "state", red_state_name(cell->state), "reason",
                  text(cell->reason), "projected_s", positive(cell->projected_s));
    json_object_set_new(object, "geometry",
                        json_pack("{s:o, s:o, s:o, s:o, s:o, s:b}", "group_size",
                                  integer(cell->geometry.group_size), "groups",
                                  integer(cell->geometry.groups_n), "elements_per_item",
                                  integer(cell->geometry.item_n), "width", chosen(cell->geometry.width),
                                  "loads", chosen(cell->geometry.loads), "tuned", (int)cell->tuned));
    json_object_set_new(object, "asked",
                        json_pack("{s:o, s:o, s:o, s:o}", "group_size", chosen(cell->asked.group_size),
                                  "groups", chosen(cell->asked.groups_n), "width", chosen(cell->asked.width),
                                  "loads", chosen(cell->asked.loads)));
    json_object_set_new(object, "standard", text(cell->standard));
    json_object_set_new(object, "time_to_answer", statistics_json(cell));
    json_object_set_new(object, "device_time_s", positive(cell->device_s));
    json_object_set_new(object, "back_to_back_s", positive(cell->back_to_back_s));
    json_object_set_new(object, "device_time_note", text(cell->device_time_note));
    bool checked = cell->checks_n > 0;
    json_object_set_new(object, "accuracy",
                        !checked ? json_null()
                                 : json_pack("{s:i, s:o, s:o, s:o, s:b}", "data_sets", (int)cell->checks_n,
                                             "error", real(cell->error), "bound", real(cell->bound),
                                             "sum_of_absolutes", real(cell->absolute), "two_runs_same_bits",
                                             (int)cell->same_bits));
    return object;
}

static json_t *accuracy_json(const struct red_run *run, const struct red_accuracy *a) {
    bool is_known = a->state == RED_STATE_PASS;
    return json_pack("{s:o, s:s, s:s, s:s, s:s, s:o, s:s, s:o, s:o, s:o, s:o, s:o, s:o}", "device",
                     text(run->devices[a->device].info.id), "strategy", a->strategy->name, "op", a->op->name,
                     "type", a->dtype->name, "data", red_pattern_name(a->pattern), "n", integer(a->n),
                     "state", red_state_name(a->state), "error", is_known ? real(a->error) : json_null(),
                     "bound", is_known ? real(a->bound) : json_null(), "sum_of_absolutes",
                     is_known ? real(a->absolute) : json_null(), "error_in_units",
                     is_known ? real(a->error / a->unit) : json_null(), "share_of_bound",
                     is_known && isfinite(a->bound) ? real(a->error / a->bound) : json_null(),
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
                     "suite", "name", "clreduce", "version", CLREDUCE_VERSION, "started", text(run->started),
                     "command", text(run->command), "seed", integer(run->seed), "time_per_cell_s",
                     real(run->time_per_cell_s), "clock_step_s", real(run->clock_step_s), "wall_s",
                     real(run->wall_s), "host", host_json(&run->host), "devices", devices, "cells", cells,
                     "accuracy", accuracies);
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
