/* Answers a worker's questions about cases: verifies, prepares and times them; keeps data sets and prepared
 * cases. red_worker_X answers red_client_X of worker/client_asks.c, which says what the user sees;
 * _prepare_one answers _prepare, _time_shortest_call _time_calls, _clock_samples _event_clock, and
 * _prepare_several red_clients_prepare. An error is state and reason of the cell that was asked about. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench/shim.h"
#include "cl/event_times.h"
#include "core/clock.h"
#include "core/memory.h"
#include "host/reference.h"
#include "model/primitive.h"
#include "worker/client.h"
#include "worker/server.h"

/* ---- data and prepared cases --------------------------------------------------------------------------- */

static void dataset_destroy(struct red_dataset *dataset) {
    if (dataset != NULL)
        red_dataset_clear(dataset);
    free(dataset);
}

/* A data set of that specification that the worker has, kept or passing; NULL: it has none. */
static struct red_dataset *dataset_find(const struct red_worker *worker, const struct red_data_spec *spec) {
    for (size_t i = 0; i < worker->datasets_n; i++)
        if (red_data_is_same(&worker->datasets[i]->spec, spec))
            return worker->datasets[i];
    for (size_t i = 0; i < RED_ARRAYS_MAX; i++)
        if (worker->passing[i] != NULL && red_data_is_same(&worker->passing[i]->spec, spec))
            return worker->passing[i];
    return NULL;
}

/* Takes over a data set for good; without memory it is destroyed. */
static enum red_status dataset_keep(struct red_worker *worker, struct red_dataset *dataset,
                                    struct red_error *error) {
    if (!RED_GROW(worker->datasets, worker->datasets_n, 1)) {
        dataset_destroy(dataset);
        return red_fail(error, RED_E_MEMORY, "no memory for another data set");
    }
    worker->datasets[worker->datasets_n++] = dataset;
    return RED_OK;
}

/* Finds a data set, or makes it; without `keep` a new one takes the place of worker->passing[passing_i]. */
static enum red_status dataset_find_or_make(struct red_worker *worker, const struct red_data_spec *spec,
                                            bool keep, unsigned passing_i, struct red_dataset **dataset,
                                            struct red_error *error) {
    *dataset = dataset_find(worker, spec);
    for (size_t i = 0; *dataset != NULL && keep && i < RED_ARRAYS_MAX; i++) {
        if (worker->passing[i] != *dataset)
            continue;
        worker->passing[i] = NULL;
        return dataset_keep(worker, *dataset, error);
    }
    if (*dataset != NULL)
        return RED_OK;
    dataset_destroy(worker->passing[passing_i]); /* its memory first */
    worker->passing[passing_i] = NULL;
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
    worker->passing[passing_i] = made;
    return RED_OK;
}

/* Data of the case's specification, made when it is first asked for: kept with `keep`, otherwise until the
 * next case wants other data. Errors: RED_E_INPUT, RED_E_MEMORY. */
static enum red_status case_data_find_or_make(struct red_worker *worker, const struct red_case *spec,
                                              struct red_dataset *data[RED_ARRAYS_MAX],
                                              struct red_error *error) {
    struct red_data_spec array = spec->data;
    enum red_status status =
        spec->arrays_n >= 1 && spec->arrays_n <= RED_ARRAYS_MAX
            ? RED_OK
            : red_fail(error, RED_E_INPUT, "a case of %u arrays; 1 to %d", spec->arrays_n, RED_ARRAYS_MAX);
    for (unsigned i = 0; i < spec->arrays_n && status == RED_OK; i++, array.seed++)
        status = dataset_find_or_make(worker, &array, spec->keep, i, &data[i], error);
    return status;
}

/* Makes the case's data if need be, and prepares it; release with red_prepared_clear. Errors: those of
 * red_prepared_make. */
static enum red_status make_data_and_prepare(struct red_worker *worker, const struct red_case *spec,
                                             struct red_prepared *prepared, struct red_error *error) {
    struct red_dataset *data[RED_ARRAYS_MAX] = {NULL};
    enum red_status status = case_data_find_or_make(worker, spec, data, error);
    return status == RED_OK ? red_prepared_make(spec, worker->device, data, prepared, error) : status;
}

/* A prepared case, which is made when it is first asked for, and kept. A new one is called a few times: one
 * that was lost with another process is warm again then. Errors: those of red_prepared_make and of a call,
 * RED_E_WRONG. */
