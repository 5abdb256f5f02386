/* The verb `worker`: what the program starts itself with to work with one device (bench/remote.h). It answers
 * questions from the table below, and knows neither rounds nor budgets. */
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/child.h"
#include "bench/options.h"
#include "bench/shim.h"
#include "bench/wire.h"
#include "bench/work.h"
#include "device/event.h"
#include "device/probe.h"
#include "model/clock.h"
#include "oracle/bound.h"
#include "oracle/reference.h"

enum { PROFILED_RUNS_MAX = 41, BACK_TO_BACK_MAX = 5, RACE_BATCHES_MAX = 64, FLOOR_RUNS = 41 };

/* Of runs on the profiling queue: at least so many, and more while they take less than this together. */
enum { PROFILED_RUNS_MIN = 5 };
static const double PROFILED_S = 0.01;

struct red_worker {
    struct red_catalogue *catalogue;
    struct red_device_list *list;
    struct red_device *device; /* NULL: the host, or not open yet */
    bool is_host;
    struct red_dataset **datasets; /* owned; the ones to be kept, in the order of making */
    size_t datasets_n;
    struct red_dataset *passing[RED_ARRAYS_MAX]; /* owned; the ones that the next job may do without */
    struct red_work **works;                     /* owned */
    size_t works_n;
};

/* ---- data and works --------------------------------------------------------------------------------------
 */

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

static enum red_status data_of(struct red_worker *worker, const struct red_job *job,
                               struct red_dataset *data[RED_ARRAYS_MAX], struct red_error *error) {
    struct red_data_spec spec = job->data;
    enum red_status status =
        job->arrays_n >= 1 && job->arrays_n <= RED_ARRAYS_MAX
            ? RED_OK
            : red_fail(error, RED_E_INPUT, "a job of %u arrays; 1 to %d", job->arrays_n, RED_ARRAYS_MAX);
    for (unsigned i = 0; i < job->arrays_n && status == RED_OK; i++, spec.seed++)
        status = dataset_get(worker, &spec, job->keep, i, &data[i], error);
    return status;
}

static enum red_status work_make(struct red_worker *worker, const struct red_job *job, struct red_work *work,
                                 struct red_error *error) {
    struct red_dataset *data[RED_ARRAYS_MAX] = {NULL};
    enum red_status status = data_of(worker, job, data, error);
    return status == RED_OK ? red_work_make(job, worker->device, data, work, error) : status;
}

/* The work of a job is made when it is first asked for, and kept. One that was lost with another process is
 * warm again after a few calls. */
static enum red_status work_get(struct red_worker *worker, const struct red_job *job, struct red_work **work,
                                struct red_error *error) {
    for (size_t i = 0; i < worker->works_n; i++) {
        *work = worker->works[i];
        if (red_job_is_same(&(*work)->job, job))
            return RED_OK;
    }
    struct red_call_time time;
    struct red_work **grown = realloc(worker->works, (worker->works_n + 1) * sizeof *worker->works);
    struct red_work *made = calloc(1, sizeof *made);
    worker->works = grown ? grown : worker->works;
    enum red_status status = grown && made ? work_make(worker, job, made, error)
                                           : red_fail(error, RED_E_MEMORY, "no memory for another work");
    if (status == RED_OK)
        status = red_work_check_turns(made, error);
    if (status == RED_OK)
        status = red_work_time(made, 3, 0.01, &time, error);
    if (status != RED_OK) {
        if (made != NULL)
            red_work_clear(made);
        free(made);
        return status;
    }
    worker->works[worker->works_n++] = *work = made;
    return RED_OK;
}

static void forget_works(struct red_worker *worker) {
    for (size_t i = 0; i < worker->works_n; i++) {
        red_work_clear(worker->works[i]);
        free(worker->works[i]);
    }
    for (size_t i = 0; i < worker->datasets_n; i++)
        dataset_destroy(worker->datasets[i]);
    for (size_t i = 0; i < RED_ARRAYS_MAX; i++) {
        dataset_destroy(worker->passing[i]);
        worker->passing[i] = NULL;
    }
    worker->works_n = worker->datasets_n = 0;
}

