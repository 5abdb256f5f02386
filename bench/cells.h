/* Cells made ready for timing: verified, projected, warmed up. */
#ifndef CLREDUCE_BENCH_CELLS_H
#define CLREDUCE_BENCH_CELLS_H

#include "bench/work.h"
#include "record/tuned.h"

/* Everything a bench run holds. The run's device 0 is the host; device d + 1 is the session's device d. */
struct red_bench {
    struct red_session *session;
    const struct red_tuned *tuned; /* borrowed: geometries in place of the default, or NULL */
    struct red_run run;
    struct red_dataset *datasets; /* the timed data, one per operation, type and n; owned */
    size_t datasets_n;
    struct red_work *works; /* owned */
    size_t works_n;
    double expected_s; /* of the whole run, told before it begins */
};

/* Lays out all cells, then verifies each one on exact and on the timed data, projects its cost and warms it
 * up. What cannot run gets its state and reason; what can becomes a work. A wrong cell is no error here.
 * Errors: RED_E_INPUT, RED_E_MEMORY. */
enum red_status red_bench_prepare(struct red_session *session, struct red_bench *bench,
                                  struct red_error *error);
void red_bench_clear(struct red_bench *bench);

#endif
