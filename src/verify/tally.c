#define _GNU_SOURCE /* vasprintf, strdup */
/* Counts how the checks of `verify` ended, and keeps every check that is not right, of which the screen
 * shows a few, for the file of --format json (results/verify_file.h) and for --export junit.
 * The user sees evidence as it is found, what was covered, the table of counts, the closing line and the exit
 * status. verify/verify.c calls all public functions here, with its state of the run (`verify`) or of one
 * device (`checks`), and then under the lock of these. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "console/table.h"
#include "core/clock.h"
#include "core/file.h"
#include "core/interrupt.h"
#include "core/memory.h"
#include "core/text.h"
#include "export/export.h"
#include "model/geometry.h"
#include "model/primitive.h"
#include "oracle/change.h"
#include "results/again.h"
#include "results/json.h"
#include "verify/verify_private.h"

/* ---- every check that is not right --------------------------------------------------------------------- */

/* Where the JSON goes, NULL: nowhere. As of bench, --output names it, unless --format asks for a table of
 * counts there. */
static const char *json_path(const struct red_output *output) {
    const bool is_file = output->path != NULL && strcmp(output->path, "-") != 0;
    return output->format == RED_FORMAT_JSON               ? (output->path ? output->path : "-")
           : output->format == RED_FORMAT_TABLE && is_file ? output->path
                                                           : NULL;
}

/* Whether somebody has asked for all checks that are not right: of `bench --kernel` there is no output. */
static bool is_asked_for(const struct red_verify *verify) {
    if (verify->options->found != NULL)
        return true;
    return verify->output != NULL && (json_path(verify->output) != NULL || verify->output->exports_n > 0);
}

/* What the command line asks for that a command to make a check again must ask for, too. */
static struct red_verify_asked asked_of(const struct red_selection *selection) {
    return (struct red_verify_asked){.all = selection->all,
                                     .despite_probes = selection->despite_probes,
                                     .time_per_cell_s = selection->time_per_cell_s,
                                     .patience_s = selection->patience_s};
}

enum red_status red_evidence_begin(struct red_verify *verify, struct red_error *error) {
    const struct red_session *session = verify->session;
    if (!is_asked_for(verify))
        return RED_OK;
    struct red_verify_file *file = calloc(1, sizeof *file);
    if (file == NULL)
        return red_fail(error, RED_E_MEMORY, "no memory for verifying");
    enum red_status status = red_verify_file_create(session->devices_n, file, error);
    struct red_run *run = &file->result.run;
    for (size_t d = 0; d < session->devices_n && status == RED_OK; d++) {
        struct red_verify_device *device = &file->devices[d];
        run->devices[d].info = *red_client_info(session->devices[d]);
        device->strategies = calloc(session->strategies_n + 1, sizeof *device->strategies);
        if (device->strategies == NULL)
            status = red_fail(error, RED_E_MEMORY, "no memory for verifying");
        while (status == RED_OK && device->strategies_n < session->strategies_n) {
            struct red_verify_strategy *strategy = &device->strategies[device->strategies_n];
            strategy->unsupported_because = json_array();
            strategy->strategy = session->strategies[device->strategies_n++];
        }
    }
    verify->file = file;
    file->asked = asked_of(session->selection);
    red_run_begin(run, session->selection);
    if (status != RED_OK)
        red_evidence_end(verify);
    return status;
}

void red_evidence_end(struct red_verify *verify) {
    if (verify->file == NULL)
        return;
    if (verify->options->found != NULL)
        *verify->options->found = *verify->file;
    else
        red_verify_file_clear(verify->file);
    free(verify->file);
    verify->file = NULL;
}

/* ---- one of them --------------------------------------------------------------------------------------- */

/* The geometry of the check, as its plan chooses it. False where it has none. */
static bool choose_geometry(const struct red_device_checks *checks, const struct red_check *check,
                            struct red_geometry *geometry) {
    const struct red_device_info *info = red_client_info(checks->verify->session->devices[checks->d]);
    return red_geometry_choose_segments(check->strategy, check->op, check->dtype, &info->shape,
                                        &check->tuning, check->n, check->segments_n, geometry,
                                        NULL) == RED_OK;
}

/* Fills in which check it is; its kernel's path is the caller's to free. */
static void fill_check(const struct red_device_checks *checks, const struct red_check *check,
                       struct red_verify_check *made) {
    struct red_client *client = red_client_of_check(checks, check);
    enum red_c_standard standard;
    *made = (struct red_verify_check){.at = {.device = red_client_info(client)->id,
                                             .strategy = check->strategy,
                                             .op = check->op,
                                             .dtype = check->dtype,
                                             .bins_n = check->bins_n,
                                             .asked = check->tuning,
                                             .n = check->n},
                                      .segments_n = check->segments_n,
                                      .prefixes_n = check->prefixes_n,
                                      .stress_s = check->stress_s,
                                      .data_seed = checks->verify->session->selection->seed};
    snprintf(
        made->at.shape, sizeof made->at.shape, "%s",
        red_shape_names[red_strategy_is_segmented(check->strategy) ? RED_SHAPE_SEGMENTS : RED_SHAPE_ARRAY]);
    red_data_kind_format(check->data_kind, check->op, check->dtype, check->n, made->at.data,
                         sizeof made->at.data);
    if (!choose_geometry(checks, check, &made->geometry))
        made->geometry = (struct red_geometry){.group_size = 0};
    made->takes_groups = red_geometry_takes_groups(check->strategy);
    if (red_catalogue_is_added(checks->verify->session->catalogue, check->strategy) &&
        (made->kernel = strdup(check->strategy->path)) == NULL)
        red_memory_note_failure();
    if (red_capability_choose_standard(red_client_info(client), red_client_capabilities(client),
                                       check->strategy, check->dtype, check->op, check->tuning.group_size,
                                       &standard, NULL) == RED_OK)
        snprintf(made->standard, sizeof made->standard, "%s", red_c_standard_name(standard));
}

