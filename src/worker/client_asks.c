/* Asks a worker about cases, but not again after it crashed or hung too often; an error is state and reason
 * of a cell. bench (run/bench.c, measure.c) asks prepare, batch, profile, back_to_back, event_X, and for the
 * cost projection (run/bench.c) time_calls; duel (gate/loop.c, cases.c) prepare, batches, clock_sample,
 * move_data; devices prepare, event_clock; bench, duel and verify ask verify. worker/server_cases.c answers.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/clock.h"
#include "worker/protocol.h"
#include "worker/worker_private.h"

/* What a worker may keep after it has let go of everything. */
static const double KEPT_BYTES_MAX = 2147483648.0;

/* How many seconds a question about a case may take until it counts as a hang; 10 times what is expected,
 * besides --patience. */
static double question_limit_s(const struct red_client *client, const struct red_case *spec,
                               double expected_s) {
    double elements = spec ? (double)spec->data.n * (double)spec->data.segments_n : 0;
    return red_patience_s(client->program) + elements / (1 << 20) + fmin(10 * expected_s, 1e6);
}

/* The strategy's crashes and hangs on this device; NULL: none yet. */
static struct red_failure_record *failure_record_of(struct red_client *client,
                                                    const struct red_strategy *strategy) {
    for (size_t i = 0; i < client->failures_n; i++)
        if (client->failures[i].strategy == strategy)
            return &client->failures[i];
    return NULL;
}

/* RED_E_UNTRIED (the cell is `over-budget`) once the strategy has crashed 3 times or hung once. */
static enum red_status refuse_failed_strategy(struct red_client *client, const struct red_strategy *strategy,
                                              struct red_error *error) {
    const struct red_failure_record *record = failure_record_of(client, strategy);
    return record == NULL || (record->crashed_n < RED_CRASHES_MAX && record->hung_n == 0)
               ? RED_OK
               : red_fail(error, RED_E_UNTRIED, "not tried, since the strategy has crashed or hung before");
}

/* verify, which has several workers of a device, calls it, too, and so does --resume with states of
 * before. */
void red_client_record_failure(struct red_client *client, const struct red_strategy *strategy,
                               enum red_state state) {
    struct red_failure_record *record = failure_record_of(client, strategy);
    if (strategy == NULL || client->is_host || (state != RED_STATE_CRASHED && state != RED_STATE_TIMED_OUT) ||
        (record == NULL && client->failures_n == RED_FAILURE_RECORDS_MAX))
        return;
    if (record == NULL) {
        record = &client->failures[client->failures_n++];
        record->strategy = strategy;
    }
    record->crashed_n += state == RED_STATE_CRASHED;
    record->hung_n += state == RED_STATE_TIMED_OUT;
}

/* bench calls it: what --accuracy has met does not count. */
void red_client_reset_failures(struct red_client *client) {
    memset(client->failures, 0, sizeof client->failures);
    client->failures_n = 0;
}

/* Ends a worker whose answer cannot be read: a crash of the strategy, and the cell is `crashed`. */
static enum red_status end_unreadable_worker(struct red_client *client, const struct red_strategy *strategy,
                                             struct red_error *error) {
    red_process_kill(client->worker);
    client->crashed = true;
    red_client_record_failure(client, strategy, RED_STATE_CRASHED);
    return red_fail(error, RED_E_CRASHED, "the driver of %s has broken the process that works with it",
                    client->info.id);
}

enum red_status red_client_ask_and_read(struct red_client *client, json_t *question, double limit_s,
                                        const char *doing, const struct red_strategy *strategy,
                                        const struct red_field *fields, void *to, struct red_error *error) {
    json_t *answer = NULL;
    enum red_status status = red_client_ask(client, question, limit_s, doing, &answer, error);
    red_client_record_failure(client, strategy, red_state_of(status));
    if (status == RED_OK && !red_protocol_read(answer, fields, to))
        status = end_unreadable_worker(client, strategy, error);
    json_decref(answer);
    return status;
}

