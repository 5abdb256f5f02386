/* Two parts of `compare`: which differences between two runs forbid a comparison (--across accepts them),
 * and the tables of cells that ended otherwise in the second run. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compare/compare.h"
#include "compare/two_runs.h"
#include "console/table.h"
#include "core/select.h"
#include "results/json.h"

/* ---- comparability ------------------------------------------------------------------------------------- */

enum kind { MACHINE, DEVICE, DRIVER, VERSION, SETTINGS, KINDS_N };
static const char *const words[KINDS_N + 1] = {"machine", "device", "driver", "version", "settings", "all"};

/* Differences found so far. */
struct apart {
    bool kinds[KINDS_N];
    char *lines; /* RED_TOLD_BYTES */
};

/* Whether --across accepts differences of this kind. */
static bool is_accepted(const char *across, enum kind kind) {
    return across != NULL &&
           (red_select_matches(across, words[kind]) || red_select_matches(across, words[KINDS_N]));
}

enum red_status red_comparability_check(const char *across, struct red_error *error) {
    return red_select_check("word of --across", across, words, KINDS_N + 1, error);
}

/* Adds a line if base and head differ in this; the user reads it where compare refuses, or above tables. */
static void add_if_different(struct apart *apart, enum kind kind, const char *what, const char *base,
                             const char *head) {
    if (strcmp(base, head) == 0)
        return;
    size_t used = strlen(apart->lines);
    apart->kinds[kind] = true;
    int length =
        snprintf(apart->lines + used, RED_TOLD_BYTES - used, "%s  %s: %.200s in base, %.200s in head",
                 used > 0 ? "\n" : "", what, base[0] ? base : "unknown", head[0] ? head : "unknown");
    if (used + (size_t)length >= RED_TOLD_BYTES)
        memcpy(apart->lines + RED_TOLD_BYTES - 4, "...", 4);
}

static void compare_devices(struct apart *apart, const struct red_device_info *base,
                            const struct red_device_info *head) {
    char what[96];
    snprintf(what, sizeof what, "device %s", base->id);
    add_if_different(apart, DEVICE, what, base->name, head->name);
    snprintf(what, sizeof what, "driver of %s", base->id);
    add_if_different(apart, DRIVER, what, base->driver, head->driver);
    snprintf(what, sizeof what, "driver of %s, platform", base->id);
    add_if_different(apart, DRIVER, what, base->platform, head->platform);
    snprintf(what, sizeof what, "driver of %s, platform version", base->id);
    add_if_different(apart, DRIVER, what, base->platform_version, head->platform_version);
}

static enum red_status compare_settings(struct apart *apart, const struct red_run *base,
                                        const struct red_run *head, struct red_error *error) {
    char before[32], after[32];
    char *settings[] = {red_host_settings(&base->host), red_host_settings(&head->host)};
    const bool whole = settings[0] != NULL && settings[1] != NULL;
    snprintf(before, sizeof before, "%.9g s", base->time_per_cell_s);
    snprintf(after, sizeof after, "%.9g s", head->time_per_cell_s);
    add_if_different(apart, SETTINGS, "settings, time per cell", before, after);
    add_if_different(apart, SETTINGS, "settings, processors kept awake", base->host.kept_awake ? "yes" : "no",
                     head->host.kept_awake ? "yes" : "no");
    if (whole)
        add_if_different(apart, SETTINGS, "settings, environment", settings[0], settings[1]);
    free(settings[0]);
    free(settings[1]);
    return whole ? RED_OK : red_fail(error, RED_E_MEMORY, "no memory to compare");
}

static enum red_status compare_runs(struct apart *apart, const struct red_run *base,
                                    const struct red_run *head, struct red_error *error) {
    char before[32], after[32];
    add_if_different(apart, MACHINE, "machine, name", base->host.name, head->host.name);
    add_if_different(apart, MACHINE, "machine, processor", base->host.processor, head->host.processor);
    snprintf(before, sizeof before, "%u", base->host.cores_n);
    snprintf(after, sizeof after, "%u", head->host.cores_n);
    add_if_different(apart, MACHINE, "machine, cores", before, after);
    add_if_different(apart, VERSION, "version of clreduce", base->version, head->version);
    enum red_status status = compare_settings(apart, base, head, error);
    for (size_t b = 0; b < base->devices_n; b++)
        for (size_t h = 0; h < head->devices_n; h++)
            if (strcmp(base->devices[b].info.id, head->devices[h].info.id) == 0)
                compare_devices(apart, &base->devices[b].info, &head->devices[h].info);
    return status;
}

