/* What `compare BASE HEAD` and `compare --drivers` share: the sides of a comparison, their cells by key, and
 * tables with rows of keys, among them those of how cells ended; and which differences between two runs
 * forbid a comparison (--across accepts them). cli/cmd_compare.c loads the files that the user named, and
 * hands in the comparison that holds them; all cells are theirs. */
#define _GNU_SOURCE /* qsort_r */
#include "compare/compare.h"

#include <stdlib.h>
#include <string.h>

#include "core/select.h"
#include "core/text.h"
#include "results/json.h"

/* ---- keys ------------------------------------------------------------------------------------------------
 * Rows of CSV, JSON and the tables of keys stand in this order, but not "Time to answer" of two runs. */

/* For qsort_r, of the cells of a side: by key; of the same key the fastest first, then what has no time. */
static int by_key_then_time(const void *left, const void *right, void *side) {
    const struct red_cell *a = *(const struct red_cell *const *)left;
    const struct red_cell *b = *(const struct red_cell *const *)right;
    bool a_timed = a->time.median > 0, b_timed = b->time.median > 0;
    int order = red_at_compare(&a->at, &b->at, ((const struct red_side *)side)->axes);
    if (order != 0)
        return order;
    if (a_timed != b_timed)
        return a_timed ? -1 : 1;
    return (a->time.median > b->time.median) - (a->time.median < b->time.median);
}

/* What the side has of the key of this cell: its state and time in the rows of all tables. Its cells of
 * smaller keys end before `first`. */
static struct red_key_side key_side_of(const struct red_side *side, size_t first,
                                       const struct red_cell *cell) {
    struct red_key_side of = {.state = RED_STATE_PENDING, .first = first};
    for (size_t at = first; at < side->cells_n && red_at_is_same(&side->cells[at]->at, &cell->at, side->axes);
         at++, of.n++)
        if (of.n == 0 || red_state_is_worse(side->cells[at]->state, of.worst->state))
            of.worst = side->cells[at];
    if (of.n == 0)
        return of;
    of.state = of.worst->state;
    if (side->cells[first]->time.median > 0 && !red_state_is_fault(of.state))
        of.timed = side->cells[first];
    return of;
}

/* Gives each row of CSV, JSON and the tables its key (red_key_table_fill, red_key_states_print), and
 * red_two_runs_line_up what it counts. */
bool red_comparison_next_key(const struct red_comparison *comparison, struct red_key *key) {
    key->cell = NULL;
    key->sides_n = comparison->sides_n;
    for (size_t s = 0; s < comparison->sides_n; s++) {
        const struct red_side *side = &comparison->sides[s];
        size_t at = key->sides[s].first + key->sides[s].n;
        if (at < side->cells_n &&
            (key->cell == NULL || red_at_compare(&side->cells[at]->at, &key->cell->at, side->axes) < 0))
            key->cell = side->cells[at];
    }
    for (size_t s = 0; s < comparison->sides_n && key->cell != NULL; s++)
        key->sides[s] = key_side_of(&comparison->sides[s], key->sides[s].first + key->sides[s].n, key->cell);
    return key->cell != NULL;
}

/* The cells have the same key, on two sides. The ratio is seen in the columns "B : A" (drivers.c) and
 * "head : base" (two_runs.c), and in CSV and JSON as ratio, ratio_low, ratio_high. */
struct red_ratio red_ratio_of(const struct red_cell *denominator, const struct red_cell *numerator) {
    const struct red_statistics *below = &denominator->time, *above = &numerator->time;
    return (struct red_ratio){above->median / below->median, above->low / below->high,
                              above->high / below->low};
}

/* ---- sides --------------------------------------------------------------------------------------------- */

/* Gives a side its cells: of two runs all of the result, otherwise those of the device, not in order yet.
 * Errors: RED_E_MEMORY. */
