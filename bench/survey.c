#include "bench/survey.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/current.h"
#include "bench/table.h"

struct survey_case {
    enum red_pattern pattern;
    uint64_t n; /* where the user gives none */
};

static const struct survey_case special_cases[] = {
    {RED_PATTERN_NAN, 1000},        {RED_PATTERN_INFINITY, 1000},
    {RED_PATTERN_INFINITIES, 1000}, {RED_PATTERN_NEGATIVE_ZEROS, 1000},
    {RED_PATTERN_DENORMALS, 1000},
};
static const struct survey_case accuracy_cases[] = {
    {RED_PATTERN_UNIFORM, 1 << 20},      {RED_PATTERN_ONES, 1 << 25},
    {RED_PATTERN_CONDITION_4, 1 << 20},  {RED_PATTERN_CONDITION_8, 1 << 20},
    {RED_PATTERN_CONDITION_12, 1 << 20}, {RED_PATTERN_WIDE, 1 << 20},
    {RED_PATTERN_HUGE, 1 << 20},
};
enum { CASES_MAX = 8, TEXT_BYTES = 40 };

/* One table in the making: of an operation and a type on a device. */
struct survey {
    struct red_session *session;
    const struct survey_case *cases;
    size_t cases_n, d;
    const struct red_op *op;
    const struct red_dtype *dtype;
    char texts[1 + RED_CHOICE_MAX][CASES_MAX][TEXT_BYTES]; /* row 0: what exact arithmetic answers */
    double share[RED_CHOICE_MAX];                          /* of the bound; the largest */
    bool varies[RED_CHOICE_MAX];
    size_t ran_n;
};

static void describe(struct survey *survey, size_t s, size_t c, const struct red_truth *truth,
                     const struct red_verification *found) {
    char *text = survey->texts[1 + s][c];
    double unit = ldexp(found->absolute, -(int)red_op_accumulator(truth->op, truth->dtype)->digits);
    survey->varies[s] = survey->varies[s] || !found->same_bits;
    if (survey->session->options->special) {
        red_truth_print(truth, &found->value, text, TEXT_BYTES);
        return;
    }
    snprintf(text, TEXT_BYTES, unit > 0 ? "%.2g" : "%g", unit > 0 ? found->error / unit : found->error);
    if (found->bound > 0)
        survey->share[s] = fmax(survey->share[s], found->error / found->bound);
}

static void run_case(struct survey *survey, size_t c, struct red_dataset *dataset) {
    struct red_session *session = survey->session;
    const char *id = red_device_info(session->devices[survey->d])->id;
    struct red_value exact = red_truth_value(&dataset->truth);
    red_truth_print(&dataset->truth, &exact, survey->texts[0][c], TEXT_BYTES);
    for (size_t s = 0; s < session->strategies_n; s++) {
        struct red_verification found;
        const struct red_plan_spec spec = {
            .strategy = session->strategies[s], .op = survey->op, .n = dataset->input.n};
        red_current_begin(red_patience_s(spec.n, 60), "surveying %s, %s of %s, on %s, n = %llu",
                          session->strategies[s]->name, survey->op->name, survey->dtype->name, id,
                          (unsigned long long)spec.n);
        enum red_status status = red_dataset_verify(session, dataset, survey->d, &spec, &found, NULL);
        red_current_end();
        survey->ran_n += status == RED_OK;
        snprintf(survey->texts[1 + s][c], TEXT_BYTES, "%s", status == RED_E_UNSUPPORTED ? "-" : "failed");
        if (status == RED_OK)
            describe(survey, s, c, &dataset->truth, &found);
    }
}

static bool ran(const struct survey *survey, size_t s) {
    for (size_t c = 0; c < survey->cases_n; c++)
        if (strcmp(survey->texts[1 + s][c], "-") != 0)
            return true;
    return false;
}

static enum red_status add_row(struct red_table *table, const struct survey *survey, const char *name,
                               size_t row, struct red_error *error) {
    char share[TEXT_BYTES] = "";
    const char *values[3 + CASES_MAX] = {name};
    for (size_t c = 0; c < survey->cases_n; c++)
        values[1 + c] = survey->texts[row][c];
    if (row > 0)
        snprintf(share, sizeof share, "%.2g%%", 100 * survey->share[row - 1]);
    values[1 + survey->cases_n] = row == 0 ? "" : survey->varies[row - 1] ? "no" : "yes";
    values[2 + survey->cases_n] = share;
    return red_table_add(table, values, error);
}

