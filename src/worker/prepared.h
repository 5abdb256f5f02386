/* A prepared case: something that can be called and timed. worker/server_cases.c makes, keeps and times it;
 * `once` calls it without a worker. */
#ifndef CLREDUCE_WORKER_PREPARED_H
#define CLREDUCE_WORKER_PREPARED_H

#include "cl/plan.h"
#include "cl/roof.h"
#include "model/case.h"
#include "oracle/change.h"
#include "oracle/right.h"

/* ---- data sets -------------------------------------------------------------------------------------------
 * Data, its exact answers, and where it lies on a device. */

/* A cost projection tries its way up from few elements by factors of 4. */
enum { RED_PREFIXES_MAX = 8 };

struct red_dataset {
    struct red_data_spec spec;
    struct red_input input;
    struct red_truth truth;                       /* of one array */
    struct red_segment_truths *segments[2];       /* side by side and as columns; NULL until asked for */
    struct red_truth *prefixes[RED_PREFIXES_MAX]; /* owned; of the first elements; NULL until asked for */
    struct red_results_truth *results; /* owned; of the first results_of_n elements; NULL: none yet */
    uint64_t results_of_n;
    struct red_resident *resident; /* NULL until asked for */
};

/* Makes the data that the specification says, and of one array its exact answer. Errors: RED_E_MEMORY, naming
 * the largest n that the host's free memory holds. Release with _clear. */
enum red_status red_dataset_make(const struct red_data_spec *spec, struct red_dataset *dataset,
                                 struct red_error *error);
void red_dataset_clear(struct red_dataset *dataset);

/* Moves the host's arrays to other memory, where there is some, and releases the copy on the device, which
 * the next use makes anew. No plan that uses it may be there. */
void red_dataset_move(struct red_dataset *dataset);

/* The right results of a scan or a histogram of the first n elements, computed when n is asked for first, and
 * kept for one n; of a reduction NULL. They follow elements that a guard changes. Errors: RED_E_MEMORY. */
enum red_status red_dataset_results(struct red_dataset *dataset, uint64_t n,
                                    struct red_results_truth **results, struct red_error *error);

/* The right answers of the case, which the data set owns: computed when they are asked for first. Errors:
 * RED_E_MEMORY. */
enum red_status red_dataset_right(struct red_dataset *dataset, const struct red_case *spec,
                                  struct red_right *right, struct red_error *error);

/* red_verify_case, with all answers of the case. */
enum red_status red_dataset_verify(struct red_dataset *dataset, struct red_device *device,
                                   const struct red_case *spec, bool timed_only,
                                   struct red_verification *verification, struct red_error *error);

/* ---- guards ----------------------------------------------------------------------------------------------
 * Every answer of a timed call is looked at, and before every batch one element of the data changes, so that
 * an answer kept from before is wrong. A prepared case has a guard for each of its arrays. The results of a
 * scan stay on the device: they are looked at behind the batch (red_prepared_check). */

/* Where there are segments each call shows the answer of one of these, in turns. */
enum { RED_WATCHES_MAX = 8 };

struct red_watch {
    uint64_t segment;
    struct red_truth truth; /* of the data as it is */
    struct red_range range;
};

