/* What finishes a device's answer on the host: the fold of partial results, their prefixes, and answers of
 * accumulators. The oracle judges what comes out. */
#ifndef CLREDUCE_HOST_FOLD_H
#define CLREDUCE_HOST_FOLD_H

#include "model/answers.h"

/* One partial result, in the member that its accumulator (red_op_accumulator) names: floats as doubles. */
struct red_partial {
    union {
#define RED_PARTIAL_MEMBER(name, c_type, fold_type, ...) fold_type name;
        RED_ACCUMULATORS(RED_PARTIAL_MEMBER)
#undef RED_PARTIAL_MEMBER
    };
};

/* Folds partial results of the accumulator type to one: integers modulo 2^w, floats in double.
 * Single-threaded: it is part of a strategy's time to answer. */
void red_host_fold_partial(const struct red_op *op, const struct red_dtype *dtype, const void *partials,
                           uint64_t partials_n, struct red_partial *partial);

/* The partial result of no elements; and what two of them are together. */
void red_partial_set_identity(const struct red_op *op, const struct red_dtype *dtype,
                              struct red_partial *partial);
void red_partial_combine(const struct red_op *op, const struct red_dtype *dtype, struct red_partial *into,
                         const struct red_partial *from);

/* For argmin and argmax: makes the index in a piece of an array that in the whole, where the piece begins at
 * `first`. For other operations, and for no elements, it changes nothing. */
void red_partial_move_places(const struct red_op *op, const struct red_dtype *dtype,
                             struct red_partial *partial, uint64_t first);

/* The answer for n elements, of red_op_result_dtype(op, dtype): means are divided by n, floats rounded once.
 * n must be one that red_op_check_n admits. */
struct red_value red_partial_answer(const struct red_op *op, const struct red_dtype *dtype,
                                    const struct red_partial *partial, uint64_t n);

/* Makes partial results of the accumulator type their exclusive prefixes, in place: the carries of a scan.
 * Single-threaded, as red_host_fold_partial. Of one it is the operation's identity, with which accumulators
 * start. */
void red_host_scan_partials(const struct red_op *op, const struct red_dtype *dtype, void *partials,
                            uint64_t partials_n);

/* Sets the answers of answers->n segments, of so many elements each, from their partial results, one per
 * segment, which must live as long as the answers are read. `columns`: indices of places are those of a
 * matrix with a column per segment. */
void red_host_answers_of_partials(const struct red_op *op, const struct red_dtype *dtype,
                                  const void *partials, uint64_t segment_elements_n, bool columns,
                                  struct red_answers *answers);

#endif
