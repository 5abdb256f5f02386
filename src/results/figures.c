/* The table of what is told of a cell, and numbers for people. */
#include "results/figures.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- numbers for people -------------------------------------------------------------------------------- */

struct red_short_text red_number_text(double value) {
    struct red_short_text made;
    int decimals = value < 0.0995 ? 3 : value < 9.995 ? 2 : value < 99.95 ? 1 : 0;
    snprintf(made.text, sizeof made.text, "%.*f", decimals, value);
    return made;
}

struct red_short_text red_percent_text(double share) {
    struct red_short_text made;
    snprintf(made.text, sizeof made.text, 100 * share < 99.5 ? "%.2g" : "%.0f", 100 * share);
    return made;
}

struct red_short_text red_ratio_text(const struct red_statistics *a, const struct red_statistics *b) {
    struct red_short_text made = red_number_text(a->median / b->median);
    red_text_add(made.text, sizeof made.text, "%s",
                 a->is_incomparable || b->is_incomparable ? "?"
                 : red_statistics_compare(a, b) == 0      ? "~"
                                                          : "x");
    return made;
}

struct red_short_text red_rate_text(double bytes_per_s) {
    struct red_short_text made = {.text = "-"};
    if (bytes_per_s >= 0.05e9 && isfinite(bytes_per_s))
        snprintf(made.text, sizeof made.text, "%.*f", bytes_per_s < 999.5e9 ? 1 : 0, 1e-9 * bytes_per_s);
    else if (bytes_per_s >= 0.0005e9 && isfinite(bytes_per_s))
        made = red_number_text(1e-9 * bytes_per_s);
    return made;
}

/* ---- values of a cell ---------------------------------------------------------------------------------- */

/* A number that only a timed cell has. */
static struct red_numbers of_timed(const struct red_cell *cell, double number) {
    return (struct red_numbers){.of = {number}, .n = cell->samples_n > 0};
}

static struct red_numbers median(const struct red_cell *cell) {
    return of_timed(cell, cell->time.median);
}

static struct red_numbers low(const struct red_cell *cell) {
    return of_timed(cell, cell->time.low);
}

static struct red_numbers high(const struct red_cell *cell) {
    return of_timed(cell, cell->time.high);
}

static struct red_numbers samples(const struct red_cell *cell) {
    return (struct red_numbers){.of = {(double)cell->samples_n}, .n = 1};
}

static struct red_numbers rate(const struct red_cell *cell) {
    const double bytes = red_cell_bytes(cell);
    return bytes > 0 ? of_timed(cell, 1e-9 * bytes / cell->time.median) : (struct red_numbers){.n = 0};
}

static struct red_short_text rate_text(const struct red_run *run, const struct red_cell *cell) {
    const double bytes = red_cell_bytes(cell);
    (void)run;
    return bytes > 0 ? red_rate_text(bytes / cell->time.median) : (struct red_short_text){.text = "-"};
}

/* "-" of a share that cannot be; "" without a roof. */
static struct red_short_text roof_text(const struct red_run *run, const struct red_cell *cell) {
    struct red_short_text made = {.text = ""};
    const double share = red_cell_roof_share(run, cell);
    if (share > 0)
        snprintf(made.text, sizeof made.text, "%.0f%%", 100 * share);
    else if (run->devices[cell->device].roof_bytes_per_s > 0)
        snprintf(made.text, sizeof made.text, "-");
    return made;
}

/* How many times as long as OpenMP it takes. */
static struct red_short_text openmp_text(const struct red_run *run, const struct red_cell *cell) {
    const struct red_cell *openmp =
        red_cell_is_incomplete(cell) ? NULL : red_run_openmp(run, &cell->at, cell->at.n);
    return openmp != NULL && openmp != cell ? red_ratio_text(&cell->time, &openmp->time)
                                            : (struct red_short_text){.text = ""};
}

/* The first n of the times; of a call of one launch none are kept. */
static struct red_numbers of_launches(const double *times_s, unsigned n) {
    struct red_numbers numbers = {.n = n};
    for (unsigned i = 0; i < n; i++)
        numbers.of[i] = times_s[i];
    return numbers;
}

static struct red_numbers launch_times(const struct red_cell *cell) {
    return of_launches(cell->launches.s, cell->launches.n);
}

static struct red_numbers launch_gaps(const struct red_cell *cell) {
    return of_launches(cell->launches.gap_s, cell->launches.n - (cell->launches.n > 0));
}

/* ---- the table ----------------------------------------------------------------------------------------- */

#define MEMBER(within, name, places)                                                                         \
    .object = (within), .member = (name), .digits = (places), .in = RED_IN_CSV

