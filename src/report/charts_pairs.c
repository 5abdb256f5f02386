/* Charts of `report` that set things beside each other: 2.x and 1.x, devices, CUB and OpenCL. write_charts in
 * report.c calls the makers red_chart_*, for each operation and type (--op, --type) and each device of the
 * files named to `report`; the user sees the chart on the page, below the title of its kind. --format svg has
 * the chart of pairs alone. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/select.h"
#include "core/text.h"
#include "report/report_private.h"

/* ---- pairs --------------------------------------------------------------------------------------------- */

/* Finds the fastest cells of both strategies at n. False where one of them has no time, or is of a kernel
 * that was not checked at every level. */
static bool find_pair_cells(const struct red_table_view *view, const struct red_strategy_pair *pair,
                            uint64_t n, const struct red_cell **later, const struct red_cell **earlier) {
    *later = red_table_view_fastest(view, pair->later, n);
    *earlier = red_table_view_fastest(view, pair->earlier, n);
    return *later != NULL && *earlier != NULL && !red_cell_is_incomplete(*later) &&
           !red_cell_is_incomplete(*earlier);
}

/* Two strategies that were timed together. */
struct timed_version_pair {
    struct red_strategy_pair of;
    double far; /* from 1, where it is farthest: a logarithm */
};

/* Finds the pairs of the device that were timed together. Returns how many there are. */
static size_t list_timed_pairs(const struct red_table_view *view,
                               struct timed_version_pair timed[RED_STRATEGIES_MAX]) {
    struct red_strategy_pair pairs[RED_STRATEGIES_MAX];
    const size_t pairs_n = red_table_view_find_pairs(view, pairs);
    size_t n = 0;
    for (size_t p = 0; p < pairs_n; p++) {
        timed[n] = (struct timed_version_pair){pairs[p], -1};
        for (size_t i = 0; i < view->sizes_n; i++) {
            const struct red_cell *a, *b;
            if (find_pair_cells(view, &pairs[p], view->sizes[i], &a, &b))
                timed[n].far = fmax(timed[n].far, fabs(log(b->time.median / a->time.median)));
        }
        n += timed[n].far >= 0;
    }
    return n;
}

/* Whether a pair is drawn: of too many lines to tell apart only those that differ most from 1 are. */
static bool is_pair_drawn(const struct timed_version_pair *pairs, size_t pairs_n, size_t which) {
    size_t farther_n = 0;
    for (size_t i = 0; i < pairs_n; i++)
        farther_n += pairs[i].far > pairs[which].far || (pairs[i].far == pairs[which].far && i < which);
    return farther_n < RED_CHOSEN_MAX;
}

/* What became of the one of a pair that has no time at n, the 2.x one first: "over". */
static struct red_short_text lacking_text(const struct red_table_view *view,
                                          const struct red_strategy_pair *pair, uint64_t n) {
    const struct red_strategy *const both[] = {pair->later, pair->earlier};
    for (size_t i = 0; i < 2; i++) {
        const struct red_cell *cell =
            red_run_fastest_or_first(view->run, view->device, both[i], &view->at, n);
        if (cell == NULL)
            return (struct red_short_text){.text = RED_NOT_MEASURED};
        if (cell->samples_n == 0)
            return red_table_view_cell_text(view, cell);
    }
    return (struct red_short_text){.text = ""};
}

/* Adds a pair's row to the table and, if it is `drawn`, its line to the chart. */
static void add_pair_row_and_line(struct red_chart *chart, const struct red_table_view *view,
                                  const struct red_strategy_pair *pair, bool drawn, size_t first_size) {
    char name[96];
    struct red_series *series = NULL;
    snprintf(name, sizeof name, "%s : %s", pair->later->name, pair->earlier->name);
    if (drawn)
        series = red_chart_add_series(chart, name, (unsigned)(1 + chart->series_n % 7), chart->series_n >= 7);
    red_table_put(chart->table, "%s", name);
    for (size_t i = first_size; i < view->sizes_n; i++) {
        const struct red_cell *a, *b; /* each with its fastest geometry */
        const bool both = find_pair_cells(view, pair, view->sizes[i], &a, &b);
        if (both)
            red_series_add(series, red_ratio_point((double)view->sizes[i], &b->time, &a->time));
        red_table_put(chart->table, "%s",
                      both ? red_ratio_text(&b->time, &a->time).text
                           : lacking_text(view, pair, view->sizes[i]).text);
    }
}

