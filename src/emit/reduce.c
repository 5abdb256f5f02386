/* What emit writes of reductions alone: fills the blanks of reduce.h.in, reduce.c.in and reduce_test.c.in
 * from the operation, and makes the kernel with, where the finish has one, that over partial results. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emit/private.h"

/* The C type of the result; halves are returned as floats. */
static const char *result_c_type(const struct red_emission *emission) {
    const struct red_dtype *result = red_op_result_dtype(emission->op, emission->dtype);
    return red_emit_is_half(result) ? "float" : red_emit_c_type(result);
}

/* What turns the host's total into a result of its type: "(float)"; "" where it is of that type. */
static const char *result_cast(const struct red_emission *emission, char *cast, size_t cast_bytes) {
    const char *type = result_c_type(emission);
    snprintf(cast, cast_bytes, "(%s)", type);
    return strcmp(type, red_emit_accumulator_of(emission)->fold) == 0 ? "" : cast;
}

/* What turns a partial result into the host's total: "(double)" of a float; "" of others. */
static const char *partial_cast(const struct red_emission *emission) {
    return strcmp(red_emit_accumulator_of(emission)->c, "float") == 0 ? "(double)" : "";
}

/* ---- by what is looked for -------------------------------------------------------------------------------
 * Each set_*_blanks writes values for blanks of the templates (src/emit), which stand in the emitted files;
 * the role ORDER is min and max, PLACE is argmin and argmax. */

static void set_sum_blanks(struct red_blanks *blanks, const struct red_emission *emission) {
    char cast[32];
    static const char *const terms[] = {
        [RED_TERM_ELEMENT] = "x", [RED_TERM_PRODUCT] = "x * y", [RED_TERM_SQUARE] = "x * x"};
    red_blanks_set(blanks, "START", "0");
    red_blanks_set(blanks, "STEP", "total += %spartials[i]", partial_cast(emission));
    red_blanks_set(blanks, "FINISH", "%stotal", result_cast(emission, cast, sizeof cast));
    red_blanks_set(blanks, "EXPECT_START", "0");
    red_blanks_set(blanks, "EXPECT_STEP", "total += %s", terms[emission->op->term]);
    red_blanks_set(blanks, "EXPECT_FINISH", "(%s)total", result_c_type(emission));
    red_blanks_set_flag(blanks, "OF_NOTHING", true);
}

static void set_mean_blanks(struct red_blanks *blanks, const struct red_emission *emission) {
    const bool is_float = red_op_accumulator(emission->op, emission->dtype)->is_float;
    const char *total = is_float                              ? "total"
                        : emission->dtype->kind == RED_SIGNED ? "(double)(int64_t)total"
                                                              : "(double)total";
    red_blanks_set(blanks, "START", "0");
    red_blanks_set(blanks, "STEP", "total += %spartials[i]", partial_cast(emission));
    if (strcmp(result_c_type(emission), "double") == 0)
        red_blanks_set(blanks, "FINISH", "%s / (double)reduction->divisor", total);
    else
        red_blanks_set(blanks, "FINISH", "(%s)(%s / (double)reduction->divisor)", result_c_type(emission),
                       total);
    red_blanks_set(blanks, "EXPECT_START", "0");
    red_blanks_set(blanks, "EXPECT_STEP", "total += x");
    red_blanks_set(blanks, "EXPECT_FINISH", "(%s)((double)total / (double)n)", result_c_type(emission));
    red_blanks_set_flag(blanks, "ONE_OR_MORE", true);
    red_blanks_set_flag(blanks, "MEAN", true);
}

static void set_order_blanks(struct red_blanks *blanks, const struct red_emission *emission) {
    const bool is_float = red_op_accumulator(emission->op, emission->dtype)->is_float;
    char cast[32];
    const bool least = emission->op->wants == RED_WANTS_LEAST;
    red_blanks_set(blanks, "START", "%spartials[0]", partial_cast(emission));
    if (is_float)
        red_blanks_set(blanks, "STEP", "total = f%s(total, %spartials[i])", emission->op->name,
                       partial_cast(emission));
    else
        red_blanks_set(blanks, "STEP", "total = partials[i] %c total ? partials[i] : total",
                       least ? '<' : '>');
    red_blanks_set(blanks, "FINISH", "%stotal", result_cast(emission, cast, sizeof cast));
    red_blanks_set(blanks, "EXPECT_START", least ? "INT64_MAX" : "INT64_MIN");
    red_blanks_set(blanks, "EXPECT_STEP", "total = x %c total ? x : total", least ? '<' : '>');
    red_blanks_set(blanks, "EXPECT_FINISH", "(%s)total", result_c_type(emission));
    red_blanks_set_flag(blanks, "ONE_OR_MORE", true);
}

