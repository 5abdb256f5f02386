/* Changes one element before each timed batch and checks every answer, so that an answer kept from before is
 * wrong. worker/prepared.c has a guard for each array of a case that bench, duel or `once` calls; its
 * message is the reason of a `wrong` cell, or of the verdict WRONG. */
#include "worker/prepared.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/random.h"
#include "host/reference.h"

/* ---- what is looked at --------------------------------------------------------------------------------- */

/* Lets watch i look at a segment (0: the only array), whose right answer is `truth`. */
static void watch_segment(struct red_guard *guard, unsigned i, uint64_t segment,
                          const struct red_truth *truth) {
    struct red_watch *watch = &guard->watches[i];
    watch->segment = segment;
    watch->truth = *truth;
    red_range_make(&watch->truth, guard->chain, &watch->range);
}

enum red_status red_guard_make(struct red_dataset *dataset, uint64_t n, bool columns, bool has_value,
                               double chain, struct red_guard *guard, struct red_error *error) {
    const struct red_truth *truth = NULL;
    const uint64_t segments_n = dataset->spec.segments_n;
    enum red_status status = RED_OK;
    *guard =
        (struct red_guard){.dataset = dataset,
                           .n = n,
                           .segments_n = segments_n,
                           .random = dataset->spec.seed ^ n << 32,
                           .columns = columns,
                           .chain = chain,
                           .watches = calloc(segments_n > 1 ? RED_WATCHES_MAX : 1, sizeof *guard->watches)};
    if (guard->watches == NULL)
        return red_fail(error, RED_E_MEMORY, "no memory for looking at answers");
    if (segments_n > 1)
        return RED_OK;
    status = red_dataset_truth(dataset, n, &truth, error);
    if (status == RED_OK) {
        guard->original = *truth;
        guard->last = red_truth_value(truth);
        guard->watches_n = has_value;
        watch_segment(guard, 0, 0, truth);
    } else
        red_guard_clear(guard);
    return status;
}

void red_guard_clear(struct red_guard *guard) {
    free(guard->watches);
    *guard = (struct red_guard){.watches = NULL};
}

/* ---- batches ------------------------------------------------------------------------------------------- */

/* Where the segment's elements lie in the data set: the first one, and the step to the next. */
static struct red_strided_elements segment_place(const struct red_guard *guard, uint64_t segment) {
    return guard->columns ? (struct red_strided_elements){segment, guard->segments_n}
                          : (struct red_strided_elements){segment * guard->n, 1};
}

/* Before each batch of --shape segments: draws the segment in which an element changes, and the other
 * segments whose answers are looked at; the one that changed last is among them. */
static enum red_status choose_watched_segments(struct red_guard *guard, struct red_error *error) {
    const uint64_t last = guard->watches[0].segment, segment = red_random(&guard->random) % guard->segments_n;
    bool is_first = guard->segments == NULL;
    if (is_first && red_dataset_segments(guard->dataset, guard->columns, &guard->segments, error) != RED_OK)
        return RED_E_MEMORY;
    red_segments_truth(guard->segments, segment, &guard->original);
    if (segment != last || is_first)
        guard->last = red_truth_value(&guard->original);
    for (unsigned i = 1; i < RED_WATCHES_MAX; i++) {
        struct red_truth truth;
        uint64_t other = i == 1 ? last : red_random(&guard->random) % guard->segments_n;
        other = other == segment ? (other + 1) % guard->segments_n : other;
        red_segments_truth(guard->segments, other, &truth);
        watch_segment(guard, i, other, &truth);
    }
    watch_segment(guard, 0, segment, &guard->original);
    guard->watches_n = RED_WATCHES_MAX;
    return RED_OK;
}

enum red_status red_guard_begin(struct red_guard *guard, struct red_error *error) {
    const struct red_input *input = &guard->dataset->input;
    enum red_status status = RED_OK;
    if (guard->segments_n > 1)
        status = choose_watched_segments(guard, error);
    if (status != RED_OK)
        return status;
    const uint64_t segment = guard->watches[0].segment;
    if (input->making != RED_MADE_BY_PATTERN) /* all elements change from reduction to reduction */
        return RED_OK;
    guard->changed = red_change_draw(input, &guard->original, segment_place(guard, segment), guard->chain,
                                     guard->last, &guard->random, &guard->change);
    guard->before = guard->last;
    guard->last = red_truth_value(guard->changed ? &guard->change.truth : &guard->original);
    if (!guard->changed)
        return RED_OK;
    watch_segment(guard, 0, segment, &guard->change.truth);
    if (guard->segments != NULL)
        red_segments_set_truth(guard->segments, segment, &guard->change.truth);
    return red_dataset_store(guard->dataset, guard->change.at, &guard->change.after, error);
}

