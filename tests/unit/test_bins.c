#include "tests/unit/testing.h"

#include <float.h>
#include <inttypes.h>

#include "core/random.h"
#include "model/bins.h"

static const char *const types[] = {"u8", "u16", "u32", "i32", "f32"};
enum { TYPES_N = sizeof types / sizeof types[0] };

/* ---- bins in exact arithmetic -------------------------------------------------------------------------- */

/* m * 2^e, not negative. */
struct rational {
    unsigned __int128 m;
    int e;
};

/* Rounds to 24 digits, to nearest, ties to even. */
static struct rational rounded(struct rational x) {
    int bits = 0;
    while (x.m >> bits != 0)
        bits++;
    if (bits <= 24)
        return x;
    const int drop = bits - 24;
    const unsigned __int128 rest = x.m & (((unsigned __int128)1 << drop) - 1),
                            half = (unsigned __int128)1 << (drop - 1);
    x.m >>= drop;
    x.e += drop;
    x.m += rest > half || (rest == half && (x.m & 1));
    return x;
}

/* x + 1 for -1 <= x < 1. Of less than 2^-60 it rounds to 1. */
static struct rational one_more(float x) {
    int e;
    const double digits = ldexp(frexp((double)x, &e), 24);
    const __int128 m = (__int128)digits;
    e -= 24;
    if (m == 0 || e < -84)
        return (struct rational){1, 0};
    return (struct rational){(unsigned __int128)(((__int128)1 << -e) + m), e};
}

static unsigned exact_bin_of_real(float x, unsigned bins_n) {
    if (!(x >= -1 && x < 1))
        return bins_n;
    struct rational distance = rounded(one_more(x));
    distance = rounded((struct rational){distance.m * bins_n, distance.e - 1});
    const unsigned bin = (unsigned)(distance.e >= 0     ? distance.m << distance.e
                                    : distance.e < -120 ? 0
                                                        : distance.m >> -distance.e);
    return bin < bins_n ? bin : bins_n - 1;
}

/* Of a value of the type as a whole number. */
static unsigned exact_bin_of_integer(const struct red_dtype *dtype, int64_t x, unsigned bins_n) {
    if (dtype->bits < 32)
        return x < (int64_t)bins_n ? (unsigned)x : bins_n;
    const int64_t lower = dtype->kind == RED_SIGNED ? -(INT64_C(1) << 30) : INT64_C(1) << 29,
                  width = (INT64_C(1) << 31) / bins_n;
    return x < lower || (x - lower) / width >= bins_n ? bins_n : (unsigned)((x - lower) / width);
}

/* ---- every edge ---------------------------------------------------------------------------------------- */

static void check_real(const struct red_bins *bins, float x) {
    const unsigned bin = red_bins_find(bins, &x, 0), right = exact_bin_of_real(x, bins->n);
    if (bin != right)
        print_error("%a of %u bins: bin %u, not %u\n", (double)x, bins->n, bin, right);
    assert_int_equal(bin, right);
}

static void check_integer(const struct red_bins *bins, int64_t x) {
    char element[8];
    bins->dtype->put_integer(element, 0, (uint64_t)x);
    x = (int64_t)bins->dtype->get_integer(element, 0);
    const unsigned bin = red_bins_find(bins, element, 0),
                   right = exact_bin_of_integer(bins->dtype, x, bins->n);
    if (bin != right)
        print_error("%" PRId64 " as %s of %u bins: bin %u, not %u\n", x, bins->dtype->name, bins->n, bin,
                    right);
    assert_int_equal(bin, right);
}

/* Floats on both sides of where exact arithmetic has the edge, and of where rounding may move it. */
static void check_edge_of_reals(const struct red_bins *bins, unsigned edge, int neighbours_n) {
    static const float beside[] = {0, -0x1p-25f, 0x1p-25f, -0x1p-24f, 0x1p-24f, -0x1p-23f, 0x1p-23f};
    const double exact = 2.0 * edge / bins->n - 1;
    for (size_t i = 0; i < sizeof beside / sizeof beside[0]; i++) {
        float x = (float)(exact + (double)beside[i]);
        for (int j = 0; j < neighbours_n; j++)
            x = nextafterf(x, -INFINITY);
        for (int j = 0; j < 2 * neighbours_n + 1; j++) {
            check_real(bins, x);
            x = nextafterf(x, INFINITY);
        }
    }
}

