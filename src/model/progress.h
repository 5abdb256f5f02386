/* Tests of forward progress between groups without a limit of polls, one for each class of Sorensen,
 * Salvador, Raval, Evrard, Wickerson, Martonosi and Donaldson (OOPSLA 2021). All of them end if all groups
 * are scheduled fairly; which end otherwise tells what the device's scheduler promises in fact. */
#ifndef CLREDUCE_MODEL_PROGRESS_H
#define CLREDUCE_MODEL_PROGRESS_H

#include <stdint.h>

/* Schedulers, from the weakest on, by what they run fairly: groups that have started (occupancy-bound
 * execution), the lowest id (HSA), both, groups that have started and all of lower ids (linear
 * occupancy-bound), all groups; then the same, strongly fair: also groups that are in each other's way. */
#define RED_SCHEDULERS(X)                                                                                    \
    X(OBE, "OBE")                                                                                            \
    X(HSA, "HSA")                                                                                            \
    X(HSA_OBE, "HSA+OBE")                                                                                    \
    X(LOBE, "LOBE")                                                                                          \
    X(FAIR, "fair")                                                                                          \
    X(STRONG_OBE, "strong OBE")                                                                              \
    X(STRONG_HSA, "strong HSA")                                                                              \
    X(STRONG_HSA_OBE, "strong HSA+OBE")                                                                      \
    X(STRONG_LOBE, "strong LOBE")                                                                            \
    X(STRONG_FAIR, "strongly fair")
#define RED_SCHEDULER_ENUM(id, name) RED_SCHEDULER_##id,
enum red_scheduler { RED_SCHEDULERS(RED_SCHEDULER_ENUM) RED_SCHEDULERS_N };
#undef RED_SCHEDULER_ENUM
extern const char *const red_scheduler_names[RED_SCHEDULERS_N];

enum { RED_PROGRESS_ROLES_MAX = 3, RED_PROGRESS_STEPS_MAX = 4, RED_PROGRESS_TESTS_N = 10 };

/* A step of a role, all on one word that is 0 at first, as the kernel progress_test reads it. */
enum red_progress_operation {
    RED_PROGRESS_END,
    RED_PROGRESS_STORE,
    RED_PROGRESS_LOAD,
    RED_PROGRESS_EXCHANGE
};
#define RED_PROGRESS_STEP(operation, value, compared, next)                                                  \
    ((uint32_t)RED_PROGRESS_##operation << 24 | (uint32_t)(value) << 16 | (uint32_t)(compared) << 8 |        \
     (uint32_t)(next))

struct red_progress_test {
    const char *text; /* its roles: "x=1 | while x==0" */
    const char *owed; /* for each scheduler P where it ends, F where it need not */
    uint32_t roles_n;
    uint32_t steps[RED_PROGRESS_ROLES_MAX][RED_PROGRESS_STEPS_MAX];
};
extern const struct red_progress_test red_progress_tests[RED_PROGRESS_TESTS_N];

#endif
