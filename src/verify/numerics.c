/* `verify --special` and `--accuracy`, and `bench --accuracy`: a table per device, operation and type of what
 * each strategy answers to special values, or by how much its sums err. cli/cmd_verify.c and cli/cmd_bench.c
 * open the session; `bench` also keeps the cells in its result file (key `accuracy`). */
#include "verify/verify.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "console/console_table.h"
#include "console/table.h"
#include "core/file.h"
#include "core/interrupt.h"
#include "core/memory.h"
#include "core/numbers.h"
#include "core/text.h"
#include "verify/verify_private.h"
#include "worker/prepared.h"

struct numerics_case {
    enum red_pattern pattern;
    uint64_t n; /* where the user gives none; 0: that of the primitive */
};

static const struct numerics_case special_cases[] = {
    {RED_PATTERN_NAN, 0},        {RED_PATTERN_INFINITY, 0},
    {RED_PATTERN_INFINITIES, 0}, {RED_PATTERN_NEGATIVE_ZEROS, 0},
    {RED_PATTERN_ZEROS, 0},      {RED_PATTERN_DENORMALS, 0},
};
/* The first one's time gives the expected time of the others. */
static const struct numerics_case accuracy_cases[] = {
    {RED_PATTERN_UNIFORM, 1 << 20},      {RED_PATTERN_ONES, 1 << 25},
    {RED_PATTERN_CONDITION_4, 1 << 20},  {RED_PATTERN_CONDITION_8, 1 << 20},
    {RED_PATTERN_CONDITION_12, 1 << 20}, {RED_PATTERN_WIDE, 1 << 20},
    {RED_PATTERN_HUGE, 1 << 20},
};

static const struct {
    const struct numerics_case *cases;
    size_t cases_n;
    const char *option, *about;
} kinds[] = {
    [RED_NUMERICS_SPECIAL] = {special_cases, sizeof special_cases / sizeof special_cases[0], "special",
                              "floats"},
    [RED_NUMERICS_ACCURACY] = {accuracy_cases, sizeof accuracy_cases / sizeof accuracy_cases[0], "accuracy",
                               "floats and sums"},
};

const char *red_numerics_ops(enum red_numerics_kind kind, enum red_primitive primitive) {
    return red_verify_hooks[primitive].numerics_ops[kind];
}

static const double CALL_MAX_S = 2;

/* The unit of errors on the screen, and of `error_in_units` in CSV, JSON and result files (cmd_bench.c). */
double red_numerics_in_units(const struct red_numerics_table *table, const struct red_verification *found) {
    const struct red_accumulator *accumulator = red_op_accumulator(table->op, table->dtype);
    const double unit = ldexp(found->absolute, -(int)accumulator->digits);
    return unit > 0 ? found->error / unit : found->error;
}

/* Whether answers are many results, of which the worst and its place are told. */
static bool has_places(const struct red_numerics_table *table) {
    return red_results_n(table->op, 1, 1) > 0;
}

/* The right answers, which know what the array lacks: where results are prefixes, the truth of each. */
static enum red_status find_last_truth(struct red_numerics_table *table, size_t c,
                                       struct red_dataset *dataset, struct red_error *error) {
    struct red_results_truth *results = NULL;
    const enum red_status status = red_dataset_results(dataset, dataset->spec.n, &results, error);
    const struct red_right right = {&dataset->truth, NULL, results};
    if (status == RED_OK)
        table->truths[c] = red_right_result_truth(&right, table->n[c] - (table->n[c] > 0));
    return status;
}

/* Keeps with an answer its own truth, and whether that is one of special values: a result of none of them
 * must be right, whatever the strategy promises. */
static void keep_truth_of_answer(const struct red_dataset *dataset, struct red_numerics_cell *cell) {
    const struct red_right right = {&dataset->truth, NULL, dataset->results};
    cell->truth = red_right_result_truth(&right, cell->found.value.index);
    cell->is_of_special =
        cell->truth.n == dataset->input.n || red_special_is_among(&dataset->input, cell->truth.n);
}

/* Seconds of a call, in proportion to n, from the first cell of the strategy's row; 0 if that has no answer.
 * A call that is expected to take too long is not made: `over`. */
static double expected_call_s(const struct red_numerics_cell *first, uint64_t first_n, uint64_t n) {
    return first->state == RED_STATE_PASS && first_n > 0 ? first->found.call_s * (double)n / (double)first_n
                                                         : 0;
}

