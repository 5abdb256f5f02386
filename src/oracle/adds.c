/* Right answers of operations that add: sums of integers modulo 2^64, exact sums of floats. */
#include <float.h>
#include <math.h>

#include "core/numbers.h"
#include "oracle/combiners.h"

/* Also for truth.c, which adds up the groups of compensated sums; as is red_add_terms. */
const void *red_factor_array(const struct red_input *input) {
    return input->op->term == RED_TERM_PRODUCT  ? input->arrays[1]
           : input->op->term == RED_TERM_SQUARE ? input->arrays[0]
                                                : NULL;
}

/* Sets the truth's sum of the terms modulo 2^64. */
static void find_integer_sum(const struct red_input *input, struct red_truth *truth) {
    const struct red_dtype *dtype = input->dtype;
    const void *x = input->arrays[0], *y = red_factor_array(input);
    uint64_t sum = 0;
#pragma omp parallel for schedule(static) reduction(+ : sum) if (input->n >= RED_SEVERAL_THREADS_N)
    for (uint64_t first = 0; first < input->n; first += RED_TERMS_N) {
        size_t n = (size_t)red_lesser(input->n - first, RED_TERMS_N);
        uint64_t a[RED_TERMS_N], b[RED_TERMS_N];
        dtype->get_integers(x, first, n, a);
        if (y)
            dtype->get_integers(y, first, n, b);
        for (size_t i = 0; i < n; i++)
            sum += y ? a[i] * b[i] : a[i];
    }
    truth->integer = sum;
}

double red_add_terms(struct red_exact *sum, const struct red_dtype *dtype, size_t n, double *a,
                     const double *b) {
    bool products_are_doubles = 2 * dtype->digits <= DBL_MANT_DIG;
    double absolute = 0;
    for (size_t i = 0; i < n && b != NULL; i++) {
        if (!products_are_doubles)
            red_exact_add_product(sum, a[i], b[i]);
        a[i] *= b[i];
    }
    if (b == NULL || products_are_doubles)
        red_exact_add_all(sum, a, n);
#pragma omp simd reduction(+ : absolute)
    for (size_t i = 0; i < n; i++)
        absolute += fabs(a[i]);
    return absolute;
}

/* Sets the truth's exact sum of the terms, and that of |terms|. */
static void find_real_sum(const struct red_input *input, struct red_truth *truth) {
    const struct red_dtype *dtype = input->dtype;
    const void *x = input->arrays[0], *y = red_factor_array(input);
    double absolute = 0;
    red_exact_reset(&truth->real);
#pragma omp parallel reduction(+ : absolute) if (input->n >= RED_SEVERAL_THREADS_N)
    {
        struct red_exact mine;
        red_exact_reset(&mine);
#pragma omp for schedule(static)
        for (uint64_t first = 0; first < input->n; first += RED_TERMS_N) {
            size_t n = (size_t)red_lesser(input->n - first, RED_TERMS_N);
            double a[RED_TERMS_N], b[RED_TERMS_N];
            dtype->get_reals(x, first, n, a);
            if (y)
                dtype->get_reals(y, first, n, b);
            absolute += red_add_terms(&mine, dtype, n, a, y ? b : NULL);
        }
#pragma omp critical
        red_exact_merge(&truth->real, &mine);
    }
    /* A sum of n doubles is off by n * 2^-53 at most: rounded up for any n below 2^32. */
    truth->absolute = absolute * (1 + 0x1p-20);
}

static void find(const struct red_input *input, struct red_truth *truth) {
    (input->dtype->is_float ? find_real_sum : find_integer_sum)(input, truth);
}

static void merge(struct red_truth *truth, const struct red_truth *other, uint64_t other_first) {
    (void)other_first;
    truth->integer += other->integer;
    truth->absolute += other->absolute;
    if (truth->dtype->is_float)
        red_exact_merge(&truth->real, &other->real);
}

static void take_real(struct red_truth *truth, double term) {
    red_exact_add(&truth->real, term);
    truth->absolute += fabs(term);
}

