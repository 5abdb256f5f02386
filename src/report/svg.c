/* Draws the charts of `report --format html` and `--format svg`, and of `bench --report`. Coordinates are
 * pixels of a drawing that is 560 wide; a page shows it as wide as there is room, and on a telephone its
 * letters are still read. Title, device, driver, type, date and version stand in the drawing: it tells them
 * where it was copied to. The charts are those of charts.c and charts_pairs.c; each drawing is of one, and
 * panels are narrow drawings side by side. page.c (HTML) and report.c (svg) have them drawn. */
#include "report/report_private.h"

#include <libxml/entities.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/select.h"
#include "core/text.h"

/* LETTER is what a character of sans-serif at 13 pixels takes at most, on average. */
enum { WIDTH = 560, MARGIN = 20, LINE = 18, LETTER = 8, SWATCH = 28, LEGEND_MAX = 70, ROW_NAME_MAX = 30 };

/* The small lines below the title and at the foot. */
enum { SMALL_SIZE = 11, SMALL_LINE = 13, SMALL_LETTER = 6, WRAPPED_MAX = 4 };

/* A text in lines that fit; of one that has no room in WRAPPED_MAX of them the last ends with "...". */
struct wrapped {
    char lines[WRAPPED_MAX][160];
    size_t n;
};

/* Three panels in a page of GitHub's are read without a lens, and a pair's name fits one. */
enum { PANEL_WIDTH = 340, PANEL_SIZES_MAX = 5, PANEL_VALUES_MAX = 9 };

struct drawing {
    const struct red_chart *chart;
    xmlTextWriter *out;
    struct red_scale x, y;
    bool is_alone;                   /* in a file of its own, not on a page */
    bool is_nested;                  /* one of several in a file */
    double panel_left, panel_top;    /* of such a one: where it begins */
    size_t width, legend_name_max;   /* in pixels; in characters */
    double left, right, top, bottom; /* of the plot */
    struct wrapped title, subject, origin;
    const struct red_series
        *legend[RED_CHART_SERIES_MAX + 1]; /* what it names, column by column; NULL: the line across */
    size_t legend_n, legend_rows, legend_width;
};

/* ---- markup -------------------------------------------------------------------------------------------- */

/* Writes markup: what the format and its texts say is written as it is. */
__attribute__((format(printf, 2, 3))) static void put(const struct drawing *drawing, const char *format,
                                                      ...) {
    va_list values;
    va_start(values, format);
    xmlTextWriterWriteVFormatRaw(drawing->out, format, values);
    va_end(values);
}

/* A colour as an attribute says it: on a page by its name, which has another value where the screen is dark;
 * in a file of its own, which programs for slides read that know no style sheets, by its value. */
static struct red_short_text paint(const struct drawing *drawing, const struct red_colour *colour) {
    struct red_short_text made;
    snprintf(made.text, sizeof made.text, drawing->is_alone ? "%s" : "var(--%s)",
             drawing->is_alone ? colour->light : colour->name);
    return made;
}

/* Writes a text in which nothing is markup. */
static void put_escaped(const struct drawing *drawing, const char *text) {
    xmlChar *escaped = xmlEncodeSpecialChars(NULL, BAD_CAST text);
    if (escaped != NULL)
        xmlTextWriterWriteRaw(drawing->out, escaped);
    else
        red_memory_note_failure();
    xmlFree(escaped);
}

/* Writes a text of at most so many characters at a place. */
static void put_text(const struct drawing *drawing, double x, double y, const char *text, size_t max) {
    const bool fits = red_text_width(text) <= max;
    char shown[256];
    snprintf(shown, sizeof shown, "%.*s%s", (int)red_text_prefix_bytes(text, fits ? max : max - 3), text,
             fits ? "" : "...");
    put(drawing, "<text x=\"%.1f\" y=\"%.1f\">", x, y);
    put_escaped(drawing, shown);
    put(drawing, "</text>");
}

/* Cuts a text at spaces into lines of at most `max` characters; a longer word is a line, and cut when it is
 * drawn. */
