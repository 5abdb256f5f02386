#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/clock.h"
#include "core/interrupt.h"
#include "core/memory.h"
#include "core/random.h"
#include "model/verification.h"
#include "oracle/changes.h"
#include "verify/checks.h"
#include "verify/turn.h"
#include "verify/verifying.h"
#include "worker/pace.h"

/* Every so many programs a worker that holds more than a quarter of what memory is left lets go of them. */
enum { PROGRAMS_N = 64 };
static const double HELD_MAX = 0.25;

/* Seconds per check; and once the calls of a strategy have had their share of a covering choice (one
 * contended accumulator can take seconds per call on a GPU), what each of its further checks may take, half
 * as much for every quarter of a share more. */
enum { LIMIT_S = 10, LIMIT_BEYOND_SHARE_S = 1 };

static struct red_case job_of(const struct red_turn *turn, const struct red_check *check) {
    const struct red_data_spec data = {.op = check->op,
                                       .dtype = check->dtype,
                                       .probe = check->probe,
                                       .n = check->n,
                                       .segments_n = check->segments_n,
                                       .seed = turn->verify->session->selection->seed};
    struct red_case job = red_case_make(&data, check->strategy, &check->tuning);
    job.prefixes_n = check->prefixes_n;
    return job;
}

static struct red_expectation *known_of(const struct red_turn *turn, const struct red_check *check) {
    return red_session_expectation(turn->verify->session, turn->d, check->strategy, check->op, check->dtype,
                                   check->n, check->tuning.group_size);
}

static size_t *owner_of(struct red_turn *turn, const struct red_check *check) {
    return &turn->worker_of[red_turn_tally(turn, check) - turn->verify->tallies[turn->d]];
}

static struct red_remote *worker_of(struct red_turn *turn, const struct red_check *check) {
    size_t owner = *owner_of(turn, check);
    return turn->workers[owner > 0 ? owner - 1 : 0];
}

/* The form that poisons local memory is another program to compile. What reads local memory too early does so
 * whatever the type and the operation: of many strategies each has it in every so many of its programs. */
static bool checks_both_forms(const struct red_turn *turn, const struct red_check *check) {
    enum { PROGRAMS_EACH = 6 };
    const struct red_selection *options = turn->verify->session->selection;
    size_t at = turn->programs[red_check_program(&turn->checks, check)].at;
    return turn->verify->session->strategies_n <= RED_STRATEGIES_FEW || options->all ||
           (check->n <= RED_VERIFY_LONG_N && (at + options->seed) % PROGRAMS_EACH == 0);
}

/* Asks the device, unless an earlier run has. `expected_s` is 0 where nothing is known. Nothing comes of it
 * when the user interrupts. */
static void find_outcome(struct red_turn *turn, size_t i, double expected_s, struct red_outcome *outcome) {
    const struct red_check *check = &turn->checks.rows[i];
    const struct red_step step = {turn->d, turn->chapter, i, check};
    struct red_remote *remote = worker_of(turn, check);
    const struct red_case job = job_of(turn, check);
    struct red_error error = {.text = ""};
    struct red_verification verification = {.right = false};
    if (red_retrace_find(turn->verify->retrace, &step, outcome)) {
        red_remote_note(remote, check->strategy, outcome->state);
        return;
    }
    const bool timed_only = !checks_both_forms(turn, check);
    double start_s = red_clock_s();
    pthread_mutex_unlock(&turn->lock);
    enum red_status status = red_remote_verify(remote, &job, timed_only, expected_s, &verification, &error);
    pthread_mutex_lock(&turn->lock);
    *outcome = (struct red_outcome){.call_s = status == RED_OK ? verification.call_s : 0,
                                    .check_s = red_clock_s() - start_s};
    if (status == RED_OK && !verification.right)
        status = red_fail(&error, RED_E_WRONG, "%s", verification.evidence);
    outcome->state = red_state_of(status);
    memcpy(outcome->text, error.text, sizeof outcome->text);
    if (remote != turn->workers[0])
        red_remote_note(turn->workers[0], check->strategy, outcome->state);
    /* What was not even tried, for what others did, is tried when the run is resumed. */
    if (status != RED_E_INTERRUPTED && status != RED_E_UNTRIED && !red_remote_is_lost(remote))
        red_retrace_add(turn->verify->retrace, &step, outcome);
}

