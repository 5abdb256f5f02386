/* Changes elements so that the right answer becomes another one: one before each timed batch
 * of bench and duel (worker/prepared.c), some at each step of run 3 of verify (cl/case_check.c). `input` is
 * the data set that worker/prepared.c makes by --op, --type, --n and --seed; what the user sees is a `wrong`
 * cell with its evidence. */
#include "oracle/change.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/random.h"
#include "model/types.h"
#include "oracle/combiners.h"
#include "oracle/results_private.h"

enum { TRIES = 16 };

/* ---- the answer then ----------------------------------------------------------------------------------- */

/* Changes the element, whose index in the segment it is, and the truth of sums and extremes. False where the
 * new value is not finite or changes no answer. */
static bool change_term(const struct red_input *input, const struct red_truth *truth, double chain,
                        uint64_t index, uint64_t random, struct red_change *change) {
    const struct red_combiner_oracle *steps = red_combiner_of(truth->op);
    change->after = (struct red_value){.index = 0};
    steps->draw(input, truth, chain, change->at, random, &change->after);
    return (!input->dtype->is_float || isfinite(input->dtype->get_real(&change->after, 0))) &&
           steps->replace(input, index, change);
}

/* Whether the answer before would be wrong for the changed data, by more than twice the bound. */
static bool is_last_answer_clearly_wrong(const struct red_truth *truth, double chain, struct red_value last) {
    struct red_correctness correctness = red_truth_check(truth, chain, last);
    return !correctness.right && correctness.error > 2 * correctness.bound;
}

/* For worker/prepared.c: of one array `elements` are all; of segments those of the one drawn. */
bool red_change_draw(const struct red_input *input, const struct red_truth *truth,
                     struct red_strided_elements elements, double chain, struct red_value last,
                     uint64_t *random, struct red_change *change) {
    const struct red_results_hooks *hooks = red_results_hooks_of(input->op);
    const size_t bytes = input->dtype->size_bytes;
    for (int i = 0; i < TRIES && truth->n > 0; i++) {
        uint64_t index = red_random(random) % truth->n;
        change->truth = *truth;
        change->at = elements.first + index * elements.stride;
        change->before = (struct red_value){.index = 0};
        memcpy(&change->before, (const char *)input->arrays[0] + change->at * bytes, bytes);
        if ((hooks->change_element != NULL ? hooks->change_element : change_term)(
                input, truth, chain, index, red_random(random), change) &&
            is_last_answer_clearly_wrong(&change->truth, chain, last))
            return true;
    }
    return false;
}

/* A prefix of which an extreme is wanted takes two: it wins at its end, and at another place. */
static unsigned calls_per_shorter_n(const struct red_op *op) {
    return red_op_picks(op) ? 2 : 1;
}

/* For cl/case_check.c, and for verify/verify.c, which counts the calls of a check for the
 * time it is to take. */
unsigned red_changes_steps_n(const struct red_op *op, enum red_pattern pattern, uint64_t n,
                             uint64_t segments_n, unsigned prefixes_n) {
    const bool can =
        pattern == RED_PATTERN_EDGES /* which histograms alone have */ ||
        (red_op_picks(op) ? pattern == RED_PATTERN_CLOSE_ABOVE || pattern == RED_PATTERN_CLOSE_BELOW
                          : pattern == RED_PATTERN_WEIGHTS);
    if (!can || segments_n != 1 || n < 1 ||
        n > (red_op_picks(op) ? (uint64_t)RED_CHANGES_EXTREME_N_MAX : RED_CHANGES_N_MAX))
        return 0;
    unsigned shorter_n = prefixes_n > 0 && n <= RED_CHANGES_N_MAX ? prefixes_n - 1 : 0;
    return RED_MOVES_N + calls_per_shorter_n(op) * (shorter_n < n ? shorter_n : (unsigned)n - 1);
}

enum red_status red_changes_begin(const struct red_input *original, const struct red_truth *truth,
                                  unsigned lanes, uint64_t per_group_n, unsigned prefixes_n,
                                  struct red_changes *changes, struct red_error *error) {
    *changes =
        (struct red_changes){.n = original->n,
                             .truth = *truth,
                             .original = original,
                             .lanes = lanes,
                             .per_group_n = per_group_n,
                             .first_winner = truth->index,
                             .random = original->seed + original->n,
                             .steps_n = red_changes_steps_n(original->op, original->data_kind.pattern,
                                                            original->n, original->segments_n, prefixes_n)};
    return red_input_copy(original, &changes->now, error);
}

void red_changes_clear(struct red_changes *changes) {
    red_input_clear(&changes->now);
}

static void add_changed_place(struct red_changes *changes, uint64_t place) {
    changes->places[changes->places_n++] = place;
}

/* ---- sums and counts ----------------------------------------------------------------------------------- */

/* Stores another value at the place: not 0, of another square; of integers, far enough to change a mean. */
static void put_other_term(struct red_changes *changes, uint64_t place) {
    const struct red_dtype *dtype = changes->now.dtype;
    const struct red_combiner_oracle *steps = red_combiner_of(changes->now.op);
    void *array = changes->now.arrays[0];
    const uint64_t integer = dtype->get_integer(array, place);
    if (dtype->is_float)
        dtype->put_real(array, place, steps->other_real(dtype->get_real(array, place)));
    else
        dtype->put_integer(array, place,
                           steps->other_integer != NULL
                               ? steps->other_integer(dtype, &changes->truth, integer)
                               : integer ^ UINT64_C(1) << (dtype->bits - 2));
}

