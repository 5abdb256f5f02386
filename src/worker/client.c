/* Starts workers and probes capabilities. bench, verify, devices and emit (run/session.c) and duel
 * (gate/side.c) have a client for each device of --device; a crash or a hang becomes the error of one
 * question, and so state and reason of a cell. The table `questions` of worker/server.c says who answers
 * "do". */
#include "core/interrupt.h"
#include "worker/worker_private.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "worker/protocol.h"

enum { PATIENCE_S = 120, PROBE_S = 60, KILLS_MAX = 16, HUNG_PROBES_MAX = 3 };

/* ---- opening ------------------------------------------------------------------------------------------- */

/* --patience sets it; the message of a hang has it: "no answer in 120 s while ...". */
double red_patience_s(const struct red_client_program *program) {
    return program->patience_s > 0 ? program->patience_s : PATIENCE_S;
}

/* Asks a worker that this file or worker/icd.c has started; the error is that of red_process_receive. */
enum red_status red_client_ask_process(struct red_process *process, json_t *question, double limit_s,
                                       const char *doing, json_t **answer, struct red_error *error) {
    enum red_status status = red_process_send(process, question, error);
    return status == RED_OK ? red_process_receive(process, limit_s, doing, answer, error) : status;
}

/* Asks the worker or a prober to open the device, and after a crash to run a simple kernel. */
static enum red_status send_open(struct red_client *client, struct red_process *process,
                                 bool with_health_check, struct red_error *error) {
    red_process_set_name(process, client->info.id);
    json_t *question =
        json_pack("{s:s, s:s, s:b}", "do", "open", "id", client->info.id, "health", (int)with_health_check);
    bool keeps = client->program->binaries != NULL && red_device_compiles_anew(&client->info);
    if (process == client->worker && keeps) /* what is probed must be built */
        json_object_set_new(question, "binaries", red_json_any_text(client->program->binaries));
    return red_process_send(process, question, error);
}

/* Waits until the process (the worker or a prober) has opened the device; keeps in the client what the driver
 * advertises. */
static enum red_status receive_open(struct red_client *client, struct red_process *process,
                                    struct red_error *error) {
    json_t *answer = NULL;
    enum red_status status =
        red_process_receive(process, red_patience_s(client->program), "opening the device", &answer, error);
    const json_t *advertised = json_object_get(answer, "advertised");
    for (size_t need = 0; need < RED_NEEDS_N && need < json_array_size(advertised); need++) {
        json_int_t value = json_integer_value(json_array_get(advertised, need));
        client->advertised[need] = value > 0 && value < RED_ANSWERS_N ? (enum red_answer)value : RED_UNKNOWN;
    }
    json_decref(answer);
    return status;
}

/* Tells the worker what probes in other processes found and it was not told yet, and waits until it knows:
 * it builds kernels by that. */
static enum red_status tell_new_capabilities(struct red_client *client, struct red_error *error) {
    json_t *rows = json_array(), *answer = NULL;
    for (int need = 0; need < RED_NEEDS_N; need++) {
        for (int standard = 0; standard < RED_C_STANDARDS_N; standard++) {
            if (!client->capabilities.known[need][standard] || client->sent[need][standard])
                continue;
            json_t *row =
                red_fields_json(red_protocol_capability_fields, &client->capabilities.of[need][standard]);
            json_object_set_new(row, "need", json_integer(need));
            json_object_set_new(row, "standard", json_integer(standard));
            json_array_append_new(rows, row);
            client->sent[need][standard] = true;
        }
    }
    bool any = json_array_size(rows) > 0;
    json_t *question = json_pack("{s:s, s:o}", "do", "know", "capabilities", rows);
    enum red_status status = RED_OK;
    if (any)
        status =
            red_client_ask_process(client->worker, json_incref(question), red_patience_s(client->program),
                                   "being told of capabilities", &answer, error);
    json_decref(question);
    json_decref(answer);
    return status;
}

/* Counts a process that a user or the system has killed. True: ask once more, 16 times for a device. */
static bool count_kill_for_retry(struct red_client *client, const struct red_process *process,
                                 enum red_status status) {
    return status == RED_E_CRASHED && red_process_ended_without_blame(process) &&
           client->killed_n++ < KILLS_MAX;
}

/* Marks the device as lost if opening it has failed, unless that was interrupted or somebody killed the
 * process. Later cells of the device have this text as their reason. */
