/* Cells as nobody would name or measure them, and what must become of each. For tests/unit/test_export.c
 * alone. */
#ifndef CLREDUCE_TESTS_HOSTILE_H
#define CLREDUCE_TESTS_HOSTILE_H

#include "export/suite.h"

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
/* What becomes of it, whether it has a time, its name, that to a reader (NULL: the same), what else it has.
 */
#define CASE(outcome, timed, name_, clean, ...)                                                              \
    { {.name = name_, WHAT, __VA_ARGS__}, clean, timed, outcome }

static const struct hostile {
    struct red_export_cell cell;
    const char *clean; /* its name to a reader; NULL: as it is */
    bool timed;
    const char *outcome;
} hostiles[] = {
    /* The first three change from base to head: none, slower, crashed. */
    CASE("passed", true, "pocl/tree/sum/f32/n:4096", NULL, PASS, STEADY),
    CASE("passed", true, "pocl/tree/sum/f32/n:8192", NULL, PASS, STEADY),
    CASE("passed", true, "pocl/tree/sum/f32/n:16384", NULL, PASS, STEADY),
    /* names */
    CASE("passed", true, "a \"quoted\" 'name'", NULL, PASS, STEADY),
    CASE("passed", true, "lines\nof\r\ntwo\rkinds\tand a tab", NULL, PASS, STEADY),
    CASE("passed", true, "100 %, %0A %25 <b>&amp;</b> ]]> <!-- -->", NULL, PASS, STEADY),
    CASE("passed", true, "commas, semicolons; colons: pipes | and `code`", NULL, PASS, STEADY),
    CASE("passed", true, "=1+1|'cmd'!A0", NULL, PASS, STEADY),
    CASE("passed", true, "::error::not a command ##[error]nor this", NULL, PASS, STEADY),
    CASE("passed", true, "*em* _em_ ~~no~~ [a](b) ![i](j) # $x^2$ @who :+1: \\", NULL, PASS, STEADY),
    CASE("passed", true, "\xf0\x9f\x92\xa5 \xd7\xa9\xd7\x9c\xd7\x95\xd7\x9d \xe2\x80\xae sideways", NULL,
         PASS, STEADY),
    CASE("passed", true, HUNDRED HUNDRED HUNDRED, NULL, PASS, STEADY),
    CASE("passed", true, "cut \xe2\x82, latin \xe9, \xff\xfe", "cut " FFFD ", latin " FFFD ", " FFFD, PASS,
         STEADY),
    CASE("passed", true, "bell \x07 escape \x1b[31m \x7f", "bell " FFFD " escape " FFFD "[31m \x7f", PASS,
         STEADY),
    CASE("passed", true, "no character \xef\xbf\xbe \xef\xbf\xbf", "no character " FFFD " " FFFD, PASS,
         STEADY),
    CASE("passed", true, " blanks around ", NULL, PASS, STEADY),
    CASE("passed", true, "null", NULL, PASS, STEADY),
    CASE("passed", true, "NaN", NULL, PASS, STEADY),
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
    CASE("passed", true, "values/tiny", NULL, PASS, FIGURES(tiny_s, NULL, 4.5e-10, 0, 0)),
    CASE("passed", true, "values/huge", NULL, PASS, FIGURES(huge_s, NULL, 3.5e5, 1, 4e5)),
    CASE("passed", true, "values/no samples", NULL, PASS, .time_s = 2e-3, .low_s = 1e-3, .high_s = 3e-3),
    CASE("passed", true, "values/no interval", NULL, PASS, BOUNDS(NAN, INFINITY)),
    CASE("passed", true, "values/median outside", NULL, PASS, BOUNDS(2e-5, 3e-5)),
    CASE("passed", true, "values/no processor time", NULL, PASS,
         FIGURES(tiny_s, broken_cpu_s, 4.5e-10, 0, 0)),
    CASE("error", false, "values/NaN", NULL, PASS, TIME(NAN)),
    CASE("error", false, "values/infinite", NULL, PASS, FIGURES(endless_s, NULL, INFINITY, 0, 0)),
    CASE("error", false, "values/zero", NULL, PASS, TIME(0)),
    CASE("error", false, "values/negative", NULL, PASS, TIME(-1e-5)),
    CASE("error", false, "values/a NaN sample", NULL, PASS, SAMPLES(broken_s)),
    CASE("error", false, "values/a zero sample", NULL, PASS, SAMPLES(zero_s)),
    /* states, each with times that must not be seen */
    CASE("error", false, "states/pending", NULL, STEADY, .state = RED_STATE_PENDING, .reason = "not reached"),
    CASE("failure", false, "states/wrong", NULL, STEADY, .state = RED_STATE_WRONG,
         .reason = "expected 1 < 2,\ngot \"nan\" & more"),
    CASE("error", false, "states/build-failed", NULL, STEADY, .state = RED_STATE_BUILD_FAILED,
         .reason = "a.cl:1: \x1b[31merror\x1b[0m:\n\tx ]]> \xff"),
    CASE("skipped", false, "states/unsupported", NULL, STEADY, .state = RED_STATE_UNSUPPORTED,
         .reason = "no collectives | here"),
    CASE("skipped", false, "states/over-budget", NULL, STEADY, .state = RED_STATE_OVER_BUDGET,
         .reason = "100 % over"),
    CASE("error", false, "states/failed", NULL, STEADY, .state = RED_STATE_FAILED,
         .reason = "CL_OUT_OF_RESOURCES"),
    CASE("error", false, "states/crashed", NULL, STEADY, .state = RED_STATE_CRASHED,
         .reason = "SIGSEGV\r\n::warning::x"),
    CASE("error", false, "states/timed-out", NULL, STEADY, .state = RED_STATE_TIMED_OUT, .reason = NULL),
    CASE("skipped", false, "states/implausible", NULL, STEADY, .state = RED_STATE_IMPLAUSIBLE,
         .reason = "too fast"),
    CASE("skipped", false, "states/known-bug", NULL, STEADY, .state = RED_STATE_KNOWN_BUG,
         .reason = "listed"),
    /* verdicts of a gate */
    CASE("failure", true, "verdicts/slower", NULL, PASS, STEADY, .verdict = "SLOWER", .code = "confirmed",
         .sentence = "5.2 % slower (4.1 to 6.3 %)", .ratio = 1.052, .ratio_low = 1.041, .ratio_high = 1.063,
         .fails = true),
    CASE("passed", true, "verdicts/faster", NULL, PASS, STEADY, .verdict = "FASTER",
         .sentence = "twice as fast", .ratio = 0.5, .ratio_low = NAN, .ratio_high = 1),
    CASE("passed", true, "verdicts/same", NULL, PASS, STEADY, .verdict = "SAME", .ratio = INFINITY),
    CASE("skipped", true, "verdicts/undecided", NULL, PASS, STEADY, .verdict = "UNDECIDED",
         .sentence = "-1 to 9 %"),
    CASE("error", true, "verdicts/undecided, and that fails", NULL, PASS, STEADY, .verdict = "UNDECIDED",
         .fails = true),
    CASE("skipped", false, "verdicts/untrusted", NULL, PASS, STEADY, .verdict = "UNTRUSTED",
         .code = "controls-moved", .sentence = "the controls moved by 7 %"),
    CASE("error", false, "verdicts/untrusted, and that fails", NULL, PASS, STEADY, .verdict = "UNTRUSTED",
         .fails = true),
    CASE("skipped", true, "verdicts/slower in quarantine", NULL, PASS, STEADY, .verdict = "SLOWER",
         .sentence = "5.2 % slower (quarantined until 2026-12-31: flaky, see <#12>)"),
    CASE("skipped", false, "verdicts/crashed in quarantine", NULL, .state = RED_STATE_CRASHED,
         .reason = "SIGSEGV (quarantined until 2026-12-31: flaky)", .verdict = "UNTRUSTED"),
    CASE("error", true, "verdicts/unheard of", NULL, PASS, STEADY, .verdict = "PER|HAPS\n::"),
    CASE("error", false, "verdicts/fails where it was to be skipped", NULL, STEADY,
         .state = RED_STATE_UNSUPPORTED, .reason = "gone", .verdict = "SAME", .fails = true),
};
enum { HOSTILES_N = sizeof hostiles / sizeof hostiles[0] };

#endif
