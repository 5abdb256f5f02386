/* Result files side by side: devices, drivers and machines (`compare --drivers`; drivers.c), or two runs of
 * one suite (`compare BASE HEAD`; two_runs.c). Here is what both share: sides, the keys of their cells, and
 * tables with rows of keys. Only the files of the verb `compare` use it. */
#ifndef CLREDUCE_COMPARE_COMPARE_H
#define CLREDUCE_COMPARE_COMPARE_H

#include <stdio.h>

#include "console/table.h"
#include "core/file.h"
#include "results/figures.h"
#include "results/loaded.h"

enum { RED_SIDES_MAX = 16, RED_ACROSS_BYTES = 64, RED_TOLD_BYTES = 3072 };

/* Axes of a key, which is what makes cells comparable: of devices side by side all but the device and what
 * was asked of the geometry, of two runs all. */
#define RED_DRIVERS_KEY (RED_AT_ALL & ~(RED_AT(DEVICE) | RED_AT(ASKED)))
#define RED_RUNS_KEY    RED_AT_ALL

/* One device of one file, or a whole file: a column of the tables. */
struct red_side {
    char label[8]; /* "A"; of files "base" and "head" */
    const struct red_result *result;
    size_t device;                            /* of a whole file none */
    const struct red_verify_device *verified; /* how its checks ended, of a file of `verify`; else NULL */
    unsigned axes;                            /* of its keys */
    const struct red_cell **cells;            /* owned; sorted by key, the fastest answer to each first */
    size_t cells_n;
};

struct red_comparison {
    const struct red_output *output;
    bool is_of_runs;                /* sides are files, not devices */
    struct red_loaded_files loaded; /* result files, or in their place files of `verify`; owned */
    struct red_side *all;           /* owned: of compare --drivers every device; NULL: `sides` are all */
    size_t all_n, shown_n;          /* of which so many were sides */
    struct red_side sides[RED_SIDES_MAX];
    unsigned key_columns;          /* axes that have columns in CSV and JSON */
    size_t sides_n, again_n;       /* of which the first so many were among the sides before */
    char across[RED_ACROSS_BYTES]; /* in what two runs differ, "machine,driver"; "" if in nothing */
    char told[RED_TOLD_BYTES];     /* the same, one a line */
};

/* Takes every device of every file but hosts, and makes sides of the first ones. Errors: RED_E_INPUT where
 * there are fewer than two devices; RED_E_MEMORY. */
enum red_status red_comparison_make_device_sides(struct red_comparison *comparison, struct red_error *error);
/* Makes sides of A, the first device, and of those that are next, as many as a table has columns for. False:
 * all were sides. */
bool red_comparison_next_sides(struct red_comparison *comparison);
/* Makes a side of each of the two files, base and head. A key is then the device, too, and what was
 * asked of the geometry. Errors: RED_E_MEMORY. */
enum red_status red_comparison_make_run_sides(struct red_comparison *comparison, struct red_error *error);
/* Frees the sides, and the files that were loaded. */
void red_comparison_clear(struct red_comparison *comparison);

/* Checks that the words of --across (NULL: none) are known; compares nothing. Errors: RED_E_INPUT with the
 * nearest one. */
enum red_status red_across_check_words(const char *across, struct red_error *error);

/* RED_OK if times of the comparison's two files may be set against each other: of the same machine, devices,
 * drivers, version and settings, but for what is accepted (--across; NULL: nothing); always with a shape
 * in common. Fills `across` and `told`. Errors: RED_E_INPUT with all differences. */
enum red_status red_comparison_check_comparable(struct red_comparison *comparison, const char *accepted,
                                                struct red_error *error);

/* What a side has of a key. */
struct red_key_side {
    const struct red_cell *timed; /* the fastest; NULL where none has a time, or a geometry was in trouble */
    const struct red_cell *worst; /* the one that counts: trouble with any geometry before a right result,
                                     that before what was not run; NULL if the key was not asked */
    enum red_state state;         /* of that one; RED_STATE_PENDING if the key was not asked */
    size_t first, n;              /* all its cells, as indices of red_side.cells */
};

