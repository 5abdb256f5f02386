/* What the files of src/report share: charts, the page in its formats, sections, the last chapters. The order
 * of a page is report.c's; a chart is made by charts.c and charts_pairs.c, with what chart.c has, and drawn
 * by svg.c. */
#ifndef CLREDUCE_REPORT_PRIVATE_H
#define CLREDUCE_REPORT_PRIVATE_H

#include <libxml/xmlwriter.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "console/console_table.h"
#include "console/table.h"
#include "core/status.h"
#include "report/report.h"
#include "results/loaded.h"

/* ---- charts ----------------------------------------------------------------------------------------------
 * A chart before it is drawn, as SVG (svg.c): data, scales and colours. */

enum red_chart_kind {
    RED_CHART_LINES,    /* y against a size, which is n or a group size, on a logarithmic axis */
    RED_CHART_HEAT_MAP, /* one field for each pair of named columns and rows */
    RED_CHART_BARS      /* named rows, each of parts that add up */
};

/* What the numbers of an axis are. */
enum red_chart_unit {
    RED_UNIT_TIMES,   /* seconds, logarithmic: "10 us" */
    RED_UNIT_RATIO,   /* logarithmic: "2x" */
    RED_UNIT_RATE,    /* GB/s, logarithmic */
    RED_UNIT_SHARE,   /* logarithmic, of 1: "1e-3" */
    RED_UNIT_PERCENT, /* linear from 0 to 100 */
    RED_UNITS_N
};

struct red_point {
    double x, y, low, high; /* low = high: no interval */
};

struct red_series {
    char name[96];
    unsigned colour,
        marker;    /* indices of categories (red_category_colour) and of markers (svg.c); marker 0: none */
    bool dashed;   /* as a bar: hatched */
    bool is_blank; /* of a heat map: what a mark, or hatching, stands for */
    struct red_point *points; /* owned by the chart; ascending in x */
    size_t points_n;
};

struct red_heat_field {
    size_t column, row;
    double shade;    /* 0: the fastest group size at this n; 1: 4 times as long or more (charts.c); below
                        0: see colour */
    unsigned colour; /* of a category */
    bool hatched;    /* a tie */
    bool is_blank;   /* without a value: the label says why */
    char label[24];
};

enum { RED_CHART_NAMES_MAX = 64, RED_CHART_SERIES_MAX = 24 };

struct red_chart {
    enum red_chart_kind kind;
    enum red_chart_unit axis;
    unsigned number;                    /* within its page */
    char title[200], description[1280]; /* the description says in words what is to be seen */
    char subject[256];                  /* below the title: what was measured on which device; or "" */
    char origin[512]; /* at the foot: driver, date and version, so that a copy tells them; or "" */
    const char *x_label, *y_label;
    double cross_line;           /* a line across at this y; 0: none */
    const char *cross_line_name; /* of that line */
    struct red_series series[RED_CHART_SERIES_MAX];
    size_t series_n;
    struct red_heat_field *fields; /* owned */
    size_t fields_n;
    char columns[RED_CHART_NAMES_MAX][64], rows[RED_CHART_NAMES_MAX][64]; /* of what is drawn */
    size_t columns_n, rows_n;
    struct red_table *table; /* owned: the figures that it shows */
};

/* What these functions have no memory for is noted (red_memory_note_failure): no file is completed then. */

/* Adds a series without points; NULL if there are RED_CHART_SERIES_MAX. */
struct red_series *red_chart_add_series(struct red_chart *chart, const char *name, unsigned colour,
                                        bool dashed);

/* Adds a point to the series, unless that is NULL or the point has no place on a logarithmic axis. */
void red_series_add(struct red_series *series, struct red_point point);
void red_chart_add_field(struct red_chart *chart, struct red_heat_field field);

/* Whether there is anything to be drawn. */
bool red_chart_is_empty(const struct red_chart *chart);

/* Frees all that the chart owns, and empties it. */
void red_chart_clear(struct red_chart *chart);

/* ---- scales -------------------------------------------------------------------------------------------- */

enum { RED_AXIS_TICKS_ROOM = 256 };

/* Values of an axis with their labels, ascending. */
struct red_axis_ticks {
    double values[RED_AXIS_TICKS_ROOM];
    struct red_short_text labels[RED_AXIS_TICKS_ROOM];
    size_t n;
};

