/* Computes the median with its interval (bench), and Student's t (duel), with GSL. */
#include "stats/statistics.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The k-th smallest and k-th largest of n enclose the median with probability 1 - 2 P(B(n, 1/2) <= k - 1). */
static size_t interval_rank(size_t n) {
    size_t k = 1;
    while (k < n / 2 && 2 * gsl_cdf_binomial_P((unsigned)k, 0.5, (unsigned)n) <= 0.05)
        k++;
    return k;
}

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

int red_statistics_compare(const struct red_statistics *a, const struct red_statistics *b) {
    return a->high < b->low ? -1 : a->low > b->high ? 1 : 0;
}

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

double red_student_half_width(const struct red_student *found, double chance) {
    return found->n < 2 ? INFINITY : found->error * gsl_cdf_tdist_Qinv(chance, (double)found->n - 1);
}

/* The chance of such a distance above, by Student's t of n - 1 degrees. */
static double p_beyond(double distance, double error, size_t n) {
    if (n < 2)
        return 1;
    if (!(error > 0))
        return distance > 0 ? 0 : 1;
    return gsl_cdf_tdist_Q(distance / error, (double)n - 1);
}

double red_student_p_above(const struct red_student *found, double truth) {
    return p_beyond(found->mean - truth, found->error, found->n);
}

double red_student_p_apart(const struct red_student *a, const struct red_student *b) {
    double p = p_beyond(fabs(a->mean - b->mean), hypot(a->error, b->error), a->n < b->n ? a->n : b->n);
    return fmin(1, 2 * p);
}
