/* How accumulators become answers: for the OpenMP loops of oracle/reference.c and the plain ones of
 * oracle/sequential.c. */
#ifndef CLREDUCE_ORACLE_ANSWERS_PRIVATE_H
#define CLREDUCE_ORACLE_ANSWERS_PRIVATE_H

#include "oracle/ranges_private.h"
#include "oracle/reference.h"

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
static inline float mean_of_floats(float total, uint64_t n) {
    return n <= 1 << 24 ? total / (float)n : (float)((double)total / (double)n);
}

#define RED_ANSWER_SUM(total, n, wants, name, kind, bits, place, result)                                     \
    value.result = (value_##result)(total)
#define RED_ANSWER_ORDER(total, n, wants, name, kind, bits, place, result) value.name = (value_##name)(total)
#define RED_ANSWER_MEAN(total, n, wants, name, kind, bits, place, result)                                    \
    value.result = (value_##result) _Generic(                                                                \
        (total), float                                                                                       \
        : mean_of_floats((float)(total), n), default                                                         \
        : (kind == RED_SIGNED ? (double)(int64_t)(total) : (double)(total)) / (double)n)
#define RED_ANSWER_PLACE(total, n, wants, name, kind, bits, place, result)                                   \
    value = answer_##place(total, kind, bits, RED_WANTS_##wants == RED_WANTS_GREATEST)

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
/* Extremes are answered in the type of the elements. */
#define RED_PUT_SUM(name, result)   put_##result
#define RED_PUT_MEAN(name, result)  put_##result
#define RED_PUT_ORDER(name, result) put_##name
#define RED_PUT_PLACE(name, result) put_##name

/* Lets the answers point into their own memory: values first, indices behind the widest of them. Plans
 * (cl/plan.c) and the host's cases (worker/prepared.c) own the answers. */
static inline struct answers_memory point_to_memory(const struct red_op *op, struct red_answers *answers) {
    uint64_t *indices = op->role == RED_ROLE_PLACE ? (uint64_t *)answers->room + answers->n : NULL;
    answers->values = answers->room;
    answers->indices = indices;
    return (struct answers_memory){answers->n, answers->room, indices};
}

/* Of the columns of a type, those that an operation's role picks. */
#define RED_RESULT_SUM(sum_result, mean_result)   sum_result
#define RED_RESULT_MEAN(sum_result, mean_result)  mean_result
#define RED_RESULT_ORDER(sum_result, mean_result) sum_result
#define RED_RESULT_PLACE(sum_result, mean_result) sum_result
/* What scans store results as, and start with: an exclusive one's first result, as far as the type holds it.
 */
#define RED_SCANNED_SUM(name, result)   value_##result
#define RED_SCANNED_ORDER(name, result) value_##name
#define RED_SCAN_LIMITS(name, c_type, cl, kind, bits, digits, sum, mean, order, ...)                         \
    static inline accumulator_##order scan_lowest_##name(void) {                                             \
        return bits == 8 ? (accumulator_##order)(kind == RED_SIGNED ? INT8_MIN : 0) : lowest_##order();      \
    }                                                                                                        \
    static inline accumulator_##order scan_highest_##name(void) {                                            \
        return bits == 8 ? (accumulator_##order)(kind == RED_SIGNED ? INT8_MAX : UINT8_MAX)                  \
                         : highest_##order();                                                                \
    }
RED_DTYPES(RED_SCAN_LIMITS)
#define RED_SCAN_START_ZERO(name)    0
#define RED_SCAN_START_LOWEST(name)  scan_lowest_##name()
#define RED_SCAN_START_HIGHEST(name) scan_highest_##name()

#endif
