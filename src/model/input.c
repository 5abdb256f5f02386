/* Computes each element of a data set from its index and the seed alone, so any part of an array can be made
 * again. cl/resident.c fills overwritten arrays again with it. `input` is a data set of a worker
 * (worker/prepared.c), of --op, --type, --n and --seed; only `verify --show-data` prints elements. */
#include "model/input.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/numbers.h"
#include "model/computed.h"
#include "model/input_private.h"
#include "model/types.h"

enum { PAGE_BYTES = 4096, POISON_BYTES_MIN = 256 };

/* A float type has as its least normal value 2^normal, and 2^infinity is no longer finite. */
struct float_exponent_limits {
    int normal, infinity;
};

/* `digits` are of the elements' type or of the accumulator. */
static struct float_exponent_limits exponent_limits_of(unsigned digits) {
    static const struct float_exponent_limits of_floats[] = {
        {-14, 16}, {-126, 128}, {-1022, 1024}}; /* f16, f32, f64 */
    return of_floats[(digits > 11) + (digits > 24)];
}

/* No power of two is a multiple of 3: elements that are one apart have different remainders, and so different
 * weights. */
static unsigned remainder_by_3(uint64_t i) {
    return (unsigned)(i % 3);
}

/* 1, -1, and 2 of either sign: of all that are never 0 and differ by the remainder, those with the least sum
 * of one sign, two thirds of n. */
static double weight_of_1_or_2(uint64_t i, uint64_t h) {
    const double weights[] = {1, -1, 2 * random_sign(h)};
    return weights[remainder_by_3(i)];
}

/* y of the exact patterns is +1 or -1, so |x * y| = |x|. */
REALS(weights) {
    if (e->second) /* of least weights the product, too, must differ */
        return e->numbers.largest_weight_third >= 1 ? random_sign(h) : 1;
    if (e->numbers.largest_weight_third >= 1)
        return random_sign(h) *
               (1 + remainder_by_3(i) + 3 * floor(fraction_of(h >> 1) * e->numbers.largest_weight_third));
    if (e->numbers.largest_weight_third > 0)
        return weight_of_1_or_2(i, h);
    return class_of(h, e->numbers.parts) == 0 || i + 1 == e->n ? random_sign(h) : 0;
}

/* y differs by the remainder of i, so that a product with another element's y changes the sum. */
REALS(part) {
    int inside = class_of(h, e->numbers.parts) == e->input->data_kind.part;
    return e->second ? weight_of_1_or_2(i, h) : (double)inside;
}

/* Uniform on [0, 1); of doubles a multiple of 2^-53, so that a kernel that keeps fewer digits shows. */
static double fraction_in_type(const struct array_recipe *e, uint64_t h) {
    return e->input->dtype->digits > 24 ? (double)(h >> 11) * 0x1p-53 : fraction_of(h);
}

REALS(scaled) {
    return e->second ? random_sign(h) : ldexp(weights_element(e, i, h), e->numbers.scale);
}

REALS(uniform) {
    return fraction_in_type(e, h);
}

REALS(cancelling) {
    if (e->second)
        return 1;
    double large = 1 + fraction_of(hash(i / 2, e->input->seed));
    return i % 2 ? -large + 0x1p-20 * fraction_of(h) : large;
}

REALS(wide) {
    unsigned digits = e->input->dtype->digits;
    int range = digits > 24 ? 100 : digits > 11 ? 20 : 12;
    return ldexp(random_sign(h) * (1 + fraction_in_type(e, h)),
                 (int)(h >> 8 & 0xffff) % (2 * range + 1) - range);
}

REALS(ones) {
    return 1;
}

REALS(huge) {
    double value = e->input->dtype->digits > 11 ? 0x1p30 : 0x1p15;
    return i == hash(e->n, e->input->seed) % e->n ? value : fraction_of(h);
}

/* Of 64 elements 31 pairs cancel and one value, 2 * 31 * 1.5 / condition, is left beside a zero. */
REALS(condition) {
    static const double conditions[] = {1e4, 1e8, 1e12};
    const double condition = conditions[e->input->data_kind.pattern - RED_PATTERN_CONDITION_4];
    if (e->second)
        return 1;
    if (i % 64 >= 62)
        return i % 64 == 62 ? 93 / condition : 0;
    double large = 1 + fraction_of(hash(i / 2, e->input->seed));
    return i % 2 ? -large : large;
}
/* ---- special values ------------------------------------------------------------------------------------ */