static void wrap_text(const char *text, size_t max, struct wrapped *wrapped) {
    const char *const end = text + strlen(text);
    wrapped->n = 0;
    while (text < end && wrapped->n < WRAPPED_MAX) {
        const char *stop = text;
        while (stop < end) { /* behind the last word that fits */
            const char *next = stop + 1 + strcspn(stop + 1, " ");
            char tried[sizeof wrapped->lines[0]];
            snprintf(tried, sizeof tried, "%.*s", (int)(next - text), text);
            if (stop > text && red_text_width(tried) > max)
                break;
            stop = next;
        }
        const bool is_last = wrapped->n + 1 == WRAPPED_MAX;
        snprintf(wrapped->lines[wrapped->n++], sizeof wrapped->lines[0], "%.*s",
                 (int)((is_last ? end : stop) - text), text);
        text = stop + (stop < end);
    }
}

/* Pixels of a value of the x axis, and below of the y axis. */
static double x_of(const struct drawing *drawing, double value) {
    return drawing->left + (drawing->right - drawing->left) * red_scale_share(&drawing->x, value);
}

static double y_of(const struct drawing *drawing, double value) {
    return drawing->bottom - (drawing->bottom - drawing->top) * red_scale_share(&drawing->y, value);
}

/* Begins a rectangle between two corners; the attributes of its paint are to follow. */
static void begin_rectangle(const struct drawing *drawing, double x0, double y0, double x1, double y1) {
    put(drawing, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"", fmin(x0, x1), fmin(y0, y1),
        fabs(x1 - x0), fabs(y1 - y0));
}

/* Ends a rectangle that has no value, in a heat map or its legend. */
static void end_blank_rectangle(const struct drawing *drawing) {
    put(drawing, " stroke=\"%s\" fill=\"none\"/>", paint(drawing, &red_colours[RED_COLOUR_GRID]).text);
}

/* Ends a rectangle with the paint of a category: of bars and fields of a heat map, and of their swatches
 * in the legend. */
static void end_rectangle(const struct drawing *drawing, unsigned category, bool hatched_if_bar) {
    const struct red_short_text colour = paint(drawing, red_category_colour(category));
    const bool is_bar = drawing->chart->kind == RED_CHART_BARS;
    if (is_bar && hatched_if_bar)
        put(drawing, " stroke=\"%s\" fill=\"url(#p%uhatch)\"/>", colour.text, drawing->chart->number);
    else
        put(drawing, " stroke=\"%s\" fill=\"%s\" fill-opacity=\"%s\"/>", colour.text, colour.text,
            is_bar ? "0.85" : "0.28");
}

/* ---- axes ---------------------------------------------------------------------------------------------- */

/* Adds a line for each tick of the x axis, and of a chart of lines of the y axis, to a path: across the plot,
 * or as a mark outside of it. */
static void put_tick_lines(const struct drawing *drawing, bool as_grid) {
    const double width = as_grid ? drawing->right - drawing->left : -4,
                 height = as_grid ? drawing->top - drawing->bottom : 4;
    for (size_t i = 0; i < drawing->x.ticks.n; i++)
        put(drawing, "M%.1f %.1fv%.1f", x_of(drawing, drawing->x.ticks.values[i]), drawing->bottom, height);
    for (size_t i = 0; i < drawing->y.ticks.n && drawing->chart->kind == RED_CHART_LINES; i++)
        put(drawing, "M%.1f %.1fh%.1f", drawing->left, y_of(drawing, drawing->y.ticks.values[i]), width);
}

static void draw_grid_and_axes(const struct drawing *drawing) {
    const bool has_ticks = drawing->chart->kind != RED_CHART_HEAT_MAP;
    if (has_ticks) {
        put(drawing, "<path d=\"");
        put_tick_lines(drawing, true);
        put(drawing, "\" stroke=\"%s\" stroke-width=\"0.6\"/>",
            paint(drawing, &red_colours[RED_COLOUR_GRID]).text);
    }
    put(drawing, "<path d=\"M%.1f %.1fV%.1fH%.1f", drawing->left, drawing->top, drawing->bottom,
        drawing->right);
    if (has_ticks)
        put_tick_lines(drawing, false);
    put(drawing, "\" stroke=\"%s\" fill=\"none\"/>", paint(drawing, &red_colours[RED_COLOUR_MUTED]).text);
}

