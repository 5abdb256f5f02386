/* A chart before it is drawn, as SVG (svg.h) or in letters (page_text.c): its data, its scales and the
 * colours that it may have. */
#ifndef CLREDUCE_REPORT_CHART_H
#define CLREDUCE_REPORT_CHART_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "console/table.h"
#include "core/status.h"

enum red_chart_kind {
    RED_CHART_LINES,    /* y against a size, which is n or a group size, on a logarithmic axis */
    RED_CHART_HEAT_MAP, /* one field for each pair of named columns and rows */
    RED_CHART_BARS      /* named rows, each of parts that add up */
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

struct red_series {
    char name[96];
    unsigned colour, marker; /* indices of categories (palette.h) and markers; marker 0: none */
    bool dashed;
    struct red_point *points; /* owned by the chart; ascending in x */
    size_t points_n;
};

struct red_heat_field {
    size_t column, row;
    double shade;    /* 0 (best) to 1: how much worse; below 0: colour counts instead */
    unsigned colour; /* of a category */
    bool hatched;    /* a tie */
    char label[24];
};

enum { RED_CHART_NAMES_MAX = 64, RED_CHART_SERIES_MAX = 16 };

struct red_chart {
    enum red_chart_kind kind;
    enum red_axis axis;
    unsigned number;                    /* within its page */
    char title[200], description[1024]; /* the description says in words what is to be seen */
    const char *x_label, *y_label;
    double mark;           /* a line across at this y; 0: none */
    const char *mark_name; /* of that line */
    struct red_series series[RED_CHART_SERIES_MAX];
    size_t series_n;
    struct red_heat_field *fields; /* owned */
    size_t fields_n;
    char columns[RED_CHART_NAMES_MAX][64], rows[RED_CHART_NAMES_MAX][64];
    size_t columns_n, rows_n;
    struct red_table *table; /* owned: the figures that it shows */
    struct red_column table_columns[RED_TABLE_COLUMNS_MAX];
    char table_names[RED_TABLE_COLUMNS_MAX][80];
    size_t table_columns_n;
};

/* Adds a series without points; NULL if there are RED_CHART_SERIES_MAX. */
struct red_series *red_chart_add_series(struct red_chart *chart, const char *name, unsigned colour,
                                        bool dashed);

/* Errors: RED_E_MEMORY. What has no place on a logarithmic axis is left out. */
enum red_status red_series_add(struct red_series *series, struct red_point point, struct red_error *error);
enum red_status red_chart_add_field(struct red_chart *chart, struct red_heat_field field,
                                    struct red_error *error);

/* Appends a column; what has no room is dropped. */
void red_chart_add_column(struct red_chart *chart, const char *name, bool right);

/* Makes the table of the columns that were named. Errors: RED_E_MEMORY. */
enum red_status red_chart_create_table(struct red_chart *chart, struct red_error *error);

/* Whether there is anything to be drawn. */
bool red_chart_is_empty(const struct red_chart *chart);
void red_chart_clear(struct red_chart *chart);

/* ---- scales ----------------------------------------------------------------------------------------------
 */

enum { RED_AXIS_TICKS_ROOM = 256 };

/* Values of an axis with their labels, ascending. */
struct red_axis_ticks {
    double values[RED_AXIS_TICKS_ROOM];
    char labels[RED_AXIS_TICKS_ROOM][64];
    size_t n;
};

/* From the axis' low end, which is left or below, to its high end. */
struct red_scale {
    double low, high;
    bool logarithmic;
    struct red_axis_ticks ticks;
};

/* The scales on which all that the chart shows has its place: logarithmic for lines, indices of rows and
 * columns for heat maps, percent and rows from top to bottom for bars. */
void red_chart_scales(const struct red_chart *chart, struct red_scale *x, struct red_scale *y);

/* Where a value lies: 0 at the low end, 1 at the high end. */
double red_scale_share(const struct red_scale *scale, double value);

/* Adds a value that is not there yet; what has no room is left out. */
void red_axis_ticks_take(struct red_axis_ticks *ticks, double value);

/* Labels values as sizes, "2^20", and drops all but every k-th so that at most max are left. */
void red_axis_ticks_label_sizes(struct red_axis_ticks *ticks, size_t max);

/* Makes at most max ticks, if there are round numbers for it at least two, within low and high. */
void red_axis_ticks_make(struct red_axis_ticks *ticks, enum red_axis axis, double low, double high,
                         size_t max);

/* "10 us", "2x", "3.5 GB/s": three digits. */
void red_axis_print(enum red_axis axis, double value, char *text, size_t text_bytes);

/* ---- colours ---------------------------------------------------------------------------------------------
 */

/* One colour of the page by its role: a variable of its style sheet, with a value for either theme. */
struct red_colour {
    const char *name, *light, *dark; /* "#rrggbb", small letters */
};

/* Ink, muted (axes, notes), grid, paper, and those of categories: Okabe and Ito's colours for people who see
 * colours differently (Color Universal Design, 2008), on white as much darker as contrast 3 takes (WCAG 2.2,
 * 1.4.11), on black as they are. */
enum { RED_COLOUR_INK, RED_COLOUR_MUTED, RED_COLOUR_GRID, RED_COLOUR_PAPER, RED_COLOUR_CATEGORY };
extern const struct red_colour red_colours[];
extern const size_t red_colours_n;

/* How many colours tell categories apart; the first is ink, for what is compared with. */
enum { RED_CATEGORIES_N = 8 };
const struct red_colour *red_category(unsigned category);

/* Cividis, from best (light) to worst, for amounts (Nunez, Anderton and Renslow, PLOS ONE 13(7), 2018): eight
 * stops, "#rrggbb", of which the first few are so light that black is read on them, on the others white. */
enum { RED_SHADES_N = 8, RED_SHADES_LIGHT = 5 };
extern const char *const red_shades[RED_SHADES_N];

#endif
