/* Answers "verify", "time", "ready" and "prepare"; keeps data sets and prepared cases. */
#include "worker/server.h"

#include <stdio.h>
#include <stdlib.h>

#include "oracle/reference.h"

/* ---- data and works ------------------------------------------------------------------------------------ */

static void dataset_destroy(struct red_dataset *dataset) {
    if (dataset != NULL)
        red_dataset_clear(dataset);
    free(dataset);
}

static struct red_dataset *dataset_find(const struct red_worker *worker, const struct red_data_spec *spec) {
    for (size_t i = 0; i < worker->datasets_n; i++)
        if (red_data_is_same(&worker->datasets[i]->spec, spec))
            return worker->datasets[i];
    for (size_t i = 0; i < RED_ARRAYS_MAX; i++)
        if (worker->passing[i] != NULL && red_data_is_same(&worker->passing[i]->spec, spec))
            return worker->passing[i];
    return NULL;
}

static enum red_status dataset_keep(struct red_worker *worker, struct red_dataset *dataset,
                                    struct red_error *error) {
    struct red_dataset **grown =
        realloc(worker->datasets, (worker->datasets_n + 1) * sizeof *worker->datasets);
    if (grown == NULL) {
        dataset_destroy(dataset);
        return red_fail(error, RED_E_MEMORY, "no memory for another data set");
    }
    worker->datasets = grown;
    worker->datasets[worker->datasets_n++] = dataset;
    return RED_OK;
}

static enum red_status dataset_get(struct red_worker *worker, const struct red_data_spec *spec, bool keep,
                                   unsigned place, struct red_dataset **dataset, struct red_error *error) {
    *dataset = dataset_find(worker, spec);
    for (size_t i = 0; *dataset != NULL && keep && i < RED_ARRAYS_MAX; i++) {
        if (worker->passing[i] != *dataset)
            continue;
        worker->passing[i] = NULL;
        return dataset_keep(worker, *dataset, error);
    }
    if (*dataset != NULL)
        return RED_OK;
    dataset_destroy(worker->passing[place]); /* its memory first */
    worker->passing[place] = NULL;
    struct red_dataset *made = calloc(1, sizeof *made);
    enum red_status status = made ? red_dataset_make(spec, made, error)
                                  : red_fail(error, RED_E_MEMORY, "no memory for a data set");
    if (status != RED_OK) {
        free(made);
        return status;
    }
    *dataset = made;
    if (keep)
        return dataset_keep(worker, made, error);
    worker->passing[place] = made;
    return RED_OK;
}

enum red_status red_worker_data(struct red_worker *worker, const struct red_case *spec,
                                struct red_dataset *data[RED_ARRAYS_MAX], struct red_error *error) {
    struct red_data_spec array = spec->data;
    enum red_status status =
        spec->arrays_n >= 1 && spec->arrays_n <= RED_ARRAYS_MAX
            ? RED_OK
            : red_fail(error, RED_E_INPUT, "a case of %u arrays; 1 to %d", spec->arrays_n, RED_ARRAYS_MAX);
    for (unsigned i = 0; i < spec->arrays_n && status == RED_OK; i++, array.seed++)
        status = dataset_get(worker, &array, spec->keep, i, &data[i], error);
    return status;
}

enum red_status red_worker_prepared_make(struct red_worker *worker, const struct red_case *spec,
                                         struct red_prepared *prepared, struct red_error *error) {
    struct red_dataset *data[RED_ARRAYS_MAX] = {NULL};
    enum red_status status = red_worker_data(worker, spec, data, error);
    return status == RED_OK ? red_prepared_make(spec, worker->device, data, prepared, error) : status;
}

