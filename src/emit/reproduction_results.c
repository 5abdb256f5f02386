/* What the host program of `reproduce` does for primitives that leave many results: a program text with a
 * kernel for each step, their calls, and the comparison of all results with what a loop finds, or of the
 * wrong one with the values that pass where the order of additions decides the last digits. */
#include <inttypes.h>

#include "core/text.h"
#include "emit/emit_private.h"

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

void red_blanks_set_result_types(struct red_blanks *blanks, const struct red_reproduction *r) {
    const struct red_dtype *result = red_op_result_dtype(r->input->op, r->input->dtype);
    red_blanks_set_value(blanks, r);
    red_blanks_set(blanks, "RESULT_TYPE", "%s", red_emit_c_type(result));
    red_blanks_set(blanks, "GOT_I", red_emit_is_half(result) ? "half(results[i])" : "results[i]");
}

/* As the primitive does it. */
static void set_answer(struct red_blanks *blanks, const struct red_reproduction *r) {
    red_emit_hooks_of(r->input->op->primitive)->set_answer(blanks, r);
}

const struct red_reproduction_hooks red_reproduction_of_results = {
    .make_kernel = make_kernel, .call_format = call_format, .set_answer = set_answer};
