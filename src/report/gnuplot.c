#define _POSIX_C_SOURCE 200809L /* strdup */
#include "report/gnuplot.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "core/file.h"
#include "core/scratch.h"
#include "core/spawn.h"
#include "core/words.h"
#include "report/axis.h"
#include "report/palette.h"

enum { DRAWN_BYTES_MAX = 8 << 20, SCREEN_COLUMNS = 100, SCREEN_ROWS = 26, TICKS_MAX = 9, NAMES_MAX = 12 };

/* Shapes that differ without colour, full and hollow in turns. */
static const unsigned markers[] = {0, 7, 5, 9, 13, 6, 4, 8, 12, 11, 10, 2, 1, 3, 14, 15};
enum { MARKERS_N = sizeof markers / sizeof markers[0] };

/* A text in gnuplot's double quotes, with an octal number for whatever could mean anything there: a command's
 * backquotes do. In single quotes gnuplot 5.4 takes no quote at the beginning. */
static void put_quoted(FILE *script, const char *text) {
    fputc('"', script);
    for (; *text != '\0'; text++)
        fprintf(script, isalnum((unsigned char)*text) || strchr(" .,:()/+-^=_", *text) ? "%c" : "\\%03o",
                (unsigned char)*text);
    fputc('"', script);
}

/* The label of a tick is a format, in which a percent sign is two. */
static void put_tick(FILE *script, const char *text) {
    char label[160];
    size_t used = 0;
    for (; *text != '\0' && used + 2 < sizeof label; text++) {
        label[used++] = *text;
        if (*text == '%')
            label[used++] = '%';
    }
    label[used] = '\0';
    put_quoted(script, label);
}

static const char *ink(unsigned role) {
    return red_colours[role].light;
}

/* ---- axes ------------------------------------------------------------------------------------------------
 */

struct range {
    double low, high;
};

static void range_take(struct range *range, double value) {
    if (!(value > 0) || !isfinite(value))
        return;
    range->low = range->low > 0 && range->low < value ? range->low : value;
    range->high = range->high > value ? range->high : value;
}

static void put_ticks(FILE *script, char axis, const struct red_axis_ticks *ticks) {
    fprintf(script, "set %ctics (", axis);
    for (size_t i = 0; i < ticks->n; i++) {
        fputs(i > 0 ? ", " : "", script);
        put_tick(script, ticks->labels[i]);
        fprintf(script, " %.9g", ticks->values[i]);
    }
    fputs(") nomirror\n", script);
}

static void put_axes(FILE *script, const struct red_chart *chart, enum red_terminal terminal) {
    struct range x = {0, 0}, y = {0, 0};
    struct red_axis_ticks ticks = {.n = 0};
    for (size_t l = 0; l < chart->lines_n; l++) {
        for (size_t p = 0; p < chart->lines[l].points_n; p++) {
            const struct red_point *point = &chart->lines[l].points[p];
            range_take(&x, point->x);
            range_take(&y, point->low);
            range_take(&y, point->high);
            range_take(&y, point->y);
            red_axis_ticks_take(&ticks, point->x);
        }
    }
    range_take(&y, chart->mark);
    y = (struct range){y.low / 1.15, y.high * 1.15};
    red_axis_ticks_label_sizes(&ticks, TICKS_MAX);
    fprintf(script, "set logscale x 2\nset logscale y 10\nset xrange [%.9g:%.9g]\nset yrange [%.9g:%.9g]\n",
            x.low / 1.1, x.high * 1.1, y.low, y.high);
    put_ticks(script, 'x', &ticks);
    red_axis_ticks_make(&ticks, chart->axis, y.low, y.high, TICKS_MAX);
    put_ticks(script, 'y', &ticks);
    if (terminal == RED_TERMINAL_SVG)
        fprintf(script, "set grid xtics ytics lt 1 lw 0.6 lc rgb '%s'\n", ink(RED_COLOUR_GRID));
}

/* ---- lines -----------------------------------------------------------------------------------------------
 */

static void put_points(FILE *script, const struct red_chart *chart) {
    for (size_t l = 0; l < chart->lines_n; l++) {
        const struct red_line *line = &chart->lines[l];
        fprintf(script, "$l%zu << EOD\n", l);
        for (size_t p = 0; p < line->points_n; p++)
            fprintf(script, "%.9g %.6g %.6g %.6g\n", line->points[p].x, line->points[p].y,
                    line->points[p].low, line->points[p].high);
        fputs("EOD\n", script);
    }
}

