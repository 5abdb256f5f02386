/* `compare --drivers`: a table of what the devices differ in, one of how cells ended, one of times, or the
 * times and states as CSV or JSON; of files of `verify` how the checks of each strategy ended on each device,
 * and which checks are not right on one of them. cli/cmd_compare.c loads the files that the user named, and
 * hands in the comparison, whose sides are the devices in them. */
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compare/compare.h"
#include "console/console_table.h"
#include "core/memory.h"
#include "core/select.h"
#include "core/text.h"
#include "model/primitive.h"
#include "results/again.h"
#include "results/steadiness.h"

/* ---- files of `verify`: the same check on all sides ------------------------------------------------------
 * A key is what a check is of, whatever the device. */

/* A strategy, and its primitive as a file has it: kernels of two primitives may have one name. */
struct named_strategy {
    const char *primitive, *name;
};

/* A check that some side lists, with the side. */
struct listed_check {
    const struct red_verify_check *check;
    struct named_strategy strategy;
    size_t side;
};

/* All checks that the sides list, those of a key together. */
struct listed_checks {
    struct listed_check *all; /* owned */
    size_t n;
};

/* The order of what has rows of its own on the screen: strategies, operations, types, shapes and bins. */
static int form_order(const struct listed_check *left, const struct listed_check *right) {
    const struct red_verify_check *a = left->check, *b = right->check;
    int order = strcmp(left->strategy.primitive, right->strategy.primitive);
    order = order ? order : red_at_compare(&a->at, &b->at, RED_AT(STRATEGY));
    return order ? order : red_at_compare(&a->at, &b->at, RED_AT_QUERY & ~RED_AT(DATA));
}

/* How many lengths the check reduces: 0 in a file is 1. */
static unsigned prefixes_of(const struct red_verify_check *check) {
    return check->prefixes_n > 1 ? check->prefixes_n : 1;
}

/* The order of keys; 0: the same key. */
static int check_order(const struct listed_check *left, const struct listed_check *right) {
    const struct red_verify_check *a = left->check, *b = right->check;
    int order = form_order(left, right);
    order = order ? order : red_at_compare(&a->at, &b->at, RED_AT(N));
    order = order ? order : (a->segments_n > b->segments_n) - (a->segments_n < b->segments_n);
    order = order ? order : red_at_compare(&a->at, &b->at, RED_AT(ASKED));
    order =
        order ? order : red_at_compare(&a->at, &b->at, RED_AT_ALL & ~RED_AT(DEVICE)); /* the data are left */
    return order ? order : (prefixes_of(a) > prefixes_of(b)) - (prefixes_of(a) < prefixes_of(b));
}

/* For qsort: by key, then by side. */
static int by_key_and_side(const void *left, const void *right) {
    const struct listed_check *a = left, *b = right;
    const int order = check_order(a, b);
    return order ? order : (a->side > b->side) - (a->side < b->side);
}

/* The primitive of a side's file; "" of reductions. */
static const char *primitive_of(const struct red_side *side) {
    return side->result->run.primitive;
}

/* Lists the checks of all sides. Errors: RED_E_MEMORY. */
static enum red_status list_checks(const struct red_comparison *comparison, struct listed_checks *listed,
                                   struct red_error *error) {
    size_t room = 0;
    for (size_t s = 0; s < comparison->sides_n; s++)
        room += comparison->sides[s].verified->checks_n;
    *listed = (struct listed_checks){.all = calloc(room + 1, sizeof *listed->all)};
    if (listed->all == NULL)
        return red_fail(error, RED_E_MEMORY, "no memory to compare %zu checks", room);
    for (size_t s = 0; s < comparison->sides_n; s++)
        for (size_t i = 0; i < comparison->sides[s].verified->checks_n; i++) {
            const struct red_verify_check *check = &comparison->sides[s].verified->checks[i];
            listed->all[listed->n++] = (struct listed_check){
                check, {primitive_of(&comparison->sides[s]), check->at.strategy->name}, s};
        }
    qsort(listed->all, listed->n, sizeof *listed->all, by_key_and_side);
    return RED_OK;
}

/* Sets what each side lists of the key that begins at `at` (NULL: nothing; of several the worst); gives where
 * the next one begins. */
