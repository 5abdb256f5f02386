/* Advice for people: a sentence that can be repeated, then the table behind it. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "bench/recommend/recommend.h"
#include "bench/table.h"
#include "bench/view.h"
#include "bench/words.h"
#include "model/sizes.h"

enum { TEXT_BYTES = 160 };

const struct red_past_device *red_advice_device(const struct red_advice *advice) {
    return &advice->curves.recall->past.devices[advice->curves.device];
}

void red_advice_question(const struct red_advice *advice, char *text, size_t text_bytes) {
    const struct red_question *question = advice->curves.question;
    bool plain = question->shape.kind == RED_SHAPE_ARRAY;
    snprintf(text, text_bytes, "%s of %s%s%s", question->op->name, question->dtype->name,
             plain ? "" : ", shape ", plain ? "" : question->shape.text);
}

__attribute__((format(printf, 3, 4))) static void add(char *text, size_t room, const char *format, ...) {
    size_t used = strlen(text);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text + used, room - used, format, arguments);
    va_end(arguments);
}

/* "chunk", and what of its geometry was asked for. */
static void candidate_print(const struct red_advice *advice, size_t candidate, char *text,
                            size_t text_bytes) {
    const struct red_candidate *c = &advice->curves.candidates[candidate];
    text[0] = '\0';
    add(text, text_bytes, "%s", c->strategy->name);
    if (c->asked.group_size > 0)
        add(text, text_bytes, ":%zu", c->asked.group_size);
    if (c->asked.groups_n > 0)
        add(text, text_bytes, ":g%llu", (unsigned long long)c->asked.groups_n);
    if (c->asked.width > 0)
        add(text, text_bytes, ":%ux%u", c->asked.width, c->asked.loads);
}

/* ---- the sentence ----------------------------------------------------------------------------------------
 */

static void add_edge(const struct red_edge *edge, char *text, size_t room) {
    char n[3][32];
    red_size_print(edge->n, n[0], sizeof n[0]);
    red_size_print(edge->low, n[1], sizeof n[1]);
    red_size_print(edge->high, n[2], sizeof n[2]);
    add(text, room, "%s (%s to %s)", n[0], n[1], n[2]);
}

static void add_bands(const struct red_advice *advice, char *text, size_t room) {
    for (size_t b = 0; b < advice->bands_n; b++) {
        char name[96];
        candidate_print(advice, advice->bands[b].candidate, name, sizeof name);
        add(text, room, "%s%s", b == 0 ? "use " : b + 1 == advice->bands_n ? ", and " : ", ", name);
        if (advice->bands_n == 1)
            add(text, room, " for every n");
        else if (b + 1 < advice->bands_n)
            add(text, room, "%s", " below ");
        else
            add(text, room, " from there on");
        if (b + 1 < advice->bands_n)
            add_edge(&advice->bands[b + 1].edge, text, room);
    }
}

static void add_ties(const struct red_advice *advice, char *text, size_t room) {
    size_t ties_n = 0;
    for (size_t b = 0; b < advice->bands_n; b++)
        ties_n += advice->bands[b].is_tie;
    if (ties_n == 0)
        add(text, room, "; no other strategy ties with %s", advice->bands_n > 1 ? "one of them" : "it");
    else if (advice->bands_n == 1)
        add(text, room, "; it ties with others");
    else
        add(text, room, "; in %zu of %zu bands it ties with others", ties_n, advice->bands_n);
}

static void add_everywhere(const struct red_advice *advice, char *text, size_t room) {
    char name[96];
    if (advice->everywhere == SIZE_MAX || advice->bands_n < 2)
        return;
    candidate_print(advice, advice->everywhere, name, sizeof name);
    add(text, room, " One strategy everywhere, %s, would take %.1f %% longer on average and %.0f %% at most.",
        name, 100 * fmax(0, advice->everywhere_mean), 100 * advice->everywhere_worst);
}

