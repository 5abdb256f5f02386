#include "model/dtype.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* 9 and 17 decimal digits tell any two floats and doubles apart (Steele and White 1990). */
static void print_float(float value, char *text, size_t size) {
    snprintf(text, size, "%.9g", (double)value);
}

static void print_double(double value, char *text, size_t size) {
    snprintf(text, size, "%.17g", value);
}

static void print_signed(int32_t value, char *text, size_t size) {
    snprintf(text, size, "%" PRId32, value);
}

static void print_unsigned(uint32_t value, char *text, size_t size) {
    snprintf(text, size, "%" PRIu32, value);
}

#define RED_PRINT(value)                                                                                     \
    _Generic((value), float                                                                                  \
             : print_float, double                                                                           \
             : print_double, int32_t                                                                         \
             : print_signed, uint32_t                                                                        \
             : print_unsigned)

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
    static void print_##name(const union red_value *value, char *text, size_t size) {                        \
        RED_PRINT(value->name)(value->name, text, size);                                                     \
    }
RED_DTYPES(RED_DTYPE_FUNCTIONS)

#define RED_DTYPE_ROW(name_, c_type, acc_type, host_type, cl, cl_acc, cl_word_, bits, floating, digits_,     \
                      needs_)                                                                                \
    {.name = #name_,                                                                                         \
     .size_bytes = sizeof(c_type),                                                                           \
     .accumulator_size_bytes = sizeof(acc_type),                                                             \
     .cl_type = cl,                                                                                          \
     .cl_accumulator = cl_acc,                                                                               \
     .cl_word = cl_word_,                                                                                    \
     .word_bits = bits,                                                                                      \
     .is_float = floating,                                                                                   \
     .digits = digits_,                                                                                      \
     .needs = needs_,                                                                                        \
     .put_real = put_real_##name_,                                                                           \
     .put_integer = put_integer_##name_,                                                                     \
     .get_real = get_real_##name_,                                                                           \
     .get_integer = get_integer_##name_,                                                                     \
     .print = print_##name_},

const struct red_dtype red_dtypes[] = {RED_DTYPES(RED_DTYPE_ROW)};
const size_t red_dtypes_n = sizeof red_dtypes / sizeof red_dtypes[0];

const struct red_dtype *red_dtype_find(const char *name) {
    for (size_t i = 0; i < red_dtypes_n; i++)
        if (strcmp(red_dtypes[i].name, name) == 0)
            return &red_dtypes[i];
    return NULL;
}
