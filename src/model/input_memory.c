#define _DEFAULT_SOURCE /* madvise, posix_memalign */
/* Allocates, copies and moves data sets, and lists the data kinds with which an operation on a type is
 * verified. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "model/case.h"
#include "model/computed.h"
#include "model/input.h"
#include "model/primitive.h"

enum { PAGE_BYTES = 4096, HUGE_PAGE_BYTES = 1 << 21, HUGE_BYTES_MIN = 1 << 22 };

/* False if there is no memory; what has been allocated by then is left to red_input_clear. Huge pages serve
 * host and CPU device alike; that they cannot be had is no error. */
static bool allocate_arrays(struct red_input *input) {
    size_t alignment = input->array_bytes < HUGE_BYTES_MIN ? PAGE_BYTES : HUGE_PAGE_BYTES;
    for (unsigned array = 0; array < input->arrays_n; array++) {
        if (input->array_bytes == 0 ||
            posix_memalign(&input->arrays[array], alignment, input->array_bytes) != 0) {
            input->arrays[array] = NULL;
            return false;
        }
        if (input->array_bytes >= HUGE_BYTES_MIN)
            (void)madvise(input->arrays[array], input->array_bytes, MADV_HUGEPAGE);
    }
    return true;
}

/* For the re-layout of a duel: question `move` to a worker (worker/server_cases.c). */
void red_input_move(struct red_input *input) {
    struct red_input left = *input;
    left.arrays[0] = left.arrays[1] = NULL;
    if (allocate_arrays(&left))
        for (unsigned array = 0; array < input->arrays_n; array++) {
            void *from = input->arrays[array];
            input->arrays[array] = memcpy(left.arrays[array], from, input->array_bytes);
            left.arrays[array] = from;
        }
    red_input_clear(&left);
}

/* For each data set of a worker (worker/prepared.c): type, operation, n and seed are of the case. */
enum red_status red_input_make(const struct red_data_spec *spec, struct red_input *input,
                               struct red_error *error) {
    const struct red_dtype *dtype = spec->dtype;
    const uint64_t n = spec->n * spec->segments_n;
    struct red_input made = {.dtype = dtype,
                             .op = spec->op,
                             .data_kind = spec->data_kind,
                             .n = n,
                             .segments_n = spec->segments_n,
                             .bins_n = spec->bins_n,
                             .making = spec->making,
                             .whole_n = spec->whole_n,
                             .first = spec->first,
                             .seed = spec->seed};
    made.arrays_n = spec->op->arrays;
    if (spec->making != RED_MADE_BY_PATTERN && !red_op_picks(spec->op) && spec->op->does != RED_ADDS)
        return red_fail(error, RED_E_UNSUPPORTED,
                        "%s has no elements that are made from their index on the device: they are such as "
                        "suit sums and extremes",
                        spec->op->name);
    if (spec->making != RED_MADE_BY_PATTERN)
        made.form = red_element_form_find(spec->op, dtype, spec->data_kind, spec->n, spec->seed);
    if (spec->making == RED_MADE_IN_KERNEL) {
        *input = made;
        return RED_OK;
    }
    made.array_bytes = red_input_array_bytes(dtype, n);
    if (!allocate_arrays(&made)) {
        red_input_clear(&made);
        return red_fail(error, RED_E_MEMORY,
                        "no memory for %u x %" PRIu64 " elements of %s (%.1f GiB); choose a smaller --n",
                        spec->op->arrays, n, dtype->name, ldexp((double)n * (double)dtype->size_bytes, -30));
    }
    red_input_fill(&made);
    made.checksum = red_input_compute_checksum(&made);
    *input = made;
    return RED_OK;
}

/* For data that change: the guards of bench (oracle/change.c) and the last run of a verification
 * (cl/case_check.c). */
enum red_status red_input_copy(const struct red_input *input, struct red_input *copy,
                               struct red_error *error) {
    struct red_input made = *input;
    made.arrays[0] = made.arrays[1] = NULL;
    if (!allocate_arrays(&made)) {
        red_input_clear(&made);
        return red_fail(error, RED_E_MEMORY, "no memory for a copy of %" PRIu64 " elements of %s", input->n,
                        input->dtype->name);
    }
    for (unsigned array = 0; array < input->arrays_n; array++)
        memcpy(made.arrays[array], input->arrays[array], input->array_bytes);
    *copy = made;
    return RED_OK;
}

void red_input_clear(struct red_input *input) {
    for (unsigned array = 0; array < 2; array++)
        free(input->arrays[array]);
    *input = (struct red_input){0};
}

/* ---- data kinds ------------------------------------------------------------------------------------------
 * Which of them an operation on a type is checked with; evidence names them (data=...). model/input.c makes
 * their elements. */

