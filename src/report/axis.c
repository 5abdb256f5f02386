#include "report/axis.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/sizes.h"

void red_axis_ticks_take(struct red_axis_ticks *ticks, double value) {
    size_t at = ticks->n;
    while (at > 0 && ticks->values[at - 1] >= value)
        at--;
    if ((at < ticks->n && ticks->values[at] <= value) || ticks->n == RED_AXIS_TICKS_ROOM)
        return;
    memmove(&ticks->values[at + 1], &ticks->values[at], (ticks->n - at) * sizeof ticks->values[0]);
    ticks->values[at] = value;
    ticks->n++;
}

void red_axis_ticks_label_sizes(struct red_axis_ticks *ticks, size_t max) {
    size_t step = (ticks->n + max - 1) / (max ? max : 1), kept = 0;
    for (size_t i = 0; i < ticks->n; i += step) {
        ticks->values[kept] = ticks->values[i];
        red_size_print((uint64_t)ticks->values[kept], ticks->labels[kept], sizeof ticks->labels[kept]);
        kept++;
    }
    ticks->n = kept;
}

void red_axis_print(enum red_axis axis, double value, char *text, size_t text_bytes) {
    static const struct {
        double unit;
        const char *name;
    } times[] = {{1, " s"}, {1e-3, " ms"}, {1e-6, " us"}, {1e-9, " ns"}};
    static const char *const units[RED_AXES_N] = {
        [RED_AXIS_RATIO] = "x", [RED_AXIS_RATE] = "", [RED_AXIS_SHARE] = "", [RED_AXIS_PERCENT] = " %"};
    size_t t = 0;
    if (axis == RED_AXIS_TIMES) {
        while (t < 3 && value < 0.9999 * times[t].unit)
            t++;
        snprintf(text, text_bytes, "%.3g%s", value / times[t].unit, times[t].name);
    } else {
        snprintf(text, text_bytes, "%.3g%s", value, units[axis]);
    }
}

/* Round numbers of a decade, from coarse to fine. */
static const double series[][20] = {
    {1}, {1, 3}, {1, 2, 5}, {1, 1.5, 2, 3, 5, 7}, {1, 1.2, 1.4, 1.6, 1.8, 2, 2.5, 3, 3.5, 4, 5, 6, 7, 8, 9}};
enum { SERIES_N = sizeof series / sizeof series[0], SERIES_ROOM = sizeof series[0] / sizeof series[0][0] };

static void fill(struct red_axis_ticks *ticks, const double *steps, double decades, double low, double high) {
    ticks->n = 0;
    for (double d = floor(log10(low)); d <= log10(high); d += decades)
        for (size_t s = 0; s < SERIES_ROOM && steps[s] > 0; s++)
            if (steps[s] * pow(10, d) >= low && steps[s] * pow(10, d) <= high)
                red_axis_ticks_take(ticks, steps[s] * pow(10, d));
}

void red_axis_ticks_make(struct red_axis_ticks *ticks, enum red_axis axis, double low, double high,
                         size_t max) {
    double decades = 1;
    ticks->n = 0;
    if (!(low > 0) || !(high > low) || !isfinite(high / low))
        return;
    while (log10(high / low) / decades > (double)max)
        decades++;
    fill(ticks, series[0], decades, low, high);
    for (size_t s = 1; s < SERIES_N; s++) {
        struct red_axis_ticks finer = {.n = 0};
        fill(&finer, series[s], 1, low, high);
        if (finer.n <= max && finer.n > ticks->n)
            *ticks = finer;
    }
    for (size_t i = 0; i < ticks->n; i++)
        red_axis_print(axis, ticks->values[i], ticks->labels[i], sizeof ticks->labels[i]);
}