/* ---- the device ------------------------------------------------------------------------------------------
 */

static enum red_status list_get(struct red_worker *worker, struct red_error *error) {
    return worker->list == NULL ? red_device_list_create(&worker->list, error) : RED_OK;
}

static json_t *do_list(struct red_worker *worker, const json_t *question, struct red_error *error) {
    (void)question;
    if (list_get(worker, error) != RED_OK)
        return NULL;
    json_t *devices = json_array();
    for (size_t i = 0; i < red_device_list_n(worker->list); i++)
        json_array_append_new(devices, red_wire_info(red_device_list_info(worker->list, i)));
    return json_pack("{s:o}", "devices", devices);
}

static enum red_status open_by_id(struct red_worker *worker, const char *id, struct red_error *error) {
    enum red_status status = list_get(worker, error);
    for (size_t i = 0; status == RED_OK && i < red_device_list_n(worker->list); i++)
        if (strcmp(red_device_list_info(worker->list, i)->id, id) == 0)
            return red_device_open(worker->list, i, &worker->device, error);
    return status == RED_OK ? red_fail(error, RED_E_DEVICE, "device %s is gone", id) : status;
}

/* After a crash it is not taken for granted that the device still adds up. */
static enum red_status check_health(struct red_worker *worker, struct red_error *error) {
    struct red_capability health;
    red_probe_run(worker->device, RED_NEED_INDEX_LOCAL_MEMORY, RED_CL12, NULL, &health);
    return health.behaves == RED_YES
               ? RED_OK
               : red_fail(error, RED_E_DEVICE, "a simple kernel fails: %s", health.reason);
}

static json_t *do_open(struct red_worker *worker, const json_t *question, struct red_error *error) {
    const char *id = json_string_value(json_object_get(question, "id"));
    worker->is_host = id != NULL && strcmp(id, "host") == 0;
    if (worker->is_host)
        return json_object();
    enum red_status status = open_by_id(worker, id ? id : "", error);
    if (status == RED_OK && json_is_true(json_object_get(question, "health")))
        status = check_health(worker, error);
    json_t *advertised = json_array();
    for (int need = 0; status == RED_OK && need < RED_NEEDS_N; need++)
        json_array_append_new(advertised,
                              json_integer(red_probe_advertised(worker->device, (enum red_need_index)need)));
    json_t *reply = json_pack("{s:o}", "advertised", advertised);
    if (status == RED_OK)
        return reply;
    json_decref(reply);
    return NULL;
}

static bool read_need(const json_t *from, enum red_need_index *need, enum red_c_standard *standard) {
    int need_number = -1, standard_number = -1;
    (void)json_unpack((json_t *)(uintptr_t)from, "{s:i, s:i}", "need", &need_number, "standard",
                      &standard_number);
    *need = (enum red_need_index)need_number;
    *standard = (enum red_c_standard)standard_number;
    return need_number >= 0 && need_number < RED_NEEDS_N && standard_number >= 0 &&
           standard_number < RED_C_STANDARDS_N;
}

/* What others have found out in a process of their own. */
static json_t *do_know(struct red_worker *worker, const json_t *question, struct red_error *error) {
    const json_t *known = json_object_get(question, "capabilities");
    struct red_capabilities *capabilities = red_device_capabilities(worker->device);
    for (size_t i = 0; i < json_array_size(known); i++) {
        const json_t *row = json_array_get(known, i);
        enum red_need_index need;
        enum red_c_standard standard;
        if (!read_need(row, &need, &standard) ||
            !red_wire_read_capability(row, &capabilities->of[need][standard])) {
            red_fail(error, RED_E_INPUT, "unreadable capabilities");
            return NULL;
        }
        capabilities->known[need][standard] = true;
    }
    return json_object();
}

