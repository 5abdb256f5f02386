/* Draws the charts of `report --format html` and `--format svg`. Coordinates are pixels of a drawing that is
 * 640 wide; a page shows it as wide as there is room. */
#include "report/private.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "core/memory.h"
#include "core/select.h"
#include "core/text.h"

/* LETTER is what a character of sans-serif at 13 pixels takes at most, on average. */
enum { WIDTH = 640, MARGIN = 20, LINE = 18, LETTER = 8, SAMPLE = 28, LEGEND_MAX = 70, ROW_NAME_MAX = 30 };

struct drawing {
    const struct red_chart *chart;
    xmlTextWriter *out;
    struct red_scale x, y;
    double left, right, top, bottom; /* of the plot */
    const struct red_series
        *legend[RED_CHART_SERIES_MAX + 1]; /* what it names, column by column; NULL: the line across */
    size_t legend_n, legend_rows, legend_width;
};

/* ---- elements ------------------------------------------------------------------------------------------ */

static void begin_element(const struct drawing *drawing, const char *element) {
    xmlTextWriterStartElement(drawing->out, BAD_CAST element);
}

static void end_element(const struct drawing *drawing) {
    xmlTextWriterEndElement(drawing->out);
}

__attribute__((format(printf, 3, 4))) static void put_attr(const struct drawing *drawing,
                                                           const char *attribute, const char *format, ...) {
    va_list values;
    va_start(values, format);
    xmlTextWriterWriteVFormatAttribute(drawing->out, BAD_CAST attribute, format, values);
    va_end(values);
}

static void put_colour(const struct drawing *drawing, const char *attribute,
                       const struct red_colour *colour) {
    put_attr(drawing, attribute, "var(--%s)", colour->name);
}

/* A text of at most so many characters. */
static void put_text(const struct drawing *drawing, double x, double y, const char *text, size_t max) {
    const bool fits = red_text_width(text) <= max;
    begin_element(drawing, "text");
    put_attr(drawing, "x", "%.1f", x);
    put_attr(drawing, "y", "%.1f", y);
    xmlTextWriterWriteFormatString(drawing->out, "%.*s%s", (int)red_text_bytes(text, fits ? max : max - 3),
                                   text, fits ? "" : "...");
    end_element(drawing);
}

static void path_begin(const struct drawing *drawing) {
    begin_element(drawing, "path");
    xmlTextWriterStartAttribute(drawing->out, BAD_CAST "d");
}

__attribute__((format(printf, 2, 3))) static void path_add(const struct drawing *drawing, const char *format,
                                                           ...) {
    va_list values;
    va_start(values, format);
    xmlTextWriterWriteVFormatString(drawing->out, format, values);
    va_end(values);
}

static void path_end_data(const struct drawing *drawing) {
    xmlTextWriterEndAttribute(drawing->out);
}

static double x_of(const struct drawing *drawing, double value) {
    return drawing->left + (drawing->right - drawing->left) * red_scale_share(&drawing->x, value);
}

static double y_of(const struct drawing *drawing, double value) {
    return drawing->bottom - (drawing->bottom - drawing->top) * red_scale_share(&drawing->y, value);
}

/* A rectangle between two corners; its paint is to follow. */
static void rectangle_begin(const struct drawing *drawing, double x0, double y0, double x1, double y1) {
    begin_element(drawing, "rect");
    put_attr(drawing, "x", "%.1f", fmin(x0, x1));
    put_attr(drawing, "y", "%.1f", fmin(y0, y1));
    put_attr(drawing, "width", "%.1f", fabs(x1 - x0));
    put_attr(drawing, "height", "%.1f", fabs(y1 - y0));
}

/* How a category fills an area: as bars and fields of a heat map, and their samples in the legend. */
static void put_area_style(const struct drawing *drawing, const struct red_series *series) {
    const struct red_colour *colour = red_category(series->colour);
    put_colour(drawing, "stroke", colour);
    if (drawing->chart->kind == RED_CHART_BARS && series->dashed) {
        put_attr(drawing, "fill", "url(#p%uhatch)", drawing->chart->number);
        return;
    }
    put_colour(drawing, "fill", colour);
    put_attr(drawing, "fill-opacity", drawing->chart->kind == RED_CHART_BARS ? "0.85" : "0.28");
}

/* ---- axes ---------------------------------------------------------------------------------------------- */

