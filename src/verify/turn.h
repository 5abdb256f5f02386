/* One device's turn in `verify`: its checks, what became of them, and how that is told. For
 * verify/verifying.c alone. */
#ifndef CLREDUCE_VERIFY_TURN_H
#define CLREDUCE_VERIFY_TURN_H

#include <pthread.h>

#include "verify/outcomes.h"
#include "verify/test_plan.h"
#include "verify/verified.h"
#include "worker/pace.h"

/* What is known of one program. */
struct red_program_seen {
    bool counted, seen;
    bool broken; /* does not build */
    size_t at;   /* among those of its strategy */
    struct red_pace pace;
};

/* A check that was made before its turn, in the first chapter. */
enum { RED_EARLY_N = 2 };
struct red_early {
    bool found;
    size_t row;
    struct red_outcome outcome;
};

/* A CPU's driver compiles with one thread, and compiling is most of the work: so many workers share it. */
enum { RED_WORKERS_MAX = 4 };

/* The checks of one device, and what became of them. */
struct red_turn {
    struct red_verified *verify;
    size_t d, chapter;
    struct red_remote *workers[RED_WORKERS_MAX]; /* the first is the session's */
    size_t workers_n;
    pthread_mutex_t lock;             /* of all that is here; free only while a worker is being asked */
    size_t worker_of[RED_CHOICE_MAX]; /* per strategy: whose it is, from 1 on; 0: nobody's yet */
    const char *id;
    struct red_test_plan plan; /* of one chapter; so are the next two */
    bool *reached;             /* per row: ended right or wrong */
    struct red_program_seen *programs;
    struct red_extent extent; /* of all chapters */
    size_t done_n, ran_n;     /* distinct checks so far, and how many of them ended right or wrong */
    double start_s, expected_s;
    struct red_early early[RED_EARLY_N];
    size_t new_programs_n; /* so far */
};

/* The user has had enough, or with --first something was wrong. */
bool red_verify_is_over(const struct red_verified *verify);

/* What became of the checks of the same strategy. */
struct red_tally *red_turn_tally(const struct red_turn *turn, const struct red_check *check);

/* Counts a check that ended in the state, and tells the first few of each as they happen. */
void red_turn_settle(struct red_turn *turn, const struct red_check *check, enum red_state state,
                     const char *text);

/* Counts what cannot run at all, once for each combination of type and operation. Where the register lists
 * what the driver lacks, tells which strategies among them it does not expect. */
void red_turn_refused(struct red_turn *turn);

/* Tells what was covered, and what cannot run. Errors: RED_E_MEMORY. */
enum red_status red_turn_print(const struct red_turn *turn, struct red_error *error);

#endif