static void mark_lost_if_failed(struct red_client *client, const struct red_process *process,
                                enum red_status status, const char *text) {
    if (status != RED_OK && status != RED_E_INTERRUPTED && !red_process_ended_without_blame(process))
        red_fail(&client->lost, status, "%s%.3000s",
                 client->crashed ? "the device is lost since the driver crashed or hung: " : "", text);
}

/* Whether the device has no worker that has it open: not yet, or not any more. */
static bool needs_opening(const struct red_client *client) {
    return !red_process_is_started(client->worker) || !client->opened || client->crashed;
}

/* Starts the worker if need be and asks it to open the device, and does not wait. */
static enum red_status begin_opening(struct red_client *client, struct red_error *error) {
    memset(client->sent, 0, sizeof client->sent);
    client->opened = false;
    enum red_status status = send_open(client, client->worker, client->crashed && !client->is_host, error);
    client->opening = status == RED_OK;
    return status;
}

/* Starts a worker and opens the device if need be, and tells what is known of it. A lost device stays lost.
 * Called before each question, and by gate/side.c for each process pair. */
enum red_status red_client_start(struct red_client *client, struct red_error *error) {
    struct red_error found = {.text = ""};
    enum red_status status = RED_OK;
    if (client->lost.status != RED_OK)
        return red_fail(error, client->lost.status, "%s", client->lost.text);
    if (needs_opening(client)) {
        status = client->opening && red_process_is_started(client->worker) ? RED_OK
                                                                           : begin_opening(client, &found);
        if (status == RED_OK)
            status = receive_open(client, client->worker, &found);
        mark_lost_if_failed(client, client->worker, status, found.text);
        client->opened = status == RED_OK;
        client->opening = client->crashed = false;
    }
    if (status != RED_OK)
        return red_fail(error, status, "%s", client->lost.text[0] ? client->lost.text : found.text);
    return client->is_host ? RED_OK : tell_new_capabilities(client, error);
}

/* Asks for worker/client_asks.c. A worker that was killed from outside is asked once more. One whose device
 * has failed is ended, so that the next question meets another: a kernel that writes where it must not spoils
 * its context for good, and NVIDIA's driver then answers CL_OUT_OF_RESOURCES to all that follows. */
enum red_status red_client_ask(struct red_client *client, json_t *question, double limit_s, const char *doing,
                               json_t **answer, struct red_error *error) {
    enum red_status status = RED_OK;
    *answer = NULL;
    do {
        status = red_client_start(client, error);
        if (status == RED_OK)
            status =
                red_client_ask_process(client->worker, json_incref(question), limit_s, doing, answer, error);
        client->crashed = client->crashed || status == RED_E_CRASHED || status == RED_E_TIMED_OUT;
        if (status == RED_E_DEVICE && client->opened)
            red_client_stop_worker(client);
    } while (count_kill_for_retry(client, client->worker, status));
    json_decref(question);
    return status;
}

/* ---- capabilities ----------------------------------------------------------------------------------------
 * What is found is seen in the columns of `devices`, in `capabilities` of the result file, and as the reason
 * of `unsupported` cells. do_probe of worker/server.c answers a prober. */

/* "probing collectives" */
static const char *probe_doing_format(enum red_need_index need, char *text, size_t text_bytes) {
    char name[64];
    red_needs_format(RED_SET(need), name, sizeof name);
    snprintf(text, text_bytes, "probing %s", name);
    return text;
}

/* Asks one of its probers for one capability; its process is started and opens the device first if need be.
 */
static enum red_status send_probe(struct red_client *client, size_t prober, enum red_need_index need,
                                  enum red_c_standard standard, struct red_error *error) {
    enum red_status status = RED_OK;
    if (client->probers[prober] == NULL)
        status = red_process_create(client->program, &client->probers[prober], error);
    if (status == RED_OK && client->lost.status != RED_OK)
        status = red_fail(error, client->lost.status, "%s", client->lost.text);
    if (status == RED_OK && client->unprobed.status != RED_OK)
        status = red_fail(error, client->unprobed.status, "%s", client->unprobed.text);
    if (status == RED_OK && !red_process_is_started(client->probers[prober])) {
        status = send_open(client, client->probers[prober], false, error);
        if (status == RED_OK)
            status = receive_open(client, client->probers[prober], error);
        if (prober == 0)
            mark_lost_if_failed(client, client->probers[prober], status, error->text);
    }
    if (status == RED_OK)
        status = red_process_send(client->probers[prober],
                                  json_pack("{s:s, s:i, s:i, s:o}", "do", "probe", "need", (int)need,
                                            "standard", (int)standard, "so_far",
                                            red_fields_json(red_protocol_capability_fields,
                                                            &client->capabilities.of[need][standard])),
                                  error);
    return status;
}