static void sentence_print(const struct red_advice *advice, FILE *out) {
    const struct red_past_device *device = red_advice_device(advice);
    const struct red_curves *curves = &advice->curves;
    char text[2048] = "", question[192], sizes[2][32];
    red_advice_question(advice, question, sizeof question);
    add(text, sizeof text, "On %s (%s, %s), %s: ", device->id, device->platform, device->name, question);
    if (advice->bands_n == 0) {
        add(text, sizeof text, "nothing that can be recommended was timed.");
        red_wrapped_print(out, "", text);
        return;
    }
    red_size_print(curves->sizes[0], sizes[0], sizeof sizes[0]);
    red_size_print(curves->sizes[curves->sizes_n - 1], sizes[1], sizeof sizes[1]);
    add_bands(advice, text, sizeof text);
    add_ties(advice, text, sizeof text);
    add(text, sizeof text, ".");
    add_everywhere(advice, text, sizeof text);
    add(text, sizeof text, " Measured from %s to %s in %zu %s.", sizes[0], sizes[1], curves->runs_n,
        curves->runs_n == 1 ? "run; several runs of the same command would tell ties and edges better"
                            : "runs");
    red_wrapped_print(out, "", text);
}

/* ---- the table -------------------------------------------------------------------------------------------
 */

static const struct red_cell *cell_of(const struct red_advice *advice, const struct red_band *band,
                                      size_t size) {
    return advice->curves.cells[band->candidate * advice->curves.sizes_n + size];
}

/* "256", "1 to 8"; "" where it follows from n. */
static void range_print(uint64_t low, uint64_t high, char *text, size_t text_bytes) {
    if (low < high)
        snprintf(text, text_bytes, "%llu to %llu", (unsigned long long)low, (unsigned long long)high);
    else
        snprintf(text, text_bytes, "%llu", (unsigned long long)low);
}

static void geometry_print(const struct red_advice *advice, const struct red_band *band, char *text,
                           size_t text_bytes) {
    const struct red_cell *first = cell_of(advice, band, band->first);
    uint64_t group[2] = {first->geometry.group_size, first->geometry.group_size};
    uint64_t groups[2] = {first->geometry.groups_n, first->geometry.groups_n};
    char group_size[64], groups_n[64], lanes[24] = "";
    for (size_t i = band->first; i <= band->last; i++) {
        const struct red_geometry *geometry = &cell_of(advice, band, i)->geometry;
        group[0] = geometry->group_size < group[0] ? geometry->group_size : group[0];
        group[1] = geometry->group_size > group[1] ? geometry->group_size : group[1];
        groups[0] = geometry->groups_n < groups[0] ? geometry->groups_n : groups[0];
        groups[1] = geometry->groups_n > groups[1] ? geometry->groups_n : groups[1];
    }
    range_print(group[0], group[1], group_size, sizeof group_size);
    range_print(groups[0], groups[1], groups_n, sizeof groups_n);
    if (first->geometry.width > 0)
        snprintf(lanes, sizeof lanes, ", lanes %ux%u", first->geometry.width, first->geometry.loads);
    snprintf(text, text_bytes, "%s %s of %s%s", groups_n, groups[1] == 1 ? "group" : "groups", group_size,
             lanes);
}

static void times_print(const struct red_advice *advice, const struct red_band *band, char *text,
                        size_t text_bytes) {
    char low[32], high[32];
    red_number_print(1e6 * exp(red_curves_at(&advice->curves, band->candidate, band->first)), low,
                     sizeof low);
    red_number_print(1e6 * exp(red_curves_at(&advice->curves, band->candidate, band->last)), high,
                     sizeof high);
    snprintf(text, text_bytes, band->first < band->last ? "%s ... %s" : "%s", low, high);
}

