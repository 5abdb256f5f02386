/* How accumulators become answers, and what the loops of scans and histograms share: for the OpenMP loops of
 * host/reference.c and the plain ones of host/sequential.c. */
#ifndef CLREDUCE_HOST_ANSWERS_PRIVATE_H
#define CLREDUCE_HOST_ANSWERS_PRIVATE_H

#include "host/ranges_private.h"
#include "host/reference.h"
#include "model/bins.h"

/* The word again, of what place_key_of_word gives. */
static inline uint64_t word_of_rank(uint64_t rank, enum red_kind kind, unsigned bits, bool greatest) {
    const uint64_t sign = UINT64_C(1) << 63;
    if (greatest)
        rank = ~rank & ~UINT64_C(0) << (64 - bits);
    if (kind == RED_SIGNED)
        rank ^= sign;
    else if (kind == RED_FLOAT)
        rank ^= rank & sign ? sign : ~UINT64_C(0);
    return rank >> (64 - bits);
}

/* The value and the index that a place stands for. */
static inline struct red_value answer_u64(uint64_t place, enum red_kind kind, unsigned bits, bool greatest) {
    const uint64_t indices = ~UINT64_C(0) >> bits;
    return (struct red_value){.bits = word_of_rank(place & ~indices, kind, bits, greatest),
                              .index = place & indices};
}
static inline struct red_value answer_pair(struct red_pair place, enum red_kind kind, unsigned bits,
                                           bool greatest) {
    return (struct red_value){.bits = word_of_rank(place.key, kind, bits, greatest), .index = place.index};
}

/* Dividing once in float is the same as in double and rounding, while float holds n; and there are twice as
 * many to a vector. */
#define RED_FLOAT_HOLDS(n) ((n) <= 1 << 24)
static inline float mean_of_floats(float total, uint64_t n) {
    return RED_FLOAT_HOLDS(n) ? total / (float)n : (float)((double)total / (double)n);
}

/* Sets `value`, whose member is that of the result. */
#define RED_ANSWER_SUM(total, n, does, kind, bits, place, result)   value.result = (value_##result)(total)
#define RED_ANSWER_ORDER(total, n, does, kind, bits, place, result) value.result = (value_##result)(total)
#define RED_ANSWER_MEAN(total, n, does, kind, bits, place, result)                                           \
    value.result = (value_##result) _Generic(                                                                \
        (total), float                                                                                       \
        : mean_of_floats((float)(total), n), default                                                         \
        : (kind == RED_SIGNED ? (double)(int64_t)(total) : (double)(total)) / (double)n)
#define RED_ANSWER_PLACE(total, n, does, kind, bits, place, result)                                          \
    value = answer_##place(total, kind, bits, RED_##does == RED_PICKS_GREATEST)

#define RED_VALUE_TYPE(name, c_type, ...) typedef c_type value_##name;
RED_DTYPES(RED_VALUE_TYPE)

/* Where answers are stored, by the type of the result. */
struct answers_memory {
    uint64_t n;
    void *values;
    uint64_t *indices; /* or NULL */
};
#define RED_PUT(name, c_type, ...)                                                                           \
    static inline void put_##name(struct answers_memory to, uint64_t i, const struct red_value *value) {     \
        ((c_type *)to.values)[i] = value->name;                                                              \
        if (to.indices != NULL)                                                                              \
            to.indices[i] = value->index;                                                                    \
    }
RED_DTYPES(RED_PUT)
/* Lets the answers point into their own memory: values first, indices behind the widest of them. Plans
 * (cl/plan.c) and the host's cases (worker/prepared.c) own the answers. */
static inline struct answers_memory point_to_memory(const struct red_op *op, struct red_answers *answers) {
    uint64_t *indices = op->role == RED_ROLE_PLACE ? (uint64_t *)answers->room + answers->n : NULL;
    answers->values = answers->room;
    answers->indices = indices;
    return (struct answers_memory){answers->n, answers->room, indices};
}

/* Stores the answer that a total is. */
#define RED_PUT_ANSWER(role, to, i, total, n, does, kind, bits, place, result)                               \
    struct red_value value = {.index = 0};                                                                   \
    (void)n;                                                                                                 \
    RED_ANSWER_##role(total, n, does, kind, bits, place, result);                                            \
    put_##result(to, i, &value);

/* ---- scans --------------------------------------------------------------------------------------------- */

/* A table of all scan_<op>_<type>, in the order of red_dtypes and of the scans of red_ops. */
typedef void scan_function(const void *array, uint64_t n, void *results);
#define RED_SCAN_ENTRY(op, role, term, does, identity, empty, map, combine, openmp, suffix, atomic, mpi,     \
                       types, reduced, exclusive, name, ...)                                                 \
    RED_NAME(scan_##op, name),
#define RED_SCAN_ENTRIES(...) {RED_SCANS(RED_SCAN_ENTRY, __VA_ARGS__)},

/* ---- histograms ---------------------------------------------------------------------------------------- */

/* The bin of an element x, by its kind and bits, with `bins`: below 32 bits a value is its bin. */
#define RED_BIN_OF_RED_UNSIGNED(bits, x)                                                                     \
    (bits == 32 ? red_bin_of_integer(bins, (uint32_t)(x)) : (uint32_t)(x) < bins.n ? (uint32_t)(x) : bins.n)
#define RED_BIN_OF_RED_SIGNED         RED_BIN_OF_RED_UNSIGNED
#define RED_BIN_OF_RED_FLOAT(bits, x) red_bin_of_real(bins, (float)(x))

/* With RED_COUNT_RANGE of a type and counters of so many bits, which makes count_NAME_BITS: both functions of
 * each type, and a table of them in the order of red_dtypes, for count and count64. */
#define RED_COUNT_RANGES(name, c_type, cl, kind, bits, ...)                                                  \
    RED_COUNT_RANGE(name, c_type, kind, bits, 32)                                                            \
    RED_COUNT_RANGE(name, c_type, kind, bits, 64)
#define RED_COUNT_ENTRY(name, ...) {count_##name##_32, count_##name##_64},

#endif
