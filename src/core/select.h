/* Choosing by name: lists, globs, and the nearest valid name for a slip of the finger. */
#ifndef CLREDUCE_CORE_SELECT_H
#define CLREDUCE_CORE_SELECT_H

#include <stdbool.h>
#include <stddef.h>

#include "core/status.h"

/* A pattern is cut to fit. */
enum { RED_SELECT_PATTERN_BYTES = 128 };

/* Whether `name` matches one of the comma-separated patterns of `list`: shell globs, letter case ignored. A
 * NULL list matches everything. */
bool red_select_matches(const char *list, const char *name);

/* Checks that every pattern of `list` matches at least one of the names. `what` ("strategy") names the kind.
 * Errors: RED_E_INPUT, naming the pattern, the nearest valid name and all valid names. */
enum red_status red_select_check(const char *what, const char *list, const char *const *names, size_t names_n,
                                 struct red_error *error);

/* Refuses a name that is none of the names, with the same error. */
enum red_status red_select_refuse(const char *what, const char *pattern, const char *const *names,
                                  size_t names_n, struct red_error *error);

#endif
