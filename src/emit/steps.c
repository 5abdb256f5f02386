#define _POSIX_C_SOURCE 200809L /* strdup */
/* What is written of primitives whose results stay on the device: a kernel for each launch of the finish, for
 * `reproduce`, too, and the blanks of the launches in steps.c.in. scan.c and histogram.c fill the rest. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/text.h"
#include "emit/emit_private.h"
#include "model/primitive.h"

/* ---- launches ------------------------------------------------------------------------------------------ */

/* The parameters of a kernel that a launch may set, as bits of red_emit_head. */
enum { PARAMETER_PARTS = 1 << 3, PARAMETER_STATE = 1 << 4 };

const struct red_step *red_steps_of(const struct red_strategy *strategy, size_t *n) {
    const struct red_step *first = red_emit_hooks_of(strategy->primitive)->steps;
    while (first->what != NULL && first->finish != strategy->finish)
        first++;
    for (*n = 0; first[*n].what != NULL && first[*n].finish == strategy->finish; ++*n)
        ;
    return first;
}

/* What has been made of the launches so far: the text of each before it had a name, NULL of the host's. */
struct plain_texts {
    struct red_made_steps *steps;
    char *texts[RED_STEPS_MAX]; /* owned */
};

/* Makes the text of each launch of the finish; `build` is of the first. */
static enum red_status make_plain_texts(struct plain_texts *plain, struct red_build_spec build,
                                        struct red_error *error) {
    enum red_status status = RED_OK;
    for (size_t i = 0; i < plain->steps->n && status == RED_OK; i++) {
        build.pass = plain->steps->rows[i].pass;
        build.over_partials = plain->steps->rows[i].over_carries;
        if (plain->steps->rows[i].kernel != NULL)
            status = red_emit_compose(&build, &plain->texts[i], error);
    }
    return status;
}

/* The first launch from `from` on that has the same text as launch i, and with `over_elements` is over the
 * elements; i if none has. */
static size_t find_same_text(const struct plain_texts *plain, size_t from, size_t i, bool over_elements) {
    for (size_t k = from; k < plain->steps->n; k++)
        if (plain->texts[k] != NULL && strcmp(plain->texts[k], plain->texts[i]) == 0 &&
            !(over_elements && plain->steps->rows[k].over_carries))
            return k;
    return i;
}

