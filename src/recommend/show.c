/* `recommend` for people: a sentence for each advice, then the table of its bands. The report has the
 * sentence, too. cli/cmd_recommend.c and report/report.c make the advice of the result files that the user
 * named. */
#include <math.h>
#include <stdio.h>

#include "console/console_table.h"
#include "console/table.h"
#include "core/select.h"
#include "core/text.h"
#include "recommend/advice.h"

/* Seen in the sentence, in JSON and in the C header (data.c): id, name, driver or platform. */
const struct red_device_info *red_advice_device(const struct red_advice *advice) {
    return &advice->curves.result->run.devices[advice->curves.device].info;
}

/* "chunk", and what of its geometry was asked for, as "chunk:64:g8:16x4": in the sentence, and in the columns
 * "strategy", "runner-up" and "portable". */
static void candidate_format(const struct red_advice *advice, size_t candidate, char *text,
                             size_t text_bytes) {
    const struct red_candidate *c = &advice->curves.candidates[candidate];
    char asked[64];
    red_tuning_format(&c->asked, RED_TUNING_SHORT, asked, sizeof asked);
    snprintf(text, text_bytes, "%s%s", c->strategy->name, asked);
}

enum { FAILED_TOLD_MAX = 2, REASON_WIDTH_MAX = 200, FAILED_BYTES = 1536 };

/* ---- the sentence -------------------------------------------------------------------------------------- */

/* "6 %": by how much the two of a wide edge differ at most. */
static void apart_format(const struct red_edge *edge, char *text, size_t text_bytes) {
    const double percent = 100 * edge->apart;
    snprintf(text, text_bytes, percent < 10 ? "%.1f %%" : "%.0f %%", percent);
}

/* What to do within a wide edge: "either", unless the two are too far apart for that. */
static const char *either_word(const struct red_edge *edge) {
    return edge->apart <= RED_EITHER_MOST ? "either" : "unclear which";
}

/* "25000 (20000 to 30000)": in the sentence, and the column "from n". */
static void edge_format(const struct red_edge *edge, char *text, size_t text_bytes) {
    char n[3][32];
    red_size_format(edge->n, n[0], sizeof n[0]);
    red_size_format(edge->low, n[1], sizeof n[1]);
    red_size_format(edge->high, n[2], sizeof n[2]);
    snprintf(text, text_bytes, "%s (%s to %s)", n[0], n[1], n[2]);
}

/* Whether the wide edge behind the band begins before that ahead of it ends: there is no n at which the
 * band's strategy is known to be the one to use. */
static bool is_lost_between_wide_edges(const struct red_advice *advice, size_t b) {
    const struct red_band *bands = advice->bands;
    return b > 0 && b + 1 < advice->bands_n && bands[b].edge.is_wide && bands[b + 1].edge.is_wide &&
           bands[b + 1].edge.low <= bands[b].edge.high;
}

/* Each of these adds its part to the sentence of the advice, in `text`. */
static void sentence_add_bands(const struct red_advice *advice, char *text, size_t room) {
    for (size_t b = 0; b < advice->bands_n; b++) {
        char name[96];
        candidate_format(advice, advice->bands[b].candidate, name, sizeof name);
        red_text_add(text, room, "%s", b == 0 ? "use " : b + 1 == advice->bands_n ? ", and " : ", ");
        if (!is_lost_between_wide_edges(advice, b))
            red_text_add(text, room, "%s", name);
        if (b + 1 < advice->bands_n && advice->bands[b + 1].edge.is_wide) {
            const struct red_edge *edge = &advice->bands[b + 1].edge;
            char n[2][32], share[32], next[96];
            red_size_format(edge->low, n[0], sizeof n[0]);
            red_size_format(edge->high, n[1], sizeof n[1]);
            apart_format(edge, share, sizeof share);
            candidate_format(advice, advice->bands[b + 1].candidate, next, sizeof next);
            if (!is_lost_between_wide_edges(advice, b))
                red_text_add(text, room, " below %s, ", n[0]);
            red_text_add(text, room, "between %s and %s %s (%s and %s are within %s)", n[0], n[1],
                         either_word(edge), name, next, share);
        } else if (b + 1 < advice->bands_n) {
            char edge[128];
            edge_format(&advice->bands[b + 1].edge, edge, sizeof edge);
            red_text_add(text, room, " below %s", edge);
        } else {
            red_text_add(text, room, advice->bands_n == 1 ? " for every n" : " from there on");
        }
    }
}

