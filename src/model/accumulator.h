/* Accumulators: the types in which partial results are kept. One row of RED_ACCUMULATORS is one of them;
 * which one serves a type and an operation stands in the type's row (model/dtype.h). */
#ifndef CLREDUCE_MODEL_ACCUMULATOR_H
#define CLREDUCE_MODEL_ACCUMULATOR_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What values are, which decides how they are ordered and printed. */
enum red_kind { RED_UNSIGNED, RED_SIGNED, RED_FLOAT, RED_KINDS_N };

/* A value's rank and where it stands, for argmin and argmax of types that leave no room for an index in 64
 * bits; the layout of red_pair in kernels_cl12/lib/places.cl. */
struct red_pair {
    uint64_t key, index;
};

/* name, C type, C type in which the host folds partial results, OpenCL type, its word for compare-and-swap
 * and the word's bits (0: no atomic is that wide), kind, digits of the significand or of the value; then the
 * lowest and the highest value, in C and in OpenCL C.
 *
 * Sums of integers use the unsigned rows: they wrap modulo 2^w, which is defined (OpenCL C 3.0, 6.3.1), where
 * signed overflow is not. Floats are folded on the host in double. INFINITY is a function call on one driver:
 * no constant. */
#define RED_ACCUMULATORS(X)                                                                                  \
    X(u32, uint32_t, uint32_t, "uint", "uint", 32, RED_UNSIGNED, 32, 0, UINT32_MAX, "0", "UINT_MAX")         \
    X(i32, int32_t, int32_t, "int", "uint", 32, RED_SIGNED, 32, INT32_MIN, INT32_MAX, "INT_MIN", "INT_MAX")  \
    X(u64, uint64_t, uint64_t, "ulong", "ulong", 64, RED_UNSIGNED, 64, 0, UINT64_MAX, "0", "ULONG_MAX")      \
    X(i64, int64_t, int64_t, "long", "ulong", 64, RED_SIGNED, 64, INT64_MIN, INT64_MAX, "LONG_MIN",          \
      "LONG_MAX")                                                                                            \
    X(f32, float, double, "float", "uint", 32, RED_FLOAT, 24, -INFINITY, INFINITY, "(-1.0f / 0.0f)",         \
      "(1.0f / 0.0f)")                                                                                       \
    X(f64, double, double, "double", "ulong", 64, RED_FLOAT, 53, -INFINITY, INFINITY, "(-1.0f / 0.0f)",      \
      "(1.0f / 0.0f)")                                                                                       \
    X(pair, struct red_pair, struct red_pair, "red_pair", "ulong", 0, RED_UNSIGNED, 128,                     \
      ((struct red_pair){0, 0}), ((struct red_pair){UINT64_MAX, UINT64_MAX}), "{0, 0}",                      \
      "{ULONG_MAX, ULONG_MAX}")

enum red_accumulator_index {
#define RED_ACCUMULATOR_INDEX(name, ...) RED_ACCUMULATOR_##name,
    RED_ACCUMULATORS(RED_ACCUMULATOR_INDEX)
#undef RED_ACCUMULATOR_INDEX
        RED_ACCUMULATORS_N
};

struct red_accumulator {
    const char *name;
    size_t size_bytes;
    const char *cl_type;
    const char *cl_word;
    unsigned word_bits; /* 32 or 64; 0: OpenCL has no atomic that wide */
    enum red_kind kind;
    bool is_float;
    unsigned digits; /* bits of the significand with the hidden one (float) or of the value (integer) */
    const char *cl_lowest, *cl_highest;
};

extern const struct red_accumulator red_accumulators[RED_ACCUMULATORS_N];

#endif
