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
#include "emit/emit_private.h"
#include "model/bins.h"
#include "model/primitive.h"

enum { GEOMETRY_BYTES = 2048, NEEDS_BYTES = 2048, SIZES_LOG2_MAX = 40, HEAD_BYTES = 4096 };
enum { WARNING_BYTES = 3072, WORD_BYTES = 64 };

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
    red_set needs;
    enum red_finish_kind finish;
    const char *why;
} forbidden[] = {
    {RED_NEED(PIPES), 0, "its partial results go through a pipe, which the host code does not make"},
    {RED_NEED(LOCAL_ARGUMENT), 0,
     "its kernel gets its local memory as an argument, which the host code does not set"},
    {RED_NEED(NON_UNIFORM), 0,
     "its last work-group is smaller than the others, and the host code launches whole ones"},
    {RED_NEED(SVM_POLLED), 0,
     "its finish is polled in shared virtual memory, which must be fine-grained with atomics"},
    {0, RED_STRATEGY_PASSES_WAITING,
     "its finish is passes_waiting, whose host waits for each launch; finish passes does the same without"},
    {0, RED_STRATEGY_WORDS, "its finish is words, after which the host rounds a number of up to 2,144 bits"},
    {0, RED_STRATEGY_POLLED_WORDS,
     "its finish is polled_words, after which the host rounds a number of up to 2,144 bits"},
    {0, RED_STRATEGY_STORED,
     "its finish is stored, which launches twice and needs room for a term of each element"},
    {0, RED_STRATEGY_SWEEPS,
     "its finish is sweeps, which launches three times with what the first sweep has found"},
    {0, RED_STRATEGY_PERSISTENT,
     "its finish is persistent, whose kernel runs on between calls in a queue of its own"},
    {0, RED_STRATEGY_DEVICE_ENQUEUE, "its finish is device_enqueue, which needs a queue on the device"},
    {0, RED_STRATEGY_COMMAND_BUFFER, "its finish is command_buffer, which needs commands that are recorded"},
};

/* Whether a driver may define a macro of that name, and the word's file does not: the names of clang, of
 * extensions and of PoCL. Those that compose.c defines are the same everywhere. */
static bool is_drivers_macro(const char *text, const char *word) {
    static const char *const begins[] = {"__", "cl_", "CL_", "POCL", "FP_FAST_"};
    static const char *const ours[] = {"__OPENCL_C_VERSION__", "cl_khr_int64_base_atomics",
                                       "cl_khr_int64_extended_atomics"};
    char defined[WORD_BYTES + 8];
    bool may_define = false;
    for (size_t i = 0; i < sizeof begins / sizeof begins[0]; i++)
        may_define = may_define || strncmp(word, begins[i], strlen(begins[i])) == 0;
    for (size_t i = 0; i < sizeof ours / sizeof ours[0]; i++)
        may_define = may_define && strcmp(word, ours[i]) != 0;
    snprintf(defined, sizeof defined, "define %s", word);
    return may_define && strstr(text, defined) == NULL;
}

/* Whether nothing but #pragma stands before the #endif: the lines below a condition. */
static bool is_about_pragmas(const char *lines) {
    for (;;) {
        lines += strspn(lines, " \t\n");
        if (strncmp(lines, "#pragma", 7) != 0)
            return strncmp(lines, "#endif", 6) == 0;
        lines += strcspn(lines, "\n");
    }
}

bool red_emit_asks_driver(const char *text, char *name, size_t name_bytes) {
    for (const char *line = text, *end; *line != '\0'; line = end + (*end == '\n')) {
        const char *at = line + strspn(line, " \t");
        end = line + strcspn(line, "\n");
        at += *at == '#' ? 1 + strspn(at + 1, " \t") : 0;
        bool is_condition = at > line && (strncmp(at, "if", 2) == 0 || strncmp(at, "elif", 4) == 0);
        is_condition = is_condition && !is_about_pragmas(end);
        for (; is_condition && at < end; at++) {
            const size_t n = red_word_bytes(at);
            snprintf(name, name_bytes, "%.*s", (int)n, at);
            if (n > 0 && is_drivers_macro(text, name))
                return true;
            at += n > 0 ? n - 1 : 0;
        }
    }
    return false;
}