/* Whether the known failures list a case that ends in the state. */
static bool is_known_failure(const struct red_numerics_table *table, const struct red_case *spec,
                             enum red_state state) {
    const struct red_known_failure *known = red_session_known_failure(
        table->session, table->d, spec->strategy, table->op, table->dtype, spec->n,
        red_geometry_default_group_size(spec->strategy,
                                        &red_client_info(table->session->devices[table->d])->shape));
    return known != NULL && known->state == state;
}

/* Counts a failure that the known failures do not list; the first ends the command with its status. */
static void count_unexpected_failure(struct red_numerics_table *table, const struct red_case *spec,
                                     enum red_state state, enum red_status status, const char *text) {
    if (is_known_failure(table, spec, state))
        return;
    if (table->failed_n++ == 0)
        red_fail(&table->failed, status, "%s: %s %s %s on %s, n = %llu, %s: %.3500s", red_state_name(state),
                 spec->strategy->name, table->op->name, table->dtype->name,
                 red_client_info(table->session->devices[table->d])->id, (unsigned long long)spec->n,
                 red_pattern_name(spec->data.data_kind.pattern), text);
}

/* Has strategy s verified on data set c, unless that may not run or takes too long: the cell says so then. A
 * cell is one in the table on the screen, a row of CSV and JSON. */
static void verify_and_set_cell(struct red_numerics_table *table, size_t s, size_t c,
                                const struct red_dataset *dataset) {
    struct red_session *session = table->session;
    struct red_numerics_cell *cell = &table->cells[s][c];
    const struct red_case spec = red_case_make(&dataset->spec, session->strategies[s], NULL);
    const double given_s = session->selection->time_per_cell_s;
    const double expected_s = expected_call_s(&table->cells[s][0], table->n[0], spec.n);
    if (red_session_must_skip(session, table->d, spec.strategy, table->op, table->dtype, spec.n)) {
        cell->state = RED_STATE_KNOWN_BUG;
        return;
    }
    if (c > 0 && expected_s > (given_s > 0 ? given_s : CALL_MAX_S)) {
        cell->state = RED_STATE_OVER_BUDGET;
        return;
    }
    struct red_error error = {.text = ""};
    enum red_status status = red_client_verify(session->devices[table->d], &spec, true,
                                               RED_VERIFY_CALLS * expected_s, &cell->found, &error);
    cell->state = red_state_of(status);
    if (table->kind == RED_NUMERICS_ACCURACY && cell->state == RED_STATE_PASS && !cell->found.right &&
        is_known_failure(table, &spec, RED_STATE_WRONG))
        cell->state = RED_STATE_KNOWN_BUG;
    if (cell->state == RED_STATE_PASS)
        keep_truth_of_answer(dataset, cell);
    red_evidence_format(&cell->found.evidence, cell->evidence, sizeof cell->evidence);
    if (red_state_status(cell->state) != RED_OK && cell->state != RED_STATE_WRONG)
        count_unexpected_failure(table, &spec, cell->state, status, error.text);
}

/* Fills all cells of a table whose device, operation and type are set. */
static enum red_status fill_table(struct red_numerics_table *table, struct red_error *error) {
    const struct red_selection *options = table->session->selection;
    enum red_status status = RED_OK;
    memset(table->cells, 0, sizeof table->cells);
    table->failed_n = 0;
    table->failed = (struct red_error){.status = RED_OK};
    table->cases_n = kinds[table->kind].cases_n;
    for (size_t c = 0; c < table->cases_n && status == RED_OK; c++) {
        const struct numerics_case *of = &kinds[table->kind].cases[c];
        struct red_dataset dataset;
        table->data_kinds[c] = (struct red_data_kind){of->pattern, 0};
        table->n[c] = options->n.n > 0 ? options->n.values[0]
                      : of->n > 0      ? of->n
                                       : red_verify_hooks[table->op->primitive].special_n;
        const struct red_data_spec data =
            red_data_spec_make(table->op, table->dtype, table->data_kinds[c], table->n[c], options->seed);
        if (red_interrupted())
            break;
        red_interrupt_set_at_once(true); /* a table that is not complete is not shown */
        status = red_dataset_make(&data, &dataset, error);
        red_interrupt_set_at_once(false);
        if (status != RED_OK)
            break;
        status = find_last_truth(table, c, &dataset, error);
        for (size_t s = 0; s < table->session->strategies_n && status == RED_OK && !red_interrupted(); s++)
            verify_and_set_cell(table, s, c, &dataset);
        red_dataset_clear(&dataset);
    }
    return status == RED_OK && red_interrupted() ? red_fail(error, RED_E_INTERRUPTED, "interrupted") : status;
}

