/* Adds doubles without rounding; oracle/truth.c finds the right sums of a data set with it, which judge every
 * result and are `expected` in the evidence of a wrong one. verify --show-data (verify/show_data.c) prints
 * such a sum, and bench/libraries/peer_data.c sums what it hands to other libraries. */
#include "model/exact.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

enum { DIGIT_BITS = 32, LOWEST_EXPONENT = 1074, PENDING_MAX = 1 << 30 };

void red_exact_reset(struct red_exact *sum) {
    memset(sum, 0, sizeof *sum);
}

/* Moves everything beyond 32 bits of a limb into the next; digits end up in 0 ... 2^32 - 1, the sign in the
 * last limb. */
static void propagate_carries(struct red_exact *sum) {
    int64_t carry = 0;
    for (int i = 0; i < RED_EXACT_LIMBS - 1; i++) {
        int64_t limb = sum->limbs[i] + carry;
        int64_t digit = limb & 0xffffffff;
        carry = (limb - digit) / (INT64_C(1) << DIGIT_BITS);
        sum->limbs[i] = digit;
    }
    sum->limbs[RED_EXACT_LIMBS - 1] += carry;
    sum->pending = 0;
}

void red_exact_add(struct red_exact *sum, double term) {
    uint64_t bits;
    memcpy(&bits, &term, sizeof bits);
    unsigned exponent = bits >> 52 & 0x7ff;
    uint64_t significand = bits & ((UINT64_C(1) << 52) - 1);
    if (exponent == 0x7ff) {
        sum->not_finite += term;
        return;
    }
    if (exponent > 0)
        significand |= UINT64_C(1) << 52;
    unsigned position = exponent > 0 ? exponent - 1 : 0; /* of the lowest bit, above 2^-1074 */
    unsigned shift = position % DIGIT_BITS;
    int64_t *limb = &sum->limbs[position / DIGIT_BITS];
    int64_t sign = bits >> 63 ? -1 : 1;
    uint64_t low = significand << shift; /* keeps 64 of up to 84 bits */
    uint64_t high = shift ? significand >> (64 - shift) : 0;
    limb[0] += sign * (int64_t)(low & 0xffffffff);
    limb[1] += sign * (int64_t)(low >> 32);
    limb[2] += sign * (int64_t)high;
    if (++sum->pending >= PENDING_MAX)
        propagate_carries(sum);
}

/* With q the lowest bit that any term has, all partial sums are multiples of q. None is greater than n times
 * the greatest term; where that is at most 2^53 q, each is a double, and nothing is ever rounded. The lowest
 * bit is looked for in the significands laid over each other (`low`), at the exponent of the least term:
 * never too high. */
void red_exact_add_all(struct red_exact *sum, const double *terms, size_t n) {
    double total = 0, greatest = 0, least = INFINITY;
    uint64_t low = UINT64_C(1) << 52;
#pragma omp simd reduction(+ : total) reduction(max : greatest) reduction(min : least) reduction(| : low)
    for (size_t i = 0; i < n; i++) {
        uint64_t bits;
        memcpy(&bits, &terms[i], sizeof bits);
        double absolute = fabs(terms[i]), size = absolute > 0 ? absolute : INFINITY;
        total += terms[i];
        greatest = absolute > greatest ? absolute : greatest;
        least = size < least ? size : least;
        low |= bits;
    }
    if (greatest == 0 && total == 0)
        return;
    int zeros_n = 0, span, exponent;
    while (!(low >> zeros_n & 1))
        zeros_n++;
    (void)frexp((double)n, &span);
    (void)frexp(greatest, &exponent);
    span += exponent;
    (void)frexp(least, &exponent);
    if (isfinite(total) && span - exponent <= zeros_n) {
        red_exact_add(sum, total);
        return;
    }
    for (size_t i = 0; i < n; i++)
        red_exact_add(sum, terms[i]);
}

void red_exact_add_product(struct red_exact *sum, double a, double b) {
    double product = a * b;
    red_exact_add(sum, product);
    if (isfinite(product))
        red_exact_add(sum, fma(a, b, -product));
}

void red_exact_merge(struct red_exact *sum, const struct red_exact *other) {
    struct red_exact carried = *other;
    propagate_carries(&carried);
    propagate_carries(sum);
    for (int i = 0; i < RED_EXACT_LIMBS; i++)
        sum->limbs[i] += carried.limbs[i];
    sum->not_finite += other->not_finite;
    sum->pending = 2;
}

/* For sums over processes, with the next: what is printed of the whole is judged by it. */
void red_exact_to_words(const struct red_exact *sum, int64_t words[RED_EXACT_WORDS]) {
    struct red_exact carried = *sum;
    propagate_carries(&carried);
    memcpy(words, carried.limbs, sizeof carried.limbs);
    words[RED_EXACT_LIMBS] = sum->not_finite == (double)INFINITY;
    words[RED_EXACT_LIMBS + 1] = sum->not_finite == -(double)INFINITY;
    words[RED_EXACT_LIMBS + 2] = isnan(sum->not_finite);
}

void red_exact_from_words(const int64_t words[RED_EXACT_WORDS], struct red_exact *sum) {
    static const double not_finite[] = {INFINITY, -INFINITY, NAN};
    red_exact_reset(sum);
    memcpy(sum->limbs, words, sizeof sum->limbs);
    propagate_carries(sum);
    for (int i = 0; i < RED_EXACT_WORDS - RED_EXACT_LIMBS; i++)
        if (words[RED_EXACT_LIMBS + i] > 0)
            sum->not_finite += not_finite[i];
}

