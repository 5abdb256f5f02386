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

/* ---- the same check on all sides -----------------------------------------------------------------------
 * A key is what a check is of, whatever the device. */

/* A check that some side lists, with the side. */
struct listed_check {
    const struct red_verify_check *check;
    size_t side;
};

/* All checks that the sides list, those of a key together. */
struct listed_checks {
    struct listed_check *all; /* owned */
    size_t n;
};

/* The order of strategies, operations and types. */
static int form_order(const struct red_verify_check *a, const struct red_verify_check *b) {
    int order = strcmp(a->strategy, b->strategy);
    order = order ? order : strcmp(a->op, b->op);
    return order ? order : strcmp(a->type, b->type);
}

/* The order of keys; 0: the same key. */
static int check_order(const struct red_verify_check *a, const struct red_verify_check *b) {
    int order = form_order(a, b);
    order = order ? order : (a->n > b->n) - (a->n < b->n);
    order = order ? order : (a->segments_n > b->segments_n) - (a->segments_n < b->segments_n);
    order = order ? order : red_tuning_compare(&a->asked, &b->asked);
    order = order ? order : strcmp(a->data, b->data);
    return order ? order : (a->prefixes_n > b->prefixes_n) - (a->prefixes_n < b->prefixes_n);
}

/* For qsort: by key, then by side. */
static int by_key_and_side(const void *left, const void *right) {
    const struct listed_check *a = left, *b = right;
    const int order = check_order(a->check, b->check);
    return order ? order : (a->side > b->side) - (a->side < b->side);
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
        for (size_t i = 0; i < comparison->sides[s].verified->checks_n; i++)
            listed->all[listed->n++] = (struct listed_check){&comparison->sides[s].verified->checks[i], s};
    qsort(listed->all, listed->n, sizeof *listed->all, by_key_and_side);
    return RED_OK;
}

/* Sets what each side lists of the key that begins at `at` (NULL: nothing); gives where the next one begins.
 */
static size_t take_key(const struct listed_checks *listed, size_t at,
                       const struct red_verify_check *of_sides[RED_SIDES_MAX]) {
    const struct red_verify_check *first = listed->all[at].check;
    memset(of_sides, 0, RED_SIDES_MAX * sizeof *of_sides);
    for (; at < listed->n && check_order(listed->all[at].check, first) == 0; at++)
        of_sides[listed->all[at].side] = listed->all[at].check;
    return at;
}

/* How the checks of that strategy ended on the side; NULL where its file does not have it. */
static const struct red_verify_strategy *strategy_of_side(const struct red_side *side, const char *name) {
    for (size_t s = 0; s < side->verified->strategies_n; s++)
        if (strcmp(side->verified->strategies[s].name, name) == 0)
            return &side->verified->strategies[s];
    return NULL;
}

/* How the check ended on the side. A file lists what is not right: what it does not list was right, or not
 * made; "all right" is the strategy there. */
static const char *word_of_side(const struct red_side *side, const struct red_verify_check *listed,
                                const char *strategy) {
    if (listed != NULL)
        return red_state_name(listed->state);
    const struct red_verify_strategy *of = strategy_of_side(side, strategy);
    return of == NULL                                    ? "-"
           : of->planned_n == 0                          ? "cannot run"
           : of->counts[RED_STATE_PASS] == of->planned_n ? "all right"
                                                         : "not listed";
}

/* ---- counts -------------------------------------------------------------------------------------------- */

enum { COUNTS_BYTES = 160 };