/* The same about the device alone: no strategy is at work. */
static enum red_status ask_about_device(struct red_client *client, const char *doing, json_t *question,
                                        const struct red_field *fields, void *to, struct red_error *error) {
    return red_client_ask_and_read(client, question, red_patience_s(client->program), doing, NULL, fields, to,
                                   error);
}

/* The same about a case; `doing_what` is what it does: "verifying". What the device cannot run is not even
 * asked. */
static enum red_status ask_about_case(struct red_client *client, const char *doing_what, json_t *question,
                                      const struct red_case *spec, double expected_s,
                                      const struct red_field *fields, void *to, struct red_error *error) {
    char doing[256];
    enum red_status status = RED_OK;
    if (spec->strategy != NULL)
        status = red_client_check_support(client, spec->strategy, spec->data.dtype, spec->data.op,
                                          spec->tuning.group_size, error);
    if (status != RED_OK) {
        json_decref(question);
        return status;
    }
    int used = snprintf(doing, sizeof doing, "%s %s, %s of %s, n = %llu", doing_what,
                        spec->strategy ? spec->strategy->name : "the read roof", spec->data.op->name,
                        spec->data.dtype->name, (unsigned long long)spec->n);
    if (spec->tuning.group_size > 0)
        snprintf(doing + used, sizeof doing - (size_t)used, ", group size %zu", spec->tuning.group_size);
    json_object_set_new(question, "case", red_protocol_case(spec));
    return red_client_ask_and_read(client, question, question_limit_s(client, spec, expected_s), doing,
                                   spec->strategy, fields, to, error);
}

/* The same for a question that may crash again: RED_E_UNTRIED if the strategy crashed or hung too often. */
static enum red_status ask_unless_failed(struct red_client *client, const char *doing_what, json_t *question,
                                         const struct red_case *spec, double expected_s,
                                         const struct red_field *fields, void *to, struct red_error *error) {
    enum red_status status = refuse_failed_strategy(client, spec->strategy, error);
    if (status == RED_OK)
        return ask_about_case(client, doing_what, question, spec, expected_s, fields, to, error);
    json_decref(question);
    return status;
}

/* red_case_require_right (run/session.c) asks it, and verify/numerics.c for --accuracy and --special. */
enum red_status red_client_verify(struct red_client *client, const struct red_case *spec, bool timed_only,
                                  double expected_s, struct red_verification *verification,
                                  struct red_error *error) {
    json_t *question = json_pack("{s:s, s:b}", "do", "verify", "timed_only", (int)timed_only);
    return ask_unless_failed(client, "verifying", question, spec, expected_s,
                             red_protocol_verification_fields, verification, error);
}

/* verify/stress.c asks it. */
enum red_status red_client_stress(struct red_client *client, const struct red_case *spec, double seconds,
                                  uint64_t seed, struct red_stress *found, struct red_error *error) {
    json_t *question = json_pack("{s:s, s:o, s:I}", "do", "stress", "seconds", red_json_any_real(seconds),
                                 "seed", (json_int_t)seed);
    return ask_unless_failed(client, "stressing", question, spec, seconds, red_protocol_stress_fields, found,
                             error);
}

/* The user sees it as `over-budget` and projected_s of a cell (run/bench.c). */
enum red_status red_client_time_calls(struct red_client *client, const struct red_case *spec,
                                      unsigned calls_max, double limit_s, double expected_s,
                                      double *shortest_s, struct red_error *error) {
    json_t *question = json_pack("{s:s, s:o, s:o}", "do", "time", "calls", red_json_any_real(calls_max),
                                 "limit_s", red_json_any_real(limit_s));
    return ask_unless_failed(client, "trying", question, spec, expected_s, red_protocol_call_fields,
                             shortest_s, error);
}

