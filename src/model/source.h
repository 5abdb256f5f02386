/* The text a driver compiles: chosen macros, what all kernels share (kernels_cl12/lib/prelude.cl), kernel. */
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
 * kernel of the catalogue, or file of lib/, which is taken in once. `#line` keeps the compiler's messages at
 * the kernel file's own lines. Errors: RED_E_MEMORY; RED_E_INPUT for an include that names no catalogue
 * kernel. */
enum red_status red_source_text(const struct red_variant *variant, char **text, struct red_error *error);

enum { RED_SOURCE_HASH_BYTES = 17 };

/* Writes 16 hexadecimal digits that change with anything in the program text of this strategy, type and
 * operation, what it includes among it, but not with its geometry or the place of its file (FNV-1a, 64
 * bits). Errors: those of red_source_text. */
enum red_status red_source_hash(const struct red_strategy *strategy, const struct red_dtype *dtype,
                                const struct red_op *op, char hash[RED_SOURCE_HASH_BYTES],
                                struct red_error *error);

#endif
