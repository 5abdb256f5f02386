/* The charts of CUB beside OpenCL: the same sums, on the same GPU. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/sizes.h"
#include "report/charts.h"

enum { CELL_BYTES = 64 };

/* Seconds since some day, of "2026-11-22T04:52:56Z": months and years as if all were long, which is near
 * enough to say which of two is nearer. */
static long long moment_of(const char *started) {
    int year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0;
    if (sscanf(started, "%d-%d-%dT%d:%d:%d", &year, &month, &day, &hour, &minute, &second) != 6)
        return 0;
    return ((((year * 12LL + month) * 31 + day) * 24 + hour) * 60 + minute) * 60 + second;
}

static long long apart(const struct red_cub *cub, const struct red_result *result) {
    return llabs(moment_of(cub->started) - moment_of(result->run.started));
}

static bool has_type(const struct red_cub *cub, const char *type) {
    for (size_t i = 0; i < cub->cells_n; i++)
        if (strcmp(cub->cells[i].type, type) == 0)
            return true;
    return false;
}

static bool is_of(const struct red_cub *cub, const struct red_series_source *source) {
    const struct red_table_view *view = &source->view;
    return strcmp(cub->device, view->run->devices[view->device].info.name) == 0 &&
           has_type(cub, view->dtype->name);
}

/* Whether CUB was timed nearer to another run of this device. */
static bool is_nearer_to_another(const struct red_section *section, const struct red_series_source *source,
                                 const struct red_cub *cub) {
    for (size_t s = 0; s < section->sources_n; s++) {
        const struct red_series_source *other = &section->sources[s];
        if (other != source && is_of(cub, other) && apart(cub, other->result) < apart(cub, source->result))
            return true;
    }
    return false;
}

const struct red_cub *red_source_cub(const struct red_section *section,
                                     const struct red_series_source *source) {
    const struct red_cub *nearest = NULL;
    const struct red_query *query = section->query;
    if (strcmp(query->op->name, "sum") != 0 || query->shape.kind != RED_SHAPE_ARRAY)
        return NULL;
    for (size_t c = 0; c < section->report->cubs_n; c++) {
        const struct red_cub *cub = &section->report->cubs[c];
        if (is_of(cub, source) && !is_nearer_to_another(section, source, cub) &&
            (nearest == NULL || apart(cub, source->result) < apart(nearest, source->result)))
            nearest = cub;
    }
    return nearest;
}

/* The fastest that launches for every call, as CUB does. */
static const struct red_cell *ours_at(const struct red_table_view *view, uint64_t n) {
    const struct red_cell *best = NULL;
    for (size_t i = 0; i < view->run->cells_n; i++) {
        const struct red_cell *cell = &view->run->cells[i];
        if (cell->device == view->device && cell->n == n && cell->samples_n > 0 &&
            !red_strategy_has(cell->strategy, RED_FINISH_WAITS) &&
            (best == NULL || cell->time.median < best->time.median))
            best = cell;
    }
    return best;
}

/* CUB's cell and ours of one n; false where one of them is not there. */
static bool both_at(const struct red_cub *cub, const struct red_table_view *view, uint64_t n,
                    const struct red_cub_cell **theirs, const struct red_cell **own) {
    *theirs = red_cub_find(cub, view->dtype->name, n);
    *own = ours_at(view, n);
    return *theirs != NULL && *own != NULL;
}

/* What is drawn: CUB's ways, and ours. */
static const struct {
    const char *name;
    unsigned colour;
} ways[RED_CUB_WAYS_N] = {
    [RED_CUB_MEMCPY] = {"CUB, cudaMemcpy", 2}, [RED_CUB_MAPPED] = {"CUB, mapped result", 5}};

static struct red_point point_of(uint64_t n, const struct red_statistics *time) {
    return (struct red_point){(double)n, time->median, time->low, time->high};
}

static struct red_point ratio_of(uint64_t n, const struct red_statistics *a, const struct red_statistics *b) {
    return (struct red_point){(double)n, a->median / b->median, a->low / b->high, a->high / b->low};
}

/* A point of each series: of part 0 times, of part 1 how many times as fast as CUB. */
static enum red_status add_points(struct red_chart *chart, const struct red_cub_cell *cub,
                                  const struct red_cell *own, size_t part, struct red_error *error) {
    enum red_status status = RED_OK;
    for (size_t way = 0; way < RED_CUB_WAYS_N && status == RED_OK; way++)
        status = red_series_add(&chart->series[way],
                                part == 0 ? point_of(own->n, &cub->time[way])
                                          : ratio_of(own->n, &cub->time[way], &own->time),
                                error);
    if (status == RED_OK && part == 0)
        status = red_series_add(&chart->series[RED_CUB_WAYS_N], point_of(own->n, &own->time), error);
    return status;
}

