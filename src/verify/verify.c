#define _POSIX_C_SOURCE 200809L /* strdup */
/* The verb `verify`: checks one device after the other (verify_device), then prints its last line. The
 * session is what the user chose: of cli/cmd_verify.c, of a round of --soak, or of `bench --kernel`, which
 * checks kernels so before it measures them. What a check finds is kept for --resume, and goes to
 * verify/tally.c, which prints it. */
#include "verify/verify.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/clock.h"
#include "core/interrupt.h"
#include "core/memory.h"
#include "core/random.h"
#include "core/text.h"
#include "model/case.h"
#include "oracle/change.h"
#include "run/checkpoint.h"
#include "run/estimate.h"
#include "run/session.h"
#include "verify/verify_private.h"
#include "worker/protocol.h"

/* ---- outcomes --------------------------------------------------------------------------------------------
 * What `verify` has found so far is kept in its checkpoint, beside the file of --output, so that --resume
 * does not ask again. The user sees of it what --resume has found, or why it cannot be taken. */

/* Which check: a row of a chapter of the session's device. */
struct check_place {
    size_t device, chapter, row;
    const struct red_check *check; /* what stands there: another one's outcome is not taken for its own */
};

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
                                              const struct check_place *place) {
    if (outcomes == NULL || outcomes->found_n == 0)
        return NULL;
    const struct stored_outcome key = {
        .device = (uint32_t)place->device, .chapter = (uint32_t)place->chapter, .row = (uint32_t)place->row};
    const struct stored_outcome *found =
        bsearch(&key, outcomes->found, outcomes->found_n, sizeof key, compare_places);
    return found != NULL && found->digest == digest_of_check(place->check) ? found : NULL;
}

/* Whether an earlier run has made the check, which shortens the time that "verifying on ..." tells; false
 * without a journal (NULL). */
static bool outcomes_has(const struct red_outcomes *outcomes, const struct check_place *place) {
    return stored_at(outcomes, place) != NULL;
}

/* Gives what an earlier run has found, never this one; false if it has not come so far, or there is no
 * journal (NULL). What is found is counted and printed as if the check had been made. */
