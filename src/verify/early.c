/* How long the checks of a device will take: a few of them are made early (verify/verify.c, before it prints
 * "verifying on ...: N checks ..., about 40 s"), and what was announced is corrected while the others are
 * made: "takes longer than announced: ...". */
#include <math.h>
#include <stdio.h>

#include "core/clock.h"
#include "core/text.h"
#include "run/estimate.h"
#include "verify/private.h"

/* For what is left, here and in verify/verify.c. */
bool red_row_is_restored(const struct red_device_checks *checks, size_t i) {
    return red_outcomes_has(
        checks->verify->outcomes,
        &(const struct red_check_place){checks->d, checks->chapter, i, &checks->plan.rows[i]});
}

/* For the workload of a device, and for how much of it is done (run_own_checks in verify/verify.c): nothing
 * of a row that --resume has found. */
struct red_workload red_row_workload(const struct red_device_checks *checks, size_t i) {
    const struct red_check *check = &checks->plan.rows[i];
    const double elements = (double)(check->n * check->segments_n);
    const bool is_new_data =
        i == 0 || !red_checks_have_same_data(check, check - 1) || red_row_is_restored(checks, i - 1);
    if (red_row_is_restored(checks, i))
        return (struct red_workload){.checks_n = 0};
    return (struct red_workload){.checks_n = !check->repeats,
                                 .programs_n = red_check_program(checks, check)->first_row == i,
                                 .elements = check->repeats ? 0 : elements,
                                 .made = is_new_data ? elements : 0};
}

/* The caller has the lock. */
void red_announced_correct_and_print(struct red_device_checks *checks) {
    const double spent_s = red_clock_s() - checks->announced_s, before_s = checks->told_s,
                 share = red_workload_s(&checks->done, &checks->rates) /
                         red_workload_s(&checks->left, &checks->rates);
    double left_s;
    if (!red_estimate_correct(&checks->told_s, spent_s, share, &left_s))
        return;
    red_progress_end();
    fprintf(checks->verify->out, "takes %s than announced: %s so far, about %s left\n",
            checks->told_s > before_s ? "longer" : "less time", red_duration_text(spent_s).text,
            red_duration_text(left_s).text);
    fflush(checks->verify->out);
}

/* At the turn of row i: its outcome is taken, and its work counted no second time. */
struct red_early_check *red_early_check_of(struct red_device_checks *checks, size_t i) {
    for (size_t e = 0; e < checks->early_n && checks->chapter == 0; e++)
        if (checks->early[e].row == i)
            return &checks->early[e];
    return NULL;
}

/* What a check costs by itself, before its turn: its data are new. */
static struct red_workload workload_alone(const struct red_check *check, bool is_new_program) {
    const double elements = (double)(check->n * check->segments_n);
    return (struct red_workload){1, is_new_program, elements, elements};
}

/* Makes row i before its turn, unless end_s is past, and keeps its outcome; where it counts, adds its time to
 * the rates: "about ...". Gives the time; 0 where the row was not made or is not right. */
static double make_early_check(struct red_device_checks *checks, size_t i, double end_s, bool counts) {
    const struct red_check *check = &checks->plan.rows[i];
    const struct red_known_failure *known = red_check_known_failure(checks, check);
    struct red_program_state *program = red_check_program(checks, check);
    struct red_early_check *early = &checks->early[checks->early_n];
    if (red_early_check_of(checks, i) != NULL || checks->early_n == RED_EARLY_N || red_clock_s() > end_s ||
        (known != NULL && known->skip))
        return 0;
    const struct red_workload of_row = red_row_workload(checks, i),
                              work = workload_alone(check, !program->timed);
    red_row_verify_unless_restored(checks, i, 0, &early->outcome);
    early->row = i;
    checks->early_n++;
    program->timed = true;
    red_workload_add(&checks->early_work, &of_row);
    if (early->outcome.state != RED_STATE_PASS)
        return 0;
    if (counts)
        red_check_rates_add(&checks->rates, &work, early->outcome.check_s);
    return early->outcome.check_s;
}

/* Whether row i is a check that is left to be made. */
static bool is_to_be_made(const struct red_device_checks *checks, size_t i) {
    return !checks->plan.rows[i].repeats && !red_row_is_restored(checks, i);
}

/* For the estimate: whether n is large enough to show what elements cost, and so small that a contended
 * accumulator takes no minutes. */
