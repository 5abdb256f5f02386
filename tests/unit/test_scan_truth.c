#include "tests/unit/testing.h"

#include "core/random.h"
#include "oracle/results.h"
#include "tests/unit/made_input.h"

/* Of which the exact prefixes are kept; here written anew, so that a change there shows. */
enum { BLOCK_N = 1 << 14 };
static const uint64_t ns[] = {0, 1, 2, BLOCK_N - 1, BLOCK_N, BLOCK_N + 1, 2 * BLOCK_N + 1, 100001};
enum { NS_N = sizeof ns / sizeof ns[0] };

static const struct red_dtype *result_of(const struct red_input *input) {
    return red_op_result_dtype(input->op, input->dtype);
}

static bool is_real_sum(const struct red_input *input) {
    return !red_op_picks(input->op) && input->dtype->is_float;
}

static void copy_value(const struct red_dtype *from_type, const void *from, uint64_t at,
                       const struct red_dtype *to_type, void *to, uint64_t i) {
    if (to_type->is_float)
        to_type->put_real(to, i, from_type->get_real(from, at));
    else
        to_type->put_integer(to, i, from_type->get_integer(from, at));
}

/* Whether element `a` of one array is the lesser or, of a maximum, the greater: never of a NaN. */
static bool wins(const struct red_op *op, const struct red_dtype *dtype, const void *a, uint64_t at,
                 const void *b) {
    const bool least = op->does == RED_PICKS_LEAST;
    if (dtype->is_float) {
        const double x = dtype->get_real(a, at), y = dtype->get_real(b, 0);
        return least ? x < y : x > y;
    }
    if (dtype->kind == RED_SIGNED) {
        const int64_t x = (int64_t)dtype->get_integer(a, at), y = (int64_t)dtype->get_integer(b, 0);
        return least ? x < y : x > y;
    }
    const uint64_t x = dtype->get_integer(a, at), y = dtype->get_integer(b, 0);
    return least ? x < y : x > y;
}

static void store_identity(const struct red_input *input, void *extreme) {
    const bool least = input->op->does == RED_PICKS_LEAST;
    const unsigned bits = input->dtype->bits;
    const uint64_t top = UINT64_C(1) << (bits - 1), all = UINT64_MAX >> (64 - bits);
    if (input->dtype->is_float)
        input->dtype->put_real(extreme, 0, least ? (double)INFINITY : -(double)INFINITY);
    else if (input->dtype->kind == RED_SIGNED)
        input->dtype->put_integer(extreme, 0, least ? top - 1 : top);
    else
        input->dtype->put_integer(extreme, 0, least ? all : 0);
}

/* What the loop does with one element beside adding it. */
struct fault {
    uint64_t at;     /* UINT64_MAX: none */
    unsigned copies; /* of the element there: 0 lost, 2 doubled */
    bool shifted;    /* or the answer there is that of the element before */
};
static const struct fault none = {UINT64_MAX, 1, false};

/* The answers, element by element: floats rounded once from the exact sum. Release with free. */
static void *results_of(const struct red_input *input, uint64_t n, struct fault fault) {
    const struct red_dtype *dtype = input->dtype, *result = result_of(input);
    void *results = calloc((size_t)n + 1, 8);
    /* Sums of weights are whole and below 2^53; others take a tenth of a microsecond each. */
    const bool is_whole = input->data_kind.pattern == RED_PATTERN_WEIGHTS;
    struct red_exact real;
    struct red_value extreme = {.bits = 0};
    double whole = 0;
    uint64_t sum = 0;
    red_exact_reset(&real);
    store_identity(input, &extreme);
    for (uint64_t i = 0; i <= n; i++) {
        if (input->op->exclusive ? i < n : i > 0) { /* the answer that is known by now */
            const uint64_t to = input->op->exclusive ? i : i - 1;
            if (fault.shifted && to == fault.at && to > 0)
                copy_value(result, results, to - 1, result, results, to);
            else if (red_op_picks(input->op))
                copy_value(dtype, &extreme, 0, result, results, to);
            else if (dtype->is_float)
                result->put_real(results, to, is_whole ? whole : red_exact_value(&real));
            else
                result->put_integer(results, to, sum);
        }
        for (unsigned k = 0; i < n && k < (i == fault.at ? fault.copies : 1); k++) {
            if (red_op_picks(input->op)) {
                if (wins(input->op, dtype, input->arrays[0], i, &extreme))
                    copy_value(dtype, input->arrays[0], i, dtype, &extreme, 0);
            } else if (is_whole && dtype->is_float)
                whole += dtype->get_real(input->arrays[0], i);
            else if (dtype->is_float)
                red_exact_add(&real, dtype->get_real(input->arrays[0], i));
            else
                sum += dtype->get_integer(input->arrays[0], i);
        }
    }
    return results;
}