/* The same for a check whose turn it is: it may have been made to see how long one takes. */
static void take_outcome(struct red_turn *turn, size_t i, double expected_s, struct red_outcome *outcome) {
    for (size_t e = 0; e < RED_EARLY_N && turn->chapter == 0; e++) {
        struct red_early *early = &turn->early[e];
        if (!early->found || early->row != i)
            continue;
        *outcome = early->outcome;
        early->found = false;
        return;
    }
    find_outcome(turn, i, expected_s, outcome);
}

static unsigned calls_n(const struct red_check *check) {
    return RED_VERIFY_CALLS +
           red_changes_n(check->op, check->probe.pattern, check->n, check->segments_n, check->prefixes_n);
}

/* What the calls of a check will take together, from those that were made. */
static double expected_of(const struct red_tally *tally, const struct red_program_seen *program,
                          const struct red_check *check) {
    const struct red_pace *of_type = &tally->paces[check->dtype - red_dtypes];
    double call_s = red_pace_call_s(&program->pace, of_type, check->n);
    if (call_s <= 0)
        call_s = red_pace_foreign_s(&tally->pace, check->n);
    return calls_n(check) * fmax(call_s, red_pace_least_s(of_type, check->n));
}

/* What the calls of one check may take together. */
static double limit_of(const struct red_verified *verify, const struct red_tally *tally) {
    const double shares = tally->spent_s / verify->share_s;
    return shares > 1 ? LIMIT_BEYOND_SHARE_S * exp2(-4 * (shares - 1)) : verify->limit_s;
}

/* False where nothing came of it, since the user interrupts. */
static bool run_check(struct red_turn *turn, size_t i) {
    struct red_verified *verify = turn->verify;
    const struct red_check *check = &turn->checks.rows[i];
    struct red_tally *tally = red_turn_tally(turn, check);
    struct red_program_seen *program = &turn->programs[red_check_program(&turn->checks, check)];
    struct red_outcome outcome;
    struct red_expectation *known = known_of(turn, check);
    if (known != NULL && known->skip) {
        red_turn_settle(turn, check, RED_STATE_KNOWN_BUG, known->reason);
        return true;
    }
    const double expected_s = expected_of(tally, program, check), limit_s = limit_of(verify, tally);
    if (expected_s > limit_s) {
        int used = snprintf(outcome.text, sizeof outcome.text,
                            "would take about %.3g s; the budget is %.3g s", expected_s, limit_s);
        if (limit_s < verify->limit_s)
            snprintf(outcome.text + used, sizeof outcome.text - (size_t)used,
                     ", since the strategy's calls have had their %.3g s", verify->share_s);
        if (known != NULL)
            (void)red_expectation_take(known, RED_STATE_OVER_BUDGET);
        red_turn_settle(turn, check, RED_STATE_OVER_BUDGET, outcome.text);
        return true;
    }
    take_outcome(turn, i, expected_s, &outcome);
    if (outcome.state == RED_STATE_PENDING)
        return false;
    tally->spent_s +=
        outcome.call_s > 0 ? fmin(outcome.check_s, outcome.call_s * calls_n(check)) : outcome.check_s;
    if (outcome.call_s > 0) {
        red_pace_learn(&program->pace, check->n, outcome.call_s);
        red_pace_learn(&tally->paces[check->dtype - red_dtypes], check->n, outcome.call_s);
        red_pace_learn(&tally->pace, check->n, outcome.call_s);
    }
    turn->reached[i] = outcome.state == RED_STATE_PASS || outcome.state == RED_STATE_WRONG;
    program->broken = outcome.state == RED_STATE_BUILD_FAILED && known == NULL;
    enum red_state state = known != NULL ? red_expectation_take(known, outcome.state) : outcome.state;
    if (known != NULL && state != known->state && state != RED_STATE_KNOWN_BUG && state != RED_STATE_PASS &&
        state != RED_STATE_OVER_BUDGET) {
        size_t used = strlen(outcome.text);
        snprintf(outcome.text + used, sizeof outcome.text - used, " (%s:%u expects it to be %s)", known->file,
                 known->line, red_state_name(known->state));
    }
    red_turn_settle(turn, check, state, state == RED_STATE_KNOWN_BUG ? known->reason : outcome.text);
    return true;
}

