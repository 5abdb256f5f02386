#include "oracle/truth.h"

#include <math.h>

#include "oracle/bound.h"

static void find_integer(const struct red_input *input, struct red_truth *truth) {
    const struct red_dtype *dtype = input->dtype;
    const void *x = input->arrays[0], *y = input->arrays[1];
    uint64_t sum = 0;
#pragma omp parallel for schedule(static) reduction(+ : sum) if (input->n > 1 << 15)
    for (uint64_t i = 0; i < input->n; i++)
        sum += y ? dtype->get_integer(x, i) * dtype->get_integer(y, i) : dtype->get_integer(x, i);
    truth->integer = sum;
}

static void find_real(const struct red_input *input, struct red_truth *truth) {
    const struct red_dtype *dtype = input->dtype;
    const void *x = input->arrays[0], *y = input->arrays[1];
    double absolute = 0;
    red_exact_reset(&truth->real);
#pragma omp parallel reduction(+ : absolute) if (input->n > 1 << 13)
    {
        struct red_exact mine;
        red_exact_reset(&mine);
#pragma omp for schedule(static)
        for (uint64_t i = 0; i < input->n; i++) {
            double a = dtype->get_real(x, i), b = y ? dtype->get_real(y, i) : 1;
            if (y)
                red_exact_add_product(&mine, a, b);
            else
                red_exact_add(&mine, a);
            absolute += fabs(a * b);
        }
#pragma omp critical
        red_exact_merge(&truth->real, &mine);
    }
    /* A sum of n doubles is off by n * 2^-53 at most: rounded up for any n below 2^32. */
    truth->absolute = absolute * (1 + 0x1p-20);
}

void red_truth_find(const struct red_input *input, struct red_truth *truth) {
    *truth = (struct red_truth){.dtype = input->dtype,
                                .exact_tier = red_probe_is_exact(input->probe, input->dtype)};
    if (input->dtype->is_float)
        find_real(input, truth);
    else
        find_integer(input, truth);
}

union red_value red_truth_value(const struct red_truth *truth) {
    union red_value value = {.bits = 0};
    if (truth->dtype->is_float)
        truth->dtype->put_real(&value, 0, red_exact_value(&truth->real));
    else
        truth->dtype->put_integer(&value, 0, truth->integer);
    return value;
}

struct red_verdict red_truth_check(const struct red_truth *truth, double chain, union red_value got) {
    if (!truth->dtype->is_float) {
        union red_value right = red_truth_value(truth);
        bool same = truth->dtype->get_integer(&right, 0) == truth->dtype->get_integer(&got, 0);
        return (struct red_verdict){.right = same, .error = !same, .bound = 0};
    }
    double value = truth->dtype->get_real(&got, 0), exact = red_exact_value(&truth->real);
    if (!isfinite(value) || !isfinite(exact)) {
        bool same = value == exact || (isnan(value) && isnan(exact));
        return (struct red_verdict){.right = same, .error = same ? 0 : INFINITY, .bound = 0};
    }
    double error = fabs(red_exact_difference(&truth->real, value));
    double bound =
        truth->exact_tier ? 0 : red_bound(chain, truth->dtype->digits, truth->absolute, fabs(exact));
    return (struct red_verdict){.right = error <= bound, .error = error, .bound = bound};
}
