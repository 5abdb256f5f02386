/* Computes what stands below the console table of bench, and the report repeats: whether the times can be
 * compared, and if they can, three bullets (of histograms with their data four). add_X appends to a text, and
 * put_X adds a bullet, or none. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "console/console_table.h"
#include "core/memory.h"
#include "core/select.h"
#include "core/text.h"
#include "model/primitive.h"
#include "results/bans.h"
#include "results/steadiness.h"

/* For the sentence, and in a report for "around 2^20" and the charts of one n. */
uint64_t red_table_view_summary_size(const struct red_table_view *view, const struct red_strategy *a,
                                     const struct red_strategy *b) {
    uint64_t spoken = 0;
    for (size_t i = 0; i < view->sizes_n; i++) {
        uint64_t n = view->sizes[i];
        if (red_table_view_fastest(view, a, n) != NULL && red_table_view_fastest(view, b, n) != NULL &&
            (n <= 1 << 20 || spoken == 0))
            spoken = n;
    }
    return spoken;
}

/* For the sentence, and in a report for the texts below charts and the charts of one n. */
uint64_t red_table_view_largest_size(const struct red_table_view *view, const struct red_strategy *strategy) {
    uint64_t largest = 0;
    for (size_t i = 0; i < view->sizes_n; i++)
        if (red_table_view_fastest(view, strategy, view->sizes[i]) != NULL)
            largest = view->sizes[i];
    return largest;
}

/* "14x faster than"; where the intervals of the medians overlap, "about as fast as" if the medians agree too,
 * and otherwise no more than that nobody knows. */
static void add_comparison(const struct red_cell *a, const struct red_cell *b, char *text,
                           size_t text_bytes) {
    double ratio = fmax(b->time.median / a->time.median, a->time.median / b->time.median);
    if (red_statistics_compare(&a->time, &b->time) == 0)
        red_text_add(text, text_bytes, "%s", ratio < 1.05 ? "about as fast as" : "not to be told apart from");
    else
        red_text_add(text, text_bytes, "%.*fx %s than",
                     ratio < 1.095  ? 2
                     : ratio < 9.95 ? 1
                                    : 0,
                     ratio, a->time.median < b->time.median ? "faster" : "slower");
}

/* The next bullet of the summary, to be filled. */
static char *new_bullet(struct red_summary *summary) {
    char *bullet = summary->bullets[summary->bullets_n++];
    bullet[0] = '\0';
    return bullet;
}

/* " at 2^20", and whether the times that are spoken of are worth little. */
static void add_size(const struct red_cell *a, const struct red_cell *b, char *text, size_t text_bytes) {
    red_text_add(text, text_bytes, " at %s%s", red_size_text(a->at.n).text,
                 red_cell_is_unsteady(a) || (b != NULL && red_cell_is_unsteady(b)) ? " (unsteady times)"
                                                                                   : "");
}

/* "the 2.0 built-in is 14x faster than the 1.x tree at 2^20"; where only the built-in has no time, that. */
static void put_built_in_comparison(const struct red_table_view *view, struct red_summary *summary) {
    const struct red_primitive_row *primitive = &red_primitives[view->at.op->primitive];
    const struct red_strategy *built_in = red_catalogue_find(view->catalogue, primitive->built_in);
    const struct red_strategy *plain = red_catalogue_find(view->catalogue, primitive->plain);
    if (built_in == NULL || plain == NULL) /* this program has no such strategy */
        return;
    uint64_t n = red_table_view_summary_size(view, built_in, plain);
    const struct red_cell *a = n > 0 ? red_table_view_fastest(view, built_in, n) : NULL,
                          *b = n > 0 ? red_table_view_fastest(view, plain, n) : NULL;
    const char *name = primitive->built_in_text;
    if (n > 0 && !a->banned && !b->banned) {
        char *bullet = new_bullet(summary);
        red_text_add(bullet, RED_BULLET_BYTES, "the %s is ", name);
        add_comparison(a, b, bullet, RED_BULLET_BYTES);
        red_text_add(bullet, RED_BULLET_BYTES, " the 1.x %s", plain->name);
        add_size(a, b, bullet, RED_BULLET_BYTES);
    } else if (red_table_view_device_has_strategy(view, built_in) &&
               red_table_view_largest_size(view, built_in) == 0) {
        red_text_add(new_bullet(summary), RED_BULLET_BYTES, "the %s was not timed here", name);
    }
}