/* A compiled program takes up to 4 MiB in Intel's runtime, and few are needed again. */
static void count_program(struct red_turn *turn, const struct red_check *check) {
    struct red_program_seen *program = &turn->programs[red_check_program(&turn->checks, check)];
    struct red_remote *remote = worker_of(turn, check);
    if (program->seen)
        return;
    program->seen = true;
    program->at = red_turn_tally(turn, check)->programs_n++;
    if (++turn->new_programs_n % PROGRAMS_N == 0 &&
        red_remote_memory_bytes(remote) > HELD_MAX * red_memory_available_bytes())
        red_remote_forget(remote);
}

/* What needs no data: a check that stands in the list already, or whose program is known not to build. */
static bool is_settled(struct red_turn *turn, size_t i) {
    const struct red_check *check = &turn->checks.rows[i];
    if (check->repeats)
        turn->reached[i] = turn->reached[i - 1];
    else if (turn->programs[red_check_program(&turn->checks, check)].broken)
        red_turn_settle(turn, check, RED_STATE_BUILD_FAILED, "the same");
    else
        return false;
    return true;
}

/* Whether a worker makes this check: a strategy is of the worker that comes to it first, as its programs are,
 * and what is known of its pace. */
static bool takes(struct red_turn *turn, size_t worker, size_t i) {
    size_t *owner = owner_of(turn, &turn->checks.rows[i]);
    if (*owner == 0)
        *owner = worker + 1;
    return *owner == worker + 1;
}

/* What one worker makes of the chapter. The turn is locked. */
static void run_own_checks(struct red_turn *turn, size_t worker) {
    char what[64];
    snprintf(what, sizeof what, "verifying on %s, %zu checks", turn->id, turn->extent.checks_n);
    for (size_t i = 0; i < turn->checks.n && !red_verify_is_over(turn->verify); i++) {
        if (!takes(turn, worker, i))
            continue;
        if (!is_settled(turn, i)) {
            count_program(turn, &turn->checks.rows[i]);
            if (!run_check(turn, i))
                continue;
            turn->ran_n += turn->reached[i];
        }
        turn->done_n += !turn->checks.rows[i].repeats;
        if (i % 16 == 0)
            red_progress(what, (double)turn->done_n / (double)turn->extent.checks_n, turn->start_s);
    }
}

/* Another worker than the session's, in a thread of its own. */
struct helper {
    struct red_turn *turn;
    size_t worker;
};

static void *help(void *context) {
    const struct helper *helper = context;
    struct red_turn *turn = helper->turn;
    pthread_mutex_lock(&turn->lock);
    run_own_checks(turn, helper->worker);
    /* A child dies with the thread that has started it (prctl(2), PR_SET_PDEATHSIG): those that this one may
     * have started end before, the session's that ask for capabilities among them. */
    red_remote_stop_probing(turn->workers[0]);
    pthread_mutex_unlock(&turn->lock);
    red_remote_stop_probing(turn->workers[helper->worker]);
    red_remote_restart(turn->workers[helper->worker]);
    return NULL;
}

/* Where no thread can be had the others take its share. */
static void run_checks(struct red_turn *turn) {
    pthread_t threads[RED_WORKERS_MAX];
    struct helper helpers[RED_WORKERS_MAX];
    size_t threads_n = 0;
    for (size_t w = 1; w < turn->workers_n; w++) {
        helpers[threads_n] = (struct helper){.turn = turn, .worker = w};
        threads_n += pthread_create(&threads[threads_n], NULL, help, &helpers[threads_n]) == 0;
    }
    run_own_checks(turn, 0);
    pthread_mutex_unlock(&turn->lock);
    for (size_t i = 0; i < threads_n; i++)
        pthread_join(threads[i], NULL);
    pthread_mutex_lock(&turn->lock);
    memset(turn->worker_of, 0, sizeof turn->worker_of); /* programs of another chapter are others */
    red_progress_end();
}

/* ---- chapters --------------------------------------------------------------------------------------------
 */

static void close_chapter(struct red_turn *turn) {
    free(turn->reached);
    free(turn->programs);
    turn->reached = NULL;
    turn->programs = NULL;
    red_checks_clear(&turn->checks);
}