/* Writes labels of ticks, and the axes' names; the y axis of one or two rows has no room for its name. */
static void draw_axis_labels(const struct drawing *drawing) {
    const struct red_chart *chart = drawing->chart;
    put(drawing, "<g text-anchor=\"middle\">");
    for (size_t i = 0; i < drawing->x.ticks.n; i++)
        put_text(drawing, x_of(drawing, drawing->x.ticks.values[i]), drawing->bottom + LINE,
                 drawing->x.ticks.labels[i].text, ROW_NAME_MAX);
    put_text(drawing, (drawing->left + drawing->right) / 2, drawing->bottom + 2.2 * LINE, chart->x_label,
             LEGEND_MAX);
    put(drawing, "</g><g text-anchor=\"end\">");
    for (size_t i = 0; i < drawing->y.ticks.n; i++)
        put_text(drawing, drawing->left - LETTER, y_of(drawing, drawing->y.ticks.values[i]) + 4.5,
                 drawing->y.ticks.labels[i].text, ROW_NAME_MAX);
    put(drawing, "</g>");
    if (chart->y_label[0] == '\0' || (chart->kind == RED_CHART_HEAT_MAP && chart->rows_n < 3))
        return;
    put(drawing, "<g transform=\"translate(14,%.1f)rotate(-90)\" text-anchor=\"middle\">",
        (drawing->top + drawing->bottom) / 2);
    put_text(drawing, 0, 0, chart->y_label, LEGEND_MAX);
    put(drawing, "</g>");
}

/* ---- lines --------------------------------------------------------------------------------------------- */

/* Shapes that differ without colour, full and hollow in turns; as paths around a point. */
static const struct {
    const char *path;
    bool is_full;
} markers[] = {
#define CIRCLE   "m-3.5 0a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0-7 0z"
#define SQUARE   "m-3 -3h6v6h-6z"
#define UP       "m0 -4.2l4 6.5h-8z"
#define DOWN     "m0 4.2l4 -6.5h-8z"
#define DIAMOND  "m0 -4.5l4.5 4.5l-4.5 4.5l-4.5-4.5z"
#define PENTAGON "m0 -4l3.8 2.8l-1.5 4.4h-4.6l-1.5-4.4z"
    {CIRCLE, true},
    {SQUARE, true},
    {UP, true},
    {DIAMOND, true},
    {CIRCLE, false},
    {SQUARE, false},
    {UP, false},
    {DIAMOND, false},
    {DOWN, true},
    {DOWN, false},
    {"m-3.5 -3.5l7 7m0 -7l-7 7", false},
    {"m-4 0h8m-4 -4v8", false},
    {"m-4 0h8m-4 -4v8m-3 -7l6 6m0 -6l-6 6", false},
    {PENTAGON, false},
    {PENTAGON, true},
};
enum { MARKERS_N = sizeof markers / sizeof markers[0] };

static const char *marker_path(const struct red_series *series) {
    return markers[(series->marker - 1) % MARKERS_N].path;
}

/* Writes the text that a browser shows where the pointer rests on a point:
 * "tree, 2^20: 10 us (9.8 us to 10.4 us)". */
static void put_tooltip(const struct drawing *drawing, const struct red_series *series,
                        const struct red_point *point) {
    const enum red_chart_unit axis = drawing->chart->axis;
    put(drawing, "<title>");
    put_escaped(drawing, series->name);
    put(drawing, point->low < point->high ? ", %s: %s (%s to %s)</title>" : ", %s: %s</title>",
        red_size_text((uint64_t)point->x).text, red_axis_value_text(axis, point->y).text,
        red_axis_value_text(axis, point->low).text, red_axis_value_text(axis, point->high).text);
}