static bool shows_element_cost(const struct red_device_checks *checks, size_t i) {
    enum { ELEMENTS_MAX = 1 << 18 };
    const struct red_check *check = &checks->plan.rows[i];
    return is_to_be_made(checks, i) && check->n >= RED_LARGE_CHECK_N && check->n <= ELEMENTS_MAX;
}

/* Makes an early check of the most elements that a program has, if it will take a second at most by what one
 * of fewer has taken: of fewer the launch and noise may hide what elements cost. */
static void make_early_largest_check(struct red_device_checks *checks, size_t fewer, double fewer_s,
                                     double end_s) {
    const struct red_test_plan *plan = &checks->plan;
    const double most = 1.0 / fewer_s * (double)plan->rows[fewer].n;
    size_t largest = fewer;
    for (size_t i = 0; i < plan->n; i++)
        if (plan->rows[i].n > plan->rows[largest].n && (double)plan->rows[i].n <= most &&
            red_check_program_number(plan, &plan->rows[i]) ==
                red_check_program_number(plan, &plan->rows[fewer]) &&
            is_to_be_made(checks, i))
            largest = i;
    (void)make_early_check(checks, largest, end_s, true);
}

/* For the estimate, makes two early checks of many elements of one program: row `at` and another. The first
 * may take longer for the large grid, which is a cost of the program and none of elements; so unless it was
 * very slow the other is made even where the time for early checks is over. */
static void make_early_large_checks(struct red_device_checks *checks, size_t at, double end_s) {
    const double very_slow_s = 10;
    const struct red_test_plan *plan = &checks->plan;
    const size_t program = red_check_program_number(plan, &plan->rows[at]);
    size_t other = 0;
    while (other < plan->n && (other == at || !shows_element_cost(checks, other) ||
                               red_check_program_number(plan, &plan->rows[other]) != program))
        other++;
    const double first_s = make_early_check(checks, at, end_s, other == plan->n);
    if (other == plan->n)
        return;
    const double next_s = make_early_check(checks, other, first_s < very_slow_s ? INFINITY : end_s, true);
    const struct red_workload first = workload_alone(&plan->rows[at], false),
                              next = workload_alone(&plan->rows[other], false);
    if (first_s > 0 && next_s > 0)
        red_check_rates_add_large_grid(&checks->rates, first_s - next_s * first.elements / next.elements);
    else if (first_s > 0) /* checks are so slow that there was no time for the next */
        red_check_rates_add(&checks->rates, &first, first_s);
    if (next_s > 0)
        make_early_largest_check(checks, other, next_s, end_s);
}

/* Where each check is slow, one tells enough. */
void red_early_checks_make(struct red_device_checks *checks) {
    const struct red_test_plan *plan = &checks->plan;
    enum { PROGRAMS = 3, SMALL = 2, EARLY_S = 5 };
    size_t large_n = 0, left_n = 0;
    for (size_t i = 0; i < plan->n; i++) {
        if (left_n == 0 && is_to_be_made(checks, i))
            make_early_check(checks, i, INFINITY, true);
        left_n += is_to_be_made(checks, i);
        large_n += shows_element_cost(checks, i);
    }
    const double end_s = red_clock_s() + EARLY_S; /* from when the driver is awake */
    for (size_t p = 0; p < PROGRAMS && left_n > 0 && !red_verify_is_over(checks->verify); p++) {
        const size_t wanted = (2 * p + 1) * (large_n > 0 ? large_n : left_n) / (2 * PROGRAMS);
        size_t at = 0, passed_n = 0, small_n = 0;
        for (; at + 1 < plan->n; at++) {
            const bool counts = large_n > 0 ? shows_element_cost(checks, at) : is_to_be_made(checks, at);
            if (counts && passed_n++ == wanted)
                break;
        }
        const size_t program = red_check_program_number(plan, &plan->rows[at]);
        for (size_t i = 0; i < plan->n && small_n < SMALL; i++) {
            const struct red_check *check = &plan->rows[i];
            if (check->n > plan->rows[at].n || red_check_program_number(plan, check) != program ||
                !is_to_be_made(checks, i))
                continue;
            make_early_check(checks, i, end_s, true);
            small_n++;
        }
        if (large_n > 0)
            make_early_large_checks(checks, at, end_s);
    }
}
