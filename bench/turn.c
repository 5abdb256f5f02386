#include "bench/turn.h"

#include <stdio.h>
#include <string.h>

#include "bench/interrupt.h"
#include "model/clock.h"

enum { EVIDENCE_MAX = 3 }; /* lines per strategy and device */

bool red_verify_is_over(const struct red_verified *verify) {
    return red_interrupted() || (verify->session->options->first && verify->totals[RED_STATE_WRONG] > 0);
}

struct red_tally *red_turn_tally(const struct red_turn *turn, const struct red_check *check) {
    size_t s = 0;
    while (turn->verify->session->strategies[s] != check->strategy)
        s++;
    return &turn->verify->tallies[turn->d][s];
}

/* What must be chosen again to see the same, beside n and group size: ", --groups 3 --lanes 16x4" or nothing.
 */
static void more_options_print(const struct red_tuning *tuning, char *text, size_t text_bytes) {
    char groups[32] = "", lanes[32] = "";
    if (tuning->groups_n > 0)
        snprintf(groups, sizeof groups, ", --groups %llu", (unsigned long long)tuning->groups_n);
    if (tuning->width > 0)
        snprintf(lanes, sizeof lanes, ", --lanes %ux%u", tuning->width, tuning->loads);
    snprintf(text, text_bytes, "%s%s", groups, lanes);
}

void red_turn_settle(struct red_turn *turn, const struct red_check *check, enum red_state state,
                     const char *text) {
    struct red_verified *verify = turn->verify;
    size_t told = red_turn_tally(turn, check)->counts[state]++;
    bool once =
        state == RED_STATE_BUILD_FAILED || state == RED_STATE_UNSUPPORTED || state == RED_STATE_KNOWN_BUG;
    char line[sizeof verify->first[0].text], options[48];
    more_options_print(&check->tuning, options, sizeof options);
    snprintf(line, sizeof line, "%s: %s %s %s on %s%s, n = %llu, group size %zu: %s", red_state_name(state),
             check->strategy->name, check->op->name, check->dtype->name, turn->id, options,
             (unsigned long long)check->n, check->tuning.group_size, text);
    if (verify->totals[state]++ == 0)
        memcpy(verify->first[state].text, line, sizeof line);
    if (state == RED_STATE_PASS || told >= (once ? 1 : EVIDENCE_MAX))
        return;
    red_progress_end();
    fprintf(verify->out, "%s\n", line);
    fflush(verify->out); /* whatever comes next may end the program */
}

/* Strategies without any check over the whole grid, where the register tells what the driver lacks. */
static void judge_absent(struct red_turn *turn) {
    struct red_verified *verify = turn->verify;
    const struct red_session *session = verify->session;
    const struct red_device_info *info = red_remote_info(session->devices[turn->d]);
    const struct red_options *options = session->options;
    bool is_whole = session->types_n == red_dtypes_n && session->ops_n == red_ops_n && options->wg.n == 0 &&
                    options->groups.n == 0 && options->lanes_n == 0;
    if (!is_whole || !red_expectations_tell_absent(&session->expectations, info))
        return;
    for (size_t s = 0; s < session->strategies_n; s++) {
        const struct red_strategy *strategy = session->strategies[s];
        const struct red_expectation *known =
            red_session_expectation(session, turn->d, strategy, session->ops[0], session->types[0], 1, 1);
        if (turn->checks.refused[s] < session->types_n * session->ops_n ||
            (known != NULL && known->state == RED_STATE_UNSUPPORTED))
            continue;
        fprintf(verify->out, "absent: %s cannot run on %s, and no line of the register expects that\n",
                strategy->name, turn->id);
        if (verify->absent_n++ == 0)
            red_fail(&verify->absent, RED_E_WRONG,
                     "%s cannot run on %s, and no line of the register expects that", strategy->name,
                     turn->id);
    }
}

/* What cannot run at all counts once for each combination of type and operation. */
void red_turn_refused(struct red_turn *turn) {
    for (size_t s = 0; s < turn->verify->session->strategies_n; s++) {
        turn->verify->tallies[turn->d][s].counts[RED_STATE_UNSUPPORTED] += turn->checks.refused[s];
        turn->verify->totals[RED_STATE_UNSUPPORTED] += turn->checks.refused[s];
    }
    judge_absent(turn);
}

enum red_status red_turn_print(const struct red_turn *turn, struct red_error *error) {
    const struct red_checks *checks = &turn->checks;
    FILE *out = turn->verify->out;
    size_t pairs_n = 0;
    double spent_s = red_clock_s() - turn->start_s;
    enum red_status status = red_checks_count_pairs(checks, turn->reached, &pairs_n, error);
    if (red_interrupted())
        fprintf(out, "interrupted on %s after %zu checks", turn->id, turn->ran_n);
    else if (red_verify_is_over(turn->verify))
        fprintf(out, "stopped on %s at the first wrong result", turn->id);
    else if (turn->verify->session->options->all)
        fprintf(out, "covered on %s: %zu of %zu checks", turn->id, turn->ran_n, turn->extent.checks_n);
    else
        fprintf(
            out,
            "covered on %s: %zu of %zu pairs of strategy x type x operation x group size x n x data, in %zu "
            "checks",
            turn->id, pairs_n, checks->pairs_n, turn->ran_n);
    fprintf(out, ", %.0f s", spent_s);
    if (!red_verify_is_over(turn->verify) && red_far_off(spent_s, turn->expected_s))
        fprintf(out, " (about %.0f s were expected)", turn->expected_s);
    fputc('\n', out);
    if (checks->impossible_n > 0)
        fprintf(out,
                "  %zu more pairs are left out: what an operation, a type or an n does not have, and what a "
                "strategy does not\n  take\n",
                checks->impossible_n);
    for (const char *line = checks->refusals; *line != '\0'; line += strcspn(line, "\n") + 1)
        fprintf(out, "  cannot run on %s: %.*s\n", turn->id, (int)strcspn(line, "\n"), line);
    return status;
}
