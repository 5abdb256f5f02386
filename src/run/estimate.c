/* What a call, a check and a run are expected to take: what `verify` leaves out as over budget, and the
 * "about 40 s" before a run. */
#include "run/estimate.h"

#include <math.h>
#include <stdio.h>

#include "model/verification.h"

enum { COUNTED_N = 1 << 18 };
static const double SLOW_S = 0.05;

void red_call_cost_add(struct red_call_cost *cost, uint64_t n, double call_s) {
    if (call_s >= SLOW_S) {
        cost->slow_n = cost->slow_s > 0 && cost->slow_n < n ? cost->slow_n : n;
        cost->slow_s = fmax(cost->slow_s, call_s);
    }
    cost->least_n = cost->least_s > 0 && cost->least_n < n ? cost->least_n : n;
    cost->least_s = cost->least_s > 0 ? fmin(cost->least_s, call_s) : call_s;
    if (n >= COUNTED_N)
        cost->s_per_element = fmax(cost->s_per_element, call_s / (double)n);
}

double red_call_cost_s(const struct red_call_cost *own, const struct red_call_cost *wider, uint64_t n) {
    const struct red_call_cost *known = own->s_per_element > 0 || own->slow_s > 0 ? own : wider;
    double slow_s = known->slow_s > 0 && n >= known->slow_n ? known->slow_s : 0;
    return fmax(known->s_per_element * (double)n, slow_s);
}

double red_call_cost_foreign_s(const struct red_call_cost *others, uint64_t n) {
    enum { FASTER = 4 };
    const struct red_call_cost slow = {.slow_s = others->slow_s, .slow_n = others->slow_n};
    return fmax(red_call_cost_s(&slow, &slow, n), others->s_per_element * (double)n / FASTER);
}

double red_call_cost_least_s(const struct red_call_cost *cost, uint64_t n) {
    return n >= cost->least_n ? cost->least_s : 0;
}

/* ---- a run -----------------------------------------------------------------------------------------------
 */

static const double PROGRAM_S = 0.5, CHECK_S = 8e-3, ELEMENT_S = 3e-9, MADE_S = 12e-9;

static double elements_s(const struct red_workload *workload) {
    return RED_VERIFY_CALLS * workload->elements * ELEMENT_S + workload->made * MADE_S;
}

void red_check_rates_add(struct red_check_rates *rates, const struct red_workload *check, double took_s) {
    if (check->programs_n > 0 && rates->first_s <= 0) {
        rates->first_s = took_s;
        return;
    }
    const bool is_large = check->elements >= RED_LARGE_CHECK_N;
    const bool is_new = check->programs_n > 0;
    rates->compiling.n += is_new;
    rates->compiling.s += is_new ? took_s : 0;
    rates->compiling.elements_s += is_new ? elements_s(check) : 0;
    rates->small.n += !is_new && !is_large;
    rates->small.s += !is_new && !is_large ? took_s : 0;
    rates->large.n += !is_new && is_large;
    rates->large.s += !is_new && is_large ? took_s : 0;
    rates->large.elements_s += !is_new && is_large ? elements_s(check) : 0;
}

/* A first program alone tells how long one takes at most. */
double red_workload_s(const struct red_workload *workload, const struct red_check_rates *rates) {
    const double check_s = rates->small.n > 0 ? rates->small.s / (double)rates->small.n : CHECK_S;
    const double scale = rates->large.n > 0 ? fmax(0, rates->large.s - (double)rates->large.n * check_s) /
                                                  rates->large.elements_s
                                            : 1;
    const double compiling_s = fmax(0, rates->compiling.s - (double)rates->compiling.n * check_s -
                                           scale * rates->compiling.elements_s);
    const double program_s = rates->compiling.n > 0 ? compiling_s / (double)rates->compiling.n
                             : rates->first_s > 0   ? fmin(rates->first_s, PROGRAM_S)
                                                    : PROGRAM_S;
    return (double)workload->programs_n * program_s + (double)workload->checks_n * check_s +
           scale * elements_s(workload);
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
