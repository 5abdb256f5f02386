/* Primitives: what is computed (--primitive). One row is one primitive, with what its kernels are called and
 * what the verbs take and say where the user chose nothing. What it computes are its operations
 * (model/types.h), how its finishes (model/finish.h), what is right its file in oracle/. */
#ifndef CLREDUCE_MODEL_PRIMITIVE_H
#define CLREDUCE_MODEL_PRIMITIVE_H

#include "core/status.h"
#include "model/types.h"

struct red_primitive_row {
    const char *name;         /* of the kernel function, too */
    const char *signature;    /* of a kernel by the contract (docs/kernels.md) */
    const char *noun, *nouns; /* "reduction", "reductions" */
    const char *op;           /* default of --op */
    const char *strategies;   /* defaults of `bench`: what answers its question within a minute */
    const char *gpu_best,
        *gpu_left;                /* of these, on a device that is no CPU: the first in the second's place */
    const char *duel;             /* defaults of `duel` */
    const char *plain, *built_in; /* the pair that tells what the built-in buys, like for like */
};

extern const struct red_primitive_row red_primitives[RED_PRIMITIVES_N];
extern const char *const red_primitive_names[RED_PRIMITIVES_N];

/* The bits of the primitive's operations, as in struct red_strategy. */
uint64_t red_primitive_ops(enum red_primitive primitive);

#endif
