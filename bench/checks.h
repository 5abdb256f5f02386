/* The list of checks that `verify` makes on one device. */
#ifndef CLREDUCE_BENCH_CHECKS_H
#define CLREDUCE_BENCH_CHECKS_H

#include "bench/session.h"

struct red_check {
    const struct red_strategy *strategy;
    const struct red_dtype *dtype;
    const struct red_op *op;
    uint64_t n;
    size_t group_size;
    struct red_probe probe;
};

/* In the order in which data can be shared: by n, type, operation, probe. */
struct red_checks {
    struct red_check *rows; /* owned */
    size_t n;
    size_t pairs_n, impossible_n; /* of the covering choice; 0 with --all */
    char refusals[2048];          /* what cannot run at all, one line each with its reason */
};

/* Makes the list for the session's device d. With --all: every combination up to n = 2^20, and the points
 * beyond it for every strategy and type; otherwise a covering choice of all pairs. --n and --wg replace the
 * grid. Errors: RED_E_INPUT, RED_E_MEMORY. */
enum red_status red_checks_make(struct red_session *session, size_t d, struct red_checks *checks,
                                struct red_error *error);
void red_checks_clear(struct red_checks *checks);

#endif