/* The command that makes it again; NULL without memory. */
static char *command_of(const struct red_device_checks *checks, const struct red_verify_check *made) {
    const struct red_selection *selection = checks->verify->session->selection;
    const struct red_verify_asked asked = asked_of(selection);
    const struct red_again_place place = {
        .program = selection->program, .device = checks->id, .asked = &asked};
    return red_again_command(&place, made);
}

/* The command that makes the check again, which the caller frees: NULL without memory. It stands below the
 * first line about a strategy that failed, "again: ...". */
static char *command_of_check(const struct red_device_checks *checks, const struct red_check *check) {
    struct red_verify_check made;
    fill_check(checks, check, &made);
    char *text = command_of(checks, &made);
    free(made.kernel);
    return text;
}

/* Keeps a check that is not right; does nothing where nobody asked for them. */
static void keep_check(struct red_device_checks *checks, const struct red_check *check, enum red_state state,
                       const char *text, const struct red_evidence *evidence) {
    struct red_verify *verify = checks->verify;
    struct red_verify_check made;
    if (verify->file == NULL)
        return;
    fill_check(checks, check, &made);
    made.state = state;
    if (state == RED_STATE_KNOWN_BUG) {
        const struct red_known_failure *known = red_check_known_failure(checks, check);
        made.known_bug = known->skip ? RED_STATE_PENDING : known->state;
    }
    if (evidence != NULL)
        made.evidence = *evidence;
    made.reason = strdup(text);
    made.again = command_of(checks, &made);
    if (made.reason == NULL || made.again == NULL)
        red_memory_note_failure();
    if (red_verify_file_add(&verify->file->devices[checks->d], &made, NULL) != RED_OK)
        verify->lost_checks = true;
}

void red_evidence_add_refusals(struct red_device_checks *checks) {
    const struct red_session *session = checks->verify->session;
    const struct red_refusals *refusals = &checks->plan.refusals;
    if (checks->verify->file == NULL)
        return;
    struct red_verify_strategy *strategies = checks->verify->file->devices[checks->d].strategies;
    for (size_t s = 0; s < session->strategies_n; s++)
        for (size_t i = 0; i < refusals->reasons_n; i++)
            if (refusals->reasons[i].strategy == session->strategies[s])
                json_array_append_new(strategies[s].unsupported_because,
                                      red_json_any_text(refusals->reasons[i].reason));
}

/* ---- the first of each state on the screen ------------------------------------------------------------- */

enum { EVIDENCE_MAX = 3 }; /* lines per strategy and device */

/* Asked between checks, and for the words of "interrupted on ..." or "stopped on ...". */
bool red_verify_is_over(const struct red_verify *verify) {
    static const enum red_state failed[] = {RED_STATE_CRASHED, RED_STATE_TIMED_OUT, RED_STATE_BUILD_FAILED,
                                            RED_STATE_FAILED};
    size_t failed_n = verify->totals[RED_STATE_WRONG];
    for (size_t i = 0; verify->options->found != NULL && i < sizeof failed / sizeof failed[0]; i++)
        failed_n += verify->totals[failed[i]];
    return red_interrupted() || (failed_n > 0 && (verify->options->first || verify->options->found != NULL));
}

/* The counts of a strategy: a row of the table that write_table writes. */
struct red_tally *red_tally_of(const struct red_device_checks *checks, const struct red_check *check) {
    size_t s = 0;
    while (checks->verify->session->strategies[s] != check->strategy)
        s++;
    return &checks->verify->tallies[checks->d][s];
}

/* How many lines of evidence a strategy gets on a device. */
static size_t evidence_lines_max(enum red_state state) {
    return state == RED_STATE_BUILD_FAILED || state == RED_STATE_UNSUPPORTED || state == RED_STATE_KNOWN_BUG
               ? 1
               : EVIDENCE_MAX;
}