static void tell_group_size(void *context, size_t group_size) {
    char step[64] = "building it";
    (void)context;
    if (group_size > 0)
        snprintf(step, sizeof step, "running it with group size %zu", group_size);
    red_child_step(step);
}

static json_t *do_probe(struct red_worker *worker, const json_t *question, struct red_error *error) {
    static const struct red_probe_watch watch = {tell_group_size, NULL};
    enum red_need_index need;
    enum red_c_standard standard;
    struct red_capability capability;
    if (!read_need(question, &need, &standard)) {
        red_fail(error, RED_E_INPUT, "no such capability");
        return NULL;
    }
    red_probe_run(worker->device, need, standard, &watch, &capability);
    return red_wire_capability(&capability);
}

/* ---- jobs ------------------------------------------------------------------------------------------------
 */

static bool read_job(const struct red_worker *worker, const json_t *question, const char *key,
                     struct red_job *job, struct red_error *error) {
    return red_wire_read_job(json_object_get(question, key), worker->catalogue, job, error) == RED_OK;
}

static double real_of(const json_t *question, const char *key) {
    double value = 0;
    (void)red_wire_read_real(json_object_get(question, key), &value);
    return value;
}

/* The host's row takes the same check; there is nothing to poison. */
static enum red_status verify_host(struct red_worker *worker, const struct red_job *job,
                                   struct red_dataset *data, struct red_verification *verification,
                                   struct red_error *error) {
    struct red_work work;
    struct red_dataset *const datasets[] = {data};
    const struct red_segments *segments = NULL;
    enum red_status status = red_work_make(job, worker->device, datasets, &work, error);
    if (status != RED_OK)
        return status;
    bool many = job->data.segments_n > 1;
    uint64_t which;
    if (many)
        status = red_dataset_segments(data, false, &segments, error);
    if (status == RED_OK) {
        (void)red_work_call(&work);
        struct red_verdict verdict = many ? red_segments_check(segments, work.chain, &work.answers, &which)
                                          : red_truth_check(&data->truth, work.chain, work.value);
        *verification = (struct red_verification){.right = verdict.right,
                                                  .same_bits = true,
                                                  .error = verdict.error,
                                                  .bound = verdict.bound,
                                                  .absolute = many ? 0 : data->truth.absolute,
                                                  .evidence = "the OpenMP row is wrong"};
    }
    red_work_clear(&work);
    red_reference_rest();
    return status;
}

static json_t *do_verify(struct red_worker *worker, const json_t *question, struct red_error *error) {
    struct red_job job;
    struct red_dataset *data[RED_ARRAYS_MAX] = {NULL};
    struct red_verification verification = {.right = false};
    if (!read_job(worker, question, "job", &job, error) || data_of(worker, &job, data, error) != RED_OK)
        return NULL;
    const struct red_plan_spec spec = red_job_plan(&job);
    bool timed_only = json_is_true(json_object_get(question, "timed_only"));
    enum red_status status = worker->is_host ? verify_host(worker, &job, data[0], &verification, error)
                                             : red_dataset_verify(data[0], worker->device, &spec, timed_only,
                                                                  &verification, error);
    return status == RED_OK ? red_wire_verification(&verification) : NULL;
}

/* The kernel may never have been verified: what it did to the data must not fall on others. */
static enum red_status check_data(struct red_work *work, enum red_status status, struct red_error *error) {
    enum red_status kept = RED_OK;
    if (work->plan != NULL && work->data[0]->resident != NULL)
        kept = red_resident_check(work->data[0]->resident, status == RED_OK ? error : NULL);
    return status == RED_OK ? kept : status;
}