static bool outcomes_find(const struct red_outcomes *outcomes, const struct check_place *place,
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

/* Closes the journal, deletes its file unless `keep`, and frees `outcomes`. Whether there is a file that
 * --resume can go on with. */
static bool outcomes_close(struct red_outcomes *outcomes, bool keep) {
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

/* Opens the journal of the output (NULL: none), with --resume one that is there. NULL in *outcomes, and no
 * error, without --output, which `bench` lacks, or where that is no file, so that there is none. Release with
 * outcomes_close. Errors: those of red_journal_open. */
static enum red_status outcomes_open(const struct red_session *session, const struct red_output *output,
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
        (void)outcomes_close(made, true);
    return status;
}

/* Writes down what was found, a line of the journal. Does nothing without a journal (NULL). */
static void outcomes_add(struct red_outcomes *outcomes, const struct check_place *place,
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

/* ---- one check ----------------------------------------------------------------------------------------- */

/* For run_and_count_check and the early checks. */
struct red_known_failure *red_check_known_failure(const struct red_device_checks *checks,
                                                  const struct red_check *check) {
    return red_session_known_failure(checks->verify->session, checks->d, check->strategy, check->op,
                                     check->dtype, check->n, check->tuning.group_size);
}

/* What is known of the check's program in this chapter: whether it builds, and what its calls take. Each
 * worker has programs of its own strategies; the early checks ask what was timed. */
static struct red_program_state *program_of_check(const struct red_device_checks *checks,
                                                  const struct red_check *check) {
    return &checks->programs[red_check_program_number(&checks->plan, check)];
}

/* The one that has its strategy; the session's own where none has it yet. */
struct red_client *red_client_of_check(const struct red_device_checks *checks,
                                       const struct red_check *check) {
    const size_t owner = red_tally_of(checks, check)->worker;
    return checks->workers[owner > 0 ? owner - 1 : 0];
}

struct red_case red_case_of_check(const struct red_check *check, uint64_t seed) {
    struct red_data_spec data = red_data_spec_make(check->op, check->dtype, check->data_kind, check->n, seed);
    data.segments_n = check->segments_n;
    data.bins_n = check->bins_n;
    struct red_case spec = red_case_make(&data, check->strategy, &check->tuning);
    spec.prefixes_n = check->prefixes_n;
    return spec;
}

/* Whether the check is also made by a program that poisons local memory, which is one more to compile.
 * Reading local memory too early shows with any type and operation, so of many strategies each is
 * checked in one of PROGRAMS_EACH programs. */
static bool is_checked_with_local_poison_too(const struct red_device_checks *checks,
                                             const struct red_check *check) {
    enum { PROGRAMS_EACH = 6 };
    const struct red_selection *options = checks->verify->session->selection;
    size_t at = program_of_check(checks, check)->at;
    return checks->verify->session->strategies_n <= RED_STRATEGIES_FEW || options->all ||
           (check->n <= RED_VERIFY_LONG_N && (at + options->seed) % PROGRAMS_EACH == 0);
}

/* Has row i of the plan verified, unless --resume has found its outcome. `expected_s` is 0 where nothing is
 * known. The outcome stays pending when the user interrupts. */
static void verify_row_unless_restored(struct red_device_checks *checks, size_t i, double expected_s,
                                       struct red_check_outcome *outcome) {
    const struct red_check *check = &checks->plan.rows[i];
    const struct check_place place = {checks->d, checks->chapter, i, check};
    struct red_client *client = red_client_of_check(checks, check);
    const struct red_case spec = red_case_of_check(check, checks->verify->session->selection->seed);
    struct red_error error = {.text = ""};
    struct red_verification verification = {.right = false};
    if (outcomes_find(checks->verify->outcomes, &place, outcome)) {
        red_client_record_failure(client, check->strategy, outcome->state);
        return;
    }
    const bool timed_only = !is_checked_with_local_poison_too(checks, check);
    const double start_s = red_clock_s();
    pthread_mutex_unlock(&checks->lock);
    enum red_status status =
        red_case_require_right(client, &spec, timed_only, expected_s, &verification, &error);
    pthread_mutex_lock(&checks->lock);
    *outcome = (struct red_check_outcome){
        .state = red_state_of(status), .call_s = verification.call_s, .check_s = red_clock_s() - start_s};
    memcpy(outcome->text, error.text, sizeof outcome->text);
    outcome->evidence = verification.evidence;
    if (client != checks->workers[0])
        red_client_record_failure(checks->workers[0], check->strategy, outcome->state);
    /* What was not even tried, for what others did, is tried when the run is resumed. */
    if (status != RED_E_INTERRUPTED && status != RED_E_UNTRIED && !red_client_is_lost(client))
        outcomes_add(checks->verify->outcomes, &place, outcome);
}

/* ---- how long checks will take ------------------------------------------------------------------------- */

/* Whether --resume has found the outcome of row i. */
static bool row_is_restored(const struct red_device_checks *checks, size_t i) {
    return outcomes_has(checks->verify->outcomes,
                        &(const struct check_place){checks->d, checks->chapter, i, &checks->plan.rows[i]});
}

/* What row i adds to the workload of a device, and to how much of it is done: nothing of one that repeats
 * another, or that --resume has found. */
static struct red_workload workload_of_row(const struct red_device_checks *checks, size_t i) {
    const struct red_check *check = &checks->plan.rows[i];
    const double elements = (double)(check->n * check->segments_n);
    const bool is_new_data =
        i == 0 || !red_checks_have_same_data(check, check - 1) || row_is_restored(checks, i - 1);
    if (row_is_restored(checks, i))
        return (struct red_workload){.checks_n = 0};
    return (struct red_workload){.checks_n = !check->repeats,
                                 .programs_n = program_of_check(checks, check)->first_row == i,
                                 .elements = check->repeats ? 0 : elements,
                                 .made = is_new_data ? elements : 0};
}

/* Prints how much is left once it differs from what was told by more than twice; called after each check. The
 * caller has the lock. */
static void correct_announced_and_print(struct red_device_checks *checks) {
    const double spent_s = red_clock_s() - checks->announced_s, before_s = checks->told_s,
                 share = red_workload_s(&checks->done, &checks->rates) /
                         red_workload_s(&checks->left, &checks->rates);
    double left_s;
    if (!red_estimate_correct(&checks->told_s, spent_s, share, &left_s))
        return;
    red_progress_end();
    fprintf(checks->verify->out, "takes %s than announced: %s so far, about %s left\n",
            checks->told_s > before_s ? "longer" : "less time", red_duration_text(spent_s).text,
            red_duration_text(left_s).text);
    fflush(checks->verify->out);
}

/* The early check of row i; NULL where none was made. At the row's turn its outcome is taken, and its work
 * counted no second time. */
static struct red_early_check *early_check_of_row(struct red_device_checks *checks, size_t i) {
    for (size_t e = 0; e < checks->early_n && checks->chapter == 0; e++)
        if (checks->early[e].row == i)
            return &checks->early[e];
    return NULL;
}

/* What a check costs by itself, before its turn: its data are new. */
static struct red_workload workload_alone(const struct red_check *check, bool is_new_program) {
    const double elements = (double)(check->n * check->segments_n);
    return (struct red_workload){1, is_new_program, elements, elements};
}

/* Makes row i before its turn, unless end_s is past, and keeps its outcome; where it counts, adds its time to
 * the rates: "about ...". Gives the time; 0 where the row was not made or is not right. */
static double make_early_check(struct red_device_checks *checks, size_t i, double end_s, bool counts) {
    const struct red_check *check = &checks->plan.rows[i];
    const struct red_known_failure *known = red_check_known_failure(checks, check);
    struct red_program_state *program = program_of_check(checks, check);
    struct red_early_check *early = &checks->early[checks->early_n];
    if (early_check_of_row(checks, i) != NULL || checks->early_n == RED_EARLY_N || red_clock_s() > end_s ||
        (known != NULL && known->skip))
        return 0;
    const struct red_workload of_row = workload_of_row(checks, i),
                              work = workload_alone(check, !program->timed);
    verify_row_unless_restored(checks, i, 0, &early->outcome);
    early->row = i;
    checks->early_n++;
    program->timed = true;
    red_workload_add(&checks->early_work, &of_row);
    if (early->outcome.state != RED_STATE_PASS)
        return 0;
    if (counts)
        red_check_rates_add(&checks->rates, &work, early->outcome.check_s);
    return early->outcome.check_s;
}

/* Whether row i is a check that is left to be made. */
static bool is_to_be_made(const struct red_device_checks *checks, size_t i) {
    return !checks->plan.rows[i].repeats && !row_is_restored(checks, i);
}

/* For the estimate: whether n is large enough to show what elements cost, and so small that a contended
 * accumulator takes no minutes. */
static bool shows_element_cost(const struct red_device_checks *checks, size_t i) {
    enum { ELEMENTS_MAX = 1 << 18 };
    const struct red_check *check = &checks->plan.rows[i];
    return is_to_be_made(checks, i) && check->n >= RED_LARGE_CHECK_N && check->n <= ELEMENTS_MAX;
}

/* Makes an early check of the most elements that a program has, if it will take a second at most by what one
 * of fewer has taken: of fewer the launch and noise may hide what elements cost. */
static void make_early_largest_check(struct red_device_checks *checks, size_t fewer, double fewer_s,
                                     double end_s) {
    const struct red_test_plan *plan = &checks->plan;
    const double most = 1.0 / fewer_s * (double)plan->rows[fewer].n;
    size_t largest = fewer;
    for (size_t i = 0; i < plan->n; i++)
        if (plan->rows[i].n > plan->rows[largest].n && (double)plan->rows[i].n <= most &&
            red_check_program_number(plan, &plan->rows[i]) ==
                red_check_program_number(plan, &plan->rows[fewer]) &&
            is_to_be_made(checks, i))
            largest = i;
    (void)make_early_check(checks, largest, end_s, true);
}

/* For the estimate, makes two early checks of many elements of one program: row `at` and another. The first
 * may take longer for the large grid, which is a cost of the program and none of elements; so unless it was
 * very slow the other is made even where the time for early checks is over. */
static void make_early_large_checks(struct red_device_checks *checks, size_t at, double end_s) {
    const double very_slow_s = 10;
    const struct red_test_plan *plan = &checks->plan;
    const size_t program = red_check_program_number(plan, &plan->rows[at]);
    size_t other = 0;
    while (other < plan->n && (other == at || !shows_element_cost(checks, other) ||
                               red_check_program_number(plan, &plan->rows[other]) != program))
        other++;
    const double first_s = make_early_check(checks, at, end_s, other == plan->n);
    if (other == plan->n)
        return;
    const double next_s = make_early_check(checks, other, first_s < very_slow_s ? INFINITY : end_s, true);
    const struct red_workload first = workload_alone(&plan->rows[at], false),
                              next = workload_alone(&plan->rows[other], false);
    if (first_s > 0 && next_s > 0)
        red_check_rates_add_large_grid(&checks->rates, first_s - next_s * first.elements / next.elements);
    else if (first_s > 0) /* checks are so slow that there was no time for the next */
        red_check_rates_add(&checks->rates, &first, first_s);
    if (next_s > 0)
        make_early_largest_check(checks, other, next_s, end_s);
}

/* For the estimate, makes early checks of three programs, spread over the plan: what a check takes whose
 * program is new, what another one takes, and some of many elements where there are such. Where each check is
 * slow, one tells enough. */
static void make_early_checks(struct red_device_checks *checks) {
    const struct red_test_plan *plan = &checks->plan;
    enum { PROGRAMS = 3, SMALL = 2, EARLY_S = 5 };
    size_t large_n = 0, left_n = 0;
    for (size_t i = 0; i < plan->n; i++) {
        if (left_n == 0 && is_to_be_made(checks, i))
            make_early_check(checks, i, INFINITY, true);
        left_n += is_to_be_made(checks, i);
        large_n += shows_element_cost(checks, i);
    }
    const double end_s = red_clock_s() + EARLY_S; /* from when the driver is awake */
    for (size_t p = 0; p < PROGRAMS && left_n > 0 && !red_verify_is_over(checks->verify); p++) {
        const size_t wanted = (2 * p + 1) * (large_n > 0 ? large_n : left_n) / (2 * PROGRAMS);
        size_t at = 0, passed_n = 0, small_n = 0;
        for (; at + 1 < plan->n; at++) {
            const bool counts = large_n > 0 ? shows_element_cost(checks, at) : is_to_be_made(checks, at);
            if (counts && passed_n++ == wanted)
                break;
        }
        const size_t program = red_check_program_number(plan, &plan->rows[at]);
        for (size_t i = 0; i < plan->n && small_n < SMALL; i++) {
            const struct red_check *check = &plan->rows[i];
            if (check->n > plan->rows[at].n || red_check_program_number(plan, check) != program ||
                !is_to_be_made(checks, i))
                continue;
            make_early_check(checks, i, end_s, true);
            small_n++;
        }
        if (large_n > 0)
            make_early_large_checks(checks, at, end_s);
    }
}

/* ---- the checks of a device ------------------------------------------------------------------------------
 * Makes the checks of the plan, by several workers at a time on a CPU; leaves out what takes too long. */

/* After so many new programs a worker that holds more than HELD_MAX of free memory releases them all. */
enum { PROGRAMS_N = 64 };
static const double HELD_MAX = 0.25;

/* Seconds that each further check of a strategy may take once its calls have had their share of the plan (one
 * contended accumulator can take seconds per call on a GPU); half as much per quarter of a share more. Checks
 * of its levels, without which nobody knows whether it is right, have two shares, and may take three times as
 * long as others. */
enum { LIMIT_BEYOND_SHARE_S = 1, SHARES_OF_LEVELS = 2, LIMITS_OF_LEVELS = 3 };

/* What the calls of a check will take together, from those that were made. Above calls_limit_s the check is
 * left out, as `over-budget`. */
static double expected_calls_s(const struct red_tally *tally, const struct red_program_state *program,
                               const struct red_check *check) {
    const size_t type = (size_t)(check->dtype - red_dtypes);
    double call_s = red_call_cost_s(&program->cost, &tally->costs, type, check->op->does, check->n);
    /* Where a kernel takes as long for each n, 2^18 elements would say that the largest n takes 65 times as
     * long: a check without which nobody knows is not left out for that. */
    const double of_most_s = red_call_cost_of_most_s(&tally->costs.all, check->n);
    if (check->is_of_levels && of_most_s > 0)
        call_s = fmin(call_s, of_most_s);
    return red_check_calls_n(check) * fmax(call_s, red_call_cost_least_s(&tally->costs.type[type], check->n));
}

/* After so many seconds of its strategy's calls the check may take a second only. */
static double share_of_check_s(const struct red_verify *verify, const struct red_check *check) {
    return verify->share_s * (check->is_of_levels ? SHARES_OF_LEVELS : 1);
}

/* What the calls of one check may take together: "the budget is ... s". A limit that the user has set holds
 * for all. */
static double calls_limit_s(const struct red_verify *verify, const struct red_tally *tally,
                            const struct red_check *check) {
    const double shares = tally->spent_s / share_of_check_s(verify, check);
    if (shares > 1)
        return LIMIT_BEYOND_SHARE_S * exp2(-4 * (shares - 1));
    return check->is_of_levels && isfinite(verify->share_s)
               ? fmin(LIMITS_OF_LEVELS * verify->limit_s, verify->share_s)
               : verify->limit_s;
}

/* The levels of the check are checked, or are what the register expects; or the device or the strategy does
 * not have one of them, whose reason was told. */
static void settle_levels(struct red_device_checks *checks, const struct red_check *check, bool is_known) {
    struct red_levels *levels =
        &checks->levels[red_tally_of(checks, check) - checks->verify->tallies[checks->d]];
    if (is_known || check->reached)
        red_levels_settle(levels, check);
    else if (check->refused)
        red_levels_refuse(levels, check);
}

/* Makes row i of the plan, if it may run and not too long, and counts it in the tally. False if it was
 * interrupted. */
static bool run_and_count_check(struct red_device_checks *checks, size_t i) {
    struct red_verify *verify = checks->verify;
    const struct red_check *check = &checks->plan.rows[i];
    struct red_tally *tally = red_tally_of(checks, check);
    struct red_program_state *program = program_of_check(checks, check);
    struct red_check_outcome outcome;
    struct red_known_failure *known = red_check_known_failure(checks, check);
    if (known != NULL && known->skip) {
        settle_levels(checks, check, true);
        red_tally_add_and_print(checks, check, RED_STATE_KNOWN_BUG, known->reason, NULL);
        return true;
    }
    const double expected_s = expected_calls_s(tally, program, check),
                 limit_s = calls_limit_s(verify, tally, check);
    const struct red_early_check *early = early_check_of_row(checks, i);
    const bool is_made = early != NULL && early->outcome.state != RED_STATE_PENDING;
    if (!is_made && expected_s > limit_s) {
        snprintf(outcome.text, sizeof outcome.text, "would take about %.3g s; the budget is %.3g s",
                 expected_s, limit_s);
        if (limit_s < verify->limit_s)
            red_text_add(outcome.text, sizeof outcome.text,
                         ", since the strategy's calls have had their %.3g s",
                         share_of_check_s(verify, check));
        if (known != NULL)
            (void)red_known_failure_count(known, RED_STATE_OVER_BUDGET);
        red_tally_add_and_print(checks, check, RED_STATE_OVER_BUDGET, outcome.text, NULL);
        return true;
    }
    if (is_made)
        outcome = early->outcome;
    else
        verify_row_unless_restored(checks, i, expected_s, &outcome);
    if (outcome.state == RED_STATE_PENDING)
        return false;
    tally->spent_s += outcome.call_s > 0 ? fmin(outcome.check_s, outcome.call_s * red_check_calls_n(check))
                                         : outcome.check_s;
    if (outcome.call_s > 0) {
        red_call_cost_add(&program->cost, check->n, outcome.call_s);
        red_call_costs_add(&tally->costs, (size_t)(check->dtype - red_dtypes), check->op->does, check->n,
                           outcome.call_s);
    }
    checks->plan.rows[i].reached = outcome.state == RED_STATE_PASS || outcome.state == RED_STATE_WRONG;
    checks->plan.rows[i].refused = outcome.state == RED_STATE_UNSUPPORTED;
    settle_levels(checks, check, known != NULL);
    if (outcome.state == RED_STATE_BUILD_FAILED && known == NULL)
        program->log = strdup(outcome.text);
    enum red_state state = known != NULL ? red_known_failure_count(known, outcome.state) : outcome.state;
    if (known != NULL && state != known->state && state != RED_STATE_KNOWN_BUG && state != RED_STATE_PASS &&
        state != RED_STATE_OVER_BUDGET)
        red_text_add(outcome.text, sizeof outcome.text, " (%s:%u expects it to be %s)", known->file,
                     known->line, red_state_name(known->state));
    red_tally_add_and_print(checks, check, state, state == RED_STATE_KNOWN_BUG ? known->reason : outcome.text,
                            &outcome.evidence);
    return true;
}

/* Counts new programs, and releases them where memory is short: one takes up to 4 MiB in Intel's runtime,
 * and few are used again. */
static void count_new_program_and_free_memory(struct red_device_checks *checks,
                                              const struct red_check *check) {
    struct red_program_state *program = program_of_check(checks, check);
    struct red_client *client = red_client_of_check(checks, check);
    if (program->seen)
        return;
    program->seen = true;
    if (++checks->new_programs_n % PROGRAMS_N == 0 &&
        red_client_worker_memory_bytes(client) > HELD_MAX * red_memory_available_bytes())
        red_client_release_and_count_programs(client);
}

/* Whether row i is settled without the device: it repeats the row before, or its program does not build. */
static bool settle_without_device(struct red_device_checks *checks, size_t i) {
    const struct red_check *check = &checks->plan.rows[i];
    if (check->repeats) {
        checks->plan.rows[i].reached = checks->plan.rows[i - 1].reached;
        checks->plan.rows[i].refused = checks->plan.rows[i - 1].refused;
        settle_levels(checks, check, red_check_known_failure(checks, check) != NULL);
    } else if (program_of_check(checks, check)->log != NULL) {
        red_tally_add_and_print(checks, check, RED_STATE_BUILD_FAILED, program_of_check(checks, check)->log,
                                NULL);
    } else {
        return false;
    }
    return true;
}

/* Whether this worker makes row i. A strategy belongs to the first worker that comes to it, which has its
 * programs and times. */
static bool claim_strategy_of_row(struct red_device_checks *checks, size_t worker, size_t i) {
    struct red_tally *tally = red_tally_of(checks, &checks->plan.rows[i]);
    if (tally->worker == 0)
        tally->worker = worker + 1;
    return tally->worker == worker + 1;
}

/* Makes this worker's checks of the chapter. The caller holds the lock. */
static void run_own_checks(struct red_device_checks *checks, size_t worker) {
    char what[64];
    snprintf(what, sizeof what, "verifying on %s, %zu checks", checks->id, checks->checks_n);
    for (size_t i = 0; i < checks->plan.n && !red_verify_is_over(checks->verify); i++) {
        if (!claim_strategy_of_row(checks, worker, i))
            continue;
        if (!settle_without_device(checks, i)) {
            count_new_program_and_free_memory(checks, &checks->plan.rows[i]);
            if (!run_and_count_check(checks, i))
                continue;
            checks->ran_n += checks->plan.rows[i].reached && red_check_launches(&checks->plan.rows[i]);
        }
        const struct red_workload work = workload_of_row(checks, i);
        checks->done_n += !checks->plan.rows[i].repeats;
        if (early_check_of_row(checks, i) == NULL)
            red_workload_add(&checks->done, &work);
        correct_announced_and_print(checks);
        if (i % 16 == 0)
            red_progress(what, (double)checks->done_n / (double)checks->checks_n, checks->start_s);
    }
}

/* Another worker than the session's, in a thread of its own. */
struct helper_worker {
    struct red_device_checks *checks;
    size_t worker;
};

/* Started by run_chapter: `context` is a helper_worker. Its checks are counted like the others. */
static void *run_helper_thread(void *context) {
    const struct helper_worker *helper = context;
    struct red_device_checks *checks = helper->checks;
    pthread_mutex_lock(&checks->lock);
    run_own_checks(checks, helper->worker);
    /* A child dies with the thread that has started it (prctl(2), PR_SET_PDEATHSIG): those that this one may
     * have started end before, the session's that ask for capabilities among them. */
    red_client_stop_probers(checks->workers[0]);
    pthread_mutex_unlock(&checks->lock);
    red_client_stop_probers(checks->workers[helper->worker]);
    red_client_stop_worker(checks->workers[helper->worker]);
    return NULL;
}

/* Makes all checks of the open chapter, each worker in a thread. If a thread cannot start, the others make
 * its checks. */
static void run_chapter(struct red_device_checks *checks) {
    pthread_t threads[RED_WORKERS_MAX];
    struct helper_worker helpers[RED_WORKERS_MAX];
    size_t threads_n = 0;
    for (size_t w = 1; w < checks->workers_n; w++) {
        helpers[threads_n] = (struct helper_worker){.checks = checks, .worker = w};
        threads_n += pthread_create(&threads[threads_n], NULL, run_helper_thread, &helpers[threads_n]) == 0;
    }
    run_own_checks(checks, 0);
    pthread_mutex_unlock(&checks->lock);
    for (size_t i = 0; i < threads_n; i++)
        pthread_join(threads[i], NULL);
    pthread_mutex_lock(&checks->lock);
    for (size_t s = 0; s < checks->verify->session->strategies_n; s++)
        checks->verify->tallies[checks->d][s].worker = 0; /* programs of another chapter are others */
    red_progress_end();
}

/* ---- chapters --------------------------------------------------------------------------------------------
 * A chapter is one test plan: all of it, or with --all one type and operation. The user sees the sum of all,
 * as "verifying on ...: N checks of M programs, about ...". */

/* Frees the plan of the chapter, if one is open. */
static void close_chapter(struct red_device_checks *checks) {
    for (size_t i = 0; checks->programs != NULL && i < red_test_plan_programs_n_max(&checks->plan); i++)
        free(checks->programs[i].log);
    free(checks->programs);
    checks->programs = NULL;
    red_test_plan_clear(&checks->plan);
}

/* Each program gets its number among those of its strategy, in the order in which they come; by it some are
 * checked with local poison, too. */
static void number_programs(struct red_device_checks *checks) {
    for (size_t i = 0; i < checks->plan.n; i++) {
        const struct red_check *check = &checks->plan.rows[i];
        struct red_program_state *program = program_of_check(checks, check);
        if (!program->numbered || program->first_row == SIZE_MAX)
            program->first_row = check->repeats || row_is_restored(checks, i) ? SIZE_MAX : i;
        if (program->numbered)
            continue;
        program->numbered = true;
        program->at = red_tally_of(checks, check)->programs_n++;
    }
}

/* Makes the list of checks of a chapter (--all: of one type and operation), unless it is open. */
static enum red_status open_chapter(struct red_device_checks *checks, size_t chapter,
                                    struct red_error *error) {
    if (checks->chapter == chapter && checks->programs != NULL)
        return RED_OK;
    close_chapter(checks);
    checks->chapter = chapter;
    enum red_status status =
        red_test_plan_make(checks->verify->session, checks->d, chapter, &checks->plan, error);
    if (status != RED_OK)
        return status;
    checks->programs = calloc(red_test_plan_programs_n_max(&checks->plan) + 1, sizeof *checks->programs);
    if (checks->programs == NULL)
        return red_fail(error, RED_E_MEMORY, "no memory for verifying");
    number_programs(checks);
    return RED_OK;
}

/* Adds the chapter's checks to what is to be done on the device, to the counts of each strategy, and to its
 * levels. Errors: RED_E_MEMORY. */
static enum red_status add_chapter_workload(struct red_device_checks *checks, struct red_error *error) {
    bool added = true;
    for (size_t i = 0; i < checks->plan.n && added; i++) {
        const struct red_workload work = workload_of_row(checks, i);
        struct red_tally *tally = red_tally_of(checks, &checks->plan.rows[i]);
        red_workload_add(&checks->workload, &work);
        checks->checks_n += !checks->plan.rows[i].repeats;
        tally->planned_n += !checks->plan.rows[i].repeats;
        tally->left_n += work.checks_n;
        added = red_levels_add(&checks->levels[tally - checks->verify->tallies[checks->d]],
                               &checks->plan.rows[i]);
    }
    return added ? RED_OK : red_fail(error, RED_E_MEMORY, "no memory for verifying");
}

/* How many strategies have checks left on the device: a worker makes all of one. */
static size_t strategies_left_n(const struct red_device_checks *checks) {
    size_t n = 0;
    for (size_t s = 0; s < checks->verify->session->strategies_n; s++)
        n += checks->verify->tallies[checks->d][s].left_n > 0;
    return n;
}

/* Opens and counts all chapters, makes the early checks, and prints "verifying on ...: N checks ..., about
 * ...". Leaves the first chapter open. */
static enum red_status plan_and_announce(struct red_device_checks *checks, struct red_error *error) {
    FILE *out = checks->verify->out;
    enum red_status status = open_chapter(checks, 0, error);
    const size_t chapters_n = checks->plan.chapters_n;
    if (status == RED_OK) {
        red_tally_add_refused_and_print_absent(checks);
        red_evidence_add_refusals(checks);
    }
    for (size_t chapter = 0; chapter < chapters_n && status == RED_OK; chapter++) {
        status = open_chapter(checks, chapter, error);
        if (status == RED_OK)
            status = add_chapter_workload(checks, error);
    }
    if (status == RED_OK)
        status = open_chapter(checks, 0, error);
    if (status != RED_OK) {
        close_chapter(checks);
        return status;
    }
    make_early_checks(checks);
    checks->left = red_workload_without(&checks->workload, &checks->early_work);
    checks->told_s = red_shared_work_s(red_workload_s(&checks->left, &checks->rates),
                                       strategies_left_n(checks), checks->workers_n);
    checks->announced_s = red_clock_s();
    checks->expected_s = checks->announced_s - checks->start_s + checks->told_s;
    const struct red_device_info *info = red_client_info(checks->verify->session->devices[checks->d]);
    const struct red_workload *work = &checks->workload;
    char of_all[48] = "";
    if (work->checks_n < checks->checks_n)
        snprintf(of_all, sizeof of_all, " left of %zu,", checks->checks_n);
    fprintf(out, "verifying on %s (%s, driver %s): %zu checks%s of %zu program%s, about %s", checks->id,
            info->platform, info->driver, work->checks_n, of_all, work->programs_n,
            work->programs_n == 1 ? "" : "s", red_duration_text(checks->told_s).text);
    const double stress_s = red_stress_expected_s(checks->verify, checks->d);
    if (stress_s > 0)
        fprintf(out, ", and at most %s under stress", red_duration_text(stress_s).text);
    fputc('\n', out);
    checks->verify->announced_n++;
    if (checks->verify->session->selection->all)
        fputs(red_test_plan_all_text, out);
    fflush(out);
    return RED_OK;
}

/* Starts further workers on a CPU, at most one per strategy; none for a soak, which watches the memory of
 * one process. */
static enum red_status start_workers(struct red_device_checks *checks, struct red_error *error) {
    const struct red_session *session = checks->verify->session;
    const struct red_geometry_limits *shape = &red_client_info(checks->workers[0])->shape;
    size_t wanted_n = checks->verify->options->soak_s > 0 || !shape->is_cpu ? 1 : shape->compute_units;
    if (wanted_n > session->strategies_n)
        wanted_n = session->strategies_n;
    enum red_status status = RED_OK;
    while (checks->workers_n < wanted_n && checks->workers_n < RED_WORKERS_MAX && status == RED_OK) {
        status = red_client_create_another(checks->workers[0], &checks->workers[checks->workers_n], error);
        checks->workers_n += checks->workers[checks->workers_n] != NULL;
    }
    return status;
}

/* Verifies on the session's device d, by several workers at a time on a CPU, and prints what was covered.
 * What the checks find is in the tallies; an error is what keeps them from being made: RED_E_INPUT,
 * RED_E_MEMORY, RED_E_CRASHED and the like. */
static enum red_status verify_device(struct red_verify *verify, size_t d, struct red_error *error) {
    struct red_device_checks checks = {.verify = verify,
                                       .d = d,
                                       .id = red_client_info(verify->session->devices[d])->id,
                                       .workers = {verify->session->devices[d]},
                                       .workers_n = 1,
                                       .lock = PTHREAD_MUTEX_INITIALIZER,
                                       .start_s = red_clock_s()};
    red_session_probe(verify->session, d);
    pthread_mutex_lock(&checks.lock);
    checks.levels = calloc(verify->session->strategies_n + 1, sizeof *checks.levels);
    enum red_status status = checks.levels != NULL ? start_workers(&checks, error)
                                                   : red_fail(error, RED_E_MEMORY, "no memory for verifying");
    if (status == RED_OK)
        status = plan_and_announce(&checks, error);
    size_t chapters_n = checks.plan.chapters_n;
    for (size_t chapter = 0; chapter < chapters_n && status == RED_OK && !red_verify_is_over(verify);
         chapter++) {
        status = open_chapter(&checks, chapter, error);
        if (status == RED_OK)
            run_chapter(&checks);
        if (chapters_n > 1)
            red_client_release_and_count_programs(verify->session->devices[d]);
    }
    if (status == RED_OK && checks.programs != NULL)
        red_stress_device(&checks);
    if (checks.programs != NULL) {
        enum red_status counted = red_coverage_print(&checks, status == RED_OK ? error : NULL);
        status = status == RED_OK ? counted : status;
    }
    close_chapter(&checks);
    for (size_t s = 0; checks.levels != NULL && s < verify->session->strategies_n; s++)
        red_levels_clear(&checks.levels[s]);
    free(checks.levels);
    for (size_t w = 1; w < checks.workers_n; w++)
        red_client_destroy(checks.workers[w]);
    pthread_mutex_unlock(&checks.lock);
    pthread_mutex_destroy(&checks.lock);
    if (verify->file != NULL)
        verify->file->devices[d].took_s = red_clock_s() - checks.start_s;
    return status;
}

/* Seconds per check. */
enum { LIMIT_S = 10 };

enum red_status red_verify_session(struct red_session *session, const struct red_verify_options *options,
                                   const struct red_output *output, double share_s, FILE *out,
                                   struct red_error *error) {
    struct red_verify *verify = calloc(1, sizeof *verify);
    if (verify == NULL)
        return red_fail(error, RED_E_MEMORY, "no memory for verifying");
    const double given_s = session->selection->time_per_cell_s;
    verify->session = session;
    verify->options = options;
    verify->output = output;
    verify->out = out;
    verify->limit_s = given_s > 0 ? given_s : fmin(LIMIT_S, share_s);
    verify->share_s = given_s > 0 || session->selection->all ? INFINITY : share_s;
    verify->start_s = red_clock_s();
    enum red_status written = RED_OK;
    struct red_error found = {.text = ""}, unwritten = {.text = ""};
    enum red_status status = outcomes_open(session, output, &verify->outcomes, error);
    const bool is_open = status == RED_OK; /* else what another run has written stays */
    if (is_open)
        status = red_evidence_begin(verify, error);
    if (!is_open || status != RED_OK) {
        (void)outcomes_close(verify->outcomes, true);
        free(verify);
        return status;
    }
    for (size_t d = 0; d < session->devices_n && status == RED_OK && !red_verify_is_over(verify); d++)
        status = verify_device(verify, d, error);
    bool complete = status == RED_OK && !red_interrupted();
    if (output != NULL && verify->announced_n > 0)
        written = red_evidence_write(verify, &unwritten);
    enum red_status judged = red_tally_print_and_find_status(verify, &found);
    bool in_file = output != NULL && verify->announced_n > 0 && output->path != NULL && written == RED_OK;
    if (status == RED_OK && red_interrupted())
        status = red_fail(error, RED_E_INTERRUPTED, "interrupted; what was found until then stands %s%s",
                          in_file ? "in " : "above", in_file ? output->path : "");
    status = red_verb_status_find(status, judged, found.text, written, unwritten.text, error);
    if (outcomes_close(verify->outcomes, !complete || written != RED_OK))
        fprintf(stderr, "the same command with --resume goes on from here\n");
    red_evidence_end(verify);
    red_tallies_clear(verify);
    free(verify);
    return status;
}

/* ---- --soak -------------------------------------------------------------------------------------------- */

enum { ROUNDS_MIN = 3 };

/* Drivers keep something of every program that was released: Intel's runtime and PoCL 3.1 some tens of KiB,
 * as tests/broken/bare.c shows. A forgotten array, or a program that was not released, is far more. */
static const double KEPT_MAX = 256 << 10, MIB = 1 << 20;

/* The memory of a worker after it has released all programs and data. */
struct memory_use {
    double bytes;
    uint64_t programs_n;
};

/* Prints by how much the worker of this device has grown since the second round: in the first one drivers
 * load what they need. */
static enum red_status print_and_check_growth(const char *id, const struct memory_use *second,
                                              const struct memory_use *last, FILE *out,
                                              struct red_error *error) {
    if (last->programs_n <= second->programs_n)
        return red_fail(error, RED_E_DEVICE,
                        "the worker of %s did not last: it crashed, hung or was replaced", id);
    const uint64_t programs_n = last->programs_n - second->programs_n;
    const double kept = (last->bytes - second->bytes) / (double)programs_n;
    fprintf(out,
            "soak: the worker of %s keeps %.0f KiB per program, from %.0f to %.0f MiB in %" PRIu64
            " programs\n",
            id, kept / 1024, second->bytes / MIB, last->bytes / MIB, programs_n);
    if (kept <= KEPT_MAX)
        return RED_OK;
    return red_fail(error, RED_E_DEVICE,
                    "the worker of %s keeps %.0f KiB per program: the driver leaks, or this program does", id,
                    kept / 1024);
}

/* Has the workers release all after a round of --soak; prints, and gives in `uses`, what memory they have. */
static void release_and_print_memory(const struct red_session *session, unsigned round, FILE *out,
                                     struct memory_use *uses) {
    fprintf(out, "soak: round %u:", round);
    for (size_t d = 0; d < session->devices_n; d++) {
        uses[d].programs_n = red_client_release_and_count_programs(session->devices[d]);
        uses[d].bytes = red_client_worker_memory_bytes(session->devices[d]);
        fprintf(out, "%s the worker of %s has %.0f MiB after %" PRIu64 " programs", d > 0 ? "," : "",
                red_client_info(session->devices[d])->id, uses[d].bytes / MIB, uses[d].programs_n);
    }
    fputc('\n', out);
    fflush(out);
}

enum red_status red_verify_soak(const struct red_session *session, const struct red_verify_options *options,
                                const struct red_output *output, FILE *out, struct red_error *error) {
    struct red_selection selection = *session->selection;
    struct red_session again = *session;
    struct memory_use second[RED_DEVICES_MAX], last[RED_DEVICES_MAX];
    double start_s = red_clock_s();
    enum red_status status = RED_OK;
    unsigned round = 0;
    again.selection = &selection;
    while (status == RED_OK && !red_interrupted() &&
           (round < ROUNDS_MIN || red_clock_s() - start_s < options->soak_s)) {
        status =
            red_verify_session(&again, options, round == 0 ? output : NULL, RED_VERIFY_SHARE_S, out, error);
        round++;
        release_and_print_memory(session, round, out, round <= 2 ? second : last);
        selection.seed++;
    }
    fprintf(out, "soak: %u rounds in %.0f s\n", round, red_clock_s() - start_s);
    for (size_t d = 0; d < session->devices_n && status == RED_OK && round >= ROUNDS_MIN; d++)
        status = print_and_check_growth(red_client_info(session->devices[d])->id, &second[d], &last[d], out,
                                        error);
    return status;
}