static struct red_results_truth *made_truth(const struct red_input *input, uint64_t n) {
    struct red_results_truth *truth;
    struct red_error error;
    assert_ok(red_results_truth_make(input, n, &truth, &error), &error);
    return truth;
}

/* The index of the first wrong result: n if all are right. */
static uint64_t first_wrong(const struct red_results_truth *truth, uint64_t n, double chain,
                            const void *results) {
    uint64_t which = UINT64_MAX;
    const struct red_correctness correctness = red_results_check(truth, chain, results, &which);
    assert_int_equal(correctness.right, which == n);
    return which;
}

static uint64_t first_difference(const struct red_input *input, uint64_t n, const void *a, const void *b) {
    const size_t bytes = result_of(input)->size_bytes;
    for (uint64_t i = 0; i < n; i++)
        if (memcmp((const char *)a + i * bytes, (const char *)b + i * bytes, bytes) != 0)
            return i;
    return n;
}

/* Calls the test with every scan of every type and every n, and another seed each; or with one of so many. */
static void for_each_input(enum red_pattern pattern, unsigned one_of,
                           void (*test)(const struct red_input *input)) {
    uint64_t seed = 1;
    for (size_t o = RED_REDUCTIONS_N; o < RED_REDUCTIONS_N + RED_SCANS_N; o++)
        for (size_t t = 0; t < red_dtypes_n; t++)
            for (size_t i = 0; i < NS_N; i++) {
                if (seed++ % one_of != 0)
                    continue;
                struct red_input input =
                    made_input(&red_ops[o], &red_dtypes[t], kind_of(pattern), ns[i], seed);
                test(&input);
                red_input_clear(&input);
            }
}

static void check_right_results(const struct red_input *input) {
    struct red_results_truth *truth = made_truth(input, input->n);
    void *results = results_of(input, input->n, none);
    assert_int_equal(first_wrong(truth, input->n, 1, results), input->n);
    for (uint64_t i = 0; i < input->n; i += 1 + i / 3) {
        struct red_truth element;
        red_results_truth_at(truth, i, &element);
        const struct red_value value = red_truth_value(&element);
        const size_t bytes = result_of(input)->size_bytes;
        assert_memory_equal(&value, (char *)results + i * bytes, bytes);
        assert_int_equal(element.n, input->op->exclusive ? i : i + 1);
        assert_ptr_equal(element.op, input->op->reduction);
    }
    /* A scan of fewer elements knows nothing of the rest. */
    struct red_results_truth *shorter = made_truth(input, input->n / 2);
    assert_int_equal(first_wrong(shorter, input->n / 2, 1, results), input->n / 2);
    red_results_truth_destroy(shorter);
    red_results_truth_destroy(truth);
    free(results);
}

static void right_results_are_right(void **state) {
    for_each_input(RED_PATTERN_WEIGHTS, 1, check_right_results);
    for_each_input(RED_PATTERN_UNIFORM, 3, check_right_results);
}

/* Stores the next value of the type in element i of an array: of floats one ulp off. */
static void spoil(const struct red_dtype *dtype, void *array, uint64_t i) {
    if (!dtype->is_float)
        dtype->put_integer(array, i, dtype->get_integer(array, i) + 1);
    else if (isinf(dtype->get_real(array, i)))
        dtype->put_real(array, i, 0);
    else
        red_rank_put(dtype, array, i, red_rank_of(dtype, array, i) + 1);
}

