/* The types of OpenCL C as C has them, for what emit and reproduce write for the host. */
#include "emit/private.h"

static const struct red_emit_accumulator accumulators[RED_ACCUMULATORS_N] = {
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

/* For emit/reduce.c and emit/scan.c, as are the next functions. */
const char *red_emit_c_type(const struct red_dtype *dtype) {
    return red_emit_is_half(dtype) ? "uint16_t" : dtype->c_type;
}

const struct red_emit_accumulator *red_emit_accumulator_of(const struct red_op *op,
                                                           const struct red_dtype *dtype) {
    return &accumulators[red_op_accumulator(op, dtype) - red_accumulators];
}

void red_blanks_set_types(struct red_blanks *blanks, const struct red_op *op, const struct red_dtype *dtype) {
    const struct red_emit_accumulator *own = red_emit_accumulator_of(op, dtype);
    red_blanks_set(blanks, "T", "%s", red_emit_c_type(dtype));
    red_blanks_set(blanks, "A", "%s", own->c);
    red_blanks_set(blanks, "FOLD", "%s", own->fold);
    red_blanks_set(blanks, "IDENTITY", "%s", red_op_identity_text(op, own->lowest, own->highest));
}

void red_blanks_set_fold(struct red_blanks *blanks, const struct red_op *op, const struct red_dtype *dtype,
                         const char *value) {
    static const char *const terms[] = {
        [RED_TERM_ELEMENT] = "x", [RED_TERM_PRODUCT] = "x * y", [RED_TERM_SQUARE] = "x * x"};
    const bool least = op->does == RED_PICKS_LEAST;
    const char sign = least ? '<' : '>';
    if (!red_op_picks(op)) {
        red_blanks_set(blanks, "STEP", "total %s= %s", op->joins, value);
        red_blanks_set(blanks, "EXPECT_START", "%s", red_op_identity_text(op, "0", "0"));
        red_blanks_set(blanks, "EXPECT_STEP",
                       op->does == RED_ADDS ? "total %s= %s"
                                            : "total = (int64_t)((uint64_t)total %s (uint64_t)(%s))",
                       op->joins, terms[op->term]);
        return;
    }
    if (red_op_accumulator(op, dtype)->is_float)
        red_blanks_set(blanks, "STEP", "total = %s(total, %s)", least ? "fmin" : "fmax", value);
    else
        red_blanks_set(blanks, "STEP", "total = %s %c total ? %s : total", value, sign, value);
    red_blanks_set(blanks, "EXPECT_START", least ? "INT64_MAX" : "INT64_MIN");
    red_blanks_set(blanks, "EXPECT_STEP", "total = x %c total ? x : total", sign);
}
