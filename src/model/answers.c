/* Room for answers, and reading them. */
#include "model/answers.h"

#include <stdlib.h>
#include <string.h>

/* For plans of finish host and OpenMP cases of --shape segments (n and number of segments are its). */
enum red_status red_answers_make_room(const struct red_op *op, const struct red_dtype *dtype,
                                      uint64_t answers_n, struct red_answers *answers,
                                      struct red_error *error) {
    size_t index_bytes = op->role == RED_ROLE_PLACE ? sizeof(uint64_t) : 0;
    *answers = (struct red_answers){.result = red_op_result_dtype(op, dtype), .n = answers_n};
    answers->room = malloc((size_t)answers_n * (sizeof(uint64_t) + index_bytes));
    return answers->room != NULL
               ? RED_OK
               : red_fail(error, RED_E_MEMORY, "no memory for %llu answers", (unsigned long long)answers_n);
}

void red_answers_clear(struct red_answers *answers) {
    free(answers->room);
    *answers = (struct red_answers){.n = 0};
}

/* `answers` are a plan's or an OpenMP case's; the value is judged, and is `got` in the evidence. */
struct red_value red_answers_get(const struct red_answers *answers, uint64_t i) {
    struct red_value value = {.bits = 0, .index = answers->indices ? answers->indices[i] : 0};
    size_t bytes = answers->result->size_bytes;
    memcpy(&value.bits, (const char *)answers->values + i * bytes, bytes);
    return value;
}
