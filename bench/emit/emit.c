#define _POSIX_C_SOURCE 200809L /* open_memstream */
#include "bench/emit/emit.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "bench/emit/expand.h"
#include "bench/emit/template.h"
#include "model/text.h"
#include "record/file.h"

enum { BLANKS_MAX = 64, VALUE_BYTES = 512, GEOMETRY_BYTES = 2048, SIZES_LOG2_MAX = 40 };

static const char licence[] = " * Permission to use, copy, modify and/or distribute this file for any "
                              "purpose with or without fee is hereby\n"
                              " * granted. It is provided \"as is\", without warranty of any kind (0BSD).";

/* ---- what can be written ---------------------------------------------------------------------------------
 */

/* The finishes whose host side the template has. */
static bool has_template(enum red_finish_kind finish) {
    static const bool known[RED_FINISHES_N] = {
        [RED_STRATEGY_HOST] = true,      [RED_STRATEGY_TWO_KERNELS] = true, [RED_STRATEGY_PASSES] = true,
        [RED_STRATEGY_ATOMIC] = true,    [RED_STRATEGY_SVM] = true,         [RED_STRATEGY_POLLED] = true,
        [RED_STRATEGY_LAST_GROUP] = true};
    return known[finish];
}

enum red_status red_emit_check(const struct red_emission *emission, struct red_error *error) {
    const struct red_strategy *strategy = emission->strategy;
    enum red_status status = red_strategy_admits(strategy, emission->dtype, emission->op, error);
    if (status != RED_OK)
        return status;
    if (strategy->text == NULL || red_strategy_is_segmented(strategy) || !has_template(strategy->finish) ||
        (strategy->needs & (RED_NEED_PIPES | RED_NEED_NON_UNIFORM | RED_NEED_SVM_POLLED)) != 0)
        return red_fail(
            error, RED_E_UNSUPPORTED,
            "%s cannot be written as files of its own: its finish is %s, and those that can be are host, "
            "two_kernels, passes, atomic, last_group, polled and svm, of one array; clreduce recommend "
            "--portable "
            "names one",
            strategy->name, strategy->text ? red_finish_names[strategy->finish] : "the host's");
    if (emission->op->role == RED_ROLE_PLACE)
        return red_fail(
            error, RED_E_UNSUPPORTED,
            "%s cannot be written as files of its own yet; sum, dot, sumsq, mean, min and max can",
            emission->op->name);
    return RED_OK;
}

/* ---- values ----------------------------------------------------------------------------------------------
 */

/* C types by accumulator: its own, that in which the host folds, and the ends of its range. */
static const struct {
    const char *c, *fold, *lowest, *highest;
} accumulators[RED_ACCUMULATORS_N] = {
    [RED_ACCUMULATOR_u32] = {"uint32_t", "uint32_t", "0", "UINT32_MAX"},
    [RED_ACCUMULATOR_i32] = {"int32_t", "int32_t", "INT32_MIN", "INT32_MAX"},
    [RED_ACCUMULATOR_u64] = {"uint64_t", "uint64_t", "0", "UINT64_MAX"},
    [RED_ACCUMULATOR_i64] = {"int64_t", "int64_t", "INT64_MIN", "INT64_MAX"},
    [RED_ACCUMULATOR_f32] = {"float", "double", "-INFINITY", "INFINITY"},
    [RED_ACCUMULATOR_f64] = {"double", "double", "-INFINITY", "INFINITY"},
};

