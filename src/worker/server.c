/* The verb `worker`: what the program starts itself with to work with one device (worker/client.h). It
 * answers the questions of the table below; rounds and budgets are decided by the program. do_X answers the
 * question X of worker/client*.c or icd.c, do_release_all "forget". */
#include "worker/server.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "cl/probe.h"
#include "cl/progress_test.h"
#include "host/reference.h"
#include "worker/client.h"
#include "worker/protocol.h"
#include "worker/worker_private.h"

/* ---- the device ---------------------------------------------------------------------------------------- */

/* Loads the drivers and lists their devices, once: worker->list. */
static enum red_status ensure_device_list(struct red_worker *worker, struct red_error *error) {
    return worker->list == NULL ? red_device_list_create(&worker->list, error) : RED_OK;
}

/* All devices, and why platforms have none; `devices` shows them. */
static json_t *do_list(struct red_worker *worker, const json_t *question, struct red_error *error) {
    (void)question;
    if (ensure_device_list(worker, error) != RED_OK)
        return NULL;
    json_t *devices = json_array();
    for (size_t i = 0; i < red_device_list_n(worker->list); i++)
        json_array_append_new(devices,
                              red_fields_json(red_device_info_fields, red_device_list_info(worker->list, i)));
    return json_pack("{s:i, s:s, s:o, s:o}", "protocol", RED_PROTOCOL_VERSION, "version", CLREDUCE_VERSION,
                     "devices", devices, "empty",
                     red_json_any_text(red_device_list_no_device_lines(worker->list)));
}

/* The names of the strategies that this build knows; another build may know others. */
static json_t *do_catalogue(struct red_worker *worker, const json_t *question, struct red_error *error) {
    json_t *names = json_array();
    (void)question, (void)error;
    for (size_t i = 0; i < red_catalogue_n(worker->catalogue); i++)
        if (red_catalogue_get(worker->catalogue, i)->text != NULL)
            json_array_append_new(names, json_string(red_catalogue_get(worker->catalogue, i)->name));
    return json_pack("{s:o}", "strategies", names);
}

/* The drivers that the loader could not take, and why, as lines for stderr. */
static json_t *do_left_out(struct red_worker *worker, const json_t *question, struct red_error *error) {
    char left_out[RED_LEFT_OUT_BYTES];
    (void)question;
    if (ensure_device_list(worker, error) != RED_OK)
        return NULL;
    red_icd_left_out_format(left_out, sizeof left_out);
    return json_pack("{s:o}", "left_out", red_json_any_text(left_out));
}

/* Opens the device of that id: worker->device. */
static enum red_status open_device(struct red_worker *worker, const char *id, struct red_error *error) {
    enum red_status status = ensure_device_list(worker, error);
    for (size_t i = 0; status == RED_OK && i < red_device_list_n(worker->list); i++)
        if (strcmp(red_device_list_info(worker->list, i)->id, id) == 0)
            return red_device_open(worker->list, i, &worker->device, error);
    return status == RED_OK ? red_fail(error, RED_E_DEVICE, "device %s is gone", id) : status;
}

/* Runs a simple kernel: after a crash the device may not work any more. */
static enum red_status check_health(struct red_worker *worker, struct red_error *error) {
    struct red_capability health = {.reason = ""};
    red_probe_run(worker->device, RED_NEED_INDEX_LOCAL_MEMORY, RED_CL12, NULL, &health);
    return health.behaves == RED_YES
               ? RED_OK
               : red_fail(error, RED_E_DEVICE, "a simple kernel fails: %s", health.reason);
}

/* Opens the device "id" for all later questions, and tells what it advertises; "host": the OpenMP cases. */
static json_t *do_open(struct red_worker *worker, const json_t *question, struct red_error *error) {
    const char *id = json_string_value(json_object_get(question, "id"));
    worker->is_host = id != NULL && strcmp(id, "host") == 0;
    if (worker->is_host)
        return json_object();
    enum red_status status = open_device(worker, id ? id : "", error);
    const char *binaries = json_string_value(json_object_get(question, "binaries"));
    if (status == RED_OK && binaries != NULL)
        red_device_set_binary_folder(worker->device, binaries);
    if (status == RED_OK && json_is_true(json_object_get(question, "health")))
        status = check_health(worker, error);
    json_t *advertised = json_array();
    for (int need = 0; status == RED_OK && need < RED_NEEDS_N; need++)
        json_array_append_new(advertised,
                              json_integer(red_device_advertises(worker->device, (enum red_need_index)need)));
    json_t *reply = json_pack("{s:o}", "advertised", advertised);
    if (status == RED_OK)
        return reply;
    json_decref(reply);
    return NULL;
}