/* From the axis' low end, which is left or below, to its high end. */
struct red_scale {
    double low, high;
    bool logarithmic;
    struct red_axis_ticks ticks;
};

/* Finds the scales of a chart, wide enough for all that it shows: logarithmic for lines, indices of rows and
 * columns for heat maps, percent and rows from top to bottom for bars. */
void red_chart_scales_make(const struct red_chart *chart, struct red_scale *x, struct red_scale *y);

/* Where a value lies: 0 at the low end, 1 at the high end. */
double red_scale_share(const struct red_scale *scale, double value);

/* Inserts a value in order, without a label, if it is not there yet; what has no room is left out. */
void red_axis_ticks_insert(struct red_axis_ticks *ticks, double value);

/* Labels values as sizes, "2^20", and drops all but every k-th so that at most max are left. */
void red_axis_ticks_thin_and_label_sizes(struct red_axis_ticks *ticks, size_t max);

/* Makes at most max ticks, if there are round numbers for it at least two, within low and high. */
void red_axis_ticks_make(struct red_axis_ticks *ticks, enum red_chart_unit axis, double low, double high,
                         size_t max);

/* A value of the axis: "10 us", "2x", "1,000x", "80 %", and of other axes a number alone: three digits; in
 * powers of ten only what is small on an axis of shares. */
struct red_short_text red_axis_value_text(enum red_chart_unit axis, double value);

/* ---- colours ------------------------------------------------------------------------------------------- */

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

/* The colour of a category; from RED_CATEGORIES_N on they repeat. */
const struct red_colour *red_category_colour(unsigned category);

/* Cividis, from best (light) to worst, for amounts (Nunez, Anderton and Renslow, PLOS ONE 13(7), 2018): eight
 * stops, "#rrggbb", of which the first few are so light that black is read on them, on the others white. */
enum { RED_SHADES_N = 8, RED_SHADES_LIGHT = 5 };
extern const char *const red_shades[RED_SHADES_N];

/* ---- page ------------------------------------------------------------------------------------------------
 * A page is written from top to bottom, in one of several formats (--format). */

struct red_page;

/* One format: how each part is written to the page's `out`. */
struct red_page_format {
    int page_bytes_max;     /* of all chapters */
    int optional_bytes_max; /* no chapter that may be left out makes the page longer */
    int figures_bytes_max;  /* behind so many bytes there are no more drawings, or tables of figures */
    void (*begin_chapter)(struct red_page *page, const char *id, const char *title);
    void (*heading)(struct red_page *page, const char *id, const char *title); /* within a chapter */
    void (*text)(struct red_page *page, const char *text);
    void (*list)(struct red_page *page, const char *const *texts, size_t n); /* nothing of none */
    void (*code)(struct red_page *page, const char *text);
    void (*table)(struct red_page *page, const char *caption, const struct red_table *table);
    void (*begin_side_by_side)(struct red_page *page); /* figures, texts and blocks up to `end`; one that has
                                                          no neighbour takes both halves */
    void (*begin_block)(struct red_page *page);        /* what stands together, side by side with others */
    void (*end)(struct red_page *page);                /* of these two or the chapter */
    /* The chart, and the table of the figures that it shows. */
    void (*chart)(struct red_page *page, const struct red_chart *chart);
    void (*whole)(struct red_page *page); /* the title, the list of the chapters, and these */
};

enum { RED_PAGE_CHAPTERS_MAX = 512 };

struct red_page {
    const struct red_page_format *format;
    char title[256];
    struct red_page_entry {
        char id[96], title[160];
    } entries[RED_PAGE_CHAPTERS_MAX + 1]; /* of whole chapters, then of the one that is being written */
    size_t entries_n;
    xmlBuffer *body, *chapter; /* owned: whole chapters, and the one that is being written */
    xmlTextWriter *out;        /* owned: into the latter */
    unsigned charts_n;
    bool may_leave_out; /* the chapter that is being written */
    size_t left_out_n;  /* chapters that would have made it too long */
    enum red_status status;
    struct red_error *error;
};

/* Makes a page empty, but for its format and title. Release with red_page_write_and_clear, in any case.
 * Errors: RED_E_MEMORY. */
enum red_status red_page_allocate_buffers(struct red_page *page);

/* Between these two a chapter is written. _end adds it to the page as a whole, or leaves it out and counts it
 * if it would make the page longer than the format allows. */
void red_page_begin_chapter(struct red_page *page, const char *id, const char *title);
void red_page_end_chapter(struct red_page *page);

