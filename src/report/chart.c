#include "report/chart.h"

#include <stdio.h>
#include <stdlib.h>

struct red_line *red_chart_add_line(struct red_chart *chart, const char *name, unsigned colour, bool dashed) {
    if (chart->lines_n == RED_CHART_LINES_MAX)
        return NULL;
    struct red_line *line = &chart->lines[chart->lines_n++];
    *line = (struct red_line){.colour = colour, .marker = (unsigned)chart->lines_n, .dashed = dashed};
    snprintf(line->name, sizeof line->name, "%s", name);
    return line;
}

/* A file may hold any number; no time and no size is beyond these. */
static bool has_place(double value) {
    return value > 1e-30 && value < 1e30;
}

enum red_status red_line_add(struct red_line *line, struct red_point point, struct red_error *error) {
    if (!has_place(point.x) || !has_place(point.y))
        return RED_OK;
    point.low = has_place(point.low) ? point.low : point.y;
    point.high = has_place(point.high) ? point.high : point.y;
    struct red_point *grown = realloc(line->points, (line->points_n + 1) * sizeof *grown);
    if (grown == NULL)
        return red_fail(error, RED_E_MEMORY, "no memory for a picture");
    line->points = grown;
    line->points[line->points_n++] = point;
    return RED_OK;
}

enum red_status red_chart_add_tile(struct red_chart *chart, struct red_tile tile, struct red_error *error) {
    struct red_tile *grown = realloc(chart->tiles, (chart->tiles_n + 1) * sizeof *grown);
    if (grown == NULL)
        return red_fail(error, RED_E_MEMORY, "no memory for a picture");
    chart->tiles = grown;
    chart->tiles[chart->tiles_n++] = tile;
    return RED_OK;
}

bool red_chart_is_empty(const struct red_chart *chart) {
    size_t points_n = 0;
    for (size_t i = 0; i < chart->lines_n; i++)
        points_n += chart->lines[i].points_n;
    return points_n == 0 && chart->tiles_n == 0;
}

void red_chart_clear(struct red_chart *chart) {
    for (size_t i = 0; i < chart->lines_n; i++)
        free(chart->lines[i].points);
    free(chart->tiles);
    *chart = (struct red_chart){.lines_n = 0};
}
