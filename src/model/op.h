/* Operations. One row of RED_OPS is one operation: the same two expressions make the OpenCL kernels, the
 * OpenMP reference and the host's fold, so they cannot drift apart. */
#ifndef CLREDUCE_MODEL_OP_H
#define CLREDUCE_MODEL_OP_H

#include <stddef.h>

/* name, arrays read, identity, map of the elements x (and y) of one index, combine of a and b, OpenMP's
 * reduction identifier for the combine, suffix of the OpenCL 2.0 built-in (work_group_reduce_<suffix>, OpenCL
 * C 3.0 section 6.15.16; empty where there is none). `...` is handed through to X. */
#define RED_OPS(X, ...)                                                                                      \
    X(sum, 1, 0, x, a + b, +, "add", __VA_ARGS__)                                                            \
    X(dot, 2, 0, x *y, a + b, +, "add", __VA_ARGS__)

struct red_op {
    const char *name;
    unsigned arrays; /* 1 or 2 */
    const char *identity;
    const char *map;     /* an expression of x, and of y where `arrays` is 2 */
    const char *combine; /* an expression of a and b */
    const char *built_in;
};

extern const struct red_op red_ops[];
extern const size_t red_ops_n;

/* The operation of that name, or NULL. */
const struct red_op *red_op_find(const char *name);

#endif
