#include "oracle/truth.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "oracle/bound.h"

/* y of the term x * y: the second array, the element itself, or none. */
static const void *factor_of(const struct red_input *input) {
    return input->op->term == RED_TERM_PRODUCT  ? input->arrays[1]
           : input->op->term == RED_TERM_SQUARE ? input->arrays[0]
                                                : NULL;
}

/* Elements are taken by blocks that stay in the first cache. */
enum { BLOCK_N = 1024 };

static size_t block_n(const struct red_input *input, uint64_t first) {
    return input->n - first < BLOCK_N ? (size_t)(input->n - first) : BLOCK_N;
}

static void find_integer_sum(const struct red_input *input, struct red_truth *truth) {
    const struct red_dtype *dtype = input->dtype;
    const void *x = input->arrays[0], *y = factor_of(input);
    uint64_t sum = 0;
#pragma omp parallel for schedule(static) reduction(+ : sum) if (input->n >= RED_SEVERAL_THREADS_N)
    for (uint64_t first = 0; first < input->n; first += BLOCK_N) {
        size_t n = block_n(input, first);
        uint64_t a[BLOCK_N], b[BLOCK_N];
        dtype->get_integers(x, first, n, a);
        if (y)
            dtype->get_integers(y, first, n, b);
        for (size_t i = 0; i < n; i++)
            sum += y ? a[i] * b[i] : a[i];
    }
    truth->integer = sum;
}

