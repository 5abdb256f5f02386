#include "tests/unit/testing.h"

#include "core/random.h"
#include "model/input.h"
#include "model/primitive.h"
#include "tests/unit/made_input.h"

static struct red_input make(const char *type, const char *op, enum red_pattern pattern, unsigned part,
                             uint64_t n, uint64_t seed) {
    return made_input(red_op_find(op), red_dtype_find(type), (struct red_data_kind){pattern, part}, n, seed);
}

static double term(const struct red_input *input, uint64_t i) {
    double x = input->dtype->get_real(input->arrays[0], i);
    return input->op->term == RED_TERM_PRODUCT  ? x * input->dtype->get_real(input->arrays[1], i)
           : input->op->term == RED_TERM_SQUARE ? x * x
                                                : x;
}

/* The exact tier stands on this: whatever the order, no partial sum leaves the integers a float counts, since
 * neither all positive nor all negative terms do. */
static void exact_patterns_are_exact(void **state) {
    static const uint64_t sizes[] = {1,       2,        3,        1000,    400000, 1 << 20, (1 << 20) + 1,
                                     1 << 23, 14000000, 17039361, 25000000};
    static const char *const ops[] = {"sum", "dot", "sumsq"};
    for (size_t s = 0; s < 3 * (sizeof sizes / sizeof sizes[0]); s++)
        for (unsigned key = 0; key < 2; key++) {
            const struct red_dtype *dtype = red_dtype_find(s % 5 == 4 ? "f16" : "f32");
            const struct red_op *op = red_op_find(ops[s % 3]);
            const struct red_data_kind data_kind = red_exact_data_kind(op, dtype, sizes[s / 3], key);
            struct red_input input =
                make(dtype->name, op->name, data_kind.pattern, data_kind.part, sizes[s / 3], 3);
            double above = 0, below = 0;
            int whole = 1;
            for (uint64_t i = 0; i < input.n; i++) {
                double value = term(&input, i);
                *(value > 0 ? &above : &below) += value;
                whole &= value == floor(value);
            }
            assert_true(whole && above <= 0x1p24 && below >= -0x1p24);
            /* Of three elements one part may have none. */
            assert_true(above - below > 0 || (data_kind.pattern == RED_PATTERN_PART && input.n <= 3));
            red_input_clear(&input);
        }
}

static void every_element_is_one_in_exactly_one_part(void **state) {
    const uint64_t n = (UINT64_C(1) << 24) + (1 << 18) + 1;
    const unsigned parts_n = red_data_kind_parts_n(red_op_find("sum"), red_dtype_find("f32"), n);
    unsigned char *count = calloc(n, 1);
    assert_true(parts_n == 2 && count != NULL);
    for (unsigned part = 0; part < parts_n; part++) {
        struct red_input input = make("f32", "sum", RED_PATTERN_PART, part, n, 5);
        for (uint64_t i = 0; i < n; i++)
            count[i] = (unsigned char)(count[i] + (term(&input, i) == 1));
        red_input_clear(&input);
    }
    int all = 1;
    for (uint64_t i = 0; i < n; i++)
        all &= count[i] == 1;
    assert_true(all);
    free(count);
}

/* Up to the largest n of the grid: lost, doubled, or taken from a power of two away, an element shows. */
static void weights_tell_elements_apart(void **state) {
    for (size_t t = 0; t < red_dtypes_n; t++)
        for (unsigned dot = 0; dot < 2; dot++) {
            uint64_t n = strcmp(red_dtypes[t].name, "f32") == 0 ? 17039361 : 1 << 16;
            struct red_input input =
                make(red_dtypes[t].name, dot ? "dot" : "sum", RED_PATTERN_WEIGHTS, 0, n, t);
            const struct red_dtype *dtype = input.dtype;
            int differ = 1;
            for (uint64_t i = 0; i < n; i++) {
                uint64_t of_i = dtype->is_float ? (uint64_t)fabs(term(&input, i))
                                                : dtype->get_integer(input.arrays[0], i);
                differ &= of_i != 0;
                for (uint64_t away = 1; away <= i && i % 1000 < 3; away *= 2)
                    differ &= term(&input, i) != term(&input, i - away) || dtype->digits == 64;
            }
            assert_true(differ);
            red_input_clear(&input);
        }
}

