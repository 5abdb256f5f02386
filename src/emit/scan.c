#define _POSIX_C_SOURCE 200809L /* strdup */
/* What emit writes of scans alone: fills the blanks of scan.h.in, scan.c.in and scan_test.c.in from the
 * operation, and makes a kernel for each launch of the finish. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/text.h"
#include "emit/private.h"

/* ---- launches --------------------------------------------------------------------------------------------
 * As cl/finish_scan.c has them. */

/* A launch: which text it has, and what its kernel is called and said to do in NAME.cl. */
static const struct scan_launch {
    enum red_finish_kind finish;
    unsigned pass;
    bool over_carries;  /* of the first level: its carries are of the second */
    const char *kernel; /* NULL: the host does it */
    const char *what;
} launches[] = {
    {RED_STRATEGY_SINGLE_PASS, 0, false, "scan", ""},
    {RED_STRATEGY_SCAN_THEN_PROPAGATE, 0, false, "scan_tiles",
     "First: each tile is scanned alone, and leaves its total in `carries`."},
    {RED_STRATEGY_SCAN_THEN_PROPAGATE, 1, false, "scan_carries",
     "Then: one work-group puts in the place of each carry what those before it combine to."},
    {RED_STRATEGY_SCAN_THEN_PROPAGATE, 2, false, "apply_carries",
     "At last: the carry of each tile is combined with what was left in `out`."},
    {RED_STRATEGY_REDUCE_THEN_SCAN, 0, false, "reduce_tiles",
     "First: each tile leaves its total in `carries`."},
    {RED_STRATEGY_REDUCE_THEN_SCAN, 1, false, "scan_carries",
     "Then: one work-group puts in the place of each carry what those before it combine to."},
    {RED_STRATEGY_REDUCE_THEN_SCAN, 2, false, "scan_tiles",
     "At last: each tile is scanned, with its carry in front."},
    {RED_STRATEGY_HOST_CARRIES, 0, false, "reduce_tiles", "First: each tile leaves its total in `carries`."},
    {RED_STRATEGY_HOST_CARRIES, 1, false, NULL, ""},
    {RED_STRATEGY_HOST_CARRIES, 2, false, "scan_tiles",
     "Behind the host's work: each tile is scanned, with its carry in front."},
    {RED_STRATEGY_TWO_LEVELS, 0, false, "scan_tiles",
     "First: each tile is scanned alone, and leaves its total in `carries`."},
    {RED_STRATEGY_TWO_LEVELS, 0, true, "scan_tiles_of_carries",
     "The carries are scanned likewise, in place: each tile of them alone, with carries of their own."},
    {RED_STRATEGY_TWO_LEVELS, 1, true, "scan_carries",
     "One work-group puts in the place of each of the last carries what those before it combine to."},
    {RED_STRATEGY_TWO_LEVELS, 2, true, "apply_carries_to_carries",
     "They are combined with the carries of the elements, in place."},
    {RED_STRATEGY_TWO_LEVELS, 2, false, "apply_carries",
     "At last: the carry of each tile is combined with what was left in `out`."},
};
enum { LAUNCHES_N = sizeof launches / sizeof launches[0], PASS_CARRIES = 1, LAUNCHES_OF_FINISH_MAX = 8 };

/* The parameters of a scan's kernel that a launch may set, as bits of red_emit_head; names in NAME.c. */
enum { PARAMETER_CARRIES = 1 << 3, PARAMETER_STATE = 1 << 4 };
static const char *const parameter_names[] = {"X", "N", "OUT", "CARRIES", "STATE"};

/* What has been made of the launches so far. */
struct scan_texts {
    const struct scan_launch *launches[LAUNCHES_OF_FINISH_MAX];
    char *plain[LAUNCHES_OF_FINISH_MAX];         /* owned: the text before it had a name; NULL of the host */
    const char *kernels[LAUNCHES_OF_FINISH_MAX]; /* names */
    unsigned used[LAUNCHES_OF_FINISH_MAX];       /* parameters, as bits */
    size_t n;
};

static void scan_texts_clear(struct scan_texts *texts) {
    for (size_t i = 0; i < texts->n; i++)
        free(texts->plain[i]);
}

