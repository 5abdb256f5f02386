#include "worker/work.h"

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>

#include "core/clock.h"
#include "oracle/bound.h"
#include "oracle/reference.h"

enum { CALLS_MAX = 1000, DOUBTS_MAX = 4 };
static const double DOUBTS_S = 0.0005;

static enum red_status call_failed(const struct red_work *work, struct red_error *error) {
    return red_fail(error, work->error.status, "%s", work->error.text);
}

/* ---- making ----------------------------------------------------------------------------------------------
 */

static enum red_status make_on_host(struct red_work *work, struct red_error *error) {
    const struct red_job *job = &work->job;
    const struct red_geometry geometry = red_host_geometry(job->n, job->data.segments_n);
    if (job->strategy == NULL)
        return RED_OK;
    work->chain = red_bound_chain(job->strategy, job->data.dtype, job->data.op, &geometry, job->n);
    return job->data.segments_n > 1
               ? red_answers_make(job->data.op, job->data.dtype, job->data.segments_n, &work->answers, error)
               : RED_OK;
}

/* A roof has no answer; of segments shorter than the data's, which forecasts are made from, nobody knows it.
 */
static enum red_status make_guards(struct red_work *work, struct red_error *error) {
    const struct red_job *job = &work->job;
    enum red_status status = RED_OK;
    if (job->strategy == NULL || (job->data.segments_n > 1 && job->n != job->data.n))
        return RED_OK;
    work->guards = calloc(job->arrays_n, sizeof *work->guards);
    if (work->guards == NULL)
        return red_fail(error, RED_E_MEMORY, "no memory for looking at answers");
    for (unsigned i = 0; i < job->arrays_n && status == RED_OK; i++)
        status = red_guard_make(work->data[i], job->n, job->strategy->span == RED_STRATEGY_COLUMN,
                                work->chain, &work->guards[i], error);
    return status;
}

static enum red_status make_on_device(struct red_work *work, struct red_device *device,
                                      struct red_error *error) {
    const struct red_job *job = &work->job;
    const struct red_plan_spec spec = red_job_plan(job);
    struct red_resident *resident = NULL;
    enum red_status status = RED_OK;
    for (unsigned i = job->arrays_n; i-- > 0 && status == RED_OK;) /* the first one last: it is the plan's */
        status = red_dataset_resident(work->data[i], device, &resident, error);
    if (status == RED_OK && job->strategy == NULL)
        return red_roof_create(resident, job->form, &work->roof, error);
    if (status == RED_OK)
        status = red_plan_create(resident, &spec, &work->plan, error);
    if (status == RED_OK)
        work->chain = red_bound_chain(job->strategy, job->data.dtype, job->data.op,
                                      red_plan_geometry(work->plan), job->n);
    return status;
}

enum red_status red_work_make(const struct red_job *job, struct red_device *device,
                              struct red_dataset *const *data, struct red_work *work,
                              struct red_error *error) {
    *work = (struct red_work){.job = *job};
    for (unsigned i = 0; i < job->arrays_n; i++)
        work->data[i] = data[i];
    enum red_status status = device != NULL ? make_on_device(work, device, error) : make_on_host(work, error);
    if (status == RED_OK)
        status = make_guards(work, error);
    if (status != RED_OK)
        red_work_clear(work);
    return status;
}

void red_work_clear(struct red_work *work) {
    red_plan_destroy(work->plan);
    red_roof_destroy(work->roof);
    red_answers_clear(&work->answers);
    for (unsigned i = 0; i < work->job.arrays_n && work->guards != NULL; i++)
        red_guard_clear(&work->guards[i]);
    free(work->guards);
    *work = (struct red_work){.plan = NULL};
}

/* ---- calling ---------------------------------------------------------------------------------------------
 */

static void reduce_on_host(struct red_work *work) {
    const struct red_job *job = &work->job;
    const struct red_input *input = &work->data[work->turn]->input;
    const void *const *arrays = (const void *const *)input->arrays;
    if (job->strategy == NULL)
        work->value.bits =
            red_reference_read(arrays[0], input->n * input->dtype->size_bytes / sizeof(uint64_t));
    else if (work->answers.n > 0)
        red_reference_segments(job->data.op, job->data.dtype, arrays, job->n, &work->answers);
    else
        work->value = red_reference_reduce(job->data.op, job->data.dtype, arrays, input->n);
}

/* The next array takes the place of the last one: what an iterative solver has to do, its arguments set anew.
 */
static enum red_status take_turn(struct red_work *work) {
    if (work->job.arrays_n < 2)
        return RED_OK;
    work->turn = (work->turn + 1) % work->job.arrays_n;
    return work->plan != NULL ? red_plan_rebind(work->plan, work->data[work->turn]->resident, &work->error)
                              : RED_OK;
}

static enum red_status reduce_once(struct red_work *work) {
    enum red_status status = take_turn(work);
    if (status == RED_OK && work->plan != NULL)
        status = red_plan_run(work->plan, &work->value, &work->error);
    else if (status == RED_OK && work->roof != NULL)
        status = red_roof_run(work->roof, &work->error);
    else if (status == RED_OK)
        reduce_on_host(work);
    return status;
}

/* ---- checking --------------------------------------------------------------------------------------------
 */