static size_t take_key(const struct listed_checks *listed, size_t at,
                       const struct red_verify_check *of_sides[RED_SIDES_MAX]) {
    const struct listed_check *first = &listed->all[at];
    memset(of_sides, 0, RED_SIDES_MAX * sizeof *of_sides);
    for (; at < listed->n && check_order(&listed->all[at], first) == 0; at++) {
        const struct red_verify_check *check = listed->all[at].check, **of = &of_sides[listed->all[at].side];
        if (*of == NULL || red_state_is_worse(check->state, (*of)->state))
            *of = check;
    }
    return at;
}

/* How the checks of that strategy ended on the side; NULL where its file does not have it. */
static const struct red_verify_strategy *strategy_of_side(const struct red_side *side,
                                                          struct named_strategy strategy) {
    if (strcmp(primitive_of(side), strategy.primitive) != 0)
        return NULL;
    for (size_t s = 0; s < side->verified->strategies_n; s++)
        if (strcmp(side->verified->strategies[s].strategy->name, strategy.name) == 0)
            return &side->verified->strategies[s];
    return NULL;
}

/* What tables call the strategy: with its primitive where the sides are of several. */
static struct red_short_text strategy_text(const struct red_comparison *comparison,
                                           struct named_strategy strategy) {
    struct red_short_text made;
    bool is_told = false;
    for (size_t s = 0; s < comparison->sides_n; s++)
        is_told = is_told || strcmp(primitive_of(&comparison->sides[s]), strategy.primitive) != 0;
    snprintf(made.text, sizeof made.text, is_told ? "%.64s (%.16s)" : "%.64s", strategy.name,
             strategy.primitive[0] ? strategy.primitive : red_primitive_names[RED_PRIMITIVE_DEFAULT]);
    return made;
}

/* How the check ended on the side. A file lists what is not right: what it does not list was right, or not
 * made; "all right" is the strategy there. */
static const char *word_of_side(const struct red_side *side, const struct red_verify_check *listed,
                                struct named_strategy strategy) {
    if (listed != NULL)
        return red_state_name(listed->state);
    const struct red_verify_strategy *of = strategy_of_side(side, strategy);
    return of == NULL                                    ? "-"
           : of->planned_n == 0                          ? "cannot run"
           : of->counts[RED_STATE_PASS] == of->planned_n ? "all right"
                                                         : "not listed";
}

/* ---- how the checks ended ------------------------------------------------------------------------------ */

/* Adds "52 right" or "31 right, 21 wrong" to the row of a strategy. */
static void counts_put(const struct red_verify_strategy *of, struct red_table *table) {
    char text[160] = "cannot run";
    if (of != NULL && of->planned_n > 0)
        snprintf(text, sizeof text, "%" PRIu64 " right", of->counts[RED_STATE_PASS]);
    for (int state = 0; of != NULL && of->planned_n > 0 && state < RED_STATES_N; state++)
        if (state != RED_STATE_PASS && state != RED_STATE_UNSUPPORTED && of->counts[state] > 0)
            red_text_add(text, sizeof text, ", %" PRIu64 " %s", of->counts[state],
                         red_state_name((enum red_state)state));
    if (of != NULL && of->planned_n > 0 && red_verify_strategy_reason(of, 0) != NULL)
        red_text_add(text, sizeof text, ", cannot run in part");
    red_table_put(table, "%s", of != NULL ? text : "-");
}

/* Whether the side's file has that reason why the strategy cannot run. */
static bool has_reason(const struct red_verify_strategy *of, const char *reason) {
    const char *own;
    for (size_t i = 0; (own = red_verify_strategy_reason(of, i)) != NULL; i++)
        if (strcmp(own, reason) == 0)
            return true;
    return false;
}

/* Whether all sides have that reason, so that it tells no difference. */
static bool is_reason_of_all(const struct red_comparison *comparison, struct named_strategy strategy,
                             const char *reason) {
    for (size_t s = 0; s < comparison->sides_n; s++) {
        const struct red_verify_strategy *of = strategy_of_side(&comparison->sides[s], strategy);
        if (of == NULL || !has_reason(of, reason))
            return false;
    }
    return true;
}

/* The first reason of a side from the i-th on that not all sides have, with its place in *i; NULL: none. */
static const char *next_own_reason(const struct red_comparison *comparison, struct named_strategy strategy,
                                   const struct red_verify_strategy *of, size_t *i) {
    const char *reason;
    while ((reason = red_verify_strategy_reason(of, *i)) != NULL &&
           is_reason_of_all(comparison, strategy, reason))
        ++*i;
    return reason;
}

/* Whether all checks of the strategy were made and are right on every side, and what cannot run is the same.
 */