/* Keeps what the lines "pattern: ..." are made of, if the check ended right or wrong. */
static void add_fact(const struct red_device_checks *checks, const struct red_check *check, bool wrong,
                     const struct red_evidence *evidence) {
    const struct red_device_info *info = red_client_info(checks->verify->session->devices[checks->d]);
    struct red_geometry geometry;
    const unsigned moves_n =
        red_changes_steps_n(check->op, check->data_kind.pattern, check->n, check->segments_n, 0);
    const unsigned prefixes_n = red_changes_steps_n(check->op, check->data_kind.pattern, check->n,
                                                    check->segments_n, check->prefixes_n) -
                                moves_n;
    struct red_fact fact = {.n = check->n,
                            .shorter_n = prefixes_n / (!red_op_picks(check->op) ? 1 : 2),
                            .group_size = (uint32_t)check->tuning.group_size,
                            .lanes = 1,
                            .bins_n = check->bins_n,
                            .type = (unsigned char)(check->dtype - red_dtypes),
                            .op = (unsigned char)(check->op - red_ops),
                            .data = (unsigned char)check->data_kind.pattern,
                            .wrong = wrong};
    uint64_t n;
    if (wrong && evidence != NULL && sscanf(evidence->run, "of the first %" SCNu64 " elements", &n) == 1)
        fact.n = n;
    if (wrong)
        fact.shorter_n = 0;
    if (red_geometry_choose_segments(check->strategy, check->op, check->dtype, &info->shape, &check->tuning,
                                     fact.n, check->segments_n, &geometry, NULL) == RED_OK) {
        fact.lanes = geometry.lanes;
        fact.groups_n = geometry.groups_n;
    }
    red_facts_add(&red_tally_of(checks, check)->facts, &fact);
}

/* Called with every check as it ends. Of all states but `pass` the first few are seen, as "wrong: tree sum
 * f32 on pocl, n = ...: ...". */
void red_tally_add_and_print(struct red_device_checks *checks, const struct red_check *check,
                             enum red_state state, const char *text, const struct red_evidence *evidence) {
    struct red_verify *verify = checks->verify;
    struct red_tally *tally = red_tally_of(checks, check);
    if (state == RED_STATE_PASS && !red_check_launches(check)) {
        tally->idle_n++;
        verify->idle_n++;
        return;
    }
    size_t before_n = tally->happened[state]++;
    char line[sizeof verify->first[0].text], options[64];
    red_tuning_format(&check->tuning,
                      (struct red_tuning_words){.groups = ", --groups %s", .lanes = ", --lanes %s"}, options,
                      sizeof options);
    if (check->bins_n > 0)
        red_text_add(options, sizeof options, ", --bins %u", check->bins_n);
    snprintf(line, sizeof line, "%s: %s %s %s on %s%s, n = %llu, group size %zu: %s", red_state_name(state),
             check->strategy->name, check->op->name, check->dtype->name, checks->id, options,
             (unsigned long long)check->n, check->tuning.group_size, text);
    if (verify->totals[state]++ == 0)
        memcpy(verify->first[state].text, line, sizeof line);
    if ((state == RED_STATE_PASS || state == RED_STATE_WRONG) && check->stress_s == 0)
        add_fact(checks, check, state == RED_STATE_WRONG, evidence);
    if (state == RED_STATE_PASS)
        tally->right_n[check->dtype - red_dtypes][check->op - red_ops]++;
    else
        keep_check(checks, check, state, text, evidence);
    if (state == RED_STATE_PASS || before_n >= evidence_lines_max(state))
        return;
    red_progress_end();
    fprintf(verify->out, "%s\n", line);
    if (before_n == 0 && red_state_status(state) != RED_OK &&
        !red_client_is_lost(verify->session->devices[checks->d])) {
        char *again = command_of_check(checks, check);
        fprintf(verify->out, "  again: %s\n", again ? again : "");
        free(again);
    }
    fflush(verify->out); /* whatever comes next may end the program */
}

/* ---- what cannot run ----------------------------------------------------------------------------------- */

enum { ABSENT_SHOWN_MAX = 3 };

/* Whether the driver cannot run this form of the strategy, and no line of the register expects that at all
 * group sizes. Counts for a line that expects it that it was as expected. */
static bool lacks_unexpectedly_and_count_known(const struct red_device_checks *checks,
                                               const struct red_strategy *strategy, const struct red_op *op,
                                               const struct red_dtype *dtype) {
    const struct red_session *session = checks->verify->session;
    struct red_error error;
    if (red_strategy_check_type_and_op(strategy, dtype, op, &error) != RED_OK ||
        red_client_check_support(session->devices[checks->d], strategy, dtype, op, 0, &error) !=
            RED_E_UNSUPPORTED)
        return false;
    struct red_known_failure *known =
        red_session_known_failure(session, checks->d, strategy, op, dtype, 1, 0);
    if (known == NULL || known->state != RED_STATE_UNSUPPORTED)
        return true;
    (void)red_known_failure_count(known, RED_STATE_UNSUPPORTED);
    return false;
}

/* Prints "absent: ..." if chosen forms of the strategy cannot run, and the register, which says what the
 * driver lacks, has no line for them. Counts it: that fails the run. */
