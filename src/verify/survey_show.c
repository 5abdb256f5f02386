#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "console/table.h"
#include "verify/special.h"
#include "verify/survey.h"

enum { TEXT_BYTES = 48, DEVIATIONS_BYTES = 512 };

/* One survey, shown table by table, or gathered in one. */
struct show {
    const struct red_options *options;
    FILE *out; /* NULL: --output */
    bool special;
    struct red_table *data; /* with --format json or csv */
    size_t wrong_n;
    struct red_error first; /* piece of evidence */
    size_t failed_n;
    struct red_error failed; /* the first that did */
};

/* ---- one answer ------------------------------------------------------------------------------------------
 */

static enum red_judgement judge(const struct red_survey_table *table, size_t s, size_t c,
                                const char **words) {
    const struct red_device_info *info = red_remote_info(table->session->devices[table->d]);
    const struct red_verification *found = &table->cells[s][c].found;
    enum red_pattern pattern = table->probes[c].pattern;
    const struct red_special special = {
        .pattern = pattern,
        .unpromised =
            red_special_unpromised(table->session->strategies[s], table->op, table->dtype, pattern, info,
                                   red_remote_capabilities(table->session->devices[table->d]))};
    enum red_judgement judgement = red_special_judge(&special, &table->truths[c], &found->value, words);
    if (judgement != RED_AS_EXACT || found->right)
        return judgement;
    *words = found->evidence; /* the value of the last call is not what is wrong */
    return RED_IS_WRONG;
}

static void answer_print(const struct red_survey_table *table, size_t s, size_t c, char *text) {
    const struct red_survey_cell *cell = &table->cells[s][c];
    double unit = red_survey_unit(table, c);
    if (cell->state == RED_STATE_UNSUPPORTED)
        snprintf(text, TEXT_BYTES, "-");
    else if (cell->state != RED_STATE_PASS)
        snprintf(text, TEXT_BYTES, "%s",
                 cell->state == RED_STATE_OVER_BUDGET ? "over" : red_state_name(cell->state));
    else if (table->kind == RED_SURVEY_SPECIAL)
        red_truth_print(&table->truths[c], &cell->found.value, text, TEXT_BYTES);
    else
        snprintf(text, TEXT_BYTES, unit > 0 ? "%.2g" : "%g",
                 unit > 0 ? cell->found.error / unit : cell->found.error);
}

static void count_wrong(struct show *show, const struct red_survey_table *table, size_t s, size_t c,
                        const char *words) {
    char expected[TEXT_BYTES], got[TEXT_BYTES];
    const struct red_value exact = red_truth_value(&table->truths[c]);
    red_truth_print(&table->truths[c], &exact, expected, sizeof expected);
    answer_print(table, s, c, got);
    if (show->wrong_n++ == 0)
        red_fail(&show->first, RED_E_WRONG, "%s %s %s on %s, n = %llu, %s: %s: expected %s, got %s",
                 table->session->strategies[s]->name, table->op->name, table->dtype->name,
                 red_remote_info(table->session->devices[table->d])->id,
                 (unsigned long long)table->truths[c].n, red_pattern_name(table->probes[c].pattern), words,
                 expected, got);
}

/* ---- on the screen ---------------------------------------------------------------------------------------
 */

/* What of a row deviates, and how. */
static void deviations_print(struct show *show, const struct red_survey_table *table, size_t s, char *text) {
    size_t used = 0;
    text[0] = '\0';
    for (size_t c = 0; c < table->cases_n; c++) {
        const char *words = "";
        if (table->cells[s][c].state != RED_STATE_PASS)
            continue;
        enum red_judgement judgement = judge(table, s, c, &words);
        if (judgement == RED_IS_WRONG)
            count_wrong(show, table, s, c, words);
        if (judgement != RED_AS_EXACT && used < DEVIATIONS_BYTES)
            used += (size_t)snprintf(text + used, DEVIATIONS_BYTES - used, "%s%s%s: %s", used > 0 ? "; " : "",
                                     judgement == RED_IS_WRONG ? "WRONG, " : "",
                                     red_pattern_name(table->probes[c].pattern), words);
    }
}

/* The largest share of the error bound. */
static double share_of_bound(const struct red_survey_table *table, size_t s) {
    double share = 0;
    for (size_t c = 0; c < table->cases_n; c++) {
        const struct red_survey_cell *cell = &table->cells[s][c];
        if (cell->state == RED_STATE_PASS && cell->found.bound > 0)
            share = fmax(share, cell->found.error / cell->found.bound);
    }
    return share;
}