static void check_single_faults(const struct red_input *input) {
    const uint64_t n = input->n;
    const uint64_t places[] = {0,           1,     BLOCK_N - 1, BLOCK_N, BLOCK_N + 1, 2 * BLOCK_N - 1,
                               2 * BLOCK_N, n / 3, n - 2,       n - 1};
    struct red_results_truth *truth = made_truth(input, n);
    void *right = results_of(input, n, none);
    for (size_t p = 0; p < sizeof places / sizeof places[0]; p++) {
        const uint64_t at = places[p];
        if (at >= n || (p + input->seed) % 4 != 0) /* of each n and type some */
            continue;
        struct red_value kept = {.bits = 0};
        const size_t bytes = result_of(input)->size_bytes;
        memcpy(&kept, (char *)right + at * bytes, bytes);
        spoil(result_of(input), right, at);
        assert_int_equal(first_wrong(truth, n, 1, right), at);
        if (result_of(input)->is_float) {
            result_of(input)->put_real(right, at, (double)NAN);
            assert_int_equal(first_wrong(truth, n, 1e9, right), at);
        }
        memcpy((char *)right + at * bytes, &kept, bytes);
        const struct fault faults[] = {{at, 0, false}, {at, 2, false}, {at, 1, true}};
        for (size_t f = 0; f < 3; f++) {
            void *wrong = results_of(input, n, faults[f]);
            const uint64_t expected = first_difference(input, n, right, wrong);
            if (!red_op_picks(input->op)) /* weights are never 0 */
                assert_int_equal(expected, faults[f].shifted
                                               ? (at == 0 ? n : at)
                                               : (input->op->exclusive ? (at + 1 < n ? at + 1 : n) : at));
            assert_int_equal(first_wrong(truth, n, 1, wrong), expected);
            free(wrong);
        }
    }
    free(right);
    red_results_truth_destroy(truth);
}

static void each_fault_is_found_where_it_is(void **state) {
    for_each_input(RED_PATTERN_WEIGHTS, 3, check_single_faults);
}

/* Beyond exactness: a result may be off by the bound of its own prefix, and by no more. */
static void check_bounds(const struct red_input *input) {
    if (!is_real_sum(input))
        return;
    const double chain = 20;
    const uint64_t n = input->n, step = n / 7 + 1;
    const struct red_dtype *result = result_of(input);
    struct red_results_truth *truth = made_truth(input, n);
    void *results = results_of(input, n, none);
    for (uint64_t i = input->op->exclusive ? 1 : 0; i < n; i += step) {
        struct red_truth element;
        red_results_truth_at(truth, i, &element);
        const double exact = red_exact_value(&element.real),
                     bound = red_bound(chain, red_op_accumulator(input->op, input->dtype)->digits,
                                       element.absolute, fabs(exact));
        result->put_real(results, i, exact + 0.9 * bound);
        assert_int_equal(first_wrong(truth, n, chain, results), n);
        result->put_real(results, i, exact - 1.1 * bound);
        assert_int_equal(first_wrong(truth, n, chain, results), i);
        assert_int_equal(first_wrong(truth, n, 0x1p60, results), n); /* the lemma says nothing */
        result->put_real(results, i, (double)INFINITY);
        assert_int_equal(first_wrong(truth, n, 0x1p60, results), i);
        result->put_real(results, i, exact);
    }
    uint64_t which;
    const struct red_correctness all = red_results_check(truth, chain, results, &which);
    if (n > 1)
        assert_true(all.right && all.bound > 0 && all.error < all.bound);
    free(results);
    red_results_truth_destroy(truth);
}

/* Among right results that are off a bit, and among wrong ones, the worst is told, and the first wrong one.
 */
static void check_worst(const struct red_input *input) {
    if (!is_real_sum(input) || input->n < 40)
        return;
    const uint64_t n = input->n;
    struct red_results_truth *truth = made_truth(input, n);
    void *results = results_of(input, n, none);
    static const struct {
        double chain, shares[3];
        int first_wrong, worst;
    } rows[] = {{0x1p12, {0.2, 0.9, 0.4}, -1, 1},
                {0x1p12, {0.9, 0.4, 0.2}, -1, 0},
                {0x1p12, {0.4, 1.5, 2.5}, 1, 2},
                {0x1p12, {3.5, 0.4, 2}, 0, 0},
                {0x1p60, {1, 3, 2}, -1, 1}};
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++) {
        const uint64_t places[] = {n / 3, n / 3 + 1, n - 1};
        uint64_t which = 0;
        for (int i = 0; i < 3; i++) {
            struct red_truth element;
            red_results_truth_at(truth, places[i], &element);
            const double exact = red_exact_value(&element.real),
                         unit = red_bound(0x1p12, red_op_accumulator(input->op, input->dtype)->digits,
                                          element.absolute, fabs(exact));
            result_of(input)->put_real(results, places[i], exact + rows[r].shares[i] * unit);
        }
        const struct red_correctness worst = red_results_check(truth, rows[r].chain, results, &which);
        assert_int_equal(which, rows[r].first_wrong < 0 ? n : places[rows[r].first_wrong]);
        assert_int_equal(worst.place, places[rows[r].worst]);
        assert_true(worst.right == (rows[r].first_wrong < 0) && worst.error > 0);
        if (isfinite(worst.bound))
            assert_true(fabs(worst.share / rows[r].shares[rows[r].worst] - 1) < 0.02 &&
                        fabs(worst.error / worst.bound / worst.share - 1) < 1e-12);
    }
    free(results);
    red_results_truth_destroy(truth);
}

