#include "oracle/bound.h"

#include <math.h>

static double log2_ceil(uint64_t n) {
    double steps = 0;
    for (uint64_t reach = 1; reach < n; reach *= 2)
        steps++;
    return steps;
}

static double item_chain(double lanes, uint64_t k) {
    double straight = k > 1 ? (double)k - 1 : 0;
    return lanes > 1 ? fmin(straight, ceil((double)k / lanes) + 2 * (lanes - 1)) : straight;
}

static double group_chain(enum red_group group, size_t group_size) {
    double serial = (double)group_size - 1;
    const double chains[RED_GROUPS_N] = {
        [RED_STRATEGY_NONE] = 0,          [RED_STRATEGY_TREE] = log2_ceil(group_size),
        [RED_STRATEGY_SERIAL] = serial,   [RED_STRATEGY_SUB_GROUP] = serial,
        [RED_STRATEGY_BUILT_IN] = serial,
    };
    return chains[group];
}

static double finish_chain(const struct red_strategy *strategy, const struct red_dtype *dtype,
                           const struct red_op *op, const struct red_geometry *geometry, uint64_t n) {
    double groups_n = (double)geometry->groups_n, passes = 0;
    double items_n = groups_n * (double)geometry->group_size;
    uint64_t taken_n = geometry->group_size * geometry->lanes;
    for (uint64_t left = geometry->groups_n; left > 1 && taken_n > 1;
         left = left / taken_n + (left % taken_n != 0))
        passes++;
    const double by_host = ldexp(groups_n - 1, (int)red_op_accumulator(op, dtype)->digits - 53);
    const double chains[] = {
        [RED_CHAIN_NONE] = 0,
        [RED_CHAIN_HOST] = by_host,
        [RED_CHAIN_GROUPS] = groups_n - 1,
        [RED_CHAIN_PASSES] =
            passes * (group_chain(strategy->group, geometry->group_size) + geometry->lanes - 1),
        [RED_CHAIN_ATOMIC] = strategy->group == RED_STRATEGY_NONE ? fmin((double)n, items_n) : groups_n,
    };
    return red_strategy_is_segmented(strategy) ? 0 : chains[red_finish_rows[strategy->finish].chain];
}

double red_bound_chain(const struct red_strategy *strategy, const struct red_dtype *dtype,
                       const struct red_op *op, const struct red_geometry *geometry, uint64_t n) {
    double around = (op->term != RED_TERM_ELEMENT ? 1 : 0) + (op->role == RED_ROLE_MEAN ? 1 : 0);
    return around + item_chain(geometry->lanes, geometry->item_n) +
           group_chain(strategy->group, geometry->group_size) +
           finish_chain(strategy, dtype, op, geometry, n);
}

double red_bound(double chain, unsigned digits, double absolute, double exact) {
    double u = ldexp(1, -(int)digits), hu = chain * u;
    if (hu >= 1)
        return INFINITY;
    double sum_error = hu / (1 - hu) * absolute;
    return sum_error + u * (exact + sum_error);
}