/* Adds the terms a * b, or a where b is NULL, and gives the sum of |terms|. Changes a. */
static double add_terms(struct red_exact *sum, const struct red_dtype *dtype, size_t n, double *a,
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

static void find_real_sum(const struct red_input *input, struct red_truth *truth) {
    const struct red_dtype *dtype = input->dtype;
    const void *x = input->arrays[0], *y = factor_of(input);
    double absolute = 0;
    red_exact_reset(&truth->real);
#pragma omp parallel reduction(+ : absolute) if (input->n >= RED_SEVERAL_THREADS_N)
    {
        struct red_exact mine;
        red_exact_reset(&mine);
#pragma omp for schedule(static)
        for (uint64_t first = 0; first < input->n; first += BLOCK_N) {
            size_t n = block_n(input, first);
            double a[BLOCK_N], b[BLOCK_N];
            dtype->get_reals(x, first, n, a);
            if (y)
                dtype->get_reals(y, first, n, b);
            absolute += add_terms(&mine, dtype, n, a, y ? b : NULL);
        }
#pragma omp critical
        red_exact_merge(&truth->real, &mine);
    }
    /* A sum of n doubles is off by n * 2^-53 at most: rounded up for any n below 2^32. */
    truth->absolute = absolute * (1 + 0x1p-20);
}

/* ---- extremes --------------------------------------------------------------------------------------------
 */

/* Whether a is before b in the order of the operation. A NaN is before nothing. */
static bool is_before(const struct red_truth *truth, const void *array, uint64_t a, uint64_t b) {
    const struct red_dtype *dtype = truth->dtype;
    bool least = truth->op->wants == RED_WANTS_LEAST;
    if (dtype->is_float) {
        double x = dtype->get_real(array, a), y = dtype->get_real(array, b);
        return (least ? x < y : x > y) || (isnan(y) && !isnan(x));
    }
    uint64_t x = dtype->get_integer(array, a), y = dtype->get_integer(array, b);
    if (dtype->kind == RED_SIGNED)
        return least ? (int64_t)x < (int64_t)y : (int64_t)x > (int64_t)y;
    return least ? x < y : x > y;
}

/* The lowest index of what the operation looks for. */
static void find_extreme(const struct red_input *input, struct red_truth *truth) {
    const void *array = input->arrays[0];
    uint64_t best = 0;
#pragma omp parallel if (input->n >= RED_SEVERAL_THREADS_N)
    {
        uint64_t mine = 0;
#pragma omp for schedule(static)
        for (uint64_t i = 0; i < input->n; i++)
            if (is_before(truth, array, i, mine))
                mine = i;
#pragma omp critical
        if (is_before(truth, array, mine, best) || (!is_before(truth, array, best, mine) && mine < best))
            best = mine;
    }
    truth->index = best;
    if (input->n > 0 && input->dtype->is_float)
        truth->dtype->put_real(&truth->extreme, 0, input->dtype->get_real(array, best));
    else if (input->n > 0)
        truth->dtype->put_integer(&truth->extreme, 0, input->dtype->get_integer(array, best));
}

void red_truth_find(const struct red_input *input, struct red_truth *truth) {
    *truth = (struct red_truth){.dtype = input->dtype,
                                .op = input->op,
                                .n = input->n,
                                .exact_tier = red_probe_is_exact(input->probe, input->op, input->dtype)};
    if (input->op->wants != RED_WANTS_ALL)
        find_extreme(input, truth);
    else if (input->dtype->is_float)
        find_real_sum(input, truth);
    else
        find_integer_sum(input, truth);
}

/* ---- judging ---------------------------------------------------------------------------------------------
 */

/* The exact sum as a double; of integers, which are then averaged, modulo 2^64. */
static double sum_as_double(const struct red_truth *truth) {
    if (truth->dtype->is_float)
        return red_exact_value(&truth->real);
    return truth->dtype->kind == RED_SIGNED ? (double)(int64_t)truth->integer : (double)truth->integer;
}

struct red_value red_truth_value(const struct red_truth *truth) {
    const struct red_dtype *result = red_op_result(truth->op, truth->dtype);
    struct red_value value = {.index = 0};
    if (truth->op->wants != RED_WANTS_ALL) {
        value = truth->extreme;
        value.index = truth->op->role == RED_ROLE_PLACE ? truth->index : 0;
    } else if (truth->op->role == RED_ROLE_MEAN)
        result->put_real(&value, 0, sum_as_double(truth) / (double)truth->n);
    else if (result->is_float)
        result->put_real(&value, 0, red_exact_value(&truth->real));
    else
        result->put_integer(&value, 0, truth->integer);
    return value;
}

void red_truth_print(const struct red_truth *truth, const struct red_value *value, char *text,
                     size_t text_size_bytes) {
    red_dtype_print(red_op_result(truth->op, truth->dtype), value, text, text_size_bytes);
    size_t used = strlen(text);
    if (truth->op->role == RED_ROLE_PLACE)
        snprintf(text + used, text_size_bytes - used, " at %" PRIu64, value->index);
}

static struct red_verdict verdict_of(bool right) {
    return (struct red_verdict){.right = right, .error = right ? 0 : 1, .bound = 0};
}

/* A float against the exact sum, or against the sum by n. */
static struct red_verdict check_real(const struct red_truth *truth, double chain, double value) {
    double exact = red_exact_value(&truth->real), parts_n = 1;
    struct red_exact rest = truth->real;
    if (truth->op->role == RED_ROLE_MEAN)
        parts_n = (double)truth->n;
    if (!isfinite(value) || !isfinite(exact)) {
        bool same = value == exact || (isnan(value) && isnan(exact));
        return (struct red_verdict){.right = same, .error = same ? 0 : INFINITY, .bound = 0};
    }
    red_exact_add_product(&rest, -value, parts_n);
    double error = fabs(red_exact_value(&rest)) / parts_n;
    double bound = red_bound(chain, red_op_accumulator(truth->op, truth->dtype)->digits,
                             truth->absolute / parts_n, fabs(exact) / parts_n);
    return (struct red_verdict){.right = error <= bound, .error = error, .bound = bound};
}

struct red_verdict red_truth_check(const struct red_truth *truth, double chain, struct red_value got) {
    const struct red_dtype *result = red_op_result(truth->op, truth->dtype);
    struct red_value right = red_truth_value(truth);
    if (!result->is_float)
        return verdict_of(result->get_integer(&right, 0) == result->get_integer(&got, 0) &&
                          right.index == got.index);
    double value = result->get_real(&got, 0);
    if (!truth->exact_tier)
        return check_real(truth, chain, value);
    double expected = result->get_real(&right, 0);
    bool same = value == expected || (isnan(value) && isnan(expected));
    if (same)
        return verdict_of(right.index == got.index);
    return (struct red_verdict){
        .right = false, .error = isnan(value) ? INFINITY : fabs(value - expected), .bound = 0};
}