static void the_seed_decides(void **state) {
    struct red_input a = make("f64", "dot", RED_PATTERN_UNIFORM, 0, 1000, 1),
                     b = make("f64", "dot", RED_PATTERN_UNIFORM, 0, 1000, 1),
                     c = make("f64", "dot", RED_PATTERN_UNIFORM, 0, 1000, 2);
    assert_memory_equal(a.arrays[0], b.arrays[0], a.array_bytes);
    assert_memory_equal(a.arrays[1], b.arrays[1], a.array_bytes);
    assert_memory_not_equal(a.arrays[0], c.arrays[0], a.array_bytes);
    assert_memory_not_equal(a.arrays[0], a.arrays[1], a.array_bytes);
    red_input_clear(&a);
    red_input_clear(&b);
    red_input_clear(&c);
}

/* sum of |terms| / |sum| is what the name says; without rounding, in the type's own values. */
static void conditions_are_those_of_their_names(void **state) {
    static const struct {
        enum red_pattern pattern;
        double condition;
    } rows[] = {
        {RED_PATTERN_CONDITION_4, 1e4}, {RED_PATTERN_CONDITION_8, 1e8}, {RED_PATTERN_CONDITION_12, 1e12}};
    for (size_t t = 0; t < 2; t++)
        for (size_t r = 0; r < 3; r++) {
            struct red_input input = make(t ? "f64" : "f32", "dot", rows[r].pattern, 0, 64000, 7);
            double absolute = 0, left = 0;
            for (uint64_t i = 0; i < input.n; i++) {
                absolute += fabs(term(&input, i));
                left += i % 64 == 62 ? term(&input, i) : 0;
                if (i % 64 < 62 && i % 2)
                    assert_true(term(&input, i) == -term(&input, i - 1));
            }
            assert_near(absolute / left / rows[r].condition, 1, 0.02);
            red_input_clear(&input);
        }
}

static bool wins(const struct red_input *input, uint64_t a, uint64_t b) {
    const struct red_dtype *dtype = input->dtype;
    bool least = input->op->does == RED_PICKS_LEAST;
    if (dtype->is_float) {
        double x = dtype->get_real(input->arrays[0], a), y = dtype->get_real(input->arrays[0], b);
        return least ? x < y : x > y;
    }
    uint64_t flip = dtype->kind == RED_SIGNED ? UINT64_C(1) << 63 : 0;
    uint64_t x = dtype->get_integer(input->arrays[0], a) ^ flip,
             y = dtype->get_integer(input->arrays[0], b) ^ flip;
    return least ? x < y : x > y;
}

/* One value wins, among some that differ in the last bit: in one set of data all have its sign. */
static void one_value_wins_closely(void **state) {
    for (size_t row = 0; row < red_dtypes_n * 4 * 20; row++) {
        const char *const op = row % 2 ? "max" : "argmin";
        const enum red_pattern pattern = row % 4 < 2 ? RED_PATTERN_CLOSE_ABOVE : RED_PATTERN_CLOSE_BELOW;
        struct red_input input = make(red_dtypes[row / 80].name, op, pattern, 0, 500, row / 4 % 20);
        const struct red_dtype *dtype = input.dtype;
        uint64_t best = 0, beaten_n = 0, near_n = 0, signs_n[2] = {0, 0};
        for (uint64_t i = 0; i < input.n; i++)
            best = wins(&input, i, best) ? i : best;
        double value = dtype->get_real(input.arrays[0], best);
        for (uint64_t i = 0; i < input.n; i++) {
            double x = dtype->get_real(input.arrays[0], i);
            beaten_n += wins(&input, best, i);
            near_n += dtype->is_float ? i != best && (float)x == (float)value : 0;
            signs_n[dtype->kind == RED_UNSIGNED ? x >= ldexp(0.5, (int)dtype->bits) : x >= 0]++;
            assert_true(isfinite(x));
        }
        assert_int_equal(beaten_n, input.n - 1);
        bool mixed = (pattern == RED_PATTERN_CLOSE_ABOVE) == (row % 2 == 1);
        assert_true(mixed == (signs_n[0] > 50 && signs_n[1] > 50));
        assert_true(pattern == RED_PATTERN_CLOSE_ABOVE ? signs_n[1] > 200 : signs_n[0] > 200);
        assert_true(dtype->digits != 53 || ((mixed || near_n > 100) && (float)value != value));
        assert_true(dtype->digits != 53 || (mixed == !isfinite((double)(float)value)));
        red_input_clear(&input);
    }
}

