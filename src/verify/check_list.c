#include <stdlib.h>
#include <string.h>

#include "verify/checks.h"

bool red_checks_append(struct red_checks *checks, const struct red_check *check) {
    if ((checks->n & (checks->n - 1)) == 0) {
        void *grown = realloc(checks->rows, (checks->n ? 2 * checks->n : 1) * sizeof *checks->rows);
        if (grown == NULL)
            return false;
        checks->rows = grown;
    }
    checks->rows[checks->n++] = *check;
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
void red_checks_sort(struct red_checks *checks, enum red_checks_order order) {
    if (checks->n > 0)
        qsort(checks->rows, checks->n, sizeof *checks->rows,
              order == RED_CHECKS_BY_PROGRAM ? program_first : data_first);
    for (size_t i = 0; i < checks->n; i++) {
        checks->rows[i].repeats = i > 0 && data_first(&checks->rows[i - 1], &checks->rows[i]) == 0;
        checks->distinct_n += !checks->rows[i].repeats;
    }
}

enum red_status red_checks_count_pairs(const struct red_checks *checks, const bool *reached, size_t *pairs_n,
                                       struct red_error *error) {
    struct red_covering_spec plan = {.factors_n = RED_CHECK_FACTORS};
    memcpy(plan.levels_n, checks->levels_n, sizeof plan.levels_n);
    unsigned char(*rows)[RED_FACTORS_MAX] = calloc(checks->n + 1, sizeof *rows);
    size_t rows_n = 0;
    for (size_t i = 0; rows != NULL && i < checks->n; i++)
        if (reached[i] && !checks->rows[i].is_extra)
            memcpy(rows[rows_n++], checks->rows[i].levels, RED_FACTORS_MAX);
    bool done = rows != NULL && red_covering_array_count(&plan, (const unsigned char(*)[RED_FACTORS_MAX])rows,
                                                         rows_n, pairs_n);
    free(rows);
    return done ? RED_OK : red_fail(error, RED_E_MEMORY, "no memory for counting pairs");
}

size_t red_checks_programs_n(const struct red_checks *checks) {
    size_t n = 1;
    for (size_t f = 0; f < RED_PROGRAM_FACTORS; f++)
        n *= checks->levels_n[f];
    return n;
}

size_t red_check_program(const struct red_checks *checks, const struct red_check *check) {
    size_t at = 0;
    for (size_t f = 0; f < RED_PROGRAM_FACTORS; f++)
        at = at * checks->levels_n[f] + check->levels[f];
    return at;
}

void red_checks_clear(struct red_checks *checks) {
    free(checks->rows);
    *checks = (struct red_checks){.n = 0};
}