/* Why emit ends with 77, or does not choose the strategy from result files. */
static enum red_status refuse(const struct red_strategy *strategy, const char *why, struct red_error *error) {
    return red_fail(error, RED_E_UNSUPPORTED,
                    "%s cannot be written as files of its own: %s; clreduce recommend --portable names one "
                    "that can",
                    strategy->name, why);
}

enum red_status red_emit_check(const struct red_emission *emission, struct red_error *error) {
    const struct red_strategy *strategy = emission->strategy;
    enum red_status status = red_strategy_check_type_and_op(strategy, emission->dtype, emission->op, error);
    if (status == RED_OK)
        status = red_bins_check(strategy, emission->bins_n, error);
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

/* ---- what a device may lack ---------------------------------------------------------------------------- */

#define EXTENSION(what, name)          what "\", \"" name "\", 0, 0, 0"
#define BITS(what, query, bits, major) what "\", NULL, " query ", " bits ", " major
#define ATOMICS(what, bit)             BITS(what, "CL_DEVICE_ATOMIC_MEMORY_CAPABILITIES", bit, "2")
#define COLLECTIVES                                                                                          \
    BITS("work_group_ functions", "CL_DEVICE_WORK_GROUP_COLLECTIVE_FUNCTIONS_SUPPORT", "~0u", "2")
#define SUB_GROUPS      "sub-groups\", \"cl_khr_subgroups\", CL_DEVICE_MAX_NUM_SUB_GROUPS, ~0u, 0"
#define SHUFFLE         EXTENSION("shuffles of a sub-group", "cl_khr_subgroup_shuffle")
#define UNIFORM         EXTENSION("arithmetic of a work-group", "cl_khr_work_group_uniform_arithmetic")
#define ATOMICS_64      EXTENSION("64-bit atomics", "cl_khr_int64_base_atomics")
#define ATOMICS_64_MORE EXTENSION("64-bit atomics", "cl_khr_int64_extended_atomics")
#define FLOAT_ATOMICS   EXTENSION("atomics of floats", "cl_ext_float_atomics")

/* Rows without their first `{"` and last `}`. What has none is in every device, is asked otherwise (shared
 * memory, local memory), or tells itself when the program runs. */
static const char *const rows[RED_NEEDS_N] = {
    [RED_NEED_INDEX_FP16] = EXTENSION("arithmetic of halves", "cl_khr_fp16"),
    [RED_NEED_INDEX_FP64] = BITS("doubles", "CL_DEVICE_DOUBLE_FP_CONFIG", "~0u", "0"),
    [RED_NEED_INDEX_CAS64] = ATOMICS_64,
    [RED_NEED_INDEX_XCHG64] = ATOMICS_64,
    [RED_NEED_INDEX_ATOMIC64] = ATOMICS_64_MORE,
    RED_NEED_FORMS(COLLECTIVES, COLLECTIVES),
    RED_NEED_FORMS(UNIFORM, UNIFORM),
    RED_NEED_FORMS(SCANS, COLLECTIVES),
    RED_NEED_FORMS(EXCLUSIVE_SCANS, COLLECTIVES),
    RED_NEED_FORMS(SUB_GROUPS, SUB_GROUPS),
    RED_NEED_FORMS(SUB_GROUP_SCANS, SUB_GROUPS),
    RED_NEED_FORMS(SUB_GROUP_EXCLUSIVE_SCANS, SUB_GROUPS),
    RED_NEED_FORMS(SHUFFLE, SHUFFLE),
    [RED_NEED_INDEX_BALLOTS] = EXTENSION("ballots of a sub-group", "cl_khr_subgroup_ballot"),
    [RED_NEED_INDEX_C11_DEVICE32] = ATOMICS("atomics across the device", "CL_DEVICE_ATOMIC_SCOPE_DEVICE"),
    [RED_NEED_INDEX_C11_DEVICE64] = ATOMICS_64_MORE,
    [RED_NEED_INDEX_C11_WORK_GROUP] = ATOMICS("atomics of a work-group", "CL_DEVICE_ATOMIC_SCOPE_WORK_GROUP"),
    [RED_NEED_INDEX_C11_ALL_DEVICES] =
        ATOMICS("atomics across devices", "CL_DEVICE_ATOMIC_SCOPE_ALL_DEVICES"),
    [RED_NEED_INDEX_C11_ACQ_REL] =
        ATOMICS("atomics that acquire and release", "CL_DEVICE_ATOMIC_ORDER_ACQ_REL"),
    [RED_NEED_INDEX_C11_SEQ_CST] =
        ATOMICS("sequentially consistent atomics", "CL_DEVICE_ATOMIC_ORDER_SEQ_CST"),
    [RED_NEED_INDEX_FLOAT_ATOMICS32] = FLOAT_ATOMICS,
    [RED_NEED_INDEX_FLOAT_ATOMICS64] = FLOAT_ATOMICS,
    [RED_NEED_INDEX_PROGRAM_SCOPE] =
        BITS("variables of a program", "CL_DEVICE_MAX_GLOBAL_VARIABLE_SIZE", "~0u", "0"),
    [RED_NEED_INDEX_GENERIC_SPACE] =
        BITS("generic address space", "CL_DEVICE_GENERIC_ADDRESS_SPACE_SUPPORT", "~0u", "2"),
    [RED_NEED_INDEX_INTEGER_DOT] = EXTENSION("dot products of integers", "cl_khr_integer_dot_product"),
};

/* Writes the rows, one a line, each of them once. */
void red_emit_needs_format(red_set needs, char *text, size_t text_bytes) {
    text[0] = '\0';
    for (size_t i = 0; i < RED_NEEDS_N; i++)
        if ((needs >> i & 1) != 0 && rows[i] != NULL && strstr(text, rows[i]) == NULL)
            red_text_add(text, text_bytes, "    {\"%s},\n", rows[i]);
}

/* ---- what is the same for all -------------------------------------------------------------------------- */

struct emitted_texts {
    struct red_blanks blanks;
    char *kernel, *lines; /* owned: the program text, and the same as string literals */
    char geometry[GEOMETRY_BYTES], needs[NEEDS_BYTES], warning[WARNING_BYTES];
};

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
    red_blanks_set_flag(blanks, "FOLLOWS", follows);
    return status;
}

