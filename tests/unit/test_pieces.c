#include "tests/unit/testing.h"

#include "core/random.h"
#include "host/reference.h"
#include "model/case.h"
#include "oracle/change.h"
#include "oracle/truth.h"

/* Arrays that are spread over pieces, each made alone. Operations, types, data kinds, sizes and splits are
 * drawn from a seed, which is another one at each run: SEED=N does the same again. */
static uint64_t drawn;

static int draw_seed(void **state) {
    drawn = seed_of_run();
    return 0;
}
#define SET_UP    draw_seed
#define TEAR_DOWN NULL

enum { PIECES_MAX = 9 };

/* An array as a whole, and as pieces: piece p holds the elements from begins[p] up to begins[p + 1]. */
struct spread {
    struct red_data_spec spec;
    struct red_input whole, pieces[PIECES_MAX];
    uint64_t begins[PIECES_MAX + 1];
    unsigned pieces_n;
};

static struct red_input made(const struct red_data_spec *spec) {
    struct red_input input;
    struct red_error error;
    assert_ok(red_input_make(spec, &input, &error), &error);
    return input;
}

/* Borders anywhere, many of them beside another one: pieces without an element and with one. */
static void draw_begins(struct spread *spread) {
    const uint64_t n = spread->spec.n;
    spread->pieces_n = 1 + (unsigned)(red_random(&drawn) % PIECES_MAX);
    spread->begins[0] = 0;
    spread->begins[spread->pieces_n] = n;
    for (unsigned p = 1; p < spread->pieces_n; p++) {
        const uint64_t h = red_random(&drawn), before = spread->begins[p - 1], left_n = n - before;
        spread->begins[p] = h % 4 == 0                 ? before
                            : h % 4 == 1 && left_n > 0 ? before + 1
                                                       : before + (h >> 8) % (left_n + 1);
    }
}

static struct spread made_spread(const struct red_data_spec *spec) {
    struct spread spread = {.spec = *spec, .whole = made(spec)};
    draw_begins(&spread);
    for (unsigned p = 0; p < spread.pieces_n; p++) {
        struct red_data_spec piece = *spec;
        piece.whole_n = spec->n;
        piece.first = spread.begins[p];
        piece.n = spread.begins[p + 1] - piece.first;
        assert_false(red_data_is_same(&piece, spec));
        spread.pieces[p] = made(&piece);
    }
    return spread;
}

static void clear(struct spread *spread) {
    red_input_clear(&spread->whole);
    for (unsigned p = 0; p < spread->pieces_n; p++)
        red_input_clear(&spread->pieces[p]);
}

/* Calls the test with each pattern of each reduction and type, at a size that is drawn. */
static void for_each_data(uint64_t n_max, void (*test)(const struct red_data_spec *spec)) {
    for (size_t o = 0; o < RED_REDUCTIONS_N; o++)
        for (size_t t = 0; t < red_dtypes_n; t++)
            for (int pattern = 0; pattern < RED_PATTERNS_N && red_op_has_type(&red_ops[o], &red_dtypes[t]);
                 pattern++) {
                const bool is_special = red_pattern_is_special((enum red_pattern)pattern);
                const uint64_t h = red_random(&drawn),
                               n = (is_special ? RED_SPECIAL_N_MIN : 1) + h % (h % 3 == 0 ? 40 : n_max);
                struct red_data_spec spec = {.op = &red_ops[o],
                                             .dtype = &red_dtypes[t],
                                             .data_kind = {.pattern = (enum red_pattern)pattern},
                                             .n = n,
                                             .segments_n = 1,
                                             .seed = red_random(&drawn)};
                if (!red_pattern_fits(spec.data_kind.pattern, spec.op, spec.dtype))
                    continue;
                if (pattern == RED_PATTERN_PART)
                    spec.data_kind.part = (unsigned)(h >> 32) % red_data_kind_parts_n(spec.op, spec.dtype, n);
                test(&spec);
            }
}

/* ---- data ---------------------------------------------------------------------------------------------- */