static void sentence_add_ties(const struct red_advice *advice, char *text, size_t room) {
    size_t ties_n = 0;
    for (size_t b = 0; b < advice->bands_n; b++)
        ties_n += advice->bands[b].is_tie;
    if (ties_n == 0)
        red_text_add(text, room, "; no other strategy ties with %s",
                     advice->bands_n > 1 ? "one of them" : "it");
    else if (advice->bands_n == 1)
        red_text_add(text, room, "; it ties with others");
    else
        red_text_add(text, room, "; in %zu of %zu bands it ties with others", ties_n, advice->bands_n);
}

static void sentence_add_everywhere(const struct red_advice *advice, char *text, size_t room) {
    char name[96];
    if (advice->everywhere == SIZE_MAX || advice->bands_n < 2)
        return;
    candidate_format(advice, advice->everywhere, name, sizeof name);
    red_text_add(text, room,
                 " One strategy everywhere, %s, would take %.1f %% longer on average and %.0f %% at most.",
                 name, 100 * fmax(0, advice->everywhere_mean), 100 * advice->everywhere_worst);
}

static void sentence_add_waiting(const struct red_curves *curves, char *text, size_t room) {
    for (size_t i = 0; i < curves->waiting_n; i++)
        red_text_add(text, room, "%s%s",
                     i == 0 ? " Left out, as they keep a launch waiting between calls: " : ", ",
                     curves->waiting[i]->name);
    if (curves->waiting_n > 0)
        red_text_add(text, room, "; --strategy with their names takes them in.");
}

/* Adds those of the failed strategies that the user has named, or that he has not, behind `words`. */
static void failed_add(const struct red_bans *failed, bool asked_for, const char *words, char *text,
                       size_t room) {
    size_t told_n = 0;
    for (size_t i = 0; i < failed->n; i++) {
        const struct red_ban *row = &failed->rows[i];
        char n[32];
        if (row->is_asked_for != asked_for)
            continue;
        red_size_format(row->n, n, sizeof n);
        red_text_add(text, room, "%s%s at %s", told_n == 0 ? words : "; ", row->strategy, n);
        if (told_n++ < FAILED_TOLD_MAX && row->reason[0] != '\0')
            red_text_add(text, room, " (%.*s)", (int)red_text_prefix_bytes(row->reason, REASON_WIDTH_MAX),
                         row->reason);
    }
    red_text_add(text, room, "%s", told_n > 0 ? "." : "");
}

/* Whether all strategies that were timed failed with an OpenCL error at some n: the answer begins with that.
 */
static bool has_every_candidate_failed(const struct red_curves *curves) {
    size_t failed_n = 0;
    for (size_t c = 0; c < curves->candidates_n; c++)
        failed_n += red_bans_find(&curves->failed, curves->candidates[c].strategy->name) != NULL;
    return curves->candidates_n > 0 && failed_n == curves->candidates_n;
}

/* Called below, and by cli/cmd_emit.c. */
void red_advice_failed_sentence(const struct red_advice *advice, char *text, size_t text_bytes) {
    text[0] = '\0';
    failed_add(
        &advice->curves.failed, false,
        has_every_candidate_failed(&advice->curves)
            ? "Every strategy that was timed failed with an OpenCL error, and is left out from that n on "
              "where another was timed: "
            : "Failed with an OpenCL error, and from that n on left out where another was timed: ",
        text, text_bytes);
    failed_add(&advice->curves.failed, true,
               text[0] != '\0'
                   ? " Here all the same, as --strategy names it: "
                   : "Failed with an OpenCL error, and here all the same, as --strategy names it: ",
               text, text_bytes);
}

