/* The list of checks that `verify` makes on one device, and its order; with --all also its contents,
 * otherwise verify/covering_plan.c makes it. The session is what the user chose (verify/verify.c); the space
 * are the levels of its device. The user sees the plan's length: "verifying on ...: 797 checks". */
#include "verify/verify_private.h"

#include <stdlib.h>
#include <string.h>

#include "core/interrupt.h"
#include "core/memory.h"

/* Called below for --all, and by covering_plan.c: one check more to make. */
bool red_test_plan_append(struct red_test_plan *plan, const struct red_check *check) {
    if (!RED_GROW(plan->rows, plan->n, 1))
        return false;
    plan->rows[plan->n++] = *check;
    return true;
}

/* For the orders below: by n, numbers of segments and bins, type and operation, and kind of the data. */
static int compare_data(const void *a, const void *b) {
    const struct red_check *x = a, *y = b;
    if (x->n != y->n)
        return x->n < y->n ? -1 : 1;
    if (x->segments_n != y->segments_n)
        return x->segments_n < y->segments_n ? -1 : 1;
    if (x->bins_n != y->bins_n)
        return x->bins_n < y->bins_n ? -1 : 1;
    if (x->dtype != y->dtype)
        return x->dtype < y->dtype ? -1 : 1;
    if (x->op != y->op)
        return x->op < y->op ? -1 : 1;
    if (x->data_kind.pattern != y->data_kind.pattern)
        return x->data_kind.pattern < y->data_kind.pattern ? -1 : 1;
    return (x->data_kind.part > y->data_kind.part) - (x->data_kind.part < y->data_kind.part);
}

/* Of two checks in a row only one pays for the data in the estimate, "about ...". */
bool red_checks_have_same_data(const struct red_check *a, const struct red_check *b) {
    return compare_data(a, b) == 0;
}

/* By the levels and the number of bins that make up a program. */
static int compare_programs(const struct red_check *x, const struct red_check *y) {
    for (size_t f = 0; f < RED_PROGRAM_FACTORS; f++)
        if (x->levels[f] != y->levels[f])
            return x->levels[f] < y->levels[f] ? -1 : 1;
    return (x->bins_n > y->bins_n) - (x->bins_n < y->bins_n);
}

/* For qsort: by the data, then by program, tuning and prefixes. */
static int compare_data_first(const void *a, const void *b) {
    const struct red_check *x = a, *y = b;
    int order = compare_data(x, y);
    if (order == 0)
        order = compare_programs(x, y);
    order = order ? order : red_tuning_compare(&x->tuning, &y->tuning);
    return order ? order : (x->prefixes_n > y->prefixes_n) - (x->prefixes_n < y->prefixes_n);
}

/* From this n on making the data takes longer than what a program's checks take together. */
enum { LARGE_N = 1 << 16 };

/* For qsort: strategy by strategy, first the checks of its levels, of which those of large n come last, by
 * the data; then the others by program, so that an error shows after little compiling. Large n of these come
 * behind all strategies, by the data, which strategies share. */
static int compare_program_first(const void *a, const void *b) {
    const struct red_check *x = a, *y = b;
    const bool x_large = x->n >= LARGE_N, y_large = y->n >= LARGE_N, x_shares = x_large && !x->is_of_levels,
               y_shares = y_large && !y->is_of_levels;
    int order = x_shares - y_shares;
    if (order == 0 && !x_shares)
        order = x->levels[RED_FACTOR_STRATEGY] - y->levels[RED_FACTOR_STRATEGY];
    order = order ? order : y->is_of_levels - x->is_of_levels;
    order = order ? order : x_large - y_large;
    if (order == 0 && !x_large)
        order = compare_programs(x, y);
    return order ? order : compare_data_first(x, y);
}

/* Sorts, and marks rows that are the same check as the one before: points of the grid may be equal for a
 * group size. */
static void sort_and_mark_repeats(struct red_test_plan *plan, int (*compare)(const void *, const void *)) {
    if (plan->n > 0)
        qsort(plan->rows, plan->n, sizeof *plan->rows, compare);
    for (size_t i = 0; i < plan->n; i++)
        plan->rows[i].repeats = i > 0 && compare_data_first(&plan->rows[i - 1], &plan->rows[i]) == 0;
}

bool red_test_plan_sort_covering(struct red_test_plan *plan) {
    sort_and_mark_repeats(plan, compare_program_first);
    if (!red_levels_choose_checks(plan->rows, plan->n, plan->levels_n[RED_FACTOR_STRATEGY]))
        return false;
    sort_and_mark_repeats(plan, compare_program_first);
    return true;
}

