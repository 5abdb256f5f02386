#include "worker/server.h"

#include <stdio.h>
#include <stdlib.h>

#include "oracle/reference.h"

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

enum red_status red_worker_data(struct red_worker *worker, const struct red_job *job,
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

enum red_status red_worker_work_make(struct red_worker *worker, const struct red_job *job,
                                     struct red_work *work, struct red_error *error) {
    struct red_dataset *data[RED_ARRAYS_MAX] = {NULL};
    enum red_status status = red_worker_data(worker, job, data, error);
    return status == RED_OK ? red_work_make(job, worker->device, data, work, error) : status;
}

/* The work of a job is made when it is first asked for, and kept. One that was lost with another process is
 * warm again after a few calls. */
enum red_status red_worker_work(struct red_worker *worker, const struct red_job *job, struct red_work **work,
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
    enum red_status status = grown && made ? red_worker_work_make(worker, job, made, error)
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
    worker->works_n = 0;
}

void red_worker_move(struct red_worker *worker) {
    forget_works(worker);
    for (size_t i = 0; i < worker->datasets_n; i++)
        red_dataset_move(worker->datasets[i]);
}

void red_worker_forget(struct red_worker *worker) {
    forget_works(worker);
    for (size_t i = 0; i < worker->datasets_n; i++)
        dataset_destroy(worker->datasets[i]);
    for (size_t i = 0; i < RED_ARRAYS_MAX; i++) {
        dataset_destroy(worker->passing[i]);
        worker->passing[i] = NULL;
    }
    worker->datasets_n = 0;
}

/* ---- jobs ------------------------------------------------------------------------------------------------
 */

bool red_worker_read_job(const struct red_worker *worker, const json_t *question, const char *key,
                         struct red_job *job, struct red_error *error) {
    return red_wire_read_job(json_object_get(question, key), worker->catalogue, job, error) == RED_OK;
}

double red_worker_read_real(const json_t *question, const char *key) {
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
    struct red_segments *segments = NULL;
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

json_t *red_worker_verify(struct red_worker *worker, const json_t *question, struct red_error *error) {
    struct red_job job;
    struct red_dataset *data[RED_ARRAYS_MAX] = {NULL};
    struct red_verification verification = {.right = false};
    if (!red_worker_read_job(worker, question, "job", &job, error) ||
        red_worker_data(worker, &job, data, error) != RED_OK)
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
json_t *red_worker_time(struct red_worker *worker, const json_t *question, struct red_error *error) {
    struct red_job job;
    struct red_work work = {.plan = NULL};
    struct red_call_time time = {0, 0};
    struct red_error found = {.text = ""};
    if (!red_worker_read_job(worker, question, "job", &job, error))
        return NULL;
    enum red_status status = red_worker_work_make(worker, &job, &work, error);
    if (status != RED_OK)
        return NULL;
    status = red_work_time(&work, 1, 0, &time, &found);
    if (status == RED_OK)
        status = red_work_begin(&work, &found);
    if (status == RED_OK) {
        status = red_work_time(&work, (size_t)red_worker_read_real(question, "calls"),
                               red_worker_read_real(question, "limit_s"), &time, &found);
        status = red_work_end(&work, status, &found);
    }
    if (status == RED_E_WRONG)
        red_fail(error, status, "probe=%s: %.400s", red_pattern_name(job.data.probe.pattern), found.text);
    else if (status != RED_OK)
        red_fail(error, status, "%s", found.text);
    status = check_data(&work, status, error);
    red_work_clear(&work);
    return status == RED_OK ? json_pack("{s:o}", "call_s", red_wire_real(time.shortest_s)) : NULL;
}

json_t *red_worker_ready(struct red_worker *worker, const json_t *question, struct red_error *error) {
    struct red_job job;
    struct red_work *work = NULL;
    struct red_call_time time = {0, 0};
    if (!red_worker_read_job(worker, question, "job", &job, error) ||
        red_worker_work(worker, &job, &work, error) != RED_OK ||
        red_work_time(work, (size_t)red_worker_read_real(question, "calls"),
                      red_worker_read_real(question, "limit_s"), &time, error) != RED_OK)
        return NULL;
    const struct red_geometry host = red_host_geometry(job.n, job.data.segments_n);
    double bytes = work->roof ? (double)red_roof_bytes(work->roof)
                              : (double)(job.data.n * job.data.dtype->size_bytes / 8 * 8);
    return json_pack("{s:o, s:o, s:o, s:s, s:o}", "shortest_s", red_wire_real(time.shortest_s), "typical_s",
                     red_wire_real(time.typical_s), "geometry",
                     red_wire_geometry(work->plan ? red_plan_geometry(work->plan) : &host), "standard",
                     work->plan ? red_plan_standard(work->plan) : "", "bytes", red_wire_real(bytes));
}

/* What cannot be made ready is told when it is asked for alone. */
json_t *red_worker_prepare(struct red_worker *worker, const json_t *question, struct red_error *error) {
    const json_t *jobs = json_object_get(question, "jobs");
    (void)error;
    for (size_t i = 0; i < json_array_size(jobs); i++) {
        struct red_job job;
        struct red_work *work = NULL;
        if (red_wire_read_job(json_array_get(jobs, i), worker->catalogue, &job, NULL) == RED_OK)
            (void)red_worker_work(worker, &job, &work, NULL);
    }
    return json_object();
}
