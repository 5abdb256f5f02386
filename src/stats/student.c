#include "stats/student.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <string.h>

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
