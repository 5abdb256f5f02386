/* What does the measuring add? The same plan on the same device in one process, in turns: a bare loop of one
 * launch and one blocking read, and the suite's call driven by Google Benchmark through the shim. */
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <stdio.h>

#include "bench/shim.h"
#include "bench/work.h"
#include "model/clock.h"

enum { ROUNDS = 41, CALLS = 500 };

static double median(double *values) {
    gsl_sort(values, 1, ROUNDS);
    return gsl_stats_median_from_sorted_data(values, 1, ROUNDS);
}

static enum red_status run_bare(struct red_work *work, double *call_s, struct red_error *error) {
    enum red_status status = RED_OK;
    double start_s = red_clock_s();
    for (int call = 0; call < CALLS && status == RED_OK; call++)
        status = red_plan_run_bare(work->plan, error);
    *call_s = (red_clock_s() - start_s) / CALLS;
    return status;
}

static enum red_status run_measured(struct red_work *work, double *call_s, struct red_error *error) {
    struct red_gbench_time time;
    if (red_gbench_batch(red_work_call, work, CALLS, &time) != 0)
        return red_fail(error, RED_E_DEVICE, "a call failed: %s", work->error.text);
    *call_s = time.real_s;
    return RED_OK;
}

/* Who goes first changes from round to round. */
static enum red_status race(struct red_work *work, const char *id, struct red_error *error) {
    double bare_s[ROUNDS], measured_s[ROUNDS], difference_s[ROUNDS];
    enum red_status status = RED_OK;
    for (int round = 0; round < ROUNDS && status == RED_OK; round++) {
        bool bare_first = round % 2 == 0;
        if (bare_first)
            status = run_bare(work, &bare_s[round], error);
        if (status == RED_OK)
            status = run_measured(work, &measured_s[round], error);
        if (status == RED_OK && !bare_first)
            status = run_bare(work, &bare_s[round], error);
        difference_s[round] = measured_s[round] - bare_s[round];
    }
    if (status == RED_OK)
        printf("%-10s bare %7.3f us, measured %7.3f us, the measuring adds %+.3f us per call (medians of %d "
               "rounds "
               "of %d calls)\n",
               id, 1e6 * median(bare_s), 1e6 * median(measured_s), 1e6 * median(difference_s), ROUNDS, CALLS);
    return status;
}

static enum red_status run_device(struct red_device *device, const struct red_catalogue *catalogue,
                                  struct red_error *error) {
    const struct red_data_spec data = {.op = red_op_find("sum"),
                                       .dtype = red_dtype_find("f32"),
                                       .probe = {RED_PATTERN_UNIFORM, 0},
                                       .n = 1024,
                                       .segments_n = 1,
                                       .seed = 1};
    const struct red_job job =
        red_job_make(&data, red_catalogue_find(catalogue, "tree"), &(struct red_tuning){.group_size = 0});
    struct red_dataset dataset;
    struct red_dataset *const datasets[] = {&dataset};
    struct red_work work = {.plan = NULL};
    struct red_call_time time;
    enum red_status status = red_dataset_make(&job.data, &dataset, error);
    if (status != RED_OK)
        return status;
    status = red_work_make(&job, device, datasets, &work, error);
    if (status == RED_OK)
        status = red_work_time(&work, 100, 1, &time, error);
    if (status == RED_OK)
        status = race(&work, red_device_info(device)->id, error);
    red_work_clear(&work);
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
    red_device_list_destroy(list);
    red_catalogue_destroy(catalogue);
    if (status != RED_OK)
        fprintf(stderr, "overhead: %s\n", error.text);
    return red_status_exit(status);
}
