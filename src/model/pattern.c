/* The kinds of test data and which of them an operation on a type is checked with: what evidence names. Their
 * elements are made in model/input.c. */
#include <stdio.h>

#include "model/input.h"

static const struct {
    const char *name;
    bool exact, floats_only;
} patterns[RED_PATTERNS_N] = {
#define RED_PATTERN_ROW(id, name, exact, floats_only) [RED_PATTERN_##id] = {name, exact, floats_only},
    RED_PATTERNS(RED_PATTERN_ROW)
#undef RED_PATTERN_ROW
};

const char *red_pattern_name(enum red_pattern pattern) {
    return patterns[pattern].name;
}

bool red_probe_is_exact(struct red_probe probe, const struct red_op *op, const struct red_dtype *dtype) {
    return !dtype->is_float || op->wants != RED_WANTS_ALL || patterns[probe.pattern].exact;
}

/* Where each pattern of the exact tier belongs: not to all operations and types. */
bool red_pattern_fits(enum red_pattern pattern, const struct red_op *op, const struct red_dtype *dtype) {
    const bool sums = op->wants == RED_WANTS_ALL, real_sums = sums && dtype->is_float;
    const bool fits[RED_PATTERNS_N] = {
        [RED_PATTERN_WEIGHTS] = true,
        [RED_PATTERN_PART] = real_sums,
        [RED_PATTERN_GREATEST] = sums ? !dtype->is_float : op->wants == RED_WANTS_LEAST,
        [RED_PATTERN_LEAST] = sums ? dtype->kind == RED_SIGNED : op->wants == RED_WANTS_GREATEST,
        [RED_PATTERN_CLOSE_ABOVE] = !sums,
        [RED_PATTERN_CLOSE_BELOW] = !sums,
        [RED_PATTERN_SCALED_UP] = sums,
        [RED_PATTERN_SCALED_DOWN] = real_sums,
        [RED_PATTERN_UNIFORM] = true,
    };
    return fits[pattern] || (real_sums && patterns[pattern].floats_only) ||
           (dtype->is_float && red_pattern_is_special(pattern));
}

bool red_pattern_is_special(enum red_pattern pattern) {
    return pattern >= RED_PATTERN_NAN && pattern <= RED_PATTERN_DENORMALS;
}

unsigned red_probe_parts(const struct red_op *op, const struct red_dtype *dtype, uint64_t n) {
    if (!dtype->is_float || op->wants != RED_WANTS_ALL) /* the accumulator may have no significand */
        return 2;
    uint64_t class_n = UINT64_C(7) << (red_op_accumulator(op, dtype)->digits - 3);
    uint64_t parts = n / class_n + 1;
    return parts < 2 ? 2 : (unsigned)parts;
}

unsigned red_key_probes_n(const struct red_op *op, const struct red_dtype *dtype, uint64_t n) {
    unsigned keys_n = 0;
    for (enum red_pattern pattern = RED_PATTERN_WEIGHTS; pattern < RED_PATTERN_UNIFORM; pattern++)
        if (red_pattern_fits(pattern, op, dtype))
            keys_n += pattern == RED_PATTERN_PART ? red_probe_parts(op, dtype, n) : 1;
    return keys_n;
}

struct red_probe red_key_probe(const struct red_op *op, const struct red_dtype *dtype, uint64_t n,
                               unsigned i) {
    struct red_probe probe = {RED_PATTERN_WEIGHTS, 0};
    for (; probe.pattern < RED_PATTERN_UNIFORM; probe.pattern++) {
        unsigned here_n = probe.pattern == RED_PATTERN_PART ? red_probe_parts(op, dtype, n) : 1;
        if (!red_pattern_fits(probe.pattern, op, dtype))
            continue;
        probe.part = i;
        if (i < here_n)
            return probe;
        i -= here_n;
    }
    return (struct red_probe){RED_PATTERN_WEIGHTS, 0};
}

void red_probe_print(struct red_probe probe, const struct red_op *op, const struct red_dtype *dtype,
                     uint64_t n, char *text, size_t text_size_bytes) {
    if (probe.pattern == RED_PATTERN_PART)
        snprintf(text, text_size_bytes, "part %u of %u", probe.part, red_probe_parts(op, dtype, n));
    else
        snprintf(text, text_size_bytes, "%s", red_pattern_name(probe.pattern));
}