/* A new case is called a few times: one that was lost with another process is warm again then. */
enum red_status red_worker_prepared(struct red_worker *worker, const struct red_case *spec,
                                    struct red_prepared **prepared, struct red_error *error) {
    for (size_t i = 0; i < worker->prepared_n; i++) {
        *prepared = worker->prepared_cases[i];
        if (red_case_is_same(&(*prepared)->spec, spec))
            return RED_OK;
    }
    struct red_call_time time;
    struct red_prepared **grown =
        realloc(worker->prepared_cases, (worker->prepared_n + 1) * sizeof *worker->prepared_cases);
    struct red_prepared *made = calloc(1, sizeof *made);
    worker->prepared_cases = grown ? grown : worker->prepared_cases;
    enum red_status status = grown && made
                                 ? red_worker_prepared_make(worker, spec, made, error)
                                 : red_fail(error, RED_E_MEMORY, "no memory for another prepared case");
    if (status == RED_OK)
        status = red_prepared_check_turns(made, error);
    if (status == RED_OK)
        status = red_prepared_time(made, 3, 0.01, &time, error);
    if (status != RED_OK) {
        if (made != NULL)
            red_prepared_clear(made);
        free(made);
        return status;
    }
    worker->prepared_cases[worker->prepared_n++] = *prepared = made;
    return RED_OK;
}

static void forget_prepared(struct red_worker *worker) {
    for (size_t i = 0; i < worker->prepared_n; i++) {
        red_prepared_clear(worker->prepared_cases[i]);
        free(worker->prepared_cases[i]);
    }
    worker->prepared_n = 0;
}

void red_worker_move_data(struct red_worker *worker) {
    forget_prepared(worker);
    for (size_t i = 0; i < worker->datasets_n; i++)
        red_dataset_move(worker->datasets[i]);
}

void red_worker_release_all(struct red_worker *worker) {
    forget_prepared(worker);
    for (size_t i = 0; i < worker->datasets_n; i++)
        dataset_destroy(worker->datasets[i]);
    for (size_t i = 0; i < RED_ARRAYS_MAX; i++) {
        dataset_destroy(worker->passing[i]);
        worker->passing[i] = NULL;
    }
    worker->datasets_n = 0;
}

/* ---- cases --------------------------------------------------------------------------------------------- */

bool red_worker_read_case(const struct red_worker *worker, const json_t *question, const char *key,
                          struct red_case *spec, struct red_error *error) {
    return red_protocol_read_case(json_object_get(question, key), worker->catalogue, spec, error) == RED_OK;
}

double red_worker_read_real(const json_t *question, const char *key) {
    double value = 0;
    (void)red_json_any_real_read(json_object_get(question, key), &value);
    return value;
}

/* The host's row takes the same check; there is nothing to poison. */
static enum red_status verify_host(struct red_worker *worker, const struct red_case *spec,
                                   struct red_dataset *data, struct red_verification *verification,
                                   struct red_error *error) {
    struct red_prepared prepared;
    struct red_dataset *const datasets[] = {data};
    struct red_segments *segments = NULL;
    enum red_status status = red_prepared_make(spec, worker->device, datasets, &prepared, error);
    if (status != RED_OK)
        return status;
    bool many = spec->data.segments_n > 1;
    uint64_t which;
    if (many)
        status = red_dataset_segments(data, false, &segments, error);
    if (status == RED_OK) {
        (void)red_prepared_call(&prepared);
        struct red_verdict verdict =
            many ? red_segments_check(segments, prepared.chain, &prepared.answers, &which)
                 : red_truth_check(&data->truth, prepared.chain, prepared.value);
        *verification = (struct red_verification){.right = verdict.right,
                                                  .same_bits = true,
                                                  .error = verdict.error,
                                                  .bound = verdict.bound,
                                                  .absolute = many ? 0 : data->truth.absolute,
                                                  .evidence = "the OpenMP row is wrong"};
    }
    red_prepared_clear(&prepared);
    red_reference_stop_spinning();
    return status;
}

json_t *red_worker_verify(struct red_worker *worker, const json_t *question, struct red_error *error) {
    struct red_case spec;
    struct red_dataset *data[RED_ARRAYS_MAX] = {NULL};
    struct red_verification verification = {.right = false};
    if (!red_worker_read_case(worker, question, "job", &spec, error) ||
        red_worker_data(worker, &spec, data, error) != RED_OK)
        return NULL;
    bool timed_only = json_is_true(json_object_get(question, "timed_only"));
    enum red_status status = worker->is_host ? verify_host(worker, &spec, data[0], &verification, error)
                                             : red_dataset_verify(data[0], worker->device, &spec, timed_only,
                                                                  &verification, error);
    return status == RED_OK ? red_protocol_verification(&verification) : NULL;
}

