#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/checks.h"
#include "bench/table.h"
#include "bench/verifying.h"
#include "record/clock.h"
#include "record/run.h"

enum { EVIDENCE_MAX = 3, LIMIT_S = 10 }; /* lines per strategy and device; seconds per check */

/* What became of the checks of one strategy on one device. */
struct tally {
    size_t counts[RED_STATES_N];
    double small_s;       /* longest check of an n below 2^12: mostly compiling */
    double s_per_element; /* beyond that, fastest seen from n = 2^16 on: projects the larger n */
    bool has_rate;
};

struct verify {
    struct red_session *session;
    FILE *out; /* for people */
    double limit_s;
    double start_s;
    struct tally tallies[RED_DEVICES_MAX][RED_CHOICE_MAX];
    size_t totals[RED_STATES_N];
    struct red_error first[RED_STATES_N]; /* the first text of each state */
};

static size_t strategy_index(const struct red_session *session, const struct red_strategy *strategy) {
    size_t i = 0;
    while (session->strategies[i] != strategy)
        i++;
    return i;
}

static void settle(struct verify *verify, size_t d, const struct red_check *check, enum red_state state,
                   const char *text) {
    struct tally *tally = &verify->tallies[d][strategy_index(verify->session, check->strategy)];
    if (verify->totals[state]++ == 0)
        snprintf(verify->first[state].text, sizeof verify->first[state].text, "%s", text);
    bool once = state == RED_STATE_BUILD_FAILED || state == RED_STATE_UNSUPPORTED;
    size_t lines_max = once ? 1 : EVIDENCE_MAX;
    if (tally->counts[state]++ < lines_max && state != RED_STATE_PASS) {
        red_progress_end();
        fprintf(verify->out, "%s  %s %s %s %s n=%llu wg=%zu %s\n", red_state_name(state),
                check->strategy->name, check->op->name, check->dtype->name,
                red_device_info(verify->session->devices[d])->id, (unsigned long long)check->n,
                check->group_size, state == RED_STATE_BUILD_FAILED ? "" : text);
    }
}

static void learn(struct tally *tally, uint64_t n, double check_s) {
    if (n < 1 << 12)
        tally->small_s = fmax(tally->small_s, check_s);
    else if (n >= 1 << 16) {
        double s_per_element = fmax(0, check_s - tally->small_s) / (double)n;
        bool first = !tally->has_rate;
        tally->s_per_element = first ? s_per_element : fmin(tally->s_per_element, s_per_element);
        tally->has_rate = true;
    }
}

static void run_check(struct verify *verify, size_t d, const struct red_check *check,
                      struct red_dataset *dataset) {
    struct tally *tally = &verify->tallies[d][strategy_index(verify->session, check->strategy)];
    const struct red_plan_spec spec = {
        .strategy = check->strategy, .op = check->op, .n = check->n, .group_size = check->group_size};
    struct red_error error = {.text = ""};
    struct red_verification verification;
    struct red_resident *resident = NULL;
    /* A kernel that does not build is told once, with its log; trying again shows nothing new. */
    if (tally->counts[RED_STATE_BUILD_FAILED] > 0) {
        tally->counts[RED_STATE_BUILD_FAILED]++;
        verify->totals[RED_STATE_BUILD_FAILED]++;
        return;
    }
    double projected_s = tally->s_per_element * (double)check->n;
    if (projected_s > verify->limit_s) {
        snprintf(error.text, sizeof error.text, "projected to take %.1f s; the budget is %.1f s", projected_s,
                 verify->limit_s);
        settle(verify, d, check, RED_STATE_OVER_BUDGET, error.text);
        return;
    }
    double check_start_s = red_clock_s();
    enum red_status status = red_dataset_resident(verify->session, dataset, d, &resident, &error);
    if (status == RED_OK)
        status = red_verify(resident, &dataset->truth, &spec, &verification, &error);
    learn(tally, check->n, red_clock_s() - check_start_s);
    if (status == RED_OK && !verification.right)
        settle(verify, d, check, RED_STATE_WRONG, verification.evidence);
    else
        settle(verify, d, check, red_state_of(status), error.text);
}

static bool same_data(const struct red_check *check, const struct red_dataset *dataset) {
    const struct red_input *input = &dataset->input;
    return input->dtype == check->dtype && input->op == check->op && input->n == check->n &&
           input->probe.pattern == check->probe.pattern && input->probe.part == check->probe.part;
}

static bool is_over(const struct verify *verify) {
    return verify->session->options->first && verify->totals[RED_STATE_WRONG] > 0;
}

static enum red_status run_checks(struct verify *verify, size_t d, const struct red_checks *checks,
                                  struct red_error *error) {
    struct red_dataset dataset = {.residents = {NULL}};
    enum red_status status = RED_OK;
    double start_s = red_clock_s();
    char what[64];
    snprintf(what, sizeof what, "verifying on %s, %zu checks",
             red_device_info(verify->session->devices[d])->id, checks->n);
    for (size_t i = 0; i < checks->n && status == RED_OK && !is_over(verify); i++) {
        const struct red_check *check = &checks->rows[i];
        if (!same_data(check, &dataset)) {
            red_dataset_clear(&dataset);
            status = red_dataset_make(check->dtype, check->op, check->probe, check->n,
                                      verify->session->options->seed, &dataset, error);
        }
        if (status == RED_OK)
            run_check(verify, d, check, &dataset);
        if (i % 16 == 0)
            red_progress(what, (double)i / (double)checks->n, start_s);
    }
    red_progress_end();
    red_dataset_clear(&dataset);
    return status;
}

