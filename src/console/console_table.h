/* The console table of `bench` and the summary below it. The report takes figures, ratios, pairs of
 * strategies and the summary from here. */
#ifndef CLREDUCE_CONSOLE_CONSOLE_TABLE_H
#define CLREDUCE_CONSOLE_CONSOLE_TABLE_H

#include <stdio.h>

#include "core/text.h"
#include "model/catalogue.h"
#include "results/figures.h"
#include "results/run.h"

/* ---- table view ------------------------------------------------------------------------------------------
 * One table: a device, an operation and a type, and how its cells are found. */

enum { RED_TABLE_VIEW_SIZES_MAX = 4096 };

struct red_table_view {
    const struct red_run *run;
    const struct red_catalogue *catalogue;
    FILE *out;          /* where the table is printed; NULL: the view is for figures alone */
    size_t device;      /* 0: the host alone */
    struct red_at at;   /* what it is of: axes RED_AT_TABLE */
    bool bans_are_told; /* those of the device, below a table before this one */
    uint64_t sizes[RED_TABLE_VIEW_SIZES_MAX]; /* every n of the run, ascending */
    size_t sizes_n;
    bool with_group_size, with_groups, with_lanes; /* more than one was asked for: lines name it */
};

/* Begins the view of a run: all its sizes as columns, and what of the geometry is compared. It shows nothing
 * until the caller has set `device` and `at`. `out`: where tables are printed; NULL for charts. */
void red_table_view_begin(struct red_table_view *view, const struct red_run *run,
                          const struct red_catalogue *catalogue, FILE *out);

/* The fastest timed cell of this device (of one strategy, unless NULL); the OpenMP row's; NULL if none. */
const struct red_cell *red_table_view_fastest(const struct red_table_view *view,
                                              const struct red_strategy *strategy, uint64_t n);
const struct red_cell *red_table_view_openmp(const struct red_table_view *view, uint64_t n);

/* Whether the view's device has a cell of the strategy, timed or not, of any operation and type. */
bool red_table_view_device_has_strategy(const struct red_table_view *view,
                                        const struct red_strategy *strategy);

/* A 2.x strategy, and the one of 1.x that it replaces. */
struct red_strategy_pair {
    const struct red_strategy *later, *earlier;
};

/* Finds the pairs whose later strategy has a cell in the view, timed or not, in the order of cells. Returns
 * how many there are. */
size_t red_table_view_find_pairs(const struct red_table_view *view,
                                 struct red_strategy_pair pairs[RED_STRATEGIES_MAX]);

/* Whether two cells that have not passed ended alike: in one state and for one reason. */
bool red_cells_ended_alike(const struct red_cell *a, const struct red_cell *b);

/* Writes "256 bins, uniform data", or which data the marks behind the slowest times stand for; "" where
 * nothing has bins. */
void red_table_view_data_format(const struct red_table_view *view, char *text, size_t text_bytes);

/* What stands in a table in place of a time: "over", "WRONG", "-" where unsupported. */
const char *red_state_word(enum red_state state);

/* "14.8*": microseconds, and marks behind them: the first letter of slowest data but uniform; * the fastest
 * of the device at this n or tied with it, ? unsteady; or what became of it instead, "over"; "" for NULL. */
struct red_short_text red_table_view_cell_text(const struct red_table_view *view,
                                               const struct red_cell *cell);

/* The n to speak of: 2^20 if both strategies (NULL: any) were timed there, otherwise the largest below it,
 * otherwise the smallest above. 0 if there is none. */
uint64_t red_table_view_summary_size(const struct red_table_view *view, const struct red_strategy *a,
                                     const struct red_strategy *b);

/* The largest n at which the strategy (NULL: any) has a time on the view's device; 0: none. */
uint64_t red_table_view_largest_size(const struct red_table_view *view, const struct red_strategy *strategy);

enum { RED_BULLETS_MAX = 4, RED_BULLET_BYTES = 640 };

/* What a person can repeat of a table. */
struct red_summary {
    char head[1024]; /* "On intel (...), sum of f32: ", and why there are no bullets, if there are none: these
                        times cannot be compared */
    char bullets[RED_BULLETS_MAX][RED_BULLET_BYTES]; /* built-in against tree, 2.x against 1.x, the fastest */
    size_t bullets_n;
};
void red_table_view_summary_make(const struct red_table_view *view, struct red_summary *summary);

/* Prints that, and a sentence on every kernel that the user added. */
void red_table_view_summary_print(const struct red_table_view *view);

/* Prints the tables of a run, one per device, operation and type; of histograms that were timed with several
 * data one of uniform data and one of the slowest: times to answer with the column's best
 * marked, bandwidth, share of the roof and ratio to OpenMP at the largest n; the pairs of 2.x and 1.x; what
 * did not run and why; and the summary. At most 100 characters wide. `catalogue` resolves counterparts. */
void red_console_table_print(FILE *out, const struct red_run *run, const struct red_catalogue *catalogue);

#endif
