/* Types of elements (--type), operations on them (--op), and the accumulators that partial results are kept
 * in: one row each. */
#ifndef CLREDUCE_MODEL_TYPES_H
#define CLREDUCE_MODEL_TYPES_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/status.h"
#include "model/need.h"

/* ---- accumulators ----------------------------------------------------------------------------------------
 * The types in which partial results are kept. Which row of RED_ACCUMULATORS serves a type and an operation
 * stands in the type's row. */

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

/* ---- element types ---------------------------------------------------------------------------------------
 * One row of RED_DTYPES is one type: kernels, reference, data, checks and tables follow it. */

/* IEEE 754 binary16; an extended type of GCC 12 and Clang 15 (ISO/IEC TS 18661-3). */
__extension__ typedef _Float16 red_half;

/* name, C type, OpenCL type, kind, bits, digits (of the significand or of the value);
 * accumulators of sums, means, extremes and places of extremes (the roles of model/types.h; counts are u32 or
 * u64 whatever the type);
 * types of a sum's and of a mean's result; what a device needs.
 *
 * 8-bit integers are summed in 64 bits, so that no n overflows them, and f16 in f32. The mean of integers is
 * the sum modulo 2^64 divided in double. A place is found as the least of (rank of the value, index), packed
 * into 64 bits where the type leaves room for an index: n is limited to 2^(64 - bits). Which primitives have
 * a type stands in their rows (model/primitive.h). */
#define RED_DTYPES(X)                                                                                        \
    X(i8, int8_t, "char", RED_SIGNED, 8, 8, u64, u64, i32, u64, i64, f64, 0)                                 \
    X(u8, uint8_t, "uchar", RED_UNSIGNED, 8, 8, u64, u64, u32, u64, u64, f64, 0)                             \
    X(u16, uint16_t, "ushort", RED_UNSIGNED, 16, 16, u64, u64, u32, u64, u64, f64, 0)                        \
    X(i32, int32_t, "int", RED_SIGNED, 32, 32, u32, u64, i32, u64, i32, f64, 0)                              \
    X(u32, uint32_t, "uint", RED_UNSIGNED, 32, 32, u32, u64, u32, u64, u32, f64, 0)                          \
    X(i64, int64_t, "long", RED_SIGNED, 64, 64, u64, u64, i64, pair, i64, f64, 0)                            \
    X(u64, uint64_t, "ulong", RED_UNSIGNED, 64, 64, u64, u64, u64, pair, u64, f64, 0)                        \
    X(f16, red_half, "half", RED_FLOAT, 16, 11, f32, f32, f32, u64, f32, f32, RED_NEED(HALF_LOADS))          \
    X(f32, float, "float", RED_FLOAT, 32, 24, f32, f32, f32, u64, f32, f32, 0)                               \
    X(f64, double, "double", RED_FLOAT, 64, 53, f64, f64, f64, pair, f64, f64, RED_NEED(FP64))

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
enum red_role {
    RED_ROLE_SUM,
    RED_ROLE_MEAN,
    RED_ROLE_ORDER,
    RED_ROLE_PLACE,
    RED_ROLE_COUNT,
    RED_ROLE_COUNT64,
    RED_ROLES_N
};