/* A NaN with one of 2^9 payloads, which a half holds, too. */
static double nan_of(uint64_t h, bool negative) {
    union {
        uint64_t bits;
        double value;
    } made = {.bits = (uint64_t)negative << 63 | UINT64_C(0x7ff8) << 48 | (h >> 32 & 0x1ff) << 42};
    return made.value;
}

/* A place with a neighbour on either side, where there are as many elements. */
static uint64_t special_place(const struct array_recipe *e) {
    uint64_t h = hash(e->n, e->input->seed ^ GOLDEN);
    return e->n < 3 ? h % e->n : 1 + h % (e->n - 2);
}

/* The index of a value that is alone: special_place, or an end where n modulo RED_SPECIAL_PLACES says so. */
static uint64_t lone_place(const struct array_recipe *e) {
    const uint64_t end = e->n % RED_SPECIAL_PLACES;
    return end > RED_SPECIAL_AT_LAST ? special_place(e) : end == RED_SPECIAL_AT_LAST ? e->n - 1 : 0;
}

/* Whether this array, x or y, holds the value that is alone: the first of two where it stands at the end, the
 * second where it stands at the begin. */
static bool is_special_array(const struct array_recipe *e) {
    const uint64_t end = e->n % RED_SPECIAL_PLACES;
    const bool in_second =
        end == RED_SPECIAL_AT_FIRST || (end != RED_SPECIAL_AT_LAST && (hash(e->n, e->input->seed) & 4));
    return e->second == (in_second && e->input->arrays_n > 1);
}

/* Above 0, since 0 times an infinity is a NaN. */
static double above_zero(uint64_t h) {
    return fraction_of(h) + 0x1p-24;
}

static bool is_scan_of_extremes(const struct red_input *input) {
    return input->op->primitive == RED_PRIMITIVE_SCAN && red_op_picks(input->op);
}

REALS(one_nan) {
    return i == lone_place(e) && is_special_array(e) ? nan_of(h, h & 1) : fraction_of(h);
}
REALS(one_infinity) {
    return i == lone_place(e) && is_special_array(e) ? random_sign(h) * (double)INFINITY : above_zero(h);
}
REALS(infinities) {
    uint64_t place = special_place(e);
    if (e->second || (i != place && i + 1 != place))
        return above_zero(h);
    return i == place ? (double)INFINITY : -(double)INFINITY;
}
REALS(negative_zeros) {
    return -0.0;
}
REALS(zeros) {
    return i % 2 || e->second ? 0.0 : -0.0;
}
REALS(denormals) {
    const struct red_dtype *dtype = e->input->dtype;
    if (is_scan_of_extremes(e->input))
        return red_rising_denormal(e, i);
    const double sign = !red_op_picks(e->input->op) ? 1 : random_sign(h);
    return ldexp(sign * (1 + (double)(h % 3)),
                 e->second ? 0 : exponent_limits_of(dtype->digits).normal + 1 - (int)dtype->digits);
}

/* Special values of operations that look for an extreme: the sign of the values that win, 1 or -1. */
static double winning_sign(const struct array_recipe *e) {
    return e->input->op->does == RED_PICKS_GREATEST ? 1 : -1;
}
static double number_1_to_100(uint64_t h) {
    return 1 + (double)(h % 100);
}

/* In the first half, or nearly so: `a < b ? a : b` forgets what it has as soon as a NaN follows. A scan's
 * first element is a number: nobody says what the least of NaNs alone is. */