static enum red_status take_cells(const struct red_comparison *comparison, struct red_side *side,
                                  struct red_error *error) {
    const struct red_run *run = &side->result->run;
    side->cells = calloc(run->cells_n + 1, sizeof *side->cells);
    if (side->cells == NULL)
        return red_fail(error, RED_E_MEMORY, "no memory to compare");
    for (size_t i = 0; i < run->cells_n; i++)
        if (comparison->is_of_runs || run->cells[i].device == side->device)
            side->cells[side->cells_n++] = &run->cells[i];
    return RED_OK;
}

/* Sorts the cells of the sides by the axes of their keys, and chooses the columns of these. */
static void sort_cells(struct red_comparison *comparison, struct red_side *sides, size_t sides_n,
                       unsigned axes) {
    unsigned of_cells = ~(unsigned)RED_AT_OVER_RANKS;
    for (size_t r = 0; r < comparison->loaded.results_n; r++)
        of_cells |= red_run_axes(&comparison->loaded.results[r].run);
    comparison->key_columns = RED_DRIVERS_KEY & of_cells;
    for (struct red_side *side = sides; side < sides + sides_n; side++) {
        side->axes = axes;
        qsort_r(side->cells, side->cells_n, sizeof *side->cells, by_key_then_time, side);
    }
}

/* Lists the devices of a result in comparison->all, which has room for them, without cells. */
static void list_devices(struct red_comparison *comparison, const struct red_result *result,
                         const struct red_verify_file *file) {
    for (size_t d = 0; d < result->run.devices_n; d++) {
        struct red_side *side = &comparison->all[comparison->all_n];
        if (result->run.devices[d].is_host)
            continue;
        *side = (struct red_side){
            .result = result, .device = d, .verified = file != NULL ? &file->devices[d] : NULL};
        snprintf(side->label, sizeof side->label, "%.7s", red_letters_text(comparison->all_n++).text);
    }
}

/* Makes the columns A, B and so on of the tables. */
enum red_status red_comparison_make_device_sides(struct red_comparison *comparison, struct red_error *error) {
    const struct red_loaded_files *loaded = &comparison->loaded;
    enum red_status status = RED_OK;
    size_t room = 1;
    for (size_t r = 0; r < loaded->results_n; r++)
        room += loaded->results[r].run.devices_n;
    for (size_t c = 0; c < loaded->checks_n; c++)
        room += loaded->checks[c].result.run.devices_n;
    comparison->all = calloc(room, sizeof *comparison->all);
    if (comparison->all == NULL)
        return red_fail(error, RED_E_MEMORY, "no memory for %zu devices", room);
    for (size_t r = 0; r < loaded->results_n; r++)
        list_devices(comparison, &loaded->results[r], NULL);
    for (size_t c = 0; c < loaded->checks_n; c++)
        list_devices(comparison, &loaded->checks[c].result, &loaded->checks[c]);
    if (comparison->all_n < 2)
        return red_fail(error, RED_E_INPUT,
                        "compare --drivers wants two devices or more, in one result file or several; there "
                        "is %s",
                        comparison->all_n == 1 ? "one" : "none");
    for (size_t i = 0; i < comparison->all_n && status == RED_OK; i++)
        status = take_cells(comparison, &comparison->all[i], error);
    if (status == RED_OK)
        sort_cells(comparison, comparison->all, comparison->all_n, RED_DRIVERS_KEY);
    (void)red_comparison_next_sides(comparison);
    return status;
}

bool red_comparison_next_sides(struct red_comparison *comparison) {
    if (comparison->shown_n >= comparison->all_n)
        return false;
    comparison->sides[0] = comparison->all[0];
    comparison->again_n = comparison->shown_n > 0 ? 1 : 0;
    comparison->sides_n = comparison->again_n;
    while (comparison->sides_n < RED_SIDES_MAX && comparison->shown_n < comparison->all_n)
        comparison->sides[comparison->sides_n++] = comparison->all[comparison->shown_n++];
    return true;
}

