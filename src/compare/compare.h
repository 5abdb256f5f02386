/* Result files side by side: devices, drivers and machines (`compare --drivers`), or two runs of one suite.
 * Only the files of the verb `compare` use it. The user sees tables of differences, times and states. */
#ifndef CLREDUCE_COMPARE_COMPARE_H
#define CLREDUCE_COMPARE_COMPARE_H

#include <stdio.h>

#include "core/file.h"
#include "results/result.h"

enum { RED_SIDES_MAX = 16 };

/* The order of keys. A key is what makes cells comparable: strategy, operation, type, shape and n, of two
 * runs also the device and what was asked of the geometry. 0: the same key. */
typedef int red_key_order(const struct red_cell *a, const struct red_cell *b);

/* One device of one file, or a whole file: a column of the tables. */
struct red_side {
    char label[8]; /* "A"; of files "base" and "head" */
    const struct red_result *result;
    size_t device; /* of a whole file none */
    red_key_order *order;
    const struct red_cell **cells; /* owned; sorted by key, the fastest answer to each first */
    size_t cells_n;
};

struct red_comparison {
    const struct red_output *output;
    bool is_of_runs; /* sides are files, not devices */
    struct red_result results[RED_RESULT_FILES_MAX];
    size_t results_n;
    struct red_side sides[RED_SIDES_MAX];
    size_t sides_n;
};

/* Makes a side of every device of every file but hosts. Errors: RED_E_INPUT where there are fewer than two,
 * or more than RED_SIDES_MAX; RED_E_MEMORY. */
enum red_status red_comparison_make_device_sides(struct red_comparison *comparison, struct red_error *error);
/* Makes a side of each of the two files, base and head. A key is then the device, too, and what was
 * asked of the geometry. Where a file does not tell what was asked, a key that has one cell in each file
 * is the same whatever the geometry, any other as far as the geometries in use are. Errors: RED_E_MEMORY. */
enum red_status red_comparison_make_run_sides(struct red_comparison *comparison, struct red_error *error);
void red_comparison_clear(struct red_comparison *comparison);

/* The device of a side of `compare --drivers`; not for a side that is a whole file. */
const struct red_run_device *red_side_device(const struct red_side *side);

/* The side's cell for the same key: strategy, operation, type, shape and n, of several geometries the
 * fastest; of files the same device and geometry, too. NULL if it was not asked. */
const struct red_cell *red_side_find(const struct red_side *side, const struct red_cell *key);

/* The same where it has a time, and no geometry of it was in trouble; otherwise NULL. */
const struct red_cell *red_side_find_time(const struct red_side *side, const struct red_cell *key);

/* Of all its cells of the key the one that counts: trouble with any geometry counts before a right
 * result, that before what was not run. NULL if it was not asked. */
const struct red_cell *red_side_find_worst(const struct red_side *side, const struct red_cell *key);

/* How that one ended. RED_STATE_PENDING if it was not asked. */
enum red_state red_side_state(const struct red_side *side, const struct red_cell *key);

/* Calls `take` once for every key of any side, ordered by red_side.order. Errors: those of `take`. */
typedef enum red_status red_key_visitor(void *context, const struct red_cell *key, struct red_error *error);
enum red_status red_comparison_each_key(const struct red_comparison *comparison, red_key_visitor *take,
                                        void *context, struct red_error *error);

/* Times may be compared within one run, with their interval; between runs of one machine without it. */
enum red_relation { RED_ONE_RUN, RED_OTHER_RUN, RED_OTHER_MACHINE };
extern const char *const red_relation_names[];
enum red_relation red_sides_relation(const struct red_side *a, const struct red_side *b);

/* How many times as long b takes as a, and its range if each median is anywhere in its interval. */
struct red_ratio {
    double value, low, high;
};
struct red_ratio red_ratio_of(const struct red_cell *a, const struct red_cell *b);

/* Prints the tables of compare --drivers. Errors: RED_E_MEMORY. */
enum red_status red_comparison_show(const struct red_comparison *comparison, FILE *out,
                                    struct red_error *error);

/* Writes the rows of compare --drivers as CSV or JSON (--format). Errors: RED_E_MEMORY, RED_E_INPUT. */
enum red_status red_comparison_write(const struct red_comparison *comparison, struct red_error *error);

/* ---- tables of how keys ended (status_changes.c) ------------------------------------------------------- */

/* "sum f32 2^20", and what shape it is of unless one array. */
void red_key_format(const struct red_cell *key, char *text, size_t text_bytes);

/* "chunk"; of files what was asked of the geometry, too: "chunk:64:g8:16x4". */
void red_key_strategy_format(const struct red_comparison *comparison, const struct red_cell *key, char *text,
                             size_t text_bytes);

/* "64:g8:16x4": group size, groups, lanes, as far as they are known; "" if none is. */
void red_cell_tuning_format(const struct red_tuning *tuning, char *text, size_t text_bytes);

typedef bool red_key_filter(const struct red_comparison *comparison, const struct red_cell *key);

/* Prints the keys that `takes` wants and how each side ended, under the heading; `empty` if there are
 * none, unless it is NULL. Keys that differ in n only and ended alike are one row, and after rows_max
 * rows the others are only counted. Errors: RED_E_MEMORY. */
enum red_status red_key_states_print(const struct red_comparison *comparison, red_key_filter *takes,
                                     const char *heading, const char *empty, size_t rows_max, FILE *out,
                                     struct red_error *error);

#endif