static void change_sum_element(struct red_changes *changes, uint64_t place) {
    const struct red_results_hooks *hooks = red_results_hooks_of(changes->now.op);
    (hooks->put_other != NULL ? hooks->put_other : put_other_term)(changes, place);
    add_changed_place(changes, place);
}

/* Sets the truth to that of the first elements of the changed array. */
static void update_sum_truth(struct red_changes *changes) {
    struct red_input first = changes->now;
    first.n = changes->n;
    red_truth_find(&first, &changes->truth);
}

/* ---- extremes ------------------------------------------------------------------------------------------ */

/* The last winners lose, so that another place can win: each gets its original value again. */
static void remove_winners(struct red_changes *changes) {
    const struct red_input *original = changes->original;
    for (unsigned i = 0; i < changes->winners_n; i++) {
        const uint64_t place = changes->winners[i];
        if (place >= changes->n)
            continue;
        red_rank_put(original->dtype, changes->now.arrays[0], place,
                     red_rank_of(original->dtype, original->arrays[0], place));
        add_changed_place(changes, place);
    }
    changes->winners_n = 0;
}

/* Stores at the place what is 1 + `by` % 8 ranks better than the first winner: each call has another answer,
 * also where several elements of a piece are its best. */
static void store_winner(struct red_changes *changes, uint64_t place, unsigned by) {
    const struct red_input *original = changes->original;
    uint64_t rank = red_rank_of(original->dtype, original->arrays[0], changes->first_winner);
    rank = original->op->does == RED_PICKS_GREATEST ? rank + 1 + by % 8 : rank - 1 - by % 8;
    red_rank_put(original->dtype, changes->now.arrays[0], place, rank);
    add_changed_place(changes, place);
    changes->winners[changes->winners_n++] = place;
}

/* Sets the truth to the extreme of the first elements: the value and place of the winner with the lowest
 * index. */
static void update_extreme_truth(struct red_changes *changes) {
    struct red_truth *truth = &changes->truth;
    const size_t bytes = changes->now.dtype->size_bytes;
    truth->n = changes->n;
    truth->index = changes->winners[0];
    if (changes->winners_n > 1 && changes->winners[1] < truth->index)
        truth->index = changes->winners[1];
    memcpy(&truth->extreme.bits, (const char *)changes->now.arrays[0] + truth->index * bytes, bytes);
}

/* From now on only the first n elements are reduced; the element behind them is set to what would win over
 * all. */
static void shorten_and_set_trap(struct red_changes *changes, uint64_t n) {
    const struct red_dtype *dtype = changes->now.dtype;
    bool greatest = changes->now.op->does == RED_PICKS_GREATEST;
    changes->n = n;
    red_rank_put(dtype, changes->now.arrays[0], n, greatest ? red_rank_max(dtype) : 0);
    add_changed_place(changes, n);
}

/* ---- steps -----------------------------------------------------------------------------------------------
 * `changes` is that of cl/case_check.c. */

/* The place that a step changes: where vectors and the turns of a work-group end or begin, then places drawn
 * from changes->random, which each call advances. */
static uint64_t choose_place(struct red_changes *changes, unsigned step) {
    const uint64_t n = changes->n, tail = n - n % changes->lanes;
    const uint64_t places[] = {
        tail, tail - 1, changes->per_group_n, changes->per_group_n - 1, 0, n / 2, n - 1, 1, 63, 64, n - 2};
    uint64_t random = red_random(&changes->random) % n;
    if (n <= RED_MOVES_N)
        return step % n;
    return step < sizeof places / sizeof places[0] && places[step] < n ? places[step] : random;
}

/* Makes a step behind RED_MOVES_N, counted from there: goes on to the next shorter prefix or, of an extreme
 * every other time, lets another place of the same prefix win. */
static void make_prefix_step(struct red_changes *changes, unsigned prefix_step) {
    const struct red_op *op = changes->original->op;
    uint64_t shorter_by = prefix_step / calls_per_shorter_n(op) + 1, n = changes->original->n - shorter_by;
    if (!red_op_picks(op)) {
        changes->n = n;
        update_sum_truth(changes);
        return;
    }
    if (prefix_step % 2 == 0)
        shorten_and_set_trap(changes, n);
    remove_winners(changes);
    store_winner(changes, prefix_step % 2 == 0 ? n - 1 : choose_place(changes, (unsigned)(shorter_by % 7)),
                 prefix_step);
    update_extreme_truth(changes);
}

bool red_changes_next(struct red_changes *changes) {
    const unsigned step = changes->step++;
    changes->places_n = 0;
    if (step >= changes->steps_n)
        return false;
    if (step >= RED_MOVES_N) {
        make_prefix_step(changes, step - RED_MOVES_N);
        return true;
    }
    uint64_t place = choose_place(changes, step);
    if (!red_op_picks(changes->original->op)) {
        change_sum_element(changes, place);
        update_sum_truth(changes);
        return true;
    }
    bool ties = changes->original->op->role == RED_ROLE_PLACE && step % 2 == 1;
    if (!ties)
        remove_winners(changes);
    store_winner(changes, place, ties ? step - 1 : step);
    update_extreme_truth(changes);
    return true;
}

/* Stands behind "got ..." in the evidence of run 3. */
void red_changes_format(const struct red_changes *changes, char *text, size_t text_size_bytes) {
    if (changes->n == changes->original->n)
        snprintf(text, text_size_bytes, "after change %u", changes->step);
    else
        snprintf(text, text_size_bytes, "of the first %" PRIu64 " elements", changes->n);
}
