/* Litmus tests through a worker: the question, and the worker's answer. A driver that crashes or hangs in one
 * costs that test alone. */
#include <stdlib.h>

#include "cl/litmus.h"
#include "worker/server.h"
#include "worker/worker_private.h"

#define SEEN(key, kind, member) RED_FIELD(struct red_litmus_seen, key, kind, member)
static const struct red_field seen_fields[] = {{SEEN("instances", COUNT, instances)},
                                               {SEEN("weak", COUNT, weak)},
                                               {SEEN("first_s", AMOUNT, first_s)},
                                               {.key = NULL}};

#define OUTCOME(key, kind, member) RED_FIELD(struct red_litmus_outcome, key, kind, member)
static const struct red_field outcome_fields[] = {
    {OUTCOME("seen", LIST, of), .members = seen_fields, .max = 1 + RED_LITMUS_MUTANTS_MAX,
     RED_ELEMENTS(struct red_litmus_outcome, of), RED_COUNT(struct red_litmus_outcome, variants_n)},
    {OUTCOME("took_s", AMOUNT, took_s)},
    {.key = NULL}};

#define STRESS(key, member) RED_FIELD(struct red_litmus_stress, key, COUNT, member)
static const struct red_field stress_fields[] = {{STRESS("words_asked", words_asked)},
                                                 {STRESS("words_written", words_written)},
                                                 {STRESS("groups", groups_n)},
                                                 {STRESS("groups_met", groups_met_n)},
                                                 {.key = NULL}};

/* ---- the question -------------------------------------------------------------------------------------- */

enum red_status red_client_litmus(struct red_client *client, const char *test, const char *beside,
                                  uint64_t seed, double budget_s, struct red_litmus_outcome *outcome,
                                  struct red_error *error) {
    char doing[64];
    snprintf(doing, sizeof doing, "running litmus test %s", test);
    json_t *question = json_pack("{s:s, s:s, s:s*, s:I, s:o}", "do", "litmus", "test", test, "beside", beside,
                                 "seed", (json_int_t)seed, "budget_s", red_json_any_real(budget_s));
    return red_client_ask_and_read(client, question, red_patience_s(client->program) + budget_s, doing, NULL,
                                   outcome_fields, outcome, error);
}

enum red_status red_client_litmus_stress(struct red_client *client, uint64_t seed,
                                         struct red_litmus_stress *stress, struct red_error *error) {
    return red_client_ask_and_read(client,
                                   json_pack("{s:s, s:I}", "do", "litmus_stress", "seed", (json_int_t)seed),
                                   red_patience_s(client->program), "checking the stress of litmus tests",
                                   NULL, stress_fields, stress, error);
}

/* ---- the answer ---------------------------------------------------------------------------------------- */

json_t *red_worker_litmus(struct red_worker *worker, const json_t *question, struct red_error *error) {
    struct red_litmus_test *tests = NULL;
    const struct red_litmus_test *test = NULL;
    struct red_litmus_outcome outcome;
    size_t tests_n = 0;
    double budget_s = 0;
    const json_int_t seed = json_integer_value(json_object_get(question, "seed"));
    const char *beside = json_string_value(json_object_get(question, "beside"));
    enum red_status status = red_litmus_list(&tests, &tests_n, error);
    if (status == RED_OK)
        test = red_litmus_by_name(tests, tests_n, json_string_value(json_object_get(question, "test")));
    if (test != NULL && red_json_read_any_real(json_object_get(question, "budget_s"), &budget_s))
        status = red_litmus_run(worker->device, tests, tests_n, test, beside, (uint64_t)seed, budget_s,
                                &outcome, error);
    else if (status == RED_OK)
        status = red_fail(error, RED_E_INPUT, "no such litmus test");
    free(tests);
    return status == RED_OK ? red_fields_json(outcome_fields, &outcome) : NULL;
}

json_t *red_worker_litmus_stress(struct red_worker *worker, const json_t *question, struct red_error *error) {
    struct red_litmus_stress stress;
    const json_int_t seed = json_integer_value(json_object_get(question, "seed"));
    return red_litmus_check_stress(worker->device, (uint64_t)seed, &stress, error) == RED_OK
               ? red_fields_json(stress_fields, &stress)
               : NULL;
}