static enum red_status open_chapter(struct red_turn *turn, size_t chapter, struct red_error *error) {
    close_chapter(turn);
    turn->chapter = chapter;
    enum red_status status = red_checks_make(turn->verify->session, turn->d, chapter, &turn->checks, error);
    if (status != RED_OK)
        return status;
    turn->reached = calloc(turn->checks.n + 1, sizeof *turn->reached);
    turn->programs = calloc(red_checks_programs_n(&turn->checks) + 1, sizeof *turn->programs);
    return turn->reached != NULL && turn->programs != NULL
               ? RED_OK
               : red_fail(error, RED_E_MEMORY, "no memory for verifying");
}

static void count_chapter(struct red_turn *turn) {
    for (size_t i = 0; i < turn->checks.n; i++) {
        const struct red_check *check = &turn->checks.rows[i];
        bool *counted = &turn->programs[red_check_program(&turn->checks, check)].counted;
        turn->extent.programs_n += !*counted;
        turn->extent.checks_n += !check->repeats;
        red_turn_tally(turn, check)->planned_n += !check->repeats;
        turn->extent.elements += check->repeats ? 0 : (double)(check->n * check->segments_n);
        turn->extent.made +=
            i > 0 && red_check_same_data(check, check - 1) ? 0 : (double)(check->n * check->segments_n);
        *counted = true;
    }
}

/* How long a check takes whose program is new. What the first of all costs more, as a driver wakes up, is not
 * meant. What comes of both is kept until it is their turn. */
static double time_new_program(struct red_turn *turn) {
    const struct red_check *rows = turn->checks.rows;
    double program_s = 0;
    size_t second = 0, n = turn->checks.n;
    while (second < n &&
           red_check_program(&turn->checks, &rows[second]) == red_check_program(&turn->checks, &rows[0]))
        second++;
    const size_t tried[RED_EARLY_N] = {0, second};
    for (size_t i = 0; i < RED_EARLY_N && tried[i] < n; i++) {
        struct red_early *early = &turn->early[i];
        const struct red_expectation *known = known_of(turn, &rows[tried[i]]);
        if (known != NULL && known->skip)
            continue;
        find_outcome(turn, tried[i], 0, &early->outcome);
        early->row = tried[i];
        early->found = early->outcome.state != RED_STATE_PENDING;
        program_s = early->outcome.check_s;
    }
    return program_s;
}

/* Says how much there is, and about how long it will take. Leaves the first chapter open. */
static enum red_status announce(struct red_turn *turn, struct red_error *error) {
    FILE *out = turn->verify->out;
    char duration[32];
    enum red_status status = open_chapter(turn, 0, error);
    size_t chapters_n = status == RED_OK ? turn->checks.chapters_n : 0;
    red_turn_refused(turn);
    for (size_t chapter = 0; chapter < chapters_n && status == RED_OK; chapter++) {
        status = chapter > 0 ? open_chapter(turn, chapter, error) : RED_OK;
        if (status == RED_OK)
            count_chapter(turn);
    }
    if (status == RED_OK && chapters_n > 1)
        status = open_chapter(turn, 0, error);
    if (status != RED_OK)
        return status;
    double there_n = (double)red_retrace_n(turn->verify->retrace, turn->d), n = (double)turn->extent.checks_n;
    const double before_s = red_clock_s() - turn->start_s; /* what the device was asked, and the list */
    turn->expected_s = red_extent_s(&turn->extent, time_new_program(turn)) *
                       fmax(0, 1 - there_n / fmax(1, n)) / (double)turn->workers_n;
    red_duration_print(turn->expected_s, duration, sizeof duration);
    const struct red_device_info *info = red_remote_info(turn->verify->session->devices[turn->d]);
    fprintf(out, "verifying on %s (%s, driver %s): %zu checks of %zu program%s, about %s\n", turn->id,
            info->platform, info->driver, turn->extent.checks_n, turn->extent.programs_n,
            turn->extent.programs_n == 1 ? "" : "s", duration);
    turn->expected_s += before_s;
    turn->verify->announced_n++;
    if (turn->verify->session->selection->all)
        fputs(red_checks_all_text, out);
    fflush(out);
    return RED_OK;
}

