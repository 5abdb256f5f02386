/* The bins of a histogram: even ranges of the values of a type, by --bins. Host and kernels (lib/bins.cl)
 * compute an element's bin from the same numbers, to the bit. */
#ifndef CLREDUCE_MODEL_BINS_H
#define CLREDUCE_MODEL_BINS_H

#include <stdint.h>
#include <stdio.h>

#include "core/status.h"
#include "model/strategy.h"
#include "model/types.h"

enum { RED_BINS_DEFAULT = 256, RED_BINS_MAX = 1 << 16 };

/* Bins of one type. u8, u16: value v has bin v. Other integers: bin = (x - lower) / width, modulo 2^32,
 * where x - lower < range. f32: bin = (uint)((x - lower) * scale), at most the last, where
 * lower <= x < upper; both operations round to nearest (OpenCL C 3.0, section 7.4). */
struct red_bins {
    const struct red_dtype *dtype;
    unsigned n;
    uint32_t lower, width, range; /* of integers; of u32 and i32 width is 2^31 / n, rounded down */
    float real_lower, real_upper, real_scale;
};

/* The bins of a type that histograms have, bins_n of them, from 1 to RED_BINS_MAX. */
struct red_bins red_bins_make(const struct red_dtype *dtype, unsigned bins_n);

/* The bin of element i of an array of the type; bins->n where it is out of range, as a NaN is. */
unsigned red_bins_find(const struct red_bins *bins, const void *array, uint64_t i);

/* The bins of n elements from `first` on: for loops that a compiler can take by vectors. */
void red_bins_find_block(const struct red_bins *bins, const void *array, uint64_t first, size_t n,
                         uint32_t *found);

/* Writes the macros from which lib/bins.cl makes RED_BIN: RED_HISTOGRAM, RED_BINS, and the numbers of the
 * type. */
void red_bins_write_macros(FILE *out, const struct red_dtype *dtype, unsigned bins_n);

/* Refuses more bins than the strategy takes; another operation has none, and passes. Errors:
 * RED_E_UNSUPPORTED with how many it takes. */
enum red_status red_bins_check(const struct red_strategy *strategy, const struct red_op *op, unsigned bins_n,
                               struct red_error *error);

#endif