/* "the driver crashed (SIGABRT): its last words", without what the place of the message tells. */
static void shorten_crash_text(const char *text, char *shorter, size_t bytes) {
    static const char last_words[] = "last words: ";
    const char *doing = strstr(text, " while "), *words = strstr(text, last_words);
    snprintf(shorter, bytes, "%.*s%s%.140s", doing ? (int)(doing - text) : 200, text, words ? ": " : "",
             words ? words + sizeof last_words - 1 : "");
}

/* Records a crash or a hang as the answer of one form at one group size, where a need is judged by these:
 * true, and the others are to be asked by another process. False where it costs the whole need. */
static bool record_form_failure_if_known(struct red_client *client, size_t prober,
                                         struct red_capability *capability, enum red_status status,
                                         const char *text) {
    struct red_capability so_far = {.reason = ""};
    const json_t *step = red_process_last_report(client->probers[prober]);
    char shorter[352];
    int form = -1, size = -1;
    if (json_unpack((json_t *)(uintptr_t)step, "{s:i, s:i}", "form", &form, "size", &size) != 0 ||
        !red_protocol_read(json_object_get(step, "so_far"), red_protocol_capability_fields, &so_far) ||
        form < 0 || (size_t)form >= so_far.forms_n || size < 0 || size >= RED_GROUP_SIZES_N)
        return false;
    *capability = so_far;
    shorten_crash_text(text, shorter, sizeof shorter);
    red_capability_record_crash(capability, (size_t)form, (unsigned)size, status, shorter);
    return true;
}

/* Waits for the answer of that prober; `status` is that of sending the question. A crash or a hang means that
 * the need does not behave. What was not asked (interrupt, no process) stays not known. False: ask again. */
static bool receive_probe(struct red_client *client, size_t prober, enum red_need_index need,
                          struct red_capability *capability, enum red_status status,
                          struct red_error *error) {
    char doing[96];
    json_t *answer = NULL;
    bool told = status == RED_OK;
    if (told)
        status = red_process_receive(client->probers[prober], fmin(PROBE_S, red_patience_s(client->program)),
                                     probe_doing_format(need, doing, sizeof doing), &answer, error);
    if (status == RED_OK && !red_protocol_read(answer, red_protocol_capability_fields, capability))
        status = red_fail(error, RED_E_DEVICE, "the driver has broken the process that probes it");
    json_decref(answer);
    if (status == RED_E_TIMED_OUT && ++client->hung_probes_n == HUNG_PROBES_MAX)
        red_fail(&client->unprobed, status, "not probed: %d probes before have hung", HUNG_PROBES_MAX);
    if (status != RED_OK && count_kill_for_retry(client, client->probers[prober], status))
        return false;
    if (told && (status == RED_E_CRASHED || status == RED_E_TIMED_OUT) &&
        record_form_failure_if_known(client, prober, capability, status, error->text))
        return false;
    bool begun = false; /* what was right before no process could be had stays so */
    for (size_t f = 0; f < capability->forms_n; f++)
        begun = begun || red_group_sizes_any_right(&capability->forms[f].sizes);
    if (status != RED_OK && !told && begun && status != RED_E_INTERRUPTED)
        red_capability_judge(need, capability, true);
    else if (status != RED_OK) {
        bool runs = strstr(error->text, "group size") != NULL;
        *capability =
            (struct red_capability){.advertised = client->advertised[need],
                                    .builds = runs ? RED_YES : RED_UNKNOWN,
                                    .behaves = told && status != RED_E_INTERRUPTED ? RED_NO : RED_UNKNOWN};
        snprintf(capability->reason, sizeof capability->reason, "%.*s", (int)sizeof capability->reason - 1,
                 error->text);
    }
    if (client->program->trusts_what_builds)
        red_capability_trust(capability);
    return true;
}

