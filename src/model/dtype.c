#include "model/dtype.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define RED_DTYPE_BLOCK_PUT(name, c_type, what, v_type)                                                      \
    static void put_##what##_##name(void *array, uint64_t first, size_t n, const v_type *values) {           \
        for (size_t i = 0; i < n; i++)                                                                       \
            ((c_type *)array)[first + i] = (c_type)values[i];                                                \
    }
#define RED_DTYPE_BLOCK_GET(name, c_type, what, v_type)                                                      \
    static void get_##what##_##name(const void *array, uint64_t first, size_t n, v_type *values) {           \
        for (size_t i = 0; i < n; i++)                                                                       \
            values[i] = (v_type)((const c_type *)array)[first + i];                                          \
    }
#define RED_DTYPE_FUNCTIONS(name, c_type, ...)                                                               \
    static void put_real_##name(void *array, uint64_t i, double value) {                                     \
        ((c_type *)array)[i] = (c_type)value;                                                                \
    }                                                                                                        \
    static void put_integer_##name(void *array, uint64_t i, uint64_t value) {                                \
        ((c_type *)array)[i] = (c_type)value;                                                                \
    }                                                                                                        \
    static double get_real_##name(const void *array, uint64_t i) {                                           \
        return (double)((const c_type *)array)[i];                                                           \
    }                                                                                                        \
    static uint64_t get_integer_##name(const void *array, uint64_t i) {                                      \
        return (uint64_t)((const c_type *)array)[i];                                                         \
    }                                                                                                        \
    RED_DTYPE_BLOCK_PUT(name, c_type, reals, double)                                                         \
    RED_DTYPE_BLOCK_PUT(name, c_type, integers, uint64_t)                                                    \
    RED_DTYPE_BLOCK_GET(name, c_type, reals, double)                                                         \
    RED_DTYPE_BLOCK_GET(name, c_type, integers, uint64_t)
RED_DTYPES(RED_DTYPE_FUNCTIONS)

enum red_dtype_index {
#define RED_DTYPE_INDEX(name, ...) RED_DTYPE_##name,
    RED_DTYPES(RED_DTYPE_INDEX)
#undef RED_DTYPE_INDEX
};

#define RED_DTYPE_ROW(name_, c_type, cl, kind_, bits_, digits_, sum, mean, order, place, sum_result,         \
                      mean_result, needs_)                                                                   \
    [RED_DTYPE_##name_] = {                                                                                  \
        .name = #name_,                                                                                      \
        .size_bytes = sizeof(c_type),                                                                        \
        .cl_type = cl,                                                                                       \
        .kind = kind_,                                                                                       \
        .is_float = (kind_) == RED_FLOAT,                                                                    \
        .bits = bits_,                                                                                       \
        .digits = digits_,                                                                                   \
        .accumulators = {&red_accumulators[RED_ACCUMULATOR_##sum],                                           \
                         &red_accumulators[RED_ACCUMULATOR_##mean],                                          \
                         &red_accumulators[RED_ACCUMULATOR_##order],                                         \
                         &red_accumulators[RED_ACCUMULATOR_##place]},                                        \
        .results = {&red_dtypes[RED_DTYPE_##sum_result], &red_dtypes[RED_DTYPE_##mean_result],               \
                    &red_dtypes[RED_DTYPE_##name_], &red_dtypes[RED_DTYPE_##name_]},                         \
        .needs = needs_,                                                                                     \
        .put_real = put_real_##name_,                                                                        \
        .put_integer = put_integer_##name_,                                                                  \
        .get_real = get_real_##name_,                                                                        \
        .get_integer = get_integer_##name_,                                                                  \
        .put_reals = put_reals_##name_,                                                                      \
        .put_integers = put_integers_##name_,                                                                \
        .get_reals = get_reals_##name_,                                                                      \
        .get_integers = get_integers_##name_,                                                                \
    },

const struct red_dtype red_dtypes[] = {RED_DTYPES(RED_DTYPE_ROW)};
const size_t red_dtypes_n = sizeof red_dtypes / sizeof red_dtypes[0];

const struct red_dtype *red_dtype_find(const char *name) {
    for (size_t i = 0; i < red_dtypes_n; i++)
        if (strcmp(red_dtypes[i].name, name) == 0)
            return &red_dtypes[i];
    return NULL;
}

/* 5, 9 and 17 decimal digits tell any two halves, floats and doubles apart (Steele and White 1990). */
void red_dtype_print(const struct red_dtype *dtype, const struct red_value *value, char *text,
                     size_t text_size_bytes) {
    int digits = dtype->digits > 24 ? 17 : dtype->digits > 11 ? 9 : 5;
    if (dtype->is_float && isnan(dtype->get_real(value, 0)))
        snprintf(text, text_size_bytes, "nan"); /* of either sign */
    else if (dtype->is_float)
        snprintf(text, text_size_bytes, "%.*g", digits, dtype->get_real(value, 0));
    else if (dtype->kind == RED_SIGNED)
        snprintf(text, text_size_bytes, "%" PRId64, (int64_t)dtype->get_integer(value, 0));
    else
        snprintf(text, text_size_bytes, "%" PRIu64, dtype->get_integer(value, 0));
}