static void print_and_count_if_absent(struct red_device_checks *checks, const struct red_strategy *strategy) {
    struct red_verify *verify = checks->verify;
    const struct red_session *session = verify->session;
    const bool is_told = !red_catalogue_is_added(session->catalogue, strategy) &&
                         red_known_failures_has_unsupported(&session->known_failures,
                                                            red_client_info(session->devices[checks->d]));
    char text[512];
    size_t forms_n = 0;
    snprintf(text, sizeof text,
             "%s cannot run on %s, and no line of the register expects that: ", strategy->name, checks->id);
    for (size_t o = 0; o < session->ops_n; o++)
        for (size_t t = 0; t < session->types_n; t++)
            if (lacks_unexpectedly_and_count_known(checks, strategy, session->ops[o], session->types[t]) &&
                ++forms_n <= ABSENT_SHOWN_MAX)
                red_text_add(text, sizeof text, "%s%s of %s", forms_n > 1 ? ", " : "", session->ops[o]->name,
                             session->types[t]->name);
    if (!is_told || forms_n == 0)
        return;
    if (forms_n > ABSENT_SHOWN_MAX)
        red_text_add(text, sizeof text, " and %zu more", forms_n - ABSENT_SHOWN_MAX);
    fprintf(verify->out, "absent: %s\n", text);
    if (verify->absent_n++ == 0)
        red_fail(&verify->absent, RED_E_WRONG, "%s", text);
}

/* Refused combinations count as `unsupported`. */
void red_tally_add_refused_and_print_absent(struct red_device_checks *checks) {
    struct red_verify *verify = checks->verify;
    const struct red_refusals *refusals = &checks->plan.refusals;
    if (verify->totals[RED_STATE_UNSUPPORTED] == 0 && refusals->reasons_n > 0)
        snprintf(verify->first[RED_STATE_UNSUPPORTED].text, sizeof verify->first[0].text, "%s: %s",
                 refusals->reasons[0].strategy->name, refusals->reasons[0].reason);
    for (size_t s = 0; s < verify->session->strategies_n; s++) {
        verify->tallies[checks->d][s].refused_n += refusals->n[s];
        verify->totals[RED_STATE_UNSUPPORTED] += refusals->n[s];
        print_and_count_if_absent(checks, verify->session->strategies[s]);
    }
}

/* ---- what was covered ---------------------------------------------------------------------------------- */

/* Prints how many more checks of each strategy ended in each state than got a line of evidence. */
static void print_unreported_n(const struct red_device_checks *checks) {
    const struct red_session *session = checks->verify->session;
    for (size_t s = 0; s < session->strategies_n; s++) {
        for (int state = RED_STATE_PASS + 1; state < RED_STATES_N; state++) {
            size_t happened_n = checks->verify->tallies[checks->d][s].happened[state];
            size_t shown_n = evidence_lines_max((enum red_state)state);
            if (happened_n > shown_n)
                fprintf(checks->verify->out, "%s: %s on %s: %zu more\n",
                        red_state_name((enum red_state)state), session->strategies[s]->name, checks->id,
                        happened_n - shown_n);
        }
    }
}

/* Whether the user is told by the exit status that a level of the strategy was never checked. */
static bool must_be_whole(const struct red_session *session, const struct red_strategy *strategy) {
    return red_select_names(session->selection->strategy, strategy->name) ||
           red_catalogue_is_added(session->catalogue, strategy);
}

/* Counts the levels of the session's strategy s, and prints which of them were never checked. How many. */
static size_t count_and_print_unchecked_levels(const struct red_device_checks *checks, size_t s) {
    enum { TOLD_MAX = 4 };
    struct red_verify *verify = checks->verify;
    const struct red_strategy *strategy = verify->session->strategies[s];
    struct red_tally *tally = &verify->tallies[checks->d][s];
    char which[RED_UNCHECKED_BYTES];
    tally->levels_n = red_levels_count(&checks->levels[s], &tally->levels_left_n);
    if (tally->levels_left_n == 0)
        return 0;
    red_levels_left_format(&checks->levels[s], TOLD_MAX, which, sizeof which);
    fprintf(verify->out, "  not checked on %s: %s at %zu of its %zu levels: %s\n", checks->id, strategy->name,
            tally->levels_left_n, tally->levels_n, which);
    if (!must_be_whole(verify->session, strategy))
        return tally->levels_left_n;
    snprintf(tally->unchecked, sizeof tally->unchecked, "%s", which);
    if (verify->options->unchecked != NULL)
        memcpy(verify->options->unchecked[checks->d * verify->session->strategies_n + s], which,
               sizeof which);
    if (verify->unchecked_n++ == 0)
        red_fail(&verify->unchecked, RED_E_UNDECIDED,
                 "%s on %s was never checked at %zu of its %zu levels: %s; the reasons stand above, and a "
                 "longer --time-per-cell allows a check more time",
                 strategy->name, checks->id, tally->levels_left_n, tally->levels_n, which);
    return tally->levels_left_n;
}

/* Prints which levels of which strategies were never checked, or else how many pairs were not. */
static void print_unchecked(const struct red_device_checks *checks, size_t pairs_n, size_t pairs_all_n) {
    size_t left_n = 0;
    for (size_t s = 0; s < checks->verify->session->strategies_n; s++)
        left_n += count_and_print_unchecked_levels(checks, s);
    if (left_n == 0 && pairs_n < pairs_all_n)
        fprintf(checks->verify->out,
                "  not checked on %s: %zu of %zu pairs; each level of every strategy was\n", checks->id,
                pairs_all_n - pairs_n, pairs_all_n);
}

/* The strategy that print_pattern tells of. */
struct pattern_place {
    const struct red_device_checks *checks;
    size_t s;
};