REALS(nans_beside) {
    uint64_t place = 1 + special_place(e) / 2;
    if (i == place)
        return -winning_sign(e);
    const bool is_number = i == 0 && is_scan_of_extremes(e->input);
    if (!is_number && (i + 1 == place || i == 0 || i > place || (h >> 8 & 1)))
        return nan_of(h, i + 1 == place || (i > place + 1 && (h & 1)));
    return -winning_sign(e) * (1 + number_1_to_100(h >> 16)); /* a NaN that is taken for 0 would win */
}
REALS(winning_infinity) {
    uint64_t place = lone_place(e);
    if (i == place)
        return winning_sign(e) * (double)INFINITY;
    if (i + 1 == place || i == place + 1 || (h >> 8 & 3) == 0)
        return -winning_sign(e) * (double)INFINITY;
    return random_sign(h) * number_1_to_100(h >> 16);
}
REALS(losing_infinities) {
    return -winning_sign(e) * (double)INFINITY;
}
/* From special_place on `zero`, at half of the elements behind; elsewhere a value that loses to zeros. */
static double zero_or_loser(const struct array_recipe *e, uint64_t i, uint64_t h, double zero) {
    uint64_t place = special_place(e);
    return i < place || (i > place + 1 && (h >> 8 & 1)) ? -winning_sign(e) * number_1_to_100(h >> 16) : zero;
}
REALS(negative_zeros_among) {
    return zero_or_loser(e, i, h, -0.0);
}
REALS(both_zeros_among) {
    uint64_t place = special_place(e);
    double losing = -winning_sign(e) * 0.0;
    return zero_or_loser(e, i, h, i == place ? losing : i == place + 1 ? -losing : random_sign(h) * 0.0);
}

/* The type's greatest finite value, or its least. */
REALS(limit) {
    const struct red_dtype *dtype = e->input->dtype;
    return red_rank_real(dtype,
                         e->input->data_kind.pattern == RED_PATTERN_GREATEST ? red_rank_max(dtype) : 0);
}

/* Ranks of close data. Of the losers a quarter are anything, a quarter far away. Half are near: among large
 * values with a greater lower half than the winner's, though a lesser upper one; about 0 the next neighbours.
 * Not both at once, since only the best of a group or of an item meets those of others. */
static uint64_t close_rank(const struct array_recipe *e, uint64_t i, uint64_t h) {
    const uint64_t few = 1 + (h >> 3) % 3, kind = h & 7;
    const bool is_large = e->numbers.winner > red_rank_middle(e->input->dtype);
    uint64_t rank = e->numbers.winner;
    if (i != e->numbers.place && kind < 4)
        rank -= is_large ? (UINT64_C(1) << e->input->dtype->bits / 2) - few : few;
    else if (i != e->numbers.place)
        rank = (h >> 3) % (kind < 6 ? rank : rank / 4);
    return e->input->op->does == RED_PICKS_GREATEST ? rank : red_rank_max(e->input->dtype) - rank;
}

REALS(close_reals) {
    return red_rank_real(e->input->dtype, close_rank(e, i, h));
}

/* ---- integers with all bits ---------------------------------------------------------------------------- */

/* Sums are exact modulo 2^w whatever the values, so weights take all bits. They are odd, so that none is 0
 * and no product of two is; behind the lowest bit stands the remainder, of y none, which the product keeps.
 */
INTEGERS(integer_weights) {
    return (h & ~UINT64_C(7)) | (e->second ? 0 : 2 * remainder_by_3(i)) | 1;
}

/* All bits but the lowest, which is 1, so that no element is nothing. For a greatest one it is 0: then one
 * value of the type is beyond all of them, as the smallest is for a least one, and a changed element can
 * become the answer (oracle/change.h). The second array has any values: its factors are even ones, too. */
INTEGERS(integer_uniform) {
    return e->second ? h : (h | 1) - (e->input->op->does == RED_PICKS_GREATEST);
}

/* A quarter are zeros, and so is the last, which may be the only one behind vectors; of the others an eighth
 * are 0, -1, or the least or the greatest value of a signed type, which kernels may take for none; the rest
 * have any bits: even ones, too. */
INTEGERS(any_or_zero) {
    if (((h >> 61 & 3) == 0 || i + 1 == e->n) && !e->second)
        return 0;
    return (h >> 58 & 7) == 0 && !e->second ? ((h >> 56 & 1) << (e->input->dtype->bits - 1)) - (h >> 57 & 1)
                                            : h;
}

/* y is the least value of signed types: products are the largest there are, of either sign. */
INTEGERS(integer_limit) {
    const struct red_dtype *dtype = e->input->dtype;
    bool is_least =
        e->input->data_kind.pattern == RED_PATTERN_LEAST || (e->second && dtype->kind == RED_SIGNED);
    return red_rank_integer(dtype, is_least ? 0 : red_rank_max(dtype));
}

INTEGERS(close_integers) {
    return red_rank_integer(e->input->dtype, close_rank(e, i, h));
}