static void check_bytes(const struct red_data_spec *spec) {
    struct spread spread = made_spread(spec);
    const size_t bytes = spec->dtype->size_bytes;
    const unsigned char poison = red_op_elements_poison_byte(spec->op, spec->dtype);
    for (unsigned p = 0; p < spread.pieces_n; p++) {
        const struct red_input *piece = &spread.pieces[p];
        assert_int_equal(piece->checksum, red_input_compute_checksum(piece));
        assert_int_equal(piece->arrays_n, spec->op->arrays);
        for (unsigned a = 0; a < piece->arrays_n; a++) {
            const unsigned char *from = spread.whole.arrays[a], *found = piece->arrays[a];
            const size_t used = (size_t)piece->n * bytes;
            assert_memory_equal(found, from + spread.begins[p] * bytes, used);
            assert_true(used < piece->array_bytes);
            for (size_t i = used; i < piece->array_bytes; i++)
                assert_int_equal(found[i], poison);
        }
    }
    clear(&spread);
}

static void pieces_are_the_bytes_of_the_whole(void **state) {
    for_each_data(20000, check_bytes);
}

/* Beyond 2^20 elements the winner of close data stands elsewhere, and several threads make the data; where
 * there are 2^24 weights of floats are smaller, and 'part' has more parts. */
static void pieces_of_many_elements_are_those_of_the_whole(void **state) {
    static const char *const ops[] = {"sum", "dot", "max", "argmin"};
    for (size_t o = 0; o < 4; o++) {
        const struct red_op *op = red_op_find(ops[o]);
        const struct red_dtype *dtype = red_dtype_find(o % 2 ? "f32" : "u16");
        const uint64_t whole_n = (UINT64_C(1) << (24 + o % 2)) + red_random(&drawn) % 1000;
        const unsigned kinds_n = red_exact_data_kinds_n(op, dtype, whole_n);
        struct red_data_spec spec = {
            .op = op,
            .dtype = dtype,
            .data_kind = red_exact_data_kind(op, dtype, whole_n, (unsigned)(red_random(&drawn) % kinds_n)),
            .n = whole_n,
            .segments_n = 1,
            .seed = red_random(&drawn)};
        struct spread spread = made_spread(&spec);
        for (unsigned p = 0; p < spread.pieces_n; p++)
            for (unsigned a = 0; a < op->arrays; a++)
                assert_int_equal(memcmp(spread.pieces[p].arrays[a],
                                        (char *)spread.whole.arrays[a] + spread.begins[p] * dtype->size_bytes,
                                        (size_t)spread.pieces[p].n * dtype->size_bytes),
                                 0);
        clear(&spread);
    }
}

/* ---- truths -------------------------------------------------------------------------------------------- */

static void check_truth(const struct red_truth *found, const struct red_truth *wanted) {
    int64_t found_words[RED_EXACT_WORDS], wanted_words[RED_EXACT_WORDS];
    assert_int_equal(found->n, wanted->n);
    assert_int_equal(found->exact_tier, wanted->exact_tier);
    assert_int_equal(found->integer, wanted->integer);
    assert_int_equal(found->index, wanted->index);
    assert_memory_equal(&found->extreme.bits, &wanted->extreme.bits, sizeof found->extreme.bits);
    assert_int_equal(found->roundings_n, wanted->roundings_n);
    if (wanted->op->does == RED_MULTIPLIES && wanted->dtype->is_float) { /* a product is known to 2^-110 */
        struct red_exact rest = found->real;
        const double high = red_exact_value(&wanted->real);
        red_exact_add(&rest, -high);
        red_exact_add(&rest, -red_exact_minus(&wanted->real, high));
        assert_true(found->real.not_finite == high || (isnan(found->real.not_finite) && isnan(high)) ||
                    fabs(red_exact_value(&rest)) <= 0x1p-104 * fabs(high));
        return;
    }
    red_exact_to_words(&found->real, found_words);
    red_exact_to_words(&wanted->real, wanted_words);
    assert_memory_equal(found_words, wanted_words, sizeof found_words);
    if (isfinite(wanted->absolute))
        assert_near(found->absolute, wanted->absolute, 1e-9 * wanted->absolute);
    else
        assert_true(!isfinite(found->absolute));
}

/* An order in which pieces or stripes are merged: any will do. */
static void draw_order(unsigned order[], unsigned n) {
    for (unsigned i = 0; i < n; i++)
        order[i] = i;
    red_random_shuffle(order, n, sizeof order[0], &drawn);
}