/* "array", "segments" whatever their number, "iterate:100": the same for all cells of a run. */
static void run_shape_format(const struct red_run *run, char *text, size_t text_bytes) {
    const char *shape = run->cells_n > 0 && run->cells[0].shape[0] != '\0' ? run->cells[0].shape : "array";
    bool is_segments = strncmp(shape, "segments:", 9) == 0;
    snprintf(text, text_bytes, "%.*s", is_segments ? 8 : 63, shape);
}

enum red_status red_two_runs_check_comparable(struct red_two_runs *stored, const char *accepted,
                                              struct red_error *error) {
    const struct red_result *base = &stored->comparison.results[0], *head = &stored->comparison.results[1];
    struct apart apart = {.lines = stored->told};
    char shapes[2][64];
    bool refused = false;
    run_shape_format(&base->run, shapes[0], sizeof shapes[0]);
    run_shape_format(&head->run, shapes[1], sizeof shapes[1]);
    if (base->run.cells_n > 0 && head->run.cells_n > 0 && strcmp(shapes[0], shapes[1]) != 0)
        return red_fail(error, RED_E_INPUT,
                        "%.200s and %.200s reduce other shapes, %s and %s: times of different work are not "
                        "compared",
                        base->path, head->path, shapes[0], shapes[1]);
    enum red_status status = compare_runs(&apart, &base->run, &head->run, error);
    if (status != RED_OK)
        return status;
    for (size_t kind = 0; kind < KINDS_N; kind++) {
        size_t used = strlen(stored->across);
        if (apart.kinds[kind])
            snprintf(stored->across + used, RED_ACROSS_BYTES - used, "%s%s", used > 0 ? "," : "",
                     words[kind]);
        refused = refused || (apart.kinds[kind] && !is_accepted(accepted, (enum kind)kind));
    }
    return refused ? red_fail(error, RED_E_INPUT,
                              "%.200s and %.200s differ in more than the program; --across %s compares them "
                              "all the same:\n%s",
                              base->path, head->path, stored->across, stored->told)
                   : RED_OK;
}

enum { TEXT_BYTES = 192 };

/* ---- words --------------------------------------------------------------------------------------------- */

void red_key_format(const struct red_cell *key, char *text, size_t text_bytes) {
    char n[32];
    red_size_format(key->n, n, sizeof n);
    bool is_array = strcmp(key->shape, "array") == 0 || key->shape[0] == '\0';
    snprintf(text, text_bytes, "%.24s %.16s %.31s%s", key->op->name, key->dtype->name, n,
             is_array                        ? ""
             : strstr(key->shape, "iterate") ? " iterated"
                                             : " segments");
}

void red_cell_tuning_format(const struct red_tuning *tuning, char *text, size_t text_bytes) {
    char all[80];
    red_tuning_format(tuning, RED_TUNING_SHORT, all, sizeof all);
    snprintf(text, text_bytes, "%s", all + (all[0] == ':'));
}

void red_key_strategy_format(const struct red_comparison *comparison, const struct red_cell *key, char *text,
                             size_t text_bytes) {
    char asked[80] = "";
    if (comparison->is_of_runs)
        red_tuning_format(&key->asked, RED_TUNING_SHORT, asked, sizeof asked);
    snprintf(text, text_bytes, "%s%s", key->strategy->name, asked);
}

/* ---- rows ---------------------------------------------------------------------------------------------- */

/* Keys that differ in n only and ended alike: one row of the table. */
struct stretch {
    const struct red_cell *first, *last; /* NULL: none */
    const char *states[RED_SIDES_MAX];
    const char *reason; /* of the first */
};

struct sheet {
    const struct red_comparison *comparison;
    red_key_filter *takes;
    struct red_table *table;
    size_t rows_n, rows_max;
    struct stretch stretch; /* that may go on */
};

/* "sum f32 2^10..2^14" */
static void stretch_keys_format(const struct stretch *stretch, char *text, size_t text_bytes) {
    char last[32];
    red_key_format(stretch->first, text, text_bytes);
    size_t used = strlen(text);
    red_size_format(stretch->last->n, last, sizeof last);
    if (stretch->first != stretch->last)
        snprintf(text + used, text_bytes - used, "..%s", last);
}