/* A line for each tick, across the plot or as a mark outside of it. */
static void draw_ticks(const struct drawing *drawing, bool across) {
    const double width = across ? drawing->right - drawing->left : -4,
                 height = across ? drawing->top - drawing->bottom : 4;
    for (size_t i = 0; i < drawing->x.ticks.n; i++)
        path_add(drawing, "M%.1f %.1fv%.1f", x_of(drawing, drawing->x.ticks.values[i]), drawing->bottom,
                 height);
    for (size_t i = 0; i < drawing->y.ticks.n && drawing->chart->kind == RED_CHART_LINES; i++)
        path_add(drawing, "M%.1f %.1fh%.1f", drawing->left, y_of(drawing, drawing->y.ticks.values[i]), width);
}

static void draw_axes(const struct drawing *drawing) {
    if (drawing->chart->kind != RED_CHART_HEAT_MAP) {
        path_begin(drawing);
        draw_ticks(drawing, true);
        path_end_data(drawing);
        put_colour(drawing, "stroke", &red_colours[RED_COLOUR_GRID]);
        put_attr(drawing, "stroke-width", "0.6");
        end_element(drawing);
    }
    path_begin(drawing);
    path_add(drawing, "M%.1f %.1fV%.1fH%.1f", drawing->left, drawing->top, drawing->bottom, drawing->right);
    if (drawing->chart->kind != RED_CHART_HEAT_MAP)
        draw_ticks(drawing, false);
    path_end_data(drawing);
    put_colour(drawing, "stroke", &red_colours[RED_COLOUR_MUTED]);
    put_attr(drawing, "fill", "none");
    end_element(drawing);
}

/* Writes the axes' names; the y axis of one or two rows has no room for its name. */
static void draw_axis_labels(const struct drawing *drawing) {
    const struct red_chart *chart = drawing->chart;
    begin_element(drawing, "g");
    put_attr(drawing, "text-anchor", "middle");
    for (size_t i = 0; i < drawing->x.ticks.n; i++)
        put_text(drawing, x_of(drawing, drawing->x.ticks.values[i]), drawing->bottom + LINE,
                 drawing->x.ticks.labels[i], ROW_NAME_MAX);
    put_text(drawing, (drawing->left + drawing->right) / 2, drawing->bottom + 2.2 * LINE, chart->x_label,
             LEGEND_MAX);
    end_element(drawing);
    begin_element(drawing, "g");
    put_attr(drawing, "text-anchor", "end");
    for (size_t i = 0; i < drawing->y.ticks.n; i++)
        put_text(drawing, drawing->left - LETTER, y_of(drawing, drawing->y.ticks.values[i]) + 4.5,
                 drawing->y.ticks.labels[i], ROW_NAME_MAX);
    end_element(drawing);
    if (chart->y_label[0] == '\0' || (chart->kind == RED_CHART_HEAT_MAP && chart->rows_n < 3))
        return;
    begin_element(drawing, "g");
    put_attr(drawing, "transform", "translate(14,%.1f)rotate(-90)", (drawing->top + drawing->bottom) / 2);
    put_attr(drawing, "text-anchor", "middle");
    put_text(drawing, 0, 0, chart->y_label, LEGEND_MAX);
    end_element(drawing);
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
    const enum red_axis axis = drawing->chart->axis;
    char size[32], value[32], low[32], high[32];
    red_size_format((uint64_t)point->x, size, sizeof size);
    red_axis_format(axis, point->y, value, sizeof value);
    red_axis_format(axis, point->low, low, sizeof low);
    red_axis_format(axis, point->high, high, sizeof high);
    begin_element(drawing, "title");
    if (point->low < point->high)
        xmlTextWriterWriteFormatString(drawing->out, "%s, %s: %s (%s to %s)", series->name, size, value, low,
                                       high);
    else
        xmlTextWriterWriteFormatString(drawing->out, "%s, %s: %s", series->name, size, value);
    end_element(drawing);
}

/* Draws the area of the intervals: there along the upper ends, back along the lower ones. */
static void draw_interval_area(const struct drawing *drawing, const struct red_series *series) {
    bool has_interval = false;
    for (size_t p = 0; p < series->points_n; p++)
        has_interval = has_interval || series->points[p].low < series->points[p].high;
    if (!has_interval || series->points_n < 2)
        return;
    path_begin(drawing);
    for (size_t p = 0; p < series->points_n; p++)
        path_add(drawing, "%c%.1f %.1f", p == 0 ? 'M' : 'L', x_of(drawing, series->points[p].x),
                 y_of(drawing, series->points[p].high));
    for (size_t p = series->points_n; p-- > 0;)
        path_add(drawing, "L%.1f %.1f", x_of(drawing, series->points[p].x),
                 y_of(drawing, series->points[p].low));
    path_add(drawing, "z");
    path_end_data(drawing);
    put_colour(drawing, "fill", red_category(series->colour));
    put_attr(drawing, "fill-opacity", "0.18");
    end_element(drawing);
}

