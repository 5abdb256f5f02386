/* The verb `strategies`: the table of the catalogue; with --source a kernel's text, with --tuned what bench
 * --tune has found. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/options.h"
#include "console/console_table.h"
#include "console/table.h"
#include "core/select.h"
#include "core/text.h"
#include "model/bins.h"
#include "model/catalogue.h"
#include "model/primitive.h"
#include "results/tuned.h"

/* Adds a strategy of the catalogue, as its manifest describes it, with the most bins that it takes. */
static enum red_status add_strategy_row(struct red_table *table, const struct red_strategy *strategy,
                                        bool with_bins, struct red_error *error) {
    char needs[128], promises[64], bins[16] = "any";
    if (strategy->text != NULL && strategy->bins_max < RED_BINS_MAX)
        snprintf(bins, sizeof bins, "%u", strategy->bins_max);
    red_needs_format(strategy->needs, needs, sizeof needs);
    red_promises_format(strategy->promises, promises, sizeof promises);
    const char *values[] = {strategy->name,
                            red_strategy_standard_name(strategy->standard),
                            red_span_names[strategy->span],
                            red_group_names[strategy->group],
                            red_finish_names[strategy->finish],
                            needs,
                            strategy->counterpart[0] ? strategy->counterpart : "-",
                            promises,
                            with_bins ? bins : strategy->idea,
                            strategy->idea};
    return red_table_add(table, values, error);
}

/* Writes the table of the strategies that --strategy chooses to --output or the standard output. */
static enum red_status write_catalogue(const struct red_catalogue *catalogue,
                                       const struct red_options *options, struct red_error *error) {
#define COLUMNS                                                                                              \
    {.name = "strategy"}, {.name = "for"}, {.name = "span"}, {.name = "group"}, {.name = "finish"},          \
        {.name = "needs", .wrap = 32}, {.name = "counterpart"}, {                                            \
        .name = "special"                                                                                    \
    }
    static const struct red_column columns[] = {COLUMNS, {.name = "idea", .below = true}};
    static const struct red_column columns_with_bins[] = {
        COLUMNS, {.name = "bins_max"}, {.name = "idea", .below = true}};
#undef COLUMNS
    const bool with_bins = options->selection.primitive == RED_PRIMITIVE_HISTOGRAM;
    const char *names[256];
    size_t n = red_catalogue_n(catalogue);
    for (size_t i = 0; i < n; i++)
        names[i] = red_catalogue_get(catalogue, i)->name;
    enum red_status status = red_select_check("strategy", options->selection.strategy, names, n, error);
    if (status != RED_OK)
        return status;
    struct red_table *table = red_table_create(with_bins ? columns_with_bins : columns,
                                               sizeof columns / sizeof columns[0] + with_bins);
    if (table == NULL)
        return red_fail(error, RED_E_MEMORY, "no memory for a table");
    for (size_t i = 0; i < n && status == RED_OK; i++) {
        const struct red_strategy *strategy = red_catalogue_get(catalogue, i);
        if (red_select_matches(options->selection.strategy, names[i]) &&
            (strategy->text == NULL || strategy->primitive == options->selection.primitive))
            status = add_strategy_row(table, strategy, with_bins, error);
    }
    if (status == RED_OK)
        status = red_table_write(table, options->output.format, options->output.path, error);
    red_table_destroy(table);
    return status;
}

