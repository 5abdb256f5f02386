/* A prepared case: something that can be called and timed. What a worker holds (worker/server.c). */
#ifndef CLREDUCE_WORKER_PREPARED_H
#define CLREDUCE_WORKER_PREPARED_H

#include "cl/roof.h"
#include "model/case.h"
#include "worker/guard.h"

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
    struct red_answers answers;               /* of the host over segments; owned */
    struct red_error error;                   /* of the call that failed */
};

/* Makes the case ready on the device, with data of its own specification (so many as it has arrays), which
 * must outlive it. Without a device (NULL) it is the host's: the OpenMP row, or a loop that only reads.
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

/* Around the calls of a batch: of each array an element that is drawn at random gets another value, at the
 * same address, and gets its own back. So an answer kept from another batch is wrong. _end may be called
 * after a failure, whose status it hands through; otherwise gives its own. Errors: RED_E_DEVICE,
 * RED_E_MEMORY.
 */
enum red_status red_prepared_begin(struct red_prepared *prepared, struct red_error *error);
enum red_status red_prepared_end(struct red_prepared *prepared, enum red_status status,
                                 struct red_error *error);

/* Checks the last reduction; of segments all of them. Errors: RED_E_WRONG: "expected 1.5, got 2". */
enum red_status red_prepared_check(const struct red_prepared *prepared, struct red_error *error);

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
