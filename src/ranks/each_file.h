/* What a rank's own file tells of its run. */
#ifndef CLREDUCE_RANKS_EACH_FILE_H
#define CLREDUCE_RANKS_EACH_FILE_H

#include "ranks/each.h"

/* Fills what the row says of the run from the file that `clreduce VERB --output` wrote: roof, wall_s and
 * answer; and where `judges` how it ended. *command is that of the file, empty for devices. Errors:
 * RED_E_INPUT for a file that cannot be read; RED_E_MEMORY. */
enum red_status red_each_file_read(const char *verb, const char *path, const char *text, size_t text_n,
                                   bool judges, struct red_each_row *row, char command[512],
                                   struct red_error *error);

#endif