/* The numbers of a need and of a standard in a message. False: there are no such ones. */
static bool read_need_and_standard(const json_t *from, enum red_need_index *need,
                                   enum red_c_standard *standard) {
    int need_number = -1, standard_number = -1;
    (void)json_unpack((json_t *)(uintptr_t)from, "{s:i, s:i}", "need", &need_number, "standard",
                      &standard_number);
    *need = (enum red_need_index)need_number;
    *standard = (enum red_c_standard)standard_number;
    return need_number >= 0 && need_number < RED_NEEDS_N && standard_number >= 0 &&
           standard_number < RED_C_STANDARDS_N;
}

/* Stores what probes in other processes found. Kernels are built by that. */
static json_t *do_know(struct red_worker *worker, const json_t *question, struct red_error *error) {
    const json_t *known = json_object_get(question, "capabilities");
    struct red_capabilities *capabilities = red_device_capabilities(worker->device);
    for (size_t i = 0; i < json_array_size(known); i++) {
        const json_t *row = json_array_get(known, i);
        enum red_need_index need;
        enum red_c_standard standard;
        if (!read_need_and_standard(row, &need, &standard) ||
            !red_protocol_read(row, red_protocol_capability_fields, &capabilities->of[need][standard])) {
            red_fail(error, RED_E_INPUT, "unreadable capabilities");
            return NULL;
        }
        capabilities->known[need][standard] = true;
    }
    return json_object();
}

/* A red_probe_watch: reports to the program what the probe does next, and what it has found so far. If the
 * driver crashes there, the error names the step, and the next probe goes on from it. context: the enum
 * red_need_index of do_probe. */
static void report_probe_step(void *context, const struct red_capability *so_far, size_t form,
                              unsigned size_i, size_t group_size) {
    const enum red_need_index need = *(const enum red_need_index *)context;
    char step[64] = "building it";
    if (group_size > 0)
        snprintf(step, sizeof step, "running %s with group size %zu",
                 so_far->forms_n > 1 ? red_form_kind(need, form)->name : "it", group_size);
    red_process_report_step(step, group_size > 0 && so_far->forms_n > 0
                                      ? json_pack("{s:o, s:i, s:i}", "so_far",
                                                  red_fields_json(red_protocol_capability_fields, so_far),
                                                  "form", (int)form, "size", (int)size_i)
                                      : json_object());
}

/* Runs the probe of one need and answers with the capability that was found; `devices` shows it. */
static json_t *do_probe(struct red_worker *worker, const json_t *question, struct red_error *error) {
    enum red_need_index need;
    enum red_c_standard standard;
    struct red_capability capability = {.reason = ""};
    const struct red_probe_watch watch = {report_probe_step, &need};
    if (!read_need_and_standard(question, &need, &standard) ||
        !red_protocol_read(json_object_get(question, "so_far"), red_protocol_capability_fields,
                           &capability)) {
        red_fail(error, RED_E_INPUT, "no such capability");
        return NULL;
    }
    red_probe_run(worker->device, need, standard, &watch, &capability);
    return red_fields_json(red_protocol_capability_fields, &capability);
}

/* Runs a test of progress "launches" times; where it never ends red_client_progress kills this process. */
static json_t *do_progress(struct red_worker *worker, const json_t *question, struct red_error *error) {
    int i = -1, by_ticket = 0, launches_n = 0;
    if (json_unpack((json_t *)(uintptr_t)question, "{s:i, s:b, s:i}", "test", &i, "by_ticket", &by_ticket,
                    "launches", &launches_n) != 0 ||
        i < 0 || i >= RED_PROGRESS_TESTS_N || launches_n < 0) {
        red_fail(error, RED_E_INPUT, "no such test of progress");
        return NULL;
    }
    return red_progress_test_run(worker->device, &red_progress_tests[i], by_ticket != 0, (unsigned)launches_n,
                                 error) == RED_OK
               ? json_object()
               : NULL;
}

