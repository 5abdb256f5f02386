/* Computes the median with its interval of a cell's samples (run/measure.c, gate/print.c) and Student's t of
 * a duel (gate/judge.c), with GSL, and checks a driver's event times. */
#include "stats/statistics.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_fit.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The k-th smallest and k-th largest of n enclose the median with probability 1 - 2 P(B(n, 1/2) <= k - 1). */
static size_t interval_rank(size_t n) {
    size_t k = 1;
    while (k < n / 2 && 2 * gsl_cdf_binomial_P((unsigned)k, 0.5, (unsigned)n) <= 0.05)
        k++;
    return k;
}

/* Seen as "time_to_answer" in the JSON, and in the tables of times; bench/emitting/emitted.c
 * prints it. */
enum red_status red_statistics_find(const double *samples, size_t n, struct red_statistics *statistics,
                                    struct red_error *error) {
    double *sorted = malloc(n * sizeof *sorted);
    if (sorted == NULL)
        return red_fail(error, RED_E_MEMORY, "no memory for statistics");
    memcpy(sorted, samples, n * sizeof *sorted);
    gsl_sort(sorted, 1, n);
    size_t k = interval_rank(n);
    *statistics = (struct red_statistics){
        .n = n,
        .min = sorted[0],
        .max = sorted[n - 1],
        .median = gsl_stats_median_from_sorted_data(sorted, 1, n),
        .mean = gsl_stats_mean(sorted, 1, n),
        .low = sorted[k - 1],
        .high = sorted[n - k],
    };
    free(sorted);
    return RED_OK;
}

/* 0 is "*" and "~" of the console table, "tied with" of its summary, hatched in the report's heat map. */
int red_statistics_compare(const struct red_statistics *a, const struct red_statistics *b) {
    if (a->is_incomparable || b->is_incomparable)
        return 0;
    return a->high < b->low ? -1 : a->low > b->high ? 1 : 0;
}

/* ---- Student's t -----------------------------------------------------------------------------------------
 * `values` are logarithms of head by base of a case's process pairs, or how they shift; `found` is
 * red_student_of's. The user sees the ratio with its interval, the p, and the verdict. */

struct red_student red_student_of(const double *values, size_t n, double trim, double *room) {
    size_t out_n = (size_t)(trim * (double)n), h = n - 2 * out_n;
    struct red_student found = {.n = h, .mean = 0, .error = INFINITY};
    if (n == 0)
        return found;
    memcpy(room, values, n * sizeof *values);
    gsl_sort(room, 1, n);
    found.mean = gsl_stats_mean(room + out_n, 1, h);
    for (size_t i = 0; i < out_n; i++) {
        room[i] = room[out_n];
        room[n - 1 - i] = room[n - 1 - out_n];
    }
    if (h >= 2)
        found.error = sqrt(gsl_stats_tss(room, 1, n) / (double)(h * (h - 1)));
    return found;
}

double red_student_half_width(const struct red_student *found, double chance_per_side) {
    return found->n < 2 ? INFINITY : found->error * gsl_cdf_tdist_Qinv(chance_per_side, (double)found->n - 1);
}

/* The chance of such a distance or more, by Student's t of n - 1 degrees. */
static double p_beyond(double distance, double error, size_t n) {
    if (n < 2)
        return 1;
    if (!(error > 0))
        return distance > 0 ? 0 : 1;
    return gsl_cdf_tdist_Q(distance / error, (double)n - 1);
}

double red_student_p_value_above(const struct red_student *found, double truth) {
    return p_beyond(found->mean - truth, found->error, found->n);
}

double red_student_p_value_apart(const struct red_student *a, const struct red_student *b) {
    double p = p_beyond(fabs(a->mean - b->mean), hypot(a->error, b->error), a->n < b->n ? a->n : b->n);
    return fmin(1, 2 * p);
}

/* ---- event times -----------------------------------------------------------------------------------------
 * Judged by clock samples, which worker/client_asks.c asks a worker for (question `ticks`). Seen as column
 * "event times" of `devices`, of a report and of compare --drivers, as "event_times" in the JSON, and as a
 * message of bench; a cell has no device time where they are untrusted. */