/* Draws the area of the intervals: there along the upper ends, back along the lower ones. */
static void draw_interval_area(const struct drawing *drawing, const struct red_series *series) {
    bool has_interval = false;
    for (size_t p = 0; p < series->points_n; p++)
        has_interval = has_interval || series->points[p].low < series->points[p].high;
    if (!has_interval || series->points_n < 2)
        return;
    put(drawing, "<path d=\"");
    for (size_t p = 0; p < series->points_n; p++)
        put(drawing, "%c%.1f %.1f", p == 0 ? 'M' : 'L', x_of(drawing, series->points[p].x),
            y_of(drawing, series->points[p].high));
    for (size_t p = series->points_n; p-- > 0;)
        put(drawing, "L%.1f %.1f", x_of(drawing, series->points[p].x), y_of(drawing, series->points[p].low));
    put(drawing, "z\" fill=\"%s\" fill-opacity=\"0.18\"/>",
        paint(drawing, red_category_colour(series->colour)).text);
}

/* Begins a series: what its line and its markers have in common, and the data of the line. */
static void begin_series_and_line(const struct drawing *drawing, const struct red_series *series) {
    const struct red_short_text colour = paint(drawing, red_category_colour(series->colour));
    if (series->marker > 0 && markers[(series->marker - 1) % MARKERS_N].is_full)
        put(drawing, "<g stroke=\"%s\" fill=\"%s\"><path d=\"", colour.text, colour.text);
    else
        put(drawing, "<g stroke=\"%s\" fill=\"none\"><path d=\"", colour.text);
}

/* Ends the line of a series. */
static void end_line(const struct drawing *drawing, const struct red_series *series) {
    put(drawing, "\" fill=\"none\" stroke-width=\"1.6\"%s/>",
        series->dashed ? " stroke-dasharray=\"6 4\"" : "");
}

static void draw_series(const struct drawing *drawing, const struct red_series *series) {
    if (series->points_n == 0)
        return;
    begin_series_and_line(drawing, series);
    for (size_t p = 0; p < series->points_n; p++)
        put(drawing, "%c%.1f %.1f", p == 0 ? 'M' : 'L', x_of(drawing, series->points[p].x),
            y_of(drawing, series->points[p].y));
    end_line(drawing, series);
    for (size_t p = 0; p < series->points_n && series->marker > 0; p++) {
        put(drawing, "<path d=\"M%.1f %.1f%s\">", x_of(drawing, series->points[p].x),
            y_of(drawing, series->points[p].y), marker_path(series));
        put_tooltip(drawing, series, &series->points[p]);
        put(drawing, "</path>");
    }
    put(drawing, "</g>");
}

/* Ends the path of the line across the plot (red_chart.cross_line). */
static void end_cross_line(const struct drawing *drawing) {
    put(drawing, "\" stroke=\"%s\" stroke-width=\"1.4\"/>",
        paint(drawing, &red_colours[RED_COLOUR_MUTED]).text);
}

/* Draws the intervals, the line across the plot, and the series. */
static void draw_lines(const struct drawing *drawing) {
    const struct red_chart *chart = drawing->chart;
    for (size_t l = 0; l < chart->series_n; l++)
        draw_interval_area(drawing, &chart->series[l]);
    if (chart->cross_line > 0) {
        put(drawing, "<path d=\"M%.1f %.1fH%.1f", drawing->left, y_of(drawing, chart->cross_line),
            drawing->right);
        end_cross_line(drawing);
    }
    for (size_t l = 0; l < chart->series_n; l++)
        draw_series(drawing, &chart->series[l]);
}

/* ---- heat maps and bars -------------------------------------------------------------------------------- */

/* The pattern of ties in heat maps, and of the part of bars that is dashed. */
static void put_hatch_pattern(const struct drawing *drawing) {
    const struct red_chart *chart = drawing->chart;
    const struct red_colour *colour = &red_colours[RED_COLOUR_MUTED];
    for (size_t l = 0; l < chart->series_n && chart->kind == RED_CHART_BARS; l++)
        if (chart->series[l].dashed)
            colour = red_category_colour(chart->series[l].colour);
    put(drawing,
        "<defs><pattern id=\"p%uhatch\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\" "
        "patternTransform=\"rotate(-45)\"><path d=\"M3 0v6\" stroke=\"%s\"/></pattern></defs>",
        chart->number, paint(drawing, colour).text);
}

static size_t shade_index(const struct red_heat_field *field) {
    return (size_t)fmin(RED_SHADES_N - 1, fmax(0, field->shade) * RED_SHADES_N);
}