static void print_pattern(void *context, const char *sentence) {
    const struct pattern_place *at = context;
    struct red_verify *verify = at->checks->verify;
    fprintf(verify->out, "pattern: %s on %s: %s\n", verify->session->strategies[at->s]->name, at->checks->id,
            sentence);
    if (verify->file == NULL)
        return;
    struct json_t **patterns = &verify->file->devices[at->checks->d].strategies[at->s].wrong_patterns;
    if (*patterns == NULL)
        *patterns = json_array();
    if (json_array_append_new(*patterns, red_json_any_text(sentence)) != 0)
        red_memory_note_failure();
}

/* Prints what the wrong checks of each strategy have in common. */
static void print_patterns(const struct red_device_checks *checks) {
    for (size_t s = 0; s < checks->verify->session->strategies_n; s++) {
        struct pattern_place at = {checks, s};
        red_facts_tell_patterns(&checks->verify->tallies[checks->d][s].facts, print_pattern, &at);
    }
}

void red_tallies_clear(struct red_verify *verify) {
    for (size_t d = 0; d < RED_DEVICES_MAX; d++)
        for (size_t s = 0; s < RED_CHOICE_MAX; s++)
            red_facts_clear(&verify->tallies[d][s].facts);
}

/* "  cannot run on pocl: fixed_point      has no i32 form": most reasons begin with the strategy's name,
 * which stands before them here. */
static void print_refusal(const char *id, const struct red_refusal *refusal, FILE *out) {
    const char *name = refusal->strategy->name, *reason = refusal->reason;
    const size_t length = strlen(name);
    if (strncmp(reason, name, length) == 0 && reason[length] == ' ')
        reason += length + 1;
    fprintf(out, "  cannot run on %s: %-16s %s\n", id, name, reason);
}

/* Called at the end of a device: "covered on ...", "not checked on ...", "cannot run on ...", "not promised
 * on ...". */
enum red_status red_coverage_print(const struct red_device_checks *checks, struct red_error *error) {
    const struct red_test_plan *plan = &checks->plan;
    FILE *out = checks->verify->out;
    size_t pairs_n = 0, idle_pairs_n = 0;
    print_unreported_n(checks);
    print_patterns(checks);
    double spent_s = red_clock_s() - checks->start_s;
    enum red_status status = red_test_plan_count_reached_pairs(plan, &pairs_n, &idle_pairs_n, error);
    const size_t pairs_all_n = plan->pairs_n - idle_pairs_n, impossible_n = plan->impossible_n + idle_pairs_n;
    if (red_interrupted())
        fprintf(out, "interrupted on %s after %zu of %zu checks", checks->id, checks->done_n,
                checks->checks_n);
    else if (red_verify_is_over(checks->verify))
        fprintf(out, "stopped on %s at the first %s", checks->id,
                checks->verify->options->first ? "wrong result" : "check that failed");
    else if (checks->verify->session->selection->all)
        fprintf(out, "covered on %s: %zu of %zu checks", checks->id, checks->ran_n, checks->checks_n);
    else
        fprintf(
            out,
            "covered on %s: %zu of %zu pairs of strategy x type x operation x group size x n x data, in %zu "
            "checks",
            checks->id, pairs_n, pairs_all_n, checks->ran_n);
    fprintf(out, ", %.0f s", spent_s);
    if (!red_verify_is_over(checks->verify) && red_estimate_is_far_off(spent_s, checks->expected_s))
        fprintf(out, " (about %.0f s were expected)", checks->expected_s);
    fputc('\n', out);
    if (!red_verify_is_over(checks->verify))
        print_unchecked(checks, pairs_n, pairs_all_n);
    if (impossible_n > 0 && !red_verify_is_over(checks->verify))
        fprintf(out, "  %zu pair%s not exist (for example NaNs among integers) and %s left out\n",
                impossible_n, impossible_n == 1 ? " does" : "s do", impossible_n == 1 ? "is" : "are");
    for (size_t i = 0; i < plan->refusals.reasons_n; i++)
        print_refusal(checks->id, &plan->refusals.reasons[i], out);
    bool runs[RED_CHOICE_MAX];
    for (size_t s = 0; s < checks->verify->session->strategies_n; s++)
        runs[s] = checks->verify->tallies[checks->d][s].planned_n > 0;
    red_special_unpromised_print(checks->verify->session, checks->d, runs, out);
    return status;
}

/* ---- the table and the last line ----------------------------------------------------------------------- */

/* Checks of a strategy on a device that were not reached, as the run ended before them: the column `pending`.
 */
static size_t pending_n_of(const struct red_tally *tally) {
    size_t n = tally->planned_n - (tally->idle_n < tally->planned_n ? tally->idle_n : tally->planned_n);
    for (int state = 0; state < RED_STATES_N; state++)
        n -= tally->happened[state] < n ? tally->happened[state] : n;
    return n;
}

