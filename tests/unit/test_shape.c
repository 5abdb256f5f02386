#include "tests/unit/testing.h"

#include "model/geometry.h"

static struct red_shape parsed(const char *text) {
    struct red_shape shape;
    assert_int_equal(red_shape_parse(text, &shape, NULL), RED_OK);
    assert_string_equal(shape.text, text);
    return shape;
}

static void test_reads_shapes(void **state) {
    assert_int_equal(parsed("array").kind, RED_SHAPE_ARRAY);
    assert_int_equal(parsed("array").calls_n, 1);
    struct red_shape slides = parsed("segments:1048576x160");
    assert_int_equal(slides.kind, RED_SHAPE_SEGMENTS);
    assert_int_equal(slides.rows_n, 1);
    assert_int_equal(slides.rows[0].segments_n, 1048576);
    assert_int_equal(slides.rows[0].n, 160);
    struct red_shape computed = parsed("computed:1048576x160,3x2^24");
    assert_int_equal(computed.kind, RED_SHAPE_COMPUTED);
    assert_int_equal(red_shape_segments_n(&computed, 160), 1048576);
    assert_true(red_shape_has_segments(&computed) && !red_shape_repeats(&computed));
    struct red_shape changed = parsed("changed:100");
    assert_int_equal(changed.kind, RED_SHAPE_CHANGED);
    assert_int_equal(changed.calls_n, 100);
    assert_true(red_shape_repeats(&changed) && !red_shape_has_segments(&changed));
    struct red_shape iterate = parsed("iterate:100");
    assert_int_equal(iterate.kind, RED_SHAPE_ITERATE);
    assert_int_equal(iterate.calls_n, 100);
}

static void test_lengths_ascend(void **state) {
    struct red_shape shape = parsed("segments:2^10x2^14,2^20x16,7x2^12+1");
    static const uint64_t expected[][2] = {{1 << 20, 16}, {7, 4097}, {1 << 10, 1 << 14}};
    assert_int_equal(shape.rows_n, 3);
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(shape.rows[i].segments_n, expected[i][0]);
        assert_int_equal(shape.rows[i].n, expected[i][1]);
        assert_int_equal(red_shape_segments_n(&shape, expected[i][1]), expected[i][0]);
    }
    assert_int_equal(red_shape_segments_n(&shape, 17), 1);
}

static void test_refuses_others(void **state) {
    static const char *const wrong[] = {"",
                                        "arrays",
                                        "segments",
                                        "segments:",
                                        "segments:5",
                                        "segments:5x",
                                        "segments:x",
                                        "segments:0x5",
                                        "segments:5x0",
                                        "segments:5x5,",
                                        "segments:5x5,6x5",
                                        "segments:5x5x5",
                                        "iterate",
                                        "iterate:",
                                        "iterate:0",
                                        "iterate:-1",
                                        "iterate:1000001",
                                        "segments:1,2x3",
                                        "iterate:1,2",
                                        "changed",
                                        "changed:0",
                                        "changed:3x3",
                                        "computed:5",
                                        "computed:5x5,6x5",
                                        "computed:2x2^24+1",
                                        "computed:1x160",
                                        "computed:9x40,1x7",
                                        "computed:0x5",
                                        "segments:2^60x2^60",
                                        "segments:1..4x5"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        struct red_shape shape;
        struct red_error error = {.text = ""};
        assert_told(wrong[i], red_shape_parse(wrong[i], &shape, &error), &error, wrong[i]);
        assert_has(error.text, "segments:1048576x160");
    }
}
