/* Test data for unit tests. After testing.h. */
#ifndef CLREDUCE_TESTS_MADE_INPUT_H
#define CLREDUCE_TESTS_MADE_INPUT_H

#include "model/case.h"

/* Of so many segments of n elements each. Release each of these with red_input_clear. */
static inline struct red_input made_segments(const struct red_op *op, const struct red_dtype *dtype,
                                             struct red_data_kind data_kind, uint64_t n, uint64_t segments_n,
                                             uint64_t seed) {
    struct red_input input;
    struct red_error error;
    struct red_data_spec spec = red_data_spec_make(op, dtype, data_kind, n, seed);
    spec.segments_n = segments_n;
    assert_ok(red_input_make(&spec, &input, &error), &error);
    return input;
}

static inline struct red_input made_input(const struct red_op *op, const struct red_dtype *dtype,
                                          struct red_data_kind data_kind, uint64_t n, uint64_t seed) {
    return made_segments(op, dtype, data_kind, n, 1, seed);
}

/* A data kind that has one part. */
static inline struct red_data_kind kind_of(enum red_pattern pattern) {
    return (struct red_data_kind){pattern, 0};
}

#endif
