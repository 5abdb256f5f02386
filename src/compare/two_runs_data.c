#include <stdio.h>

#include "compare/two_runs.h"
#include "console/table.h"

enum { TEXT_BYTES = 96 };

static const struct red_column columns[] = {
    {.name = "device"},
    {.name = "strategy"},
    {.name = "op"},
    {.name = "type"},
    {.name = "shape"},
    {.name = "n", .right = true},
    {.name = "asked"},
    {.name = "change"},
    {.name = "base_state"},
    {.name = "head_state"},
    {.name = "base_median_s", .right = true},
    {.name = "base_low_s", .right = true},
    {.name = "base_high_s", .right = true},
    {.name = "base_samples", .right = true},
    {.name = "head_median_s", .right = true},
    {.name = "head_low_s", .right = true},
    {.name = "head_high_s", .right = true},
    {.name = "head_samples", .right = true},
    {.name = "ratio", .right = true},
    {.name = "ratio_low", .right = true},
    {.name = "ratio_high", .right = true},
    {.name = "interval_of"},
    {.name = "apart"},
    {.name = "base_geometry"},
    {.name = "head_geometry"},
    {.name = "base_reason"},
    {.name = "head_reason"},
    {.name = "across"},
};
enum { COLUMNS_N = sizeof columns / sizeof columns[0] };

/* A cell of one side as text. */
struct texts {
    char median[TEXT_BYTES], low[TEXT_BYTES], high[TEXT_BYTES], samples[TEXT_BYTES], geometry[TEXT_BYTES];
    const char *state, *reason;
};

static void print_texts(const struct red_side *side, const struct red_cell *question, struct texts *texts) {
    const struct red_cell *cell = red_side_worst(side, question);
    const struct red_cell *timed = red_side_time(side, question);
    *texts =
        (struct texts){.state = cell ? red_state_name(cell->state) : "", .reason = cell ? cell->reason : ""};
    if (cell != NULL)
        red_cell_tuning_print(timed ? &timed->tuning : &cell->tuning, texts->geometry, TEXT_BYTES);
    if (timed == NULL)
        return;
    snprintf(texts->median, TEXT_BYTES, "%.9g", timed->time.median);
    snprintf(texts->low, TEXT_BYTES, "%.9g", timed->time.low);
    snprintf(texts->high, TEXT_BYTES, "%.9g", timed->time.high);
    snprintf(texts->samples, TEXT_BYTES, "%zu", timed->samples_n);
}

static const char *change_of(const struct red_comparison *comparison, const struct red_cell *question) {
    if (red_side_answer(&comparison->sides[1], question) == NULL)
        return "missing in head";
    if (red_side_answer(&comparison->sides[0], question) == NULL)
        return "new in head";
    return red_question_fell(comparison, question)      ? "fell into trouble"
           : red_question_changed(comparison, question) ? "other state"
                                                        : "same state";
}

struct data {
    const struct red_two_runs *stored;
    struct red_table *table;
};

static enum red_status add_data(void *context, const struct red_cell *question, struct red_error *error) {
    static const char *const aparts[] = {[RED_APART_LONGER] = "longer",
                                         [RED_APART_SHORTER] = "shorter",
                                         [RED_APART_WITHIN] = "within",
                                         [RED_APART_UNKNOWN] = "too few samples"};
    const struct data *data = context;
    const struct red_comparison *comparison = &data->stored->comparison;
    const struct red_side *sides = comparison->sides;
    const struct red_cell *base = red_side_time(&sides[0], question);
    const struct red_cell *head = red_side_time(&sides[1], question);
    char n[32], asked[TEXT_BYTES], ratio[3][32] = {"", "", ""};
    struct texts texts[2];
    const char *apart = "";
    snprintf(n, sizeof n, "%llu", (unsigned long long)question->n);
    red_cell_tuning_print(&question->asked, asked, sizeof asked);
    print_texts(&sides[0], question, &texts[0]);
    print_texts(&sides[1], question, &texts[1]);
    if (base != NULL && head != NULL) {
        struct red_timed pair = red_timed_make(base, head);
        apart = aparts[pair.apart];
        snprintf(ratio[0], sizeof ratio[0], "%.9g", pair.ratio.value);
        snprintf(ratio[1], sizeof ratio[1], "%.9g", pair.ratio.low);
        snprintf(ratio[2], sizeof ratio[2], "%.9g", pair.ratio.high);
    }
    const char *const values[COLUMNS_N] = {question->device_id,
                                           question->strategy->name,
                                           question->op->name,
                                           question->dtype->name,
                                           question->shape,
                                           n,
                                           asked,
                                           change_of(comparison, question),
                                           texts[0].state,
                                           texts[1].state,
                                           texts[0].median,
                                           texts[0].low,
                                           texts[0].high,
                                           texts[0].samples,
                                           texts[1].median,
                                           texts[1].low,
                                           texts[1].high,
                                           texts[1].samples,
                                           ratio[0],
                                           ratio[1],
                                           ratio[2],
                                           apart[0] != '\0' ? "one process each" : "",
                                           apart,
                                           texts[0].geometry,
                                           texts[1].geometry,
                                           texts[0].reason,
                                           texts[1].reason,
                                           data->stored->across};
    return red_table_add(data->table, values, error);
}

enum red_status red_two_runs_write(const struct red_two_runs *stored, struct red_error *error) {
    const struct red_output *output = stored->comparison.output;
    struct data data = {.stored = stored, .table = red_table_create(columns, COLUMNS_N)};
    enum red_status status = data.table ? red_comparison_each(&stored->comparison, add_data, &data, error)
                                        : red_fail(error, RED_E_MEMORY, "no memory for a table");
    if (status == RED_OK)
        status = red_table_write(data.table, output->format, output->path, error);
    red_table_destroy(data.table);
    return status;
}