/* Adds the row to the table that red_key_states_print prints; above rows_max it only counts it. */
static enum red_status finish_row(struct sheet *sheet, struct red_error *error) {
    struct stretch *stretch = &sheet->stretch;
    const struct red_comparison *comparison = sheet->comparison;
    const char *values[4 + RED_SIDES_MAX];
    char strategy[TEXT_BYTES], what[TEXT_BYTES];
    size_t at = 0;
    if (stretch->first == NULL || ++sheet->rows_n > sheet->rows_max) {
        stretch->first = NULL;
        return RED_OK;
    }
    red_key_strategy_format(comparison, stretch->first, strategy, sizeof strategy);
    stretch_keys_format(stretch, what, sizeof what);
    if (comparison->is_of_runs)
        values[at++] = stretch->first->device_id;
    values[at++] = strategy;
    values[at++] = what;
    for (size_t s = 0; s < comparison->sides_n; s++)
        values[at++] = stretch->states[s];
    values[at] = stretch->reason;
    stretch->first = NULL;
    return red_table_add(sheet->table, values, error);
}

static bool is_same_but_n(const struct red_cell *a, const struct red_cell *b) {
    return strcmp(a->strategy->name, b->strategy->name) == 0 && strcmp(a->op->name, b->op->name) == 0 &&
           strcmp(a->dtype->name, b->dtype->name) == 0 && strcmp(a->shape, b->shape) == 0;
}

/* Whether the key `next` differs from the row that is open in n only. */
static bool continues_row(const struct sheet *sheet, const struct stretch *next) {
    const struct stretch *stretch = &sheet->stretch;
    if (stretch->first == NULL || !is_same_but_n(stretch->first, next->first))
        return false;
    if (sheet->comparison->is_of_runs &&
        (strcmp(stretch->first->device_id, next->first->device_id) != 0 ||
         red_tuning_compare(&stretch->first->asked, &next->first->asked) != 0))
        return false;
    for (size_t s = 0; s < sheet->comparison->sides_n; s++)
        if (strcmp(stretch->states[s], next->states[s]) != 0)
            return false;
    return true;
}

/* Fills in how each side ended. The reason is that of the last side that was not right. */
static void fill_states(const struct red_comparison *comparison, struct stretch *stretch) {
    stretch->reason = "";
    for (size_t s = 0; s < comparison->sides_n; s++) {
        const struct red_cell *cell = red_side_find_worst(&comparison->sides[s], stretch->first);
        bool asked = cell != NULL && (comparison->is_of_runs || cell->state != RED_STATE_PENDING);
        stretch->states[s] = asked ? red_state_name(cell->state) : "-";
        if (asked && cell->reason[0] != '\0')
            stretch->reason = cell->reason;
    }
}

/* For red_comparison_each_key; `context` is the sheet. */
static enum red_status take_key(void *context, const struct red_cell *key, struct red_error *error) {
    struct sheet *sheet = context;
    struct stretch next = {.first = key, .last = key};
    bool taken = sheet->takes(sheet->comparison, key);
    if (taken)
        fill_states(sheet->comparison, &next);
    if (taken && continues_row(sheet, &next)) {
        sheet->stretch.last = key;
        return RED_OK;
    }
    enum red_status status = finish_row(sheet, error);
    if (taken)
        sheet->stretch = next;
    return status;
}

enum red_status red_key_states_print(const struct red_comparison *comparison, red_key_filter *takes,
                                     const char *heading, const char *empty, size_t rows_max, FILE *out,
                                     struct red_error *error) {
    struct red_column columns[4 + RED_SIDES_MAX];
    size_t n = 0;
    if (comparison->is_of_runs)
        columns[n++] = (struct red_column){.name = "device"};
    columns[n++] = (struct red_column){.name = "strategy"};
    columns[n++] = (struct red_column){.name = "op type n"};
    for (size_t s = 0; s < comparison->sides_n; s++)
        columns[n++] = (struct red_column){.name = comparison->sides[s].label};
    if (comparison->is_of_runs)
        columns[n++] = (struct red_column){.name = "reason", .below = true};
    struct sheet sheet = {.comparison = comparison,
                          .takes = takes,
                          .table = red_table_create(columns, n),
                          .rows_max = rows_max};
    enum red_status status = sheet.table ? red_comparison_each_key(comparison, take_key, &sheet, error)
                                         : red_fail(error, RED_E_MEMORY, "no memory for a table");
    if (status == RED_OK)
        status = finish_row(&sheet, error);
    if (status == RED_OK && sheet.rows_n > 0) {
        fprintf(out, "\n%s\n", heading);
        red_table_print(sheet.table, out);
        if (sheet.rows_n > rows_max)
            fprintf(out, "%zu more; --format csv has all\n", sheet.rows_n - rows_max);
    } else if (status == RED_OK && empty != NULL) {
        fprintf(out, "\n%s\n", empty);
    }
    red_table_destroy(sheet.table);
    return status;
}
