#include "model/rank.h"

#include <string.h>

/* The word of the greatest finite number: all but the last of the exponents, and a significand of ones. Words
 * of one sign are in the order of their values (IEEE 754-2008, section 3.4). */
static uint64_t finite_max(const struct red_dtype *dtype) {
    unsigned stored_bits = dtype->digits - 1;
    return (UINT64_C(1) << (dtype->bits - 1)) - 1 - (UINT64_C(1) << stored_bits);
}

uint64_t red_rank_max(const struct red_dtype *dtype) {
    return dtype->is_float ? 2 * finite_max(dtype) : UINT64_MAX >> (64 - dtype->bits);
}

uint64_t red_rank_middle(const struct red_dtype *dtype) {
    return dtype->is_float ? finite_max(dtype) : UINT64_C(1) << (dtype->bits - 1);
}

static double real_of_word(const struct red_dtype *dtype, uint64_t word) {
    struct red_value value = {.bits = word}; /* words are stored with their low bytes first */
    return dtype->get_real(&value, 0);
}

double red_rank_real(const struct red_dtype *dtype, uint64_t rank) {
    uint64_t zero = finite_max(dtype);
    return rank >= zero ? real_of_word(dtype, rank - zero) : -real_of_word(dtype, zero - rank);
}

uint64_t red_rank_integer(const struct red_dtype *dtype, uint64_t rank) {
    return dtype->kind == RED_SIGNED ? rank - red_rank_middle(dtype) : rank;
}

uint64_t red_rank_of(const struct red_dtype *dtype, const void *array, uint64_t i) {
    const uint64_t sign = UINT64_C(1) << (dtype->bits - 1), middle = red_rank_middle(dtype);
    struct red_value value = {.bits = 0};
    memcpy(&value.bits, (const char *)array + i * dtype->size_bytes, dtype->size_bytes);
    if (dtype->is_float)
        return value.bits & sign ? middle - (value.bits ^ sign) : middle + value.bits;
    return dtype->kind == RED_SIGNED ? value.bits ^ sign : value.bits;
}

void red_rank_put(const struct red_dtype *dtype, void *array, uint64_t i, uint64_t rank) {
    if (dtype->is_float)
        dtype->put_real(array, i, red_rank_real(dtype, rank));
    else
        dtype->put_integer(array, i, red_rank_integer(dtype, rank));
}