/* Keys that a primitive has beside those of all: two parts, walk and islands; all of histograms. */
static const struct own_keys {
    int all_n, extremes_n, floats_n, integers_n;
} own_keys[RED_PRIMITIVES_N] = {[RED_PRIMITIVE_REDUCE] = {.floats_n = 2},
                                [RED_PRIMITIVE_SCAN] = {.extremes_n = 3, .floats_n = 2, .integers_n = 1},
                                [RED_PRIMITIVE_HISTOGRAM] = {.all_n = 7}};

/* All keys fit, are exact, and are there once. */
static void keys_are_exact_and_fit(void **state) {
    for (size_t t = 0; t < red_dtypes_n; t++)
        for (size_t o = 0; o < red_ops_n; o++) {
            const struct red_op *op = &red_ops[o];
            const struct red_dtype *dtype = &red_dtypes[t];
            unsigned keys_n = red_exact_data_kinds_n(op, dtype, 1000);
            bool sums = !red_op_picks(op);
            const struct own_keys *own = &own_keys[op->primitive];
            assert_int_equal(keys_n, own->all_n > 0 ? own->all_n
                                     : !sums        ? 4 + own->extremes_n
                                     : op->does != RED_ADDS
                                         ? (op->integers_only && dtype->is_float ? 0 : 2 + dtype->is_float)
                                     : dtype->is_float
                                         ? 3 + own->floats_n
                                         : (dtype->kind == RED_SIGNED ? 4 : 3) + own->integers_n);
            for (unsigned i = 0; i < keys_n; i++) {
                struct red_data_kind data_kind = red_exact_data_kind(op, dtype, 1000, i),
                                     next = red_exact_data_kind(op, dtype, 1000, i + 1);
                assert_true(red_pattern_fits(data_kind.pattern, op, dtype) &&
                            red_data_kind_is_exact(data_kind, op, dtype));
                assert_true(i + 1 == keys_n || next.pattern > data_kind.pattern ||
                            next.part == data_kind.part + 1);
            }
        }
}

/* The data of reductions, by their checksums: files of verify name them, and a seed must make them again. */
static void data_of_reductions_stay_as_they_are(void **state) {
    static const uint64_t sizes[] = {1, 17, 1000, 5000};
    uint64_t hashes[2] = {RED_HASH, RED_HASH}; /* of sums and extremes; of all others */
    for (size_t o = 0; o < RED_REDUCTIONS_N; o++)
        for (size_t t = 0; t < red_dtypes_n; t++)
            for (int p = 0; p < RED_PATTERNS_N && (red_primitive_types(RED_PRIMITIVE_REDUCE) >> t & 1); p++)
                for (size_t s = 0;
                     s < 4 && red_pattern_fits((enum red_pattern)p, &red_ops[o], &red_dtypes[t]); s++) {
                    struct red_input input =
                        made_input(&red_ops[o], &red_dtypes[t], kind_of((enum red_pattern)p), sizes[s], 7);
                    uint64_t *hash = &hashes[red_ops[o].does != RED_ADDS && !red_op_picks(&red_ops[o])];
                    *hash = red_hash_text(*hash, red_pattern_name((enum red_pattern)p));
                    *hash = red_hash_add(*hash, input.checksum);
                    red_input_clear(&input);
                }
    assert_true(hashes[0] == UINT64_C(0xc3396559f699a7db));
    assert_true(hashes[1] == UINT64_C(0xb37c4f4b03f6b251));
}

