/* Something that is measured: a cell, or a roof. */
#ifndef CLREDUCE_RUN_MEASUREMENT_H
#define CLREDUCE_RUN_MEASUREMENT_H

#include "model/case.h"
#include "results/run.h"

/* Batches are spread over this many rounds, so that every cell sees the whole run's weather. */
enum { RED_BLOCKS_N = 6 };

struct red_measurement {
    struct red_cell *cell; /* NULL for a roof */
    size_t device;         /* index into red_run.devices */
    struct red_case spec;
    double bytes;   /* that a call reads, of a roof */
    double call_s;  /* expected of a call */
    uint64_t calls; /* per batch */
    unsigned batches;
    double *real_s, *cpu_s; /* owned; seconds per reduction, one per batch */
    size_t samples_n, samples_room;
};

/* Finds calls per batch and number of batches for calls that take call_s: a batch spans at least 1000 steps
 * of the clock, and all batches together about the budget, but at least 6: fewer samples have no 95 %
 * interval. The untimed calls before every batch (bench/shim.h) come on top of the budget. */
void red_measurement_plan(struct red_measurement *row, double call_s, double budget_s, double clock_step_s);

/* What a batch is expected to take, with the calls before it. */
double red_measurement_batch_s(const struct red_measurement *row);

/* Whether it is still to be measured: a cell that has failed or was wrong is not. */
bool red_measurement_is_live(const struct red_measurement *row);

/* Makes room for as many samples as there are batches. Errors: RED_E_MEMORY. Release with _clear. */
enum red_status red_measurement_make_room(struct red_measurement *row, struct red_error *error);
void red_measurement_clear(struct red_measurement *row);

#endif
