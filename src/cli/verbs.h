/* Every verb of the program: the one table that --help, the manual page and the shell's completion are made
 * of. */
#ifndef CLREDUCE_CLI_VERBS_H
#define CLREDUCE_CLI_VERBS_H

#include "cli/options.h"

extern const struct red_verb red_verbs[];
extern const size_t red_verbs_n;

#endif
