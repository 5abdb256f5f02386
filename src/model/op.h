/* Operations. One row of RED_OPS is one operation: the same expressions make the OpenCL kernels, the OpenMP
 * reference and the host's fold, so they cannot drift apart. */
#ifndef CLREDUCE_MODEL_OP_H
#define CLREDUCE_MODEL_OP_H

#include "core/status.h"
#include "model/dtype.h"

/* name; role of its accumulator (RED_ROLE_...); term that an element contributes; what it looks for; identity
 * (ZERO, LOWEST or HIGHEST of the accumulator); map of the elements x (and y) of index i; combine of a and b;
 * OpenMP's reduction identifier for the combine; suffix of the OpenCL 2.0 built-in
 * (work_group_reduce_<suffix>, OpenCL C 3.0 section 6.15.16) and of the integer atomic (atomic_<suffix>).
 * `...` is handed through to X.
 *
 * RED_LOWER and RED_HIGHER take the lesser and the greater of two; of floats the one that is a number (fmin,
 * fmax). RED_FIRST_LOW and RED_FIRST_HIGH give the place accumulator of one element: the least of all is the
 * lowest index that holds the least or the greatest value; a NaN ranks behind everything, -0 and +0 are
 * equal. Kernels have them from the prelude (RED_PLACE
 * for the last two), the host from oracle/reference.c. */
#define RED_OPS(X, ...)                                                                                      \
    X(sum, SUM, ELEMENT, ALL, ZERO, x, a + b, +, "add", __VA_ARGS__)                                         \
    X(dot, SUM, PRODUCT, ALL, ZERO, x *y, a + b, +, "add", __VA_ARGS__)                                      \
    X(sumsq, SUM, SQUARE, ALL, ZERO, x *x, a + b, +, "add", __VA_ARGS__)                                     \
    X(mean, MEAN, ELEMENT, ALL, ZERO, x, a + b, +, "add", __VA_ARGS__)                                       \
    X(min, ORDER, ELEMENT, LEAST, HIGHEST, x, RED_LOWER(a, b), lower, "min", __VA_ARGS__)                    \
    X(max, ORDER, ELEMENT, GREATEST, LOWEST, x, RED_HIGHER(a, b), higher, "max", __VA_ARGS__)                \
    X(argmin, PLACE, ELEMENT, LEAST, HIGHEST, RED_FIRST_LOW(x, i), RED_LOWER(a, b), lower, "min",            \
      __VA_ARGS__)                                                                                           \
    X(argmax, PLACE, ELEMENT, GREATEST, HIGHEST, RED_FIRST_HIGH(x, i), RED_LOWER(a, b), lower, "min",        \
      __VA_ARGS__)

enum red_term { RED_TERM_ELEMENT, RED_TERM_PRODUCT, RED_TERM_SQUARE };
enum red_wants { RED_WANTS_ALL, RED_WANTS_LEAST, RED_WANTS_GREATEST, RED_WANTS_N };
enum red_identity { RED_IDENTITY_ZERO, RED_IDENTITY_LOWEST, RED_IDENTITY_HIGHEST };

struct red_op {
    const char *name;
    enum red_role role;
    enum red_term term;
    unsigned arrays; /* 2 for products, otherwise 1 */
    enum red_wants wants;
    enum red_identity identity;
    const char *map;     /* an expression of x, of y where `arrays` is 2, and of i */
    const char *combine; /* an expression of a and b */
    const char *suffix;
};

extern const struct red_op red_ops[];
extern const size_t red_ops_n;

/* The operation of that name, or NULL. */
const struct red_op *red_op_find(const char *name);

/* What partial results are kept in, and the type of the answer. */
const struct red_accumulator *red_op_accumulator(const struct red_op *op, const struct red_dtype *dtype);
const struct red_dtype *red_op_result(const struct red_op *op, const struct red_dtype *dtype);

/* The suffix of the work-group built-in; empty where there is none. */
const char *red_op_built_in(const struct red_op *op, const struct red_dtype *dtype);

/* Checks that the operation has an answer for n elements of the type: sums do for none at all, means and
 * extremes do not; a place must fit beside the value. Errors: RED_E_UNSUPPORTED with the limit. */
enum red_status red_op_check_n(const struct red_op *op, const struct red_dtype *dtype, uint64_t n,
                               struct red_error *error);

/* The byte that does most harm where memory full of it is taken for data: NaN or -1 for sums, for extremes a
 * value that would win. Behind the elements, and in accumulators that nobody has written yet; there with
 * `again` another such byte. */
unsigned char red_op_poison(const struct red_op *op, const struct red_dtype *dtype);
unsigned char red_op_poison_accumulator(const struct red_op *op, const struct red_dtype *dtype, bool again);

#endif
