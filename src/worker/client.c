#include "core/interrupt.h"
#include "worker/client_private.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "worker/protocol.h"

enum { PATIENCE_S = 120, PROBE_S = 60, KILLS_MAX = 16, HUNG_PROBES_MAX = 3 };

/* ---- opening ---------------------------------------------------------------------------------------------
 */

double red_remote_program_patience_s(const struct red_remote_program *program) {
    return program->patience_s > 0 ? program->patience_s : PATIENCE_S;
}

double red_remote_patience_s(const struct red_remote *remote) {
    return red_remote_program_patience_s(remote->program);
}

enum red_status red_remote_ask_child(struct red_child *child, json_t *question, double limit_s,
                                     const char *doing, json_t **answer, struct red_error *error) {
    enum red_status status = red_child_tell(child, question, error);
    return status == RED_OK ? red_child_hear(child, limit_s, doing, answer, error) : status;
}

static enum red_status open_tell(struct red_remote *remote, struct red_child *child, bool health,
                                 struct red_error *error) {
    red_child_name(child, remote->info.id);
    json_t *question =
        json_pack("{s:s, s:s, s:b}", "do", "open", "id", remote->info.id, "health", (int)health);
    bool keeps = remote->program->binaries != NULL && red_device_compiles_anew(&remote->info);
    if (child == remote->worker && keeps) /* what is probed must be built */
        json_object_set_new(question, "binaries", red_wire_text(remote->program->binaries));
    return red_child_tell(child, question, error);
}

static enum red_status open_hear(struct red_remote *remote, struct red_child *child,
                                 struct red_error *error) {
    json_t *answer = NULL;
    enum red_status status =
        red_child_hear(child, red_remote_patience_s(remote), "opening the device", &answer, error);
    const json_t *advertised = json_object_get(answer, "advertised");
    for (size_t need = 0; need < RED_NEEDS_N && need < json_array_size(advertised); need++) {
        json_int_t value = json_integer_value(json_array_get(advertised, need));
        remote->advertised[need] = value > 0 && value < RED_ANSWERS_N ? (enum red_answer)value : RED_UNKNOWN;
    }
    json_decref(answer);
    return status;
}

/* What was found out in other processes, as far as this worker has not heard of it. */
static enum red_status send_capabilities(struct red_remote *remote, struct red_error *error) {
    json_t *rows = json_array(), *answer = NULL;
    for (int need = 0; need < RED_NEEDS_N; need++) {
        for (int standard = 0; standard < RED_C_STANDARDS_N; standard++) {
            if (!remote->capabilities.known[need][standard] || remote->sent[need][standard])
                continue;
            json_t *row = red_wire_capability(&remote->capabilities.of[need][standard]);
            json_object_set_new(row, "need", json_integer(need));
            json_object_set_new(row, "standard", json_integer(standard));
            json_array_append_new(rows, row);
            remote->sent[need][standard] = true;
        }
    }
    bool any = json_array_size(rows) > 0;
    json_t *question = json_pack("{s:s, s:o}", "do", "know", "capabilities", rows);
    enum red_status status = RED_OK;
    if (any)
        status = red_remote_ask_child(remote->worker, json_incref(question), red_remote_patience_s(remote),
                                      "being told of capabilities", &answer, error);
    json_decref(question);
    json_decref(answer);
    return status;
}

/* Whether what a child did not answer is to be asked once more: a system that is out of memory, or a user,
 * has killed it. Not without end, however. */
static bool is_worth_another(struct red_remote *remote, const struct red_child *child,
                             enum red_status status) {
    return status == RED_E_CRASHED && red_child_was_killed(child) && remote->killed_n++ < KILLS_MAX;
}

/* Where opening failed nothing else is tried. */
static void lose(struct red_remote *remote, const struct red_child *child, enum red_status status,
                 const char *text) {
    if (status != RED_OK && status != RED_E_INTERRUPTED && !red_child_was_killed(child))
        red_fail(&remote->lost, status, "%s%.3000s",
                 remote->crashed ? "the device is lost since the driver crashed or hung: " : "", text);
}

static bool needs_opening(const struct red_remote *remote) {
    return !red_child_is_running(remote->worker) || !remote->opened || remote->crashed;
}

static enum red_status open_begin(struct red_remote *remote, struct red_error *error) {
    memset(remote->sent, 0, sizeof remote->sent);
    remote->opened = false;
    enum red_status status = open_tell(remote, remote->worker, remote->crashed && !remote->is_host, error);
    remote->opening = status == RED_OK;
    return status;
}