/* Whether any answer came, right or wrong: else the command ends with "no strategy could run", or with
 * the first failure. */
static bool any_strategy_ran(const struct red_numerics_table *table) {
    for (size_t s = 0; s < table->session->strategies_n; s++)
        for (size_t c = 0; c < table->cases_n; c++)
            if (table->cells[s][c].state == RED_STATE_PASS)
                return true;
    return false;
}

/* Whether such a table has something to show for the operation and type. */
static bool kind_has_table_of(enum red_numerics_kind kind, const struct red_op *op,
                              const struct red_dtype *dtype) {
    return dtype->is_float && (kind == RED_NUMERICS_SPECIAL || op->does == RED_ADDS);
}

enum red_status red_numerics_visit_tables(struct red_session *session, enum red_numerics_kind kind,
                                          red_numerics_visitor *take, void *context,
                                          struct red_error *error) {
    bool any = false, ran = false;
    struct red_numerics_table *table = calloc(1, sizeof *table);
    enum red_status status =
        table ? RED_OK : red_fail(error, RED_E_MEMORY, "no memory for a table of numerics");
    for (size_t d = 0; d < session->devices_n; d++)
        for (size_t o = 0; o < session->ops_n; o++)
            for (size_t t = 0; t < session->types_n && status == RED_OK; t++) {
                if (!kind_has_table_of(kind, session->ops[o], session->types[t]))
                    continue;
                table->session = session;
                table->kind = kind;
                table->d = d;
                table->op = session->ops[o];
                table->dtype = session->types[t];
                status = fill_table(table, error);
                if (status == RED_OK)
                    status = take(context, table, error);
                any = true;
                ran = ran || any_strategy_ran(table);
            }
    free(table);
    if (status == RED_OK && !any)
        return red_fail(error, RED_E_INPUT, "--%s is about %s: choose --type f16, f32 or f64",
                        kinds[kind].option, kinds[kind].about);
    if (status == RED_OK && !ran)
        return red_fail(error, RED_E_NO_DEVICE, "no strategy could run");
    return status;
}

enum { TEXT_BYTES = 48, DEVIATIONS_BYTES = 512 };

/* Numerics, shown table by table, or gathered in one. */
struct numerics_output {
    FILE *out;              /* for tables to read */
    struct red_table *data; /* with --format json or csv */
    size_t wrong_n;
    struct red_error first; /* piece of evidence */
    struct red_accuracy_verdicts verdicts;
    size_t failed_n;
    struct red_error failed; /* the first that did */
};

/* ---- one answer ---------------------------------------------------------------------------------------- */

/* Judges the answer of strategy s to special values c; *words says what came instead: `judged` and
 * `deviation` of CSV and JSON, "deviates" on the screen. */
static enum red_judgement judge_special_answer(const struct red_numerics_table *table, size_t s, size_t c,
                                               const char **words) {
    const struct red_device_info *info = red_client_info(table->session->devices[table->d]);
    const struct red_numerics_cell *cell = &table->cells[s][c];
    enum red_pattern pattern = table->data_kinds[c].pattern;
    const struct red_special special = {
        .pattern = pattern,
        .unpromised =
            cell->is_of_special
                ? red_special_unpromised(table->session->strategies[s], table->op, table->dtype, pattern,
                                         info, red_client_capabilities(table->session->devices[table->d]))
                : NULL};
    *words = "";
    if (cell->found.right)
        return RED_AS_EXACT;
    enum red_judgement judgement = red_special_judge(&special, &cell->truth, &cell->found.value, words);
    if (judgement != RED_AS_EXACT)
        return judgement;
    *words = cell->evidence; /* the value of the last call is not what is wrong */
    return RED_IS_WRONG;
}

/* Writes a cell of the table: of special values the answer, of sums the error in units
 * (red_numerics_in_units), of many results with its place; or the state of a cell without an answer. */