/* " Failed with an OpenCL error, ...": behind the other parts, or before them where nothing else is left. */
static void sentence_add_failed(const struct red_advice *advice, bool is_begin, char *text, size_t room) {
    char failed[FAILED_BYTES];
    if (has_every_candidate_failed(&advice->curves) != is_begin)
        return;
    red_advice_failed_sentence(advice, failed, sizeof failed);
    if (failed[0] != '\0')
        red_text_add(text, room, is_begin ? "%s " : " %s", failed);
}

/* "On intel (Intel(R) OpenCL, Intel(R) Xeon(R) ...), sum of f32": how the sentence begins. */
static void sentence_begin(const struct red_advice *advice, char *text, size_t room) {
    const struct red_device_info *device = red_advice_device(advice);
    char title[192];
    text[0] = '\0';
    red_query_title(advice->curves.query, title, sizeof title);
    sentence_add_failed(advice, true, text, room);
    red_text_add(text, room, "On %s (%s, %s), %s", device->id, device->platform, device->name, title);
}

/* Called below, and by data.c for a comment of the C header. */
void red_openmp_where_format(const struct red_beside_openmp *openmp, char *text, size_t text_bytes) {
    char n[32] = "the largest n";
    if (openmp->pays_from > 0)
        red_size_format(openmp->pays_from, n, sizeof n);
    snprintf(text, text_bytes, "%s%s %s", openmp->everywhere_below ? "" : "at some n ",
             openmp->pays_from > 0 ? "below" : "up to", n);
}

/* "OpenMP on the host is faster below 2^14 (12x at 2^10): the device pays from there on; ..." */
static void sentence_add_openmp(const struct red_beside_openmp *openmp, char *text, size_t room) {
    char where[64], most[32];
    if (openmp->times <= 0)
        return;
    red_openmp_where_format(openmp, where, sizeof where);
    red_size_format(openmp->times_n, most, sizeof most);
    red_text_add(text, room,
                 " OpenMP on the host is faster %s (%.*fx at %s)%s; its array lies in the host's memory.",
                 where, openmp->times < 9.95 ? 1 : 0, openmp->times, most,
                 openmp->pays_from == 0 ? ""
                 : openmp->device_wins  ? ": the device pays from there on"
                                        : ": from there on neither is shown to be faster");
}

/* Called below for `recommend`, and by cli/cmd_emit.c; the page has its own, per file (report/report.c). */
void red_advice_bans_sentence(const struct red_advice *advice, char *text, size_t text_bytes) {
    const struct red_bans *bans = &advice->curves.bans;
    size_t asked_n = 0;
    red_bans_sentence(bans, red_advice_device(advice)->id, text, text_bytes);
    for (size_t i = 0; i < bans->n; i++)
        if (bans->rows[i].is_asked_for)
            red_text_add(text, text_bytes, "%s%s",
                         asked_n++ == 0 ? " Here all the same, as --strategy names it: " : ", ",
                         bans->rows[i].strategy);
    if (bans->n > 0)
        red_text_add(text, text_bytes, "%s", asked_n == 0 ? " What is named here is left out below." : ".");
}

/* Called below for `recommend`, and by report/report.c (write_advice) for "What to use". */
void red_advice_sentence(const struct red_advice *advice, char *text, size_t text_bytes) {
    const struct red_curves *curves = &advice->curves;
    char sizes[2][32];
    sentence_begin(advice, text, text_bytes);
    red_text_add(text, text_bytes, ": ");
    if (advice->bands_n == 0) {
        red_text_add(text, text_bytes, "nothing that can be recommended was timed.");
        sentence_add_failed(advice, false, text, text_bytes);
        sentence_add_waiting(curves, text, text_bytes);
        return;
    }
    red_size_format(curves->sizes[0], sizes[0], sizeof sizes[0]);
    red_size_format(curves->sizes[curves->sizes_n - 1], sizes[1], sizeof sizes[1]);
    sentence_add_bands(advice, text, text_bytes);
    sentence_add_ties(advice, text, text_bytes);
    red_text_add(text, text_bytes, ".");
    sentence_add_everywhere(advice, text, text_bytes);
    sentence_add_openmp(&advice->openmp, text, text_bytes);
    red_text_add(text, text_bytes, " Measured from %s to %s in %zu %s.", sizes[0], sizes[1], curves->runs_n,
                 curves->runs_n == 1
                     ? "run; several runs of the same command would tell ties and edges better"
                     : "runs");
    if (curves->query->is_of_slowest)
        red_text_add(text, text_bytes,
                     " Each time is that of the data with which the strategy is slowest at that n.");
    sentence_add_failed(advice, false, text, text_bytes);
    sentence_add_waiting(curves, text, text_bytes);
}

