#include "bench/verified.h"

#include "bench/table.h"
#include "model/clock.h"

enum red_status red_verified_write_table(const struct red_verified *verify, struct red_error *error) {
    static const struct red_column columns[] = {
        {.name = "device"},
        {.name = "strategy"},
        {.name = "right", .right = true},
        {.name = "wrong", .right = true},
        {.name = "build-failed", .right = true},
        {.name = "unsupported", .right = true},
        {.name = "over-budget", .right = true},
        {.name = "failed", .right = true},
        {.name = "crashed", .right = true},
        {.name = "timed-out", .right = true},
        {.name = "known-bug", .right = true},
    };
    static const enum red_state shown[] = {
        RED_STATE_PASS,        RED_STATE_WRONG,       RED_STATE_BUILD_FAILED,
        RED_STATE_UNSUPPORTED, RED_STATE_OVER_BUDGET, RED_STATE_FAILED,
        RED_STATE_CRASHED,     RED_STATE_TIMED_OUT,   RED_STATE_KNOWN_BUG};
    enum { SHOWN_N = sizeof shown / sizeof shown[0] };
    const struct red_session *session = verify->session;
    struct red_table *table = red_table_create(columns, 2 + SHOWN_N);
    enum red_status status = table ? RED_OK : red_fail(error, RED_E_MEMORY, "no memory for a table");
    for (size_t d = 0; d < session->devices_n; d++) {
        for (size_t s = 0; s < session->strategies_n && status == RED_OK; s++) {
            char counts[SHOWN_N][24];
            const char *values[2 + SHOWN_N] = {red_remote_info(session->devices[d])->id,
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

/* What is listed and right is as much a finding as what is wrong and not listed. */
static enum red_status check_expectations(const struct red_verified *verify, struct red_error *error) {
    const struct red_expectations *expectations = &verify->session->expectations;
    enum red_status status = RED_OK;
    for (size_t i = 0; i < expectations->n; i++) {
        char text[640];
        if (!red_expectation_broken(&expectations->rows[i], text, sizeof text))
            continue;
        fprintf(verify->out, "unexpected pass: %s\n", text);
        if (status == RED_OK)
            status = red_fail(error, RED_E_WRONG, "unexpected pass: %s", text);
    }
    return status;
}

enum red_status red_verified_verdict(const struct red_verified *verify, struct red_error *error) {
    static const struct {
        enum red_state state;
        enum red_status status;
    } verdicts[] = {{RED_STATE_WRONG, RED_E_WRONG},
                    {RED_STATE_BUILD_FAILED, RED_E_BUILD},
                    {RED_STATE_CRASHED, RED_E_CRASHED},
                    {RED_STATE_TIMED_OUT, RED_E_TIMED_OUT},
                    {RED_STATE_FAILED, RED_E_DEVICE}};
    fprintf(verify->out,
            "verify: %zu right, %zu wrong, %zu build-failed, %zu unsupported, %zu over-budget, %zu failed, "
            "%zu crashed, %zu timed-out, %zu known-bug on %zu device%s in %.0f s\n",
            verify->totals[RED_STATE_PASS], verify->totals[RED_STATE_WRONG],
            verify->totals[RED_STATE_BUILD_FAILED], verify->totals[RED_STATE_UNSUPPORTED],
            verify->totals[RED_STATE_OVER_BUDGET], verify->totals[RED_STATE_FAILED],
            verify->totals[RED_STATE_CRASHED], verify->totals[RED_STATE_TIMED_OUT],
            verify->totals[RED_STATE_KNOWN_BUG], verify->session->devices_n,
            verify->session->devices_n == 1 ? "" : "s", red_clock_s() - verify->start_s);
    for (size_t i = 0; i < sizeof verdicts / sizeof verdicts[0]; i++) {
        enum red_state state = verdicts[i].state;
        if (verify->totals[state] > 0)
            return red_fail(error, verdicts[i].status, "%zu check%s; the first: %.4000s",
                            verify->totals[state], verify->totals[state] == 1 ? "" : "s",
                            verify->first[state].text);
    }
    if (verify->absent_n > 0)
        return red_fail(error, RED_E_WRONG, "%.500s", verify->absent.text);
    enum red_status status = check_expectations(verify, error);
    if (status != RED_OK)
        return status;
    if (verify->totals[RED_STATE_PASS] + verify->totals[RED_STATE_KNOWN_BUG] == 0)
        return red_fail(error, RED_E_NO_DEVICE, "nothing could be checked; the reasons stand above");
    return RED_OK;
}
