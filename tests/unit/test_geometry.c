#include "tests/unit/testing.h"

#include "model/geometry.h"
#include "oracle/truth.h"

static const struct red_geometry_limits cpu = {.compute_units = 2, .is_cpu = true, .group_size_max = 4096};
static const struct red_geometry_limits gpu = {.compute_units = 132, .is_cpu = false, .group_size_max = 1024};
static const struct red_geometry_limits tiny = {.compute_units = 1, .is_cpu = false, .group_size_max = 12};

#define SUM_OF_F32 red_op_find("sum"), red_dtype_find("f32")

static struct red_geometry chosen(const struct red_strategy *strategy, const struct red_op *op,
                                  const struct red_dtype *dtype, const struct red_geometry_limits *limits,
                                  struct red_tuning tuning, uint64_t n) {
    struct red_geometry geometry;
    struct red_error error;
    assert_ok(red_geometry_choose(strategy, op, dtype, limits, &tuning, n, &geometry, &error), &error);
    return geometry;
}

static const struct red_tuning by_default = {.width = 0};

static bool takes_groups(int span) {
    return span == RED_STRATEGY_STRIDE || span == RED_STRATEGY_CHUNK;
}

static void every_element_is_somebodys(void **state) {
    static const uint64_t sizes[] = {0,   1,   2,   63,      64,       65,
                                     255, 256, 257, 1000003, 16777217, UINT64_C(1) << 33};
    static const size_t group_sizes[] = {1, 7, 32, 100, 256, 1024};
    static const unsigned lanes[] = {1, 4, 64, 100};
    for (int span = 0; span < RED_SPANS_N; span++)
        for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
            for (size_t g = 0; g < sizeof group_sizes / sizeof group_sizes[0]; g++) {
                struct red_strategy s = {.span = (enum red_span)span, .lanes = lanes[i % 4]};
                uint64_t asked_n = takes_groups(span) && (i + g) % 2 ? 1 + 3 * i : 0;
                if (span == RED_STRATEGY_ONE && group_sizes[g] != 1)
                    continue;
                const struct red_tuning tuning = {.group_size = group_sizes[g], .groups_n = asked_n};
                const struct red_geometry geometry =
                    chosen(&s, SUM_OF_F32, i % 2 ? &cpu : &gpu, tuning, sizes[i]);
                assert_true(geometry.groups_n >= 1);
                assert_true(asked_n == 0 || geometry.groups_n == asked_n);
                assert_int_equal(geometry.group_size, group_sizes[g]);
                assert_int_equal(geometry.lanes, s.lanes);
                assert_true(geometry.item_n <= sizes[i]);
                assert_true(geometry.groups_n * geometry.group_size * geometry.item_n >= sizes[i]);
            }
}

/* Choosing the default changes nothing. */
static void zero_is_the_default(void **state) {
    const struct red_strategy s = {
        .span = RED_STRATEGY_STRIDE, .lanes = 16, .width = 4, .loads = 4, .finish = RED_STRATEGY_HOST};
    static const uint64_t sizes[] = {0, 1, 1000, 1 << 20};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        const struct red_geometry left = chosen(&s, SUM_OF_F32, &gpu, by_default, sizes[i]);
        const struct red_tuning tuning = {left.group_size, left.groups_n, left.width, left.loads};
        const struct red_geometry asked = chosen(&s, SUM_OF_F32, &gpu, tuning, sizes[i]);
        assert_int_equal(asked.item_n, left.item_n);
        assert_int_equal(asked.lanes, left.lanes);
    }
}

static void lanes_are_width_times_loads(void **state) {
    const struct red_strategy s = {.span = RED_STRATEGY_CHUNK, .lanes = 64, .width = 16, .loads = 4};
    const struct red_tuning tuning = {.group_size = 1, .groups_n = 2, .width = 16, .loads = 8};
    const struct red_geometry geometry = chosen(&s, SUM_OF_F32, &cpu, tuning, 1000);
    assert_int_equal(geometry.lanes, 128);
    assert_int_equal(geometry.width, 16);
    assert_int_equal(geometry.loads, 8);
    assert_int_equal(geometry.item_n, 512); /* 8 blocks of 128 for 2 items */
}

