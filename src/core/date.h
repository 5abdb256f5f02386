/* Days of the calendar. */
#ifndef CLREDUCE_CORE_DATE_H
#define CLREDUCE_CORE_DATE_H

#include <stdbool.h>

/* Reads a date such as "2026-11-22" (ISO 8601; the Gregorian calendar, from 1583 on) and nothing else.
 *   day   if not NULL: its number, one more for each day
 * False where there is no such date. */
bool red_date_read(const char *text, long *day);

#endif
