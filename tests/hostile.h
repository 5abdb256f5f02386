/* Cells as nobody would name or measure them, and what must become of each. For tests/test_export.c alone. */
#ifndef CLREDUCE_TESTS_HOSTILE_H
#define CLREDUCE_TESTS_HOSTILE_H

#include <math.h>

#include "record/export.h"

#define FFFD    "\xef\xbf\xbd"
#define TEN     "0123456789"
#define HUNDRED TEN TEN TEN TEN TEN TEN TEN TEN TEN TEN

static const double steady_s[] = {1.0e-5, 1.1e-5, 1.2e-5, 1.3e-5, 1.4e-5, 1.5e-5, 1.2e-5, 1.25e-5};
static const double steady_cpu_s[] = {1.0e-5, 0, 1.2e-5, 1.3e-5, 1.4e-5, 1.5e-5, 1.2e-5, 1.25e-5};
static const double slower_s[] = {3.0e-5, 3.05e-5, 3.1e-5, 3.15e-5, 3.2e-5, 3.25e-5, 3.1e-5, 3.12e-5};
static const double broken_s[] = {1e-5, NAN, 1e-5}, zero_s[] = {1e-5, 0, 1e-5}, endless_s[] = {INFINITY};
static const double tiny_s[] = {4e-10, 5e-10}, huge_s[] = {3.5e5};
static const double broken_cpu_s[] = {NAN, -1};

#define FIGURES(array, cpu, time, low, high)                                                                 \
    .samples_s = (array), .samples_n = sizeof(array) / sizeof(array)[0], .cpu_s = (cpu),                     \
    .calls_per_sample = 50, .time_s = (time), .low_s = (low), .high_s = (high)
#define STEADY            FIGURES(steady_s, steady_cpu_s, 1.225e-5, 1.1e-5, 1.4e-5)
#define TIME(time)        FIGURES(steady_s, steady_cpu_s, time, 1.1e-5, 1.4e-5)
#define BOUNDS(low, high) FIGURES(steady_s, steady_cpu_s, 1.225e-5, low, high)
#define SAMPLES(array)    FIGURES(array, NULL, 1.225e-5, 1.1e-5, 1.4e-5)
#define WHAT              .device = "pocl", .strategy = "tree", .op = "sum", .type = "f32", .n = 4096
#define PASS              .state = RED_STATE_PASS, .reason = ""

