/* Files that can be read once only, or by this process alone: pipes, the standard input, a shell's <(...). */
#ifndef CLREDUCE_CLI_INPUTS_H
#define CLREDUCE_CLI_INPUTS_H

#include "cli/options.h"

/* Puts a copy in memory in the place of each such file that the options name, under a path that this process
 * and those that it starts can open as often as they like; folders and files on disks stay as they are. It
 * says on stderr which path stands for which. Waits for who writes, as any reader does, until a signal comes.
 * Errors: RED_E_INPUT for what cannot be read, or has no end; RED_E_INTERRUPTED; RED_E_MEMORY. */
enum red_status red_inputs_keep(struct red_options *options, struct red_error *error);

#endif
