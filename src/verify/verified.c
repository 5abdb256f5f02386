#include "verify/verified.h"

#include "console/table.h"
#include "core/clock.h"
#include "core/file.h"
#include "verify/promises.h"

/* Checks that were not reached: the run ended before. */
static size_t pending_n(const struct red_tally *tally) {
    size_t n = tally->planned_n;
    for (int state = 0; state < RED_STATES_N; state++)
        n -= tally->happened[state] < n ? tally->happened[state] : n;
    return n;
}

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
        {.name = "pending", .right = true},
        {.name = "not-promised", .below = true},
    };
    static const enum red_state shown[] = {
        RED_STATE_PASS,        RED_STATE_WRONG,       RED_STATE_BUILD_FAILED,
        RED_STATE_UNSUPPORTED, RED_STATE_OVER_BUDGET, RED_STATE_FAILED,
        RED_STATE_CRASHED,     RED_STATE_TIMED_OUT,   RED_STATE_KNOWN_BUG};
    enum { SHOWN_N = sizeof shown / sizeof shown[0], COLUMNS_N = 2 + SHOWN_N + 2 };
    const struct red_session *session = verify->session;
    struct red_table *table = red_table_create(columns, COLUMNS_N);
    enum red_status status = table ? RED_OK : red_fail(error, RED_E_MEMORY, "no memory for a table");
    for (size_t d = 0; d < session->devices_n; d++) {
        for (size_t s = 0; s < session->strategies_n && status == RED_OK; s++) {
            const struct red_tally *tally = &verify->tallies[d][s];
            char counts[SHOWN_N + 1][24], lacking[64];
            const char *values[COLUMNS_N] = {red_remote_info(session->devices[d])->id,
                                             session->strategies[s]->name};
            for (size_t i = 0; i < SHOWN_N; i++) {
                snprintf(counts[i], sizeof counts[i], "%zu",
                         tally->happened[shown[i]] +
                             (shown[i] == RED_STATE_UNSUPPORTED ? tally->refused_n : 0));
                values[2 + i] = counts[i];
            }
            if (d < verify->announced_n)
                snprintf(counts[SHOWN_N], sizeof counts[SHOWN_N], "%zu", pending_n(tally));
            else
                snprintf(counts[SHOWN_N], sizeof counts[SHOWN_N], "?"); /* nobody has counted them */
            values[2 + SHOWN_N] = counts[SHOWN_N];
            lacking[0] = '\0';
            if (tally->planned_n > 0)
                red_promises_print_lacking(session, d, session->strategies[s], lacking, sizeof lacking);
            values[2 + SHOWN_N + 1] = lacking;
            status = red_table_add(table, values, error);
        }
    }
    if (status == RED_OK)
        status = red_table_write(table, verify->output->format, verify->output->path, error);
    /* Whoever asked for a file still looks at the screen. */
    if (status == RED_OK && verify->output->format == RED_FORMAT_TABLE && verify->output->path != NULL &&
        red_file_is_regular(verify->output->path))
        (void)red_table_write(table, RED_FORMAT_TABLE, NULL, NULL);
    red_table_destroy(table);
    return status;
}

/* Of all devices that were reached. */
static size_t all_pending_n(const struct red_verified *verify) {
    size_t n = 0;
    for (size_t d = 0; d < verify->announced_n; d++)
        for (size_t s = 0; s < verify->session->strategies_n; s++)
            n += pending_n(&verify->tallies[d][s]);
    return n;
}

static bool is_complete(const struct red_verified *verify) {
    return verify->announced_n == verify->session->devices_n && all_pending_n(verify) == 0;
}

/* What is listed and right is as much a finding as what is wrong and not listed. */
static enum red_status check_expectations(const struct red_verified *verify, struct red_error *error) {
    size_t broken_n =
        red_expectations_print_broken(&verify->session->expectations, is_complete(verify), verify->out);
    return broken_n == 0
               ? RED_OK
               : red_fail(error, RED_E_WRONG,
                          "%zu line%s of the register no longer hold%s: see 'unexpected pass' above",
                          broken_n, broken_n == 1 ? "" : "s", broken_n == 1 ? "s" : "");
}

/* "verify: 797 right, 0 wrong, 3 crashed on 1 device in 70 s" */
static void print_totals(const struct red_verified *verify) {
    fprintf(verify->out, "verify: %zu right, %zu wrong", verify->totals[RED_STATE_PASS],
            verify->totals[RED_STATE_WRONG]);
    for (int state = 0; state < RED_STATES_N; state++)
        if (state != RED_STATE_PASS && state != RED_STATE_WRONG && verify->totals[state] > 0)
            fprintf(verify->out, ", %zu %s", verify->totals[state], red_state_name((enum red_state)state));
    size_t left_n = all_pending_n(verify);
    if (left_n > 0)
        fprintf(verify->out, ", %zu pending", left_n);
    fprintf(verify->out, " on %zu device%s in %.0f s\n", verify->announced_n,
            verify->announced_n == 1 ? "" : "s", red_clock_s() - verify->start_s);
}

enum red_status red_verified_verdict(const struct red_verified *verify, struct red_error *error) {
    print_totals(verify);
    enum red_status held = check_expectations(verify, error);
    const enum red_state state = red_state_deciding(verify->totals);
    if (state != RED_STATE_PASS)
        return red_fail(error, red_state_status(state), "%zu check%s; the first: %.4000s",
                        verify->totals[state], verify->totals[state] == 1 ? "" : "s",
                        verify->first[state].text);
    if (verify->absent_n > 0)
        return red_fail(error, RED_E_WRONG, "%.500s", verify->absent.text);
    if (held != RED_OK)
        return held;
    if (verify->totals[RED_STATE_PASS] + verify->totals[RED_STATE_KNOWN_BUG] == 0)
        return red_fail(error, RED_E_NO_DEVICE, "nothing could be checked%s%s; the reasons stand above",
                        verify->first[RED_STATE_UNSUPPORTED].text[0] ? ": " : "",
                        verify->first[RED_STATE_UNSUPPORTED].text);
    return RED_OK;
}
