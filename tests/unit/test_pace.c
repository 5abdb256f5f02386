#include "tests/unit/testing.h"

#include "run/estimate.h"

static const struct red_call_cost unknown;

enum { TYPE = 2, OTHER_TYPE = 5 };

/* Of a program of which `own` is known, and of a type of which `type` is; of all that is known `all`. */
static double call_s(const struct red_call_cost *own, const struct red_call_cost *type,
                     const struct red_call_cost *all, uint64_t n) {
    const struct red_call_costs costs = {.all = *all, .type[TYPE] = *type};
    return red_call_cost_s(own, &costs, TYPE, RED_ADDS, n);
}

static void a_call_takes_time_in_proportion_to_its_elements(void **state) {
    struct red_call_cost own = {0}, wider = {0};
    red_call_cost_add(&own, 1 << 20, 0.5);
    assert_near(call_s(&own, &wider, &unknown, 1 << 20), 0.5, 1e-14);
    assert_near(call_s(&own, &wider, &unknown, 1 << 24), 8, 1e-14);
}

static void the_slowest_counts(void **state) {
    struct red_call_cost own = {0}, wider = {0};
    const double calls_s[] = {0.1, 3, 0.2};
    for (size_t i = 0; i < 3; i++)
        red_call_cost_add(&own, 1 << 18, calls_s[i]);
    assert_near(call_s(&own, &wider, &unknown, 1 << 18), 3, 1e-14);
}

static void a_slow_relative_is_asked_only_where_nothing_is_known(void **state) {
    struct red_call_cost own = {0}, wider = {0};
    red_call_cost_add(&wider, 1 << 20, 7);
    assert_near(call_s(&own, &wider, &unknown, 1 << 20), 7, 1e-14);
    red_call_cost_add(&own, 1 << 20, 0.001);
    assert_near(call_s(&own, &wider, &unknown, 1 << 20), 0.001, 1e-14);
}

static void small_sizes_teach_nothing(void **state) {
    struct red_call_cost own = {0}, wider = {0};
    red_call_cost_add(&own, 1 << 17, 0.04);
    assert_true(call_s(&own, &wider, &unknown, 1 << 24) == 0);
}

/* A kernel of 10 ms whatever n took 7 minutes of a share of some seconds, since no size was slow enough to
 * teach. */
static void no_call_takes_less_than_the_fastest(void **state) {
    struct red_call_cost pace = {0};
    assert_true(red_call_cost_least_s(&pace, 1) == 0);
    red_call_cost_add(&pace, 100, 0.02);
    red_call_cost_add(&pace, 7, 0.03);
    red_call_cost_add(&pace, 1 << 20, 0.5);
    assert_near(red_call_cost_least_s(&pace, 7), 0.02, 1e-14);
    assert_near(red_call_cost_least_s(&pace, 1 << 24), 0.02, 1e-14);
    assert_true(red_call_cost_least_s(&pace, 6) == 0);
    red_call_cost_add(&pace, 8, 1e-5);
    assert_near(red_call_cost_least_s(&pace, 100), 1e-5, 1e-14);
}

/* A contended accumulator on a GPU: 17 million elements took minutes, though a million of another type had
 * taken seconds. */
static void other_types_tell_of_large_sizes(void **state) {
    struct red_call_cost others = {0};
    assert_true(call_s(&unknown, &unknown, &others, 1 << 24) == 0);
    red_call_cost_add(&others, 1 << 20, 4);
    assert_near(call_s(&unknown, &unknown, &others, 1 << 24), 16, 1e-14);
    assert_near(call_s(&unknown, &unknown, &others, 1 << 20), 4, 1e-14);
    assert_near(call_s(&unknown, &unknown, &others, 1 << 19), 0.5, 1e-14);
}

/* Sums of one type by compare-and-swap took minutes at 17 million elements, since maxima of that type, which
 * seldom swap, had been fast with a million. What sums of the type take counts alone, once it is known. */