/* Makes the columns base and head. */
enum red_status red_comparison_make_run_sides(struct red_comparison *comparison, struct red_error *error) {
    static const char *const labels[] = {"base", "head"};
    enum red_status status = RED_OK;
    comparison->is_of_runs = true;
    for (size_t f = 0; f < comparison->loaded.results_n && status == RED_OK; f++) {
        struct red_side *side = &comparison->sides[comparison->sides_n++];
        *side = (struct red_side){.result = &comparison->loaded.results[f]};
        snprintf(side->label, sizeof side->label, "%s", labels[f]);
        status = take_cells(comparison, side, error);
    }
    sort_cells(comparison, comparison->sides, comparison->sides_n, RED_RUNS_KEY);
    return status;
}

void red_comparison_clear(struct red_comparison *comparison) {
    for (size_t s = 0; s < comparison->sides_n && comparison->all == NULL; s++)
        free(comparison->sides[s].cells);
    for (size_t i = 0; i < comparison->all_n; i++)
        free(comparison->all[i].cells);
    free(comparison->all);
    comparison->all = NULL;
    comparison->all_n = 0;
    red_loaded_files_clear(&comparison->loaded);
    comparison->sides_n = 0;
}

/* ---- comparability of two runs ---------------------------------------------------------------------------
 * cli/cmd_compare.c asks for both before anything is printed: a refusal is the error that ends `compare`. */

enum difference_kind { MACHINE, DEVICE, DRIVER, VERSION, SETTINGS, KINDS_N };
static const char *const words[KINDS_N + 1] = {"machine", "device", "driver", "version", "settings", "all"};

/* Differences found so far: their lines are red_comparison.told. */
struct run_differences {
    bool kinds[KINDS_N];
    char *lines; /* RED_TOLD_BYTES */
};

/* `across` is the text of --across. */
enum red_status red_across_check_words(const char *across, struct red_error *error) {
    return red_select_check("word of --across", across, words, KINDS_N + 1, error);
}

/* Adds a line if base and head differ in this; the user reads it where compare refuses, or above tables. */
static void add_line_if_different(struct run_differences *found, enum difference_kind kind, const char *what,
                                  const char *base, const char *head) {
    if (strcmp(base, head) == 0)
        return;
    size_t used = strlen(found->lines);
    found->kinds[kind] = true;
    int length =
        snprintf(found->lines + used, RED_TOLD_BYTES - used, "%s  %s: %.200s in base, %.200s in head",
                 used > 0 ? "\n" : "", what, base[0] ? base : "unknown", head[0] ? head : "unknown");
    if (used + (size_t)length >= RED_TOLD_BYTES)
        memcpy(found->lines + RED_TOLD_BYTES - 4, "...", 4);
}

/* Adds what differs between two devices of one id. */
static void add_device_differences(struct run_differences *found, const struct red_device_info *base,
                                   const struct red_device_info *head) {
    char what[96];
    snprintf(what, sizeof what, "device %s", base->id);
    add_line_if_different(found, DEVICE, what, base->name, head->name);
    snprintf(what, sizeof what, "driver of %s", base->id);
    add_line_if_different(found, DRIVER, what, base->driver, head->driver);
    snprintf(what, sizeof what, "driver of %s, platform", base->id);
    add_line_if_different(found, DRIVER, what, base->platform, head->platform);
    snprintf(what, sizeof what, "driver of %s, platform version", base->id);
    add_line_if_different(found, DRIVER, what, base->platform_version, head->platform_version);
}

/* Adds what differs in how the runs measured: time per cell, kept awake (of earlier versions), and the
 * environment; not the seed. Errors: RED_E_MEMORY. */