static enum red_status prepared_find_or_make_warm(struct red_worker *worker, const struct red_case *spec,
                                                  struct red_prepared **prepared, struct red_error *error) {
    for (size_t i = 0; i < worker->prepared_n; i++) {
        *prepared = worker->prepared_cases[i];
        if (red_case_is_same_prepared(&(*prepared)->spec, spec))
            return RED_OK;
    }
    struct red_call_time time;
    struct red_prepared *made = calloc(1, sizeof *made);
    enum red_status status = made != NULL && RED_GROW(worker->prepared_cases, worker->prepared_n, 1)
                                 ? make_data_and_prepare(worker, spec, made, error)
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

static void destroy_prepared_cases(struct red_worker *worker) {
    for (size_t i = 0; i < worker->prepared_n; i++) {
        red_prepared_clear(worker->prepared_cases[i]);
        free(worker->prepared_cases[i]);
    }
    worker->prepared_n = 0;
}

/* do_move (worker/server.c) calls it. */
void red_worker_move_data(struct red_worker *worker) {
    destroy_prepared_cases(worker);
    for (size_t i = 0; i < worker->datasets_n; i++)
        red_dataset_move(worker->datasets[i]);
}

/* do_release_all calls it, and the worker at its end. */
void red_worker_release_all(struct red_worker *worker) {
    destroy_prepared_cases(worker);
    for (size_t i = 0; i < worker->datasets_n; i++)
        dataset_destroy(worker->datasets[i]);
    for (size_t i = 0; i < RED_ARRAYS_MAX; i++) {
        dataset_destroy(worker->passing[i]);
        worker->passing[i] = NULL;
    }
    worker->datasets_n = 0;
    red_disturber_destroy(worker->disturber);
    worker->disturber = NULL;
}

/* ---- cases --------------------------------------------------------------------------------------------- */

/* The case of a question. */
static enum red_status read_case(const struct red_worker *worker, const json_t *question,
                                 struct red_case *spec, struct red_error *error) {
    return red_protocol_read_case(json_object_get(question, "case"), worker->catalogue, spec, error);
}

/* The prepared case of a question about one; NULL with *error. */
static struct red_prepared *prepared_of_question(struct red_worker *worker, const json_t *question,
                                                 struct red_error *error) {
    struct red_case spec;
    struct red_prepared *prepared = NULL;
    return read_case(worker, question, &spec, error) == RED_OK &&
                   prepared_find_or_make_warm(worker, &spec, &prepared, error) == RED_OK
               ? prepared
               : NULL;
}

/* For a case that is called for one question alone. */
enum red_status red_worker_prepare_passing(struct red_worker *worker, const json_t *question,
                                           struct red_prepared *prepared, struct red_error *error) {
    struct red_case spec;
    enum red_status status = read_case(worker, question, &spec, error);
    return status == RED_OK ? make_data_and_prepare(worker, &spec, prepared, error) : status;
}

/* The number of that key in a question; 0 where there is none. */
static double read_number(const json_t *question, const char *key) {
    double value = 0;
    (void)red_json_read_any_real(json_object_get(question, key), &value);
    return value;
}

/* The same as the number of calls or batches, at most max. */
static size_t read_count(const json_t *question, const char *key, double max) {
    return (size_t)fmin(read_number(question, key), max);
}

/* An answer by its table, unless what was asked has failed (*error says why). */
static json_t *answer_json(enum red_status status, const struct red_field *fields, const void *found) {
    return status == RED_OK ? red_fields_json(fields, found) : NULL;
}

/* Checks a case of the host as those of a device are; there is nothing to poison. It is a cell of bench on
 * the host. */
static enum red_status verify_host_case(struct red_worker *worker, const struct red_case *spec,
                                        struct red_dataset *data, struct red_verification *verification,
                                        struct red_error *error) {
    struct red_prepared prepared;
    struct red_dataset *const datasets[] = {data};
    struct red_evidence *evidence = &verification->evidence;
    struct red_right right;
    enum red_status status = red_prepared_make(spec, worker->device, datasets, &prepared, error);
    if (status != RED_OK)
        return status;
    status = red_dataset_right(data, spec, &right, error);
    if (status == RED_OK) {
        (void)red_prepared_call(&prepared);
        const struct red_got got = {prepared.value, &prepared.answers, prepared.answers.room};
        const struct red_judged judged = red_right_judge(&right, prepared.chain, &got);
        const uint64_t place = judged.correctness.place;
        *verification = (struct red_verification){.right = judged.correctness.right,
                                                  .same_bits = true,
                                                  .error = judged.correctness.error,
                                                  .bound = judged.correctness.bound,
                                                  .absolute = red_right_result_truth(&right, place).absolute,
                                                  .place = place};
        if (!judged.correctness.right) {
            red_right_find_evidence(&right, prepared.chain, &judged, evidence);
            red_data_kind_format(spec->data.data_kind, spec->data.op, spec->data.dtype, spec->data.n,
                                 evidence->data, sizeof evidence->data);
            snprintf(evidence->run, sizeof evidence->run, "the row %s", spec->strategy->name);
        }
    }
    red_prepared_clear(&prepared);
    red_reference_stop_spinning();
    return status;
}

/* Its answer decides on a cell of bench (also its `accuracy`) or duel, or on a check of verify. */
json_t *red_worker_verify(struct red_worker *worker, const json_t *question, struct red_error *error) {
    struct red_case spec;
    struct red_dataset *data[RED_ARRAYS_MAX] = {NULL};
    struct red_verification verification = {.right = false};
    if (read_case(worker, question, &spec, error) != RED_OK ||
        case_data_find_or_make(worker, &spec, data, error) != RED_OK)
        return NULL;
    bool timed_only = json_is_true(json_object_get(question, "timed_only"));
    enum red_status status = worker->is_host ? verify_host_case(worker, &spec, data[0], &verification, error)
                                             : red_dataset_verify(data[0], worker->device, &spec, timed_only,
                                                                  &verification, error);
    return answer_json(status, red_protocol_verification_fields, &verification);
}

/* Restores data that the kernel overwrote, which may not have been verified: other cases use the data. */
static enum red_status check_and_restore_data(struct red_prepared *prepared, enum red_status status,
                                              struct red_error *error) {
    enum red_status kept = RED_OK;
    if (prepared->plan != NULL && prepared->data[0]->resident != NULL)
        kept = red_resident_check_and_restore(prepared->data[0]->resident, status == RED_OK ? error : NULL);
    return status == RED_OK ? kept : status;
}

/* Answers red_client_time_calls: the shortest of some calls, after one that is not counted, since CPU
 * drivers compile at the first launch. */
json_t *red_worker_time_shortest_call(struct red_worker *worker, const json_t *question,
                                      struct red_error *error) {
    struct red_prepared prepared = {.plan = NULL};
    struct red_call_time time = {0, 0};
    struct red_error found = {.text = ""};
    if (red_worker_prepare_passing(worker, question, &prepared, error) != RED_OK)
        return NULL;
    enum red_status status = red_prepared_time(&prepared, 1, 0, &time, &found);
    if (status == RED_OK)
        status = red_prepared_begin(&prepared, &found);
    if (status == RED_OK) {
        status = red_prepared_time(&prepared, (size_t)read_number(question, "calls"),
                                   read_number(question, "limit_s"), &time, &found);
        status = red_prepared_end(&prepared, status, &found);
    }
    if (status == RED_E_WRONG)
        red_fail(error, status, "data=%s: %.400s", red_pattern_name(prepared.spec.data.data_kind.pattern),
                 found.text);
    else if (status != RED_OK)
        red_fail(error, status, "%s", found.text);
    status = check_and_restore_data(&prepared, status, error);
    red_prepared_clear(&prepared);
    return answer_json(status, red_protocol_call_fields, &time.shortest_s);
}

/* Answers red_client_prepare: prepares a case and calls it until it is warm. */
json_t *red_worker_prepare_one(struct red_worker *worker, const json_t *question, struct red_error *error) {
    struct red_prepared *prepared = prepared_of_question(worker, question, error);
    struct red_call_time time = {0, 0};
    if (prepared == NULL || red_prepared_time(prepared, (size_t)read_number(question, "calls"),
                                              read_number(question, "limit_s"), &time, error) != RED_OK)
        return NULL;
    const struct red_data_spec *data = &prepared->spec.data;
    struct red_ready ready = {
        .shortest_s = time.shortest_s,
        .typical_s = time.typical_s,
        .geometry = prepared->plan
                        ? *red_plan_geometry(prepared->plan)
                        : red_host_geometry(prepared->spec.strategy, prepared->spec.n, data->segments_n),
        .bytes = prepared->roof
                     ? (double)red_roof_bytes(prepared->roof)
                     : (double)(data->n * data->segments_n * data->dtype->size_bytes / 8 * 8) *
                           (prepared->spec.strategy == NULL && red_primitives[data->op->primitive].roof_copies
                                ? 2
                                : 1)};
    if (prepared->plan != NULL)
        snprintf(ready.standard, sizeof ready.standard, "%s", red_plan_standard(prepared->plan));
    return red_fields_json(red_protocol_ready_fields, &ready);
}

/* Answers red_clients_prepare: prepares several cases. Errors are reported when a case is asked for alone. */
json_t *red_worker_prepare_several(struct red_worker *worker, const json_t *question,
                                   struct red_error *error) {
    const json_t *cases = json_object_get(question, "cases");
    (void)error;
    for (size_t i = 0; i < json_array_size(cases); i++) {
        struct red_case spec;
        struct red_prepared *prepared = NULL;
        if (red_protocol_read_case(json_array_get(cases, i), worker->catalogue, &spec, NULL) == RED_OK)
            (void)prepared_find_or_make_warm(worker, &spec, &prepared, NULL);
    }
    return json_object();
}

/* ---- timing: batch, batches, profile, back_to_back, floor, clock_sample, clock_samples ----------------- */

enum { PROFILED_RUNS_MAX = 41, BACK_TO_BACK_MAX = 5, FLOOR_RUNS = 41, CLOCK_RUNS = 3 };

/* Runs on the profiling queue are at least so many, and more while they take less than this together. */
enum { PROFILED_RUNS_MIN = 5 };
static const double PROFILED_S = 0.01;

/* Times one batch over data that has changed since the last one, after calls that wake the driver; the result
 * of its last call is checked in full, too, and as asked once more with poisoned outputs. */
static enum red_status measure_and_check_batch(struct red_prepared *prepared, const json_t *question,
                                               struct red_gbench_time *time, struct red_error *error) {
    const uint64_t calls = (uint64_t)read_number(question, "calls");
    const double wake_s = read_number(question, "wake_s");
    struct red_call_time awake;
    enum red_status status = RED_OK;
    if (wake_s > 0)
        status = red_prepared_time(prepared, 1000, wake_s, &awake, error);
    if (status != RED_OK)
        return status;
    prepared->error.status = RED_OK;
    int code = red_gbench_batch(red_prepared_call, prepared, calls, time);
    if (prepared->error.status != RED_OK)
        return red_fail(error, prepared->error.status, "%s", prepared->error.text);
    if (code != 0)
        return red_fail(error, RED_E_DEVICE, "Google Benchmark delivered no times");
    status = red_prepared_check(prepared, NULL, error);
    return status == RED_OK && json_is_true(json_object_get(question, "check_stale"))
               ? red_prepared_check_stale(prepared, error)
               : status;
}

/* One sample of bench, timed by Google Benchmark; red_client_batch asks. */
json_t *red_worker_batch(struct red_worker *worker, const json_t *question, struct red_error *error) {
    struct red_prepared *prepared = prepared_of_question(worker, question, error);
    struct red_gbench_time time = {0, 0};
    if (prepared == NULL || red_prepared_begin(prepared, error) != RED_OK)
        return NULL;
    enum red_status status =
        red_prepared_end(prepared, measure_and_check_batch(prepared, question, &time, error), error);
    const unsigned reductions = prepared->spec.reductions;
    return answer_json(status, red_protocol_batch_fields,
                       &(struct red_gbench_time){time.real_s / reductions, time.cpu_s / reductions});
}

/* Adds the times of one run's launches; where runs have not equally many, those of all are unknown. */
static void profile_add(struct red_profile *profile, const struct red_launch_times *launches) {
    const size_t run = profile->runs.n++;
    if (run == 0 || launches->n != profile->launches_n)
        profile->launches_n = run == 0 ? launches->n : 0;
    for (size_t i = 0; i < profile->launches_n; i++) {
        struct red_launch_samples *launch = &profile->launches[i];
        launch->times.s[run] = launches->s[i];
        launch->gaps.s[run] = launches->gap_s[i];
        launch->times.n = launch->gaps.n = run + 1;
    }
}

/* Device times of several runs of a prepared case, from event times; red_client_profile asks. */
json_t *red_worker_profile(struct red_worker *worker, const json_t *question, struct red_error *error) {
    struct red_prepared *prepared = prepared_of_question(worker, question, error);
    struct red_profile profile = {.launches_n = 0};
    double start_s = red_clock_s();
    enum red_status status = RED_OK;
    if (prepared == NULL)
        return NULL;
    while (status == RED_OK && profile.runs.n < PROFILED_RUNS_MAX &&
           (profile.runs.n < PROFILED_RUNS_MIN || red_clock_s() - start_s < PROFILED_S)) {
        struct red_launch_times launches = {.n = 0};
        status = red_plan_run_profiled(prepared->plan, &profile.runs.s[profile.runs.n], &launches, error);
        profile_add(&profile, &launches);
    }
    return answer_json(status, red_protocol_profile_fields, &profile);
}

/* Batches of calls, one enqueued behind the other; at least one batch. What calls that overlapped have
 * spoilt, a counter for example, shows in the next result. */
json_t *red_worker_back_to_back(struct red_worker *worker, const json_t *question, struct red_error *error) {
    struct red_prepared *prepared = prepared_of_question(worker, question, error);
    struct red_samples times = {.n = 0};
    double start_s = red_clock_s();
    uint64_t calls_n = (uint64_t)read_number(question, "calls");
    enum red_status status = RED_OK;
    if (prepared == NULL)
        return NULL;
    while (status == RED_OK && times.n < BACK_TO_BACK_MAX &&
           (times.n == 0 || red_clock_s() - start_s < PROFILED_S))
        status = red_plan_run_back_to_back(prepared->plan, calls_n, &times.s[times.n++], error);
    if (status == RED_OK && red_prepared_call(prepared) != 0)
        status = red_fail(error, prepared->error.status, "%s", prepared->error.text);
    if (status == RED_OK)
        status = red_prepared_check(prepared, NULL, error);
    return answer_json(status, red_protocol_times_fields, &times);
}

/* Device times of an empty kernel; red_client_event_floor asks. */
json_t *red_worker_event_floor(struct red_worker *worker, const json_t *question, struct red_error *error) {
    struct red_samples times = {.n = FLOOR_RUNS};
    (void)question;
    return answer_json(red_event_floor_measure(worker->device, times.s, FLOOR_RUNS, error),
                       red_protocol_times_fields, &times);
}

/* A series of clock samples for red_client_event_clock; red_worker_clock_sample takes one for a duel. */
json_t *red_worker_clock_samples(struct red_worker *worker, const json_t *question, struct red_error *error) {
    struct red_clock_sample samples[RED_CLOCK_SAMPLES_N];
    (void)question;
    return answer_json(red_clock_sample_set_take(worker->device, samples, error),
                       red_protocol_clock_samples_fields, samples);
}

/* The shortest of a few launches: what a device's clock makes of fixed work. red_client_clock_sample asks,
 * for a duel. */
json_t *red_worker_clock_sample(struct red_worker *worker, const json_t *question, struct red_error *error) {
    double took_s = INFINITY;
    for (int i = 0; i < CLOCK_RUNS; i++) {
        struct red_clock_sample sample;
        if (red_clock_sample_take(worker->device, (uint32_t)read_number(question, "steps"), &sample, error) !=
            RED_OK)
            return NULL;
        took_s = fmin(took_s, sample.end_s - sample.begin_s);
    }
    return red_fields_json(red_protocol_took_fields, &took_s);
}

/* Makes the stamps of batches one after the other, each from the end of the one before, so that nothing
 * between them is lost. */
static enum red_status stamp_batches(struct red_prepared *prepared, uint64_t calls,
                                     struct red_batches *batches, struct red_error *error) {
    batches->stamps_ns[0] = red_clock_ns();
    for (size_t batch = 1; batch <= batches->n; batch++) {
        for (uint64_t i = 0; i < calls; i++)
            if (red_prepared_call(prepared) != 0)
                return red_fail(error, prepared->error.status, "%s", prepared->error.text);
        batches->stamps_ns[batch] = red_clock_ns();
    }
    return RED_OK;
}

/* What a duel asks for by red_client_batches: the clock's own stamps, which it can check against its own. */
json_t *red_worker_batches(struct red_worker *worker, const json_t *question, struct red_error *error) {
    struct red_prepared *prepared = prepared_of_question(worker, question, error);
    struct red_batches batches = {.n = read_count(question, "batches", RED_BATCHES_MAX)};
    if (prepared == NULL || red_prepared_begin(prepared, error) != RED_OK)
        return NULL;
    enum red_status status =
        stamp_batches(prepared, (uint64_t)read_number(question, "calls"), &batches, error);
    if (status == RED_OK)
        status = red_prepared_check(prepared, NULL, error);
    if (status == RED_OK && json_is_true(json_object_get(question, "check_stale")))
        status = red_prepared_check_stale(prepared, error);
    return answer_json(red_prepared_end(prepared, status, error), red_protocol_batches_fields, &batches);
}