/* Says what the kernel of --source is built for: it needs exactly one strategy, type, operation and lanes. */
static enum red_status make_build_spec(const struct red_catalogue *catalogue,
                                       const struct red_options *options, struct red_build_spec *build,
                                       struct red_error *error) {
    const struct red_tuning tuning = red_selection_tuning(&options->selection, 0);
    const char *type = options->selection.type ? options->selection.type : "f32", *op = options->selection.op;
    const struct red_strategy *strategy = red_catalogue_find(catalogue, options->source);
    if (op == NULL)
        op = red_primitives[strategy != NULL ? strategy->primitive : options->selection.primitive].op;
    *build = (struct red_build_spec){.strategy = strategy,
                                     .dtype = red_dtype_find(type),
                                     .op = red_op_find(op),
                                     .group_size = options->selection.wg.n ? tuning.group_size : 256,
                                     .width = tuning.width,
                                     .loads = tuning.loads};
    if (build->strategy == NULL || build->strategy->text == NULL)
        return red_fail(error, RED_E_INPUT,
                        "--source: '%s' names no kernel; 'clreduce strategies' lists them", options->source);
    if (options->selection.lanes_n > 1)
        return red_fail(error, RED_E_INPUT, "--lanes: expected one width and loads, such as 4x4");
    if (build->dtype == NULL || build->op == NULL)
        return red_fail(error, RED_E_INPUT, "--source needs one type and one operation, not '%s' and '%s'",
                        type, op);
    return RED_OK;
}

/* Called by red_file_write. */
static enum red_status write_text(const void *text, FILE *out, struct red_error *error) {
    (void)error;
    fputs(text, out);
    return RED_OK;
}

/* For --source: writes the text that a driver compiles to --output or the standard output. */
static enum red_status write_source(const struct red_catalogue *catalogue, const struct red_options *options,
                                    struct red_error *error) {
    struct red_build_spec build;
    char *text = NULL;
    enum red_status status = red_selection_check_single_sizes(&options->selection, error);
    if (status == RED_OK)
        status = make_build_spec(catalogue, options, &build, error);
    if (status == RED_OK)
        status = red_source_text(&build, &text, error);
    if (status == RED_OK)
        status = red_file_write(options->output.path, write_text, text, error);
    free(text);
    return status;
}

/* ---- tuned geometries ---------------------------------------------------------------------------------- */

/* Whether the kernel's text is still the one that was tuned: the column "kernel", same or changed. */
static bool is_kernel_unchanged(const struct red_catalogue *catalogue, const struct red_tuned_key *key) {
    const struct red_strategy *strategy = red_catalogue_find(catalogue, key->strategy);
    const struct red_dtype *dtype = red_dtype_find(key->type);
    const struct red_op *op = red_op_find(key->op);
    char hash[RED_SOURCE_HASH_BYTES] = "";
    return strategy != NULL && strategy->text != NULL && dtype != NULL && op != NULL &&
           red_source_hash(strategy, dtype, op, hash, NULL) == RED_OK && strcmp(hash, key->text) == 0;
}

/* Adds a geometry that bench --tune has kept. */
static enum red_status add_tuned_row(struct red_table *table, const struct red_catalogue *catalogue,
                                     const struct red_tuned_entry *entry, struct red_error *error) {
    const struct red_tuned_key *key = &entry->key;
    const struct red_tuning *tuning = &entry->tuning;
    char sizes[16], group_size[24], groups[24] = "-", lanes[16] = "-", time_us[24], default_us[24],
                                    faster[24] = "default", day[11];
    char device[sizeof key->device + sizeof key->driver + 16];
    snprintf(device, sizeof device, "%s, driver %s", key->device, key->driver);
    red_tuning_band_format(key->band, sizes, sizeof sizes);
    snprintf(group_size, sizeof group_size, "%zu", tuning->group_size);
    if (tuning->groups_n > 0)
        snprintf(groups, sizeof groups, "%llu", (unsigned long long)tuning->groups_n);
    if (tuning->width > 0)
        red_lanes_format(tuning, lanes, sizeof lanes);
    red_number_format(1e6 * entry->time_s, time_us, sizeof time_us);
    red_number_format(1e6 * entry->default_s, default_us, sizeof default_us);
    snprintf(day, sizeof day, "%.10s", entry->found);
    if (!entry->is_default)
        snprintf(faster, sizeof faster, "%.2fx", entry->default_s / entry->time_s);
    const char *values[] = {key->strategy,
                            key->op,
                            key->type,
                            sizes,
                            group_size,
                            groups,
                            lanes,
                            time_us,
                            default_us,
                            faster,
                            is_kernel_unchanged(catalogue, key) ? "same" : "changed",
                            day,
                            device};
    return red_table_add(table, values, error);
}