static bool is_right_on_all(const struct red_comparison *comparison, struct named_strategy strategy) {
    for (size_t s = 0; s < comparison->sides_n; s++) {
        const struct red_verify_strategy *of = strategy_of_side(&comparison->sides[s], strategy);
        size_t i = 0;
        if (of == NULL || of->planned_n == 0 || of->counts[RED_STATE_PASS] != of->planned_n ||
            next_own_reason(comparison, strategy, of, &i) != NULL)
            return false;
    }
    return true;
}

/* Whether a side before side s has the strategy: then its row is there. */
static bool earlier_side_has(const struct red_comparison *comparison, size_t s,
                             struct named_strategy strategy) {
    for (size_t before = 0; before < s; before++)
        if (strategy_of_side(&comparison->sides[before], strategy) != NULL)
            return true;
    return false;
}

/* Adds something of a strategy to the table. */
typedef void strategy_visitor(const struct red_comparison *comparison, struct named_strategy strategy,
                              struct red_table *table);

/* Calls `visit` for each strategy that any side has, in the order of the sides' files, and counts them. */
static size_t visit_strategies(const struct red_comparison *comparison, strategy_visitor *visit,
                               struct red_table *table) {
    size_t n = 0;
    for (size_t s = 0; s < comparison->sides_n; s++) {
        const struct red_verify_device *verified = comparison->sides[s].verified;
        for (size_t i = 0; i < verified->strategies_n; i++) {
            const struct named_strategy strategy = {primitive_of(&comparison->sides[s]),
                                                    verified->strategies[i].strategy->name};
            if (earlier_side_has(comparison, s, strategy))
                continue;
            visit(comparison, strategy, table);
            n++;
        }
    }
    return n;
}

/* Adds the row of a strategy that is not right on all sides. */
static void add_counts_row(const struct red_comparison *comparison, struct named_strategy strategy,
                           struct red_table *table) {
    if (is_right_on_all(comparison, strategy))
        return;
    red_table_put(table, "%s", strategy_text(comparison, strategy).text);
    for (size_t s = 0; s < comparison->sides_n; s++)
        counts_put(strategy_of_side(&comparison->sides[s], strategy), table);
}

/* Prints these rows, and counts the other strategies. */
static void print_counts(const struct red_comparison *comparison, FILE *out) {
    struct red_table *table = red_table_create("strategy");
    red_side_columns_add(comparison, table);
    const size_t n = visit_strategies(comparison, add_counts_row, table);
    red_table_print_below(table, "How the checks of each strategy ended (- = not asked):", NULL, out);
    fprintf(out, "\nRight on all of them: %zu of %zu strategies.\n", n - red_table_rows_n(table), n);
    red_table_destroy(table);
}

/* Adds why the strategy cannot run on any side, where nothing of it can run on one of them: otherwise what is
 * so on all of them tells no difference. */
static void add_common_reason_rows(const struct red_comparison *comparison, struct named_strategy strategy,
                                   struct red_table *table) {
    const struct red_verify_strategy *unable = NULL;
    for (size_t s = 0; s < comparison->sides_n && unable == NULL; s++) {
        const struct red_verify_strategy *of = strategy_of_side(&comparison->sides[s], strategy);
        unable = of != NULL && of->planned_n == 0 ? of : NULL;
    }
    const char *reason;
    for (size_t i = 0; unable != NULL && (reason = red_verify_strategy_reason(unable, i)) != NULL; i++)
        if (is_reason_of_all(comparison, strategy, reason))
            RED_PUT(table, strategy_text(comparison, strategy).text, "all", reason);
}

/* Adds why the strategy cannot run on a side, or cannot in part, where that is not so on all of them, and
 * beside it which sides were not asked. */
