#include "bench/answer.h"

#include <math.h>
#include <string.h>

#include "bench/words.h"
#include "model/catalogue.h"
#include "model/sizes.h"

/* 8 columns and the rates fill the screen; with group sizes in the names there is room for 7. */
enum { NAME_WIDTH = 17, NAME_WIDTH_WITH_GROUP = 22, SIZES_MAX = 4096 };

/* One table: a device, an operation and a type, and the sizes that were asked for. */
struct view {
    const struct red_run *run;
    const struct red_catalogue *catalogue;
    FILE *out;
    size_t device;
    const struct red_op *op;
    const struct red_dtype *dtype;
    uint64_t sizes[SIZES_MAX];
    size_t sizes_n;
    bool with_group; /* more than one group size: rows name it */
};

static bool in_view(const struct view *view, const struct red_cell *cell) {
    return cell->op == view->op && cell->dtype == view->dtype &&
           (cell->device == view->device || cell->device == 0);
}

/* The first cell of each line in the order of the layout. */
static bool begins_line(const struct red_run *run, const struct red_cell *cell) {
    if (cell == run->cells)
        return true;
    const struct red_cell *before = cell - 1;
    return before->device != cell->device || before->strategy != cell->strategy || before->op != cell->op ||
           before->dtype != cell->dtype || before->group_size != cell->group_size;
}

static const struct red_cell *line_cell(const struct view *view, const struct red_cell *line, uint64_t n) {
    const struct red_run *run = view->run;
    for (const struct red_cell *at = line; at < run->cells + run->cells_n; at++) {
        if (at != line && begins_line(run, at))
            break;
        if (at->n == n)
            return at;
    }
    return NULL;
}

static const struct red_cell *fastest(const struct view *view, const struct red_strategy *strategy,
                                      uint64_t n) {
    return red_run_fastest(view->run, view->device, strategy, view->op, view->dtype, n);
}

static const struct red_cell *openmp_cell(const struct view *view, uint64_t n) {
    return red_run_fastest(view->run, 0, NULL, view->op, view->dtype, n);
}

/* ---- times -----------------------------------------------------------------------------------------------
 */

/* Three digits are all that a median of noisy times can claim. */
static void number_print(double value, char *text, size_t text_bytes) {
    snprintf(text, text_bytes, "%.*f", value < 9.995 ? 2 : value < 99.95 ? 1 : 0, value);
}

static const char *state_mark(enum red_state state) {
    static const char *const marks[RED_STATES_N] = {
        [RED_STATE_PENDING] = "?",          [RED_STATE_PASS] = "?",         [RED_STATE_WRONG] = "WRONG",
        [RED_STATE_BUILD_FAILED] = "build", [RED_STATE_UNSUPPORTED] = "-",  [RED_STATE_OVER_BUDGET] = "over",
        [RED_STATE_CRASHED] = "failed",     [RED_STATE_TIMED_OUT] = "time", [RED_STATE_KNOWN_BUG] = "bug"};
    return marks[state];
}

static void print_time(const struct view *view, const struct red_cell *cell, uint64_t n) {
    char text[32] = "";
    if (cell != NULL && cell->samples_n > 0) {
        const struct red_cell *best = fastest(view, NULL, n);
        number_print(1e6 * cell->time.median, text, sizeof text - 1);
        strcat(text, cell == best ? "*" : " ");
    } else if (cell != NULL) {
        snprintf(text, sizeof text, "%s ", state_mark(cell->state));
    }
    fprintf(view->out, "%8s", text);
}

/* Bandwidth, share of the roof and ratio to OpenMP, of the largest n. */
static void print_rates(const struct view *view, const struct red_cell *cell, uint64_t n) {
    const struct red_cell *openmp = openmp_cell(view, n);
    if (cell == NULL || cell->samples_n == 0 || n == 0)
        return;
    double bytes_per_s = red_cell_bytes(cell) / cell->time.median;
    double roof = view->run->devices[cell->device].roof_bytes_per_s;
    fprintf(view->out, " %5.*f", bytes_per_s < 999.5e9 ? 1 : 0, 1e-9 * bytes_per_s);
    if (roof > 0)
        fprintf(view->out, " %4.0f%%", 100 * bytes_per_s / roof);
    double ratio = openmp ? cell->time.median / openmp->time.median : 0;
    if (openmp != NULL)
        fprintf(view->out, " %5.*fx", ratio < 9.995 ? 2 : ratio < 99.95 ? 1 : 0, ratio);
}

