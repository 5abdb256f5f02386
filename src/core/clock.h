/* The host clock of all measured times, and dates in policies and known failures. */
#ifndef CLREDUCE_CORE_CLOCK_H
#define CLREDUCE_CORE_CLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/status.h"

/* Seconds of a clock that never steps (POSIX CLOCK_MONOTONIC). */
double red_clock_s(void);

/* The same in whole nanoseconds. All processes of one system read the same clock: `duel` stamps its batches
 * and times its reference workloads with it. */
uint64_t red_clock_ns(void);

/* The time from one reading to a later one; 0 where the clock ran backwards all the same. */
uint64_t red_clock_elapsed_ns(uint64_t before_ns, uint64_t after_ns);

/* For how long the system has been suspended since it started, in nanoseconds (Linux: CLOCK_BOOTTIME less
 * CLOCK_MONOTONIC; 0 elsewhere). gate/loop.c drops a block in which it was. Without that two readings differ
 * by some microseconds. */
uint64_t red_clock_suspended_ns(void);

/* ---- waiting with a limit ------------------------------------------------------------------------------ */

/* How long something that may hang was waited for, found out by looks at it a few times in a second. */
struct red_waiting {
    double looked_s, waited_s;
};

/* Begins to wait. */
void red_waiting_begin(struct red_waiting *waiting);

/* A look: for how long it was waited until now, in seconds. What is between two looks counts as half a second
 * at most: in what is longer this process did not run either, as where a whole job is stopped and continued
 * later, and what it waits for is not to blame for that. */
double red_waiting_look(struct red_waiting *waiting);

/* The smallest difference between two readings that can be seen, in seconds. Measures it, in under 1 ms. */
double red_clock_measure_step_s(void);

/* UTC now as "2026-01-31T12:00:00Z"; `text` needs 21 bytes. */
void red_clock_utc_now_format(char *text, size_t text_size_bytes);

/* ---- dates --------------------------------------------------------------------------------------------- */

/* Reads a date such as "2026-11-22" (ISO 8601; the Gregorian calendar, from 1583 on) and nothing else.
 *   day   if not NULL: days from 1970-01-01 to it
 * False where there is no such date. */
bool red_date_read(const char *text, long *day);

#endif
