#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "compare/compare.h"
#include "console/table.h"
#include "console/table_view.h"
#include "core/words.h"

enum { TEXT_BYTES = 96 };

static void print_sides(const struct red_comparison *comparison, FILE *out) {
    for (size_t s = 0; s < comparison->sides_n; s++) {
        const struct red_side *side = &comparison->sides[s];
        const struct red_run_device *device = red_side_device(side);
        char text[1024];
        snprintf(text, sizeof text, "%s = %s: %s, %s, driver %s; %s, %s; on %s%s%s", side->label,
                 device->info.id, device->info.name, device->info.platform, device->info.driver,
                 side->result->path, side->result->run.started, side->result->machine,
                 s > 0 ? "; against A: " : "",
                 s > 0 ? red_relation_names[red_sides_relate(&comparison->sides[0], side)] : "");
        red_wrapped_print(out, "", text);
    }
}

static const char *capability_word(const struct red_run_device *device, const char *name) {
    for (size_t i = 0; i < device->found_n; i++) {
        const struct red_run_capability *found = &device->found[i];
        const struct red_capability capability = {
            .advertised = found->advertised, .builds = found->builds, .behaves = found->behaves};
        if (strcmp(found->name, name) == 0)
            return found->behaves == RED_YES && found->words[0] != '\0' && strcmp(found->words, "any") != 0
                       ? found->words
                       : red_capability_word(&capability);
    }
    return "?";
}

static const char *events_word(const struct red_run_device *device) {
    return !device->event_clock.checked ? "?" : device->event_clock.trusted ? "trusted" : "untrusted";
}

/* Adds a row unless all its values that are known are the same; true if it did. */
static bool add_difference(struct red_table *table, const char *name, const char *const *values, size_t n,
                           enum red_status *status, struct red_error *error) {
    const char *row[1 + RED_SIDES_MAX] = {name}, *known = NULL;
    bool differ = false;
    for (size_t s = 0; s < n; s++) {
        row[1 + s] = values[s];
        if (strcmp(values[s], "?") == 0)
            continue;
        differ = differ || (known != NULL && strcmp(values[s], known) != 0);
        known = values[s];
    }
    if (differ && *status == RED_OK)
        *status = red_table_add(table, row, error);
    return differ;
}

static bool is_named_before(const struct red_comparison *comparison, size_t s, const char *name) {
    for (size_t before = 0; before < s; before++)
        if (strcmp(capability_word(red_side_device(&comparison->sides[before]), name), "?") != 0)
            return true;
    return false;
}

static enum red_status print_capabilities(const struct red_comparison *comparison, FILE *out,
                                          struct red_error *error) {
    struct red_column columns[1 + RED_SIDES_MAX] = {{.name = "capability"}};
    const char *values[RED_SIDES_MAX] = {NULL};
    size_t n = comparison->sides_n;
    bool any = false;
    for (size_t s = 0; s < n; s++)
        columns[1 + s] = (struct red_column){.name = comparison->sides[s].label};
    struct red_table *table = red_table_create(columns, 1 + n);
    enum red_status status = table ? RED_OK : red_fail(error, RED_E_MEMORY, "no memory for a table");
    for (size_t s = 0; s < n && status == RED_OK; s++) {
        const struct red_run_device *device = red_side_device(&comparison->sides[s]);
        for (size_t i = 0; i < device->found_n; i++) {
            const char *name = device->found[i].name;
            if (is_named_before(comparison, s, name))
                continue;
            for (size_t other = 0; other < n; other++)
                values[other] = capability_word(red_side_device(&comparison->sides[other]), name);
            any = add_difference(table, name, values, n, &status, error) || any;
        }
    }
    for (size_t s = 0; s < n; s++)
        values[s] = events_word(red_side_device(&comparison->sides[s]));
    any = status == RED_OK && (add_difference(table, "event times", values, n, &status, error) || any);
    fputs(any ? "\nWhat they can do differently (? = the file does not tell):\n"
              : "\nThey can do the same, as far as the files tell.\n",
          out);
    if (any && status == RED_OK)
        red_table_print(table, out);
    red_table_destroy(table);
    return status;
}