static enum red_status add_strategy(struct show *show, const struct red_survey_table *table, size_t s,
                                    struct red_table *shown, struct red_error *error) {
    char answers[RED_SURVEY_CASES_MAX][TEXT_BYTES], last[DEVIATIONS_BYTES];
    const char *values[3 + RED_SURVEY_CASES_MAX] = {table->session->strategies[s]->name};
    bool same_bits = true, ran = false;
    for (size_t c = 0; c < table->cases_n; c++) {
        const struct red_survey_cell *cell = &table->cells[s][c];
        answer_print(table, s, c, answers[c]);
        values[1 + c] = answers[c];
        same_bits = same_bits && (cell->state != RED_STATE_PASS || cell->found.same_bits);
        ran = ran || cell->state != RED_STATE_UNSUPPORTED;
    }
    if (!ran)
        return RED_OK;
    if (show->special)
        deviations_print(show, table, s, last);
    else
        snprintf(last, sizeof last, "%.2g%%", 100 * share_of_bound(table, s));
    values[1 + table->cases_n] = same_bits ? "yes" : "no";
    values[2 + table->cases_n] = last;
    return red_table_add(shown, values, error);
}

static enum red_status add_exact(const struct red_survey_table *table, struct red_table *shown,
                                 struct red_error *error) {
    char answers[RED_SURVEY_CASES_MAX][TEXT_BYTES];
    const char *values[3 + RED_SURVEY_CASES_MAX] = {"exact"};
    for (size_t c = 0; c < table->cases_n; c++) {
        const struct red_value exact = red_truth_value(&table->truths[c]);
        red_truth_print(&table->truths[c], &exact, answers[c], TEXT_BYTES);
        values[1 + c] = answers[c];
    }
    values[1 + table->cases_n] = values[2 + table->cases_n] = "";
    return red_table_add(shown, values, error);
}

static void count_failed(struct show *show, const struct red_survey_table *table) {
    if (show->failed_n == 0)
        show->failed = table->failed;
    show->failed_n += table->failed_n;
}

static enum red_status show_table(void *context, const struct red_survey_table *table,
                                  struct red_error *error) {
    struct show *show = context;
    const struct red_device_info *info = red_remote_info(table->session->devices[table->d]);
    count_failed(show, table);
    struct red_column columns[3 + RED_SURVEY_CASES_MAX] = {{.name = "strategy"}};
    for (size_t c = 0; c < table->cases_n; c++)
        columns[1 + c] = (struct red_column){
            .name = red_pattern_name(table->probes[c].pattern), .right = true, .wrap = 26};
    columns[1 + table->cases_n] = (struct red_column){.name = "same bits"};
    columns[2 + table->cases_n] = show->special ? (struct red_column){.name = "deviates", .below = true}
                                                : (struct red_column){.name = "of bound", .right = true};
    struct red_table *shown = red_table_create(columns, 3 + table->cases_n);
    enum red_status status = shown ? RED_OK : red_fail(error, RED_E_MEMORY, "no memory for a table");
    if (status == RED_OK && show->special)
        status = add_exact(table, shown, error);
    for (size_t s = 0; s < table->session->strategies_n && status == RED_OK; s++)
        status = add_strategy(show, table, s, shown, error);
    FILE *out = show->out ? show->out : stdout;
    fprintf(out, "\n%s, %s of %s: ", info->id, table->op->name, table->dtype->name);
    if (show->special)
        fprintf(out, "what comes out; the driver claims %s\n",
                info->denormals_f32   ? "to keep denormals"
                : info->denormals_f64 ? "no denormals (CL_FP_DENORM) of f32"
                                      : "no denormals (CL_FP_DENORM)");
    else
        fputs("error in units of u x sum of |terms|\n", out);
    if (status == RED_OK && show->out != NULL)
        red_table_print(shown, out);
    else if (status == RED_OK)
        status = red_table_write(shown, RED_FORMAT_TABLE, show->options->output, error);
    red_table_destroy(shown);
    return status;
}

enum red_status red_survey_print(const struct red_survey_table *table, FILE *out, struct red_error *error) {
    struct show show = {
        .options = table->session->options, .out = out, .special = table->kind == RED_SURVEY_SPECIAL};
    return show_table(&show, table, error);
}

/* ---- as data ---------------------------------------------------------------------------------------------
 */

enum { DEVICE, OP, TYPE, STRATEGY, DATA, N, STATE, COMMON_N };
enum { ANSWER = COMMON_N, EXACT, JUDGED, DEVIATION, SPECIAL_SAME_BITS, SPECIAL_N };
enum { ERROR = COMMON_N, BOUND, ABSOLUTE, UNITS, SHARE, ACCURACY_SAME_BITS, ACCURACY_N };

#define COMMON_COLUMNS                                                                                       \
    [DEVICE] = {.name = "device"}, [OP] = {.name = "op"}, [TYPE] = {.name = "type"},                         \
    [STRATEGY] = {.name = "strategy"}, [DATA] = {.name = "data"}, [N] = {.name = "n", .right = true},        \
    [STATE] = {.name = "state"}
static const struct red_column special_columns[SPECIAL_N] = {
    COMMON_COLUMNS,
    [ANSWER] = {.name = "answer"}, /* text: JSON has no NaN */
    [EXACT] = {.name = "exact"},
    [JUDGED] = {.name = "judged"},
    [DEVIATION] = {.name = "deviation"},
    [SPECIAL_SAME_BITS] = {.name = "same_bits"},
};
static const struct red_column accuracy_columns[ACCURACY_N] = {
    COMMON_COLUMNS,
    [ERROR] = {.name = "error", .right = true},
    [BOUND] = {.name = "bound", .right = true},
    [ABSOLUTE] = {.name = "sum_of_absolutes", .right = true},
    [UNITS] = {.name = "error_in_units", .right = true},
    [SHARE] = {.name = "share_of_bound", .right = true},
    [ACCURACY_SAME_BITS] = {.name = "same_bits"},
};

