/* Makes and compares cases; refuses arrays above nine tenths of the free host memory. */
#include "model/case.h"

#include <inttypes.h>
#include <math.h>

#include "core/memory.h"

struct red_case red_case_make(const struct red_data_spec *data, const struct red_strategy *strategy,
                              const struct red_tuning *tuning) {
    return (struct red_case){
        .data = *data, .strategy = strategy, .n = data->n, .tuning = *tuning, .arrays_n = 1, .reductions = 1};
}

bool red_data_is_same(const struct red_data_spec *a, const struct red_data_spec *b) {
    return a->op == b->op && a->dtype == b->dtype && a->data_kind.pattern == b->data_kind.pattern &&
           a->data_kind.part == b->data_kind.part && a->n == b->n && a->segments_n == b->segments_n &&
           a->seed == b->seed;
}

bool red_case_is_same(const struct red_case *a, const struct red_case *b) {
    return red_data_is_same(&a->data, &b->data) && a->strategy == b->strategy && a->form == b->form &&
           a->n == b->n && red_tuning_compare(&a->tuning, &b->tuning) == 0 && a->arrays_n == b->arrays_n &&
           a->reductions == b->reductions && a->prefixes_n == b->prefixes_n;
}

/* A tenth stays free: a machine that swaps measures nothing, and one without swap kills processes. */
double red_data_room_bytes(void) {
    return 0.9 * red_memory_available_bytes();
}

double red_data_bytes(const struct red_dtype *dtype, const struct red_op *op, uint64_t n) {
    return (double)n * (double)dtype->size_bytes * op->arrays;
}

enum red_status red_data_check(const struct red_dtype *dtype, const struct red_op *op, uint64_t n,
                               struct red_error *error) {
    double room = red_data_room_bytes(), needed = red_data_bytes(dtype, op, n);
    return needed <= room ? RED_OK
                          : red_fail(error, RED_E_MEMORY,
                                     "--n %" PRIu64
                                     " of %s needs %.1f GiB of host memory; the largest possible n is %.0f",
                                     n, dtype->name, needed / (1 << 30),
                                     floor(room / (double)dtype->size_bytes / op->arrays));
}
