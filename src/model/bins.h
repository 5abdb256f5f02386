/* The bins of a histogram: even ranges of the values of a type, by --bins. Host and kernels (lib/bins.cl)
 * compute an element's bin from the same numbers, to the bit. */
#ifndef CLREDUCE_MODEL_BINS_H
#define CLREDUCE_MODEL_BINS_H

#include <stdint.h>
#include <stdio.h>

#include "core/status.h"
#include "model/strategy.h"
#include "model/types.h"

enum { RED_BINS_MAX = 1 << 16 };

/* Bins of one type. u8, u16: value v has bin v. Other integers: bin = (x - lower) / width, modulo 2^32,
 * where x - lower < range. f32: bin = (uint)((x - lower) * scale), at most the last, where
 * lower <= x < upper; both operations round to nearest (OpenCL C 3.0, section 7.4). */
struct red_bins {
    const struct red_dtype *dtype;
    unsigned n;
    unsigned reached_n; /* in which the type has values: fewer where it is u8 or u16 and n is large */
    uint32_t lower, width, range; /* of integers; of u32 and i32 width is 2^31 / n, rounded down */
    uint64_t reciprocal;          /* distance * reciprocal >> shift is distance / width below range, and */
    unsigned shift;               /* n or more from there on */
    float real_lower, real_upper, real_scale;
    double real_width; /* of a bin, rounded: for values in its middle */
};

/* The bins of a type that histograms have, bins_n of them, from 1 to RED_BINS_MAX. */
struct red_bins red_bins_make(const struct red_dtype *dtype, unsigned bins_n);

/* The bin of a value; bins->n where it is out of range, as a NaN is. Of a type narrower than 32 bits the
 * value is extended. For loops over an array of one type: `bins` by value, so that stores cannot change it;
 * without branches, which are foreseen wrongly where one element in 16 is out of range: 2^20 uniform u16 took
 * 0.73 ns an element with one, and 0.26 ns without (gcc 12, AMD EPYC). */
static inline unsigned red_bin_of_integer(struct red_bins bins, uint32_t value) {
    const uint32_t distance = value - bins.lower;
    const unsigned bin = (unsigned)(distance * bins.reciprocal >> bins.shift);
    return bin < bins.n ? bin : bins.n;
}
static inline unsigned red_bin_of_real(struct red_bins bins, float value) {
    const bool inside = (value >= bins.real_lower) & (value < bins.real_upper);
    const float distance = inside ? value - bins.real_lower : 0; /* two roundings, in this order */
    const unsigned bin = (unsigned)(int)(distance * bins.real_scale), last = bin < bins.n ? bin : bins.n - 1;
    return inside ? last : bins.n;
}

/* The bin of element i of an array of the type; bins->n where it is out of range, as a NaN is. */
unsigned red_bins_find(const struct red_bins *bins, const void *array, uint64_t i);

/* The bins of n elements from `first` on, at most RED_BINS_BLOCK_N: for loops that a compiler can take by
 * vectors. */
enum { RED_BINS_BLOCK_N = 512 };
void red_bins_find_block(const struct red_bins *bins, const void *array, uint64_t first, size_t n,
                         uint32_t *found);

/* Whether the type has values out of range. */
bool red_bins_have_outside(const struct red_bins *bins);

/* A value of a bin that the type reaches, or one out of range (bin bins->n), drawn by 32 random bits; of
 * integers as put_integer takes it. Of floats not one beside an edge; out of range are NaNs and infinities,
 * too. */
uint64_t red_bins_draw_integer(const struct red_bins *bins, unsigned bin, uint32_t random);
double red_bins_draw_real(const struct red_bins *bins, unsigned bin, uint32_t random);

/* Writes the macros from which lib/bins.cl makes RED_BIN: RED_HISTOGRAM, RED_BINS, and the numbers of the
 * type. */
void red_bins_write_macros(FILE *out, const struct red_dtype *dtype, unsigned bins_n);

/* Refuses more bins than the strategy takes. Errors: RED_E_UNSUPPORTED with how many it takes. */
enum red_status red_bins_check(const struct red_strategy *strategy, unsigned bins_n, struct red_error *error);

#endif