static void add_reason_rows(const struct red_comparison *comparison, struct named_strategy strategy,
                            struct red_table *table) {
    const struct red_short_text name = strategy_text(comparison, strategy);
    bool is_told = false;
    add_common_reason_rows(comparison, strategy, table);
    for (size_t s = 0; s < comparison->sides_n; s++) {
        const struct red_verify_strategy *of = strategy_of_side(&comparison->sides[s], strategy);
        size_t i = 0;
        is_told = is_told || (of != NULL && next_own_reason(comparison, strategy, of, &i) != NULL);
    }
    for (size_t s = 0; s < comparison->sides_n && is_told; s++) {
        const struct red_side *side = &comparison->sides[s];
        const struct red_verify_strategy *of = strategy_of_side(side, strategy);
        const char *reason, *id = side->result->run.devices[side->device].info.id;
        if (of == NULL)
            RED_PUT(table, name.text, side->label);
        if (of == NULL && red_again_is_device(id) && red_again_is_strategy(strategy.name))
            red_table_put(table, "not asked; clreduce verify%s --device %s --strategy %s asks",
                          red_again_primitive_words(strategy.primitive), id, strategy.name);
        else if (of == NULL)
            red_table_put(table, "not asked; no command: %s of %s is not valid",
                          red_again_is_device(id) ? "strategy" : "device", side->result->path);
        for (size_t i = 0; of != NULL && (reason = next_own_reason(comparison, strategy, of, &i)) != NULL;
             i++)
            RED_PUT(table, name.text, side->label, reason);
    }
}

/* Prints these rows of all strategies. */
static void print_reasons(const struct red_comparison *comparison, FILE *out) {
    struct red_table *table = red_table_create("strategy|on|cannot run");
    (void)visit_strategies(comparison, add_reason_rows, table);
    red_table_print_below(table, "What cannot run, and why:", NULL, out);
    red_table_destroy(table);
}

/* ---- checks that are not right somewhere --------------------------------------------------------------- */

/* Checks of one form (form_order) that ended alike on each side: a row of the screen. */
struct check_group {
    const struct listed_check *first;
    const char *words[RED_SIDES_MAX];
    uint64_t n_min, n_max;
    size_t n;
};
enum { GROUPS_MAX = 64 }; /* of one form; the last takes what is left */

/* Adds a key to the group that ended as it did. */
static void add_to_group(struct check_group *groups, size_t *groups_n, const struct check_group *key,
                         size_t sides_n) {
    size_t g = 0;
    while (g < *groups_n && memcmp(groups[g].words, key->words, sides_n * sizeof *key->words) != 0)
        g++;
    if (g == *groups_n && g < GROUPS_MAX) {
        groups[(*groups_n)++] = *key;
        return;
    }
    struct check_group *group = &groups[g < GROUPS_MAX ? g : GROUPS_MAX - 1];
    group->n_min = key->n_min < group->n_min ? key->n_min : group->n_min;
    group->n_max = key->n_max > group->n_max ? key->n_max : group->n_max;
    group->n++;
}

/* Adds the row of checks that ended alike. */
static void add_group_row(const struct red_comparison *comparison, const struct check_group *group,
                          struct red_table *table) {
    const struct red_verify_check *first = group->first->check;
    char told[192] = "", asked[96], bins[24] = "";
    red_table_put(table, "%s", strategy_text(comparison, group->first->strategy).text);
    if (first->at.bins_n > 0)
        snprintf(bins, sizeof bins, ", %u bins", first->at.bins_n);
    red_table_put(table, red_at_shape_kind(&first->at) == RED_SHAPE_ARRAY ? "%s %s%.0s%s" : "%s %s %s%s",
                  first->at.op->name, first->at.dtype->name, first->at.shape, bins);
    red_table_put(table, "%zu", group->n);
    red_table_put(table, group->n_min < group->n_max ? "%s..%s" : "%s", red_size_text(group->n_min).text,
                  red_size_text(group->n_max).text);
    red_table_put_texts(table, group->words, comparison->sides_n);
    red_tuning_format(&first->at.asked,
                      (struct red_tuning_words){", --wg %s", ", --groups %s", ", --lanes %s"}, asked,
                      sizeof asked);
    red_text_add(told, sizeof told, "n = %" PRIu64, first->at.n);
    if (first->segments_n > 1)
        red_text_add(told, sizeof told, ", %" PRIu64 " segments", first->segments_n);
    red_text_add(told, sizeof told, "%s", asked);
    if (prefixes_of(first) > 1)
        red_text_add(told, sizeof told, ", %u prefixes", prefixes_of(first));
    const char *words = red_data_words(first->at.data);
    red_table_put(table, words[0] ? "%s, data set '%s' (%s)" : "%s, data set '%s'", told, first->at.data,
                  words);
}

