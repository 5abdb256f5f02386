/* What the loops of a histogram share: for the plain ones of oracle/sequential.c and those of
 * oracle/reference.c. */
#ifndef CLREDUCE_ORACLE_COUNTS_PRIVATE_H
#define CLREDUCE_ORACLE_COUNTS_PRIVATE_H

#include "model/bins.h"
#include "oracle/ranges_private.h"

/* The bin of an element x, by its kind and bits, with `bins`: below 32 bits a value is its bin. */
#define RED_BIN_OF_RED_UNSIGNED(bits, x)                                                                     \
    (bits == 32 ? red_bin_of_integer(bins, (uint32_t)(x)) : (uint32_t)(x) < bins.n ? (uint32_t)(x) : bins.n)
#define RED_BIN_OF_RED_SIGNED         RED_BIN_OF_RED_UNSIGNED
#define RED_BIN_OF_RED_FLOAT(bits, x) red_bin_of_real(bins, (float)(x))

/* With RED_COUNT_RANGE of a type and counters of so many bits, which makes count_NAME_BITS: both functions of
 * each type, and a table of them in the order of red_dtypes, for count and count64. */
#define RED_COUNT_RANGES(name, c_type, cl, kind, bits, ...)                                                  \
    RED_COUNT_RANGE(name, c_type, kind, bits, 32)                                                            \
    RED_COUNT_RANGE(name, c_type, kind, bits, 64)
#define RED_COUNT_ENTRY(name, ...) {count_##name##_32, count_##name##_64},

#endif
