#include "model/accumulator.h"

#define RED_ACCUMULATOR_ROW(name_, c_type, fold_type, cl, word, bits, kind_, digits_, lowest, highest,       \
                            cl_lowest_, cl_highest_)                                                         \
    [RED_ACCUMULATOR_##name_] = {.name = #name_,                                                             \
                                 .size_bytes = sizeof(c_type),                                               \
                                 .cl_type = cl,                                                              \
                                 .cl_word = word,                                                            \
                                 .word_bits = bits,                                                          \
                                 .kind = kind_,                                                              \
                                 .is_float = (kind_) == RED_FLOAT,                                           \
                                 .digits = digits_,                                                          \
                                 .cl_lowest = cl_lowest_,                                                    \
                                 .cl_highest = cl_highest_},

const struct red_accumulator red_accumulators[RED_ACCUMULATORS_N] = {RED_ACCUMULATORS(RED_ACCUMULATOR_ROW)};
