/* `recommend` for people: a sentence for each advice, then the table of its bands. The report has the
 * sentence, too. cli/cmd_recommend.c and report/report.c make the advice of the result files that the user
 * named. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "console/console_table.h"
#include "console/table.h"
#include "core/memory.h"
#include "core/select.h"
#include "core/text.h"
#include "recommend/advice.h"
#include "results/steadiness.h"

/* Seen in the sentence, in JSON and in the C header (data.c): id, name, driver or platform. */
const struct red_device_info *red_advice_device(const struct red_advice *advice) {
    return &advice->curves.result->run.devices[advice->curves.device].info;
}

/* Seen in the sentence, in the columns "strategy", "runner-up" and "portable" and the same keys of JSON, and
 * in what emit prints. */
struct red_short_text red_candidate_text(const struct red_candidate *candidate) {
    struct red_short_text made = {.text = ""};
    red_text_add(made.text, sizeof made.text, "%s%s", candidate->at.strategy->name,
                 red_axis_text(&candidate->at, RED_AXIS_ASKED).text);
    if (candidate->at.collective[0] != '\0')
        red_text_add(made.text, sizeof made.text, " with %s", candidate->at.collective);
    return made;
}

/* The same of an advice's candidate with this index. */
static struct red_short_text candidate_name(const struct red_advice *advice, size_t candidate) {
    return red_candidate_text(&advice->curves.candidates[candidate]);
}

enum { FAILED_TOLD_MAX = 2, REASON_WIDTH_MAX = 200, FAILED_BYTES = 1536 };

/* ---- the sentence -------------------------------------------------------------------------------------- */

/* "6 %": by how much the two of a wide edge differ at most. */
static struct red_short_text apart_text(const struct red_edge *edge) {
    const double percent = 100 * edge->apart;
    struct red_short_text made;
    snprintf(made.text, sizeof made.text, percent < 10 ? "%.1f %%" : "%.0f %%", percent);
    return made;
}

/* What to do within a wide edge: "either", unless the two are too far apart for that. */
static const char *either_word(const struct red_edge *edge) {
    return edge->apart <= RED_EITHER_MOST ? "either" : "unclear which";
}