/* Sets the description, which stands below the chart: how often 2.x is faster, if that can be told, and what
 * is drawn. */
static void describe_pairs(struct red_chart *chart, const struct red_table_view *view, size_t pairs_n) {
    const char *id = view->run->devices[view->device].info.id;
    size_t faster_n = 0, slower_n = 0, n = 0;
    char more[128] = "", counts[256];
    if (pairs_n > chart->series_n)
        snprintf(more, sizeof more, " %zu of %zu pairs are drawn: those that are farthest from 1.",
                 chart->series_n, pairs_n);
    for (size_t l = 0; l < chart->series_n; l++) {
        for (size_t p = 0; p < chart->series[l].points_n; p++, n++) {
            faster_n += chart->series[l].points[p].low > 1;
            slower_n += chart->series[l].points[p].high < 1;
        }
    }
    snprintf(counts, sizeof counts,
             "On %s 2.x is faster at %zu of %zu points, slower at %zu, and not to be told apart at %zu (~).",
             id, faster_n, n, slower_n, n - faster_n - slower_n);
    if (view->run->devices[view->device].steadiness.fails)
        snprintf(counts, sizeof counts,
                 "The times on %s cannot be compared, and no point tells which is faster.", id);
    snprintf(chart->description, sizeof chart->description,
             "How many times as fast each 2.x strategy is as the 1.x strategy that it replaces, against n, "
             "with 95 %% intervals: above the line at 1 it is faster. %s%s",
             counts, more);
}

void red_chart_pairs(const struct red_section *section, const struct red_series_source *source, size_t part,
                     struct red_chart *chart) {
    const struct red_table_view *view = &source->view;
    struct timed_version_pair pairs[RED_STRATEGIES_MAX];
    const size_t pairs_n = part == 0 ? list_timed_pairs(view, pairs) : 0;
    (void)section;
    if (pairs_n == 0)
        return;
    red_chart_set_title_and_x(chart, source, "2.x against 1.x, times as fast");
    red_chart_set_y(chart, RED_UNIT_RATIO, "times as fast as 1.x", "1.x");
    chart->table = red_table_create("2.x : 1.x");
    size_t first_size = red_chart_add_size_columns(chart, view);
    for (size_t i = 0; i < pairs_n; i++)
        add_pair_row_and_line(chart, view, &pairs[i].of, is_pair_drawn(pairs, pairs_n, i), first_size);
    describe_pairs(chart, view, pairs_n);
}

/* ---- devices ------------------------------------------------------------------------------------------- */

/* Adds a line: the time of the device's fastest strategy against n. */
static void add_device_series(struct red_chart *chart, const struct red_series_source *source,
                              unsigned colour) {
    const struct red_table_view *view = &source->view;
    struct red_series *series = red_chart_add_series(chart, source->label, colour, false);
    for (size_t i = 0; i < view->sizes_n; i++) {
        const struct red_cell *best = red_table_view_fastest(view, NULL, view->sizes[i]);
        if (best != NULL)
            red_series_add(series, red_time_point((double)best->at.n, &best->time));
    }
}

/* Adds a row for an n: a strategy's name in every column is more than a line of paper takes. */
static void add_devices_row(struct red_chart *chart, const struct red_section *section, uint64_t n) {
    red_table_put(chart->table, "%s", red_size_text(n).text);
    for (size_t s = 0; s < section->sources_n; s++) {
        const struct red_cell *best = red_table_view_fastest(&section->sources[s].view, NULL, n);
        red_table_put(chart->table, best ? "%s %s" : RED_NOT_MEASURED,
                      best ? red_number_text(1e6 * best->time.median).text : "",
                      best ? red_fastest_names(&section->sources[s].view, best).text : "");
    }
}