/* What makes the elements of each pattern but those of scans and of histograms alone. */
static const struct pattern_blocks common_blocks[RED_PATTERNS_N] = {
    [RED_PATTERN_WEIGHTS] = {weights_block, NULL, integer_weights_block},
    [RED_PATTERN_PART] = {part_block, NULL, NULL},
    [RED_PATTERN_GREATEST] = {limit_block, NULL, integer_limit_block},
    [RED_PATTERN_LEAST] = {limit_block, NULL, integer_limit_block},
    [RED_PATTERN_CLOSE_ABOVE] = {close_reals_block, NULL, close_integers_block},
    [RED_PATTERN_CLOSE_BELOW] = {close_reals_block, NULL, close_integers_block},
    [RED_PATTERN_SCALED_UP] = {scaled_block, NULL, any_or_zero_block},
    [RED_PATTERN_SCALED_DOWN] = {scaled_block, NULL, NULL},
    [RED_PATTERN_UNIFORM] = {uniform_block, NULL, integer_uniform_block},
    [RED_PATTERN_CANCELLING] = {cancelling_block, NULL, NULL},
    [RED_PATTERN_WIDE] = {wide_block, NULL, NULL},
    [RED_PATTERN_ONES] = {ones_block, NULL, NULL},
    [RED_PATTERN_HUGE] = {huge_block, NULL, NULL},
    [RED_PATTERN_CONDITION_4] = {condition_block, NULL, NULL},
    [RED_PATTERN_CONDITION_8] = {condition_block, NULL, NULL},
    [RED_PATTERN_CONDITION_12] = {condition_block, NULL, NULL},
    [RED_PATTERN_NAN] = {one_nan_block, nans_beside_block, NULL},
    [RED_PATTERN_INFINITY] = {one_infinity_block, winning_infinity_block, NULL},
    [RED_PATTERN_INFINITIES] = {infinities_block, losing_infinities_block, NULL},
    [RED_PATTERN_NEGATIVE_ZEROS] = {negative_zeros_block, negative_zeros_among_block, NULL},
    [RED_PATTERN_ZEROS] = {zeros_block, both_zeros_among_block, NULL},
    [RED_PATTERN_DENORMALS] = {denormals_block, NULL, NULL},
};

/* ---- products of floats --------------------------------------------------------------------------------
 * No product of some of the elements leaves the range of normal numbers, in any order: what is not 1 or -1 is
 * rare enough. Where it is, all other elements show by their signs. */

/* Draws one element of each 2^k side by side, with the least k for which no more than most_n are drawn; gives
 * which of the drawn ones this is, or -1. */
static int64_t which_drawn(const struct array_recipe *e, uint64_t i, uint64_t most_n) {
    unsigned k = 0;
    while ((e->n - 1) / most_n >> k > 0)
        k++;
    const uint64_t which = i >> k, place = k > 0 ? hash(which, e->seed ^ GOLDEN) >> (64 - k) : 0;
    return i - (which << k) == place ? (int64_t)which : -1;
}

/* 1, -1, and so many of 2 or 1/2, and -2 or -1/2, that all of them together are in range. */
REALS(factors) {
    const struct float_exponent_limits limits =
        exponent_limits_of(red_op_accumulator(e->input->op, e->input->dtype)->digits);
    const double power = which_drawn(e, i, (uint64_t)limits.infinity - 8) < 0 ? 1 : h & 2 ? 2 : 0.5;
    return random_sign(h) * power;
}

/* -1 where a hash of the index falls into the class, else 1: over all parts each element is -1 once. */
REALS(factors_by_class) {
    return class_of(h, e->numbers.parts) == e->input->data_kind.part ? -1 : 1;
}

/* 1, -1, and up to 2^10 of either sign from 1 1/16 to 1 1/8, or 1 by such, in turn: a product of all of one
 * half is less than 2^88. */
REALS(factors_near_one) {
    const int64_t which = which_drawn(e, i, 1 << 10);
    const double factor = 1 + (1 + fraction_in_type(e, h)) / 16;
    return random_sign(h) * (which < 0 ? 1 : which % 2 == 0 ? factor : 1 / factor);
}

