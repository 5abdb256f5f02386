#include "verify/special.h"

#include <math.h>

const char *const red_judgement_names[RED_JUDGEMENTS_N] = {
    [RED_AS_EXACT] = "exact", [RED_DEVIATES] = "deviates", [RED_IS_WRONG] = "wrong"};

static const char not_in_manifest[] = "its manifest does not promise it";
static const char own_extremes[] = "OpenCL does not say what the driver's built-in does with it";
static const char lost_infinities[] =
    "the driver's built-in starts with a finite value, as clreduce devices shows";
static const char no_denormals[] = "the driver claims no CL_FP_DENORM";

static const int promises[RED_PATTERNS_N] = {[RED_PATTERN_NAN] = RED_PROMISE_NAN,
                                             [RED_PATTERN_INFINITY] = RED_PROMISE_INFINITY,
                                             [RED_PATTERN_INFINITIES] = RED_PROMISE_INFINITY,
                                             [RED_PATTERN_NEGATIVE_ZEROS] = RED_PROMISE_ZERO,
                                             [RED_PATTERN_ZEROS] = RED_PROMISE_ZERO,
                                             [RED_PATTERN_DENORMALS] = RED_PROMISE_DENORMAL};

const char *red_special_name(enum red_pattern pattern) {
    return red_pattern_is_special(pattern) ? red_promise_names[promises[pattern]] : NULL;
}

static bool keeps_denormals(const struct red_op *op, const struct red_dtype *dtype,
                            const struct red_device_info *info) {
    return op->role == RED_ROLE_PLACE || dtype->digits <= 11 ||
           (red_op_accumulator(op, dtype)->digits > 24 ? info->denormals_f64 : info->denormals_f32);
}

const char *red_special_unpromised(const struct red_strategy *strategy, const struct red_op *op,
                                   const struct red_dtype *dtype, enum red_pattern pattern,
                                   const struct red_device_info *info,
                                   const struct red_capabilities *capabilities) {
    if (!red_pattern_is_special(pattern))
        return NULL;
    if (!(strategy->promises >> promises[pattern] & 1))
        return not_in_manifest;
    if (pattern == RED_PATTERN_NAN && red_strategy_has_own_extremes(strategy, op, dtype))
        return own_extremes;
    if (promises[pattern] == RED_PROMISE_INFINITY &&
        red_capabilities_lose_infinities(capabilities, strategy, dtype, op))
        return lost_infinities;
    return pattern == RED_PATTERN_DENORMALS && !keeps_denormals(op, dtype, info) ? no_denormals : NULL;
}

/* What came of a sum instead. */
static const char *lost_of_sum(enum red_pattern pattern, double exact, double got) {
    if (pattern == RED_PATTERN_NAN)
        return "the NaN is lost";
    if (isnan(exact))
        return isinf(got) ? "one infinity is lost" : "the infinities are lost";
    if (isinf(exact))
        return isnan(got) ? "the infinity became a NaN" : "the infinity is lost";
    return "another number";
}

/* Whether denormals were taken as 0. Of a sum that is allowed to, some may have been added before they were.
 */
static bool is_flushed(const struct red_special *special, const struct red_truth *truth, double exact,
                       double got) {
    return special->pattern == RED_PATTERN_DENORMALS && truth->op->role != RED_ROLE_PLACE &&
           truth->dtype->digits > 11 &&
           (got == 0 || (special->unpromised && truth->op->wants == RED_WANTS_ALL && got > 0 && got < exact));
}

enum red_judgement red_special_judge(const struct red_special *special, const struct red_truth *truth,
                                     const struct red_value *got, const char **words) {
    const struct red_dtype *result = red_op_result(truth->op, truth->dtype);
    const struct red_value right = red_truth_value(truth);
    double exact = result->get_real(&right, 0), value = result->get_real(got, 0);
    bool same = exact == value || (isnan(exact) && isnan(value));
    *words = "";
    if (same && right.index == got->index)
        return RED_AS_EXACT;
    bool flushed = is_flushed(special, truth, exact, value);
    if (same)
        *words = "at another place";
    else if (flushed)
        *words = special->unpromised == no_denormals ? "count as 0: the driver claims no CL_FP_DENORM"
                 : special->unpromised               ? "count as 0"
                                                     : "count as 0, though the driver claims CL_FP_DENORM";
    else if (truth->op->wants == RED_WANTS_ALL)
        *words = lost_of_sum(special->pattern, exact, value);
    else if (special->unpromised == own_extremes)
        *words = "the driver's built-in does not pass over it";
    else
        *words = isnan(value) ? "a NaN" : "another value";
    /* A driver that keeps no denormals takes them for 0, and for nothing else. */
    return special->unpromised && (flushed || special->unpromised != no_denormals) ? RED_DEVIATES
                                                                                   : RED_IS_WRONG;
}
