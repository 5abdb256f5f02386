#include <stdlib.h>
#include <string.h>

#include "verify/test_plan.h"

bool red_test_plan_append(struct red_test_plan *plan, const struct red_check *check) {
    if ((plan->n & (plan->n - 1)) == 0) {
        void *grown = realloc(plan->rows, (plan->n ? 2 * plan->n : 1) * sizeof *plan->rows);
        if (grown == NULL)
            return false;
        plan->rows = grown;
    }
    plan->rows[plan->n++] = *check;
    return true;
}

static int by_data(const void *a, const void *b) {
    const struct red_check *x = a, *y = b;
    if (x->n != y->n)
        return x->n < y->n ? -1 : 1;
    if (x->segments_n != y->segments_n)
        return x->segments_n < y->segments_n ? -1 : 1;
    if (x->dtype != y->dtype)
        return x->dtype < y->dtype ? -1 : 1;
    if (x->op != y->op)
        return x->op < y->op ? -1 : 1;
    if (x->probe.pattern != y->probe.pattern)
        return x->probe.pattern < y->probe.pattern ? -1 : 1;
    return (x->probe.part > y->probe.part) - (x->probe.part < y->probe.part);
}

bool red_check_same_data(const struct red_check *a, const struct red_check *b) {
    return by_data(a, b) == 0;
}

static int by_program(const struct red_check *x, const struct red_check *y) {
    for (size_t f = 0; f < RED_PROGRAM_FACTORS; f++)
        if (x->levels[f] != y->levels[f])
            return x->levels[f] < y->levels[f] ? -1 : 1;
    return 0;
}

static int data_first(const void *a, const void *b) {
    const struct red_check *x = a, *y = b;
    int order = by_data(x, y);
    if (order == 0)
        order = by_program(x, y);
    return order ? order : red_tuning_compare(&x->tuning, &y->tuning);
}

/* From this n on making the data takes longer than what a program's checks take together. */
enum { LARGE_N = 1 << 16 };

static int program_first(const void *a, const void *b) {
    const struct red_check *x = a, *y = b;
    bool x_large = x->n >= LARGE_N, y_large = y->n >= LARGE_N;
    int order = x_large - y_large;
    if (order == 0 && !x_large)
        order = by_program(x, y);
    return order ? order : data_first(x, y);
}

/* Points of the grid may fall together for one group size. */
void red_test_plan_sort(struct red_test_plan *plan, enum red_test_plan_order order) {
    if (plan->n > 0)
        qsort(plan->rows, plan->n, sizeof *plan->rows,
              order == RED_PLAN_BY_PROGRAM ? program_first : data_first);
    for (size_t i = 0; i < plan->n; i++) {
        plan->rows[i].repeats = i > 0 && data_first(&plan->rows[i - 1], &plan->rows[i]) == 0;
        plan->distinct_n += !plan->rows[i].repeats;
    }
}

enum red_status red_test_plan_count_pairs(const struct red_test_plan *plan, const bool *reached,
                                          size_t *pairs_n, struct red_error *error) {
    struct red_covering_spec spec = {.factors_n = RED_CHECK_FACTORS};
    memcpy(spec.levels_n, plan->levels_n, sizeof spec.levels_n);
    unsigned char(*rows)[RED_FACTORS_MAX] = calloc(plan->n + 1, sizeof *rows);
    size_t rows_n = 0;
    for (size_t i = 0; rows != NULL && i < plan->n; i++)
        if (reached[i] && !plan->rows[i].is_extra)
            memcpy(rows[rows_n++], plan->rows[i].levels, RED_FACTORS_MAX);
    bool done = rows != NULL && red_covering_array_count(&spec, (const unsigned char(*)[RED_FACTORS_MAX])rows,
                                                         rows_n, pairs_n);
    free(rows);
    return done ? RED_OK : red_fail(error, RED_E_MEMORY, "no memory for counting pairs");
}

size_t red_test_plan_programs_n(const struct red_test_plan *plan) {
    size_t n = 1;
    for (size_t f = 0; f < RED_PROGRAM_FACTORS; f++)
        n *= plan->levels_n[f];
    return n;
}

size_t red_check_program(const struct red_test_plan *plan, const struct red_check *check) {
    size_t at = 0;
    for (size_t f = 0; f < RED_PROGRAM_FACTORS; f++)
        at = at * plan->levels_n[f] + check->levels[f];
    return at;
}

void red_test_plan_clear(struct red_test_plan *plan) {
    free(plan->rows);
    *plan = (struct red_test_plan){.n = 0};
}