/* Of signed integers, of which kernels may take one for none, 0, -1 and the best of all win in turn; of
 * unsigned ones a small one and the best. */
static void each_integer_that_may_be_taken_for_none_wins(void **state) {
    static const char *const ops[] = {"max", "argmin", "inclusive_min", "exclusive_max"};
    for (size_t t = 0; t < red_dtypes_n; t++)
        for (size_t o = 0; o < 4 && !red_dtypes[t].is_float; o++)
            for (uint64_t turn = 0, seed = seed_of_run(), seen = 0; turn < 3; turn++) {
                struct red_input input =
                    make(red_dtypes[t].name, ops[o], RED_PATTERN_WEIGHTS, 0, 3000 + turn, seed);
                const bool is_max = input.op->does == RED_PICKS_GREATEST;
                uint64_t rank = red_rank_of(input.dtype, input.arrays[0], 0);
                for (uint64_t i = 1; i < input.n; i++) {
                    const uint64_t other = red_rank_of(input.dtype, input.arrays[0], i);
                    rank = (other > rank) == is_max ? other : rank;
                }
                const bool is_signed = input.dtype->kind == RED_SIGNED;
                const uint64_t small = is_max ? 127 : 1, value = red_rank_integer(input.dtype, rank),
                               wins[] = {
                                   is_signed ? 0 : small, is_signed ? UINT64_MAX : small,
                                   red_rank_integer(input.dtype, is_max ? red_rank_max(input.dtype) : 0)};
                for (unsigned i = 0; i < 3; i++)
                    seen |= (uint64_t)(value == wins[i]) << i;
                if (turn == 2 && seen != 7)
                    fail_msg("%s %s, seed %llu: %llx", ops[o], input.dtype->name, (unsigned long long)seed,
                             (unsigned long long)seen);
                red_input_clear(&input);
            }
}

/* A denormal below 0 that is lost shows where it is the least. */
static void denormals_of_extremes_have_both_signs(void **state) {
    static const char *const types[] = {"f16", "f32", "f64"}, *const ops[] = {"max", "argmin"};
    for (size_t k = 0; k < 6; k++) {
        struct red_input input = make(types[k / 2], ops[k % 2], RED_PATTERN_DENORMALS, 0, 200, seed_of_run());
        size_t below_n = 0;
        for (uint64_t i = 0; i < input.n; i++) {
            assert_true(input.dtype->get_real(input.arrays[0], i) != 0);
            below_n += input.dtype->get_real(input.arrays[0], i) < 0;
        }
        assert_in_range(below_n, 50, 150);
        red_input_clear(&input);
    }
}

/* Of scans: sums and ranks of random sizes, and of one that several threads make. */
static void for_each_scan_input(const char *op, enum red_pattern pattern,
                                void (*test)(const struct red_input *input)) {
    uint64_t random = 5;
    for (size_t t = 0; t < red_dtypes_n; t++)
        for (int i = 0; i < 12; i++) {
            const uint64_t n = i == 0 ? RED_SEVERAL_THREADS_N + 77
                                      : 1 + red_random(&random) % (UINT64_C(1) << 2 * (unsigned)i % 18);
            if (!red_pattern_fits(pattern, red_op_find(op), &red_dtypes[t]))
                continue;
            struct red_input input = make(red_dtypes[t].name, op, pattern, 0, n, red_random(&random));
            test(&input);
            red_input_clear(&input);
        }
}

