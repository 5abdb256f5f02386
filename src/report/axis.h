/* Ticks of a logarithmic axis, few enough to be read and labelled in the axis' unit. */
#ifndef CLREDUCE_REPORT_AXIS_H
#define CLREDUCE_REPORT_AXIS_H

#include "report/chart.h"

enum { RED_AXIS_TICKS_ROOM = 256 };

struct red_axis_ticks {
    double values[RED_AXIS_TICKS_ROOM]; /* ascending */
    char labels[RED_AXIS_TICKS_ROOM][24];
    size_t n;
};

/* Adds a value that is not there yet; what has no room is left out. */
void red_axis_ticks_take(struct red_axis_ticks *ticks, double value);

/* Labels values as sizes, "2^20", and drops all but every k-th so that at most max are left. */
void red_axis_ticks_label_sizes(struct red_axis_ticks *ticks, size_t max);

/* Makes at most max ticks, if there are round numbers for it at least two, within low and high. */
void red_axis_ticks_make(struct red_axis_ticks *ticks, enum red_axis axis, double low, double high,
                         size_t max);

/* "10 us", "2x", "3.5 GB/s": three digits. */
void red_axis_print(enum red_axis axis, double value, char *text, size_t text_bytes);

#endif