static void cell_format(const struct red_numerics_table *table, size_t s, size_t c, char *text) {
    const struct red_numerics_cell *cell = &table->cells[s][c];
    const bool is_special = table->kind == RED_NUMERICS_SPECIAL;
    if (cell->state == RED_STATE_UNSUPPORTED)
        snprintf(text, TEXT_BYTES, "-");
    else if (cell->state != RED_STATE_PASS)
        snprintf(text, TEXT_BYTES, "%s",
                 cell->state == RED_STATE_OVER_BUDGET ? "over" : red_state_name(cell->state));
    else if (is_special)
        red_truth_answer_format(&cell->truth, &cell->found.value, text, TEXT_BYTES);
    else
        snprintf(text, TEXT_BYTES, "%.2g", red_numerics_in_units(table, &cell->found));
    const bool has_place = is_special ? !cell->found.right : cell->found.error > 0;
    if (cell->state == RED_STATE_PASS && has_places(table) && has_place)
        red_text_add(text, TEXT_BYTES, " at %llu",
                     (unsigned long long)(is_special ? cell->found.value.index : cell->found.place));
}

/* Counts a wrong answer; the first is the evidence of the error with which --special ends. */
static void count_wrong(struct numerics_output *show, const struct red_numerics_table *table, size_t s,
                        size_t c, const char *words) {
    char expected[TEXT_BYTES], got[TEXT_BYTES];
    const struct red_truth *truth = &table->cells[s][c].truth;
    const struct red_value exact = red_truth_value(truth);
    red_truth_answer_format(truth, &exact, expected, sizeof expected);
    cell_format(table, s, c, got);
    if (show->wrong_n++ == 0)
        red_fail(&show->first, RED_E_WRONG, "%s %s %s on %s, n = %llu, %s: %s: expected %s, got %s",
                 table->session->strategies[s]->name, table->op->name, table->dtype->name,
                 red_client_info(table->session->devices[table->d])->id, (unsigned long long)table->n[c],
                 red_pattern_name(table->data_kinds[c].pattern), words, expected, got);
}

/* ---- on the screen ------------------------------------------------------------------------------------- */

/* Writes which answers of a row deviate, and how; counts those that are wrong. */
static void deviations_format_and_count_wrong(struct numerics_output *show,
                                              const struct red_numerics_table *table, size_t s, char *text) {
    text[0] = '\0';
    for (size_t c = 0; c < table->cases_n; c++) {
        const char *words = "";
        if (table->cells[s][c].state != RED_STATE_PASS)
            continue;
        enum red_judgement judgement = judge_special_answer(table, s, c, &words);
        if (judgement == RED_IS_WRONG)
            count_wrong(show, table, s, c, words);
        if (judgement != RED_AS_EXACT)
            red_text_add(text, DEVIATIONS_BYTES, "%s%s%s: %s", text[0] ? "; " : "",
                         judgement == RED_IS_WRONG ? "WRONG, " : "",
                         red_pattern_name(table->data_kinds[c].pattern), words);
    }
}

/* The largest error of a row, as a share of its bound: the column "of bound". */
static double largest_share_of_bound(const struct red_numerics_table *table, size_t s) {
    double share = 0;
    for (size_t c = 0; c < table->cases_n; c++) {
        const struct red_numerics_cell *cell = &table->cells[s][c];
        if (cell->state == RED_STATE_PASS && cell->found.bound > 0)
            share = fmax(share, cell->found.error / cell->found.bound);
    }
    return share;
}

/* ---- verdicts of --accuracy ---------------------------------------------------------------------------- */

/* Takes one answer: `worst` is that of the largest share of a bound, and of a wrong one from then on. */
static void verdict_add_answer(struct red_accuracy_verdict *verdict, const struct red_numerics_table *table,
                               size_t c, const struct red_verification *found) {
    const bool is_bounded = isfinite(found->bound);
    const double share = found->error == 0  ? 0
                         : !is_bounded      ? 0
                         : found->bound > 0 ? found->error / found->bound
                                            : INFINITY;
    const bool is_first_wrong = !found->right && verdict->wrong_n == 0;
    verdict->answers_n++;
    verdict->unbounded_n += !is_bounded;
    verdict->wrong_n += !found->right;
    if (!is_first_wrong && (share <= verdict->share || (found->right && verdict->wrong_n > 0)))
        return;
    verdict->share = share;
    char place[32] = "";
    if (has_places(table))
        snprintf(place, sizeof place, " at %llu", (unsigned long long)found->place);
    snprintf(verdict->worst, sizeof verdict->worst, "%s%s, %s of %s on %s",
             red_pattern_name(table->data_kinds[c].pattern), place, table->op->name, table->dtype->name,
             red_client_info(table->session->devices[table->d])->id);
}