/* Each prefix is whole and small, and so is each range; each element is what is between two of them. */
static void check_walk(const struct red_input *input) {
    const double height = input->dtype->digits > 24 ? 0x1p30 : 0x1p11;
    double sum = 0;
    uint64_t zeros_n = 0;
    for (uint64_t i = 0; i < input->n; i++) {
        const double x = input->dtype->get_real(input->arrays[0], i);
        sum += x;
        zeros_n += x == 0;
        assert_true(sum >= 0 && sum < height && x == floor(x));
    }
    assert_true(zeros_n <= input->n / 100 + 1);
}

static void walks_stay_near_zero(void **state) {
    for_each_scan_input("inclusive_sum", RED_PATTERN_WALK, check_walk);
}

/* Runs of nothing, and of all kinds of something; lanes of any stride have exact sums, too. */
static void check_islands(const struct red_input *input) {
    const struct red_dtype *dtype = input->dtype;
    uint64_t zeros_n = 0, longest = 0, here = 0;
    double lanes[16] = {0}, greatest = 0;
    for (uint64_t i = 0; i < input->n; i++) {
        const uint64_t word = dtype->is_float ? dtype->get_real(input->arrays[0], i) != 0
                                              : dtype->get_integer(input->arrays[0], i);
        here = word == 0 ? here + 1 : 0;
        zeros_n += word == 0;
        longest = here > longest ? here : longest;
        if (dtype->is_float) {
            lanes[i % 16] += dtype->get_real(input->arrays[0], i);
            greatest = fmax(greatest, fabs(lanes[i % 16]));
        }
    }
    assert_true(greatest < 0x1p20);
    if (input->n > RED_SEVERAL_THREADS_N)
        assert_true(longest > 1000 && zeros_n > input->n / 4 && zeros_n < input->n);
}

static void islands_lie_between_zeros(void **state) {
    for_each_scan_input("exclusive_sum", RED_PATTERN_ISLANDS, check_islands);
}

/* Rank of an element, counted from the worst value on. */
static uint64_t rank_at(const struct red_input *input, uint64_t i) {
    const uint64_t rank = red_rank_of(input->dtype, input->arrays[0], i);
    return input->op->does == RED_PICKS_GREATEST ? rank : red_rank_max(input->dtype) - rank;
}

static bool is_denormal(const struct red_input *input, uint64_t i) {
    const struct red_dtype *dtype = input->dtype;
    const int normal = dtype->digits > 24 ? -1022 : dtype->digits > 11 ? -126 : -14;
    const double x = dtype->is_float ? dtype->get_real(input->arrays[0], i) : 0;
    return x != 0 && fabs(x) < ldexp(1, normal);
}

/* Every element is a record, if the type has as many values on that side of zero; otherwise there are as many
 * as it has. */
static void check_rising(const struct red_input *input) {
    const struct red_dtype *dtype = input->dtype;
    const uint64_t half = red_rank_middle(dtype) - (dtype->is_float ? UINT64_C(1) << (dtype->digits - 1) : 0);
    uint64_t records_n = 1;
    for (uint64_t i = 1; i < input->n; i++) {
        assert_true(rank_at(input, i) >= rank_at(input, i - 1));
        records_n += rank_at(input, i) > rank_at(input, i - 1);
        assert_true(rank_at(input, i) <= half && !is_denormal(input, i));
        if (dtype->digits == 53 && i % 1000 == 1) /* but where an exponent ends */
            assert_true(fabs(dtype->get_real(input->arrays[0], i) / dtype->get_real(input->arrays[0], i - 1) -
                             1) < 1e-15);
    }
    assert_true(records_n == input->n || records_n > half - 2);
}

static void check_falling(const struct red_input *input) {
    for (uint64_t i = 1; i < input->n; i++)
        assert_true(rank_at(input, i) <= rank_at(input, i - 1) && !is_denormal(input, i));
    assert_true(input->n < 2 || rank_at(input, input->n - 1) < rank_at(input, 0));
    assert_true(rank_at(input, 0) > red_rank_max(input->dtype) / 5 * 4);
}