/* bench and duel ask it for a cell before it is timed, bench and devices for a roof. */
enum red_status red_client_prepare(struct red_client *client, const struct red_case *spec, unsigned calls_max,
                                   double limit_s, struct red_ready *ready, struct red_error *error) {
    *ready = (struct red_ready){.bytes = 0};
    json_t *question = json_pack("{s:s, s:o, s:o}", "do", "ready", "calls", red_json_any_real(calls_max),
                                 "limit_s", red_json_any_real(limit_s));
    return ask_unless_failed(client, "warming up", question, spec, limit_s, red_protocol_ready_fields, ready,
                             error);
}

/* This makes a sample of bench: time_to_answer of the result file. */
enum red_status red_client_batch(struct red_client *client, const struct red_case *spec, uint64_t calls_n,
                                 const struct red_batch_care *care, double expected_s,
                                 struct red_gbench_time *time, struct red_error *error) {
    json_t *question =
        json_pack("{s:s, s:o, s:o, s:b}", "do", "batch", "calls", red_json_any_real((double)calls_n),
                  "wake_s", red_json_any_real(care->wake_s), "check_stale", (int)care->check_stale);
    return ask_about_case(client, "measuring", question, spec, expected_s + care->wake_s,
                          red_protocol_batch_fields, time, error);
}

/* bench keeps it as device_time_s and launches of the result file. */
enum red_status red_client_profile(struct red_client *client, const struct red_case *spec, double expected_s,
                                   struct red_profile *profile, struct red_error *error) {
    return ask_about_case(client, "profiling", json_pack("{s:s}", "do", "profile"), spec, expected_s,
                          red_protocol_profile_fields, profile, error);
}

/* bench keeps it as back_to_back_s of the result file. */
enum red_status red_client_back_to_back(struct red_client *client, const struct red_case *spec,
                                        uint64_t calls_n, double expected_s, struct red_samples *times,
                                        struct red_error *error) {
    json_t *question =
        json_pack("{s:s, s:o}", "do", "back_to_back", "calls", red_json_any_real((double)calls_n));
    return ask_about_case(client, "calling back to back", question, spec, expected_s,
                          red_protocol_times_fields, times, error);
}

/* bench keeps it as event_floor_s of the result file. */
enum red_status red_client_event_floor(struct red_client *client, struct red_samples *times,
                                       struct red_error *error) {
    return ask_about_device(client, "profiling an empty kernel", json_pack("{s:s}", "do", "floor"),
                            red_protocol_times_fields, times, error);
}

/* `devices` shows it as "trusted, step 1 ns"; bench prints "event times untrusted", and keeps it as
 * event_times. */
enum red_status red_client_event_clock(struct red_client *client, struct red_event_clock *event_clock,
                                       struct red_error *error) {
    struct red_error found = {.text = ""};
    enum red_status status = RED_OK;
    *event_clock = (struct red_event_clock){.checked = false};
    for (int series = 0; series < 3 && status == RED_OK && !event_clock->trusted; series++) {
        struct red_clock_sample samples[RED_CLOCK_SAMPLES_N];
        status = ask_about_device(client, "checking event times", json_pack("{s:s}", "do", "clock_samples"),
                                  red_protocol_clock_samples_fields, samples, &found);
        if (status == RED_OK)
            red_event_clock_judge(samples, event_clock);
    }
    if (status == RED_OK)
        return RED_OK;
    *event_clock = (struct red_event_clock){.checked = status == RED_E_UNSUPPORTED};
    snprintf(event_clock->reason, sizeof event_clock->reason, "%.150s", found.text);
    return status == RED_E_UNSUPPORTED ? RED_OK : red_fail(error, status, "%s", found.text);
}

/* The times of one side in a block of a duel, from which the verdict follows. */
enum red_status red_client_batches(struct red_client *client, const struct red_case *spec, uint64_t calls_n,
                                   size_t batches_n, bool check_stale, double expected_s,
                                   struct red_batches *batches, struct red_error *error) {
    json_t *question =
        json_pack("{s:s, s:o, s:o, s:b}", "do", "batches", "calls", red_json_any_real((double)calls_n),
                  "batches", red_json_any_real((double)batches_n), "check_stale", (int)check_stale);
    *batches = (struct red_batches){.told_ns = red_clock_ns(), .n = batches_n};
    enum red_status status = ask_about_case(client, "measuring", question, spec, expected_s,
                                            red_protocol_batches_fields, batches, error);
    batches->heard_ns = red_clock_ns();
    return status;
}