/* Counts the pairs of the choice that occur in the rows that were reached, or in those of them that launch
 * anything. False without memory. */
static bool count_reached_pairs(const struct red_test_plan *plan, bool launching, size_t *pairs_n) {
    struct red_covering_spec spec = {.factors_n = RED_CHECK_FACTORS};
    memcpy(spec.levels_n, plan->levels_n, sizeof spec.levels_n);
    unsigned char(*rows)[RED_FACTORS_MAX] = calloc(plan->n + 1, sizeof *rows);
    size_t rows_n = 0;
    for (size_t i = 0; rows != NULL && i < plan->n; i++)
        if (plan->rows[i].reached && !plan->rows[i].is_extra &&
            (!launching || red_check_launches(&plan->rows[i])))
            memcpy(rows[rows_n++], plan->rows[i].levels, RED_FACTORS_MAX);
    bool done = rows != NULL && red_covering_array_count(&spec, (const unsigned char(*)[RED_FACTORS_MAX])rows,
                                                         rows_n, pairs_n);
    free(rows);
    return done;
}

/* N of "covered on ...: N of M pairs", and by how many M is less. */
enum red_status red_test_plan_count_reached_pairs(const struct red_test_plan *plan, size_t *pairs_n,
                                                  size_t *idle_pairs_n, struct red_error *error) {
    size_t all_n = 0;
    if (!count_reached_pairs(plan, true, pairs_n) || !count_reached_pairs(plan, false, &all_n))
        return red_fail(error, RED_E_MEMORY, "no memory for counting pairs");
    *idle_pairs_n = all_n - *pairs_n;
    return RED_OK;
}

/* Makes room for one entry per program in verify.c and covering_plan.c; not shown. */
size_t red_test_plan_programs_n_max(const struct red_test_plan *plan) {
    size_t n = plan->bins_n;
    for (size_t f = 0; f < RED_PROGRAM_FACTORS; f++)
        n *= plan->levels_n[f];
    return n;
}

/* Tells programs apart in verify.c (broken ones, and "N programs") and covering_plan.c. */
size_t red_check_program_number(const struct red_test_plan *plan, const struct red_check *check) {
    size_t at = plan->bins_n > 1 ? red_bins_level(check->bins_n) : 0;
    for (size_t f = 0; f < RED_PROGRAM_FACTORS; f++)
        at = at * plan->levels_n[f] + check->levels[f];
    return at;
}

void red_test_plan_clear(struct red_test_plan *plan) {
    free(plan->rows);
    free(plan->refusals.reasons);
    *plan = (struct red_test_plan){.n = 0};
}

/* --all: up to the first n comes all data, up to the second one kind of data in turn. */
enum { ALL_DATA_N_MAX = (1 << 12) + 1, ALL_N_MAX = (1 << 20) + 1 };

/* ---- everything ------------------------------------------------------------------------------------------
 *
 * All combinations would take a week of compiling. So group sizes and data take turns (turn_of): every
 * strategy gets every group size with every type and every operation, and every n with all data. */

const char red_test_plan_all_text[] =
    "  every strategy x type x operation with two group sizes, the default and one of the others in turn,\n"
    "  at every n: up to 2^12+1 with all data, up to 2^20+1 with one kind of data in turn, at 2^24+2^18+1\n"
    "  one operation with all exact data; --n, --wg: all of these with all data\n";

/* What the turns of group sizes and data with --all go by: strategy, type and operation. */
static size_t turn_of(const struct red_check *check, const unsigned char *row) {
    return row[RED_FACTOR_STRATEGY] + (size_t)(check->dtype - red_dtypes) + (size_t)(check->op - red_ops);
}

/* Whether it is the default group size, or the one of the others whose turn it is; with --wg always. */
static bool group_size_is_default_or_has_turn(const struct red_parameter_space *space,
                                              const struct red_check *check, const unsigned char *row) {
    size_t usual = red_geometry_default_group_size(check->strategy, &space->info->shape), at = 0,
           others_n = 0;
    for (size_t i = 0; i < space->tunings_n; i++) {
        bool other = space->tunings[i].group_size != usual;
        at += other && i < row[RED_FACTOR_GROUP_SIZE];
        others_n += other;
    }
    if (space->session->selection->wg.n > 0 || check->tuning.group_size == usual || others_n == 0)
        return true;
    return at == turn_of(check, row) % others_n;
}