static void check_all_edges(const struct red_dtype *dtype, unsigned bins_n) {
    const struct red_bins bins = red_bins_make(dtype, bins_n);
    for (unsigned edge = 0; edge <= bins_n; edge++) {
        if (dtype->is_float) {
            check_edge_of_reals(&bins, edge, bins_n < 300 ? 12 : 1);
            continue;
        }
        const int64_t at = (dtype->kind == RED_SIGNED ? (int64_t)(int32_t)bins.lower : (int64_t)bins.lower) +
                           (int64_t)edge * bins.width;
        for (int64_t x = at - 3; x <= at + 3; x++)
            check_integer(&bins, x);
    }
}

static void check_random_values(const struct red_dtype *dtype, unsigned bins_n, uint64_t *random) {
    const struct red_bins bins = red_bins_make(dtype, bins_n);
    for (int i = 0; i < 2000; i++) {
        const uint64_t h = red_random(random);
        union {
            uint32_t bits;
            float value;
        } any = {.bits = (uint32_t)h};
        if (dtype->is_float) {
            check_real(&bins, any.value);
            check_real(&bins, (float)((double)(h >> 11) * 0x1p-52 - 1));
            check_real(&bins, (float)ldexp((double)(h >> 40) * 0x1p-24 - 0.5, -(int)(h % 64)));
        } else
            check_integer(&bins, (int64_t)h);
    }
}

/* Few bins, all of them; as many as there can be, and random numbers between. */
static void bins_are_those_of_exact_arithmetic(void **state) {
    uint64_t random = 11;
    for (unsigned t = 0; t < TYPES_N; t++) {
        const struct red_dtype *dtype = red_dtype_find(types[t]);
        for (unsigned i = 1; i <= 90; i++) {
            const unsigned bins_n = i == 90  ? 65536
                                    : i > 70 ? 1 + (unsigned)(red_random(&random) % 65536)
                                             : i;
            check_all_edges(dtype, bins_n);
            check_random_values(dtype, bins_n, &random);
        }
        for (unsigned bits = 0; bits <= 16; bits++)
            check_random_values(dtype, 1u << bits, &random);
    }
}

static void limits_are_out_of_range_or_in_the_last_bin(void **state) {
    static const struct {
        float value;
        unsigned bin; /* of 1000 */
    } rows[] = {
        {-1, 0},           {-1 - 0x1p-23f, 1000}, {1, 1000},        {1 - 0x1p-24f, 999}, {-0.0f, 500},
        {0, 500},          {-0x1p-149f, 500},     {NAN, 1000},      {-NAN, 1000},        {INFINITY, 1000},
        {-INFINITY, 1000}, {FLT_MAX, 1000},       {-FLT_MAX, 1000}, {FLT_MIN, 500},      {1 - 0x1p-23f, 999},
        {0.5f, 750}};
    const struct red_bins of_1000 = red_bins_make(red_dtype_find("f32"), 1000);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        assert_int_equal(red_bins_find(&of_1000, &rows[i].value, 0), rows[i].bin);
}

/* ---- blocks, draws, macros ----------------------------------------------------------------------------- */

/* Any bytes are elements. */
static void blocks_have_the_bins_of_their_elements(void **state) {
    enum { N = 100 + RED_BINS_BLOCK_N };
    uint64_t random = 5, words[N];
    uint32_t found[N + 1];
    for (size_t i = 0; i < N; i++)
        words[i] = red_random(&random);
    for (unsigned i = 0; i < 20 * TYPES_N; i++) {
        const struct red_bins bins =
            red_bins_make(red_dtype_find(types[i % TYPES_N]), 1 + (unsigned)(red_random(&random) % 65536));
        const uint64_t first = red_random(&random) % 100, n = red_random(&random) % (RED_BINS_BLOCK_N + 1);
        found[n] = 77;
        red_bins_find_block(&bins, words, first, n, found);
        for (uint64_t j = 0; j < n; j++)
            assert_int_equal(found[j], red_bins_find(&bins, words, first + j));
        assert_int_equal(found[n], 77);
    }
}

