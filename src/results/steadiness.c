#define _GNU_SOURCE /* getloadavg */
/* The judgement of a run's steadiness. run/measure.c takes the processors' times (core/processors.h),
 * cli/cmd_bench.c and results/result.c have the run judged; everything that shows a factor asks. */
#include "results/steadiness.h"

#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/text.h"

void red_run_put_processor_times(struct red_run *run, const struct red_processor_times *begin,
                                 const struct red_processor_times *end) {
    static const double SHORTEST_S = 0.3;
    const double all_s = end->all_s - begin->all_s;
    if (getloadavg(&run->load_end, 1) != 1)
        run->load_end = 0;
    if (begin->all_s <= 0 || all_s < SHORTEST_S * (double)run->host.cores_n)
        return;
    run->processors_s = all_s;
    run->others_s = red_processor_times_others_s(begin, end);
}

double red_run_others_share(const struct red_run *run) {
    return run->processors_s > 0 ? fmin(1, run->others_s / run->processors_s) : -1; /* also of any file */
}

/* ---- cells --------------------------------------------------------------------------------------------- */

/* Seen as ? behind a time of bench or report, and counted in the judgement. */
bool red_cell_is_unsteady(const struct red_cell *cell) {
    return cell->time.high - cell->time.low > 0.5 * cell->time.median;
}

bool red_cell_is_doubtful(const struct red_cell *cell) {
    return red_cell_is_unsteady(cell) || cell->time.is_incomparable;
}

/* With fewer samples an interval is their range, and thirds of them are one each. */
enum { THIRDS = 3, SAMPLES_MIN = 2 * THIRDS };

/* The median of samples that stay as they are; `room` is for as many. */
static double median_of(const double *samples, size_t n, double *room) {
    memcpy(room, samples, n * sizeof *room);
    return gsl_stats_median(room, 1, n);
}

/* How many times as long calls of the device took in the slowest third of the rounds as in the fastest; 0
 * where too few cells tell. Samples stand in the order in which they were taken. */
static double speed_change(const struct red_run *run, size_t device) {
    size_t cells_n = 0, samples_n = 1;
    for (size_t i = 0; i < run->cells_n; i++) {
        cells_n += run->cells[i].device == device && run->cells[i].samples_n >= SAMPLES_MIN;
        samples_n = run->cells[i].samples_n > samples_n ? run->cells[i].samples_n : samples_n;
    }
    double *shares = calloc(THIRDS * (cells_n + 1), sizeof *shares);
    double *room = calloc(samples_n, sizeof *room), slowest = 0, fastest = INFINITY;
    size_t n = 0;
    for (size_t i = 0; i < run->cells_n && shares != NULL && room != NULL; i++) {
        const struct red_cell *cell = &run->cells[i];
        if (cell->device != device || cell->samples_n < SAMPLES_MIN || cell->samples_s == NULL)
            continue;
        for (size_t t = 0; t < THIRDS; t++) {
            const size_t first = t * cell->samples_n / THIRDS, end = (t + 1) * cell->samples_n / THIRDS;
            shares[t * cells_n + n] =
                median_of(cell->samples_s + first, end - first, room) / cell->time.median;
        }
        n++;
    }
    for (size_t t = 0; t < THIRDS && n >= RED_SPEED_CELLS_MIN; t++) {
        const double share = gsl_stats_median(shares + t * cells_n, 1, n);
        slowest = fmax(slowest, share);
        fastest = fmin(fastest, share);
    }
    free(shares);
    free(room);
    return slowest > 0 && fastest > 0 ? slowest / fastest : 0;
}

/* ---- the judgement ------------------------------------------------------------------------------------- */

/* Whether other programs kept the processors too busy for the device, as far as is known. */
static bool others_disturb(const struct red_run *run, const struct red_run_device *device) {
    const double share = red_run_others_share(run);
    if (!device->is_host && !device->info.shape.is_cpu)
        return false;
    return share >= 0 ? share > RED_OTHERS_SHARE_MOST
                      : run->host.cores_n > 0 && run->load_end > 2 * (double)run->host.cores_n;
}

void red_run_judge_steadiness(struct red_run *run) {
    for (size_t d = 0; d < run->devices_n; d++) {
        struct red_run_device *device = &run->devices[d];
        struct red_steadiness *found = &device->steadiness;
        *found = (struct red_steadiness){.speed_change = speed_change(run, d)};
        for (size_t i = 0; i < run->cells_n; i++) {
            const struct red_cell *cell = &run->cells[i];
            found->timed_n += cell->device == d && cell->samples_n > 0;
            found->unsteady_n += cell->device == d && cell->samples_n > 0 && red_cell_is_unsteady(cell);
        }
        found->by_others = found->timed_n > 0 && others_disturb(run, device);
        found->by_cells = (double)found->unsteady_n > RED_UNSTEADY_SHARE_MOST * (double)found->timed_n;
        found->by_speed = found->speed_change >= RED_SPEED_CHANGE_MOST;
        found->fails = found->by_others || found->by_cells || found->by_speed;
    }
    for (size_t i = 0; i < run->cells_n; i++)
        run->cells[i].time.is_incomparable = run->devices[run->cells[i].device].steadiness.fails;
}

static const char measure_again[] =
    ". Measure again on an idle machine; if that does not help, with a longer --time-per-cell.";

void red_steadiness_reason_format(const struct red_run *run, size_t device, char *text, size_t text_bytes) {
    const struct red_steadiness *found = &run->devices[device].steadiness;
    const double share = red_run_others_share(run);
    const char *before = "";
    text[0] = '\0';
    if (!found->fails)
        return;
    if (found->by_others && share >= 0) {
        red_text_add(text, text_bytes, "other programs took %.0f %% of the processors' time", 100 * share);
        before = "; ";
    } else if (found->by_others) {
        red_text_add(text, text_bytes, "the load at the end was %.1f on %u processors", run->load_end,
                     run->host.cores_n);
        before = "; ";
    }
    if (found->by_cells || found->unsteady_n > 0) {
        red_text_add(text, text_bytes, "%s%zu of %zu times are unsteady", before, found->unsteady_n,
                     found->timed_n);
        before = "; ";
    }
    if (found->by_speed)
        red_text_add(text, text_bytes, "%sthe machine was up to %.1f times as slow at one time as at another",
                     before, found->speed_change);
    red_text_add(text, text_bytes, "%s",
                 found->by_others ? ". End other programs, or wait until they have ended, and measure again."
                                  : measure_again);
}

void red_steadiness_sentence_format(const struct red_run *run, size_t device, char *text, size_t text_bytes) {
    char reason[512];
    red_steadiness_reason_format(run, device, reason, sizeof reason);
    text[0] = '\0';
    if (reason[0] != '\0')
        red_text_add(text, text_bytes, "these times cannot be compared: %s", reason);
}
