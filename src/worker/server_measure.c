/* Answers questions that time: batch, batches, profile, back_to_back, floor, tick, ticks, race. */
#include <math.h>

#include "bench/shim.h"
#include "cl/roof.h"
#include "core/clock.h"
#include "worker/client.h"
#include "worker/server.h"

enum { PROFILED_RUNS_MAX = 41, BACK_TO_BACK_MAX = 5, RACE_BATCHES_MAX = 64, FLOOR_RUNS = 41, TICKS = 3 };

/* Of runs on the profiling queue: at least so many, and more while they take less than this together. */
enum { PROFILED_RUNS_MIN = 5 };
static const double PROFILED_S = 0.01;

/* One batch over data that has changed since the last one; the result of its last call is checked in full,
 * too. */
static enum red_status measure_batch(struct red_prepared *prepared, const json_t *question,
                                     struct red_gbench_time *time, struct red_error *error) {
    const uint64_t calls = (uint64_t)red_worker_read_real(question, "calls");
    const double wake_s = red_worker_read_real(question, "wake_s");
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
    status = red_prepared_check(prepared, error);
    return status == RED_OK && json_is_true(json_object_get(question, "doubts"))
               ? red_prepared_check_stale(prepared, error)
               : status;
}

json_t *red_worker_batch(struct red_worker *worker, const json_t *question, struct red_error *error) {
    struct red_case spec;
    struct red_prepared *prepared = NULL;
    struct red_gbench_time time;
    if (!red_worker_read_case(worker, question, "job", &spec, error) ||
        red_worker_prepared(worker, &spec, &prepared, error) != RED_OK ||
        red_prepared_begin(prepared, error) != RED_OK)
        return NULL;
    enum red_status status =
        red_prepared_end(prepared, measure_batch(prepared, question, &time, error), error);
    return status == RED_OK
               ? json_pack("{s:o, s:o}", "real_s", red_json_any_real(time.real_s / spec.reductions), "cpu_s",
                           red_json_any_real(time.cpu_s / spec.reductions))
               : NULL;
}

json_t *red_worker_profile(struct red_worker *worker, const json_t *question, struct red_error *error) {
    struct red_case spec;
    struct red_prepared *prepared = NULL;
    double times_s[PROFILED_RUNS_MAX], start_s = red_clock_s();
    size_t runs_n = 0;
    if (!red_worker_read_case(worker, question, "job", &spec, error) ||
        red_worker_prepared(worker, &spec, &prepared, error) != RED_OK)
        return NULL;
    enum red_status status = RED_OK;
    while (status == RED_OK && runs_n < PROFILED_RUNS_MAX &&
           (runs_n < PROFILED_RUNS_MIN || red_clock_s() - start_s < PROFILED_S))
        status = red_plan_run_profiled(prepared->plan, &times_s[runs_n++], error);
    return status == RED_OK ? json_pack("{s:o}", "times_s", red_protocol_reals(times_s, runs_n)) : NULL;
}

/* Batches of calls, one enqueued behind the other; at least one batch. What calls that overlapped have
 * spoilt, a counter for example, shows in the next result. */
json_t *red_worker_back_to_back(struct red_worker *worker, const json_t *question, struct red_error *error) {
    struct red_case spec;
    struct red_prepared *prepared = NULL;
    double batches_s[BACK_TO_BACK_MAX], start_s = red_clock_s();
    uint64_t calls_n = (uint64_t)red_worker_read_real(question, "calls");
    size_t batches_n = 0;
    if (!red_worker_read_case(worker, question, "job", &spec, error) ||
        red_worker_prepared(worker, &spec, &prepared, error) != RED_OK)
        return NULL;
    enum red_status status = RED_OK;
    while (status == RED_OK && batches_n < BACK_TO_BACK_MAX &&
           (batches_n == 0 || red_clock_s() - start_s < PROFILED_S))
        status = red_plan_run_back_to_back(prepared->plan, calls_n, &batches_s[batches_n++], error);
    if (status == RED_OK && red_prepared_call(prepared) != 0)
        status = red_fail(error, prepared->error.status, "%s", prepared->error.text);
    if (status == RED_OK)
        status = red_prepared_check(prepared, error);
    return status == RED_OK ? json_pack("{s:o}", "times_s", red_protocol_reals(batches_s, batches_n)) : NULL;
}

json_t *red_worker_floor(struct red_worker *worker, const json_t *question, struct red_error *error) {
    double times_s[FLOOR_RUNS];
    (void)question;
    return red_floor_find(worker->device, times_s, FLOOR_RUNS, error) == RED_OK
               ? json_pack("{s:o}", "times_s", red_protocol_reals(times_s, FLOOR_RUNS))
               : NULL;
}

json_t *red_worker_ticks(struct red_worker *worker, const json_t *question, struct red_error *error) {
    struct red_clock_sample ticks[RED_CLOCK_SAMPLES_N];
    (void)question;
    return red_clock_samples_take(worker->device, ticks, error) == RED_OK
               ? json_pack("{s:o}", "ticks", red_protocol_ticks(ticks))
               : NULL;
}

/* The shortest of a few launches: what a device's clock makes of fixed work. */
json_t *red_worker_tick(struct red_worker *worker, const json_t *question, struct red_error *error) {
    double took_s = INFINITY;
    for (int i = 0; i < TICKS; i++) {
        struct red_clock_sample tick;
        if (red_clock_sample_take(worker->device, (uint32_t)red_worker_read_real(question, "steps"), &tick,
                                  error) != RED_OK)
            return NULL;
        took_s = fmin(took_s, tick.end_s - tick.begin_s);
    }
    return json_pack("{s:o}", "took_s", red_json_any_real(took_s));
}

