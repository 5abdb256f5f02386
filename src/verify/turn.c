#include "verify/turn.h"

#include <stdio.h>
#include <string.h>

#include "core/clock.h"
#include "core/interrupt.h"
#include "model/geometry.h"
#include "verify/promises.h"

enum { EVIDENCE_MAX = 3 }; /* lines per strategy and device */

bool red_verify_is_over(const struct red_verified *verify) {
    return red_interrupted() || (verify->options->first && verify->totals[RED_STATE_WRONG] > 0);
}

struct red_tally *red_turn_tally(const struct red_turn *turn, const struct red_check *check) {
    size_t s = 0;
    while (turn->verify->session->strategies[s] != check->strategy)
        s++;
    return &turn->verify->tallies[turn->d][s];
}

/* Lines per strategy and device. */
static size_t told_max(enum red_state state) {
    return state == RED_STATE_BUILD_FAILED || state == RED_STATE_UNSUPPORTED || state == RED_STATE_KNOWN_BUG
               ? 1
               : EVIDENCE_MAX;
}

/* The command that shows the same, below the first line about a strategy that is in trouble. */
static void print_again(const struct red_turn *turn, const struct red_check *check) {
    const struct red_session *session = turn->verify->session;
    const struct red_device_info *info = red_remote_info(session->devices[turn->d]);
    FILE *out = turn->verify->out;
    struct red_tuning tuning = check->tuning;
    struct red_geometry geometry;
    char options[48];
    fprintf(out, "  again: clreduce verify --device %s --strategy %s --op %s --type %s --n %llu --wg %zu",
            turn->id, check->strategy->name, check->op->name, check->dtype->name,
            (unsigned long long)check->n, check->tuning.group_size);
    if (red_geometry_takes_groups(check->strategy) &&
        red_geometry_choose(check->strategy, check->op, check->dtype, &info->shape, &check->tuning, check->n,
                            &geometry, NULL) == RED_OK)
        tuning.groups_n = geometry.groups_n;
    red_tuning_print(&tuning, (struct red_tuning_words){.groups = " --groups %s", .lanes = " --lanes %s"},
                     options, sizeof options);
    fputs(options, out);
    if (session->selection->all)
        fputs(" --all", out);
    if (session->selection->seed != 1)
        fprintf(out, " --seed %llu", (unsigned long long)session->selection->seed);
    if (red_catalogue_is_added(session->catalogue, check->strategy))
        red_quoted_print(out, " --kernel ", check->strategy->path);
    fputc('\n', out);
}

void red_turn_settle(struct red_turn *turn, const struct red_check *check, enum red_state state,
                     const char *text) {
    struct red_verified *verify = turn->verify;
    struct red_tally *tally = red_turn_tally(turn, check);
    size_t told = tally->happened[state]++;
    char line[sizeof verify->first[0].text], options[48];
    red_tuning_print(&check->tuning,
                     (struct red_tuning_words){.groups = ", --groups %s", .lanes = ", --lanes %s"}, options,
                     sizeof options);
    snprintf(line, sizeof line, "%s: %s %s %s on %s%s, n = %llu, group size %zu: %s", red_state_name(state),
             check->strategy->name, check->op->name, check->dtype->name, turn->id, options,
             (unsigned long long)check->n, check->tuning.group_size, text);
    if (verify->totals[state]++ == 0)
        memcpy(verify->first[state].text, line, sizeof line);
    if (state == RED_STATE_PASS || told >= told_max(state))
        return;
    red_progress_end();
    fprintf(verify->out, "%s\n", line);
    if (told == 0 && red_state_status(state) != RED_OK &&
        !red_remote_is_lost(verify->session->devices[turn->d]))
        print_again(turn, check);
    fflush(verify->out); /* whatever comes next may end the program */
}

/* Whether the driver can run any form of the strategy, chosen or not. */
static bool runs_at_all(const struct red_turn *turn, const struct red_strategy *strategy) {
    struct red_remote *remote = turn->verify->session->devices[turn->d];
    struct red_error error;
    for (size_t t = 0; t < red_dtypes_n; t++)
        for (size_t o = 0; o < red_ops_n; o++)
            if (red_strategy_admits(strategy, &red_dtypes[t], &red_ops[o], &error) == RED_OK &&
                red_remote_decide(remote, strategy, &red_dtypes[t], &red_ops[o], 0, &error) !=
                    RED_E_UNSUPPORTED)
                return true;
    return false;
}

/* Whether the driver cannot run some chosen form, and the register does not say so; where it does, its line
 * is told. */
