#include "tests/unit/testing.h"

#include <libxml/parser.h>

#include "core/text.h"
#include "report/report_private.h"

/* ---- ticks --------------------------------------------------------------------------------------------- */

/* Whatever the range, a reader finds a few round numbers that differ. */
static void an_axis_has_a_few_round_ticks(void **state) {
    for (double low = 1e-8; low < 1e6; low *= 1.37) {
        for (double span = 1.5; span < 1e9; span *= 1.9) {
            struct red_axis_ticks ticks;
            red_axis_ticks_make(&ticks, RED_UNIT_TIMES, low, low * span, 9);
            if (ticks.n < 2 || ticks.n > 9)
                fail_msg("%zu ticks from %g to %g", ticks.n, low, low * span);
            for (size_t i = 0; i < ticks.n; i++) {
                assert_true(ticks.values[i] >= low * (1 - 1e-9) &&
                            ticks.values[i] <= low * span * (1 + 1e-9));
                assert_true(i == 0 || ticks.values[i] > ticks.values[i - 1]);
                assert_true(i == 0 || strcmp(ticks.labels[i].text, ticks.labels[i - 1].text) != 0);
            }
        }
    }
}

static void what_has_no_range_has_no_ticks(void **state) {
    const double ranges[][2] = {{0, 1}, {-1, 1}, {2, 1}, {1, INFINITY}, {NAN, 1}, {1e-6, 1e308}, {5e-324, 1}};
    for (size_t i = 0; i < sizeof ranges / sizeof ranges[0]; i++) {
        struct red_axis_ticks ticks;
        red_axis_ticks_make(&ticks, RED_UNIT_RATIO, ranges[i][0], ranges[i][1], 9);
        assert_int_equal(ticks.n, 0);
    }
}

static void values_are_printed_in_their_unit(void **state) {
    static const struct {
        enum red_chart_unit axis;
        double value;
        const char *text;
    } cases[] = {{RED_UNIT_TIMES, 1e-5, "10 us"},         {RED_UNIT_TIMES, 3e-9, "3 ns"},
                 {RED_UNIT_TIMES, 0.5, "500 ms"},         {RED_UNIT_TIMES, 12, "12 s"},
                 {RED_UNIT_RATIO, 1.5, "1.5x"},           {RED_UNIT_RATE, 20, "20"},
                 {RED_UNIT_SHARE, 1e-6, "1e-06"},         {RED_UNIT_PERCENT, 40, "40 %"},
                 {RED_UNIT_TIMES, 1e-3, "1 ms"},          {RED_UNIT_RATIO, 1e3, "1,000x"},
                 {RED_UNIT_RATIO, 999.6, "1,000x"},       {RED_UNIT_RATE, 4493, "4,490"},
                 {RED_UNIT_RATIO, 1234567, "1,230,000x"}, {RED_UNIT_RATIO, 2e-5, "0.0000200x"},
                 {RED_UNIT_TIMES, 5e3, "5,000 s"},        {RED_UNIT_RATIO, 99950, "100,000x"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_string_equal(red_axis_value_text(cases[i].axis, cases[i].value).text, cases[i].text);
    }
}

static void sizes_are_taken_once_and_thinned(void **state) {
    struct red_axis_ticks ticks = {.n = 0};
    for (int repeat = 0; repeat < 2; repeat++)
        for (int e = 30; e >= 10; e--)
            red_axis_ticks_insert(&ticks, ldexp(1, e));
    assert_int_equal(ticks.n, 21);
    red_axis_ticks_thin_and_label_sizes(&ticks, 9);
    assert_in_range(ticks.n, 2, 9);
    assert_string_equal(ticks.labels[0].text, "2^10");
    assert_string_equal(ticks.labels[1].text, "2^13");
}

/* ---- colours ------------------------------------------------------------------------------------------- */

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
    const struct red_colour *paper = &red_colours[RED_COLOUR_PAPER];
    for (unsigned c = 0; c < RED_CATEGORIES_N; c++) {
        assert_true(contrast(red_category_colour(c)->light, paper->light) >= 3);
        assert_true(contrast(red_category_colour(c)->dark, paper->dark) >= 3);
    }
    assert_true(contrast(red_colours[RED_COLOUR_MUTED].light, paper->light) >= 4.5);
    assert_true(contrast(red_colours[RED_COLOUR_MUTED].dark, paper->dark) >= 4.5);
}

