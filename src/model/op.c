#include "model/op.h"

#include <inttypes.h>
#include <string.h>

#define RED_OP_ROW(name_, role_, term_, wants_, identity_, map_, combine_, openmp, suffix_, ...)             \
    {.name = #name_,                                                                                         \
     .role = RED_ROLE_##role_,                                                                               \
     .term = RED_TERM_##term_,                                                                               \
     .arrays = RED_TERM_##term_ == RED_TERM_PRODUCT ? 2 : 1,                                                 \
     .wants = RED_WANTS_##wants_,                                                                            \
     .identity = RED_IDENTITY_##identity_,                                                                   \
     .map = #map_,                                                                                           \
     .combine = #combine_,                                                                                   \
     .suffix = suffix_},

const struct red_op red_ops[] = {RED_OPS(RED_OP_ROW, )};
const size_t red_ops_n = sizeof red_ops / sizeof red_ops[0];

const struct red_op *red_op_find(const char *name) {
    for (size_t i = 0; i < red_ops_n; i++)
        if (strcmp(red_ops[i].name, name) == 0)
            return &red_ops[i];
    return NULL;
}

const struct red_accumulator *red_op_accumulator(const struct red_op *op, const struct red_dtype *dtype) {
    return dtype->accumulators[op->role];
}

const struct red_dtype *red_op_result(const struct red_op *op, const struct red_dtype *dtype) {
    return dtype->results[op->role];
}

const char *red_op_built_in(const struct red_op *op, const struct red_dtype *dtype) {
    return red_op_accumulator(op, dtype)->word_bits > 0 ? op->suffix : "";
}

enum red_status red_op_check_n(const struct red_op *op, const struct red_dtype *dtype, uint64_t n,
                               struct red_error *error) {
    const struct red_accumulator *accumulator = red_op_accumulator(op, dtype);
    unsigned index_bits = accumulator->digits - dtype->bits;
    if (n == 0 && op->role != RED_ROLE_SUM)
        return red_fail(error, RED_E_UNSUPPORTED, "there is no %s of 0 elements", op->name);
    if (op->role == RED_ROLE_PLACE && index_bits < 64 && n > UINT64_C(1) << index_bits)
        return red_fail(error, RED_E_UNSUPPORTED,
                        "%s of %s packs value and index into 64 bits; the largest possible n is %" PRIu64,
                        op->name, dtype->name, UINT64_C(1) << index_bits);
    return RED_OK;
}

/* By kind and by what is looked for. Of floats 0xfb and 0x7b repeated are large finite numbers in every
 * width. */
static const unsigned char poisons[RED_KINDS_N][RED_WANTS_N] = {
    [RED_UNSIGNED] = {0xff, 0x00, 0xff},
    [RED_SIGNED] = {0xff, 0x80, 0x7f},
    [RED_FLOAT] = {0xff, 0xfb, 0x7b},
};
static const unsigned char other_poisons[RED_KINDS_N][RED_WANTS_N] = {
    [RED_UNSIGNED] = {0x7f, 0x01, 0xfe},
    [RED_SIGNED] = {0x7f, 0x81, 0x7e},
    [RED_FLOAT] = {0x7f, 0xfa, 0x7a},
};

unsigned char red_op_poison(const struct red_op *op, const struct red_dtype *dtype) {
    return poisons[dtype->kind][op->wants];
}

/* A place is always the least of its accumulators. */
unsigned char red_op_poison_accumulator(const struct red_op *op, const struct red_dtype *dtype, bool again) {
    enum red_wants wants = op->role == RED_ROLE_PLACE ? RED_WANTS_LEAST : op->wants;
    enum red_kind kind = red_op_accumulator(op, dtype)->kind;
    return (again ? other_poisons : poisons)[kind][wants];
}
