/* The experiments of `bench --experiments`: what lectures and articles on reductions in OpenCL ask, each as a
 * selection of strategies, operations, sizes and geometries, with the question that its table answers. They
 * are data: what is measured, how it is checked and written is that of every run of `bench`. */
#ifndef CLREDUCE_MODEL_EXPERIMENTS_H
#define CLREDUCE_MODEL_EXPERIMENTS_H

#include <stdbool.h>
#include <stddef.h>

#include "core/status.h"

/* Texts are values of the options of `bench`; NULL: its default. The rows of the host are measured where
 * `strategies` names them. */
struct red_experiment {
    char letter[2];       /* "a" */
    const char *question; /* a line */
    const char *strategies, *ops, *types;
    const char *n, *wg, *shape;
    const char *n_whole, *shape_whole; /* in their place where the whole is asked for; NULL: the same */
    const char *figures; /* keys of results/figures.h, a list: each has a table behind that of times */
    bool has_speed_up;   /* another table: how many times as fast as the sequential program each is */
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