static void line_name(const struct red_cell *line, bool with_group, char *text, size_t text_bytes) {
    if (with_group && line->device > 0)
        snprintf(text, text_bytes, "%s:%zu", line->strategy->name, line->group_size);
    else
        snprintf(text, text_bytes, "%s", line->strategy->name);
}

/* True where a strategy was run with more than one group size: then the rows name it. */
static bool has_group_sizes(const struct red_run *run) {
    for (size_t i = 1; i < run->cells_n; i++)
        if (run->cells[i].strategy == run->cells[i - 1].strategy &&
            run->cells[i].device == run->cells[i - 1].device &&
            run->cells[i].group_size != run->cells[i - 1].group_size)
            return true;
    return false;
}

static int name_width(const struct view *view) {
    return view->with_group ? NAME_WIDTH_WITH_GROUP : NAME_WIDTH;
}

static void print_block(const struct view *view, size_t first, size_t last) {
    const struct red_run *run = view->run;
    bool rates = last == view->sizes_n;
    fprintf(view->out, "%-*s", name_width(view), "n =");
    for (size_t i = first; i < last; i++) {
        char text[32];
        red_size_print(view->sizes[i], text, sizeof text - 1);
        strcat(text, " ");
        fprintf(view->out, "%8s", text);
    }
    fprintf(view->out, "%s\n", rates ? "  GB/s  roof OpenMP" : "");
    for (const struct red_cell *line = run->cells; line < run->cells + run->cells_n; line++) {
        if (!in_view(view, line) || !begins_line(run, line))
            continue;
        char name[64];
        line_name(line, view->with_group, name, sizeof name);
        fprintf(view->out, "%-*s", name_width(view), name);
        for (size_t i = first; i < last; i++)
            print_time(view, line_cell(view, line, view->sizes[i]), view->sizes[i]);
        if (rates)
            print_rates(view, line_cell(view, line, view->sizes[last - 1]), view->sizes[last - 1]);
        fputc('\n', view->out);
    }
}

/* ---- pairs -----------------------------------------------------------------------------------------------
 */

static const struct red_strategy *counterpart(const struct view *view, const struct red_cell *line) {
    if (line->device != view->device || line->strategy->counterpart[0] == '\0')
        return NULL;
    return red_catalogue_find(view->catalogue, line->strategy->counterpart);
}

static void print_pair(const struct view *view, const struct red_strategy *later,
                       const struct red_strategy *earlier, size_t first, size_t last) {
    char name[80];
    snprintf(name, sizeof name, "%s : %s", later->name, earlier->name);
    fprintf(view->out, "%-35s", name);
    for (size_t i = first; i < last; i++) {
        const struct red_cell *a = fastest(view, later, view->sizes[i]),
                              *b = fastest(view, earlier, view->sizes[i]);
        char text[32] = "-";
        if (a != NULL && b != NULL) {
            number_print(b->time.median / a->time.median, text, sizeof text - 2);
            strcat(text, red_statistics_compare(&a->time, &b->time) == 0 ? "~" : "x");
        }
        fprintf(view->out, "%8s", text);
    }
    fputc('\n', view->out);
}

static void print_pairs(const struct view *view, size_t first, size_t last) {
    const struct red_run *run = view->run;
    const struct red_strategy *printed = NULL;
    for (const struct red_cell *line = run->cells; line < run->cells + run->cells_n; line++) {
        const struct red_strategy *earlier = in_view(view, line) ? counterpart(view, line) : NULL;
        if (earlier == NULL || line->strategy == printed)
            continue;
        if (printed == NULL) {
            fprintf(view->out, "\n%-35s", "2.x : 1.x, times faster (~ tie)");
            for (size_t i = first; i < last; i++) {
                char text[32];
                red_size_print(view->sizes[i], text, sizeof text);
                fprintf(view->out, "%8s", text);
            }
            fputc('\n', view->out);
        }
        print_pair(view, line->strategy, earlier, first, last);
        printed = line->strategy;
    }
}

/* ---- what did not run ------------------------------------------------------------------------------------
 */

static bool is_trouble(const struct view *view, const struct red_cell *cell) {
    return cell->device == view->device && cell->op == view->op && cell->dtype == view->dtype &&
           cell->state != RED_STATE_PASS;
}

