/* Answers red_client_stress (worker/client_asks.c): calls a kernel whose groups read what others wrote,
 * beside launches that disturb memory. The user sees "stress: ..." of `verify`, and of a wrong call a check
 * that is `wrong`. */
#include <inttypes.h>
#include <stdio.h>

#include "cl/disturb.h"
#include "core/clock.h"
#include "worker/client.h"
#include "worker/server.h"

/* Calls once, with the next array, and looks at the answer; of a wrong one found->right is false, with its
 * evidence, and no error. */
static enum red_status call_and_look(struct red_prepared *prepared, struct red_stress *found,
                                     struct red_error *error) {
    const struct red_data_spec *data = &prepared->spec.data;
    struct red_error wrong = {.text = ""};
    enum red_status status = red_prepared_call(prepared) == 0 ? RED_OK : prepared->error.status;
    found->calls_n++;
    if (status != RED_OK && status != RED_E_WRONG)
        return red_fail(error, status, "%s", prepared->error.text);
    if (status == RED_E_WRONG || data->op->primitive != RED_PRIMITIVE_REDUCE)
        status = red_prepared_check_and_find(prepared, &found->evidence, &wrong);
    if (status != RED_E_WRONG)
        return status == RED_OK ? RED_OK : red_fail(error, status, "%s", wrong.text);
    found->right = false;
    found->evidence.fault = RED_FAULT_ANSWER;
    red_data_kind_format(data->data_kind, data->op, data->dtype, data->n, found->evidence.data,
                         sizeof found->evidence.data);
    snprintf(found->evidence.run, sizeof found->evidence.run, "call %" PRIu64 " under stress",
             found->calls_n);
    return RED_OK;
}

/* Calls until the time is over or a call is wrong. The disturbance is at work from before the first call on.
 */
static enum red_status call_for_so_long(struct red_prepared *prepared, struct red_disturber *disturber,
                                        double seconds, struct red_stress *found, struct red_error *error) {
    const double start_s = red_clock_s();
    enum red_status status = RED_OK;
    *found = (struct red_stress){.right = true};
    while (status == RED_OK && found->right && (found->calls_n == 0 || found->took_s < seconds)) {
        status = red_disturber_keep_on(disturber, error);
        if (status == RED_OK)
            status = call_and_look(prepared, found, error);
        found->took_s = red_clock_s() - start_s;
    }
    if (status == RED_OK)
        status = red_disturber_stop(disturber, &found->stored_n, &found->words_n, error);
    return status != RED_OK || found->stored_n > 0
               ? status
               : red_fail(error, RED_E_DEVICE, "what is to disturb memory has stored nothing");
}

json_t *red_worker_stress(struct red_worker *worker, const json_t *question, struct red_error *error) {
    struct red_prepared prepared = {.plan = NULL};
    struct red_disturber *disturber = NULL;
    struct red_stress_asked asked = {.seconds = 0};
    struct red_stress found;
    if (!red_protocol_read(json_object_get(question, "asked"), red_protocol_stress_asked_fields, &asked)) {
        red_fail(error, RED_E_INPUT, "a worker does not understand what it is to do");
        return NULL;
    }
    enum red_status status = red_worker_prepare_passing(worker, question, &prepared, error);
    if (status != RED_OK)
        return NULL;
    status = red_disturber_create(worker->device, asked.scratch_bytes, asked.seed, &disturber, error);
    if (status == RED_OK)
        status = call_for_so_long(&prepared, disturber, asked.seconds, &found, error);
    red_disturber_destroy(disturber);
    red_prepared_clear(&prepared);
    return status == RED_OK ? red_fields_json(red_protocol_stress_fields, &found) : NULL;
}