static void refused(struct red_strategy s, const struct red_geometry_limits *limits, struct red_tuning tuning,
                    const char *reason) {
    struct red_geometry geometry;
    struct red_error error;
    assert_int_equal(red_geometry_choose(&s, SUM_OF_F32, limits, &tuning, 100, &geometry, &error),
                     RED_E_UNSUPPORTED);
    assert_has(error.text, reason);
}

static void what_cannot_run_has_a_reason(void **state) {
    struct red_strategy each = {.name = "a", .lanes = 1, .span = RED_STRATEGY_EACH};
    struct red_strategy one = {.name = "a", .lanes = 1, .span = RED_STRATEGY_ONE};
    struct red_strategy passes = {
        .name = "a", .lanes = 1, .span = RED_STRATEGY_EACH, .finish = RED_STRATEGY_PASSES};
    struct red_strategy stride = {.name = "a", .lanes = 16, .span = RED_STRATEGY_STRIDE};
    struct red_strategy persistent = stride;
    persistent.finish = RED_STRATEGY_PERSISTENT;
    refused(each, &tiny, (struct red_tuning){.group_size = 13}, "over the limit of 12");
    refused(one, &cpu, (struct red_tuning){.group_size = 2}, "single work-item");
    refused(passes, &cpu, (struct red_tuning){.group_size = 1}, "group size 1");
    refused(each, &cpu, (struct red_tuning){.groups_n = 3},
            "a has span each: the number of groups follows from n");
    refused(one, &cpu, (struct red_tuning){.groups_n = 3},
            "a has span one: the number of groups follows from n");
    refused(persistent, &gpu, (struct red_tuning){.groups_n = 2}, "a has one group");
    refused(stride, &cpu, (struct red_tuning){.groups_n = RED_GROUPS_MAX + 1}, "over the limit of 1048576");
    refused(stride, &cpu, (struct red_tuning){.width = 4, .loads = 4}, "a has fixed lanes");
}

static void defaults_suit_the_device(void **state) {
    struct red_strategy chunk = {.span = RED_STRATEGY_CHUNK, .lanes = 1},
                        each = {.span = RED_STRATEGY_EACH, .lanes = 1},
                        stride = {.span = RED_STRATEGY_STRIDE, .lanes = 1};
    assert_int_equal(red_geometry_default_group_size(&chunk, &cpu), 1);
    assert_int_equal(red_geometry_default_group_size(&chunk, &gpu), 256);
    assert_int_equal(red_geometry_default_group_size(&each, &cpu), 256);
    assert_int_equal(red_geometry_default_group_size(&each, &tiny), 12);
    assert_int_equal(red_geometry_default_group_size(&stride, &cpu), 32);
    assert_int_equal(red_geometry_default_group_size(&stride, &gpu), 256);
}

