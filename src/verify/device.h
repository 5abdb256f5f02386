/* Verify of a device: runs its checks, and knows which are under way. */
#ifndef CLREDUCE_VERIFY_DEVICE_H
#define CLREDUCE_VERIFY_DEVICE_H

#include <pthread.h>

#include "verify/tally.h"

/* What is known of one program. */
struct red_program_state {
    bool numbered, seen;
    bool broken; /* does not build */
    size_t first_row;
    size_t at;  /* its number among those of its strategy */
    bool timed; /* before its turn */
    struct red_call_cost cost;
};

/* A check that was made before its turn, in the first chapter. */
enum { RED_EARLY_N = 10 };
struct red_early_check {
    bool found;
    size_t row;
    struct red_outcome outcome;
};

/* A CPU's driver compiles with one thread, and compiling is most of the work: so many workers share it. */
enum { RED_WORKERS_MAX = 4 };

/* The checks of one device, and what became of them. */
struct red_device_checks {
    struct red_verify *verify;
    size_t d, chapter;
    struct red_client *workers[RED_WORKERS_MAX]; /* the first is the session's */
    size_t workers_n;
    pthread_mutex_t lock;             /* of all that is here; free only while a worker is being asked */
    size_t worker_of[RED_CHOICE_MAX]; /* per strategy: whose it is, from 1 on; 0: nobody's yet */
    const char *id;
    struct red_test_plan plan; /* of one chapter; so are the next two */
    bool *reached;             /* per row: ended right or wrong */
    struct red_program_state *programs;
    struct red_workload workload; /* of all chapters */
    struct red_check_rates rates;
    size_t done_n, ran_n; /* distinct checks so far, and how many of them ended right or wrong */
    double start_s, expected_s;
    struct red_early_check early[RED_EARLY_N];
    size_t early_n;
    size_t new_programs_n; /* so far */
};

/* Verifies on the session's device d, by several workers at a time on a CPU, and prints what was covered.
 * What the checks find is in the tallies; an error is what keeps them from being made: RED_E_INPUT,
 * RED_E_MEMORY, RED_E_CRASHED and the like. */
enum red_status red_device_verify(struct red_verify *verify, size_t d, struct red_error *error);

#endif
