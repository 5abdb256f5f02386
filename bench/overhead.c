/* What does the measuring add? The same plan on the same device in one process, in turns: a bare loop of one
 * launch and one blocking read, and the suite's call driven by Google Benchmark through the shim. */
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <stdio.h>

#include "bench/shim.h"
#include "bench/work.h"
#include "model/clock.h"

enum { ROUNDS = 41, CALLS = 500 };

static void take_sample(void *context, size_t index, double seconds_per_call) {
    (void)index;
    *(double *)context = seconds_per_call;
}

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

static enum red_status run_measured(struct red_gbench *gbench, struct red_work *work, double *call_s,
                                    struct red_error *error) {
    *call_s = -1;
    if (red_gbench_add(gbench, "measured", red_work_call, work, CALLS) != 0 ||
        red_gbench_run(gbench, take_sample, call_s) != 0)
        return red_fail(error, RED_E_MEMORY, "Google Benchmark could not run");
    return *call_s > 0 ? RED_OK : red_fail(error, RED_E_DEVICE, "a call failed: %s", work->error.text);
}

/* Who goes first changes from round to round. */
static enum red_status race(struct red_gbench *gbench, struct red_work *work, const char *id,
                            struct red_error *error) {
    double bare_s[ROUNDS], measured_s[ROUNDS], difference_s[ROUNDS];
    enum red_status status = RED_OK;
    for (int round = 0; round < ROUNDS && status == RED_OK; round++) {
        bool bare_first = round % 2 == 0;
        if (bare_first)
            status = run_bare(work, &bare_s[round], error);
        if (status == RED_OK)
            status = run_measured(gbench, work, &measured_s[round], error);
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

static enum red_status run_device(struct red_session *session, struct red_gbench *gbench, size_t d,
                                  struct red_error *error) {
    const struct red_probe probe = {RED_PATTERN_UNIFORM, 0};
    struct red_dataset dataset;
    struct red_resident *resident = NULL;
    struct red_work work = {.cell = NULL};
    enum red_status status =
        red_dataset_make(red_dtype_find("f32"), red_op_find("sum"), probe, 1024, 1, &dataset, error);
    if (status != RED_OK)
        return status;
    status = red_dataset_resident(session, &dataset, d, &resident, error);
    const struct red_plan_spec spec = {
        .strategy = red_catalogue_find(session->catalogue, "tree"), .op = red_op_find("sum"), .n = 1024};
    if (status == RED_OK)
        status = red_plan_create(resident, &spec, &work.plan, error);
    if (status == RED_OK)
        status = red_work_shortest_call(&work, 100, 1) > 0
                     ? race(gbench, &work, red_device_info(session->devices[d])->id, error)
                     : red_fail(error, work.error.status, "%s", work.error.text);
    red_work_clear(&work);
    red_dataset_clear(&dataset);
    return status;
}

int main(void) {
    static const struct red_session_defaults defaults = {.types = "f32", .ops = "sum"};
    static const struct red_options options = {.seed = 1};
    struct red_error error = {.text = ""};
    struct red_session session;
    enum red_status status = red_session_open(&options, &defaults, &session, &error);
    if (status == RED_OK) {
        struct red_gbench *gbench = red_gbench_create();
        if (gbench == NULL)
            status = red_fail(&error, RED_E_MEMORY, "no memory for measuring");
        for (size_t d = 0; d < session.devices_n && status == RED_OK; d++)
            status = run_device(&session, gbench, d, &error);
        red_gbench_destroy(gbench);
        red_session_close(&session);
    }
    if (status != RED_OK)
        fprintf(stderr, "overhead: %s\n", error.text);
    return red_status_exit(status);
}
