/* No output of any verb takes the place of an input, nor of another output: one check of the command line,
 * before anything is done. */
#ifndef CLREDUCE_CLI_OVERWRITE_H
#define CLREDUCE_CLI_OVERWRITE_H

#include "cli/options.h"

/* Judges all files that the options name: inputs, outputs, the journal beside --output, the file of tuned
 * geometries where --tune writes it, this very program. Two names are one file if they lead to the same
 * device and inode, through links of either kind, or would. Errors: RED_E_INPUT naming both options. */
enum red_status red_overwrite_check(const struct red_options *options, struct red_error *error);

/* The same for an output whose path follows from an option, such as a file in emit's folder. */
enum red_status red_overwrite_check_file(const struct red_options *options, const char *option,
                                         const char *path, struct red_error *error);

#endif
