/* Result files of devices, drivers and machines side by side. For the files of the verb `compare` alone. */
#ifndef CLREDUCE_BENCH_COMPARE_H
#define CLREDUCE_BENCH_COMPARE_H

#include "bench/options.h"
#include "record/past.h"

enum { RED_SIDES_MAX = 16 };

/* One device of one file, a column of the tables. */
struct red_side {
    char label[4]; /* "A" */
    const struct red_past *past;
    size_t device;
    const struct red_past_cell **cells; /* owned; sorted by question, the fastest answer to each first */
    size_t cells_n;
};

struct red_comparison {
    const struct red_options *options;
    struct red_past pasts[RED_RESULT_FILES_MAX];
    size_t pasts_n;
    struct red_side sides[RED_SIDES_MAX];
    size_t sides_n;
};

/* Makes a side of every device of every file but hosts. Errors: RED_E_INPUT where there are fewer than two,
 * or more than RED_SIDES_MAX; RED_E_MEMORY. */
enum red_status red_comparison_sides(struct red_comparison *comparison, struct red_error *error);
void red_comparison_clear(struct red_comparison *comparison);

const struct red_past_device *red_side_device(const struct red_side *side);

/* The side's cell for the same strategy, operation, type, shape and n; of several geometries the fastest.
 * NULL if it was not asked. */
const struct red_past_cell *red_side_answer(const struct red_side *side,
                                            const struct red_past_cell *question);

/* The same where it has a time, and no geometry of it was in trouble; otherwise NULL. */
const struct red_past_cell *red_side_time(const struct red_side *side, const struct red_past_cell *question);

/* How the side ended over all geometries of the question: trouble with any of them counts before a right
 * result, that before what was not run. RED_STATE_PENDING if it was not asked. */
enum red_state red_side_state(const struct red_side *side, const struct red_past_cell *question);

/* Whether the driver, or the kernel, did what it must not: a wrong result, a crash. */
bool red_state_is_trouble(enum red_state state);

/* Calls `take` once for every question that any side was asked, in the order of strategies, operations, types
 * and n. Errors: those of `take`. */
typedef enum red_status red_question_take(void *context, const struct red_past_cell *question,
                                          struct red_error *error);
enum red_status red_comparison_each(const struct red_comparison *comparison, red_question_take *take,
                                    void *context, struct red_error *error);

/* Times may be compared within one run, with their interval; between runs on one machine without; between
 * machines not at all. */
enum red_relation { RED_ONE_RUN, RED_OTHER_RUN, RED_OTHER_MACHINE };
extern const char *const red_relation_names[];
enum red_relation red_sides_relate(const struct red_side *a, const struct red_side *b);

/* How many times as long b takes as a, and how far that may be off if each median is anywhere in its
 * interval. */
struct red_ratio {
    double value, low, high;
};
struct red_ratio red_ratio_of(const struct red_past_cell *a, const struct red_past_cell *b);

/* Shows it on the screen. Errors: RED_E_MEMORY, RED_E_INPUT. */
enum red_status red_comparison_show(const struct red_comparison *comparison, struct red_error *error);

#endif