static bool has_interval(const struct red_line *line) {
    for (size_t p = 0; p < line->points_n; p++)
        if (line->points[p].low < line->points[p].high)
            return true;
    return false;
}

static void put_lines_svg(FILE *script, const struct red_chart *chart) {
    const char *comma = "plot ";
    for (size_t l = 0; l < chart->lines_n; l++) {
        if (!has_interval(&chart->lines[l]) || chart->lines[l].points_n < 2)
            continue;
        fprintf(
            script,
            "%s$l%zu using 1:3:4 with filledcurves fs transparent solid 0.18 noborder lc rgb '%s' notitle",
            comma, l, red_category(chart->lines[l].colour)->light);
        comma = ", ";
    }
    if (chart->mark > 0) {
        fprintf(script, "%s%.9g with lines lt 1 lw 1.4 lc rgb '%s' title ", comma, chart->mark,
                ink(RED_COLOUR_MUTED));
        put_quoted(script, chart->mark_name);
        comma = ", ";
    }
    for (size_t l = 0; l < chart->lines_n; l++) {
        const struct red_line *line = &chart->lines[l];
        if (line->points_n == 0)
            continue;
        unsigned marker = markers[line->marker % MARKERS_N];
        fprintf(script, "%s$l%zu using 1:2 with %s lt 1 lw 1.6 %s lc rgb '%s'", comma, l,
                line->marker ? "linespoints" : "lines", line->dashed ? "dt (6,4)" : "",
                red_category(line->colour)->light);
        if (line->marker)
            fprintf(script, " pt %u ps 0.65", marker);
        fputs(" title ", script);
        put_quoted(script, line->name);
        comma = ", ";
    }
    fputc('\n', script);
}

/* Each line is a letter, a point where it was measured. */
static void put_lines_dumb(FILE *script, const struct red_chart *chart) {
    const char *comma = "plot ";
    for (size_t l = 0; l < chart->lines_n; l++) {
        if (chart->lines[l].points_n == 0)
            continue;
        fprintf(script, "%s$l%zu using 1:2 with points pt '%c' title ", comma, l, (char)('A' + l));
        put_quoted(script, chart->lines[l].name);
        comma = ", ";
    }
    if (chart->mark > 0)
        fprintf(script, "%s%.9g with dots notitle", comma, chart->mark); /* its name stands in the text */
    fputc('\n', script);
}

/* ---- tiles -----------------------------------------------------------------------------------------------
 */

/* All of them, or as many in equal steps as there is room for. */
static void put_names(FILE *script, char axis, size_t n, const char names[][64]) {
    size_t step = axis == 'x' ? (n + NAMES_MAX - 1) / NAMES_MAX : 1;
    fprintf(script, "set %ctics (", axis);
    for (size_t i = 0; i < n; i += step) {
        fputs(i > 0 ? ", " : "", script);
        put_tick(script, names[i]);
        fprintf(script, " %zu", i);
    }
    fprintf(script, ") nomirror scale 0\nset %crange [-0.5:%.9g]\n", axis, (double)n - 0.5);
}

static size_t shade_of(const struct red_tile *tile) {
    return (size_t)fmin(RED_SHADES_N - 1, fmax(0, tile->shade) * RED_SHADES_N);
}

/* What is written on a tile must be told from it. */
static const char *label_colour(const struct red_tile *tile) {
    return tile->shade < 0 ? ink(RED_COLOUR_INK) : shade_of(tile) < RED_SHADES_LIGHT ? "#000000" : "#ffffff";
}