struct red_guard {
    struct red_dataset *dataset;         /* borrowed */
    struct red_segment_truths *segments; /* the data set's; NULL: one reduction */
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
 * whose bound has this chain. Without has_value calls leave results, which are looked at behind a batch, and
 * no value. Between batches answers of segments are not looked at. Release with _clear. Errors: RED_E_MEMORY.
 */
enum red_status red_guard_make(struct red_dataset *dataset, uint64_t n, bool columns, bool has_value,
                               double chain, struct red_guard *guard, struct red_error *error);
void red_guard_clear(struct red_guard *guard);

/* Before a batch: changes an element that the seed draws. After it: puts back what was there. No launch may
 * be at work on the data. Errors: RED_E_DEVICE, RED_E_MEMORY. */
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

/* ---- prepared cases ------------------------------------------------------------------------------------ */

enum { RED_ARRAYS_MAX = 3 };

struct red_prepared {
    struct red_case spec;
    struct red_dataset *data[RED_ARRAYS_MAX]; /* borrowed: spec.arrays_n of them */
    unsigned turn;                            /* of the last reduction */
    struct red_plan *plan;                    /* owned; a strategy on a device */
    struct red_roof *roof;                    /* owned; a device's roof */
    double chain;                             /* for checking results */
    struct red_guard *guards;                 /* owned; of each array. NULL: nothing is checked */
    uint64_t reductions_n;                    /* since red_prepared_begin */
    struct red_value value;                   /* of the last call */
    struct red_partial partial;               /* of the last reduction of an array, which value is made of */
    struct red_answers answers;               /* of the host over segments, or its results; owned */
    void *changing[2];                        /* owned: of --shape changed the host's arrays; or NULL */
    struct red_error error;                   /* of the call that failed */
};

/* Makes the case ready on the device, with data of its own specification (so many as it has arrays), which
 * must outlive it. Without a device (NULL) it is the host's: one of its rows, or a loop that only reads.
 * Errors: those of red_plan_create and red_roof_create. Release with _clear. */
enum red_status red_prepared_make(const struct red_case *spec, struct red_device *device,
                                  struct red_dataset *const *data, struct red_prepared *prepared,
                                  struct red_error *error);
void red_prepared_clear(struct red_prepared *prepared);

/* Calls a prepared case once, which is as many reductions as the case has; what Google Benchmark times. Each
 * answer is looked at, which takes a few nanoseconds of that time (bench/overhead.c): the scalar is compared
 * with the right one, or with the interval of those that pass; of segments, between _begin and _end, one of
 * eight in turn. 0, or -1 with prepared->error, RED_E_WRONG for a wrong answer. */
int red_prepared_call(void *prepared);

/* Enqueues calls of one reduction one behind the other, *calls_n of them, up to RED_CALLS_IN_A_ROW_MAX, and
 * looks at each answer; one call where the plan cannot. *calls_n becomes the number of calls that were looked
 * at: the last one is wrong, or all are right. Errors: those of red_prepared_call, with prepared->error. */
enum red_status red_prepared_call_in_a_row(struct red_prepared *prepared, unsigned *calls_n);

/* Around the calls of a batch: of each array an element that is drawn at random gets another value, at the
 * same address, and gets its own back. So an answer kept from another batch is wrong. _end may be called
 * after a failure, whose status it hands through; otherwise gives its own. Errors: RED_E_DEVICE,
 * RED_E_MEMORY. */
enum red_status red_prepared_begin(struct red_prepared *prepared, struct red_error *error);
enum red_status red_prepared_end(struct red_prepared *prepared, enum red_status status,
                                 struct red_error *error);

/* Checks the last reduction; of segments all of them; of a scan all elements, or of long ones blocks at both
 * ends, around the element that changed, and at random. A wrong answer's
 * expected, got and place go into the evidence (which may be NULL), but not of segments. What has no guards
 * is right. Errors: RED_E_WRONG: "expected 1.5, got 2". */
enum red_status red_prepared_check(const struct red_prepared *prepared, struct red_evidence *evidence,
                                   struct red_error *error);

/* Poisons the outputs of a plan and calls it once more: what it does not write anew is wrong then. Does
 * nothing for a roof and on the host. Errors: RED_E_WRONG; those of a call. */
enum red_status red_prepared_check_stale(struct red_prepared *prepared, struct red_error *error);

/* Where calls take turns with several arrays: each of them must come to its own answer, twice. Errors:
 * RED_E_WRONG; those of a call. */
enum red_status red_prepared_check_turns(struct red_prepared *prepared, struct red_error *error);

/* What calls take, in seconds. */
struct red_call_time {
    double shortest_s, typical_s; /* typical: the median, where the shortest is a lucky one */
};

/* Times up to calls_max calls (1000 at most) one by one, stopping after limit_s; above 0 even where the
 * clock's steps are longer than a call. Errors: those of a call. */
enum red_status red_prepared_time(struct red_prepared *prepared, size_t calls_max, double limit_s,
                                  struct red_call_time *time, struct red_error *error);

#endif