static enum red_status add_setting_differences(struct run_differences *found, const struct red_run *base,
                                               const struct red_run *head, struct red_error *error) {
    char before[32], after[32];
    char *settings[] = {red_host_environment_text(&base->host), red_host_environment_text(&head->host)};
    const bool whole = settings[0] != NULL && settings[1] != NULL;
    snprintf(before, sizeof before, "%.9g s", base->time_per_cell_s);
    snprintf(after, sizeof after, "%.9g s", head->time_per_cell_s);
    add_line_if_different(found, SETTINGS, "settings, time per cell", before, after);
    add_line_if_different(found, SETTINGS, "settings, processors kept awake",
                          base->host.kept_awake ? "yes" : "no", head->host.kept_awake ? "yes" : "no");
    if (whole)
        add_line_if_different(found, SETTINGS, "settings, environment", settings[0], settings[1]);
    free(settings[0]);
    free(settings[1]);
    return whole ? RED_OK : red_fail(error, RED_E_MEMORY, "no memory to compare");
}

/* The hosts of the ranks, each once, and the devices that are on it: "a: NVIDIA H200, NVIDIA H200; b: ...".
 */
static void hosts_of_ranks_format(const struct red_over_ranks *over, char *text, size_t text_bytes) {
    text[0] = '\0';
    for (size_t r = 0; r < over->ranks_n; r++) {
        const struct red_rank *rank = &over->ranks[r];
        const bool is_next = r > 0 && strcmp(rank->host, over->ranks[r - 1].host) == 0;
        red_text_add(text, text_bytes, "%s%s%s%s",
                     is_next ? ", "
                     : r > 0 ? "; "
                             : "",
                     is_next ? "" : rank->host, is_next ? "" : ": ",
                     rank->device_name[0] != '\0' ? rank->device_name : rank->device);
    }
}

/* Adds what differs in the ranks of two runs over ranks. */
static void add_ranks_differences(struct run_differences *found, const struct red_over_ranks *base,
                                  const struct red_over_ranks *head) {
    char before[2048], after[2048];
    hosts_of_ranks_format(base, before, sizeof before);
    hosts_of_ranks_format(head, after, sizeof after);
    add_line_if_different(found, MACHINE, "machine, ranks", before, after);
    add_line_if_different(found, SETTINGS, "settings, MPI", base->mpi, head->mpi);
    add_line_if_different(found, SETTINGS, "settings, pieces (--split)", red_run_split_names[base->split],
                          red_run_split_names[head->split]);
}

/* Adds all that differs between the runs. Errors: RED_E_MEMORY. */
static enum red_status add_run_differences(struct run_differences *found, const struct red_run *base,
                                           const struct red_run *head, struct red_error *error) {
    char before[32], after[32];
    add_line_if_different(found, MACHINE, "machine, name", base->host.name, head->host.name);
    add_line_if_different(found, MACHINE, "machine, processor", base->host.processor, head->host.processor);
    snprintf(before, sizeof before, "%u", base->host.cores_n);
    snprintf(after, sizeof after, "%u", head->host.cores_n);
    add_line_if_different(found, MACHINE, "machine, cores", before, after);
    add_line_if_different(found, VERSION, "program", red_run_program_text(base).text,
                          red_run_program_text(head).text);
    if (base->over_ranks.ranks_n > 0 && head->over_ranks.ranks_n > 0)
        add_ranks_differences(found, &base->over_ranks, &head->over_ranks);
    enum red_status status = add_setting_differences(found, base, head, error);
    for (size_t b = 0; b < base->devices_n; b++)
        for (size_t h = 0; h < head->devices_n; h++)
            if (strcmp(base->devices[b].info.id, head->devices[h].info.id) == 0)
                add_device_differences(found, &base->devices[b].info, &head->devices[h].info);
    return status;
}

static bool has_shape(const struct red_run *run, const char *name) {
    for (size_t i = 0; i < run->cells_n; i++)
        if ((i == 0 || strcmp(run->cells[i].at.shape, run->cells[i - 1].at.shape) != 0) &&
            strcmp(red_at_shape(&run->cells[i].at).text, name) == 0)
            return true;
    return false;
}

/* Whether a shape is in both runs, or one is empty. Cells of a run are of one shape, unless it is of
 * experiments. */