static enum red_status write_survey(const struct survey *survey, struct red_error *error) {
    const struct red_options *options = survey->session->options;
    struct red_column columns[3 + CASES_MAX] = {{.name = "strategy"}};
    bool accuracy = !options->special;
    for (size_t c = 0; c < survey->cases_n; c++)
        columns[1 + c] = (struct red_column){
            .name = red_pattern_name(survey->cases[c].pattern), .right = true, .wrap = 14};
    columns[1 + survey->cases_n] = (struct red_column){.name = "same bits"};
    columns[2 + survey->cases_n] = (struct red_column){.name = "of bound", .right = true};
    struct red_table *table = red_table_create(columns, 2 + survey->cases_n + accuracy);
    if (table == NULL)
        return red_fail(error, RED_E_MEMORY, "no memory for a table");
    enum red_status status = RED_OK;
    if (options->special)
        status = add_row(table, survey, "exact", 0, error);
    for (size_t s = 0; s < survey->session->strategies_n && status == RED_OK; s++)
        if (ran(survey, s))
            status = add_row(table, survey, survey->session->strategies[s]->name, 1 + s, error);
    if (options->format == RED_FORMAT_TABLE)
        printf("\n%s, %s of %s: %s\n", red_device_info(survey->session->devices[survey->d])->id,
               survey->op->name, survey->dtype->name,
               accuracy ? "error in units of u x sum of |terms|" : "what comes out");
    if (status == RED_OK)
        status = red_table_write(table, options->format, options->output, error);
    red_table_destroy(table);
    return status;
}

static enum red_status survey_table(struct survey *survey, struct red_error *error) {
    const struct red_options *options = survey->session->options;
    enum red_status status = RED_OK;
    memset(survey->share, 0, sizeof survey->share);
    memset(survey->varies, 0, sizeof survey->varies);
    for (size_t c = 0; c < survey->cases_n && status == RED_OK; c++) {
        struct red_dataset dataset;
        const struct red_probe probe = {survey->cases[c].pattern, 0};
        status = red_dataset_make(survey->dtype, survey->op, probe,
                                  options->n.n > 0 ? options->n.values[0] : survey->cases[c].n, options->seed,
                                  &dataset, error);
        if (status == RED_OK) {
            run_case(survey, c, &dataset);
            red_dataset_clear(&dataset);
        }
    }
    return status == RED_OK ? write_survey(survey, error) : status;
}

static enum red_status survey_all(struct survey *survey, struct red_error *error) {
    struct red_session *session = survey->session;
    bool special = session->options->special, any = false;
    enum red_status status = RED_OK;
    for (survey->d = 0; survey->d < session->devices_n; survey->d++)
        for (size_t o = 0; o < session->ops_n; o++)
            for (size_t t = 0; t < session->types_n && status == RED_OK; t++) {
                survey->op = session->ops[o];
                survey->dtype = session->types[t];
                if (!survey->dtype->is_float || (!special && survey->op->wants != RED_WANTS_ALL))
                    continue;
                any = true;
                status = survey_table(survey, error);
            }
    if (status == RED_OK && !any)
        return red_fail(error, RED_E_INPUT, "--%s is about floats%s: choose --type f16, f32 or f64",
                        special ? "special" : "accuracy", special ? "" : " and sums");
    if (status == RED_OK && survey->ran_n == 0)
        return red_fail(error, RED_E_NO_DEVICE, "no strategy could run");
    return status;
}

enum red_status red_survey(struct red_session *session, struct red_error *error) {
    struct survey *survey = calloc(1, sizeof *survey);
    if (survey == NULL)
        return red_fail(error, RED_E_MEMORY, "no memory for a survey");
    survey->session = session;
    survey->cases = session->options->special ? special_cases : accuracy_cases;
    survey->cases_n = session->options->special ? sizeof special_cases / sizeof special_cases[0]
                                                : sizeof accuracy_cases / sizeof accuracy_cases[0];
    enum red_status status = survey_all(survey, error);
    free(survey);
    return status;
}