static void check_merged_pieces(const struct red_data_spec *spec) {
    struct spread spread = made_spread(spec);
    struct red_truth whole, merged = {.n = 0};
    unsigned order[PIECES_MAX];
    int64_t words[RED_EXACT_WORDS] = {0};
    draw_order(order, spread.pieces_n);
    for (unsigned i = 0; i < spread.pieces_n; i++) {
        struct red_truth truth;
        int64_t of_piece[RED_EXACT_WORDS];
        red_truth_find(&spread.pieces[order[i]], &truth);
        red_truth_merge(&merged, &truth, spread.begins[order[i]]);
        red_exact_to_words(&truth.real, of_piece);
        for (int w = 0; w < RED_EXACT_WORDS; w++)
            words[w] += of_piece[w];
    }
    red_truth_find(&spread.whole, &whole);
    check_truth(&merged, &whole);
    if (spec->op->does != RED_MULTIPLIES) { /* words are added */
        red_exact_from_words(words, &merged.real);
        check_truth(&merged, &whole);
    }
    clear(&spread);
}

static void merged_truths_of_pieces_are_that_of_the_whole(void **state) {
    for_each_data(20000, check_merged_pieces);
}

static void check_stripes(const struct red_data_spec *spec) {
    struct red_truth merged = {.n = 0}, whole;
    struct red_input input = made(spec);
    const unsigned of_n = 1 + (unsigned)(red_random(&drawn) % PIECES_MAX);
    unsigned order[PIECES_MAX];
    draw_order(order, of_n);
    for (unsigned i = 0; i < of_n; i++) {
        struct red_truth truth;
        struct red_error error;
        assert_ok(red_truth_find_stripes(spec, order[i], of_n, &truth, &error), &error);
        red_truth_merge(&merged, &truth, 0);
    }
    red_truth_find(&input, &whole);
    check_truth(&merged, &whole);
    red_input_clear(&input);
}

static void merged_stripes_are_the_whole(void **state) {
    for_each_data(5000, check_stripes);
    for (unsigned i = 0; i < 12; i++) {
        const struct red_op *op = &red_ops[red_random(&drawn) % RED_REDUCTIONS_N];
        const struct red_dtype *dtype = &red_dtypes[red_random(&drawn) % red_dtypes_n];
        const uint64_t n = (UINT64_C(1) << 16) * (red_random(&drawn) % 20) + red_random(&drawn) % 3;
        if (!red_op_has_type(op, dtype))
            continue;
        check_stripes(&(struct red_data_spec){
            .op = op,
            .dtype = dtype,
            .data_kind = red_exact_data_kind(
                op, dtype, n, (unsigned)(red_random(&drawn) % red_exact_data_kinds_n(op, dtype, n))),
            .n = n,
            .segments_n = 1,
            .seed = red_random(&drawn)});
    }
}

/* Terms of any exponent and sign, now and then an infinity or a NaN, in sums that are added as words. */
static void added_words_are_the_sum_of_all(void **state) {
    enum { SUMS_N = 16, TERMS_N = 400 };
    for (unsigned turn = 0; turn < 200; turn++) {
        struct red_exact all, sums[SUMS_N];
        int64_t added[RED_EXACT_WORDS] = {0}, words[RED_EXACT_WORDS], wanted[RED_EXACT_WORDS];
        red_exact_reset(&all);
        for (unsigned i = 0; i < SUMS_N; i++)
            red_exact_reset(&sums[i]);
        for (unsigned i = 0; i < TERMS_N; i++) {
            const uint64_t h = red_random(&drawn);
            double term;
            memcpy(&term, &h, sizeof term);
            if (!isfinite(term) && turn % 4 != 0)
                continue;
            red_exact_add(&all, term);
            red_exact_add(&sums[red_random(&drawn) % SUMS_N], term);
        }
        for (unsigned i = 0; i < SUMS_N; i++) {
            red_exact_to_words(&sums[i], words);
            for (unsigned w = 0; w < RED_EXACT_WORDS; w++) {
                assert_true(w == RED_EXACT_LIMBS - 1 || (words[w] >= 0 && words[w] <= UINT32_MAX));
                assert_true(words[w] >= -(INT64_C(1) << 32));
                added[w] += words[w];
            }
        }
        red_exact_from_words(added, &sums[0]);
        red_exact_to_words(&sums[0], words);
        red_exact_to_words(&all, wanted);
        assert_memory_equal(words, wanted, sizeof words);
        const double value = red_exact_value(&sums[0]), right = red_exact_value(&all);
        assert_true(value == right || (isnan(value) && isnan(right)));
    }
}