REALS(nan_factor) {
    return i == lone_place(e) ? nan_of(h, h & 1) : factors_element(e, i, h);
}
REALS(infinity_factor) {
    return i == lone_place(e) ? random_sign(h) * (double)INFINITY : factors_element(e, i, h);
}
REALS(infinity_and_zero) {
    const uint64_t place = special_place(e);
    return i == place ? (double)INFINITY : i + 1 == place ? 0 : factors_element(e, i, h);
}
REALS(negative_zero_factor) {
    return i == lone_place(e) ? -0.0 : factors_element(e, i, h);
}
REALS(zero_factors) {
    return i % 3 == 0 ? random_sign(h) * 0.0 : factors_element(e, i, h);
}
REALS(denormal_factor) {
    return i == lone_place(e) ? denormals_element(e, i, h) : random_sign(h);
}

static const struct pattern_blocks product_blocks[RED_PATTERNS_N] = {
    [RED_PATTERN_WEIGHTS] = {factors_block, NULL, NULL},
    [RED_PATTERN_PART] = {factors_by_class_block, NULL, NULL},
    [RED_PATTERN_UNIFORM] = {factors_near_one_block, NULL, NULL},
    [RED_PATTERN_NAN] = {nan_factor_block, NULL, NULL},
    [RED_PATTERN_INFINITY] = {infinity_factor_block, NULL, NULL},
    [RED_PATTERN_INFINITIES] = {infinity_and_zero_block, NULL, NULL},
    [RED_PATTERN_NEGATIVE_ZEROS] = {negative_zero_factor_block, NULL, NULL},
    [RED_PATTERN_ZEROS] = {zero_factors_block, NULL, NULL},
    [RED_PATTERN_DENORMALS] = {denormal_factor_block, NULL, NULL},
};

/* ---- bits ----------------------------------------------------------------------------------------------
 * Of `and` and `or`: a half of the type's bits have one element each that changes them, which shows when it
 * is lost; the others are left to changes (oracle/change.h). All other elements are the identity. */

INTEGERS(owned_bits) {
    const unsigned bits = e->input->dtype->bits;
    const int64_t which = which_drawn(e, i, bits / 2);
    const uint64_t own = which < 0 ? 0 : UINT64_C(1) << ((uint64_t)which + hash(0, e->seed)) % bits;
    return e->input->op->does == RED_ANDS ? ~own : own;
}

static const struct pattern_blocks bit_blocks[RED_PATTERNS_N] = {
    [RED_PATTERN_WEIGHTS] = {NULL, NULL, owned_bits_block},
    [RED_PATTERN_GREATEST] = {NULL, NULL, integer_limit_block},
    [RED_PATTERN_UNIFORM] = {NULL, NULL, owned_bits_block},
};

/* What several primitives have, by what the operation does. */
static const struct pattern_blocks *common_blocks_of(const struct red_input *input) {
    const enum red_combiner does = input->op->does;
    return does == RED_MULTIPLIES && input->dtype->is_float ? product_blocks
           : does == RED_ANDS || does == RED_ORS            ? bit_blocks
                                                            : common_blocks;
}

/* Of a data set: the primitive's own, or what several have. */
static const struct pattern_blocks *blocks_of(const struct red_input *input) {
    static const struct pattern_blocks *const own_blocks[RED_PRIMITIVES_N] = {
        [RED_PRIMITIVE_SCAN] = red_scan_blocks, [RED_PRIMITIVE_HISTOGRAM] = red_histogram_blocks};
    const enum red_pattern pattern = input->data_kind.pattern;
    const struct pattern_blocks *own = own_blocks[input->op->primitive];
    return &(own != NULL && own[pattern].reals != NULL ? own : common_blocks_of(input))[pattern];
}

enum { BLOCK_N = 1024 };

/* Writes BLOCK_N elements from the first on, or what is left of the array. Weights of which an extreme is
 * looked for are small; integers among them lose to numbers.best by their size less 1. */
static void fill_block(const struct array_recipe *e, void *array, uint64_t first) {
    const struct red_input *input = e->input;
    const struct pattern_blocks *blocks = blocks_of(input);
    const bool looks_for = red_op_picks(input->op),
               is_small = looks_for && input->data_kind.pattern == RED_PATTERN_WEIGHTS;
    const size_t n = (size_t)red_lesser(input->n - first, BLOCK_N);
    double reals[BLOCK_N];
    uint64_t integers[BLOCK_N];
    if (!input->dtype->is_float && blocks->integers != NULL && !is_small)
        blocks->integers(e, input->first + first, n, integers);
    else
        (looks_for && input->dtype->is_float && blocks->extreme_reals != NULL
             ? blocks->extreme_reals
             : blocks->reals)(e, input->first + first, n, reals);
    if (input->dtype->is_float) {
        input->dtype->put_reals(array, first, n, reals);
        return;
    }
    for (size_t i = 0; i < n && (blocks->integers == NULL || is_small); i++)
        integers[i] = is_small ? e->numbers.best + (uint64_t)(int64_t)(winning_sign(e) * (1 - fabs(reals[i])))
                               : (uint64_t)(int64_t)reals[i];
    input->dtype->put_integers(array, first, n, integers);
}