static bool lacks_unexpectedly(const struct red_turn *turn, const struct red_strategy *strategy) {
    const struct red_session *session = turn->verify->session;
    struct red_error error;
    bool lacks = false;
    for (size_t t = 0; t < session->types_n; t++) {
        for (size_t o = 0; o < session->ops_n; o++) {
            if (red_strategy_admits(strategy, session->types[t], session->ops[o], &error) != RED_OK ||
                red_remote_decide(session->devices[turn->d], strategy, session->types[t], session->ops[o], 0,
                                  &error) != RED_E_UNSUPPORTED)
                continue;
            struct red_expectation *known =
                red_session_expectation(session, turn->d, strategy, session->ops[o], session->types[t], 1, 1);
            if (known != NULL && known->state == RED_STATE_UNSUPPORTED)
                (void)red_expectation_take(known, RED_STATE_UNSUPPORTED);
            else
                lacks = true;
        }
    }
    return lacks;
}

/* A strategy of the catalogue that cannot run, where the register tells what the driver lacks, and not this.
 */
static void judge_absent(struct red_turn *turn, const struct red_strategy *strategy) {
    struct red_verified *verify = turn->verify;
    const struct red_session *session = verify->session;
    char text[256];
    if (red_catalogue_is_added(session->catalogue, strategy) ||
        !red_expectations_tell_absent(&session->expectations, red_remote_info(session->devices[turn->d])) ||
        runs_at_all(turn, strategy))
        return;
    snprintf(text, sizeof text, "%s cannot run on %s, and no line of the register expects that",
             strategy->name, turn->id);
    fprintf(verify->out, "absent: %s\n", text);
    if (verify->absent_n++ == 0)
        red_fail(&verify->absent, RED_E_WRONG, "%s", text);
}

/* What cannot run at all counts once for each combination of type and operation. */
void red_turn_refused(struct red_turn *turn) {
    struct red_verified *verify = turn->verify;
    char name[32];
    int at = 0;
    if (verify->totals[RED_STATE_UNSUPPORTED] == 0 &&
        sscanf(turn->checks.refusals, "%31s %n", name, &at) == 1)
        snprintf(verify->first[RED_STATE_UNSUPPORTED].text, sizeof verify->first[0].text, "%s: %.*s", name,
                 (int)strcspn(turn->checks.refusals + at, "\n"), turn->checks.refusals + at);
    for (size_t s = 0; s < verify->session->strategies_n; s++) {
        verify->tallies[turn->d][s].refused_n += turn->checks.refused[s];
        verify->totals[RED_STATE_UNSUPPORTED] += turn->checks.refused[s];
        if (lacks_unexpectedly(turn, verify->session->strategies[s]))
            judge_absent(turn, verify->session->strategies[s]);
    }
}

/* How many more there were than were told. */
static void print_untold(const struct red_turn *turn) {
    const struct red_session *session = turn->verify->session;
    for (size_t s = 0; s < session->strategies_n; s++) {
        for (int state = RED_STATE_PASS + 1; state < RED_STATES_N; state++) {
            size_t happened_n = turn->verify->tallies[turn->d][s].happened[state];
            size_t told_n = told_max((enum red_state)state);
            if (happened_n > told_n)
                fprintf(turn->verify->out, "%s: %s on %s: %zu more\n", red_state_name((enum red_state)state),
                        session->strategies[s]->name, turn->id, happened_n - told_n);
        }
    }
}

enum red_status red_turn_print(const struct red_turn *turn, struct red_error *error) {
    const struct red_checks *checks = &turn->checks;
    FILE *out = turn->verify->out;
    size_t pairs_n = 0;
    print_untold(turn);
    double spent_s = red_clock_s() - turn->start_s;
    enum red_status status = red_checks_count_pairs(checks, turn->reached, &pairs_n, error);
    if (red_interrupted())
        fprintf(out, "interrupted on %s after %zu of %zu checks", turn->id, turn->done_n,
                turn->extent.checks_n);
    else if (red_verify_is_over(turn->verify))
        fprintf(out, "stopped on %s at the first wrong result", turn->id);
    else if (turn->verify->session->selection->all)
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
    bool runs[RED_CHOICE_MAX];
    for (size_t s = 0; s < turn->verify->session->strategies_n; s++)
        runs[s] = turn->verify->tallies[turn->d][s].planned_n > 0;
    red_promises_tell_lacking(turn->verify->session, turn->d, runs, out);
    return status;
}
