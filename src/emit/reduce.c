/* What emit writes of reductions alone: fills the blanks of host.h.in, reduce.c.in and reduce_test.c.in
 * from the operation, and makes the kernel with, where the finish has one, that over partial results. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emit/emit_private.h"

/* The C type of the result; halves are returned as floats. */
static const char *result_c_type(const struct red_emission *emission) {
    const struct red_dtype *result = red_op_result_dtype(emission->op, emission->dtype);
    return red_emit_is_half(result) ? "float" : red_emit_c_type(result);
}

/* ---- by what is looked for ---------------------------------------------------------------------------- */

/* Sets the blanks of operations that find a value: a sum, a mean, the least or the greatest element. */
static void set_value_blanks(struct red_blanks *blanks, const struct red_emission *emission) {
    const struct red_op *op = emission->op;
    const bool is_mean = op->role == RED_ROLE_MEAN;
    const char *type = result_c_type(emission);
    const char *total = !is_mean || red_op_accumulator(op, emission->dtype)->is_float ? "total"
                        : emission->dtype->kind == RED_SIGNED ? "(double)(int64_t)total"
                                                              : "(double)total";
    const char *found = is_mean ? "double" : red_emit_accumulator_of(op, emission->dtype)->fold;
    char value[64], cast[32] = "";
    snprintf(value, sizeof value, is_mean ? "%s / (double)reduction->divisor" : "%s", total);
    if (strcmp(type, found) != 0)
        snprintf(cast, sizeof cast, "(%s)", type);
    red_blanks_set(blanks, "START", "%s",
                   red_op_picks(op) ? "partials[0]" : red_op_identity_text(op, "0", "0"));
    red_blanks_set_fold(blanks, op, emission->dtype, "partials[i]");
    red_blanks_set(blanks, "FINISH", is_mean && cast[0] != '\0' ? "%s(%s)" : "%s%s", cast, value);
    red_blanks_set(blanks, "EXPECT_FINISH", is_mean ? "(%s)((double)total / (double)n)" : "(%s)total", type);
    red_blanks_set_flag(blanks, "MEAN", is_mean);
    red_blanks_set_flag(blanks, "OF_NOTHING", op->has_empty_answer);
    red_blanks_set_flag(blanks, "ONE_OR_MORE", !op->has_empty_answer);
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
    const bool least = emission->op->does == RED_PICKS_LEAST;
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

/* Whole numbers for the test: of products of integers odd ones, of floats few that are not 1 or -1, so that
 * no product is 0, or beyond what a float holds exactly; of `and` and `or` few that change a bit. */
static const char *test_value(const struct red_emission *emission) {
    const bool is_unsigned = emission->dtype->kind == RED_UNSIGNED;
    if (emission->op->does == RED_ANDS)
        return "(i & (i + 1)) == 0 || x % 997 == 0 ? ~(1 << x % 7) : -1";
    if (emission->op->does == RED_ORS)
        return "(i & (i + 1)) == 0 || x % 997 == 0 ? 1 << x % 7 : 0";
    if (emission->op->does != RED_MULTIPLIES)
        return is_unsigned ? "(int)(x % 7)" : "(int)(x % 7) - 3";
    return emission->dtype->is_float ? "(i & (i + 1)) == 0 ? 2 : x % 2 == 0 ? 1 : -1"
           : is_unsigned             ? "(int)(x % 7) * 2 + 1"
                                     : "(int)(x % 7) * 2 - 7";
}

/* Sets the blanks that depend on the role of the operation: types, the host's fold, what tests expect. The
 * emission has a name. */
static void set_role_blanks(struct red_blanks *blanks, const struct red_emission *emission) {
    const struct red_op *op = emission->op;
    const struct red_accumulator *own = red_op_accumulator(op, emission->dtype);
    const bool is_unsigned = emission->dtype->kind == RED_UNSIGNED, is_place = op->role == RED_ROLE_PLACE;
    char result[96];
    const bool has_libm =
        own->is_float ? red_op_picks(op) && !is_place : is_place && red_emit_is_half(emission->dtype);
    red_blanks_set_types(blanks, op, emission->dtype);
    snprintf(result, sizeof result, is_place ? "struct %s_place" : "%s",
             is_place ? emission->name : result_c_type(emission));
    red_blanks_set(blanks, "R", "%s", result);
    red_blanks_set(blanks, "RESULT_PARAMETER", ", %s *result", result);
    red_blanks_set(blanks, "LIBM", "%s", has_libm ? " m" : "");
    red_blanks_set_flag(blanks, "MATH", has_libm);
    /* Below the least value of argmin there must be room for one more. */
    red_blanks_set(blanks, "TEST_VALUE", "%s%s", test_value(emission),
                   is_unsigned && is_place && op->does == RED_PICKS_LEAST ? " + 1" : "");
    if (is_place)
        set_place_blanks(blanks, emission);
    else
        set_value_blanks(blanks, emission);
}

/* Sets the blanks of the input, one array or two, and of the result. */
static void set_input_blanks(struct red_blanks *blanks, const struct red_emission *emission) {
    static const char *const of_steps[] = {"SIZE_0",        "UP_TO",          "SIZE_PARAMETER",
                                           "SIZE_ARGUMENT", "OUTS_PARAMETER", "OUTS_ARGUMENT"};
    bool two = emission->op->arrays == 2;
    red_blanks_set(blanks, "ARRAYS", "%d", two ? 2 : 1);
    red_blanks_set(blanks, "KINDS", "%d", two ? 2 : 1);
    red_blanks_set(blanks, "ARRAYS_WORDS", "%s", two ? "x and y" : "x");
    red_blanks_set(blanks, "PARAMETERS", "%s", two ? "cl_mem x, cl_mem y" : "cl_mem x");
    red_blanks_set(blanks, "INPUTS", "%s", two ? "x, y" : "x");
    red_blanks_set(blanks, "TEST_ARGUMENTS", "%s", two ? "x[0].buffer, x[1].buffer" : "x[0].buffer");
    if (emission->op->has_empty_answer)
        red_blanks_set(blanks, "N_WORDS", "; the %s of no elements is %s",
                       emission->op->does == RED_ADDS ? "sum" : emission->op->name,
                       red_op_identity_text(emission->op, "0", "0"));
    else
        red_blanks_set(blanks, "N_WORDS", "%s", "");
    for (size_t i = 0; i < sizeof of_steps / sizeof of_steps[0]; i++)
        red_blanks_set(blanks, of_steps[i], "%s", "");
    red_blanks_set(blanks, "ANY_NULL", "%s", two ? "x == NULL || y == NULL" : "x == NULL");
    red_blanks_set(blanks, "IS_NULL", "%s", two ? ": one of them is NULL" : " is NULL");
    red_blanks_set(blanks, "S", "%s", two ? "s" : "");
    red_blanks_set_flag(blanks, "TWO_ARRAYS", two);
    red_blanks_set_flag(blanks, "HAS_RESULT", true);
    red_blanks_set(blanks, "VALUE", ", &value");
}

/* Sets the blanks of what groups count themselves by: the counter, or what stands behind the result. */
static void set_counter_blanks(struct red_blanks *blanks, const struct red_strategy *strategy,
                               bool has_counter) {
    const struct red_geometry none = {.groups_n = 0}, one = {.groups_n = 1};
    const size_t none_bytes = red_geometry_state_bytes(strategy, &none, 0, 0);
    const bool has_words = red_strategy_groups_have_words(strategy);
    red_blanks_set_flag(blanks, "COUNTER", has_counter);
    red_blanks_set_flag(blanks, "WORDS", has_words);
    red_blanks_set_flag(blanks, "CLEARED", has_counter || has_words);
    red_blanks_set(blanks, "CLEARED_BUFFER", "%s", has_words ? "reduction->out[0]" : "reduction->counter");
    const size_t group_bytes = red_geometry_state_bytes(strategy, &one, 0, 0) - none_bytes;
    red_blanks_set(blanks, "WORDS_BYTES", "(size_t)(%zu + %zu * groups)", none_bytes, group_bytes);
    if (has_words)
        red_blanks_set(blanks, "CLEARED_BYTES", "(size_t)(%zu + %zu * groups_for(UINT64_MAX))", none_bytes,
                       group_bytes);
    else
        red_blanks_set(blanks, "CLEARED_BYTES", "sizeof(cl_uint)");
    red_blanks_set(blanks, "ANSWER_AT", "%d", has_counter ? 3 : 2);
}

/* Sets the blanks of what the host prepares, launches and reads.
 *   second_name   of the kernel over partial results, or ""
 *   has_counter   the kernel takes a counter */
static void set_finish_blanks(struct red_blanks *blanks, const struct red_emission *emission,
                              const char *second_name, bool has_counter) {
    const enum red_finish_kind finish = emission->strategy->finish;
    const bool is_atomic = finish == RED_STRATEGY_ATOMIC, is_svm = finish == RED_STRATEGY_SVM,
               is_polled = finish == RED_STRATEGY_POLLED, is_host = finish == RED_STRATEGY_HOST;
    const bool has_second = second_name[0] != '\0',
               in_host_buffer = is_host || finish == RED_STRATEGY_TWO_KERNELS;
    const bool has_room = emission->strategy->span == RED_STRATEGY_EACH && !is_atomic;
    red_blanks_set_flag(blanks, "SVM", is_svm);
    red_blanks_set_flag(blanks, "HOST_BUFFER", in_host_buffer);
    red_blanks_set_flag(blanks, "FINDS_HOST_BUFFER", in_host_buffer || is_polled);
    red_blanks_set_flag(blanks, "UNMAPS", in_host_buffer || is_svm);
    red_blanks_set_flag(blanks, "PASSES", finish == RED_STRATEGY_PASSES);
    red_blanks_set_flag(blanks, "TWO_KERNELS", finish == RED_STRATEGY_TWO_KERNELS);
    red_blanks_set_flag(blanks, "ATOMIC", is_atomic);
    red_blanks_set_flag(blanks, "POLLED", is_polled);
    set_counter_blanks(blanks, emission->strategy, has_counter);
    red_blanks_set_flag(blanks, "ROOM", has_room);
    red_blanks_set(blanks, "ROOM_WORDS", "%s", has_room ? "`room` work-groups" : "the work-groups");
    red_blanks_set_flag(blanks, "SECOND", has_second);
    red_blanks_set(blanks, "KERNEL_NAME", has_second ? "i == 0 ? \"reduce\" : \"%s\"" : "\"reduce\"",
                   second_name);
    red_blanks_set(blanks, "OUT", "%s", has_second ? "out" : "reduction->out[0]");
    red_blanks_set(blanks, "OUT_PARAMETER", "%s", has_second ? ", cl_mem out" : "");
    red_blanks_set(blanks, "OUT_ARGUMENT", "%s", has_second ? ", reduction->out[0]" : "");
    red_blanks_set(blanks, "MAKE_BUFFERS", "reserve(reduction, %s)",
                   is_atomic                                       ? "1"
                   : emission->strategy->span == RED_STRATEGY_EACH ? "groups_for(1 << 20)"
                                                                   : "groups_for(UINT64_MAX)");
    red_blanks_set_flag(blanks, "NEW", emission->strategy->standard == RED_STANDARD_CL20);
    red_blanks_set_flag(blanks, "MANY", is_host || is_svm);
    red_blanks_set_flag(blanks, "READ_MANY", is_host);
    red_blanks_set_flag(blanks, "READS", !is_svm && !is_polled);
    red_blanks_set(blanks, "READ_BYTES", "%s",
                   is_host ? "(size_t)reduction->partials_n * sizeof *reduction->partials"
                           : "sizeof reduction->partial");
    red_blanks_set(blanks, "READ_TO", "%s", is_host ? "reduction->partials" : "&reduction->partial");
    red_blanks_set(blanks, "FROM", "reduction->out[%s]",
                   finish == RED_STRATEGY_PASSES        ? "reduction->last"
                   : finish == RED_STRATEGY_TWO_KERNELS ? "1"
                                                        : "0");
}

/* ---- all ----------------------------------------------------------------------------------------------- */

static enum red_status make_kernel(const struct red_emission *emission, const struct red_build_spec *build,
                                   struct red_blanks *blanks, char **kernel, struct red_error *error) {
    const enum red_finish_kind finish = emission->strategy->finish;
    const char *second_name = "";
    if (red_strategy_groups_have_words(emission->strategy) && emission->strategy->span == RED_STRATEGY_EACH)
        return red_fail(
            error, RED_E_UNSUPPORTED,
            "%s needs words of every group, and span each has groups without end: take span stride",
            emission->strategy->name);
    red_blanks_set(blanks, "SELF", "reduction");
    set_role_blanks(blanks, emission);
    set_input_blanks(blanks, emission);
    enum red_status status = red_emit_compose(build, kernel, error);
    if (status == RED_OK && (finish == RED_STRATEGY_PASSES || finish == RED_STRATEGY_TWO_KERNELS)) {
        struct red_build_spec second = *build;
        second.over_partials = true;
        second.pass = 1;
        status = red_emit_add_pass(&second, *kernel, kernel, &second_name, error);
    }
    if (status == RED_OK)
        status = red_emit_drop_prefix(kernel, error);
    if (status != RED_OK)
        return status;
    const unsigned others_n = emission->op->arrays + 2 + (finish == RED_STRATEGY_POLLED);
    const bool has_counter = red_emit_parameters_n(*kernel, "reduce") > others_n;
    if (second_name[0] != '\0' && (red_emit_parameters_n(*kernel, second_name) > 1 + 2) != has_counter)
        return red_fail(error, RED_E_UNSUPPORTED,
                        "of the kernels of %s one takes a counter, and one does not",
                        emission->strategy->name);
    set_finish_blanks(blanks, emission, second_name, has_counter);
    return RED_OK;
}

const struct red_emit_hooks red_emit_of_reduce = {.source = red_emit_reduce_c,
                                                  .test = red_emit_reduce_test_c,
                                                  .make_kernel = make_kernel,
                                                  .reproduction = &red_reproduction_of_reductions};
