#include "model/geometry.h"

static uint64_t ceil_div(uint64_t a, uint64_t b) {
    return a / b + (a % b != 0);
}

static uint64_t clamp(uint64_t value, uint64_t low, uint64_t high) {
    return value < low ? low : value > high ? high : value;
}

int red_tuning_compare(const struct red_tuning *a, const struct red_tuning *b) {
    const uint64_t of_a[] = {a->group_size, a->groups_n, a->width, a->loads};
    const uint64_t of_b[] = {b->group_size, b->groups_n, b->width, b->loads};
    int order = 0;
    for (size_t i = 0; i < sizeof of_a / sizeof of_a[0] && order == 0; i++)
        order = (of_a[i] > of_b[i]) - (of_a[i] < of_b[i]);
    return order;
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

/* Each completes a geometry whose group size and lanes are chosen; asked_n groups were asked for, if not 0.
 */
typedef void complete(const struct red_shape_limits *limits, uint64_t asked_n, uint64_t n,
                      struct red_geometry *geometry);

static void one(const struct red_shape_limits *limits, uint64_t asked_n, uint64_t n,
                struct red_geometry *geometry) {
    (void)limits, (void)asked_n;
    geometry->groups_n = 1;
    geometry->item_n = n;
}

static void each(const struct red_shape_limits *limits, uint64_t asked_n, uint64_t n,
                 struct red_geometry *geometry) {
    (void)limits, (void)asked_n;
    geometry->groups_n = n ? ceil_div(n, geometry->group_size * (uint64_t)geometry->lanes) : 1;
    geometry->item_n = smaller(n, geometry->lanes);
}

static void stride(const struct red_shape_limits *limits, uint64_t asked_n, uint64_t n,
                   struct red_geometry *geometry) {
    uint64_t busy = (uint64_t)limits->compute_units * (limits->is_cpu ? 4 : 16);
    geometry->groups_n = asked_n ? asked_n : clamp(ceil_div(n, 4 * (uint64_t)geometry->group_size), 1, busy);
    uint64_t items_n = geometry->groups_n * geometry->group_size, lanes = geometry->lanes;
    /* Items take whole vectors, and single elements of what is left behind the last one. */
    uint64_t tail_n = n % lanes ? ceil_div(lanes - 1, items_n) : 0;
    geometry->item_n = smaller(n, lanes * ceil_div(n, lanes * items_n) + tail_n);
}

/* Pieces are whole blocks of 64 elements (kernels_cl12/chunk.cl), or of `lanes` where a kernel has more. */
static void chunk(const struct red_shape_limits *limits, uint64_t asked_n, uint64_t n,
                  struct red_geometry *geometry) {
    uint64_t busy = (uint64_t)limits->compute_units * 4, group_size = geometry->group_size;
    geometry->groups_n = asked_n ? asked_n : clamp(ceil_div(n, group_size << 13), 1, busy);
    uint64_t block_n = geometry->lanes < 64 ? 64 : geometry->lanes;
    uint64_t blocks_n = ceil_div(ceil_div(n, block_n), geometry->groups_n * group_size);
    geometry->item_n = smaller(n, block_n * blocks_n);
}

static enum red_status check(const struct red_strategy *strategy, const struct red_shape_limits *limits,
                             const struct red_tuning *tuning, const struct red_geometry *geometry,
                             struct red_error *error) {
    bool has_groups = strategy->span == RED_STRATEGY_STRIDE || strategy->span == RED_STRATEGY_CHUNK;
    if (geometry->group_size > limits->group_size_max)
        return red_fail(error, RED_E_UNSUPPORTED, "group size %zu is over the limit of %zu",
                        geometry->group_size, limits->group_size_max);
    if (strategy->span == RED_STRATEGY_ONE && geometry->group_size != 1)
        return red_fail(error, RED_E_UNSUPPORTED, "%s has a single work-item: group size 1 only",
                        strategy->name);
    if (strategy->finish == RED_STRATEGY_PASSES && geometry->group_size * geometry->lanes < 2)
        return red_fail(error, RED_E_UNSUPPORTED,
                        "a pass with group size 1 leaves as many values as it reads");
    if (tuning->groups_n > 0 && !has_groups)
        return red_fail(error, RED_E_UNSUPPORTED,
                        "%s has span %s: the number of groups follows from n; only spans stride and chunk "
                        "take one",
                        strategy->name, red_span_names[strategy->span]);
    if (tuning->groups_n > RED_GROUPS_MAX)
        return red_fail(error, RED_E_UNSUPPORTED, "%llu groups are over the limit of %d",
                        (unsigned long long)tuning->groups_n, RED_GROUPS_MAX);
    if (tuning->width > 0 && strategy->width == 0)
        return red_fail(error, RED_E_UNSUPPORTED,
                        "%s has fixed lanes; only a manifest with lanes as WIDTHxLOADS leaves a choice",
                        strategy->name);
    return RED_OK;
}

/* Of many arrays. How many sub-groups there are in a group only the device knows: they take turns. */
static void segments(const struct red_strategy *strategy, uint64_t n, uint64_t segments_n,
                     struct red_geometry *geometry) {
    uint64_t per_group = strategy->group == RED_STRATEGY_NONE        ? geometry->group_size
                         : strategy->group == RED_STRATEGY_SUB_GROUP ? 4
                                                                     : 1;
    bool alone = strategy->group == RED_STRATEGY_NONE || strategy->group == RED_STRATEGY_SUB_GROUP;
    geometry->groups_n = ceil_div(segments_n, per_group);
    geometry->item_n = alone ? n : ceil_div(n, geometry->group_size);
}

enum red_status red_geometry_choose_segments(const struct red_strategy *strategy,
                                             const struct red_shape_limits *limits,
                                             const struct red_tuning *tuning, uint64_t n, uint64_t segments_n,
                                             struct red_geometry *geometry, struct red_error *error) {
    static complete *const by_span[RED_SPANS_N] = {
        [RED_STRATEGY_ONE] = one,
        [RED_STRATEGY_EACH] = each,
        [RED_STRATEGY_STRIDE] = stride,
        [RED_STRATEGY_CHUNK] = chunk,
    };
    *geometry = (struct red_geometry){.group_size = tuning->group_size
                                                        ? tuning->group_size
                                                        : red_geometry_default_group_size(strategy, limits),
                                      .lanes = strategy->lanes,
                                      .width = strategy->width,
                                      .loads = strategy->loads};
    if (tuning->width > 0) {
        geometry->width = tuning->width;
        geometry->loads = tuning->loads;
        geometry->lanes = tuning->width * tuning->loads;
    }
    enum red_status status = check(strategy, limits, tuning, geometry, error);
    if (status != RED_OK)
        return status;
    if (segments_n > 1 && !red_strategy_is_segmented(strategy))
        return red_fail(error, RED_E_UNSUPPORTED,
                        "%s reduces one array; segments need span segment or column", strategy->name);
    if (red_strategy_is_segmented(strategy))
        segments(strategy, n, segments_n, geometry);
    else
        by_span[strategy->span](limits, tuning->groups_n, n, geometry);
    return RED_OK;
}

enum red_status red_geometry_choose(const struct red_strategy *strategy,
                                    const struct red_shape_limits *limits, const struct red_tuning *tuning,
                                    uint64_t n, struct red_geometry *geometry, struct red_error *error) {
    return red_geometry_choose_segments(strategy, limits, tuning, n, 1, geometry, error);
}