static void cheap_operations_of_a_type_tell_less_than_other_types_of_an_operation(void **state) {
    struct red_call_costs costs = {.all = {0}};
    struct red_call_cost own = {0};
    red_call_costs_add(&costs, TYPE, RED_PICKS_GREATEST, 1 << 20, 0.01);
    red_call_costs_add(&costs, OTHER_TYPE, RED_ADDS, 1 << 18, 0.9);
    assert_near(red_call_cost_s(&own, &costs, TYPE, RED_ADDS, 1 << 24), 0.9 * 64 / 4, 1e-9);
    assert_near(red_call_cost_s(&own, &costs, TYPE, RED_PICKS_GREATEST, 1 << 24), 0.16, 1e-9);
    assert_near(red_call_cost_s(&own, &costs, OTHER_TYPE, RED_PICKS_LEAST, 1 << 24), 0.9 * 64, 1e-9);
    red_call_costs_add(&costs, TYPE, RED_ADDS, 1 << 18, 0.002);
    assert_near(red_call_cost_s(&own, &costs, TYPE, RED_ADDS, 1 << 24), 0.128, 1e-9);
    red_call_cost_add(&own, 1 << 18, 0.001);
    assert_near(red_call_cost_s(&own, &costs, TYPE, RED_ADDS, 1 << 24), 0.064, 1e-9);
}

static void a_slow_call_of_few_elements_tells_of_more(void **state) {
    struct red_call_cost own = {0}, wider = {0};
    red_call_cost_add(&own, 100, 3);
    assert_near(call_s(&own, &wider, &unknown, 100), 3, 1e-14);
    assert_near(call_s(&own, &wider, &unknown, 1 << 24), 3, 1e-14);
    assert_true(call_s(&own, &wider, &unknown, 99) == 0);
    red_call_cost_add(&own, 2, 0.5);
    assert_near(call_s(&own, &wider, &unknown, 2), 3, 1e-14);
    assert_near(call_s(&wider, &own, &unknown, 7), 3, 1e-14);
}

/* Without a check that was made, the constants of CPU drivers tell. */
static void programs_checks_and_elements_take_time(void **state) {
    const struct red_check_rates nothing = {0};
    const struct red_workload programs = {.programs_n = 400}, checks = {.checks_n = 1000000},
                              elements = {.elements = 1e10}, all = {1000000, 400, 1e10, 1e10},
                              made = {.made = 1e10};
    assert_near(red_workload_s(&programs, &nothing), 200, 1e-14);
    assert_true(red_workload_s(&checks, &nothing) > 100 && red_workload_s(&elements, &nothing) > 10 &&
                red_workload_s(&made, &nothing) > 10);
    const double parts_s = 200 + red_workload_s(&checks, &nothing) + red_workload_s(&elements, &nothing) +
                           red_workload_s(&made, &nothing);
    assert_near(red_workload_s(&all, &nothing), parts_s, 1e-9 * parts_s);
}

/* A GPU's driver compiles in a sixth of a second; a check takes a millisecond, and of 2^18 elements two. */
static void rates_are_those_of_the_device(void **state) {
    struct red_check_rates rates = {0};
    const struct red_workload first = {.checks_n = 1, .programs_n = 1, .elements = 100, .made = 100},
                              small = {.checks_n = 1, .elements = 100, .made = 100},
                              large = {.checks_n = 1, .elements = 1 << 18, .made = 1 << 18},
                              all = {.checks_n = 3000, .programs_n = 100, .elements = 1e9, .made = 1e9};
    red_check_rates_add(&rates, &first, 0.7); /* the driver wakes up */
    assert_in_range((long)red_workload_s(&(struct red_workload){.programs_n = 100}, &rates), 1, 50);
    red_check_rates_add(&rates, &first, 0.17);
    red_check_rates_add(&rates, &first, 0.15);
    red_check_rates_add(&rates, &small, 0.001);
    red_check_rates_add(&rates, &large, 0.002);
    const double expected_s = 100 * 0.159 + 3000 * 0.001 + 1e9 / (1 << 18) * 0.001;
    assert_near(red_workload_s(&all, &rates), expected_s, 0.01 * expected_s);
}

