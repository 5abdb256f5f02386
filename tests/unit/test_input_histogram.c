#include "tests/unit/testing.h"

#include "core/random.h"
#include "model/bins.h"
#include "tests/unit/made_input.h"

static const char *const types[] = {"u8", "u16", "u32", "i32", "f32"};
enum { TYPES_N = sizeof types / sizeof types[0] };

/* The elements of each bin of one data set, and where they lie. */
struct counted {
    struct red_input input;
    struct red_bins bins;
    unsigned *bin_of; /* each element */
    uint64_t *counts; /* bins.n + 1 */
};

static struct counted counted_data(const char *type, enum red_pattern pattern, unsigned bins_n, uint64_t n,
                                   uint64_t seed) {
    struct counted made;
    struct red_error error;
    const struct red_data_spec spec = {.op = red_op_find("count"),
                                       .dtype = red_dtype_find(type),
                                       .data_kind = kind_of(pattern),
                                       .n = n,
                                       .segments_n = 1,
                                       .bins_n = bins_n,
                                       .seed = seed};
    assert_ok(red_input_make(&spec, &made.input, &error), &error);
    made.bins = red_bins_make(made.input.dtype, bins_n);
    made.bin_of = calloc(n + 1, sizeof *made.bin_of);
    made.counts = calloc(bins_n + 1, sizeof *made.counts);
    for (uint64_t i = 0; i < n; i++) {
        made.bin_of[i] = red_bins_find(&made.bins, made.input.arrays[0], i);
        made.counts[made.bin_of[i]]++;
    }
    return made;
}

static void counted_clear(struct counted *made) {
    free(made->bin_of);
    free(made->counts);
    red_input_clear(&made->input);
}

/* Of 0 ... 7: whether the type's values reach all bins, or a byte's do not. */
static unsigned drawn_bins_n(uint64_t *random) {
    static const unsigned bins[] = {1, 2, 7, 32, 255, 256, 1000, 65536};
    return bins[red_random(random) % (sizeof bins / sizeof bins[0])];
}

typedef void data_test(const struct counted *made);

/* Of all types, with several numbers of bins, seeds and n. */
static void for_each_data(enum red_pattern pattern, uint64_t seed, data_test *test) {
    uint64_t random = seed;
    for (unsigned i = 0; i < 8 * TYPES_N; i++) {
        const uint64_t n = i < TYPES_N ? RED_SEVERAL_THREADS_N + 77 : red_random(&random) % (1 << 14);
        struct counted made =
            counted_data(types[i % TYPES_N], pattern, drawn_bins_n(&random), n, red_random(&random));
        test(&made);
        counted_clear(&made);
    }
}

/* Whether a count of n tries, each with this chance, is as chance has it. */
static bool is_as_expected(uint64_t count, uint64_t n, double chance) {
    const double expected = (double)n * chance;
    return fabs((double)count - expected) <= 6 * sqrt(expected * (1 - chance)) + 6;
}

static void check_one_bin(const struct counted *made) {
    for (uint64_t i = 0; i < made->input.n; i++)
        assert_int_equal(made->bin_of[i], made->bin_of[0]);
    assert_true(made->bin_of[0] < made->bins.n);
}

static void one_bin_has_all(void **state) {
    for_each_data(RED_PATTERN_ONE_BIN, 1, check_one_bin);
}

static void check_uniform(const struct counted *made) {
    const uint64_t n = made->input.n, inside_n = n - made->counts[made->bins.n];
    assert_true(is_as_expected(n - inside_n, n, red_bins_have_outside(&made->bins) ? 1.0 / 16 : 0));
    for (unsigned bin = 0; bin < made->bins.n; bin++)
        assert_true(is_as_expected(made->counts[bin], inside_n,
                                   bin < made->bins.reached_n ? 1.0 / made->bins.reached_n : 0));
}

static void uniform_data_have_all_bins_alike(void **state) {
    for_each_data(RED_PATTERN_UNIFORM, 2, check_uniform);
}

static void check_half(const struct counted *made) {
    const uint64_t n = made->input.n;
    const double others = (red_bins_have_outside(&made->bins) ? 15.0 / 16 : 1) / made->bins.reached_n;
    uint64_t most = 0;
    for (unsigned bin = 0; bin <= made->bins.n; bin++)
        most = made->counts[bin] > most ? made->counts[bin] : most;
    assert_true(is_as_expected(most, n, 0.5 + others / 2));
}

static void half_are_in_one_bin(void **state) {
    for_each_data(RED_PATTERN_HALF, 3, check_half);
}

