#include "bench/pace.h"

#include <math.h>

#include "device/verify.h"

enum { TEACHING_N = 1 << 18 };

void red_pace_learn(struct red_pace *pace, uint64_t n, double call_s) {
    if (n >= TEACHING_N)
        pace->s_per_element = fmax(pace->s_per_element, call_s / (double)n);
}

double red_pace_check_s(const struct red_pace *own, const struct red_pace *wider, uint64_t n) {
    const struct red_pace *known = own->s_per_element > 0 ? own : wider;
    return RED_VERIFY_CALLS * known->s_per_element * (double)n;
}
