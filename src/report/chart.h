/* A picture before it is drawn: what it shows, not how. */
#ifndef CLREDUCE_REPORT_CHART_H
#define CLREDUCE_REPORT_CHART_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/status.h"

enum red_chart_kind {
    RED_CHART_LINES, /* y against a size, which is n or a group size, on a logarithmic axis */
    RED_CHART_TILES, /* one tile for each pair of named columns and rows */
    RED_CHART_BARS   /* named rows, each of parts that add up */
};

/* What the numbers of an axis are. */
enum red_axis {
    RED_AXIS_TIMES,   /* seconds, logarithmic: "10 us" */
    RED_AXIS_RATIO,   /* logarithmic: "2x" */
    RED_AXIS_RATE,    /* GB/s, logarithmic */
    RED_AXIS_SHARE,   /* logarithmic, of 1: "1e-3" */
    RED_AXIS_PERCENT, /* linear from 0 to 100 */
    RED_AXES_N
};

struct red_point {
    double x, y, low, high; /* low = high: no interval */
};

struct red_line {
    char name[96];
    unsigned colour, marker; /* indices of categories (palette.h) and markers; marker 0: none */
    bool dashed;
    struct red_point *points; /* owned by the chart; ascending in x */
    size_t points_n;
};

struct red_tile {
    size_t column, row;
    double shade;    /* 0 (best) to 1: how much worse; below 0: colour counts instead */
    unsigned colour; /* of a category */
    bool hatched;    /* a tie */
    char label[24];
};

enum { RED_CHART_NAMES_MAX = 64, RED_CHART_LINES_MAX = 16 };

struct red_chart {
    enum red_chart_kind kind;
    enum red_axis axis;
    unsigned number;                    /* within its page */
    char title[200], description[1024]; /* the description says in words what is to be seen */
    const char *x_label, *y_label;
    double mark;           /* a line across at this y; 0: none */
    const char *mark_name; /* of that line */
    struct red_line lines[RED_CHART_LINES_MAX];
    size_t lines_n;
    struct red_tile *tiles; /* owned */
    size_t tiles_n;
    char columns[RED_CHART_NAMES_MAX][64], rows[RED_CHART_NAMES_MAX][64];
    size_t columns_n, rows_n;
};

/* Adds a line without points; NULL if there are RED_CHART_LINES_MAX. */
struct red_line *red_chart_add_line(struct red_chart *chart, const char *name, unsigned colour, bool dashed);

/* Errors: RED_E_MEMORY. What has no place on a logarithmic axis is left out. */
enum red_status red_line_add(struct red_line *line, struct red_point point, struct red_error *error);
enum red_status red_chart_add_tile(struct red_chart *chart, struct red_tile tile, struct red_error *error);

/* Whether there is anything to be drawn. */
bool red_chart_is_empty(const struct red_chart *chart);
void red_chart_clear(struct red_chart *chart);

#endif