/* Batches one after the other, each from the end of the one before, so that nothing between them is lost. */
static enum red_status time_batches(struct red_prepared *prepared, uint64_t calls, size_t batches_n,
                                    uint64_t stamps_ns[RED_BATCHES_MAX + 1], struct red_error *error) {
    stamps_ns[0] = red_clock_ns();
    for (size_t batch = 1; batch <= batches_n; batch++) {
        for (uint64_t i = 0; i < calls; i++)
            if (red_prepared_call(prepared) != 0)
                return red_fail(error, prepared->error.status, "%s", prepared->error.text);
        stamps_ns[batch] = red_clock_ns();
    }
    return RED_OK;
}

/* What a duel asks for: the clock's own stamps, which the other side can check against its own. */
json_t *red_worker_batches(struct red_worker *worker, const json_t *question, struct red_error *error) {
    struct red_case spec;
    struct red_prepared *prepared = NULL;
    uint64_t stamps_ns[RED_BATCHES_MAX + 1], calls = (uint64_t)red_worker_read_real(question, "calls");
    size_t batches_n = (size_t)fmin(red_worker_read_real(question, "batches"), RED_BATCHES_MAX);
    bool check_stale = json_is_true(json_object_get(question, "doubts"));
    if (!red_worker_read_case(worker, question, "job", &spec, error) ||
        red_worker_prepared(worker, &spec, &prepared, error) != RED_OK ||
        red_prepared_begin(prepared, error) != RED_OK)
        return NULL;
    enum red_status status = time_batches(prepared, calls, batches_n, stamps_ns, error);
    if (status == RED_OK)
        status = red_prepared_check(prepared, error);
    if (status == RED_OK && check_stale)
        status = red_prepared_check_stale(prepared, error);
    return red_prepared_end(prepared, status, error) == RED_OK
               ? json_pack("{s:o}", "stamps_ns", red_protocol_stamps(stamps_ns, batches_n + 1))
               : NULL;
}

/* ---- two cases in one process -------------------------------------------------------------------------- */

static enum red_status time_calls(struct red_prepared *prepared, uint64_t calls, double *call_s,
                                  struct red_error *error) {
    uint64_t untimed_n = red_gbench_untimed(calls);
    double start_s = red_clock_s();
    for (uint64_t i = 0; i < untimed_n + calls; i++) {
        if (i == untimed_n)
            start_s = red_clock_s();
        if (red_prepared_call(prepared) != 0)
            return red_fail(error, prepared->error.status, "%s", prepared->error.text);
    }
    *call_s = (red_clock_s() - start_s) / (double)calls;
    return RED_OK;
}

static enum red_status time_batch(struct red_prepared *prepared, uint64_t calls, double *call_s,
                                  struct red_error *error) {
    enum red_status status = red_prepared_begin(prepared, error);
    return status == RED_OK ? red_prepared_end(prepared, time_calls(prepared, calls, call_s, error), error)
                            : status;
}

static enum red_status race(struct red_prepared prepared_cases[2], double batch_s, size_t batches_n,
                            double samples_s[2][RACE_BATCHES_MAX], struct red_error *error) {
    uint64_t calls[2] = {1, 1};
    enum red_status status = RED_OK;
    for (unsigned side = 0; side < 2 && status == RED_OK; side++) {
        struct red_call_time time;
        status = red_prepared_time(&prepared_cases[side], 1, 0, &time, error);
        if (status == RED_OK)
            status = red_prepared_time(&prepared_cases[side], 3, 0.01, &time, error);
        if (status == RED_OK && time.shortest_s < batch_s)
            calls[side] = (uint64_t)(batch_s / time.shortest_s);
    }
    for (size_t i = 0; i < 2 * batches_n && status == RED_OK; i++) {
        size_t round = i / 2, side = (i + round) % 2;
        status = time_batch(&prepared_cases[side], calls[side], &samples_s[side][round], error);
    }
    return status;
}

/* Batches of both in turns; which one begins alternates. */
json_t *red_worker_race(struct red_worker *worker, const json_t *question, struct red_error *error) {
    static const char *const keys[2] = {"job", "other"};
    struct red_prepared prepared_cases[2] = {{.plan = NULL}, {.plan = NULL}};
    double samples_s[2][RACE_BATCHES_MAX];
    size_t batches_n = (size_t)fmin(red_worker_read_real(question, "batches"), RACE_BATCHES_MAX);
    struct red_case cases[2];
    bool good = true;
    for (unsigned side = 0; side < 2 && good; side++)
        good = red_worker_read_case(worker, question, keys[side], &cases[side], error);
    if (good && !red_data_is_same(&cases[0].data, &cases[1].data))
        good = red_fail(error, RED_E_INPUT, "a race over different data") == RED_OK;
    for (unsigned side = 0; side < 2 && good; side++)
        good = red_worker_prepared_make(worker, &cases[side], &prepared_cases[side], error) == RED_OK;
    good = good && race(prepared_cases, red_worker_read_real(question, "batch_s"), batches_n, samples_s,
                        error) == RED_OK;
    red_prepared_clear(&prepared_cases[0]);
    red_prepared_clear(&prepared_cases[1]);
    return good ? json_pack("{s:o, s:o}", "job_s", red_protocol_reals(samples_s[0], batches_n), "other_s",
                            red_protocol_reals(samples_s[1], batches_n))
                : NULL;
}
