#include "emit/fold.h"

#include <string.h>

/* C types by accumulator: its own, that in which the host folds, and the ends of its range. */
static const struct accumulator {
    const char *c, *fold, *lowest, *highest;
} accumulators[RED_ACCUMULATORS_N] = {
    [RED_ACCUMULATOR_u32] = {"uint32_t", "uint32_t", "0", "UINT32_MAX"},
    [RED_ACCUMULATOR_i32] = {"int32_t", "int32_t", "INT32_MIN", "INT32_MAX"},
    [RED_ACCUMULATOR_u64] = {"uint64_t", "uint64_t", "0", "UINT64_MAX"},
    [RED_ACCUMULATOR_i64] = {"int64_t", "int64_t", "INT64_MIN", "INT64_MAX"},
    [RED_ACCUMULATOR_f32] = {"float", "double", "-INFINITY", "INFINITY"},
    [RED_ACCUMULATOR_f64] = {"double", "double", "-INFINITY", "INFINITY"},
    [RED_ACCUMULATOR_pair] = {"struct pair", "struct pair", "{0, 0}", "{UINT64_MAX, UINT64_MAX}"},
};

static bool is_half(const struct red_dtype *dtype) {
    return dtype->is_float && dtype->bits == 16;
}

const char *red_emit_c_type(const struct red_dtype *dtype) {
    static const struct {
        const char *name, *c;
    } types[] = {{"i8", "int8_t"},    {"u8", "uint8_t"},  {"i32", "int32_t"},
                 {"u32", "uint32_t"}, {"i64", "int64_t"}, {"u64", "uint64_t"},
                 {"f16", "uint16_t"}, {"f32", "float"},   {"f64", "double"}};
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
        if (strcmp(types[i].name, dtype->name) == 0)
            return types[i].c;
    return "";
}

/* Halves come back as floats. */
static const char *value_type(const struct red_emission *emission) {
    const struct red_dtype *result = red_op_result(emission->op, emission->dtype);
    return is_half(result) ? "float" : red_emit_c_type(result);
}

/* ---- by what is looked for -------------------------------------------------------------------------------
 */

static void set_sum(struct red_blanks *blanks, const struct red_emission *emission) {
    const bool is_float = red_op_accumulator(emission->op, emission->dtype)->is_float;
    static const char *const terms[] = {
        [RED_TERM_ELEMENT] = "x", [RED_TERM_PRODUCT] = "x * y", [RED_TERM_SQUARE] = "x * x"};
    red_blanks_set(blanks, "START", "0");
    red_blanks_set(blanks, "STEP", "total += %spartials[i]", is_float ? "(double)" : "");
    red_blanks_set(blanks, "FINISH", "(%s)total", value_type(emission));
    red_blanks_set(blanks, "EXPECT_START", "0");
    red_blanks_set(blanks, "EXPECT_STEP", "total += %s", terms[emission->op->term]);
    red_blanks_set(blanks, "EXPECT_FINISH", "(%s)total", value_type(emission));
    red_blanks_set_flag(blanks, "OF_NOTHING", true);
}

static void set_mean(struct red_blanks *blanks, const struct red_emission *emission) {
    const bool is_float = red_op_accumulator(emission->op, emission->dtype)->is_float;
    const char *total = is_float                              ? "total"
                        : emission->dtype->kind == RED_SIGNED ? "(double)(int64_t)total"
                                                              : "(double)total";
    red_blanks_set(blanks, "START", "0");
    red_blanks_set(blanks, "STEP", "total += %spartials[i]", is_float ? "(double)" : "");
    red_blanks_set(blanks, "FINISH", "(%s)(%s / (double)n)", value_type(emission), total);
    red_blanks_set(blanks, "EXPECT_START", "0");
    red_blanks_set(blanks, "EXPECT_STEP", "total += x");
    red_blanks_set(blanks, "EXPECT_FINISH", "(%s)((double)total / (double)n)", value_type(emission));
    red_blanks_set_flag(blanks, "ONE_OR_MORE", true);
}

static void set_order(struct red_blanks *blanks, const struct red_emission *emission) {
    const bool is_float = red_op_accumulator(emission->op, emission->dtype)->is_float;
    const bool least = emission->op->wants == RED_WANTS_LEAST;
    red_blanks_set(blanks, "START", "%spartials[0]", is_float ? "(double)" : "");
    if (is_float)
        red_blanks_set(blanks, "STEP", "total = f%s(total, (double)partials[i])", emission->op->name);
    else
        red_blanks_set(blanks, "STEP", "total = partials[i] %c total ? partials[i] : total",
                       least ? '<' : '>');
    red_blanks_set(blanks, "FINISH", "(%s)total", value_type(emission));
    red_blanks_set(blanks, "EXPECT_START", least ? "INT64_MAX" : "INT64_MIN");
    red_blanks_set(blanks, "EXPECT_STEP", "total = x %c total ? x : total", least ? '<' : '>');
    red_blanks_set(blanks, "EXPECT_FINISH", "(%s)total", value_type(emission));
    red_blanks_set_flag(blanks, "ONE_OR_MORE", true);
}

