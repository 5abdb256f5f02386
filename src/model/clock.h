/* The host's clock. */
#ifndef CLREDUCE_MODEL_CLOCK_H
#define CLREDUCE_MODEL_CLOCK_H

#include <stddef.h>

/* Seconds of a clock that never steps (POSIX CLOCK_MONOTONIC). */
double red_clock_s(void);

/* The smallest difference between two readings that can be seen, in seconds; measured in under 1 ms. */
double red_clock_step_s(void);

/* UTC now as "2026-01-31T12:00:00Z"; `text` needs 21 bytes. */
void red_clock_print_utc(char *text, size_t text_size_bytes);

#endif