enum red_status red_guard_end(struct red_guard *guard, struct red_error *error) {
    if (guard->changed) {
        if (guard->segments != NULL)
            red_segments_set_truth(guard->segments, guard->watches[0].segment, &guard->original);
        watch_segment(guard, 0, guard->watches[0].segment, &guard->original);
    }
    if (guard->segments_n > 1)
        guard->watches_n = 0;
    bool changed = guard->changed;
    guard->changed = false;
    return changed ? red_dataset_store(guard->dataset, guard->change.at, &guard->change.before, error)
                   : RED_OK;
}

/* ---- evidence ------------------------------------------------------------------------------------------ */

/* "; element 17 had changed from 0.5 to 96 before, and what came was right until then"; empty where none has
 * changed. */
static void change_format(const struct red_guard *guard, struct red_value got, char *text,
                          size_t text_bytes) {
    const struct red_dtype *dtype = guard->original.dtype;
    char before[64], after[64];
    text[0] = '\0';
    if (!guard->changed)
        return;
    bool is_kept = (got.bits == guard->before.bits && got.index == guard->before.index) ||
                   red_truth_check(&guard->original, guard->chain, got).right;
    red_value_format(dtype, &guard->change.before, before, sizeof before);
    red_value_format(dtype, &guard->change.after, after, sizeof after);
    snprintf(text, text_bytes, "; element %" PRIu64 " had changed from %s to %s before these calls%s",
             guard->change.at, before, after, is_kept ? ", and this answer was right until then" : "");
}

/* RED_E_WRONG: "expected 1.5, got 2", of the watch's segment, behind what says which call it was. */
static enum red_status fail_wrong(const struct red_guard *guard, const struct red_watch *watch,
                                  struct red_value value, const char *which_call, struct red_error *error) {
    const struct red_value right = red_truth_value(&watch->truth);
    char expected[64], got[64], change[240] = "";
    red_truth_answer_format(&watch->truth, &right, expected, sizeof expected);
    red_truth_answer_format(&watch->truth, &value, got, sizeof got);
    if (watch == guard->watches)
        change_format(guard, value, change, sizeof change);
    return red_fail(error, RED_E_WRONG, "%sexpected %s, got %s%s", which_call, expected, got, change);
}

enum red_status red_guard_fail_wrong(const struct red_guard *guard, uint64_t call, struct red_value value,
                                     const struct red_answers *answers, struct red_error *error) {
    const struct red_watch *watch = &guard->watches[guard->watches_n > 1 ? call % guard->watches_n : 0];
    char which_call[80];
    if (guard->segments == NULL) {
        snprintf(which_call, sizeof which_call, "call %" PRIu64 ": ", call + 1);
        return fail_wrong(guard, watch, value, which_call, error);
    }
    snprintf(which_call, sizeof which_call, "call %" PRIu64 ", segment %" PRIu64 ": ", call + 1,
             watch->segment);
    return fail_wrong(guard, watch, red_answers_get(answers, watch->segment), which_call, error);
}

/* RED_E_WRONG where the answer of any segment is wrong. */
static enum red_status check_all_segments(const struct red_guard *guard, const struct red_answers *answers,
                                          struct red_error *error) {
    struct red_segment_truths *segments = NULL;
    uint64_t wrong_segment = 0;
    enum red_status status = red_dataset_segments(guard->dataset, guard->columns, &segments, error);
    if (status != RED_OK)
        return status;
    bool right = red_segments_check(segments, guard->chain, answers, &wrong_segment).right;
    red_reference_stop_spinning();
    return right ? RED_OK
                 : red_fail(error, RED_E_WRONG, "expected another value in segment %" PRIu64, wrong_segment);
}

enum red_status red_guard_check(const struct red_guard *guard, struct red_value value,
                                const struct red_answers *answers, struct red_error *error) {
    if (guard->segments_n > 1)
        return check_all_segments(guard, answers, error);
    return red_truth_check(&guard->watches[0].truth, guard->chain, value).right
               ? RED_OK
               : fail_wrong(guard, &guard->watches[0], value, "", error);
}
