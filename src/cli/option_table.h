/* Every option of every verb: the one table that --help, the manual page and the shell's completion are made
 * of.
 */
#ifndef CLREDUCE_CLI_OPTION_TABLE_H
#define CLREDUCE_CLI_OPTION_TABLE_H

#include <argp.h>
#include <stddef.h>

/* Keys are the letters of red_verb.keys; of these -o alone is a short option, too. */
enum { RED_KEY_BASE = 0x100, RED_KEY_SHORT = 'o', RED_OPTIONS_MAX = 64 };

/* A `doc` of NULL is that of the verb's formats. */
extern const struct argp_option red_option_table[];
extern const size_t red_options_n; /* at most RED_OPTIONS_MAX */

#endif
