#include "bench/work.h"

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "model/clock.h"
#include "oracle/reference.h"

enum { BATCHES_MAX = 18, BATCHES_MIN = 6, CLOCK_STEPS_MIN = 1000, CALLS_MAX = 1000, CALLS_TYPICAL = 51 };

static void reduce_on_host(struct red_work *work) {
    const struct red_input *input = &work->data[work->turn].input;
    const void *const *arrays = (const void *const *)input->arrays;
    const struct red_cell *cell = work->cell;
    if (cell == NULL)
        work->value.bits =
            red_reference_read(arrays[0], input->n * input->dtype->size_bytes / sizeof(uint64_t));
    else if (work->answers.n > 0)
        red_reference_segments(cell->op, cell->dtype, arrays, cell->n, &work->answers);
    else
        work->value = red_reference_reduce(cell->op, cell->dtype, arrays, input->n);
}

/* The next array takes the place of the last one: what an iterative solver has to do, its arguments set anew.
 */
static enum red_status take_turn(struct red_work *work) {
    if (work->data_n < 2)
        return RED_OK;
    work->turn = (work->turn + 1) % work->data_n;
    return work->plan != NULL
               ? red_plan_rebind(work->plan, work->data[work->turn].residents[work->device - 1], &work->error)
               : RED_OK;
}

int red_work_call(void *context) {
    struct red_work *work = context;
    enum red_status status = RED_OK;
    unsigned reductions = work->reductions > 0 ? work->reductions : 1;
    for (unsigned i = 0; i < reductions && status == RED_OK; i++) {
        status = take_turn(work);
        if (status == RED_OK && work->plan != NULL)
            status = red_plan_run(work->plan, &work->value, &work->error);
        else if (status == RED_OK && work->roof != NULL)
            status = red_roof_run(work->roof, &work->error);
        else if (status == RED_OK)
            reduce_on_host(work);
    }
    return status == RED_OK ? 0 : -1;
}

bool red_work_is_right(const struct red_work *work, char *got, size_t got_bytes) {
    struct red_dataset *data = &work->data[work->turn];
    const struct red_answers *answers = work->plan ? red_plan_answers(work->plan) : &work->answers;
    if (answers == NULL || answers->n == 0) {
        red_truth_print(&data->truth, &work->value, got, got_bytes);
        return red_truth_check(&data->truth, work->chain, work->value).right;
    }
    const struct red_segments *segments = NULL;
    bool columns = work->cell->strategy->span == RED_STRATEGY_COLUMN;
    uint64_t which = 0;
    if (red_dataset_segments(data, columns, &segments, NULL) != RED_OK)
        return false;
    bool right = red_segments_check(segments, work->chain, answers, &which).right;
    if (!right)
        snprintf(got, got_bytes, "another value in segment %llu", (unsigned long long)which);
    red_reference_rest();
    return right;
}

void red_work_plan(struct red_work *work, double call_s, double budget_s, double clock_step_s) {
    work->call_s = call_s;
    double batch_s = fmax(CLOCK_STEPS_MIN * clock_step_s, budget_s / BATCHES_MAX);
    work->calls = call_s < batch_s ? (uint64_t)(batch_s / call_s) : 1;
    double batches = budget_s / (call_s * (double)work->calls);
    work->batches = batches >= BATCHES_MAX   ? BATCHES_MAX
                    : batches <= BATCHES_MIN ? BATCHES_MIN
                                             : (unsigned)batches;
    work->batches = (work->batches + RED_ROUNDS_N - 1) / RED_ROUNDS_N * RED_ROUNDS_N;
}

/* For calls within one step of the clock: the mean of as many as take a thousand of them. */
static double many_calls_s(struct red_work *work) {
    for (uint64_t calls = 16;; calls *= 2) {
        double start_s = red_clock_s();
        for (uint64_t i = 0; i < calls; i++)
            if (red_work_call(work) != 0)
                return -1;
        double spent_s = red_clock_s() - start_s;
        if (spent_s > 1e-3 || calls >= UINT64_C(1) << 24)
            return fmax(spent_s, 1e-9) / (double)calls;
    }
}

/* Times up to CALLS_MAX calls one by one, at least one and none after limit_s, shortest first. How many; 0 if
 * one failed. */
static size_t time_calls(struct red_work *work, size_t calls_max, double limit_s,
                         double calls_s[static CALLS_MAX]) {
    double start_s = red_clock_s();
    size_t n = 0;
    while (n < calls_max && n < CALLS_MAX && (n == 0 || red_clock_s() - start_s < limit_s)) {
        double call_start_s = red_clock_s();
        if (red_work_call(work) != 0)
            return 0;
        calls_s[n++] = red_clock_s() - call_start_s;
    }
    gsl_sort(calls_s, 1, n);
    return n;
}

double red_work_shortest_call(struct red_work *work, size_t calls_max, double limit_s) {
    double calls_s[CALLS_MAX];
    if (time_calls(work, calls_max, limit_s, calls_s) == 0)
        return -1;
    return calls_s[0] > 0 ? calls_s[0] : many_calls_s(work);
}

double red_work_typical_call(struct red_work *work, double limit_s, double *shortest_s) {
    double calls_s[CALLS_MAX];
    size_t n = time_calls(work, CALLS_TYPICAL, limit_s, calls_s);
    if (n == 0)
        return -1;
    if (calls_s[0] <= 0)
        return *shortest_s = many_calls_s(work);
    *shortest_s = calls_s[0];
    return gsl_stats_median_from_sorted_data(calls_s, 1, n);
}

void red_work_clear(struct red_work *work) {
    red_plan_destroy(work->plan);
    red_roof_destroy(work->roof);
    red_answers_clear(&work->answers);
    free(work->samples_s);
    *work = (struct red_work){.cell = NULL};
}

enum red_status red_roof_find(struct red_session *session, size_t device, double *bytes_per_s,
                              struct red_error *error) {
    const uint64_t n = UINT64_C(1) << 24;
    const struct red_probe probe = {RED_PATTERN_UNIFORM, 0};
    struct red_dataset dataset;
    struct red_resident *resident = NULL;
    enum red_status status =
        red_dataset_make(red_dtype_find("f32"), red_op_find("sum"), probe, n, 1, &dataset, error);
    if (status != RED_OK)
        return status;
    if (session != NULL)
        status = red_dataset_resident(session, &dataset, device, &resident, error);
    *bytes_per_s = 0;
    for (unsigned form = 0; form < (session ? RED_ROOF_FORMS_N : 1) && status == RED_OK; form++) {
        struct red_work work = {.data = &dataset, .data_n = 1};
        if (session != NULL)
            status = red_roof_create(resident, form, &work.roof, error);
        double call_s = status == RED_OK ? red_work_shortest_call(&work, 20, 0.1) : -1;
        if (status == RED_OK && call_s < 0)
            status = red_fail(error, work.error.status, "%s", work.error.text);
        if (status == RED_OK)
            *bytes_per_s = fmax(*bytes_per_s, 4 * (double)n / call_s);
        red_work_clear(&work);
    }
    red_reference_rest();
    red_dataset_clear(&dataset);
    return status;
}
