#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/axis.h"
#include "report/palette.h"
#include "report/svg.h"

/* ---- ticks -----------------------------------------------------------------------------------------------
 */

/* Whatever the range, a reader finds a few round numbers that differ. */
static void an_axis_has_a_few_round_ticks(void **state) {
    (void)state;
    for (double low = 1e-8; low < 1e6; low *= 1.37) {
        for (double span = 1.5; span < 1e9; span *= 1.9) {
            struct red_axis_ticks ticks;
            red_axis_ticks_make(&ticks, RED_AXIS_TIMES, low, low * span, 9);
            if (ticks.n < 2 || ticks.n > 9)
                fail_msg("%zu ticks from %g to %g", ticks.n, low, low * span);
            for (size_t i = 0; i < ticks.n; i++) {
                assert_true(ticks.values[i] >= low * (1 - 1e-9) &&
                            ticks.values[i] <= low * span * (1 + 1e-9));
                assert_true(i == 0 || ticks.values[i] > ticks.values[i - 1]);
                assert_true(i == 0 || strcmp(ticks.labels[i], ticks.labels[i - 1]) != 0);
            }
        }
    }
}

static void what_has_no_range_has_no_ticks(void **state) {
    (void)state;
    const double ranges[][2] = {{0, 1}, {-1, 1}, {2, 1}, {1, INFINITY}, {NAN, 1}, {1e-6, 1e308}, {5e-324, 1}};
    for (size_t i = 0; i < sizeof ranges / sizeof ranges[0]; i++) {
        struct red_axis_ticks ticks;
        red_axis_ticks_make(&ticks, RED_AXIS_RATIO, ranges[i][0], ranges[i][1], 9);
        assert_int_equal(ticks.n, 0);
    }
}

static void values_are_printed_in_their_unit(void **state) {
    (void)state;
    static const struct {
        enum red_axis axis;
        double value;
        const char *text;
    } cases[] = {
        {RED_AXIS_TIMES, 1e-5, "10 us"}, {RED_AXIS_TIMES, 3e-9, "3 ns"}, {RED_AXIS_TIMES, 0.5, "500 ms"},
        {RED_AXIS_TIMES, 12, "12 s"},    {RED_AXIS_RATIO, 1.5, "1.5x"},  {RED_AXIS_RATE, 20, "20"},
        {RED_AXIS_SHARE, 1e-6, "1e-06"}, {RED_AXIS_PERCENT, 40, "40 %"}, {RED_AXIS_TIMES, 1e-3, "1 ms"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[32];
        red_axis_print(cases[i].axis, cases[i].value, text, sizeof text);
        assert_string_equal(text, cases[i].text);
    }
}

static void sizes_are_taken_once_and_thinned(void **state) {
    (void)state;
    struct red_axis_ticks ticks = {.n = 0};
    for (int repeat = 0; repeat < 2; repeat++)
        for (int e = 30; e >= 10; e--)
            red_axis_ticks_take(&ticks, ldexp(1, e));
    assert_int_equal(ticks.n, 21);
    red_axis_ticks_label_sizes(&ticks, 9);
    assert_in_range(ticks.n, 2, 9);
    assert_string_equal(ticks.labels[0], "2^10");
    assert_string_equal(ticks.labels[1], "2^13");
}

/* ---- colours ---------------------------------------------------------------------------------------------
 */

static double channel(const char *hex, size_t i) {
    char digits[3] = {hex[1 + 2 * i], hex[2 + 2 * i], '\0'};
    double value = (double)strtoul(digits, NULL, 16) / 255;
    return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4);
}

/* WCAG 2.2, "relative luminance" and "contrast ratio". */
static double luminance(const char *hex) {
    return 0.2126 * channel(hex, 0) + 0.7152 * channel(hex, 1) + 0.0722 * channel(hex, 2);
}

static double contrast(const char *a, const char *b) {
    double x = luminance(a) + 0.05, y = luminance(b) + 0.05;
    return x > y ? x / y : y / x;
}

static void colours_are_seen_in_both_themes(void **state) {
    (void)state;
    const struct red_colour *paper = &red_colours[RED_COLOUR_PAPER];
    for (unsigned c = 0; c < RED_CATEGORIES_N; c++) {
        assert_true(contrast(red_category(c)->light, paper->light) >= 3);
        assert_true(contrast(red_category(c)->dark, paper->dark) >= 3);
    }
    assert_true(contrast(red_colours[RED_COLOUR_MUTED].light, paper->light) >= 4.5);
    assert_true(contrast(red_colours[RED_COLOUR_MUTED].dark, paper->dark) >= 4.5);
}