/* For --tuned: writes the table of tuned geometries to --output or the standard output. The device is the
 * last column, since its name is long. */
static enum red_status write_tuned(const struct red_catalogue *catalogue, const struct red_options *options,
                                   struct red_error *error) {
    static const struct red_column columns[] = {
        {.name = "strategy"},
        {.name = "op"},
        {.name = "type"},
        {.name = "n"},
        {.name = "group size", .right = true, .wrap = 5},
        {.name = "groups", .right = true},
        {.name = "lanes"},
        {.name = "us", .right = true},
        {.name = "default us", .right = true, .wrap = 7},
        {.name = "faster"},
        {.name = "kernel"},
        {.name = "found"},
        {.name = "device", .below = true},
    };
    char path[RED_PATH_BYTES];
    struct red_tuned tuned = {.n = 0};
    struct red_table *table = red_table_create(columns, sizeof columns / sizeof columns[0]);
    enum red_status status = table ? RED_OK : red_fail(error, RED_E_MEMORY, "no memory for a table");
    if (status == RED_OK)
        status = red_tuned_path(path, error);
    if (status == RED_OK)
        status = red_tuned_load(path, &tuned, error);
    for (size_t i = 0; i < tuned.n && status == RED_OK; i++) {
        const struct red_tuned_key *key = &tuned.entries[i].key;
        if (red_select_matches(options->selection.strategy, key->strategy) &&
            red_select_matches(options->selection.type, key->type) &&
            red_select_matches(options->selection.op, key->op))
            status = add_tuned_row(table, catalogue, &tuned.entries[i], error);
    }
    if (status == RED_OK && tuned.n == 0 && options->output.format == RED_FORMAT_TABLE)
        red_text_print(stderr, "nothing is tuned yet (%s); bench --tune does that\n", path);
    if (status == RED_OK && (tuned.n > 0 || options->output.format != RED_FORMAT_TABLE))
        status = red_table_write(table, options->output.format, options->output.path, error);
    red_tuned_clear(&tuned);
    red_table_destroy(table);
    return status;
}

/* Called by run_verb in main.c with the command line; its status becomes the exit status. */
static enum red_status run_strategies(const struct red_options *options, struct red_error *error) {
    struct red_catalogue *catalogue = NULL;
    enum red_status status = red_catalogue_create(&catalogue, error);
    for (size_t i = 0; i < options->selection.kernels_n && status == RED_OK; i++)
        status = red_catalogue_add_file(catalogue, options->selection.kernels[i], false, error);
    if (status == RED_OK)
        status = options->source        ? write_source(catalogue, options, error)
                 : options->bench.tuned ? write_tuned(catalogue, options, error)
                                        : write_catalogue(catalogue, options, error);
    red_catalogue_destroy(catalogue);
    return status;
}

const struct red_verb red_verb_strategies = {
    .name = "strategies",
    .summary = "the catalogue, from the manifests of the kernels",
    .options = RED_BIT(KERNEL) | RED_BIT(OUTPUT),
    .modes =
        (const struct red_mode[]){
            {RED_OPTION_SOURCE, RED_BIT(OP) | RED_BIT(TYPE) | RED_BIT(WG) | RED_BIT(LANES)},
            {RED_OPTION_TUNED, RED_BIT(FORMAT) | RED_BIT(STRATEGY) | RED_BIT(OP) | RED_BIT(TYPE)},
            {RED_MODE_ALWAYS, RED_BIT(FORMAT) | RED_BIT(STRATEGY) | RED_BIT(PRIMITIVE)}},
    .ends_at_once = true,
    .documentation = "Lists the strategies: how elements reach work-items (span), how a group combines them "
                     "(group), who finishes, what it needs, and which 1.x strategy a 2.x one replaces; or, "
                     "with --tuned, the geometries that bench --tune has found.\v"
                     "Example: clreduce strategies --strategy 'wg_*'\n"
                     "Example: clreduce strategies --primitive scan\n"
                     "Example: clreduce strategies --source tree --type f64 --op dot --wg 32\n"
                     "Example: clreduce strategies --tuned",
    .run = run_strategies,
};
