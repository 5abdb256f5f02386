#define _POSIX_C_SOURCE 200809L /* strdup */
/* Counts how the checks of `verify` ended, and keeps them for --resume. The user sees evidence as it is
 * found, what was covered, the table of counts, the closing line and the exit status. verify/verify.c calls
 * all public functions here, with its state of the run (`verify`) or of one device (`checks`). */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "console/table.h"
#include "core/clock.h"
#include "core/file.h"
#include "core/interrupt.h"
#include "core/memory.h"
#include "core/random.h"
#include "core/text.h"
#include "model/geometry.h"
#include "oracle/change.h"
#include "run/checkpoint.h"
#include "verify/private.h"
#include "worker/protocol.h"

/* ---- outcomes --------------------------------------------------------------------------------------------
 * What `verify` has found so far is kept in its checkpoint, beside the file of --output, so that --resume
 * does not ask again. The user sees of it what --resume has found, or why it cannot be taken. */

/* What became of one check. With --all there are millions, so this is as small as possible. */
struct stored_outcome {
    uint64_t digest; /* of the check */
    uint32_t device, chapter, row, state;
    float call_s, check_s;
    char *text;                    /* owned; NULL: empty */
    struct red_evidence *evidence; /* owned; NULL: no wrong answer came */
};

struct red_outcomes {
    struct red_journal *journal;
    struct stored_outcome *found; /* owned; sorted once all are there */
    size_t found_n;
};

/* ---- which run it is ----------------------------------------------------------------------------------- */

/* The checks follow from what was chosen, the seed and the device. A checkpoint with another fingerprint is
 * refused: "... is of another run". */
static struct red_fingerprint verify_fingerprint(const struct red_session *session) {
    const struct red_selection *options = session->selection;
    struct red_fingerprint fingerprint = {.verb = "verify"};
    snprintf(fingerprint.work, sizeof fingerprint.work, "%s checks%s of %zu strategies, digest %016" PRIx64,
             options->all ? "all" : "covering", options->despite_probes ? ", despite probes," : "",
             session->strategies_n, red_digest_session(RED_HASH, session));
    snprintf(fingerprint.settings, sizeof fingerprint.settings, "seed %" PRIu64 ", %g s per check",
             options->seed, options->time_per_cell_s);
    return fingerprint;
}

/* ---- reading ------------------------------------------------------------------------------------------- */

/* The i-th number of a JSON array, `check` of a line; UINT32_MAX if it is none. */
static uint32_t number_at(const json_t *array, size_t i) {
    json_int_t value = json_integer_value(json_array_get(array, i));
    return value >= 0 && value < UINT32_MAX ? (uint32_t)value : UINT32_MAX;
}

/* Identifies a check by what it does: `digest` of its line. Its row may be another in a later run, since the
 * plan depends on the device. */
static uint64_t digest_of_check(const struct red_check *check) {
    char text[256];
    snprintf(text, sizeof text, "%s %s %s %" PRIu64 " %" PRIu64 " %zu %" PRIu64 " %ux%u %d %u %u %u",
             check->strategy->name, check->op->name, check->dtype->name, check->n, check->segments_n,
             check->tuning.group_size, check->tuning.groups_n, check->tuning.width, check->tuning.loads,
             (int)check->data_kind.pattern, (unsigned)check->data_kind.part, check->prefixes_n,
             check->bins_n);
    return red_digest_text(RED_HASH, text);
}

/* The evidence of a line; NULL where it has none. */
static struct red_evidence *restore_evidence(const json_t *from) {
    struct red_evidence *evidence = from != NULL ? calloc(1, sizeof *evidence) : NULL;
    if (evidence != NULL && !red_protocol_read(from, red_evidence_fields, evidence))
        *evidence = (struct red_evidence){.fault = RED_FAULT_NONE};
    return evidence;
}

/* Restores the outcome that a line of the journal has, for red_checkpoint_open. A line that makes no sense is
 * as if it were not there: that check is made again. */
static void restore_outcome(void *context, const json_t *line) {
    struct red_outcomes *outcomes = context;
    const json_t *at = json_object_get(line, "check");
    const char *text = json_string_value(json_object_get(line, "text"));
    const char *digest = json_string_value(json_object_get(line, "digest"));
    enum red_state state = red_state_find(json_string_value(json_object_get(line, "state")));
    double call_s, check_s;
    if (json_array_size(at) != 3 || digest == NULL || state == RED_STATE_PENDING ||
        !red_json_read_any_real(json_object_get(line, "call_s"), &call_s) ||
        !red_json_read_any_real(json_object_get(line, "check_s"), &check_s) ||
        !RED_GROW(outcomes->found, outcomes->found_n, 1))
        return;
    outcomes->found[outcomes->found_n++] =
        (struct stored_outcome){.evidence = restore_evidence(json_object_get(line, "evidence")),
                                .digest = strtoull(digest, NULL, 16),
                                .device = number_at(at, 0),
                                .chapter = number_at(at, 1),
                                .row = number_at(at, 2),
                                .state = state,
                                .call_s = (float)call_s,
                                .check_s = (float)check_s,
                                .text = text && text[0] ? strdup(text) : NULL};
}

/* For qsort and bsearch: by device, chapter and row. */
static int compare_places(const void *left, const void *right) {
    const struct stored_outcome *a = left, *b = right;
    int order = (a->device > b->device) - (a->device < b->device);
    order = order ? order : (a->chapter > b->chapter) - (a->chapter < b->chapter);
    return order ? order : (a->row > b->row) - (a->row < b->row);
}

