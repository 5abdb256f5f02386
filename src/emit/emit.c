#define _POSIX_C_SOURCE 200809L /* O_CLOEXEC */
/* Writes the files of `emit`: NAME.cl, NAME.h, NAME.c, NAME_test.c, CMakeLists.txt. Fills the blanks of their
 * templates from the strategy, the type and the operation. The emission is what cli/cmd_emit.c has chosen. */
#include "emit/emit.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/file.h"
#include "core/memory.h"
#include "core/text.h"
#include "emit/private.h"

/* Also for the host program of reproduce (reproduction.c), as is the next function. */
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

/* The C type of an element in NAME.h and NAME.c; a half is its bits. */
static const char *c_type_of(const struct red_dtype *dtype) {
    return red_emit_is_half(dtype) ? "uint16_t" : dtype->c_type;
}

/* The C type of the result; halves are returned as floats. */
static const char *result_c_type(const struct red_emission *emission) {
    const struct red_dtype *result = red_op_result_dtype(emission->op, emission->dtype);
    return red_emit_is_half(result) ? "float" : c_type_of(result);
}

/* The C types of the accumulator of the emission's operation. */
static const struct red_emit_accumulator *accumulator_of(const struct red_emission *emission) {
    return &red_emit_accumulators[red_op_accumulator(emission->op, emission->dtype) - red_accumulators];
}

/* What turns the host's total into a result of its type: "(float)"; "" where it is of that type. */
static const char *result_cast(const struct red_emission *emission, char *cast, size_t cast_bytes) {
    const char *type = result_c_type(emission);
    snprintf(cast, cast_bytes, "(%s)", type);
    return strcmp(type, accumulator_of(emission)->fold) == 0 ? "" : cast;
}

/* What turns a partial result into the host's total: "(double)" of a float; "" of others. */
static const char *partial_cast(const struct red_emission *emission) {
    return strcmp(accumulator_of(emission)->c, "float") == 0 ? "(double)" : "";
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

/* ---- of all -------------------------------------------------------------------------------------------- */

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
    const struct red_emit_accumulator *accumulator = accumulator_of(emission);
    const char *const identities[] = {[RED_IDENTITY_ZERO] = "0",
                                      [RED_IDENTITY_LOWEST] = accumulator->lowest,
                                      [RED_IDENTITY_HIGHEST] = accumulator->highest};
    const bool is_unsigned = emission->dtype->kind == RED_UNSIGNED, is_place = op->role == RED_ROLE_PLACE;
    const bool has_libm =
        own->is_float ? op->role == RED_ROLE_ORDER : is_place && red_emit_is_half(emission->dtype);
    red_blanks_set(blanks, "A", "%s", accumulator->c);
    red_blanks_set(blanks, "FOLD", "%s", accumulator->fold);
    red_blanks_set(blanks, "IDENTITY", "%s", identities[op->identity]);
    red_blanks_set(blanks, "R", is_place ? "struct %s_place" : "%s",
                   is_place ? emission->name : result_c_type(emission));
    red_blanks_set(blanks, "LIBM", "%s", has_libm ? " m" : "");
    red_blanks_set_flag(blanks, "MATH", has_libm);
    /* Below the least value of argmin there must be room for one more. */
    red_blanks_set(blanks, "OFFSET", "%s",
                   !is_unsigned                               ? " - 3"
                   : is_place && op->wants == RED_WANTS_LEAST ? " + 1"
                                                              : "");
    by_role[op->role](blanks, emission);
}

enum { GEOMETRY_BYTES = 2048, NEEDS_BYTES = 2048, SIZES_LOG2_MAX = 40, HEAD_BYTES = 4096 };
enum { WARNING_BYTES = 2048 };

static const char licence[] = " * Permission to use, copy, modify and/or distribute this file for any "
                              "purpose with or without fee is hereby\n"
                              " * granted. It is provided \"as is\", without warranty of any kind (0BSD).";
static const char users_licence[] = " * The kernel is its author's, under the licence that the author gives "
                                    "it. For all else: permission to use, copy, modify\n"
                                    " * and/or distribute this file for any purpose with or without fee is "
                                    "hereby granted. It is provided \"as is\",\n"
                                    " * without warranty of any kind (0BSD).";

/* ---- what can be written ------------------------------------------------------------------------------- */

