/* Whether a program is a build of clreduce, before anything is asked of its drivers. */
#ifndef CLREDUCE_GATE_SIDE_PROGRAM_H
#define CLREDUCE_GATE_SIDE_PROGRAM_H

#include <stddef.h>

#include "core/status.h"

/* Runs the program with --version, and writes what it says: "0.1.0".
 *   option       names it in messages: "--head"
 *   environment  NAME=VALUE, NULL; NULL: that of this program
 * Errors: RED_E_INPUT for what cannot be started, says something else, or nothing in 10 s. */
enum red_status red_program_version(const char *option, const char *path, char *const *environment,
                                    char *version, size_t version_bytes, struct red_error *error);

#endif