/* Called for each table by print_table_and_count, append_cells_and_count, and by `bench --accuracy`. */
void red_accuracy_verdicts_add(struct red_accuracy_verdicts *verdicts,
                               const struct red_numerics_table *table) {
    for (size_t s = 0; s < table->session->strategies_n; s++)
        for (size_t c = 0; c < table->cases_n; c++) {
            const struct red_numerics_cell *cell = &table->cells[s][c];
            if (cell->state != RED_STATE_PASS)
                continue;
            verdict_add_answer(&verdicts->of[s], table, c, &cell->found);
            if (!cell->found.right && verdicts->wrong_n++ == 0)
                red_fail(&verdicts->first, RED_E_WRONG, "%s %s %s on %s, n = %llu: %s",
                         table->session->strategies[s]->name, table->op->name, table->dtype->name,
                         red_client_info(table->session->devices[table->d])->id,
                         (unsigned long long)table->n[c], cell->evidence);
        }
}

/* Called behind the last table, on the screen alone. */
void red_accuracy_verdicts_print(const struct red_accuracy_verdicts *verdicts,
                                 const struct red_session *session, FILE *out) {
    int width = 0;
    for (size_t s = 0; s < session->strategies_n; s++)
        if (verdicts->of[s].answers_n > 0)
            width = (int)red_greater((uint64_t)width, strlen(session->strategies[s]->name));
    if (width > 0)
        fputs("\nverdict\n", out);
    for (size_t s = 0; s < session->strategies_n; s++) {
        const struct red_accuracy_verdict *verdict = &verdicts->of[s];
        if (verdict->answers_n == 0)
            continue;
        fprintf(out, "%-*s  ", width, session->strategies[s]->name);
        if (verdict->wrong_n > 0 && verdict->share > 1)
            fprintf(out, "beyond its bound: %.3g times it (%s)", verdict->share, verdict->worst);
        else if (verdict->wrong_n > 0)
            fprintf(out, "wrong, though not beyond its bound (%s)", verdict->worst);
        else if (verdict->share > 0)
            fprintf(out, "within its bound: at most %s %% of it (%s)", red_percent_text(verdict->share).text,
                    verdict->worst);
        else
            fputs("within its bound: no error", out);
        if (verdict->unbounded_n > 0)
            fprintf(out, "; no bound for %zu of %zu data sets", verdict->unbounded_n, verdict->answers_n);
        fputs("\n", out);
    }
}

/* ---- on the screen, rows ------------------------------------------------------------------------------- */

/* Adds the row of strategy s to the table on the screen, unless it can run nothing of it. Counts
 * wrong answers to special values. */
static void add_strategy_row_and_count_wrong(struct numerics_output *show,
                                             const struct red_numerics_table *table, size_t s,
                                             struct red_table *shown) {
    char text[TEXT_BYTES], last[DEVIATIONS_BYTES] = "-";
    bool same_bits = true, ran = false, answered = false;
    for (size_t c = 0; c < table->cases_n; c++) {
        const struct red_numerics_cell *cell = &table->cells[s][c];
        same_bits = same_bits && (cell->state != RED_STATE_PASS || cell->found.same_bits);
        ran = ran || cell->state != RED_STATE_UNSUPPORTED;
        answered = answered || cell->state == RED_STATE_PASS;
    }
    if (!ran)
        return;
    red_table_put(shown, "%s", table->session->strategies[s]->name);
    for (size_t c = 0; c < table->cases_n; c++) {
        cell_format(table, s, c, text);
        red_table_put(shown, "%s", text);
    }
    if (table->kind == RED_NUMERICS_SPECIAL)
        deviations_format_and_count_wrong(show, table, s, last);
    else if (answered)
        snprintf(last, sizeof last, "%s%%", red_percent_text(largest_share_of_bound(table, s)).text);
    RED_PUT(shown, !answered ? "-" : same_bits ? "yes" : "no", last);
}

