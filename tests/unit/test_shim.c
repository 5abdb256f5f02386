/* What Google Benchmark is made to time: a batch, without the calls before it. */
#include "tests/unit/testing.h"

#include "bench/shim.h"
#include "core/clock.h"

static const double SLOW_S = 0.3; /* more than a busy machine takes from anybody at a time */

/* The first calls take SLOW_S each, the others nothing. */
struct callee {
    unsigned calls_n, slow_n, fails_at; /* fails_at counts from 1; 0: never */
    double seconds;                     /* per call */
};

static int call(void *context) {
    struct callee *callee = context;
    double start_s = red_clock_s();
    callee->calls_n++;
    while (callee->calls_n <= callee->slow_n && red_clock_s() - start_s < SLOW_S)
        ;
    return callee->calls_n == callee->fails_at ? -1 : 0;
}

/* Times one batch; whether there were times, which go into the JSON. */
static bool run(struct callee *callee, uint64_t calls) {
    struct red_gbench_row row = {.name = "a row", .calls = calls};
    bool timed = red_gbench_batch(call, callee, calls, &row.time) == 0;
    char *json = red_gbench_json(&row, timed);
    assert_non_null(json);
    assert_int_equal(strstr(json, "a row") != NULL, timed);
    free(json);
    callee->seconds = row.time.real_s;
    return timed;
}

static void the_first_calls_are_not_timed(void **state) {
    struct callee callee = {.slow_n = 3};
    assert_true(run(&callee, 50));
    assert_int_equal(callee.calls_n, 3 + 50);
    /* A single slow call among the timed ones would make it more. */
    assert_true(callee.seconds < SLOW_S / 50);
}

static void one_is_enough_before_a_single_call(void **state) {
    struct callee callee = {.slow_n = 2};
    assert_true(run(&callee, 1));
    assert_int_equal(callee.calls_n, 1 + 1);
    assert_true(callee.seconds >= SLOW_S);
}

static void what_fails_leaves_no_row(void **state) {
    for (unsigned fails_at = 1; fails_at <= 8; fails_at++) {
        struct callee callee = {.fails_at = fails_at};
        assert_false(run(&callee, 5));
        assert_int_equal(callee.calls_n, fails_at);
    }
}
