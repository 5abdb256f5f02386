/* Event times that can be believed, and every way in which they cannot. */
#include "tests/unit/testing.h"

#include "stats/statistics.h"

enum { LAUNCH_NS = 20000, STEP_NS = 10 };

static struct red_clock_sample ticks[RED_CLOCK_SAMPLES_N];

/* A driver whose clock counts ns from an hour on; a launch takes 20 us, a step 10 ns. */
static void ticks_make(void) {
    double at_s = 100;
    uint64_t at_ns = 3600000000000;
    for (size_t i = 0; i < RED_CLOCK_SAMPLES_N; i++) {
        uint64_t steps = 100000 * (i % RED_CLOCK_SAMPLE_SIZES + 1), work_ns = steps * STEP_NS;
        ticks[i] = (struct red_clock_sample){.steps = (double)steps,
                                             .begin_s = at_s,
                                             .end_s = at_s + 1e-9 * (double)(LAUNCH_NS + work_ns),
                                             .queued = at_ns + 1,
                                             .submit = at_ns + 5000,
                                             .start = at_ns + 10000,
                                             .end = at_ns + 10000 + work_ns};
        at_s += 0.01;
        at_ns += 10000000;
    }
}

static void judge(const char *reason) {
    struct red_event_clock event_clock;
    red_event_clock_judge(ticks, &event_clock);
    assert_true(event_clock.checked);
    if (event_clock.trusted != (reason == NULL) || strstr(event_clock.reason, reason ? reason : "") == NULL)
        fail_msg("%strusted: '%s' instead of '%s'", event_clock.trusted ? "" : "un", event_clock.reason,
                 reason ? reason : "");
}

static void a_good_clock_is_trusted(void **state) {
    struct red_event_clock event_clock;
    ticks_make();
    judge(NULL);
    red_event_clock_judge(ticks, &event_clock);
    assert_true(event_clock.quantum_ns == 1);
    assert_true(event_clock.r_squared > 0.999999);
    assert_true(event_clock.scale > 0.999 && event_clock.scale < 1.001);
    assert_true(event_clock.drift > -1e-6 && event_clock.drift < 1e-6);
}

/* Another process takes the processor: some launches end late, on both clocks or on the host's alone. */
static void a_busy_machine_is_forgiven(void **state) {
    ticks_make();
    for (size_t i = 3; i < RED_CLOCK_SAMPLES_N; i += 4) {
        ticks[i].end += 2000000;
        ticks[i].end_s += 0.003;
    }
    judge(NULL);
}

static void a_coarse_clock_is_trusted_while_it_is_fine_enough(void **state) {
    static const struct {
        uint64_t step_ns;
        const char *reason;
    } rows[] = {{1000, NULL}, {10000, NULL}, {1000000, "the clock steps by 1 ms"}};
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++) {
        ticks_make();
        for (size_t i = 0; i < RED_CLOCK_SAMPLES_N; i++) {
            uint64_t *const stamps[] = {&ticks[i].queued, &ticks[i].submit, &ticks[i].start, &ticks[i].end};
            for (size_t s = 0; s < 4; s++)
                *stamps[s] = *stamps[s] / rows[r].step_ns * rows[r].step_ns;
        }
        judge(rows[r].reason);
    }
}

static void every_fault_has_its_reason(void **state) {
    ticks_make();
    for (size_t i = 0; i < RED_CLOCK_SAMPLES_N; i++)
        ticks[i].queued = ticks[i].submit = ticks[i].start = ticks[i].end = 0;
    judge("all stamps are the same");
    ticks_make();
    ticks[7].end = ticks[7].start - 30;
    judge("END is 30 ns before START");
    ticks_make();
    ticks[8].submit = ticks[8].start + 2;
    judge("SUBMIT is 2 ns after START");
    ticks_make();
    ticks[9].queued = ticks[9].submit + 3;
    judge("QUEUED is 3 ns after SUBMIT");
    ticks_make();
    ticks[RED_CLOCK_SAMPLES_N - 1].end += 10000000;
    judge("of a launch for which the host waited");
    ticks_make();
    for (size_t i = 0; i < RED_CLOCK_SAMPLES_N; i++)
        ticks[i].end = ticks[i].start + 5000 + i % 2;
    judge("does not grow with the work");
    ticks_make();
    for (size_t i = 0; i < RED_CLOCK_SAMPLES_N; i++)
        ticks[i].end = ticks[i].start + (ticks[i].end - ticks[i].start) / 2;
    judge("START to END grows 0.5 times");
    ticks_make();
    for (size_t i = 0; i < RED_CLOCK_SAMPLES_N; i++) { /* its second is a twentieth shorter than the host's */
        uint64_t late_ns = 500000 * i;
        ticks[i].queued += late_ns, ticks[i].submit += late_ns, ticks[i].start += late_ns;
        ticks[i].end += late_ns;
    }
    judge("the clock runs 4.89 % off");
    ticks_make();
    for (size_t i = 0; i < RED_CLOCK_SAMPLES_N; i++)
        ticks[i].end = ticks[i].start;
    judge("END is START");
}
