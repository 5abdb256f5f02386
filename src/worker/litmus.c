/* Litmus tests through a worker: the question, and the worker's answer. A driver that crashes or hangs in one
 * costs that test alone. */
#include <stdlib.h>
#include <string.h>

#include "cl/litmus.h"
#include "worker/private.h"
#include "worker/server.h"

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
    {OUTCOME("launches_in_step", COUNT, launches_n)},
    {OUTCOME("launches_that_met", COUNT, met_n)},
    {OUTCOME("environments", COUNT, environments_n)},
    {.key = NULL}};

#define STRESS(key, member) RED_FIELD(struct red_litmus_stress, key, COUNT, member)
static const struct red_field stress_fields[] = {{STRESS("words_asked", words_asked)},
                                                 {STRESS("words_written", words_written)},
                                                 {STRESS("groups", groups_n)},
                                                 {STRESS("groups_met", groups_met_n)},
                                                 {.key = NULL}};

/* ---- the question ----------------------------------------------------------------------------------------
 */

/* Asks, and reads the answer by the table. */
static enum red_status ask(struct red_client *client, json_t *question, double limit_s, const char *doing,
                           const struct red_field *fields, void *to, struct red_error *error) {
    json_t *answer = NULL;
    enum red_status status = red_client_ask(client, question, limit_s, doing, &answer, error);
    if (status == RED_OK && !red_protocol_read(answer, fields, to))
        status = red_fail(error, RED_E_CRASHED, "the driver of %s has broken the process that works with it",
                          client->info.id);
    json_decref(answer);
    return status;
}

enum red_status red_client_litmus(struct red_client *client, const char *test, uint64_t seed, double budget_s,
                                  struct red_litmus_outcome *outcome, struct red_error *error) {
    char doing[64];
    snprintf(doing, sizeof doing, "running litmus test %s", test);
    json_t *question = json_pack("{s:s, s:s, s:I, s:o}", "do", "litmus", "test", test, "seed",
                                 (json_int_t)seed, "budget_s", red_json_any_real(budget_s));
    return ask(client, question, red_patience_s(client->program) + budget_s, doing, outcome_fields, outcome,
               error);
}

enum red_status red_client_litmus_stress(struct red_client *client, uint64_t seed,
                                         struct red_litmus_stress *stress, struct red_error *error) {
    return ask(client, json_pack("{s:s, s:I}", "do", "litmus_stress", "seed", (json_int_t)seed),
               red_patience_s(client->program), "checking the stress of litmus tests", stress_fields, stress,
               error);
}

/* ---- the answer ------------------------------------------------------------------------------------------
 */

json_t *red_worker_litmus(struct red_worker *worker, const json_t *question, struct red_error *error) {
    struct red_litmus_test *tests = NULL;
    struct red_litmus_outcome outcome;
    size_t tests_n = 0, i = 0;
    double budget_s = 0;
    const char *name = json_string_value(json_object_get(question, "test"));
    const json_int_t seed = json_integer_value(json_object_get(question, "seed"));
    enum red_status status = red_litmus_list(&tests, &tests_n, error);
    while (status == RED_OK && i < tests_n && (name == NULL || strcmp(tests[i].name, name) != 0))
        i++;
    if (status == RED_OK &&
        (i == tests_n || !red_json_read_any_real(json_object_get(question, "budget_s"), &budget_s)))
        status = red_fail(error, RED_E_INPUT, "no such litmus test");
    if (status == RED_OK)
        status = red_litmus_run(worker->device, &tests[i], (uint64_t)seed, budget_s, &outcome, error);
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
