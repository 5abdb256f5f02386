#include "tests/unit/testing.h"

#include "core/random.h"
#include "oracle/change.h"
#include "oracle/truth.h"
#include "tests/unit/made_input.h"

static const struct red_data_kind uniform = {RED_PATTERN_UNIFORM, 0};

static void store(const struct red_input *input, uint64_t at, const struct red_value *value) {
    size_t bytes = input->dtype->size_bytes;
    memcpy((char *)input->arrays[0] + at * bytes, value, bytes);
}

static void check_truth(const struct red_truth *changed, const struct red_truth *found) {
    const struct red_value value = red_truth_value(changed), wanted = red_truth_value(found);
    assert_true(value.bits == wanted.bits && value.index == wanted.index);
    assert_int_equal(changed->integer, found->integer);
    if (changed->dtype->is_float && !red_op_picks(changed->op))
        assert_near(changed->absolute, found->absolute, 1e-6 * found->absolute);
}

/* A hundred batches one after the other. In each the answer of the one before is wrong, and the truth of the
 * change is that of the changed data. How many there were with a change. */
static unsigned change_again_and_again(const struct red_op *op, const struct red_dtype *dtype, uint64_t n,
                                       uint64_t seed) {
    struct red_input input = made_input(op, dtype, uniform, n, seed);
    const double chain = 8 + log2((double)n);
    uint64_t random = seed;
    unsigned changes_n = 0;
    struct red_truth truth;
    red_truth_find(&input, &truth);
    struct red_value last = red_truth_value(&truth);
    for (int batch = 0; batch < 100; batch++) {
        struct red_change change;
        struct red_truth found;
        if (!red_change_draw(&input, &truth, (struct red_strided_elements){0, 1}, chain, last, &random,
                             &change)) {
            /* The largest value of a narrow type was the answer, and is not any more. */
            assert_false(red_truth_check(&truth, chain, last).right);
            last = red_truth_value(&truth);
            continue;
        }
        changes_n++;
        assert_false(red_truth_check(&change.truth, chain, last).right);
        store(&input, change.at, &change.after);
        red_truth_find(&input, &found);
        check_truth(&change.truth, &found);
        last = red_truth_value(&found);
        assert_true(red_truth_check(&change.truth, chain, last).right);
        store(&input, change.at, &change.before);
    }
    assert_int_equal(red_input_compute_checksum(&input), input.checksum);
    red_input_clear(&input);
    return changes_n;
}

static void every_operation_and_type_changes(void **state) {
    const uint64_t sizes[] = {1, 2, 17, 1000, 20000};
    for (size_t o = 0; o < RED_REDUCTIONS_N + RED_SCANS_N; o++)
        for (size_t t = 0; t < red_dtypes_n; t++)
            for (size_t i = 0;
                 i < sizeof sizes / sizeof sizes[0] && red_op_has_type(&red_ops[o], &red_dtypes[t]); i++) {
                unsigned changes_n = change_again_and_again(&red_ops[o], &red_dtypes[t], sizes[i], 1 + i);
                /* `and` and `or` can change each bit of the type once, but for those that elements own. */
                const bool has_few = red_ops[o].does == RED_ANDS || red_ops[o].does == RED_ORS;
                if (changes_n < (has_few ? red_dtypes[t].bits / 2 : 30))
                    fail_msg("%s of %s at %u: %u changes of 100", red_ops[o].name, red_dtypes[t].name,
                             (unsigned)sizes[i], changes_n);
            }
}

/* Places are drawn from all elements: of eight each turns up. */
static void every_element_changes(void **state) {
    struct red_input input = made_input(red_op_find("sum"), red_dtype_find("f32"), uniform, 8, 3);
    uint64_t random = 3;
    unsigned seen = 0;
    struct red_truth truth;
    red_truth_find(&input, &truth);
    for (int i = 0; i < 200; i++) {
        struct red_change change;
        assert_true(red_change_draw(&input, &truth, (struct red_strided_elements){0, 1}, 3,
                                    red_truth_value(&truth), &random, &change));
        assert_in_range(change.at, 0, 7);
        seen |= 1u << change.at;
    }
    assert_int_equal(seen, 0xff);
    red_input_clear(&input);
}

