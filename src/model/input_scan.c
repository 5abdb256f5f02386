/* The elements of data that only scans have: of prefixes every one is an answer, so every one must tell what
 * is in it. */
#include <math.h>

#include "model/input_private.h"

/* ---- sums ---------------------------------------------------------------------------------------------- */

/* Sums of elements that do not follow each other, as lanes have them, are random: of n a few times the square
 * root of n heights. They stay below 2^24 with these bits, or, of doubles, far below 2^53. */
unsigned red_walk_bits_find(const struct red_input *input) {
    const int n_bits = (int)ceil(log2((double)input->n + 1));
    if (input->dtype->digits > 24)
        return 30;
    return n_bits <= 24 ? 11 : n_bits < 44 ? (unsigned)(11 - (n_bits - 23) / 2) : 1;
}

REALS(walk) {
    const unsigned shift = 64 - e->numbers.walk_bits;
    return (double)(h >> shift) - (i == 0 ? 0 : (double)(hash(i - 1, e->seed) >> shift));
}

/* Stretches of elements: each has a power of two of them, and begins at a multiple of that. */
struct stretch {
    uint64_t begin, length;
    uint64_t longest; /* no stretch before it is longer */
    uint64_t h;
};

/* The stretch of element i. Elements share a length in blocks of a quarter of their index, or less: so there
 * are some of each length, whatever n. */
static struct stretch stretch_of(const struct array_recipe *e, uint64_t i) {
    enum { SHORT_BITS = 4, LONG_BITS = 16 };
    const int index_bits = 63 - __builtin_clzll(i | 1);
    const int bits = index_bits - 2 < SHORT_BITS  ? SHORT_BITS
                     : index_bits - 2 < LONG_BITS ? index_bits - 2
                                                  : LONG_BITS;
    const uint64_t length_bits = hash(i >> bits << bits, e->seed ^ GOLDEN) % ((uint64_t)bits + 1);
    const uint64_t begin = i >> length_bits << length_bits;
    return (struct stretch){.begin = begin,
                            .length = UINT64_C(1) << length_bits,
                            .longest = UINT64_C(1) << bits,
                            .h = hash(begin, ~e->seed)};
}

/* The one element of a stretch that is other than the rest: at its begin, its end, or anywhere. */
static uint64_t lone_of_stretch(const struct stretch *stretch) {
    const uint64_t where = stretch->h >> 8 & 3;
    return stretch->begin + (where == 0   ? 0
                             : where == 1 ? stretch->length - 1
                                          : (stretch->h >> 16) % stretch->length);
}

/* Which element's value stands at i, and with which sign: 0, 1 or -1. */
struct island_place {
    uint64_t i;
    int sign;
};
static struct island_place island_place_of(const struct array_recipe *e, uint64_t i) {
    const struct stretch stretch = stretch_of(e, i);
    const unsigned kind = stretch.h & 7;
    const uint64_t half = stretch.length / 2;
    if (kind < 4)
        return (struct island_place){i, 0};
    if (kind == 4)
        return (struct island_place){i, i == lone_of_stretch(&stretch)};
    if (kind == 5 || i - stretch.begin < half || half == 0)
        return (struct island_place){i, 1};
    return (struct island_place){i - half, -1};
}

REALS(islands) {
    const struct island_place place = island_place_of(e, i);
    return place.sign == 0 ? 0 : place.sign * random_sign(hash(place.i, e->seed)) * (double)(1 + place.i % 3);
}

INTEGERS(integer_islands) {
    const struct island_place place = island_place_of(e, i);
    return (uint64_t)(int64_t)place.sign * (hash(place.i, e->seed) | 1);
}

/* ---- extremes ------------------------------------------------------------------------------------------ */

/* How many ranks there are from 0 to the least normal number: the denormals, and 0. */
static uint64_t denormal_ranks_n(const struct red_dtype *dtype) {
    return dtype->is_float ? UINT64_C(1) << (dtype->digits - 1) : 0;
}

/* A step by which n ranks fit below `all`; 0 if none does. */
static uint64_t step_of(uint64_t all, uint64_t n) {
    return n == 0 ? 1 : all / n;
}

