/* The verb `verify`, as cli/cmd_verify.c calls it: the checks, --soak, --show-data, --special and
 * --accuracy. `bench` uses it for the kernels of --kernel and for its own --accuracy. */
#ifndef CLREDUCE_VERIFY_VERIFY_H
#define CLREDUCE_VERIFY_VERIFY_H

#include <stdio.h>

#include "core/file.h"
#include "core/status.h"
#include "oracle/truth.h"
#include "results/run.h"
#include "results/verify_file.h"
#include "run/session.h"

/* Two minutes are long enough for every strategy but contended accumulators on a GPU. */
#define RED_VERIFY_SHARE_S 120.0

/* Room for the words that say at which levels of its axes a strategy was never checked. */
enum { RED_UNCHECKED_BYTES = 256 };

/* What verify alone can be asked for. */
struct red_verify_options {
    bool first;             /* stop at the first wrong result */
    bool special, accuracy; /* show what comes of special values, or errors, instead */
    const char *show_data;  /* name of the data that is shown instead of checking; NULL: it checks */
    double soak_s;          /* verify again and again for so long; 0: once */
    /* So long each strategy whose groups read what others wrote is called beside what disturbs memory; 0:
     * none is; below 0: a second where the device is no CPU, and neither --n nor --soak is given. */
    double stress_s;
    /* Takes over all checks that are not right, for `reproduce`, and ends the run at the first that fails.
     * Release with red_verify_file_clear. NULL: nobody wants them. */
    struct red_verify_file *found;
    /* For the session's strategy s on its device d, at [d * strategies_n + s], gets the words for the levels
     * at which it was never checked, or "": that is no error then. NULL: nobody wants them, and it is one. */
    char (*unchecked)[RED_UNCHECKED_BYTES];
};

/* Checks every strategy of the session on every device, and prints to `out`: evidence of what is wrong as it
 * is found, what was covered, what cannot run and why, one closing line. Once the calls of a strategy have
 * taken share_s on a device, its slow checks are left out, unless the session's options set a time per cell,
 * or want all. Writes to `output` (NULL: nothing) the counts per strategy, in its format and to its file.
 * Errors: RED_E_WRONG, RED_E_BUILD (with the compiler's log), RED_E_CRASHED, RED_E_TIMED_OUT or RED_E_DEVICE
 * with the first piece of evidence; RED_E_UNDECIDED where a strategy that --strategy names without a glob, or
 * one of --kernel, has a level that was never checked; RED_E_NO_DEVICE where nothing could be checked;
 * RED_E_INTERRUPTED. */
enum red_status red_verify_session(struct red_session *session, const struct red_verify_options *options,
                                   const struct red_output *output, double share_s, FILE *out,
                                   struct red_error *error);

/* Verifies the session with one seed after the other until --soak is over, three rounds at least, in the same
 * worker processes, which release all programs and data after each round. Prints to `out` what memory each
 * worker has then, and what it keeps per program. Errors: those of red_verify_session; RED_E_DEVICE where
 * that is more than 256 KiB from the second round on, or a worker did not last. */
enum red_status red_verify_soak(const struct red_session *session, const struct red_verify_options *options,
                                const struct red_output *output, FILE *out, struct red_error *error);

/* ---- data of one check -----------------------------------------------------------------------------------
 * The elements of one check (--show-data), with what the program takes for their answer. */

/* Writes the data set of that name (--show-data), of the session's one operation, type and n, to --output:
 * its elements, the exact answer, the answer rounded to the type of the result, and the largest error that
 * passes for the session's first strategy on its first device. Nothing is rounded: floats are hexadecimal.
 * Errors: RED_E_INPUT where more than one cell is chosen, or the operation has no such data; those of making
 * data and of writing. */
enum red_status red_data_set_write(const struct red_session *session, const char *name,
                                   const struct red_output *output, struct red_error *error);

/* ---- numerics tables -------------------------------------------------------------------------------------
 * What each strategy answers to special values (--special), and by how much its sums err (--accuracy). */

enum red_numerics_kind {
    RED_NUMERICS_SPECIAL,  /* every operation: a NaN, infinities, -0, denormals; n = 1000, of scans 1002 */
    RED_NUMERICS_ACCURACY, /* sums, means, products; n = 2^20, all ones 2^25 */
    RED_NUMERICS_KINDS_N
};