/* Adds the row with the counts of the session's strategy s on its device d. */
static void add_tally_row(const struct red_verify *verify, size_t d, size_t s, struct red_table *table) {
    const struct red_session *session = verify->session;
    const struct red_tally *tally = &verify->tallies[d][s];
    const bool is_screen = verify->output->format == RED_FORMAT_TABLE;
    char lacking[64] = "";
    RED_PUT(table, red_client_info(session->devices[d])->id, session->strategies[s]->name);
    for (int state = RED_STATE_PASS; state <= RED_STATE_KNOWN_BUG; state++)
        red_table_put(table, "%zu",
                      tally->happened[state] + (state == RED_STATE_UNSUPPORTED ? tally->refused_n : 0));
    red_table_put(table, d < verify->announced_n ? "%zu" : "?" /* nobody has counted them */,
                  d < verify->announced_n ? pending_n_of(tally) : 0);
    if (tally->planned_n > 0)
        red_special_unpromised_format(session, d, session->strategies[s], lacking, sizeof lacking);
    red_table_put(table, "%s%s", is_screen && lacking[0] != '\0' ? "not checked: " : "", lacking);
    if (red_verify_hooks[session->selection->primitive].may_be_idle)
        red_table_put(table, "%zu", tally->idle_n);
}

/* Writes the counts per strategy and device, in the format and to the file of `output`. Errors:
 * RED_E_INPUT, RED_E_MEMORY. */
static enum red_status write_table(const struct red_verify *verify, struct red_error *error) {
    struct red_table *table = red_table_create("device|strategy|right>");
    enum red_status status = RED_OK;
    for (int state = RED_STATE_PASS + 1; state <= RED_STATE_KNOWN_BUG; state++)
        red_table_add_column(table, red_state_name((enum red_state)state), true, 0);
    red_table_add_columns(table, "pending>|not-promised!");
    if (red_verify_hooks[verify->session->selection->primitive].may_be_idle)
        red_table_add_columns(table, "nothing-to-launch>");
    for (size_t d = 0; d < verify->session->devices_n; d++)
        for (size_t s = 0; s < verify->session->strategies_n; s++)
            add_tally_row(verify, d, s, table);
    if (verify->output->format == RED_FORMAT_TABLE)
        red_table_print(table, verify->out); /* a file of --output holds the checks */
    else
        status = red_table_write(table, verify->output->format, verify->output->path, error);
    red_table_destroy(table);
    return status;
}

/* Checks that were not reached, of all devices that were: "N pending" in the last line. */
static size_t all_checks_pending_n(const struct red_verify *verify) {
    size_t n = 0;
    for (size_t d = 0; d < verify->announced_n; d++)
        for (size_t s = 0; s < verify->session->strategies_n; s++)
            n += pending_n_of(&verify->tallies[d][s]);
    return n;
}

/* Whether no check of any device is left: only then lines of --expect that hold in part are judged. */
static bool all_checks_ended(const struct red_verify *verify) {
    return verify->announced_n == verify->session->devices_n && all_checks_pending_n(verify) == 0;
}

/* Prints each line of the known-failures file (--expect) that no longer holds, since something that it lists
 * was right. RED_E_WRONG if there is one. What is wrong and not listed is counted elsewhere. */
static enum red_status print_broken_known_failures(const struct red_verify *verify, struct red_error *error) {
    size_t broken_n = red_known_failures_print_outdated(&verify->session->known_failures,
                                                        all_checks_ended(verify), verify->out);
    return broken_n == 0
               ? RED_OK
               : red_fail(error, RED_E_WRONG,
                          "%zu line%s of the register no longer hold%s: see 'unexpected pass' above",
                          broken_n, broken_n == 1 ? "" : "s", broken_n == 1 ? "s" : "");
}

/* "verify: 797 right, 0 wrong, 3 crashed on 1 device in 70 s" */
static void print_totals(const struct red_verify *verify) {
    fprintf(verify->out, "verify: %zu right, %zu wrong", verify->totals[RED_STATE_PASS],
            verify->totals[RED_STATE_WRONG]);
    for (int state = 0; state < RED_STATES_N; state++)
        if (state != RED_STATE_PASS && state != RED_STATE_WRONG && verify->totals[state] > 0)
            fprintf(verify->out, ", %zu %s", verify->totals[state], red_state_name((enum red_state)state));
    size_t left_n = all_checks_pending_n(verify);
    if (verify->idle_n > 0)
        fprintf(verify->out, ", %zu with nothing to launch", verify->idle_n);
    if (left_n > 0)
        fprintf(verify->out, ", %zu pending", left_n);
    fprintf(verify->out, " on %zu device%s in %.0f s\n", verify->announced_n,
            verify->announced_n == 1 ? "" : "s", red_clock_s() - verify->start_s);
}

/* Called last: prints "verify: ..."; its error is the message and the exit status of `verify`. */
enum red_status red_tally_print_and_find_status(const struct red_verify *verify, struct red_error *error) {
    print_totals(verify);
    enum red_status held = print_broken_known_failures(verify, error);
    const enum red_state state = red_state_deciding_exit(verify->totals);
    if (state != RED_STATE_PASS)
        return red_fail(error, red_state_status(state), "%zu check%s %s; the first: %.4000s",
                        verify->totals[state], verify->totals[state] == 1 ? "" : "s", red_state_name(state),
                        verify->first[state].text);
    if (verify->absent_n > 0)
        return red_fail(error, RED_E_WRONG, "%.500s", verify->absent.text);
    if (held != RED_OK)
        return held;
    if (verify->unchecked_n > 0 && verify->options->unchecked == NULL)
        return red_fail(error, RED_E_UNDECIDED, "%s", verify->unchecked.text);
    if (verify->totals[RED_STATE_PASS] + verify->totals[RED_STATE_KNOWN_BUG] == 0)
        return red_fail(error, RED_E_NO_DEVICE, "nothing could be checked%s%s; the reasons stand above",
                        verify->first[RED_STATE_UNSUPPORTED].text[0] ? ": " : "",
                        verify->first[RED_STATE_UNSUPPORTED].text);
    return RED_OK;
}

