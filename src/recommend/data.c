/* `recommend` for programs: the rules of an advice, all of it as JSON (--format json), and the rules as a C
 * header (--format h), on the screen or in the file of --output. cli/cmd_recommend.c makes the recommendation
 * of the result files that the user named. */
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/text.h"
#include "recommend/advice.h"
#include "results/json.h"

/* ---- rules --------------------------------------------------------------------------------------------- */

/* The rule that gives the strategy and geometry of a measured cell from n_from on. */
static struct red_rule rule_of_cell(const struct red_cell *cell, uint64_t n_from) {
    const struct red_strategy *strategy = cell->at.strategy;
    bool follows = strategy->span == RED_STRATEGY_EACH;
    return (struct red_rule){.n_from = n_from,
                             .strategy = strategy,
                             .collective = cell->at.collective,
                             .group_size = cell->geometry.group_size,
                             .groups_n = follows ? 0 : cell->geometry.groups_n,
                             .per_item = follows ? (strategy->lanes > 0 ? strategy->lanes : 1) : 0,
                             .width = cell->geometry.width,
                             .loads = cell->geometry.loads};
}

/* Whether the rules differ in n_from at most. */
static bool gives_same_strategy_and_geometry(const struct red_rule *a, const struct red_rule *b) {
    return a->strategy == b->strategy && strcmp(a->collective, b->collective) == 0 &&
           a->group_size == b->group_size && a->groups_n == b->groups_n && a->per_item == b->per_item &&
           a->width == b->width && a->loads == b->loads;
}

/* Called for each advice: its rules are `rules` in JSON, and rows of the C header's table. */
enum red_status red_rules_make(const struct red_advice *advice, struct red_rule **rules, size_t *rules_n,
                               struct red_error *error) {
    const struct red_curves *curves = &advice->curves;
    struct red_rule *made = calloc(curves->sizes_n + 1, sizeof *made);
    size_t n = 0;
    if (made == NULL)
        return red_fail(error, RED_E_MEMORY, "no memory for rules");
    for (size_t b = 0; b < advice->bands_n; b++) {
        const struct red_band *band = &advice->bands[b];
        for (size_t i = band->first; i <= band->last; i++) {
            const struct red_cell *cell = curves->cells[band->candidate * curves->sizes_n + i];
            uint64_t n_from = band->edge.n;
            if (i > band->first)
                n_from = (uint64_t)ceil(sqrt((double)curves->sizes[i - 1]) * sqrt((double)curves->sizes[i]));
            const struct red_rule rule = rule_of_cell(cell, n > 0 ? n_from : 0);
            if (n == 0 || !gives_same_strategy_and_geometry(&rule, &made[n - 1]))
                made[n++] = rule;
        }
    }
    *rules = made;
    *rules_n = n;
    return RED_OK;
}

/* ---- JSON ------------------------------------------------------------------------------------------------
 * Each of these makes the value of a key, or an element of its list: see results/advice.schema.json. */

/* A candidate as the table names it; null for none (SIZE_MAX): `strategy`, `runner_up`, `portable`. */
static json_t *candidate_json(const struct red_advice *advice, size_t candidate) {
    return candidate != SIZE_MAX
               ? red_json_text(red_candidate_text(&advice->curves.candidates[candidate]).text)
               : json_null();
}

/* `ties`: the first few candidates that tie. */
static json_t *ties_json(const struct red_advice *advice, const struct red_band *band) {
    json_t *ties = json_array();
    for (size_t i = 0; i < band->ties_n && i < RED_TIES_SHOWN; i++)
        json_array_append_new(ties, candidate_json(advice, band->ties[i]));
    return ties;
}

/* `needs`: the names of what the band's strategy needs of a device. */
static json_t *needs_json(red_set needs) {
    json_t *names = json_array();
    for (unsigned need = 0; need < RED_NEEDS_N; need++)
        if ((needs >> need & 1) != 0)
            json_array_append_new(names, json_string(red_need_names[need]));
    return names;
}

/* `expected`: the band's own time at each n that was measured in it. */
static json_t *expected_times_json(const struct red_advice *advice, const struct red_band *band) {
    json_t *expected = json_array();
    for (size_t i = band->first; i <= band->last; i++)
        json_array_append_new(
            expected,
            json_pack("{s:o, s:o}", "n", red_json_integer(advice->curves.sizes[i]), "time_s",
                      red_json_real(exp(red_curves_log_s_at(&advice->curves, band->candidate, i)))));
    return expected;
}