static const double R_SQUARED_MIN = 0.999, SCALE_MAX = 1.25, DRIFT_MAX = 0.01, QUANTUM_SHARE_MAX = 0.1;

/* START to END by the driver's clock. */
static double event_time_s(const struct red_clock_sample *clock_sample) {
    return 1e-9 * ((double)clock_sample->end - (double)clock_sample->start);
}

/* From before the launch until it was waited for, by the host's clock. */
static double host_time_s(const struct red_clock_sample *clock_sample) {
    return clock_sample->end_s - clock_sample->begin_s;
}

static uint64_t greatest_common_divisor(uint64_t a, uint64_t b) {
    while (b != 0) {
        uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* The step of the driver's clock, in ns: the greatest common divisor of the differences between stamps. */
static double find_quantum_ns(const struct red_clock_sample *clock_samples) {
    uint64_t quantum = 0, first = clock_samples[0].start;
    for (size_t i = 0; i < RED_CLOCK_SAMPLES_N; i++) {
        const uint64_t stamps[] = {clock_samples[i].queued, clock_samples[i].submit, clock_samples[i].start,
                                   clock_samples[i].end};
        for (size_t s = 0; s < 4; s++)
            quantum =
                greatest_common_divisor(quantum, stamps[s] > first ? stamps[s] - first : first - stamps[s]);
    }
    return (double)quantum;
}

/* The shortest launch of each size: disturbances make a launch longer, never shorter. */
struct shortest_launches {
    double steps[RED_CLOCK_SAMPLE_SIZES], event_s[RED_CLOCK_SAMPLE_SIZES], host_s[RED_CLOCK_SAMPLE_SIZES];
};

static void find_shortest_launches(const struct red_clock_sample *clock_samples,
                                   struct shortest_launches *shortest) {
    for (size_t size = 0; size < RED_CLOCK_SAMPLE_SIZES; size++) {
        shortest->steps[size] = clock_samples[size].steps;
        shortest->event_s[size] = shortest->host_s[size] = INFINITY;
        for (size_t i = size; i < RED_CLOCK_SAMPLES_N; i += RED_CLOCK_SAMPLE_SIZES) {
            shortest->event_s[size] = fmin(shortest->event_s[size], event_time_s(&clock_samples[i]));
            shortest->host_s[size] = fmin(shortest->host_s[size], host_time_s(&clock_samples[i]));
        }
    }
}

/* By how much y grows with x, by least squares over all sizes of launch. */
static double slope_of(const double *x, const double *y) {
    double at_0, per_x, cov_00, cov_01, cov_11, rest;
    gsl_fit_linear(x, 1, y, 1, RED_CLOCK_SAMPLE_SIZES, &at_0, &per_x, &cov_00, &cov_01, &cov_11, &rest);
    return per_x;
}

/* The launch from `begin` to before `end` with the least delay from END to the host's own reading. */
static const struct red_clock_sample *launch_with_least_delay(const struct red_clock_sample *clock_samples,
                                                              size_t begin, size_t end) {
    const struct red_clock_sample *best = &clock_samples[begin];
    for (size_t i = begin; i < end; i++) {
        double known_s = clock_samples[i].end_s - best->end_s;
        double ended_s = 1e-9 * ((double)clock_samples[i].end - (double)best->end);
        if (known_s < ended_s)
            best = &clock_samples[i];
    }
    return best;
}

/* By how much the driver's clock runs ahead of the host's, as a share; below 0: behind. */
static double relative_drift(const struct red_clock_sample *clock_samples) {
    const struct red_clock_sample *early = launch_with_least_delay(clock_samples, 0, RED_CLOCK_SAMPLES_N / 2);
    const struct red_clock_sample *late =
        launch_with_least_delay(clock_samples, RED_CLOCK_SAMPLES_N / 2, RED_CLOCK_SAMPLES_N);
    return 1e-9 * ((double)late->end - (double)early->end) / (late->end_s - early->end_s) - 1;
}

/* Writes why event times cannot be believed, which `devices` and the report print, to ->reason alone. Always
 * false, for the caller to return. */
__attribute__((format(printf, 2, 3))) static bool refuse_with_reason(struct red_event_clock *event_clock,
                                                                     const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(event_clock->reason, sizeof event_clock->reason, format, arguments);
    va_end(arguments);
    return false;
}

/* Whether the stamps of one launch can be true; if not, writes the reason. */
static bool are_stamps_possible(const struct red_clock_sample *clock_sample,
                                struct red_event_clock *event_clock) {
    double slack_s = 1e-6 + 2e-9 * event_clock->quantum_ns;
    if (clock_sample->end < clock_sample->start)
        return refuse_with_reason(event_clock, "END is %llu ns before START",
                                  (unsigned long long)(clock_sample->start - clock_sample->end));
    if (clock_sample->start < clock_sample->submit)
        return refuse_with_reason(event_clock, "SUBMIT is %llu ns after START",
                                  (unsigned long long)(clock_sample->submit - clock_sample->start));
    if (clock_sample->submit < clock_sample->queued)
        return refuse_with_reason(event_clock, "QUEUED is %llu ns after SUBMIT",
                                  (unsigned long long)(clock_sample->queued - clock_sample->submit));
    if (event_time_s(clock_sample) > 1.05 * host_time_s(clock_sample) + slack_s)
        return refuse_with_reason(event_clock,
                                  "START to END is %.3g s of a launch for which the host waited %.3g s",
                                  event_time_s(clock_sample), host_time_s(clock_sample));
    return true;
}

/* Whether event times can be trusted; if not, writes the reason that `devices` prints. */
static bool is_event_clock_trusted(const struct red_clock_sample *clock_samples,
                                   const struct shortest_launches *shortest,
                                   struct red_event_clock *event_clock) {
    const struct red_clock_sample *longest = &clock_samples[RED_CLOCK_SAMPLES_N - 1];
    if (event_clock->quantum_ns <= 0)
        return refuse_with_reason(event_clock, "all stamps are the same");
    for (size_t i = 0; i < RED_CLOCK_SAMPLES_N; i++)
        if (!are_stamps_possible(&clock_samples[i], event_clock))
            return false;
    if (longest->end == longest->start && event_clock->quantum_ns < 1e9 * host_time_s(longest))
        return refuse_with_reason(event_clock, "END is START, of a launch that took %.3g s",
                                  host_time_s(longest));
    if (1e-9 * event_clock->quantum_ns > QUANTUM_SHARE_MAX * shortest->host_s[RED_CLOCK_SAMPLE_SIZES - 1])
        return refuse_with_reason(event_clock, "the clock steps by %.3g ms", 1e-6 * event_clock->quantum_ns);
    if (!(event_clock->r_squared > R_SQUARED_MIN))
        return refuse_with_reason(event_clock, "START to END does not grow with the work (R^2 %.4f)",
                                  event_clock->r_squared);
    if (!(event_clock->scale < SCALE_MAX && event_clock->scale > 1 / SCALE_MAX))
        return refuse_with_reason(event_clock, "START to END grows %.3g times as fast as the host's time",
                                  event_clock->scale);
    if (!(fabs(event_clock->drift) < DRIFT_MAX))
        return refuse_with_reason(event_clock, "the clock runs %.3g %% off the host's",
                                  100 * event_clock->drift);
    return true;
}

void red_event_clock_judge(const struct red_clock_sample clock_samples[RED_CLOCK_SAMPLES_N],
                           struct red_event_clock *event_clock) {
    struct shortest_launches shortest;
    *event_clock = (struct red_event_clock){.checked = true, .quantum_ns = find_quantum_ns(clock_samples)};
    find_shortest_launches(clock_samples, &shortest);
    double correlation =
        gsl_stats_correlation(shortest.steps, 1, shortest.event_s, 1, RED_CLOCK_SAMPLE_SIZES);
    event_clock->r_squared = correlation > 0 ? correlation * correlation : 0;
    event_clock->scale = slope_of(shortest.host_s, shortest.event_s);
    event_clock->drift = relative_drift(clock_samples);
    event_clock->trusted = is_event_clock_trusted(clock_samples, &shortest, event_clock);
}