static void the_worst_of_all_is_told(void **state) {
    for_each_input(RED_PATTERN_UNIFORM, 1, check_worst);
}

static void bounds_are_those_of_each_prefix(void **state) {
    for_each_input(RED_PATTERN_UNIFORM, 1, check_bounds);
}

/* Beside uniform data such as cancel, where a sum in double is not exact. */
static void sums_that_cancel_are_compared_with_the_exact_one(void **state) {
    static const enum red_pattern patterns[] = {RED_PATTERN_CANCELLING, RED_PATTERN_WIDE, RED_PATTERN_HUGE,
                                                RED_PATTERN_CONDITION_12, RED_PATTERN_ONES};
    for (size_t p = 0; p < sizeof patterns / sizeof patterns[0]; p++)
        for (size_t t = 0; t < red_dtypes_n; t++) {
            if (!red_dtypes[t].is_float)
                continue;
            struct red_input input = made_input(red_op_find("inclusive_sum"), &red_dtypes[t],
                                                kind_of(patterns[p]), 3 * BLOCK_N + 17, p + t);
            check_right_results(&input);
            check_bounds(&input);
            red_input_clear(&input);
        }
}

static void check_update(const struct red_input *input) {
    const uint64_t n = input->n;
    uint64_t random = input->seed;
    if (n == 0)
        return;
    struct red_results_truth *truth = made_truth(input, n);
    for (int change = 0; change < 3; change++) {
        const uint64_t at = red_random(&random) % n;
        copy_value(input->dtype, input->arrays[0], red_random(&random) % n, input->dtype, input->arrays[0],
                   at);
        red_results_truth_update(truth, at, NULL);
        struct red_results_truth *anew = made_truth(input, n);
        for (uint64_t i = 0; i < n; i += 1 + n / 12) {
            struct red_truth a, b;
            red_results_truth_at(truth, i, &a);
            red_results_truth_at(anew, i, &b);
            const struct red_value x = red_truth_value(&a), y = red_truth_value(&b);
            assert_true(x.bits == y.bits && a.index == b.index && a.absolute == b.absolute);
        }
        red_results_truth_destroy(anew);
    }
    red_results_truth_update(truth, n, NULL); /* it is not one of them */
    void *results = results_of(input, n, none);
    assert_int_equal(first_wrong(truth, n, 1, results), n);
    free(results);
    red_results_truth_destroy(truth);
}

static void an_update_equals_a_new_truth(void **state) {
    for_each_input(RED_PATTERN_WEIGHTS, 5, check_update);
}

/* Special values, in the middle of a block and behind it. */
static void special_values_are_right_where_they_belong(void **state) {
    static const enum red_pattern patterns[] = {RED_PATTERN_NAN,        RED_PATTERN_INFINITY,
                                                RED_PATTERN_INFINITIES, RED_PATTERN_NEGATIVE_ZEROS,
                                                RED_PATTERN_ZEROS,      RED_PATTERN_DENORMALS};
    for (size_t p = 0; p < sizeof patterns / sizeof patterns[0]; p++)
        for (size_t o = RED_REDUCTIONS_N; o < RED_REDUCTIONS_N + RED_SCANS_N; o++)
            for (size_t t = 0; t < red_dtypes_n; t++)
                for (uint64_t n = 64; n < 3 * BLOCK_N && red_dtypes[t].is_float; n += 19343) {
                    if ((p + o + t + n / BLOCK_N) % 3 != 0)
                        continue;
                    struct red_input input =
                        made_input(&red_ops[o], &red_dtypes[t], kind_of(patterns[p]), n, n + o);
                    check_right_results(&input);
                    struct red_results_truth *truth = made_truth(&input, n);
                    void *results = results_of(&input, n, none);
                    const struct red_dtype *result = result_of(&input);
                    for (uint64_t i = 0; i < n; i += 1 + n / 4) {
                        const double right = result->get_real(results, i);
                        const double wrongs[] = {(double)NAN, (double)INFINITY, -(double)INFINITY, 12345};
                        for (size_t w = 0; w < 4; w++) {
                            result->put_real(results, i, wrongs[w]);
                            const bool same = wrongs[w] == right || (isnan(wrongs[w]) && isnan(right));
                            assert_int_equal(first_wrong(truth, n, 1, results), same ? n : i);
                        }
                        result->put_real(results, i, right);
                    }
                    free(results);
                    red_results_truth_destroy(truth);
                    red_input_clear(&input);
                }
}