/* The shortest of some calls, after one that is not counted: CPU drivers compile at the first launch. */
static json_t *do_time(struct red_worker *worker, const json_t *question, struct red_error *error) {
    struct red_job job;
    struct red_work work = {.plan = NULL};
    struct red_call_time time = {0, 0};
    struct red_error found = {.text = ""};
    if (!read_job(worker, question, "job", &job, error))
        return NULL;
    enum red_status status = work_make(worker, &job, &work, error);
    if (status != RED_OK)
        return NULL;
    status = red_work_time(&work, 1, 0, &time, error);
    if (status == RED_OK)
        status = red_work_time(&work, (size_t)real_of(question, "calls"), real_of(question, "limit_s"), &time,
                               error);
    if (status == RED_OK && job.n == job.data.n && red_work_check(&work, &found) != RED_OK)
        status = red_fail(error, found.status, "probe=%s: %.200s", red_pattern_name(job.data.probe.pattern),
                          found.text);
    status = check_data(&work, status, error);
    red_work_clear(&work);
    return status == RED_OK ? json_pack("{s:o}", "call_s", red_wire_real(time.shortest_s)) : NULL;
}

static json_t *do_ready(struct red_worker *worker, const json_t *question, struct red_error *error) {
    struct red_job job;
    struct red_work *work = NULL;
    struct red_call_time time = {0, 0};
    if (!read_job(worker, question, "job", &job, error) || work_get(worker, &job, &work, error) != RED_OK ||
        red_work_time(work, (size_t)real_of(question, "calls"), real_of(question, "limit_s"), &time, error) !=
            RED_OK)
        return NULL;
    const struct red_geometry host = red_host_geometry(job.n, job.data.segments_n);
    double bytes = work->roof ? (double)red_roof_bytes(work->roof)
                              : (double)(job.data.n * job.data.dtype->size_bytes / 8 * 8);
    return json_pack("{s:o, s:o, s:o, s:s, s:o}", "shortest_s", red_wire_real(time.shortest_s), "typical_s",
                     red_wire_real(time.typical_s), "geometry",
                     red_wire_geometry(work->plan ? red_plan_geometry(work->plan) : &host), "standard",
                     work->plan ? red_plan_standard(work->plan) : "", "bytes", red_wire_real(bytes));
}

/* ---- measuring -------------------------------------------------------------------------------------------
 */

/* The result of the batch's last call is checked, too. */
static json_t *do_batch(struct red_worker *worker, const json_t *question, struct red_error *error) {
    struct red_job job;
    struct red_work *work = NULL;
    struct red_gbench_time time;
    struct red_call_time awake;
    double wake_s = real_of(question, "wake_s");
    if (!read_job(worker, question, "job", &job, error) || work_get(worker, &job, &work, error) != RED_OK ||
        (wake_s > 0 && red_work_time(work, 1000, wake_s, &awake, error) != RED_OK))
        return NULL;
    work->error.status = RED_OK;
    int code = red_gbench_batch(red_work_call, work, (uint64_t)real_of(question, "calls"), &time);
    if (work->error.status != RED_OK)
        red_fail(error, work->error.status, "%s", work->error.text);
    else if (code != 0)
        red_fail(error, RED_E_DEVICE, "Google Benchmark delivered no times");
    else if (red_work_check(work, error) == RED_OK &&
             (!json_is_true(json_object_get(question, "doubts")) || red_work_doubt(work, error) == RED_OK))
        return json_pack("{s:o, s:o}", "real_s", red_wire_real(time.real_s / job.reductions), "cpu_s",
                         red_wire_real(time.cpu_s / job.reductions));
    return NULL;
}