/* The operations that the tables are about where the user chose none; NULL: the primitive has no such tables.
 */
const char *red_numerics_ops(enum red_numerics_kind kind, enum red_primitive primitive);

enum { RED_NUMERICS_CASES_MAX = 8 };

struct red_numerics_cell {
    enum red_state state;              /* RED_STATE_PASS where an answer came, right or not */
    struct red_verification found;     /* if one did: two calls of the program that is timed */
    char evidence[RED_EVIDENCE_BYTES]; /* of these, where a call was wrong */
    struct red_truth truth;            /* of the answer: of many results, the first wrong one or the last */
    bool is_of_special;                /* whether special values are among the elements that it is made of */
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
    struct red_data_kind data_kinds[RED_NUMERICS_CASES_MAX];
    uint64_t n[RED_NUMERICS_CASES_MAX];
    struct red_truth truths[RED_NUMERICS_CASES_MAX]; /* of many results, of the last */
    struct red_numerics_cell cells[RED_CHOICE_MAX][RED_NUMERICS_CASES_MAX];
    size_t failed_n; /* cells in which the driver crashed, hung, failed or built nothing, though the */
    struct red_error failed; /* register of known bugs does not say so; the first of them, or RED_OK */
};

/* What the tables of --accuracy say of one strategy together. */
struct red_accuracy_verdict {
    size_t answers_n, unbounded_n; /* of these, data of which the bound is infinite */
    size_t wrong_n;                /* beyond the bound, or with another fault */
    double share;                  /* of the bound: the largest */
    char worst[96];                /* where that was, or the first fault: "ones, sum of f32 on pocl.0" */
};

struct red_accuracy_verdicts {
    struct red_accuracy_verdict of[RED_CHOICE_MAX]; /* of the session's strategies */
    size_t wrong_n;
    struct red_error first; /* piece of evidence: RED_E_WRONG, if there is any */
};

/* Adds a table of errors to the verdicts, all zeros before the first. */
void red_accuracy_verdicts_add(struct red_accuracy_verdicts *verdicts,
                               const struct red_numerics_table *table);

/* Prints a line for each strategy of the session that answered: within its bound, or beyond it, and where it
 * came nearest. Nothing where none did. */
void red_accuracy_verdicts_print(const struct red_accuracy_verdicts *verdicts,
                                 const struct red_session *session, FILE *out);

/* Makes the tables of the session's devices, operations and types that it is about, with the default
 * group sizes, and hands each to `take`. n is the first of --n, if any. A call that would take longer than
 * --time-per-cell, otherwise 2 s, is not made: RED_STATE_OVER_BUDGET. Errors: RED_E_INPUT where nothing is
 * chosen that it is about, RED_E_MEMORY, RED_E_NO_DEVICE if nothing ran, those of `take`. */
typedef enum red_status red_numerics_visitor(void *context, const struct red_numerics_table *table,
                                             struct red_error *error);
enum red_status red_numerics_visit_tables(struct red_session *session, enum red_numerics_kind kind,
                                          red_numerics_visitor *take, void *context, struct red_error *error);

/* The error in units of u * sum of |terms|, what a single rounding may cost: in these errors of different
 * data compare. Where that is 0, the error. */
double red_numerics_in_units(const struct red_numerics_table *table, const struct red_verification *found);

/* Writes the tables of the session: a table per device, operation and type on the screen,
 * or with --format json or csv one table of all answers, to the output. Special values are judged
 * (verify/verify_private.h), and so are errors: the verdicts stand below the tables. Errors: those of
 * red_numerics_visit_tables; RED_E_WRONG with the first piece of evidence; RED_E_BUILD, RED_E_CRASHED,
 * RED_E_TIMED_OUT or RED_E_DEVICE with the first driver's failure; RED_E_INPUT for an output that cannot be
 * written. */
enum red_status red_numerics_write(struct red_session *session, enum red_numerics_kind kind,
                                   const struct red_output *output, struct red_error *error);

/* Prints one table on `out`, the screen. Errors: RED_E_MEMORY. */
enum red_status red_numerics_print(const struct red_numerics_table *table, FILE *out,
                                   struct red_error *error);

#endif