/* One kernel that contends for one address is not every kernel. */
static void a_first_launch_that_compiles_is_no_cost_of_elements(void **state) {
    const struct red_workload first = {.programs_n = 1, .checks_n = 1, .elements = 64, .made = 64},
                              small = {.checks_n = 1, .elements = 1000, .made = 1000},
                              large = {.checks_n = 1, .elements = 1 << 16, .made = 1 << 16},
                              all = {.programs_n = 100, .checks_n = 2800, .elements = 1e9, .made = 1e9};
    struct red_check_rates rates = {0};
    for (unsigned i = 0; i < 4; i++) {
        red_check_rates_add(&rates, &first, 0.3);
        red_check_rates_add(&rates, &small, 0.002);
        red_check_rates_add(&rates, &large, 0.003);
        red_check_rates_add_large_grid(&rates, 0.11);
    }
    const double told_s = red_workload_s(&all, &rates);
    assert_true(told_s > 100 * 0.41 && told_s < 100 * 0.41 + 2800 * 0.002 + 25);
}

static void one_slow_check_is_not_all(void **state) {
    const struct red_workload first = {.programs_n = 1, .checks_n = 1, .elements = 64, .made = 64},
                              small = {.checks_n = 1, .elements = 1000, .made = 1000},
                              large = {.checks_n = 1, .elements = 1 << 20, .made = 1 << 20},
                              all = {.programs_n = 5, .checks_n = 736, .elements = 2e8, .made = 5e7};
    for (unsigned slow = 0; slow < 8; slow++) {
        struct red_check_rates rates = {0}, calm = {0};
        for (unsigned i = 0; i < 8; i++) {
            red_check_rates_add(&rates, &first, 0.3);
            red_check_rates_add(&calm, &first, 0.3);
            red_check_rates_add(&rates, &small, i == slow ? 1.5 : 0.01);
            red_check_rates_add(&calm, &small, 0.01);
            red_check_rates_add(&rates, &large, i == slow ? 8 : 0.02);
            red_check_rates_add(&calm, &large, 0.02);
        }
        const double told_s = red_workload_s(&all, &rates), calm_s = red_workload_s(&all, &calm);
        assert_true(told_s >= calm_s && told_s < 2 * calm_s);
    }
}

static void an_expectation_may_be_wrong_by_half(void **state) {
    assert_false(red_estimate_is_far_off(149, 100));
    assert_false(red_estimate_is_far_off(51, 100));
    assert_true(red_estimate_is_far_off(151, 100));
    assert_true(red_estimate_is_far_off(49, 100));
    assert_false(red_estimate_is_far_off(20, 1)); /* seconds are not worth a word */
}

/* A run on a clock of its own: announced_s were told, and it takes taken_s at an even pace. Gives how often
 * it was corrected, and the share of it that was over at the first time and what was then said to be left. */
static unsigned corrections(double announced_s, double taken_s, double *first_share, double *first_left_s) {
    double told_s = announced_s;
    unsigned n = 0;
    *first_share = *first_left_s = 0;
    for (unsigned i = 1; i <= 1000; i++) {
        double left_s;
        if (!red_estimate_correct(&told_s, taken_s * i / 1000, i / 1000.0, &left_s))
            continue;
        if (n++ == 0) {
            *first_share = i / 1000.0;
            *first_left_s = left_s;
        }
    }
    return n;
}

static void a_run_that_takes_twice_as_long_is_corrected_once(void **state) {
    static const double announced_s[] = {1, 7, 45, 120, 3600};
    double share, left_s;
    for (size_t i = 0; i < sizeof announced_s / sizeof announced_s[0]; i++) {
        const double told_s = announced_s[i];
        for (double times = 0.6; times < 1.95; times += 0.1)
            assert_int_equal(corrections(told_s, times * told_s, &share, &left_s), 0);
        for (double times = 2.1; times < 40; times *= 1.5) {
            const double taken_s = times * told_s;
            const unsigned n = corrections(told_s, taken_s, &share, &left_s);
            if (taken_s <= 5) { /* not worth a word */
                assert_int_equal(n, 0);
                continue;
            }
            assert_int_equal(n, 1);
            assert_true(share * taken_s <= fmax(5, 0.1 * taken_s) + 0.002 * taken_s);
            assert_near(left_s, (1 - share) * taken_s, 1e-9 * taken_s);
        }
    }
}

static void a_run_that_takes_half_is_corrected_if_that_is_worth_a_word(void **state) {
    double share, left_s;
    assert_int_equal(corrections(120, 50, &share, &left_s), 1);
    assert_near(left_s, (1 - share) * 50, 1e-9);
    assert_int_equal(corrections(20, 9, &share, &left_s), 0); /* 11 s less */
    assert_int_equal(corrections(120, 61, &share, &left_s), 0);
}

