#define _POSIX_C_SOURCE 200809L /* clock_gettime, gmtime_r */
#include "model/clock.h"

#include <time.h>

double red_clock_s(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
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