/* The crowd of a GPU follows from the elements, the operation and what all groups wait for. */
static void crowds_suit_the_elements(void **state) {
    static const struct {
        const char *op, *type;
        red_set needs;
        uint64_t n;
        size_t group_size;
        uint64_t groups_n;
        unsigned width; /* 0: lanes are fixed */
        enum red_finish_kind finish;
    } rows[] = {
        {"sum", "f32", 0, 1 << 12, 256, 1, 4, RED_STRATEGY_HOST},
        {"sum", "f32", 0, (1 << 12) + 1, 256, 5, 4, RED_STRATEGY_HOST},
        {"sum", "f64", 0, 1 << 13, 512, 1, 4, RED_STRATEGY_HOST},
        {"sum", "f32", 0, 1 << 22, 256, 512, 4, RED_STRATEGY_HOST},
        {"sum", "i32", 0, 1 << 24, 256, 4 * 132, 4, RED_STRATEGY_HOST},
        {"dot", "f32", 0, UINT64_C(132) << 18, 1024, 132 << 3, 4, RED_STRATEGY_HOST},
        {"min", "f32", 0, UINT64_C(1) << 33, 1024, 16 * 132, 4, RED_STRATEGY_HOST},
        {"min", "f32", 0, UINT64_C(1) << 33, 1024, 16 * 132, 4, RED_STRATEGY_SVM},
        {"min", "f32", 0, UINT64_C(1) << 33, 1024, 64 * 132, 4, RED_STRATEGY_LAST_GROUP},
        {"sum", "f64", 0, 1 << 24, 512, 1 << 10, 4, RED_STRATEGY_HOST},
        {"max", "u64", 0, UINT64_C(1) << 33, 512, 64 * 132, 4, RED_STRATEGY_HOST},
        {"sum", "i8", 0, UINT64_C(1) << 33, 256, 16 * 132, 0, RED_STRATEGY_HOST},
        {"sum", "i8", 0, UINT64_C(1) << 33, 256, 4 * 132, 16, RED_STRATEGY_HOST},
        {"argmax", "u8", 0, 1 << 24, 256, 4 * 132, 8, RED_STRATEGY_HOST},
        {"min", "f16", 0, 1 << 24, 256, 4 * 132, 4, RED_STRATEGY_HOST},
        {"min", "f16", 0, 1 << 26, 256, 4 * 132, 8, RED_STRATEGY_HOST},
        {"argmin", "f32", 0, UINT64_C(1) << 31, 256, 16 * 132, 4, RED_STRATEGY_HOST},
        {"argmax", "i64", 0, UINT64_C(1) << 33, 256, 16 * 132, 4, RED_STRATEGY_HOST},
        {"sum", "f32", RED_NEED(CAS32), 1 << 24, 256, 2 * 132, 4, RED_STRATEGY_HOST},
        {"sum", "f32", RED_NEED(CAS32), UINT64_C(1) << 33, 1024, 2 * 132, 4, RED_STRATEGY_HOST},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct red_strategy s = {.span = RED_STRATEGY_STRIDE,
                                       .lanes = 16,
                                       .width = rows[i].width ? 4 : 0,
                                       .loads = rows[i].width ? 4 : 0,
                                       .needs = rows[i].needs,
                                       .finish = rows[i].finish};
        const struct red_op *op = red_op_find(rows[i].op);
        const struct red_dtype *dtype = red_dtype_find(rows[i].type);
        const struct red_geometry geometry = chosen(&s, op, dtype, &gpu, by_default, rows[i].n);
        assert_int_equal(geometry.group_size, rows[i].group_size);
        assert_int_equal(geometry.groups_n, rows[i].groups_n);
        assert_int_equal(geometry.width, rows[i].width);
        assert_int_equal(chosen(&s, op, dtype, &tiny, by_default, rows[i].n).group_size, 12);
    }
}

static uint64_t default_groups(enum red_span span, const struct red_geometry_limits *limits, uint64_t n) {
    const struct red_strategy s = {.span = span, .lanes = 1};
    return chosen(&s, SUM_OF_F32, limits, by_default, n).groups_n;
}

/* However much there is to do. */
static void what_waits_for_calls_has_one_group(void **state) {
    const struct red_strategy s = {
        .span = RED_STRATEGY_STRIDE, .finish = RED_STRATEGY_PERSISTENT, .lanes = 16, .width = 4, .loads = 4};
    for (uint64_t n = 1; n < UINT64_C(1) << 40; n *= 64) {
        const struct red_geometry geometry = chosen(&s, SUM_OF_F32, &gpu, by_default, n);
        assert_int_equal(geometry.groups_n, 1);
        assert_int_equal(geometry.group_size, 1024);
        assert_int_equal(chosen(&s, SUM_OF_F32, &cpu, by_default, n).groups_n, 1);
    }
}