/* Whether the device drives a display; asked before tests that may never end. */
static json_t *do_display(struct red_worker *worker, const json_t *question, struct red_error *error) {
    (void)question, (void)error;
    return json_pack("{s:i}", "display", (int)red_device_drives_display(worker->device));
}

/* ---- other questions ----------------------------------------------------------------------------------- */

/* Lets OpenMP's threads end: between the phases of a run they do not spin against another process. */
static json_t *do_rest(struct red_worker *worker, const json_t *question, struct red_error *error) {
    (void)worker, (void)question, (void)error;
    red_reference_stop_spinning();
    return json_object();
}

/* Moves all data (re-layout of a duel): addresses change times by up to a tenth. */
static json_t *do_move(struct red_worker *worker, const json_t *question, struct red_error *error) {
    (void)question, (void)error;
    red_worker_move_data(worker);
    return json_object();
}

/* Releases all data, prepared cases and programs; the answer is how many programs were built so far, which
 * verify --soak prints. */
static json_t *do_release_all(struct red_worker *worker, const json_t *question, struct red_error *error) {
    (void)question, (void)error;
    red_worker_release_all(worker);
    if (worker->device != NULL)
        red_device_release_programs(worker->device);
#ifdef __GLIBC__
    malloc_trim(0); /* so that what stays resident is in use, by us or by the driver */
#endif
    return json_pack("{s:I}", "programs",
                     worker->device ? (json_int_t)red_device_builds_n(worker->device) : (json_int_t)0);
}

static const struct {
    const char *name;
    json_t *(*run)(struct red_worker *worker, const json_t *question, struct red_error *error);
    bool needs_device, needs_any; /* an open one, and no host; either */
} questions[] = {
    {"list", do_list, false, false},
    {"catalogue", do_catalogue, false, false},
    {"left_out", do_left_out, false, false},
    {"open", do_open, false, false},
    {"know", do_know, true, true},
    {"probe", do_probe, true, true},
    {"progress", do_progress, true, true},
    {"display", do_display, true, true},
    {"verify", red_worker_verify, false, true},
    {"stress", red_worker_stress, true, true},
    {"time", red_worker_time_shortest_call, false, true},
    {"ready", red_worker_prepare_one, false, true},
    {"prepare", red_worker_prepare_several, false, true},
    {"batch", red_worker_batch, false, true},
    {"profile", red_worker_profile, true, true},
    {"back_to_back", red_worker_back_to_back, true, true},
    {"floor", red_worker_event_floor, true, true},
    {"clock_samples", red_worker_clock_samples, true, true},
    {"batches", red_worker_batches, false, true},
    {"clock_sample", red_worker_clock_sample, true, true},
    {"litmus", red_worker_litmus, true, true},
    {"litmus_stress", red_worker_litmus_stress, true, true},
    {"move", do_move, false, true},
    {"forget", do_release_all, false, true},
    {"rest", do_rest, false, true},
};

/* A red_process_answer: finds the question in the table and lets its function answer. */
static json_t *answer_question(void *context, const json_t *question, struct red_error *error) {
    struct red_worker *worker = context;
    const char *name = json_string_value(json_object_get(question, "do"));
    for (size_t i = 0; name != NULL && i < sizeof questions / sizeof questions[0]; i++) {
        if (strcmp(questions[i].name, name) != 0)
            continue;
        if (questions[i].needs_device ? worker->device == NULL
                                      : questions[i].needs_any && worker->device == NULL && !worker->is_host)
            break;
        return questions[i].run(worker, question, error);
    }
    red_fail(error, RED_E_INPUT, "a worker cannot do '%s' now", name ? name : "");
    return NULL;
}

/* cli/main.c calls it for the verb `worker`, with the files of --kernel. */
enum red_status red_worker_serve(const char *const *kernels, size_t kernels_n, struct red_error *error) {
    struct red_worker worker = {.catalogue = NULL};
    enum red_status status = red_catalogue_create(&worker.catalogue, error);
    for (size_t i = 0; i < kernels_n && status == RED_OK; i++)
        /* whether a name may be taken was decided by who started this */
        status = red_catalogue_add_file(worker.catalogue, kernels[i], true, error);
    if (status == RED_OK)
        red_process_serve(answer_question, &worker);
    red_worker_release_all(&worker);
    free(worker.prepared_cases);
    free(worker.datasets);
    red_device_close(worker.device);
    red_device_list_destroy(worker.list);
    red_catalogue_destroy(worker.catalogue);
    return status;
}