/* Slower and slower: each doubling is told once. */
static void what_was_corrected_is_corrected_again_at_doublings(void **state) {
    double told_s = 10, left_s, last_s = 10;
    unsigned n = 0;
    for (unsigned i = 1; i <= 1000; i++) {
        const double share = i / 1000.0, spent_s = 400 * share * share;
        if (!red_estimate_correct(&told_s, spent_s, share, &left_s))
            continue;
        n++;
        assert_true(told_s > 2 * last_s);
        last_s = told_s;
    }
    assert_in_range(n, 3, 5);
}

/* From two checks of a thousand nothing is projected, unless the whole time is over twice. */
static void few_checks_project_nothing(void **state) {
    double told_s = 60, left_s;
    assert_false(red_estimate_correct(&told_s, 30, 0.01, &left_s));
    assert_false(red_estimate_correct(&told_s, 130, 0, &left_s)); /* nothing can be said to be left */
    assert_true(told_s == 60);
    assert_true(red_estimate_correct(&told_s, 130, 0.01, &left_s));
    assert_near(left_s, 13000 - 130, 1e-9);
}

static void workers_share_whole_parts(void **state) {
    static const struct {
        size_t parts_n, workers_n;
        double share;
    } rows[] = {{1, 1, 1},   {1, 2, 1},   {2, 2, 0.5},   {3, 2, 2 / 3.0},
                {4, 2, 0.5}, {5, 4, 0.4}, {60, 4, 0.25}, {0, 2, 1}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        assert_near(red_shared_work_s(60, rows[i].parts_n, rows[i].workers_n), 60 * rows[i].share, 1e-9);
}

static void durations_are_rounded(void **state) {
    static const struct {
        double seconds;
        const char *text;
    } rows[] = {{0.01, "1 s"}, {42.4, "42 s"}, {90, "2 minutes"}, {3600, "60 minutes"}, {6000, "1.7 hours"}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        assert_string_equal(red_duration_text(rows[i].seconds).text, rows[i].text);
}

/* 50 ms whatever n: 2^18 elements must not say that 2^24 take 3 s. Where a call of few elements is faster,
 * cheaper operations on more elements must not hide what 2^18 took: a sum contends for one word, a maximum
 * seldom. */
static void what_a_call_of_few_elements_takes_is_no_cost_of_more(void **state) {
    struct red_call_cost constant = {0}, linear = {0}, mixed = {0};
    assert_true(red_call_cost_of_most_s(&constant, 1 << 24) == 0);
    for (unsigned k = 1; k <= 20; k++) {
        red_call_cost_add(&constant, UINT64_C(1) << k, 0.05);
        red_call_cost_add(&linear, UINT64_C(1) << k, 0.05 * (double)(1 << k) / (1 << 20));
    }
    assert_near(red_call_cost_of_most_s(&constant, 1 << 24), 0.05, 1e-6);
    assert_true(red_call_cost_of_most_s(&linear, 1 << 24) == 0);
    assert_near(call_s(&linear, &linear, &unknown, 1 << 24), 0.8, 1e-3);
    red_call_cost_add(&mixed, 10, 1e-5);
    red_call_cost_add(&mixed, 1 << 18, 0.9);
    red_call_cost_add(&mixed, 1 << 20, 0.01);
    assert_true(red_call_cost_of_most_s(&mixed, 1 << 24) == 0);
    assert_near(call_s(&mixed, &mixed, &unknown, 1 << 24), 0.9 * 64, 1e-3);
    /* A busy moment counts if it was one of the calls of most elements, and no longer if there are more. */
    red_call_cost_add(&constant, 1 << 19, 0.1);
    assert_near(red_call_cost_of_most_s(&constant, 1 << 24), 1.65, 1e-3);
    red_call_cost_add(&constant, 1 << 22, 0.05);
    assert_near(red_call_cost_of_most_s(&constant, 1 << 24), 0.05, 1e-6);
    red_call_cost_add(&constant, 1 << 18, 0.2);
    assert_near(red_call_cost_of_most_s(&constant, 1 << 24), 0.05, 1e-6);
}
