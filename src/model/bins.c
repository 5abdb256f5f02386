/* Finds the bin of an element by its type: for data (model/input_histogram.c), right answers
 * (oracle/histogram.c), and as macros for kernels (model/catalogue.c). `bins_n` is of --bins. */
#include "model/bins.h"

#include <inttypes.h>

/* Of integers of 32 bits the bins lie in the middle half of all values, so that there are values on both
 * sides; a range of 2^31 makes the width of 2^k bins a power of two. */
struct red_bins red_bins_make(const struct red_dtype *dtype, unsigned bins_n) {
    struct red_bins bins = {.dtype = dtype, .n = bins_n};
    if (dtype->is_float) {
        bins.real_lower = -1;
        bins.real_upper = 1;
        bins.real_scale = (float)bins_n / 2;
    } else if (dtype->bits < 32) {
        bins.width = 1;
        bins.range = bins_n;
    } else {
        bins.lower = dtype->kind == RED_SIGNED ? UINT32_C(0) - (UINT32_C(1) << 30) : UINT32_C(1) << 29;
        bins.width = (UINT32_C(1) << 31) / bins_n;
        bins.range = bins.width * bins_n;
    }
    return bins;
}

static unsigned bin_of_integer(const struct red_bins *bins, uint32_t value) {
    const uint32_t distance = value - bins->lower;
    return distance < bins->range ? distance / bins->width : bins->n;
}

/* Two roundings, in this order: there is nothing to contract. */
static unsigned bin_of_real(const struct red_bins *bins, float value) {
    if (!(value >= bins->real_lower && value < bins->real_upper))
        return bins->n;
    const float distance = value - bins->real_lower;
    const unsigned bin = (unsigned)(distance * bins->real_scale);
    return bin < bins->n ? bin : bins->n - 1;
}

/* For the truth of a changed element, and for data that must lie beside an edge. */
unsigned red_bins_find(const struct red_bins *bins, const void *array, uint64_t i) {
    return bins->dtype->is_float ? bin_of_real(bins, (float)bins->dtype->get_real(array, i))
                                 : bin_of_integer(bins, (uint32_t)bins->dtype->get_integer(array, i));
}

/* For the truth of an array, and the rows of the host. */
void red_bins_find_block(const struct red_bins *bins, const void *array, uint64_t first, size_t n,
                         uint32_t *found) {
    enum { AT_ONCE = 512 };
    double reals[AT_ONCE];
    uint64_t integers[AT_ONCE];
    for (size_t done = 0; done < n; done += AT_ONCE) {
        const size_t n_now = n - done < AT_ONCE ? n - done : AT_ONCE;
        if (bins->dtype->is_float) {
            bins->dtype->get_reals(array, first + done, n_now, reals);
            for (size_t i = 0; i < n_now; i++)
                found[done + i] = bin_of_real(bins, (float)reals[i]);
        } else {
            bins->dtype->get_integers(array, first + done, n_now, integers);
            for (size_t i = 0; i < n_now; i++)
                found[done + i] = bin_of_integer(bins, (uint32_t)integers[i]);
        }
    }
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
enum red_status red_bins_check(const struct red_strategy *strategy, const struct red_op *op, unsigned bins_n,
                               struct red_error *error) {
    if (op->primitive != RED_PRIMITIVE_HISTOGRAM || bins_n <= strategy->bins_max)
        return RED_OK;
    return red_fail(error, RED_E_UNSUPPORTED, "%s takes at most %u bins", strategy->name, strategy->bins_max);
}
