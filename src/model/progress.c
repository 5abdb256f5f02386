/* The table of progress tests: a worker runs one (cl/progress_test.c), and litmus/progress.c prints the
 * answers.
 */
#include "model/progress.h"

#define RED_SCHEDULER_NAME(id, name) [RED_SCHEDULER_##id] = name,
const char *const red_scheduler_names[RED_SCHEDULERS_N] = {RED_SCHEDULERS(RED_SCHEDULER_NAME)};
#undef RED_SCHEDULER_NAME

/* A step goes to the next one unless it reads what is compared. A store compares nothing: 2 is no value. */
#define STORE(value)                   RED_PROGRESS_STEP(STORE, value, 2, 0)
#define LOAD_IF(compared, next)        RED_PROGRESS_STEP(LOAD, 0, compared, next)
#define XCHG_IF(value, compared, next) RED_PROGRESS_STEP(EXCHANGE, value, compared, next)
enum { END = RED_PROGRESS_STEPS_MAX };

const struct red_progress_test red_progress_tests[RED_PROGRESS_TESTS_N] = {
    {"x=1; x=0 | while x==1", "PPPPPPPPPP", 2, {{STORE(1), STORE(0)}, {LOAD_IF(1, 0)}}},
    {"while xchg(x,1)==1 | if xchg(x,1)==0: x=0",
     "PFPPPPFPPP",
     2,
     {{XCHG_IF(1, 1, 0)}, {XCHG_IF(1, 1, END), STORE(0)}}},
    {"x=1 | while x==0", "FPPPPFPPPP", 2, {{STORE(1)}, {LOAD_IF(0, 0)}}},
    {"while xchg(x,1)==1 | if xchg(x,1)==0: x=0; while xchg(x,0)==0",
     "FFPPPFFPPP",
     2,
     {{XCHG_IF(1, 1, 0)}, {XCHG_IF(1, 1, END), STORE(0), XCHG_IF(0, 0, 2)}}},
    {"while xchg(x,1)==1 | while xchg(x,0)==0 | while xchg(x,1)==1",
     "FFFPPFFFPP",
     3,
     {{XCHG_IF(1, 1, 0)}, {XCHG_IF(0, 0, 0)}, {XCHG_IF(1, 1, 0)}}},
    {"while x==0 | x=1", "FFFFPFFFFP", 2, {{LOAD_IF(0, 0)}, {STORE(1)}}},
    {"while xchg(x,0)==1 | while xchg(x,1)==0", "FFFFFPPPPP", 2, {{XCHG_IF(0, 1, 0)}, {XCHG_IF(1, 0, 0)}}},
    {"while xchg(x,1)==0 | do while xchg(x,0)==0; while xchg(x,1)==1",
     "FFFFFFPPPP",
     2,
     {{XCHG_IF(1, 0, 0)}, {XCHG_IF(0, 0, 0), XCHG_IF(1, 1, 0)}}},
    {"while xchg(x,1)==1 | do {if xchg(x,1)==1: while xchg(x,0)==1;} while xchg(x,0)==1",
     "FFFFFFFPPP",
     2,
     {{XCHG_IF(1, 1, 0)}, {XCHG_IF(1, 0, 2), XCHG_IF(0, 1, 1), XCHG_IF(0, 1, 0)}}},
    {"while x==0; while xchg(x,0)==1 | while xchg(x,1)==0",
     "FFFFFFFFFP",
     2,
     {{LOAD_IF(0, 0), XCHG_IF(0, 1, 1)}, {XCHG_IF(1, 0, 0)}}},
};