/* The fastest cell at n of the strategies of a standard (NULL: of any) that are not banned, without one of
 * them (NULL: of all). */
static const struct red_cell *fastest_of(const struct red_table_view *view, uint64_t n,
                                         const enum red_strategy_standard *standard,
                                         const struct red_strategy *without) {
    const struct red_cell *fastest = NULL;
    for (size_t i = 0; i < red_catalogue_n(view->catalogue); i++) {
        const struct red_strategy *strategy = red_catalogue_get(view->catalogue, i);
        if (strategy == without || (standard != NULL && strategy->standard != *standard))
            continue;
        const struct red_cell *cell = red_table_view_fastest(view, strategy, n);
        if (cell != NULL && !cell->banned && (fastest == NULL || cell->time.median < fastest->time.median))
            fastest = cell;
    }
    return fastest;
}

/* "the best of 2.x, wg_reduce, is 2.2x slower than the best of 1.x, chunk, at 2^20" */
static void put_standards_comparison(const struct red_table_view *view, uint64_t n,
                                     struct red_summary *summary) {
    static const enum red_strategy_standard cl20 = RED_STANDARD_CL20, cl12 = RED_STANDARD_CL12;
    const struct red_cell *later = fastest_of(view, n, &cl20, NULL),
                          *earlier = fastest_of(view, n, &cl12, NULL);
    if (later == NULL || earlier == NULL)
        return;
    char *bullet = new_bullet(summary);
    red_text_add(bullet, RED_BULLET_BYTES, "the best of 2.x, %s, is ", later->at.strategy->name);
    add_comparison(later, earlier, bullet, RED_BULLET_BYTES);
    red_text_add(bullet, RED_BULLET_BYTES, " the best of 1.x, %s,", earlier->at.strategy->name);
    add_size(later, earlier, bullet, RED_BULLET_BYTES);
}

/* " (tied with serial)", for the strategies whose intervals overlap with the best one's. */
static void add_ties(const struct red_table_view *view, const struct red_cell *best, char *text,
                     size_t text_bytes) {
    size_t ties_n = 0;
    for (size_t i = 0; i < red_catalogue_n(view->catalogue); i++) {
        const struct red_strategy *strategy = red_catalogue_get(view->catalogue, i);
        const struct red_cell *cell = red_table_view_fastest(view, strategy, best->at.n);
        if (strategy == best->at.strategy || cell == NULL || cell->banned ||
            red_statistics_compare(&cell->time, &best->time) != 0)
            continue;
        if (++ties_n <= 2)
            red_text_add(text, text_bytes, "%s%s", ties_n == 1 ? " (tied with " : ", ", strategy->name);
    }
    if (ties_n > 2)
        red_text_add(text, text_bytes, " and %zu more", ties_n - 2);
    red_text_add(text, text_bytes, "%s", ties_n > 0 ? ")" : "");
}

/* "at 2^20 chunk, about as fast as OpenMP"; no factor where OpenMP's times cannot be compared. */
static void add_best_at(const struct red_table_view *view, uint64_t n, char *text, size_t text_bytes) {
    const struct red_cell *best = red_table_view_fastest(view, NULL, n),
                          *openmp = red_table_view_openmp(view, n);
    add_size(best, openmp, text, text_bytes);
    red_text_add(text, text_bytes, " %s", best->at.strategy->name);
    add_ties(view, best, text, text_bytes);
    if (openmp == NULL || openmp->time.is_incomparable)
        return;
    red_text_add(text, text_bytes, ", ");
    add_comparison(best, openmp, text, text_bytes);
    red_text_add(text, text_bytes, " OpenMP");
}

/* How many strategies have a time on the view's device, and *all: how many --all would ask it to run, 0 if
 * the run has a cell of each of them. */
static size_t count_measured(const struct red_table_view *view, size_t *all) {
    size_t measured_n = 0, missing_n = 0;
    *all = 0;
    for (size_t i = 0; i < red_catalogue_n(view->catalogue); i++) {
        const struct red_strategy *strategy = red_catalogue_get(view->catalogue, i);
        const bool is_there = red_table_view_device_has_strategy(view, strategy);
        measured_n += red_table_view_largest_size(view, strategy) > 0;
        missing_n += !is_there && strategy->text != NULL && strategy->primitive == view->at.op->primitive &&
                     !red_strategy_is_segmented(strategy);
        *all += is_there;
    }
    *all = missing_n > 0 ? *all + missing_n : 0;
    return measured_n;
}

