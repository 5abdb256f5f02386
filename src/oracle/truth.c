/* Finds right answers of data sets and segments, judges results by them, and computes error bounds. `input`
 * is the data set that worker/prepared.c makes by --op, --type, --n and --seed, or verify/show_data.c for
 * --show-data, which prints the truth and the bound; what is judged wrong is a `wrong` cell. */
#include "oracle/truth.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/numbers.h"
#include "model/computed.h"
#include "oracle/combiners.h"
#include "oracle/results_private.h"

const struct red_combiner_oracle *red_combiner_of(const struct red_op *op) {
#define ROW(id, name, ...) [RED_##id] = &red_combiner_##name,
    static const struct red_combiner_oracle *const steps[] = {RED_COMBINERS(ROW)};
#undef ROW
    return steps[op->does];
}

/* The truth of n of the input's elements, in which the answer is still to be found. */
static struct red_truth truth_without_answer(const struct red_input *input, uint64_t n) {
    return (struct red_truth){.dtype = input->dtype,
                              .op = input->op,
                              .n = n,
                              .exact_tier =
                                  red_data_kind_is_exact(input->data_kind, input->op, input->dtype)};
}

void red_truth_find(const struct red_input *input, struct red_truth *truth) {
    const struct red_results_hooks *hooks = red_results_hooks_of(input->op);
    *truth = truth_without_answer(input, input->n);
    (hooks->find != NULL ? hooks->find : red_combiner_of(input->op)->find)(input, truth);
}

/* ---- parts of an array --------------------------------------------------------------------------------- */

/* For arrays that are spread over processes. */
void red_truth_merge(struct red_truth *truth, const struct red_truth *other, uint64_t other_first) {
    if (other->n == 0 && truth->op != NULL)
        return;
    if (truth->n == 0) {
        *truth = *other;
        truth->index += red_op_picks(truth->op) ? other_first : 0;
        return;
    }
    red_combiner_of(truth->op)->merge(truth, other, other_first);
    truth->n += other->n;
}

enum { STRIPE_BLOCK_N = 1 << 16 };

/* Adds what this thread's blocks of the stripe say. Each thread of the team does so. False without
 * memory. */
static bool add_stripe_blocks(const struct red_data_spec *whole, uint64_t which, uint64_t of_n,
                              struct red_truth *truth) {
    struct red_data_spec block = *whole;
    struct red_input input;
    block.whole_n = whole->n;
    block.n = red_lesser(whole->n, STRIPE_BLOCK_N);
    const bool has_room = red_input_make(&block, &input, NULL) == RED_OK;
#pragma omp for schedule(dynamic)
    for (uint64_t b = which; b < red_ceil_div(whole->n, STRIPE_BLOCK_N); b += of_n) {
        struct red_truth found;
        if (!has_room)
            continue;
        input.first = b * STRIPE_BLOCK_N;
        input.n = red_lesser(whole->n - input.first, STRIPE_BLOCK_N);
        red_input_fill(&input);
        red_truth_find(&input, &found);
        red_truth_merge(truth, &found, input.first);
    }
    if (has_room)
        red_input_clear(&input);
    return has_room;
}

enum red_status red_truth_find_stripes(const struct red_data_spec *whole, unsigned which, unsigned of_n,
                                       struct red_truth *truth, struct red_error *error) {
    const struct red_input none = {.dtype = whole->dtype, .op = whole->op, .data_kind = whole->data_kind};
    bool has_room = true;
    red_truth_find(&none, truth); /* the answer of no elements */
#pragma omp parallel reduction(&& : has_room) if (whole->n / of_n >= RED_SEVERAL_THREADS_N)
    {
        struct red_truth mine = *truth;
        has_room = add_stripe_blocks(whole, which, of_n, &mine);
#pragma omp critical
        red_truth_merge(truth, &mine, 0);
    }
    return has_room ? RED_OK : red_fail(error, RED_E_MEMORY, "no memory for a block of the array");
}

/* ---- judging ------------------------------------------------------------------------------------------- */

