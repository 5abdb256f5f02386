/* The event-clock check: whether event times can be believed. `devices` prints what it says. */
#ifndef CLREDUCE_STATS_EVENT_CLOCK_H
#define CLREDUCE_STATS_EVENT_CLOCK_H

#include <stdbool.h>

#include "model/case.h"

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
void red_event_clock_judge(const struct red_clock_sample ticks[RED_CLOCK_SAMPLES_N],
                           struct red_event_clock *event_clock);

#endif