/* Writes the table unless it has no row; destroys it. */
void red_page_put_and_destroy_table(struct red_page *page, const char *caption, struct red_table *table);

/* Writes the whole page to `out` unless its status, or red_memory_check, is an error, which is returned.
 * Frees what the page owns, in any case. */
enum red_status red_page_write_and_clear(struct red_page *page, FILE *out);

/* ---- sections --------------------------------------------------------------------------------------------
 * A section of the page, and the sources of the series in its charts. */

/* Whether --op and --type choose what is of these axes. */
bool red_report_wants(const struct red_report *report, const struct red_at *at);

/* "A " before what is told of a file, with the separator behind the letter; "" where there is one file alone.
 */
struct red_short_text red_report_letter(const struct red_report *report, size_t file, const char *separator);

/* Writes what strategies did wrong on the devices of a file, in it and in the files of `verify`: a text for
 * each device, behind the file's letter, if it has one. */
void red_report_write_bans(const struct red_loaded_files *loaded, const struct red_result *result,
                           const char *letter, struct red_page *page);

enum { RED_SOURCES_MAX = RED_REPORT_DEVICES_MAX, RED_CHOSEN_MAX = 10 };

/* One device of one result file, and its cells of one query. */
struct red_series_source {
    char label[80]; /* "intel"; of several files "A intel" */
    const struct red_result *result;
    struct red_table_view view;
};

/* A strategy that charts show, alike in all of them. */
struct red_chosen {
    const struct red_strategy *strategy;
    unsigned colour; /* the same for a 2.x strategy and the one that it replaces */
    bool dashed;     /* of 2.x */
};

/* One operation, type and shape, of all devices of all files that have it. */
struct red_section {
    const struct red_query *query;     /* of one of the files */
    const struct red_report *report;   /* borrowed */
    struct red_series_source *sources; /* owned */
    size_t sources_n;
    struct red_chosen chosen[RED_CHOSEN_MAX];
    size_t chosen_n, strategies_n; /* of so many that were timed */
};

/* Makes the section of the query, as every result has it. Release with red_section_clear, in any case.
 * Errors: RED_E_MEMORY; RED_E_INPUT for more than RED_SOURCES_MAX devices. */
enum red_status red_section_make(struct red_section *section, const struct red_query *query,
                                 const struct red_report *report, struct red_error *error);
void red_section_clear(struct red_section *section);

/* ---- SVG -------------------------------------------------------------------------------------------------
 * Charts as SVG, and the colours of either theme as variables of a style sheet. */

/* Draws a chart as an <svg> element: with its title and description for people who do not see it, with ids
 * that begin with the chart's number, and with its colours as variables. `alone`: with a style sheet that
 * sets these, for a file of its own, as several charts have in any case: panels side by side with one y axis,
 * where all are of lines with axes of one kind, otherwise one below the other. Release with xmlBufferFree.
 * NULL without memory, which is noted. */
xmlBuffer *red_svg_draw(const struct red_chart *charts, size_t n, bool alone);

/* What stands in a table where no time was asked for. */
#define RED_NOT_MEASURED "."

/* Appends to the description what the words in the chart's table stand for that are there in place of values:
 * "over = over-budget". */
void red_chart_describe_states(struct red_chart *chart);

/* Sets subject and origin of a chart of the section: of one source, or (NULL) of all of them. `alone`: of a
 * file of its own, whose title is "sum of f32 on intel", and what is to be seen stands below it. */
void red_chart_set_origin(struct red_chart *chart, const struct red_section *section,
                          const struct red_series_source *source, bool alone);

/* Writes rules that give a page the colours as variables, those of the dark theme on dark screens. */
void red_svg_write_themes(xmlTextWriter *out);

/* ---- chart makers ----------------------------------------------------------------------------------------
 * The charts of a report, made from a device's times, each with the table of its figures. */

/* Fills a chart of the source, which is one of the section's; leaves it empty (red_chart_is_empty) where
 * there is nothing to show. Some kinds have several charts: part 0, 1, ... until one is empty.
 * write_charts in report.c calls the makers, for each query of the files named to `report` that --op and
 * --type choose; the user sees the chart on the page below the title of its kind. --format svg is the charts
 * of one kind alone, which --picture names, of each primitive. */
typedef void red_chart_maker(const struct red_section *section, const struct red_series_source *source,
                             size_t part, struct red_chart *chart);