/* Records at multiples of powers of two, at the ends of runs and elsewhere; none for a while, too. */
static void check_saw(const struct red_input *input) {
    uint64_t best = rank_at(input, 0), best_at = 0, longest = 0, at_even_n = 0, at_odd_n = 0, near_n = 0;
    for (uint64_t i = 1; i < input->n; i++) {
        const uint64_t rank = rank_at(input, i);
        assert_true(!is_denormal(input, i));
        near_n += rank < best && best - rank < red_rank_max(input->dtype) / 16;
        if (rank <= best)
            continue;
        longest = i - best_at > longest ? i - best_at : longest;
        best = rank;
        best_at = i;
        *(i % 16 == 0 ? &at_even_n : &at_odd_n) += 1;
    }
    if (input->n > RED_SEVERAL_THREADS_N) {
        assert_true(longest > 1000 && near_n > input->n / 50);
        assert_true(input->dtype->bits == 8 ? at_even_n + at_odd_n > 20 : at_even_n > 10 && at_odd_n > 50);
    }
}

static void extremes_of_scans_are_set_again_and_again(void **state) {
    static const char *const ops[] = {"inclusive_max", "exclusive_min"};
    for (int o = 0; o < 2; o++) {
        for_each_scan_input(ops[o], RED_PATTERN_RISING, check_rising);
        for_each_scan_input(ops[o], RED_PATTERN_FALLING, check_falling);
        for_each_scan_input(ops[o], RED_PATTERN_SAW, check_saw);
    }
}

/* What lies behind the end would change the answer if it were taken for data, but where the type's best value
 * is among them. */
static void poison_would_win(void **state) {
    for (size_t t = 0; t < red_dtypes_n; t++)
        for (size_t o = 0; o < red_ops_n; o++) {
            if (!(red_primitive_types(red_ops[o].primitive) >> t & 1) ||
                !red_op_has_type(&red_ops[o], &red_dtypes[t]))
                continue;
            struct red_input input =
                made_input(&red_ops[o], &red_dtypes[t],
                           red_exact_data_kind(&red_ops[o], &red_dtypes[t], 100, 0), 100, 2 + o % 2);
            double behind = input.dtype->get_real(input.arrays[0], 100);
            for (uint64_t i = 0; i < 100 && red_op_picks(&red_ops[o]); i++)
                assert_true(red_ops[o].does == RED_PICKS_LEAST ? behind <= term(&input, i)
                                                               : behind >= term(&input, i));
            const bool zero_wins = red_ops[o].does == RED_MULTIPLIES || red_ops[o].does == RED_ANDS;
            assert_true(red_op_picks(&red_ops[o]) || (behind == 0) == (zero_wins && !red_dtypes[t].is_float));
            red_input_clear(&input);
        }
}

static void poison_follows_the_last_element(void **state) {
    static const uint64_t sizes[] = {0, 1, 1023, 1024, 5000};
    for (size_t s = 0; s < 5; s++) {
        struct red_input input = make("f32", "sum", RED_PATTERN_UNIFORM, 0, sizes[s], 1);
        const unsigned char *bytes = input.arrays[0];
        assert_true(input.array_bytes >= 4 * sizes[s] + 256 && input.array_bytes % 4096 == 0);
        assert_true((uintptr_t)bytes % 4096 == 0);
        for (size_t i = 4 * sizes[s]; i < input.array_bytes; i++)
            assert_int_equal(bytes[i], 0xff);
        red_input_clear(&input);
    }
}

static void the_checksum_sees_any_change(void **state) {
    struct red_input input = make("f32", "dot", RED_PATTERN_UNIFORM, 0, 3000, 1);
    uint64_t before = red_input_compute_checksum(&input);
    for (size_t i = 0; i < input.array_bytes; i += 997) {
        unsigned char *byte = (unsigned char *)input.arrays[i % 2] + i;
        *byte ^= 1;
        assert_true(red_input_compute_checksum(&input) != before);
        *byte ^= 1;
    }
    assert_true(red_input_compute_checksum(&input) == before);
    red_input_clear(&input);
}