/* Prints the checks that are not right on some side, those that ended alike in one row. */
static void print_checks(const struct red_comparison *comparison, const struct listed_checks *listed,
                         FILE *out) {
    struct red_table *table = red_table_create("strategy|op type|checks>|n");
    struct check_group groups[GROUPS_MAX];
    size_t groups_n = 0;
    red_side_columns_add(comparison, table);
    red_table_add_columns(table, "the first");
    for (size_t at = 0; at < listed->n;) {
        const struct red_verify_check *of_sides[RED_SIDES_MAX];
        const struct listed_check *first = &listed->all[at];
        struct check_group key = {
            .first = first, .n_min = first->check->at.n, .n_max = first->check->at.n, .n = 1};
        at = take_key(listed, at, of_sides);
        for (size_t s = 0; s < comparison->sides_n; s++)
            key.words[s] = word_of_side(&comparison->sides[s], of_sides[s], first->strategy);
        add_to_group(groups, &groups_n, &key, comparison->sides_n);
        if (at < listed->n && form_order(&listed->all[at], first) == 0)
            continue;
        for (size_t g = 0; g < groups_n; g++)
            add_group_row(comparison, &groups[g], table);
        groups_n = 0;
    }
    red_table_print_below(table,
                          "Checks that are not right on each of them (not listed = right there, or not made; "
                          "--format csv has each):",
                          NULL, out);
    red_table_destroy(table);
}

/* Says where sides differ in their seed: then they were given other data. */
static void print_if_seeds_differ(const struct red_comparison *comparison, FILE *out) {
    const uint64_t seed = comparison->sides[0].result->run.seed;
    for (size_t s = 1; s < comparison->sides_n; s++)
        if (comparison->sides[s].result->run.seed != seed)
            fprintf(out,
                    "%s was verified with seed %" PRIu64 ", A with %" PRIu64 ": other data, and other n.\n",
                    comparison->sides[s].label, comparison->sides[s].result->run.seed, seed);
}

/* Called for --format table. */
static enum red_status show_checks(const struct red_comparison *comparison, FILE *out,
                                   struct red_error *error) {
    struct listed_checks listed;
    print_if_seeds_differ(comparison, out);
    enum red_status status = list_checks(comparison, &listed, error);
    if (status != RED_OK)
        return status;
    print_counts(comparison, out);
    print_reasons(comparison, out);
    print_checks(comparison, &listed, out);
    free(listed.all);
    return RED_OK;
}

/* ---- checks as CSV and JSON ---------------------------------------------------------------------------- */

/* Adds the row of a side for a key: what it lists of it (NULL: nothing). Values are texts, since numbers of
 * JSON do not keep 64 bits. */
static void add_data_row(const struct red_side *side, const struct listed_check *listed,
                         const struct red_verify_check *of, struct red_table *table) {
    const struct red_verify_check *key = listed->check;
    const struct red_device_info *info = &side->result->run.devices[side->device].info;
    const struct red_evidence *evidence = of != NULL ? &of->evidence : &(struct red_evidence){.run = ""};
    const bool has_place = evidence->has_place && evidence->fault != RED_FAULT_NONE;
    RED_PUT(table, key->at.strategy->name, key->at.op->name, key->at.dtype->name, key->at.shape);
    red_table_put(table, "%.0u", key->at.bins_n);
    red_table_put(table, "%" PRIu64, key->at.n);
    red_table_put(table, "%" PRIu64, key->segments_n);
    red_table_put(table, "%u", prefixes_of(key));
    RED_PUT(table, red_axis_text(&key->at, RED_AXIS_ASKED).text, key->at.data, side->label, info->id,
            info->driver, side->result->machine, side->result->path, word_of_side(side, of, listed->strategy),
            evidence->expected.value);
    red_table_put(table, has_place ? "%" PRIu64 : "", evidence->expected.place);
    red_table_put(table, "%s", evidence->got.value);
    red_table_put(table, has_place ? "%" PRIu64 : "", evidence->got.place);
    RED_PUT(table, evidence->low, evidence->high, of != NULL && of->reason ? of->reason : "",
            of != NULL && of->again ? of->again : "");
}

/* Adds a row for each side of each key, unless it was among the sides before. */
static void add_side_rows(const struct red_comparison *comparison, const struct listed_checks *listed,
                          struct red_table *table) {
    for (size_t at = 0; at < listed->n;) {
        const struct red_verify_check *of_sides[RED_SIDES_MAX];
        const struct listed_check *key = &listed->all[at];
        at = take_key(listed, at, of_sides);
        for (size_t s = comparison->again_n; s < comparison->sides_n; s++)
            add_data_row(&comparison->sides[s], key, of_sides[s], table);
    }
}

/* Called for --format csv and json: a row for each side of each check that is not right on one of them; of
 * many devices, as for the tables, of so many at a time. */
