/* Numbers with a unit, as options and policies say them. */
#ifndef CLREDUCE_CORE_QUANTITY_H
#define CLREDUCE_CORE_QUANTITY_H

#include <stdbool.h>

/* Reads seconds from 0.0001 to max_s: "10", "10s", "10 s" or "500ms". False for anything else. */
bool red_seconds_read(const char *text, double max_s, double *seconds);

/* Reads a percentage, "2 %" or "2.5%", as 2 or 2.5. False for anything else: what has no sign might be meant
 * as a fraction. */
bool red_percent_read(const char *text, double *percent);

#endif