void red_chart_devices(const struct red_section *section, const struct red_series_source *source, size_t part,
                       struct red_chart *chart) {
    (void)source;
    if (part > 0 || section->sources_n < 2)
        return;
    struct red_table_view sizes = section->sources[0].view; /* the sizes of all of them */
    for (size_t s = 1; s < section->sources_n; s++)
        for (size_t i = 0; i < section->sources[s].view.sizes_n; i++)
            red_sizes_insert(sizes.sizes, &sizes.sizes_n, RED_TABLE_VIEW_SIZES_MAX,
                             section->sources[s].view.sizes[i]);
    red_chart_set_title_and_x(chart, NULL, "The fastest strategy of each device, us");
    red_chart_set_y(chart, RED_UNIT_TIMES, "time to answer, median", NULL);
    chart->table = red_table_create("n");
    for (size_t s = 0; s < section->sources_n; s++)
        red_table_add_column(chart->table, section->sources[s].label, false, 0);
    for (size_t s = 0; s < section->sources_n; s++)
        add_device_series(chart, &section->sources[s], (unsigned)(1 + s));
    for (size_t i = 0; i < sizes.sizes_n; i++)
        add_devices_row(chart, section, sizes.sizes[i]);
    snprintf(
        chart->description, sizeof chart->description,
        "Median time to answer of the fastest strategy of each device against n, with 95 %% intervals; "
        "the table names it (~: others tie with it). Times of different machines tell of the machines, too.");
}

/* ---- CUB -------------------------------------------------------------------------------------------------
 * CUB beside OpenCL: the same results, on the same GPU. CUB's times are those of a result file of
 * bench/cuda/cub.cu that is named to `report`, too. */

enum { WAYS_MAX = 2 };

/* An operation that CUB is timed at, and the strategies of its files: the ways in which its answer comes. */
static const struct cub_op {
    const char *name; /* of the operation */
    size_t ways_n;
    struct {
        const char *strategy, *title, *words;
    } ways[WAYS_MAX];
    const char *how; /* a sentence: how the answer comes */
} cub_ops[] = {
    {"sum",
     2,
     {{"cub", "CUB, cudaMemcpy", "CUB and cudaMemcpy"},
      {"cub_mapped", "CUB, mapped result", "CUB with a mapped result"}},
     "CUB's answer comes to the host by cudaMemcpy, or to mapped memory on which the host spins."},
    {"inclusive_sum",
     1,
     {{"cub", "CUB", "CUB"}},
     "CUB's answer stays on the device, which has finished it when the time ends, as ours does."},
    {"count",
     1,
     {{"cub", "CUB", "CUB"}},
     "CUB's counts stay on the device, which has finished them when the time ends, as ours do; it has none "
     "of what is out of range."},
};

/* CUB's times of a section's query on one device. */
struct cub {
    const struct cub_op *op;
    const struct red_result *result; /* borrowed; NULL: there are none */
    const struct red_query *query;   /* the result's */
    size_t device;                   /* of the result's */
};

static const struct cub_op *cub_op_find(const char *name) {
    for (size_t i = 0; i < sizeof cub_ops / sizeof cub_ops[0]; i++)
        if (strcmp(cub_ops[i].name, name) == 0)
            return &cub_ops[i];
    return NULL;
}

/* CUB's timed cell of n (0: of any) by which its answer comes in this way; NULL if there is none. */
static const struct red_cell *cub_cell(const struct cub *cub, size_t way, uint64_t n) {
    const struct red_run *run = &cub->query->run;
    for (size_t i = 0; i < run->cells_n; i++) {
        const struct red_cell *cell = &run->cells[i];
        if (cell->device == cub->device && (n == 0 || cell->at.n == n) && cell->samples_n > 0 &&
            strcmp(cell->at.strategy->name, cub->op->ways[way].strategy) == 0)
            return cell;
    }
    return NULL;
}

/* Finds what a result of another program has of the section's query on the source's device; false where it is
 * not CUB, or lacks one of the ways. */
static bool find_cub(const struct red_section *section, const struct red_series_source *source,
                     const struct red_result *peer, struct cub *cub) {
    const struct red_table_view *view = &source->view;
    const long device = red_run_find_device_of_name(&peer->run, view->run->devices[view->device].info.name);
    *cub = (struct cub){.op = cub_op_find(view->at.op->name),
                        .result = peer,
                        .query = red_result_find_query(peer, section->query),
                        .device = (size_t)device};
    bool has_all =
        strcmp(peer->run.program, "CUB") == 0 && device >= 0 && cub->op != NULL && cub->query != NULL;
    for (size_t way = 0; has_all && way < cub->op->ways_n; way++)
        has_all = cub_cell(cub, way, 0) != NULL;
    return has_all;
}

/* The count of seconds until the time "2026-11-22T04:52:56Z" with months of 31 days: enough to tell which is
 * nearer; 0 if it is no such time. */
