/* Right answers of operations that multiply: of integers modulo 2^64, of floats the product to 2^-124 of each
 * multiplication of two factors that are no powers of two; one with such a power is exact. What is judged
 * with it is off by 2^-53 at least.
 *
 * The data (model/input.c) are such that no product of some of the factors leaves the range of the
 * accumulator's normal numbers, unless a factor is a NaN, an infinity, a zero or a denormal, which is alone
 * then but for factors of 1, -1 and powers of two. So every order has the same answer but for roundings. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "core/numbers.h"
#include "oracle/combiners.h"

__extension__ typedef unsigned __int128 wide;

/* significand * 2^exponent, the significand from 2^127 on; without factors of no such value, which are noted.
 */
struct product {
    wide significand;
    int64_t exponent;
    bool is_negative, has_zero, has_infinity, has_nan;
    uint64_t roundings_n; /* factors that are no powers of two */
};

static const struct product one = {.significand = (wide)1 << 127, .exponent = -127};

/* a * b / 2^128, within 3. */
static wide upper_half(wide a, wide b) {
    const uint64_t a_low = (uint64_t)a, a_high = (uint64_t)(a >> 64), b_low = (uint64_t)b,
                   b_high = (uint64_t)(b >> 64);
    return (wide)a_high * b_high + ((wide)a_high * b_low >> 64) + ((wide)a_low * b_high >> 64);
}

static void multiply(struct product *product, const struct product *factor) {
    const wide top = (wide)1 << 127;
    product->is_negative ^= factor->is_negative;
    product->has_zero |= factor->has_zero;
    product->has_infinity |= factor->has_infinity;
    product->has_nan |= factor->has_nan;
    product->roundings_n += factor->roundings_n;
    product->exponent += factor->exponent + 127;
    if (factor->significand == top)
        return;
    if (product->significand == top) {
        product->significand = factor->significand;
        return;
    }
    product->significand = upper_half(product->significand, factor->significand);
    product->exponent++;
    if (product->significand < top) {
        product->significand <<= 1;
        product->exponent--;
    }
}

static struct product product_of(double factor) {
    struct product made = one;
    int exponent;
    made.is_negative = signbit(factor) != 0;
    made.has_nan = isnan(factor) != 0;
    made.has_infinity = isinf(factor) != 0;
    made.has_zero = factor == 0;
    if (made.has_nan || made.has_infinity || made.has_zero)
        return made;
    const double fraction = frexp(fabs(factor), &exponent); /* from 1/2 on */
    made.significand = (wide)(uint64_t)ldexp(fraction, 64) << 64;
    made.exponent = exponent - 128;
    made.roundings_n = fraction != 0.5;
    return made;
}

/* What the product is as a double where it is no number that red_exact holds: NaN, infinite or 0; else 1. */
static double special_value(const struct product *product) {
    const double sign = product->is_negative ? -1 : 1;
    if (product->has_nan || (product->has_infinity && product->has_zero))
        return (double)NAN;
    if (product->has_infinity || product->exponent + 128 > DBL_MAX_EXP)
        return sign * (double)INFINITY;
    return product->has_zero ? 0 : 1;
}

/* Sets the truth's value, as the exact sum of three doubles. */
static void set_truth(const struct product *product, struct red_truth *truth) {
    enum { PART_BITS = 43 };
    const double special = special_value(product);
    red_exact_reset(&truth->real);
    truth->roundings_n = product->roundings_n;
    if (special != 1)
        red_exact_add(&truth->real, special);
    for (int low = 128 - PART_BITS; low > -PART_BITS && special == 1; low -= PART_BITS) {
        const wide bits = low >= 0 ? product->significand >> low : product->significand << -low;
        const double part = ldexp((double)(uint64_t)(bits & ((UINT64_C(1) << PART_BITS) - 1)), low);
        red_exact_add(&truth->real, (product->is_negative ? -1 : 1) * ldexp(part, (int)product->exponent));
    }
    truth->absolute = fabs(red_exact_value(&truth->real)) * (1 + 0x1p-50);
}

/* The product that a truth holds already, of its elements so far: of none it is 1. */
static struct product product_of_truth(const struct red_truth *truth) {
    struct red_exact rest = truth->real;
    double part = red_exact_value(&rest);
    struct product made = product_of(part);
    int exponent;
    made.roundings_n = truth->roundings_n;
    if (made.has_nan || made.has_infinity || made.has_zero)
        return made;
    (void)frexp(part, &exponent);
    __int128 sum = 0;
    for (int i = 0; i < 3; i++) {
        sum += (__int128)ldexp(part, 126 - exponent);
        red_exact_add(&rest, -part);
        part = red_exact_value(&rest);
    }
    made.significand = (wide)(sum < 0 ? -sum : sum);
    made.exponent = exponent - 126;
    while (made.significand >> 127 == 0) {
        made.significand <<= 1;
        made.exponent--;
    }
    return made;
}

