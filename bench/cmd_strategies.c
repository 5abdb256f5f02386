#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/table.h"
#include "model/catalogue.h"
#include "model/select.h"
#include "model/source.h"
#include "record/file.h"

static enum red_status add_strategy(struct red_table *table, const struct red_strategy *strategy,
                                    struct red_error *error) {
    char needs[128];
    red_needs_print(strategy->needs, needs, sizeof needs);
    const char *values[] = {strategy->name,
                            red_standard_name(strategy->standard),
                            red_span_names[strategy->span],
                            red_group_names[strategy->group],
                            red_finish_names[strategy->finish],
                            needs,
                            strategy->counterpart[0] ? strategy->counterpart : "-",
                            strategy->idea};
    return red_table_add(table, values, error);
}

static enum red_status list(const struct red_catalogue *catalogue, const struct red_options *options,
                            struct red_error *error) {
    static const struct red_column columns[] = {
        {.name = "strategy"},    {.name = "for"},
        {.name = "span"},        {.name = "group"},
        {.name = "finish"},      {.name = "needs", .wrap = 32},
        {.name = "counterpart"}, {.name = "idea", .below = true},
    };
    const char *names[256];
    size_t n = red_catalogue_n(catalogue);
    for (size_t i = 0; i < n; i++)
        names[i] = red_catalogue_get(catalogue, i)->name;
    enum red_status status = red_select_check("strategy", options->strategy, names, n, error);
    if (status != RED_OK)
        return status;
    struct red_table *table = red_table_create(columns, sizeof columns / sizeof columns[0]);
    if (table == NULL)
        return red_fail(error, RED_E_MEMORY, "no memory for a table");
    for (size_t i = 0; i < n && status == RED_OK; i++)
        if (red_select_matches(options->strategy, names[i]))
            status = add_strategy(table, red_catalogue_get(catalogue, i), error);
    if (status == RED_OK)
        status = red_table_write(table, options->format, options->output, error);
    red_table_destroy(table);
    return status;
}

/* The named row of a table of names, where --source needs exactly one. */
static enum red_status one_variant(const struct red_catalogue *catalogue, const struct red_options *options,
                                   struct red_variant *variant, struct red_error *error) {
    const struct red_tuning tuning = red_options_tuning(options, 0);
    const char *type = options->type ? options->type : "f32", *op = options->op ? options->op : "sum";
    *variant = (struct red_variant){.strategy = red_catalogue_find(catalogue, options->source),
                                    .dtype = red_dtype_find(type),
                                    .op = red_op_find(op),
                                    .group_size = options->wg.n ? tuning.group_size : 256,
                                    .width = tuning.width,
                                    .loads = tuning.loads};
    if (variant->strategy == NULL || variant->strategy->text == NULL)
        return red_fail(error, RED_E_INPUT,
                        "--source: '%s' names no kernel; 'clreduce strategies' lists them", options->source);
    if (variant->group_size == 0)
        return red_fail(error, RED_E_INPUT, "--wg: a work-group has at least one work-item");
    if (variant->dtype == NULL || variant->op == NULL)
        return red_fail(error, RED_E_INPUT, "--source needs one type and one operation, not '%s' and '%s'",
                        type, op);
    return RED_OK;
}

static enum red_status show_source(const struct red_catalogue *catalogue, const struct red_options *options,
                                   struct red_error *error) {
    struct red_variant variant;
    struct red_file file;
    char *text = NULL;
    enum red_status status = one_variant(catalogue, options, &variant, error);
    if (status == RED_OK)
        status = red_source_text(&variant, &text, error);
    if (status == RED_OK)
        status = red_file_open(options->output ? options->output : "-", &file, error);
    if (status == RED_OK) {
        fputs(text, file.stream);
        status = red_file_commit(&file, error);
    }
    free(text);
    return status;
}

enum red_status red_cmd_strategies(const struct red_options *options, struct red_error *error) {
    struct red_catalogue *catalogue = NULL;
    enum red_status status = red_catalogue_create(&catalogue, error);
    for (size_t i = 0; i < options->kernels_n && status == RED_OK; i++)
        status = red_catalogue_add_file(catalogue, options->kernels[i], error);
    if (status == RED_OK)
        status = options->source ? show_source(catalogue, options, error) : list(catalogue, options, error);
    red_catalogue_destroy(catalogue);
    return status;
}
