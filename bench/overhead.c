/* What does the measuring add? The same plan on the same device in one process, in turns: a bare loop of one
 * launch and one blocking read, and the suite's call driven by Google Benchmark through the shim. And of
 * that, what looking at every answer takes. */
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdio.h>

#include "bench/shim.h"
#include "core/clock.h"
#include "host/reference.h"
#include "model/catalogue.h"
#include "worker/prepared.h"

enum { ROUNDS = 41, CALLS = 500, LOOKS = 100000 };

/* The median of all rounds, which it puts into another order. */
static double median(double *values) {
    return gsl_stats_median(values, 1, ROUNDS);
}

/* Seconds of a call in a bare loop. */
static enum red_status time_bare_calls(struct red_prepared *prepared, double *call_s,
                                       struct red_error *error) {
    enum red_status status = RED_OK;
    double start_s = red_clock_s();
    for (int call = 0; call < CALLS && status == RED_OK; call++)
        status = red_plan_run_bare(prepared->plan, error);
    *call_s = (red_clock_s() - start_s) / CALLS;
    return status;
}

/* Seconds of a call as the suite times it. */
static enum red_status time_measured_calls(struct red_prepared *prepared, double *call_s,
                                           struct red_error *error) {
    struct red_gbench_time time;
    if (red_gbench_batch(red_prepared_call, prepared, CALLS, &time) != 0)
        return red_fail(error, RED_E_DEVICE, "a call failed: %s", prepared->error.text);
    *call_s = time.real_s;
    return RED_OK;
}

/* Who goes first changes from round to round. */
static enum red_status race(struct red_prepared *prepared, const char *id, struct red_error *error) {
    double bare_s[ROUNDS], measured_s[ROUNDS], difference_s[ROUNDS];
    enum red_status status = RED_OK;
    for (int round = 0; round < ROUNDS && status == RED_OK; round++) {
        bool bare_first = round % 2 == 0;
        if (bare_first)
            status = time_bare_calls(prepared, &bare_s[round], error);
        if (status == RED_OK)
            status = time_measured_calls(prepared, &measured_s[round], error);
        if (status == RED_OK && !bare_first)
            status = time_bare_calls(prepared, &bare_s[round], error);
        difference_s[round] = measured_s[round] - bare_s[round];
    }
    if (status == RED_OK)
        printf("%-10s bare %7.3f us, measured %7.3f us, the measuring adds %+.3f us per call (medians of %d "
               "rounds of %d calls)\n",
               id, 1e6 * median(bare_s), 1e6 * median(measured_s), 1e6 * median(difference_s), ROUNDS, CALLS);
    return status;
}

static enum red_status run_device(struct red_device *device, const struct red_catalogue *catalogue,
                                  struct red_error *error) {
    const struct red_data_kind uniform = {RED_PATTERN_UNIFORM, 0};
    const struct red_data_spec data =
        red_data_spec_make(red_op_find("sum"), red_dtype_find("f32"), uniform, 1024, 1);
    const struct red_case spec =
        red_case_make(&data, red_catalogue_find(catalogue, "tree"), &(struct red_tuning){.group_size = 0});
    struct red_dataset dataset;
    struct red_dataset *const datasets[] = {&dataset};
    struct red_prepared prepared = {.plan = NULL};
    struct red_call_time time;
    enum red_status status = red_dataset_make(&spec.data, &dataset, error);
    if (status != RED_OK)
        return status;
    status = red_prepared_make(&spec, device, datasets, &prepared, error);
    if (status == RED_OK)
        status = red_prepared_time(&prepared, 100, 1, &time, error);
    if (status == RED_OK)
        status = race(&prepared, red_device_info(device)->id, error);
    red_prepared_clear(&prepared);
    red_dataset_clear(&dataset);
    return status;
}

/* ---- looking at answers -------------------------------------------------------------------------------- */

/* What the calls of a batch give. */
struct looked_at {
    const char *words, *type, *op;
    uint64_t segments_n;
    bool varies; /* from call to call, within the bound: nothing is known by its bits */
};