/* Each bin by its rank: the most frequent is the first. */
static void check_zipf(const struct counted *made) {
    const unsigned bins_n = made->bins.reached_n;
    unsigned first = 0;
    double shares = 0;
    for (unsigned rank = 1; rank <= bins_n; rank++) {
        first = made->counts[rank - 1] > made->counts[first] ? rank - 1 : first;
        shares += 1.0 / rank;
    }
    for (unsigned rank = 1; rank <= bins_n && made->input.n > 5000; rank++)
        assert_true(
            is_as_expected(made->counts[(first + rank - 1) % bins_n], made->input.n, 1 / (rank * shares)));
    assert_int_equal(made->counts[made->bins.n], 0);
}

static void zipf_has_a_share_of_1_by_rank(void **state) {
    for_each_data(RED_PATTERN_ZIPF, 4, check_zipf);
}

static void check_sorted(const struct counted *made) {
    const uint64_t n = made->input.n, each_n = n / made->bins.reached_n;
    for (uint64_t i = 1; i < n; i++)
        assert_true(made->bin_of[i] >= made->bin_of[i - 1]);
    for (unsigned bin = 0; bin < made->bins.reached_n; bin++)
        assert_true(made->counts[bin] == each_n || made->counts[bin] == each_n + 1);
}

static void sorted_bins_ascend(void **state) {
    for_each_data(RED_PATTERN_SORTED, 5, check_sorted);
}

static void check_ends(const struct counted *made) {
    const uint64_t n = made->input.n, first_n = made->counts[0];
    const unsigned last = made->bins.reached_n - 1;
    assert_true(made->counts[last] + (last > 0 ? first_n : 0) == n);
    assert_true(last == 0 || is_as_expected(first_n, n, 0.5));
}

static void ends_are_the_first_and_the_last_bin(void **state) {
    for_each_data(RED_PATTERN_ENDS, 6, check_ends);
}

static void check_period(const struct counted *made) {
    for (uint64_t i = 0; i < made->input.n; i++)
        assert_int_equal(made->bin_of[i], i % 32 % made->bins.reached_n);
}

static void a_period_has_32_bins(void **state) {
    for_each_data(RED_PATTERN_PERIOD, 7, check_period);
}

/* The values in a bin differ, unless it has but one. */
static void values_of_a_bin_differ(void **state) {
    for (unsigned t = 0; t < TYPES_N; t++) {
        struct counted made = counted_data(types[t], RED_PATTERN_ONE_BIN, 256, 1000, 11 + t);
        unsigned changes_n = 0;
        for (uint64_t i = 1; i < 1000; i++)
            changes_n += made.input.dtype->get_real(made.input.arrays[0], i) !=
                         made.input.dtype->get_real(made.input.arrays[0], i - 1);
        assert_int_equal(changes_n > 0, made.bins.width != 1);
        assert_true(changes_n == 0 || changes_n > 990);
        counted_clear(&made);
    }
}

/* Of the values out of range: those below all bins and above them, NaNs of either sign, infinities. */
static void check_outside(const struct counted *made, unsigned found[6]) {
    for (uint64_t i = 0; i < made->input.n; i++) {
        const double x = made->input.dtype->get_real(made->input.arrays[0], i);
        if (made->bin_of[i] < made->bins.n)
            continue;
        if (isnan(x))
            found[2 + !signbit(x)]++;
        else if (isinf(x))
            found[4 + !signbit(x)]++;
        else
            found[x > 0]++;
    }
}

static void values_are_out_of_range_on_both_sides(void **state) {
    static const enum red_pattern patterns[] = {RED_PATTERN_UNIFORM, RED_PATTERN_EDGES};
    for (unsigned i = 0; i < 2 * TYPES_N; i++) {
        unsigned found[6] = {0};
        struct counted made = counted_data(types[i / 2], patterns[i % 2], 100, 10000, i);
        check_outside(&made, found);
        /* u32 has 0, which is below: 100 bins begin at 2^29. */
        if (made.input.dtype->kind == RED_UNSIGNED && made.input.dtype->bits == 32)
            for (uint64_t j = 0; j < made.input.n; j++)
                found[0] += made.input.dtype->get_integer(made.input.arrays[0], j) < made.bins.lower;
        assert_true(found[1] > 0 && (found[0] > 0) == (made.input.dtype->bits == 32));
        for (unsigned kind = 2; kind < 6; kind++)
            assert_int_equal(found[kind] > 0, made.input.dtype->is_float);
        counted_clear(&made);
    }
}

/* Whether the data hold the float, bit by bit. */
static bool holds_float(const struct red_input *input, float value) {
    for (uint64_t i = 0; i < input->n; i++)
        if (memcmp((const float *)input->arrays[0] + i, &value, sizeof value) == 0)
            return true;
    return false;
}

