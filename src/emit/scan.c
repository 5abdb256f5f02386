/* What emit writes of scans alone: fills the blanks of scan_test.c.in, and of host.h.in and steps.c.in what
 * depends on the operation. */
#include <stdio.h>
#include <string.h>

#include "core/numbers.h"
#include "emit/emit_private.h"

/* Sets what the host does with carries, and what the test expects of sums. */
static void set_sum_blanks(struct red_blanks *blanks, const struct red_emission *emission) {
    red_blanks_set(blanks, "TEST_VALUE", "(int)(x %% 7)%s",
                   emission->dtype->kind == RED_UNSIGNED ? "" : " - 3");
    red_blanks_set(blanks, "EXPECT_FIRST", "0");
    red_blanks_set(blanks, "FIRST_WORDS", "%s", emission->op->exclusive ? "; out[0] becomes 0" : "");
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
    red_blanks_set(blanks, "FIRST_WORDS", "%s%s", emission->op->exclusive ? "; out[0] becomes " : "",
                   !emission->op->exclusive             ? ""
                   : !red_emit_is_half(emission->dtype) ? loser_of(emission->dtype, least)
                   : least                              ? "INFINITY"
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
    red_blanks_set(blanks, "RESULT_WORDS", "the %s of x[0] ... x[i%s]", op->reduction->name,
                   op->exclusive ? " - 1" : "");
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

static enum red_status make_kernel(const struct red_emission *emission, const struct red_build_spec *build,
                                   struct red_blanks *blanks, char **kernel, struct red_error *error) {
    set_scan_blanks(blanks, emission);
    return red_emit_steps(emission, build, blanks, kernel, error);
}

/* ---- launches --------------------------------------------------------------------------------------------
 * As cl/finish_scan.c has them. */

static const struct red_step steps[] = {
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
    {.what = NULL}};

static const struct red_part_words parts = {.name = "carries",
                                            .argument = "CARRIES",
                                            .words = "of each level a value for each tile",
                                            .alone = "is_alone",
                                            .alone_words = "one work-group, over the carries of the level",
                                            .alone_groups = "1",
                                            .bytes = "",
                                            .state_bytes = "state_bytes(n)",
                                            .state_words = ", and the state is laid out",
                                            .sizes_state = true};

/* The carries of two levels are scanned by tiles, too. */
static void list_scan(const struct red_reproduction *r, struct red_launch_list *list) {
    const uint64_t tile_n = r->geometry.group_size * r->geometry.lanes, carries_n = red_launches_parts_n(r);
    const uint64_t inner_groups_n = red_ceil_div(carries_n, tile_n), alone[] = {1, 1},
                   sizes[] = {r->n, carries_n, inner_groups_n},
                   groups_n[] = {r->geometry.groups_n, inner_groups_n};
    list->values_n[1] = carries_n;
    list->values_n[2] = r->strategy->finish == RED_STRATEGY_TWO_LEVELS ? inner_groups_n : 0;
    red_launches_add_steps(r, list, r->n, sizes, groups_n, alone);
}

/* ---- the right answer of `reproduce` ------------------------------------------------------------------- */

/* Writes what an exclusive scan begins with, of the type of its results: that of
 * accumulators may be wider. */
static void first_format(const struct red_reproduction *r, char *text, size_t text_bytes) {
    const struct red_op *op = r->input->op;
    const struct red_dtype *dtype = r->input->dtype;
    struct red_value first = {.index = 0};
    if (!red_op_picks(op) || dtype->is_float) {
        snprintf(text, text_bytes, "%s", red_op_identity_text(op, "-INFINITY", "INFINITY"));
        return;
    }
    dtype->put_integer(&first, 0,
                       red_rank_integer(dtype, op->does == RED_PICKS_LEAST ? red_rank_max(dtype) : 0));
    red_literal_format(dtype, first, text, text_bytes);
}

/* Sets how the next element joins the prefix, and the host's scan of carries likewise. NaNs are passed over
 * where an extreme is looked for. */
static void set_scan_answer(struct red_blanks *blanks, const struct red_reproduction *r) {
    const struct red_op *op = r->input->op;
    const struct red_dtype *dtype = r->input->dtype;
    char first[96], combined[128];
    first_format(r, first, sizeof first);
    red_blanks_set_result_types(blanks, r);
    red_blanks_set_flag(blanks, "EXCLUSIVE", op->exclusive);
    red_blanks_set_flag(blanks, "HOST_CARRIES", r->strategy->finish == RED_STRATEGY_HOST_CARRIES);
    red_blanks_set(blanks, "EMPTY", "%s", first);
    red_blanks_set(blanks, "X_I", red_emit_is_half(dtype) ? "half(x[0][i])" : "x[0][i]");
    red_blanks_set_flag(blanks, "HALVES", red_emit_is_half(dtype));
    red_emit_combine_format(op, "total", "value", combined, sizeof combined);
    if (!red_op_picks(op))
        red_blanks_set(blanks, "JOINED", "%s", combined);
    else
        red_blanks_set(blanks, "JOINED", "(value %c total ? value : total)",
                       op->does == RED_PICKS_LEAST ? '<' : '>');
    red_blanks_set(blanks, "FINISH", "(%s)total", red_op_result_dtype(op, dtype)->c_type);
    red_blanks_set(blanks, "PLACE_WORDS", "at");
}

const struct red_emit_hooks red_emit_of_scan = {.source = red_emit_steps_c,
                                                .test = red_emit_scan_test_c,
                                                .make_kernel = make_kernel,
                                                .steps = steps,
                                                .parts = &parts,
                                                .list = list_scan,
                                                .set_answer = set_scan_answer};