/* With --n in place of the whole sentence: "On intel (...), sum of f32 at n = 20000: use chunk." */
static void sentence_for_n_format(const struct red_advice *advice, uint64_t n, char *text, size_t room) {
    const struct red_curves *curves = &advice->curves;
    const struct red_band *band = red_advice_band(advice, n);
    const uint64_t ends[] = {curves->sizes[0], curves->sizes[curves->sizes_n - 1]};
    char name[96], size[32], share[32];
    sentence_begin(advice, text, room);
    candidate_format(advice, band->candidate, name, sizeof name);
    red_size_format(n, size, sizeof size);
    red_text_add(text, room, " at n = %s: use %s", size, name);
    for (size_t b = 1; b < advice->bands_n; b++) {
        const struct red_edge *edge = &advice->bands[b].edge;
        const bool is_own = &advice->bands[b] == band;
        if (!edge->is_wide || n < edge->low || n > edge->high || (!is_own && &advice->bands[b - 1] != band))
            continue;
        candidate_format(advice, advice->bands[is_own ? b - 1 : b].candidate, name, sizeof name);
        apart_format(edge, share, sizeof share);
        red_text_add(text, room, " or %s, %s %s there", name,
                     edge->apart <= RED_EITHER_MOST ? "which are within"
                                                    : "unclear which: they differ by up to",
                     share);
        break;
    }
    if (n < ends[0] || n > ends[1])
        red_text_add(text, room, " (a guess: that n is outside of those that were measured)");
    red_text_add(text, room, ".");
    if (red_advice_openmp_is_faster(advice, n))
        red_text_add(text, room,
                     " OpenMP on the host is faster at this n; its array lies in the host's memory.");
    sentence_add_failed(advice, false, text, room);
}

enum { TEXT_BYTES = 192 };

/* ---- the table -------------------------------------------------------------------------------------------
 * A row for each band; each function that ends in _format writes the column of its name. */

/* The cell of the band's candidate at a size of the curves, from the first run that has one; it has the
 * geometry that is shown. */
static const struct red_cell *band_cell(const struct red_advice *advice, const struct red_band *band,
                                        size_t size_index) {
    return advice->curves.cells[band->candidate * advice->curves.sizes_n + size_index];
}

/* "256", "1 to 8": of group sizes and of numbers of groups, in the column "geometry". */
static void range_format(uint64_t low, uint64_t high, char *text, size_t text_bytes) {
    if (low < high)
        snprintf(text, text_bytes, "%llu to %llu", (unsigned long long)low, (unsigned long long)high);
    else
        snprintf(text, text_bytes, "%llu", (unsigned long long)low);
}

