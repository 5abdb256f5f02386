/* The answers of many reductions, or the results of a scan or a histogram on the host. */
#ifndef CLREDUCE_MODEL_ANSWERS_H
#define CLREDUCE_MODEL_ANSWERS_H

#include "model/types.h"

/* The answers of many reductions: values[i] is of red_op_result_dtype, indices[i] where it stands in its
 * segment (argmin and argmax only, otherwise NULL). */
struct red_answers {
    const struct red_dtype *result;
    uint64_t n;
    const void *values;
    const uint64_t *indices;
    void *room; /* owned: where values are made, and indices behind them; NULL where partial results are
                   answers */
};

/* Makes room for so many answers, of which none is there yet. Release with red_answers_clear. Errors:
 * RED_E_MEMORY. */
enum red_status red_answers_make_room(const struct red_op *op, const struct red_dtype *dtype,
                                      uint64_t answers_n, struct red_answers *answers,
                                      struct red_error *error);
void red_answers_clear(struct red_answers *answers);
struct red_value red_answers_get(const struct red_answers *answers, uint64_t i); /* the i-th */

#endif
