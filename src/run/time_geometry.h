/* To time a geometry of a strategy on one data set: how long a call takes, and whether one geometry is really
 * faster than another. For --tune. */
#ifndef CLREDUCE_RUN_TIME_GEOMETRY_H
#define CLREDUCE_RUN_TIME_GEOMETRY_H

#include "stats/statistics.h"
#include "worker/client.h"

struct red_geometry_timing {
    const struct red_strategy *strategy;
    struct red_client *client;
    struct red_data_spec data;
    double clock_step_s;
};

/* The shortest of many calls, after one that is not counted. It is reached from smaller n by factors of 16:
 * what is projected to take longer than limit_s is given up. Errors: RED_E_UNSUPPORTED where the strategy
 * cannot run so, or is given up; RED_E_WRONG with the evidence if a result was wrong or the data was
 * overwritten (it is restored then); and those of red_client_time_calls. */
enum red_status red_geometry_time(const struct red_geometry_timing *trial, const struct red_tuning *tuning,
                                  double limit_s, double *call_s, struct red_error *error);

/* Batches of calls of both in turns over the first n elements; which one begins alternates. Both have been
 * timed before. Errors: those of red_client_race. */
enum red_status red_geometry_race(const struct red_geometry_timing *trial, const struct red_tuning tunings[2],
                                  uint64_t n, struct red_statistics times[2], struct red_error *error);

#endif