/* The exact sum as a double; of integers, which are then averaged, modulo 2^64. */
static double sum_as_double(const struct red_truth *truth) {
    if (truth->dtype->is_float)
        return red_exact_value(&truth->real);
    return truth->dtype->kind == RED_SIGNED ? (double)(int64_t)truth->integer : (double)truth->integer;
}

/* `expected` of evidence (cl/case_check.c, worker/prepared.c), the exact answer of --accuracy and --special.
 */
struct red_value red_truth_value(const struct red_truth *truth) {
    const struct red_dtype *result = red_op_result_dtype(truth->op, truth->dtype);
    struct red_value value = {.index = 0};
    if (red_op_picks(truth->op)) {
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

/* For evidence, and for the tables of --accuracy and --special (verify/numerics.c). */
void red_truth_answer_format(const struct red_truth *truth, const struct red_value *answer, char *text,
                             size_t text_size_bytes) {
    red_value_format(red_op_result_dtype(truth->op, truth->dtype), answer, text, text_size_bytes);
    size_t used = strlen(text);
    if (truth->op->role == RED_ROLE_PLACE)
        snprintf(text + used, text_size_bytes - used, " at %" PRIu64, answer->index);
}

/* An answer that must be the exact one has the error 0 or 1. */
static struct red_correctness correctness_without_bound(bool right) {
    return (struct red_correctness){.right = right, .error = right ? 0 : 1, .share = right ? 0 : INFINITY};
}

/* The roundings that count, of those that an order may have. A product of k factors has k - 1, in any order
 * (Higham 2002, section 3.1), and factors that are powers of two cost none. */
static double chain_of_data(const struct red_truth *truth, double chain) {
    const uint64_t roundings_n = truth->roundings_n > 0 ? truth->roundings_n - 1 : 0;
    return truth->op->does == RED_MULTIPLIES ? fmin(chain, (double)roundings_n) : chain;
}

/* Judges a float by its distance from the exact sum or, of a mean, from the sum by n. */
static struct red_correctness judge_real_sum(const struct red_truth *truth, double chain, double got) {
    double exact = red_exact_value(&truth->real), parts_n = 1;
    struct red_exact rest = truth->real;
    if (truth->op->role == RED_ROLE_MEAN)
        parts_n = (double)truth->n;
    if (!isfinite(got) || !isfinite(exact)) {
        bool same = got == exact || (isnan(got) && isnan(exact));
        return (struct red_correctness){
            .right = same, .error = same ? 0 : INFINITY, .share = same ? 0 : INFINITY};
    }
    red_exact_add_product(&rest, -got, parts_n);
    double error = fabs(red_exact_value(&rest)) / parts_n;
    double bound = red_bound(chain_of_data(truth, chain), red_op_accumulator(truth->op, truth->dtype)->digits,
                             truth->absolute / parts_n, fabs(exact) / parts_n);
    const double unit = isinf(bound) ? truth->absolute / parts_n : bound;
    return (struct red_correctness){
        .right = error <= bound, .error = error, .bound = bound, .share = error > 0 ? error / unit : 0};
}

/* Seen as the state, and as error and bound of "accuracy"; red_change_draw asks it, too. */
struct red_correctness red_truth_check(const struct red_truth *truth, double chain, struct red_value got) {
    const struct red_dtype *result = red_op_result_dtype(truth->op, truth->dtype);
    struct red_value right = red_truth_value(truth);
    if (!result->is_float)
        return correctness_without_bound(result->get_integer(&right, 0) == result->get_integer(&got, 0) &&
                                         right.index == got.index);
    double value = result->get_real(&got, 0);
    if (!truth->exact_tier)
        return judge_real_sum(truth, chain, value);
    double expected = result->get_real(&right, 0);
    bool same = value == expected || (isnan(value) && isnan(expected));
    if (same)
        return correctness_without_bound(right.index == got.index);
    return (struct red_correctness){
        .right = false, .error = isnan(value) ? INFINITY : fabs(value - expected), .share = INFINITY};
}

/* The levels of a tree of n items. */
static double log2_ceil(uint64_t n) {
    double steps = 0;
    for (uint64_t reach = 1; reach < n; reach *= 2)
        steps++;
    return steps;
}

/* Parts of red_bound_chain (oracle/truth.h): additions of an item, a group, the finish, one after the other.
 */
static double item_chain(double lanes, uint64_t k) {
    double straight = k > 1 ? (double)k - 1 : 0;
    return lanes > 1 ? fmin(straight, ceil((double)k / lanes) + 2 * (lanes - 1)) : straight;
}

/* Additions by which a work-group brings its items together. */
static double group_chain(enum red_group group, size_t group_size) {
    double serial = (double)group_size - 1;
    const double chains[RED_GROUPS_N] = {
        [RED_STRATEGY_NONE] = 0,          [RED_STRATEGY_TREE] = log2_ceil(group_size),
        [RED_STRATEGY_SERIAL] = serial,   [RED_STRATEGY_SUB_GROUP] = serial,
        [RED_STRATEGY_BUILT_IN] = serial, [RED_STRATEGY_PAIR] = 1,
    };
    return chains[group];
}

/* Additions behind those of a group, by the row of the finish (model/finish.h). */
static double finish_chain(const struct red_strategy *strategy, const struct red_dtype *dtype,
                           const struct red_op *op, const struct red_geometry *geometry, uint64_t n) {
    double groups_n = (double)geometry->groups_n, passes = 0;
    double items_n = groups_n * (double)geometry->group_size;
    uint64_t taken_n = geometry->group_size * geometry->lanes;
    for (uint64_t left = geometry->groups_n; left > 1 && taken_n > 1; left = red_ceil_div(left, taken_n))
        passes++;
    const double by_host = ldexp(groups_n - 1, (int)red_op_accumulator(op, dtype)->digits - 53);
    const double chains[] = {
        [RED_CHAIN_NONE] = 0,
        [RED_CHAIN_HOST] = by_host,
        [RED_CHAIN_GROUPS] = groups_n - 1,
        [RED_CHAIN_PASSES] =
            passes * (group_chain(strategy->group, geometry->group_size) + geometry->lanes - 1),
        [RED_CHAIN_ATOMIC] = strategy->group == RED_STRATEGY_NONE ? fmin((double)n, items_n) : groups_n,
    };
    return red_strategy_is_segmented(strategy) ? 0 : chains[red_finish_rows[strategy->finish].chain];
}

enum { ALONE_LANES = 16 };

/* Of a scan, from an element to the answers behind it: in its item, in its group up to the aggregate
 * and down to each item, over the aggregates, and two roundings for the carry, made and added. The groups of
 * span stride take a tile at a time. */
double red_prefix_chain(const struct red_strategy *strategy, const struct red_dtype *dtype,
                        const struct red_op *op, const struct red_geometry *geometry, uint64_t n) {
    const bool by_turns = strategy->span == RED_STRATEGY_STRIDE;
    const uint64_t tile_n = geometry->group_size * geometry->lanes,
                   item_n = by_turns ? geometry->lanes : geometry->item_n;
    const uint64_t tiles_n = by_turns ? red_ceil_div(n, tile_n) : geometry->groups_n;
    const uint64_t aggregates_n =
        strategy->group == RED_STRATEGY_NONE ? tiles_n * geometry->group_size : tiles_n;
    const bool by_host = red_finish_rows[strategy->finish].chain == RED_CHAIN_HOST;
    const double over_aggregates =
        ldexp((double)aggregates_n - 1, by_host ? (int)red_op_accumulator(op, dtype)->digits - 53 : 0);
    /* Where items do not meet, one of a group may take its whole tile, by vectors of 16 (scan_chunk_chained).
     */
    const double alone = strategy->group == RED_STRATEGY_NONE
                             ? fmin((double)n, (double)tile_n) / ALONE_LANES + 2 * ALONE_LANES
                             : 0;
    return fmax(item_chain(1, item_n), alone) + 2 * group_chain(strategy->group, geometry->group_size) +
           (aggregates_n > 1 ? over_aggregates + 2 : 0);
}

/* What the bound of compensated sums depends on beside the geometry, in parts of the sum of |terms|. */
struct compensated_parts {
    double groups;  /* the sum of |sum of a group| */
    double sum;     /* |the sum of all| */
    double rounded; /* the sum of |products that the accumulator's type does not hold| */
};

/* The formula of red_bound_chain_of_data (oracle/truth.h). */
static double compensated_chain(const struct red_strategy *strategy, const struct red_dtype *dtype,
                                const struct red_op *op, const struct red_geometry *geometry, uint64_t n,
                                const struct compensated_parts *parts) {
    const double u = ldexp(1, -(int)red_op_accumulator(op, dtype)->digits);
    const double hu =
        u * (item_chain(1, geometry->item_n) + 2 * group_chain(strategy->group, geometry->group_size));
    if (hu >= 1)
        return INFINITY;
    const double gamma = hu / (1 - hu);
    return gamma * gamma / u + parts->groups * (1 + finish_chain(strategy, dtype, op, geometry, n)) +
           (op->role == RED_ROLE_MEAN ? parts->sum : 0) + parts->rounded;
}

/* Of n products a * b those that a float or, where the factors are doubles, a double does not hold. */
static double sum_rounded_products(const struct red_accumulator *accumulator, size_t n, const double *a,
                                   const double *b) {
    double sum = 0;
    for (size_t i = 0; i < n; i++) {
        const double product = a[i] * b[i];
        const bool is_held = accumulator->digits == FLT_MANT_DIG ? (double)(float)product == product
                                                                 : fma(a[i], b[i], -product) == 0;
        sum += is_held ? 0 : fabs(product);
    }
    return sum;
}

/* Adds what one group takes: of every step_n elements group_n, from the first on. */
static void add_group(const struct red_input *input, uint64_t n, uint64_t first, uint64_t group_n,
                      uint64_t step_n, struct compensated_parts *parts) {
    const struct red_dtype *dtype = input->dtype;
    const void *x = input->arrays[0], *y = red_factor_array(input);
    struct red_exact sum;
    red_exact_reset(&sum);
    for (uint64_t turn = first; turn < n; turn += step_n)
        for (uint64_t at = turn, end = red_lesser(n, turn + group_n); at < end; at += RED_TERMS_N) {
            const size_t block_n = (size_t)red_lesser(end - at, RED_TERMS_N);
            double a[RED_TERMS_N], b[RED_TERMS_N];
            dtype->get_reals(x, at, block_n, a);
            if (y) {
                dtype->get_reals(y, at, block_n, b);
                parts->rounded += sum_rounded_products(red_op_accumulator(input->op, dtype), block_n, a, b);
            }
            (void)red_add_terms(&sum, dtype, block_n, a, y ? b : NULL);
        }
    parts->groups += fabs(red_exact_value(&sum));
}

/* Sets the parts of the first truth->n elements; false where there is nothing to divide, or no sum. */
static bool find_compensated_parts(const struct red_geometry *geometry, const struct red_input *input,
                                   const struct red_truth *truth, struct compensated_parts *parts) {
    const uint64_t n = truth->n, groups_n = geometry->groups_n,
                   group_n = groups_n == 1 ? n : geometry->group_size;
    double groups = 0, rounded = 0;
#pragma omp parallel for schedule(dynamic) reduction(+ : groups, rounded) if (n >= RED_SEVERAL_THREADS_N)
    for (uint64_t g = 0; g < groups_n; g++) {
        struct compensated_parts mine = {.groups = 0};
        add_group(input, n, g * group_n, group_n, groups_n * group_n, &mine);
        groups += mine.groups;
        rounded += mine.rounded;
    }
    const double up = (1 + 0x1p-20) / truth->absolute; /* as of truth->absolute */
    *parts = (struct compensated_parts){groups * up, fabs(red_exact_value(&truth->real)) * up, rounded * up};
    return isfinite(parts->groups + parts->rounded);
}

double red_bound_chain_of_data(const struct red_strategy *strategy, const struct red_geometry *geometry,
                               const struct red_input *input, const struct red_truth *truth) {
    struct compensated_parts parts;
    const bool by_groups = strategy->bound == RED_STRATEGY_COMPENSATED && truth->dtype->is_float &&
                           truth->op->does == RED_ADDS && !truth->exact_tier;
    return by_groups && find_compensated_parts(geometry, input, truth, &parts)
               ? compensated_chain(strategy, truth->dtype, truth->op, geometry, truth->n, &parts)
               : red_bound_chain(strategy, truth->dtype, truth->op, geometry, truth->n);
}

/* Of reductions, and of the counts of a histogram, which are exact. */
static double reduction_chain(const struct red_strategy *strategy, const struct red_dtype *dtype,
                              const struct red_op *op, const struct red_geometry *geometry, uint64_t n) {
    const double around = (op->term != RED_TERM_ELEMENT ? 1 : 0) + (op->role == RED_ROLE_MEAN ? 1 : 0);
    return around + item_chain(geometry->lanes, geometry->item_n) +
           group_chain(strategy->group, geometry->group_size) +
           finish_chain(strategy, dtype, op, geometry, n);
}

double red_bound_chain(const struct red_strategy *strategy, const struct red_dtype *dtype,
                       const struct red_op *op, const struct red_geometry *geometry, uint64_t n) {
    const struct red_results_hooks *hooks = red_results_hooks_of(op);
    if (red_strategy_is_exact(strategy))
        return 0;
    if (strategy->bound == RED_STRATEGY_COMPENSATED)
        return compensated_chain(strategy, dtype, op, geometry, n,
                                 &(struct compensated_parts){1, 1, op->term == RED_TERM_ELEMENT ? 0 : 1});
    if (op->does == RED_MULTIPLIES)
        return n > 0 ? (double)n - 1 : 0;
    return (hooks->chain != NULL ? hooks->chain : reduction_chain)(strategy, dtype, op, geometry, n);
}

/* Seen as "bound"; by it oracle/change.c also chooses changes that show. */
double red_bound(double chain, unsigned digits, double abs_terms_sum, double abs_exact_sum) {
    double u = ldexp(1, -(int)digits), hu = chain * u;
    if (hu >= 1)
        return INFINITY;
    double sum_error = hu / (1 - hu) * abs_terms_sum;
    return sum_error + u * (abs_exact_sum + sum_error);
}

/* Both ends of the interval are moved inwards by so many units in the last place, for their rounding. */
static const double SLACK = 8 * DBL_EPSILON;

/* Sets the interval of right answers, by which timed results are checked fast; leaves it empty where the
 * exact sum is not finite. */
static void range_set_interval(struct red_range *range, double bound) {
    const struct red_truth *truth = range->truth;
    double exact = red_exact_value(&truth->real);
    if (truth->op->role == RED_ROLE_MEAN)
        exact /= (double)truth->n;
    if (!isfinite(exact))
        return;
    double slack = SLACK * (fabs(exact) + bound);
    range->low = isfinite(bound) ? exact - bound + slack : -DBL_MAX;
    range->high = isfinite(bound) ? exact + bound - slack : DBL_MAX;
}

/* Both for timed calls, of which worker/prepared.c looks at answers: one that is not right is a `wrong` cell.
 */
void red_range_make(const struct red_truth *truth, double chain, struct red_range *range) {
    *range = (struct red_range){.truth = truth,
                                .chain = chain,
                                .result = red_op_result_dtype(truth->op, truth->dtype),
                                .known = red_truth_value(truth),
                                .low = 1,
                                .high = 0};
    struct red_correctness correctness = red_truth_check(truth, chain, range->known);
    if (!correctness.right)
        range->known.index = UINT64_MAX; /* which no answer has */
    if (truth->dtype->is_float && !truth->exact_tier)
        range_set_interval(range, correctness.bound);
}

bool red_range_learn_if_right(struct red_range *range, struct red_value value) {
    if (range->low <= range->high) {
        double real = range->result->get_real(&value, 0);
        if (range->low <= real && real <= range->high) {
            range->known = value;
            return true;
        }
    }
    bool is_right = red_truth_check(range->truth, range->chain, value).right;
    if (is_right)
        range->known = value;
    return is_right;
}

/* Writes an answer as "expected" or "got" of evidence. */
static void answer_text_format(const struct red_truth *truth, const struct red_value *answer,
                               struct red_answer_text *text) {
    red_value_format(red_op_result_dtype(truth->op, truth->dtype), answer, text->value, sizeof text->value);
    text->place = truth->op->role == RED_ROLE_PLACE ? answer->index : 0;
}

/* For cl/case_check.c, which adds the call, and for the OpenMP row (worker/server_cases.c). */
void red_truth_find_evidence(const struct red_truth *truth, double chain, struct red_value got,
                             struct red_evidence *evidence) {
    const struct red_value right = red_truth_value(truth);
    struct red_range range;
    *evidence =
        (struct red_evidence){.fault = RED_FAULT_ANSWER, .has_place = truth->op->role == RED_ROLE_PLACE};
    answer_text_format(truth, &right, &evidence->expected);
    answer_text_format(truth, &got, &evidence->got);
    red_range_make(truth, chain, &range);
    if (range.low > range.high)
        return;
    evidence->bound = red_truth_check(truth, chain, right).bound;
    snprintf(evidence->low, sizeof evidence->low, "%.17g", range.low);
    snprintf(evidence->high, sizeof evidence->high, "%.17g", range.high);
}

/* ---- segments: `segments` are a data set's (worker/prepared.c), of --shape segments ---- */

/* What of a truth differs from segment to segment. */
struct segment_truth {
    uint64_t integer, index, roundings_n;
    struct red_value extreme;
    double sum, rest; /* the exact sum is sum + rest, but for 2^-106 of it */
    double absolute;
};

struct red_segment_truths {
    struct red_truth common;
    uint64_t n; /* segments */
    struct segment_truth rows[];
};

/* Makes an input of segment i: copies its elements to room, computes them there if no array holds them, or
 * points to them where they are side by side. */
static void segment_view_make(const struct red_input *input, bool columns, uint64_t i, void *const room[2],
                              struct red_input *view) {
    size_t bytes = input->dtype->size_bytes;
    *view = *input;
    view->n = input->n / input->segments_n;
    view->segments_n = 1;
    for (unsigned array = 0; array < input->arrays_n; array++) {
        const char *from = input->arrays[array];
        view->arrays[array] = columns || from == NULL ? room[array] : input->arrays[array];
        if (from == NULL) {
            const uint64_t at_once = columns ? 1 : view->n;
            for (uint64_t k = 0; k < view->n; k += at_once)
                red_elements_compute(input->dtype, &input->form, array,
                                     columns ? k * input->segments_n + i : i * view->n, at_once,
                                     (char *)room[array] + k * bytes);
            continue;
        }
        if (!columns)
            view->arrays[array] = (char *)input->arrays[array] + i * view->n * bytes;
        for (uint64_t k = 0; columns && k < view->n; k++)
            memcpy((char *)room[array] + k * bytes, from + (k * input->segments_n + i) * bytes, bytes);
    }
}

/* Keeps of a truth what is the segment's own, its exact sum to twice the digits of a double. */
static void set_segment_truth(const struct red_truth *truth, struct segment_truth *segment) {
    *segment = (struct segment_truth){.integer = truth->integer,
                                      .index = truth->index,
                                      .roundings_n = truth->roundings_n,
                                      .extreme = truth->extreme,
                                      .absolute = truth->absolute};
    if (truth->dtype->is_float && !red_op_picks(truth->op)) {
        segment->sum = red_exact_value(&truth->real);
        segment->rest = isfinite(segment->sum) ? red_exact_minus(&truth->real, segment->sum) : 0;
    }
}

/* Finds the truth of every segment. False without memory for a thread's copies. */
static bool find_segment_truths(const struct red_input *input, bool columns, struct segment_truth *truths) {
    size_t bytes = (size_t)(input->n / input->segments_n) * input->dtype->size_bytes;
    bool has_room = true;
#pragma omp parallel reduction(&& : has_room) if (input->n >= RED_SEVERAL_THREADS_N)
    {
        void *const room[2] = {malloc(bytes), malloc(bytes)};
        has_room = room[0] != NULL && room[1] != NULL;
#pragma omp for schedule(static)
        for (uint64_t i = 0; i < input->segments_n; i++) {
            struct red_input view;
            struct red_truth truth;
            if (!has_room)
                continue;
            segment_view_make(input, columns, i, room, &view);
            red_truth_find(&view, &truth);
            set_segment_truth(&truth, &truths[i]);
        }
        free(room[0]);
        free(room[1]);
    }
    return has_room;
}

enum red_status red_segments_find_truths(const struct red_input *input, bool columns,
                                         struct red_segment_truths **segments, struct red_error *error) {
    struct red_segment_truths *made = malloc(sizeof *made + input->segments_n * sizeof made->rows[0]);
    if (made == NULL)
        return red_fail(error, RED_E_MEMORY, "no memory for the answers of %llu segments",
                        (unsigned long long)input->segments_n);
    made->n = input->segments_n;
    made->common = truth_without_answer(input, input->n / input->segments_n);
    if (input->n > 0 && !find_segment_truths(input, columns, made->rows)) {
        free(made);
        return red_fail(error, RED_E_MEMORY, "no memory for the copy of a segment");
    }
    for (uint64_t i = 0; i < made->n && input->n == 0; i++) {
        struct red_truth none;
        red_truth_find(input, &none);
        set_segment_truth(&none, &made->rows[i]);
    }
    *segments = made;
    return RED_OK;
}

/* For run/session.c, before a run begins. */
double red_segment_truth_bytes(void) {
    return sizeof(struct segment_truth);
}

void red_segments_destroy(struct red_segment_truths *segments) {
    free(segments);
}

uint64_t red_segments_n(const struct red_segment_truths *segments) {
    return segments->n;
}

void red_segments_truth(const struct red_segment_truths *segments, uint64_t i, struct red_truth *truth) {
    const struct segment_truth *segment = &segments->rows[i];
    *truth = segments->common;
    truth->integer = segment->integer;
    truth->index = segment->index;
    truth->roundings_n = segment->roundings_n;
    truth->extreme = segment->extreme;
    truth->absolute = segment->absolute;
    red_exact_reset(&truth->real);
    red_exact_add(&truth->real, segment->sum);
    red_exact_add(&truth->real, segment->rest);
}

void red_segments_set_truth(struct red_segment_truths *segments, uint64_t i, const struct red_truth *truth) {
    set_segment_truth(truth, &segments->rows[i]);
}

/* For cl/case_check.c, whose evidence names the segment, for batches (worker/prepared.c), and for the OpenMP
 * row (worker/server_cases.c). */
struct red_correctness red_segments_check(const struct red_segment_truths *segments, double chain,
                                          const struct red_answers *answers, uint64_t *which) {
    uint64_t first = segments->n;
    double error = 0, bound = 0;
#pragma omp parallel for schedule(static) reduction(min                                                      \
                                                    : first)                                                 \
    reduction(max                                                                                            \
              : error, bound) if (segments->n > 1 << 14)
    for (uint64_t i = 0; i < segments->n; i++) {
        struct red_truth truth;
        red_segments_truth(segments, i, &truth);
        struct red_correctness correctness = red_truth_check(&truth, chain, red_answers_get(answers, i));
        if (!correctness.right && i < first)
            first = i;
        error = fmax(error, correctness.error);
        bound = fmax(bound, correctness.bound);
    }
    *which = first;
    if (first == segments->n)
        return (struct red_correctness){.right = true, .error = error, .bound = bound};
    struct red_truth truth;
    red_segments_truth(segments, first, &truth);
    return red_truth_check(&truth, chain, red_answers_get(answers, first));
}
