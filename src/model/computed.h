/* Elements that a kernel computes from their index and a seed: of --shape computed, where no array holds
 * them, and of --shape changed, where a launch stores them before each reduction. Host and device have the
 * same bits: an integer hash, of which some bits are an integer that is converted and scaled without
 * rounding. */
#ifndef CLREDUCE_MODEL_COMPUTED_H
#define CLREDUCE_MODEL_COMPUTED_H

#include "model/input.h"

/* Of one segment or array: with so many, weights of the exact tier still have exact sums in 24 bits. */
enum { RED_COMPUTED_N_MAX = 1 << 24 };

/* Of pattern weights: integers of both signs (unsigned types: none below 0), of so many bits, at most 7, that
 * every partial sum of terms is exact. Of any other floats on [0, 1) with 24 bits (f16: 11), integers of up
 * to 24 bits. Other seeds make other elements. */
struct red_element_form red_element_form_find(const struct red_op *op, const struct red_dtype *dtype,
                                              struct red_data_kind data_kind, uint64_t n, uint64_t seed);

/* Refuses, as RED_E_UNSUPPORTED, operations that give places: they compare bits in memory. */
enum red_status red_elements_check_op(const struct red_op *op, struct red_error *error);

/* Writes the elements `first` to before `first + n` of an array (0, 1) to `to`, on this thread. */
void red_elements_compute(const struct red_dtype *dtype, const struct red_element_form *form, unsigned array,
                          uint64_t first, uint64_t n, void *to);

/* The same of whole arrays, with all threads of OpenMP if there are many. */
void red_elements_compute_all(const struct red_input *input, void *const arrays[2]);

#endif
