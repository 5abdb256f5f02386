#include "verify/survey.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/interrupt.h"
#include "worker/dataset.h"

struct survey_case {
    enum red_pattern pattern;
    uint64_t n; /* where the user gives none */
};

static const struct survey_case special_cases[] = {
    {RED_PATTERN_NAN, 1000},        {RED_PATTERN_INFINITY, 1000},
    {RED_PATTERN_INFINITIES, 1000}, {RED_PATTERN_NEGATIVE_ZEROS, 1000},
    {RED_PATTERN_ZEROS, 1000},      {RED_PATTERN_DENORMALS, 1000},
};
/* The first tells what a call costs. */
static const struct survey_case accuracy_cases[] = {
    {RED_PATTERN_UNIFORM, 1 << 20},      {RED_PATTERN_ONES, 1 << 25},
    {RED_PATTERN_CONDITION_4, 1 << 20},  {RED_PATTERN_CONDITION_8, 1 << 20},
    {RED_PATTERN_CONDITION_12, 1 << 20}, {RED_PATTERN_WIDE, 1 << 20},
    {RED_PATTERN_HUGE, 1 << 20},
};

static const struct {
    const struct survey_case *cases;
    size_t cases_n;
    const char *option, *about, *choose;
} surveys[] = {
    [RED_SURVEY_SPECIAL] = {special_cases, sizeof special_cases / sizeof special_cases[0], "special",
                            "floats", "--type f16, f32 or f64"},
    [RED_SURVEY_ACCURACY] = {accuracy_cases, sizeof accuracy_cases / sizeof accuracy_cases[0], "accuracy",
                             "floats and sums", "--type f16, f32 or f64"},
};

static const double CALL_MAX_S = 2;

double red_survey_unit(const struct red_survey_table *table, size_t c) {
    const struct red_accumulator *accumulator = red_op_accumulator(table->op, table->dtype);
    return ldexp(table->truths[c].absolute, -(int)accumulator->digits);
}

/* In proportion to n; 0 before anything is known. */
static double expected_call_s(const struct red_survey_cell *first, uint64_t first_n, uint64_t n) {
    return first->state == RED_STATE_PASS && first_n > 0 ? first->found.call_s * (double)n / (double)first_n
                                                         : 0;
}

static bool is_failure(enum red_state state) {
    return state == RED_STATE_BUILD_FAILED || state == RED_STATE_FAILED || state == RED_STATE_CRASHED ||
           state == RED_STATE_TIMED_OUT;
}

static void note_failure(struct red_survey_table *table, const struct red_case *job, enum red_state state,
                         enum red_status status, const char *text) {
    const struct red_expectation *known = red_session_expectation(
        table->session, table->d, job->strategy, table->op, table->dtype, job->n,
        red_geometry_default_group_size(job->strategy,
                                        &red_remote_info(table->session->devices[table->d])->shape));
    if (known != NULL && known->state == state)
        return;
    if (table->failed_n++ == 0)
        red_fail(&table->failed, status, "%s: %s %s %s on %s, n = %llu, %s: %.3500s", red_state_name(state),
                 job->strategy->name, table->op->name, table->dtype->name,
                 red_remote_info(table->session->devices[table->d])->id, (unsigned long long)job->n,
                 red_pattern_name(job->data.probe.pattern), text);
}

static void ask(struct red_survey_table *table, size_t s, size_t c, const struct red_data_spec *data) {
    struct red_session *session = table->session;
    struct red_survey_cell *cell = &table->cells[s][c];
    const struct red_case job =
        red_case_make(data, session->strategies[s], &(struct red_tuning){.group_size = 0});
    double limit_s =
        session->selection->time_per_cell_s > 0 ? session->selection->time_per_cell_s : CALL_MAX_S;
    if (red_session_skips(session, table->d, job.strategy, table->op, table->dtype, job.n)) {
        cell->state = RED_STATE_KNOWN_BUG;
        return;
    }
    if (c > 0 && expected_call_s(&table->cells[s][0], table->truths[0].n, job.n) > limit_s) {
        cell->state = RED_STATE_OVER_BUDGET;
        return;
    }
    struct red_error error = {.text = ""};
    enum red_status status =
        red_remote_verify(session->devices[table->d], &job, true,
                          RED_VERIFY_CALLS * expected_call_s(&table->cells[s][0], table->truths[0].n, job.n),
                          &cell->found, &error);
    cell->state = red_state_of(status);
    if (is_failure(cell->state))
        note_failure(table, &job, cell->state, status, error.text);
}

static enum red_status fill(struct red_survey_table *table, struct red_error *error) {
    const struct red_selection *options = table->session->selection;
    enum red_status status = RED_OK;
    memset(table->cells, 0, sizeof table->cells);
    table->failed_n = 0;
    table->failed = (struct red_error){.status = RED_OK};
    table->cases_n = surveys[table->kind].cases_n;
    for (size_t c = 0; c < table->cases_n && status == RED_OK; c++) {
        const struct survey_case *of = &surveys[table->kind].cases[c];
        struct red_dataset dataset;
        table->probes[c] = (struct red_probe){of->pattern, 0};
        const struct red_data_spec data = {.op = table->op,
                                           .dtype = table->dtype,
                                           .probe = table->probes[c],
                                           .n = options->n.n > 0 ? options->n.values[0] : of->n,
                                           .segments_n = 1,
                                           .seed = options->seed};
        status = red_dataset_make(&data, &dataset, error);
        if (status != RED_OK)
            break;
        table->truths[c] = dataset.truth;
        red_dataset_clear(&dataset);
        for (size_t s = 0; s < table->session->strategies_n && !red_interrupted(); s++)
            ask(table, s, c, &data);
    }
    return status == RED_OK && red_interrupted() ? red_fail(error, RED_E_INTERRUPTED, "interrupted") : status;
}

static bool any_ran(const struct red_survey_table *table) {
    for (size_t s = 0; s < table->session->strategies_n; s++)
        for (size_t c = 0; c < table->cases_n; c++)
            if (table->cells[s][c].state == RED_STATE_PASS)
                return true;
    return false;
}

static bool is_about(enum red_survey kind, const struct red_op *op, const struct red_dtype *dtype) {
    return dtype->is_float && (kind == RED_SURVEY_SPECIAL || op->wants == RED_WANTS_ALL);
}

enum red_status red_survey_each(struct red_session *session, enum red_survey kind, red_survey_take *take,
                                void *context, struct red_error *error) {
    bool any = false, ran = false;
    struct red_survey_table *table = calloc(1, sizeof *table);
    enum red_status status = table ? RED_OK : red_fail(error, RED_E_MEMORY, "no memory for a survey");
    for (size_t d = 0; d < session->devices_n; d++)
        for (size_t o = 0; o < session->ops_n; o++)
            for (size_t t = 0; t < session->types_n && status == RED_OK; t++) {
                if (!is_about(kind, session->ops[o], session->types[t]))
                    continue;
                table->session = session;
                table->kind = kind;
                table->d = d;
                table->op = session->ops[o];
                table->dtype = session->types[t];
                status = fill(table, error);
                if (status == RED_OK)
                    status = take(context, table, error);
                any = true;
                ran = ran || any_ran(table);
            }
    free(table);
    if (status == RED_OK && !any)
        return red_fail(error, RED_E_INPUT, "--%s is about %s: choose %s", surveys[kind].option,
                        surveys[kind].about, surveys[kind].choose);
    if (status == RED_OK && !ran)
        return red_fail(error, RED_E_NO_DEVICE, "no strategy could run");
    return status;
}