/* The reasons of cells that are over budget differ in the projected time only. */
static bool same_reason(const struct red_cell *a, const struct red_cell *b) {
    return a->state == b->state && (a->state == RED_STATE_OVER_BUDGET || strcmp(a->reason, b->reason) == 0);
}

static bool same_line(const struct red_cell *a, const struct red_cell *b) {
    return a->device == b->device && a->strategy == b->strategy && a->group_size == b->group_size;
}

/* A trouble is told once: not again for the next n of its line, nor for another line with the same reason. */
static bool is_told(const struct view *view, const struct red_cell *cell) {
    for (const struct red_cell *at = view->run->cells; at < cell; at++)
        if (is_trouble(view, at) && same_reason(at, cell) &&
            (same_line(at, cell) || (at->n == cell->n && cell->state != RED_STATE_OVER_BUDGET)))
            return true;
    return false;
}

/* The strategies that share the trouble of this cell. */
static void print_names(const struct view *view, const struct red_cell *cell, char *text, size_t text_bytes) {
    const struct red_run *run = view->run;
    size_t used = (size_t)snprintf(text, text_bytes, "%s", cell->strategy->name);
    const struct red_strategy *last = cell->strategy;
    for (const struct red_cell *at = cell + 1; at < run->cells + run->cells_n && used < text_bytes; at++) {
        if (!is_trouble(view, at) || at->n != cell->n || !same_reason(at, cell) || at->strategy == last ||
            cell->state == RED_STATE_OVER_BUDGET)
            continue;
        used += (size_t)snprintf(text + used, text_bytes - used, ", %s", at->strategy->name);
        last = at->strategy;
    }
}

static void print_troubles(const struct view *view) {
    const struct red_run *run = view->run;
    bool any = false;
    for (const struct red_cell *cell = run->cells; cell < run->cells + run->cells_n; cell++) {
        if (!is_trouble(view, cell) || is_told(view, cell))
            continue;
        char n[32], names[512], text[1200];
        red_size_print(cell->n, n, sizeof n);
        print_names(view, cell, names, sizeof names);
        snprintf(text, sizeof text, "%s: %s from n = %s on: %s", names, red_state_name(cell->state), n,
                 cell->reason);
        fputs(any ? "" : "\nnot timed:\n", view->out);
        red_wrapped_print(view->out, "  ", text);
        any = true;
    }
}

/* ---- the sentence ----------------------------------------------------------------------------------------
 */

/* The n to speak of: 2^20 if it was run, otherwise the largest below it, otherwise the smallest above. */
static uint64_t spoken_size(const struct view *view, const struct red_strategy *a,
                            const struct red_strategy *b) {
    uint64_t spoken = 0;
    for (size_t i = 0; i < view->sizes_n; i++) {
        uint64_t n = view->sizes[i];
        if (fastest(view, a, n) != NULL && fastest(view, b, n) != NULL && (n <= 1 << 20 || spoken == 0))
            spoken = n;
    }
    return spoken;
}

/* "14x faster than", or, where the intervals overlap, "about as fast as". */
static void ratio_print(const struct red_cell *a, const struct red_cell *b, char *text, size_t text_bytes) {
    double ratio = fmax(b->time.median / a->time.median, a->time.median / b->time.median);
    if (red_statistics_compare(&a->time, &b->time) == 0)
        snprintf(text, text_bytes, "about as fast as");
    else
        snprintf(text, text_bytes, "%.*fx %s than", ratio < 9.95 ? 1 : 0, ratio,
                 a->time.median < b->time.median ? "faster" : "slower");
}

static void built_in_print(const struct view *view, char *text, size_t text_bytes) {
    const struct red_strategy *built_in = red_catalogue_find(view->catalogue, "wg_reduce");
    const struct red_strategy *tree = red_catalogue_find(view->catalogue, "tree");
    uint64_t n = spoken_size(view, built_in, tree);
    char size[32], ratio[64];
    if (n == 0) {
        snprintf(text, text_bytes, "the 2.0 built-in and the 1.x tree were not both timed");
        return;
    }
    red_size_print(n, size, sizeof size);
    ratio_print(fastest(view, built_in, n), fastest(view, tree, n), ratio, sizeof ratio);
    snprintf(text, text_bytes, "the 2.0 built-in is %s the 1.x tree at %s", ratio, size);
}