/* Several threads, and a fault in the last block alone. */
static void many_elements_are_judged_by_all_threads(void **state) {
    const uint64_t n = RED_SEVERAL_THREADS_N + 5 * BLOCK_N + 3;
    static const char *const types[] = {"u8", "f32"};
    for (size_t t = 0; t < 2; t++) {
        struct red_input input = made_input(red_op_find("inclusive_sum"), red_dtype_find(types[t]),
                                            kind_of(RED_PATTERN_WEIGHTS), n, 7 + t);
        struct red_results_truth *truth = made_truth(&input, n);
        void *results = results_of(&input, n, none);
        assert_int_equal(first_wrong(truth, n, 1, results), n);
        spoil(result_of(&input), results, n - 1);
        assert_int_equal(first_wrong(truth, n, 1, results), n - 1);
        spoil(result_of(&input), results, n / 2 + 11);
        assert_int_equal(first_wrong(truth, n, 1, results), n / 2 + 11);
        free(results);
        red_results_truth_destroy(truth);
        red_input_clear(&input);
    }
}

/* ---- faults of carries, in a model of a scan by tiles ---- */

/* A sum modulo 2^64 or in double, which is exact for these data; or a rank, if there is any. */
struct prefix {
    uint64_t word;
    double real;
    bool any;
};

static struct prefix append(const struct red_op *op, struct prefix a, struct prefix b) {
    if (!red_op_picks(op))
        return (struct prefix){a.word + b.word, a.real + b.real, false};
    const bool b_wins = op->does == RED_PICKS_LEAST ? b.word < a.word : b.word > a.word;
    return !a.any || (b.any && b_wins) ? b : a;
}

static struct prefix prefix_of_element(const struct red_input *input, uint64_t i) {
    if (red_op_picks(input->op))
        return (struct prefix){red_rank_of(input->dtype, input->arrays[0], i), 0, true};
    if (input->dtype->is_float)
        return (struct prefix){0, input->dtype->get_real(input->arrays[0], i), false};
    return (struct prefix){input->dtype->get_integer(input->arrays[0], i), 0, false};
}

static void store_prefix(const struct red_input *input, struct prefix prefix, void *results, uint64_t i) {
    const struct red_dtype *result = result_of(input);
    if (!red_op_picks(input->op) && result->is_float)
        result->put_real(results, i, prefix.real);
    else if (!red_op_picks(input->op))
        result->put_integer(results, i, prefix.word);
    else if (prefix.any)
        red_rank_put(result, results, i, prefix.word);
    else {
        struct red_value identity = {.bits = 0};
        store_identity(input, &identity);
        copy_value(result, &identity, 0, result, results, i);
    }
}

/* What a tile takes for its carry, or does at its first element. */
enum carry_fault {
    SOUND,
    LOST,
    LOST_ONCE,
    TWICE,
    OF_TILE_BEFORE,
    AGGREGATE_ALONE,
    EDGE_COUNTS,
    CARRY_FAULTS_N
};

static void *tiled_results(const struct red_input *input, uint64_t tile_n, enum carry_fault fault) {
    const struct red_op *op = input->op;
    struct prefix carry = {.any = false}, older = carry, aggregate = carry;
    void *results = calloc((size_t)input->n + 1, 8);
    for (uint64_t begin = 0; begin < input->n; begin += tile_n) {
        const struct prefix empty = {.any = false};
        const bool is_last = begin + tile_n >= input->n;
        const struct prefix taken[CARRY_FAULTS_N] = {carry,
                                                     empty,
                                                     is_last ? empty : carry,
                                                     append(op, carry, begin > 0 ? aggregate : empty),
                                                     older,
                                                     aggregate,
                                                     carry};
        struct prefix prefix = taken[fault];
        older = carry;
        aggregate = empty;
        for (uint64_t i = begin; i < begin + tile_n && i < input->n; i++) {
            const struct prefix element = prefix_of_element(input, i), before = prefix;
            const bool counts = !op->exclusive != (fault == EDGE_COUNTS && i == begin);
            prefix = append(op, prefix, element);
            aggregate = append(op, aggregate, element);
            carry = append(op, carry, element);
            store_prefix(input, counts ? prefix : before, results, i);
        }
    }
    return results;
}

