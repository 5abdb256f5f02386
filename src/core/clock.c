#define _GNU_SOURCE /* clock_gettime, gmtime_r, timegm; CLOCK_BOOTTIME */
/* Reads the monotonic clock and dates. */
#include "core/clock.h"

#include <ctype.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

static uint64_t read_clock_ns(clockid_t clock) {
    struct timespec now;
    clock_gettime(clock, &now);
    return (uint64_t)now.tv_sec * UINT64_C(1000000000) + (uint64_t)now.tv_nsec;
}

/* Begin and end of host times, budgets, time limits of workers, and the progress line. */
double red_clock_s(void) {
    return 1e-9 * (double)red_clock_ns();
}

/* Stamps of the batches of a duel, which program and workers compare (worker/client_asks.c). */
uint64_t red_clock_ns(void) {
    return read_clock_ns(CLOCK_MONOTONIC);
}

/* Two readings of the clock, of batches in gate/loop.c and of the next function. */
uint64_t red_clock_elapsed_ns(uint64_t before_ns, uint64_t after_ns) {
    return after_ns > before_ns ? after_ns - before_ns : 0;
}

/* Read before and after each block of a duel (gate/loop.c). */
uint64_t red_clock_suspended_ns(void) {
#ifdef __linux__
    uint64_t awake_ns = read_clock_ns(CLOCK_MONOTONIC), all_ns = read_clock_ns(CLOCK_BOOTTIME);
    return red_clock_elapsed_ns(awake_ns, all_ns);
#else
    return 0;
#endif
}

static const double LOOK_MAX_S = 0.5;

/* For --patience: of workers (worker/process.c), and of ranks (ranks/ranks.c). */
void red_waiting_begin(struct red_waiting *waiting) {
    *waiting = (struct red_waiting){.looked_s = red_clock_s()};
}

double red_waiting_look(struct red_waiting *waiting) {
    const double now_s = red_clock_s();
    waiting->waited_s += fmin(fmax(now_s - waiting->looked_s, 0), LOOK_MAX_S);
    waiting->looked_s = now_s;
    return waiting->waited_s;
}

/* For `bench`: key `clock_step_s` of its result file; batches take many steps (run/bench.c). */
double red_clock_measure_step_s(void) {
    double least = 1;
    for (int i = 0; i < 1000; i++) {
        double start = red_clock_s(), now;
        while ((now = red_clock_s()) <= start)
            ;
        least = now - start < least ? now - start : least;
    }
    return least;
}

/* Key `started` of result files and of a duel's, and "today" for a policy. */
void red_clock_utc_now_format(char *text, size_t text_size_bytes) {
    time_t now = time(NULL);
    struct tm utc;
    gmtime_r(&now, &utc);
    strftime(text, text_size_bytes, "%Y-%m-%dT%H:%M:%SZ", &utc);
}

enum { GREGORIAN_YEAR_FIRST = 1583, DAY_S = 86400 };

/* `text` is `until` of a policy, or the date of a known failure: their readers have the message. */
bool red_date_read(const char *text, long *day) {
    static const char form[] = "dddd-dd-dd";
    for (size_t i = 0; i < sizeof form; i++)
        if (form[i] == 'd' ? !isdigit((unsigned char)text[i]) : text[i] != form[i])
            return false;
    struct tm date = {.tm_year = atoi(text) - 1900, .tm_mon = atoi(text + 5) - 1, .tm_mday = atoi(text + 8)};
    struct tm found = date;
    const time_t start = timegm(&found); /* takes the 31st of April for the 1st of May */
    if (date.tm_year + 1900 < GREGORIAN_YEAR_FIRST || found.tm_mon != date.tm_mon ||
        found.tm_mday != date.tm_mday)
        return false;
    if (day != NULL)
        *day = (long)(start / DAY_S);
    return true;
}