/* Of each type the sign bit, and what only floats have: NaNs and a zero below zero. */
static void set_bits(struct red_blanks *blanks, const struct red_dtype *dtype) {
    static const struct {
        unsigned bits;
        const char *word, *sign, *nan, *minus_zero;
    } widths[] = {{8, "uint8_t", "0x80", "", ""},
                  {16, "uint16_t", "0x8000", "0x7e00", "0x8000"},
                  {32, "uint32_t", "UINT32_C(0x80000000)", "NAN", "-0.0f"},
                  {64, "uint64_t", "UINT64_C(0x8000000000000000)", "(double)NAN", "-0.0"}};
    size_t w = 0;
    while (widths[w].bits != dtype->bits)
        w++;
    red_blanks_set(blanks, "WORD", "%s", widths[w].word);
    red_blanks_set(blanks, "SIGN", "%s", widths[w].sign);
    red_blanks_set(blanks, "NAN", "%s", widths[w].nan);
    red_blanks_set(blanks, "MINUS_NAN", is_half(dtype) ? "0xfe00" : "-%s", widths[w].nan);
    red_blanks_set(blanks, "MINUS_ZERO", "%s", widths[w].minus_zero);
    red_blanks_set_flag(blanks, "FLOATS", dtype->is_float);
    red_blanks_set_flag(blanks, "SIGNED", dtype->kind == RED_SIGNED);
    red_blanks_set_flag(blanks, "UNSIGNED", dtype->kind == RED_UNSIGNED);
}

/* A place is always the least of its accumulators. The winner of a test is next to the values of value_at. */
static void set_place(struct red_blanks *blanks, const struct red_emission *emission) {
    const struct red_dtype *dtype = emission->dtype;
    const bool least = emission->op->wants == RED_WANTS_LEAST;
    const bool is_packed = red_op_accumulator(emission->op, dtype)->word_bits > 0;
    red_blanks_set(blanks, "START", "partials[0]");
    red_blanks_set(blanks, "STEP", "%s",
                   is_packed ? "total = partials[i] < total ? partials[i] : total"
                             : "total = lower(total, partials[i])");
    red_blanks_set(blanks, "FINISH", "place_of(total)");
    red_blanks_set(blanks, "V", "%s", value_type(emission));
    red_blanks_set(blanks, "VALUE_BITS", "%u", dtype->bits);
    red_blanks_set(blanks, "INDEX_BITS", "%u", 64 - dtype->bits);
    red_blanks_set(blanks, "WANTED", "%s", least ? "least" : "greatest");
    red_blanks_set(blanks, "WINS", "%c", least ? '<' : '>');
    red_blanks_set(blanks, "WINNER", "%d", dtype->kind == RED_UNSIGNED ? (least ? 0 : 7) : least ? -4 : 4);
    red_blanks_set_flag(blanks, "PLACE", true);
    red_blanks_set_flag(blanks, "PACKED", is_packed);
    red_blanks_set_flag(blanks, "PAIRS", !is_packed);
    red_blanks_set_flag(blanks, "ONE_OR_MORE", !is_packed);
    red_blanks_set_flag(blanks, "GREATEST", !least);
    set_bits(blanks, dtype);
}

/* ---- of all ----------------------------------------------------------------------------------------------
 */

void red_emit_set_fold(struct red_blanks *blanks, const struct red_emission *emission) {
    static void (*const by_role[RED_ROLES_N])(struct red_blanks *, const struct red_emission *) = {
        [RED_ROLE_SUM] = set_sum,
        [RED_ROLE_MEAN] = set_mean,
        [RED_ROLE_ORDER] = set_order,
        [RED_ROLE_PLACE] = set_place,
    };
    const struct red_op *op = emission->op;
    const struct red_accumulator *own = red_op_accumulator(op, emission->dtype);
    const struct accumulator *accumulator = &accumulators[own - red_accumulators];
    const char *const identities[] = {[RED_IDENTITY_ZERO] = "0",
                                      [RED_IDENTITY_LOWEST] = accumulator->lowest,
                                      [RED_IDENTITY_HIGHEST] = accumulator->highest};
    const bool is_unsigned = emission->dtype->kind == RED_UNSIGNED, is_place = op->role == RED_ROLE_PLACE;
    const bool has_libm = own->is_float ? op->role == RED_ROLE_ORDER : is_place && is_half(emission->dtype);
    red_blanks_set(blanks, "A", "%s", accumulator->c);
    red_blanks_set(blanks, "FOLD", "%s", accumulator->fold);
    red_blanks_set(blanks, "IDENTITY", "%s", identities[op->identity]);
    red_blanks_set(blanks, "R", is_place ? "struct %s_place" : "%s",
                   is_place ? emission->name : value_type(emission));
    red_blanks_set(blanks, "LIBM", "%s", has_libm ? " m" : "");
    red_blanks_set_flag(blanks, "MATH", has_libm);
    /* Below the least value of argmin there must be room for one more. */
    red_blanks_set(blanks, "OFFSET", "%s",
                   !is_unsigned                               ? " - 3"
                   : is_place && op->wants == RED_WANTS_LEAST ? " + 1"
                                                              : "");
    by_role[op->role](blanks, emission);
}