/* Makes the text of each launch of the finish; `build` is of the first. */
static enum red_status make_plain_texts(struct scan_texts *texts, enum red_finish_kind finish,
                                        struct red_build_spec build, struct red_error *error) {
    enum red_status status = RED_OK;
    for (size_t i = 0; i < LAUNCHES_N && status == RED_OK; i++) {
        if (launches[i].finish != finish)
            continue;
        texts->launches[texts->n++] = &launches[i];
        build.pass = launches[i].pass;
        build.over_partials = launches[i].over_carries;
        if (launches[i].kernel != NULL)
            status = red_emit_expand(&build, &texts->plain[texts->n - 1], error);
    }
    return status;
}

/* The first launch from `from` on that has the same text as launch i, and with `over_elements` is over the
 * elements; i if none has. */
static size_t find_same_text(const struct scan_texts *texts, size_t from, size_t i, bool over_elements) {
    for (size_t k = from; k < texts->n; k++)
        if (texts->plain[k] != NULL && strcmp(texts->plain[k], texts->plain[i]) == 0 &&
            !(over_elements && texts->launches[k]->over_carries))
            return k;
    return i;
}

/* Appends the kernel of launch i to the text, unless an earlier one has the same. */
static enum red_status add_kernel(struct scan_texts *texts, size_t i, char **kernel,
                                  struct red_error *error) {
    char *named = NULL, suffix[48];
    const size_t same = find_same_text(texts, 0, i, false);
    const struct scan_launch *launch = texts->launches[find_same_text(texts, i, i, true)];
    texts->kernels[i] = same < i ? texts->kernels[same] : launch->kernel;
    texts->used[i] = texts->used[same];
    if (same < i)
        return RED_OK;
    if ((named = strdup(texts->plain[i])) == NULL)
        return red_fail(error, RED_E_MEMORY, "no memory for a kernel");
    enum red_status status = red_emit_head(&named, launch->kernel, launch->what, &texts->used[i], error);
    if (status == RED_OK && *kernel == NULL) {
        *kernel = named;
        return RED_OK;
    }
    snprintf(suffix, sizeof suffix, "_%s", launch->kernel);
    if (status == RED_OK)
        status = red_emit_join(kernel, named, suffix, NULL, error);
    free(named);
    return status;
}

/* Writes the parameters that a launch sets: "N | CARRIES". */
static void parameters_format(unsigned used, char *text, size_t text_bytes) {
    text[0] = '\0';
    for (size_t i = 0; i < sizeof parameter_names / sizeof parameter_names[0]; i++)
        if ((used >> i & 1) != 0)
            red_text_add(text, text_bytes, "%s%s", text[0] != '\0' ? " | " : "", parameter_names[i]);
}

/* Sets the blanks of the table of launches, and of what these need beside the arrays. */
static void set_launch_blanks(struct red_blanks *blanks, const struct scan_texts *texts) {
    char rows[RED_BLANK_BYTES] = "", parameters[64];
    unsigned used = 0;
    bool has_levels = false, has_host = false;
    for (size_t i = 0; i < texts->n; i++) {
        const struct scan_launch *launch = texts->launches[i];
        if (launch->kernel == NULL) {
            has_host = true;
            red_text_add(rows, sizeof rows, "    {NULL, 0, 0, 0},\n");
            continue;
        }
        parameters_format(texts->used[i], parameters, sizeof parameters);
        red_text_add(rows, sizeof rows, "    {\"%s\", %s, %d, %d},\n", texts->kernels[i], parameters,
                     launch->over_carries, launch->pass == PASS_CARRIES);
        used |= texts->used[i];
        has_levels = has_levels || launch->over_carries;
    }
    red_blanks_set(blanks, "STEPS", "%s", rows);
    red_blanks_set(blanks, "LEVELS", "%d", has_levels ? 2 : 1);
    red_blanks_set_flag(blanks, "TWO_LEVELS", has_levels);
    red_blanks_set_flag(blanks, "HOST", has_host);
    red_blanks_set(blanks, "BEGUN", "%s", has_host ? "" : " and has not begun");
    red_blanks_set_flag(blanks, "CARRIES", (used & PARAMETER_CARRIES) != 0);
    red_blanks_set_flag(blanks, "BUFFERS", (used & (PARAMETER_CARRIES | PARAMETER_STATE)) != 0);
    red_blanks_set_flag(blanks, "STATE", (used & PARAMETER_STATE) != 0);
    red_blanks_set(blanks, "STATE_WORDS", "%s",
                   (used & PARAMETER_STATE) != 0 ? ", and the state is laid out" : "");
}