/* No worker of a CPU is woken for little, and no device gets more groups than keep it busy. */
static void groups_grow_with_n(void **state) {
    static const enum red_span spans[] = {RED_STRATEGY_STRIDE, RED_STRATEGY_CHUNK};
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(default_groups(spans[i], &cpu, 0), 1);
        assert_int_equal(default_groups(spans[i], &cpu, 1 << 15), 1);
        assert_int_equal(default_groups(spans[i], &cpu, (1 << 15) + 1), 2);
        assert_int_equal(default_groups(spans[i], &gpu, 1), 1);
    }
    assert_int_equal(default_groups(RED_STRATEGY_STRIDE, &cpu, 1 << 18), 8);
    assert_int_equal(default_groups(RED_STRATEGY_STRIDE, &cpu, UINT64_C(1) << 40), 4 * 2);
    assert_int_equal(default_groups(RED_STRATEGY_CHUNK, &cpu, 1 << 18), 2);
    assert_int_equal(default_groups(RED_STRATEGY_CHUNK, &cpu, 1 << 20), 8);
    assert_int_equal(default_groups(RED_STRATEGY_CHUNK, &cpu, UINT64_C(1) << 40), 16 * 2);
}

/* Vectors of 16 bytes, and few large groups, as each group hands over all counts, two for each compute unit
 * where that has 256 KiB or more to read; items that count without atomics need a copy each, and are few. */
static void histograms_have_large_groups_on_a_gpu(void **state) {
    const struct {
        const struct red_geometry_limits *limits;
        const char *type;
        red_set needs;
        uint64_t n;
        unsigned width;
        size_t group_size;
        uint64_t groups_n;
    } rows[] = {{&gpu, "u8", RED_NEED(ATOMIC32), 1 << 24, 16, 512, 132},
                {&gpu, "u8", RED_NEED(ATOMIC32), 132 << 18, 16, 512, 264},
                {&gpu, "u8", RED_NEED(ATOMIC32), (132 << 18) - 1, 16, 512, 132},
                {&gpu, "u16", RED_NEED(ATOMIC32), 1 << 24, 8, 512, 132},
                {&gpu, "f32", RED_NEED(ATOMIC32), 132 << 16, 4, 512, 264},
                {&gpu, "f32", RED_NEED(ATOMIC32), (132 << 16) - 1, 4, 512, 132},
                {&gpu, "f32", 0, 1 << 24, 4, 32, 6 * 132},
                {&cpu, "u8", RED_NEED(ATOMIC32), 1 << 24, 4, 32, 8},
                {&tiny, "u32", RED_NEED(ATOMIC32), 1 << 24, 4, 12, 2}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct red_strategy s = {.primitive = RED_PRIMITIVE_HISTOGRAM,
                                       .span = RED_STRATEGY_STRIDE,
                                       .finish = RED_STRATEGY_ONE_LAUNCH_COUNTS,
                                       .needs = rows[i].needs,
                                       .lanes = 32,
                                       .width = 4,
                                       .loads = 8};
        const struct red_geometry geometry = chosen(&s, red_op_find("count"), red_dtype_find(rows[i].type),
                                                    rows[i].limits, by_default, rows[i].n);
        assert_int_equal(geometry.width, rows[i].width);
        assert_int_equal(geometry.group_size, rows[i].group_size);
        assert_int_equal(geometry.groups_n, rows[i].groups_n);
    }
}

/* A pair is no vector's lane. */
static void vectors_are_wide_on_a_cpu(void **state) {
    const struct red_strategy s = {.span = RED_STRATEGY_STRIDE, .lanes = 16, .width = 4, .loads = 4};
    const struct {
        const struct red_geometry_limits *limits;
        const char *op;
        unsigned asked, width;
    } rows[] = {{&cpu, "sum", 0, 16}, {&gpu, "sum", 0, 4}, {&cpu, "argmin", 0, 4}, {&cpu, "sum", 2, 2}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct red_tuning tuning = {.width = rows[i].asked, .loads = rows[i].asked ? 4 : 0};
        const struct red_geometry geometry =
            chosen(&s, red_op_find(rows[i].op), red_dtype_find("f64"), rows[i].limits, tuning, 1000);
        assert_int_equal(geometry.width, rows[i].width);
        assert_int_equal(geometry.lanes, 4 * rows[i].width);
    }
}