static void find_real(const struct red_input *input, struct red_truth *truth) {
    struct product all = one;
#pragma omp parallel if (input->n >= RED_SEVERAL_THREADS_N)
    {
        struct product mine = one;
#pragma omp for schedule(static)
        for (uint64_t first = 0; first < input->n; first += RED_TERMS_N) {
            const size_t n = (size_t)red_lesser(input->n - first, RED_TERMS_N);
            double x[RED_TERMS_N];
            input->dtype->get_reals(input->arrays[0], first, n, x);
            for (size_t i = 0; i < n; i++) {
                const struct product factor = product_of(x[i]);
                multiply(&mine, &factor);
            }
        }
#pragma omp critical
        multiply(&all, &mine);
    }
    set_truth(&all, truth);
}

static void find_integer(const struct red_input *input, struct red_truth *truth) {
    uint64_t product = 1;
#pragma omp parallel for schedule(static) reduction(* : product) if (input->n >= RED_SEVERAL_THREADS_N)
    for (uint64_t first = 0; first < input->n; first += RED_TERMS_N) {
        const size_t n = (size_t)red_lesser(input->n - first, RED_TERMS_N);
        uint64_t x[RED_TERMS_N];
        input->dtype->get_integers(input->arrays[0], first, n, x);
        for (size_t i = 0; i < n; i++)
            product *= x[i];
    }
    truth->integer = product;
}

static void find(const struct red_input *input, struct red_truth *truth) {
    (input->dtype->is_float ? find_real : find_integer)(input, truth);
}

static void merge(struct red_truth *truth, const struct red_truth *other, uint64_t other_first) {
    (void)other_first;
    truth->integer *= other->integer;
    if (!truth->dtype->is_float)
        return;
    struct product product = product_of_truth(truth);
    const struct product factor = product_of_truth(other);
    multiply(&product, &factor);
    set_truth(&product, truth);
}

/* The first factor makes a truth of no element, which is all zeros, that of one. */
static void take_real(struct red_truth *truth, double term) {
    struct product product = truth->absolute == 0 ? one : product_of_truth(truth);
    const struct product factor = product_of(term);
    multiply(&product, &factor);
    set_truth(&product, truth);
}

/* ---- changes ------------------------------------------------------------------------------------------- */

/* A float changes its sign: whatever the others are, the product stays in range, and no order rounds another
 * way. An integer stays odd, so that the product is not 0. */
static void draw(const struct red_input *input, const struct red_truth *truth, double chain, uint64_t at,
                 uint64_t random, struct red_value *after) {
    const struct red_dtype *dtype = input->dtype;
    (void)truth, (void)chain;
    if (dtype->is_float)
        dtype->put_real(after, 0, -dtype->get_real(input->arrays[0], at));
    else
        dtype->put_integer(after, 0, random | 1);
}

/* The inverse of an odd number modulo 2^64: each step of Newton's doubles the bits that are right, of x
 * itself three (Dumas, On Newton-Raphson iteration for multiplicative inverses modulo prime powers, 2014). */
static uint64_t inverse_of(uint64_t x) {
    uint64_t inverse = x;
    for (int right_bits = 3; right_bits < 64; right_bits *= 2)
        inverse *= 2 - x * inverse;
    return inverse;
}

static bool replace(const struct red_input *input, uint64_t index, struct red_change *change) {
    const struct red_dtype *dtype = input->dtype;
    struct red_truth *truth = &change->truth;
    (void)index;
    if (!dtype->is_float) {
        const uint64_t before = dtype->get_integer(&change->before, 0);
        truth->integer *= inverse_of(before) * dtype->get_integer(&change->after, 0);
        return before % 2 == 1;
    }
    struct product product = product_of_truth(truth);
    product.is_negative = !product.is_negative;
    set_truth(&product, truth);
    return true;
}

static double other_real(double real) {
    return -real;
}

const struct red_combiner_oracle red_combiner_multiplies = {.find = find,
                                                            .merge = merge,
                                                            .take_real = take_real,
                                                            .draw = draw,
                                                            .replace = replace,
                                                            .other_real = other_real};
