/* Writes what makes the elements of a data set (model/input.c) as a line of C, for the host program of
 * `reproduce`: `h` is the hash of the element at `at`, `i` its index in its segment. reproduction.c writes
 * the elements to a file where there is no line. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emit/emit_private.h"

#define SIGN       "(h & 1 ? 1.0 : -1.0)"
#define LARGE      "(1 + (double)(hash(i / 2, @SEED@) >> 40) * 0x1p-24)"
#define ONE_OR_TWO "i % 3 == 0 ? 1 : i % 3 == 1 ? -1 : 2 * " SIGN
#define HEIGHT(h)  "(double)(" h " >> @WALK_SHIFT@)"
#define CONDITION(number)                                                                                    \
    { "i % 64 == 62 ? 93 / " number " : i % 64 == 63 ? 0 : i % 2 ? -" LARGE " : " LARGE, "1" }

/* Expressions for an element of x and of y (NULL: the same), as templates. */
struct element_lines {
    const char *x, *y;
};

static const struct element_lines reals[RED_PATTERNS_N] = {
    [RED_PATTERN_WEIGHTS] = {"@WEIGHT@", "@WEIGHT_Y@"},
    [RED_PATTERN_PART] = {"(h >> 32) * @PARTS@ >> 32 == @PART@", ONE_OR_TWO},
    [RED_PATTERN_GREATEST] = {"@GREATEST@", NULL},
    [RED_PATTERN_LEAST] = {"@LEAST@", NULL},
    [RED_PATTERN_SCALED_UP] = {"@SCALE@ * (@WEIGHT@)", SIGN},
    [RED_PATTERN_SCALED_DOWN] = {"@SCALE@ * (@WEIGHT@)", SIGN},
    [RED_PATTERN_WALK] = {HEIGHT("h") " - (i == 0 ? 0 : " HEIGHT("hash(i - 1, @SEED@)") ")", NULL},
    [RED_PATTERN_UNIFORM] = {"@FRACTION@", NULL},
    [RED_PATTERN_CANCELLING] = {"i % 2 ? -" LARGE " + 0x1p-20 * (double)(h >> 40) * 0x1p-24 : " LARGE, "1"},
    [RED_PATTERN_ONES] = {"1", NULL},
    [RED_PATTERN_HUGE] = {"i == hash(N, @SEED@) % N ? 0x1p30 : (double)(h >> 40) * 0x1p-24", NULL},
    [RED_PATTERN_CONDITION_4] = CONDITION("1e4"),
    [RED_PATTERN_CONDITION_8] = CONDITION("1e8"),
    [RED_PATTERN_CONDITION_12] = CONDITION("1e12"),
};

/* Those of integers; weights of which an extreme is looked for have @RANKED_WEIGHT@. */
static const struct element_lines integers[RED_PATTERNS_N] = {
    [RED_PATTERN_WEIGHTS] = {"(h & ~UINT64_C(7)) | 2 * (i % 3) | 1", "(h & ~UINT64_C(7)) | 1"},
    [RED_PATTERN_GREATEST] = {"@GREATEST@", "@GREATEST_Y@"},
    [RED_PATTERN_LEAST] = {"@LEAST@", NULL},
    [RED_PATTERN_SCALED_UP] = {"(h >> 61 & 3) == 0 || i + 1 == N ? 0 : (h >> 58 & 7) == 0 ? "
                               "((h >> 56 & 1) << @SIGN_BIT@) - (h >> 57 & 1) : h",
                               "h"},
    [RED_PATTERN_UNIFORM] = {"(h | 1) - @IS_MAX@", "h"},
};

/* Sets the blanks of the expressions for weights (weights_element of model/input.c). */
static void set_weight_blanks(struct red_blanks *blanks, const struct red_data_numbers *numbers) {
    if (numbers->largest_weight_third >= 1)
        red_blanks_set(blanks, "WEIGHT", SIGN " * (double)(1 + i %% 3 + 3 * ((h >> 41) * %.0f >> 24))",
                       numbers->largest_weight_third);
    else if (numbers->largest_weight_third > 0)
        red_blanks_set(blanks, "WEIGHT", "%s", ONE_OR_TWO);
    else
        red_blanks_set(blanks, "WEIGHT", "(h >> 32) * %u >> 32 == 0 || i + 1 == N ? " SIGN " : 0",
                       numbers->parts);
    red_blanks_set(blanks, "WEIGHT_Y", numbers->largest_weight_third >= 1 ? SIGN : "1");
}

