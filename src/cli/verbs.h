/* Every verb of the program, each in a file of its own, where its row red_verb_<name> stands: what --help,
 * the manual page and the completion are made of. */
#ifndef CLREDUCE_CLI_VERBS_H
#define CLREDUCE_CLI_VERBS_H

#include "cli/options.h"

extern const struct red_verb *const red_verbs[];
extern const size_t red_verbs_n;

#endif