/* Sets the sign bit of a type and, for floats, NaNs and the negative zero. */
static void set_bits_blanks(struct red_blanks *blanks, const struct red_dtype *dtype) {
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
    red_blanks_set_borrowed(blanks, "WORD", widths[w].word);
    red_blanks_set_borrowed(blanks, "SIGN", widths[w].sign);
    red_blanks_set_borrowed(blanks, "NAN", widths[w].nan);
    red_blanks_set(blanks, "MINUS_NAN", red_emit_is_half(dtype) ? "0xfe00" : "-%s", widths[w].nan);
    red_blanks_set(blanks, "MINUS_ZERO", "%s", widths[w].minus_zero);
    red_blanks_set_flag(blanks, "FLOATS", dtype->is_float);
    red_blanks_set_flag(blanks, "SIGNED", dtype->kind == RED_SIGNED);
    red_blanks_set_flag(blanks, "UNSIGNED", dtype->kind == RED_UNSIGNED);
}

/* Sets the blanks of operations that find a place, which is always the least accumulator. In the test the
 * winner lies next to the values of value_at. */
static void set_place_blanks(struct red_blanks *blanks, const struct red_emission *emission) {
    const struct red_dtype *dtype = emission->dtype;
    const bool least = emission->op->wants == RED_WANTS_LEAST;
    const bool is_packed = red_op_accumulator(emission->op, dtype)->word_bits > 0;
    red_blanks_set(blanks, "START", "partials[0]");
    red_blanks_set(blanks, "STEP", "%s",
                   is_packed ? "total = partials[i] < total ? partials[i] : total"
                             : "total = lower(total, partials[i])");
    red_blanks_set(blanks, "FINISH", "place_of(total)");
    red_blanks_set(blanks, "V", "%s", result_c_type(emission));
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
    set_bits_blanks(blanks, dtype);
}

/* ---- by the operation's role --------------------------------------------------------------------------- */

/* Sets the blanks that depend on the role of the operation: types, the host's fold, what tests expect. The
 * emission has a name. */
static void set_role_blanks(struct red_blanks *blanks, const struct red_emission *emission) {
    static void (*const by_role[RED_ROLES_N])(struct red_blanks *, const struct red_emission *) = {
        [RED_ROLE_SUM] = set_sum_blanks,
        [RED_ROLE_MEAN] = set_mean_blanks,
        [RED_ROLE_ORDER] = set_order_blanks,
        [RED_ROLE_PLACE] = set_place_blanks,
    };
    const struct red_op *op = emission->op;
    const struct red_accumulator *own = red_op_accumulator(op, emission->dtype);
    const struct red_emit_accumulator *accumulator = red_emit_accumulator_of(emission);
    const char *const identities[] = {[RED_IDENTITY_ZERO] = "0",
                                      [RED_IDENTITY_LOWEST] = accumulator->lowest,
                                      [RED_IDENTITY_HIGHEST] = accumulator->highest};
    const bool is_unsigned = emission->dtype->kind == RED_UNSIGNED, is_place = op->role == RED_ROLE_PLACE;
    char result[96];
    const bool has_libm =
        own->is_float ? op->role == RED_ROLE_ORDER : is_place && red_emit_is_half(emission->dtype);
    red_blanks_set(blanks, "A", "%s", accumulator->c);
    red_blanks_set(blanks, "FOLD", "%s", accumulator->fold);
    red_blanks_set(blanks, "IDENTITY", "%s", identities[op->identity]);
    snprintf(result, sizeof result, is_place ? "struct %s_place" : "%s",
             is_place ? emission->name : result_c_type(emission));
    red_blanks_set(blanks, "R", "%s", result);
    red_blanks_set(blanks, "RESULT_PARAMETER", ", %s *result", result);
    red_blanks_set(blanks, "LIBM", "%s", has_libm ? " m" : "");
    red_blanks_set_flag(blanks, "MATH", has_libm);
    /* Below the least value of argmin there must be room for one more. */
    red_blanks_set(blanks, "OFFSET", "%s",
                   !is_unsigned                               ? " - 3"
                   : is_place && op->wants == RED_WANTS_LEAST ? " + 1"
                                                              : "");
    by_role[op->role](blanks, emission);
}