/* "chunk at 2^20, about as fast as OpenMP" */
static void best_at_print(const struct view *view, uint64_t n, char *text, size_t text_bytes) {
    const struct red_cell *best = fastest(view, NULL, n), *openmp = openmp_cell(view, n);
    char size[32], ratio[64];
    red_size_print(n, size, sizeof size);
    size_t used = (size_t)snprintf(text, text_bytes, "%s at %s", best->strategy->name, size);
    if (openmp == NULL || used >= text_bytes)
        return;
    ratio_print(best, openmp, ratio, sizeof ratio);
    snprintf(text + used, text_bytes - used, ", %s OpenMP", ratio);
}

/* At the size that is spoken of, and at the largest that was timed: launching decides the one, reading the
 * other. */
static void best_print(const struct view *view, char *text, size_t text_bytes) {
    uint64_t n = spoken_size(view, NULL, NULL), largest = 0;
    char first[128], second[128] = "";
    for (size_t i = 0; i < view->sizes_n; i++)
        if (fastest(view, NULL, view->sizes[i]) != NULL)
            largest = view->sizes[i];
    if (fastest(view, NULL, n) == NULL) {
        snprintf(text, text_bytes, "nothing could be timed");
        return;
    }
    best_at_print(view, n, first, sizeof first);
    if (largest > n)
        best_at_print(view, largest, second, sizeof second);
    snprintf(text, text_bytes, "the fastest strategy there is %s%s%s", first, largest > n ? ", and " : "",
             second);
}

static void print_sentence(const struct view *view) {
    const struct red_device_info *info = &view->run->devices[view->device].info;
    char built_in[160], best[320], text[1024];
    built_in_print(view, built_in, sizeof built_in);
    best_print(view, best, sizeof best);
    snprintf(text, sizeof text, "On %s (%s, %s), %s of %s: %s; %s.", info->id, info->platform, info->name,
             view->op->name, view->dtype->name, built_in, best);
    fputc('\n', view->out);
    red_wrapped_print(view->out, "", text);
}

/* ---- all -------------------------------------------------------------------------------------------------
 */

static void collect_sizes(struct view *view) {
    const struct red_run *run = view->run;
    for (size_t i = 0; i < run->cells_n && (i == 0 || !begins_line(run, &run->cells[i])); i++)
        view->sizes[view->sizes_n++] = run->cells[i].n;
}

static void print_view(const struct view *view) {
    const struct red_run_device *device = &view->run->devices[view->device];
    char text[512];
    snprintf(text, sizeof text, "%s: %s%s%s", device->info.id, device->info.name, device->is_host ? "" : ", ",
             device->info.version);
    fputc('\n', view->out);
    red_wrapped_print(view->out, "", text);
    fprintf(view->out, "%s of %s, median time to answer in us, * = fastest of the column", view->op->name,
            view->dtype->name);
    if (device->roof_bytes_per_s > 0)
        fprintf(view->out, "; read roof %.1f GB/s", 1e-9 * device->roof_bytes_per_s);
    fputc('\n', view->out);
    size_t columns_n = view->with_group ? 7 : 8;
    for (size_t first = 0; first < view->sizes_n; first += columns_n) {
        size_t last = first + columns_n < view->sizes_n ? first + columns_n : view->sizes_n;
        print_block(view, first, last);
        if (view->device > 0)
            print_pairs(view, first, last);
        if (last < view->sizes_n)
            fputc('\n', view->out);
    }
    print_troubles(view);
    if (view->device > 0)
        print_sentence(view);
}

void red_answer_print(FILE *out, const struct red_run *run, const struct red_catalogue *catalogue) {
    struct view view = {.run = run, .catalogue = catalogue, .out = out};
    collect_sizes(&view);
    view.with_group = has_group_sizes(run);
    for (size_t device = run->devices_n > 1 ? 1 : 0; device < run->devices_n; device++) {
        view.device = device;
        for (size_t i = 0; i < run->cells_n; i++) {
            const struct red_cell *cell = &run->cells[i];
            /* Once per operation and type: at the first cell of the device's first line. */
            if (cell->device != device || !begins_line(run, cell) ||
                (i > 0 && cell[-1].device == device && cell[-1].op == cell->op &&
                 cell[-1].dtype == cell->dtype))
                continue;
            view.op = cell->op;
            view.dtype = cell->dtype;
            print_view(&view);
        }
    }
}