/* Of segments all; NULL where there is one value. */
static const struct red_answers *answers_of(const struct red_work *work) {
    const struct red_answers *answers = work->plan ? red_plan_answers(work->plan) : &work->answers;
    return answers != NULL && answers->n > 0 ? answers : NULL;
}

static enum red_status look(struct red_work *work) {
    const uint64_t n = work->reductions_n++;
    const struct red_answers *answers = work->job.data.segments_n > 1 ? answers_of(work) : NULL;
    struct red_guard *guard = &work->guards[work->turn];
    return red_guard_holds(guard, n, work->value, answers)
               ? RED_OK
               : red_guard_tell(guard, n, work->value, answers, &work->error);
}

int red_work_call(void *context) {
    struct red_work *work = context;
    enum red_status status = RED_OK;
    for (unsigned i = 0; i < work->job.reductions && status == RED_OK; i++) {
        status = reduce_once(work);
        if (status == RED_OK && work->guards != NULL)
            status = look(work);
    }
    return status == RED_OK ? 0 : -1;
}

enum red_status red_work_begin(struct red_work *work, struct red_error *error) {
    enum red_status status = RED_OK;
    work->reductions_n = 0;
    if (work->plan != NULL)
        red_plan_rest(work->plan);
    for (unsigned i = 0; i < work->job.arrays_n && work->guards != NULL && status == RED_OK; i++)
        status = red_guard_begin(&work->guards[i], error);
    return status == RED_OK ? RED_OK : red_work_end(work, status, error);
}

enum red_status red_work_end(struct red_work *work, enum red_status status, struct red_error *error) {
    if (work->plan != NULL)
        red_plan_rest(work->plan);
    for (unsigned i = 0; i < work->job.arrays_n && work->guards != NULL; i++) {
        enum red_status ended = red_guard_end(&work->guards[i], status == RED_OK ? error : NULL);
        status = status == RED_OK ? ended : status;
    }
    return status;
}

enum red_status red_work_check(const struct red_work *work, struct red_error *error) {
    return work->guards == NULL
               ? RED_OK
               : red_guard_check(&work->guards[work->turn], work->value, answers_of(work), error);
}

static enum red_status doubt_once(struct red_work *work, unsigned char poison, struct red_error *error) {
    enum red_status status = red_plan_poison(work->plan, poison, error);
    if (status == RED_OK && reduce_once(work) != RED_OK)
        status = call_failed(work, error);
    return status == RED_OK ? red_work_check(work, error) : status;
}

enum red_status red_work_doubt(struct red_work *work, struct red_error *error) {
    double start_s = red_clock_s();
    enum red_status status = RED_OK;
    for (int i = 0; i < DOUBTS_MAX && work->plan != NULL && status == RED_OK; i++) {
        if (i > 0 && red_clock_s() - start_s > DOUBTS_S)
            break;
        status = doubt_once(
            work, red_op_poison_accumulator(work->job.data.op, work->job.data.dtype, i % 2 != 0), error);
    }
    return status;
}

enum red_status red_work_check_turns(struct red_work *work, struct red_error *error) {
    unsigned arrays_n = work->job.arrays_n;
    for (unsigned i = 0; arrays_n > 1 && i < 2 * arrays_n; i++) {
        struct red_error found = {.text = ""};
        enum red_status status = reduce_once(work);
        if (status != RED_OK)
            return red_fail(error, status, "%s", work->error.text);
        status = red_work_check(work, &found);
        if (status != RED_OK)
            return red_fail(error, status, "iterated: array %u of %u, which takes another's place: %.200s",
                            work->turn + 1, arrays_n, found.text);
    }
    return RED_OK;
}

/* ---- timing ----------------------------------------------------------------------------------------------
 */

/* For calls within one step of the clock: the mean of as many as take a thousand of them. */
static enum red_status time_many(struct red_work *work, double *call_s, struct red_error *error) {
    for (uint64_t calls = 16;; calls *= 2) {
        double start_s = red_clock_s();
        for (uint64_t i = 0; i < calls; i++)
            if (red_work_call(work) != 0)
                return call_failed(work, error);
        double spent_s = red_clock_s() - start_s;
        *call_s = fmax(spent_s, 1e-9) / (double)calls;
        if (spent_s > 1e-3 || calls >= UINT64_C(1) << 24)
            return RED_OK;
    }
}

enum red_status red_work_time(struct red_work *work, size_t calls_max, double limit_s,
                              struct red_call_time *time, struct red_error *error) {
    double calls_s[CALLS_MAX], start_s = red_clock_s();
    size_t n = 0;
    while (n < calls_max && n < CALLS_MAX && (n == 0 || red_clock_s() - start_s < limit_s)) {
        double call_start_s = red_clock_s();
        if (red_work_call(work) != 0)
            return call_failed(work, error);
        calls_s[n++] = red_clock_s() - call_start_s;
    }
    gsl_sort(calls_s, 1, n);
    time->shortest_s = calls_s[0];
    time->typical_s = gsl_stats_median_from_sorted_data(calls_s, 1, n);
    if (time->shortest_s > 0)
        return RED_OK;
    enum red_status status = time_many(work, &time->shortest_s, error);
    time->typical_s = time->shortest_s;
    return status;
}