/* Of scans and histograms in one launch: for each tile, unless one group has all, and for each count. */
static void states_suit_the_finish(void **state) {
    (void)state;
    static const struct {
        struct red_strategy strategy;
        uint64_t n;
        unsigned bins_n;
        size_t words;
    } rows[] = {
        {{.span = RED_STRATEGY_EACH, .finish = RED_STRATEGY_SINGLE_PASS}, 0, 0, 4},
        {{.span = RED_STRATEGY_EACH, .finish = RED_STRATEGY_SINGLE_PASS}, 1, 0, 4 + 8},
        {{.span = RED_STRATEGY_EACH, .finish = RED_STRATEGY_SINGLE_PASS}, 6 * 32 * 4, 0, 4 + 8 * 6},
        {{.span = RED_STRATEGY_EACH, .finish = RED_STRATEGY_SINGLE_PASS}, 6 * 32 * 4 + 1, 0, 4 + 8 * 7},
        {{.span = RED_STRATEGY_ONE, .finish = RED_STRATEGY_SINGLE_PASS}, 1 << 20, 0, 4},
        {{.span = RED_STRATEGY_EACH, .finish = RED_STRATEGY_TWO_LEVELS}, 1 << 20, 0, 0},
        {{.span = RED_STRATEGY_STRIDE, .finish = RED_STRATEGY_ONE_LAUNCH_COUNTS}, 1 << 20, 255, 4 + 8 * 256},
        {{.span = RED_STRATEGY_STRIDE, .finish = RED_STRATEGY_ONE_LAUNCH_COUNTS}, 1 << 20, 256, 4 + 8 * 272},
        {{.span = RED_STRATEGY_STRIDE, .finish = RED_STRATEGY_JOINED_COPIES}, 1 << 20, 256, 0},
        {{.span = RED_STRATEGY_STRIDE, .finish = RED_STRATEGY_LAST_GROUP}, 1 << 20, 0, 0},
        {{.span = RED_STRATEGY_STRIDE,
          .finish = RED_STRATEGY_LAST_GROUP,
          .needs = RED_NEED(WORD_PUBLICATION)},
         1 << 20,
         0,
         4 + 4 + 8 * 6},
        {{.span = RED_STRATEGY_STRIDE, .finish = RED_STRATEGY_ATOMIC, .needs = RED_NEED(XCHG64)},
         1 << 20,
         0,
         0},
        {{.span = RED_STRATEGY_STRIDE, .finish = RED_STRATEGY_LAST_GROUP, .needs = RED_NEED(XCHG64)},
         1 << 20,
         0,
         4 + 4 + 8 * 6}};
    const struct red_geometry geometry = {.group_size = 32, .lanes = 4, .groups_n = 6};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        assert_int_equal(red_geometry_state_bytes(&rows[i].strategy, &geometry, rows[i].n, rows[i].bins_n),
                         4 * rows[i].words);
}

/* Two items of a group have a segment; alone one takes all, and of three the last has no other. */
static void pairs_share_a_segment(void **state) {
    (void)state;
    static const struct red_geometry_limits limits = {.compute_units = 2, .group_size_max = 256};
    static const struct {
        size_t group_size;
        uint64_t n, groups_n, item_n;
        double chain;
    } rows[] = {{64, 160, 32, 84, 37},
                {3, 160, 1000, 84, 37},
                {2, 160, 1000, 84, 37},
                {1, 160, 1000, 160, 41},
                {64, 3, 32, 3, 3}};
    const struct red_strategy halves = {.name = "a",
                                        .span = RED_STRATEGY_SEGMENT,
                                        .group = RED_STRATEGY_PAIR,
                                        .lanes = 16,
                                        .width = 4,
                                        .loads = 4};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct red_tuning tuning = {.group_size = rows[i].group_size, .width = 4, .loads = 4};
        struct red_geometry geometry;
        struct red_error error;
        assert_ok(red_geometry_choose_segments(&halves, red_op_find("sum"), red_dtype_find("f32"), &limits,
                                               &tuning, rows[i].n, 1000, &geometry, &error),
                  &error);
        assert_int_equal(geometry.groups_n, rows[i].groups_n);
        assert_int_equal(geometry.item_n, rows[i].item_n);
        assert_true(red_bound_chain(&halves, red_dtype_find("f32"), red_op_find("sum"), &geometry,
                                    rows[i].n) == rows[i].chain);
    }
}