/* The group of a series and its markers: what they have in common. */
static void series_begin(const struct drawing *drawing, const struct red_series *series) {
    const struct red_colour *colour = red_category(series->colour);
    begin_element(drawing, "g");
    put_colour(drawing, "stroke", colour);
    if (series->marker > 0 && markers[(series->marker - 1) % MARKERS_N].is_full)
        put_colour(drawing, "fill", colour);
    else
        put_attr(drawing, "fill", "none");
}

static void put_line_style(const struct drawing *drawing, const struct red_series *series) {
    put_attr(drawing, "fill", "none");
    put_attr(drawing, "stroke-width", "1.6");
    if (series->dashed)
        put_attr(drawing, "stroke-dasharray", "6 4");
}

static void draw_series(const struct drawing *drawing, const struct red_series *series) {
    if (series->points_n == 0)
        return;
    series_begin(drawing, series);
    path_begin(drawing);
    for (size_t p = 0; p < series->points_n; p++)
        path_add(drawing, "%c%.1f %.1f", p == 0 ? 'M' : 'L', x_of(drawing, series->points[p].x),
                 y_of(drawing, series->points[p].y));
    path_end_data(drawing);
    put_line_style(drawing, series);
    end_element(drawing);
    for (size_t p = 0; p < series->points_n && series->marker > 0; p++) {
        begin_element(drawing, "path");
        put_attr(drawing, "d", "M%.1f %.1f%s", x_of(drawing, series->points[p].x),
                 y_of(drawing, series->points[p].y), marker_path(series));
        put_tooltip(drawing, series, &series->points[p]);
        end_element(drawing);
    }
    end_element(drawing);
}

/* The attributes of the line across the plot (red_chart.cross_line). */
static void put_cross_line_style(const struct drawing *drawing) {
    put_colour(drawing, "stroke", &red_colours[RED_COLOUR_MUTED]);
    put_attr(drawing, "stroke-width", "1.4");
}