/* The chain, a reference workload of a duel on a GPU: chain_ns. */
enum red_status red_client_clock_sample(struct red_client *client, uint32_t steps, double *took_s,
                                        struct red_error *error) {
    return ask_about_device(client, "timing a fixed chain",
                            json_pack("{s:s, s:o}", "do", "clock_sample", "steps", red_json_any_real(steps)),
                            red_protocol_took_fields, took_s, error);
}

static json_t *progress_question(unsigned i, bool by_ticket, int launches_n) {
    return json_pack("{s:s, s:i, s:b, s:i}", "do", "progress", "test", (int)i, "by_ticket", (int)by_ticket,
                     "launches", launches_n);
}

/* For litmus --progress. It is built by a question of its own, which has the usual time. */
enum red_status red_client_progress(struct red_client *client, unsigned i, bool by_ticket, double limit_s,
                                    enum red_answer *answer, struct red_error *error) {
    enum { LAUNCHES_N = 5 };
    static const struct red_field nothing[] = {{.key = NULL}};
    struct red_error found = {.text = ""};
    enum red_status status = ask_about_device(client, "building a test of progress",
                                              progress_question(i, by_ticket, 0), nothing, NULL, error);
    if (status != RED_OK)
        return status;
    status = red_client_ask_and_read(client, progress_question(i, by_ticket, LAUNCHES_N), limit_s,
                                     "running a test of progress", NULL, nothing, NULL, &found);
    *answer = status == RED_OK ? RED_YES : status == RED_E_TIMED_OUT ? RED_NO : RED_UNKNOWN;
    return status == RED_E_INTERRUPTED ? red_fail(error, status, "%s", found.text) : RED_OK;
}

enum red_status red_client_drives_display(struct red_client *client, enum red_answer *answer,
                                          struct red_error *error) {
    json_t *reply = NULL;
    enum red_status status =
        red_client_ask(client, json_pack("{s:s}", "do", "display"), red_patience_s(client->program),
                       "asking for a display", &reply, error);
    const json_int_t value = json_integer_value(json_object_get(reply, "display"));
    *answer = value > 0 && value < RED_ANSWERS_N ? (enum red_answer)value : RED_UNKNOWN;
    json_decref(reply);
    return status;
}

/* The re-layout of a duel. */
enum red_status red_client_move_data(struct red_client *client, struct red_error *error) {
    static const struct red_field nothing[] = {{.key = NULL}};
    return ask_about_device(client, "moving its data", json_pack("{s:s}", "do", "move"), nothing, NULL,
                            error);
}

/* Asks a worker that runs to do `what` ("rest" or "forget"), starts none, and waits. The answer, which the
 * caller releases, or NULL. */
static json_t *ask_if_running(struct red_client *client, const char *what) {
    json_t *answer = NULL;
    if (red_process_is_started(client->worker) && !client->crashed && client->lost.status == RED_OK)
        (void)red_client_ask(client, json_pack("{s:s}", "do", what), red_patience_s(client->program),
                             "letting go", &answer, NULL);
    return answer;
}

/* bench and devices call it: the host's threads must not spin while a device is timed. */
void red_client_stop_spinning(struct red_client *client) {
    json_decref(ask_if_running(client, "rest"));
}

/* devices and verify call it; verify --soak prints the number. */
uint64_t red_client_release_and_count_programs(struct red_client *client) {
    json_t *answer = ask_if_running(client, "forget");
    json_int_t programs_n = json_integer_value(json_object_get(answer, "programs"));
    json_decref(answer);
    if (red_client_worker_memory_bytes(client) > KEPT_BYTES_MAX)
        red_process_stop(client->worker);
    return programs_n > 0 ? (uint64_t)programs_n : 0;
}
