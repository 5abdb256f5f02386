/* Operations on bits: right answers, how they are merged and changed, and data that show what is lost. */
#include "tests/unit/testing.h"

#include "oracle/combiners.h"
#include "tests/unit/made_input.h"

static const char *const ops[] = {"and", "or", "xor"};
static const char *const types[] = {"i8", "u8", "i32", "u32", "i64", "u64"};
enum { OPS_N = 3, TYPES_N = 6 };

/* What a loop finds without the element at `lost`. */
static uint64_t found(const struct red_input *input, uint64_t lost) {
    uint64_t all = input->op->does == RED_ANDS ? UINT64_MAX : 0;
    for (uint64_t i = 0; i < input->n; i++) {
        const uint64_t x = input->dtype->get_integer(input->arrays[0], i);
        if (i != lost)
            all = input->op->does == RED_ANDS ? all & x : input->op->does == RED_ORS ? all | x : all ^ x;
    }
    return all;
}

static bool is_right(const struct red_truth *truth, uint64_t all) {
    struct red_value value = {.bits = 0};
    red_op_result_dtype(truth->op, truth->dtype)->put_integer(&value, 0, all);
    return red_truth_check(truth, 0, value).right;
}

/* Each data set for each operation and type at each n. */
static void for_each(void (*test)(struct red_input *input, const struct red_truth *truth)) {
    static const uint64_t sizes[] = {1, 2, 5, 64, 333, 5000};
    for (size_t o = 0; o < OPS_N; o++)
        for (size_t t = 0; t < TYPES_N; t++)
            for (size_t s = 0; s < 6; s++) {
                struct red_input input = made_input(red_op_find(ops[o]), red_dtype_find(types[t]),
                                                    kind_of(RED_PATTERN_WEIGHTS), sizes[s], s);
                struct red_truth truth;
                red_truth_find(&input, &truth);
                test(&input, &truth);
                red_input_clear(&input);
            }
}

static void check_lost(struct red_input *input, const struct red_truth *truth) {
    const unsigned owned = input->dtype->bits / 2;
    uint64_t shown_n = 0;
    assert_true(is_right(truth, found(input, UINT64_MAX)));
    for (uint64_t i = 0; i < input->n; i++)
        shown_n += !is_right(truth, found(input, i));
    if (input->op->does == RED_XORS)
        assert_int_equal(shown_n, input->n); /* no element is 0 */
    else
        assert_true(shown_n <= owned && shown_n * 4 >= (input->n < owned ? input->n : owned));
}

static void lost_elements_show(void **state) {
    for_each(check_lost);
}

static void check_merged(struct red_input *input, const struct red_truth *truth) {
    struct red_input piece = *input;
    struct red_truth merged, other;
    piece.n = input->n / 3;
    red_truth_find(&piece, &merged);
    piece.arrays[0] = (char *)input->arrays[0] + piece.n * input->dtype->size_bytes;
    piece.n = input->n - piece.n;
    red_truth_find(&piece, &other);
    red_truth_merge(&merged, &other, input->n / 3);
    assert_true(merged.integer == truth->integer && merged.n == truth->n);
}

static void pieces_merge_to_the_whole(void **state) {
    for_each(check_merged);
}

/* All that steps of verify change changes the answer, until no bit is left that nobody has. */
static void check_steps(struct red_input *input, const struct red_truth *truth) {
    struct red_changes changes;
    struct red_error error;
    uint64_t before = truth->integer;
    unsigned steps_n = 0, same_n = 0;
    assert_ok(red_changes_begin(input, truth, 4, 64, 0, &changes, &error), &error);
    while (red_changes_next(&changes)) {
        const struct red_input now = {
            .op = input->op, .dtype = input->dtype, .n = changes.n, .arrays = {changes.now.arrays[0]}};
        assert_true(is_right(&changes.truth, found(&now, UINT64_MAX)));
        same_n += changes.truth.integer == before;
        before = changes.truth.integer;
        steps_n++;
    }
    red_changes_clear(&changes);
    assert_int_equal(steps_n, RED_MOVES_N);
    assert_true(input->op->does == RED_XORS || input->dtype->bits >= 32 ? same_n <= 1
                                                                        : same_n <= RED_MOVES_N - 4);
}

static void steps_change_the_answer(void **state) {
    for_each(check_steps);
}

static void nothing_is_the_identity(void **state) {
    for (size_t t = 0; t < TYPES_N; t++) {
        struct red_input input =
            made_input(red_op_find("and"), red_dtype_find(types[t]), kind_of(RED_PATTERN_WEIGHTS), 0, 1);
        struct red_truth truth;
        red_truth_find(&input, &truth);
        assert_true(is_right(&truth, UINT64_MAX) && !is_right(&truth, 0));
        red_input_clear(&input);
    }
}

/* Floats have no bits: no data, no answer. */
static void floats_are_refused(void **state) {
    struct red_error error;
    assert_int_equal(red_op_check_n(red_op_find("xor"), red_dtype_find("f32"), 10, &error),
                     RED_E_UNSUPPORTED);
    assert_has(error.text, "floats have no xor");
    assert_false(red_pattern_fits(RED_PATTERN_WEIGHTS, red_op_find("or"), red_dtype_find("f64")));
}