static long long rough_start_s(const char *started) {
    int year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0;
    if (sscanf(started, "%d-%d-%dT%d:%d:%d", &year, &month, &day, &hour, &minute, &second) != 6)
        return 0;
    return ((((year * 12LL + month) * 31 + day) * 24 + hour) * 60 + minute) * 60 + second;
}

/* How far the starts of two runs are apart. CUB's times stand beside the nearest run. */
static long long rough_distance_s(const struct red_result *a, const struct red_result *b) {
    return llabs(rough_start_s(a->run.started) - rough_start_s(b->run.started));
}

/* Whether CUB was timed nearer to another run of this device. */
static bool is_nearer_to_another(const struct red_section *section, const struct red_series_source *source,
                                 const struct red_result *peer) {
    for (size_t s = 0; s < section->sources_n; s++) {
        const struct red_series_source *other = &section->sources[s];
        struct cub cub;
        if (other != source && find_cub(section, other, peer, &cub) &&
            rough_distance_s(peer, other->result) < rough_distance_s(peer, source->result))
            return true;
    }
    return false;
}

/* CUB's times that are set beside this source: of its device and the section's query, if no other source's
 * run began nearer to them; without a result if there are none. */
static struct cub cub_of_source(const struct red_section *section, const struct red_series_source *source) {
    struct cub nearest = {.result = NULL}, cub;
    for (size_t p = 0; p < section->report->loaded->peers_n; p++) {
        const struct red_result *peer = &section->report->loaded->peers[p];
        if (find_cub(section, source, peer, &cub) && !is_nearer_to_another(section, source, peer) &&
            (nearest.result == NULL ||
             rough_distance_s(peer, source->result) < rough_distance_s(nearest.result, source->result)))
            nearest = cub;
    }
    return nearest;
}

/* Our fastest cell at n, of strategies that launch for every call, as CUB does, and are not banned. */
static const struct red_cell *own_fastest_at(const struct red_table_view *view, uint64_t n) {
    const struct red_cell *best = NULL;
    for (size_t i = 0; i < view->run->cells_n; i++) {
        const struct red_cell *cell = &view->run->cells[i];
        if (cell->device == view->device && cell->at.n == n && cell->samples_n > 0 && !cell->banned &&
            !red_strategy_finish_has(cell->at.strategy, RED_FINISH_WAITS) &&
            (best == NULL || cell->time.median < best->time.median))
            best = cell;
    }
    return best;
}

/* CUB's cells and ours of one n; false where one of them is not there. */
static bool find_cub_and_own(const struct cub *cub, const struct red_table_view *view, uint64_t n,
                             const struct red_cell *theirs[WAYS_MAX], const struct red_cell **own) {
    *own = own_fastest_at(view, n);
    bool has_all = *own != NULL;
    for (size_t way = 0; way < cub->op->ways_n && has_all; way++) {
        theirs[way] = cub_cell(cub, way, n);
        has_all = theirs[way] != NULL;
    }
    return has_all;
}

/* What is drawn: CUB's ways, and of times, part 0, behind them the strategy. */
static const unsigned way_colours[WAYS_MAX] = {2, 5};

/* Part 0 shows times, and takes all of them; part 1 shows ratios, and takes CUB's. */
static size_t drawn_series_n(const struct cub *cub, size_t part) {
    return part == 0 ? cub->op->ways_n + 1 : cub->op->ways_n;
}

/* Adds an n: a point to each series, and a row of figures; of part 1 how many times as fast as CUB it is. */
static void add_cub_points_and_row(struct red_chart *chart, const struct cub *cub,
                                   const struct red_cell *theirs[WAYS_MAX], const struct red_cell *own,
                                   size_t part) {
    const double n = (double)own->at.n;
    RED_PUT(chart->table, red_size_text(own->at.n).text, own->at.strategy->name);
    for (size_t i = 0; i < drawn_series_n(cub, part); i++) {
        const struct red_statistics *time = i < cub->op->ways_n ? &theirs[i]->time : &own->time;
        red_series_add(&chart->series[i],
                       part == 0 ? red_time_point(n, time) : red_ratio_point(n, time, &own->time));
        red_table_put(
            chart->table, "%s",
            (part == 0 ? red_number_text(1e6 * time->median) : red_ratio_text(time, &own->time)).text);
    }
}