/* Begins the rectangle of a field of a heat map. */
static void begin_field(const struct drawing *drawing, const struct red_heat_field *field) {
    const double x = (double)field->column, y = (double)field->row;
    begin_rectangle(drawing, x_of(drawing, x - 0.48), y_of(drawing, y - 0.46), x_of(drawing, x + 0.48),
                    y_of(drawing, y + 0.46));
}

static void draw_field(const struct drawing *drawing, const struct red_heat_field *field) {
    begin_field(drawing, field);
    if (field->is_blank)
        end_blank_rectangle(drawing);
    else if (field->shade >= 0)
        put(drawing, " fill=\"%s\"/>", red_shades[shade_index(field)]);
    else
        end_rectangle(drawing, field->colour, false);
    if (!field->hatched)
        return;
    begin_field(drawing, field);
    put(drawing, " fill=\"url(#p%uhatch)\"/>", drawing->chart->number);
}

/* Writes a field's label, black or white so that it can be read on the field's colour. */
static void draw_field_label(const struct drawing *drawing, const struct red_heat_field *field) {
    put(drawing, field->shade < 0 || field->is_blank     ? "<g>"
                 : shade_index(field) < RED_SHADES_LIGHT ? "<g fill=\"#000\">"
                                                         : "<g fill=\"#fff\">");
    put_text(drawing, x_of(drawing, (double)field->column), y_of(drawing, (double)field->row) + 4.5,
             field->label, sizeof field->label);
    put(drawing, "</g>");
}

static void draw_heat_map(const struct drawing *drawing) {
    const struct red_chart *chart = drawing->chart;
    for (size_t i = 0; i < chart->fields_n; i++)
        draw_field(drawing, &chart->fields[i]);
    put(drawing, "<g text-anchor=\"middle\" font-size=\"%d\">", chart->columns_n > 12 ? 9 : 13);
    const double field_width =
        (drawing->right - drawing->left) / (double)(chart->columns_n + !chart->columns_n);
    for (size_t i = 0; i < chart->fields_n; i++) /* where there is no room the shade, and the table, tell */
        if (6 * (double)strlen(chart->fields[i].label) <= field_width + 3)
            draw_field_label(drawing, &chart->fields[i]);
    put(drawing, "</g>");
}

/* A part's points are x = row + 1, y = percent; it begins where the one before it ends. */
static void draw_bars(const struct drawing *drawing) {
    double from[RED_CHART_NAMES_MAX] = {0};
    for (size_t l = 0; l < drawing->chart->series_n; l++) {
        const struct red_series *series = &drawing->chart->series[l];
        for (size_t p = 0; p < series->points_n; p++) {
            const size_t row = (size_t)series->points[p].x - 1;
            const double to = from[row] + series->points[p].y;
            begin_rectangle(drawing, x_of(drawing, from[row]), y_of(drawing, (double)row - 0.36),
                            x_of(drawing, to), y_of(drawing, (double)row + 0.36));
            end_rectangle(drawing, series->colour, series->dashed);
            from[row] = to;
        }
    }
}

/* ---- the title and the legend -------------------------------------------------------------------------- */

/* What the title and the lines below it take. */
static double title_height(const struct drawing *drawing) {
    return LINE * (double)drawing->title.n + SMALL_LINE * (double)drawing->subject.n + 6;
}

/* Writes small lines, the first at this height. */
static void put_small_lines(const struct drawing *drawing, double y, const struct wrapped *wrapped) {
    put(drawing, "<g font-size=\"%d\" fill=\"%s\">", SMALL_SIZE,
        paint(drawing, &red_colours[RED_COLOUR_MUTED]).text);
    for (size_t i = 0; i < wrapped->n; i++)
        put_text(drawing, LETTER, y + SMALL_LINE * (double)i, wrapped->lines[i],
                 (drawing->width - MARGIN) / SMALL_LETTER);
    put(drawing, "</g>");
}

/* The name of an entry of the legend. */
static const char *legend_name(const struct drawing *drawing, size_t at) {
    return drawing->legend[at] != NULL ? drawing->legend[at]->name : drawing->chart->cross_line_name;
}

