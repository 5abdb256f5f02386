#include "run/time_geometry.h"

#include <math.h>

/* ---- timing ----------------------------------------------------------------------------------------------
 */

enum { STEP = 16, SMALLEST_N = 1024 };

/* At the data's own n a candidate is called until it is known well, at smaller n to see whether to go on. */
static const struct effort {
    unsigned calls_max;
    double limit_s;
} glance = {3, 0.01}, look = {400, 0.02};

static struct red_case case_of(const struct red_geometry_timing *trial, const struct red_tuning *tuning,
                               uint64_t n) {
    struct red_case spec = red_case_make(&trial->data, trial->strategy, tuning);
    spec.n = n;
    return spec;
}

static enum red_status time_at(const struct red_geometry_timing *trial, const struct red_tuning *tuning,
                               uint64_t n, double *call_s, struct red_error *error) {
    const struct effort *effort = n == trial->data.n ? &look : &glance;
    const struct red_case spec = case_of(trial, tuning, n);
    struct red_error found = {.text = ""};
    enum red_status status =
        red_client_time_calls(trial->client, &spec, effort->calls_max, effort->limit_s, 0, call_s, &found);
    return status == RED_OK ? RED_OK : red_fail(error, status, "%.3000s (while tuning)", found.text);
}

/* Launching costs as much for few elements as for many, and a busy machine makes it look worse: below a
 * millisecond trying is cheaper than guessing. */
static bool is_hopeless(double call_s, double times_n, double limit_s) {
    const double cheap_s = 1e-3;
    return call_s > cheap_s && call_s * times_n > limit_s;
}

enum red_status red_geometry_time(const struct red_geometry_timing *trial, const struct red_tuning *tuning,
                                  double limit_s, double *call_s, struct red_error *error) {
    uint64_t all_n = trial->data.n, n = all_n;
    while (n / STEP >= SMALLEST_N)
        n /= STEP;
    for (;; n = n > all_n / STEP ? all_n : n * STEP) {
        enum red_status status = time_at(trial, tuning, n, call_s, error);
        double times_n = (double)all_n / (double)(n ? n : 1);
        if (status != RED_OK || n == all_n)
            return status;
        if (is_hopeless(*call_s, times_n, limit_s))
            return red_fail(error, RED_E_UNSUPPORTED, "one call would take about %.3g s", *call_s * times_n);
    }
}

/* ---- racing ----------------------------------------------------------------------------------------------
 */

/* Enough for an interval of the median; each as short as a batch may be. */
enum { BATCHES_N = 12 };
static const double BATCH_S = 0.002;

enum red_status red_geometry_race(const struct red_geometry_timing *trial, const struct red_tuning tunings[2],
                                  uint64_t n, struct red_statistics times[2], struct red_error *error) {
    const struct red_case cases[2] = {case_of(trial, &tunings[0], n), case_of(trial, &tunings[1], n)};
    struct red_times samples[2];
    double batch_s = fmax(1000 * trial->clock_step_s, BATCH_S);
    enum red_status status = red_client_race(trial->client, cases, BATCHES_N, batch_s, samples, error);
    for (unsigned side = 0; side < 2 && status == RED_OK; side++)
        status = samples[side].n > 0
                     ? red_statistics_find(samples[side].s, samples[side].n, &times[side], error)
                     : red_fail(error, RED_E_DEVICE, "a race without times");
    return status;
}
