/* The types of OpenCL C as C has them, for what emit and reproduce write for the host. */
#include "emit/private.h"

const struct red_emit_accumulator red_emit_accumulators[RED_ACCUMULATORS_N] = {
    [RED_ACCUMULATOR_u32] = {"uint32_t", "uint32_t", "0", "UINT32_MAX"},
    [RED_ACCUMULATOR_i32] = {"int32_t", "int32_t", "INT32_MIN", "INT32_MAX"},
    [RED_ACCUMULATOR_u64] = {"uint64_t", "uint64_t", "0", "UINT64_MAX"},
    [RED_ACCUMULATOR_i64] = {"int64_t", "int64_t", "INT64_MIN", "INT64_MAX"},
    [RED_ACCUMULATOR_f32] = {"float", "double", "-INFINITY", "INFINITY"},
    [RED_ACCUMULATOR_f64] = {"double", "double", "-INFINITY", "INFINITY"},
    [RED_ACCUMULATOR_pair] = {"struct pair", "struct pair", "{0, 0}", "{UINT64_MAX, UINT64_MAX}"},
};

bool red_emit_is_half(const struct red_dtype *dtype) {
    return dtype->is_float && dtype->bits == 16;
}

/* For emit/reduce.c and emit/scan.c, as is the next function. */
const char *red_emit_c_type(const struct red_dtype *dtype) {
    return red_emit_is_half(dtype) ? "uint16_t" : dtype->c_type;
}

const struct red_emit_accumulator *red_emit_accumulator_of(const struct red_emission *emission) {
    return &red_emit_accumulators[red_op_accumulator(emission->op, emission->dtype) - red_accumulators];
}