/* Lays out the legend: as many names side by side as fit. Of a heat map the series are the names alone. */
static void lay_out_legend(struct drawing *drawing) {
    const struct red_chart *chart = drawing->chart;
    size_t longest = 1;
    if (chart->cross_line > 0)
        drawing->legend[drawing->legend_n++] = NULL;
    for (size_t l = 0; l < chart->series_n; l++)
        if (chart->series[l].points_n > 0 || chart->kind == RED_CHART_HEAT_MAP)
            drawing->legend[drawing->legend_n++] = &chart->series[l];
    for (size_t i = 0; i < drawing->legend_n; i++) {
        const size_t width = red_text_width(legend_name(drawing, i));
        longest = width > longest ? width : longest;
    }
    const size_t room = (drawing->width - MARGIN - SWATCH) / LETTER - 2;
    drawing->legend_name_max = room < LEGEND_MAX ? room : LEGEND_MAX;
    longest = longest < drawing->legend_name_max ? longest : drawing->legend_name_max;
    drawing->legend_width = SWATCH + LETTER * (longest + 2);
    size_t columns_n = (drawing->width - MARGIN) / drawing->legend_width;
    columns_n = drawing->legend_n < columns_n ? drawing->legend_n + !drawing->legend_n : columns_n;
    drawing->legend_rows = (drawing->legend_n + columns_n - 1) / columns_n;
}

/* Draws what the series looks like, before its name in the legend; NULL: of the line across the plot. */
static void draw_legend_swatch(const struct drawing *drawing, const struct red_series *series, double x,
                               double y) {
    if (series != NULL && series->is_blank) {
        begin_rectangle(drawing, x, y - 5, x + SWATCH, y + 5);
        end_blank_rectangle(drawing);
        if (series->dashed) { /* of ties, as their fields are */
            begin_rectangle(drawing, x, y - 5, x + SWATCH, y + 5);
            put(drawing, " fill=\"url(#p%uhatch)\"/>", drawing->chart->number);
        }
    } else if (series == NULL) {
        put(drawing, "<path d=\"M%.1f %.1fh%d", x, y, SWATCH);
        end_cross_line(drawing);
    } else if (drawing->chart->kind != RED_CHART_LINES) {
        begin_rectangle(drawing, x, y - 5, x + SWATCH, y + 5);
        end_rectangle(drawing, series->colour, series->dashed);
    } else {
        begin_series_and_line(drawing, series);
        put(drawing, "M%.1f %.1fh%d", x, y, SWATCH);
        end_line(drawing, series);
        if (series->marker > 0)
            put(drawing, "<path d=\"M%.1f %.1f%s\"/>", x + SWATCH / 2.0, y, marker_path(series));
        put(drawing, "</g>");
    }
}

/* Draws the title and what was measured on what, and the legend below them. */
static void draw_title_and_legend(const struct drawing *drawing) {
    const size_t rows_n = drawing->legend_rows,
                 columns_n = rows_n > 0 ? (drawing->legend_n + rows_n - 1) / rows_n : 0;
    const double left = ((double)drawing->width - (double)(columns_n * drawing->legend_width)) / 2;
    put(drawing, "<g font-weight=\"bold\">");
    for (size_t i = 0; i < drawing->title.n; i++)
        put_text(drawing, LETTER, LINE * ((double)i + 0.9), drawing->title.lines[i],
                 (drawing->width - MARGIN) / LETTER);
    put(drawing, "</g>");
    put_small_lines(drawing, LINE * (double)drawing->title.n + 0.9 * SMALL_LINE, &drawing->subject);
    for (size_t i = 0; i < drawing->legend_n; i++) {
        const double x = left + (double)(i / rows_n * drawing->legend_width),
                     y = 12 + title_height(drawing) + LINE * (double)(i % rows_n);
        draw_legend_swatch(drawing, drawing->legend[i], x, y);
        put_text(drawing, x + SWATCH + LETTER, y + 4.5, legend_name(drawing, i), drawing->legend_name_max);
    }
}

/* ---- the drawing --------------------------------------------------------------------------------------- */

