/* Numerics tables: what comes of data that every strategy answers in its own way, special values and sums
 * that are hard to add. */
#ifndef CLREDUCE_VERIFY_NUMERICS_H
#define CLREDUCE_VERIFY_NUMERICS_H

#include <stdio.h>

#include "core/output.h"
#include "oracle/truth.h"
#include "results/run.h"
#include "run/session.h"

enum red_numerics_kind {
    RED_NUMERICS_SPECIAL,  /* every operation: a NaN, infinities, -0, denormals; n = 1000 */
    RED_NUMERICS_ACCURACY, /* sums, means, products; n = 2^20, all ones 2^25 */
};

enum { RED_NUMERICS_CASES_MAX = 8 };

struct red_numerics_cell {
    enum red_state state;          /* RED_STATE_PASS where an answer came, right or not */
    struct red_verification found; /* if one did: two calls of the program that is timed */
};

/* An operation and a float type on a device: a row for each strategy of the session, a column for each data
 * set. */
struct red_numerics_table {
    struct red_session *session;
    enum red_numerics_kind kind;
    size_t d;
    const struct red_op *op;
    const struct red_dtype *dtype;
    size_t cases_n;
    struct red_probe probes[RED_NUMERICS_CASES_MAX];
    struct red_truth truths[RED_NUMERICS_CASES_MAX]; /* its n is the case's */
    struct red_numerics_cell cells[RED_CHOICE_MAX][RED_NUMERICS_CASES_MAX];
    size_t failed_n; /* cells in which the driver crashed, hung, failed or built nothing, though the */
    struct red_error failed; /* register of known bugs does not say so; the first of them, or RED_OK */
};

/* Makes the tables of the session's devices, operations and types that it is about, with the default
 * group sizes, and hands each to `take`. n is the first of --n, if any. A call that would take longer than
 * --time-per-cell, otherwise 2 s, is not made: RED_STATE_OVER_BUDGET. Errors: RED_E_INPUT where nothing is
 * chosen that it is about, RED_E_MEMORY, RED_E_NO_DEVICE if nothing ran, those of `take`. */
typedef enum red_status red_numerics_visit(void *context, const struct red_numerics_table *table,
                                           struct red_error *error);
enum red_status red_numerics_each(struct red_session *session, enum red_numerics_kind kind,
                                  red_numerics_visit *take, void *context, struct red_error *error);

/* u * sum of |terms|, what a single rounding may cost: the unit in which errors of different data compare. */
double red_numerics_unit(const struct red_numerics_table *table, size_t c);

/* Shows them: a table per device, operation and type on the screen,
 * or with --format json or csv one table of all answers, to the output. Special values are judged
 * (verify/special_values.h). Errors: those of red_numerics_each; RED_E_WRONG with the first piece of
 * evidence; RED_E_BUILD, RED_E_CRASHED, RED_E_TIMED_OUT or RED_E_DEVICE with the first driver's failure;
 * RED_E_INPUT for an output that cannot be written. */
enum red_status red_numerics_show(struct red_session *session, enum red_numerics_kind kind,
                                  const struct red_output *output, struct red_error *error);

/* Shows one table on `out`, the screen. */
enum red_status red_numerics_print(const struct red_numerics_table *table, FILE *out,
                                   struct red_error *error);

#endif
