#include "bench/special.h"

#include <math.h>

const char *const red_judgement_names[RED_JUDGEMENTS_N] = {
    [RED_AS_EXACT] = "exact", [RED_DEVIATES] = "deviates", [RED_IS_WRONG] = "wrong"};

static enum red_judgement says(enum red_judgement judgement, const char *text, const char **words) {
    *words = text;
    return judgement;
}

static enum red_judgement judge_sum(enum red_pattern pattern, double exact, double got, const char **words) {
    if (isnan(exact) && pattern == RED_PATTERN_NAN)
        return says(RED_IS_WRONG, "the NaN is lost", words);
    if (isnan(exact))
        return says(RED_IS_WRONG, isinf(got) ? "one infinity is lost" : "the infinities are lost", words);
    if (isinf(exact) && isnan(got))
        return says(RED_DEVIATES, "the infinity became a NaN", words);
    if (isinf(exact))
        return says(RED_IS_WRONG, "the infinity is lost", words);
    return says(RED_IS_WRONG, "another number", words);
}

/* Whether denormals were taken as 0. Of a sum that is allowed to, some may have been added before they were.
 */
static bool is_flushed(const struct red_truth *truth, bool allowed, double exact, double got) {
    return got == 0 || (allowed && truth->op->wants == RED_WANTS_ALL && got > 0 && got < exact);
}

enum red_judgement red_special_judge(const struct red_special *special, const struct red_truth *truth,
                                     const struct red_value *got, const char **words) {
    const struct red_dtype *result = red_op_result(truth->op, truth->dtype);
    const struct red_value right = red_truth_value(truth);
    double exact = result->get_real(&right, 0), value = result->get_real(got, 0);
    bool same = exact == value || (isnan(exact) && isnan(value));
    bool is_place = truth->op->role == RED_ROLE_PLACE;
    if (same && right.index == got->index)
        return says(RED_AS_EXACT, "", words);
    if (same)
        return says(RED_IS_WRONG, "at another place", words);
    if (special->pattern == RED_PATTERN_DENORMALS && !is_place && truth->dtype->digits > 11 &&
        is_flushed(truth, !special->keeps_denormals, exact, value))
        return special->keeps_denormals
                   ? says(RED_IS_WRONG, "count as 0, though the driver claims CL_FP_DENORM", words)
                   : says(RED_DEVIATES, "count as 0: the driver claims no CL_FP_DENORM", words);
    if (truth->op->wants == RED_WANTS_ALL)
        return judge_sum(special->pattern, exact, value, words);
    if (special->pattern == RED_PATTERN_NAN && special->own_extremes && !is_place)
        return says(RED_DEVIATES, "the driver's built-in does not pass over it", words);
    return says(RED_IS_WRONG, isnan(value) ? "a NaN" : "another value", words);
}
