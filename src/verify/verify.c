#define _POSIX_C_SOURCE 200809L /* strdup */
/* The verb `verify`: checks one device after the other (verify_device), then prints its last line. The
 * session is what the user chose: of cli/cmd_verify.c, of a round of --soak, or of `bench --kernel`, which
 * checks kernels so before it measures them. What a check finds goes to verify/tally.c, which prints it. */
#include "verify/verify.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/clock.h"
#include "core/interrupt.h"
#include "core/memory.h"
#include "core/text.h"
#include "model/case.h"
#include "oracle/change.h"
#include "run/session.h"
#include "verify/private.h"

/* ---- one device ------------------------------------------------------------------------------------------
 * Makes the checks of the plan, by several workers at a time on a CPU; leaves out what takes too long. */

/* After so many new programs a worker that holds more than HELD_MAX of free memory releases them all. */
enum { PROGRAMS_N = 64 };
static const double HELD_MAX = 0.25;

/* Seconds that each further check of a strategy may take once its calls have had their share of the plan (one
 * contended accumulator can take seconds per call on a GPU); half as much per quarter of a share more. Checks
 * of its levels, without which nobody knows whether it is right, have two shares, and may take three times as
 * long as others. */
enum { LIMIT_BEYOND_SHARE_S = 1, SHARES_OF_LEVELS = 2, LIMITS_OF_LEVELS = 3 };

/* For run_and_count_check and the early checks. */
struct red_known_failure *red_check_known_failure(const struct red_device_checks *checks,
                                                  const struct red_check *check) {
    return red_session_known_failure(checks->verify->session, checks->d, check->strategy, check->op,
                                     check->dtype, check->n, check->tuning.group_size);
}

/* Each worker has programs of its own strategies; the early checks ask what was timed. */
struct red_program_state *red_check_program(const struct red_device_checks *checks,
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
    size_t at = red_check_program(checks, check)->at;
    return checks->verify->session->strategies_n <= RED_STRATEGIES_FEW || options->all ||
           (check->n <= RED_VERIFY_LONG_N && (at + options->seed) % PROGRAMS_EACH == 0);
}

/* For run_and_count_check and the early checks. */
void red_row_verify_unless_restored(struct red_device_checks *checks, size_t i, double expected_s,
                                    struct red_check_outcome *outcome) {
    const struct red_check *check = &checks->plan.rows[i];
    const struct red_check_place place = {checks->d, checks->chapter, i, check};
    struct red_client *client = red_client_of_check(checks, check);
    const struct red_case spec = red_case_of_check(check, checks->verify->session->selection->seed);
    struct red_error error = {.text = ""};
    struct red_verification verification = {.right = false};
    if (red_outcomes_find(checks->verify->outcomes, &place, outcome)) {
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
        red_outcomes_add(checks->verify->outcomes, &place, outcome);
}

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
    struct red_program_state *program = red_check_program(checks, check);
    struct red_check_outcome outcome;
    struct red_known_failure *known = red_check_known_failure(checks, check);
    if (known != NULL && known->skip) {
        settle_levels(checks, check, true);
        red_tally_add_and_print(checks, check, RED_STATE_KNOWN_BUG, known->reason, NULL);
        return true;
    }
    const double expected_s = expected_calls_s(tally, program, check),
                 limit_s = calls_limit_s(verify, tally, check);
    const struct red_early_check *early = red_early_check_of(checks, i);
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
        red_row_verify_unless_restored(checks, i, expected_s, &outcome);
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
    struct red_program_state *program = red_check_program(checks, check);
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
    } else if (red_check_program(checks, check)->log != NULL) {
        red_tally_add_and_print(checks, check, RED_STATE_BUILD_FAILED, red_check_program(checks, check)->log,
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
        const struct red_workload work = red_row_workload(checks, i);
        checks->done_n += !checks->plan.rows[i].repeats;
        if (red_early_check_of(checks, i) == NULL)
            red_workload_add(&checks->done, &work);
        red_announced_correct_and_print(checks);
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
        struct red_program_state *program = red_check_program(checks, check);
        if (!program->numbered || program->first_row == SIZE_MAX)
            program->first_row = check->repeats || red_row_is_restored(checks, i) ? SIZE_MAX : i;
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
        const struct red_workload work = red_row_workload(checks, i);
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
    red_early_checks_make(checks);
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
    enum red_status status = red_outcomes_open(session, output, &verify->outcomes, error);
    const bool is_open = status == RED_OK; /* else what another run has written stays */
    if (is_open)
        status = red_evidence_begin(verify, error);
    if (!is_open || status != RED_OK) {
        (void)red_outcomes_close(verify->outcomes, true);
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
    if (red_outcomes_close(verify->outcomes, !complete || written != RED_OK))
        fprintf(stderr, "the same command with --resume goes on from here\n");
    red_evidence_end(verify);
    red_tallies_clear(verify);
    free(verify);
    return status;
}