/* A worker that knows what there is to know. A device that cannot be opened stays so. */
static enum red_status ensure_worker(struct red_remote *remote, struct red_error *error) {
    struct red_error found = {.text = ""};
    enum red_status status = RED_OK;
    if (remote->lost.status != RED_OK)
        return red_fail(error, remote->lost.status, "%s", remote->lost.text);
    if (needs_opening(remote)) {
        status =
            remote->opening && red_child_is_running(remote->worker) ? RED_OK : open_begin(remote, &found);
        if (status == RED_OK)
            status = open_hear(remote, remote->worker, &found);
        lose(remote, remote->worker, status, found.text);
        remote->opened = status == RED_OK;
        remote->opening = remote->crashed = false;
    }
    if (status != RED_OK)
        return red_fail(error, status, "%s", remote->lost.text[0] ? remote->lost.text : found.text);
    return remote->is_host ? RED_OK : send_capabilities(remote, error);
}

/* Asks the worker. */
enum red_status red_remote_ask(struct red_remote *remote, json_t *question, double limit_s, const char *doing,
                               json_t **answer, struct red_error *error) {
    enum red_status status = RED_OK;
    *answer = NULL;
    do {
        status = ensure_worker(remote, error);
        if (status == RED_OK)
            status =
                red_remote_ask_child(remote->worker, json_incref(question), limit_s, doing, answer, error);
        remote->crashed = remote->crashed || status == RED_E_CRASHED || status == RED_E_TIMED_OUT;
    } while (is_worth_another(remote, remote->worker, status));
    json_decref(question);
    return status;
}

enum red_status red_remote_tell(struct red_remote *remote, json_t *question, struct red_error *error) {
    enum red_status status = ensure_worker(remote, error);
    if (status == RED_OK)
        return red_child_tell(remote->worker, question, error);
    json_decref(question);
    return status;
}

enum red_status red_remote_hear(struct red_remote *remote, double limit_s, const char *doing, json_t **answer,
                                struct red_error *error) {
    *answer = NULL;
    if (!red_child_is_running(remote->worker))
        return red_fail(error, RED_E_CRASHED, "nobody was asked");
    enum red_status status = red_child_hear(remote->worker, limit_s, doing, answer, error);
    remote->crashed = remote->crashed || status == RED_E_CRASHED || status == RED_E_TIMED_OUT;
    return status;
}

/* ---- making ----------------------------------------------------------------------------------------------
 */

static void find_capability(void *context, enum red_need_index need, enum red_c_standard standard,
                            struct red_capability *capability);

enum red_status red_remote_create(const struct red_remote_program *program,
                                  const struct red_device_info *info, struct red_child *child,
                                  struct red_remote **remote, struct red_error *error) {
    struct red_remote *made = calloc(1, sizeof *made);
    if (made == NULL) {
        red_child_destroy(child);
        return red_fail(error, RED_E_MEMORY, "no memory for a device");
    }
    made->program = program;
    made->worker = child;
    made->is_host = info == NULL;
    made->capabilities.ask = find_capability;
    made->capabilities.context = made;
    if (info != NULL)
        made->info = *info;
    else
        snprintf(made->info.id, sizeof made->info.id, "host");
    *remote = made;
    return child == NULL ? red_child_create(program->arguments, program->environment, program->patience_s,
                                            &made->worker, error)
                         : RED_OK;
}

enum red_status red_remote_create_beside(const struct red_remote *remote, struct red_remote **beside,
                                         struct red_error *error) {
    enum red_status status = red_remote_create(remote->program, &remote->info, NULL, beside, error);
    if (status != RED_OK)
        return status;
    (*beside)->capabilities = remote->capabilities;
    (*beside)->capabilities.context = *beside;
    memcpy((*beside)->advertised, remote->advertised, sizeof remote->advertised);
    return RED_OK;
}

void red_remote_destroy(struct red_remote *remote) {
    if (remote == NULL)
        return;
    for (size_t i = 0; i < RED_PROBERS_MAX; i++)
        red_child_destroy(remote->probers[i]);
    red_child_destroy(remote->worker);
    free(remote);
}

const struct red_device_info *red_remote_info(const struct red_remote *remote) {
    return &remote->info;
}

bool red_remote_is_lost(const struct red_remote *remote) {
    return remote->lost.status != RED_OK;
}

