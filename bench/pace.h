/* How long a check will take, from checks that were made. */
#ifndef CLREDUCE_BENCH_PACE_H
#define CLREDUCE_BENCH_PACE_H

#include <stdint.h>

/* All zero: nothing is known, and nothing is expected to take any time. */
struct red_pace {
    double s_per_element;
};

/* A check of n elements was made, and the fastest of its calls took call_s. Contention can cost a check a
 * hundred times another of its size: the slowest check counts. Small n teach nothing, since a launch or one
 * turn of another process outweighs them. */
void red_pace_learn(struct red_pace *pace, uint64_t n, double call_s);

/* Seconds that the calls of a check of n elements are expected to take, in proportion to n; from `wider`
 * where nothing is known of `own`. */
double red_pace_check_s(const struct red_pace *own, const struct red_pace *wider, uint64_t n);

#endif
