/* What emit writes of histograms alone: fills the blanks of histogram_test.c.in, and of host.h.in and
 * steps.c.in what depends on the bins. */
#include <inttypes.h>
#include <stdint.h>

#include "core/numbers.h"
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

static enum red_status make_kernel(const struct red_emission *emission, const struct red_build_spec *build,
                                   struct red_blanks *blanks, char **kernel, struct red_error *error) {
    const struct red_bins bins = red_bins_make(emission->dtype, emission->bins_n);
    red_blanks_set_flag(blanks, "HISTOGRAM", true);
    red_blanks_set(blanks, "BINS", "%u", bins.n);
    red_blanks_set(blanks, "N_WORDS", ", n_max at most");
    red_blanks_set(blanks, "SAME_WORDS", "counts would take the place of elements");
    red_blanks_set(blanks, "LIBM", "%s", emission->dtype->is_float ? " m" : "");
    const struct red_geometry any = {.groups_n = 1};
    const size_t state_bytes = red_geometry_state_bytes(emission->strategy, &any, 0, bins.n);
    red_blanks_set(blanks, "HISTOGRAM_STATE", "%zu", state_bytes > 0 ? state_bytes : sizeof(uint32_t));
    red_blanks_set_flag(blanks, "FLOATS", emission->dtype->is_float);
    red_blanks_set_flag(blanks, "NARROW", red_op_result_dtype(emission->op, emission->dtype)->bits == 32);
    set_range_blanks(blanks, &bins);
    return red_emit_steps(emission, build, blanks, kernel, error);
}

/* ---- launches --------------------------------------------------------------------------------------------
 * As cl/finish_histogram.c has them. */

static const struct red_step steps[] = {
    {RED_STRATEGY_ZEROED_COUNTS, 0, false, "count_bins", "All of `out` is 0 before."},
    {RED_STRATEGY_JOINED_COPIES, 0, false, "count_in_copies",
     "First: counts in `copies`, of each group or item by itself."},
    {RED_STRATEGY_JOINED_COPIES, 1, false, "join_copies", ""},
    {RED_STRATEGY_ONE_LAUNCH_COUNTS, 0, false, "count_bins", ""},
    {.what = NULL}};

static const struct red_part_words parts = {.name = "copies",
                                            .argument = "COPIES",
                                            .words = "all counts, of each work-group or work-item",
                                            .alone = "is_joining",
                                            .alone_words = "work-items share the counts, over the copies",
                                            .alone_groups =
                                                "COUNTS_N / (GROUP_SIZE > 64 ? GROUP_SIZE : 64) + 1",
                                            .bytes = "COUNTS_N * ",
                                            .state_bytes = "STATE_BYTES",
                                            .state_words = ", and the state is zero"};

/* Beside the counts, so many copies of them. */
static void list_counts_and_copies(const struct red_reproduction *r, struct red_launch_list *list,
                                   uint64_t copies_n) {
    const uint64_t counts_n = (uint64_t)r->input->bins_n + 1, sizes[] = {r->n, copies_n},
                   groups_of_counts = red_geometry_joining_groups_n(r->geometry.group_size, counts_n);
    list->values_n[1] = copies_n * counts_n;
    red_launches_add_steps(r, list, counts_n, sizes, &r->geometry.groups_n, &groups_of_counts);
}

/* Of joined copies so many as groups, or items, leave. */
static void list_histogram(const struct red_reproduction *r, struct red_launch_list *list) {
    list_counts_and_copies(r, list,
                           r->strategy->finish == RED_STRATEGY_JOINED_COPIES ? red_launches_parts_n(r) : 1);
    list->zeroes = r->strategy->finish == RED_STRATEGY_ZEROED_COUNTS;
}

/* ---- the right answer of `reproduce` ------------------------------------------------------------------- */

/* Sets the bin of an element as model/bins.h has it. */
static void set_bin(struct red_blanks *blanks, const struct red_bins *bins) {
    red_blanks_set(blanks, "BINS", "%u", bins->n);
    if (bins->dtype->is_float) {
        red_blanks_set(blanks, "DISTANCE", "const float distance = x[0][i] - %.1ff;",
                       (double)bins->real_lower);
        red_blanks_set(blanks, "INSIDE", "x[0][i] >= %.1ff && x[0][i] < %.1ff", (double)bins->real_lower,
                       (double)bins->real_upper);
        red_blanks_set(blanks, "BIN", "(uint32_t)(distance * %.1ff)", (double)bins->real_scale);
        return;
    }
    red_blanks_set(blanks, "DISTANCE", "const uint32_t distance = (uint32_t)x[0][i] - UINT32_C(%" PRIu32 ");",
                   bins->lower);
    red_blanks_set(blanks, "INSIDE", "distance < UINT32_C(%" PRIu32 ")", bins->range);
    red_blanks_set(blanks, "BIN", "distance / UINT32_C(%" PRIu32 ")", bins->width);
}

/* Sets how counts are made; they are exact whatever the data. */
static void set_histogram_answer(struct red_blanks *blanks, const struct red_reproduction *r) {
    const struct red_bins bins = red_bins_make(r->input->dtype, r->input->bins_n);
    red_blanks_set_result_types(blanks, r);
    red_blanks_set_flag(blanks, "COUNTS", true);
    set_bin(blanks, &bins);
    red_blanks_set(blanks, "PLACE_WORDS", "in bin");
    red_blanks_set(blanks, "OF_BINS", ", %u bins", bins.n);
}

const struct red_emit_hooks red_emit_of_histogram = {.source = red_emit_steps_c,
                                                     .test = red_emit_histogram_test_c,
                                                     .make_kernel = make_kernel,
                                                     .steps = steps,
                                                     .parts = &parts,
                                                     .list = list_histogram,
                                                     .set_answer = set_histogram_answer,
                                                     .has_no_lines = true};
