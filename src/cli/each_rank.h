/* bench --each, verify --each and devices --each: the verb on every rank's own device. */
#ifndef CLREDUCE_CLI_EACH_RANK_H
#define CLREDUCE_CLI_EACH_RANK_H

#include "cli/options.h"

/* Runs the verb of the command line on all ranks; rank 0 prints the table and writes the fleet file. Errors,
 * on all ranks alike: those of red_ranks_join; RED_E_WRONG and what else a rank's run has ended with;
 * RED_E_DEVICE where some ranks have no device, RED_E_NO_DEVICE or RED_E_INPUT where none has one. */
enum red_status red_verb_run_on_each_rank(const struct red_options *options, struct red_error *error);

#endif
