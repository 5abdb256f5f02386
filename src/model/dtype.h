/* Element types. One row of RED_DTYPES is one type: kernels, reference, data, checks and tables follow it. */
#ifndef CLREDUCE_MODEL_DTYPE_H
#define CLREDUCE_MODEL_DTYPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/need.h"

/* name, C type of an element, C type of the accumulator, C type in which the host folds partial results,
 * OpenCL element, OpenCL accumulator, the accumulator's word for compare-and-swap and its width in bits,
 * is it a float, significand (float) or value (integer) bits, what a device needs for it.
 *
 * Integers are accumulated as unsigned words: sums wrap modulo 2^w, which is defined (OpenCL C 3.0, 6.3.1),
 * where signed overflow is not. Floats are folded on the host in double. */
#define RED_DTYPES(X)                                                                                        \
    X(i32, int32_t, uint32_t, uint32_t, "int", "uint", "uint", 32, false, 32, 0)                             \
    X(u32, uint32_t, uint32_t, uint32_t, "uint", "uint", "uint", 32, false, 32, 0)                           \
    X(f32, float, float, double, "float", "float", "uint", 32, true, 24, 0)                                  \
    X(f64, double, double, double, "double", "double", "ulong", 64, true, 53, RED_NEED_FP64)

/* One result, read through the member that its type names; `bits` compares results of one type exactly. */
union red_value {
#define RED_VALUE_MEMBER(name, c_type, ...) c_type name;
    RED_DTYPES(RED_VALUE_MEMBER)
#undef RED_VALUE_MEMBER
    uint64_t bits;
};

struct red_dtype {
    const char *name;
    size_t size_bytes;             /* of an element */
    size_t accumulator_size_bytes; /* of a partial result */
    const char *cl_type;
    const char *cl_accumulator;
    const char *cl_word;
    unsigned word_bits;
    bool is_float;
    unsigned digits; /* bits of the significand with the hidden one (float) or of the value (integer) */
    unsigned needs;  /* enum red_need bits */
    /* Store into and read from element i of an array of this type. Only the pair that fits `is_float` may be
     * called with values that the type cannot hold exactly; integers are taken modulo 2^w. */
    void (*put_real)(void *array, uint64_t i, double value);
    void (*put_integer)(void *array, uint64_t i, uint64_t value);
    double (*get_real)(const void *array, uint64_t i);
    uint64_t (*get_integer)(const void *array, uint64_t i);
    /* Writes the value for a person, with as many digits as tell any two values apart. */
    void (*print)(const union red_value *value, char *text, size_t text_size_bytes);
};

/* All types, in the order in which tables show them. */
extern const struct red_dtype red_dtypes[];
extern const size_t red_dtypes_n;

/* The type of that name, or NULL. */
const struct red_dtype *red_dtype_find(const char *name);

#endif
