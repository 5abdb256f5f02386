/* The trials of the gate's self-test: a file that any number of runs add to. */
#ifndef CLREDUCE_GATE_TRIALS_H
#define CLREDUCE_GATE_TRIALS_H

#include <jansson.h>
#include <stdio.h>

#include "cli/options.h"
#include "gate/duel_result.h"

struct red_scenario {
    const char *name, *profile, *what;
    const char *sizes, *strategies;
    size_t trials_n;   /* wanted */
    double change;     /* 0.05: the head is slower by so much; 0: both sides are the same */
    uint64_t slowed_n; /* at this one of the sizes */
    bool busy;         /* beside a busy process */
    const char *good;  /* what a good trial is */
};
extern const struct red_scenario red_scenarios[];
extern const size_t red_scenarios_n;

/* What a known number of steps costs: ratios of times with their intervals, of all steps and of half of them.
 */
struct red_calibration {
    uint32_t steps;
    double call_s; /* of the base */
    double whole, whole_low, whole_high, half, half_low, half_high;
};

struct red_trials {
    const char *path; /* borrowed; NULL: nothing is kept */
    json_t *root;     /* owned */
    char machine[256], choice[256];
};

/* Reads the file of --output, if there is one; trials are of the devices of --device. Release with _close.
 * Errors: RED_E_INPUT for a file that is none of trials, or cannot be written; RED_E_MEMORY. */
enum red_status red_trials_open(const struct red_options *options, struct red_trials *trials,
                                struct red_error *error);
void red_trials_close(struct red_trials *trials);

/* The cell of a duel that the scenario slows; NULL if it slows none. */
const struct red_duel_cell *red_trials_slowed(const struct red_scenario *scenario,
                                              const struct red_duel *duel);

/* Adds what came of a duel, and writes the file. Trials of other plans and choices of devices stay in it, and
 * count for themselves; those of other machines count, too, and can be told apart. Errors: RED_E_INPUT,
 * RED_E_MEMORY. */
enum red_status red_trials_add(struct red_trials *trials, const struct red_scenario *scenario,
                               const struct red_duel *duel, struct red_error *error);

/* The calibration of this machine, strategy and size, for all scenarios with a change. */
enum red_status red_trials_calibrate(struct red_trials *trials, const struct red_scenario *scenario,
                                     const struct red_calibration *calibration, struct red_error *error);
bool red_trials_calibration(const struct red_trials *trials, const struct red_scenario *scenario,
                            struct red_calibration *calibration);

/* Trials of the scenario with this choice of devices and the plan of today, on any machine. */
size_t red_trials_n(const struct red_trials *trials, const struct red_scenario *scenario);

/* "slow-5: 59 of 59 trials, 59 confirmed SLOWER: at least 95.0 % (exact, 95 %); 236 cells, 3.1 s each, ...".
 */
void red_trials_print(const struct red_trials *trials, const struct red_scenario *scenario, FILE *out);

/* The same for each machine, one line each. */
void red_trials_print_machines(const struct red_trials *trials, const struct red_scenario *scenario,
                               FILE *out);

/* Errors: RED_E_WRONG where a trial was not good: without a false SLOWER, or with that of the slowed cell
 * alone. */
enum red_status red_trials_check(const struct red_trials *trials, const struct red_scenario *scenario,
                                 struct red_error *error);

#endif