/* As many elements as edge data need have, of each bin, the least and the greatest value, and one beside. */
static void check_all_edges(const char *type, unsigned bins_n, uint64_t seed) {
    const struct red_bins bins = red_bins_make(red_dtype_find(type), bins_n);
    const uint64_t n = (3 * (uint64_t)bins.reached_n + 5) * 8 / 7 + 1;
    struct counted made = counted_data(type, RED_PATTERN_EDGES, bins_n, n, seed);
    bool *first = calloc(bins_n + 1, sizeof *first), *last = calloc(bins_n + 1, sizeof *last);
    for (uint64_t i = 0; i < n; i++) {
        char beside[8] = "";
        const struct red_dtype *dtype = made.input.dtype;
        if (dtype->is_float) {
            const float x = (float)dtype->get_real(made.input.arrays[0], i);
            dtype->put_real(beside, 0, (double)nextafterf(x, -INFINITY));
            dtype->put_real(beside, 1, (double)nextafterf(x, INFINITY));
        } else {
            dtype->put_integer(beside, 0, dtype->get_integer(made.input.arrays[0], i) - 1);
            dtype->put_integer(beside, 1, dtype->get_integer(made.input.arrays[0], i) + 1);
        }
        first[made.bin_of[i]] |= red_bins_find(&bins, beside, 0) != made.bin_of[i];
        last[made.bin_of[i]] |= red_bins_find(&bins, beside, 1) != made.bin_of[i];
    }
    for (unsigned bin = 0; bin < bins.reached_n && (bins.reached_n > 1 || red_bins_have_outside(&bins));
         bin++)
        assert_true(first[bin] && last[bin]);
    free(first);
    free(last);
    counted_clear(&made);
}

static void edges_are_all_there(void **state) {
    uint64_t random = 9;
    for (unsigned t = 0; t < TYPES_N; t++) {
        for (unsigned bins_n = 1; bins_n < 70; bins_n++)
            check_all_edges(types[t], bins_n, red_random(&random));
        for (unsigned i = 0; i < 12; i++)
            check_all_edges(types[t], i == 0 ? 65536 : 1 + (unsigned)(red_random(&random) % 65536),
                            red_random(&random));
    }
}

/* What a kernel is most likely to put in the wrong bin. */
static void edges_hold_special_floats(void **state) {
    static const float values[] = {-0.0f, 0.0f, 1, -1, 1 - 0x1p-24f, -1 - 0x1p-23f, INFINITY, -INFINITY};
    for (uint64_t seed = 0; seed < 20; seed++) {
        struct counted made = counted_data("f32", RED_PATTERN_EDGES, 1 + 13 * (unsigned)seed, 1500, seed);
        for (size_t v = 0; v < sizeof values / sizeof values[0]; v++)
            assert_true(holds_float(&made.input, values[v]));
        counted_clear(&made);
    }
}

/* Histograms have data of their own, the edges first. */
static void kinds_of_histograms_are_their_own(void **state) {
    const struct red_op *ops[] = {red_op_find("count"), red_op_find("count64")};
    for (unsigned i = 0; i < 2 * TYPES_N; i++) {
        const struct red_dtype *dtype = red_dtype_find(types[i / 2]);
        unsigned fitting_n = 0;
        for (int p = 0; p < RED_PATTERNS_N; p++) {
            const bool fits = red_pattern_fits((enum red_pattern)p, ops[i % 2], dtype);
            fitting_n += fits;
            assert_true(!fits || p == RED_PATTERN_UNIFORM ||
                        !red_pattern_fits((enum red_pattern)p, red_op_find("sum"), dtype));
            assert_true(!fits || red_data_kind_is_exact(kind_of((enum red_pattern)p), ops[i % 2], dtype));
        }
        assert_int_equal(red_exact_data_kinds_n(ops[i % 2], dtype, 1000), fitting_n - 1);
        assert_int_equal(red_exact_data_kind(ops[i % 2], dtype, 1000, 0).pattern, RED_PATTERN_EDGES);
    }
}

/* Both the same data set from the same seed, and another from another; a kernel's damage can be repaired. */
static void data_follow_from_the_seed(void **state) {
    for (int p = RED_PATTERN_EDGES; p <= RED_PATTERN_PERIOD; p++)
        for (unsigned t = 0; t < TYPES_N; t++) {
            struct counted a = counted_data(types[t], (enum red_pattern)p, 100, 3000, 1),
                           b = counted_data(types[t], (enum red_pattern)p, 100, 3000, 1),
                           c = counted_data(types[t], (enum red_pattern)p, 100, 3000, 2);
            assert_true(a.input.checksum == b.input.checksum);
            assert_true(a.input.checksum != c.input.checksum || a.bins.width == 1);
            memset(b.input.arrays[0], 0x55, b.input.array_bytes);
            red_input_fill(&b.input);
            assert_true(red_input_compute_checksum(&b.input) == a.input.checksum);
            counted_clear(&a);
            counted_clear(&b);
            counted_clear(&c);
        }
}