/* Empty where it says nothing: an infinite bound, a share of none. */
static void number_print(double value, char *text) {
    snprintf(text, TEXT_BYTES, isfinite(value) ? "%.9g" : "", value);
}

static void fill_special(struct show *show, const struct red_survey_table *table, size_t s, size_t c,
                         char texts[][TEXT_BYTES], const char **values) {
    const struct red_value exact = red_truth_value(&table->truths[c]);
    enum red_judgement judgement = judge(table, s, c, &values[DEVIATION]);
    if (judgement == RED_IS_WRONG)
        count_wrong(show, table, s, c, values[DEVIATION]);
    answer_print(table, s, c, texts[0]);
    red_truth_print(&table->truths[c], &exact, texts[1], TEXT_BYTES);
    values[ANSWER] = texts[0];
    values[EXACT] = texts[1];
    values[JUDGED] = red_judgement_names[judgement];
}

static void fill_accuracy(const struct red_survey_table *table, size_t s, size_t c, char texts[][TEXT_BYTES],
                          const char **values) {
    const struct red_verification *found = &table->cells[s][c].found;
    const double numbers[] = {found->error, found->bound, found->absolute,
                              found->error / red_survey_unit(table, c),
                              isfinite(found->bound) ? found->error / found->bound : INFINITY};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        number_print(numbers[i], texts[i]);
        values[ERROR + i] = texts[i];
    }
}

static enum red_status gather_table(void *context, const struct red_survey_table *table,
                                    struct red_error *error) {
    struct show *show = context;
    enum red_status status = RED_OK;
    count_failed(show, table);
    for (size_t s = 0; s < table->session->strategies_n; s++) {
        for (size_t c = 0; c < table->cases_n && status == RED_OK; c++) {
            const struct red_survey_cell *cell = &table->cells[s][c];
            char n[24], texts[SPECIAL_N + ACCURACY_N][TEXT_BYTES];
            const char *values[SPECIAL_N + ACCURACY_N] = {
                [DEVICE] = red_remote_info(table->session->devices[table->d])->id,
                [OP] = table->op->name,
                [TYPE] = table->dtype->name,
                [STRATEGY] = table->session->strategies[s]->name,
                [DATA] = red_pattern_name(table->probes[c].pattern),
                [N] = n,
                [STATE] = red_state_name(cell->state)};
            for (size_t i = COMMON_N; i < SPECIAL_N + ACCURACY_N; i++)
                values[i] = "";
            snprintf(n, sizeof n, "%llu", (unsigned long long)table->truths[c].n);
            if (cell->state == RED_STATE_PASS && show->special)
                fill_special(show, table, s, c, texts, values);
            else if (cell->state == RED_STATE_PASS)
                fill_accuracy(table, s, c, texts, values);
            if (cell->state == RED_STATE_PASS)
                values[show->special ? SPECIAL_SAME_BITS : ACCURACY_SAME_BITS] =
                    cell->found.same_bits ? "yes" : "no";
            status = red_table_add(show->data, values, error);
        }
    }
    return status;
}

enum red_status red_survey_show(struct red_session *session, struct red_error *error) {
    const struct red_options *options = session->options;
    struct show show = {.options = options, .special = options->special};
    bool screen = options->format == RED_FORMAT_TABLE;
    if (!screen)
        show.data = show.special ? red_table_create(special_columns, SPECIAL_N)
                                 : red_table_create(accuracy_columns, ACCURACY_N);
    if (!screen && show.data == NULL)
        return red_fail(error, RED_E_MEMORY, "no memory for a table");
    enum red_status status = red_survey_each(session, show.special ? RED_SURVEY_SPECIAL : RED_SURVEY_ACCURACY,
                                             screen ? show_table : gather_table, &show, error);
    /* Where nothing ran since every driver failed, that is told. */
    bool none_ran = status == RED_E_NO_DEVICE && show.failed_n > 0;
    if ((status == RED_OK || none_ran) && !screen) {
        enum red_status written = red_table_write(show.data, options->format, options->output, error);
        none_ran = none_ran && written == RED_OK;
        status = none_ran ? status : written;
    }
    red_table_destroy(show.data);
    if (status == RED_OK && show.wrong_n > 0)
        return red_fail(error, RED_E_WRONG, "%zu wrong answer%s to special values; the first: %.4000s",
                        show.wrong_n, show.wrong_n == 1 ? "" : "s", show.first.text);
    if ((status == RED_OK || none_ran) && show.failed_n > 0)
        return red_fail(error, show.failed.status, "%zu answer%s did not come; the first: %.4000s",
                        show.failed_n, show.failed_n == 1 ? "" : "s", show.failed.text);
    return status;
}