/* ---- arrays -------------------------------------------------------------------------------------------- */

/* For red_input_make, whose error names --n where this is 0. */
size_t red_input_array_bytes(const struct red_dtype *dtype, uint64_t n) {
    if (n > (SIZE_MAX - 2 * PAGE_BYTES) / dtype->size_bytes)
        return 0;
    size_t bytes = (size_t)n * dtype->size_bytes + POISON_BYTES_MIN;
    return (bytes + PAGE_BYTES - 1) / PAGE_BYTES * PAGE_BYTES;
}

/* Also by which evidence counts the parts of position coding (cl/resident.c). */
uint64_t red_input_whole_n(const struct red_input *input) {
    return input->whole_n > 0 ? input->whole_n : input->n / input->segments_n;
}

/* A third of the largest weight, at most 42. Weights are 1 + remainder + 3 r with r below this, and no sum of
 * some of n terms may exceed 7/8 of what the accumulator's significand counts to: of both signs, those of one
 * add up to n/4 times three thirds and one; squares have one sign. Below 1 there is still weight_of_1_or_2,
 * but not for squares; 0 where that is too much, too. */
static double find_largest_weight_third(const struct red_input *input) {
    double n = (double)red_input_whole_n(input);
    double terms_n = ldexp(7, (int)red_op_accumulator(input->op, input->dtype)->digits - 3) / n;
    if (red_op_picks(input->op))
        return 42;
    if (input->op->term == RED_TERM_SQUARE)
        return terms_n < 5 ? 0 : fmin(42, floor(sqrt(terms_n / 5)));
    if (terms_n < 1.1)
        return terms_n < 0.7 ? 0 : 0.5;
    return fmin(42, floor((4 * terms_n / 1.1 - 1) / 3));
}

/* The power of two of scaled data: the least for which elements, terms and a mean of one of them are normal,
 * or the largest for which no sum of terms comes near what is not finite. Weights are below 2^7. */
static int scale_exponent(const struct red_input *input) {
    enum { WEIGHT_BITS = 7, SPARE_BITS = 2 };
    const struct float_exponent_limits element = exponent_limits_of(input->dtype->digits),
                                       sum = exponent_limits_of(
                                           red_op_accumulator(input->op, input->dtype)->digits);
    const int factors = input->op->term == RED_TERM_SQUARE ? 2 : 1;
    const int n_bits = (int)ceil(log2((double)red_input_whole_n(input) + 1));
    const int mean_bits = input->op->role == RED_ROLE_MEAN ? n_bits : 0;
    const int least = (sum.normal + mean_bits) / factors,
              largest = (sum.infinity - SPARE_BITS - n_bits) / factors;
    if (input->data_kind.pattern == RED_PATTERN_SCALED_DOWN)
        return least > element.normal ? least : element.normal;
    return (largest < element.infinity ? largest : element.infinity) - WEIGHT_BITS;
}

/* The rank of the winner of close data (patterns close_above and close_below), counted from the worst value
 * on. It lies in its half where its exponent is large, or about 0: so doubles exceed floats in one of the
 * two, and in the other differ by less than floats can. */
static uint64_t close_winner_rank(const struct red_input *input) {
    bool greatest = input->op->does == RED_PICKS_GREATEST;
    bool in_upper_half = (input->data_kind.pattern == RED_PATTERN_CLOSE_ABOVE) == greatest;
    uint64_t h = hash(0, input->seed), middle = red_rank_middle(input->dtype);
    double share = in_upper_half ? 1.6 + 0.3 * fraction_of(h) : 0.47 + 0.06 * fraction_of(h);
    return (uint64_t)(share * (double)middle) ^ h % (middle >> 7);
}

/* Where the winner of close data stands. Of many elements one set has it at the end, where loops over what is
 * left behind vectors are, the other further in front, but so near the end that an index of 2^24 or more is
 * among those for which n is that large. */
