/* Answers red_client_stress (worker/client_asks.c): calls a kernel whose groups read what others wrote,
 * beside launches that disturb memory. The user sees "stress: ..." of `verify`, and of a wrong call a check
 * that is `wrong`. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/clock.h"
#include "worker/client.h"
#include "worker/server.h"

/* From SUMMED_MIN results on the device makes a checksum of those that are known: reading them back takes ten
 * times as long as a call. */
enum { KNOWN_MAX = 1 << 22, SUMMED_MIN = 1 << 16, SUMMED_BYTES = 64 };

/* The results of a scan or a histogram that were right, of each array, and those of the last call: what is
 * the same to the bit is right again, and comparing bytes takes less than looking at results. */
struct known_results {
    uint64_t n; /* 0: there are more than KNOWN_MAX, or it is a reduction */
    size_t bytes;
    char *room; /* owned: those of the last call, then those of each array */
    bool is_known[RED_ARRAYS_MAX], is_summed[RED_ARRAYS_MAX];
    uint64_t sums[RED_ARRAYS_MAX]; /* checksums, of whole SUMMED_BYTES */
};

static enum red_status make_room_for_known(const struct red_prepared *prepared, struct known_results *known,
                                           struct red_error *error) {
    const struct red_data_spec *data = &prepared->spec.data;
    const uint64_t n = red_results_n(data->op, prepared->spec.n, data->bins_n);
    *known = (struct known_results){.n = n <= KNOWN_MAX ? n : 0};
    known->bytes = (size_t)known->n * red_op_result_dtype(data->op, data->dtype)->size_bytes;
    known->room = malloc((1 + prepared->spec.arrays_n) * known->bytes);
    return known->room != NULL || known->n == 0
               ? RED_OK
               : red_fail(error, RED_E_MEMORY, "no memory for results under stress");
}

/* Of results that differ from those of an earlier call: the first that does. */
static void find_evidence_of_bits(const struct red_prepared *prepared, const char *earlier, const char *later,
                                  struct red_evidence *evidence) {
    const struct red_dtype *result = red_op_result_dtype(prepared->spec.data.op, prepared->spec.data.dtype);
    struct red_value expected = {.index = 0}, got = {.index = 0};
    size_t at = 0;
    while (earlier[at] == later[at])
        at++;
    const uint64_t place = at / result->size_bytes;
    memcpy(&expected, earlier + place * result->size_bytes, result->size_bytes);
    memcpy(&got, later + place * result->size_bytes, result->size_bytes);
    *evidence = (struct red_evidence){.fault = RED_FAULT_BITS, .has_place = true};
    evidence->expected.place = evidence->got.place = place;
    red_value_format(result, &expected, evidence->expected.value, sizeof evidence->expected.value);
    red_value_format(result, &got, evidence->got.value, sizeof evidence->got.value);
}

/* Whether the device says that the results of the last call are those that are known. What its checksum
 * leaves out at their end is read. */
static bool are_known_to_device(const struct red_prepared *prepared, const struct known_results *known) {
    const unsigned turn = prepared->turn;
    const uint64_t rest_n = known->n % (SUMMED_BYTES / (known->bytes / known->n)), first = known->n - rest_n;
    const size_t rest_bytes = known->bytes % SUMMED_BYTES, summed_bytes = known->bytes - rest_bytes;
    const char *right = known->room + (1 + turn) * known->bytes;
    struct red_error unused;
    uint64_t sum;
    return known->is_summed[turn] && red_plan_find_checksum(prepared->plan, summed_bytes, &sum) &&
           sum == known->sums[turn] &&
           red_plan_read_results(prepared->plan, first, rest_n, known->room, &unused) == RED_OK &&
           memcmp(known->room, right + summed_bytes, rest_bytes) == 0;
}

/* Looks at the answer of the last call: where the strategy's order is fixed, it must also have the bits of
 * the array's calls before. Errors: RED_E_WRONG, with the evidence. */