/* What an earlier run has found of the check; NULL: nothing. */
static const struct stored_outcome *stored_at(const struct red_outcomes *outcomes,
                                              const struct red_check_place *place) {
    if (outcomes == NULL || outcomes->found_n == 0)
        return NULL;
    const struct stored_outcome key = {
        .device = (uint32_t)place->device, .chapter = (uint32_t)place->chapter, .row = (uint32_t)place->row};
    const struct stored_outcome *found =
        bsearch(&key, outcomes->found, outcomes->found_n, sizeof key, compare_places);
    return found != NULL && found->digest == digest_of_check(place->check) ? found : NULL;
}

/* Shortens the time that "verifying on ..." tells. */
bool red_outcomes_has(const struct red_outcomes *outcomes, const struct red_check_place *place) {
    return stored_at(outcomes, place) != NULL;
}

/* Called before each check is made; what is found is counted and printed as if it had been. */
bool red_outcomes_find(const struct red_outcomes *outcomes, const struct red_check_place *place,
                       struct red_check_outcome *outcome) {
    const struct stored_outcome *found = stored_at(outcomes, place);
    if (found == NULL)
        return false;
    outcome->state = (enum red_state)found->state;
    outcome->call_s = found->call_s;
    outcome->check_s = found->check_s;
    snprintf(outcome->text, sizeof outcome->text, "%s", found->text ? found->text : "");
    outcome->evidence =
        found->evidence != NULL ? *found->evidence : (struct red_evidence){.fault = RED_FAULT_NONE};
    return true;
}

/* ---- opening and writing ------------------------------------------------------------------------------- */

/* Called first by red_verify_session, with the session and the --output of `verify`; `bench` has none. */
enum red_status red_outcomes_open(const struct red_session *session, const struct red_output *output,
                                  struct red_outcomes **outcomes, struct red_error *error) {
    *outcomes = NULL;
    if (output == NULL || output->path == NULL)
        return RED_OK;
    struct red_outcomes *made = calloc(1, sizeof *made);
    if (made == NULL)
        return red_fail(error, RED_E_MEMORY, "no memory for a journal");
    const struct red_fingerprint fingerprint = verify_fingerprint(session);
    enum red_status status =
        red_checkpoint_open(session, &fingerprint, output->path, output->resume ? restore_outcome : NULL,
                            made, &made->journal, error);
    if (made->found_n > 0)
        qsort(made->found, made->found_n, sizeof *made->found, compare_places);
    char found[32];
    snprintf(found, sizeof found, "%zu checks", made->found_n);
    if (status == RED_OK && output->resume && made->journal != NULL)
        red_checkpoint_print_found(made->found_n > 0 ? found : NULL, output->path);
    if (status == RED_OK && made->journal != NULL)
        *outcomes = made;
    else
        (void)red_outcomes_close(made, true);
    return status;
}

/* Called last by red_verify_session, which tells of --resume where the file is kept. */
bool red_outcomes_close(struct red_outcomes *outcomes, bool keep) {
    if (outcomes == NULL)
        return false;
    bool kept = red_journal_close(outcomes->journal, keep);
    for (size_t i = 0; i < outcomes->found_n; i++) {
        free(outcomes->found[i].text);
        free(outcomes->found[i].evidence);
    }
    free(outcomes->found);
    free(outcomes);
    return kept;
}

/* Called after each check that was made: a line of the journal. */
void red_outcomes_add(struct red_outcomes *outcomes, const struct red_check_place *place,
                      const struct red_check_outcome *outcome) {
    char digest[24];
    if (outcomes == NULL)
        return;
    snprintf(digest, sizeof digest, "%016" PRIx64, digest_of_check(place->check));
    json_t *line =
        json_pack("{s:[I, I, I], s:s, s:s, s:o, s:o, s:o}", "check", (json_int_t)place->device,
                  (json_int_t)place->chapter, (json_int_t)place->row, "digest", digest, "state",
                  red_state_name(outcome->state), "call_s", red_json_any_real(outcome->call_s), "check_s",
                  red_json_any_real(outcome->check_s), "text", red_json_any_text(outcome->text));
    if (outcome->evidence.fault != RED_FAULT_NONE)
        json_object_set_new(line, "evidence", red_fields_json(red_evidence_fields, &outcome->evidence));
    red_checkpoint_add(outcomes->journal, line);
}

/* ---- evidence ------------------------------------------------------------------------------------------ */

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

/* The counts of a strategy: a row of the table that red_tally_write_table writes. */
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
        red_evidence_add(checks, check, state, text, evidence);
    if (state == RED_STATE_PASS || before_n >= evidence_lines_max(state))
        return;
    red_progress_end();
    fprintf(verify->out, "%s\n", line);
    if (before_n == 0 && red_state_status(state) != RED_OK &&
        !red_client_is_lost(verify->session->devices[checks->d])) {
        char *again = red_evidence_command(checks, check);
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

/* As the run ended before them: the column `pending`. */
size_t red_tally_pending_n(const struct red_tally *tally) {
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
                  d < verify->announced_n ? red_tally_pending_n(tally) : 0);
    if (tally->planned_n > 0)
        red_special_unpromised_format(session, d, session->strategies[s], lacking, sizeof lacking);
    red_table_put(table, "%s%s", is_screen && lacking[0] != '\0' ? "not checked: " : "", lacking);
    if (red_verify_hooks[session->selection->primitive].may_be_idle)
        red_table_put(table, "%zu", tally->idle_n);
}

enum red_status red_tally_write_table(const struct red_verify *verify, struct red_error *error) {
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
            n += red_tally_pending_n(&verify->tallies[d][s]);
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