/* "25000 (20000 to 30000)": in the sentence, and the column "from n". */
static struct red_short_text edge_text(const struct red_edge *edge) {
    struct red_short_text made = {.text = ""};
    red_text_add(made.text, sizeof made.text, "%s (%s to %s)", red_size_text(edge->n).text,
                 red_size_text(edge->low).text, red_size_text(edge->high).text);
    return made;
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
        const struct red_short_text name = candidate_name(advice, advice->bands[b].candidate);
        const struct red_edge *edge = b + 1 < advice->bands_n ? &advice->bands[b + 1].edge : NULL;
        red_text_add(text, room, "%s", b == 0 ? "use " : edge == NULL ? ", and " : ", ");
        if (!is_lost_between_wide_edges(advice, b))
            red_text_add(text, room, "%s", name.text);
        if (edge != NULL && edge->is_wide) {
            const struct red_short_text low = red_size_text(edge->low);
            if (!is_lost_between_wide_edges(advice, b))
                red_text_add(text, room, " below %s, ", low.text);
            red_text_add(text, room, "between %s and %s %s (%s and %s may differ by up to %s)", low.text,
                         red_size_text(edge->high).text, either_word(edge), name.text,
                         candidate_name(advice, advice->bands[b + 1].candidate).text, apart_text(edge).text);
        } else if (edge != NULL) {
            red_text_add(text, room, " below %s", edge_text(edge).text);
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
    if (advice->everywhere == SIZE_MAX || advice->bands_n < 2)
        return;
    red_text_add(text, room,
                 " One strategy everywhere, %s, would take %.1f %% longer on average and %.0f %% at most.",
                 candidate_name(advice, advice->everywhere).text, 100 * fmax(0, advice->everywhere_mean),
                 100 * advice->everywhere_worst);
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
        if (row->is_asked_for != asked_for)
            continue;
        red_text_add(text, room, "%s%s at %s", told_n == 0 ? words : "; ", row->at.strategy->name,
                     red_size_text(row->at.n).text);
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
        failed_n += red_bans_find(&curves->failed, curves->candidates[c].at.strategy->name) != NULL;
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

/* Called below, by cli/cmd_emit.c, and by data.c. */
void red_advice_incomparable_sentence(const struct red_advice *advice, char *text, size_t text_bytes) {
    const struct red_curves *curves = &advice->curves;
    const struct red_result *incomparable = curves->incomparable;
    char reason[512];
    text[0] = '\0';
    if (incomparable == NULL)
        return;
    const long device = red_result_find_device(incomparable, curves->result, curves->device);
    red_steadiness_reason_format(&incomparable->run, (size_t)device, reason, sizeof reason);
    red_text_add(text, text_bytes, "these times cannot be compared: %s: %s", incomparable->path, reason);
}

/* "On intel (Intel(R) OpenCL, Intel(R) Xeon(R) ...), sum of f32": how the sentence begins. */
static void sentence_begin(const struct red_advice *advice, char *text, size_t room) {
    const struct red_device_info *device = red_advice_device(advice);
    text[0] = '\0';
    sentence_add_failed(advice, true, text, room);
    red_text_add(text, room, "On %s (%s%s%s), %s", device->id, device->platform,
                 device->platform[0] != '\0' ? ", " : "", device->name,
                 red_query_title(advice->curves.query).text);
}

/* Called below, and by data.c for a comment of the C header. */
struct red_short_text red_openmp_where(const struct red_beside_openmp *openmp) {
    struct red_short_text made = {.text = ""};
    const bool pays = openmp->pays_from > 0;
    red_text_add(made.text, sizeof made.text, "%s%s %s", openmp->everywhere_below ? "" : "at some n ",
                 pays ? "below" : "up to", pays ? red_size_text(openmp->pays_from).text : "the largest n");
    return made;
}

/* "OpenMP on the host is faster below 2^14 (12x at 2^10): the device pays from there on; ..." */
static void sentence_add_openmp(const struct red_beside_openmp *openmp, char *text, size_t room) {
    if (openmp->times <= 0)
        return;
    red_text_add(text, room, " OpenMP on the host is faster %s", red_openmp_where(openmp).text);
    if (openmp->times_n > 0)
        red_text_add(text, room, " (%.*fx at %s)", openmp->times < 9.95 ? 1 : 0, openmp->times,
                     red_size_text(openmp->times_n).text);
    red_text_add(text, room, "%s; its array lies in the host's memory.",
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
                         bans->rows[i].at.strategy->name);
    if (bans->n > 0)
        red_text_add(text, text_bytes, "%s", asked_n == 0 ? " What is named here is left out below." : ".");
}

/* Called below for `recommend`, and by report/report.c (write_advice) for "What to use". */
void red_advice_sentence(const struct red_advice *advice, char *text, size_t text_bytes) {
    const struct red_curves *curves = &advice->curves;
    char incomparable[1024];
    sentence_begin(advice, text, text_bytes);
    red_text_add(text, text_bytes, ": ");
    red_advice_incomparable_sentence(advice, incomparable, sizeof incomparable);
    if (incomparable[0] != '\0' && advice->bands_n > 0) {
        red_text_add(text, text_bytes, "%s", incomparable);
        return;
    }
    if (advice->bands_n == 0) {
        red_text_add(text, text_bytes, "nothing that can be recommended was timed.");
        sentence_add_failed(advice, false, text, text_bytes);
        sentence_add_waiting(curves, text, text_bytes);
        return;
    }
    sentence_add_bands(advice, text, text_bytes);
    sentence_add_ties(advice, text, text_bytes);
    red_text_add(text, text_bytes, ".");
    sentence_add_everywhere(advice, text, text_bytes);
    sentence_add_openmp(&advice->openmp, text, text_bytes);
    red_text_add(text, text_bytes, " Measured from %s to %s in %zu %s.", red_size_text(curves->sizes[0]).text,
                 red_size_text(curves->sizes[curves->sizes_n - 1]).text, curves->runs_n,
                 curves->runs_n == 1
                     ? "run; several runs of the same command would tell ties and edges better"
                     : "runs");
    if (red_query_is_of_slowest(curves->query))
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
    sentence_begin(advice, text, room);
    red_text_add(text, room, " at n = %s: use %s", red_size_text(n).text,
                 candidate_name(advice, band->candidate).text);
    for (size_t b = 1; b < advice->bands_n; b++) {
        const struct red_edge *edge = &advice->bands[b].edge;
        const bool is_own = &advice->bands[b] == band;
        if (!edge->is_wide || n < edge->low || n > edge->high || (!is_own && &advice->bands[b - 1] != band))
            continue;
        red_text_add(text, room, " or %s, %s %s there",
                     candidate_name(advice, advice->bands[is_own ? b - 1 : b].candidate).text,
                     edge->apart <= RED_EITHER_MOST ? "which are within"
                                                    : "unclear which: they may differ by up to",
                     apart_text(edge).text);
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

/* ---- the table -------------------------------------------------------------------------------------------
 * A row for each band; each function that ends in _put adds the column of its name. */

/* The cell of the band's candidate at a size of the curves, from the first run that has one; it has the
 * geometry that is shown. */
static const struct red_cell *band_cell(const struct red_advice *advice, const struct red_band *band,
                                        size_t size_index) {
    return advice->curves.cells[band->candidate * advice->curves.sizes_n + size_index];
}

/* "256", "1 to 8": of group sizes and of numbers of groups, in the column "geometry". */
static struct red_short_text range_text(uint64_t low, uint64_t high) {
    struct red_short_text made;
    snprintf(made.text, sizeof made.text, low < high ? "%llu to %llu" : "%llu", (unsigned long long)low,
             (unsigned long long)high);
    return made;
}

/* "1 to 8 groups of 256, lanes 8x4 to 16x4": the ranges over the band's sizes. */
static void geometry_put(const struct red_advice *advice, const struct red_band *band,
                         struct red_table *table) {
    const struct red_cell *first = band_cell(advice, band, band->first);
    struct red_geometry low = first->geometry, high = first->geometry;
    char lanes[64] = "";
    if (first->at.ranks_n > 0) {
        red_table_put(table, "each rank's own");
        return;
    }
    for (size_t i = band->first; i <= band->last; i++) {
        const struct red_geometry *geometry = &band_cell(advice, band, i)->geometry;
        low.group_size = geometry->group_size < low.group_size ? geometry->group_size : low.group_size;
        high.group_size = geometry->group_size > high.group_size ? geometry->group_size : high.group_size;
        low.groups_n = geometry->groups_n < low.groups_n ? geometry->groups_n : low.groups_n;
        high.groups_n = geometry->groups_n > high.groups_n ? geometry->groups_n : high.groups_n;
        low.width = geometry->width < low.width ? geometry->width : low.width;
        high.width = geometry->width > high.width ? geometry->width : high.width;
    }
    if (low.width > 0)
        snprintf(lanes, sizeof lanes, ", lanes %ux%u", low.width, low.loads);
    if (low.width < high.width)
        red_text_add(lanes, sizeof lanes, " to %ux%u", high.width, high.loads);
    red_table_put(table, "%s %s of %s%s", range_text(low.groups_n, high.groups_n).text,
                  high.groups_n == 1 ? "group" : "groups", range_text(low.group_size, high.group_size).text,
                  lanes);
}

/* The band's time in microseconds at a size. */
static struct red_short_text time_text(const struct red_advice *advice, const struct red_band *band,
                                       size_t size) {
    return red_number_text(1e6 * exp(red_curves_log_s_at(&advice->curves, band->candidate, size)));
}

/* "chunk +4.3 % (1.0 to 7.6)", "serial +0.8 % (-1.0 to 2.6) ~, 3 tie", "none". */
static void runner_up_put(const struct red_advice *advice, const struct red_band *band,
                          struct red_table *table) {
    char ties[32] = "";
    if (band->ties_n > 1)
        snprintf(ties, sizeof ties, ", %zu tie", band->ties_n);
    if (band->runner_up == SIZE_MAX)
        red_table_put(table, "none");
    else
        red_table_put(table, "%s %+.1f %% (%.1f to %.1f)%s%s", candidate_name(advice, band->runner_up).text,
                      100 * band->margin, 100 * band->margin_low, 100 * band->margin_high,
                      advice->curves.incomparable != NULL ? " ?"
                      : band->is_tie                      ? " ~"
                                                          : "",
                      ties);
}

/* The fastest strategy of the band that runs on every OpenCL 1.2. */
static void portable_put(const struct red_advice *advice, const struct red_band *band,
                         struct red_table *table) {
    if (band->portable == SIZE_MAX || band->portable == band->candidate)
        red_table_put(table, "%s", band->portable == SIZE_MAX ? "none timed" : "itself");
    else
        red_table_put(table, "%s %+.1f %%%s", candidate_name(advice, band->portable).text,
                      100 * band->portable_margin, advice->curves.incomparable != NULL ? " ?" : "");
}

/* Adds the row of a band to the table. */
static void add_band_row(struct red_table *table, const struct red_advice *advice, size_t b) {
    const struct red_band *band = &advice->bands[b];
    const struct red_query *query = advice->curves.query;
    const struct red_strategy *strategy = advice->curves.candidates[band->candidate].at.strategy;
    char needs[256];
    if (b > 0 && band->edge.is_wide)
        red_table_put(table, "%s to %s: %s (within %s)", red_size_text(band->edge.low).text,
                      red_size_text(band->edge.high).text, either_word(&band->edge),
                      apart_text(&band->edge).text);
    else
        red_table_put(table, "%s", b > 0 ? edge_text(&band->edge).text : "1");
    red_table_put(table, "%s", candidate_name(advice, band->candidate).text);
    geometry_put(advice, band, table);
    red_table_put(table, band->first < band->last ? "%s ... %s" : "%s",
                  time_text(advice, band, band->first).text, time_text(advice, band, band->last).text);
    runner_up_put(advice, band, table);
    red_table_put(table, "%s", red_strategy_bits_order(strategy, query->at.op, query->at.dtype));
    portable_put(advice, band, table);
    red_needs_format(red_strategy_needs_for(strategy, query->at.dtype, query->at.op), needs, sizeof needs);
    red_table_put(table, "needs %s", needs);
}

/* Prints the table of bands of one advice, or the row of the one for n. */
static void bands_print(const struct red_advice *advice, const uint64_t *n, FILE *out) {
    struct red_table *table =
        red_table_create("from n@18|strategy|geometry@22|time, us|runner-up@22|order|portable@18|needs!");
    for (size_t b = 0; b < advice->bands_n; b++)
        if (n == NULL || red_advice_band(advice, *n) == &advice->bands[b])
            add_band_row(table, advice, b);
    if (advice->bands_n > 0) {
        fputc('\n', out);
        red_table_print(table, out);
    }
    red_table_destroy(table);
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

/* The machine of an advice. */
static const char *machine_of(const struct red_recommendation *all, size_t i) {
    return all->advice[i].curves.result->machine;
}

/* Prints the machine of the i-th advice where it is another one than that of the advice before, or of any
 * behind the first. */
static void machine_print(const struct red_recommendation *all, size_t i, FILE *out) {
    bool is_another = false;
    for (size_t k = i > 0 ? i - 1 : 0; k < (i > 0 ? i : all->advice_n); k++)
        is_another = is_another || strcmp(machine_of(all, k), machine_of(all, i)) != 0;
    if (is_another)
        red_text_print(out, "On %s:\n", machine_of(all, i));
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
    char text[RED_BANS_BYTES];
    for (size_t i = 0; i < all->advice_n; i++) {
        fputs(i > 0 ? "\n" : "", out);
        machine_print(all, i, out);
        red_advice_bans_sentence(&all->advice[i], text, sizeof text);
        if (text[0] != '\0' && !is_of_device_before(all, i))
            bans_print(&all->advice[i].curves.bans, text, out);
        if (all->n != NULL && all->advice[i].bands_n > 0 && all->advice[i].curves.incomparable == NULL)
            sentence_for_n_format(&all->advice[i], *all->n, text, sizeof text);
        else
            red_advice_sentence(&all->advice[i], text, sizeof text);
        red_wrapped_print(out, "", text);
        bands_print(&all->advice[i], all->n, out);
    }
    fputs(
        "\n"
        "from n: where the band begins, with the 95 % interval of the crossover; a crossover known no better "
        "than a\n"
        "factor of ten is given as a range.\n"
        "runner-up: how much longer the best of the others takes over the band, with its 95 % interval; ~ "
        "= a tie: not\n"
        "shown to be slower. Of ties within 2 % the simplest is taken. order: whether a sum has the same "
        "bits at every call:\n"
        "fixed, varies, up to the driver, or any order gives them. portable: the fastest that runs on every "
        "OpenCL 1.2.\n",
        out);
    return red_memory_check(error);
}
