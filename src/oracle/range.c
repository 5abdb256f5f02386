#include "oracle/range.h"

#include <float.h>
#include <math.h>

/* The ends are rounded a few times on their way: by so many units in the last place they are moved inwards.
 */
static const double SLACK = 8 * DBL_EPSILON;

static void interval_find(struct red_range *range, double bound) {
    const struct red_truth *truth = range->truth;
    double exact = red_exact_value(&truth->real);
    if (truth->op->role == RED_ROLE_MEAN)
        exact /= (double)truth->n;
    if (!isfinite(exact))
        return;
    double slack = SLACK * (fabs(exact) + bound);
    range->low = isfinite(bound) ? exact - bound + slack : -DBL_MAX;
    range->high = isfinite(bound) ? exact + bound - slack : DBL_MAX;
}

void red_range_make(const struct red_truth *truth, double chain, struct red_range *range) {
    *range = (struct red_range){.truth = truth,
                                .chain = chain,
                                .result = red_op_result(truth->op, truth->dtype),
                                .known = red_truth_value(truth),
                                .low = 1,
                                .high = 0};
    struct red_verdict verdict = red_truth_check(truth, chain, range->known);
    if (!verdict.right)
        range->known.index = UINT64_MAX; /* which no answer has */
    if (truth->dtype->is_float && !truth->exact_tier)
        interval_find(range, verdict.bound);
}

bool red_range_look(struct red_range *range, struct red_value value) {
    if (range->low <= range->high) {
        double real = range->result->get_real(&value, 0);
        if (range->low <= real && real <= range->high) {
            range->known = value;
            return true;
        }
    }
    bool is_right = red_truth_check(range->truth, range->chain, value).right;
    if (is_right)
        range->known = value;
    return is_right;
}
