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