/* Begins the chart of a part, with its series and the columns of its table. */
static void begin_cub_chart(struct red_chart *chart, const struct red_series_source *source,
                            const struct cub *cub, size_t part) {
    static const struct {
        const char *title, *y_label;
        enum red_chart_unit axis;
    } parts[] = {{"time to answer beside CUB, us", "time to answer, median", RED_UNIT_TIMES},
                 {"the fastest strategy, times as fast as CUB", "times as fast as CUB", RED_UNIT_RATIO}};
    red_chart_set_title_and_x(chart, source, "%s", parts[part].title);
    red_chart_set_y(chart, parts[part].axis, parts[part].y_label, part == 1 ? "CUB" : NULL);
    chart->table = red_table_create("n>|strategy");
    for (size_t i = 0; i < drawn_series_n(cub, part); i++) {
        const bool theirs = i < cub->op->ways_n;
        red_chart_add_series(chart, theirs ? cub->op->ways[i].title : "the fastest strategy",
                             theirs ? way_colours[i] : 0, theirs);
        red_table_add_column(chart->table, theirs ? cub->op->ways[i].title : "the strategy", true, 0);
    }
}

/* Sets the description, which stands below the chart: whose times these are, and how an answer comes. */
static void describe_cub_chart(struct red_chart *chart, const struct cub *cub,
                               const struct red_series_source *source, size_t part) {
    static const char *const what[] = {"Times to answer",
                                       "How many times as fast as CUB the fastest strategy answers (~ in the "
                                       "table: the 95 % intervals overlap), from times"};
    snprintf(
        chart->description, sizeof chart->description,
        "%s of CUB %s (%s, started %s) and of the fastest strategy that launches for every call (started "
        "%s). %s They are two programs: medians of two processes differ by more than their intervals say.",
        what[part], cub->result->run.version, cub->result->path, cub->result->run.started,
        source->result->run.started, cub->op->how);
}

void red_chart_cub(const struct red_section *section, const struct red_series_source *source, size_t part,
                   struct red_chart *chart) {
    const struct cub cub = cub_of_source(section, source);
    const struct red_table_view *view = &source->view;
    const struct red_cell *theirs[WAYS_MAX] = {NULL}, *own;
    if (part > 1 || cub.result == NULL)
        return;
    begin_cub_chart(chart, source, &cub, part);
    for (size_t i = 0; i < view->sizes_n; i++)
        if (find_cub_and_own(&cub, view, view->sizes[i], theirs, &own))
            add_cub_points_and_row(chart, &cub, theirs, own, part);
    describe_cub_chart(chart, &cub, source, part);
}

/* The least of the ratios of CUB's way to our fastest strategies over all n of both; 0 if there is none. */
static double least_ratio(const struct cub *cub, const struct red_table_view *view, size_t way, uint64_t *n) {
    const struct red_cell *theirs[WAYS_MAX] = {NULL}, *own;
    double least = 0;
    for (size_t i = 0; i < view->sizes_n; i++) {
        if (!find_cub_and_own(cub, view, view->sizes[i], theirs, &own))
            continue;
        const double ratio = theirs[way]->time.median / own->time.median;
        if (least == 0 || ratio < least) {
            least = ratio;
            *n = view->sizes[i];
        }
    }
    return least;
}

/* A sentence of the chapter "In short". */
void red_cub_sentence_format(const struct red_section *section, const struct red_series_source *source,
                             char *text, size_t text_bytes) {
    const struct cub cub = cub_of_source(section, source);
    const struct red_table_view *view = &source->view;
    text[0] = '\0';
    if (view->run->devices[view->device].steadiness.fails) /* no factor of such times is told */
        return;
    for (size_t way = 0; cub.result != NULL && way < cub.op->ways_n; way++) {
        char at[48] = "";
        uint64_t n = 0;
        const double ratio = least_ratio(&cub, view, way, &n);
        if (ratio == 0)
            return;
        if (way + 1 == cub.op->ways_n)
            snprintf(at, sizeof at, " (at %.32s)", red_size_text(n).text);
        if (way == 0)
            red_text_add(text, text_bytes, "Beside CUB %s on %s, %s of %s%s: the fastest strategy answers ",
                         cub.result->run.version, cub.result->run.devices[cub.device].info.name,
                         view->at.op->name, view->at.dtype->name,
                         red_query_is_of_slowest(section->query) ? ", with the slowest data of each" : "");
        red_text_add(text, text_bytes, "%sat least %.2f times%s as fast as %s%s", way > 0 ? ", and " : "",
                     ratio, at, cub.op->ways[way].words, way + 1 == cub.op->ways_n ? "." : "");
    }
}