static const struct {
    const char *name;
    bool exact, floats_only;
    unsigned primitives; /* that have it, as bits */
} patterns[RED_PATTERNS_N] = {
#define RED_PATTERN_ROW(id, name, exact, floats_only, primitives)                                            \
    [RED_PATTERN_##id] = {name, exact, floats_only, primitives},
    RED_PATTERNS(RED_PATTERN_ROW)
#undef RED_PATTERN_ROW
};

/* Seen in evidence (data=...), and in the tables of --accuracy and --special. */
const char *red_pattern_name(enum red_pattern pattern) {
    return patterns[pattern].name;
}

/* oracle/truth.c then admits no error: what differs is `wrong`. */
bool red_data_kind_is_exact(struct red_data_kind data_kind, const struct red_op *op,
                            const struct red_dtype *dtype) {
    return !dtype->is_float || red_op_picks(op) || red_primitives[op->primitive].is_exact ||
           patterns[data_kind.pattern].exact;
}

/* Where each pattern of the exact tier belongs: not to all operations and types. verify plans by it, and so
 * does the check of the name in --show-data. */
bool red_pattern_fits(enum red_pattern pattern, const struct red_op *op, const struct red_dtype *dtype) {
    const bool picks = red_op_picks(op), real_sums = op->does == RED_ADDS && dtype->is_float;
    if (!red_op_has_type(op, dtype))
        return false;
    const bool fits[RED_PATTERNS_N] = {
        [RED_PATTERN_WEIGHTS] = true,
        [RED_PATTERN_PART] = !picks && dtype->is_float,
        [RED_PATTERN_GREATEST] = picks ? op->does == RED_PICKS_LEAST : !dtype->is_float,
        [RED_PATTERN_LEAST] =
            picks ? op->does == RED_PICKS_GREATEST : op->does == RED_ADDS && dtype->kind == RED_SIGNED,
        [RED_PATTERN_CLOSE_ABOVE] = picks,
        [RED_PATTERN_CLOSE_BELOW] = picks,
        [RED_PATTERN_SCALED_UP] = op->does == RED_ADDS,
        [RED_PATTERN_SCALED_DOWN] = real_sums,
        [RED_PATTERN_WALK] = real_sums,
        [RED_PATTERN_ISLANDS] = !picks,
        [RED_PATTERN_RISING] = picks,
        [RED_PATTERN_FALLING] = picks,
        [RED_PATTERN_SAW] = picks,
        [RED_PATTERN_EDGES] = true,
        [RED_PATTERN_ONE_BIN] = true,
        [RED_PATTERN_HALF] = true,
        [RED_PATTERN_ZIPF] = true,
        [RED_PATTERN_SORTED] = true,
        [RED_PATTERN_ENDS] = true,
        [RED_PATTERN_PERIOD] = true,
        [RED_PATTERN_UNIFORM] = true,
    };
    return (patterns[pattern].primitives >> op->primitive & 1) != 0 &&
           (fits[pattern] || (real_sums && patterns[pattern].floats_only) ||
            (dtype->is_float && red_pattern_is_special(pattern)));
}

/* verify checks these as far as the manifest promises (verify/special_values.c). */
bool red_pattern_is_special(enum red_pattern pattern) {
    return pattern >= RED_PATTERN_NAN && pattern <= RED_PATTERN_DENORMALS;
}

/* The K of "part 0 of K" in evidence. */
unsigned red_data_kind_parts_n(const struct red_op *op, const struct red_dtype *dtype, uint64_t n) {
    if (!dtype->is_float || op->does != RED_ADDS) /* the accumulator may have no significand */
        return 2;
    uint64_t class_n = UINT64_C(7) << (red_op_accumulator(op, dtype)->digits - 3);
    uint64_t parts = n / class_n + 1;
    return parts < 2 ? 2 : (unsigned)parts;
}

/* By this and the next verify lists its data (verify/covering_plan.c), and --data-sets takes so many of them
 * for bench and duel (run/session.c). */
unsigned red_exact_data_kinds_n(const struct red_op *op, const struct red_dtype *dtype, uint64_t n) {
    unsigned kinds_n = 0;
    for (enum red_pattern pattern = RED_PATTERN_WEIGHTS; pattern < RED_PATTERN_UNIFORM; pattern++)
        if (red_pattern_fits(pattern, op, dtype))
            kinds_n += pattern == RED_PATTERN_PART ? red_data_kind_parts_n(op, dtype, n) : 1;
    return kinds_n;
}

struct red_data_kind red_exact_data_kind(const struct red_op *op, const struct red_dtype *dtype, uint64_t n,
                                         unsigned i) {
    struct red_data_kind data_kind = {RED_PATTERN_WEIGHTS, 0};
    for (; data_kind.pattern < RED_PATTERN_UNIFORM; data_kind.pattern++) {
        unsigned here_n = data_kind.pattern == RED_PATTERN_PART ? red_data_kind_parts_n(op, dtype, n) : 1;
        if (!red_pattern_fits(data_kind.pattern, op, dtype))
            continue;
        data_kind.part = i;
        if (i < here_n)
            return data_kind;
        i -= here_n;
    }
    return (struct red_data_kind){RED_PATTERN_WEIGHTS, 0};
}

/* Seen in evidence, as data=part 0 of 2, and in the head of --show-data. */
void red_data_kind_format(struct red_data_kind data_kind, const struct red_op *op,
                          const struct red_dtype *dtype, uint64_t n, char *text, size_t text_size_bytes) {
    if (data_kind.pattern == RED_PATTERN_PART)
        snprintf(text, text_size_bytes, "part %u of %u", data_kind.part, red_data_kind_parts_n(op, dtype, n));
    else
        snprintf(text, text_size_bytes, "%s", red_pattern_name(data_kind.pattern));
}

/* Seen behind the name: in the line that reproduce prints first, in its README.txt, and in compare --drivers.
 */
const char *red_data_words(const char *name) {
    static const char *const words[RED_PATTERNS_N] = {
        [RED_PATTERN_WEIGHTS] = "random whole numbers",
        [RED_PATTERN_PART] = "ones where a hash of the index says so, else zeros",
        [RED_PATTERN_GREATEST] = "the greatest finite value of the type",
        [RED_PATTERN_LEAST] = "the least finite value of the type",
        [RED_PATTERN_CLOSE_ABOVE] = "one value wins among many near it",
        [RED_PATTERN_CLOSE_BELOW] = "one value below zero wins among many near it",
        [RED_PATTERN_SCALED_UP] = "random words, of floats times a large power of two",
        [RED_PATTERN_SCALED_DOWN] = "random whole numbers times a tiny power of two",
        [RED_PATTERN_WALK] = "differences of random whole numbers",
        [RED_PATTERN_ISLANDS] = "stretches of zeros, of values, and of values that cancel",
        [RED_PATTERN_RISING] = "each element is a new extreme",
        [RED_PATTERN_FALLING] = "the first element is the answer everywhere",
        [RED_PATTERN_SAW] = "stretches, each with a peak above all before",
        [RED_PATTERN_EDGES] = "the first value of each bin, those beside it, and special values",
        [RED_PATTERN_ONE_BIN] = "all elements in one bin",
        [RED_PATTERN_HALF] = "half of the elements in one bin",
        [RED_PATTERN_ZIPF] = "the r-th bin has a share of 1 / r",
        [RED_PATTERN_SORTED] = "bins in ascending order",
        [RED_PATTERN_ENDS] = "the first and the last bin alone",
        [RED_PATTERN_PERIOD] = "the bin is the index modulo 32",
        [RED_PATTERN_UNIFORM] = "random values, all alike",
        [RED_PATTERN_CANCELLING] = "neighbours that nearly cancel",
        [RED_PATTERN_WIDE] = "both signs, and a wide range of exponents",
        [RED_PATTERN_ONES] = "all elements are 1",
        [RED_PATTERN_HUGE] = "random values beside one that is huge",
        [RED_PATTERN_CONDITION_4] = "pairs that cancel, and a few small values",
        [RED_PATTERN_CONDITION_8] = "pairs that cancel, and a few small values",
        [RED_PATTERN_CONDITION_12] = "pairs that cancel, and a few small values",
        [RED_PATTERN_NAN] = "NaNs among numbers",
        [RED_PATTERN_INFINITY] = "an infinity that decides",
        [RED_PATTERN_INFINITIES] = "infinities whose sum is a NaN, or that lose against all others",
        [RED_PATTERN_NEGATIVE_ZEROS] = "negative zeros",
        [RED_PATTERN_ZEROS] = "zeros of both signs",
        [RED_PATTERN_DENORMALS] = "values below the least normal one",
    };
    for (int pattern = 0; pattern < RED_PATTERNS_N; pattern++) {
        const size_t length = strlen(patterns[pattern].name);
        const char next = strncmp(name, patterns[pattern].name, length) == 0 ? name[length] : 'x';
        if (next == '\0' || (next == ' ' && pattern == RED_PATTERN_PART))
            return words[pattern];
    }
    return "";
}

/* Whether the user or a file means this kind. */
static bool data_kind_is_named(const char *name, struct red_data_kind data_kind, const struct red_op *op,
                               const struct red_dtype *dtype, uint64_t n) {
    char text[64];
    red_data_kind_format(data_kind, op, dtype, n, text, sizeof text);
    size_t length = strlen(name);
    return strncmp(text, name, length) == 0 &&
           (text[length] == '\0' || strncmp(text + length, " of ", 4) == 0);
}

/* For --show-data, and for the checks of a file of verify (reproduce). */
bool red_data_kind_find(const char *name, const struct red_op *op, const struct red_dtype *dtype, uint64_t n,
                        struct red_data_kind *data_kind) {
    for (int pattern = 0; pattern < RED_PATTERNS_N; pattern++) {
        const unsigned parts_n = pattern == RED_PATTERN_PART ? red_data_kind_parts_n(op, dtype, n) : 1;
        if (!red_pattern_fits((enum red_pattern)pattern, op, dtype))
            continue;
        for (unsigned part = 0; part < parts_n; part++) {
            *data_kind = (struct red_data_kind){(enum red_pattern)pattern, part};
            if (data_kind_is_named(name, *data_kind, op, dtype, n))
                return true;
        }
    }
    return false;
}
