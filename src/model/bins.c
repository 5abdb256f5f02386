/* Finds the bin of an element by its type: for data (model/input_histogram.c), right answers
 * (oracle/results.c), and as macros for kernels (model/catalogue.c). `bins_n` is of --bins. */
#include "model/bins.h"

#include <inttypes.h>
#include <math.h>

/* Division by a number that stays the same, as a multiplication (Granlund and Montgomery 1994, theorem 4.2):
 * of distances below 2^31, with 2^k the least power of two that is no less than the width, k more bits.
 * The product is below 2^64 for any distance, and no less for a greater one. */
static void set_reciprocal(struct red_bins *bins) {
    unsigned bits = 0;
    if (bins->dtype->is_float)
        return;
    while (UINT64_C(1) << bits < bins->width)
        bits++;
    bins->shift = 31 + bits;
    bins->reciprocal = (UINT64_C(1) << bins->shift) / bins->width + 1;
}

/* Of integers of 32 bits the bins lie in the middle half of all values, so that there are values on both
 * sides; a range of 2^31 makes the width of 2^k bins a power of two. */
struct red_bins red_bins_make(const struct red_dtype *dtype, unsigned bins_n) {
    struct red_bins bins = {.dtype = dtype, .n = bins_n, .reached_n = bins_n};
    if (dtype->is_float) {
        bins.real_lower = -1;
        bins.real_upper = 1;
        bins.real_scale = (float)bins_n / 2;
        bins.real_width = 2 / (double)bins_n;
    } else if (dtype->bits < 32) {
        bins.width = 1;
        bins.range = bins_n;
        bins.reached_n = bins_n < 1u << dtype->bits ? bins_n : 1u << dtype->bits;
    } else {
        bins.lower = dtype->kind == RED_SIGNED ? UINT32_C(0) - (UINT32_C(1) << 30) : UINT32_C(1) << 29;
        bins.width = (UINT32_C(1) << 31) / bins_n;
        bins.range = bins.width * bins_n;
    }
    set_reciprocal(&bins);
    return bins;
}

/* For the truth of a changed element, and for data that must lie beside an edge. */
unsigned red_bins_find(const struct red_bins *bins, const void *array, uint64_t i) {
    return bins->dtype->is_float ? red_bin_of_real(*bins, (float)bins->dtype->get_real(array, i))
                                 : red_bin_of_integer(*bins, (uint32_t)bins->dtype->get_integer(array, i));
}

/* For the truth of an array (oracle/results.c). */
void red_bins_find_block(const struct red_bins *bins, const void *array, uint64_t first, size_t n,
                         uint32_t *found) {
    double reals[RED_BINS_BLOCK_N];
    uint64_t integers[RED_BINS_BLOCK_N];
    if (bins->dtype->is_float) {
        bins->dtype->get_reals(array, first, n, reals);
        for (size_t i = 0; i < n; i++)
            found[i] = red_bin_of_real(*bins, (float)reals[i]);
    } else {
        bins->dtype->get_integers(array, first, n, integers);
        for (size_t i = 0; i < n; i++)
            found[i] = red_bin_of_integer(*bins, (uint32_t)integers[i]);
    }
}

/* ---- values of a bin ----------------------------------------------------------------------------------- */

bool red_bins_have_outside(const struct red_bins *bins) {
    return bins->dtype->bits >= 32 || bins->n < 1u << bins->dtype->bits;
}

/* Random bits as a number below `end`. */
static uint64_t random_below(uint64_t end, uint32_t random) {
    return end * random >> 32;
}

/* For data (model/input_histogram.c) and elements that change (oracle/change.c). Behind the range lie the
 * values below it, too, modulo 2^32. */
uint64_t red_bins_draw_integer(const struct red_bins *bins, unsigned bin, uint32_t random) {
    const uint64_t values_n = UINT64_C(1) << bins->dtype->bits;
    if (bin >= bins->n)
        return (uint32_t)(bins->lower + bins->range + random_below(values_n - bins->range, random));
    return bins->lower + bin * bins->width + random_below(bins->width, random);
}

/* The same of floats. A place in a bin is off by less than 2^-6 of it when both operations have rounded:
 * of 2^16 bins by 2^-10 for the value, 2^-9 for the distance and 2^-8 for the product. */
double red_bins_draw_real(const struct red_bins *bins, unsigned bin, uint32_t random) {
    const double fraction = (double)random * 0x1p-32;
    if (bin < bins->n)
        return ((double)bin + 0.0625 + 0.875 * fraction) * bins->real_width + (double)bins->real_lower;
    const double sign = random & 1 ? 1 : -1;
    const unsigned kind = random >> 1 & 15;
    if (kind < 2)
        return copysign(kind == 0 ? (double)NAN : (double)INFINITY, sign);
    return sign * (1.0009765625 + 2 * fraction);
}

/* Seen in `strategies --source` and in what emit writes. */
void red_bins_write_macros(FILE *out, const struct red_dtype *dtype, unsigned bins_n) {
    const struct red_bins bins = red_bins_make(dtype, bins_n);
    fprintf(out, "#define RED_HISTOGRAM 1\n#define RED_BINS %uu\n", bins.n);
    if (dtype->is_float)
        fprintf(out,
                "#define RED_BIN_LOWER %.1ff\n#define RED_BIN_UPPER %.1ff\n#define RED_BIN_SCALE %.1ff\n",
                (double)bins.real_lower, (double)bins.real_upper, (double)bins.real_scale);
    else
        fprintf(out,
                "#define RED_BIN_LOWER %" PRIu32 "u\n#define RED_BIN_WIDTH %" PRIu32
                "u\n#define RED_BIN_RANGE %" PRIu32 "u\n",
                bins.lower, bins.width, bins.range);
}

/* The reason of an `unsupported` cell. */
enum red_status red_bins_check(const struct red_strategy *strategy, unsigned bins_n,
                               struct red_error *error) {
    if (bins_n <= strategy->bins_max)
        return RED_OK;
    return red_fail(error, RED_E_UNSUPPORTED, "%s takes at most %u bins", strategy->name, strategy->bins_max);
}