/* "chunk +4.3 % (1.0 to 7.6)", "chunk, serial tie". */
static void runner_up_print(const struct red_advice *advice, const struct red_band *band, char *text,
                            size_t text_bytes) {
    char name[96];
    text[0] = '\0';
    if (band->runner_up == SIZE_MAX) {
        add(text, text_bytes, "none");
        return;
    }
    candidate_print(advice, band->runner_up, name, sizeof name);
    add(text, text_bytes, "%s %+.1f %% (%.1f to %.1f)%s", name, 100 * band->margin, 100 * band->margin_low,
        100 * band->margin_high, band->is_tie ? " ~" : "");
    if (band->ties_n > 1)
        add(text, text_bytes, ", %zu tie", band->ties_n);
}

static void fallback_print(const struct red_advice *advice, const struct red_band *band, char *text,
                           size_t text_bytes) {
    char name[96];
    if (band->fallback == SIZE_MAX) {
        snprintf(text, text_bytes, "none timed");
    } else if (band->fallback == band->candidate) {
        snprintf(text, text_bytes, "itself");
    } else {
        candidate_print(advice, band->fallback, name, sizeof name);
        snprintf(text, text_bytes, "%s %+.1f %%", name, 100 * band->fallback_margin);
    }
}

static enum red_status add_band(struct red_table *table, const struct red_advice *advice, size_t b,
                                struct red_error *error) {
    const struct red_band *band = &advice->bands[b];
    const struct red_question *question = advice->curves.question;
    const struct red_strategy *strategy = advice->curves.candidates[band->candidate].strategy;
    char from[96] = "", name[96], geometry[TEXT_BYTES], times[80], other[TEXT_BYTES], names[256], needs[280],
         fallback[128];
    if (b == 0)
        snprintf(from, sizeof from, "1");
    else
        add_edge(&band->edge, from, sizeof from);
    candidate_print(advice, band->candidate, name, sizeof name);
    geometry_print(advice, band, geometry, sizeof geometry);
    times_print(advice, band, times, sizeof times);
    runner_up_print(advice, band, other, sizeof other);
    fallback_print(advice, band, fallback, sizeof fallback);
    red_needs_print(red_strategy_needs(strategy, question->dtype, question->op), names, sizeof names);
    snprintf(needs, sizeof needs, "needs %s", names);
    const char *values[] = {from,     name,  geometry,
                            times,    other, red_strategy_order(strategy, question->op, question->dtype),
                            fallback, needs};
    return red_table_add(table, values, error);
}

static enum red_status table_print(const struct red_advice *advice, FILE *out, struct red_error *error) {
    static const struct red_column columns[] = {
        {.name = "from n", .wrap = 18},    {.name = "strategy"},
        {.name = "geometry", .wrap = 22},  {.name = "time, us"},
        {.name = "runner-up", .wrap = 22}, {.name = "order"},
        {.name = "portable", .wrap = 18},  {.name = "needs", .below = true}};
    struct red_table *table = red_table_create(columns, sizeof columns / sizeof columns[0]);
    enum red_status status = table ? RED_OK : red_fail(error, RED_E_MEMORY, "no memory for a table");
    for (size_t b = 0; b < advice->bands_n && status == RED_OK; b++)
        status = add_band(table, advice, b, error);
    if (status == RED_OK && advice->bands_n > 0) {
        fputc('\n', out);
        red_table_print(table, out);
    }
    red_table_destroy(table);
    return status;
}

enum red_status red_recommendation_show(const struct red_recommendation *all, FILE *out,
                                        struct red_error *error) {
    enum red_status status = RED_OK;
    for (size_t i = 0; i < all->advice_n && status == RED_OK; i++) {
        fputs(i > 0 ? "\n" : "", out);
        sentence_print(&all->advice[i], out);
        status = table_print(&all->advice[i], out, error);
    }
    fputs("\nfrom n: where the band begins, with the 95 % interval of the crossover. runner-up: how much "
          "longer the "
          "best other\nstrategy takes over the band, with its 95 % interval; ~ = a tie, which goes to the "
          "simpler one. "
          "order: whether a sum\nhas the same bits at every call: fixed, varies, up to the driver, or any "
          "order gives "
          "them. portable: the fastest\nthat runs on every OpenCL 1.2.\n",
          out);
    return status;
}