static const struct looked_at looked_at[] = {
    {"the same bits", "f32", "sum", 1, false}, {"bits that vary", "f32", "sum", 1, true},
    {"bits that vary", "f64", "sum", 1, true}, {"an integer", "i32", "sum", 1, false},
    {"a place", "f32", "argmax", 1, false},    {"one of 4096 segments", "f32", "sum", 4096, false},
};

/* One round of looks, in seconds for each. Two answers in turns, lest one be kept in registers. */
static double look_round(struct red_guard *guard, const struct red_value values[2],
                         const struct red_answers *answers) {
    uint64_t wrong_n = 0;
    double start_s = red_clock_s();
    for (uint64_t call = 0; call < LOOKS; call++) {
        volatile struct red_value *value = (volatile struct red_value *)&values[call % 2];
        struct red_value taken = {.bits = value->bits, .index = value->index};
        wrong_n += !red_guard_holds(guard, call, taken, answers);
    }
    double spent_s = red_clock_s() - start_s;
    return wrong_n == 0 ? spent_s / LOOKS : NAN;
}

static enum red_status time_looks(const struct looked_at *looked, struct red_error *error) {
    const struct red_data_kind uniform = {RED_PATTERN_UNIFORM, 0};
    struct red_data_spec data =
        red_data_spec_make(red_op_find(looked->op), red_dtype_find(looked->type), uniform, 4096, 1);
    data.segments_n = looked->segments_n;
    struct red_dataset dataset;
    struct red_guard guard = {.watches = NULL};
    struct red_answers answers = {.n = 0};
    double rounds_s[ROUNDS];
    enum red_status status = red_dataset_make(&data, &dataset, error);
    if (status != RED_OK)
        return status;
    status = red_guard_make(&dataset, data.n, false, true, (double)data.n, &guard, error);
    if (status == RED_OK && looked->segments_n > 1)
        status = red_answers_make_room(data.op, data.dtype, looked->segments_n, &answers, error);
    if (status == RED_OK)
        status = red_guard_begin(&guard, error);
    if (status == RED_OK && answers.n > 0)
        red_reference_reduce_segments(data.op, data.dtype, (const void *const *)dataset.input.arrays, data.n,
                                      &answers);
    struct red_value values[2] = {guard.last, guard.last};
    if (looked->varies)
        for (unsigned i = 0; i < 2; i++)
            values[i].bits += i == 0 ? 1 : -UINT64_C(1);
    for (int round = 0; round < ROUNDS && status == RED_OK; round++)
        rounds_s[round] = look_round(&guard, values, &answers);
    if (status == RED_OK)
        printf("looking at an answer, %-3s %-6s %-21s %5.1f ns\n", looked->type, looked->op, looked->words,
               1e9 * median(rounds_s));
    (void)red_guard_end(&guard, NULL);
    red_guard_clear(&guard);
    red_answers_clear(&answers);
    red_dataset_clear(&dataset);
    return status;
}

int main(void) {
    struct red_error error = {.text = ""};
    struct red_catalogue *catalogue = NULL;
    struct red_device_list *list = NULL;
    enum red_status status = red_catalogue_create(&catalogue, &error);
    if (status == RED_OK)
        status = red_device_list_create(&list, &error);
    for (size_t i = 0; status == RED_OK && i < red_device_list_n(list); i++) {
        struct red_device *device = NULL;
        status = red_device_open(list, i, &device, &error);
        if (status == RED_OK)
            status = run_device(device, catalogue, &error);
        red_device_close(device);
    }
    for (size_t i = 0; status == RED_OK && i < sizeof looked_at / sizeof looked_at[0]; i++)
        status = time_looks(&looked_at[i], &error);
    red_device_list_destroy(list);
    red_catalogue_destroy(catalogue);
    if (status != RED_OK)
        fprintf(stderr, "overhead: %s\n", error.text);
    return red_exit_status_of(status);
}
