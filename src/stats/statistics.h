/* Statistics of a cell's samples (GSL does the arithmetic). */
#ifndef CLREDUCE_STATS_STATISTICS_H
#define CLREDUCE_STATS_STATISTICS_H

#include <stdbool.h>
#include <stddef.h>

#include "core/status.h"

/* All in the samples' unit, seconds. */
struct red_statistics {
    size_t n;
    double min, max, median, mean;
    double low,
        high; /* distribution-free interval of the median at 95 % or more, by order statistics (Hahn and
                 Meeker, Statistical Intervals, 1991, section 5.2); below 6 samples minimum and maximum */
};

/* Describes n >= 1 samples, which stay as they are. Errors: RED_E_MEMORY. */
enum red_status red_statistics_find(const double *samples, size_t n, struct red_statistics *statistics,
                                    struct red_error *error);

/* -1 if a is faster than b, 1 if slower, 0 if the intervals of the medians overlap. */
int red_statistics_compare(const struct red_statistics *a, const struct red_statistics *b);

#endif
