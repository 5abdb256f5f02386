/* Primitives: what is computed (--primitive). One row is one primitive, with what its kernels are called and
 * what the verbs take and say where the user chose nothing. What it computes are its operations
 * (model/types.h), how its finishes (model/finish.h), what is right its file in oracle/. */
#ifndef CLREDUCE_MODEL_PRIMITIVE_H
#define CLREDUCE_MODEL_PRIMITIVE_H

#include "core/status.h"
#include "model/types.h"

enum { RED_TIMED_DATA_MAX = 5 };

struct red_primitive_row {
    const char *signature;    /* of a kernel by the contract (docs/kernels.md) */
    const char *noun, *nouns; /* "reduction", "reductions" */
    const char *types;        /* that it has, as --type takes them */
    const char *op;           /* default of --op */
    const char *strategies;   /* defaults of `bench`: what answers its question within a minute */
    const char *gpu_best,
        *gpu_left;                /* of these, on a device that is no CPU: the first in the second's place */
    const char *duel;             /* defaults of `duel` */
    const char *plain, *built_in; /* the pair that tells what the built-in buys, like for like */
    const char *built_in_text;    /* what that is called: "2.0 built-in" */
    const char *always_drawn;     /* in the charts of a report, beside what is fastest */
    const char *roof;             /* "read roof", of a kernel that */
    const char *only, *done;      /* only "reads", and which memory is not "read" faster than */
    const char *bytes;            /* of which GB/s are: "the input" */
    const char *answer;           /* what a time to answer ends with: "until ..." */
    const char *holds, *waiting;  /* what is in that time; what is behind its launches */
    const char *truth;            /* what a cell was verified against */
    unsigned bins_n;              /* default of --bins; 0: it has none */
    /* Where the time depends on what the elements are: the data that bench times, of which --data chooses.
     * None: uniform data alone. */
    const char *timed_data[RED_TIMED_DATA_MAX];
    bool is_exact;    /* whatever the type: it counts */
    bool roof_copies; /* its roof writes as much as it reads */
    bool in_place;    /* where results are as large as elements they may take their place */
};

extern const struct red_primitive_row red_primitives[RED_PRIMITIVES_N];
/* What --primitive takes; the kernel function has that name, too. */
extern const char *const red_primitive_names[RED_PRIMITIVES_N];

/* Whether it is that of which neither commands nor files say what it is: --primitive's default. */
static inline bool red_primitive_is_default(enum red_primitive primitive) {
    return primitive == RED_PRIMITIVE_DEFAULT;
}

/* The name as files and commands state it: "" of the default. */
const char *red_primitive_stated_name(enum red_primitive primitive);

/* The primitive of that name; RED_PRIMITIVES_N where it has none. */
enum red_primitive red_primitive_find(const char *name);

/* Options that not all primitives have. */
enum red_own_option {
    RED_OWN_OPTION_SHAPE,
    RED_OWN_OPTION_RANKS,
    RED_OWN_OPTION_ACCURACY,
    RED_OWN_OPTION_SPECIAL,
    RED_OWN_OPTION_BINS,
    RED_OWN_OPTION_DATA,
};

/* Refuses such an option where it was given, and the primitive does not have it, with the reason
 * (primitive.c). Errors: RED_E_INPUT. */
enum red_status red_primitive_check_option(enum red_primitive primitive, enum red_own_option option,
                                           bool is_given, struct red_error *error);

/* Writes all names: "reduce, scan or histogram". */
void red_primitive_names_format(char *text, size_t text_bytes);

/* Writes the names of the primitive's operations: "sum, dot, ...". */
void red_primitive_ops_format(enum red_primitive primitive, char *text, size_t text_bytes);

/* The bits of the primitive's operations and types, as in struct red_strategy. */
uint64_t red_primitive_ops(enum red_primitive primitive);
uint64_t red_primitive_types(enum red_primitive primitive);

#endif