/* Properties for which a strategy cannot be written: a need, or without one a finish. */
static const struct {
    uint64_t needs;
    enum red_finish_kind finish;
    const char *why;
} forbidden[] = {
    {RED_NEED_PIPES, 0, "its partial results go through a pipe, which the host code does not make"},
    {RED_NEED_NON_UNIFORM, 0,
     "its last work-group is smaller than the others, and the host code launches whole ones"},
    {RED_NEED_SVM_POLLED, 0,
     "its finish is polled in shared virtual memory, which must be fine-grained with atomics"},
    {0, RED_STRATEGY_SWEEPS,
     "its finish is sweeps, which launches three times with what the first sweep has found"},
    {0, RED_STRATEGY_PERSISTENT,
     "its finish is persistent, whose kernel runs on between calls in a queue of its own"},
    {0, RED_STRATEGY_JOINED,
     "its finish is joined, whose kernel runs on between calls in a queue of its own"},
    {0, RED_STRATEGY_DEVICE_ENQUEUE, "its finish is device_enqueue, which needs a queue on the device"},
    {0, RED_STRATEGY_COMMAND_BUFFER, "its finish is command_buffer, which needs commands that are recorded"},
};

/* Why emit ends with 77, or does not choose the strategy from result files. */
static enum red_status refuse(const struct red_strategy *strategy, const char *why, struct red_error *error) {
    return red_fail(error, RED_E_UNSUPPORTED,
                    "%s cannot be written as files of its own: %s; clreduce recommend --portable names one "
                    "that can",
                    strategy->name, why);
}

/* Called by red_emit_write, and by cli/cmd_emit.c for each strategy, where it chooses by result files. */
enum red_status red_emit_check(const struct red_emission *emission, struct red_error *error) {
    const struct red_strategy *strategy = emission->strategy;
    enum red_status status = red_strategy_check_type_and_op(strategy, emission->dtype, emission->op, error);
    if (status != RED_OK)
        return status;
    if (strategy->text == NULL)
        return refuse(strategy, "it runs on the host alone, and has no kernel", error);
    if (red_strategy_is_segmented(strategy))
        return refuse(strategy, "it reduces many arrays side by side, and the files are for one", error);
    for (size_t i = 0; i < sizeof forbidden / sizeof forbidden[0]; i++)
        if ((strategy->needs & forbidden[i].needs) != 0 ||
            (forbidden[i].needs == 0 && forbidden[i].finish == strategy->finish))
            return refuse(strategy, forbidden[i].why, error);
    char name[64], why[128];
    if (red_emit_asks_driver(strategy->text, name, sizeof name)) {
        snprintf(why, sizeof why, "its text asks for the macro %s, which each driver defines or not", name);
        return refuse(strategy, why, error);
    }
    return red_strategy_finish_has(strategy, RED_FINISH_EMITTED)
               ? RED_OK
               : refuse(strategy, "for its finish emit has no host code", error);
}

/* ---- what is the same for every finish ----------------------------------------------------------------- */

struct emitted_texts {
    struct red_blanks blanks;
    char *kernel, *lines; /* owned: the program text, and the same as string literals */
    char geometry[GEOMETRY_BYTES], needs[NEEDS_BYTES], warning[WARNING_BYTES];
};

/* Sets the blanks of the input: the type, and one array or two. */
static void set_input_blanks(struct red_blanks *blanks, const struct red_emission *emission) {
    bool two = emission->op->arrays == 2;
    red_blanks_set(blanks, "T", "%s", c_type_of(emission->dtype));
    red_blanks_set(blanks, "CL_TYPE", "%s", emission->dtype->cl_type);
    red_blanks_set_flag(blanks, "HALF", red_emit_is_half(emission->dtype));
    red_blanks_set(blanks, "ARRAYS", "%d", two ? 2 : 1);
    red_blanks_set(blanks, "ARRAYS_WORDS", "%s", two ? "x and y" : "x");
    red_blanks_set(blanks, "PARAMETERS", "%s", two ? "cl_mem x, cl_mem y" : "cl_mem x");
    red_blanks_set(blanks, "INPUTS", "%s", two ? "x, y" : "x");
    red_blanks_set(blanks, "ARGUMENTS", "%s", two ? "x, y" : "x");
    red_blanks_set(blanks, "ANY_NULL", "%s", two ? "x == NULL || y == NULL" : "x == NULL");
    red_blanks_set(blanks, "IS_NULL", "%s", two ? ": one of them is NULL" : " is NULL");
    red_blanks_set(blanks, "ARG_N", "%d", two ? 2 : 1);
    red_blanks_set(blanks, "ARG_OUT", "%d", two ? 3 : 2);
    red_blanks_set(blanks, "ARG_COUNTER", "%d", two ? 4 : 3);
    red_blanks_set(blanks, "ARG_ANSWER", "%d", two ? 5 : 4);
    red_blanks_set(blanks, "S", "%s", two ? "s" : "");
    red_blanks_set_flag(blanks, "TWO_ARRAYS", two);
}