/* ---- the file of all that is not right ----------------------------------------------------------------- */

/* Fills in how the checks of each strategy ended on the session's device d. */
static void count_checks(struct red_verify *verify, size_t d) {
    const struct red_session *session = verify->session;
    for (size_t s = 0; s < session->strategies_n; s++) {
        const struct red_tally *tally = &verify->tallies[d][s];
        struct red_verify_strategy *strategy = &verify->file->devices[d].strategies[s];
        strategy->planned_n = tally->planned_n;
        for (int state = 0; state < RED_STATES_N; state++)
            strategy->counts[state] = tally->happened[state];
        strategy->counts[RED_STATE_UNSUPPORTED] += tally->refused_n;
        strategy->counts[RED_STATE_PENDING] += pending_n_of(tally);
        strategy->idle_n = tally->idle_n;
        strategy->stress_calls_n = tally->stress_calls_n;
        strategy->levels_n = tally->levels_n;
        strategy->levels_left_n = tally->levels_left_n;
        memcpy(strategy->unchecked, tally->unchecked, sizeof strategy->unchecked);
        if (tally->planned_n > 0)
            red_special_unpromised_format(session, d, session->strategies[s], strategy->not_promised,
                                          sizeof strategy->not_promised);
    }
    verify->file->result.run.devices[d].capabilities = red_client_capabilities(session->devices[d]);
}

/* ---- --export junit --------------------------------------------------------------------------------------
 * A test for each check that is not right, and one for all right ones of a strategy, operation and type:
 * viewers do not bear a test per check, of which there are thousands. */

/* A report in the making; the texts of its cells are owned. */
struct check_report {
    struct red_export_cell *cells;
    char **texts;
    size_t cells_n, texts_n;
    bool whole; /* there was memory for all */
};

/* Adds a cell, and takes over its name and its details. */
static void add_cell(struct check_report *report, struct red_export_cell cell, char *name, char *details) {
    report->texts[report->texts_n++] = name;
    report->texts[report->texts_n++] = details;
    report->whole = report->whole && name != NULL && details != NULL;
    cell.name = name;
    cell.details = details;
    cell.untimed = true;
    report->cells[report->cells_n++] = cell;
}

/* The text, which the caller frees; NULL without memory. */
__attribute__((format(printf, 1, 2))) static char *formatted(const char *format, ...) {
    char *text = NULL;
    va_list arguments;
    va_start(arguments, format);
    if (vasprintf(&text, format, arguments) < 0)
        text = NULL;
    va_end(arguments);
    return text;
}

/* Adds what of the session's strategy s is right on device d, what cannot run, and what was not reached. */
static void add_cells_of_strategy(const struct red_verify *verify, size_t d, size_t s,
                                  struct check_report *report) {
    const struct red_session *session = verify->session;
    const struct red_tally *tally = &verify->tallies[d][s];
    const struct red_verify_strategy *strategy = &verify->file->devices[d].strategies[s];
    const char *id = verify->file->result.run.devices[d].info.id;
    struct red_export_cell cell = {.device = id, .strategy = strategy->strategy->name, .op = "", .type = ""};
    struct red_at at = {.device = id, .strategy = strategy->strategy};
    char name[RED_AT_NAME_BYTES];
    for (size_t t = 0; t < session->types_n; t++) {
        for (size_t o = 0; o < session->ops_n; o++) {
            const unsigned right_n =
                tally->right_n[session->types[t] - red_dtypes][session->ops[o] - red_ops];
            cell.state = RED_STATE_PASS;
            if (right_n == 0)
                continue;
            at.op = session->ops[o];
            at.dtype = session->types[t];
            red_at_name(&at, RED_AT(DEVICE) | RED_AT(STRATEGY) | RED_AT(OP) | RED_AT(TYPE), name,
                        sizeof name);
            add_cell(report, cell, formatted("%s/right", name), formatted("%u checks are right", right_n));
        }
    }
    red_at_name(&at, RED_AT(DEVICE) | RED_AT(STRATEGY), name, sizeof name);
    for (size_t i = 0; i < json_array_size(strategy->unsupported_because); i++) {
        cell.state = RED_STATE_UNSUPPORTED;
        cell.reason = json_string_value(json_array_get(strategy->unsupported_because, i));
        add_cell(report, cell, formatted("%s/unsupported/%zu", name, i + 1), strdup(""));
    }
    cell.state = RED_STATE_PENDING;
    cell.reason = "the run ended before all checks were reached";
    if (strategy->counts[RED_STATE_PENDING] > 0)
        add_cell(report, cell, formatted("%s/pending", name),
                 formatted("%" PRIu64 " checks were not reached", strategy->counts[RED_STATE_PENDING]));
}

