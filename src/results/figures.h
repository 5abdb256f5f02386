/* What is told of a cell: the columns of CSV, and the figures of other tables. One table has their keys,
 * headings and values; whatever shows figures goes through its rows, so that a row more is a column more in
 * each of them. */
#ifndef CLREDUCE_RESULTS_FIGURES_H
#define CLREDUCE_RESULTS_FIGURES_H

#include "core/text.h"
#include "results/run.h"

/* Where a figure is shown. */
enum {
    RED_IN_CSV = 1,      /* of bench --format csv */
    RED_IN_BENCH = 2,    /* the table of bench, behind the times: that of the largest n */
    RED_IN_MARKDOWN = 4, /* of --export */
    RED_IN_DRIVERS = 8,  /* CSV and JSON of compare --drivers */
    RED_IN_RUNS = 16,    /* CSV and JSON of compare BASE HEAD, for each of both */
    RED_IN_COMPARE = 32, /* the tables of both, as a line below a row */
    RED_IN_PAGE = 64,    /* the page of report: what the time to answer is made of */
};

/* The numbers of a figure: one, or several of a call's launches; none where it is unknown. */
struct red_numbers {
    double of[RED_LAUNCH_TIMES_MAX];
    size_t n;
};

struct red_figure {
    const char *key;     /* in CSV and JSON */
    const char *heading; /* in tables for people, with the unit; NULL: in none */
    const char *title;   /* of a table that shows it alone; NULL: there is none */
    unsigned in;         /* RED_IN_CSV, ... */
    int width; /* in the table of bench, where it has a column in any case; 0: it has one where it is known */
    int digits;          /* of a number in CSV and JSON */
    double scale;        /* of a number for people */
    const char *between; /* what stands between several numbers for people; NULL: it is one number */
    struct red_numbers (*find)(const struct red_cell *cell);
    /* For people; NULL: the numbers by scale. */
    struct red_short_text (*text)(const struct red_run *run, const struct red_cell *cell);
    /* In place of `find`, of CSV alone: a member of the cell's JSON, or of an object (else NULL) in it. */
    const char *object, *member;
};

/* The rows of the table, of which there are at most so many. */
enum { RED_FIGURES_MAX = 64 };
extern const struct red_figure red_figures[];
extern const size_t red_figures_n;

/* The next figure that is shown there, or the first behind NULL; NULL behind the last. */
const struct red_figure *red_figure_next(const struct red_figure *figure, unsigned in);

/* The figure of that key, or NULL. */
const struct red_figure *red_figure_find(const char *key);

/* "34.0", "12.1 + 3.4": the figure in the unit of its heading; "" where it is unknown, and of NULL. */
struct red_short_text red_figure_text(const struct red_figure *figure, const struct red_run *run,
                                      const struct red_cell *cell);

/* "1.21e-05 3.4e-06": the same for CSV and JSON, in units of SI but where the key says otherwise. */
struct red_short_text red_figure_data(const struct red_figure *figure, const struct red_cell *cell);

/* ---- numbers for people -------------------------------------------------------------------------------- */

/* "0.35", "67.1", "1029": three digits are all that a median of noisy times can claim. */
struct red_short_text red_number_text(double value);

/* A share in percent, without the sign: "0.0012", "73" of 0.73; never in powers of ten from 99.5 on. */
struct red_short_text red_percent_text(double share);

/* How many times as long a takes as b: "1.21x", "1.21~" where the intervals of the medians overlap, "1.21?"
 * where one of them is incomparable. */
struct red_short_text red_ratio_text(const struct red_statistics *a, const struct red_statistics *b);

/* "34.0", "1029", "0.012": GB/s; "-" where that would be 0. */
struct red_short_text red_rate_text(double bytes_per_s);

#endif
