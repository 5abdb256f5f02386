/* The sides of a comparison, their cells by key, and `compare --drivers`: a table of what the devices differ
 * in, one of how cells ended, one of times, or the same as CSV or JSON. */
#include "compare/compare.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "console/console_table.h"
#include "console/table.h"
#include "core/text.h"

enum { TEXT_BYTES = 96 };

enum { DATA_COLUMNS_N = 18 };
static const struct red_column data_columns[DATA_COLUMNS_N] = {
    {.name = "strategy"},
    {.name = "op"},
    {.name = "type"},
    {.name = "shape"},
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

struct data {
    const struct red_comparison *comparison;
    struct red_table *table;
};

/* A number of a CSV or JSON row; "" if it is not known. */
static void print_if_known(double value, bool known, char *text) {
    text[0] = '\0';
    if (known)
        snprintf(text, TEXT_BYTES, "%.9g", value);
}

/* Adds to the CSV or JSON of compare --drivers a row for each side that was asked the key. */
static enum red_status add_data_rows(void *context, const struct red_cell *key, struct red_error *error) {
    struct data *data = context;
    const struct red_comparison *comparison = data->comparison;
    const struct red_cell *a = red_side_find_time(&comparison->sides[0], key);
    enum red_status status = RED_OK;
    for (size_t s = 0; s < comparison->sides_n && status == RED_OK; s++) {
        const struct red_side *side = &comparison->sides[s];
        const struct red_cell *cell = red_side_find(side, key);
        if (cell == NULL)
            continue;
        char n[32], numbers[6][TEXT_BYTES];
        enum red_state state = red_side_state(side, key);
        bool timed = red_side_find_time(side, key) != NULL, known = timed && s > 0 && a != NULL;
        enum red_relation relation = red_sides_relation(&comparison->sides[0], side);
        struct red_ratio ratio = known ? red_ratio_of(a, cell) : (struct red_ratio){0, 0, 0};
        snprintf(n, sizeof n, "%llu", (unsigned long long)cell->n);
        print_if_known(cell->time.median, timed, numbers[0]);
        print_if_known(cell->time.low, timed, numbers[1]);
        print_if_known(cell->time.high, timed, numbers[2]);
        print_if_known(ratio.value, known && relation != RED_OTHER_MACHINE, numbers[3]);
        print_if_known(ratio.low, known && relation == RED_ONE_RUN, numbers[4]);
        print_if_known(ratio.high, known && relation == RED_ONE_RUN, numbers[5]);
        const char *const values[DATA_COLUMNS_N] = {cell->strategy->name,
                                                    cell->op->name,
                                                    cell->dtype->name,
                                                    cell->shape,
                                                    n,
                                                    side->label,
                                                    red_side_device(side)->info.id,
                                                    red_side_device(side)->info.driver,
                                                    side->result->machine,
                                                    side->result->path,
                                                    red_state_name(state),
                                                    numbers[0],
                                                    numbers[1],
                                                    numbers[2],
                                                    numbers[3],
                                                    numbers[4],
                                                    numbers[5],
                                                    s > 0 ? red_relation_names[relation] : ""};
        status = red_table_add(data->table, values, error);
    }
    return status;
}

enum red_status red_comparison_write(const struct red_comparison *comparison, struct red_error *error) {
    struct data data = {.comparison = comparison, .table = red_table_create(data_columns, DATA_COLUMNS_N)};
    enum red_status status = data.table ? red_comparison_each_key(comparison, add_data_rows, &data, error)
                                        : red_fail(error, RED_E_MEMORY, "no memory for a table");
    if (status == RED_OK)
        status = red_table_write(data.table, comparison->output->format, comparison->output->path, error);
    red_table_destroy(data.table);
    return status;
}

const char *const red_relation_names[] = {
    [RED_ONE_RUN] = "one run", [RED_OTHER_RUN] = "another run", [RED_OTHER_MACHINE] = "different machine"};

/* ---- keys ---------------------------------------------------------------------------------------------- */

static int order_without_n(const struct red_cell *a, const struct red_cell *b) {
    int order = strcmp(a->op->name, b->op->name);
    order = order ? order : strcmp(a->dtype->name, b->dtype->name);
    order = order ? order : strcmp(a->shape, b->shape);
    return order ? order : strcmp(a->strategy->name, b->strategy->name);
}

static int n_order(const struct red_cell *a, const struct red_cell *b) {
    return (a->n > b->n) - (a->n < b->n);
}

/* The order of keys where devices stand side by side. */
static int key_order(const struct red_cell *a, const struct red_cell *b) {
    int order = order_without_n(a, b);
    return order ? order : n_order(a, b);
}

/* The order where runs stand side by side: by device, then by key, whatever the geometry. */
static int device_key_order(const struct red_cell *a, const struct red_cell *b) {
    int order = strcmp(a->device_id, b->device_id);
    return order ? order : key_order(a, b);
}

/* The same with the geometry; n comes last, so that keys that differ in n only stand together. */
static int run_key_order(const struct red_cell *a, const struct red_cell *b) {
    int order = strcmp(a->device_id, b->device_id);
    order = order ? order : order_without_n(a, b);
    order = order ? order : red_tuning_compare(&a->asked, &b->asked);
    return order ? order : n_order(a, b);
}

/* Of the same key the fastest first, then what has no time. */
static int speed_compare(const struct red_cell *a, const struct red_cell *b) {
    bool a_timed = a->time.median > 0, b_timed = b->time.median > 0;
    if (a_timed != b_timed)
        return a_timed ? -1 : 1;
    return (a->time.median > b->time.median) - (a->time.median < b->time.median);
}

static int cell_compare(const void *left, const void *right, red_key_order *compare) {
    const struct red_cell *a = *(const struct red_cell *const *)left;
    const struct red_cell *b = *(const struct red_cell *const *)right;
    int order = compare(a, b);
    return order ? order : speed_compare(a, b);
}

static int by_key(const void *left, const void *right) {
    return cell_compare(left, right, key_order);
}

static int by_device_key(const void *left, const void *right) {
    return cell_compare(left, right, device_key_order);
}

static int by_run_key(const void *left, const void *right) {
    return cell_compare(left, right, run_key_order);
}

/* The index at which the side's cells of the key begin, or would be inserted; red_side.cells is sorted. */
static size_t first_of_key(const struct red_side *side, const struct red_cell *key) {
    size_t low = 0, high = side->cells_n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (side->order(side->cells[middle], key) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Whether there is a cell at this index of the side, and it has the key. */
static bool is_of_key(const struct red_side *side, size_t at, const struct red_cell *key) {
    return at < side->cells_n && side->order(side->cells[at], key) == 0;
}

const struct red_cell *red_side_find(const struct red_side *side, const struct red_cell *key) {
    size_t at = first_of_key(side, key);
    return is_of_key(side, at, key) ? side->cells[at] : NULL;
}

const struct red_cell *red_side_find_worst(const struct red_side *side, const struct red_cell *key) {
    const struct red_cell *worst = NULL;
    for (size_t at = first_of_key(side, key); is_of_key(side, at, key); at++)
        if (worst == NULL || red_state_severity(side->cells[at]->state) > red_state_severity(worst->state))
            worst = side->cells[at];
    return worst;
}

enum red_state red_side_state(const struct red_side *side, const struct red_cell *key) {
    const struct red_cell *worst = red_side_find_worst(side, key);
    return worst ? worst->state : RED_STATE_PENDING;
}

const struct red_cell *red_side_find_time(const struct red_side *side, const struct red_cell *key) {
    const struct red_cell *cell = red_side_find(side, key);
    return cell != NULL && cell->time.median > 0 && !red_state_is_failure(red_side_state(side, key)) ? cell
                                                                                                     : NULL;
}

/* The first of the sides' next cells; NULL when all sides are through. */
static const struct red_cell *next_key(const struct red_comparison *comparison, const size_t *at) {
    const struct red_cell *next = NULL;
    for (size_t s = 0; s < comparison->sides_n; s++) {
        const struct red_side *side = &comparison->sides[s];
        if (at[s] < side->cells_n && (next == NULL || side->order(side->cells[at[s]], next) < 0))
            next = side->cells[at[s]];
    }
    return next;
}

enum red_status red_comparison_each_key(const struct red_comparison *comparison, red_key_visitor *take,
                                        void *context, struct red_error *error) {
    size_t at[RED_SIDES_MAX] = {0};
    const struct red_cell *key;
    enum red_status status = RED_OK;
    while (status == RED_OK && (key = next_key(comparison, at)) != NULL) {
        for (size_t s = 0; s < comparison->sides_n; s++) {
            const struct red_side *side = &comparison->sides[s];
            while (at[s] < side->cells_n && side->order(side->cells[at[s]], key) == 0)
                at[s]++;
        }
        status = take(context, key, error);
    }
    return status;
}

/* ---- sides --------------------------------------------------------------------------------------------- */

const struct red_run_device *red_side_device(const struct red_side *side) {
    return &side->result->run.devices[side->device];
}

/* Adds a side that has no cells yet. Errors: RED_E_INPUT, RED_E_MEMORY. */
static enum red_status add_side(struct red_comparison *comparison, const struct red_result *result,
                                struct red_side **side, struct red_error *error) {
    if (comparison->sides_n == RED_SIDES_MAX)
        return red_fail(error, RED_E_INPUT, "compare takes at most %d devices at a time", RED_SIDES_MAX);
    *side = &comparison->sides[comparison->sides_n];
    **side =
        (struct red_side){.result = result, .cells = calloc(result->run.cells_n + 1, sizeof *(*side)->cells)};
    if ((*side)->cells == NULL)
        return red_fail(error, RED_E_MEMORY, "no memory to compare");
    comparison->sides_n++;
    return RED_OK;
}

/* Adds one device of a result file as a side, labelled A, B, ...: a column of compare --drivers. */
static enum red_status add_device_side(struct red_comparison *comparison, const struct red_result *result,
                                       size_t device, struct red_error *error) {
    struct red_side *side = NULL;
    enum red_status status = add_side(comparison, result, &side, error);
    if (status != RED_OK)
        return status;
    side->label[0] = (char)('A' + comparison->sides_n - 1);
    side->device = device;
    side->order = key_order;
    for (size_t i = 0; i < result->run.cells_n; i++)
        if (result->run.cells[i].device == device)
            side->cells[side->cells_n++] = &result->run.cells[i];
    qsort(side->cells, side->cells_n, sizeof *side->cells, by_key);
    return RED_OK;
}

enum red_status red_comparison_make_device_sides(struct red_comparison *comparison, struct red_error *error) {
    enum red_status status = RED_OK;
    for (size_t f = 0; f < comparison->results_n; f++) {
        const struct red_result *result = &comparison->results[f];
        for (size_t d = 0; d < result->run.devices_n && status == RED_OK; d++)
            if (!result->run.devices[d].is_host)
                status = add_device_side(comparison, result, d, error);
    }
    if (status != RED_OK || comparison->sides_n >= 2)
        return status;
    return red_fail(error, RED_E_INPUT,
                    "compare --drivers wants two devices or more, in one result file or several; there is %s",
                    comparison->sides_n == 1 ? "one" : "none");
}

static void sort_sides(struct red_comparison *comparison, red_key_order *order,
                       int (*compare)(const void *, const void *)) {
    for (size_t s = 0; s < comparison->sides_n; s++) {
        struct red_side *side = &comparison->sides[s];
        side->order = order;
        qsort(side->cells, side->cells_n, sizeof *side->cells, compare);
    }
}

/* Fills in which geometry was asked for where a file does not tell, as red_comparison_make_run_sides says.
 * Sides must be in device_key_order. */
static enum red_status fill_asked(void *context, const struct red_cell *key, struct red_error *error) {
    struct red_comparison *comparison = context;
    bool all_tell = true, all_are_one = true;
    (void)error;
    for (size_t s = 0; s < comparison->sides_n; s++) {
        const struct red_side *side = &comparison->sides[s];
        size_t first = first_of_key(side, key), at = first;
        for (; is_of_key(side, at, key); at++)
            all_tell = all_tell && !side->cells[at]->asked_unknown;
        all_are_one = all_are_one && at - first <= 1;
    }
    for (size_t s = 0; s < comparison->sides_n && !all_tell; s++) {
        const struct red_side *side = &comparison->sides[s];
        struct red_result *result = &comparison->results[s];
        for (size_t at = first_of_key(side, key); is_of_key(side, at, key); at++) {
            struct red_cell *cell = &result->run.cells[side->cells[at] - result->run.cells];
            cell->asked = all_are_one ? (struct red_tuning){.group_size = 0} : cell->tuning;
        }
    }
    return RED_OK;
}

enum red_status red_comparison_make_run_sides(struct red_comparison *comparison, struct red_error *error) {
    static const char *const labels[] = {"base", "head"};
    comparison->is_of_runs = true;
    for (size_t f = 0; f < comparison->results_n; f++) {
        const struct red_result *result = &comparison->results[f];
        struct red_side *side = NULL;
        enum red_status status = add_side(comparison, result, &side, error);
        if (status != RED_OK)
            return status;
        snprintf(side->label, sizeof side->label, "%s", labels[f]);
        while (side->cells_n < result->run.cells_n) {
            side->cells[side->cells_n] = &result->run.cells[side->cells_n];
            side->cells_n++;
        }
    }
    sort_sides(comparison, device_key_order, by_device_key);
    enum red_status status = red_comparison_each_key(comparison, fill_asked, comparison, error);
    sort_sides(comparison, run_key_order, by_run_key);
    return status;
}

void red_comparison_clear(struct red_comparison *comparison) {
    for (size_t s = 0; s < comparison->sides_n; s++)
        free(comparison->sides[s].cells);
    for (size_t i = 0; i < comparison->results_n; i++)
        red_result_clear(&comparison->results[i]);
    comparison->sides_n = comparison->results_n = 0;
}

/* ---- what may be compared ------------------------------------------------------------------------------ */

enum red_relation red_sides_relation(const struct red_side *a, const struct red_side *b) {
    if (a->result == b->result)
        return RED_ONE_RUN;
    return strcmp(a->result->machine, b->result->machine) == 0 ? RED_OTHER_RUN : RED_OTHER_MACHINE;
}

struct red_ratio red_ratio_of(const struct red_cell *a, const struct red_cell *b) {
    return (struct red_ratio){b->time.median / a->time.median, b->time.low / a->time.high,
                              b->time.high / a->time.low};
}

/* Prints what each letter of compare --drivers stands for: "A = intel: Intel(R) ..., driver ...". */
static void print_sides(const struct red_comparison *comparison, FILE *out) {
    for (size_t s = 0; s < comparison->sides_n; s++) {
        const struct red_side *side = &comparison->sides[s];
        const struct red_run_device *device = red_side_device(side);
        char text[1024];
        snprintf(text, sizeof text, "%s = %s: %s, %s, driver %s; %s, %s; on %s%s%s", side->label,
                 device->info.id, device->info.name, device->info.platform, device->info.driver,
                 side->result->path, side->result->run.started, side->result->machine,
                 s > 0 ? "; against A: " : "",
                 s > 0 ? red_relation_names[red_sides_relation(&comparison->sides[0], side)] : "");
        red_wrapped_print(out, "", text);
    }
}

/* What the table shows for a capability of a device of a result file; "?" if the file does not tell. */
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

static const char *event_times_word(const struct red_run_device *device) {
    return !device->event_clock.checked ? "?" : device->event_clock.trusted ? "trusted" : "untrusted";
}

/* Adds a row of capabilities unless all values that are known are the same; true if it did. */
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

static bool has_earlier_row(const struct red_comparison *comparison, size_t s, const char *name) {
    for (size_t before = 0; before < s; before++)
        if (strcmp(capability_word(red_side_device(&comparison->sides[before]), name), "?") != 0)
            return true;
    return false;
}

static enum red_status print_capability_differences(const struct red_comparison *comparison, FILE *out,
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
            if (has_earlier_row(comparison, s, name))
                continue;
            for (size_t other = 0; other < n; other++)
                values[other] = capability_word(red_side_device(&comparison->sides[other]), name);
            any = add_difference(table, name, values, n, &status, error) || any;
        }
    }
    for (size_t s = 0; s < n; s++)
        values[s] = event_times_word(red_side_device(&comparison->sides[s]));
    any = status == RED_OK && (add_difference(table, "event times", values, n, &status, error) || any);
    fputs(any ? "\nWhat they can do differently (? = the file does not tell):\n"
              : "\nThey can do the same, as far as the files tell.\n",
          out);
    if (any && status == RED_OK)
        red_table_print(table, out);
    red_table_destroy(table);
    return status;
}

/* Whether compare --drivers shows the key under "What does not run right on all of them". */
static bool has_state_row(const struct red_comparison *comparison, const struct red_cell *key) {
    enum red_state first = RED_STATE_PENDING;
    bool counts = false;
    for (size_t s = 0; s < comparison->sides_n; s++) {
        enum red_state state = red_side_state(&comparison->sides[s], key);
        first = first == RED_STATE_PENDING ? state : first;
        counts = counts || red_state_is_failure(state) || (state != RED_STATE_PENDING && state != first);
    }
    return counts;
}

/* The column "B : A" of times: "1.20 (1.10-1.31)", or why there is no interval or no ratio. */
static void ratio_format(const struct red_side *base, const struct red_side *side, const struct red_cell *a,
                         const struct red_cell *b, char *text, size_t text_bytes) {
    enum red_relation relation = red_sides_relation(base, side);
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

/* For red_comparison_each_key: adds a row to the table of times unless fewer than two sides have one. */
static enum red_status add_times_row(void *context, const struct red_cell *key, struct red_error *error) {
    struct times *times = context;
    const struct red_comparison *comparison = times->comparison;
    const char *values[2 + 2 * RED_SIDES_MAX] = {key->strategy->name};
    char what[TEXT_BYTES], texts[2 * RED_SIDES_MAX][TEXT_BYTES];
    const struct red_cell *a = red_side_find_time(&comparison->sides[0], key);
    size_t timed_n = 0, at = 0;
    red_key_format(key, what, sizeof what);
    values[1] = what;
    for (size_t s = 0; s < comparison->sides_n; s++) {
        const struct red_cell *cell = red_side_find_time(&comparison->sides[s], key);
        bool timed = cell != NULL;
        timed_n += timed;
        snprintf(texts[at], TEXT_BYTES, "-");
        if (timed)
            red_number_format(1e6 * cell->time.median, texts[at], TEXT_BYTES);
        values[2 + at] = texts[at];
        at++;
        if (s == 0)
            continue;
        snprintf(texts[at], TEXT_BYTES, "-");
        if (timed && a != NULL)
            ratio_format(&comparison->sides[0], &comparison->sides[s], a, cell, texts[at], TEXT_BYTES);
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
    enum red_status status = times.table ? red_comparison_each_key(comparison, add_times_row, &times, error)
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
    enum red_status status = print_capability_differences(comparison, out, error);
    if (status == RED_OK)
        status = red_key_states_print(
            comparison, has_state_row,
            "What does not run right on all of them (- = not asked; of several geometries the worst):",
            "Nothing runs right on one of them and not on another, and nothing went wrong.", SIZE_MAX, out,
            error);
    return status == RED_OK ? print_times(comparison, out, error) : status;
}
