/* `compare --drivers`: a table of what the devices differ in, one of how cells ended, one of times, or the
 * times and states as CSV or JSON. cli/cmd_compare.c loads the files that the user named, and hands in the
 * comparison, whose sides are the devices in them. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "compare/compare.h"
#include "console/console_table.h"
#include "core/text.h"

enum { TEXT_BYTES = 96 };

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

/* ---- CSV and JSON -------------------------------------------------------------------------------------- */

enum { DATA_COLUMNS_N = 20 };
static const struct red_column data_columns[DATA_COLUMNS_N] = {
    {.name = "strategy"},
    {.name = "op"},
    {.name = "type"},
    {.name = "shape"},
    {.name = "bins"},
    {.name = "data"},
    {.name = "n", .right = true},
    {.name = "side"},
    {.name = "device"},
    {.name = "driver"},
    {.name = "machine"},
    {.name = "file"},
    {.name = "state"},
    {.name = "median_s", .right = true},
    {.name = "low_s", .right = true},
    {.name = "high_s", .right = true},
    {.name = "ratio", .right = true},
    {.name = "ratio_low", .right = true},
    {.name = "ratio_high", .right = true},
    {.name = "against_a"},
};

/* Adds to the CSV or JSON of compare --drivers a row for each side that was asked the key. */
static enum red_status add_data_rows(const struct red_comparison *comparison, const struct red_key *key,
                                     struct red_table *table, struct red_error *error) {
    const struct red_cell *a = key->sides[0].timed;
    enum red_status status = RED_OK;
    char n[32], bins[16];
    snprintf(bins, sizeof bins, "%.0u", key->cell->bins_n);
    snprintf(n, sizeof n, "%llu", (unsigned long long)key->cell->n);
    for (size_t s = 0; s < comparison->sides_n && status == RED_OK; s++) {
        const struct red_side *side = &comparison->sides[s];
        const struct red_cell *timed = key->sides[s].timed;
        enum relation relation = relation_to_a(comparison, side);
        struct red_statistics time = {.n = 0};
        struct red_ratio ratio = {.value = 0};
        char times[3][RED_FIGURE_BYTES], ratios[3][RED_FIGURE_BYTES];
        size_t known_n = 0; /* figures of the ratio */
        if (key->sides[s].n == 0)
            continue;
        if (timed != NULL)
            time = timed->time;
        if (timed != NULL && s > 0 && a != NULL) {
            ratio = red_ratio_of(a, timed);
            known_n = relation == ONE_RUN ? 3 : relation == OTHER_RUN ? 1 : 0;
        }
        red_interval_data_format((const double[]){time.median, time.low, time.high}, timed ? 3 : 0, times);
        red_interval_data_format((const double[]){ratio.value, ratio.low, ratio.high}, known_n, ratios);
        const char *const values[DATA_COLUMNS_N] = {key->cell->strategy->name,
                                                    key->cell->op->name,
                                                    key->cell->dtype->name,
                                                    key->cell->shape,
                                                    bins,
                                                    key->cell->bins_n > 0 ? red_cell_data(key->cell) : "",
                                                    n,
                                                    side->label,
                                                    device_of(side)->info.id,
                                                    device_of(side)->info.driver,
                                                    side->result->machine,
                                                    side->result->path,
                                                    red_state_name(key->sides[s].state),
                                                    times[0],
                                                    times[1],
                                                    times[2],
                                                    ratios[0],
                                                    ratios[1],
                                                    ratios[2],
                                                    s > 0 ? relation_names[relation] : ""};
        status = red_table_add(table, values, error);
    }
    return status;
}

/* Called by cli/cmd_compare.c for --format csv or json. */
enum red_status red_drivers_write(const struct red_comparison *comparison, struct red_error *error) {
    return comparison->loaded.checks_n > 0
               ? red_checks_write(comparison, error)
               : red_key_table_write(comparison, data_columns, DATA_COLUMNS_N, add_data_rows, error);
}

/* ---- tables -------------------------------------------------------------------------------------------- */