/* "the fastest of the 10 strategies measured (--all measures 47)": of segments --all is not named. */
static void add_fastest_of(const struct red_table_view *view, char *text, size_t text_bytes) {
    const struct red_shape *shape = view->run->shape;
    size_t all_n, measured_n = count_measured(view, &all_n);
    if (measured_n < 2) {
        red_text_add(text, text_bytes, "the only strategy measured");
        return;
    }
    red_text_add(text, text_bytes, "the fastest of the %zu strategies measured", measured_n);
    if (all_n > 0 && (shape == NULL || !red_shape_has_segments(shape)))
        red_text_add(text, text_bytes, " (--all measures %zu)", all_n);
}

/* "the fastest of the 10 strategies measured: at 2^20 chunk, about as fast as OpenMP; at 2^24 serial, ...":
 * at n, where launching decides, and at the largest size that was timed, where reading does. */
static void put_best_at_both_sizes(const struct red_table_view *view, uint64_t n,
                                   struct red_summary *summary) {
    uint64_t largest = red_table_view_largest_size(view, NULL);
    char *bullet = new_bullet(summary);
    if (largest == 0 && red_table_view_fastest(view, NULL, 0) == NULL) {
        red_text_add(bullet, RED_BULLET_BYTES, "nothing that may be used was timed");
        return;
    }
    add_fastest_of(view, bullet, RED_BULLET_BYTES);
    red_text_add(bullet, RED_BULLET_BYTES, ":");
    add_best_at(view, n, bullet, RED_BULLET_BYTES);
    if (largest > n) {
        red_text_add(bullet, RED_BULLET_BYTES, ";");
        add_best_at(view, largest, bullet, RED_BULLET_BYTES);
    }
}

/* "chunk with one bin, its slowest data, is 3.1x slower than with uniform data at 2^24", or "is as fast with
 * one bin, its slowest data, as with uniform data", for the fastest of the slowest data and, where that is
 * another, for the fastest of uniform data. */
static void put_slowest_data(const struct red_table_view *view, struct red_summary *summary) {
    const uint64_t n = red_table_view_largest_size(view, NULL);
    const struct red_cell *said[] = {red_table_view_fastest(view, NULL, n), NULL};
    char *bullet = NULL;
    for (size_t i = 0; i < red_catalogue_n(view->catalogue); i++) {
        const struct red_cell *cell = red_table_view_fastest(view, red_catalogue_get(view->catalogue, i), n);
        if (cell == NULL || cell->banned || cell->uniform == NULL || cell->uniform->samples_n == 0)
            continue;
        if (said[1] == NULL || cell->uniform->time.median < said[1]->uniform->time.median)
            said[1] = cell;
    }
    for (size_t i = 0; i < 2; i++) {
        const struct red_cell *slow = said[i];
        if (slow == NULL || slow->uniform == NULL || slow->at.data[0] == '\0' || (i == 1 && slow == said[0]))
            continue;
        bullet = bullet != NULL ? bullet : new_bullet(summary);
        red_text_add(bullet, RED_BULLET_BYTES, "%s%s ", bullet[0] != '\0' ? "; " : "",
                     slow->at.strategy->name);
        if (red_statistics_compare(&slow->time, &slow->uniform->time) == 0) {
            red_text_add(bullet, RED_BULLET_BYTES, "is as fast with %s, its slowest data, as", slow->at.data);
        } else {
            red_text_add(bullet, RED_BULLET_BYTES, "with %s, its slowest data, is ", slow->at.data);
            add_comparison(slow, slow->uniform, bullet, RED_BULLET_BYTES);
        }
        red_text_add(bullet, RED_BULLET_BYTES, " with uniform data%s",
                     i == 1 ? ", with which it is the fastest," : "");
        add_size(slow, slow->uniform, bullet, RED_BULLET_BYTES);
    }
}