/* What kernels do in place: signs in pairs, an exchange of two values far apart, an exchange of the arrays.
 */
static void the_checksum_sees_regular_changes(void **state) {
    struct red_input input = make("f64", "dot", RED_PATTERN_WIDE, 0, 5000, 1);
    double *x = input.arrays[0];
    assert_true(red_input_compute_checksum(&input) == input.checksum);
    for (uint64_t i = 0; i < 4096; i++)
        x[i] = -x[i];
    assert_true(red_input_compute_checksum(&input) != input.checksum);
    red_input_fill(&input);
    assert_true(red_input_compute_checksum(&input) == input.checksum);
    x[0] = 1, x[2048] = 2;
    uint64_t before = red_input_compute_checksum(&input);
    x[0] = 2, x[2048] = 1;
    assert_true(red_input_compute_checksum(&input) != before);
    red_input_fill(&input);
    void *first = input.arrays[0];
    input.arrays[0] = input.arrays[1];
    input.arrays[1] = first;
    assert_true(red_input_compute_checksum(&input) != input.checksum);
    red_input_clear(&input);
}

/* Data that reductions lack: test_input_histogram.c has those of histograms. */
static bool is_of_reductions(int pattern) {
#define PRIMITIVES(id, name, exact, floats_only, primitives) primitives,
    static const unsigned all[] = {RED_PATTERNS(PRIMITIVES)};
#undef PRIMITIVES
    return (all[pattern] & RED_OF_REDUCTIONS) != 0;
}

static void a_restored_input_is_as_it_was_made(void **state) {
    for (size_t t = 0; t < red_dtypes_n; t++)
        for (int pattern = 0; pattern < RED_PATTERNS_N; pattern++) {
            bool of_extremes = pattern == RED_PATTERN_CLOSE_ABOVE || pattern == RED_PATTERN_CLOSE_BELOW;
            if (!is_of_reductions(pattern))
                continue;
            struct red_input input = make(red_dtypes[t].name, of_extremes ? "argmin" : "dot",
                                          (enum red_pattern)pattern, 0, 1000, 3);
            memset(input.arrays[0], 0x55, input.array_bytes);
            memset((char *)input.arrays[input.arrays_n - 1] + input.array_bytes - 1, 0x44, 1);
            red_input_fill(&input);
            assert_true(red_input_compute_checksum(&input) == input.checksum);
            red_input_clear(&input);
        }
}

/* Names of data say nothing to who reads evidence for the first time. */
static void every_kind_of_data_has_words(void **state) {
    for (int pattern = 0; pattern < RED_PATTERNS_N; pattern++) {
        const char *words = red_data_words(red_pattern_name((enum red_pattern)pattern));
        if (words == NULL || words[0] == '\0' || strlen(words) > 72)
            fail_msg("%s: '%s'", red_pattern_name((enum red_pattern)pattern), words ? words : "none");
    }
    assert_string_equal(red_data_words("part 3 of 17"), red_data_words("part"));
    assert_string_not_equal(red_data_words("close above"), red_data_words("close below"));
    assert_string_not_equal(red_data_words("infinities"), red_data_words("infinity"));
    assert_string_equal(red_data_words("-0 and +0"), "zeros of both signs");
    assert_string_equal(red_data_words("parts"), "");
    assert_string_equal(red_data_words("weights of somebody else"), "");
    assert_string_equal(red_data_words(""), "");
}

static void absurd_sizes_are_refused(void **state) {
    struct red_input input;
    struct red_error error;
    const struct red_data_kind data_kind = {RED_PATTERN_WEIGHTS, 0};
    assert_int_equal(red_input_array_bytes(red_dtype_find("f64"), UINT64_MAX), 0);
    const struct red_data_spec spec =
        red_data_spec_make(red_op_find("dot"), red_dtype_find("f64"), data_kind, UINT64_C(1) << 62, 1);
    assert_int_equal(red_input_make(&spec, &input, &error), RED_E_MEMORY);
    assert_has(error.text, "--n");
}
