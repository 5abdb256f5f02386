/* Searching one strategy's geometries for the fastest one. */
#ifndef CLREDUCE_RUN_HILL_CLIMB_H
#define CLREDUCE_RUN_HILL_CLIMB_H

#include "run/time_geometry.h"

enum { RED_HILL_CLIMB_MAX = 192 };

struct red_candidate {
    struct red_tuning tuning;
    double call_s; /* infinite if it cannot run, or takes too long */
};

/* What has been tried, and how it ended. */
struct red_hill_climb {
    struct red_candidate tried[RED_HILL_CLIMB_MAX]; /* the default first */
    size_t tried_n;
    size_t best;
    struct red_tuning wrong; /* the first candidate that was wrong or does not build, */
    struct red_error error;  /* and the evidence; RED_OK if there was none */
};

/* Whether a strategy leaves anything to choose. */
bool red_hill_climb_has_choice(const struct red_strategy *strategy);

/* Coordinate descent from the default: along one of group size, number of groups, width and loads at a time
 * it walks up and down for as long as that helps, until nothing does, or the time is over. limits     the
 * device's budget_s   for all; a call of the default may take limit_s Errors: those of red_geometry_time for
 * the default. What other candidates fail by stands in *search. */
enum red_status red_hill_climb_run(const struct red_geometry_timing *trial,
                                   const struct red_shape_limits *limits, double budget_s, double limit_s,
                                   struct red_hill_climb *search, struct red_error *error);

#endif