static enum red_status write_checks(const struct red_comparison *comparison, struct red_error *error) {
    struct red_comparison part = *comparison;
    struct red_table *table =
        red_table_create("strategy|op|type|shape|bins>|n>|segments>|prefixes>|asked|data|side|device|driver|"
                         "machine|file|state|"
                         "expected|expected_place>|got|got_place>|low|high|reason|again");
    enum red_status status;
    do {
        struct listed_checks listed;
        status = list_checks(&part, &listed, error);
        if (status == RED_OK)
            add_side_rows(&part, &listed, table);
        free(listed.all);
    } while (status == RED_OK && red_comparison_next_sides(&part));
    if (status == RED_OK)
        status = red_table_write(table, comparison->output->format, comparison->output->path, error);
    red_table_destroy(table);
    return status;
}

/* The device of a side. */
static const struct red_run_device *device_of(const struct red_side *side) {
    return &side->result->run.devices[side->device];
}

/* Times may be compared within one run, with their interval; between runs of one machine without it. */
enum relation { ONE_RUN, OTHER_RUN, OTHER_MACHINE };
static const char *const relation_names[] = {
    [ONE_RUN] = "one run", [OTHER_RUN] = "another run", [OTHER_MACHINE] = "different machine"};

/* How a side stands to A, the first one: the column `against_a` of CSV and JSON, "against A: ...". */
static enum relation relation_to_a(const struct red_comparison *comparison, const struct red_side *side) {
    const struct red_result *a = comparison->sides[0].result;
    if (a == side->result)
        return ONE_RUN;
    return strcmp(a->machine, side->result->machine) == 0 ? OTHER_RUN : OTHER_MACHINE;
}

/* ---- cells as CSV and JSON ----------------------------------------------------------------------------- */

/* Adds to the CSV or JSON of compare --drivers a row for each side that was asked the key. */
static void add_data_rows(const struct red_comparison *comparison, const struct red_key *key,
                          struct red_table *table) {
    const struct red_cell *a = key->sides[0].timed;
    for (size_t s = 0; s < comparison->sides_n; s++) {
        const struct red_side *side = &comparison->sides[s];
        const struct red_cell *timed = key->sides[s].timed;
        const enum relation relation = relation_to_a(comparison, side);
        struct red_ratio ratio = {.value = 0};
        size_t known_n = 0; /* figures of the ratio */
        if (key->sides[s].n == 0 || s < comparison->again_n)
            continue;
        if (timed != NULL && s > 0 && a != NULL && !timed->time.is_incomparable && !a->time.is_incomparable &&
            !red_cell_is_incomplete(timed) && !red_cell_is_incomplete(a)) {
            ratio = red_ratio_of(a, timed);
            known_n = relation == ONE_RUN ? 3 : relation == OTHER_RUN ? 1 : 0;
        }
        red_comparison_put_axes(comparison, key->cell, table);
        RED_PUT(table, side->label, device_of(side)->info.id, device_of(side)->info.driver,
                side->result->machine, side->result->path, red_state_name(key->sides[s].state));
        red_figures_data_put(RED_IN_DRIVERS, timed, table);
        red_interval_data_put(ratio.value, ratio.low, ratio.high, known_n, table);
        red_table_put(table, "%s", s > 0 ? relation_names[relation] : "");
    }
}

enum red_status red_drivers_write(const struct red_comparison *comparison, struct red_error *error) {
    char behind[512] = "side|device|driver|machine|file|state|";
    if (comparison->loaded.checks_n > 0)
        return write_checks(comparison, error);
    red_figure_columns_format(RED_IN_DRIVERS, "", behind, sizeof behind);
    red_text_add(behind, sizeof behind, "ratio>|ratio_low>|ratio_high>|against_a");
    return red_key_table_write(comparison, "", behind, add_data_rows, error);
}

/* ---- the tables ---------------------------------------------------------------------------------------- */

/* Prints what each letter of compare --drivers stands for: "A = intel: Intel(R) ..., driver ...". */
static void print_sides(const struct red_comparison *comparison, FILE *out) {
    for (size_t s = 0; s < comparison->sides_n; s++) {
        const struct red_side *side = &comparison->sides[s];
        const struct red_run_device *device = device_of(side);
        char text[1024];
        snprintf(text, sizeof text, "%s = %s: %s%s%s, driver %s; %s, %s; on %s%s%s", side->label,
                 device->info.id, device->info.name, device->info.platform[0] != '\0' ? ", " : "",
                 device->info.platform, device->info.driver, side->result->path, side->result->run.started,
                 side->result->machine, s > 0 ? "; against A: " : "",
                 s > 0 ? relation_names[relation_to_a(comparison, side)] : "");
        red_wrapped_print(out, "", text);
    }
}

