/* Element types. One row of RED_DTYPES is one type: kernels, reference, data, checks and tables follow it. */
#ifndef CLREDUCE_MODEL_DTYPE_H
#define CLREDUCE_MODEL_DTYPE_H

#include "model/accumulator.h"
#include "model/need.h"

/* IEEE 754 binary16; an extended type of GCC 12 and Clang 15 (ISO/IEC TS 18661-3). */
__extension__ typedef _Float16 red_half;

/* name, C type, OpenCL type, kind, bits, digits (of the significand or of the value);
 * accumulators of sums, means, extremes and places of extremes (the roles of model/op.h);
 * types of a sum's and of a mean's result; what a device needs.
 *
 * 8-bit integers are summed in 64 bits, so that no n overflows them, and f16 in f32. The mean of integers is
 * the sum modulo 2^64 divided in double. A place is found as the least of (rank of the value, index), packed
 * into 64 bits where the type leaves room for an index: n is limited to 2^(64 - bits). */
#define RED_DTYPES(X)                                                                                        \
    X(i8, int8_t, "char", RED_SIGNED, 8, 8, u64, u64, i32, u64, i64, f64, 0)                                 \
    X(u8, uint8_t, "uchar", RED_UNSIGNED, 8, 8, u64, u64, u32, u64, u64, f64, 0)                             \
    X(i32, int32_t, "int", RED_SIGNED, 32, 32, u32, u64, i32, u64, i32, f64, 0)                              \
    X(u32, uint32_t, "uint", RED_UNSIGNED, 32, 32, u32, u64, u32, u64, u32, f64, 0)                          \
    X(i64, int64_t, "long", RED_SIGNED, 64, 64, u64, u64, i64, pair, i64, f64, 0)                            \
    X(u64, uint64_t, "ulong", RED_UNSIGNED, 64, 64, u64, u64, u64, pair, u64, f64, 0)                        \
    X(f16, red_half, "half", RED_FLOAT, 16, 11, f32, f32, f32, u64, f32, f32, RED_NEED_HALF_LOADS)           \
    X(f32, float, "float", RED_FLOAT, 32, 24, f32, f32, f32, u64, f32, f32, 0)                               \
    X(f64, double, "double", RED_FLOAT, 64, 53, f64, f64, f64, pair, f64, f64, RED_NEED_FP64)

/* One result: the member that the result's type names. `bits` compares results of one type exactly. */
struct red_value {
    union {
#define RED_VALUE_MEMBER(name, c_type, ...) c_type name;
        RED_DTYPES(RED_VALUE_MEMBER)
#undef RED_VALUE_MEMBER
        uint64_t bits;
    };
    uint64_t index; /* of argmin and argmax: where the value stands; otherwise 0 */
};

/* What an operation does with an accumulator; each type has one for each role. */
enum red_role { RED_ROLE_SUM, RED_ROLE_MEAN, RED_ROLE_ORDER, RED_ROLE_PLACE, RED_ROLES_N };

struct red_dtype {
    const char *name;
    size_t size_bytes; /* of an element */
    const char *cl_type;
    enum red_kind kind;
    bool is_float;
    unsigned bits;
    unsigned digits; /* bits of the significand with the hidden one (float) or of the value (integer) */
    const struct red_accumulator *accumulators[RED_ROLES_N];
    const struct red_dtype *results[RED_ROLES_N];
    uint64_t needs; /* enum red_need bits */
    /* Store into and read from element i of an array of this type. Only the pair that fits `is_float` may be
     * called with values that the type cannot hold exactly; integers are taken modulo 2^w. */
    void (*put_real)(void *array, uint64_t i, double value);
    void (*put_integer)(void *array, uint64_t i, uint64_t value);
    double (*get_real)(const void *array, uint64_t i);
    uint64_t (*get_integer)(const void *array, uint64_t i); /* sign-extended */
    /* The same for the n elements from `first` on: data sets are made and summed up by blocks. */
    void (*put_reals)(void *array, uint64_t first, size_t n, const double *values);
    void (*put_integers)(void *array, uint64_t first, size_t n, const uint64_t *values);
    void (*get_reals)(const void *array, uint64_t first, size_t n, double *values);
    void (*get_integers)(const void *array, uint64_t first, size_t n, uint64_t *values);
};

/* All types, in the order in which tables show them. */
extern const struct red_dtype red_dtypes[];
extern const size_t red_dtypes_n;

/* The type of that name, or NULL. */
const struct red_dtype *red_dtype_find(const char *name);

/* Writes a value of this type for a person, with as many digits as tell any two values apart. */
void red_dtype_print(const struct red_dtype *dtype, const struct red_value *value, char *text,
                     size_t text_size_bytes);

#endif