static bool have_common_shape(const struct red_run *base, const struct red_run *head) {
    for (size_t i = 0; i < base->cells_n; i++)
        if ((i == 0 || strcmp(base->cells[i].at.shape, base->cells[i - 1].at.shape) != 0) &&
            has_shape(head, red_at_shape(&base->cells[i].at).text))
            return true;
    return base->cells_n == 0 || head->cells_n == 0;
}

/* `accepted` is the text of --across. What differs, and is accepted, stands above the tables (print_files in
 * two_runs.c), and in the column `across` of CSV and JSON. */
enum red_status red_comparison_check_comparable(struct red_comparison *comparison, const char *accepted,
                                                struct red_error *error) {
    const struct red_result *base = &comparison->loaded.results[0], *head = &comparison->loaded.results[1];
    struct run_differences found = {.lines = comparison->told};
    bool refused = false;
    if (!have_common_shape(&base->run, &head->run))
        return red_fail(error, RED_E_INPUT,
                        "%.200s and %.200s reduce other shapes, %s and %s: times of different work are not "
                        "compared",
                        base->path, head->path, red_at_shape(&base->run.cells[0].at).text,
                        red_at_shape(&head->run.cells[0].at).text);
    if ((base->run.over_ranks.ranks_n > 0) != (head->run.over_ranks.ranks_n > 0))
        return red_fail(error, RED_E_INPUT,
                        "%.200s is over ranks, and %.200s of one device: times of different work are not "
                        "compared",
                        base->run.over_ranks.ranks_n > 0 ? base->path : head->path,
                        base->run.over_ranks.ranks_n > 0 ? head->path : base->path);
    enum red_status status = add_run_differences(&found, &base->run, &head->run, error);
    if (status != RED_OK)
        return status;
    for (size_t kind = 0; kind < KINDS_N; kind++) {
        if (!found.kinds[kind])
            continue;
        red_text_add(comparison->across, RED_ACROSS_BYTES, "%s%s", comparison->across[0] ? "," : "",
                     words[kind]);
        refused =
            refused || accepted == NULL ||
            !(red_select_matches(accepted, words[kind]) || red_select_matches(accepted, words[KINDS_N]));
    }
    return refused ? red_fail(error, RED_E_INPUT,
                              "%.200s and %.200s differ in more than the program; --across %s compares them "
                              "all the same:\n%s",
                              base->path, head->path, comparison->across, comparison->told)
                   : RED_OK;
}

/* ---- words --------------------------------------------------------------------------------------------- */

/* The column "op type n" of the tables of both forms of `compare`; `cell` is any of the row's key. */
struct red_short_text red_key_op_type_n(const struct red_cell *cell) {
    struct red_short_text made = {.text = ""};
    const enum red_shape_kind shape = red_at_shape_kind(&cell->at);
    red_text_add(made.text, sizeof made.text, "%.24s %.16s %.31s%s%s%s", cell->at.op->name,
                 cell->at.dtype->name, red_size_text(cell->at.n).text, shape != RED_SHAPE_ARRAY ? " " : "",
                 shape != RED_SHAPE_ARRAY ? red_shape_names[shape] : "",
                 shape == RED_SHAPE_ITERATE ? "d" : "");
    if (cell->at.bins_n > 0)
        red_text_add(made.text, sizeof made.text, ", %u bins", cell->at.bins_n);
    const struct red_short_text data = red_axis_text(&cell->at, RED_AXIS_DATA);
    if (data.text[0] != '\0')
        red_text_add(made.text, sizeof made.text, ", %s", data.text);
    if (cell->at.ranks_n > 0)
        red_text_add(made.text, sizeof made.text, ", %u rank%s %s", cell->at.ranks_n,
                     cell->at.ranks_n > 1 ? "s" : "", red_axis_text(&cell->at, RED_AXIS_SCALING).text);
    return made;
}