/* Prints first which sides' times cannot be compared, and why. */
static void print_incomparable(const struct red_comparison *comparison, FILE *out) {
    for (size_t s = 0; s < comparison->sides_n; s++) {
        const struct red_side *side = &comparison->sides[s];
        char sentence[512], text[640];
        red_steadiness_sentence_format(&side->result->run, side->device, sentence, sizeof sentence);
        snprintf(text, sizeof text, "%s (%.64s): %s", side->label, device_of(side)->info.id, sentence);
        if (sentence[0] != '\0')
            red_wrapped_print(out, "", text);
    }
}

/* In place of the name of a capability: the device's event times. */
static const char event_times[] = "event times";

const char *red_capability_word(const struct red_run_device *device, const char *name) {
    if (name == event_times)
        return !device->event_clock.checked ? "?" : device->event_clock.trusted ? "trusted" : "untrusted";
    for (size_t i = 0; i < device->found_n; i++) {
        const struct red_run_capability *found = &device->found[i];
        const struct red_capability capability = {
            .advertised = found->advertised, .builds = found->builds, .behaves = found->behaves};
        if (strcmp(found->name, name) == 0 && strcmp(red_capability_brief(&capability), "?") == 0)
            return "not known";
        if (strcmp(found->name, name) == 0)
            return (found->behaves == RED_YES || found->behaves == RED_PARTLY) && found->words[0] != '\0' &&
                           strcmp(found->words, "any") != 0
                       ? found->words
                       : red_capability_brief(&capability);
    }
    return "?";
}

/* Adds a row with the word of each side for a capability, or for event times, unless all that are known are
 * the same. */
static void add_row_if_different(const struct red_comparison *comparison, const char *name,
                                 struct red_table *table) {
    const char *row[1 + RED_SIDES_MAX] = {name}, *known = NULL;
    bool differ = false;
    for (size_t s = 0; s < comparison->sides_n; s++) {
        const char *word = row[1 + s] = red_capability_word(device_of(&comparison->sides[s]), name);
        if (strcmp(word, "?") == 0)
            continue;
        differ = differ || (known != NULL && strcmp(word, known) != 0);
        known = word;
    }
    red_table_put_texts(table, row, differ ? 1 + comparison->sides_n : 0);
}

/* Whether the file of a side before side s tells of the capability: then it was compared there. */
static bool earlier_side_tells(const struct red_comparison *comparison, size_t s, const char *name) {
    for (size_t before = 0; before < s; before++)
        if (strcmp(red_capability_word(device_of(&comparison->sides[before]), name), "?") != 0)
            return true;
    return false;
}

/* Prints the table "What they can do differently", or that they can do the same. */
static void print_capability_differences(const struct red_comparison *comparison, FILE *out) {
    struct red_table *table = red_table_create("capability");
    red_side_columns_add(comparison, table);
    for (size_t s = 0; s < comparison->sides_n; s++) {
        const struct red_run_device *device = device_of(&comparison->sides[s]);
        for (size_t i = 0; i < device->found_n; i++)
            if (!earlier_side_tells(comparison, s, device->found[i].name))
                add_row_if_different(comparison, device->found[i].name, table);
    }
    add_row_if_different(comparison, event_times, table);
    red_table_print_below(table, "What they can do differently (? = the file does not tell):",
                          "The files record no difference in capabilities.", out);
    red_table_destroy(table);
}

/* Whether compare --drivers shows the key under "What does not run right on all of them". */
static bool has_state_row(const struct red_key *key) {
    enum red_state first = RED_STATE_PENDING;
    bool counts = false;
    for (size_t s = 0; s < key->sides_n; s++) {
        enum red_state state = key->sides[s].state;
        first = first == RED_STATE_PENDING ? state : first;
        counts = counts || red_state_is_fault(state) || (state != RED_STATE_PENDING && state != first);
    }
    return counts;
}