static void put_tiles(FILE *script, const struct red_chart *chart) {
    put_names(script, 'x', chart->columns_n, chart->columns);
    put_names(script, 'y', chart->rows_n, chart->rows);
    fputs("set style rectangle clip\n", script);
    for (size_t i = 0; i < chart->tiles_n; i++) {
        const struct red_tile *tile = &chart->tiles[i];
        const double x = (double)tile->column, y = (double)tile->row;
        char place[96];
        snprintf(place, sizeof place, "from %.9g,%.9g to %.9g,%.9g", x - 0.48, y - 0.46, x + 0.48, y + 0.46);
        if (tile->shade >= 0)
            fprintf(script, "set object rectangle %s fs solid 1 noborder fc rgb '%s'\n", place,
                    red_shades[shade_of(tile)]);
        else
            fprintf(script,
                    "set object rectangle %s fs transparent solid 0.28 border lc rgb '%s' fc rgb '%s'\n",
                    place, red_category(tile->colour)->light, red_category(tile->colour)->light);
        if (tile->hatched)
            fprintf(script, "set object rectangle %s fs transparent pattern 4 noborder fc rgb '%s'\n", place,
                    ink(RED_COLOUR_MUTED));
        fputs("set label ", script);
        put_quoted(script, tile->label);
        fprintf(script, " at %.9g,%.9g center front textcolor rgb '%s' font ',%d'\n", x, y,
                label_colour(tile), chart->columns_n > NAMES_MAX ? 10 : 13);
    }
    fputs("plot NaN notitle", script);
    for (size_t l = 0; l < chart->lines_n; l++) {
        const char *colour = red_category(chart->lines[l].colour)->light;
        fprintf(script,
                ", keyentry with boxes fs transparent solid 0.28 border lc rgb '%s' fc rgb '%s' title ",
                colour, colour);
        put_quoted(script, chart->lines[l].name);
    }
    fputc('\n', script);
}

/* ---- bars ------------------------------------------------------------------------------------------------
 */

/* Rows from top to bottom; a part's points are x = row + 1, y = amount. */
static void put_bars(FILE *script, const struct red_chart *chart) {
    double from[RED_CHART_NAMES_MAX] = {0};
    put_names(script, 'y', chart->rows_n, chart->rows);
    fprintf(script, "set yrange [%.9g:-0.5]\nset xrange [0:100]\nset xtics 20 nomirror format '%%g %%%%'\n",
            (double)chart->rows_n - 0.5);
    for (size_t l = 0; l < chart->lines_n; l++) {
        const struct red_line *line = &chart->lines[l];
        fprintf(script, "$l%zu << EOD\n", l);
        for (size_t p = 0; p < line->points_n; p++) {
            size_t row = (size_t)line->points[p].x - 1;
            fprintf(script, "%.6g %.6g %zu\n", from[row], from[row] + line->points[p].y, row);
            from[row] += line->points[p].y;
        }
        fputs("EOD\n", script);
    }
    for (size_t l = 0; l < chart->lines_n; l++) {
        const char *colour = red_category(chart->lines[l].colour)->light;
        fprintf(script,
                "%s$l%zu using 1:3:1:2:($3-0.36):($3+0.36) with boxxyerror fs %s border lc rgb '%s' lc rgb "
                "'%s' title ",
                l == 0 ? "plot " : ", ", l, chart->lines[l].dashed ? "transparent pattern 4" : "solid 0.85",
                colour, colour);
        put_quoted(script, chart->lines[l].name);
    }
    fputc('\n', script);
}

/* ---- the script ------------------------------------------------------------------------------------------
 */

/* Lines of the key: as many names stand side by side as fit, of equal width. */
static size_t key_lines(const struct red_chart *chart) {
    size_t longest = 1;
    for (size_t l = 0; l < chart->lines_n; l++) {
        size_t length = red_text_width(chart->lines[l].name);
        longest = length > longest ? length : longest;
    }
    size_t columns = 560 / (60 + 8 * longest);
    columns += columns == 0;
    return (chart->lines_n + (chart->mark > 0) + columns - 1) / columns;
}

/* Rows and bars take the height they need, and so does the key above them. */
static unsigned height_of(const struct red_chart *chart) {
    const size_t key = 18 * key_lines(chart);
    return (unsigned)(chart->kind == RED_CHART_LINES ? 330 + key : 110 + 30 * chart->rows_n + key);
}