static enum red_status look_at_answer(const struct red_prepared *prepared, struct known_results *known,
                                      struct red_evidence *evidence, struct red_error *error) {
    const unsigned turn = prepared->turn;
    if (known->n == 0)
        return red_prepared_check(prepared, evidence, error);
    char *right = known->room + (1 + turn) * known->bytes;
    if (are_known_to_device(prepared, known))
        return RED_OK;
    enum red_status status = red_plan_read_results(prepared->plan, 0, known->n, known->room, error);
    if (status != RED_OK || (known->is_known[turn] && memcmp(known->room, right, known->bytes) == 0))
        return status;
    status = red_prepared_check(prepared, evidence, error);
    if (status == RED_OK && known->is_known[turn] &&
        prepared->spec.strategy->order == RED_STRATEGY_ORDER_FIXED) {
        find_evidence_of_bits(prepared, right, known->room, evidence);
        status = red_fail(error, RED_E_WRONG, "other bits than in the calls before");
    }
    known->is_known[turn] = status == RED_OK;
    known->is_summed[turn] =
        status == RED_OK && known->n >= SUMMED_MIN &&
        red_plan_find_checksum(prepared->plan, known->bytes - known->bytes % SUMMED_BYTES,
                               &known->sums[turn]);
    memcpy(right, known->room, known->bytes);
    return status;
}

/* Calls up to calls_n times, with the next array each time, and looks at the answers; of a wrong one
 * found->right is false, with its evidence, and no error. */
static enum red_status call_and_look(struct red_prepared *prepared, unsigned calls_n,
                                     struct known_results *known, struct red_stress *found,
                                     struct red_error *error) {
    const struct red_data_spec *data = &prepared->spec.data;
    struct red_evidence *evidence = &found->evidence;
    enum red_status status = red_prepared_call_in_a_row(prepared, &calls_n);
    found->calls_n += calls_n;
    if (status != RED_OK && status != RED_E_WRONG)
        return red_fail(error, status, "%s", prepared->error.text);
    status = look_at_answer(prepared, known, evidence, error);
    if (status != RED_E_WRONG)
        return status;
    found->right = false;
    red_data_kind_format(data->data_kind, data->op, data->dtype, data->n, evidence->data,
                         sizeof evidence->data);
    snprintf(evidence->run, sizeof evidence->run, "call %" PRIu64 " under stress", found->calls_n);
    return RED_OK;
}

/* Calls until the time is over or a call is wrong, by turns alone and several in a row: launches that follow
 * each other at once are more, and such as follow a wait of the host begin together. The disturbance is at
 * work from before the first call on. */
static enum red_status call_for_so_long(struct red_prepared *prepared, struct red_disturber *disturber,
                                        double seconds, uint64_t random, struct red_stress *found,
                                        struct red_error *error) {
    const double start_s = red_clock_s();
    struct known_results known;
    *found = (struct red_stress){.right = true};
    enum red_status status = make_room_for_known(prepared, &known, error);
    for (bool alone = true;
         status == RED_OK && found->right && (found->calls_n == 0 || found->took_s < seconds);
         alone = !alone) {
        status = red_disturber_keep_on(disturber, &random, error);
        if (status == RED_OK)
            status = call_and_look(prepared, alone ? 1 : RED_CALLS_IN_A_ROW_MAX, &known, found, error);
        found->took_s = red_clock_s() - start_s;
    }
    free(known.room);
    if (status == RED_OK)
        status = red_disturber_stop(disturber, &found->stored_n, &found->words_n, error);
    return status != RED_OK || found->stored_n > 0
               ? status
               : red_fail(error, RED_E_DEVICE, "what is to disturb memory has stored nothing");
}

/* What disturbs memory is made once: that takes longer than a round. */
json_t *red_worker_stress(struct red_worker *worker, const json_t *question, struct red_error *error) {
    struct red_prepared prepared = {.plan = NULL};
    struct red_stress found;
    double seconds = 0;
    const json_int_t seed = json_integer_value(json_object_get(question, "seed"));
    if (!red_json_read_any_real(json_object_get(question, "seconds"), &seconds)) {
        red_fail(error, RED_E_INPUT, "a worker does not understand what it is to do");
        return NULL;
    }
    enum red_status status = red_worker_prepare_passing(worker, question, &prepared, error);
    if (status != RED_OK)
        return NULL;
    if (worker->disturber == NULL)
        status = red_disturber_create(worker->device, &worker->disturber, error);
    if (status == RED_OK)
        status = call_for_so_long(&prepared, worker->disturber, seconds, (uint64_t)seed, &found, error);
    red_prepared_clear(&prepared);
    if (status != RED_OK) { /* its launches, or their errors, are not to be the next strategy's */
        red_disturber_destroy(worker->disturber);
        worker->disturber = NULL;
    }
    return status == RED_OK ? red_fields_json(red_protocol_stress_fields, &found) : NULL;
}
