/* The elements of data of histograms: a pattern says which bin an element has, a hash which value of that bin
 * it is. `e` is the recipe of model/input.c for an array. */
#include <float.h>
#include <math.h>

#include "model/input_private.h"

/* ---- edges --------------------------------------------------------------------------------------------- */

/* Of eight elements one is none beside an edge. The others take the places of a list by steps, so that
 * neighbours lie apart; a power of two and an odd number of places have no factor in common: with as many
 * elements as places each place has its turn. */
enum { OTHER_EVERY = 8, EDGE_STEP = 64 };

static uint64_t edge_place(const struct array_recipe *e, uint64_t i) {
    const uint64_t places_n = 3 * ((uint64_t)e->bins.reached_n + 1) | 1;
    return ((i - i / OTHER_EVERY) * EDGE_STEP + (uint32_t)e->seed) % places_n;
}

/* Whether a float is of this bin or of one behind it. */
static bool reaches_bin(const struct red_bins *bins, float value, unsigned bin) {
    return value >= bins->real_upper || (value >= bins->real_lower && red_bin_of_real(*bins, value) >= bin);
}

/* The least float of the bin; of bin bins->n, the least above all. Rounding moves it by less than 2^-22 from
 * the edge that exact arithmetic has. */
static float first_real_of_bin(const struct red_bins *bins, unsigned bin) {
    if (bin == 0 || bin >= bins->n)
        return bin == 0 ? bins->real_lower : bins->real_upper;
    const double edge = (double)bin / (double)bins->real_scale + (double)bins->real_lower;
    float below = (float)(edge - 0x1p-22), first = (float)(edge + 0x1p-22);
    for (;;) {
        const float middle = below + (first - below) / 2;
        if (middle <= below || middle >= first)
            return first;
        if (reaches_bin(bins, middle, bin))
            first = middle;
        else
            below = middle;
    }
}

REALS(edges) {
    static const float others[] = {-0.0f,     0.0f, -FLT_MAX, FLT_MAX, -FLT_MIN, FLT_MIN,   INFINITY,
                                   -INFINITY, NAN,  -NAN,     -2,      2,        0x1p-149f, -0x1p-149f};
    if (i % OTHER_EVERY == OTHER_EVERY - 1)
        return (double)others[i / OTHER_EVERY % (sizeof others / sizeof others[0])];
    const uint64_t place = edge_place(e, i);
    const float first = first_real_of_bin(&e->bins, (unsigned)(place / 3) % (e->bins.reached_n + 1));
    return (double)(place % 3 == 1 ? first : nextafterf(first, place % 3 == 0 ? -INFINITY : INFINITY));
}

INTEGERS(integer_edges) {
    const uint64_t sign = UINT64_C(1) << (e->bins.dtype->bits - 1);
    const uint64_t others[] = {0, UINT64_MAX, sign, sign - 1,
                               red_bins_draw_integer(&e->bins, e->bins.n, (uint32_t)h)};
    if (i % OTHER_EVERY == OTHER_EVERY - 1)
        return others[i / OTHER_EVERY % (red_bins_have_outside(&e->bins) ? 5 : 4)];
    const uint64_t place = edge_place(e, i), edge = place / 3 % (e->bins.reached_n + UINT64_C(1));
    return e->bins.lower + edge * e->bins.width + place % 3 - 1;
}

/* ---- bins ---------------------------------------------------------------------------------------------- */

static unsigned even_bin(const struct array_recipe *e, UNUSED uint64_t i, uint64_t h) {
    enum { OUTSIDE_EVERY = 16 };
    return h % OUTSIDE_EVERY == 0 && red_bins_have_outside(&e->bins) ? e->bins.n
                                                                     : class_of(h, e->bins.reached_n);
}

static unsigned one_bin(const struct array_recipe *e, UNUSED uint64_t i, UNUSED uint64_t h) {
    return e->lone_bin;
}

static unsigned half_bin(const struct array_recipe *e, uint64_t i, uint64_t h) {
    const unsigned bins[2] = {even_bin(e, i, h), e->lone_bin}; /* no branch: half would be foreseen wrongly */
    return bins[h >> 8 & 1];
}

/* Drawn is a rank from 1 on: a power of two, all alike, then a rank below the next, all alike, which is kept
 * by the chance power / rank (von Neumann 1951). Of 32 draws the last is taken whatever it is. */
static unsigned zipf_bin(const struct array_recipe *e, UNUSED uint64_t i, uint64_t h) {
    const unsigned bins_n = e->bins.reached_n, powers_n = 32 - (unsigned)__builtin_clz(bins_n);
    unsigned rank = 1;
    for (int draw = 0; draw < 32; draw++) {
        const unsigned power = 1u << class_of(h, powers_n);
        rank = power + ((unsigned)h & (power - 1));
        if (rank <= bins_n && (h >> 16 & 0xffff) * rank < (uint64_t)power << 16)
            break;
        h = mix_bits(h + GOLDEN);
    }
    return (e->lone_bin + rank - 1) % bins_n;
}

static unsigned sorted_bin(const struct array_recipe *e, uint64_t i, UNUSED uint64_t h) {
    return (unsigned)(i * e->bins.reached_n / e->n);
}

static unsigned ends_bin(const struct array_recipe *e, UNUSED uint64_t i, uint64_t h) {
    return (unsigned)(h & 1) * (e->bins.reached_n - 1);
}

static unsigned period_bin(const struct array_recipe *e, uint64_t i, UNUSED uint64_t h) {
    enum { PERIOD_N = 32 };
    return (unsigned)(i % PERIOD_N) % e->bins.reached_n;
}

/* The value takes other bits than the bin: both would else be large together. */
#define BIN_ELEMENTS(pattern)                                                                                \
    REALS(pattern) {                                                                                         \
        return red_bins_draw_real(&e->bins, pattern##_bin(e, i, h), (uint32_t)mix_bits(h));                  \
    }                                                                                                        \
    INTEGERS(integer_##pattern) {                                                                            \
        return red_bins_draw_integer(&e->bins, pattern##_bin(e, i, h), (uint32_t)mix_bits(h));               \
    }
BIN_ELEMENTS(even)
BIN_ELEMENTS(one)
BIN_ELEMENTS(half)
BIN_ELEMENTS(zipf)
BIN_ELEMENTS(sorted)
BIN_ELEMENTS(ends)
BIN_ELEMENTS(period)

const struct pattern_blocks red_histogram_blocks[RED_PATTERNS_N] = {
    [RED_PATTERN_EDGES] = {edges_block, NULL, integer_edges_block},
    [RED_PATTERN_ONE_BIN] = {one_block, NULL, integer_one_block},
    [RED_PATTERN_HALF] = {half_block, NULL, integer_half_block},
    [RED_PATTERN_ZIPF] = {zipf_block, NULL, integer_zipf_block},
    [RED_PATTERN_SORTED] = {sorted_block, NULL, integer_sorted_block},
    [RED_PATTERN_ENDS] = {ends_block, NULL, integer_ends_block},
    [RED_PATTERN_PERIOD] = {period_block, NULL, integer_period_block},
    [RED_PATTERN_UNIFORM] = {even_block, NULL, integer_even_block},
};

/* For model/input.c, where the operation counts. */
void red_histogram_bins_set(struct array_recipe *recipe) {
    const struct red_input *input = recipe->input;
    if (input->bins_n == 0)
        return;
    recipe->bins = red_bins_make(input->dtype, input->bins_n);
    recipe->lone_bin = class_of(hash(0, input->seed), recipe->bins.reached_n);
}
