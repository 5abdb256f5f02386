/* The types of OpenCL C as C has them, for what emit and reproduce write for the host. */
#include "core/text.h"
#include "emit/emit_private.h"

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

void red_emit_combine_format(const struct red_op *op, const char *a, const char *b, char *text,
                             size_t text_bytes) {
    text[0] = '\0';
    for (const char *at = op->combine; *at != '\0';) {
        int n = (int)red_word_bytes(at);
        const char *operand = n != 1 ? NULL : *at == 'a' ? a : *at == 'b' ? b : NULL;
        n = n > 0 ? n : 1;
        if (operand != NULL)
            red_text_add(text, text_bytes, "%s", operand);
        else
            red_text_add(text, text_bytes, "%.*s", n, at);
        at += n;
    }
}

void red_blanks_set_fold(struct red_blanks *blanks, const struct red_op *op, const struct red_dtype *dtype,
                         const char *value) {
    static const char *const terms[] = {
        [RED_TERM_ELEMENT] = "x", [RED_TERM_PRODUCT] = "x * y", [RED_TERM_SQUARE] = "x * x"};
    const bool least = op->does == RED_PICKS_LEAST;
    const char sign = least ? '<' : '>';
    char combined[128], term[32];
    if (!red_op_picks(op)) {
        red_emit_combine_format(op, "total", value, combined, sizeof combined);
        red_blanks_set(blanks, "STEP", "total = %s", combined);
        red_blanks_set(blanks, "EXPECT_START", "%s", red_op_identity_text(op, "0", "0"));
        /* Sums are small; others keep the low 64 bits. */
        const bool adds = op->does == RED_ADDS;
        snprintf(term, sizeof term, adds ? "%s" : "(uint64_t)(%s)", terms[op->term]);
        red_emit_combine_format(op, adds ? "total" : "(uint64_t)total", term, combined, sizeof combined);
        red_blanks_set(blanks, "EXPECT_STEP", adds ? "total = %s" : "total = (int64_t)(%s)", combined);
        return;
    }
    if (red_op_accumulator(op, dtype)->is_float)
        red_blanks_set(blanks, "STEP", "total = %s(total, %s)", least ? "fmin" : "fmax", value);
    else
        red_blanks_set(blanks, "STEP", "total = %s %c total ? %s : total", value, sign, value);
    red_blanks_set(blanks, "EXPECT_START", least ? "INT64_MAX" : "INT64_MIN");
    red_blanks_set(blanks, "EXPECT_STEP", "total = x %c total ? x : total", sign);
}