static void hang_up_probers(struct red_remote *remote) {
    for (size_t i = 0; i < RED_PROBERS_MAX; i++)
        if (remote->probers[i] != NULL)
            red_child_hang_up(remote->probers[i]);
}

void red_remote_hang_up(struct red_remote *remote) {
    hang_up_probers(remote);
    if (remote->worker != NULL)
        red_child_hang_up(remote->worker);
}

void red_remote_restart(struct red_remote *remote) {
    red_child_stop(remote->worker);
    remote->opening = false;
}

void red_remote_begin(struct red_remote *remote) {
    if (remote->lost.status == RED_OK && needs_opening(remote))
        (void)open_begin(remote, NULL);
}

enum red_status red_remote_start(struct red_remote *remote, struct red_error *error) {
    return ensure_worker(remote, error);
}

void red_remote_stop_probing(struct red_remote *remote) {
    hang_up_probers(remote);
    for (size_t i = 0; i < RED_PROBERS_MAX; i++)
        if (remote->probers[i] != NULL)
            red_child_stop(remote->probers[i]);
}

double red_remote_memory_bytes(const struct red_remote *remote) {
    return red_child_memory_bytes(remote->worker);
}

struct red_capabilities *red_remote_capabilities(struct red_remote *remote) {
    return &remote->capabilities;
}

/* ---- capabilities ----------------------------------------------------------------------------------------
 */

/* "probing collectives" */
static const char *probe_name(enum red_need_index need, char *text, size_t text_bytes) {
    char name[64];
    red_needs_print(UINT64_C(1) << need, name, sizeof name);
    snprintf(text, text_bytes, "probing %s", name);
    return text;
}

static enum red_status probe_tell(struct red_remote *remote, size_t p, enum red_need_index need,
                                  enum red_c_standard standard, struct red_error *error) {
    enum red_status status = RED_OK;
    if (remote->probers[p] == NULL)
        status = red_child_create(remote->program->arguments, remote->program->environment,
                                  remote->program->patience_s, &remote->probers[p], error);
    if (status == RED_OK && remote->lost.status != RED_OK)
        status = red_fail(error, remote->lost.status, "%s", remote->lost.text);
    if (status == RED_OK && remote->unprobed.status != RED_OK)
        status = red_fail(error, remote->unprobed.status, "%s", remote->unprobed.text);
    if (status == RED_OK && !red_child_is_running(remote->probers[p])) {
        status = open_tell(remote, remote->probers[p], false, error);
        if (status == RED_OK)
            status = open_hear(remote, remote->probers[p], error);
        if (p == 0)
            lose(remote, remote->probers[p], status, error->text);
    }
    if (status == RED_OK)
        status = red_child_tell(remote->probers[p],
                                json_pack("{s:s, s:i, s:i, s:o}", "do", "probe", "need", (int)need,
                                          "standard", (int)standard, "so_far",
                                          red_wire_capability(&remote->capabilities.of[need][standard])),
                                error);
    return status;
}

/* "the driver crashed (SIGABRT): its last words", without what the place of the message tells. */
static void shorten(const char *text, char *shorter, size_t bytes) {
    static const char last_words[] = "last words: ";
    const char *doing = strstr(text, " while "), *words = strstr(text, last_words);
    snprintf(shorter, bytes, "%.*s%s%.140s", doing ? (int)(doing - text) : 200, text, words ? ": " : "",
             words ? words + sizeof last_words - 1 : "");
}

/* What the child was at when it crashed or hung costs that group size of that form, where a need is judged by
 * these: true, and the others are to be asked by another child. False where it costs the whole need. */
static bool take_crash(struct red_remote *remote, size_t p, struct red_capability *capability,
                       enum red_status status, const char *text) {
    struct red_capability so_far = {.reason = ""};
    const json_t *step = red_child_last_step(remote->probers[p]);
    char shorter[352];
    int form = -1, size = -1;
    if (json_unpack((json_t *)(uintptr_t)step, "{s:i, s:i}", "form", &form, "size", &size) != 0 ||
        !red_wire_read_capability(json_object_get(step, "so_far"), &so_far) || form < 0 ||
        (size_t)form >= so_far.forms_n || size < 0 || size >= RED_GROUP_SIZES_N)
        return false;
    *capability = so_far;
    shorten(text, shorter, sizeof shorter);
    red_capability_take_crash(capability, (size_t)form, (unsigned)size, status, shorter);
    return true;
}

/* What makes the child crash or hang does not behave, for that reason. What it was not asked, since the user
 * interrupts or nobody could be asked, is not known. False where there is more to ask. */