/* Prints what each letter of compare --drivers stands for: "A = intel: Intel(R) ..., driver ...". */
static void print_sides(const struct red_comparison *comparison, FILE *out) {
    for (size_t s = 0; s < comparison->sides_n; s++) {
        const struct red_side *side = &comparison->sides[s];
        const struct red_run_device *device = device_of(side);
        char text[1024];
        snprintf(text, sizeof text, "%s = %s: %s, %s, driver %s; %s, %s; on %s%s%s", side->label,
                 device->info.id, device->info.name, device->info.platform, device->info.driver,
                 side->result->path, side->result->run.started, side->result->machine,
                 s > 0 ? "; against A: " : "", s > 0 ? relation_names[relation_to_a(comparison, side)] : "");
        red_wrapped_print(out, "", text);
    }
}

static const char event_times[] = "event times";

/* What the table shows for a capability of a device of a result file, or for its event times; "?" if the file
 * does not tell. */
static const char *capability_word(const struct red_run_device *device, const char *name) {
    if (name == event_times)
        return !device->event_clock.checked ? "?" : device->event_clock.trusted ? "trusted" : "untrusted";
    for (size_t i = 0; i < device->found_n; i++) {
        const struct red_run_capability *found = &device->found[i];
        const struct red_capability capability = {
            .advertised = found->advertised, .builds = found->builds, .behaves = found->behaves};
        if (strcmp(found->name, name) == 0)
            return found->behaves == RED_YES && found->words[0] != '\0' && strcmp(found->words, "any") != 0
                       ? found->words
                       : red_capability_brief(&capability);
    }
    return "?";
}

/* Adds a row with the word of each side for a capability, or for event times, unless all that are known are
 * the same. */
static enum red_status add_row_if_different(const struct red_comparison *comparison, const char *name,
                                            struct red_table *table, struct red_error *error) {
    const char *row[1 + RED_SIDES_MAX] = {name}, *known = NULL;
    bool differ = false;
    for (size_t s = 0; s < comparison->sides_n; s++) {
        const char *word = row[1 + s] = capability_word(device_of(&comparison->sides[s]), name);
        if (strcmp(word, "?") == 0)
            continue;
        differ = differ || (known != NULL && strcmp(word, known) != 0);
        known = word;
    }
    return differ ? red_table_add(table, row, error) : RED_OK;
}

/* Whether the file of a side before side s tells of the capability: then it was compared there. */
static bool earlier_side_tells(const struct red_comparison *comparison, size_t s, const char *name) {
    for (size_t before = 0; before < s; before++)
        if (strcmp(capability_word(device_of(&comparison->sides[before]), name), "?") != 0)
            return true;
    return false;
}