/* Adds the row "exact" to the table on the screen: what exact arithmetic answers to each data set. */
static void add_exact_row(const struct red_numerics_table *table, struct red_table *shown) {
    red_table_put(shown, "exact");
    for (size_t c = 0; c < table->cases_n; c++) {
        const struct red_value exact = red_truth_value(&table->truths[c]);
        char text[TEXT_BYTES];
        red_truth_answer_format(&table->truths[c], &exact, text, sizeof text);
        red_table_put(shown, "%s", text);
    }
    RED_PUT(shown, "", "");
}

/* Adds the number of failures in a table to that with which the command ends. */
static void count_failed_cells(struct numerics_output *show, const struct red_numerics_table *table) {
    if (show->failed_n == 0)
        show->failed = table->failed;
    show->failed_n += table->failed_n;
}

/* Shows a table on the screen, or in the file of --output as a table; counts failures and wrong answers. A
 * red_numerics_visitor. */
static enum red_status print_table_and_count(void *context, const struct red_numerics_table *table,
                                             struct red_error *error) {
    struct numerics_output *show = context;
    const struct red_device_info *info = red_client_info(table->session->devices[table->d]);
    count_failed_cells(show, table);
    if (table->kind == RED_NUMERICS_ACCURACY)
        red_accuracy_verdicts_add(&show->verdicts, table);
    struct red_table *shown = red_table_create("strategy");
    for (size_t c = 0; c < table->cases_n; c++)
        red_table_add_column(shown, red_pattern_name(table->data_kinds[c].pattern), true, 26);
    red_table_add_columns(shown, table->kind == RED_NUMERICS_SPECIAL ? "same bits|deviates!"
                                                                     : "same bits|of bound>");
    if (table->kind == RED_NUMERICS_SPECIAL)
        add_exact_row(table, shown);
    for (size_t s = 0; s < table->session->strategies_n; s++)
        add_strategy_row_and_count_wrong(show, table, s, shown);
    FILE *out = show->out;
    fprintf(out, "\n%s, %s of %s: ", info->id, table->op->name, table->dtype->name);
    if (table->kind == RED_NUMERICS_SPECIAL)
        fprintf(out, "what comes out; the driver claims %s\n",
                info->denormals_f32   ? "to keep denormals"
                : info->denormals_f64 ? "no denormals (CL_FP_DENORM) of f32"
                                      : "no denormals (CL_FP_DENORM)");
    else
        fprintf(out, "%s in units of u x sum of %s|terms|\n",
                has_places(table) ? "largest error of all results, and where," : "error",
                has_places(table) ? "its " : "");
    red_table_print(shown, out);
    red_table_destroy(shown);
    return red_memory_check(error);
}

enum red_status red_numerics_print(const struct red_numerics_table *table, FILE *out,
                                   struct red_error *error) {
    struct numerics_output show = {.out = out};
    return print_table_and_count(&show, table, error);
}

/* ---- as data ------------------------------------------------------------------------------------------- */

#define COMMON_COLUMNS "device|op|type|strategy|data|n>|state"

/* Adds what is told of one answer behind the common columns, with --special; text: JSON has no NaN. */
static void put_special_and_count_wrong(struct numerics_output *show, const struct red_numerics_table *table,
                                        size_t s, size_t c) {
    const struct red_truth *truth = &table->cells[s][c].truth;
    const struct red_value exact = red_truth_value(truth);
    const char *deviation = "";
    char answer[TEXT_BYTES], right[TEXT_BYTES];
    enum red_judgement judgement = judge_special_answer(table, s, c, &deviation);
    if (judgement == RED_IS_WRONG)
        count_wrong(show, table, s, c, deviation);
    cell_format(table, s, c, answer);
    red_truth_answer_format(truth, &exact, right, sizeof right);
    RED_PUT(show->data, answer, right, red_judgement_names[judgement], deviation);
}

/* The same with --accuracy; nothing for a number that is not finite: an infinite bound, a share of none. */
static void put_accuracy(struct numerics_output *show, const struct red_numerics_table *table, size_t s,
                         size_t c) {
    const struct red_numerics_cell *cell = &table->cells[s][c];
    const struct red_verification *found = &cell->found;
    const double numbers[] = {found->error, found->bound, found->absolute,
                              red_numerics_in_units(table, found),
                              isfinite(found->bound) ? found->error / found->bound : INFINITY};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        red_table_put(show->data, isfinite(numbers[i]) ? "%.9g" : "", numbers[i]);
    red_table_put(show->data, has_places(table) ? "%llu" : "", (unsigned long long)found->place);
    red_table_put(show->data, "%s",
                  found->right                  ? "within"
                  : found->error > found->bound ? "beyond"
                                                : cell->evidence);
}