static void figures_are_read_on_every_shade(void **state) {
    for (size_t i = 0; i < RED_SHADES_N; i++) {
        assert_true(contrast(red_shades[i], i < RED_SHADES_LIGHT ? "#000000" : "#ffffff") >= 4.5);
        assert_true(i == 0 || luminance(red_shades[i]) < luminance(red_shades[i - 1]));
    }
}

/* ---- scales -------------------------------------------------------------------------------------------- */

/* A chart of one line with a point for each of the values at n = 2^10, 2^11, ... */
static struct red_chart chart_of(const double *values, size_t n, double spread) {
    struct red_chart chart = {.number = 7,
                              .title = "a < b & c",
                              .description = "\"what\" is seen ]]>",
                              .x_label = "n",
                              .y_label = "times"};
    struct red_series *series = red_chart_add_series(&chart, "<b>tree</b>", 1, true);
    for (size_t i = 0; i < n; i++) {
        const struct red_point point = {ldexp(1024, (int)i), values[i], values[i] / spread,
                                        values[i] * spread};
        red_series_add(series, point);
    }
    return chart;
}

static void equal_ratios_are_equal_distances(void **state) {
    struct red_chart chart = chart_of((const double[]){1e-6, 1e-5, 1e-4}, 3, 1.5);
    struct red_scale x, y;
    red_chart_scales_make(&chart, &x, &y);
    for (int i = 0; i < 3; i++)
        assert_near(red_scale_share(&y, pow(10, i - 6)) + red_scale_share(&y, pow(10, 2 - i - 6)), 1, 1e-9);
    assert_near(red_scale_share(&x, 2048), 0.5, 1e-9);
    assert_true(red_scale_share(&y, 1e-6 / 1.5) > 0 && red_scale_share(&y, 1e-4 * 1.5) < 1);
    assert_int_equal(x.ticks.n, 3);
    red_chart_clear(&chart);
}

static void a_mark_is_within_the_plot(void **state) {
    struct red_chart chart = chart_of((const double[]){1, 2}, 2, 1);
    struct red_scale x, y;
    chart.cross_line = 500;
    red_chart_scales_make(&chart, &x, &y);
    assert_true(red_scale_share(&y, chart.cross_line) < 1);
    red_chart_clear(&chart);
}

static void rows_of_bars_go_down_and_those_of_heat_maps_up(void **state) {
    struct red_chart chart = {.kind = RED_CHART_BARS, .rows_n = 3, .columns_n = 30};
    struct red_scale x, y;
    red_chart_scales_make(&chart, &x, &y);
    assert_true(red_scale_share(&y, 0) > red_scale_share(&y, 2));
    assert_string_equal(x.ticks.labels[5].text, "100 %");
    chart.kind = RED_CHART_HEAT_MAP;
    red_chart_scales_make(&chart, &x, &y);
    assert_true(red_scale_share(&y, 0) < red_scale_share(&y, 2));
    assert_int_equal(y.ticks.n, 3);
    assert_in_range(x.ticks.n, 2, 12);
}

/* ---- pictures ------------------------------------------------------------------------------------------ */

/* The charts as one text that is well-formed; they are cleared. */
static char *drawn_together(struct red_chart *charts, size_t n, bool alone) {
    xmlBuffer *buffer = red_svg_draw(charts, n, alone);
    assert_non_null(buffer);
    xmlDoc *document =
        xmlReadMemory((const char *)xmlBufferContent(buffer), xmlBufferLength(buffer), "chart", NULL, 0);
    assert_non_null(document);
    xmlFreeDoc(document);
    char *text = strdup((const char *)xmlBufferContent(buffer));
    xmlBufferFree(buffer);
    for (size_t i = 0; i < n; i++)
        red_chart_clear(&charts[i]);
    return text;
}

static char *drawn(struct red_chart *chart, bool alone) {
    return drawn_together(chart, 1, alone);
}