/* The `ask` of the client's capabilities, called for one that is not known: runs a probe in another process,
 * and waits for it. context: the client. */
static void probe_capability(void *context, enum red_need_index need, enum red_c_standard standard,
                             struct red_capability *capability) {
    struct red_client *client = context;
    struct red_error error = {.text = ""};
    *capability = (struct red_capability){.advertised = client->advertised[need]};
    if (red_interrupted()) {
        snprintf(capability->reason, sizeof capability->reason, "interrupted before it was known");
        return;
    }
    while (!receive_probe(client, 0, need, capability, send_probe(client, 0, need, standard, &error), &error))
        ;
}

/* Questions that a device is to be asked. */
struct wanted_probes {
    bool of[RED_NEEDS_N][RED_C_STANDARDS_N];
    bool has_first; /* of the call of red_capability_choose_standard at hand */
};

/* Marks the next standard that is unknown, for each need. */
static void mark_next_unknown_of_each_need(const struct red_client *client, struct wanted_probes *wanted) {
    for (int need = 0; need < RED_NEEDS_N; need++) {
        enum red_c_standard standard =
            red_capability_next_unknown_standard(&client->capabilities, (enum red_need_index)need);
        if (standard != RED_C_STANDARDS_N)
            wanted->of[need][standard] = true;
    }
}

/* A red_capability_ask that notes the first question only: whether there is another one follows from its
 * answer. */
static void note_first_question(void *context, enum red_need_index need, enum red_c_standard standard,
                                struct red_capability *capability) {
    struct wanted_probes *wanted = context;
    if (!wanted->has_first)
        wanted->of[need][standard] = true;
    wanted->has_first = true;
    *capability = (struct red_capability){.behaves = RED_NO};
}

/* `known` is a copy of what the device is known to do; what the call took for known there is forgotten. Marks
 * the first question. */
static void mark_first_question(const struct red_client *client, const struct red_strategy *strategy,
                                const struct red_dtype *dtype, const struct red_op *op,
                                struct red_capabilities *known, struct wanted_probes *wanted) {
    enum red_c_standard standard;
    if (red_strategy_check_type_and_op(strategy, dtype, op, NULL) != RED_OK)
        return;
    known->context = wanted;
    wanted->has_first = false;
    (void)red_capability_choose_standard(&client->info, known, strategy, dtype, op, 0, &standard, NULL);
    memcpy(known->known, client->capabilities.known, sizeof known->known);
}

/* Marks what red_capability_choose_standard would ask first of each case of the choice. */
static void mark_first_questions_of_choice(struct red_client *client, const struct red_choice *choice,
                                           struct wanted_probes *wanted) {
    struct red_capabilities *known = malloc(sizeof *known);
    if (known == NULL)
        return;
    *known = client->capabilities;
    known->ask = note_first_question;
    for (size_t s = 0; s < choice->strategies_n; s++)
        for (size_t t = 0; t < choice->types_n; t++)
            for (size_t o = 0; o < choice->ops_n; o++)
                mark_first_question(client, choice->strategies[s], choice->types[t], choice->ops[o], known,
                                    wanted);
    free(known);
}

/* A question that is on its way. */
struct asked_probe {
    struct red_client *client;
    size_t prober;
    enum red_need_index need;
    enum red_c_standard standard;
    enum red_status status;
    struct red_error error;
};

/* Sends one of a device's probers the next of the wanted questions. True: *asked is to be received (the first
 * prober's even if sending failed). False: no question is left, or this prober cannot be had and is done
 * without. */
static bool send_next_probe(struct red_client *client, size_t prober, struct wanted_probes *wanted,
                            struct asked_probe *asked) {
    for (int i = 0; i < RED_NEEDS_N * RED_C_STANDARDS_N; i++) {
        const enum red_need_index need = (enum red_need_index)(i / RED_C_STANDARDS_N);
        const enum red_c_standard standard = (enum red_c_standard)(i % RED_C_STANDARDS_N);
        if (!wanted->of[need][standard])
            continue;
        wanted->of[need][standard] = false;
        *asked = (struct asked_probe){.client = client, .prober = prober, .need = need, .standard = standard};
        asked->status = send_probe(client, prober, need, standard, &asked->error);
        const bool is_had = prober == 0 || asked->status == RED_OK;
        client->has_one_prober |= !is_had;
        return is_had;
    }
    return false;
}