static unsigned bin_of_drawn(const struct red_bins *bins, unsigned bin, uint32_t random) {
    char element[8];
    if (bins->dtype->is_float)
        bins->dtype->put_real(element, 0, red_bins_draw_real(bins, bin, random));
    else
        bins->dtype->put_integer(element, 0, red_bins_draw_integer(bins, bin, random));
    return red_bins_find(bins, element, 0);
}

static void drawn_values_are_of_their_bin(void **state) {
    static const uint32_t extremes[] = {0, UINT32_MAX, 1, UINT32_MAX - 1, UINT32_C(1) << 31};
    uint64_t random = 6;
    for (unsigned i = 0; i < 30 * TYPES_N; i++) {
        const unsigned bins_n = i < TYPES_N ? 65536 : 1 + (unsigned)(red_random(&random) % 65536) / (1 + i);
        const struct red_bins bins = red_bins_make(red_dtype_find(types[i % TYPES_N]), bins_n);
        assert_int_equal(bins.reached_n, bins.dtype->bits == 8 && bins_n > 256 ? 256 : bins_n);
        for (unsigned bin = 0; bin < bins.reached_n; bin++)
            for (unsigned r = 0; r < 6; r++)
                assert_int_equal(
                    bin_of_drawn(&bins, bin, r < 5 ? extremes[r] : (uint32_t)red_random(&random)), bin);
        for (unsigned r = 0; r < 100 && red_bins_have_outside(&bins); r++)
            assert_int_equal(bin_of_drawn(&bins, bins_n, r < 5 ? extremes[r] : (uint32_t)red_random(&random)),
                             bins_n);
    }
}

static void macros_have_the_numbers(void **state) {
    static const struct {
        const char *type;
        unsigned bins_n;
        const char *text;
    } rows[] = {
        {"u32", 256,
         "#define RED_BIN_LOWER 536870912u\n#define RED_BIN_WIDTH 8388608u\n#define RED_BIN_RANGE "
         "2147483648u\n"},
        {"i32", 7,
         "#define RED_BIN_LOWER 3221225472u\n#define RED_BIN_WIDTH 306783378u\n#define RED_BIN_RANGE "
         "2147483646u\n"},
        {"u8", 100, "#define RED_BIN_LOWER 0u\n#define RED_BIN_WIDTH 1u\n#define RED_BIN_RANGE 100u\n"},
        {"u16", 65536, "#define RED_BIN_LOWER 0u\n#define RED_BIN_WIDTH 1u\n#define RED_BIN_RANGE 65536u\n"},
        {"f32", 7, "#define RED_BIN_LOWER -1.0f\n#define RED_BIN_UPPER 1.0f\n#define RED_BIN_SCALE 3.5f\n"}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char text[512] = "", begin[80];
        FILE *out = fmemopen(text, sizeof text, "w");
        assert_non_null(out);
        red_bins_write_macros(out, red_dtype_find(rows[i].type), rows[i].bins_n);
        fclose(out);
        snprintf(begin, sizeof begin, "#define RED_HISTOGRAM 1\n#define RED_BINS %uu\n", rows[i].bins_n);
        assert_true(strncmp(text, begin, strlen(begin)) == 0);
        assert_string_equal(text + strlen(begin), rows[i].text);
    }
}

static void strategies_say_how_many_bins_they_take(void **state) {
    const struct red_strategy strategy = {.name = "few", .bins_max = 1024};
    struct red_error error;
    assert_int_equal(red_bins_check(&strategy, 1024, &error), RED_OK);
    assert_int_equal(red_bins_check(&strategy, 1025, &error), RED_E_UNSUPPORTED);
    assert_has(error.text, "few takes at most 1024 bins");
}