/* Where a plot begins that has these labels left of it. */
static double left_of_plot(const struct red_axis_ticks *ticks) {
    size_t longest = 0;
    for (size_t i = 0; i < ticks->n; i++) {
        const size_t width = red_text_width(ticks->labels[i].text);
        longest = width > longest ? width : longest;
    }
    longest = longest < ROW_NAME_MAX ? longest : ROW_NAME_MAX;
    return MARGIN + LETTER * (double)(longest + 1);
}

/* Sets the scales, the legend and the plot's place: below the legend, right of the labels, rows as high as
 * needed. */
static void lay_out_drawing(struct drawing *drawing) {
    const struct red_chart *chart = drawing->chart;
    red_chart_scales_make(chart, &drawing->x, &drawing->y);
    wrap_text(chart->title, (drawing->width - MARGIN) / LETTER, &drawing->title);
    wrap_text(chart->subject, (drawing->width - MARGIN) / SMALL_LETTER, &drawing->subject);
    wrap_text(chart->origin, (drawing->width - MARGIN) / SMALL_LETTER, &drawing->origin);
    lay_out_legend(drawing);
    drawing->left = left_of_plot(&drawing->y.ticks);
    drawing->right = (double)drawing->width - MARGIN;
    drawing->top = 10 + title_height(drawing) + LINE * (double)drawing->legend_rows;
    drawing->bottom = drawing->top + (chart->kind == RED_CHART_LINES ? 260 : 30 * (double)chart->rows_n);
}

static double drawing_height(const struct drawing *drawing) {
    return drawing->bottom + 2.7 * LINE + SMALL_LINE * (double)drawing->origin.n;
}

/* Writes the white paper of a file of its own, of so many pixels. */
static void put_paper(const struct drawing *drawing, size_t width, double height) {
    put(drawing, "<path d=\"M0 0h%zuv%.0fh-%zuz\" fill=\"%s\"/>", width, height, width,
        paint(drawing, &red_colours[RED_COLOUR_PAPER]).text);
}

/* Writes the drawing's element; its title and its description are what a screen reader says. */
static void draw_chart(struct drawing *drawing) {
    static void (*const draw_data[])(const struct drawing *drawing) = {
        [RED_CHART_LINES] = draw_lines, [RED_CHART_HEAT_MAP] = draw_heat_map, [RED_CHART_BARS] = draw_bars};
    const struct red_chart *chart = drawing->chart;
    const unsigned number = chart->number;
    put(drawing, "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %zu %.0f\" ", drawing->width,
        drawing_height(drawing));
    if (drawing->is_nested)
        put(drawing, "x=\"%.0f\" y=\"%.0f\" width=\"%zu\" height=\"%.0f\" ", drawing->panel_left,
            drawing->panel_top, drawing->width, drawing_height(drawing));
    put(drawing,
        "font-size=\"13\" font-family=\"sans-serif\" fill=\"%s\" role=\"img\" "
        "aria-labelledby=\"p%utitle p%udesc\">",
        paint(drawing, &red_colours[RED_COLOUR_INK]).text, number, number);
    put(drawing, "<title id=\"p%utitle\">", number);
    put_escaped(drawing, chart->title);
    put(drawing, "</title><desc id=\"p%udesc\">", number);
    put_escaped(drawing, chart->description);
    for (size_t i = 0; i < 2; i++) {
        const char *text = i == 0 ? chart->subject : chart->origin;
        if (text[0] == '\0')
            continue;
        put(drawing, " ");
        put_escaped(drawing, text);
        put(drawing, ".");
    }
    put(drawing, "</desc>");
    if (drawing->is_alone && !drawing->is_nested)
        put_paper(drawing, drawing->width, drawing_height(drawing));
    if (chart->kind != RED_CHART_LINES)
        put_hatch_pattern(drawing);
    draw_grid_and_axes(drawing);
    draw_axis_labels(drawing);
    draw_data[chart->kind](drawing);
    draw_title_and_legend(drawing);
    put_small_lines(drawing, drawing->bottom + 3.2 * LINE, &drawing->origin);
    put(drawing, "</svg>");
}

