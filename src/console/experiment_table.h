/* The tables of experiments (bench --experiments): on the screen, and on the page of a report. */
#ifndef CLREDUCE_CONSOLE_EXPERIMENT_TABLE_H
#define CLREDUCE_CONSOLE_EXPERIMENT_TABLE_H

#include <stdbool.h>
#include <stdio.h>

#include "console/table.h"
#include "model/experiments.h"
#include "results/run.h"

/* Whether the run is of experiments: its cells tell which. */
bool red_run_has_experiments(const struct red_run *run);

/* A device of a run that has experiments; 0: the host alone. */
struct red_experiment_source {
    const struct red_run *run;
    size_t device;
    char label[80]; /* "intel"; a column of tables on several devices */
};

/* Makes the i-th table of an experiment for these devices, and writes its title: what is computed, and what
 * the figures are. False, and nothing is made, behind the last one, and where no device has such a cell.
 * Release the table with red_table_destroy. */
bool red_experiment_table_make(const struct red_experiment_source *sources, size_t sources_n,
                               const struct red_experiment *experiment, unsigned i, struct red_table **table,
                               char *title, size_t title_bytes);

/* Prints each experiment of the run: its question, the tables of each device, and why cells were not timed;
 * then why times cannot be compared, if they cannot. */
void red_experiments_print(FILE *out, const struct red_run *run);

#endif