/* "1 to 8 groups of 256, lanes 8x4 to 16x4": the ranges over the band's sizes. */
static void band_geometry_format(const struct red_advice *advice, const struct red_band *band, char *text,
                                 size_t text_bytes) {
    const struct red_cell *first = band_cell(advice, band, band->first);
    struct red_geometry low = first->geometry, high = first->geometry;
    char group_size[48], groups_n[48], lanes[64] = "";
    for (size_t i = band->first; i <= band->last; i++) {
        const struct red_geometry *geometry = &band_cell(advice, band, i)->geometry;
        low.group_size = geometry->group_size < low.group_size ? geometry->group_size : low.group_size;
        high.group_size = geometry->group_size > high.group_size ? geometry->group_size : high.group_size;
        low.groups_n = geometry->groups_n < low.groups_n ? geometry->groups_n : low.groups_n;
        high.groups_n = geometry->groups_n > high.groups_n ? geometry->groups_n : high.groups_n;
        low.width = geometry->width < low.width ? geometry->width : low.width;
        high.width = geometry->width > high.width ? geometry->width : high.width;
    }
    range_format(low.group_size, high.group_size, group_size, sizeof group_size);
    range_format(low.groups_n, high.groups_n, groups_n, sizeof groups_n);
    if (low.width > 0)
        snprintf(lanes, sizeof lanes, ", lanes %ux%u", low.width, low.loads);
    if (low.width < high.width)
        red_text_add(lanes, sizeof lanes, " to %ux%u", high.width, high.loads);
    snprintf(text, text_bytes, "%s %s of %s%s", groups_n, high.groups_n == 1 ? "group" : "groups", group_size,
             lanes);
}

/* "12.5 ... 830": the band's times in microseconds, at its first and last size. */
static void band_times_format(const struct red_advice *advice, const struct red_band *band, char *text,
                              size_t text_bytes) {
    char low[32], high[32];
    red_number_format(1e6 * exp(red_curves_log_s_at(&advice->curves, band->candidate, band->first)), low,
                      sizeof low);
    red_number_format(1e6 * exp(red_curves_log_s_at(&advice->curves, band->candidate, band->last)), high,
                      sizeof high);
    snprintf(text, text_bytes, band->first < band->last ? "%s ... %s" : "%s", low, high);
}

/* "chunk +4.3 % (1.0 to 7.6)", "serial +0.8 % (-1.0 to 2.6) ~, 3 tie", "none". */
static void runner_up_format(const struct red_advice *advice, const struct red_band *band, char *text,
                             size_t text_bytes) {
    char name[96];
    text[0] = '\0';
    if (band->runner_up == SIZE_MAX) {
        red_text_add(text, text_bytes, "none");
        return;
    }
    candidate_format(advice, band->runner_up, name, sizeof name);
    red_text_add(text, text_bytes, "%s %+.1f %% (%.1f to %.1f)%s", name, 100 * band->margin,
                 100 * band->margin_low, 100 * band->margin_high, band->is_tie ? " ~" : "");
    if (band->ties_n > 1)
        red_text_add(text, text_bytes, ", %zu tie", band->ties_n);
}

/* The column "portable": the fastest strategy of the band that runs on every OpenCL 1.2. */
static void portable_format(const struct red_advice *advice, const struct red_band *band, char *text,
                            size_t text_bytes) {
    char name[96];
    if (band->portable == SIZE_MAX) {
        snprintf(text, text_bytes, "none timed");
    } else if (band->portable == band->candidate) {
        snprintf(text, text_bytes, "itself");
    } else {
        candidate_format(advice, band->portable, name, sizeof name);
        snprintf(text, text_bytes, "%s %+.1f %%", name, 100 * band->portable_margin);
    }
}

/* Adds the row of a band to the table. */
static enum red_status add_band_row(struct red_table *table, const struct red_advice *advice, size_t b,
                                    struct red_error *error) {
    const struct red_band *band = &advice->bands[b];
    const struct red_query *query = advice->curves.query;
    const struct red_strategy *strategy = advice->curves.candidates[band->candidate].strategy;
    char from[128] = "", name[96], geometry[TEXT_BYTES], times[80], other[TEXT_BYTES], names[256], needs[280],
         portable[128];
    if (b == 0) {
        snprintf(from, sizeof from, "1");
    } else if (band->edge.is_wide) {
        char n[2][32], share[32];
        red_size_format(band->edge.low, n[0], sizeof n[0]);
        red_size_format(band->edge.high, n[1], sizeof n[1]);
        apart_format(&band->edge, share, sizeof share);
        snprintf(from, sizeof from, "%s to %s: %s (within %s)", n[0], n[1], either_word(&band->edge), share);
    } else
        edge_format(&band->edge, from, sizeof from);
    candidate_format(advice, band->candidate, name, sizeof name);
    band_geometry_format(advice, band, geometry, sizeof geometry);
    band_times_format(advice, band, times, sizeof times);
    runner_up_format(advice, band, other, sizeof other);
    portable_format(advice, band, portable, sizeof portable);
    red_needs_format(red_strategy_needs_for(strategy, query->dtype, query->op), names, sizeof names);
    snprintf(needs, sizeof needs, "needs %s", names);
    const char *values[] = {from,     name,  geometry,
                            times,    other, red_strategy_bits_order(strategy, query->op, query->dtype),
                            portable, needs};
    return red_table_add(table, values, error);
}