/* In the order of CSV, whose readers know columns by their places; new rows stand behind the others. */
const struct red_figure red_figures[] = {
    {"device", MEMBER(NULL, "device", 0)},
    {"strategy", MEMBER(NULL, "strategy", 0)},
    {"op", MEMBER(NULL, "op", 0)},
    {"type", MEMBER(NULL, "type", 0)},
    {"shape", MEMBER(NULL, "shape", 0)},
    {"n", MEMBER(NULL, "n", 0)},
    {"group_size", MEMBER("geometry", "group_size", 0)},
    {"groups", MEMBER("geometry", "groups", 0)},
    {"state", MEMBER(NULL, "state", 0)},
    {"median_s", .in = RED_IN_CSV | RED_IN_DRIVERS | RED_IN_RUNS, .digits = 9, .find = median},
    {"low_s", .in = RED_IN_CSV | RED_IN_DRIVERS | RED_IN_RUNS, .digits = 9, .find = low},
    {"high_s", .in = RED_IN_CSV | RED_IN_DRIVERS | RED_IN_RUNS, .digits = 9, .find = high},
    {"min_s", MEMBER("time_to_answer", "min_s", 9)},
    {"samples", .in = RED_IN_CSV | RED_IN_RUNS, .digits = 9, .find = samples},
    {"device_time_s", MEMBER(NULL, "device_time_s", 9)},
    {"gb_per_s", "GB/s", .in = RED_IN_CSV | RED_IN_BENCH, .width = 5, .digits = 6, .find = rate,
     .text = rate_text},
    {"roof_share", "roof", .in = RED_IN_BENCH, .width = 5, .text = roof_text},
    {"openmp_ratio", "OpenMP", .in = RED_IN_BENCH, .width = 6, .text = openmp_text},
    {"projected_s", MEMBER(NULL, "projected_s", 6)},
    {"error", MEMBER("accuracy", "error", 6)},
    {"bound", MEMBER("accuracy", "bound", 6)},
    {"width", MEMBER("geometry", "width", 0)},
    {"loads", MEMBER("geometry", "loads", 0)},
    {"back_to_back_s", MEMBER(NULL, "back_to_back_s", 9)},
    {"bins", MEMBER(NULL, "bins", 0)},
    {"data", MEMBER(NULL, "data", 0)},
    {"unchecked", MEMBER(NULL, "unchecked", 0)},
    {"experiment", MEMBER(NULL, "experiment", 0)},
    {"launch_times_s", "launches us", "event times of each launch in us",
     .in = RED_IN_CSV | RED_IN_BENCH | RED_IN_MARKDOWN | RED_IN_DRIVERS | RED_IN_RUNS | RED_IN_COMPARE |
           RED_IN_PAGE,
     .digits = 9, .scale = 1e6, .between = " + ", .find = launch_times},
    {"launch_gaps_s", "gaps us", "from the END of a launch to the START of the next in us",
     .in = RED_IN_CSV | RED_IN_DRIVERS | RED_IN_RUNS | RED_IN_PAGE, .digits = 9, .scale = 1e6,
     .between = ", ", .find = launch_gaps},
};
const size_t red_figures_n = sizeof red_figures / sizeof red_figures[0];
_Static_assert(sizeof red_figures / sizeof red_figures[0] <= RED_FIGURES_MAX, "no room for a figure");

const struct red_figure *red_figure_next(const struct red_figure *figure, unsigned in) {
    for (figure = figure == NULL ? red_figures : figure + 1; figure < red_figures + red_figures_n; figure++)
        if (figure->in & in)
            return figure;
    return NULL;
}

const struct red_figure *red_figure_find(const char *key) {
    for (size_t i = 0; i < red_figures_n; i++)
        if (strcmp(red_figures[i].key, key) == 0)
            return &red_figures[i];
    return NULL;
}

struct red_short_text red_figure_text(const struct red_figure *figure, const struct red_run *run,
                                      const struct red_cell *cell) {
    struct red_short_text made = {.text = ""};
    if (cell == NULL || cell->samples_n == 0 || cell->at.n == 0)
        return made;
    if (figure->text != NULL)
        return figure->text(run, cell);
    const struct red_numbers numbers = figure->find(cell);
    for (size_t i = 0; i < numbers.n; i++)
        red_text_add(made.text, sizeof made.text, "%s%s", i > 0 ? figure->between : "",
                     red_number_text(figure->scale * numbers.of[i]).text);
    return made;
}

struct red_short_text red_figure_data(const struct red_figure *figure, const struct red_cell *cell) {
    struct red_short_text made = {.text = ""};
    const struct red_numbers numbers = cell != NULL ? figure->find(cell) : (struct red_numbers){.n = 0};
    for (size_t i = 0; i < numbers.n; i++)
        red_text_add(made.text, sizeof made.text, "%s%.*g", i > 0 ? " " : "", figure->digits, numbers.of[i]);
    return made;
}
