/* The text a driver compiles: chosen macros, prelude, kernel. */
#ifndef CLREDUCE_MODEL_SOURCE_H
#define CLREDUCE_MODEL_SOURCE_H

#include "model/strategy.h"

/* One compiled form of a strategy. */
struct red_variant {
    const struct red_strategy *strategy;
    const struct red_dtype *dtype;
    const struct red_op *op;
    size_t group_size;
    unsigned width, loads; /* of a strategy that leaves the choice; 0: its defaults */
    bool over_partials;    /* elements are partial results of an earlier launch */
    bool poison_local;     /* what is declared by RED_LOCAL starts poisoned: for checking, never timed */
    unsigned pass;         /* RED_PASS */
};

/* Gives the whole program text in *text (release with free). `#include "name.cl"` in a kernel takes that
 * kernel of the catalogue. `#line` keeps the compiler's messages at the kernel file's own lines. Errors:
 * RED_E_MEMORY; RED_E_INPUT for an include that names no catalogue kernel. */
enum red_status red_source_text(const struct red_variant *variant, char **text, struct red_error *error);

#endif
