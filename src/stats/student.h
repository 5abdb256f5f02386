/* Student's t for a mean that a few strange values do not move.
 *
 * Of n values the floor(trim n) lowest and highest are left out. The mean of the h others, with the standard
 * error sqrt(w / (h (h - 1))), where w is the sum of squared deviations after each of those left out has
 * taken the value of its nearest neighbour among the others, has Student's t with h - 1 degrees (Tukey and
 * McLaughlin, Less vulnerable confidence and significance procedures for location, 1963; Yuen, The two-sample
 * trimmed t for unequal population variances, 1974). With trim 0 that is the mean and its usual error. */
#ifndef CLREDUCE_STATS_STUDENT_H
#define CLREDUCE_STATS_STUDENT_H

#include <stddef.h>

struct red_student {
    double mean, error; /* INFINITY of fewer than two */
    size_t n;           /* that were not left out */
};

/* Of n values, which stay as they are; trim from 0 to 0.25. `room` is for n more. No value: mean 0. */
struct red_student red_student_of(const double *values, size_t n, double trim, double *room);

/* Half the width of the interval that misses on either side with this chance. INFINITY of fewer than two. */
double red_student_half_width(const struct red_student *found, double chance);

/* The chance of such a mean, or one further above, if the truth were `truth`. 1 of fewer than two; without
 * any spread 0 above the truth and 1 otherwise. */
double red_student_p_above(const struct red_student *found, double truth);

/* The two-sided chance of means so far apart if the truths were equal (Welch, The generalization of
 * "Student's" problem, 1947, with the degrees of the smaller sample, which errs to the safe side). 1 of fewer
 * than two; without any spread 0 where they differ and 1 otherwise. */
double red_student_p_apart(const struct red_student *a, const struct red_student *b);

#endif