static void what_cannot_change_does_not(void **state) {
    uint64_t random = 1;
    struct red_change change;
    struct red_input none = made_input(red_op_find("sum"), red_dtype_find("f32"), uniform, 0, 1),
                     long_chain = made_input(red_op_find("sum"), red_dtype_find("f32"), uniform, 1000, 1);
    struct red_truth truth;
    red_truth_find(&none, &truth);
    assert_false(red_change_draw(&none, &truth, (struct red_strided_elements){0, 1}, 3,
                                 red_truth_value(&truth), &random, &change));
    red_truth_find(&long_chain, &truth); /* no bound at all */
    assert_false(red_change_draw(&long_chain, &truth, (struct red_strided_elements){0, 1}, 0x1p24,
                                 red_truth_value(&truth), &random, &change));
    red_input_clear(&none);
    red_input_clear(&long_chain);
}

/* Side by side and as columns: the segment's truth, set, is that of the changed data. */
static void segments_change(void **state) {
    enum { N = 50, SEGMENTS = 30 };
    for (int columns = 0; columns < 2; columns++) {
        struct red_input input =
            made_segments(red_op_find("argmax"), red_dtype_find("i32"), uniform, N, SEGMENTS, 5);
        struct red_segment_truths *segments, *found;
        uint64_t random = 5;
        assert_int_equal(red_segments_find_truths(&input, columns, &segments, NULL), RED_OK);
        for (uint64_t s = 0; s < SEGMENTS; s++) {
            struct red_truth before, after;
            struct red_change change;
            red_segments_truth(segments, s, &before);
            const struct red_strided_elements place = {columns ? s : s * N, columns ? SEGMENTS : 1};
            assert_true(
                red_change_draw(&input, &before, place, 3, red_truth_value(&before), &random, &change));
            red_segments_set_truth(segments, s, &change.truth);
            store(&input, change.at, &change.after);
            assert_int_equal(red_segments_find_truths(&input, columns, &found, NULL), RED_OK);
            for (uint64_t other = 0; other < SEGMENTS; other++) {
                struct red_truth set;
                red_segments_truth(segments, other, &set);
                red_segments_truth(found, other, &after);
                check_truth(&set, &after);
            }
            red_segments_destroy(found);
            red_segments_set_truth(segments, s, &before);
            store(&input, change.at, &change.before);
        }
        red_segments_destroy(segments);
        red_input_clear(&input);
    }
}

/* The range lets pass what the check does: near the ends of the interval, and anything else. */
static void ranges_are_as_strict_as_the_check(void **state) {
    uint64_t random = 7;
    for (size_t o = 0; o < RED_REDUCTIONS_N + RED_SCANS_N; o++)
        for (size_t t = 0; t < red_dtypes_n; t++) {
            if (!red_op_has_type(&red_ops[o], &red_dtypes[t]))
                continue;
            struct red_input input = made_input(&red_ops[o], &red_dtypes[t], uniform, 1000, 7);
            struct red_truth truth;
            struct red_range range;
            red_truth_find(&input, &truth);
            const struct red_dtype *result = red_op_result_dtype(&red_ops[o], &red_dtypes[t]);
            const struct red_value right = red_truth_value(&truth);
            const double bound = red_truth_check(&truth, 20, right).bound;
            for (int i = 0; i < 400; i++) {
                struct red_value value = right;
                red_range_make(&truth, 20, &range);
                if (!result->is_float)
                    result->put_integer(&value, 0, result->get_integer(&right, 0) + red_random(&random) % 3);
                else {
                    double real = result->get_real(&right, 0) + bound * (((double)(i % 21) - 10) / 10);
                    result->put_real(&value, 0, i == 0 ? (double)NAN : i == 1 ? (double)INFINITY : real);
                    for (uint64_t steps = red_random(&random) % 4; steps > 0; steps--)
                        value.bits += result->get_real(&value, 0) > real ? -1u : 1u;
                }
                value.index += truth.op->role == RED_ROLE_PLACE && red_random(&random) % 4 == 0;
                bool is_right = red_truth_check(&truth, 20, value).right;
                assert_true(red_range_holds(&range, value) == is_right);
                assert_true(red_range_holds(&range, value) == is_right); /* known by now */
            }
            red_input_clear(&input);
        }
}
