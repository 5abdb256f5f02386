/* The loops that a C programmer writes, on one thread: the `sequential` row of bench. Floats are added in the
 * order in which they stand. */
#ifndef CLREDUCE_ORACLE_SEQUENTIAL_H
#define CLREDUCE_ORACLE_SEQUENTIAL_H

#include "oracle/reference.h"

/* As red_reference_reduce, red_reference_reduce_segments, red_reference_scan and red_reference_histogram. */
struct red_value red_sequential_reduce(const struct red_op *op, const struct red_dtype *dtype,
                                       const void *const arrays[2], uint64_t n);
void red_sequential_reduce_segments(const struct red_op *op, const struct red_dtype *dtype,
                                    const void *const arrays[2], uint64_t segment_elements_n,
                                    struct red_answers *answers);
void red_sequential_scan(const struct red_op *op, const struct red_dtype *dtype, const void *array,
                         uint64_t n, void *results);
void red_sequential_histogram(const struct red_op *op, const struct red_dtype *dtype, unsigned bins_n,
                              const void *array, uint64_t n, void *counts);

#endif
