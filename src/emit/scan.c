/* What emit writes of scans alone: fills the blanks of scan_test.c.in, and of host.h.in and steps.c.in what
 * depends on the operation. */
#include <string.h>

#include "emit/emit_private.h"

/* Sets what the host does with carries, and what the test expects of sums. */
static void set_sum_blanks(struct red_blanks *blanks, const struct red_emission *emission) {
    red_blanks_set(blanks, "TEST_VALUE", "(int)(x %% 7)%s",
                   emission->dtype->kind == RED_UNSIGNED ? "" : " - 3");
    red_blanks_set(blanks, "EXPECT_FIRST", "0");
    red_blanks_set(blanks, "FIRST_WORD", "0");
}

/* The value of a type that loses against every other where the least, or the greatest, is looked for. */
static const char *loser_of(const struct red_dtype *dtype, bool least) {
    static const struct {
        const char *type, *highest, *lowest;
    } limits[] = {{"int8_t", "INT8_MAX", "INT8_MIN"},    {"uint8_t", "UINT8_MAX", "0"},
                  {"int32_t", "INT32_MAX", "INT32_MIN"}, {"uint32_t", "UINT32_MAX", "0"},
                  {"int64_t", "INT64_MAX", "INT64_MIN"}, {"uint64_t", "UINT64_MAX", "0"},
                  {"uint16_t", "0x7c00", "0xfc00"},      {"float", "INFINITY", "-INFINITY"},
                  {"double", "INFINITY", "-INFINITY"}};
    size_t i = 0;
    while (i + 1 < sizeof limits / sizeof limits[0] && strcmp(limits[i].type, red_emit_c_type(dtype)) != 0)
        i++;
    return least ? limits[i].highest : limits[i].lowest;
}

/* The same of least and greatest values. */
static void set_order_blanks(struct red_blanks *blanks, const struct red_emission *emission) {
    const bool least = emission->op->does == RED_PICKS_LEAST;
    red_blanks_set(blanks, "EXPECT_FIRST", "%s", loser_of(emission->dtype, least));
    red_blanks_set(blanks, "FIRST_WORD", "%s",
                   !red_emit_is_half(emission->dtype) ? loser_of(emission->dtype, least)
                   : least                            ? "INFINITY"
                                                      : "-INFINITY");
    red_blanks_set(blanks, "RARER", "%s", least ? "less" : "greater");
    red_blanks_set(blanks, "RARE_SIGN", "%s", least ? "100 - " : "");
    /* The greatest are below 0, and the least above: what begins with a 0 is wrong. */
    red_blanks_set(blanks, "OFFSET", "%s", least || emission->dtype->kind == RED_UNSIGNED ? "" : " - 100");
}

/* Sets the blanks of operation and types. */
static void set_scan_blanks(struct red_blanks *blanks, const struct red_emission *emission) {
    const struct red_op *op = emission->op;
    const struct red_dtype *result = red_op_result_dtype(op, emission->dtype);
    const struct red_emit_accumulator *accumulator = red_emit_accumulator_of(op, emission->dtype);
    const bool is_order = op->role == RED_ROLE_ORDER;
    const bool is_float = red_op_accumulator(op, emission->dtype)->is_float;
    const bool has_math = is_float && is_order;
    red_blanks_set(blanks, "N_WORDS", ", n_max at most; with n = 0 nothing is written");
    red_blanks_set(blanks, "SAME_WORDS", "elements (%s) and results (%s) differ in size",
                   emission->dtype->cl_type, result->cl_type);
    red_blanks_set(blanks, "OPERATION", "%s", op->reduction->name);
    red_blanks_set(blanks, "FOLD_CAST", "%s",
                   strcmp(accumulator->c, accumulator->fold) != 0 ? "(float)" : "");
    red_blanks_set(blanks, "LIBM", "%s", has_math ? " m" : "");
    red_blanks_set_flag(blanks, "MATH", has_math);
    red_blanks_set_flag(blanks, "FLOATS", has_math);
    red_blanks_set_flag(blanks, "ORDER", is_order);
    red_blanks_set_flag(blanks, "EXCLUSIVE", op->exclusive);
    red_blanks_set_flag(blanks, "HALF_RESULT", red_emit_is_half(result));
    red_blanks_set_fold(blanks, op, emission->dtype, "value");
    if (is_order)
        set_order_blanks(blanks, emission);
    else
        set_sum_blanks(blanks, emission);
}

enum red_status red_emit_scan(const struct red_emission *emission, const struct red_build_spec *build,
                              struct red_blanks *blanks, char **kernel, struct red_error *error) {
    set_scan_blanks(blanks, emission);
    return red_emit_steps(emission, build, blanks, kernel, error);
}
