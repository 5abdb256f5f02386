/* The verb `strategies`: the table of the catalogue; with --source a kernel's text. */
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
#include "recommend/advice.h"

/* Whether sums of floats have the same bits at every call on one device: "yes" also where there are none;
 * "driver" where a built-in adds. */
static const char *same_bits_of(const struct red_strategy *strategy) {
    const char *order = "any";
    for (size_t o = 0; o < RED_OPS_N; o++)
        for (size_t t = 0; t < RED_DTYPES_N && strcmp(order, "any") == 0; t++)
            if ((strategy->ops >> o & strategy->types >> t & 1) != 0)
                order = red_strategy_bits_order(strategy, &red_ops[o], &red_dtypes[t]);
    return strcmp(order, "varies") == 0    ? "no"
           : strcmp(order, "driver") == 0  ? order
           : strcmp(order, "unknown") == 0 ? "-"
                                           : "yes";
}

/* Adds a strategy of the catalogue, as its manifest describes it, of histograms with the most bins that it
 * takes in place of the bits: counts have no order. */
static void add_strategy_row(struct red_table *table, const struct red_strategy *strategy, bool with_bins) {
    char needs[128], promises[64];
    red_needs_format(strategy->needs, needs, sizeof needs);
    red_promises_format(strategy->promises, promises, sizeof promises);
    RED_PUT(table, strategy->name, red_strategy_standard_name(strategy->standard),
            red_span_names[strategy->span], red_group_names[strategy->group],
            red_finish_names[strategy->finish], needs, strategy->counterpart[0] ? strategy->counterpart : "-",
            promises);
    if (!with_bins)
        red_table_put(table, "%s", same_bits_of(strategy));
    else
        red_table_put(table, strategy->text != NULL && strategy->bins_max < RED_BINS_MAX ? "%u" : "any",
                      strategy->bins_max);
    red_table_put(table, "%s", strategy->idea);
}

/* Writes the table of the strategies that --strategy chooses to --output or the standard output. */
static enum red_status write_catalogue(const struct red_catalogue *catalogue,
                                       const struct red_options *options, struct red_error *error) {
    const bool with_bins = red_primitives[options->selection.primitive].bins_n > 0;
    const char *names[256];
    size_t n = red_catalogue_n(catalogue);
    for (size_t i = 0; i < n; i++)
        names[i] = red_catalogue_get(catalogue, i)->name;
    enum red_status status = red_select_check("strategy", options->selection.strategy, names, n, error);
    if (status != RED_OK)
        return status;
    struct red_table *table = red_table_create("strategy|for|span|group|finish|needs@32|counterpart|special");
    red_table_add_columns(table, with_bins ? "bins_max|idea!" : "same_bits|idea!");
    for (size_t i = 0; i < n; i++) {
        const struct red_strategy *strategy = red_catalogue_get(catalogue, i);
        if (red_select_matches(options->selection.strategy, names[i]) &&
            (strategy->text == NULL || strategy->primitive == options->selection.primitive))
            add_strategy_row(table, strategy, with_bins);
    }
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
    build->over_partials =
        strategy->finish == RED_STRATEGY_STORED; /* its own kernel, not the one that stores */
    if (options->selection.lanes_n > 1)
        return red_fail(error, RED_E_INPUT, "--lanes: expected one width and loads, such as 4x4");
    if (build->dtype == NULL || build->op == NULL)
        return red_fail(error, RED_E_INPUT, "--source needs one type and one operation, not '%s' and '%s'",
                        type, op);
    return RED_OK;
}

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

static enum red_status run_strategies(const struct red_options *options, struct red_error *error) {
    struct red_catalogue *catalogue = NULL;
    enum red_status status = red_catalogue_create(&catalogue, error);
    for (size_t i = 0; i < options->selection.kernels_n && status == RED_OK; i++)
        status = red_catalogue_add_file(catalogue, options->selection.kernels[i], false, error);
    if (status == RED_OK)
        status = options->source ? write_source(catalogue, options, error)
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
            {RED_MODE_ALWAYS, RED_BIT(FORMAT) | RED_BIT(STRATEGY) | RED_BIT(PRIMITIVE)}},
    .ends_at_once = true,
    .documentation = "Lists the strategies: how elements reach work-items (span), how a group combines them "
                     "(group), who finishes, what it needs, and which 1.x strategy a 2.x one replaces.\v"
                     "Example: clreduce strategies --strategy 'wg_*'\n"
                     "Example: clreduce strategies --primitive scan\n"
                     "Example: clreduce strategies --source tree --type f64 --op dot --wg 32",
    .run = run_strategies,
};