/* How many questions are asked at a time, each in a prober of its own: several of a CPU, which compiles with
 * one thread, but one after a probe has hung there. */
static size_t questions_at_a_time(const struct red_client *client) {
    const struct red_geometry_limits *shape = &client->info.shape;
    return shape->is_cpu && shape->compute_units > 1 && !client->has_one_prober && client->hung_probes_n == 0
               ? RED_PROBERS_MAX
               : 1;
}

/* Marks the capabilities to ask the device for now: without a choice (`devices`) all that are unknown; of a
 * choice (a session's) only where several probers save time; of the host none. */
static void mark_wanted(struct red_client *client, const struct red_choice *choice,
                        struct wanted_probes *wanted) {
    if (client->is_host)
        return;
    if (choice == NULL)
        mark_next_unknown_of_each_need(client, wanted);
    else if (questions_at_a_time(client) > 1)
        mark_first_questions_of_choice(client, choice, wanted);
}

/* Waits for the answer, and stores it in the client's capabilities. */
static void receive_and_store_probe(struct asked_probe *asked) {
    struct red_capabilities *capabilities = &asked->client->capabilities;
    capabilities->known[asked->need][asked->standard] =
        receive_probe(asked->client, asked->prober, asked->need,
                      &capabilities->of[asked->need][asked->standard], asked->status, &asked->error);
}

/* devices calls it for all that is unknown, and verify by red_session_probe (run/session.c). */
void red_clients_probe(struct red_client *const *clients, size_t clients_n, const struct red_choice *choice) {
    struct asked_probe *asked = calloc(clients_n * RED_PROBERS_MAX + 1, sizeof *asked);
    size_t asked_n = asked != NULL;
    while (asked_n > 0 && !red_interrupted()) {
        asked_n = 0;
        for (size_t r = 0; r < clients_n; r++) {
            struct wanted_probes wanted = {.has_first = false};
            mark_wanted(clients[r], choice, &wanted);
            for (size_t prober = 0; prober < questions_at_a_time(clients[r]) && !red_interrupted(); prober++)
                asked_n += send_next_probe(clients[r], prober, &wanted, &asked[asked_n]);
        }
        for (size_t i = 0; i < asked_n; i++)
            receive_and_store_probe(&asked[i]);
    }
    free(asked);
}

/* Its error is the reason of an `unsupported` cell. Asked before each case (worker/client_asks.c),
 * and for the test plan of verify (verify/parameter_space.c, verify/tally.c: "absent: ..."). */
enum red_status red_client_check_support(struct red_client *client, const struct red_strategy *strategy,
                                         const struct red_dtype *dtype, const struct red_op *op,
                                         size_t group_size, struct red_error *error) {
    enum red_c_standard standard;
    if (client->is_host)
        return RED_OK;
    enum red_status status = red_capability_choose_standard(&client->info, &client->capabilities, strategy,
                                                            dtype, op, group_size, &standard, error);
    /* On a lost device that is the reason. */
    if (red_interrupted())
        return red_fail(error, RED_E_INTERRUPTED, "interrupted");
    return client->lost.status != RED_OK ? red_fail(error, client->lost.status, "%s", client->lost.text)
                                         : status;
}

/* reproduce asks it for a check that left the group size to the default. */
size_t red_client_nearest_group_size(struct red_client *client, const struct red_strategy *strategy,
                                     const struct red_dtype *dtype, const struct red_op *op,
                                     size_t group_size) {
    return client->is_host ? group_size
                           : red_capability_usable_group_size(&client->info, &client->capabilities, strategy,
                                                              dtype, op, group_size);
}

/* ---- making ----------------------------------------------------------------------------------------------
 * run/session.c and gate/side.c make a client for each selected device, gate/loop.c one for the chain on a
 * GPU. */

enum red_status red_client_create(const struct red_client_program *program,
                                  const struct red_device_info *info, struct red_process *process,
                                  struct red_client **client, struct red_error *error) {
    struct red_client *made = calloc(1, sizeof *made);
    if (made == NULL) {
        red_process_destroy(process);
        return red_fail(error, RED_E_MEMORY, "no memory for a device");
    }
    made->program = program;
    made->worker = process;
    made->is_host = info == NULL;
    made->capabilities.ask = probe_capability;
    made->capabilities.context = made;
    if (info != NULL)
        made->info = *info;
    else
        snprintf(made->info.id, sizeof made->info.id, "host");
    *client = made;
    return process == NULL ? red_process_create(program, &made->worker, error) : RED_OK;
}