static void draw_lines(const struct drawing *drawing) {
    const struct red_chart *chart = drawing->chart;
    for (size_t l = 0; l < chart->series_n; l++)
        draw_interval_area(drawing, &chart->series[l]);
    if (chart->cross_line > 0) {
        path_begin(drawing);
        path_add(drawing, "M%.1f %.1fH%.1f", drawing->left, y_of(drawing, chart->cross_line), drawing->right);
        path_end_data(drawing);
        put_cross_line_style(drawing);
        end_element(drawing);
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
            colour = red_category(chart->series[l].colour);
    begin_element(drawing, "defs");
    begin_element(drawing, "pattern");
    put_attr(drawing, "id", "p%uhatch", chart->number);
    put_attr(drawing, "width", "6");
    put_attr(drawing, "height", "6");
    put_attr(drawing, "patternUnits", "userSpaceOnUse");
    put_attr(drawing, "patternTransform", "rotate(-45)");
    begin_element(drawing, "path");
    put_attr(drawing, "d", "M3 0v6");
    put_colour(drawing, "stroke", colour);
    end_element(drawing);
    end_element(drawing);
    end_element(drawing);
}

static size_t shade_index(const struct red_heat_field *field) {
    return (size_t)fmin(RED_SHADES_N - 1, fmax(0, field->shade) * RED_SHADES_N);
}

static void field_begin(const struct drawing *drawing, const struct red_heat_field *field) {
    const double x = (double)field->column, y = (double)field->row;
    rectangle_begin(drawing, x_of(drawing, x - 0.48), y_of(drawing, y - 0.46), x_of(drawing, x + 0.48),
                    y_of(drawing, y + 0.46));
}

static void draw_field(const struct drawing *drawing, const struct red_heat_field *field) {
    field_begin(drawing, field);
    if (field->shade >= 0)
        put_attr(drawing, "fill", "%s", red_shades[shade_index(field)]);
    else
        put_area_style(drawing, &(const struct red_series){.colour = field->colour});
    end_element(drawing);
    if (!field->hatched)
        return;
    field_begin(drawing, field);
    put_attr(drawing, "fill", "url(#p%uhatch)", drawing->chart->number);
    end_element(drawing);
}

/* Writes a field's label, black or white so that it can be read on the field's colour. */
static void draw_field_label(const struct drawing *drawing, const struct red_heat_field *field) {
    begin_element(drawing, "g");
    if (field->shade >= 0)
        put_attr(drawing, "fill", shade_index(field) < RED_SHADES_LIGHT ? "#000" : "#fff");
    put_text(drawing, x_of(drawing, (double)field->column), y_of(drawing, (double)field->row) + 4.5,
             field->label, sizeof field->label);
    end_element(drawing);
}

static void draw_heat_map(const struct drawing *drawing) {
    const struct red_chart *chart = drawing->chart;
    for (size_t i = 0; i < chart->fields_n; i++)
        draw_field(drawing, &chart->fields[i]);
    begin_element(drawing, "g");
    put_attr(drawing, "text-anchor", "middle");
    put_attr(drawing, "font-size", chart->columns_n > 12 ? "10" : "13");
    for (size_t i = 0; i < chart->fields_n; i++)
        draw_field_label(drawing, &chart->fields[i]);
    end_element(drawing);
}

/* A part's points are x = row + 1, y = percent; it begins where the one before it ends. */
static void draw_bars(const struct drawing *drawing) {
    double from[RED_CHART_NAMES_MAX] = {0};
    for (size_t l = 0; l < drawing->chart->series_n; l++) {
        const struct red_series *series = &drawing->chart->series[l];
        for (size_t p = 0; p < series->points_n; p++) {
            const size_t row = (size_t)series->points[p].x - 1;
            const double to = from[row] + series->points[p].y;
            rectangle_begin(drawing, x_of(drawing, from[row]), y_of(drawing, (double)row - 0.36),
                            x_of(drawing, to), y_of(drawing, (double)row + 0.36));
            put_area_style(drawing, series);
            end_element(drawing);
            from[row] = to;
        }
    }
}

/* ---- the legend ---------------------------------------------------------------------------------------- */

static const char *legend_name(const struct drawing *drawing, size_t at) {
    return drawing->legend[at] != NULL ? drawing->legend[at]->name : drawing->chart->cross_line_name;
}

/* Lays out the legend: as many names side by side as fit. Of a heat map the series are the names alone. */
static void arrange_legend(struct drawing *drawing) {
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
    longest = longest < LEGEND_MAX ? longest : LEGEND_MAX;
    drawing->legend_width = SAMPLE + LETTER * (longest + 2);
    size_t columns_n = (WIDTH - MARGIN) / drawing->legend_width;
    columns_n = drawing->legend_n < columns_n ? drawing->legend_n + !drawing->legend_n : columns_n;
    drawing->legend_rows = (drawing->legend_n + columns_n - 1) / columns_n;
}

/* Draws the sample of a series in the legend; NULL: of the line across the plot. */
static void draw_sample(const struct drawing *drawing, const struct red_series *series, double x, double y) {
    if (series != NULL && drawing->chart->kind != RED_CHART_LINES) {
        rectangle_begin(drawing, x, y - 5, x + SAMPLE, y + 5);
        put_area_style(drawing, series);
        end_element(drawing);
        return;
    }
    if (series != NULL)
        series_begin(drawing, series);
    path_begin(drawing);
    path_add(drawing, "M%.1f %.1fh%d", x, y, SAMPLE);
    path_end_data(drawing);
    if (series == NULL)
        put_cross_line_style(drawing);
    else
        put_line_style(drawing, series);
    end_element(drawing);
    if (series == NULL)
        return;
    if (series->marker > 0) {
        begin_element(drawing, "path");
        put_attr(drawing, "d", "M%.1f %.1f%s", x + SAMPLE / 2.0, y, marker_path(series));
        end_element(drawing);
    }
    end_element(drawing);
}

static void draw_legend(const struct drawing *drawing) {
    const size_t rows_n = drawing->legend_rows,
                 columns_n = rows_n > 0 ? (drawing->legend_n + rows_n - 1) / rows_n : 0;
    const double left = (WIDTH - (double)(columns_n * drawing->legend_width)) / 2;
    for (size_t i = 0; i < drawing->legend_n; i++) {
        const double x = left + (double)(i / rows_n * drawing->legend_width),
                     y = 12 + LINE * (double)(i % rows_n);
        draw_sample(drawing, drawing->legend[i], x, y);
        put_text(drawing, x + SAMPLE + LETTER, y + 4.5, legend_name(drawing, i), LEGEND_MAX);
    }
}

/* ---- the drawing --------------------------------------------------------------------------------------- */

/* Finds scales and the plot's place: below the legend, right of the labels, rows as high as needed. */
static void place_plot(struct drawing *drawing) {
    const struct red_chart *chart = drawing->chart;
    size_t longest = 0;
    red_chart_scales_make(chart, &drawing->x, &drawing->y);
    for (size_t i = 0; i < drawing->y.ticks.n; i++) {
        const size_t width = red_text_width(drawing->y.ticks.labels[i]);
        longest = width > longest ? width : longest;
    }
    arrange_legend(drawing);
    longest = longest < ROW_NAME_MAX ? longest : ROW_NAME_MAX;
    drawing->left = MARGIN + LETTER * (double)(longest + 1);
    drawing->right = WIDTH - MARGIN;
    drawing->top = 10 + LINE * (double)drawing->legend_rows;
    drawing->bottom = drawing->top + (chart->kind == RED_CHART_LINES ? 260 : 30 * (double)chart->rows_n);
}

/* What a screen reader says of the chart. */
static void put_title_and_description(const struct drawing *drawing) {
    begin_element(drawing, "title");
    put_attr(drawing, "id", "p%utitle", drawing->chart->number);
    xmlTextWriterWriteString(drawing->out, BAD_CAST drawing->chart->title);
    end_element(drawing);
    begin_element(drawing, "desc");
    put_attr(drawing, "id", "p%udesc", drawing->chart->number);
    xmlTextWriterWriteString(drawing->out, BAD_CAST drawing->chart->description);
    end_element(drawing);
}

static void draw_chart(struct drawing *drawing, bool alone) {
    static void (*const draw_data[])(const struct drawing *drawing) = {
        [RED_CHART_LINES] = draw_lines, [RED_CHART_HEAT_MAP] = draw_heat_map, [RED_CHART_BARS] = draw_bars};
    place_plot(drawing);
    begin_element(drawing, "svg");
    put_attr(drawing, "xmlns", "http://www.w3.org/2000/svg");
    put_attr(drawing, "viewBox", "0 0 %d %.0f", WIDTH, drawing->bottom + 2.5 * LINE);
    put_attr(drawing, "font-size", "13");
    put_attr(drawing, "font-family", "sans-serif");
    put_colour(drawing, "fill", &red_colours[RED_COLOUR_INK]);
    put_attr(drawing, "role", "img");
    put_attr(drawing, "aria-labelledby", "p%utitle p%udesc", drawing->chart->number, drawing->chart->number);
    if (alone) {
        begin_element(drawing, "style");
        red_svg_theme(drawing->out, "svg");
        xmlTextWriterWriteRaw(drawing->out, BAD_CAST "svg{background:var(--paper)}");
        end_element(drawing);
    }
    put_title_and_description(drawing);
    if (drawing->chart->kind != RED_CHART_LINES)
        put_hatch_pattern(drawing);
    draw_axes(drawing);
    draw_axis_labels(drawing);
    draw_data[drawing->chart->kind](drawing);
    draw_legend(drawing);
    end_element(drawing);
}

xmlBuffer *red_svg_draw(const struct red_chart *chart, bool alone) {
    struct drawing drawing = {.chart = chart};
    xmlBuffer *made = xmlBufferCreate();
    drawing.out = made ? xmlNewTextWriterMemory(made, 0) : NULL;
    if (drawing.out != NULL) {
        draw_chart(&drawing, alone);
        xmlFreeTextWriter(drawing.out); /* which flushes it */
        return made;
    }
    xmlBufferFree(made);
    red_memory_note_failure();
    return NULL;
}

static void put_theme(xmlTextWriter *out, const char *selector, bool dark) {
    xmlTextWriterWriteFormatRaw(out, "%s{", selector);
    for (size_t i = 0; i < red_colours_n; i++)
        xmlTextWriterWriteFormatRaw(out, "--%s:%s;", red_colours[i].name,
                                    dark ? red_colours[i].dark : red_colours[i].light);
    xmlTextWriterWriteRaw(out, BAD_CAST "}");
}

/* Paper is white whatever the screen is. */
void red_svg_theme(xmlTextWriter *out, const char *selector) {
    put_theme(out, selector, false);
    xmlTextWriterWriteRaw(out, BAD_CAST "\n@media screen and (prefers-color-scheme:dark){");
    put_theme(out, selector, true);
    xmlTextWriterWriteRaw(out, BAD_CAST "}\n");
}