/* An element of `bands`. */
static json_t *band_json(const struct red_advice *advice, size_t b) {
    const struct red_band *band = &advice->bands[b];
    const struct red_query *query = advice->curves.query;
    const struct red_strategy *strategy = advice->curves.candidates[band->candidate].at.strategy;
    bool has_rival = band->runner_up != SIZE_MAX, last = b + 1 == advice->bands_n;
    json_t *object = json_pack("{s:o, s:o, s:o, s:o, s:o, s:s, s:o}", "n_from",
                               red_json_integer(band->edge.n), "n_from_low", red_json_integer(band->edge.low),
                               "n_from_high", red_json_integer(band->edge.high), "n_to",
                               last ? json_null() : red_json_integer(advice->bands[b + 1].edge.n - 1),
                               "strategy", candidate_json(advice, band->candidate), "order",
                               red_strategy_bits_order(strategy, query->at.op, query->at.dtype), "needs",
                               needs_json(red_strategy_needs_for(strategy, query->at.dtype, query->at.op)));
    json_object_set_new(object, "n_from_either",
                        band->edge.is_wide ? red_json_real(band->edge.apart) : json_null());
    json_object_set_new(object, "expected", expected_times_json(advice, band));
    json_object_set_new(object, "runner_up", candidate_json(advice, band->runner_up));
    json_object_set_new(object, "margin", has_rival ? red_json_real(band->margin) : json_null());
    json_object_set_new(object, "margin_low", has_rival ? red_json_real(band->margin_low) : json_null());
    json_object_set_new(object, "margin_high", has_rival ? red_json_real(band->margin_high) : json_null());
    json_object_set_new(object, "tie", json_boolean(band->is_tie));
    json_object_set_new(object, "ties", ties_json(advice, band));
    json_object_set_new(object, "ties_n", red_json_integer(band->ties_n));
    json_object_set_new(object, "portable", candidate_json(advice, band->portable));
    json_object_set_new(object, "portable_margin",
                        band->portable != SIZE_MAX ? red_json_real(band->portable_margin) : json_null());
    return object;
}

/* `rules`, from red_rules_make. */
static json_t *rules_json(const struct red_rule *rules, size_t n) {
    json_t *array = json_array();
    for (size_t i = 0; i < n; i++) {
        json_t *rule = json_pack(
            "{s:o, s:s, s:o, s:o, s:o, s:o, s:o}", "n_from", red_json_integer(rules[i].n_from), "strategy",
            rules[i].strategy->name, "group_size", red_json_chosen(rules[i].group_size), "groups",
            red_json_chosen(rules[i].groups_n), "elements_per_item", red_json_chosen(rules[i].per_item),
            "width", red_json_chosen(rules[i].width), "loads", red_json_chosen(rules[i].loads));
        if (rules[i].collective[0] != '\0')
            json_object_set_new(rule, "collective", red_json_text(rules[i].collective));
        json_array_append_new(array, rule);
    }
    return array;
}

/* `left_out`: the names of the strategies that keep a launch waiting, and were not asked for. */
static json_t *left_out_json(const struct red_curves *curves) {
    json_t *array = json_array();
    for (size_t i = 0; i < curves->waiting_n; i++)
        json_array_append_new(array, red_json_text(curves->waiting[i]->name));
    return array;
}

/* `banned`: what strategies did wrong on the device, and whether they are left out for it; `failed`: the
 * smallest n at which they failed with an OpenCL error, and whether they are left out from there on. */
static json_t *bans_json(const struct red_bans *bans) {
    json_t *array = json_array();
    for (size_t i = 0; i < bans->n; i++) {
        const struct red_ban *ban = &bans->rows[i];
        const bool is_any = ban->state == RED_STATE_PENDING; /* operation and type */
        json_array_append_new(
            array,
            json_pack("{s:o, s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:b}", "strategy",
                      red_json_text(ban->at.strategy->name), "state",
                      is_any ? "unchecked" : red_state_name(ban->state), "cells",
                      red_json_integer(ban->cells_n), "op", red_json_text(is_any ? "any" : ban->at.op->name),
                      "type", red_json_text(is_any ? "any" : ban->at.dtype->name), "shape",
                      red_json_text(red_axis_text(&ban->at, RED_AXIS_SHAPE).text), "bins",
                      red_json_chosen(ban->at.bins_n), "ranks", red_json_chosen(ban->at.ranks_n), "n",
                      red_json_integer(ban->at.n), "reason", red_json_text(ban->reason), "again",
                      ban->again != NULL ? red_json_text(ban->again) : json_null(), "left_out",
                      !ban->is_asked_for));
    }
    return array;
}

