/* Statistics of a cell's samples: the median with its interval (bench, report), and the trimmed Student's t
 * (gate/judge.c). */
#ifndef CLREDUCE_STATS_STATISTICS_H
#define CLREDUCE_STATS_STATISTICS_H

#include <stdbool.h>
#include <stddef.h>

#include "core/status.h"
#include "model/case.h"

/* All in the samples' unit, seconds. */
struct red_statistics {
    size_t n;
    double min, max, median, mean;
    double low,
        high; /* distribution-free interval of the median at 95 % or more, by order statistics (Hahn and
                 Meeker, Statistical Intervals, 1991, section 5.2); below 6 samples minimum and maximum */
    bool is_incomparable; /* the machine was not steady while it was measured: the samples do not show how far
                         off it is (results/steadiness.h) */
};

/* Describes n >= 1 samples, which stay as they are. Errors: RED_E_MEMORY. */
enum red_status red_statistics_find(const double *samples, size_t n, struct red_statistics *statistics,
                                    struct red_error *error);

/* -1 if a is faster than b, 1 if slower, 0 if the intervals of the medians overlap, or one is incomparable.
 */
int red_statistics_compare(const struct red_statistics *a, const struct red_statistics *b);

/* ---- Student's t -----------------------------------------------------------------------------------------
 * A mean that a few strange values do not move. Of n values the floor(trim n) lowest and highest are left
 * out. The mean of the h others, with the standard error sqrt(w / (h (h - 1))), where w is the sum of squared
 * deviations after each of those left out has taken the value of its nearest neighbour among the others, has
 * Student's t with h - 1 degrees (Tukey and McLaughlin, Less vulnerable confidence and significance
 * procedures for location, 1963; Yuen, The two-sample trimmed t for unequal population variances, 1974). With
 * trim 0 that is the mean and its usual error. */

struct red_student {
    double mean, error; /* INFINITY of fewer than two */
    size_t n;           /* that were not left out */
};

/* Finds them for n values, which stay as they are; trim is from 0 to 0.25. `room` is for n more. No
 * value has mean 0. */
struct red_student red_student_of(const double *values, size_t n, double trim, double *room);

/* Half the width of the interval that misses on either side with this chance each. INFINITY of fewer than
 * two. */
double red_student_half_width(const struct red_student *found, double chance_per_side);

/* The chance of such a mean, or one further above, if the truth were `truth`. 1 of fewer than two; without
 * any spread 0 above the truth and 1 otherwise. */
double red_student_p_value_above(const struct red_student *found, double truth);

/* The two-sided chance of means so far apart if the truths were equal (Welch, The generalization of
 * "Student's" problem, 1947, with the degrees of the smaller sample, which errs to the safe side). 1 of fewer
 * than two; without any spread 0 where they differ and 1 otherwise. */
double red_student_p_value_apart(const struct red_student *a, const struct red_student *b);

/* The event-clock check: whether event times can be believed. `devices` prints what it says. */

struct red_event_clock {
    bool checked, trusted;
    char reason[160];  /* why not trusted, in words; empty where it is */
    double quantum_ns; /* the step of the driver's clock as it showed: the greatest common divisor of all
                          differences between stamps */
    double r_squared;  /* of START to END against steps, shortest of each size; 1 is a straight line */
    double scale;      /* seconds of START to END per second of the host's clock, by the slopes */
    double drift; /* by how much the driver's clock runs ahead of the host's, relative, over all launches */
};

/* Judges launches of known work. Trusted are stamps in the order QUEUED <= SUBMIT <= START <= END, of which
 * START to END is never longer than the host waited, grows in a straight line with the work (R^2 > 0.999 over
 * the shortest launch of each size) and as fast as on the host's clock (within a quarter), in steps of less
 * than a tenth of the longest, from a clock that runs as fast as the host's (within 1 % between two launches
 * after whose END the host knew soonest). The first check that fails gives the reason. */
void red_event_clock_judge(const struct red_clock_sample clock_samples[RED_CLOCK_SAMPLES_N],
                           struct red_event_clock *event_clock);

#endif