/* The column "B : A" of times: "1.20 (1.10-1.31)", or why there is no interval or no ratio. */
static void ratio_put(enum relation relation, const struct red_cell *a, const struct red_cell *b,
                      struct red_table *table) {
    const struct red_ratio ratio = red_ratio_of(a, b);
    if (red_cell_is_incomplete(a) || red_cell_is_incomplete(b))
        red_table_put(table, RED_INCOMPLETE_WORDS);
    else if (relation == OTHER_MACHINE)
        red_table_put(table, "different machine");
    else if (relation == OTHER_RUN)
        red_table_put(table, "%.2f in another run", ratio.value);
    else if (a->time.is_incomparable || b->time.is_incomparable)
        red_table_put(table, "%.2f ?", ratio.value);
    else
        red_table_put(table, "%.2f (%.2f-%.2f)%s", ratio.value, ratio.low, ratio.high,
                      ratio.low <= 1 && ratio.high >= 1 ? " ~" : "");
}

/* Adds a row to the table "Time to answer" unless fewer than two sides have one. */
static void add_times_row(const struct red_comparison *comparison, const struct red_key *key,
                          struct red_table *table) {
    const struct red_cell *a = key->sides[0].timed, *cells[RED_SIDES_MAX];
    size_t timed_n = 0;
    for (size_t s = 0; s < comparison->sides_n; s++)
        timed_n += (cells[s] = key->sides[s].timed) != NULL;
    if (timed_n < 2)
        return;
    RED_PUT(table, red_key_strategy(comparison, key->cell).text, red_key_op_type_n(key->cell).text);
    for (size_t s = 0; s < comparison->sides_n; s++) {
        const struct red_cell *cell = key->sides[s].timed;
        red_table_put(table, "%s", cell != NULL ? red_number_text(1e6 * cell->time.median).text : "-");
        if (s > 0 && cell != NULL && a != NULL)
            ratio_put(relation_to_a(comparison, &comparison->sides[s]), a, cell, table);
        else if (s > 0)
            red_table_put(table, "-");
    }
    red_figures_below_put(comparison, cells, table);
}

/* Whether the side has a kernel that was never checked at some level. */
static bool has_incomplete_kernel(const struct red_side *side) {
    const struct red_run *run = &side->result->run;
    for (size_t i = 0; i < run->cells_n; i++)
        if (run->cells[i].device == side->device && red_cell_is_incomplete(&run->cells[i]))
            return true;
    return false;
}

/* Prints the table "Time to answer". */
static void print_times(const struct red_comparison *comparison, FILE *out) {
    struct red_table *table = red_table_create("strategy|op type n");
    for (size_t s = 0; s < comparison->sides_n; s++) {
        char name[16];
        snprintf(name, sizeof name, "%s us", comparison->sides[s].label);
        red_table_add_column(table, name, true, 0);
        snprintf(name, sizeof name, "%s : A", comparison->sides[s].label);
        if (s > 0)
            red_table_add_column(table, name, false, 0);
    }
    red_table_add_columns(table, "figures!");
    red_key_table_fill(comparison, add_times_row, table);
    red_table_print_below(table,
                          "Time to answer (median), and how many times as long as A, with its 95 % interval "
                          "(~ = a tie):",
                          "Nothing was timed on two of them.", out);
    for (size_t s = 0; s < comparison->sides_n; s++)
        if (has_incomplete_kernel(&comparison->sides[s])) {
            fputs(RED_INCOMPLETE_WORDS ": verify never checked the kernel at some, so no factor is told.\n",
                  out);
            break;
        }
    red_table_destroy(table);
}

/* Prints the sides and all tables of them. */
static enum red_status show_sides(const struct red_comparison *comparison, FILE *out,
                                  struct red_error *error) {
    print_incomparable(comparison, out);
    print_sides(comparison, out);
    print_capability_differences(comparison, out);
    if (comparison->loaded.checks_n > 0)
        return show_checks(comparison, out, error);
    red_key_states_print(
        comparison, has_state_row,
        "What does not run right on all of them (- = not asked; of several geometries the worst):",
        "Nothing runs right on one of them and not on another, and nothing went wrong.", SIZE_MAX, out);
    print_times(comparison, out);
    return red_memory_check(error);
}

/* All that --format table prints; `out` is the screen or the file of --output. */
enum red_status red_drivers_show(const void *what, FILE *out, struct red_error *error) {
    struct red_comparison part = *(const struct red_comparison *)what;
    enum red_status status = show_sides(&part, out, error);
    while (status == RED_OK && red_comparison_next_sides(&part)) {
        fprintf(out, "\n");
        status = show_sides(&part, out, error);
    }
    return status;
}