static void put_script(FILE *script, const struct red_chart *chart, enum red_terminal terminal,
                       const char *output) {
    bool is_svg = terminal == RED_TERMINAL_SVG;
    fputs("set encoding utf8\n", script);
    if (is_svg)
        fprintf(script,
                "set terminal svg size 640,%u dynamic noenhanced font 'sans-serif,13' linewidth 1\n"
                "set key outside top center horizontal textcolor rgb '%s' samplen 3\n"
                "set border 3 lc rgb '%s'\nset tics textcolor rgb '%s' scale 0.5\n",
                height_of(chart), ink(RED_COLOUR_INK), ink(RED_COLOUR_MUTED), ink(RED_COLOUR_INK));
    else
        fprintf(script, "set terminal dumb noenhanced size %d,%d\nset key outside right top\n",
                SCREEN_COLUMNS, SCREEN_ROWS);
    fputs("set output ", script);
    put_quoted(script, output);
    fputs("\nset xlabel ", script);
    put_quoted(script, chart->x_label);
    fprintf(script, " textcolor rgb '%s'\nset ylabel ", ink(RED_COLOUR_INK));
    put_quoted(script,
               is_svg && !(chart->kind == RED_CHART_TILES && chart->rows_n < 3) ? chart->y_label : "");
    fprintf(script, " textcolor rgb '%s'\n", ink(RED_COLOUR_INK));
    if (chart->kind == RED_CHART_TILES) {
        put_tiles(script, chart);
    } else if (chart->kind == RED_CHART_BARS) {
        put_bars(script, chart);
    } else {
        put_axes(script, chart, terminal);
        put_points(script, chart);
        if (is_svg)
            put_lines_svg(script, chart);
        else
            put_lines_dumb(script, chart);
    }
    fputs("unset output\n", script);
}

/* ---- the process -----------------------------------------------------------------------------------------
 */

/* Without the user's own settings (-d), and with nothing from the terminal. */
static enum red_status run(const char *script, const char *log, struct red_error *error) {
    const char *const arguments[] = {"gnuplot", "-d", script, NULL};
    int ended = 0;
    int reason = red_spawn(arguments[0], arguments, log, &ended);
    if (reason == ENOMEM || reason == EAGAIN)
        return red_fail(error, RED_E_MEMORY, "no memory to run gnuplot");
    if (reason != 0)
        return red_fail(
            error, RED_E_UNSUPPORTED,
            "pictures need gnuplot, which cannot be run (%s); on Debian it is the package gnuplot-nox",
            strerror(reason));
    if (WIFEXITED(ended) && WEXITSTATUS(ended) == 0)
        return RED_OK;
    if (WIFEXITED(ended) && WEXITSTATUS(ended) == 127) /* older C libraries find out in the child */
        return red_fail(
            error, RED_E_UNSUPPORTED,
            "pictures need gnuplot, which cannot be run; on Debian it is the package gnuplot-nox");
    char *told = NULL;
    size_t told_n = 0;
    (void)red_file_read(log, "log", 1 << 16, &told, &told_n, NULL);
    enum red_status status = red_fail(error, RED_E_INPUT, "gnuplot failed: %.*s",
                                      (int)(told_n < 300 ? told_n : 300), told ? told : "");
    free(told);
    return status;
}

static enum red_status write_script(const char *path, const char *output, const struct red_chart *chart,
                                    enum red_terminal terminal, struct red_error *error) {
    FILE *script = fopen(path, "w");
    if (script == NULL)
        return red_fail(error, RED_E_INPUT, "cannot write %.200s: %s", path, strerror(errno));
    put_script(script, chart, terminal, output);
    bool failed = ferror(script) != 0;
    failed = fclose(script) != 0 || failed;
    return failed ? red_fail(error, RED_E_INPUT, "cannot write %.200s: is the disk full?", path) : RED_OK;
}

enum red_status red_gnuplot_draw(const struct red_chart *chart, enum red_terminal terminal, char **drawn,
                                 struct red_error *error) {
    struct red_scratch scratch;
    char paths[3][RED_SCRATCH_BYTES + 16];
    char *text = NULL;
    size_t text_n = 0;
    *drawn = NULL;
    enum red_status status = red_scratch_make(&scratch, error);
    snprintf(paths[0], sizeof paths[0], "%s/script", scratch.path);
    snprintf(paths[1], sizeof paths[1], "%s/picture", scratch.path);
    snprintf(paths[2], sizeof paths[2], "%s/log", scratch.path);
    if (status == RED_OK)
        status = write_script(paths[0], paths[1], chart, terminal, error);
    if (status == RED_OK)
        status = run(paths[0], paths[2], error);
    if (status == RED_OK)
        status = red_file_read(paths[1], "picture of gnuplot", DRAWN_BYTES_MAX, &text, &text_n, error);
    red_scratch_remove(&scratch);
    if (status != RED_OK)
        return status;
    *drawn = text;
    return RED_OK;
}