/* `openmp`: null where it was not timed beside the advice. */
static json_t *openmp_json(const struct red_beside_openmp *openmp) {
    return openmp->known
               ? json_pack("{s:o, s:o, s:o}", "device_pays_from", red_json_chosen(openmp->pays_from), "times",
                           red_json_positive(openmp->times), "times_n", red_json_chosen(openmp->times_n))
               : json_null();
}

/* An element of `advice`: of one device, operation, type and shape. */
static json_t *advice_json(const struct red_advice *advice, const struct red_rule *rules, size_t rules_n) {
    const struct red_device_info *device = red_advice_device(advice);
    const struct red_curves *curves = &advice->curves;
    bool has_one = advice->everywhere != SIZE_MAX;
    json_t *bands = json_array();
    char incomparable[1024];
    red_advice_incomparable_sentence(advice, incomparable, sizeof incomparable);
    for (size_t b = 0; b < advice->bands_n; b++)
        json_array_append_new(bands, band_json(advice, b));
    json_t *object = json_pack(
        "{s:o, s:o, s:o, s:o, s:o, s:s, s:s, s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:o, "
        "s:o, s:{s:o, s:o, s:o}}",
        "device", red_json_text(device->id), "name", red_json_text(device->name), "platform",
        red_json_text(device->platform), "driver", red_json_text(device->driver), "machine",
        red_json_text(curves->result->machine), "op", curves->query->at.op->name, "type",
        curves->query->at.dtype->name, "shape", curves->query->shape.text, "runs",
        red_json_integer(curves->runs_n), "scatter", red_json_real(curves->scatter), "bands", bands, "rules",
        rules_json(rules, rules_n), "left_out", left_out_json(curves), "banned", bans_json(&curves->bans),
        "failed", bans_json(&curves->failed), "openmp", openmp_json(&advice->openmp), "everywhere",
        "strategy", candidate_json(advice, advice->everywhere), "mean",
        has_one ? red_json_real(advice->everywhere_mean) : json_null(), "worst",
        has_one ? red_json_real(advice->everywhere_worst) : json_null());
    json_object_set_new(object, "incomparable",
                        incomparable[0] != '\0' ? red_json_text(incomparable) : json_null());
    if (curves->query->at.ranks_n > 0) {
        json_object_set_new(object, "ranks", red_json_integer(curves->query->at.ranks_n));
        json_object_set_new(object, "scaling",
                            json_string(red_axis_text(&curves->query->at, RED_AXIS_SCALING).text));
    }
    if (curves->query->at.bins_n > 0)
        json_object_set_new(object, "bins", red_json_integer(curves->query->at.bins_n));
    if (red_at_has_data(&curves->query->at))
        json_object_set_new(object, "data",
                            json_string(red_query_is_of_slowest(curves->query) ? "slowest" : "uniform"));
    return object;
}

/* The path of the i-th file: result files come first, then those of `verify`. */
static const char *file_path(const struct red_recommendation *all, size_t i) {
    const size_t results_n = all->loaded.results_n;
    return i < results_n ? all->loaded.results[i].path : all->loaded.checks[i - results_n].result.path;
}

/* `made_of`: the paths of the files. */
static json_t *files_json(const struct red_recommendation *all) {
    json_t *files = json_array();
    for (size_t i = 0; i < all->loaded.results_n + all->loaded.checks_n; i++)
        json_array_append_new(files, red_json_text(file_path(all, i)));
    return files;
}

enum red_status red_recommendation_json_print(const struct red_recommendation *all, FILE *out,
                                              struct red_error *error) {
    json_t *array = json_array();
    enum red_status status = RED_OK;
    for (size_t i = 0; i < all->advice_n && status == RED_OK; i++) {
        struct red_rule *rules = NULL;
        size_t rules_n = 0;
        status = red_rules_make(&all->advice[i], &rules, &rules_n, error);
        if (status == RED_OK)
            json_array_append_new(array, advice_json(&all->advice[i], rules, rules_n));
        free(rules);
    }
    bool whole = json_array_size(array) == all->advice_n;
    json_t *root = json_pack("{s:s, s:i, s:s, s:o, s:o}", "file", "clreduce recommend", "schema", 1,
                             "version", CLREDUCE_VERSION, "made_of", files_json(all), "advice", array);
    /* A failed write is reported when the stream is closed. */
    if (status == RED_OK &&
        (!whole || root == NULL ||
         (json_dumpf(root, out, JSON_INDENT(1) | JSON_REAL_PRECISION(6)) != 0 && !ferror(out))))
        status = red_fail(error, RED_E_MEMORY, "no memory for the advice");
    fputc('\n', out);
    json_decref(root);
    return status;
}