/* Gives panels one y axis and plots that begin at one height, and each as many labels as it has room for. */
static void align_panels(struct drawing *panels, size_t n) {
    double low = panels[0].y.low, high = panels[0].y.high, top = panels[0].top;
    for (size_t i = 1; i < n; i++) {
        low = fmin(low, panels[i].y.low);
        high = fmax(high, panels[i].y.high);
        top = fmax(top, panels[i].top);
    }
    for (size_t i = 0; i < n; i++) {
        struct drawing *panel = &panels[i];
        panel->y.low = low;
        panel->y.high = high;
        red_axis_ticks_make(&panel->y.ticks, panel->chart->axis, low, high, PANEL_VALUES_MAX);
        red_axis_ticks_thin_and_label_sizes(&panel->x.ticks, PANEL_SIZES_MAX);
        panel->left = left_of_plot(&panel->y.ticks);
        panel->bottom += top - panel->top;
        panel->top = top;
    }
}

/* Whether the charts are all of lines with the same kind of y axis, so that they can share one. */
static bool share_an_axis(const struct red_chart *charts, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (charts[i].kind != RED_CHART_LINES || charts[i].axis != charts[0].axis)
            return false;
    return true;
}

/* Draws several charts in an <svg> element around them: as panels from left to right with one y axis, or,
 * where they cannot share it, one below the other. */
static void draw_several(struct drawing *drawings, size_t n, bool side_by_side) {
    double height = 0;
    for (size_t i = 0; i < n; i++)
        lay_out_drawing(&drawings[i]);
    if (side_by_side)
        align_panels(drawings, n);
    for (size_t i = 0; i < n; i++) {
        drawings[i].is_nested = true;
        drawings[i].panel_left = side_by_side ? (double)(i * PANEL_WIDTH) : 0;
        drawings[i].panel_top = side_by_side ? 0 : height;
        height = side_by_side ? fmax(height, drawing_height(&drawings[i]))
                              : height + drawing_height(&drawings[i]) + LINE;
    }
    put(drawings, "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %zu %.0f\">",
        side_by_side ? n * PANEL_WIDTH : WIDTH, height);
    put_paper(drawings, side_by_side ? n * PANEL_WIDTH : WIDTH, height);
    for (size_t i = 0; i < n; i++)
        draw_chart(&drawings[i]);
    put(drawings, "</svg>");
}

/* `alone`: for --format svg, which may have several charts. */
xmlBuffer *red_svg_draw(const struct red_chart *charts, size_t n, bool alone) {
    struct drawing *drawings = calloc(n, sizeof *drawings);
    xmlBuffer *made = xmlBufferCreate();
    xmlTextWriter *out = drawings && made ? xmlNewTextWriterMemory(made, 0) : NULL;
    const bool side_by_side = n > 1 && share_an_axis(charts, n);
    if (out == NULL) {
        free(drawings);
        xmlBufferFree(made);
        red_memory_note_failure();
        return NULL;
    }
    for (size_t i = 0; i < n; i++)
        drawings[i] = (struct drawing){
            .chart = &charts[i], .out = out, .is_alone = alone, .width = side_by_side ? PANEL_WIDTH : WIDTH};
    if (n > 1) {
        draw_several(drawings, n, side_by_side);
    } else {
        lay_out_drawing(drawings);
        draw_chart(drawings);
    }
    xmlFreeTextWriter(out); /* which flushes it */
    free(drawings);
    return made;
}

/* Writes the rule of one theme. */
static void put_theme_rule(xmlTextWriter *out, bool dark) {
    xmlTextWriterWriteRaw(out, BAD_CAST ":root{");
    for (size_t i = 0; i < red_colours_n; i++)
        xmlTextWriterWriteFormatRaw(out, "--%s:%s;", red_colours[i].name,
                                    dark ? red_colours[i].dark : red_colours[i].light);
    xmlTextWriterWriteRaw(out, BAD_CAST "}");
}

/* Paper is white whatever the screen is. Called for the page's style sheet. */
void red_svg_write_themes(xmlTextWriter *out) {
    put_theme_rule(out, false);
    xmlTextWriterWriteRaw(out, BAD_CAST "\n@media screen and (prefers-color-scheme:dark){");
    put_theme_rule(out, true);
    xmlTextWriterWriteRaw(out, BAD_CAST "}\n");
}
