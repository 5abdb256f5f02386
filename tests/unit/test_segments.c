#include "tests/unit/testing.h"

#include "host/reference.h"
#include "oracle/truth.h"
#include "tests/unit/made_input.h"

enum { SEGMENTS_N = 37, N = 53 };

static struct red_input made(const char *op, const char *type, enum red_pattern pattern) {
    struct red_input input =
        made_segments(red_op_find(op), red_dtype_find(type), kind_of(pattern), N, SEGMENTS_N, 5);
    assert_int_equal(input.n, SEGMENTS_N * N);
    return input;
}

/* The truth of each segment is that of its elements alone, and OpenMP's answers are right. */
static void test_each_segment_alone(void **state) {
    for (size_t op = 0; op < RED_REDUCTIONS_N; op++)
        for (size_t type = 0; type < red_dtypes_n; type++) {
            if (!red_op_has_type(&red_ops[op], &red_dtypes[type]))
                continue;
            struct red_input input = made(red_ops[op].name, red_dtypes[type].name, RED_PATTERN_UNIFORM);
            struct red_segment_truths *segments;
            struct red_answers answers;
            uint64_t which;
            assert_int_equal(red_segments_find_truths(&input, false, &segments, NULL), RED_OK);
            assert_int_equal(red_answers_make_room(input.op, input.dtype, SEGMENTS_N, &answers, NULL),
                             RED_OK);
            red_reference_reduce_segments(input.op, input.dtype, (const void *const *)input.arrays, N,
                                          &answers);
            assert_true(red_segments_check(segments, N, &answers, &which).right);
            for (uint64_t i = 0; i < SEGMENTS_N; i++) {
                const void *arrays[2] = {NULL, NULL};
                struct red_truth truth;
                for (unsigned a = 0; a < input.arrays_n; a++)
                    arrays[a] = (const char *)input.arrays[a] + i * N * input.dtype->size_bytes;
                red_segments_truth(segments, i, &truth);
                struct red_partial partial;
                red_reference_partial(input.op, input.dtype, arrays, N, &partial);
                const struct red_value got = red_partial_answer(input.op, input.dtype, &partial, N);
                assert_true(red_truth_check(&truth, N, got).right);
            }
            red_answers_clear(&answers);
            red_segments_destroy(segments);
            red_input_clear(&input);
        }
}

/* A column's elements lie SEGMENTS_N apart; places count within it. */
static void test_columns(void **state) {
    struct red_input input = made("argmax", "i32", RED_PATTERN_UNIFORM);
    const int32_t *x = input.arrays[0];
    uint64_t partials[SEGMENTS_N], which;
    struct red_segment_truths *segments;
    struct red_answers answers;
    assert_int_equal(red_segments_find_truths(&input, true, &segments, NULL), RED_OK);
    assert_int_equal(red_answers_make_room(input.op, input.dtype, SEGMENTS_N, &answers, NULL), RED_OK);
    for (uint64_t i = 0; i < SEGMENTS_N; i++) {
        uint64_t best = 0;
        struct red_truth truth;
        for (uint64_t k = 1; k < N; k++)
            if (x[k * SEGMENTS_N + i] > x[best * SEGMENTS_N + i])
                best = k;
        red_segments_truth(segments, i, &truth);
        assert_int_equal(truth.index, best);
        assert_int_equal(truth.extreme.i32, x[best * SEGMENTS_N + i]);
        /* As a kernel packs it: the complement of the rank, and the place in the whole matrix. */
        uint32_t rank = ~((uint32_t)truth.extreme.i32 ^ 0x80000000u);
        partials[i] = (uint64_t)rank << 32 | (best * SEGMENTS_N + i);
    }
    red_host_answers_of_partials(input.op, input.dtype, partials, N, true, &answers);
    assert_true(red_segments_check(segments, 0, &answers, &which).right);
    partials[11]++;
    red_host_answers_of_partials(input.op, input.dtype, partials, N, false, &answers);
    assert_false(red_segments_check(segments, 0, &answers, &which).right);
    red_answers_clear(&answers);
    red_segments_destroy(segments);
    red_input_clear(&input);
}

/* One wrong answer among many is found, and named. */
static void test_finds_the_wrong_one(void **state) {
    struct red_input input = made(red_ops[0].name, "f32", RED_PATTERN_WEIGHTS);
    struct red_segment_truths *segments;
    struct red_answers answers;
    uint64_t which;
    float *values;
    assert_int_equal(red_segments_find_truths(&input, false, &segments, NULL), RED_OK);
    assert_int_equal(red_answers_make_room(input.op, input.dtype, SEGMENTS_N, &answers, NULL), RED_OK);
    red_reference_reduce_segments(input.op, input.dtype, (const void *const *)input.arrays, N, &answers);
    values = answers.room;
    for (uint64_t i = 0; i < SEGMENTS_N; i++) {
        float right = values[i];
        values[i] = right + 1;
        assert_false(red_segments_check(segments, 0, &answers, &which).right);
        assert_int_equal(which, i);
        values[i] = right;
    }
    assert_true(red_segments_check(segments, 0, &answers, &which).right);
    red_answers_clear(&answers);
    red_segments_destroy(segments);
    red_input_clear(&input);
}

/* Every segment has the data of its data kind: each ends with its winner. */
static void test_data_of_each_segment(void **state) {
    struct red_input input = made("max", "i32", RED_PATTERN_CLOSE_BELOW);
    const int32_t *x = input.arrays[0];
    for (uint64_t i = 0; i < SEGMENTS_N * N; i++)
        assert_true(i % N == N - 1 ? x[i] == x[N - 1] : x[i] < x[N - 1]);
    red_input_clear(&input);
}
