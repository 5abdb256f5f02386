/* What checking one case against the truth found (cl/verify.h). */
#ifndef CLREDUCE_MODEL_VERIFICATION_H
#define CLREDUCE_MODEL_VERIFICATION_H

#include <stdbool.h>

#include "model/dtype.h"

enum { RED_VERIFY_CALLS = 3 };

/* Beyond so many elements calls take long. What a kernel finds in local memory, or has left behind in the
 * call before, does not depend on n. */
enum { RED_VERIFY_LONG_N = 1 << 22 };

struct red_verification {
    struct red_value value; /* of the last call */
    bool right;
    bool same_bits;     /* all calls gave the same bits */
    double error;       /* the largest |got - exact| of the calls */
    double bound;       /* the largest error that passes; 0 in the exact tier, infinite where red_bound is */
    double absolute;    /* sum of |terms|: makes errors of different data comparable */
    double call_s;      /* the fastest of the calls: without what the first of a program costs, compiling */
    char evidence[256]; /* where wrong: "probe=...: expected ..., got ... (run 2, second call)" */
};

#endif