/* One strategy is one worker's. What a soak looks for is in one process. */
static enum red_status hire(struct red_turn *turn, struct red_error *error) {
    const struct red_session *session = turn->verify->session;
    const struct red_shape_limits *shape = &red_remote_info(turn->workers[0])->shape;
    size_t wanted_n = turn->verify->options->soak_s > 0 || !shape->is_cpu ? 1 : shape->compute_units;
    if (wanted_n > session->strategies_n)
        wanted_n = session->strategies_n;
    enum red_status status = RED_OK;
    while (turn->workers_n < wanted_n && turn->workers_n < RED_WORKERS_MAX && status == RED_OK) {
        status = red_remote_create_beside(turn->workers[0], &turn->workers[turn->workers_n], error);
        turn->workers_n += turn->workers[turn->workers_n] != NULL;
    }
    return status;
}

static enum red_status verify_device(struct red_verified *verify, size_t d, struct red_error *error) {
    struct red_turn turn = {.verify = verify,
                            .d = d,
                            .id = red_remote_info(verify->session->devices[d])->id,
                            .workers = {verify->session->devices[d]},
                            .workers_n = 1,
                            .lock = PTHREAD_MUTEX_INITIALIZER,
                            .start_s = red_clock_s()};
    red_session_probe(verify->session, d);
    pthread_mutex_lock(&turn.lock);
    enum red_status status = hire(&turn, error);
    if (status == RED_OK)
        status = announce(&turn, error);
    size_t chapters_n = turn.checks.chapters_n;
    for (size_t chapter = 0; chapter < chapters_n && status == RED_OK && !red_verify_is_over(verify);
         chapter++) {
        status = chapter > 0 ? open_chapter(&turn, chapter, error) : RED_OK;
        if (status == RED_OK)
            run_checks(&turn);
        if (chapters_n > 1)
            red_remote_forget(verify->session->devices[d]);
    }
    if (turn.reached != NULL) {
        enum red_status counted = red_turn_print(&turn, status == RED_OK ? error : NULL);
        status = status == RED_OK ? counted : status;
    }
    close_chapter(&turn);
    for (size_t w = 1; w < turn.workers_n; w++)
        red_remote_destroy(turn.workers[w]);
    pthread_mutex_unlock(&turn.lock);
    pthread_mutex_destroy(&turn.lock);
    return status;
}

enum red_status red_verify_session(struct red_session *session, const struct red_verify_options *options,
                                   const struct red_output *output, double share_s, FILE *out,
                                   struct red_error *error) {
    struct red_verified *verify = calloc(1, sizeof *verify);
    if (verify == NULL)
        return red_fail(error, RED_E_MEMORY, "no memory for verifying");
    verify->session = session;
    verify->options = options;
    verify->output = output;
    verify->out = out;
    const double given_s = session->selection->time_per_cell_s;
    verify->limit_s = given_s > 0 ? given_s : fmin(LIMIT_S, share_s);
    verify->share_s = given_s > 0 || session->selection->all ? INFINITY : share_s;
    verify->start_s = red_clock_s();
    enum red_status written = RED_OK;
    struct red_error found = {.text = ""};
    enum red_status status = output ? red_retrace_open(session, output, &verify->retrace, error) : RED_OK;
    if (status != RED_OK) { /* what another run has written stays */
        free(verify);
        return status;
    }
    for (size_t d = 0; d < session->devices_n && status == RED_OK && !red_verify_is_over(verify); d++)
        status = verify_device(verify, d, error);
    bool complete = status == RED_OK && !red_interrupted();
    if (output != NULL && verify->announced_n > 0)
        written = red_verified_write_table(verify, status == RED_OK ? error : NULL);
    status = status == RED_OK ? written : status;
    /* Wrong beats everything, trouble on the way included. */
    enum red_status judged = red_verified_verdict(verify, &found);
    bool in_file = output != NULL && verify->announced_n > 0 && output->path != NULL;
    if (status == RED_OK && red_interrupted())
        status = red_fail(error, RED_E_INTERRUPTED, "interrupted; what was found until then stands %s%s",
                          in_file ? "in " : "above", in_file ? output->path : "");
    if (judged == RED_E_WRONG || (status == RED_OK && judged != RED_OK))
        status = red_fail(error, judged, "%s", found.text);
    if (red_retrace_close(verify->retrace, !complete || written != RED_OK))
        fprintf(stderr, "the same command with --resume goes on from here\n");
    free(verify);
    return status;
}
