/* A case: a strategy, or the roof, over data, in one geometry. What the command line chose comes down to
 * these; a worker is asked about them, and a plan is made of one. */
#ifndef CLREDUCE_MODEL_CASE_H
#define CLREDUCE_MODEL_CASE_H

#include <stdbool.h>
#include <stdint.h>

#include "model/geometry.h"
#include "model/input.h"
#include "model/strategy.h"

/* Which data: the same specification always gives the same elements. */
struct red_data_spec {
    const struct red_op *op;
    const struct red_dtype *dtype;
    struct red_probe probe;
    uint64_t n, segments_n; /* of one reduction; reductions side by side, at least 1 */
    uint64_t seed;
};

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
    bool poison_local;   /* build the checking variant, whose local memory starts as NaN */
    bool keep;           /* the data is needed again: hold it beside that of other cases */
};

/* One call that reduces all of one array. */
struct red_case red_case_make(const struct red_data_spec *data, const struct red_strategy *strategy,
                              const struct red_tuning *tuning);

/* Whether two cases are about the same arrays. */
bool red_data_is_same(const struct red_data_spec *a, const struct red_data_spec *b);

bool red_case_is_same(const struct red_case *a, const struct red_case *b);

/* Bytes of n elements with all arrays of the operation; what the host has room for, in bytes. */
double red_data_bytes(const struct red_dtype *dtype, const struct red_op *op, uint64_t n);
double red_data_room_bytes(void);

/* Errors: RED_E_MEMORY if n elements exceed that room. */
enum red_status red_data_check(const struct red_dtype *dtype, const struct red_op *op, uint64_t n,
                               struct red_error *error);

#endif