static const struct hostile {
    struct red_export_cell cell;
    const char *clean; /* its name to a reader; NULL: as it is */
    bool timed;
    const char *outcome;
} hostiles[] = {
    /* The first three change from base to head: none, slower, crashed. */
    {{.name = "pocl/tree/sum/f32/n:4096", WHAT, PASS, STEADY}, NULL, true, "passed"},
    {{.name = "pocl/tree/sum/f32/n:8192", WHAT, PASS, STEADY}, NULL, true, "passed"},
    {{.name = "pocl/tree/sum/f32/n:16384", WHAT, PASS, STEADY}, NULL, true, "passed"},
    /* names */
    {{.name = "a \"quoted\" 'name'", WHAT, PASS, STEADY}, NULL, true, "passed"},
    {{.name = "lines\nof\r\ntwo\rkinds\tand a tab", WHAT, PASS, STEADY}, NULL, true, "passed"},
    {{.name = "100 %, %0A %25 <b>&amp;</b> ]]> <!-- -->", WHAT, PASS, STEADY}, NULL, true, "passed"},
    {{.name = "commas, semicolons; colons: pipes | and `code`", WHAT, PASS, STEADY}, NULL, true, "passed"},
    {{.name = "=1+1|'cmd'!A0", WHAT, PASS, STEADY}, NULL, true, "passed"},
    {{.name = "::error::not a command ##[error]nor this", WHAT, PASS, STEADY}, NULL, true, "passed"},
    {{.name = "*em* _em_ ~~no~~ [a](b) ![i](j) # $x^2$ @who :+1: \\", WHAT, PASS, STEADY},
     NULL,
     true,
     "passed"},
    {{.name = "\xf0\x9f\x92\xa5 \xd7\xa9\xd7\x9c\xd7\x95\xd7\x9d \xe2\x80\xae sideways", WHAT, PASS, STEADY},
     NULL,
     true,
     "passed"},
    {{.name = HUNDRED HUNDRED HUNDRED, WHAT, PASS, STEADY}, NULL, true, "passed"},
    {{.name = "cut \xe2\x82, latin \xe9, \xff\xfe", WHAT, PASS, STEADY},
     "cut " FFFD ", latin " FFFD ", " FFFD,
     true,
     "passed"},
    {{.name = "bell \x07 escape \x1b[31m \x7f", WHAT, PASS, STEADY},
     "bell " FFFD " escape " FFFD "[31m \x7f",
     true,
     "passed"},
    {{.name = "no character \xef\xbf\xbe \xef\xbf\xbf", WHAT, PASS, STEADY},
     "no character " FFFD " " FFFD,
     true,
     "passed"},
    {{.name = " blanks around ", WHAT, PASS, STEADY}, NULL, true, "passed"},
    {{.name = "null", WHAT, PASS, STEADY}, NULL, true, "passed"},
    {{.name = "NaN", WHAT, PASS, STEADY}, NULL, true, "passed"},
    {{.name = "odd device",
      PASS,
      STEADY,
      .device = "<dev\n\"ice\" & \x01>",
      .strategy = "",
      .op = NULL,
      .type = NULL},
     NULL,
     true,
     "passed"},
    /* values */
    {{.name = "values/tiny", WHAT, PASS, FIGURES(tiny_s, NULL, 4.5e-10, 0, 0)}, NULL, true, "passed"},
    {{.name = "values/huge", WHAT, PASS, FIGURES(huge_s, NULL, 3.5e5, 1, 4e5)}, NULL, true, "passed"},
    {{.name = "values/no samples", WHAT, PASS, .time_s = 2e-3, .low_s = 1e-3, .high_s = 3e-3},
     NULL,
     true,
     "passed"},
    {{.name = "values/no interval", WHAT, PASS, BOUNDS(NAN, INFINITY)}, NULL, true, "passed"},
    {{.name = "values/median outside", WHAT, PASS, BOUNDS(2e-5, 3e-5)}, NULL, true, "passed"},
    {{.name = "values/no processor time", WHAT, PASS, FIGURES(tiny_s, broken_cpu_s, 4.5e-10, 0, 0)},
     NULL,
     true,
     "passed"},
    {{.name = "values/NaN", WHAT, PASS, TIME(NAN)}, NULL, false, "error"},
    {{.name = "values/infinite", WHAT, PASS, FIGURES(endless_s, NULL, INFINITY, 0, 0)}, NULL, false, "error"},
    {{.name = "values/zero", WHAT, PASS, TIME(0)}, NULL, false, "error"},
    {{.name = "values/negative", WHAT, PASS, TIME(-1e-5)}, NULL, false, "error"},
    {{.name = "values/a NaN sample", WHAT, PASS, SAMPLES(broken_s)}, NULL, false, "error"},
    {{.name = "values/a zero sample", WHAT, PASS, SAMPLES(zero_s)}, NULL, false, "error"},
    /* states, each with times that must not be seen */
    {{.name = "states/pending", WHAT, STEADY, .state = RED_STATE_PENDING, .reason = "not reached"},
     NULL,
     false,
     "error"},
    {{.name = "states/wrong",
      WHAT,
      STEADY,
      .state = RED_STATE_WRONG,
      .reason = "expected 1 < 2,\ngot \"nan\" & more"},
     NULL,
     false,
     "failure"},
    {{.name = "states/build-failed",
      WHAT,
      STEADY,
      .state = RED_STATE_BUILD_FAILED,
      .reason = "a.cl:1: \x1b[31merror\x1b[0m:\n\tx ]]> \xff"},
     NULL,
     false,
     "error"},
    {{.name = "states/unsupported",
      WHAT,
      STEADY,
      .state = RED_STATE_UNSUPPORTED,
      .reason = "no collectives | here"},
     NULL,
     false,
     "skipped"},
    {{.name = "states/over-budget", WHAT, STEADY, .state = RED_STATE_OVER_BUDGET, .reason = "100 % over"},
     NULL,
     false,
     "skipped"},
    {{.name = "states/failed", WHAT, STEADY, .state = RED_STATE_FAILED, .reason = "CL_OUT_OF_RESOURCES"},
     NULL,
     false,
     "error"},
    {{.name = "states/crashed",
      WHAT,
      STEADY,
      .state = RED_STATE_CRASHED,
      .reason = "SIGSEGV\r\n::warning::x"},
     NULL,
     false,
     "error"},
    {{.name = "states/timed-out", WHAT, STEADY, .state = RED_STATE_TIMED_OUT, .reason = NULL},
     NULL,
     false,
     "error"},
    {{.name = "states/known-bug", WHAT, STEADY, .state = RED_STATE_KNOWN_BUG, .reason = "listed"},
     NULL,
     false,
     "skipped"},
    /* verdicts of a gate */
    {{.name = "verdicts/slower",
      WHAT,
      PASS,
      STEADY,
      .verdict = "SLOWER",
      .code = "confirmed",
      .sentence = "5.2 % slower (4.1 to 6.3 %)",
      .ratio = 1.052,
      .ratio_low = 1.041,
      .ratio_high = 1.063,
      .fails = true},
     NULL,
     true,
     "failure"},
    {{.name = "verdicts/faster",
      WHAT,
      PASS,
      STEADY,
      .verdict = "FASTER",
      .sentence = "twice as fast",
      .ratio = 0.5,
      .ratio_low = NAN,
      .ratio_high = 1},
     NULL,
     true,
     "passed"},
    {{.name = "verdicts/same", WHAT, PASS, STEADY, .verdict = "SAME", .ratio = INFINITY},
     NULL,
     true,
     "passed"},
    {{.name = "verdicts/undecided", WHAT, PASS, STEADY, .verdict = "UNDECIDED", .sentence = "-1 to 9 %"},
     NULL,
     true,
     "skipped"},
    {{.name = "verdicts/undecided, and that fails",
      WHAT,
      PASS,
      STEADY,
      .verdict = "UNDECIDED",
      .fails = true},
     NULL,
     true,
     "error"},
    {{.name = "verdicts/untrusted",
      WHAT,
      PASS,
      STEADY,
      .verdict = "UNTRUSTED",
      .code = "controls-moved",
      .sentence = "the controls moved by 7 %"},
     NULL,
     false,
     "error"},
    {{.name = "verdicts/unheard of", WHAT, PASS, STEADY, .verdict = "PER|HAPS\n::"}, NULL, true, "error"},
    {{.name = "verdicts/fails where it was to be skipped",
      WHAT,
      STEADY,
      .state = RED_STATE_UNSUPPORTED,
      .reason = "gone",
      .verdict = "SAME",
      .fails = true},
     NULL,
     false,
     "error"},
};
enum { HOSTILES_N = sizeof hostiles / sizeof hostiles[0] };

#endif