/* ---- C ---------------------------------------------------------------------------------------------------
 * The header of --format h, part by part. */

/* Prints a string literal, of a device's id or a strategy's name; quotes, backslashes, question marks and
 * what is not ASCII become blanks. */
static void literal_print(FILE *out, const char *text) {
    fputc('"', out);
    for (; *text != '\0'; text++)
        fputc(*text == '"' || *text == '\\' || *text == '?' || (unsigned char)*text < 32 ||
                      (unsigned char)*text > 126
                  ? ' '
                  : *text,
              out);
    fputc('"', out);
}

/* Prints words within a comment: a device, a driver, the path of a result file. */
static void comment_print(FILE *out, const char *text) {
    char safe[RED_BAN_BYTES];
    red_text_copy_for_comment(text, safe, sizeof safe);
    fputs(safe, out);
}

/* Prints a comment for each of the strategies, behind words that tell whether the user has named it. */
static void bans_note_print(const struct red_bans *bans, const char *words, const char *words_if_asked_for,
                            FILE *out) {
    for (size_t i = 0; i < bans->n; i++) {
        char text[RED_BAN_BYTES];
        red_ban_format(&bans->rows[i], text, sizeof text);
        fprintf(out, "    /* %s: ", bans->rows[i].is_asked_for ? words_if_asked_for : words);
        comment_print(out, text);
        fputs(" */\n", out);
    }
}

/* Prints above the rules a comment for each strategy that was wrong or failed, for OpenMP where it is faster,
 * and for each edge at which two will do. */
static void notes_print(const struct red_advice *advice, FILE *out) {
    const struct red_curves *curves = &advice->curves;
    char incomparable[1024];
    red_advice_incomparable_sentence(advice, incomparable, sizeof incomparable);
    if (incomparable[0] != '\0') {
        fputs("    /* ", out);
        comment_print(out, incomparable);
        fputs(" */\n", out);
    }
    bans_note_print(&curves->bans, "left out", "DO NOT USE", out);
    bans_note_print(&curves->failed, "left out from that n on where another was timed", "OpenCL error", out);
    for (size_t b = 1; b < advice->bands_n; b++)
        if (advice->bands[b].edge.is_wide)
            fprintf(out, "    /* from n = %llu to %llu the two strategies that meet are within %.1f %% */\n",
                    (unsigned long long)advice->bands[b].edge.low,
                    (unsigned long long)advice->bands[b].edge.high, 100 * advice->bands[b].edge.apart);
    if (advice->openmp.times > 0)
        fprintf(out, "    /* OpenMP on the host is faster %s, of an array in the host's memory */\n",
                red_openmp_where(&advice->openmp).text);
}

/* Writes the advice's rules as rows of the C header's table. */
static enum red_status rules_print(const struct red_advice *advice, FILE *out, struct red_error *error) {
    const struct red_device_info *device = red_advice_device(advice);
    struct red_rule *rules = NULL;
    size_t rules_n = 0;
    enum red_status status = red_rules_make(advice, &rules, &rules_n, error);
    if (rules_n > 0) {
        fputs("    /* ", out);
        comment_print(out, device->name);
        fputs(", driver ", out);
        comment_print(out, device->driver);
        if (advice->curves.query->at.bins_n > 0)
            fprintf(out, ", %u bins", advice->curves.query->at.bins_n);
        if (red_at_has_data(&advice->curves.query->at))
            fprintf(out, ", %s data", red_query_is_of_slowest(advice->curves.query) ? "slowest" : "uniform");
        fputs(" */\n", out);
        notes_print(advice, out);
    }
    for (size_t i = 0; i < rules_n; i++) {
        fputs("    {", out);
        literal_print(out, device->id);
        fprintf(out, ", \"%s\", \"%s\", UINT64_C(%llu), ", advice->curves.query->at.op->name,
                advice->curves.query->at.dtype->name, (unsigned long long)rules[i].n_from);
        literal_print(out, rules[i].strategy->name);
        fprintf(out, ", %zu, UINT64_C(%llu), %u, %u, %u},\n", rules[i].group_size,
                (unsigned long long)rules[i].groups_n, rules[i].per_item, rules[i].width, rules[i].loads);
    }
    free(rules);
    return status;
}