/* As many ranks as there can be, each with the largest words. */
static void words_of_many_sums_do_not_overflow(void **state) {
    struct red_exact sum;
    int64_t words[RED_EXACT_WORDS];
    red_exact_reset(&sum);
    red_exact_add(&sum, -0x1p-1074); /* borrows from every digit */
    red_exact_to_words(&sum, words);
    for (unsigned w = 0; w < RED_EXACT_WORDS; w++)
        words[w] *= INT64_C(1) << 31;
    red_exact_from_words(words, &sum);
    assert_true(red_exact_value(&sum) == -0x1p-1043);
}

/* ---- partial results ----------------------------------------------------------------------------------- */

typedef void partial_function(const struct red_op *op, const struct red_dtype *dtype,
                              const void *const arrays[2], uint64_t n, struct red_partial *partial);

static bool are_equal(struct red_value a, struct red_value b) {
    return a.bits == b.bits && a.index == b.index;
}

/* Of special values signs of zeros and NaNs are left open. */
static void check_answer(const struct spread *spread, const struct red_partial *partial) {
    const struct red_data_spec *spec = &spread->spec;
    struct red_truth truth;
    red_truth_find(&spread->whole, &truth);
    const struct red_value got = red_partial_answer(spec->op, spec->dtype, partial, spec->n);
    assert_true(red_truth_check(&truth, (double)spec->n, got).right);
    if (truth.exact_tier && !red_pattern_is_special(spec->data_kind.pattern))
        assert_true(are_equal(got, red_truth_value(&truth)));
}

static void check_partials_of(const struct spread *spread, partial_function *reduce) {
    const struct red_data_spec *spec = &spread->spec;
    unsigned order[PIECES_MAX];
    struct red_partial all, none;
    red_partial_set_identity(spec->op, spec->dtype, &all);
    none = all;
    draw_order(order, spread->pieces_n);
    for (unsigned i = 0; i < spread->pieces_n; i++) {
        const struct red_input *piece = &spread->pieces[order[i]];
        struct red_partial partial;
        reduce(spec->op, spec->dtype, (const void *const *)piece->arrays, piece->n, &partial);
        red_partial_move_places(spec->op, spec->dtype, &partial, spread->begins[order[i]]);
        red_partial_combine(spec->op, spec->dtype, &all, &partial);
        red_partial_combine(spec->op, spec->dtype, &all, &none);
    }
    check_answer(spread, &all);
}

static void check_partials(const struct red_data_spec *spec) {
    struct spread spread = made_spread(spec);
    check_partials_of(&spread, red_reference_partial);
    check_partials_of(&spread, red_sequential_partial);
    clear(&spread);
}

static void combined_partials_of_pieces_are_the_answer(void **state) {
    for_each_data(20000, check_partials);
}

/* Floats are folded in double: what comes from the device in float is not rounded again until the answer. */
static void partials_fold_in_double_and_round_once(void **state) {
    const struct red_op *sum = red_op_find("sum"), *mean = red_op_find("mean");
    const struct red_dtype *f32 = red_dtype_find("f32");
    const float floats[] = {16777216.0f, 1.0f, 1.0f};
    struct red_partial all, one;
    red_host_fold_partial(sum, f32, floats, 2, &all);
    red_host_fold_partial(sum, f32, floats + 2, 1, &one);
    red_partial_combine(sum, f32, &all, &one);
    assert_true(all.f32 == 16777218.0);
    assert_true(red_partial_answer(sum, f32, &all, 3).f32 == 16777218.0f);
    assert_true(red_partial_answer(mean, f32, &all, 4).f32 == 4194304.5f);
}

/* ---- changes ------------------------------------------------------------------------------------------- */

/* The winner of the whole may stand in another piece, and a piece has several elements that are its best. */
static void check_changes(const struct red_data_spec *spec) {
    struct spread spread = made_spread(spec);
    for (unsigned p = 0; p < spread.pieces_n; p++) {
        struct red_changes changes;
        struct red_truth truth;
        struct red_error error;
        red_truth_find(&spread.pieces[p], &truth);
        assert_ok(red_changes_begin(&spread.pieces[p], &truth, 4, 256, 4, &changes, &error), &error);
        while (red_changes_next(&changes)) {
            struct red_input first = changes.now;
            first.n = changes.n;
            red_truth_find(&first, &truth);
            check_truth(&changes.truth, &truth);
        }
        red_changes_clear(&changes);
    }
    clear(&spread);
}

static void changed_pieces_have_the_truth_that_is_told(void **state) {
    for_each_data(2000, check_changes);
}