/* A key with what each side has of it. */
struct red_key {
    const struct red_cell *cell; /* any of its cells */
    struct red_key_side sides[RED_SIDES_MAX];
    size_t sides_n; /* those of the comparison */
};

/* Makes of a key the next one that any side has, by red_side.axes; of a zero one the first. False after the
 * last. */
bool red_comparison_next_key(const struct red_comparison *comparison, struct red_key *key);

/* How many times as long the numerator takes as the denominator, and its range if each median is anywhere in
 * its interval. Both must have a time. */
struct red_ratio {
    double value, low, high;
};
struct red_ratio red_ratio_of(const struct red_cell *denominator, const struct red_cell *numerator);

/* Prints the tables of compare --drivers, of a struct red_comparison; of more devices than a table has
 * columns for several of each, in all of which A is the first. Errors: RED_E_MEMORY. */
red_file_writer red_drivers_show;

/* Writes the rows of compare --drivers as CSV or JSON (--format). Errors: RED_E_MEMORY, RED_E_INPUT. */
enum red_status red_drivers_write(const struct red_comparison *comparison, struct red_error *error);

/* What the tables show for a capability of a device of a result file; "?" where the file does not tell. */
const char *red_capability_word(const struct red_run_device *device, const char *name);

/* ---- tables of keys ------------------------------------------------------------------------------------ */

/* "sum f32 2^20" of a cell's key, and what shape it is of unless one array: the column "op type n". The
 * strategy has a column of its own. */
struct red_short_text red_key_op_type_n(const struct red_cell *cell);

/* "chunk"; of files what was asked of the geometry, too: "chunk:64:g8:16x4". */
struct red_short_text red_key_strategy(const struct red_comparison *comparison, const struct red_cell *cell);

/* Adds a column for each side, named by its label. */
void red_side_columns_add(const struct red_comparison *comparison, struct red_table *table);

/* The values of a key's columns. */
void red_comparison_put_axes(const struct red_comparison *comparison, const struct red_cell *cell,
                             struct red_table *table);

/* Adds the rows of one key, or none. */
typedef void red_key_rows_add(const struct red_comparison *comparison, const struct red_key *key,
                              struct red_table *table);

/* Adds the rows of all keys. */
void red_key_table_fill(const struct red_comparison *comparison, red_key_rows_add *add,
                        struct red_table *table);

/* Writes a table of such rows as CSV or JSON (--format, --output): columns `before`, those that tell of a
 * key, which are the axes of RED_DRIVERS_KEY, of ranks only where a file is over ranks, and columns `behind`.
 * Errors: RED_E_MEMORY, RED_E_INPUT. */
enum red_status red_key_table_write(const struct red_comparison *comparison, const char *before,
                                    const char *behind, red_key_rows_add *add, struct red_error *error);

/* Appends the columns of the figures that are shown there, each behind `before` and with a | behind it; their
 * values of a side's cell, "" of NULL. */
void red_figure_columns_format(unsigned in, const char *before, char *columns, size_t columns_bytes);
void red_figures_data_put(unsigned in, const struct red_cell *cell, struct red_table *table);

/* The line below a row of times: the figures of RED_IN_COMPARE, "launches us: A 22.4 + 2.81, B 6.66 + 6.25",
 * of a cell for each side, or NULL. */
void red_figures_below_put(const struct red_comparison *comparison, const struct red_cell *const *cells,
                           struct red_table *table);

/* Adds the first known_n of a ratio and its range, as numbers of CSV and JSON; "" for the
 * others. */
void red_interval_data_put(double value, double low, double high, size_t known_n, struct red_table *table);

typedef bool red_key_filter(const struct red_key *key);

/* Prints the keys that `takes` wants and how each side ended, under the heading; text_if_none if there
 * are none, unless it is NULL. Keys that differ in n only and ended alike are one row, and after rows_max
 * rows the others are only counted. */
void red_key_states_print(const struct red_comparison *comparison, red_key_filter *takes, const char *heading,
                          const char *text_if_none, size_t rows_max, FILE *out);

#endif
