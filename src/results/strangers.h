/* What names in a file stand for: strategies, operations and types of this program, or strangers, those of
 * another version or of somebody's own kernel. */
#ifndef CLREDUCE_RESULTS_STRANGERS_H
#define CLREDUCE_RESULTS_STRANGERS_H

#include "model/catalogue.h"

enum { RED_STRANGER_NAME_BYTES = 64 };

/* What stands for a strategy, an operation or a type of another version: its name, and nothing else. */
struct red_stranger {
    char name[RED_STRANGER_NAME_BYTES];
    struct red_strategy strategy; /* of OpenCL 1.2; of a long name the beginning */
    struct red_op op;
    struct red_dtype dtype;
};

struct red_strangers {
    const struct red_catalogue *catalogue; /* borrowed; NULL: all strategies are strangers */
    struct red_stranger **all;             /* owned, by name */
    size_t n;
};

/* What has this name, of the catalogue or of this program, or else a stranger, one for each name. It lives as
 * long as the strangers, or the catalogue. NULL without memory. */
const struct red_strategy *red_strangers_strategy(struct red_strangers *strangers, const char *name);
const struct red_op *red_strangers_op(struct red_strangers *strangers, const char *name);
const struct red_dtype *red_strangers_dtype(struct red_strangers *strangers, const char *name);

void red_strangers_clear(struct red_strangers *strangers);

#endif
