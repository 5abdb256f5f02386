/* Every option of every verb: the one table that the command line is read by, and that --help, the manual
 * page and the shell's completion are made of. */
#ifndef CLREDUCE_CLI_OPTION_TABLE_H
#define CLREDUCE_CLI_OPTION_TABLE_H

#include <stddef.h>

#include "cli/options.h"

/* Reads the value of an option, NULL for a switch, into its place in *to. Errors: RED_E_INPUT, in a line that
 * names the option, what it was given, and what would be right. */
struct red_option;
typedef enum red_status red_option_read(const struct red_option *option, struct red_options *to,
                                        const char *text, struct red_error *error);

struct red_option {
    const char *name, *argument; /* argument NULL: a switch */
    const char *help;            /* NULL: that of the verb's formats */
    red_option_read *read;
    size_t at,
        count_at; /* where the value goes in struct red_options, and how many there are of one that repeats */
    double max;
    const char *expected; /* in words */
};

/* By enum red_option_id; --help shows them in this order. -o alone is a short option, too. */
extern const struct red_option red_option_table[RED_OPTIONS_N];

/* "table, json or csv" of a list "table,json,csv"; gives `text`. And the first of a list. */
const char *red_formats_print(const char *list, char *text, size_t text_bytes);
void red_format_choose_first(const char *list, enum red_format *format);

#endif