/* Adds each cell of the table as a row of the JSON or CSV output; counts failures and wrong answers. A
 * red_numerics_visitor. */
static enum red_status append_cells_and_count(void *context, const struct red_numerics_table *table,
                                              struct red_error *error) {
    struct numerics_output *show = context;
    const bool is_special = table->kind == RED_NUMERICS_SPECIAL;
    count_failed_cells(show, table);
    if (!is_special)
        red_accuracy_verdicts_add(&show->verdicts, table);
    for (size_t s = 0; s < table->session->strategies_n; s++) {
        for (size_t c = 0; c < table->cases_n; c++) {
            const struct red_numerics_cell *cell = &table->cells[s][c];
            RED_PUT(show->data, red_client_info(table->session->devices[table->d])->id, table->op->name,
                    table->dtype->name, table->session->strategies[s]->name,
                    red_pattern_name(table->data_kinds[c].pattern));
            red_table_put(show->data, "%llu", (unsigned long long)table->n[c]);
            red_table_put(show->data, "%s", red_state_name(cell->state));
            if (cell->state != RED_STATE_PASS) {
                red_table_put_texts(show->data, (const char *[]){"", "", "", "", "", "", "", ""},
                                    is_special ? 5 : 8);
                continue;
            }
            if (is_special)
                put_special_and_count_wrong(show, table, s, c);
            else
                put_accuracy(show, table, s, c);
            red_table_put(show->data, "%s", cell->found.same_bits ? "yes" : "no");
        }
    }
    return red_memory_check(error);
}

enum red_status red_numerics_write(struct red_session *session, enum red_numerics_kind kind,
                                   const struct red_output *output, struct red_error *error) {
    struct numerics_output show = {.wrong_n = 0};
    bool screen = output->format == RED_FORMAT_TABLE;
    struct red_file file; /* of all tables, one below the other */
    enum red_status status = RED_OK;
    if (screen)
        status = red_file_open(output->path ? output->path : "-", &file, error);
    else
        show.data = red_table_create(
            kind == RED_NUMERICS_SPECIAL ? COMMON_COLUMNS "|answer|exact|judged|deviation|same_bits"
                                         : COMMON_COLUMNS
                "|error>|bound>|sum_of_absolutes>|error_in_units>|share_of_bound>|place>|verdict|same_bits");
    if (status != RED_OK)
        return status;
    show.out = screen ? file.stream : NULL;
    status = red_numerics_visit_tables(session, kind, screen ? print_table_and_count : append_cells_and_count,
                                       &show, error);
    /* Where nothing ran since every driver failed, that failure is reported. */
    bool none_ran = status == RED_E_NO_DEVICE && show.failed_n > 0;
    if (screen && status == RED_OK && kind == RED_NUMERICS_ACCURACY)
        red_accuracy_verdicts_print(&show.verdicts, session, show.out);
    const bool is_interrupted = status == RED_E_INTERRUPTED;
    if (status == RED_OK || none_ran || (screen && is_interrupted)) { /* whole tables stay */
        enum red_status written = screen ? red_file_commit(&file, error)
                                         : red_table_write(show.data, output->format, output->path, error);
        none_ran = none_ran && written == RED_OK;
        status = none_ran || (is_interrupted && written == RED_OK) ? status : written;
    } else if (screen) {
        red_file_abandon(&file);
    }
    red_table_destroy(show.data);
    if (status == RED_OK && show.wrong_n > 0)
        return red_fail(error, RED_E_WRONG, "%zu wrong answer%s to special values; the first: %.4000s",
                        show.wrong_n, show.wrong_n == 1 ? "" : "s", show.first.text);
    if (status == RED_OK && show.verdicts.wrong_n > 0)
        return red_fail(error, RED_E_WRONG, "%zu wrong sum%s; the first: %.4000s", show.verdicts.wrong_n,
                        show.verdicts.wrong_n == 1 ? "" : "s", show.verdicts.first.text);
    if ((status == RED_OK || none_ran) && show.failed_n > 0)
        return red_fail(error, show.failed.status, "%zu answer%s did not come; the first: %.4000s",
                        show.failed_n, show.failed_n == 1 ? "" : "s", show.failed.text);
    return status;
}