static void a_chart_is_drawn_fit_for_a_page(void **state) {
    struct red_chart chart = chart_of((const double[]){1e-5, 2e-5, 1.5e-5}, 3, 1.25);
    red_chart_add_series(&chart, "nothing", 2, false);
    char *made = drawn(&chart, false);
    static const char *const there[] = {
        "<title id=\"p7title\">a &lt; b &amp; c</title>",
        "<desc id=\"p7desc\">&quot;what&quot; is seen ]]&gt;</desc>",
        "role=\"img\" aria-labelledby=\"p7title p7desc\"",
        "stroke=\"var(--c1)\"",
        "stroke-dasharray=",
        "fill-opacity=",
        "<title>&lt;b&gt;tree&lt;/b&gt;, 2^11: 20 us (16 us to 25 us)</title>",
        ">10 us</text>",
        ">2^12</text>",
        ">times</text>"};
    for (size_t i = 0; i < sizeof there / sizeof there[0]; i++)
        assert_has(made, there[i]);
    assert_int_equal(strncmp(made, "<svg ", 5), 0);
    assert_null(strstr(made, "nothing")); /* what has no point is not in the key */
    assert_null(strstr(made, "<style"));
    free(made);
}

static void a_line_without_intervals_has_no_band(void **state) {
    struct red_chart chart = chart_of((const double[]){1, 2}, 2, 1);
    char *made = drawn(&chart, false);
    assert_null(strstr(made, "fill-opacity"));
    assert_null(strstr(made, " to "));
    free(made);
}

/* The end of a bar's part is where the next one begins: half of the plot here. */
static void parts_of_bars_add_up(void **state) {
    struct red_chart chart = {.kind = RED_CHART_BARS,
                              .axis = RED_UNIT_PERCENT,
                              .rows = {"tree"},
                              .rows_n = 1,
                              .x_label = "share",
                              .y_label = ""};
    double x[2], width[2];
    for (unsigned part = 0; part < 2; part++)
        red_series_add(red_chart_add_series(&chart, "part", 1 + part, part == 1),
                       (struct red_point){1, 50, 0, 0});
    char *made = drawn(&chart, false);
    const char *at = made;
    for (size_t part = 0; part < 2; part++) {
        at = strstr(at, "<rect ") + 1;
        assert_int_equal(sscanf(at, "rect x=\"%lf\" y=\"%*f\" width=\"%lf\"", &x[part], &width[part]), 2);
    }
    assert_near(x[0] + width[0], x[1], 0.149);
    assert_near(width[0], width[1], 0.149);
    assert_has(made, "fill=\"url(#p0hatch)\"");
    assert_has(made, "<pattern id=\"p0hatch\"");
    free(made);
}

static void names_that_are_too_long_are_cut(void **state) {
    struct red_chart chart = {
        .kind = RED_CHART_HEAT_MAP, .rows_n = 3, .columns_n = 1, .x_label = "n", .y_label = "size"};
    memset(chart.rows[0], 'r', sizeof chart.rows[0] - 1);
    red_chart_add_field(&chart, (struct red_heat_field){.label = "1.00"});
    char *made = drawn(&chart, false);
    assert_has(made, "rrr...</text>");
    assert_has(made, "fill=\"#fde737\""); /* the best shade, and black on it */
    assert_has(made, "<g fill=\"#000\"><text");
    free(made);
}

/* A copy says what it is: words in the drawing, and in its description. */
static void a_picture_tells_what_it_is_and_where_it_is_from(void **state) {
    struct red_chart chart = chart_of((const double[]){1, 2}, 2, 1);
    snprintf(chart.subject, sizeof chart.subject, "sum of <f32>");
    for (int i = 0; i < 72; i++)
        red_text_add(chart.origin, sizeof chart.origin, "%s", i == 71 ? "1.0" : "driver ");
    char *made = drawn(&chart, false);
    assert_has(made, "font-weight=\"bold\"><text x=\"8.0\" y=\"16.2\">a &lt; b &amp; c</text>");
    assert_has(made, ">sum of &lt;f32&gt;</text>");
    assert_has(made, " sum of &lt;f32&gt;. driver driver ");
    assert_has(made, "driver 1.0.</desc>");
    size_t lines_n = 0; /* of the foot, which has no more than four */
    for (const char *at = made; (at = strstr(at, ">driver driver")) != NULL; at++)
        lines_n++;
    assert_int_equal(lines_n, 4);
    assert_has(made, "...</text>");
    free(made);
}

static void a_field_without_a_value_has_a_mark_with_a_legend(void **state) {
    struct red_chart chart = {
        .kind = RED_CHART_HEAT_MAP, .rows_n = 1, .columns_n = 1, .x_label = "n", .y_label = "size"};
    red_chart_add_field(&chart, (struct red_heat_field){.is_blank = true, .label = ">"});
    red_chart_add_series(&chart, "> over budget", 0, false)->is_blank = true;
    char *made = drawn(&chart, false);
    assert_has(made, ">&gt;</text>");
    assert_has(made, ">&gt; over budget</text>");
    assert_null(strstr(made, "fill=\"#fde737\""));
    assert_has(made, "stroke=\"var(--grid)\" fill=\"none\"/>");
    free(made);
}

