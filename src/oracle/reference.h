/* Reductions on the host: the `openmp` row of bench and verify, the fold of a device's partial results into
 * the answer (cl/plan.c), and the read roof of the host. */
#ifndef CLREDUCE_ORACLE_REFERENCE_H
#define CLREDUCE_ORACLE_REFERENCE_H

#include "model/geometry.h"
#include "model/input.h"

/* ---- partial results of reductions ---- */

/* One partial result, in the member that its accumulator (red_op_accumulator) names: floats as doubles. */
struct red_partial {
    union {
#define RED_PARTIAL_MEMBER(name, c_type, fold_type, ...) fold_type name;
        RED_ACCUMULATORS(RED_PARTIAL_MEMBER)
#undef RED_PARTIAL_MEMBER
    };
};

/* Reduces n elements with all OpenMP threads; on one below 2^15 elements, where waking the others costs more
 * than they save. Accumulates as a device does, in red_op_accumulator(op, dtype). */
void red_reference_partial(const struct red_op *op, const struct red_dtype *dtype,
                           const void *const arrays[2], uint64_t n, struct red_partial *partial);

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

/* ---- other loops ---- */

/* Scans n elements to `results`, values of red_op_result_dtype, with as many threads. */
void red_reference_scan(const struct red_op *op, const struct red_dtype *dtype, const void *array, uint64_t n,
                        void *results);

/* Counts n elements in so many bins to `counts`, bins_n + 1 values of red_op_result_dtype, the last of those
 * in no bin (model/bins.h), with as many threads: each has counts of its own, which are added up. */
void red_reference_histogram(const struct red_op *op, const struct red_dtype *dtype, unsigned bins_n,
                             const void *array, uint64_t n, void *counts);

/* Makes partial results of the accumulator type their exclusive prefixes, in place: the carries of a scan.
 * Single-threaded, as red_host_fold_partial. Of one it is the operation's identity, with which accumulators
 * start. */
void red_host_scan_partials(const struct red_op *op, const struct red_dtype *dtype, void *partials,
                            uint64_t partials_n);

/* The answers of many reductions: values[i] is of red_op_result_dtype, indices[i] where it stands in its
 * segment (argmin and argmax only, otherwise NULL). */
struct red_answers {
    const struct red_dtype *result;
    uint64_t n;
    const void *values;
    const uint64_t *indices;
    void *room; /* owned: where values are made, and indices behind them; NULL where partial results are
                   answers */
};

/* Makes room for so many answers, of which none is there yet. Release with red_answers_clear. Errors:
 * RED_E_MEMORY. */
enum red_status red_answers_make_room(const struct red_op *op, const struct red_dtype *dtype,
                                      uint64_t answers_n, struct red_answers *answers,
                                      struct red_error *error);
void red_answers_clear(struct red_answers *answers);
struct red_value red_answers_get(const struct red_answers *answers, uint64_t i); /* the i-th */

/* Sets the answers of answers->n segments, of so many elements each, from their partial results, one per
 * segment, which must live as long as the answers are read. `columns`: indices of places are those of a
 * matrix with a column per segment. */
void red_reference_answers_of_partials(const struct red_op *op, const struct red_dtype *dtype,
                                       const void *partials, uint64_t segment_elements_n, bool columns,
                                       struct red_answers *answers);

/* Reduces answers->n segments of so many elements, side by side in the arrays, with all OpenMP threads, to
 * `answers` of red_answers_make_room. */
void red_reference_reduce_segments(const struct red_op *op, const struct red_dtype *dtype,
                                   const void *const arrays[2], uint64_t segment_elements_n,
                                   struct red_answers *answers);

/* The same of segments whose elements are in no array (RED_MADE_IN_KERNEL): a thread computes those of one
 * long segment, for which each call takes memory anew, or of several short ones, 4,096 elements, which stay
 * in its cache, and reduces them, by the loops of the sequential row where it is the only thread. Errors:
 * RED_E_MEMORY. */
enum red_status red_reference_reduce_computed(const struct red_input *input, bool is_alone,
                                              struct red_answers *answers, struct red_error *error);

/* The loops that a C programmer writes, on one thread: the `sequential` row of bench (oracle/sequential.c).
 * Floats are added in the order in which they stand. */
void red_sequential_partial(const struct red_op *op, const struct red_dtype *dtype,
                            const void *const arrays[2], uint64_t n, struct red_partial *partial);
void red_sequential_reduce_segments(const struct red_op *op, const struct red_dtype *dtype,
                                    const void *const arrays[2], uint64_t segment_elements_n,
                                    struct red_answers *answers);
void red_sequential_scan(const struct red_op *op, const struct red_dtype *dtype, const void *array,
                         uint64_t n, void *results);
void red_sequential_histogram(const struct red_op *op, const struct red_dtype *dtype, unsigned bins_n,
                              const void *array, uint64_t n, void *counts);

/* Reads `words_n` 64-bit words with all threads and XORs them: nothing can read an array faster. */
uint64_t red_reference_read_all(const uint64_t *words, uint64_t words_n);

/* Copies so many bytes with all threads: nothing can read an array and write another one faster. */
void red_reference_copy_all(const void *from, uint64_t bytes, void *to);

/* The threads there are: `bench` and `devices` print them of the host. */
unsigned red_reference_threads_n(void);

/* Ends OpenMP's waiting threads, which would otherwise spin against the workers of a CPU device
 * (omp_pause_resource_all, OpenMP 5.0 section 3.2.44). The next parallel region starts new ones. */
void red_reference_stop_spinning(void);

/* The geometry of a row of the host, as the bound needs it: one group with a thread as each item, of
 * contiguous pieces of n elements; of segments (n elements each) whole ones. A row of span one has one
 * thread; NULL: the roof. */
struct red_geometry red_host_geometry(const struct red_strategy *row, uint64_t n, uint64_t segments_n);

#endif