/* The column "strategy" of the tables of how cells ended, and of the times of two runs. */
struct red_short_text red_key_strategy(const struct red_comparison *comparison, const struct red_cell *cell) {
    struct red_short_text made = {.text = ""};
    red_text_add(made.text, sizeof made.text, "%s%s", cell->at.strategy->name,
                 comparison->is_of_runs ? red_axis_text(&cell->at, RED_AXIS_ASKED).text : "");
    if (cell->at.collective[0] != '\0')
        red_text_add(made.text, sizeof made.text, " with %s", cell->at.collective);
    return made;
}

/* ---- tables of keys ------------------------------------------------------------------------------------ */

void red_side_columns_add(const struct red_comparison *comparison, struct red_table *table) {
    for (size_t s = 0; s < comparison->sides_n; s++)
        red_table_add_column(table, comparison->sides[s].label, false, 0);
}

/* NULL as red_table_create. */
static struct red_table *key_table_create(const struct red_comparison *comparison, const char *before,
                                          const char *behind) {
    const unsigned axes = comparison->key_columns;
    struct red_table *table = red_table_create(before);
    for (int axis = 0; axis < RED_AXES_N; axis++)
        if (axes >> axis & 1)
            red_table_add_column(table, red_axis_key((enum red_axis)axis),
                                 red_axis_is_number((enum red_axis)axis), 0);
    red_table_add_columns(table, behind);
    return table;
}

/* Seen in the CSV and JSON of both forms, as the next ones.
 */
void red_comparison_put_axes(const struct red_comparison *comparison, const struct red_cell *cell,
                             struct red_table *table) {
    const unsigned axes = comparison->key_columns;
    for (int axis = 0; axis < RED_AXES_N; axis++)
        if (axes >> axis & 1)
            red_table_put(table, "%s", red_axis_text(&cell->at, (enum red_axis)axis).text);
}

void red_figure_columns_format(unsigned in, const char *before, char *columns, size_t columns_bytes) {
    for (const struct red_figure *figure = NULL; (figure = red_figure_next(figure, in)) != NULL;)
        red_text_add(columns, columns_bytes, "%s%s%s|", before, figure->key,
                     figure->between != NULL ? "" : ">");
}

void red_figures_data_put(unsigned in, const struct red_cell *cell, struct red_table *table) {
    for (const struct red_figure *figure = NULL; (figure = red_figure_next(figure, in)) != NULL;)
        red_table_put(table, "%s", red_figure_data(figure, cell).text);
}

void red_figures_below_put(const struct red_comparison *comparison, const struct red_cell *const *cells,
                           struct red_table *table) {
    char below[1024] = "";
    for (const struct red_figure *figure = NULL;
         (figure = red_figure_next(figure, RED_IN_COMPARE)) != NULL;) {
        const char *before = below[0] == '\0' ? "" : "; ";
        for (size_t s = 0; s < comparison->sides_n; s++) {
            const struct red_side *side = &comparison->sides[s];
            const struct red_short_text text = red_figure_text(figure, &side->result->run, cells[s]);
            if (text.text[0] == '\0')
                continue;
            const bool is_first = strcmp(before, ", ") != 0;
            red_text_add(below, sizeof below, "%s%s%s%s %s", before, is_first ? figure->heading : "",
                         is_first ? ": " : "", side->label, text.text);
            before = ", ";
        }
    }
    red_table_put(table, "%s", below);
}

void red_interval_data_put(double value, double low, double high, size_t known_n, struct red_table *table) {
    const double figures[] = {value, low, high};
    for (size_t i = 0; i < 3; i++)
        red_table_put(table, i < known_n ? "%.9g" : "", figures[i]);
}

void red_key_table_fill(const struct red_comparison *comparison, red_key_rows_add *add,
                        struct red_table *table) {
    struct red_key key = {.cell = NULL};
    while (red_comparison_next_key(comparison, &key))
        add(comparison, &key, table);
}