/* Prints the table "What they can do differently", or that they can do the same. */
static enum red_status print_capability_differences(const struct red_comparison *comparison, FILE *out,
                                                    struct red_error *error) {
    struct red_column columns[1 + RED_SIDES_MAX] = {{.name = "capability"}};
    for (size_t s = 0; s < comparison->sides_n; s++)
        columns[1 + s] = (struct red_column){.name = comparison->sides[s].label};
    struct red_table *table = red_table_create(columns, 1 + comparison->sides_n);
    enum red_status status = table ? RED_OK : red_fail(error, RED_E_MEMORY, "no memory for a table");
    for (size_t s = 0; s < comparison->sides_n; s++) {
        const struct red_run_device *device = device_of(&comparison->sides[s]);
        for (size_t i = 0; i < device->found_n && status == RED_OK; i++)
            if (!earlier_side_tells(comparison, s, device->found[i].name))
                status = add_row_if_different(comparison, device->found[i].name, table, error);
    }
    if (status == RED_OK)
        status = add_row_if_different(comparison, event_times, table, error);
    bool any = status == RED_OK && red_table_rows_n(table) > 0;
    fputs(any ? "\nWhat they can do differently (? = the file does not tell):\n"
              : "\nThey can do the same, as far as the files tell.\n",
          out);
    if (any)
        red_table_print(table, out);
    red_table_destroy(table);
    return status;
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

/* Writes the column "B : A" of times: "1.20 (1.10-1.31)", or why there is no interval or no ratio. */
static void ratio_format(enum relation relation, const struct red_cell *a, const struct red_cell *b,
                         char *text, size_t text_bytes) {
    const struct red_ratio ratio = red_ratio_of(a, b);
    if (relation == OTHER_MACHINE)
        snprintf(text, text_bytes, "different machine");
    else if (relation == OTHER_RUN)
        snprintf(text, text_bytes, "%.2f in another run", ratio.value);
    else
        snprintf(text, text_bytes, "%.2f (%.2f-%.2f)%s", ratio.value, ratio.low, ratio.high,
                 ratio.low <= 1 && ratio.high >= 1 ? " ~" : "");
}

/* Adds a row to the table "Time to answer" unless fewer than two sides have one. */
static enum red_status add_times_row(const struct red_comparison *comparison, const struct red_key *key,
                                     struct red_table *table, struct red_error *error) {
    const char *values[2 + 2 * RED_SIDES_MAX] = {key->cell->strategy->name};
    char what[TEXT_BYTES], texts[RED_SIDES_MAX][2][TEXT_BYTES];
    const struct red_cell *a = key->sides[0].timed;
    size_t timed_n = 0, at = 1;
    red_key_op_type_n_format(key->cell, what, sizeof what);
    values[at++] = what;
    for (size_t s = 0; s < comparison->sides_n; s++) {
        const struct red_side *side = &comparison->sides[s];
        const struct red_cell *cell = key->sides[s].timed;
        char *time = texts[s][0], *ratio = texts[s][1];
        strcpy(time, "-");
        strcpy(ratio, "-");
        if (cell != NULL)
            red_number_format(1e6 * cell->time.median, time, TEXT_BYTES);
        if (cell != NULL && a != NULL)
            ratio_format(relation_to_a(comparison, side), a, cell, ratio, TEXT_BYTES);
        values[at++] = time;
        if (s > 0)
            values[at++] = ratio;
        timed_n += cell != NULL;
    }
    return timed_n < 2 ? RED_OK : red_table_add(table, values, error);
}

/* Prints the table "Time to answer". */
static enum red_status print_times(const struct red_comparison *comparison, FILE *out,
                                   struct red_error *error) {
    struct red_column columns[2 + 2 * RED_SIDES_MAX] = {{.name = "strategy"}, {.name = "op type n"}};
    char names[RED_SIDES_MAX][2][16];
    size_t at = 2;
    for (size_t s = 0; s < comparison->sides_n; s++) {
        snprintf(names[s][0], sizeof names[s][0], "%s us", comparison->sides[s].label);
        snprintf(names[s][1], sizeof names[s][1], "%s : A", comparison->sides[s].label);
        columns[at++] = (struct red_column){.name = names[s][0], .right = true};
        if (s > 0)
            columns[at++] = (struct red_column){.name = names[s][1]};
    }
    struct red_table *table;
    enum red_status status = red_key_table_make(comparison, columns, at, add_times_row, &table, error);
    bool any = status == RED_OK && red_table_rows_n(table) > 0;
    fputs(any ? "\nTime to answer (median), and how many times as long as A, with its 95 % "
                "interval (~ = a tie):\n"
              : "\nNothing was timed on two of them.\n",
          out);
    if (any)
        red_table_print(table, out);
    red_table_destroy(table);
    return status;
}

/* Called by cli/cmd_compare.c for --format table; `out` is the screen or the file of --output. */
enum red_status red_drivers_show(const struct red_comparison *comparison, FILE *out,
                                 struct red_error *error) {
    print_sides(comparison, out);
    enum red_status status = print_capability_differences(comparison, out, error);
    if (status == RED_OK && comparison->loaded.checks_n > 0)
        return red_checks_show(comparison, out, error);
    if (status == RED_OK)
        status = red_key_states_print(
            comparison, has_state_row,
            "What does not run right on all of them (- = not asked; of several geometries the worst):",
            "Nothing runs right on one of them and not on another, and nothing went wrong.", SIZE_MAX, out,
            error);
    return status == RED_OK ? print_times(comparison, out, error) : status;
}