/* What cannot share an axis stands one below the other, each as wide as the file. */
static void pictures_of_several_kinds_stand_one_below_the_other(void **state) {
    struct red_chart charts[2] = {chart_of((const double[]){1, 2}, 2, 1),
                                  {.kind = RED_CHART_HEAT_MAP,
                                   .rows_n = 1,
                                   .columns_n = 1,
                                   .x_label = "n",
                                   .y_label = "",
                                   .number = 1}};
    double y, height;
    red_chart_add_field(&charts[1], (struct red_heat_field){.label = "1.00"});
    char *made = drawn_together(charts, 2, true);
    const char *second = strstr(strstr(made, "</desc>"), "<svg ");
    assert_int_equal(sscanf(strstr(made, "height=") + 7, "\"%lf\"", &height), 1);
    assert_int_equal(sscanf(strstr(second, " x=\"0\" y=") + 9, "\"%lf\"", &y), 1);
    assert_true(y >= height);
    assert_has(made, "viewBox=\"0 0 560 ");
    free(made);
}

/* Programs for slides know neither style sheets nor variables; a page has two themes. */
static void a_picture_alone_says_its_colours_itself(void **state) {
    struct red_chart charts[2] = {chart_of((const double[]){1}, 1, 1), chart_of((const double[]){1}, 1, 1)};
    char *alone = drawn(&charts[0], true), *on_page = drawn(&charts[1], false);
    assert_null(strstr(alone, "var(--"));
    assert_null(strstr(alone, "<style>"));
    assert_has(alone, "z\" fill=\"#fefefe\"/>");
    assert_has(on_page, "var(--");
    assert_null(strstr(on_page, "#fefefe"));
    free(alone);
    free(on_page);
}

static size_t count_of(const char *text, const char *part) {
    size_t n = 0;
    for (; (text = strstr(text, part)) != NULL; text++)
        n++;
    return n;
}

/* Where the label of the y axis stands in the panel that begins at `panel`. */
static double height_of_label(const char *panel, const char *label) {
    const char *at = strstr(panel, label);
    double x, y;
    while (at > panel && strncmp(at, "<text ", 6) != 0)
        at--;
    assert_int_equal(sscanf(at, "<text x=\"%lf\" y=\"%lf\"", &x, &y), 2);
    return y;
}

static void panels_stand_side_by_side_on_one_scale(void **state) {
    struct red_chart charts[3] = {chart_of((const double[]){1, 2, 3, 4, 5, 6, 7, 8, 9}, 9, 1.1),
                                  chart_of((const double[]){1, 100}, 2, 1),
                                  chart_of((const double[]){0.5, 1}, 2, 1)};
    const char *panels[3];
    for (unsigned i = 0; i < 3; i++) {
        charts[i].axis = RED_UNIT_RATIO;
        charts[i].number = i;
    }
    for (int i = 0; i < 5; i++)
        red_series_add(red_chart_add_series(&charts[1], "a legend that is higher", 2, false),
                       (struct red_point){1024, 1, 1, 1});
    char *made = drawn_together(charts, 3, true);
    panels[0] = strstr(made, "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 340");
    panels[1] = strstr(made, "x=\"340\" y=\"0\" width=\"340\"");
    panels[2] = strstr(made, "x=\"680\" y=\"0\" width=\"340\"");
    assert_true(panels[0] > made && panels[1] > panels[0] && panels[2] > panels[1]);
    assert_has(made, "viewBox=\"0 0 1020 ");
    assert_int_equal(count_of(made, "fill=\"#fefefe\""), 1);
    assert_int_equal(count_of(made, ">a &lt; b &amp; c</text>"), 3); /* the titles */
    assert_int_equal(count_of(made, ">2^1"), 5 + 2 + 2);             /* of nine sizes every second one */
    assert_has(panels[2], "id=\"p2title\"");
    for (int i = 1; i < 3; i++) {
        assert_near(height_of_label(panels[i], ">1x</text>"), height_of_label(panels[0], ">1x</text>"), 0.01);
        assert_near(height_of_label(panels[i], ">100x</text>"), height_of_label(panels[0], ">100x</text>"),
                    0.01);
    }
    free(made);
}