/* ---- blanks ----------------------------------------------------------------------------------------------
 */

/* Sets what the host does with carries, and what the test expects of sums. */
static void set_sum_blanks(struct red_blanks *blanks, const struct red_emission *emission) {
    red_blanks_set(blanks, "STEP", "total += value");
    red_blanks_set(blanks, "EXPECT_START", "0");
    red_blanks_set(blanks, "EXPECT_STEP", "total += x");
    red_blanks_set(blanks, "OFFSET", "%s", emission->dtype->kind == RED_UNSIGNED ? "" : " - 3");
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
    const bool least = emission->op->wants == RED_WANTS_LEAST;
    const char sign = least ? '<' : '>';
    if (red_op_accumulator(emission->op, emission->dtype)->is_float)
        red_blanks_set(blanks, "STEP", "total = f%s(total, value)", emission->op->reduction->name);
    else
        red_blanks_set(blanks, "STEP", "total = value %c total ? value : total", sign);
    red_blanks_set(blanks, "EXPECT_START", least ? "INT64_MAX" : "INT64_MIN");
    red_blanks_set(blanks, "EXPECT_STEP", "total = x %c total ? x : total", sign);
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
    const struct red_emit_accumulator *accumulator = red_emit_accumulator_of(emission);
    const char *const identities[] = {[RED_IDENTITY_ZERO] = "0",
                                      [RED_IDENTITY_LOWEST] = accumulator->lowest,
                                      [RED_IDENTITY_HIGHEST] = accumulator->highest};
    const bool is_order = op->role == RED_ROLE_ORDER;
    const bool is_float = red_op_accumulator(op, emission->dtype)->is_float;
    const bool has_math = is_float && is_order;
    red_blanks_set(blanks, "SELF", "scan");
    red_blanks_set(blanks, "OPERATION", "%s", op->reduction->name);
    red_blanks_set(blanks, "A", "%s", accumulator->c);
    red_blanks_set(blanks, "FOLD", "%s", accumulator->fold);
    red_blanks_set(blanks, "FOLD_CAST", "%s",
                   strcmp(accumulator->c, accumulator->fold) != 0 ? "(float)" : "");
    red_blanks_set(blanks, "IDENTITY", "%s", identities[op->identity]);
    red_blanks_set(blanks, "R", "%s", red_emit_c_type(result));
    red_blanks_set(blanks, "R_CL_TYPE", "%s", result->cl_type);
    red_blanks_set(blanks, "LIBM", "%s", has_math ? " m" : "");
    red_blanks_set(blanks, "PARAMETERS", "cl_mem x, cl_mem out");
    red_blanks_set(blanks, "ARGUMENTS", "x, out");
    red_blanks_set(blanks, "VALUE", "%s", "");
    red_blanks_set(blanks, "CARRIES_PER_GROUP", "%s",
                   emission->strategy->group == RED_STRATEGY_NONE ? " * GROUP_SIZE" : "");
    red_blanks_set_flag(blanks, "MATH", has_math);
    red_blanks_set_flag(blanks, "FLOATS", has_math);
    red_blanks_set_flag(blanks, "ORDER", is_order);
    red_blanks_set_flag(blanks, "EXCLUSIVE", op->exclusive);
    red_blanks_set_flag(blanks, "IN_PLACE", result->size_bytes == emission->dtype->size_bytes);
    red_blanks_set_flag(blanks, "HALF_RESULT", red_emit_is_half(result));
    red_blanks_set_flag(blanks, "NEW", emission->strategy->standard == RED_STANDARD_CL20);
    if (is_order)
        set_order_blanks(blanks, emission);
    else
        set_sum_blanks(blanks, emission);
}

/* Called by emit.c for an emission of a scan. */
enum red_status red_emit_scan(const struct red_emission *emission, const struct red_build_spec *build,
                              struct red_blanks *blanks, char **kernel, struct red_error *error) {
    struct scan_texts texts = {.n = 0};
    enum red_status status = make_plain_texts(&texts, emission->strategy->finish, *build, error);
    for (size_t i = 0; i < texts.n && status == RED_OK; i++)
        if (texts.plain[i] != NULL)
            status = add_kernel(&texts, i, kernel, error);
    if (status == RED_OK) {
        set_scan_blanks(blanks, emission);
        set_launch_blanks(blanks, &texts);
        status = red_emit_drop_prefix(kernel, error);
    }
    scan_texts_clear(&texts);
    return status;
}