static uint64_t close_winner_place(const struct red_input *input, uint64_t segment_n) {
    enum { MANY_N = 1 << 20, LEFT_N = 64, NEAR_N = 1 << 17 };
    const uint64_t h = hash(segment_n, input->seed);
    if (input->data_kind.pattern == RED_PATTERN_CLOSE_BELOW || segment_n == 0)
        return segment_n - 1;
    return segment_n > MANY_N ? segment_n - 1 - LEFT_N - h % NEAR_N : h % segment_n;
}

/* The best of integers' weights of which an extreme is looked for: an integer that is taken for none shows
 * where it wins. By turns it is the type's best, which no poison beats (and the first poison of outputs
 * equals), and 0 or -1 of signed types, a small number of unsigned ones. */
static uint64_t best_weight(const struct red_input *input, uint64_t n) {
    const struct red_dtype *dtype = input->dtype;
    const bool is_max = input->op->does == RED_PICKS_GREATEST;
    const uint64_t turn = (n % 3 + input->seed % 3) % 3;
    return turn == 2                   ? red_rank_integer(dtype, is_max ? red_rank_max(dtype) : 0)
           : dtype->kind == RED_SIGNED ? -turn
           : is_max                    ? UINT8_MAX / 2
                                       : 1;
}

/* Also told by the host program of `reproduce`, in its line that makes an element. */
struct red_data_numbers red_input_find_numbers(const struct red_input *input) {
    const uint64_t n = red_input_whole_n(input);
    return (struct red_data_numbers){
        .parts = red_data_kind_parts_n(input->op, input->dtype, n),
        .largest_weight_third = find_largest_weight_third(input),
        .scale = input->dtype->is_float ? scale_exponent(input) : 0,
        .winner = close_winner_rank(input),
        .place = close_winner_place(input, n),
        .best = input->dtype->is_float ? 0 : best_weight(input, n),
        .walk_bits = red_walk_bits_find(input),
    };
}

/* Writes all elements of x (0) or y (1) of a data set, and the poison behind them. */
static void fill_array(const struct red_input *input, unsigned array_i) {
    const struct red_dtype *dtype = input->dtype;
    struct array_recipe recipe = {
        .input = input,
        .n = red_input_whole_n(input),
        .seed = input->seed + array_i,
        .numbers = red_input_find_numbers(input),
        .second = array_i == 1,
    };
    red_scan_ranks_find(input, &recipe.ranks);
    red_histogram_bins_set(&recipe);
    void *values = input->arrays[array_i];
    const uint64_t made_n = input->making == RED_MADE_BY_PATTERN ? input->n : 0;
#pragma omp parallel for schedule(static) if (input->n >= RED_SEVERAL_THREADS_N)
    for (uint64_t first = 0; first < made_n; first += BLOCK_N)
        fill_block(&recipe, values, first);
    size_t used = (size_t)input->n * dtype->size_bytes;
    memset((char *)values + used, red_op_elements_poison_byte(input->op, dtype), input->array_bytes - used);
}

/* For new data (model/input_memory.c), and where a kernel has overwritten its input (cl/resident.c). */
void red_input_fill(const struct red_input *input) {
    if (input->making == RED_MADE_BY_LAUNCH)
        red_elements_compute_all(input, input->arrays);
    for (unsigned array = 0; array < input->arrays_n; array++)
        fill_array(input, array);
}

/* Also of a scan's results (cl/case_check.c): whether all calls gave the same bits. */
uint64_t red_words_checksum(const uint64_t *words, uint64_t words_n, uint64_t first) {
    uint64_t sum = 0;
#pragma omp parallel for simd reduction(+ : sum) if (parallel : words_n > 1 << 24)
    for (uint64_t i = 0; i < words_n; i++)
        sum += mix_bits(words[i] ^ (first + i) * GOLDEN);
    return sum;
}

/* cl/resident.c compares it after calls: a kernel that wrote to its input is `wrong`; evidence says so. */
uint64_t red_input_compute_checksum(const struct red_input *input) {
    const uint64_t words_n = input->array_bytes / sizeof(uint64_t);
    uint64_t sum = 0;
    for (unsigned array = 0; array < input->arrays_n; array++)
        sum += red_words_checksum(input->arrays[array], words_n, array * words_n);
    return sum;
}