static const char head[] =
    "#ifndef CLREDUCE_RULES_H\n"
    "#define CLREDUCE_RULES_H\n"
    "\n"
    "#include <stddef.h>\n"
    "#include <stdint.h>\n"
    "#include <string.h>\n"
    "\n"
    "struct clreduce_rule {\n"
    "    const char *device, *op, *type; /* as clreduce names them */\n"
    "    uint64_t n_from;                /* the rule holds from this n up to that of the next */\n"
    "    const char *strategy;           /* clreduce strategies --source NAME shows its text */\n"
    "    size_t group_size;              /* work-items per work-group */\n"
    "    uint64_t groups;                /* work-groups; 0: as many as n takes with per_item elements each "
    "*/\n"
    "    unsigned per_item;              /* elements of a work-item where groups is 0, otherwise 0 */\n"
    "    unsigned width, loads;          /* RED_WIDTH, RED_LOADS: vectors and how many in flight; 0: none "
    "*/\n"
    "};\n"
    "\n"
    "static const struct clreduce_rule clreduce_rules[] = {\n";

static const char tail[] =
    "};\n"
    "\n"
    "/* The rule for n elements; NULL for a device, operation or type that nothing is known of. */\n"
    "static inline const struct clreduce_rule *clreduce_rule_find(const char *device, const char *op,\n"
    "                                                             const char *type, uint64_t n) {\n"
    "    const struct clreduce_rule *found = NULL;\n"
    "    for (size_t i = 0; i < sizeof clreduce_rules / sizeof clreduce_rules[0]; i++) {\n"
    "        const struct clreduce_rule *rule = &clreduce_rules[i];\n"
    "        if (rule->n_from <= n && strcmp(rule->device, device) == 0 && strcmp(rule->op, op) == 0 &&\n"
    "            strcmp(rule->type, type) == 0)\n"
    "            found = rule;\n"
    "    }\n"
    "    return found;\n"
    "}\n"
    "\n"
    "#endif\n";

/* Whether the advice comes into the header: its rules are about the n of one array. */
static bool has_rules(const struct red_advice *advice) {
    return advice->curves.query->shape.kind == RED_SHAPE_ARRAY;
}

/* Whether there are rules of one histogram in several numbers of bins, among which no rule chooses. */
static bool has_rules_of_several_bins(const struct red_recommendation *all) {
    for (size_t i = 0; i < all->advice_n; i++)
        for (size_t j = 0; j < i; j++) {
            const struct red_query *a = all->advice[i].curves.query, *b = all->advice[j].curves.query;
            if (red_at_difference(&a->at, &b->at, RED_AT_TABLE) == RED_AT(BINS))
                return true;
        }
    return false;
}

/* Whether two rules would answer for one device, operation and type: those of another machine or driver. */
static bool has_rules_twice(const struct red_recommendation *all, const char **device) {
    for (size_t i = 0; i < all->advice_n; i++)
        for (size_t j = 0; j < i; j++) {
            const struct red_advice *a = &all->advice[i], *b = &all->advice[j];
            *device = red_advice_device(a)->id;
            if (has_rules(a) && has_rules(b) && a->bands_n > 0 && b->bands_n > 0 &&
                strcmp(*device, red_advice_device(b)->id) == 0 &&
                red_at_is_same(&a->curves.query->at, &b->curves.query->at, RED_AT(OP) | RED_AT(TYPE)))
                return true;
        }
    return false;
}

enum red_status red_recommendation_c_header_print(const struct red_recommendation *all, FILE *out,
                                                  struct red_error *error) {
    enum red_status status = RED_OK;
    const char *device = "";
    bool any = false;
    for (size_t i = 0; i < all->advice_n; i++)
        any = any || (all->advice[i].bands_n > 0 && has_rules(&all->advice[i]));
    if (!any)
        return red_fail(error, RED_E_INPUT, "there are no rules: no strategy was timed on one array");
    if (has_rules_of_several_bins(all))
        return red_fail(error, RED_E_INPUT,
                        "the files have histograms in several numbers of bins; add --bins");
    if (has_rules_twice(all, &device))
        return red_fail(error, RED_E_INPUT,
                        "the files have %s of several machines or drivers, among which no rule chooses; name "
                        "the files of one of them",
                        device);
    fputs("/* Which strategy reduces fastest, as clreduce recommend found it in ", out);
    for (size_t i = 0; i < all->loaded.results_n + all->loaded.checks_n; i++) {
        fputs(i > 0 ? ", " : "", out);
        comment_print(out, file_path(all, i));
    }
    fputs(". Rules of a device, operation and type stand together, by n. */\n", out);
    fputs(head, out);
    for (size_t i = 0; i < all->advice_n && status == RED_OK; i++)
        if (has_rules(&all->advice[i]))
            status = rules_print(&all->advice[i], out, error);
    fputs(tail, out);
    return status;
}