static void figures_are_read_on_every_shade(void **state) {
    (void)state;
    for (size_t i = 0; i < RED_SHADES_N; i++) {
        assert_true(contrast(red_shades[i], i < RED_SHADES_LIGHT ? "#000000" : "#ffffff") >= 4.5);
        assert_true(i == 0 || luminance(red_shades[i]) < luminance(red_shades[i - 1]));
    }
}

/* A picture finds its variables again by the colours of the light theme. */
static void no_two_roles_share_a_colour(void **state) {
    (void)state;
    for (size_t i = 0; i < red_colours_n; i++)
        for (size_t k = 0; k < i; k++)
            assert_string_not_equal(red_colours[i].light, red_colours[k].light);
}

/* ---- pictures --------------------------------------------------------------------------------------------
 */

static const char drawn[] =
    "<?xml version=\"1.0\"?><svg viewBox=\"0 0 6 4\" xmlns=\"http://www.w3.org/2000/svg\" "
    "xmlns:xlink=\"http://www.w3.org/1999/xlink\"><title>Gnuplot</title><desc>made by it</desc><defs>"
    "<circle id='gpPt5' r='1'/><use xlink:href='#gpPt5' id='gpPt6'/><circle id='gpPt7' r='1'/>"
    "<filter id='textbox'/></defs><g id='plot'></g>"
    "<g stroke='rgb(  0, 114, 178)' stroke-width='1.00'><use xlink:href='#gpPt6' color='black'/></g></svg>";

static void a_picture_is_made_fit_for_a_page(void **state) {
    (void)state;
    const struct red_chart chart = {.number = 7, .title = "a < b & c", .description = "\"what\" is seen"};
    char *made = NULL;
    struct red_error error = {.text = ""};
    assert_int_equal(red_svg_inline(drawn, &chart, &made, &error), RED_OK);
    static const char *const there[] = {"<title id=\"p7title\">a &lt; b &amp; c</title>",
                                        "<desc id=\"p7desc\">\"what\" is seen</desc>",
                                        "aria-labelledby=\"p7title p7desc\"",
                                        "role=\"img\"",
                                        "<use href=\"#p7gpPt5\" id=\"p7gpPt6\"/>",
                                        "<use href=\"#p7gpPt6\"/>",
                                        "<circle r=\"1\" id=\"p7gpPt5\"/>",
                                        "stroke=\"var(--c1)\""};
    static const char *const gone[] = {"Gnuplot",      "made by it", "gpPt7",      "textbox", "id=\"plot\"",
                                       "stroke-width", "<?xml",      "xlink:href", "black"};
    for (size_t i = 0; i < sizeof there / sizeof there[0]; i++)
        if (strstr(made, there[i]) == NULL)
            fail_msg("no %s in %s", there[i], made);
    for (size_t i = 0; i < sizeof gone / sizeof gone[0]; i++)
        if (strstr(made, gone[i]) != NULL)
            fail_msg("%s is still in %s", gone[i], made);
    free(made);
}

static void what_is_no_picture_is_refused(void **state) {
    (void)state;
    const struct red_chart chart = {.title = "times"};
    static const char *const documents[] = {"", "no", "<svg", "<html/>",
                                            "<!DOCTYPE svg [<!ENTITY a \"b\">]><p>&a;</p>"};
    for (size_t i = 0; i < sizeof documents / sizeof documents[0]; i++) {
        char *made = NULL;
        struct red_error error = {.text = ""};
        assert_int_equal(red_svg_inline(documents[i], &chart, &made, &error), RED_E_INPUT);
        assert_null(made);
    }
}

static void a_picture_alone_has_both_themes(void **state) {
    (void)state;
    const struct red_chart chart = {.title = "times", .description = "of it"};
    char *made = NULL;
    struct red_error error = {.text = ""};
    assert_int_equal(red_svg_alone(drawn, &chart, &made, &error), RED_OK);
    assert_non_null(strstr(made, "<style>svg{--ink:#"));
    assert_non_null(strstr(made, "@media(prefers-color-scheme:dark){svg{--ink:#"));
    free(made);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(an_axis_has_a_few_round_ticks),
                                       cmocka_unit_test(what_has_no_range_has_no_ticks),
                                       cmocka_unit_test(values_are_printed_in_their_unit),
                                       cmocka_unit_test(sizes_are_taken_once_and_thinned),
                                       cmocka_unit_test(colours_are_seen_in_both_themes),
                                       cmocka_unit_test(figures_are_read_on_every_shade),
                                       cmocka_unit_test(no_two_roles_share_a_colour),
                                       cmocka_unit_test(a_picture_is_made_fit_for_a_page),
                                       cmocka_unit_test(what_is_no_picture_is_refused),
                                       cmocka_unit_test(a_picture_alone_has_both_themes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
