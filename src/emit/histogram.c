/* What emit writes of histograms alone: fills the blanks of histogram_test.c.in, and of host.h.in and
 * steps.c.in what depends on the bins. */
#include <inttypes.h>
#include <stdint.h>

#include "emit/emit_private.h"
#include "model/bins.h"

/* Sets the blanks of where bins begin and end: numbers, and in words for the header. `bins` is of the
 * emission's type and --bins. */
static void set_range_blanks(struct red_blanks *blanks, const struct red_bins *bins) {
    if (bins->dtype->is_float) {
        red_blanks_set(blanks, "LOWER", "%.1ff", (double)bins->real_lower);
        red_blanks_set(blanks, "WIDTH", "%.1f / %u", (double)bins->real_upper - (double)bins->real_lower,
                       bins->n);
        red_blanks_set(blanks, "SCALE", "%.1ff", (double)bins->real_scale);
        red_blanks_set(
            blanks, "BIN_WORDS",
            "what lies from %.0f up to below %.0f and for which (x[i] - %.1ff) * %.1ff, rounded down, is b;\n"
            " * the last bin also what this rounds up to %u. NaNs are in none",
            (double)bins->real_lower, (double)bins->real_upper, (double)bins->real_lower,
            (double)bins->real_scale, bins->n);
        return;
    }
    const int64_t lower = bins->dtype->kind == RED_SIGNED ? (int32_t)bins->lower : (int64_t)bins->lower;
    red_blanks_set(blanks, "LOWER", "%" PRId64, lower);
    red_blanks_set(blanks, "WIDTH", "%" PRIu32, bins->width);
    if (bins->width == 1)
        red_blanks_set(blanks, "BIN_WORDS", "the value b");
    else
        red_blanks_set(blanks, "BIN_WORDS",
                       "the %" PRIu32 " values from %" PRId64 " + %" PRIu32
                       " b on; the last bin ends below %" PRId64,
                       bins->width, lower, bins->width, lower + bins->range);
}

enum red_status red_emit_histogram(const struct red_emission *emission, const struct red_build_spec *build,
                                   struct red_blanks *blanks, char **kernel, struct red_error *error) {
    const struct red_bins bins = red_bins_make(emission->dtype, emission->bins_n);
    red_blanks_set_flag(blanks, "HISTOGRAM", true);
    red_blanks_set(blanks, "BINS", "%u", bins.n);
    red_blanks_set(blanks, "N_WORDS", ", n_max at most");
    red_blanks_set(blanks, "SAME_WORDS", "counts would take the place of elements");
    red_blanks_set(blanks, "LIBM", "%s", emission->dtype->is_float ? " m" : "");
    red_blanks_set_flag(blanks, "FLOATS", emission->dtype->is_float);
    red_blanks_set_flag(blanks, "NARROW", red_op_result_dtype(emission->op, emission->dtype)->bits == 32);
    set_range_blanks(blanks, &bins);
    return red_emit_steps(emission, build, blanks, kernel, error);
}