/* Restores data that the kernel overwrote, which may not have been verified: other cases use the data. */
static enum red_status check_data(struct red_prepared *prepared, enum red_status status,
                                  struct red_error *error) {
    enum red_status kept = RED_OK;
    if (prepared->plan != NULL && prepared->data[0]->resident != NULL)
        kept = red_resident_check(prepared->data[0]->resident, status == RED_OK ? error : NULL);
    return status == RED_OK ? kept : status;
}

/* The shortest of some calls, after one that is not counted: CPU drivers compile at the first launch. */
json_t *red_worker_time(struct red_worker *worker, const json_t *question, struct red_error *error) {
    struct red_case spec;
    struct red_prepared prepared = {.plan = NULL};
    struct red_call_time time = {0, 0};
    struct red_error found = {.text = ""};
    if (!red_worker_read_case(worker, question, "job", &spec, error))
        return NULL;
    enum red_status status = red_worker_prepared_make(worker, &spec, &prepared, error);
    if (status != RED_OK)
        return NULL;
    status = red_prepared_time(&prepared, 1, 0, &time, &found);
    if (status == RED_OK)
        status = red_prepared_begin(&prepared, &found);
    if (status == RED_OK) {
        status = red_prepared_time(&prepared, (size_t)red_worker_read_real(question, "calls"),
                                   red_worker_read_real(question, "limit_s"), &time, &found);
        status = red_prepared_end(&prepared, status, &found);
    }
    if (status == RED_E_WRONG)
        red_fail(error, status, "probe=%s: %.400s", red_pattern_name(spec.data.data_kind.pattern),
                 found.text);
    else if (status != RED_OK)
        red_fail(error, status, "%s", found.text);
    status = check_data(&prepared, status, error);
    red_prepared_clear(&prepared);
    return status == RED_OK ? json_pack("{s:o}", "call_s", red_json_any_real(time.shortest_s)) : NULL;
}

json_t *red_worker_ready(struct red_worker *worker, const json_t *question, struct red_error *error) {
    struct red_case spec;
    struct red_prepared *prepared = NULL;
    struct red_call_time time = {0, 0};
    if (!red_worker_read_case(worker, question, "job", &spec, error) ||
        red_worker_prepared(worker, &spec, &prepared, error) != RED_OK ||
        red_prepared_time(prepared, (size_t)red_worker_read_real(question, "calls"),
                          red_worker_read_real(question, "limit_s"), &time, error) != RED_OK)
        return NULL;
    const struct red_geometry host = red_host_geometry(spec.n, spec.data.segments_n);
    double bytes = prepared->roof ? (double)red_roof_bytes(prepared->roof)
                                  : (double)(spec.data.n * spec.data.dtype->size_bytes / 8 * 8);
    return json_pack("{s:o, s:o, s:o, s:s, s:o}", "shortest_s", red_json_any_real(time.shortest_s),
                     "typical_s", red_json_any_real(time.typical_s), "geometry",
                     red_protocol_geometry(prepared->plan ? red_plan_geometry(prepared->plan) : &host),
                     "standard", prepared->plan ? red_plan_standard(prepared->plan) : "", "bytes",
                     red_json_any_real(bytes));
}

/* Prepares several cases. Errors are not reported here, but when a case is asked for alone. */
json_t *red_worker_prepare(struct red_worker *worker, const json_t *question, struct red_error *error) {
    const json_t *cases = json_object_get(question, "jobs");
    (void)error;
    for (size_t i = 0; i < json_array_size(cases); i++) {
        struct red_case spec;
        struct red_prepared *prepared = NULL;
        if (red_protocol_read_case(json_array_get(cases, i), worker->catalogue, &spec, NULL) == RED_OK)
            (void)red_worker_prepared(worker, &spec, &prepared, NULL);
    }
    return json_object();
}
