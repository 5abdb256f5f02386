/* Guarding timed calls: every answer is looked at, and before every batch one element of the data changes, so
 * that an answer kept from before is wrong. What worker/prepared.c has one of for each of its arrays. */
#ifndef CLREDUCE_WORKER_GUARD_H
#define CLREDUCE_WORKER_GUARD_H

#include "oracle/change.h"
#include "oracle/range.h"
#include "worker/dataset.h"

/* Of segments each call shows the answer of one of these, in turns. */
enum { RED_WATCHES_MAX = 8 };

struct red_watch {
    uint64_t segment;
    struct red_truth truth; /* of the data as it is */
    struct red_range range;
};

struct red_guard {
    struct red_dataset *dataset;   /* borrowed */
    struct red_segments *segments; /* the data set's; NULL: one reduction */
    uint64_t n, segments_n, random;
    bool columns;
    double chain;
    struct red_watch *watches; /* owned; the first is of the segment that changes */
    unsigned watches_n;        /* 0: no answer is looked at */
    bool changed;
    struct red_change change;
    struct red_truth original;     /* of the first watch's data as it was made */
    struct red_value last, before; /* its right answers: in this batch, in the one before */
};

/* Guards reductions of n elements of the data set, as many as it has segments (side by side, or as columns),
 * whose bound has this chain. Between batches answers of segments are not looked at. Release with _clear.
 * Errors: RED_E_MEMORY. */
enum red_status red_guard_make(struct red_dataset *dataset, uint64_t n, bool columns, double chain,
                               struct red_guard *guard, struct red_error *error);
void red_guard_clear(struct red_guard *guard);

/* Before a batch: changes an element that the seed draws. After it: puts back what was there. No launch may
 * be at work on the data. Errors: those of red_dataset_store; RED_E_MEMORY. */
enum red_status red_guard_begin(struct red_guard *guard, struct red_error *error);
enum red_status red_guard_end(struct red_guard *guard, struct red_error *error);

/* Whether the call-th answer is right: `value`, or of segments one of `answers`. */
static inline bool red_guard_holds(struct red_guard *guard, uint64_t call, struct red_value value,
                                   const struct red_answers *answers) {
    if (guard->watches_n == 0)
        return true;
    struct red_watch *watch = &guard->watches[guard->watches_n > 1 ? call % guard->watches_n : 0];
    return red_range_holds(&watch->range,
                           guard->segments != NULL ? red_answers_get(answers, watch->segment) : value);
}

/* Tells of an answer that is not: RED_E_WRONG, with the number of the call and the element that had changed.
 */
enum red_status red_guard_report(const struct red_guard *guard, uint64_t call, struct red_value value,
                                 const struct red_answers *answers, struct red_error *error);

/* Checks an answer, of segments all of them: RED_E_WRONG, "expected 1.5, got 2". */
enum red_status red_guard_check(const struct red_guard *guard, struct red_value value,
                                const struct red_answers *answers, struct red_error *error);

#endif
