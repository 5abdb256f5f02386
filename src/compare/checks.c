/* `compare --drivers` of files of `verify`: how the checks of each strategy ended on each device, and which
 * checks are not right on one of them. compare/drivers.c calls all public functions, with a comparison whose
 * sides have checks. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compare/compare.h"
#include "core/select.h"
#include "core/text.h"
#include "model/primitive.h"
#include "results/again.h"

/* ---- the same check on all sides -----------------------------------------------------------------------
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

/* ---- counts -------------------------------------------------------------------------------------------- */

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
enum red_status red_checks_show(const struct red_comparison *comparison, FILE *out, struct red_error *error) {
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

/* ---- CSV and JSON -------------------------------------------------------------------------------------- */

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
enum red_status red_checks_write(const struct red_comparison *comparison, struct red_error *error) {
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
