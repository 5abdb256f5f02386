/* The experiments of `bench --experiments`: what lectures and articles on reductions in OpenCL ask, each as a
 * selection of strategies, operations, sizes and geometries, with the question that its table answers. They
 * are data: what is measured, how it is checked and written is that of every run of `bench`. */
#ifndef CLREDUCE_MODEL_EXPERIMENTS_H
#define CLREDUCE_MODEL_EXPERIMENTS_H

#include <stddef.h>

#include "core/status.h"

/* What the tables of an experiment show. */
enum red_experiment_table {
    RED_EXPERIMENT_TIMES,    /* times to answer, a row for each strategy */
    RED_EXPERIMENT_LAUNCHES, /* also event times of each launch, and the gaps between them */
    RED_EXPERIMENT_SPEED_UP  /* also the time of the sequential program by each, n against group size */
};

/* Texts are values of the options of `bench`; NULL: its default. The rows of the host are measured where
 * `strategies` names them. */
struct red_experiment {
    char letter[2];       /* "a" */
    const char *question; /* a line */
    const char *strategies, *ops, *types;
    const char *n, *wg, *shape;
    const char *n_whole, *shape_whole; /* in their place where the whole is asked for; NULL: the same */
    enum red_experiment_table table;
};

extern const struct red_experiment red_experiments[];
extern const size_t red_experiments_n;

/* The experiment of that letter; NULL where there is none. */
const struct red_experiment *red_experiment_find(const char *letter);

/* What --experiments chooses. */
struct red_experiment_choice {
    unsigned letters; /* bit i: red_experiments[i]; 0: none */
    bool whole;       /* with the sizes of the documents, which take longer */
};

/* Reads a list of letters, or "whole", or both, as in "c,e,whole"; NULL or "whole" alone: all experiments.
 * Errors: RED_E_INPUT with what was expected. */
enum red_status red_experiment_choice_read(const char *text, struct red_experiment_choice *choice,
                                           struct red_error *error);

#endif
