/* Elements that host and kernels compute alike: exact where they must be, other ones for other seeds. */
#include "tests/unit/testing.h"

#include <math.h>

#include "model/case.h"
#include "model/computed.h"

enum { N = 1 << 12 };

static struct red_element_form form_of(const char *op, const char *type, enum red_pattern pattern, uint64_t n,
                                       uint64_t seed) {
    return red_element_form_find(red_op_find(op), red_dtype_find(type), (struct red_data_kind){pattern, 0}, n,
                                 seed);
}

/* As the comment of model/computed.h says it, without the loops of model/computed.c. */
static void an_element_is_bits_of_a_hash(void **state) {
    (void)state;
    const struct red_element_form form = form_of("sum", "f32", RED_PATTERN_UNIFORM, 7, 5);
    const uint64_t places[] = {0, 1, 12345, UINT64_C(1) << 33 | 7};
    for (size_t k = 0; k < sizeof places / sizeof places[0]; k++) {
        float got;
        uint32_t h =
            (uint32_t)places[k] * 0x9e3779b9U ^ (uint32_t)(places[k] >> 32) * 0x85ebca6bU ^ form.seeds[1];
        h = (h ^ h >> 16) * 0x7feb352dU;
        h = (h ^ h >> 15) * 0x846ca68bU;
        h ^= h >> 16;
        red_elements_compute(red_dtype_find("f32"), &form, 1, places[k], 1, &got);
        assert_true(got == (float)(h >> 8) / 16777216);
    }
}

/* The sum of |terms| of weights fits the accumulator's digits, for any n, so that no order rounds. */
static void weights_have_exact_sums(void **state) {
    (void)state;
    static const char *const ops[] = {"sum", "sumsq", "dot"}, *const types[] = {"f16", "f32", "f64"};
    for (size_t o = 0; o < 3; o++)
        for (size_t t = 0; t < 3; t++)
            for (uint64_t n = 1; n <= RED_COMPUTED_N_MAX; n *= 2) {
                const struct red_dtype *dtype = red_dtype_find(types[t]);
                const struct red_element_form form = form_of(ops[o], types[t], RED_PATTERN_WEIGHTS, n, n);
                const double largest = (double)form.offset, term = o == 0 ? largest : largest * largest;
                assert_true(form.shift < 32 && form.offset >= 1 && form.scale == 1);
                assert_true((double)(UINT32_MAX >> form.shift) < 2 * largest);
                assert_true((double)n * term <=
                            ldexp(1, (int)red_op_accumulator(red_op_find(ops[o]), dtype)->digits));
            }
}

static void seeds_arrays_and_places_differ(void **state) {
    (void)state;
    static float a[N], b[N], c[N], moved[N];
    const struct red_dtype *f32 = red_dtype_find("f32");
    for (uint64_t seed = 1; seed < 50; seed += 7) {
        const struct red_element_form form = form_of("dot", "f32", RED_PATTERN_UNIFORM, N, seed),
                                      other = form_of("dot", "f32", RED_PATTERN_UNIFORM, N, seed + 1);
        unsigned same_n = 0;
        double sum = 0;
        red_elements_compute(f32, &form, 0, 0, N, a);
        red_elements_compute(f32, &form, 1, 0, N, b);
        red_elements_compute(f32, &other, 0, 0, N, c);
        red_elements_compute(f32, &form, 0, 17, N - 17, moved);
        assert_memory_equal(moved, a + 17, (N - 17) * sizeof a[0]);
        for (size_t i = 0; i < N; i++) {
            same_n += a[i] == b[i] || a[i] == c[i] || (i > 0 && a[i] == a[i - 1]);
            sum += a[i];
            assert_true(a[i] >= 0 && a[i] < 1);
        }
        assert_true(same_n < 10);
        assert_true(fabs(sum / N - 0.5) < 0.03);
    }
}

/* What a worker makes: arrays for a launch to change, and none for elements that kernels compute. */
static void data_sets_hold_them_or_not(void **state) {
    (void)state;
    struct red_data_spec spec = {.op = red_op_find("sum"),
                                 .dtype = red_dtype_find("i8"),
                                 .data_kind = {RED_PATTERN_UNIFORM, 0},
                                 .n = 1000,
                                 .segments_n = 3,
                                 .seed = 9,
                                 .making = RED_MADE_IN_KERNEL};
    struct red_input input;
    struct red_error error;
    int8_t expected[3000];
    assert_ok(red_input_make(&spec, &input, &error), &error);
    assert_true(input.arrays[0] == NULL && input.n == 3000);
    red_elements_compute(input.dtype, &input.form, 0, 0, 3000, expected);
    red_input_clear(&input);
    spec.making = RED_MADE_BY_LAUNCH;
    assert_ok(red_input_make(&spec, &input, &error), &error);
    assert_memory_equal(input.arrays[0], expected, 3000);
    assert_true(((unsigned char *)input.arrays[0])[3000] == red_op_elements_poison_byte(spec.op, spec.dtype));
    red_input_clear(&input);
}