static bool probe_settle(struct red_remote *remote, size_t p, enum red_need_index need,
                         struct red_capability *capability, enum red_status status, struct red_error *error) {
    char doing[96];
    json_t *answer = NULL;
    bool told = status == RED_OK;
    if (told)
        status =
            red_child_hear(remote->probers[p],
                           PROBE_S < red_remote_patience_s(remote) ? PROBE_S : red_remote_patience_s(remote),
                           probe_name(need, doing, sizeof doing), &answer, error);
    if (status == RED_OK && !red_wire_read_capability(answer, capability))
        status = red_fail(error, RED_E_DEVICE, "the driver has broken the process that probes it");
    json_decref(answer);
    if (status == RED_E_TIMED_OUT && ++remote->hung_probes_n == HUNG_PROBES_MAX)
        red_fail(&remote->unprobed, status, "not probed: %d probes before have hung", HUNG_PROBES_MAX);
    if (status != RED_OK && is_worth_another(remote, remote->probers[p], status))
        return false;
    if (told && (status == RED_E_CRASHED || status == RED_E_TIMED_OUT) &&
        take_crash(remote, p, capability, status, error->text))
        return false;
    bool begun = false; /* and what was right before nobody could be asked any more stays so */
    for (size_t f = 0; f < capability->forms_n; f++)
        begun = begun || red_group_sizes_any(&capability->forms[f].sizes);
    if (status != RED_OK && !told && begun && status != RED_E_INTERRUPTED)
        red_capability_judge(need, capability, true);
    else if (status != RED_OK) {
        bool runs = strstr(error->text, "group size") != NULL;
        *capability =
            (struct red_capability){.advertised = remote->advertised[need],
                                    .builds = runs ? RED_YES : RED_UNKNOWN,
                                    .behaves = told && status != RED_E_INTERRUPTED ? RED_NO : RED_UNKNOWN};
        snprintf(capability->reason, sizeof capability->reason, "%.*s", (int)sizeof capability->reason - 1,
                 error->text);
    }
    return true;
}

static void find_capability(void *context, enum red_need_index need, enum red_c_standard standard,
                            struct red_capability *capability) {
    struct red_remote *remote = context;
    struct red_error error = {.text = ""};
    *capability = (struct red_capability){.advertised = remote->advertised[need]};
    if (red_interrupted()) {
        snprintf(capability->reason, sizeof capability->reason, "interrupted before it was known");
        return;
    }
    while (!probe_settle(remote, 0, need, capability, probe_tell(remote, 0, need, standard, &error), &error))
        ;
}

/* Questions that a device is to be asked. */
struct wanted {
    bool of[RED_NEEDS_N][RED_C_STANDARDS_N];
};

static void want_all(const struct red_remote *remote, struct wanted *wanted) {
    for (int need = 0; need < RED_NEEDS_N; need++) {
        enum red_c_standard standard =
            red_capability_unknown(&remote->capabilities, (enum red_need_index)need);
        if (standard != RED_C_STANDARDS_N)
            wanted->of[need][standard] = true;
    }
}

/* What becomes of the questions of one call of red_capability_decide. */
struct noted {
    struct wanted *wanted;
    bool any;
};

/* A red_capability_ask that notes the first question only: whether there is another one follows from its
 * answer. */
static void note(void *context, enum red_need_index need, enum red_c_standard standard,
                 struct red_capability *capability) {
    struct noted *noted = context;
    if (!noted->any)
        noted->wanted->of[need][standard] = true;
    noted->any = true;
    *capability = (struct red_capability){.behaves = RED_NO};
}

/* `known` is a copy of what the device is known to do; what the call took for known there is forgotten. */
static void want_first(const struct red_remote *remote, const struct red_strategy *strategy,
                       const struct red_dtype *dtype, const struct red_op *op, struct red_capabilities *known,
                       struct wanted *wanted) {
    struct noted noted = {.wanted = wanted};
    enum red_c_standard standard;
    if (red_strategy_admits(strategy, dtype, op, NULL) != RED_OK)
        return;
    known->context = &noted;
    (void)red_capability_decide(&remote->info, known, strategy, dtype, op, 0, &standard, NULL);
    memcpy(known->known, remote->capabilities.known, sizeof known->known);
}

