/* The values of a type in their order, so that data can be made of neighbours whatever the type: rank 0 is
 * the least finite value, each further rank the next one that the type has. */
#ifndef CLREDUCE_MODEL_RANK_H
#define CLREDUCE_MODEL_RANK_H

#include "model/dtype.h"

/* The rank of the greatest finite value. */
uint64_t red_rank_max(const struct red_dtype *dtype);

/* The least rank whose word begins with another bit than that of rank 0: of signed integers and floats that
 * of 0, of unsigned ones that of 2^(bits - 1). */
uint64_t red_rank_middle(const struct red_dtype *dtype);

/* The value of a rank; of floats, and of integers (as put_integer takes it). */
double red_rank_real(const struct red_dtype *dtype, uint64_t rank);
uint64_t red_rank_integer(const struct red_dtype *dtype, uint64_t rank);

/* The rank of element i of an array, which must be finite, and an element of that rank. */
uint64_t red_rank_of(const struct red_dtype *dtype, const void *array, uint64_t i);
void red_rank_put(const struct red_dtype *dtype, void *array, uint64_t i, uint64_t rank);

#endif