/* Lines against n: 2.x by its counterpart, times, GB/s, speed-up over OpenMP, error by its bound. */
red_chart_maker red_chart_pairs, red_chart_times, red_chart_bandwidth, red_chart_speedup, red_chart_errors;

/* Lines of speed-up over OpenMP against group size; heat maps of which strategy is fastest and of one
 * strategy's times, by group size and n; bars of what the time to answer is made of. */
red_chart_maker red_chart_speedup_by_group_size, red_chart_winners, red_chart_heat_of_group_sizes,
    red_chart_time_parts;

/* CUB's times beside those of the fastest strategy: part 0 times, 1 ratios. */
red_chart_maker red_chart_cub;

/* A sentence on CUB's times that are set beside this source: of its device and the section's query, if no
 * other source's run began nearer to them; "" if there are none. */
void red_cub_sentence_format(const struct red_section *section, const struct red_series_source *source,
                             char *text, size_t text_bytes);

/* Of all devices in one chart: the fastest time of each against n; `source` is not looked at. Empty for
 * fewer than two. */
red_chart_maker red_chart_devices;

/* ---- for the makers ------------------------------------------------------------------------------------ */

/* Sets the name of the x axis, "n, elements", and the title: "intel: ", unless the source is NULL, and what
 * the format says. */
__attribute__((format(printf, 3, 4))) void red_chart_set_title_and_x(struct red_chart *chart,
                                                                     const struct red_series_source *source,
                                                                     const char *title, ...);

/* Sets what the y axis shows, and the name of a line across at 1; NULL: there is none. */
void red_chart_set_y(struct red_chart *chart, enum red_chart_unit axis, const char *label,
                     const char *name_of_line_at_1);

/* Adds a column to the table of figures for each n of the view; of more than there is room for the largest
 * ones. Returns the index in view->sizes of the first. */
size_t red_chart_add_size_columns(struct red_chart *chart, const struct red_table_view *view);

/* "chunk at 2^10 (10.8 us)": the fastest strategy at n, with what stands before the time and behind it;
 * "chunk ~ 2 more" where as many tie with it; "" if nothing was timed. */
struct red_short_text red_fastest_text(const struct red_table_view *view, uint64_t n, const char *before_time,
                                       const char *behind);

/* "chunk", "chunk ~ svm_chunk", "chunk ~ 3 more": the fastest, and what ties with it. */
struct red_short_text red_fastest_names(const struct red_table_view *view, const struct red_cell *best);

/* The point at x of a time, and of how many times as long a takes as b, each with its interval. */
struct red_point red_time_point(double x, const struct red_statistics *time);
struct red_point red_ratio_point(double x, const struct red_statistics *a, const struct red_statistics *b);

/* ---- experiments -----------------------------------------------------------------------------------------
 * Of files of bench --experiments (experiments.c). */

/* A chapter with the question of each experiment, and its tables; nothing where no file has any. */
void red_experiments_write_chapter(const struct red_report *report, struct red_page *page);

/* ---- one array over many ranks -------------------------------------------------------------------------
 * Of files of bench --ranks (scalings.c). */

/* Whether --op and --type choose anything of these files. */
bool red_ranks_have_wanted(const struct red_report *report);

/* A chapter of each file: what it says, what was not right, how it was measured; and one of each scaling that
 * is wanted, with its tables and charts. */
void red_ranks_write_chapters(const struct red_report *report, struct red_page *page);

/* Makes at most charts_max charts of efficiency, or of the parts of a time, of the largest n of each
 * operation, type and way of scaling that is wanted; the caller clears them. Returns how many. */
size_t red_ranks_make_charts(const struct red_report *report, bool of_parts, struct red_chart *charts,
                             size_t charts_max);

/* ---- last chapters ---------------------------------------------------------------------------------------
 * Chapters that are texts and tables alone (method.c). */

/* Errors on data that is hard to add, of the section's sources whose runs have some, within its chapter. */
void red_method_write_accuracy(struct red_page *page, const struct red_section *section);

/* What did not run and why, on each device. */
void red_method_write_not_run(const struct red_report *report, struct red_page *page);

/* Machines, devices, settings, what was done, and what limits the conclusions. */
void red_method_write_conditions(const struct red_report *report, struct red_page *page);

/* The commands that make the files and the page again. */
void red_method_write_commands(const struct red_report *report, struct red_page *page);

#endif