/* Writes "52 right" or "31 right, 21 wrong". */
static void counts_format(const struct red_verify_strategy *of, char *text) {
    text[0] = '\0';
    if (of == NULL)
        snprintf(text, COUNTS_BYTES, "-");
    else if (of->planned_n == 0)
        snprintf(text, COUNTS_BYTES, "cannot run");
    else
        snprintf(text, COUNTS_BYTES, "%" PRIu64 " right", of->counts[RED_STATE_PASS]);
    for (int state = 0; of != NULL && of->planned_n > 0 && state < RED_STATES_N; state++)
        if (state != RED_STATE_PASS && state != RED_STATE_UNSUPPORTED && of->counts[state] > 0)
            red_text_add(text, COUNTS_BYTES, ", %" PRIu64 " %s", of->counts[state],
                         red_state_name((enum red_state)state));
    if (of != NULL && of->planned_n > 0 && red_verify_strategy_reason(of, 0) != NULL)
        red_text_add(text, COUNTS_BYTES, ", cannot run in part");
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
static bool is_reason_of_all(const struct red_comparison *comparison, const char *strategy,
                             const char *reason) {
    for (size_t s = 0; s < comparison->sides_n; s++) {
        const struct red_verify_strategy *of = strategy_of_side(&comparison->sides[s], strategy);
        if (of == NULL || !has_reason(of, reason))
            return false;
    }
    return true;
}

/* The first reason from the i-th on that not all sides have, with its place in *i; NULL: none. */
static const char *next_own_reason(const struct red_comparison *comparison,
                                   const struct red_verify_strategy *of, size_t *i) {
    const char *reason;
    while ((reason = red_verify_strategy_reason(of, *i)) != NULL &&
           is_reason_of_all(comparison, of->name, reason))
        ++*i;
    return reason;
}

/* Whether all checks of the strategy were made and are right on every side, and what cannot run is the same.
 */
static bool is_right_on_all(const struct red_comparison *comparison, const char *strategy) {
    for (size_t s = 0; s < comparison->sides_n; s++) {
        const struct red_verify_strategy *of = strategy_of_side(&comparison->sides[s], strategy);
        size_t i = 0;
        if (of == NULL || of->planned_n == 0 || of->counts[RED_STATE_PASS] != of->planned_n ||
            next_own_reason(comparison, of, &i) != NULL)
            return false;
    }
    return true;
}

/* Whether a side before side s has the strategy: then its row is there. */
static bool earlier_side_has(const struct red_comparison *comparison, size_t s, const char *strategy) {
    for (size_t before = 0; before < s; before++)
        if (strategy_of_side(&comparison->sides[before], strategy) != NULL)
            return true;
    return false;
}

/* Prints a row for each strategy that is not right on all sides, and counts the others. */
static enum red_status print_counts(const struct red_comparison *comparison, FILE *out,
                                    struct red_error *error) {
    struct red_column columns[1 + RED_SIDES_MAX] = {{.name = "strategy"}};
    size_t right_n = 0;
    for (size_t s = 0; s < comparison->sides_n; s++)
        columns[1 + s] = (struct red_column){.name = comparison->sides[s].label};
    struct red_table *table = red_table_create(columns, 1 + comparison->sides_n);
    enum red_status status = table ? RED_OK : red_fail(error, RED_E_MEMORY, "no memory for a table");
    for (size_t s = 0; s < comparison->sides_n; s++) {
        const struct red_verify_device *verified = comparison->sides[s].verified;
        for (size_t i = 0; i < verified->strategies_n && status == RED_OK; i++) {
            const char *name = verified->strategies[i].name, *row[1 + RED_SIDES_MAX] = {name};
            char texts[RED_SIDES_MAX][COUNTS_BYTES];
            if (earlier_side_has(comparison, s, name))
                continue;
            right_n += is_right_on_all(comparison, name);
            for (size_t side = 0; side < comparison->sides_n; side++) {
                counts_format(strategy_of_side(&comparison->sides[side], name), texts[side]);
                row[1 + side] = texts[side];
            }
            if (!is_right_on_all(comparison, name))
                status = red_table_add(table, row, error);
        }
    }
    if (status == RED_OK && red_table_rows_n(table) > 0) {
        fputs("\nHow the checks of each strategy ended (- = not asked):\n", out);
        red_table_print(table, out);
    }
    if (status == RED_OK)
        fprintf(out, "\nRight on all of them: %zu of %zu strategies.\n", right_n,
                right_n + red_table_rows_n(table));
    red_table_destroy(table);
    return status;
}

/* Adds why the strategy cannot run on a side, or cannot in part, where that is not so on all of them, and
 * beside it which sides were not asked. */
static enum red_status add_reason_rows(const struct red_comparison *comparison, const char *strategy,
                                       struct red_table *table, struct red_error *error) {
    enum red_status status = RED_OK;
    const char *primitive = "";
    bool is_told = false;
    for (size_t s = 0; s < comparison->sides_n; s++) {
        const struct red_verify_strategy *of = strategy_of_side(&comparison->sides[s], strategy);
        size_t i = 0;
        primitive = of != NULL ? comparison->sides[s].result->run.primitive : primitive;
        is_told = is_told || (of != NULL && next_own_reason(comparison, of, &i) != NULL);
    }
    for (size_t s = 0; s < comparison->sides_n && is_told && status == RED_OK; s++) {
        const struct red_side *side = &comparison->sides[s];
        const struct red_verify_strategy *of = strategy_of_side(side, strategy);
        const char *reason;
        if (of == NULL) {
            char unasked[256];
            snprintf(unasked, sizeof unasked, "not asked; clreduce verify%s%s --device %s --strategy %s asks",
                     primitive[0] ? " --primitive " : "", primitive,
                     side->result->run.devices[side->device].info.id, strategy);
            status = red_table_add(table, (const char *[]){strategy, side->label, unasked}, error);
        }
        for (size_t i = 0;
             of != NULL && status == RED_OK && (reason = next_own_reason(comparison, of, &i)) != NULL; i++)
            status = red_table_add(table, (const char *[]){strategy, side->label, reason}, error);
    }
    return status;
}

/* Prints these rows of all strategies. */
static enum red_status print_reasons(const struct red_comparison *comparison, FILE *out,
                                     struct red_error *error) {
    const struct red_column columns[] = {{.name = "strategy"}, {.name = "on"}, {.name = "cannot run"}};
    struct red_table *table = red_table_create(columns, sizeof columns / sizeof columns[0]);
    enum red_status status = table ? RED_OK : red_fail(error, RED_E_MEMORY, "no memory for a table");
    for (size_t s = 0; s < comparison->sides_n; s++) {
        const struct red_verify_device *verified = comparison->sides[s].verified;
        for (size_t i = 0; i < verified->strategies_n && status == RED_OK; i++)
            if (!earlier_side_has(comparison, s, verified->strategies[i].name))
                status = add_reason_rows(comparison, verified->strategies[i].name, table, error);
    }
    if (status == RED_OK && red_table_rows_n(table) > 0) {
        fputs("\nWhat cannot run on some of them, and why:\n", out);
        red_table_print(table, out);
    }
    red_table_destroy(table);
    return status;
}

/* ---- checks that are not right somewhere --------------------------------------------------------------- */

/* Checks of one strategy, operation and type that ended alike on each side: a row of the screen. */
struct check_group {
    const struct red_verify_check *first;
    const char *words[RED_SIDES_MAX];
    uint64_t n_min, n_max;
    size_t n;
};
enum { GROUPS_MAX = 64 }; /* of one strategy, operation and type; the last takes what is left */

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

/* Adds the rows of one strategy, operation and type. */
static enum red_status add_group_rows(const struct check_group *groups, size_t groups_n, size_t sides_n,
                                      struct red_table *table, struct red_error *error) {
    enum red_status status = RED_OK;
    for (size_t g = 0; g < groups_n && status == RED_OK; g++) {
        const struct red_verify_check *first = groups[g].first;
        char what[48], checks[24], sizes[2][24], n[64], asked[96], example[256];
        snprintf(what, sizeof what, "%s %s", first->op, first->type);
        snprintf(checks, sizeof checks, "%zu", groups[g].n);
        red_size_format(groups[g].n_min, sizes[0], sizeof sizes[0]);
        red_size_format(groups[g].n_max, sizes[1], sizeof sizes[1]);
        snprintf(n, sizeof n, groups[g].n_min < groups[g].n_max ? "%s..%s" : "%s", sizes[0], sizes[1]);
        red_tuning_format(&first->asked,
                          (struct red_tuning_words){", --wg %s", ", --groups %s", ", --lanes %s"}, asked,
                          sizeof asked);
        snprintf(example, sizeof example, "n = %" PRIu64 "%s, data %s", first->n, asked, first->data);
        const char *row[5 + RED_SIDES_MAX] = {first->strategy, what, checks, n};
        memcpy(row + 4, groups[g].words, sides_n * sizeof *row);
        row[4 + sides_n] = example;
        status = red_table_add(table, row, error);
    }
    return status;
}

/* Prints the checks that are not right on some side, those that ended alike in one row. */
static enum red_status print_checks(const struct red_comparison *comparison,
                                    const struct listed_checks *listed, FILE *out, struct red_error *error) {
    const size_t sides_n = comparison->sides_n;
    struct red_column columns[5 + RED_SIDES_MAX] = {
        {.name = "strategy"}, {.name = "op type"}, {.name = "checks", .right = true}, {.name = "n"}};
    struct check_group groups[GROUPS_MAX];
    size_t groups_n = 0;
    for (size_t s = 0; s < sides_n; s++)
        columns[4 + s] = (struct red_column){.name = comparison->sides[s].label};
    columns[4 + sides_n] = (struct red_column){.name = "the first"};
    struct red_table *table = red_table_create(columns, 5 + sides_n);
    enum red_status status = table ? RED_OK : red_fail(error, RED_E_MEMORY, "no memory for a table");
    for (size_t at = 0; at < listed->n && status == RED_OK;) {
        const struct red_verify_check *of_sides[RED_SIDES_MAX], *check = listed->all[at].check;
        struct check_group key = {.first = check, .n_min = check->n, .n_max = check->n, .n = 1};
        at = take_key(listed, at, of_sides);
        for (size_t s = 0; s < sides_n; s++)
            key.words[s] = word_of_side(&comparison->sides[s], of_sides[s], check->strategy);
        add_to_group(groups, &groups_n, &key, sides_n);
        if (at < listed->n && form_order(listed->all[at].check, check) == 0)
            continue;
        status = add_group_rows(groups, groups_n, sides_n, table, error);
        groups_n = 0;
    }
    if (status == RED_OK && red_table_rows_n(table) > 0) {
        fputs("\nChecks that are not right on each of them (not listed = right there, or not made; --format "
              "csv has each):\n",
              out);
        red_table_print(table, out);
    }
    red_table_destroy(table);
    return status;
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
    if (status == RED_OK)
        status = print_counts(comparison, out, error);
    if (status == RED_OK)
        status = print_reasons(comparison, out, error);
    if (status == RED_OK)
        status = print_checks(comparison, &listed, out, error);
    free(listed.all);
    return status;
}

/* ---- CSV and JSON -------------------------------------------------------------------------------------- */

enum { DATA_COLUMNS_N = 22 };
static const struct red_column data_columns[DATA_COLUMNS_N] = {
    {.name = "strategy"},
    {.name = "op"},
    {.name = "type"},
    {.name = "shape"},
    {.name = "n", .right = true},
    {.name = "segments", .right = true},
    {.name = "asked"},
    {.name = "data"},
    {.name = "side"},
    {.name = "device"},
    {.name = "driver"},
    {.name = "machine"},
    {.name = "file"},
    {.name = "state"},
    {.name = "expected"}, /* texts: numbers of JSON do not keep 64 bits */
    {.name = "expected_place", .right = true},
    {.name = "got"},
    {.name = "got_place", .right = true},
    {.name = "low"},
    {.name = "high"},
    {.name = "reason"},
    {.name = "again"},
};

/* Adds the row of a side for a key: what it lists of it (NULL: nothing). */
static enum red_status add_data_row(const struct red_side *side, const struct red_verify_check *key,
                                    const struct red_verify_check *of, struct red_table *table,
                                    struct red_error *error) {
    const struct red_device_info *info = &side->result->run.devices[side->device].info;
    const struct red_evidence *evidence = of != NULL ? &of->evidence : &(struct red_evidence){.run = ""};
    const bool has_place = evidence->has_place && evidence->fault != RED_FAULT_NONE;
    char n[24], segments[24], asked[64], places[2][24] = {"", ""};
    snprintf(n, sizeof n, "%" PRIu64, key->n);
    snprintf(segments, sizeof segments, "%" PRIu64, key->segments_n);
    red_tuning_format(&key->asked, RED_TUNING_SHORT, asked, sizeof asked);
    if (has_place) {
        snprintf(places[0], sizeof places[0], "%" PRIu64, evidence->expected.place);
        snprintf(places[1], sizeof places[1], "%" PRIu64, evidence->got.place);
    }
    const char *const values[DATA_COLUMNS_N] = {key->strategy,
                                                key->op,
                                                key->type,
                                                key->shape,
                                                n,
                                                segments,
                                                asked,
                                                key->data,
                                                side->label,
                                                info->id,
                                                info->driver,
                                                side->result->machine,
                                                side->result->path,
                                                word_of_side(side, of, key->strategy),
                                                evidence->expected.value,
                                                places[0],
                                                evidence->got.value,
                                                places[1],
                                                evidence->low,
                                                evidence->high,
                                                of != NULL && of->reason ? of->reason : "",
                                                of != NULL && of->again ? of->again : ""};
    return red_table_add(table, values, error);
}

/* Called for --format csv and json: a row for each side of each check that is not right on one of them. */
enum red_status red_checks_write(const struct red_comparison *comparison, struct red_error *error) {
    struct listed_checks listed;
    struct red_table *table = red_table_create(data_columns, DATA_COLUMNS_N);
    enum red_status status = table ? RED_OK : red_fail(error, RED_E_MEMORY, "no memory for a table");
    const enum red_status is_listed = list_checks(comparison, &listed, error);
    status = status == RED_OK ? is_listed : status;
    for (size_t at = 0; status == RED_OK && at < listed.n;) {
        const struct red_verify_check *of_sides[RED_SIDES_MAX], *key = listed.all[at].check;
        at = take_key(&listed, at, of_sides);
        for (size_t s = 0; s < comparison->sides_n && status == RED_OK; s++)
            status = add_data_row(&comparison->sides[s], key, of_sides[s], table, error);
    }
    if (status == RED_OK)
        status = red_table_write(table, comparison->output->format, comparison->output->path, error);
    free(listed.all);
    red_table_destroy(table);
    return status;
}
