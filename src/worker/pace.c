#include "worker/pace.h"

#include <math.h>
#include <stdio.h>

#include "cl/verify.h"

enum { TEACHING_N = 1 << 18 };
static const double SLOW_S = 0.05;

void red_pace_learn(struct red_pace *pace, uint64_t n, double call_s) {
    if (call_s >= SLOW_S) {
        pace->slow_n = pace->slow_s > 0 && pace->slow_n < n ? pace->slow_n : n;
        pace->slow_s = fmax(pace->slow_s, call_s);
    }
    pace->least_n = pace->least_s > 0 && pace->least_n < n ? pace->least_n : n;
    pace->least_s = pace->least_s > 0 ? fmin(pace->least_s, call_s) : call_s;
    if (n >= TEACHING_N)
        pace->s_per_element = fmax(pace->s_per_element, call_s / (double)n);
}

double red_pace_call_s(const struct red_pace *own, const struct red_pace *wider, uint64_t n) {
    const struct red_pace *known = own->s_per_element > 0 || own->slow_s > 0 ? own : wider;
    double slow_s = known->slow_s > 0 && n >= known->slow_n ? known->slow_s : 0;
    return fmax(known->s_per_element * (double)n, slow_s);
}

double red_pace_foreign_s(const struct red_pace *others, uint64_t n) {
    enum { FASTER = 4 };
    const struct red_pace slow = {.slow_s = others->slow_s, .slow_n = others->slow_n};
    return fmax(red_pace_call_s(&slow, &slow, n), others->s_per_element * (double)n / FASTER);
}

double red_pace_least_s(const struct red_pace *pace, uint64_t n) {
    return n >= pace->least_n ? pace->least_s : 0;
}

double red_extent_s(const struct red_extent *extent, double program_s) {
    const double check_s = 8e-3, element_s = 3e-9, made_s = 12e-9;
    return (double)extent->programs_n * program_s + (double)extent->checks_n * check_s +
           RED_VERIFY_CALLS * extent->elements * element_s + extent->made * made_s;
}

bool red_far_off(double spent_s, double expected_s) {
    return fabs(spent_s - expected_s) > fmax(20, 0.5 * expected_s);
}

void red_duration_print(double seconds, char *text, size_t text_bytes) {
    if (seconds < 90)
        snprintf(text, text_bytes, "%.0f s", fmax(seconds, 1));
    else if (seconds < 90 * 60)
        snprintf(text, text_bytes, "%.0f minutes", seconds / 60);
    else
        snprintf(text, text_bytes, "%.1f hours", seconds / 3600);
}