/* ---- geometry ------------------------------------------------------------------------------------------ */

/* Sets the geometry for n elements with the limits of the chosen device; a group size of 0: by --wg or
 * default. */
static enum red_status choose_geometry_for_n(const struct red_emission *emission, size_t group_size,
                                             uint64_t n, struct red_geometry *geometry,
                                             struct red_error *error) {
    struct red_tuning tuning = emission->tuning;
    tuning.group_size = group_size > 0 ? group_size : tuning.group_size;
    return red_geometry_choose(emission->strategy, emission->op, emission->dtype, &emission->limits, &tuning,
                               n, geometry, error);
}

/* Sets the table of geometries: a row for each power of two at which the number of groups changes. */
static enum red_status set_geometry_blanks(struct emitted_texts *texts, const struct red_emission *emission,
                                           const struct red_geometry *geometry, struct red_error *error) {
    bool follows = emission->strategy->span == RED_STRATEGY_EACH;
    uint64_t last = 0;
    size_t rows_n = 0;
    enum red_status status = RED_OK;
    size_t column = 22;
    for (unsigned e = 0; e <= SIZES_LOG2_MAX && status == RED_OK && !follows; e++) {
        struct red_geometry at;
        status = choose_geometry_for_n(emission, geometry->group_size, UINT64_C(1) << e, &at, error);
        if (status != RED_OK || at.groups_n == last)
            continue;
        char row[64];
        snprintf(row, sizeof row, "{%lluu, %llu}", e == 0 ? 0 : 1ULL << e, (unsigned long long)at.groups_n);
        const char *between = last == 0 ? "" : column + strlen(row) > 100 ? ",\n                " : ", ";
        column = strchr(between, '\n') != NULL ? 16 : column + strlen(between);
        column += strlen(row);
        red_text_add(texts->geometry, sizeof texts->geometry, "%s%s", between, row);
        last = at.groups_n;
        rows_n++;
    }
    struct red_blanks *blanks = &texts->blanks;
    red_blanks_set_borrowed(blanks, "GEOMETRY", texts->geometry);
    red_blanks_set(blanks, "GROUP_SIZE", "%zu", geometry->group_size);
    red_blanks_set(blanks, "ELEMENTS_PER_GROUP", "%zu", geometry->group_size * geometry->lanes);
    red_blanks_set(blanks, "GROUPS", "%llu", (unsigned long long)last);
    red_blanks_set_flag(blanks, "ONE_ROW", rows_n == 1);
    red_blanks_set(blanks, "RESERVE", "%s", follows ? "1 << 20" : "UINT64_MAX");
    red_blanks_set_flag(blanks, "FOLLOWS", follows);
    return status;
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

/* Makes a text of a string literal for each line; the caller frees it. NULL without memory. */
static char *make_string_literals(const char *text) {
    char *made = NULL;
    size_t bytes = 0;
    FILE *out = red_memstream_open(&made, &bytes);
    if (out == NULL)
        return NULL;
    for (const char *at = text; *at != '\0';) {
        size_t n = strcspn(at, "\n");
        fputs("    \"", out);
        for (size_t i = 0; i < n; i++)
            fprintf(out, at[i] == '"' || at[i] == '\\' ? "\\%c" : "%c", at[i]);
        fputs("\\n\",\n", out);
        at += n + (at[n] == '\n');
    }
    return red_memstream_close(out, &made) ? made : NULL;
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

/* Makes the kernel's text, texts->kernel, and sets the blanks of its finish and of its text as C strings; the
 * blank KERNEL is the caller's to set. */
static enum red_status make_kernel_and_set_blanks(struct emitted_texts *texts,
                                                  const struct red_emission *emission,
                                                  const struct red_geometry *geometry,
                                                  struct red_error *error) {
    const struct red_build_spec build = {.strategy = emission->strategy,
                                         .dtype = emission->dtype,
                                         .op = emission->op,
                                         .group_size = geometry->group_size,
                                         .width = geometry->width,
                                         .loads = geometry->loads};
    const char *second_name = "";
    enum red_status status = red_emit_expand(&build, &texts->kernel, error);
    if (status == RED_OK)
        status = add_second_kernel_if_needed(emission, &build, &texts->kernel, &second_name, error);
    if (status == RED_OK)
        status = red_emit_drop_prefix(&texts->kernel, error);
    if (status != RED_OK)
        return status;
    const bool has_counter = !drop_unused_counter(texts->kernel);
    red_blanks_set_finish(&texts->blanks, emission, second_name, has_counter);
    texts->lines = make_string_literals(texts->kernel);
    if (texts->lines == NULL)
        return red_fail(error, RED_E_MEMORY, "no memory for a kernel");
    red_blanks_set_borrowed(&texts->blanks, "SOURCE", texts->lines);
    return RED_OK;
}

/* ---- files --------------------------------------------------------------------------------------------- */

/* Sets the blanks of names and of the comments at the head of files: strategy, device, licence. */
static void set_name_and_licence_blanks(struct emitted_texts *texts, const struct red_emission *emission) {
    struct red_blanks *blanks = &texts->blanks;
    char guard[96], safe[RED_BLANK_BYTES];
    snprintf(guard, sizeof guard, "%s_H", emission->name);
    for (char *c = guard; *c != '\0'; c++)
        *c = *c >= 'a' && *c <= 'z' ? (char)(*c - 'a' + 'A') : *c;
    red_blanks_set(blanks, "NAME", "%s", emission->name);
    red_blanks_set(blanks, "OP", "%s", emission->op->name);
    red_blanks_set(blanks, "GUARD", "%s", guard);
    red_blanks_set(blanks, "TITLE", "The %s of %s", emission->op->name, emission->dtype->name);
    red_blanks_set(blanks, "STRATEGY", "%s", emission->strategy->name);
    red_text_copy_for_comment(emission->strategy->idea, safe, sizeof safe);
    red_blanks_set(blanks, "IDEA", "%s", safe);
    red_text_copy_for_comment(emission->device, safe, sizeof safe);
    red_blanks_set(blanks, "DEVICE", "%s", safe);
    red_text_copy_for_comment(emission->warning ? emission->warning : "", texts->warning,
                              sizeof texts->warning);
    red_blanks_set_borrowed(blanks, "WARNING", texts->warning);
    red_blanks_set(blanks, "VERSION", CLREDUCE_VERSION);
    red_blanks_set(blanks, "LICENCE", "%s", licence);
    red_blanks_set(blanks, "KERNEL_LICENCE", "%s", emission->is_users ? users_licence : licence);
    red_blanks_set(blanks, "ALIGNED", "%s",
                   emission->strategy->lanes > 1
                       ? "; a sub-buffer, and\n * the host's array under CL_MEM_USE_HOST_PTR, must begin at "
                         "a multiple of 16 elements"
                       : "");
    red_blanks_set(blanks, "LICENCE_HASH", "%s",
                   "# Permission to use, copy, modify and/or distribute this file for any purpose with or "
                   "without fee is hereby\n"
                   "# granted. It is provided \"as is\", without warranty of any kind (0BSD).");
}

static const char kernel_template[] = "/* @TITLE@: the strategy \"@STRATEGY@\", @IDEA@.\n"
                                      " * Written by clreduce @VERSION@; macros are resolved.\n"
                                      "@if WARNING\n"
                                      " * @WARNING@\n"
                                      "@end\n"
                                      "@KERNEL_LICENCE@ */\n"
                                      "\n"
                                      "@KERNEL@";

static const struct {
    const char *ending, *template; /* ending NULL: CMakeLists.txt, without NAME */
} outputs[RED_EMIT_FILES_N] = {{".cl", kernel_template},
                               {".h", red_emit_header},
                               {".c", red_emit_source},
                               {"_test.c", red_emit_test},
                               {NULL, red_emit_cmake}};

/* Called by cli/cmd_emit.c with --output and --name, or their defaults. */
enum red_status red_emit_paths_format(const char *folder, const char *name, red_emit_paths paths,
                                      struct red_error *error) {
    for (size_t i = 0; i < RED_EMIT_FILES_N; i++) {
        const bool named = outputs[i].ending != NULL;
        if (snprintf(paths[i], sizeof paths[i], "%s/%s%s", folder, named ? name : "CMakeLists",
                     named ? outputs[i].ending : ".txt") >= (int)sizeof paths[i])
            return red_fail(error, RED_E_INPUT, "the path of the folder is too long");
    }
    return RED_OK;
}

/* Refuses to replace a file that emit has not written; red_emit_check_replaceable asks for each path. */
static enum red_status check_written_by_emit(const char *path, struct red_error *error) {
    char head[HEAD_BYTES + 1];
    const int file = open(path, O_RDONLY | O_CLOEXEC); /* a stream takes memory */
    if (file < 0)
        return red_fail(error, RED_E_INPUT, "cannot read %.300s: %s", path, strerror(errno));
    const ssize_t length = read(file, head, HEAD_BYTES);
    head[length > 0 ? length : 0] = '\0';
    close(file);
    return strstr(head, "Written by clreduce ") != NULL
               ? RED_OK
               : red_fail(error, RED_E_INPUT,
                          "%.300s is there, and emit has not written it (its head lacks 'Written by "
                          "clreduce'): choose another --output or --name, or replace it with --overwrite",
                          path);
}

/* Called by cli/cmd_emit.c before it chooses a strategy: an error ends `emit` with nothing written. */
enum red_status red_emit_check_replaceable(red_emit_paths paths, bool overwrite, struct red_error *error) {
    enum red_status status = RED_OK;
    for (size_t i = 0; i < RED_EMIT_FILES_N && status == RED_OK; i++) {
        struct stat seen;
        if (stat(paths[i], &seen) != 0)
            status = errno == ENOENT
                         ? RED_OK
                         : red_fail(error, RED_E_INPUT, "cannot write %.300s: %s; choose another --output",
                                    paths[i], strerror(errno));
        else if (!S_ISREG(seen.st_mode)) /* a pipe would be waited for, and get one file's text */
            status = red_fail(error, RED_E_INPUT,
                              "%.300s is %s; expected a file, or nothing: choose another --output or --name",
                              paths[i], S_ISDIR(seen.st_mode) ? "a folder" : "no regular file");
        else if (!overwrite)
            status = check_written_by_emit(paths[i], error);
    }
    return status;
}

/* Called by red_folder_write for each file of emit, with a struct red_filled. */
static enum red_status write_filled_template(const void *file, FILE *out, struct red_error *error) {
    const struct red_filled *filled = file;
    return red_template_write(filled->template, filled->blanks->all, filled->blanks->n, out, error);
}

/* Writes all files of the folder, or none. */
static enum red_status write_all_files(const char *folder, red_emit_paths paths,
                                       const struct red_blanks *blanks, struct red_error *error) {
    struct red_filled filled[RED_EMIT_FILES_N];
    struct red_folder_file files[RED_EMIT_FILES_N];
    for (size_t i = 0; i < RED_EMIT_FILES_N; i++) {
        filled[i] = (struct red_filled){outputs[i].template, blanks};
        files[i] = (struct red_folder_file){paths[i], write_filled_template, &filled[i]};
    }
    return red_folder_write(folder, files, RED_EMIT_FILES_N, error);
}

/* Makes the kernel's text and sets all blanks; the emission has a name. */
static enum red_status fill_all_blanks(struct emitted_texts *texts, const struct red_emission *emission,
                                       struct red_error *error) {
    struct red_geometry geometry;
    set_name_and_licence_blanks(texts, emission);
    set_role_blanks(&texts->blanks, emission);
    set_input_blanks(&texts->blanks, emission);
    red_emit_needs_format(red_strategy_needs_for(emission->strategy, emission->dtype, emission->op),
                          texts->needs, sizeof texts->needs);
    red_blanks_set_borrowed(&texts->blanks, "NEEDS", texts->needs);
    enum red_status status = choose_geometry_for_n(emission, 0, emission->n, &geometry, error);
    if (status == RED_OK)
        status = set_geometry_blanks(texts, emission, &geometry, error);
    if (status == RED_OK)
        status = make_kernel_and_set_blanks(texts, emission, &geometry, error);
    if (status != RED_OK)
        return status;
    texts->kernel[strlen(texts->kernel) - 1] = '\0'; /* the template ends the last line */
    red_blanks_set_borrowed(&texts->blanks, "KERNEL", texts->kernel);
    return RED_OK;
}

/* Called by cli/cmd_emit.c with what it has chosen. */
enum red_status red_emit_write(const struct red_emission *emission, const char *folder, red_emit_paths paths,
                               struct red_error *error) {
    struct emitted_texts *texts = calloc(1, sizeof *texts);
    enum red_status status = red_emit_check(emission, error);
    if (status == RED_OK && texts == NULL)
        status = red_fail(error, RED_E_MEMORY, "no memory for files");
    if (status == RED_OK)
        status = fill_all_blanks(texts, emission, error);
    if (status == RED_OK)
        status = write_all_files(folder, paths, &texts->blanks, error);
    if (texts != NULL) {
        free(texts->kernel);
        free(texts->lines);
    }
    free(texts);
    return status;
}
