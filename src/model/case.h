/* Cases: a strategy, or the roof, over data, in one geometry. run/, verify/, gate/ and cli/ make them of
 * the options, workers are asked about them (worker/protocol.h), cl/plan.c makes a plan of one. */
#ifndef CLREDUCE_MODEL_CASE_H
#define CLREDUCE_MODEL_CASE_H

#include <stdbool.h>
#include <stdint.h>

#include "model/evidence.h"
#include "model/geometry.h"
#include "model/input.h"
#include "model/strategy.h"
#include "model/types.h"

/* Which data: the same specification always gives the same elements. */
struct red_data_spec {
    const struct red_op *op;
    const struct red_dtype *dtype;
    struct red_data_kind data_kind;
    uint64_t n, segments_n; /* of one reduction; reductions side by side, at least 1 */
    unsigned bins_n;        /* of a histogram; otherwise 0 */
    enum red_making making;
    uint64_t seed;
    /* Of one reduction the n elements may be a piece of an array of whole_n, from element `first` on, bit by
     * bit what they are there. whole_n 0: they are the whole array. */
    uint64_t whole_n, first;
};

/* Makes that of one whole array by pattern; of a primitive that has bins with as many as its row says. */
struct red_data_spec red_data_spec_make(const struct red_op *op, const struct red_dtype *dtype,
                                        struct red_data_kind data_kind, uint64_t n, uint64_t seed);

struct red_case {
    struct red_data_spec data;           /* of the first array */
    const struct red_strategy *strategy; /* NULL: the roof. The one without a kernel is for the host */
    unsigned form;                       /* of the roof */
    uint64_t n;                          /* elements of one reduction, at most the data's */
    struct red_tuning tuning;
    unsigned arrays_n;   /* with which the calls take turns; their seeds follow each other */
    unsigned reductions; /* of one call */
    unsigned prefixes_n; /* of verification alone: it also reduces the first n - 1, n - 2, ... elements, so
                            that there are so many n; 0 as 1 */
    bool in_place;       /* of a scan's verification: over a copy of the data, which it overwrites */
    bool poison_local;   /* build the checking build, whose local memory starts as NaN */
    bool keep;           /* the data is needed again: hold it beside that of other cases */
};

/* Makes the case of one call that reduces all of one array; `tuning` NULL: the default geometry. */
struct red_case red_case_make(const struct red_data_spec *data, const struct red_strategy *strategy,
                              const struct red_tuning *tuning);

/* Whether two cases are about the same arrays. */
bool red_data_is_same(const struct red_data_spec *a, const struct red_data_spec *b);

/* The same with strategy, tuning and calls, but not what is left to one check or one moment (poison_local,
 * keep): then worker/server_cases.c need not prepare the case again. */
bool red_case_is_same_prepared(const struct red_case *a, const struct red_case *b);

/* Bytes of n elements with all arrays of the operation; nine tenths of the bytes that the host has free. */
double red_data_bytes(const struct red_dtype *dtype, const struct red_op *op, uint64_t n);
double red_data_room_bytes(void);

/* Refuses data that exceed that room; n is that of all segments. Errors: RED_E_MEMORY. */
enum red_status red_data_check_room(const struct red_dtype *dtype, const struct red_op *op, uint64_t n,
                                    struct red_error *error);

/* ---- verification ----------------------------------------------------------------------------------------
 * What checking one case against the truth found (cl/plan.h); `verify` and `bench` print its evidence. */

enum { RED_VERIFY_CALLS = 3 };

/* Above this n verify leaves out run 1: calls take long, and what a kernel finds in local memory, or has left
 * behind in the call before, does not depend on n. */
enum { RED_VERIFY_LONG_N = 1 << 22 };

struct red_verification {
    struct red_value value; /* of the last call */
    bool right;
    bool same_bits;  /* all calls gave the same bits */
    double error;    /* |got - exact| of the call that is worst; of many results, of the worst one */
    double bound;    /* the largest error that passes; 0 in the exact tier, infinite where red_bound is */
    double absolute; /* sum of |terms|: makes errors of different data comparable */
    uint64_t place;  /* of many results, the one that these three are of */
    double call_s;   /* the fastest of the calls: without what the first of a program costs, compiling */
    struct red_evidence evidence; /* of the first call that is wrong */
};

/* ---- launches of a call ----------------------------------------------------------------------------------
 * By the driver's event times (cl/plan.h); `launches` of a cell in the result file. */

/* A call of more launches has no times of each. */
enum { RED_LAUNCH_TIMES_MAX = 8 };

struct red_launch_times {
    double s[RED_LAUNCH_TIMES_MAX];     /* from START to END of each launch */
    double gap_s[RED_LAUNCH_TIMES_MAX]; /* from its END to the START of the next one; below 0: they overlap */
    unsigned n;                         /* launches; 0: unknown */
};

/* ---- clock samples ---------------------------------------------------------------------------------------
 * Launches of known work with the times that the driver and the host give them: taken by cl/event_times.h,
 * judged by stats/statistics.h. */

/* Sizes of work, and launches of each. */
enum {
    RED_CLOCK_SAMPLE_SIZES = 5,
    RED_CLOCK_SAMPLE_REPEATS = 5,
    RED_CLOCK_SAMPLES_N = RED_CLOCK_SAMPLE_SIZES * RED_CLOCK_SAMPLE_REPEATS
};

/* One launch of a single work-item on the profiling queue. */
struct red_clock_sample {
    double steps;                        /* of a chain in which each waits for the one before */
    double begin_s, end_s;               /* host clock: before the launch, and when it was waited for */
    uint64_t queued, submit, start, end; /* the driver's four stamps, in ns (OpenCL 3.0 API, section 5.14) */
};

#endif