/* "Your kernel mine is 2.0x slower than chunk, the fastest other strategy, at 2^24." */
static void print_users_kernel_sentence(const struct red_table_view *view,
                                        const struct red_strategy *strategy) {
    char text[512] = "";
    uint64_t n = red_table_view_largest_size(view, strategy);
    const struct red_cell *own = red_table_view_fastest(view, strategy, n);
    const struct red_cell *other = own ? fastest_of(view, n, NULL, strategy) : NULL;
    if (own != NULL && red_cell_is_incomplete(own)) {
        red_text_add(text, sizeof text,
                     "Your kernel %s is not compared: it was never checked at %s; clreduce verify --kernel "
                     "with a longer --time-per-cell checks it there.",
                     strategy->name, own->unchecked);
    } else if (own == NULL || own->banned) {
        red_text_add(text, sizeof text, "Your kernel %s %s; the reason stands above.", strategy->name,
                     own == NULL ? "was not timed here" : "is not to be used");
    } else if (own->time.is_incomparable) {
        return; /* the line before says why no factor is told */
    } else if (other == NULL) {
        red_text_add(text, sizeof text, "Your kernel %s is the only one that was timed at its largest n.",
                     strategy->name);
    } else {
        red_text_add(text, sizeof text, "Your kernel %s is ", strategy->name);
        add_comparison(own, other, text, sizeof text);
        red_text_add(text, sizeof text, " %s, the fastest other strategy,", other->at.strategy->name);
        add_size(own, other, text, sizeof text);
        red_text_add(text, sizeof text, ".");
    }
    red_wrapped_print(view->out, "", text);
}

/* Called below for `bench`, and by report/report.c for the chapter "In short". */
void red_table_view_summary_make(const struct red_table_view *view, struct red_summary *summary) {
    const struct red_device_info *info = &view->run->devices[view->device].info;
    const struct red_cell *first = view->run->cells_n > 0 ? view->run->cells : NULL;
    uint64_t n = red_table_view_summary_size(view, NULL, NULL);
    char reason[512];
    *summary = (struct red_summary){.bullets_n = 0};
    red_text_add(summary->head, sizeof summary->head, "On %s (%s, %s), %s%s:", info->id, info->platform,
                 info->name, red_at_title(&view->at, RED_AT(BINS)).text,
                 first != NULL && first->is_slowest ? ", with the slowest data of each" : "");
    red_steadiness_sentence_format(view->run, view->device, reason, sizeof reason);
    if (reason[0] != '\0') {
        red_text_add(summary->head, sizeof summary->head, " %s", reason);
        return;
    }
    red_steadiness_reason_format(view->run, 0, reason, sizeof reason);
    if (reason[0] != '\0')
        red_text_add(summary->head, sizeof summary->head, " OpenMP's times cannot be compared: %s", reason);
    put_built_in_comparison(view, summary);
    put_standards_comparison(view, n, summary);
    put_best_at_both_sizes(view, n, summary);
    put_slowest_data(view, summary);
}

/* Prints what strategies did wrong on the view's device, of whatever operation and type, if there is any:
 * below the first table of the device. */
static void print_bans(const struct red_table_view *view) {
    struct red_bans bans = {.n = 0};
    struct red_error error;
    char text[4096];
    if (red_bans_add(&bans, view->run, view->device, &error) == RED_OK) {
        red_bans_sentence(&bans, view->run->devices[view->device].info.id, text, sizeof text);
        if (bans.n > 0)
            red_wrapped_print(view->out, "", text);
    } else {
        red_memory_note_failure();
    }
    red_bans_clear(&bans);
}

/* Called for each table of `bench` (console_table.c), which it ends. */
void red_table_view_summary_print(const struct red_table_view *view) {
    struct red_summary summary;
    red_table_view_summary_make(view, &summary);
    fputc('\n', view->out);
    if (!view->bans_are_told)
        print_bans(view);
    red_wrapped_print(view->out, "", summary.head);
    for (size_t i = 0; i < summary.bullets_n; i++)
        red_wrapped_print(view->out, "* ", summary.bullets[i]);
    for (size_t i = 0; i < red_catalogue_n(view->catalogue); i++) {
        const struct red_strategy *strategy = red_catalogue_get(view->catalogue, i);
        if (red_catalogue_is_added(view->catalogue, strategy) &&
            red_table_view_device_has_strategy(view, strategy))
            print_users_kernel_sentence(view, strategy);
    }
}
