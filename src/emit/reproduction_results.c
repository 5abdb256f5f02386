/* What the host program of `reproduce` does for primitives that leave many results, scans and histograms: a
 * program text with a kernel for each step, their calls, and the comparison of all results with what a loop
 * finds, or of the wrong one with the values that pass where the order of additions decides the last digits.
 */
#include <inttypes.h>

#include "core/text.h"
#include "emit/emit_private.h"
#include "model/bins.h"

/* Makes the kernels of `emit`, with the parameters that each of them uses. */
static enum red_status make_kernel(const struct red_build_spec *build, struct red_launch_list *list,
                                   char **kernel, struct red_error *error) {
    struct red_made_steps steps;
    const enum red_status status = red_steps_make(build, &steps, kernel, error);
    for (size_t i = 0; i < list->n && status == RED_OK; i++) {
        list->rows[i].kernel = steps.kernels[i];
        list->rows[i].used = steps.used[i];
    }
    return status;
}

/* The call of a launch; a scan in place reads what it stores to. */
static void call_format(const struct red_reproduction *r, const struct red_listed_launch *launch, char *text,
                        size_t text_bytes) {
    char from[16] = "in[0]";
    if (launch->over_partials || r->in_place)
        snprintf(from, sizeof from, "out[%u]", launch->from);
    if (launch->kernel == NULL)
        snprintf(text, text_bytes, "scan_carries()");
    else
        snprintf(text, text_bytes, "launch(\"%s\", 0x%x, %s, %" PRIu64 ", %" PRIu64 ", &out[%u])",
                 launch->kernel, launch->used, from, launch->n, launch->groups_n, launch->to);
}

/* Sets the types of what is compared; halves are compared as floats. */
static void set_types(struct red_blanks *blanks, const struct red_reproduction *r) {
    const struct red_dtype *result = red_op_result_dtype(r->input->op, r->input->dtype);
    red_blanks_set_value(blanks, r);
    red_blanks_set(blanks, "RESULT_TYPE", "%s", red_emit_c_type(result));
    red_blanks_set(blanks, "GOT_I", red_emit_is_half(result) ? "half(results[i])" : "results[i]");
}

/* ---- scans --------------------------------------------------------------------------------------------- */

/* Writes what an exclusive scan begins with, of the type of its results: that of accumulators may be wider.
 */
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
    set_types(blanks, r);
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

const struct red_reproduction_hooks red_reproduction_of_scans = {
    .make_kernel = make_kernel, .call_format = call_format, .set_answer = set_scan_answer};

/* ---- histograms ---------------------------------------------------------------------------------------- */

/* Sets the bin of an element as model/bins.h has it. */
static void set_bin(struct red_blanks *blanks, const struct red_bins *bins) {
    red_blanks_set(blanks, "BINS", "%u", bins->n);
    if (bins->dtype->is_float) {
        red_blanks_set(blanks, "DISTANCE", "const float distance = x[0][i] - %.1ff;",
                       (double)bins->real_lower);
        red_blanks_set(blanks, "INSIDE", "x[0][i] >= %.1ff && x[0][i] < %.1ff", (double)bins->real_lower,
                       (double)bins->real_upper);
        red_blanks_set(blanks, "BIN", "(uint32_t)(distance * %.1ff)", (double)bins->real_scale);
        return;
    }
    red_blanks_set(blanks, "DISTANCE", "const uint32_t distance = (uint32_t)x[0][i] - UINT32_C(%" PRIu32 ");",
                   bins->lower);
    red_blanks_set(blanks, "INSIDE", "distance < UINT32_C(%" PRIu32 ")", bins->range);
    red_blanks_set(blanks, "BIN", "distance / UINT32_C(%" PRIu32 ")", bins->width);
}

/* Sets how counts are made; they are exact whatever the data. */
static void set_histogram_answer(struct red_blanks *blanks, const struct red_reproduction *r) {
    const struct red_bins bins = red_bins_make(r->input->dtype, r->input->bins_n);
    set_types(blanks, r);
    red_blanks_set_flag(blanks, "COUNTS", true);
    set_bin(blanks, &bins);
    red_blanks_set(blanks, "PLACE_WORDS", "in bin");
    red_blanks_set(blanks, "OF_BINS", ", %u bins", bins.n);
}

const struct red_reproduction_hooks red_reproduction_of_histograms = {
    .make_kernel = make_kernel, .call_format = call_format, .set_answer = set_histogram_answer};