/* Sets the blanks of the input, one array or two, and of the result. */
static void set_input_blanks(struct red_blanks *blanks, const struct red_emission *emission) {
    static const char *const of_steps[] = {"UP_TO", "SIZE_PARAMETER", "SIZE_ARGUMENT", "OUTS_PARAMETER",
                                           "OUTS_ARGUMENT"};
    bool two = emission->op->arrays == 2;
    red_blanks_set(blanks, "ARRAYS", "%d", two ? 2 : 1);
    red_blanks_set(blanks, "ARRAYS_WORDS", "%s", two ? "x and y" : "x");
    red_blanks_set(blanks, "PARAMETERS", "%s", two ? "cl_mem x, cl_mem y" : "cl_mem x");
    red_blanks_set(blanks, "INPUTS", "%s", two ? "x, y" : "x");
    red_blanks_set(blanks, "TEST_ARGUMENTS", "%s", two ? "x[0].buffer, x[1].buffer" : "x[0].buffer");
    red_blanks_set(blanks, "N_WORDS", "%s", emission->op->role == RED_ROLE_SUM ? "; of nothing it is 0" : "");
    for (size_t i = 0; i < sizeof of_steps / sizeof of_steps[0]; i++)
        red_blanks_set(blanks, of_steps[i], "%s", "");
    red_blanks_set(blanks, "ANY_NULL", "%s", two ? "x == NULL || y == NULL" : "x == NULL");
    red_blanks_set(blanks, "IS_NULL", "%s", two ? ": one of them is NULL" : " is NULL");
    red_blanks_set(blanks, "ARG_N", "%d", two ? 2 : 1);
    red_blanks_set(blanks, "ARG_OUT", "%d", two ? 3 : 2);
    red_blanks_set(blanks, "ARG_COUNTER", "%d", two ? 4 : 3);
    red_blanks_set(blanks, "ARG_ANSWER", "%d", two ? 5 : 4);
    red_blanks_set(blanks, "S", "%s", two ? "s" : "");
    red_blanks_set_flag(blanks, "TWO_ARRAYS", two);
    red_blanks_set_flag(blanks, "HAS_RESULT", true);
    red_blanks_set(blanks, "VALUE", ", &value");
}

/* ---- the kernel ---------------------------------------------------------------------------------------- */

/* Where the finish reduces partial results on the device: appends a kernel for these to *kernel_text if it
 * differs from the first, which is used otherwise. Sets *second_name to the name of that which is used; ""
 * for other finishes. */
static enum red_status add_second_kernel_if_needed(const struct red_emission *emission,
                                                   const struct red_build_spec *first, char **kernel_text,
                                                   const char **second_name, struct red_error *error) {
    enum red_finish_kind finish = emission->strategy->finish;
    struct red_build_spec build = *first;
    char *second = NULL;
    *second_name = "";
    if (finish != RED_STRATEGY_PASSES && finish != RED_STRATEGY_TWO_KERNELS)
        return RED_OK;
    build.over_partials = true;
    build.pass = 1;
    enum red_status status = red_emit_expand(&build, &second, error);
    *second_name = "reduce";
    if (status == RED_OK && strcmp(second, *kernel_text) != 0) {
        *second_name = "reduce_partials";
        status = red_emit_join(kernel_text, second, "_partials", "over partial results", error);
    }
    free(second);
    return status;
}

/* Takes the counter, a parameter of every kernel that few use, from a text whose kernels do not use it;
 * whether that is so. */
static bool drop_unused_counter(char *text) {
    static const char parameter[] = "global uint *restrict counter";
    const size_t n = sizeof parameter - 1;
    for (const char *at = text; *at != '\0';) {
        const size_t passed = red_comment_bytes(at) + (strncmp(at, parameter, n) == 0 ? n : 0);
        const bool is_word = at == text || !red_is_word_char(at[-1]);
        if (passed == 0 && is_word && strncmp(at, "counter", 7) == 0 && !red_is_word_char(at[7]))
            return false;
        at += passed > 0 ? passed : 1;
    }
    for (char *at; (at = strstr(text, parameter)) != NULL;) {
        char *comma = at;
        while (*comma != ',')
            comma--;
        memmove(comma, at + n, strlen(at + n) + 1);
    }
    return true;
}

/* ---- all ----------------------------------------------------------------------------------------------- */

/* Called by emit.c for an emission of a reduction. */
enum red_status red_emit_reduce(const struct red_emission *emission, const struct red_build_spec *build,
                                struct red_blanks *blanks, char **kernel, struct red_error *error) {
    const char *second_name = "";
    red_blanks_set(blanks, "SELF", "reduction");
    set_role_blanks(blanks, emission);
    set_input_blanks(blanks, emission);
    enum red_status status = red_emit_expand(build, kernel, error);
    if (status == RED_OK)
        status = add_second_kernel_if_needed(emission, build, kernel, &second_name, error);
    if (status == RED_OK)
        status = red_emit_drop_prefix(kernel, error);
    if (status != RED_OK)
        return status;
    red_blanks_set_finish(blanks, emission, second_name, !drop_unused_counter(*kernel));
    return RED_OK;
}