static const char *c_type(const struct red_dtype *dtype) {
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

struct blanks {
    struct red_blank all[BLANKS_MAX];
    char values[BLANKS_MAX][VALUE_BYTES];
    size_t n;
    char *kernel, *lines; /* owned: the program text, and the same as string literals */
    char geometry[GEOMETRY_BYTES];
};

__attribute__((format(printf, 3, 4))) static void set(struct blanks *blanks, const char *key,
                                                      const char *format, ...) {
    char *value = blanks->values[blanks->n];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(value, VALUE_BYTES, format, arguments);
    va_end(arguments);
    blanks->all[blanks->n++] = (struct red_blank){key, value};
}

/* A condition of the template. */
static void set_flag(struct blanks *blanks, const char *key, bool holds) {
    set(blanks, key, "%s", holds ? "yes" : "");
}

/* Halves come back as floats. */
static const char *result_type(const struct red_emission *emission) {
    const struct red_dtype *result = red_op_result(emission->op, emission->dtype);
    return strcmp(result->name, "f16") == 0 ? "float" : c_type(result);
}

/* How the host folds partial results, and what a test expects of them. */
static void set_fold(struct blanks *blanks, const struct red_emission *emission) {
    const struct red_op *op = emission->op;
    const struct red_accumulator *accumulator = red_op_accumulator(op, emission->dtype);
    const size_t a = (size_t)(accumulator - red_accumulators);
    const char *r = result_type(emission);
    const bool least = op->wants == RED_WANTS_LEAST, is_sum = op->wants == RED_WANTS_ALL;
    const bool is_signed = emission->dtype->kind == RED_SIGNED;
    set(blanks, "A", "%s", accumulators[a].c);
    set(blanks, "FOLD", "%s", accumulators[a].fold);
    set(blanks, "START", "%s", is_sum ? "0" : accumulator->is_float ? "(double)partials[0]" : "partials[0]");
    set(blanks, "IDENTITY", "%s", is_sum ? "0" : least ? accumulators[a].highest : accumulators[a].lowest);
    if (is_sum)
        set(blanks, "STEP", "total += %spartials[i]", accumulator->is_float ? "(double)" : "");
    else if (accumulator->is_float)
        set(blanks, "STEP", "total = f%s(total, (double)partials[i])", op->name);
    else
        set(blanks, "STEP", "total = partials[i] %c total ? partials[i] : total", least ? '<' : '>');
    if (op->role == RED_ROLE_MEAN)
        set(blanks, "FINISH", "(%s)(%stotal / (double)n)", r,
            accumulator->is_float ? ""
            : is_signed           ? "(double)(int64_t)"
                                  : "(double)");
    else
        set(blanks, "FINISH", "(%s)total", r);
    set(blanks, "EXPECT_START", "%s", is_sum ? "0" : least ? "INT64_MAX" : "INT64_MIN");
    if (is_sum)
        set(blanks, "EXPECT_STEP", "total += %s",
            op->term == RED_TERM_PRODUCT  ? "x * y"
            : op->term == RED_TERM_SQUARE ? "x * x"
                                          : "x");
    else
        set(blanks, "EXPECT_STEP", "total = x %c total ? x : total", least ? '<' : '>');
    set(blanks, "EXPECT_FINISH", op->role == RED_ROLE_MEAN ? "(%s)((double)total / (double)n)" : "(%s)total",
        r);
    set_flag(blanks, "MATH",
             accumulator->is_float && (!is_sum || emission->strategy->finish == RED_STRATEGY_ATOMIC));
    set(blanks, "LIBM", "%s", accumulator->is_float && !is_sum ? " m" : "");
    set(blanks, "R", "%s", r);
    set(blanks, "OFFSET", "%d", emission->dtype->kind == RED_UNSIGNED ? 0 : 3);
    set_flag(blanks, "OF_NOTHING", is_sum && op->role != RED_ROLE_MEAN);
}

static void set_inputs(struct blanks *blanks, const struct red_emission *emission) {
    bool two = emission->op->arrays == 2;
    set(blanks, "T", "%s", c_type(emission->dtype));
    set(blanks, "CL_TYPE", "%s", emission->dtype->cl_type);
    set_flag(blanks, "HALF", strcmp(emission->dtype->name, "f16") == 0);
    set(blanks, "ARRAYS", "%d", two ? 2 : 1);
    set(blanks, "ARRAYS_WORDS", "%s", two ? "x and y" : "x");
    set(blanks, "PARAMETERS", "%s", two ? "cl_mem x, cl_mem y" : "cl_mem x");
    set(blanks, "INPUTS", "%s", two ? "x, y" : "x");
    set(blanks, "ARGUMENTS", "%s", two ? "x, y" : "x");
    set(blanks, "S", "%s", two ? "s" : "");
    set_flag(blanks, "TWO_ARRAYS", two);
}

static void set_finish(struct blanks *blanks, const struct red_emission *emission, const char *second) {
    const struct red_strategy *strategy = emission->strategy;
    enum red_finish_kind finish = strategy->finish;
    bool is_new = strategy->standard == RED_STANDARD_CL20;
    set_flag(blanks, "SVM", finish == RED_STRATEGY_SVM);
    set_flag(blanks, "PASSES", finish == RED_STRATEGY_PASSES);
    set_flag(blanks, "TWO_KERNELS", finish == RED_STRATEGY_TWO_KERNELS);
    set_flag(blanks, "ATOMIC", finish == RED_STRATEGY_ATOMIC);
    set_flag(blanks, "CLEARED", finish == RED_STRATEGY_LAST_GROUP || finish == RED_STRATEGY_POLLED);
    set_flag(blanks, "POLLED", finish == RED_STRATEGY_POLLED);
    set(blanks, "SECOND", "%s", second);
    set(blanks, "READ", "%s", finish == RED_STRATEGY_HOST ? "groups" : "1");
    set(blanks, "LAST", "%s", finish == RED_STRATEGY_TWO_KERNELS ? "1" : "0");
    set_flag(blanks, "NEW", is_new);
    set(blanks, "API", "%s", is_new ? "200" : "120");
    set(blanks, "STANDARDS", "%s", is_new ? "\"-cl-std=CL2.0\", \"-cl-std=CL3.0\"" : "\"-cl-std=CL1.2\"");
}

/* ---- geometry --------------------------------------------------------------------------------------------
 */

static enum red_status geometry_at(const struct red_emission *emission, size_t group_size, uint64_t n,
                                   struct red_geometry *geometry, struct red_error *error) {
    struct red_tuning tuning = emission->tuning;
    tuning.group_size = group_size > 0 ? group_size : tuning.group_size;
    return red_geometry_choose(emission->strategy, emission->op, emission->dtype, &emission->limits, &tuning,
                               n, geometry, error);
}

/* One row for each power of two at which the number of groups changes. */
static enum red_status set_geometry(struct blanks *blanks, const struct red_emission *emission,
                                    const struct red_geometry *geometry, struct red_error *error) {
    bool follows = emission->strategy->span == RED_STRATEGY_EACH;
    uint64_t last = 0;
    enum red_status status = RED_OK;
    size_t column = 22;
    for (unsigned e = 0; e <= SIZES_LOG2_MAX && status == RED_OK && !follows; e++) {
        struct red_geometry at;
        status = geometry_at(emission, geometry->group_size, UINT64_C(1) << e, &at, error);
        if (status != RED_OK || at.groups_n == last)
            continue;
        char row[64];
        snprintf(row, sizeof row, "{%lluu, %llu}", e == 0 ? 0 : 1ULL << e, (unsigned long long)at.groups_n);
        const char *between = last == 0 ? "" : column + strlen(row) > 100 ? ",\n                " : ", ";
        column = strchr(between, '\n') != NULL ? 16 : column + strlen(between);
        column += strlen(row);
        red_text_add(blanks->geometry, sizeof blanks->geometry, "%s%s", between, row);
        last = at.groups_n;
    }
    blanks->all[blanks->n++] = (struct red_blank){"GEOMETRY", blanks->geometry};
    set(blanks, "GROUP_SIZE", "%zu", geometry->group_size);
    set(blanks, "LANES", "%u", geometry->lanes);
    set(blanks, "PER_ITEM", "%u", geometry->lanes);
    set(blanks, "RESERVE", "%s", follows ? "1 << 20" : "UINT64_MAX");
    set_flag(blanks, "FOLLOWS", follows);
    return status;
}

/* ---- the kernel ------------------------------------------------------------------------------------------
 */

/* A kernel over partial results is another one where these are no elements; otherwise it is the first one. */
static enum red_status add_second(const struct red_emission *emission, const struct red_variant *first,
                                  char **kernel, const char **name, struct red_error *error) {
    enum red_finish_kind finish = emission->strategy->finish;
    struct red_variant variant = *first;
    char *second = NULL;
    *name = "";
    if (finish != RED_STRATEGY_PASSES && finish != RED_STRATEGY_TWO_KERNELS)
        return RED_OK;
    variant.over_partials = true;
    variant.pass = 1;
    enum red_status status = red_emit_expand(&variant, &second, error);
    *name = "reduce";
    if (status == RED_OK && strcmp(second, *kernel) != 0) {
        *name = "reduce_partials";
        status = red_emit_join(kernel, second, "_partials", "over partial results", error);
    }
    free(second);
    return status;
}

/* Each line as a string literal. */
static char *literals(const char *text) {
    char *made = NULL;
    size_t bytes = 0;
    FILE *out = open_memstream(&made, &bytes);
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
    return fclose(out) == 0 ? made : NULL;
}

static enum red_status set_kernel(struct blanks *blanks, const struct red_emission *emission,
                                  const struct red_geometry *geometry, struct red_error *error) {
    const struct red_variant variant = {.strategy = emission->strategy,
                                        .dtype = emission->dtype,
                                        .op = emission->op,
                                        .group_size = geometry->group_size,
                                        .width = geometry->width,
                                        .loads = geometry->loads};
    const char *second = "";
    enum red_status status = red_emit_expand(&variant, &blanks->kernel, error);
    if (status == RED_OK)
        status = add_second(emission, &variant, &blanks->kernel, &second, error);
    if (status == RED_OK)
        status = red_emit_shorten(&blanks->kernel, error);
    if (status != RED_OK)
        return status;
    set_finish(blanks, emission, second);
    blanks->lines = literals(blanks->kernel);
    if (blanks->lines == NULL)
        return red_fail(error, RED_E_MEMORY, "no memory for a kernel");
    /* Written by itself: it is longer than other values. */
    blanks->all[blanks->n++] = (struct red_blank){"SOURCE", blanks->lines};
    return RED_OK;
}

/* ---- files -----------------------------------------------------------------------------------------------
 */

static void set_names(struct blanks *blanks, const struct red_emission *emission, const char *name) {
    char guard[96];
    snprintf(guard, sizeof guard, "%s_H", name);
    for (char *c = guard; *c != '\0'; c++)
        *c = *c >= 'a' && *c <= 'z' ? (char)(*c - 'a' + 'A') : *c;
    set(blanks, "NAME", "%s", name);
    set(blanks, "GUARD", "%s", guard);
    set(blanks, "TITLE", "The %s of %s", emission->op->name, emission->dtype->name);
    set(blanks, "STRATEGY", "%s", emission->strategy->name);
    set(blanks, "IDEA", "%s", emission->strategy->idea);
    set(blanks, "DEVICE", "%s", emission->device);
    set(blanks, "VERSION", CLREDUCE_VERSION);
    set(blanks, "LICENCE", "%s", licence);
    set(blanks, "ALIGNED", "%s",
        emission->strategy->lanes > 1 ? "; a sub-buffer must\n * begin at a multiple of 16 elements" : "");
    set(blanks, "LICENCE_HASH", "%s",
        "# Permission to use, copy, modify and/or distribute this file for any purpose with or without fee "
        "is hereby\n"
        "# granted. It is provided \"as is\", without warranty of any kind (0BSD).");
}

static enum red_status write_file(const char *folder, const char *name, const char *ending,
                                  const char *template, const struct blanks *blanks,
                                  struct red_error *error) {
    char path[RED_PATH_BYTES];
    struct red_file file;
    if (snprintf(path, sizeof path, "%s/%s%s", folder, name, ending) >= (int)sizeof path)
        return red_fail(error, RED_E_INPUT, "the path of the folder is too long");
    enum red_status status = red_file_open(path, &file, error);
    if (status != RED_OK)
        return status;
    status = red_template_write(template, blanks->all, blanks->n, file.stream, error);
    if (status == RED_OK)
        return red_file_commit(&file, error);
    red_file_abandon(&file);
    return status;
}

static const char kernel_template[] = "/* @TITLE@: the strategy \"@STRATEGY@\", @IDEA@.\n"
                                      " * Written by clreduce @VERSION@; macros are resolved.\n"
                                      "@LICENCE@ */\n"
                                      "\n"
                                      "@KERNEL@";

static enum red_status write_all(const char *folder, const char *name, const struct blanks *blanks,
                                 struct red_error *error) {
    const struct {
        const char *name, *ending, *template;
    } files[] = {{name, ".cl", kernel_template},
                 {name, ".h", red_emit_header},
                 {name, ".c", red_emit_source},
                 {name, "_test.c", red_emit_test},
                 {"CMakeLists", ".txt", red_emit_cmake}};
    enum red_status status = RED_OK;
    if (mkdir(folder, 0777) != 0 && errno != EEXIST)
        return red_fail(error, RED_E_INPUT, "cannot make the folder %.200s: %s", folder, strerror(errno));
    for (size_t i = 0; i < sizeof files / sizeof files[0] && status == RED_OK; i++)
        status = write_file(folder, files[i].name, files[i].ending, files[i].template, blanks, error);
    return status;
}

enum red_status red_emit_write(const struct red_emission *emission, const char *folder,
                               struct red_error *error) {
    struct blanks *blanks = calloc(1, sizeof *blanks);
    struct red_geometry geometry;
    char name[64];
    snprintf(name, sizeof name, "reduce_%s_%s", emission->op->name, emission->dtype->name);
    enum red_status status = red_emit_check(emission, error);
    if (status == RED_OK && blanks == NULL)
        status = red_fail(error, RED_E_MEMORY, "no memory for files");
    if (status != RED_OK) {
        free(blanks);
        return status;
    }
    set_names(blanks, emission, emission->name ? emission->name : name);
    set_fold(blanks, emission);
    set_inputs(blanks, emission);
    status = geometry_at(emission, 0, emission->n, &geometry, error);
    if (status == RED_OK)
        status = set_geometry(blanks, emission, &geometry, error);
    if (status == RED_OK)
        status = set_kernel(blanks, emission, &geometry, error);
    if (status == RED_OK) {
        blanks->kernel[strlen(blanks->kernel) - 1] = '\0'; /* the template ends the last line */
        blanks->all[blanks->n++] = (struct red_blank){"KERNEL", blanks->kernel};
        status = write_all(folder, emission->name ? emission->name : name, blanks, error);
    }
    free(blanks->kernel);
    free(blanks->lines);
    free(blanks);
    return status;
}
