/* Right answers of operations that pick the least or the greatest element, or its place. */
#include <math.h>
#include <string.h>

#include "oracle/combiners.h"

/* Whether an element of array a wins over one of array b where the least or the greatest is wanted. A NaN
 * wins over nothing, and what is none wins over a NaN. */
static bool element_wins(const struct red_op *op, const struct red_dtype *dtype, const void *a, uint64_t a_i,
                         const void *b, uint64_t b_i) {
    bool least = op->does == RED_PICKS_LEAST;
    if (dtype->is_float) {
        double x = dtype->get_real(a, a_i), y = dtype->get_real(b, b_i);
        return (least ? x < y : x > y) || (isnan(y) && !isnan(x));
    }
    const uint64_t sign = dtype->kind == RED_SIGNED ? UINT64_C(1) << 63 : 0;
    uint64_t x = dtype->get_integer(a, a_i) ^ sign, y = dtype->get_integer(b, b_i) ^ sign;
    return least ? x < y : x > y;
}

/* Sets the extreme of the truth and the lowest index that holds it. */
static void find(const struct red_input *input, struct red_truth *truth) {
    const void *array = input->arrays[0];
    uint64_t best = 0;
    if (input->n == 0)
        return;
#pragma omp parallel if (input->n >= RED_SEVERAL_THREADS_N)
    {
        uint64_t mine = 0;
#pragma omp for schedule(static)
        for (uint64_t i = 0; i < input->n; i++)
            if (element_wins(input->op, input->dtype, array, i, array, mine))
                mine = i;
#pragma omp critical
        if (element_wins(input->op, input->dtype, array, mine, array, best) ||
            (!element_wins(input->op, input->dtype, array, best, array, mine) && mine < best))
            best = mine;
    }
    truth->index = best;
    memcpy(&truth->extreme, (const char *)array + best * input->dtype->size_bytes, input->dtype->size_bytes);
}

/* Takes the extreme of another part where it wins, or is as good and stands before. */
static void merge(struct red_truth *truth, const struct red_truth *other, uint64_t other_first) {
    const uint64_t other_index = other_first + other->index;
    const bool wins = element_wins(truth->op, truth->dtype, &other->extreme, 0, &truth->extreme, 0),
               loses = element_wins(truth->op, truth->dtype, &truth->extreme, 0, &other->extreme, 0);
    if (!wins && (loses || truth->index < other_index))
        return;
    truth->extreme = other->extreme;
    truth->index = other_index;
}

/* ---- changes ------------------------------------------------------------------------------------------- */

/* A value beyond the extreme, by a random step. */
static double real_for_extreme(const struct red_truth *truth, uint64_t random) {
    double extreme = truth->dtype->get_real(&truth->extreme, 0);
    double step = (1 + fabs(extreme)) * (1 + (double)(random % 64));
    return truth->op->does == RED_PICKS_GREATEST ? extreme + step : extreme - step;
}

/* A random integer beyond the extreme; the extreme itself if there is none. */
static uint64_t integer_for_extreme(const struct red_truth *truth, uint64_t random) {
    const struct red_dtype *dtype = truth->dtype;
    const bool greatest = truth->op->does == RED_PICKS_GREATEST;
    const uint64_t extreme = red_rank_of(dtype, &truth->extreme, 0);
    const uint64_t room = greatest ? red_rank_max(dtype) - extreme : extreme;
    const uint64_t step = room == 0 ? 0 : room == UINT64_MAX ? random : 1 + random % room;
    return red_rank_integer(dtype, greatest ? extreme + step : extreme - step);
}

static void draw(const struct red_input *input, const struct red_truth *truth, double chain, uint64_t at,
                 uint64_t random, struct red_value *after) {
    const struct red_dtype *dtype = input->dtype;
    (void)chain, (void)at;
    if (dtype->is_float)
        dtype->put_real(after, 0, real_for_extreme(truth, random));
    else
        dtype->put_integer(after, 0, integer_for_extreme(truth, random));
}

/* The new value must go beyond the extreme. */
static bool replace(const struct red_input *input, uint64_t index, struct red_change *change) {
    struct red_truth *truth = &change->truth;
    (void)input;
    if (!element_wins(truth->op, truth->dtype, &change->after, 0, &truth->extreme, 0))
        return false;
    truth->extreme = change->after;
    truth->index = index;
    return true;
}

const struct red_combiner_oracle red_combiner_picks = {
    .find = find, .merge = merge, .draw = draw, .replace = replace};
