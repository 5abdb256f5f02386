/* The list of checks that `verify` makes on one device. */
#ifndef CLREDUCE_BENCH_CHECKS_H
#define CLREDUCE_BENCH_CHECKS_H

#include "bench/cover.h"
#include "bench/session.h"

struct red_check {
    const struct red_strategy *strategy;
    const struct red_dtype *dtype;
    const struct red_op *op;
    uint64_t n;
    struct red_tuning tuning; /* its group size is never 0 */
    struct red_probe probe;
    bool repeats; /* the row before is the same check: two points of the grid fell together */
    unsigned char levels[RED_FACTORS_MAX];
};

/* In the order in which data can be shared: by n, type, operation, probe. */
struct red_checks {
    struct red_check *rows; /* owned */
    size_t n, distinct_n;
    size_t levels_n[RED_FACTORS_MAX];
    size_t pairs_n, impossible_n;   /* of the covering choice; 0 with --all */
    size_t refused[RED_CHOICE_MAX]; /* per strategy: combinations of type and operation that cannot run */
    char refusals[2048];            /* each with its reason, one line */
};

/* Makes the list for the session's device d. With --all: every combination up to n = 2^20, and the points
 * beyond it for every strategy and type; otherwise a covering choice of all pairs. --n replaces the grid of
 * sizes; bench/grid.h tells what --wg, --groups and --lanes do. Errors: RED_E_INPUT, RED_E_MEMORY. */
enum red_status red_checks_make(struct red_session *session, size_t d, struct red_checks *checks,
                                struct red_error *error);
void red_checks_clear(struct red_checks *checks);

/* Counts the pairs of the covering choice that occur in the checks marked in `reached` (one per row).
 * Errors: RED_E_MEMORY. */
enum red_status red_checks_count_pairs(const struct red_checks *checks, const bool *reached, size_t *pairs_n,
                                       struct red_error *error);

/* Checks that share a program, and so build or fail to build together, share this number, which is below
 * red_checks_programs_n. */
size_t red_check_program(const struct red_checks *checks, const struct red_check *check);
size_t red_checks_programs_n(const struct red_checks *checks);

#endif