static json_t *do_profile(struct red_worker *worker, const json_t *question, struct red_error *error) {
    struct red_job job;
    struct red_work *work = NULL;
    double times_s[PROFILED_RUNS_MAX], start_s = red_clock_s();
    size_t runs_n = 0;
    if (!read_job(worker, question, "job", &job, error) || work_get(worker, &job, &work, error) != RED_OK)
        return NULL;
    enum red_status status = RED_OK;
    while (status == RED_OK && runs_n < PROFILED_RUNS_MAX &&
           (runs_n < PROFILED_RUNS_MIN || red_clock_s() - start_s < PROFILED_S))
        status = red_plan_run_profiled(work->plan, &times_s[runs_n++], error);
    return status == RED_OK ? json_pack("{s:o}", "times_s", red_wire_reals(times_s, runs_n)) : NULL;
}

/* Batches of calls, one enqueued behind the other; at least one batch. What calls that overlapped have
 * spoilt, a counter for example, shows in the next result. */
static json_t *do_back_to_back(struct red_worker *worker, const json_t *question, struct red_error *error) {
    struct red_job job;
    struct red_work *work = NULL;
    double batches_s[BACK_TO_BACK_MAX], start_s = red_clock_s();
    uint64_t calls_n = (uint64_t)real_of(question, "calls");
    size_t batches_n = 0;
    if (!read_job(worker, question, "job", &job, error) || work_get(worker, &job, &work, error) != RED_OK)
        return NULL;
    enum red_status status = RED_OK;
    while (status == RED_OK && batches_n < BACK_TO_BACK_MAX &&
           (batches_n == 0 || red_clock_s() - start_s < PROFILED_S))
        status = red_plan_run_back_to_back(work->plan, calls_n, &batches_s[batches_n++], error);
    if (status == RED_OK && red_work_call(work) != 0)
        status = red_fail(error, work->error.status, "%s", work->error.text);
    if (status == RED_OK)
        status = red_work_check(work, error);
    return status == RED_OK ? json_pack("{s:o}", "times_s", red_wire_reals(batches_s, batches_n)) : NULL;
}

static json_t *do_floor(struct red_worker *worker, const json_t *question, struct red_error *error) {
    double times_s[FLOOR_RUNS];
    (void)question;
    return red_floor_find(worker->device, times_s, FLOOR_RUNS, error) == RED_OK
               ? json_pack("{s:o}", "times_s", red_wire_reals(times_s, FLOOR_RUNS))
               : NULL;
}

static json_t *do_ticks(struct red_worker *worker, const json_t *question, struct red_error *error) {
    struct red_tick ticks[RED_TICKS_N];
    (void)question;
    return red_ticks_take(worker->device, ticks, error) == RED_OK
               ? json_pack("{s:o}", "ticks", red_wire_ticks(ticks))
               : NULL;
}

static enum red_status time_batch(struct red_work *work, uint64_t calls, double *call_s,
                                  struct red_error *error) {
    uint64_t untimed_n = red_gbench_untimed(calls);
    double start_s = red_clock_s();
    for (uint64_t i = 0; i < untimed_n + calls; i++) {
        if (i == untimed_n)
            start_s = red_clock_s();
        if (red_work_call(work) != 0)
            return red_fail(error, work->error.status, "%s", work->error.text);
    }
    *call_s = (red_clock_s() - start_s) / (double)calls;
    return RED_OK;
}

static enum red_status race(struct red_work works[2], double batch_s, size_t batches_n,
                            double samples_s[2][RACE_BATCHES_MAX], struct red_error *error) {
    uint64_t calls[2] = {1, 1};
    enum red_status status = RED_OK;
    for (unsigned side = 0; side < 2 && status == RED_OK; side++) {
        struct red_call_time time;
        status = red_work_time(&works[side], 1, 0, &time, error);
        if (status == RED_OK)
            status = red_work_time(&works[side], 3, 0.01, &time, error);
        if (status == RED_OK && time.shortest_s < batch_s)
            calls[side] = (uint64_t)(batch_s / time.shortest_s);
    }
    for (size_t i = 0; i < 2 * batches_n && status == RED_OK; i++) {
        size_t round = i / 2, side = (i + round) % 2;
        status = time_batch(&works[side], calls[side], &samples_s[side][round], error);
    }
    return status;
}

