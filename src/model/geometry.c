#include "model/geometry.h"

static uint64_t ceil_div(uint64_t a, uint64_t b) {
    return a / b + (a % b != 0);
}

static uint64_t clamp(uint64_t value, uint64_t low, uint64_t high) {
    return value < low ? low : value > high ? high : value;
}

size_t red_geometry_default_group_size(const struct red_strategy *strategy,
                                       const struct red_shape_limits *limits) {
    bool single =
        strategy->span == RED_STRATEGY_ONE || (strategy->span == RED_STRATEGY_CHUNK && limits->is_cpu);
    uint64_t usual = red_strategy_is_segmented(strategy) ? 64 : 256;
    return single ? 1 : (size_t)clamp(usual, 1, limits->group_size_max);
}

static uint64_t smaller(uint64_t a, uint64_t b) {
    return a < b ? a : b;
}

static struct red_geometry one(const struct red_strategy *strategy, const struct red_shape_limits *limits,
                               size_t group_size, uint64_t n) {
    (void)strategy, (void)limits;
    return (struct red_geometry){.group_size = group_size, .groups_n = 1, .item_n = n};
}

static struct red_geometry each(const struct red_strategy *strategy, const struct red_shape_limits *limits,
                                size_t group_size, uint64_t n) {
    (void)limits;
    uint64_t taken_n = group_size * (uint64_t)strategy->lanes;
    return (struct red_geometry){.group_size = group_size,
                                 .groups_n = n ? ceil_div(n, taken_n) : 1,
                                 .item_n = smaller(n, strategy->lanes)};
}

static struct red_geometry stride(const struct red_strategy *strategy, const struct red_shape_limits *limits,
                                  size_t group_size, uint64_t n) {
    uint64_t busy = (uint64_t)limits->compute_units * (limits->is_cpu ? 4 : 16);
    uint64_t groups_n = clamp(ceil_div(n, 4 * (uint64_t)group_size), 1, busy);
    uint64_t items_n = groups_n * group_size, lanes = strategy->lanes;
    /* Items take whole vectors, and single elements of what is left behind the last one. */
    uint64_t tail_n = n % lanes ? ceil_div(lanes - 1, items_n) : 0;
    return (struct red_geometry){.group_size = group_size,
                                 .groups_n = groups_n,
                                 .item_n = smaller(n, lanes * ceil_div(n, lanes * items_n) + tail_n)};
}

/* Pieces are whole blocks of 64 elements (kernels_cl12/chunk.cl), or of `lanes` where a kernel has more. */
static struct red_geometry chunk(const struct red_strategy *strategy, const struct red_shape_limits *limits,
                                 size_t group_size, uint64_t n) {
    uint64_t busy = (uint64_t)limits->compute_units * 4;
    uint64_t groups_n = clamp(ceil_div(n, (uint64_t)group_size << 13), 1, busy);
    uint64_t block_n = strategy->lanes < 64 ? 64 : strategy->lanes;
    uint64_t blocks_n = ceil_div(ceil_div(n, block_n), groups_n * group_size);
    return (struct red_geometry){
        .group_size = group_size, .groups_n = groups_n, .item_n = smaller(n, block_n * blocks_n)};
}

/* How many sub-groups there are in a group only the device knows: they take turns. */
static struct red_geometry segments(const struct red_strategy *strategy, size_t group_size, uint64_t n,
                                    uint64_t segments_n) {
    uint64_t per_group = strategy->group == RED_STRATEGY_NONE        ? group_size
                         : strategy->group == RED_STRATEGY_SUB_GROUP ? 4
                                                                     : 1;
    bool alone = strategy->group == RED_STRATEGY_NONE || strategy->group == RED_STRATEGY_SUB_GROUP;
    return (struct red_geometry){.group_size = group_size,
                                 .groups_n = ceil_div(segments_n, per_group),
                                 .item_n = alone ? n : ceil_div(n, group_size)};
}

enum red_status red_geometry_choose_segments(const struct red_strategy *strategy,
                                             const struct red_shape_limits *limits, size_t group_size,
                                             uint64_t n, uint64_t segments_n, struct red_geometry *geometry,
                                             struct red_error *error) {
    static struct red_geometry (*const by_span[RED_SPANS_N])(
        const struct red_strategy *, const struct red_shape_limits *, size_t, uint64_t) = {
        [RED_STRATEGY_ONE] = one,
        [RED_STRATEGY_EACH] = each,
        [RED_STRATEGY_STRIDE] = stride,
        [RED_STRATEGY_CHUNK] = chunk,
    };
    if (group_size == 0)
        return red_fail(error, RED_E_UNSUPPORTED, "group size 0: a work-group has at least one work-item");
    if (group_size > limits->group_size_max)
        return red_fail(error, RED_E_UNSUPPORTED, "group size %zu is over the limit of %zu", group_size,
                        limits->group_size_max);
    if (strategy->span == RED_STRATEGY_ONE && group_size != 1)
        return red_fail(error, RED_E_UNSUPPORTED, "%s has a single work-item: group size 1 only",
                        strategy->name);
    if (strategy->finish == RED_STRATEGY_PASSES && group_size * strategy->lanes < 2)
        return red_fail(error, RED_E_UNSUPPORTED,
                        "a pass with group size 1 leaves as many values as it reads");
    if (segments_n > 1 && !red_strategy_is_segmented(strategy))
        return red_fail(error, RED_E_UNSUPPORTED,
                        "%s reduces one array; segments need span segment or column", strategy->name);
    *geometry = red_strategy_is_segmented(strategy)
                    ? segments(strategy, group_size, n, segments_n)
                    : by_span[strategy->span](strategy, limits, group_size, n);
    return RED_OK;
}

enum red_status red_geometry_choose(const struct red_strategy *strategy,
                                    const struct red_shape_limits *limits, size_t group_size, uint64_t n,
                                    struct red_geometry *geometry, struct red_error *error) {
    return red_geometry_choose_segments(strategy, limits, group_size, n, 1, geometry, error);
}