/* verify calls it: it has a CPU checked by several workers at a time. */
enum red_status red_client_create_another(const struct red_client *client, struct red_client **beside,
                                          struct red_error *error) {
    enum red_status status = red_client_create(client->program, &client->info, NULL, beside, error);
    if (status != RED_OK)
        return status;
    (*beside)->capabilities = client->capabilities;
    (*beside)->capabilities.context = *beside;
    memcpy((*beside)->advertised, client->advertised, sizeof client->advertised);
    return RED_OK;
}

void red_client_destroy(struct red_client *client) {
    if (client == NULL)
        return;
    for (size_t i = 0; i < RED_PROBERS_MAX; i++)
        red_process_destroy(client->probers[i]);
    red_process_destroy(client->worker);
    free(client);
}

/* Messages of all verbs name the device by its id; `devices` and result files show the rest. */
const struct red_device_info *red_client_info(const struct red_client *client) {
    return &client->info;
}

/* bench and verify ask it: what a lost device has not done is done by --resume. */
bool red_client_is_lost(const struct red_client *client) {
    return client->lost.status != RED_OK;
}

/* Begins to end the probers, and does not wait. */
static void begin_closing_probers(struct red_client *client) {
    for (size_t i = 0; i < RED_PROBERS_MAX; i++)
        if (client->probers[i] != NULL)
            red_process_begin_closing(client->probers[i]);
}

/* A session calls it at its end; gate/side.c calls it and the next two to restart the workers for a
 * process pair. */
void red_client_begin_closing(struct red_client *client) {
    begin_closing_probers(client);
    if (client->worker != NULL)
        red_process_begin_closing(client->worker);
}

void red_client_stop_worker(struct red_client *client) {
    red_process_stop(client->worker);
    client->opening = false;
}

void red_client_begin_opening(struct red_client *client) {
    if (client->lost.status == RED_OK && needs_opening(client))
        (void)begin_opening(client, NULL);
}

/* verify calls it before it starts on a device, and bench before it measures. */
void red_client_stop_probers(struct red_client *client) {
    begin_closing_probers(client);
    for (size_t i = 0; i < RED_PROBERS_MAX; i++)
        if (client->probers[i] != NULL)
            red_process_stop(client->probers[i]);
}

/* verify --soak prints it. */
double red_client_worker_memory_bytes(const struct red_client *client) {
    return red_process_memory_bytes(client->worker);
}

/* devices and result files show them; verify judges promises of special values by them. */
struct red_capabilities *red_client_capabilities(struct red_client *client) {
    return &client->capabilities;
}

/* ---- several devices at the same time ----------------------------------------------------------------- */

/* A message has room for so many; further ones are not prepared here. */
enum { CASES_MAX = 100 };
static const double PROGRAM_S = 0.5; /* both forms of a kernel, by two CPU drivers on a common machine */

/* duel calls it for both sides of a process pair (gate/loop.c). red_worker_prepare_several answers; the
 * user sees nothing of it, but less waiting. */
void red_clients_prepare(struct red_client *const *clients, const struct red_case *const *cases,
                         const size_t *cases_n, size_t clients_n) {
    for (size_t r = 0; r < clients_n; r++) {
        json_t *messages = json_array();
        for (size_t j = 0; j < cases_n[r] && j < CASES_MAX; j++)
            json_array_append_new(messages, red_protocol_case(&cases[r][j]));
        json_t *question = json_pack("{s:s, s:o}", "do", "prepare", "cases", messages);
        if (red_client_start(clients[r], NULL) == RED_OK)
            (void)red_process_send(clients[r]->worker, question, NULL);
        else
            json_decref(question);
    }
    for (size_t r = 0; r < clients_n; r++) {
        json_t *answer = NULL;
        double limit_s = red_patience_s(clients[r]->program) + 10 * PROGRAM_S * (double)cases_n[r];
        if (!red_process_is_started(clients[r]->worker))
            continue;
        enum red_status status =
            red_process_receive(clients[r]->worker, limit_s, "warming up", &answer, NULL);
        clients[r]->crashed |= status == RED_E_CRASHED || status == RED_E_TIMED_OUT;
        json_decref(answer);
    }
}