/* A row for each n, of what the part draws. */
static enum red_status add_row(struct red_chart *chart, const struct red_cub_cell *cub,
                               const struct red_cell *own, size_t part, struct red_error *error) {
    char size[32], ours[CELL_BYTES], theirs[RED_CUB_WAYS_N][CELL_BYTES];
    red_size_print(own->n, size, sizeof size);
    red_number_print(1e6 * own->time.median, ours, sizeof ours);
    for (size_t way = 0; way < RED_CUB_WAYS_N; way++) {
        const struct red_cell cell = {.time = cub->time[way]};
        if (part == 0)
            red_number_print(1e6 * cub->time[way].median, theirs[way], CELL_BYTES);
        else
            red_table_view_format_ratio(&cell, own, theirs[way], CELL_BYTES);
    }
    const char *values[] = {size, own->strategy->name, theirs[RED_CUB_MEMCPY], theirs[RED_CUB_MAPPED], ours};
    return red_table_add(chart->table, values, error); /* as many as there are columns */
}

static void begin(struct red_chart *chart, const struct red_series_source *source, size_t part) {
    static const struct {
        const char *title, *y_label;
        enum red_axis axis;
    } parts[] = {{"time to answer beside CUB, us", "time to answer, median", RED_AXIS_TIMES},
                 {"the fastest strategy, times as fast as CUB", "times as fast as CUB", RED_AXIS_RATIO}};
    red_chart_name(chart, source, parts[part].title);
    chart->axis = parts[part].axis;
    chart->y_label = parts[part].y_label;
    chart->mark = (double)part; /* of ratios the line at 1 */
    chart->mark_name = "CUB";
    for (size_t way = 0; way < RED_CUB_WAYS_N; way++)
        red_chart_add_series(chart, ways[way].name, ways[way].colour, true);
    if (part == 0)
        red_chart_add_series(chart, "the fastest strategy", 0, false);
}

static enum red_status make_table(struct red_chart *chart, size_t part, struct red_error *error) {
    red_chart_add_column(chart, "n", true);
    red_chart_add_column(chart, "strategy", false);
    for (size_t way = 0; way < RED_CUB_WAYS_N; way++)
        red_chart_add_column(chart, ways[way].name, true);
    if (part == 0)
        red_chart_add_column(chart, "the strategy", true);
    return red_chart_create_table(chart, error);
}

static void describe(struct red_chart *chart, const struct red_cub *cub,
                     const struct red_series_source *source, size_t part) {
    static const char *const what[] = {
        "Times to answer",
        "How many times as fast as CUB the fastest strategy answers (~ in the table: the 95 % intervals "
        "overlap), from times"};
    snprintf(
        chart->description, sizeof chart->description,
        "%s of CUB %s (%s, started %s) and of the fastest strategy that launches for every call (started "
        "%s). CUB's answer comes to the host by cudaMemcpy, or to mapped memory on which the host spins. "
        "They are two programs: medians of two processes differ by more than their intervals say.",
        what[part], cub->version, cub->path, cub->started, source->result->run.started);
}

enum red_status red_chart_cub(const struct red_section *section, const struct red_series_source *source,
                              size_t part, struct red_chart *chart, struct red_error *error) {
    const struct red_cub *cub = red_source_cub(section, source);
    const struct red_table_view *view = &source->view;
    if (part > 1 || cub == NULL)
        return RED_OK;
    begin(chart, source, part);
    enum red_status status = make_table(chart, part, error);
    for (size_t i = 0; i < view->sizes_n && status == RED_OK; i++) {
        const struct red_cub_cell *theirs;
        const struct red_cell *own;
        if (!both_at(cub, view, view->sizes[i], &theirs, &own))
            continue;
        status = add_points(chart, theirs, own, part, error);
        if (status == RED_OK)
            status = add_row(chart, theirs, own, part, error);
    }
    describe(chart, cub, source, part);
    return status;
}

void red_cub_sentence(const struct red_section *section, const struct red_series_source *source, char *text,
                      size_t text_bytes) {
    const struct red_cub *cub = red_source_cub(section, source);
    const struct red_table_view *view = &source->view;
    struct {
        uint64_t n;
        double ratio[RED_CUB_WAYS_N];
    } least = {0, {0}};
    text[0] = '\0';
    for (size_t i = 0; cub != NULL && i < view->sizes_n; i++) {
        const struct red_cub_cell *theirs;
        const struct red_cell *own;
        if (!both_at(cub, view, view->sizes[i], &theirs, &own))
            continue;
        for (size_t way = 0; way < RED_CUB_WAYS_N; way++) {
            const double ratio = theirs->time[way].median / own->time.median;
            if (least.ratio[way] == 0 || ratio < least.ratio[way]) {
                least.ratio[way] = ratio;
                least.n = way == RED_CUB_MAPPED ? view->sizes[i] : least.n;
            }
        }
    }
    if (least.n == 0)
        return;
    char size[32];
    red_size_print(least.n, size, sizeof size);
    snprintf(text, text_bytes,
             "Beside CUB %s on %s, %s of %s: the fastest strategy answers at least %.2f times "
             "as fast as "
             "CUB and cudaMemcpy, and at least %.2f times (at %s) as fast as CUB with a mapped result.",
             cub->version, cub->device, view->op->name, view->dtype->name, least.ratio[RED_CUB_MEMCPY],
             least.ratio[RED_CUB_MAPPED], size);
}