/* Adds a check of device d that is not right. Its name holds what it was, and nothing that differs from run
 * to run. */
static void add_cell_of_check(const struct red_verify *verify, size_t d, const struct red_verify_check *check,
                              struct check_report *report) {
    const struct red_device_info *info = &verify->file->result.run.devices[d].info;
    const struct red_evidence *evidence = &check->evidence;
    const struct red_at at = red_verify_check_at(check);
    const struct red_export_cell cell = {.device = info->id,
                                         .strategy = at.strategy->name,
                                         .op = at.op->name,
                                         .type = at.dtype->name,
                                         .n = at.n,
                                         .state = check->state,
                                         .reason = check->reason};
    char name[RED_AT_NAME_BYTES], prefixes[32] = "", range[2 * RED_ANSWER_BYTES + 32] = "";
    red_at_name(&at, RED_AT_ALL, name, sizeof name);
    if (check->prefixes_n > 1)
        snprintf(prefixes, sizeof prefixes, "/prefixes:%u", check->prefixes_n);
    if (check->stress_s > 0)
        snprintf(prefixes, sizeof prefixes, "/stress");
    if (evidence->low[0] != '\0')
        snprintf(range, sizeof range, "right from %s to %s\n", evidence->low, evidence->high);
    add_cell(report, cell, formatted("%s%s", name, prefixes),
             formatted("%s\n%s%s, driver %s; data '%s' of seed %" PRIu64 ", %" PRIu64 " x %" PRIu64
                       " elements, %" PRIu64 " groups of %zu\nagain: %s",
                       check->reason ? check->reason : "", range, info->platform, info->driver, at.data,
                       check->data_seed, check->segments_n, at.n, check->geometry.groups_n,
                       check->geometry.group_size, check->again ? check->again : ""));
}

/* Writes the files of --export. */
static enum red_status write_exports(const struct red_verify *verify, struct red_error *error) {
    const struct red_session *session = verify->session;
    const struct red_run *run = &verify->file->result.run;
    struct check_report report = {.whole = true};
    char machine[160];
    size_t room = 0;
    for (size_t d = 0; d < session->devices_n; d++) {
        room += verify->file->devices[d].checks_n;
        for (size_t s = 0; s < session->strategies_n; s++)
            room += session->types_n * session->ops_n + 1 +
                    json_array_size(verify->file->devices[d].strategies[s].unsupported_because);
    }
    report.cells = calloc(room + 1, sizeof *report.cells);
    report.texts = calloc(2 * room + 1, sizeof *report.texts);
    const bool has_room = report.cells != NULL && report.texts != NULL;
    for (size_t d = 0; d < session->devices_n && has_room; d++) {
        for (size_t s = 0; s < session->strategies_n; s++)
            add_cells_of_strategy(verify, d, s, &report);
        for (size_t i = 0; i < verify->file->devices[d].checks_n; i++)
            add_cell_of_check(verify, d, &verify->file->devices[d].checks[i], &report);
    }
    red_host_processor_format(&run->host, machine, sizeof machine);
    struct red_export_device devices[RED_DEVICES_MAX];
    for (size_t d = 0; d < session->devices_n; d++)
        devices[d] = (struct red_export_device){run->devices[d].info.id, verify->file->devices[d].took_s};
    const struct red_export export = {.title = "clreduce verify",
                                      .command = run->command,
                                      .started = run->started,
                                      .machine = machine,
                                      .version = run->version,
                                      .cells = report.cells,
                                      .cells_n = report.cells_n,
                                      .devices = devices,
                                      .devices_n = session->devices_n};
    enum red_status status =
        has_room && report.whole
            ? red_exports_write(&export, verify->output->exports, verify->output->exports_n, error)
            : red_fail(error, RED_E_MEMORY, "no memory to export %zu checks", room);
    for (size_t i = 0; i < report.texts_n; i++)
        free(report.texts[i]);
    free(report.texts);
    free(report.cells);
    return status;
}

/* ---- writing all of it --------------------------------------------------------------------------------- */

enum red_status red_evidence_write(struct red_verify *verify, struct red_error *error) {
    const struct red_output *output = verify->output;
    enum red_status status = RED_OK;
    if (verify->file == NULL)
        return write_table(verify, error);
    for (size_t d = 0; d < verify->session->devices_n; d++)
        count_checks(verify, d);
    verify->file->result.run.wall_s = red_clock_s() - verify->start_s;
    if (verify->lost_checks)
        status = red_fail(error, RED_E_MEMORY, "no memory for all checks that are not right");
    else if (json_path(output) != NULL)
        status = red_file_write(json_path(output), red_verify_file_print, verify->file, error);
    if (status == RED_OK && output->format != RED_FORMAT_JSON)
        status = write_table(verify, error);
    struct red_error unwritten = {.text = ""};
    enum red_status exported = verify->lost_checks ? RED_OK : write_exports(verify, &unwritten);
    if (exported != RED_OK && status != RED_OK)
        fprintf(stderr, "%s\n", unwritten.text);
    return status != RED_OK || exported == RED_OK ? status : red_fail(error, exported, "%s", unwritten.text);
}