/* Whether it is the data whose turn it is, or the next that fits. */
static bool data_has_turn(const struct red_parameter_space *space, const struct red_check *check,
                          const unsigned char *row) {
    struct red_check tried = *check;
    size_t at = turn_of(check, row) + row[RED_FACTOR_GROUP_SIZE] + row[RED_FACTOR_SIZE];
    do
        tried.data_kind = red_data_levels[at++ % space->levels_n[RED_FACTOR_DATA]];
    while (!red_space_data_fits(space, &tried));
    return tried.data_kind.pattern == check->data_kind.pattern &&
           tried.data_kind.part == check->data_kind.part;
}

/* Whether the check is one of those that red_test_plan_all_text tells of. Beyond 2^20 comes one operation per
 * strategy and type, with the default group size and the exact data. */
static bool is_in_all_list(const struct red_parameter_space *space, const struct red_check *check,
                           const unsigned char *row) {
    if (!group_size_is_default_or_has_turn(space, check, row))
        return false;
    if (check->n <= ALL_DATA_N_MAX || space->session->selection->n.n > 0)
        return true;
    if (check->n <= ALL_N_MAX)
        return data_has_turn(space, check, row);
    return row[RED_FACTOR_OP] == 0 && check->data_kind.pattern < RED_PATTERN_UNIFORM &&
           check->tuning.group_size == red_geometry_default_group_size(check->strategy, &space->info->shape);
}

/* Goes to the next combination of levels, of which red_test_plan.levels_n says how many, of the same type and
 * operation; false behind the last one. */
static bool advance_row_within_chapter(const size_t *levels_n, unsigned char *row) {
    for (size_t f = RED_CHECK_FACTORS; f-- > 0;) {
        if (f == RED_FACTOR_TYPE || f == RED_FACTOR_OP)
            continue;
        if (++row[f] < levels_n[f])
            return true;
        row[f] = 0;
    }
    return false;
}

/* Appends the checks of one type and operation, the chapter, that --all asks for. */
static enum red_status append_all_checks_of_chapter(struct red_parameter_space *space, size_t chapter,
                                                    struct red_test_plan *plan, struct red_error *error) {
    unsigned char row[RED_FACTORS_MAX] = {[RED_FACTOR_TYPE] =
                                              (unsigned char)(chapter / space->session->ops_n),
                                          [RED_FACTOR_OP] = (unsigned char)(chapter % space->session->ops_n)};
    do {
        const struct red_check check = red_space_check_of_row(space, row);
        /* Asked last is what takes longest. */
        if (red_space_data_fits(space, &check) && is_in_all_list(space, &check, row) &&
            red_space_admits(space, row) && !red_test_plan_append(plan, &check))
            return red_fail(error, RED_E_MEMORY, "no memory for the list of checks");
    } while (advance_row_within_chapter(plan->levels_n, row));
    return RED_OK;
}

/* ---- the list ------------------------------------------------------------------------------------------ */

/* What it adds to refusals is seen as "cannot run on ...". */
enum red_status red_test_plan_make(struct red_session *session, size_t d, size_t chapter,
                                   struct red_test_plan *plan, struct red_error *error) {
    bool all = session->selection->all;
    *plan = (struct red_test_plan){.chapters_n = all ? session->types_n * session->ops_n : 1};
    struct red_parameter_space *space = calloc(1, sizeof *space);
    if (space == NULL)
        return red_fail(error, RED_E_MEMORY, "no memory for the list of checks");
    enum red_status status = red_space_fill(session, d, space, &plan->refusals, error);
    if (status == RED_OK && red_interrupted())
        status = red_fail(error, RED_E_INTERRUPTED, "interrupted while checks were chosen");
    if (status == RED_OK && space->strategies_n > 0) {
        memcpy(plan->levels_n, space->levels_n, sizeof space->levels_n);
        plan->bins_n = red_primitives[session->selection->primitive].bins_n > 0 ? RED_BINS_LEVELS_N : 1;
        status = all ? append_all_checks_of_chapter(space, chapter, plan, error)
                     : red_test_plan_append_covering(space, plan, error);
    }
    free(space);
    if (status == RED_OK && all)
        sort_and_mark_repeats(plan, compare_data_first); /* so that checks in a row share their data */
    else if (status == RED_OK && !red_test_plan_sort_covering(plan))
        status = red_fail(error, RED_E_MEMORY, "no memory for the list of checks");
    if (status != RED_OK)
        red_test_plan_clear(plan);
    return status;
}
