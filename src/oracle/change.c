#include "oracle/change.h"

#include <math.h>
#include <string.h>

#include "core/random.h"
#include "oracle/bound.h"

enum { TRIES = 16, LEVELS = 4 };

/* ---- another value ---------------------------------------------------------------------------------------
 */

/* What is added to a float's term, on one of a few levels. Two levels differ by twice the bounds of both
 * together: with g = gamma_h + u and S = sum of |terms| an answer is off by g (S + v) at most. And by enough
 * to outlive rounding to the element's type where n is small. Infinite where no value would do. */
static double level_value(const struct red_truth *truth, double chain, unsigned level) {
    unsigned digits = red_op_accumulator(truth->op, truth->dtype)->digits;
    double g = red_bound(chain, digits, 1, 1), value = 0;
    double all = truth->absolute > 0 ? truth->absolute : 1;
    if (!(g < 0.9))
        return INFINITY;
    for (unsigned i = 0; i < level; i++)
        value = 2 * (value * (1 + g) + 2 * g * all) / (1 - g);
    return fmax(value, level * all * fmin(0.125, 64 / (double)truth->n));
}

/* y of the term x * y at the same place. */
static double factor_at(const struct red_input *input, uint64_t at) {
    return input->op->term == RED_TERM_PRODUCT ? input->dtype->get_real(input->arrays[1], at) : 1;
}

static double real_for_sum(const struct red_input *input, const struct red_truth *truth, double chain,
                           uint64_t at, uint64_t random) {
    double x = input->dtype->get_real(input->arrays[0], at), y = factor_at(input, at);
    double added = level_value(truth, chain, 1 + (unsigned)(random % LEVELS));
    if (input->op->term == RED_TERM_SQUARE)
        return sqrt(x * x + added);
    return fabs(y) < 0x1p-4 ? INFINITY : x + added / y;
}

/* Beyond the extreme that there is. */
static double real_for_extreme(const struct red_truth *truth, uint64_t random) {
    double extreme = truth->dtype->get_real(&truth->extreme, 0);
    double step = (1 + fabs(extreme)) * (1 + (double)(random % 64));
    return truth->op->wants == RED_WANTS_GREATEST ? extreme + step : extreme - step;
}

/* One of all that lie beyond; the extreme itself if none does. In an order in which integers of the type lie
 * as their 64 bits. */
static uint64_t integer_for_extreme(const struct red_truth *truth, uint64_t random) {
    const struct red_dtype *dtype = truth->dtype;
    const bool has_sign = dtype->kind == RED_SIGNED, greatest = truth->op->wants == RED_WANTS_GREATEST;
    uint64_t span = dtype->bits < 64 ? (UINT64_C(1) << dtype->bits) - 1 : UINT64_MAX;
    uint64_t middle = has_sign ? UINT64_C(1) << (dtype->bits - 1) : 0;
    uint64_t extreme = (dtype->get_integer(&truth->extreme, 0) + middle) & span;
    uint64_t room = greatest ? span - extreme : extreme;
    uint64_t step = room == 0 ? 0 : room == UINT64_MAX ? random : 1 + random % room;
    return (greatest ? extreme + step : extreme - step) - middle;
}

static void draw_value(const struct red_input *input, const struct red_truth *truth, double chain,
                       uint64_t random, struct red_change *change) {
    const struct red_dtype *dtype = input->dtype;
    const bool sums = truth->op->wants == RED_WANTS_ALL;
    change->after = (struct red_value){.index = 0};
    if (dtype->is_float)
        dtype->put_real(&change->after, 0,
                        sums ? real_for_sum(input, truth, chain, change->at, random)
                             : real_for_extreme(truth, random));
    else
        dtype->put_integer(&change->after, 0, sums ? random : integer_for_extreme(truth, random));
}

/* ---- the answer then -------------------------------------------------------------------------------------
 */

static void replace_term(const struct red_input *input, struct red_change *change) {
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
}

/* Whether the value is beyond the extreme that there was. */
static bool is_beyond(const struct red_truth *truth, const struct red_value *value) {
    const struct red_dtype *dtype = truth->dtype;
    const bool greatest = truth->op->wants == RED_WANTS_GREATEST;
    if (dtype->is_float) {
        double a = dtype->get_real(value, 0), b = dtype->get_real(&truth->extreme, 0);
        return greatest ? a > b : a < b;
    }
    uint64_t a = dtype->get_integer(value, 0), b = dtype->get_integer(&truth->extreme, 0);
    if (dtype->kind == RED_SIGNED)
        return greatest ? (int64_t)a > (int64_t)b : (int64_t)a < (int64_t)b;
    return greatest ? a > b : a < b;
}

/* False if the value cannot be told from what was there. */
static bool apply(const struct red_input *input, uint64_t index, struct red_change *change) {
    struct red_truth *truth = &change->truth;
    if (input->dtype->is_float && !isfinite(input->dtype->get_real(&change->after, 0)))
        return false;
    if (truth->op->wants == RED_WANTS_ALL) {
        replace_term(input, change);
        return true;
    }
    if (!is_beyond(truth, &change->after))
        return false;
    truth->extreme = change->after;
    truth->index = index;
    return true;
}

static bool is_wrong_now(const struct red_truth *truth, double chain, struct red_value last) {
    struct red_verdict verdict = red_truth_check(truth, chain, last);
    return !verdict.right && verdict.error > 2 * verdict.bound;
}

bool red_change_draw(const struct red_input *input, const struct red_truth *truth, struct red_place place,
                     double chain, struct red_value last, uint64_t *random, struct red_change *change) {
    const size_t bytes = input->dtype->size_bytes;
    for (int i = 0; i < TRIES && truth->n > 0; i++) {
        uint64_t index = red_random(random) % truth->n;
        change->truth = *truth;
        change->at = place.first + index * place.stride;
        change->before = (struct red_value){.index = 0};
        memcpy(&change->before, (const char *)input->arrays[0] + change->at * bytes, bytes);
        draw_value(input, truth, chain, red_random(random), change);
        if (apply(input, index, change) && is_wrong_now(&change->truth, chain, last))
            return true;
    }
    return false;
}
