#include "bench/answer.h"

#include <math.h>
#include <string.h>

#include "bench/session.h"
#include "model/catalogue.h"

enum { COLUMNS_PER_BLOCK = 8, SIZES_MAX = 4096 };

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
    fprintf(view->out, "%9s", text);
}

/* Bandwidth, share of the roof and ratio to OpenMP, of the largest n. */
static void print_rates(const struct view *view, const struct red_cell *cell, uint64_t n) {
    const struct red_cell *openmp = openmp_cell(view, n);
    if (cell == NULL || cell->samples_n == 0 || n == 0)
        return;
    double bytes_per_s = red_cell_bytes(cell) / cell->time.median;
    double roof = view->run->devices[cell->device].roof_bytes_per_s;
    fprintf(view->out, " %6.1f", 1e-9 * bytes_per_s);
    if (roof > 0)
        fprintf(view->out, " %4.0f%%", 100 * bytes_per_s / roof);
    if (openmp != NULL)
        fprintf(view->out, " %6.2fx", cell->time.median / openmp->time.median);
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

static void print_block(const struct view *view, size_t first, size_t last) {
    const struct red_run *run = view->run;
    bool rates = last == view->sizes_n, with_group = has_group_sizes(run);
    fprintf(view->out, "  %-16s", "n =");
    for (size_t i = first; i < last; i++) {
        char text[32];
        red_size_print(view->sizes[i], text, sizeof text - 1);
        strcat(text, " ");
        fprintf(view->out, "%9s", text);
    }
    fprintf(view->out, "%s\n", rates ? "   GB/s  roof  OpenMP" : "");
    for (const struct red_cell *line = run->cells; line < run->cells + run->cells_n; line++) {
        if (!in_view(view, line) || !begins_line(run, line) || (line->device == 0 && view->device == 0 && 0))
            continue;
        char name[64];
        line_name(line, with_group, name, sizeof name);
        fprintf(view->out, "  %-16s", name);
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
    fprintf(view->out, "  %-34s", name);
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
            fprintf(view->out, "\n  %-34s", "2.x : 1.x, how many times faster");
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

static bool same_trouble(const struct red_cell *a, const struct red_cell *b) {
    return a->strategy == b->strategy && a->state == b->state && a->group_size == b->group_size &&
           (a->state == RED_STATE_OVER_BUDGET || strcmp(a->reason, b->reason) == 0);
}

/* One line per line of cells and state: the first n with its reason, and how many more there are. */
static void print_troubles(const struct view *view) {
    const struct red_run *run = view->run;
    const struct red_cell *end = run->cells + run->cells_n;
    bool any = false;
    for (const struct red_cell *cell = run->cells; cell < end; cell++) {
        if (cell->device != view->device || cell->op != view->op || cell->dtype != view->dtype ||
            cell->state == RED_STATE_PASS || (!begins_line(run, cell) && same_trouble(cell - 1, cell)))
            continue;
        size_t more = 0;
        while (cell + more + 1 < end && !begins_line(run, cell + more + 1) &&
               same_trouble(cell, cell + more + 1))
            more++;
        char n[32];
        red_size_print(cell->n, n, sizeof n);
        fprintf(view->out, "%s  %-16s %s from n = %s%s: %s\n", any ? "" : "\n  not timed:\n",
                cell->strategy->name, red_state_name(cell->state), n, more ? " on" : "", cell->reason);
        any = true;
    }
}

/* ---- the sentence ----------------------------------------------------------------------------------------
 */

/* The n to speak of: 2^20 if it was run, otherwise the largest n at which both ran. */
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

static void print_ratio(const struct view *view, const struct red_cell *later,
                        const struct red_cell *earlier) {
    double ratio = earlier->time.median / later->time.median;
    if (red_statistics_compare(&later->time, &earlier->time) == 0)
        fputs("about as fast as", view->out);
    else
        fprintf(view->out, "%.*fx %s than", fmax(ratio, 1 / ratio) < 9.95 ? 1 : 0, fmax(ratio, 1 / ratio),
                ratio > 1 ? "faster" : "slower");
}

static void print_sentence(const struct view *view) {
    const struct red_device_info *info = &view->run->devices[view->device].info;
    const struct red_strategy *built_in = red_catalogue_find(view->catalogue, "wg_reduce");
    const struct red_strategy *tree = red_catalogue_find(view->catalogue, "tree");
    uint64_t n = spoken_size(view, built_in, tree);
    char size[32];
    fprintf(view->out, "\n  On %s (%s), %s of %s: ", info->id, info->name, view->op->name, view->dtype->name);
    if (n > 0) {
        red_size_print(n, size, sizeof size);
        fputs("the 2.0 built-in is ", view->out);
        print_ratio(view, fastest(view, built_in, n), fastest(view, tree, n));
        fprintf(view->out, " the 1.x tree at n = %s; ", size);
    } else {
        fputs("the 2.0 built-in and the 1.x tree could not be compared; ", view->out);
    }
    if (n == 0)
        n = spoken_size(view, NULL, NULL);
    const struct red_cell *best = fastest(view, NULL, n), *openmp = openmp_cell(view, n);
    if (best == NULL) {
        fputs("nothing could be timed.\n", view->out);
        return;
    }
    red_size_print(n, size, sizeof size);
    fprintf(view->out, "the fastest strategy there is %s", best->strategy->name);
    if (openmp != NULL)
        fprintf(view->out, " (%.2f x the time of OpenMP)", best->time.median / openmp->time.median);
    fputs(".\n", view->out);
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
    fprintf(view->out, "\n%s: %s, %s\n", device->info.id, device->info.name,
            device->is_host ? "" : device->info.version);
    fprintf(view->out, "  %s of %s, median time to answer in us, * = fastest of the column", view->op->name,
            view->dtype->name);
    if (device->roof_bytes_per_s > 0)
        fprintf(view->out, "; read roof %.1f GB/s", 1e-9 * device->roof_bytes_per_s);
    fputc('\n', view->out);
    for (size_t first = 0; first < view->sizes_n; first += COLUMNS_PER_BLOCK) {
        size_t last = first + COLUMNS_PER_BLOCK < view->sizes_n ? first + COLUMNS_PER_BLOCK : view->sizes_n;
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
