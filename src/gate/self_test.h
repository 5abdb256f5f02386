/* What the gate is worth, measured by itself: how often it calls something slower that is not, and how often
 * it finds what is. */
#ifndef CLREDUCE_GATE_SELF_TEST_H
#define CLREDUCE_GATE_SELF_TEST_H

#include "cli/options.h"

/* Runs the scenarios that options->self_test lists until each has had its trials, and prints n, k and the
 * exact binomial limit (Clopper and Pearson, 1934) of each. Trials are kept in options->output, of any number
 * of runs. Errors: RED_E_WRONG where the gate was wrong more often than claimed; RED_E_INTERRUPTED, after
 * which it can be gone on with; those of a duel. */
enum red_status red_self_test(const struct red_options *options, struct red_error *error);

#endif