/* Appends the kernel of launch i to the text, unless an earlier one has the same. */
static enum red_status add_kernel(struct plain_texts *plain, size_t i, char **kernel,
                                  struct red_error *error) {
    char *named = NULL, suffix[48];
    struct red_made_steps *steps = plain->steps;
    const size_t same = find_same_text(plain, 0, i, false);
    const struct red_step *launch = &steps->rows[find_same_text(plain, i, i, true)];
    steps->kernels[i] = same < i ? steps->kernels[same] : launch->kernel;
    steps->used[i] = steps->used[same];
    if (same < i)
        return RED_OK;
    if ((named = strdup(plain->texts[i])) == NULL)
        return red_fail(error, RED_E_MEMORY, "no memory for a kernel");
    enum red_status status = red_emit_head(&named, launch->kernel, launch->what, &steps->used[i], error);
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

enum red_status red_steps_make(const struct red_build_spec *build, struct red_made_steps *steps,
                               char **kernel, struct red_error *error) {
    struct plain_texts plain = {.steps = steps};
    *steps = (struct red_made_steps){.n = 0};
    steps->rows = red_steps_of(build->strategy, &steps->n);
    enum red_status status = make_plain_texts(&plain, *build, error);
    for (size_t i = 0; i < steps->n && status == RED_OK; i++)
        if (plain.texts[i] != NULL)
            status = add_kernel(&plain, i, kernel, error);
    for (size_t i = 0; i < steps->n; i++)
        free(plain.texts[i]);
    return status == RED_OK ? red_emit_drop_prefix(kernel, error) : status;
}

/* Writes the parameters that a launch sets: "N | CARRIES". */
static void parameters_format(unsigned used, const struct red_part_words *words, char *text,
                              size_t text_bytes) {
    const char *const names[] = {"X", "N", "OUT", words->argument, "STATE"};
    text[0] = '\0';
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if ((used >> i & 1) != 0)
            red_text_add(text, text_bytes, "%s%s", text[0] != '\0' ? " | " : "", names[i]);
}

/* The primitive's own words; where groups leave nothing, none are needed. */
static const struct red_part_words *words_of(const struct red_emission *emission) {
    static const struct red_part_words none = {"", "PARTS", "", "", "", "", "", "", "", false};
    const struct red_part_words *words = red_emit_hooks_of(emission->op->primitive)->parts;
    return words != NULL ? words : &none;
}

/* Sets the blanks of what groups leave: `words` are the primitive's. */
static void set_part_blanks(struct red_blanks *blanks, const struct red_part_words *words) {
    red_blanks_set(blanks, "PARTS", "%s", words->name);
    red_blanks_set(blanks, "PARTS_ARGUMENT", "%s", words->argument);
    red_blanks_set(blanks, "PARTS_WORDS", "%s", words->words);
    red_blanks_set(blanks, "ALONE", "%s", words->alone);
    red_blanks_set(blanks, "ALONE_WORDS", "%s", words->alone_words);
    red_blanks_set(blanks, "ALONE_GROUPS", "%s", words->alone_groups);
}

/* Sets the blanks of the table of launches, and of what these need beside the arrays. */
static void set_launch_blanks(struct red_blanks *blanks, const struct red_made_steps *steps,
                              const struct red_emission *emission) {
    const struct red_part_words *words = words_of(emission);
    char rows[RED_BLANK_BYTES] = "", parameters[64];
    unsigned used = 0;
    bool has_levels = false, has_host = false;
    for (size_t i = 0; i < steps->n; i++)
        used |= steps->used[i];
    const bool has_parts = (used & PARAMETER_PARTS) != 0, has_state = (used & PARAMETER_STATE) != 0;
    for (size_t i = 0; i < steps->n; i++) {
        const struct red_step *launch = &steps->rows[i];
        if (launch->kernel == NULL) {
            has_host = true;
            red_text_add(rows, sizeof rows, "    {NULL, 0, 0, 0},\n");
            continue;
        }
        parameters_format(steps->used[i], words, parameters, sizeof parameters);
        red_text_add(rows, sizeof rows, "    {\"%s\", %s, %d%s},\n", steps->kernels[i], parameters,
                     launch->over_carries,
                     !has_parts                       ? ""
                     : launch->pass == RED_STEP_PARTS ? ", 1"
                                                      : ", 0");
        has_levels = has_levels || launch->over_carries;
    }
    set_part_blanks(blanks, words);
    red_blanks_set(blanks, "STEPS", "%s", rows);
    red_blanks_set(blanks, "LEVELS", "%d", has_levels ? 2 : 1);
    red_blanks_set_flag(blanks, "TWO_LEVELS", has_levels);
    red_blanks_set_flag(blanks, "HOST", has_host);
    red_blanks_set(blanks, "BEGUN", "%s", has_host ? "" : " and has not begun");
    red_blanks_set_flag(blanks, "HAS_PARTS", has_parts);
    red_blanks_set_flag(blanks, "STATE", has_state);
    red_blanks_set_flag(blanks, "SIZED", has_parts || (has_state && words->sizes_state));
    red_blanks_set_flag(blanks, "ZEROED", emission->strategy->finish == RED_STRATEGY_ZEROED_COUNTS);
    red_blanks_set_flag(blanks, "CLEARS",
                        has_state || emission->strategy->finish == RED_STRATEGY_ZEROED_COUNTS);
    red_blanks_set(blanks, "STATE_BYTES", "%s", words->state_bytes);
    red_blanks_set(blanks, "STATE_WORDS", "%s", has_state ? words->state_words : "");
}

/* Sets the blanks of types and entries. */
static void set_common_blanks(struct red_blanks *blanks, const struct red_emission *emission) {
    const struct red_dtype *result = red_op_result_dtype(emission->op, emission->dtype);
    const struct red_primitive_row *row = &red_primitives[emission->op->primitive];
    const char *accumulator = red_emit_accumulator_of(emission->op, emission->dtype)->c;
    const bool in_place = row->in_place && result->size_bytes == emission->dtype->size_bytes;
    red_blanks_set(blanks, "SELF", "%s", row->noun);
    red_blanks_set_types(blanks, emission->op, emission->dtype);
    red_blanks_set(blanks, "R", "%s", red_emit_c_type(result));
    red_blanks_set(blanks, "R_CL_TYPE", "%s", result->cl_type);
    red_blanks_set(blanks, "PART_BYTES", "%ssizeof(%s)", words_of(emission)->bytes, accumulator);
    red_blanks_set(blanks, "MAKE_BUFFERS", "make_buffers(%s, n_max)", row->noun);
    red_blanks_set(blanks, "KINDS", "KINDS_N");
    red_blanks_set(blanks, "SIZE_0", "0, ");
    red_blanks_set(blanks, "UP_TO", " of up to n_max elements");
    red_blanks_set(blanks, "SIZE_PARAMETER", ", uint64_t n_max");
    red_blanks_set(blanks, "SIZE_ARGUMENT", ", elements");
    red_blanks_set(blanks, "ARRAYS_WORDS", "x");
    red_blanks_set(blanks, "PARAMETERS", "cl_mem x, cl_mem out");
    red_blanks_set(blanks, "RESULT_PARAMETER", "%s", "");
    red_blanks_set(blanks, "TEST_ARGUMENTS", "x[0].buffer, outs[0]");
    red_blanks_set(blanks, "OUTS_PARAMETER", ", const cl_mem *outs");
    red_blanks_set(blanks, "OUTS_ARGUMENT", ", outs");
    red_blanks_set(blanks, "VALUE", "%s", "");
    red_blanks_set_flag(blanks, "IN_PLACE", in_place);
    red_blanks_set(blanks, "IN_PLACE_PARAMETER", "%s", in_place ? ", int in_place" : "");
    red_blanks_set(blanks, "IN_PLACE_0", "%s", in_place ? ", 0" : "");
    red_blanks_set(blanks, "PREPARED", "%s", in_place ? "x[0].buffer, " : "");
    red_blanks_set(blanks, "PARTS_PER_GROUP", "%s",
                   emission->strategy->group == RED_STRATEGY_NONE ? " * GROUP_SIZE" : "");
    red_blanks_set_flag(blanks, "NEW", emission->strategy->standard == RED_STANDARD_CL20);
}

enum red_status red_emit_steps(const struct red_emission *emission, const struct red_build_spec *build,
                               struct red_blanks *blanks, char **kernel, struct red_error *error) {
    struct red_made_steps steps;
    const enum red_status status = red_steps_make(build, &steps, kernel, error);
    if (status == RED_OK) {
        set_common_blanks(blanks, emission);
        set_launch_blanks(blanks, &steps, emission);
    }
    return status;
}