/* Sets a blank to the least or the greatest value of the type. */
static void set_limit_blank(struct red_blanks *blanks, const char *key, const struct red_dtype *dtype,
                            bool greatest) {
    const uint64_t rank = greatest ? red_rank_max(dtype) : 0;
    if (dtype->is_float)
        red_blanks_set(blanks, key, "%a", red_rank_real(dtype, rank));
    else
        red_blanks_set(blanks, key, "UINT64_C(%" PRIu64 ")", red_rank_integer(dtype, rank));
}

/* Sets the blanks of the tables above. */
static void set_number_blanks(struct red_blanks *blanks, const struct red_input *input) {
    const struct red_data_numbers numbers = red_input_find_numbers(input);
    const struct red_dtype *dtype = input->dtype;
    set_weight_blanks(blanks, &numbers);
    set_limit_blank(blanks, "GREATEST", dtype, true);
    set_limit_blank(blanks, "LEAST", dtype, false);
    set_limit_blank(blanks, "GREATEST_Y", dtype, dtype->kind != RED_SIGNED);
    red_blanks_set(blanks, "RANKED_WEIGHT",
                   "UINT64_C(%" PRIu64 ") %c (i %% 3 + 3 * ((h >> 41) * %.0f >> 24))", numbers.best,
                   input->op->does == RED_PICKS_GREATEST ? '-' : '+', numbers.largest_weight_third);
    red_blanks_set(blanks, "SIGN_BIT", "%u", dtype->bits - 1);
    red_blanks_set(blanks, "SEED", "UINT64_C(%" PRIu64 ")", input->seed);
    red_blanks_set(blanks, "PARTS", "%u", numbers.parts);
    red_blanks_set(blanks, "PART", "%u", input->data_kind.part);
    red_blanks_set(blanks, "WALK_SHIFT", "%u", 64 - numbers.walk_bits);
    red_blanks_set(blanks, "SCALE", "0x1p%d", numbers.scale);
    red_blanks_set(blanks, "IS_MAX", "%d", input->op->does == RED_PICKS_GREATEST);
    red_blanks_set(blanks, "FRACTION",
                   dtype->digits > 24 ? "(double)(h >> 11) * 0x1p-53" : "(double)(h >> 40) * 0x1p-24");
}

/* The lines of the data set; x NULL: there are none. Halves have none, as C99 has no type for them, nor have
 * floats that are neither added nor picked, and `and` and `or`. */
static struct element_lines lines_of(const struct red_input *input) {
    const struct element_lines *lines = input->dtype->is_float ? reals : integers;
    const bool is_small = input->data_kind.pattern == RED_PATTERN_WEIGHTS && red_op_picks(input->op);
    const enum red_combiner does = input->op->does;
    const bool has_lines = does == RED_ADDS || red_op_picks(input->op) ||
                           (!input->dtype->is_float && does != RED_ANDS && does != RED_ORS);
    if (red_emit_hooks_of(input->op->primitive)->has_no_lines || !has_lines || red_emit_is_half(input->dtype))
        return (struct element_lines){NULL, NULL};
    if (is_small && !input->dtype->is_float)
        return (struct element_lines){"@RANKED_WEIGHT@", NULL};
    return lines[input->data_kind.pattern];
}

enum red_status red_data_line_make(const struct red_input *input, char **line, struct red_error *error) {
    const struct element_lines lines = lines_of(input);
    const char *type = input->dtype->c_type;
    char template[RED_BLANK_BYTES];
    *line = NULL;
    if (lines.x == NULL)
        return RED_OK;
    struct red_blanks *blanks = calloc(1, sizeof *blanks);
    if (blanks == NULL)
        return red_fail(error, RED_E_MEMORY, "no memory for data");
    if (input->arrays_n == 1 || lines.y == NULL)
        snprintf(template, sizeof template, "            x[a][at] = (%s)(%s);", type, lines.x);
    else
        snprintf(template, sizeof template, "            x[a][at] = a == 0 ? (%s)(%s) : (%s)(%s);", type,
                 lines.x, type, lines.y);
    set_number_blanks(blanks, input);
    const enum red_status status = red_template_make(template, blanks, line, error);
    free(blanks);
    if (status == RED_OK)
        (*line)[strlen(*line) - 1] = '\0';
    return status;
}