/* Whether all exact data pass the model with the fault. */
static bool passes_exact_data(const struct red_op *op, const struct red_dtype *dtype, uint64_t n,
                              uint64_t tile_n, uint64_t seed, enum carry_fault fault) {
    bool passes = true;
    for (unsigned k = 0; k < red_exact_data_kinds_n(op, dtype, n) && passes; k++) {
        struct red_input input = made_input(op, dtype, red_exact_data_kind(op, dtype, n, k), n, seed);
        struct red_results_truth *truth = made_truth(&input, n);
        void *results = tiled_results(&input, tile_n, fault);
        passes = first_wrong(truth, n, 0, results) == n;
        free(results);
        red_results_truth_destroy(truth);
        red_input_clear(&input);
    }
    return passes;
}

static void faults_of_carries_show_in_exact_data(void **state) {
    uint64_t random = 3;
    for (size_t o = RED_REDUCTIONS_N; o < RED_REDUCTIONS_N + RED_SCANS_N; o++)
        for (size_t t = 0; t < red_dtypes_n; t++)
            for (int i = 0; i < 12; i++) {
                const uint64_t tile_n = 1 + red_random(&random) % (UINT64_C(2) << i),
                               n = 3 * tile_n + 1 + red_random(&random) % (4 * tile_n) + 20,
                               seed = red_random(&random);
                for (int fault = SOUND; fault < CARRY_FAULTS_N; fault++) {
                    /* Twice the least is the least; of bytes the same few extremes come again and again. */
                    if (red_op_picks(&red_ops[o]) && fault == TWICE)
                        continue;
                    const bool passes = passes_exact_data(&red_ops[o], &red_dtypes[t], n, tile_n, seed,
                                                          (enum carry_fault)fault);
                    if (passes != (fault == SOUND))
                        print_error("%s of %s, fault %d, tiles of %llu, n %llu\n", red_ops[o].name,
                                    red_dtypes[t].name, fault, (unsigned long long)tile_n,
                                    (unsigned long long)n);
                    assert_int_equal(passes, fault == SOUND);
                }
            }
}

/* By hand. */
static double chain_of(enum red_span span, enum red_group group, enum red_finish_kind finish,
                       struct red_geometry geometry, uint64_t n) {
    const struct red_strategy strategy = {.span = span, .group = group, .finish = finish};
    return red_bound_chain(&strategy, red_dtype_find("f64"), red_op_find("inclusive_sum"), &geometry, n);
}

static void chains_go_up_and_down(void **state) {
    const struct red_geometry one = {.group_size = 1, .groups_n = 1, .item_n = 1000, .lanes = 1},
                              each = {.group_size = 64, .groups_n = 10, .item_n = 4, .lanes = 4},
                              few = {.group_size = 64, .groups_n = 2, .item_n = 1000, .lanes = 4},
                              pieces = {.group_size = 4, .groups_n = 2, .item_n = 125, .lanes = 8};
    assert_true(chain_of(RED_STRATEGY_ONE, RED_STRATEGY_NONE, RED_STRATEGY_HOST, one, 1000) == 999);
    assert_true(chain_of(RED_STRATEGY_EACH, RED_STRATEGY_TREE, RED_STRATEGY_HOST, each, 2560) ==
                3 + 2 * 6 + 9 + 2);
    assert_true(chain_of(RED_STRATEGY_EACH, RED_STRATEGY_BUILT_IN, RED_STRATEGY_HOST, each, 2560) ==
                3 + 2 * 63 + 9 + 2);
    assert_true(chain_of(RED_STRATEGY_STRIDE, RED_STRATEGY_TREE, RED_STRATEGY_LAST_GROUP, few, 25601) ==
                3 + 2 * 6 + 100 + 2);
    assert_true(chain_of(RED_STRATEGY_CHUNK, RED_STRATEGY_NONE, RED_STRATEGY_LAST_GROUP, pieces, 1000) ==
                124 + 0 + 7 + 2);
}