/* Prints the table of bands of one advice, or the row of the one for n. */
static enum red_status bands_print(const struct red_advice *advice, const uint64_t *n, FILE *out,
                                   struct red_error *error) {
    static const struct red_column columns[] = {
        {.name = "from n", .wrap = 18},    {.name = "strategy"},
        {.name = "geometry", .wrap = 22},  {.name = "time, us"},
        {.name = "runner-up", .wrap = 22}, {.name = "order"},
        {.name = "portable", .wrap = 18},  {.name = "needs", .below = true}};
    struct red_table *table = red_table_create(columns, sizeof columns / sizeof columns[0]);
    enum red_status status = table ? RED_OK : red_fail(error, RED_E_MEMORY, "no memory for a table");
    for (size_t b = 0; b < advice->bands_n && status == RED_OK; b++)
        if (n == NULL || red_advice_band(advice, *n) == &advice->bands[b])
            status = add_band_row(table, advice, b, error);
    if (status == RED_OK && advice->bands_n > 0) {
        fputc('\n', out);
        red_table_print(table, out);
    }
    red_table_destroy(table);
    return status;
}

/* Whether an advice before this one is of the same device, so that its bans were told. */
static bool is_of_device_before(const struct red_recommendation *all, size_t i) {
    const struct red_curves *own = &all->advice[i].curves;
    for (size_t k = 0; k < i; k++) {
        const struct red_curves *before = &all->advice[k].curves;
        if (red_result_find_device(before->result, own->result, own->device) == (long)before->device)
            return true;
    }
    return false;
}

/* Prints the sentence on the device's bans, and each command on a line of its own, however long. */
static void bans_print(const struct red_bans *bans, const char *sentence, FILE *out) {
    char again[RED_BANS_BYTES];
    red_wrapped_print(out, "", sentence);
    red_bans_again_format(bans, "again: ", again, sizeof again);
    if (again[0] != '\0')
        red_text_print(out, "%s\n", again);
}

/* Called by cli/cmd_recommend.c (`writers`) for --format table: all that `recommend` prints. */
enum red_status red_recommendation_show(const struct red_recommendation *all, FILE *out,
                                        struct red_error *error) {
    enum red_status status = RED_OK;
    char text[RED_BANS_BYTES];
    for (size_t i = 0; i < all->advice_n && status == RED_OK; i++) {
        fputs(i > 0 ? "\n" : "", out);
        red_advice_bans_sentence(&all->advice[i], text, sizeof text);
        if (text[0] != '\0' && !is_of_device_before(all, i))
            bans_print(&all->advice[i].curves.bans, text, out);
        if (all->n != NULL && all->advice[i].bands_n > 0)
            sentence_for_n_format(&all->advice[i], *all->n, text, sizeof text);
        else
            red_advice_sentence(&all->advice[i], text, sizeof text);
        red_wrapped_print(out, "", text);
        status = bands_print(&all->advice[i], all->n, out, error);
    }
    fputs(
        "\n"
        "from n: where the band begins, with the 95 % interval of the crossover; of an interval that spans "
        "ten times n, that.\n"
        "runner-up: how much longer the best other strategy takes over the band, with its 95 % interval; ~ "
        "= a tie: not\n"
        "shown to be slower. Of ties within 2 % the simplest is taken. order: whether a sum has the same "
        "bits at every call:\n"
        "fixed, varies, up to the driver, or any order gives them. portable: the fastest that runs on every "
        "OpenCL 1.2.\n",
        out);
    return status;
}