/* Where the seed lets data begin, and how far apart they are, so that n of them fit. */
void red_scan_ranks_find(const struct red_input *input, struct scan_ranks *ranks) {
    const struct red_dtype *dtype = input->dtype;
    const uint64_t h = hash(input->n, input->seed), middle = red_rank_middle(dtype), n = input->n;
    const uint64_t far_n = dtype->is_float ? middle - denormal_ranks_n(dtype) + 1 : middle;
    const uint64_t last = dtype->is_float ? 2 * far_n : red_rank_max(dtype);
    const uint64_t fall_first = last - h % (last / 8 + 1);
    *ranks = (struct scan_ranks){.far_n = far_n,
                                 .last = last,
                                 .rise_first = n < far_n ? h % (far_n - n) : 0,
                                 .rise_step = n < far_n,
                                 .fall_first = fall_first,
                                 .fall_step = step_of(fall_first, n),
                                 .saw_step = step_of(last - last / 4, n)};
}

/* The i-th of n ranks that are a step apart or, where there are fewer than n, spread over `all`. */
static uint64_t spread_rank(const struct array_recipe *e, uint64_t i, uint64_t step, uint64_t all) {
    return step > 0 ? i * step : (uint64_t)((double)i * ((double)all / (double)e->n));
}

/* The rank of the type, as red_rank_real takes it, of one that is counted as struct scan_ranks says. */
static uint64_t rank_in_type(const struct array_recipe *e, uint64_t rank) {
    const struct red_dtype *dtype = e->input->dtype;
    const uint64_t middle = red_rank_middle(dtype), far_n = e->ranks.far_n;
    if (dtype->is_float && rank >= far_n)
        rank = rank == far_n ? middle : rank - far_n - 1 + middle + denormal_ranks_n(dtype);
    return e->input->op->does == RED_PICKS_GREATEST ? rank : red_rank_max(dtype) - rank;
}

static uint64_t rising_rank(const struct array_recipe *e, uint64_t i, UNUSED uint64_t h) {
    return e->ranks.rise_first + spread_rank(e, i, e->ranks.rise_step, e->ranks.far_n);
}

static uint64_t falling_rank(const struct array_recipe *e, uint64_t i, UNUSED uint64_t h) {
    return e->ranks.fall_first - spread_rank(e, i, e->ranks.fall_step, e->ranks.fall_first);
}

/* The peak of a stretch that begins at `begin`, above the quarter that nothing but losers have. */
static uint64_t peak_rank(const struct array_recipe *e, uint64_t begin) {
    const uint64_t below = e->ranks.last / 4;
    return below + spread_rank(e, begin, e->ranks.saw_step, e->ranks.last - below);
}

/* The stretch before begins at most as far in front as its length. */
static uint64_t saw_rank(const struct array_recipe *e, uint64_t i, uint64_t h) {
    const struct stretch stretch = stretch_of(e, i);
    if (i == lone_of_stretch(&stretch))
        return peak_rank(e, stretch.begin);
    const uint64_t bound =
        peak_rank(e, stretch.begin > stretch.longest ? stretch.begin - stretch.longest : 0);
    return (h & 1) ? bound - 1 - (h >> 3) % 3 : (h >> 3) % bound;
}

/* Negative ones for a greatest, positive ones for a least. */
double red_rising_denormal(const struct array_recipe *e, uint64_t i) {
    const struct red_dtype *dtype = e->input->dtype;
    const uint64_t all = denormal_ranks_n(dtype) - 1;
    const uint64_t rank = red_rank_middle(dtype) - all + spread_rank(e, i, e->n < all, all);
    return red_rank_real(dtype, e->input->op->does == RED_PICKS_GREATEST ? rank : red_rank_max(dtype) - rank);
}

#define RANK_ELEMENTS(pattern)                                                                               \
    REALS(pattern) {                                                                                         \
        return red_rank_real(e->input->dtype, rank_in_type(e, pattern##_rank(e, i, h)));                     \
    }                                                                                                        \
    INTEGERS(integer_##pattern) {                                                                            \
        return red_rank_integer(e->input->dtype, rank_in_type(e, pattern##_rank(e, i, h)));                  \
    }
RANK_ELEMENTS(rising)
RANK_ELEMENTS(falling)
RANK_ELEMENTS(saw)

const struct pattern_blocks red_scan_blocks[RED_PATTERNS_N] = {
    [RED_PATTERN_WALK] = {walk_block, NULL, NULL},
    [RED_PATTERN_ISLANDS] = {islands_block, NULL, integer_islands_block},
    [RED_PATTERN_RISING] = {rising_block, NULL, integer_rising_block},
    [RED_PATTERN_FALLING] = {falling_block, NULL, integer_falling_block},
    [RED_PATTERN_SAW] = {saw_block, NULL, integer_saw_block},
};
