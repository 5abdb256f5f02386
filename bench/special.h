/* What a strategy may answer to special values. */
#ifndef CLREDUCE_BENCH_SPECIAL_H
#define CLREDUCE_BENCH_SPECIAL_H

#include "oracle/truth.h"

enum red_judgement {
    RED_AS_EXACT, /* what exact arithmetic answers; -0 and +0 are equal */
    RED_DEVIATES, /* allowed, and named */
    RED_IS_WRONG,
    RED_JUDGEMENTS_N
};

extern const char *const red_judgement_names[RED_JUDGEMENTS_N]; /* "exact", "deviates", "wrong" */

/* What judging takes beside the truth and the answer. */
struct red_special {
    enum red_pattern pattern;
    bool keeps_denormals; /* the driver claims to, for the type of the accumulator */
    bool own_extremes;    /* least and greatest are found by the driver's built-ins, not by fmin and fmax */
};

/* Judges an answer to special values (IEEE 754-2008; fmin and fmax pass over a NaN, OpenCL C 3.0 section
 * 6.15.2):
 *   a sum       of data with a NaN or with both infinities is a NaN, with +inf it is +inf. One that becomes a
 * NaN on the way deviates (what subtracts to find what rounding dropped meets inf - inf); a number is wrong
 *   an extreme  is the exact one. OpenCL does not say what its built-ins do with a NaN: there others deviate
 *   denormals   are exact, or count as 0 where the driver does not claim to keep them: that deviates. Halves
 * are loaded as floats without loss, and places are compared as integers: both are exact always *words says
 * how it deviates or is wrong, and is empty otherwise. */
enum red_judgement red_special_judge(const struct red_special *special, const struct red_truth *truth,
                                     const struct red_value *got, const char **words);

#endif