/* All that --format csv or json gives. */
enum red_status red_key_table_write(const struct red_comparison *comparison, const char *before,
                                    const char *behind, red_key_rows_add *add, struct red_error *error) {
    struct red_table *table = key_table_create(comparison, before, behind);
    struct red_comparison part = *comparison;
    do
        red_key_table_fill(&part, add, table);
    while (red_comparison_next_sides(&part));
    enum red_status status =
        red_table_write(table, comparison->output->format, comparison->output->path, error);
    red_table_destroy(table);
    return status;
}

/* ---- tables of how keys ended ----------------------------------------------------------------------------
 * "What does not run right on all of them" (drivers.c); "In trouble in head ...", "Ended differently",
 * "Missing in head", "New in head" (two_runs.c). These files hand in `takes` and the heading. */

/* Keys that differ in n only and ended alike: one row of the table. */
struct same_end_row {
    const struct red_cell *first, *last; /* NULL: none */
    const char *states[RED_SIDES_MAX];
    const char *reason; /* of the first key */
};

/* Adds the row to the table of how cells ended. */
static void add_same_end_row(const struct red_comparison *comparison, const struct same_end_row *row,
                             struct red_table *table) {
    if (comparison->is_of_runs)
        red_table_put(table, "%s", row->first->at.device);
    red_table_put(table, "%s", red_key_strategy(comparison, row->first).text);
    red_table_put(table, "%s%s%s", red_key_op_type_n(row->first).text, /* "sum f32 2^10..2^14" */
                  row->first != row->last ? ".." : "",
                  row->first != row->last ? red_size_text(row->last->at.n).text : "");
    red_table_put_texts(table, row->states, comparison->sides_n);
    if (comparison->is_of_runs)
        red_table_put(table, "%s", row->reason);
}

/* Whether the key `next` differs from the open row in n only, and ended like it. */
static bool continues_row(const struct red_comparison *comparison, const struct same_end_row *row,
                          const struct same_end_row *next) {
    if (row->first == NULL)
        return false;
    for (size_t s = 0; s < comparison->sides_n; s++)
        if (strcmp(row->states[s], next->states[s]) != 0)
            return false;
    return red_at_is_same(&row->first->at, &next->first->at, comparison->sides[0].axes & ~RED_AT(N));
}

/* Makes a row of one key, with how each side ended. The reason is that of the last side that has
 * one. */
static struct same_end_row row_of_key(const struct red_comparison *comparison, const struct red_key *key) {
    struct same_end_row row = {.first = key->cell, .last = key->cell, .reason = ""};
    for (size_t s = 0; s < comparison->sides_n; s++) {
        const struct red_cell *cell = key->sides[s].worst;
        bool asked = cell != NULL && (comparison->is_of_runs || cell->state != RED_STATE_PENDING);
        row.states[s] = asked ? red_state_name(cell->state) : "-";
        if (asked && cell->reason[0] != '\0')
            row.reason = cell->reason;
    }
    return row;
}

void red_key_states_print(const struct red_comparison *comparison, red_key_filter *takes, const char *heading,
                          const char *text_if_none, size_t rows_max, FILE *out) {
    struct red_table *table =
        red_table_create(comparison->is_of_runs ? "device|strategy|op type n" : "strategy|op type n");
    struct red_key key = {.cell = NULL};
    struct same_end_row row = {.first = NULL}; /* that may go on */
    size_t rows_n = 0;
    bool more;
    red_side_columns_add(comparison, table);
    if (comparison->is_of_runs)
        red_table_add_columns(table, "reason!");
    do {
        struct same_end_row next = {.first = NULL};
        more = red_comparison_next_key(comparison, &key);
        if (more && takes(&key))
            next = row_of_key(comparison, &key);
        if (next.first != NULL && continues_row(comparison, &row, &next)) {
            row.last = next.last;
            continue;
        }
        if (row.first != NULL && ++rows_n <= rows_max)
            add_same_end_row(comparison, &row, table);
        row = next;
    } while (more);
    red_table_print_below(table, heading, text_if_none, out);
    if (rows_n > rows_max)
        fprintf(out, "%zu more; --format csv has all\n", rows_n - rows_max);
    red_table_destroy(table);
}