static enum red_status verify_device(struct verify *verify, size_t d, struct red_error *error) {
    struct red_checks checks;
    const char *id = red_device_info(verify->session->devices[d])->id;
    double start_s = red_clock_s();
    enum red_status status = red_checks_make(verify->session, d, &checks, error);
    if (status != RED_OK)
        return status;
    status = run_checks(verify, d, &checks, error);
    if (is_over(verify))
        fprintf(verify->out, "stopped on %s at the first wrong result", id);
    else if (verify->session->options->all)
        fprintf(verify->out, "covered on %s: all %zu combinations", id, checks.n);
    else
        fprintf(verify->out,
                "covered on %s: %zu of %zu pairs of strategy x type x operation x group size x n x data, in "
                "%zu checks",
                id, checks.pairs_n, checks.pairs_n, checks.n);
    fprintf(verify->out, ", %.0f s\n", red_clock_s() - start_s);
    if (checks.impossible_n > 0)
        fprintf(verify->out, "  %zu more pairs occur in no combination that can run\n", checks.impossible_n);
    for (const char *line = checks.refusals; *line != '\0'; line += strcspn(line, "\n") + 1)
        fprintf(verify->out, "  cannot run on %s: %.*s\n", id, (int)strcspn(line, "\n"), line);
    red_checks_clear(&checks);
    return status;
}

/* ---- reporting -------------------------------------------------------------------------------------------
 */

static enum red_status write_table(const struct verify *verify, struct red_error *error) {
    static const struct red_column columns[] = {
        {"device", false, 0},      {"strategy", false, 0},   {"right", true, 0},       {"wrong", true, 0},
        {"build-failed", true, 0}, {"unsupported", true, 0}, {"over-budget", true, 0}, {"failed", true, 0},
    };
    static const enum red_state shown[] = {RED_STATE_PASS,         RED_STATE_WRONG,
                                           RED_STATE_BUILD_FAILED, RED_STATE_UNSUPPORTED,
                                           RED_STATE_OVER_BUDGET,  RED_STATE_CRASHED};
    enum { SHOWN_N = sizeof shown / sizeof shown[0] };
    const struct red_session *session = verify->session;
    struct red_table *table = red_table_create(columns, 2 + SHOWN_N);
    enum red_status status = table ? RED_OK : red_fail(error, RED_E_MEMORY, "no memory for a table");
    for (size_t d = 0; d < session->devices_n; d++) {
        for (size_t s = 0; s < session->strategies_n && status == RED_OK; s++) {
            char counts[SHOWN_N][24];
            const char *values[2 + SHOWN_N] = {red_device_info(session->devices[d])->id,
                                               session->strategies[s]->name};
            for (size_t i = 0; i < SHOWN_N; i++) {
                snprintf(counts[i], sizeof counts[i], "%zu", verify->tallies[d][s].counts[shown[i]]);
                values[2 + i] = counts[i];
            }
            status = red_table_add(table, values, error);
        }
    }
    if (status == RED_OK)
        status = red_table_write(table, session->options->format, session->options->output, error);
    red_table_destroy(table);
    return status;
}

static enum red_status verdict(const struct verify *verify, struct red_error *error) {
    static const struct {
        enum red_state state;
        enum red_status status;
    } verdicts[] = {{RED_STATE_WRONG, RED_E_WRONG},
                    {RED_STATE_BUILD_FAILED, RED_E_BUILD},
                    {RED_STATE_CRASHED, RED_E_DEVICE}};
    fprintf(verify->out,
            "verify: %zu right, %zu wrong, %zu build-failed, %zu unsupported, %zu over-budget, %zu failed on "
            "%zu device%s in %.0f s\n",
            verify->totals[RED_STATE_PASS], verify->totals[RED_STATE_WRONG],
            verify->totals[RED_STATE_BUILD_FAILED], verify->totals[RED_STATE_UNSUPPORTED],
            verify->totals[RED_STATE_OVER_BUDGET], verify->totals[RED_STATE_CRASHED],
            verify->session->devices_n, verify->session->devices_n == 1 ? "" : "s",
            red_clock_s() - verify->start_s);
    for (size_t i = 0; i < sizeof verdicts / sizeof verdicts[0]; i++) {
        enum red_state state = verdicts[i].state;
        if (verify->totals[state] > 0)
            return red_fail(error, verdicts[i].status, "%s (%zu check%s); the first: %.4000s",
                            red_state_name(state), verify->totals[state],
                            verify->totals[state] == 1 ? "" : "s", verify->first[state].text);
    }
    if (verify->totals[RED_STATE_PASS] == 0)
        return red_fail(error, RED_E_NO_DEVICE, "nothing could be checked; the reasons stand above");
    return RED_OK;
}

enum red_status red_verify_session(struct red_session *session, FILE *out, bool with_table,
                                   struct red_error *error) {
    struct verify *verify = calloc(1, sizeof *verify);
    if (verify == NULL)
        return red_fail(error, RED_E_MEMORY, "no memory for verifying");
    verify->session = session;
    verify->out = out;
    verify->limit_s = session->options->time_per_cell_s > 0 ? session->options->time_per_cell_s : LIMIT_S;
    verify->start_s = red_clock_s();
    enum red_status status = RED_OK;
    for (size_t d = 0; d < session->devices_n && status == RED_OK && !is_over(verify); d++)
        status = verify_device(verify, d, error);
    if (status == RED_OK && with_table)
        status = write_table(verify, error);
    if (status == RED_OK)
        status = verdict(verify, error);
    free(verify);
    return status;
}
