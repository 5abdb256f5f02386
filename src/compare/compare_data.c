#include <stdio.h>

#include "compare/compare.h"
#include "console/table.h"

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

static void number_or_nothing(double value, bool known, char *text) {
    text[0] = '\0';
    if (known)
        snprintf(text, TEXT_BYTES, "%.9g", value);
}

static enum red_status add_data(void *context, const struct red_cell *question, struct red_error *error) {
    struct data *data = context;
    const struct red_comparison *comparison = data->comparison;
    const struct red_cell *a = red_side_time(&comparison->sides[0], question);
    enum red_status status = RED_OK;
    for (size_t s = 0; s < comparison->sides_n && status == RED_OK; s++) {
        const struct red_side *side = &comparison->sides[s];
        const struct red_cell *cell = red_side_answer(side, question);
        if (cell == NULL)
            continue;
        char n[32], numbers[6][TEXT_BYTES];
        enum red_state state = red_side_state(side, question);
        bool timed = red_side_time(side, question) != NULL, known = timed && s > 0 && a != NULL;
        enum red_relation relation = red_sides_relate(&comparison->sides[0], side);
        struct red_ratio ratio = known ? red_ratio_of(a, cell) : (struct red_ratio){0, 0, 0};
        snprintf(n, sizeof n, "%llu", (unsigned long long)cell->n);
        number_or_nothing(cell->time.median, timed, numbers[0]);
        number_or_nothing(cell->time.low, timed, numbers[1]);
        number_or_nothing(cell->time.high, timed, numbers[2]);
        number_or_nothing(ratio.value, known && relation != RED_OTHER_MACHINE, numbers[3]);
        number_or_nothing(ratio.low, known && relation == RED_ONE_RUN, numbers[4]);
        number_or_nothing(ratio.high, known && relation == RED_ONE_RUN, numbers[5]);
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
    enum red_status status = data.table ? red_comparison_each(comparison, add_data, &data, error)
                                        : red_fail(error, RED_E_MEMORY, "no memory for a table");
    if (status == RED_OK)
        status = red_table_write(data.table, comparison->output->format, comparison->output->path, error);
    red_table_destroy(data.table);
    return status;
}