static bool differs(const struct red_comparison *comparison, const struct red_cell *question) {
    enum red_state first = RED_STATE_PENDING;
    bool counts = false;
    for (size_t s = 0; s < comparison->sides_n; s++) {
        enum red_state state = red_side_state(&comparison->sides[s], question);
        first = first == RED_STATE_PENDING ? state : first;
        counts = counts || red_state_is_failure(state) || (state != RED_STATE_PENDING && state != first);
    }
    return counts;
}

static void ratio_print(const struct red_side *base, const struct red_side *side, const struct red_cell *a,
                        const struct red_cell *b, char *text, size_t text_bytes) {
    enum red_relation relation = red_sides_relate(base, side);
    struct red_ratio ratio = red_ratio_of(a, b);
    if (relation == RED_OTHER_MACHINE)
        snprintf(text, text_bytes, "different machine");
    else if (relation == RED_OTHER_RUN)
        snprintf(text, text_bytes, "%.2f in another run", ratio.value);
    else
        snprintf(text, text_bytes, "%.2f (%.2f-%.2f)%s", ratio.value, ratio.low, ratio.high,
                 ratio.low <= 1 && ratio.high >= 1 ? " ~" : "");
}

struct times {
    const struct red_comparison *comparison;
    struct red_table *table;
    size_t rows_n;
};

static enum red_status add_times(void *context, const struct red_cell *question, struct red_error *error) {
    struct times *times = context;
    const struct red_comparison *comparison = times->comparison;
    const char *values[2 + 2 * RED_SIDES_MAX] = {question->strategy->name};
    char what[TEXT_BYTES], texts[2 * RED_SIDES_MAX][TEXT_BYTES];
    const struct red_cell *a = red_side_time(&comparison->sides[0], question);
    size_t timed_n = 0, at = 0;
    red_question_print(question, what, sizeof what);
    values[1] = what;
    for (size_t s = 0; s < comparison->sides_n; s++) {
        const struct red_cell *cell = red_side_time(&comparison->sides[s], question);
        bool timed = cell != NULL;
        timed_n += timed;
        snprintf(texts[at], TEXT_BYTES, "-");
        if (timed)
            red_number_print(1e6 * cell->time.median, texts[at], TEXT_BYTES);
        values[2 + at] = texts[at];
        at++;
        if (s == 0)
            continue;
        snprintf(texts[at], TEXT_BYTES, "-");
        if (timed && a != NULL)
            ratio_print(&comparison->sides[0], &comparison->sides[s], a, cell, texts[at], TEXT_BYTES);
        values[2 + at] = texts[at];
        at++;
    }
    if (timed_n < 2)
        return RED_OK;
    times->rows_n++;
    return red_table_add(times->table, values, error);
}

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
    struct times times = {.comparison = comparison, .table = red_table_create(columns, at)};
    enum red_status status = times.table ? red_comparison_each(comparison, add_times, &times, error)
                                         : red_fail(error, RED_E_MEMORY, "no memory for a table");
    fputs(times.rows_n > 0 ? "\nTime to answer (median), and how many times as long as A, with its 95 % "
                             "interval (~ = a tie):\n"
                           : "\nNothing was timed on two of them.\n",
          out);
    if (status == RED_OK && times.rows_n > 0)
        red_table_print(times.table, out);
    red_table_destroy(times.table);
    return status;
}

enum red_status red_comparison_show(const struct red_comparison *comparison, FILE *out,
                                    struct red_error *error) {
    print_sides(comparison, out);
    enum red_status status = print_capabilities(comparison, out, error);
    if (status == RED_OK)
        status = red_states_show(
            comparison, differs,
            "What does not run right on all of them (- = not asked; of several geometries the worst):",
            "Nothing runs right on one of them and not on another, and nothing went wrong.", SIZE_MAX, out,
            error);
    return status == RED_OK ? print_times(comparison, out, error) : status;
}