struct red_dtype {
    const char *name;
    size_t size_bytes; /* of an element */
    const char *c_type, *cl_type;
    enum red_kind kind;
    bool is_float;
    unsigned bits;
    unsigned digits; /* bits of the significand with the hidden one (float) or of the value (integer) */
    const struct red_accumulator *accumulators[RED_ROLES_N];
    const struct red_dtype *results[RED_ROLES_N];
    red_set needs;
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

/* All types, in the order in which tables show them; and their names alone, for messages that list them. */
extern const struct red_dtype red_dtypes[];
extern const char *const red_dtype_names[];
extern const size_t red_dtypes_n;

/* The type of that name, or NULL. */
const struct red_dtype *red_dtype_find(const char *name);

/* Writes a value of this type for a person, with as many digits as tell any two values apart. */
void red_value_format(const struct red_dtype *dtype, const struct red_value *value, char *text,
                      size_t text_size_bytes);

/* ---- operations ------------------------------------------------------------------------------------------
 * One row of RED_OPS is one operation: the same expressions make the OpenCL kernels, the OpenMP reference and
 * the host's fold, so they cannot drift apart. */

/* Combiners (OpenMP 5.0, section 2.19.5.7): what an operation does with two accumulators: identifier; what
 * has its right answers (red_combiner_<name>, oracle/combiners.h); the byte that does most harm where memory
 * full of it is taken for data (see red_op_elements_poison_byte), of unsigned and signed integers and of
 * floats, and another such byte of each. Of floats 0xfb and 0x7b repeated are large finite numbers in every
 * width. */
#define RED_COMBINERS(X)                                                                                     \
    X(ADDS, adds, 0xff, 0xff, 0xff, 0x7f, 0x7f, 0x7f)                                                        \
    X(PICKS_LEAST, picks, 0x00, 0x80, 0xfb, 0x02, 0x81, 0xfa)                                                \
    X(PICKS_GREATEST, picks, 0xff, 0x7f, 0x7b, 0xfe, 0x7e, 0x7a)                                             \
    X(MULTIPLIES, multiplies, 0x00, 0x00, 0xff, 0x7f, 0x7f, 0x7f)                                            \
    X(ANDS, bits, 0x00, 0x00, 0xff, 0x7f, 0x7f, 0x7f)                                                        \
    X(ORS, bits, 0xff, 0xff, 0xff, 0x80, 0x80, 0x7f)                                                         \
    X(XORS, bits, 0xff, 0xff, 0xff, 0x7f, 0x7f, 0x7f)

enum red_combiner {
#define RED_COMBINER_ENUM(id, ...) RED_##id,
    RED_COMBINERS(RED_COMBINER_ENUM)
#undef RED_COMBINER_ENUM
        RED_COMBINERS_N
};

/* What an accumulator begins with: identifier; the value, of which kernels, C and OpenMP loops are made, or
 * NONE where it is the accumulator's lowest or highest one. RED_IDENTITY_OF_<identifier> picks it. */
#define RED_IDENTITIES(X)                                                                                    \
    X(ZERO, "0")                                                                                             \
    X(LOWEST, NULL)                                                                                          \
    X(HIGHEST, NULL)                                                                                         \
    X(ONE, "1")                                                                                              \
    X(ONES, "~0") /* every bit */
#define RED_IDENTITY_OF_ZERO(lowest, highest)    0
#define RED_IDENTITY_OF_LOWEST(lowest, highest)  (lowest)
#define RED_IDENTITY_OF_HIGHEST(lowest, highest) (highest)
#define RED_IDENTITY_OF_ONE(lowest, highest)     1
#define RED_IDENTITY_OF_ONES(lowest, highest)    ((lowest) | (highest))

enum red_identity {
#define RED_IDENTITY_ENUM(id, ...) RED_IDENTITY_##id,
    RED_IDENTITIES(RED_IDENTITY_ENUM)
#undef RED_IDENTITY_ENUM
};

/* name; role of its accumulator (RED_ROLE_...); term that an element contributes; what it does
 * (RED_COMBINERS); identity (RED_IDENTITIES), and whether that is the answer for no elements (IDENTITY) or
 * there is none (NONE); map of the elements x (and y) of index i; combine of a and b; OpenMP's reduction
 * identifier for the combine (host/ranges_private.h declares those that OpenMP lacks); suffix of the
 * OpenCL 2.0 built-in (work_group_reduce_<suffix>, OpenCL C 3.0 section 6.15.16), or "" where there is none;
 * whether there is an integer atomic of that suffix (atomic_<suffix>); MPI's name for the combine, of places
 * MPI_OP_NULL; the types that have it, ALL or INTEGERS.
 * `...` is handed through to X.
 *
 * RED_LOWER and RED_HIGHER take the lesser and the greater of two; of floats the one that is a number (fmin,
 * fmax). RED_FIRST_LOW and RED_FIRST_HIGH give the place accumulator of one element: the least of all is the
 * lowest index that holds the least or the greatest value; a NaN ranks behind everything, -0 and +0 are
 * equal. Kernels have them from the prelude (RED_PLACE
 * for the last two), the host from host/reference.c. */
/* The layout is by hand, since clang-format takes x * y for a declaration. */
/* clang-format off */
#define RED_OPS(X, ...)                                                                                      \
    X(sum, SUM, ELEMENT, ADDS, ZERO, IDENTITY, x, a + b, +, "add", true, MPI_SUM, ALL, __VA_ARGS__)          \
    X(dot, SUM, PRODUCT, ADDS, ZERO, IDENTITY, x * y, a + b, +, "add", true, MPI_SUM, ALL, __VA_ARGS__)      \
    X(sumsq, SUM, SQUARE, ADDS, ZERO, IDENTITY, x * x, a + b, +, "add", true, MPI_SUM, ALL, __VA_ARGS__)     \
    X(prod, SUM, ELEMENT, MULTIPLIES, ONE, IDENTITY, x, a * b, *, "mul", false, MPI_PROD, ALL, __VA_ARGS__)  \
    X(and, ORDER, ELEMENT, ANDS, ONES, IDENTITY, x, a & b, &, "and", true, MPI_BAND, INTEGERS, __VA_ARGS__)  \
    X(or, ORDER, ELEMENT, ORS, ZERO, IDENTITY, x, a | b, |, "or", true, MPI_BOR, INTEGERS, __VA_ARGS__)      \
    X(xor, ORDER, ELEMENT, XORS, ZERO, IDENTITY, x, a ^ b, ^, "xor", true, MPI_BXOR, INTEGERS, __VA_ARGS__)  \
    X(mean, MEAN, ELEMENT, ADDS, ZERO, NONE, x, a + b, +, "add", true, MPI_SUM, ALL, __VA_ARGS__)            \
    X(min, ORDER, ELEMENT, PICKS_LEAST, HIGHEST, NONE, x, RED_LOWER(a, b), lower, "min", true, MPI_MIN, ALL, \
      __VA_ARGS__)                                                                                           \
    X(max, ORDER, ELEMENT, PICKS_GREATEST, LOWEST, NONE, x, RED_HIGHER(a, b), higher, "max", true, MPI_MAX,  \
      ALL, __VA_ARGS__)                                                                                      \
    X(argmin, PLACE, ELEMENT, PICKS_LEAST, HIGHEST, NONE, RED_FIRST_LOW(x, i), RED_LOWER(a, b), lower,       \
      "min", true, MPI_OP_NULL, ALL, __VA_ARGS__)                                                            \
    X(argmax, PLACE, ELEMENT, PICKS_GREATEST, HIGHEST, NONE, RED_FIRST_HIGH(x, i), RED_LOWER(a, b), lower,   \
      "min", true, MPI_OP_NULL, ALL, __VA_ARGS__)
/* clang-format on */

enum red_op_index {
#define RED_OP_INDEX(name, ...) RED_OP_##name,
    RED_OPS(RED_OP_INDEX, )
#undef RED_OP_INDEX
};

/* Scans: element i of the answer is the reduction of elements 0 ... i, of an exclusive one of 0 ... i - 1,
 * the first being the identity. The rows are those of the reductions; behind them stand the reduction and
 * whether the scan is exclusive. */
#define RED_SCANS(X, ...)                                                                                    \
    RED_SCANS_OF(X, inclusive, false, __VA_ARGS__)                                                           \
    RED_SCANS_OF(X, exclusive, true, __VA_ARGS__)
#define RED_SCANS_OF(X, form, exclusive, ...)                                                                \
    X(form##_sum, SUM, ELEMENT, ADDS, ZERO, IDENTITY, x, a + b, +, "add", true, MPI_SUM, ALL, sum,           \
      exclusive, __VA_ARGS__)                                                                                \
    X(form##_min, ORDER, ELEMENT, PICKS_LEAST, HIGHEST, NONE, x, RED_LOWER(a, b), lower, "min", true,        \
      MPI_MIN, ALL, min, exclusive, __VA_ARGS__)                                                             \
    X(form##_max, ORDER, ELEMENT, PICKS_GREATEST, LOWEST, NONE, x, RED_HIGHER(a, b), higher, "max", true,    \
      MPI_MAX, ALL, max, exclusive, __VA_ARGS__)

/* Histograms: the answer is a count of the elements in each bin (model/bins.h), and then of those in none.
 * The rows are those of the reductions; behind them stands the reduction that a count is, a sum of ones. */
#define RED_HISTOGRAMS(X, ...)                                                                               \
    X(count, COUNT, ELEMENT, ADDS, ZERO, IDENTITY, x, a + b, +, "add", true, MPI_SUM, ALL, sum, false,       \
      __VA_ARGS__)                                                                                           \
    X(count64, COUNT64, ELEMENT, ADDS, ZERO, IDENTITY, x, a + b, +, "add", true, MPI_SUM, ALL, sum, false,   \
      __VA_ARGS__)

/* What is computed: --primitive (model/primitive.h). Each operation belongs to one of them. The second list
 * are those that leave many results on the device, and of these the third all operations: behind the
 * reduction and `exclusive` stands the primitive. */
#define RED_PRIMITIVES(X) X(REDUCE, reduce) RED_RESULT_PRIMITIVES(X)
#define RED_RESULT_PRIMITIVES(X)                                                                             \
    X(SCAN, scan)                                                                                            \
    X(HISTOGRAM, histogram)
#define RED_RESULT_OPS(X, ...)                                                                               \
    RED_SCANS(X, SCAN, __VA_ARGS__)                                                                          \
    RED_HISTOGRAMS(X, HISTOGRAM, __VA_ARGS__)

enum red_primitive {
#define RED_PRIMITIVE_ENUM(id, name) RED_PRIMITIVE_##id,
    RED_PRIMITIVES(RED_PRIMITIVE_ENUM)
#undef RED_PRIMITIVE_ENUM
        RED_PRIMITIVES_N,
    RED_PRIMITIVE_DEFAULT = RED_PRIMITIVE_REDUCE
};

enum red_term { RED_TERM_ELEMENT, RED_TERM_PRODUCT, RED_TERM_SQUARE };

struct red_op {
    const char *name;
    enum red_role role;
    enum red_term term;
    unsigned arrays; /* 2 for products, otherwise 1 */
    enum red_combiner does;
    enum red_identity identity;
    bool has_empty_answer; /* that of no elements, which is the identity */
    const char *map;       /* an expression of x, of y where `arrays` is 2, and of i */
    const char *combine;   /* an expression of a and b */
    const char *suffix;
    bool has_atomic; /* on integers: atomic_<suffix> */
    bool integers_only;
    enum red_primitive primitive;
    const struct red_op *reduction; /* of a scan: what each element of the answer is; of a histogram: sum; of
                                       others the row itself */
    bool exclusive;                 /* of a scan: without the element itself */
};

/* All operations, those of reduce first, and their names alone. */
extern const struct red_op red_ops[];
extern const char *const red_op_names[];
extern const size_t red_ops_n;

#define RED_ONE_MORE(...) +1
enum {
    RED_DTYPES_N = RED_DTYPES(RED_ONE_MORE),
    RED_REDUCTIONS_N = RED_OPS(RED_ONE_MORE, ),
    RED_SCANS_N = RED_SCANS(RED_ONE_MORE, ),
    RED_OPS_N = RED_REDUCTIONS_N RED_RESULT_OPS(RED_ONE_MORE, )
};
#undef RED_ONE_MORE

/* The operation of that name, or NULL. */
const struct red_op *red_op_find(const char *name);

/* Whether it picks one element, the least or the greatest, and passes over the others. */
static inline bool red_op_picks(const struct red_op *op) {
    return op->does == RED_PICKS_LEAST || op->does == RED_PICKS_GREATEST;
}

/* Whether the type has the operation: floats have no bits. */
static inline bool red_op_has_type(const struct red_op *op, const struct red_dtype *dtype) {
    return !op->integers_only || !dtype->is_float;
}

/* Whether its work-group built-in is one of the extension cl_khr_work_group_uniform_arithmetic, which has no
 * other built-ins that strategies use; those that add and pick are core. */
static inline bool red_op_is_of_extension(const struct red_op *op) {
    return op->does != RED_ADDS && !red_op_picks(op);
}

/* The identity in C or OpenCL C, with those of the accumulator's lowest and highest value. */
const char *red_op_identity_text(const struct red_op *op, const char *lowest, const char *highest);

/* What partial results are kept in; the type of the answer. */
const struct red_accumulator *red_op_accumulator(const struct red_op *op, const struct red_dtype *dtype);
const struct red_dtype *red_op_result_dtype(const struct red_op *op, const struct red_dtype *dtype);

/* The suffix of the work-group built-in; empty where there is none. */
const char *red_op_built_in_suffix(const struct red_op *op, const struct red_dtype *dtype);

/* Checks that the operation has an answer for n elements of the type: for none at all where its row says so;
 * a place must fit beside the value. Errors: RED_E_UNSUPPORTED with the limit. */
enum red_status red_op_check_n(const struct red_op *op, const struct red_dtype *dtype, uint64_t n,
                               struct red_error *error);

/* The byte that does most harm where memory full of it is taken for data: NaN or -1 for sums, for extremes a
 * value that would win. The first is for what lies behind the elements, the second for accumulators that
 * nobody has written yet; with `other` another such byte. Callers fill memory with it. */
unsigned char red_op_elements_poison_byte(const struct red_op *op, const struct red_dtype *dtype);
unsigned char red_op_accumulator_poison_byte(const struct red_op *op, const struct red_dtype *dtype,
                                             bool other);

/* ---- ranks -----------------------------------------------------------------------------------------------
 * The values of a type in their order, so that data can be made of neighbours whatever the type: rank 0 is
 * the least finite value, each further rank the next one that the type has. */

/* The rank of the greatest finite value. */
uint64_t red_rank_max(const struct red_dtype *dtype);

/* The least rank whose word begins with another bit than that of rank 0: of signed integers and floats that
 * of 0, of unsigned ones that of 2^(bits - 1). */
uint64_t red_rank_middle(const struct red_dtype *dtype);

/* The value of a rank; of floats, and of integers (as put_integer takes it). */
double red_rank_real(const struct red_dtype *dtype, uint64_t rank);
uint64_t red_rank_integer(const struct red_dtype *dtype, uint64_t rank);

/* The rank of element i of an array, which must be finite. */
uint64_t red_rank_of(const struct red_dtype *dtype, const void *array, uint64_t i);
/* Stores the value of that rank in element i: oracle/change.c changes elements so, and a kernel that keeps an
 * old answer is found `wrong`. */
void red_rank_put(const struct red_dtype *dtype, void *array, uint64_t i, uint64_t rank);

#endif