/* ---- the kernel ---------------------------------------------------------------------------------------- */

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

static const char kernel_template[] = "/* @TITLE@: the strategy \"@STRATEGY@\", @IDEA@.\n"
                                      " * Written by clreduce @VERSION@.\n"
                                      "@if WARNING\n"
                                      " * @WARNING@\n"
                                      "@end\n"
                                      "@KERNEL_LICENCE@ */\n"
                                      "\n"
                                      "@KERNEL@";

const struct red_emit_hooks *red_emit_hooks_of(enum red_primitive primitive) {
#define ROW(id, name) [RED_PRIMITIVE_##id] = &red_emit_of_##name,
    static const struct red_emit_hooks *const hooks[RED_PRIMITIVES_N] = {RED_PRIMITIVES(ROW)};
#undef ROW
    return hooks[primitive];
}

/* Makes the kernel's text, texts->kernel, and sets the blanks of its primitive and of its text as C strings;
 * the blank KERNEL is the caller's to set. */
static enum red_status make_kernel_and_set_blanks(struct emitted_texts *texts,
                                                  const struct red_emission *emission,
                                                  const struct red_geometry *geometry,
                                                  struct red_error *error) {
    const struct red_build_spec build = {.strategy = emission->strategy,
                                         .dtype = emission->dtype,
                                         .op = emission->op,
                                         .bins_n = emission->bins_n,
                                         .group_size = geometry->group_size,
                                         .width = geometry->width,
                                         .loads = geometry->loads};
    enum red_status status = red_emit_hooks_of(emission->op->primitive)
                                 ->make_kernel(emission, &build, &texts->blanks, &texts->kernel, error);
    if (status != RED_OK)
        return status;
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
    const bool is_reduction = emission->op->primitive == RED_PRIMITIVE_REDUCE;
    char guard[96], safe[RED_BLANK_BYTES];
    snprintf(guard, sizeof guard, "%s_H", emission->name);
    for (char *c = guard; *c != '\0'; c++)
        *c = *c >= 'a' && *c <= 'z' ? (char)(*c - 'a' + 'A') : *c;
    red_blanks_set(blanks, "NAME", "%s", emission->name);
    red_blanks_set(blanks, "OP", "%s", emission->op->name);
    red_blanks_set(blanks, "GUARD", "%s", guard);
    red_blanks_set(blanks, "TITLE", "The %s%s%s of %s", emission->op->name, is_reduction ? "" : " ",
                   is_reduction ? "" : red_primitives[emission->op->primitive].noun, emission->dtype->name);
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

/* How the files' names end behind NAME; NULL stands for CMakeLists.txt, which has no NAME. */
static const char *const endings[RED_EMIT_FILES_N] = {".cl", ".h", ".c", "_test.c", NULL};

enum red_status red_emit_paths_format(const char *folder, const char *name, red_emit_paths paths,
                                      struct red_error *error) {
    for (size_t i = 0; i < RED_EMIT_FILES_N; i++) {
        const bool named = endings[i] != NULL;
        if (snprintf(paths[i], sizeof paths[i], "%s/%s%s", folder, named ? name : "CMakeLists",
                     named ? endings[i] : ".txt") >= (int)sizeof paths[i])
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

/* An error ends `emit` with nothing written. */
enum red_status red_emit_check_replaceable(red_emit_paths paths, bool overwrite, struct red_error *error) {
    enum red_status status = RED_OK;
    for (size_t i = 0; i < RED_EMIT_FILES_N && status == RED_OK; i++) {
        struct stat seen;
        const char *other = red_file_name_of_other(paths[i]);
        if (other != NULL) /* a pipe would be waited for, and get one file's text; a link leads elsewhere */
            status = red_fail(error, RED_E_INPUT,
                              "%.300s is %s; expected a file, or nothing: choose another --output or --name",
                              paths[i], other);
        else if (stat(paths[i], &seen) != 0)
            status = errno == ENOENT
                         ? RED_OK
                         : red_fail(error, RED_E_INPUT, "cannot write %.300s: %s; choose another --output",
                                    paths[i], strerror(errno));
        else if (!overwrite)
            status = check_written_by_emit(paths[i], error);
    }
    return status;
}

static enum red_status write_filled_template(const void *file, FILE *out, struct red_error *error) {
    const struct red_filled *filled = file;
    return red_template_write(filled->template, filled->blanks->all, filled->blanks->n, out, error);
}

/* Writes all files of the folder, or none. */
static enum red_status write_all_files(enum red_primitive primitive, const char *folder, red_emit_paths paths,
                                       const struct red_blanks *blanks, struct red_error *error) {
    struct red_filled filled[RED_EMIT_FILES_N];
    struct red_folder_file files[RED_EMIT_FILES_N];
    const struct red_emit_hooks *hooks = red_emit_hooks_of(primitive);
    const char *const templates[RED_EMIT_FILES_N] = {kernel_template, red_emit_host_h, hooks->source,
                                                     hooks->test, red_emit_CMakeLists_txt};
    for (size_t i = 0; i < RED_EMIT_FILES_N; i++) {
        filled[i] = (struct red_filled){templates[i], blanks};
        files[i] = (struct red_folder_file){paths[i], write_filled_template, &filled[i]};
    }
    return red_folder_write(folder, files, RED_EMIT_FILES_N, error);
}

/* Makes the kernel's text and sets all blanks; the emission has a name. */
static enum red_status fill_all_blanks(struct emitted_texts *texts, const struct red_emission *emission,
                                       struct red_error *error) {
    struct red_geometry geometry;
    set_name_and_licence_blanks(texts, emission);
    red_blanks_set(&texts->blanks, "CL_TYPE", "%s", emission->dtype->cl_type);
    red_blanks_set_flag(&texts->blanks, "HALF", red_emit_is_half(emission->dtype));
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

enum red_status red_emit_write(const struct red_emission *emission, const char *folder, red_emit_paths paths,
                               struct red_error *error) {
    struct emitted_texts *texts = calloc(1, sizeof *texts);
    enum red_status status = red_emit_check(emission, error);
    if (status == RED_OK && texts == NULL)
        status = red_fail(error, RED_E_MEMORY, "no memory for files");
    if (status == RED_OK)
        status = fill_all_blanks(texts, emission, error);
    if (status == RED_OK)
        status = write_all_files(emission->op->primitive, folder, paths, &texts->blanks, error);
    if (texts != NULL) {
        free(texts->kernel);
        free(texts->lines);
    }
    free(texts);
    return status;
}
