/* Something that can be called and timed: a cell, or a roof. */
#ifndef CLREDUCE_BENCH_WORK_H
#define CLREDUCE_BENCH_WORK_H

#include "bench/session.h"
#include "device/roof.h"
#include "record/run.h"

/* Batches are spread over this many rounds, so that every cell sees the whole run's weather. */
enum { RED_ROUNDS_N = 6 };

struct red_work {
    struct red_cell *cell;    /* NULL for a roof */
    size_t device;            /* index into red_run.devices */
    struct red_plan *plan;    /* owned; a cell on a device */
    struct red_roof *roof;    /* owned; a device's roof */
    unsigned form;            /* of the roof */
    struct red_dataset *data; /* borrowed: data_n data sets, with which the calls take turns */
    unsigned data_n, turn;    /* turn: of the last reduction */
    unsigned reductions;      /* of one call */
    double chain;             /* for checking results while timing */
    double call_s;            /* expected of a call; known once there is a plan of batches */
    uint64_t calls;           /* per batch */
    unsigned batches;
    struct red_value value;     /* of the last call */
    struct red_answers answers; /* of the host over segments; owned */
    double *samples_s;          /* owned; seconds per call, one per batch */
    size_t samples_n, samples_room;
    struct red_error error; /* of the call that failed */
};

/* Calls a work once, which is as many reductions as the work has; what Google Benchmark times. 0, or -1 with
 * work->error. */
int red_work_call(void *work);

/* Checks the last reduction; of segments all of them. A wrong one is printed to got. */
bool red_work_is_right(const struct red_work *work, char *got, size_t got_bytes);

/* Finds calls per batch and number of batches for a work whose call takes call_s: a batch spans at least 1000
 * steps of the clock, and all batches together about the budget, but at least 6: fewer samples have no 95 %
 * interval. The untimed calls before every batch (bench/shim.h) come on top of the budget. */
void red_work_plan(struct red_work *work, double call_s, double budget_s, double clock_step_s);

/* The shortest of up to `calls_max` calls (1000 at most), in seconds, stopping after limit_s; above 0 even
 * where the clock's steps are longer than a call; negative if a call failed. */
double red_work_shortest_call(struct red_work *work, size_t calls_max, double limit_s);

/* The median of up to 51 calls, in seconds, stopping after limit_s, and the shortest of them: what a call can
 * be expected to take, where the shortest is a lucky one. Above 0, however coarse the clock; negative if a
 * call failed. */
double red_work_typical_call(struct red_work *work, double limit_s, double *shortest_s);

/* Releases what the work owns. */
void red_work_clear(struct red_work *work);

/* Measures a device's roof alone (session NULL: the host's), in bytes per second, over 64 MiB. Errors:
 * RED_E_MEMORY, RED_E_DEVICE. */
enum red_status red_roof_find(struct red_session *session, size_t device, double *bytes_per_s,
                              struct red_error *error);

#endif
