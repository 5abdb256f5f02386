#include "stats/statistics.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
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