/* Batches of both in turns; which one begins alternates. */
static json_t *do_race(struct red_worker *worker, const json_t *question, struct red_error *error) {
    static const char *const keys[2] = {"job", "other"};
    struct red_work works[2] = {{.plan = NULL}, {.plan = NULL}};
    double samples_s[2][RACE_BATCHES_MAX];
    size_t batches_n = (size_t)fmin(real_of(question, "batches"), RACE_BATCHES_MAX);
    bool good = true;
    for (unsigned side = 0; side < 2 && good; side++) {
        struct red_job job;
        good = read_job(worker, question, keys[side], &job, error) &&
               work_make(worker, &job, &works[side], error) == RED_OK;
    }
    good = good && race(works, real_of(question, "batch_s"), batches_n, samples_s, error) == RED_OK;
    red_work_clear(&works[0]);
    red_work_clear(&works[1]);
    return good ? json_pack("{s:o, s:o}", "job_s", red_wire_reals(samples_s[0], batches_n), "other_s",
                            red_wire_reals(samples_s[1], batches_n))
                : NULL;
}

/* ---- the rest --------------------------------------------------------------------------------------------
 */

/* Between the phases of a run OpenMP's threads do not spin against another process. */
static json_t *do_rest(struct red_worker *worker, const json_t *question, struct red_error *error) {
    (void)worker, (void)question, (void)error;
    red_reference_rest();
    return json_object();
}

/* Programs, and all that hangs on them, are let go. */
static json_t *do_forget(struct red_worker *worker, const json_t *question, struct red_error *error) {
    (void)question, (void)error;
    forget_works(worker);
    if (worker->device != NULL)
        red_device_forget_programs(worker->device);
    return json_object();
}

static const struct {
    const char *name;
    json_t *(*run)(struct red_worker *worker, const json_t *question, struct red_error *error);
    bool needs_device, needs_any; /* an open one, and no host; either */
} questions[] = {
    {"list", do_list, false, false},     {"open", do_open, false, false},
    {"know", do_know, true, true},       {"probe", do_probe, true, true},
    {"verify", do_verify, false, true},  {"time", do_time, false, true},
    {"ready", do_ready, false, true},    {"batch", do_batch, false, true},
    {"profile", do_profile, true, true}, {"back_to_back", do_back_to_back, true, true},
    {"floor", do_floor, true, true},     {"ticks", do_ticks, true, true},
    {"race", do_race, true, true},       {"forget", do_forget, false, true},
    {"rest", do_rest, false, true},
};

static json_t *answer(void *context, const json_t *question, struct red_error *error) {
    struct red_worker *worker = context;
    const char *name = json_string_value(json_object_get(question, "do"));
    for (size_t i = 0; name != NULL && i < sizeof questions / sizeof questions[0]; i++) {
        if (strcmp(questions[i].name, name) != 0)
            continue;
        if (questions[i].needs_device ? worker->device == NULL
                                      : questions[i].needs_any && worker->device == NULL && !worker->is_host)
            break;
        return questions[i].run(worker, question, error);
    }
    red_fail(error, RED_E_INPUT, "a worker cannot do '%s' now", name ? name : "");
    return NULL;
}

enum red_status red_cmd_worker(const struct red_options *options, struct red_error *error) {
    struct red_worker worker = {.catalogue = NULL};
    enum red_status status = red_catalogue_create(&worker.catalogue, error);
    for (size_t i = 0; i < options->kernels_n && status == RED_OK; i++)
        status = red_catalogue_add_file(worker.catalogue, options->kernels[i], error);
    if (status == RED_OK)
        red_child_serve(answer, &worker);
    forget_works(&worker);
    free(worker.works);
    free(worker.datasets);
    red_device_close(worker.device);
    red_device_list_destroy(worker.list);
    red_catalogue_destroy(worker.catalogue);
    return status;
}
