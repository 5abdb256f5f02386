#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "model/geometry.h"

static const struct red_shape_limits cpu = {.compute_units = 2, .is_cpu = true, .group_size_max = 4096};
static const struct red_shape_limits gpu = {.compute_units = 132, .is_cpu = false, .group_size_max = 1024};
static const struct red_shape_limits tiny = {.compute_units = 1, .is_cpu = false, .group_size_max = 12};

static void every_element_is_somebodys(void **state) {
    (void)state;
    static const uint64_t sizes[] = {0,   1,   2,   63,      64,       65,
                                     255, 256, 257, 1000003, 16777217, UINT64_C(1) << 33};
    static const size_t group_sizes[] = {1, 7, 32, 100, 256, 1024};
    static const unsigned lanes[] = {1, 4, 64, 100};
    for (int span = 0; span < RED_SPANS_N; span++)
        for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
            for (size_t g = 0; g < sizeof group_sizes / sizeof group_sizes[0]; g++) {
                struct red_strategy s = {.span = (enum red_span)span, .lanes = lanes[i % 4]};
                struct red_geometry geometry;
                if (span == RED_STRATEGY_ONE && group_sizes[g] != 1)
                    continue;
                const struct red_shape_limits *limits = i % 2 ? &cpu : &gpu;
                assert_int_equal(red_geometry_choose(&s, limits, group_sizes[g], sizes[i], &geometry, NULL),
                                 RED_OK);
                assert_true(geometry.groups_n >= 1);
                assert_int_equal(geometry.group_size, group_sizes[g]);
                assert_true(geometry.item_n <= sizes[i]);
                assert_true(geometry.groups_n * geometry.group_size * geometry.item_n >= sizes[i]);
            }
}

static void refused(struct red_strategy s, const struct red_shape_limits *limits, size_t group_size,
                    const char *reason) {
    struct red_geometry geometry;
    struct red_error error;
    assert_int_equal(red_geometry_choose(&s, limits, group_size, 100, &geometry, &error), RED_E_UNSUPPORTED);
    assert_non_null(strstr(error.text, reason));
}

static void what_cannot_run_has_a_reason(void **state) {
    (void)state;
    refused((struct red_strategy){.name = "a", .lanes = 1, .span = RED_STRATEGY_EACH}, &tiny, 13,
            "over the limit of 12");
    refused((struct red_strategy){.name = "a", .lanes = 1, .span = RED_STRATEGY_ONE}, &cpu, 2,
            "single work-item");
    refused(
        (struct red_strategy){
            .name = "a", .lanes = 1, .span = RED_STRATEGY_EACH, .finish = RED_STRATEGY_PASSES},
        &cpu, 1, "group size 1");
    refused((struct red_strategy){.name = "a", .lanes = 1, .span = RED_STRATEGY_EACH}, &cpu, 0,
            "group size 0");
}

static void defaults_suit_the_device(void **state) {
    (void)state;
    struct red_strategy chunk = {.span = RED_STRATEGY_CHUNK, .lanes = 1},
                        each = {.span = RED_STRATEGY_EACH, .lanes = 1};
    assert_int_equal(red_geometry_default_group_size(&chunk, &cpu), 1);
    assert_int_equal(red_geometry_default_group_size(&chunk, &gpu), 256);
    assert_int_equal(red_geometry_default_group_size(&each, &cpu), 256);
    assert_int_equal(red_geometry_default_group_size(&each, &tiny), 12);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_element_is_somebodys),
        cmocka_unit_test(what_cannot_run_has_a_reason),
        cmocka_unit_test(defaults_suit_the_device),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