/* Words are digits of a kernel (cl/finish_words.c); of a wrong one they are anything, so the two halves of
 * each are added apart, which overflows nowhere. */
void red_exact_add_words(struct red_exact *sum, unsigned first, const int64_t *words, unsigned n) {
    for (unsigned i = 0; i < n; i++) {
        int64_t low = words[i] & 0xffffffff;
        sum->limbs[first + i] += low;
        sum->limbs[first + i + 1] += (words[i] - low) / (INT64_C(1) << DIGIT_BITS);
    }
    sum->pending += 2;
    if (sum->pending >= PENDING_MAX)
        propagate_carries(sum);
}

/* The sum without its sign, all carries propagated; sets the sign, 1 or -1. For the two readers below. */
static struct red_exact magnitude_of(const struct red_exact *sum, double *sign) {
    struct red_exact carried = *sum;
    propagate_carries(&carried);
    *sign = 1;
    if (carried.limbs[RED_EXACT_LIMBS - 1] < 0) {
        for (int i = 0; i < RED_EXACT_LIMBS; i++)
            carried.limbs[i] = -carried.limbs[i];
        propagate_carries(&carried);
        *sign = -1;
    }
    return carried;
}

double red_exact_value(const struct red_exact *sum) {
    double sign;
    if (sum->not_finite != 0 || isnan(sum->not_finite))
        return sum->not_finite;
    struct red_exact carried = magnitude_of(sum, &sign);
    int top = RED_EXACT_LIMBS - 1;
    while (top > 0 && carried.limbs[top] == 0)
        top--;
    double value = 0;
    for (int i = top >= 3 ? top - 3 : 0; i <= top;
         i++) /* upwards: what rounding drops is below the last bit */
        value += ldexp((double)carried.limbs[i], i * DIGIT_BITS - LOWEST_EXPONENT);
    return sign * value;
}

__extension__ typedef unsigned __int128 wide;

/* Digits with one more below 2^-1074, since a division goes on. */
enum { QUOTIENT_DIGITS = RED_EXACT_LIMBS + 1, QUOTIENT_EXPONENT = LOWEST_EXPONENT + DIGIT_BITS };

/* Divides the limbs, all of them digits; gives whether anything is left below the lowest digit. */
static bool divide(const struct red_exact *magnitude, uint64_t parts_n, uint32_t digits[QUOTIENT_DIGITS]) {
    uint64_t rest = 0;
    for (int i = QUOTIENT_DIGITS - 1; i >= 0; i--) {
        wide dividend = (wide)rest << DIGIT_BITS | (i > 0 ? (uint64_t)magnitude->limbs[i - 1] : 0);
        digits[i] = dividend == 0 ? 0 : (uint32_t)(dividend / parts_n);
        rest = (uint64_t)(dividend - (wide)digits[i] * parts_n);
    }
    return rest > 0;
}

/* The bits from `low` on, at most 64 of them: none lies above the third digit from there. */
static uint64_t bits_from(const uint32_t digits[QUOTIENT_DIGITS], int low) {
    wide bits = 0;
    for (int i = low / DIGIT_BITS + 2; i >= low / DIGIT_BITS; i--)
        bits = bits << DIGIT_BITS | (i < QUOTIENT_DIGITS ? digits[i] : 0);
    return (uint64_t)(bits >> low % DIGIT_BITS);
}

/* cl/plan.c rounds a device's exact sum by it: this is the answer. */
struct red_value red_exact_round(const struct red_exact *sum, uint64_t parts_n,
                                 const struct red_dtype *dtype) {
    struct red_value value = {.index = 0};
    uint32_t digits[QUOTIENT_DIGITS];
    double sign;
    if (sum->not_finite != 0 || isnan(sum->not_finite)) {
        dtype->put_real(&value, 0, sum->not_finite);
        return value;
    }
    const struct red_exact magnitude = magnitude_of(sum, &sign);
    bool rest = divide(&magnitude, parts_n, digits);
    int top = QUOTIENT_DIGITS - 1, top_bit = DIGIT_BITS - 1;
    while (top > 0 && digits[top] == 0)
        top--;
    while (top_bit > 0 && !(digits[top] >> top_bit & 1))
        top_bit--;
    /* The last bit of the result: as many as it has digits, and none below the type's least denormal. */
    const int least = 3 - (1 << (dtype->bits - dtype->digits - 1)) - (int)dtype->digits + QUOTIENT_EXPONENT;
    int low = top * DIGIT_BITS + top_bit - (int)dtype->digits + 1;
    low = low > least ? low : least;
    const uint64_t bits = bits_from(digits, low - 1);
    for (int i = 0; i < (low - 1) / DIGIT_BITS; i++)
        rest = rest || digits[i] != 0;
    rest = rest || (digits[(low - 1) / DIGIT_BITS] & ((UINT64_C(1) << (low - 1) % DIGIT_BITS) - 1)) != 0;
    const uint64_t rounded = (bits >> 1) + ((bits & 1) && (rest || (bits & 2)));
    dtype->put_real(&value, 0, rounded == 0 ? 0 : sign * ldexp((double)rounded, low - QUOTIENT_EXPONENT));
    return value;
}

double red_exact_minus(const struct red_exact *sum, double value) {
    struct red_exact rest = *sum;
    red_exact_add(&rest, -value);
    return red_exact_value(&rest);
}
