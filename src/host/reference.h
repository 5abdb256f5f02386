/* The rows of the host, which are judged as strategies are: the OpenMP CPU reference (`openmp`), plain loops
 * (`sequential`), and the read roof of the host. */
#ifndef CLREDUCE_HOST_REFERENCE_H
#define CLREDUCE_HOST_REFERENCE_H

#include "host/fold.h"
#include "model/geometry.h"
#include "model/input.h"

/* Reduces n elements with all OpenMP threads; on one below 2^15 elements, where waking the others costs more
 * than they save. Accumulates as a device does, in red_op_accumulator(op, dtype). */
void red_reference_partial(const struct red_op *op, const struct red_dtype *dtype,
                           const void *const arrays[2], uint64_t n, struct red_partial *partial);

/* Of each primitive that leaves many results both rows: red_reference_NAME, with as many threads, and
 * red_sequential_NAME, by the loop of a C programmer. They make of n elements the results, values of
 * red_op_result_dtype as many as red_results_n says; of a histogram the last one counts what is in none of
 * bins_n bins (model/bins.h). */
typedef void red_results_loop(const struct red_op *op, const struct red_dtype *dtype, unsigned bins_n,
                              const void *array, uint64_t n, void *results);
#define RED_RESULTS_LOOPS(id, name) red_results_loop red_reference_##name, red_sequential_##name;
RED_RESULT_PRIMITIVES(RED_RESULTS_LOOPS)
#undef RED_RESULTS_LOOPS

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

/* The loops that a C programmer writes, on one thread: the `sequential` row of bench (host/sequential.c).
 * Floats are added in the order in which they stand. */
void red_sequential_partial(const struct red_op *op, const struct red_dtype *dtype,
                            const void *const arrays[2], uint64_t n, struct red_partial *partial);
void red_sequential_reduce_segments(const struct red_op *op, const struct red_dtype *dtype,
                                    const void *const arrays[2], uint64_t segment_elements_n,
                                    struct red_answers *answers);

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