/* ---- changes ------------------------------------------------------------------------------------------- */

enum { LEVELS = 4 };

/* What is added to a float's term, on one of a few levels (1 and up). Two levels differ by twice the bounds
 * of both together: with g = gamma_h + u and S = sum of |terms| an answer is off by g (S + v) at most. And by
 * enough to outlive rounding to the element's type where n is small. Infinite where no value would do. */
static double term_increase_of_level(const struct red_truth *truth, double chain, unsigned level) {
    unsigned digits = red_op_accumulator(truth->op, truth->dtype)->digits;
    double g = red_bound(chain, digits, 1, 1), value = 0;
    double all = truth->absolute > 0 ? truth->absolute : 1;
    if (!(g < 0.9))
        return INFINITY;
    for (unsigned i = 0; i < level; i++)
        value = 2 * (value * (1 + g) + 2 * g * all) / (1 - g);
    return fmax(value, level * all * fmin(0.125, 64 / (double)truth->n));
}

/* y of the term x * y at the same place; 1 where a term has one factor or is a square. */
static double factor_at(const struct red_input *input, uint64_t at) {
    return input->op->term == RED_TERM_PRODUCT ? input->dtype->get_real(input->arrays[1], at) : 1;
}

/* The element's new value where a sum is wanted: its term grows by what term_increase_of_level says of a
 * random level. Infinite where no value would do. */
static double real_for_sum(const struct red_input *input, const struct red_truth *truth, double chain,
                           uint64_t at, uint64_t random) {
    double x = input->dtype->get_real(input->arrays[0], at), y = factor_at(input, at);
    double added = term_increase_of_level(truth, chain, 1 + (unsigned)(random % LEVELS));
    if (input->op->term == RED_TERM_SQUARE)
        return sqrt(x * x + added);
    return fabs(y) < 0x1p-4 ? INFINITY : x + added / y;
}

/* The same in the exact tier: some element's value, of either sign, with which no partial sum is rounded. */
static double real_for_exact_sum(const struct red_input *input, uint64_t random) {
    const double value = input->dtype->get_real(input->arrays[0], random % input->n);
    return random >> 63 ? value : -value;
}

static void draw(const struct red_input *input, const struct red_truth *truth, double chain, uint64_t at,
                 uint64_t random, struct red_value *after) {
    const struct red_dtype *dtype = input->dtype;
    if (dtype->is_float)
        dtype->put_real(after, 0,
                        truth->exact_tier ? real_for_exact_sum(input, random)
                                          : real_for_sum(input, truth, chain, at, random));
    else
        dtype->put_integer(after, 0, random);
}

/* Takes the term of the old value out of the exact sum of change->truth, and adds that of the new one. */
static bool replace(const struct red_input *input, uint64_t index, struct red_change *change) {
    (void)index;
    const struct red_dtype *dtype = input->dtype;
    struct red_truth *truth = &change->truth;
    const struct red_value *values[] = {&change->before, &change->after};
    for (int i = 0; i < 2; i++) {
        if (dtype->is_float) {
            double sign = i == 0 ? -1 : 1, x = dtype->get_real(values[i], 0);
            double y = input->op->term == RED_TERM_SQUARE ? x : factor_at(input, change->at);
            red_exact_add_product(&truth->real, sign * x, y);
            truth->absolute += sign * fabs(x * y) * (1 + sign * 0x1p-50);
        } else {
            uint64_t x = dtype->get_integer(values[i], 0), y = 1;
            if (input->op->term != RED_TERM_ELEMENT)
                y = input->op->term == RED_TERM_SQUARE ? x : dtype->get_integer(input->arrays[1], change->at);
            truth->integer += i == 0 ? -(x * y) : x * y;
        }
    }
    return true;
}

static double other_real(double real) {
    return real < 0 ? real - 1 : real + 1;
}

const struct red_combiner_oracle red_combiner_adds = {.find = find,
                                                      .merge = merge,
                                                      .take_real = take_real,
                                                      .draw = draw,
                                                      .replace = replace,
                                                      .other_real = other_real};
