#define _GNU_SOURCE /* clock_gettime, gmtime_r; CLOCK_BOOTTIME */
#include "core/clock.h"

#include <time.h>

static uint64_t read_ns(clockid_t clock) {
    struct timespec now;
    clock_gettime(clock, &now);
    return (uint64_t)now.tv_sec * UINT64_C(1000000000) + (uint64_t)now.tv_nsec;
}

double red_clock_s(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

uint64_t red_clock_ns(void) {
    return read_ns(CLOCK_MONOTONIC);
}

uint64_t red_clock_between_ns(uint64_t before_ns, uint64_t after_ns) {
    return after_ns > before_ns ? after_ns - before_ns : 0;
}

uint64_t red_clock_suspended_ns(void) {
#ifdef __linux__
    uint64_t awake_ns = read_ns(CLOCK_MONOTONIC), all_ns = read_ns(CLOCK_BOOTTIME);
    return red_clock_between_ns(awake_ns, all_ns);
#else
    return 0;
#endif
}

double red_clock_step_s(void) {
    double least = 1;
    for (int i = 0; i < 1000; i++) {
        double start = red_clock_s(), now;
        while ((now = red_clock_s()) <= start)
            ;
        least = now - start < least ? now - start : least;
    }
    return least;
}

void red_clock_print_utc(char *text, size_t text_size_bytes) {
    time_t now = time(NULL);
    struct tm utc;
    gmtime_r(&now, &utc);
    strftime(text, text_size_bytes, "%Y-%m-%dT%H:%M:%SZ", &utc);
}
