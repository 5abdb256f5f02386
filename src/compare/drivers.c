/* `compare --drivers`: a table of what the devices differ in, one of how cells ended, one of times, or the
 * times and states as CSV or JSON. cli/cmd_compare.c loads the files that the user named, and hands in the
 * comparison, whose sides are the devices in them. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "compare/compare.h"
#include "console/console_table.h"
#include "core/memory.h"
#include "core/text.h"
#include "results/steadiness.h"

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
        red_key_data_put(comparison, key->cell, table);
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
        return red_checks_write(comparison, error);
    red_figure_columns_format(RED_IN_DRIVERS, "", behind, sizeof behind);
    red_text_add(behind, sizeof behind, "ratio>|ratio_low>|ratio_high>|against_a");
    return red_key_table_write(comparison, "", behind, add_data_rows, error);
}

/* ---- tables -------------------------------------------------------------------------------------------- */

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

const char red_event_times[] = "event times";

const char *red_capability_word(const struct red_run_device *device, const char *name) {
    if (name == red_event_times)
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
    add_row_if_different(comparison, red_event_times, table);
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
        return red_checks_show(comparison, out, error);
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