static void want_chosen(struct red_remote *remote, const struct red_choice *choice, struct wanted *wanted) {
    struct red_capabilities *known = malloc(sizeof *known);
    if (known == NULL)
        return;
    *known = remote->capabilities;
    known->ask = note;
    for (size_t s = 0; s < choice->strategies_n; s++)
        for (size_t t = 0; t < choice->types_n; t++)
            for (size_t o = 0; o < choice->ops_n; o++)
                want_first(remote, choice->strategies[s], choice->types[t], choice->ops[o], known, wanted);
    free(known);
}

/* A question that is on its way. */
struct asked {
    struct red_remote *remote;
    size_t p;
    enum red_need_index need;
    enum red_c_standard standard;
    enum red_status status;
    struct red_error error;
};

/* Tells one of a device's probers the next of the questions, if there is one. A prober beside the first that
 * cannot be had is done without. */
static bool ask_next(struct red_remote *remote, size_t p, struct wanted *wanted, struct asked *asked) {
    for (int i = 0; i < RED_NEEDS_N * RED_C_STANDARDS_N; i++) {
        const enum red_need_index need = (enum red_need_index)(i / RED_C_STANDARDS_N);
        const enum red_c_standard standard = (enum red_c_standard)(i % RED_C_STANDARDS_N);
        if (!wanted->of[need][standard])
            continue;
        wanted->of[need][standard] = false;
        *asked = (struct asked){.remote = remote, .p = p, .need = need, .standard = standard};
        asked->status = probe_tell(remote, p, need, standard, &asked->error);
        const bool is_had = p == 0 || asked->status == RED_OK;
        remote->has_one_prober |= !is_had;
        return is_had;
    }
    return false;
}

/* Of a CPU, which compiles with one thread, several questions at a time. What may hang a device is asked one
 * after the other. */
static size_t probers_n(const struct red_remote *remote) {
    const struct red_shape_limits *shape = &remote->info.shape;
    return shape->is_cpu && shape->compute_units > 1 && !remote->has_one_prober && remote->hung_probes_n == 0
               ? RED_PROBERS_MAX
               : 1;
}

/* Questions of a choice are asked ahead only where that saves time. */
static void find_wanted(struct red_remote *remote, const struct red_choice *choice, struct wanted *wanted) {
    if (remote->is_host)
        return;
    if (choice == NULL)
        want_all(remote, wanted);
    else if (probers_n(remote) > 1)
        want_chosen(remote, choice, wanted);
}

static void settle(struct asked *asked) {
    struct red_capabilities *capabilities = &asked->remote->capabilities;
    capabilities->known[asked->need][asked->standard] =
        probe_settle(asked->remote, asked->p, asked->need, &capabilities->of[asked->need][asked->standard],
                     asked->status, &asked->error);
}

void red_remotes_probe(struct red_remote *const *remotes, size_t remotes_n, const struct red_choice *choice) {
    struct asked *asked = calloc(remotes_n * RED_PROBERS_MAX + 1, sizeof *asked);
    size_t asked_n = asked != NULL;
    while (asked_n > 0 && !red_interrupted()) {
        asked_n = 0;
        for (size_t r = 0; r < remotes_n; r++) {
            struct wanted wanted = {{{false}}};
            find_wanted(remotes[r], choice, &wanted);
            for (size_t p = 0; p < probers_n(remotes[r]) && !red_interrupted(); p++)
                asked_n += ask_next(remotes[r], p, &wanted, &asked[asked_n]);
        }
        for (size_t i = 0; i < asked_n; i++)
            settle(&asked[i]);
    }
    free(asked);
}

enum red_status red_remote_decide(struct red_remote *remote, const struct red_strategy *strategy,
                                  const struct red_dtype *dtype, const struct red_op *op, size_t group_size,
                                  struct red_error *error) {
    enum red_c_standard standard;
    if (remote->is_host)
        return RED_OK;
    enum red_status status = red_capability_decide(&remote->info, &remote->capabilities, strategy, dtype, op,
                                                   group_size, &standard, error);
    /* What a lost device lacks, it lacks for that reason. */
    if (red_interrupted())
        return red_fail(error, RED_E_INTERRUPTED, "interrupted");
    return remote->lost.status != RED_OK ? red_fail(error, remote->lost.status, "%s", remote->lost.text)
                                         : status;
}

size_t red_remote_group_size(struct red_remote *remote, const struct red_strategy *strategy,
                             const struct red_dtype *dtype, const struct red_op *op, size_t group_size) {
    return remote->is_host ? group_size
                           : red_capability_group_size(&remote->info, &remote->capabilities, strategy, dtype,
                                                       op, group_size);
}
