/* What a strategy may answer to special values. */
#ifndef CLREDUCE_VERIFY_SPECIAL_VALUES_H
#define CLREDUCE_VERIFY_SPECIAL_VALUES_H

#include <stdio.h>

#include "oracle/truth.h"
#include "run/session.h"

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
    const char *unpromised; /* red_special_unpromised */
};

/* The manifest's name of the special values that the data are; NULL where they are none. */
const char *red_special_name(enum red_pattern pattern);

/* Why a strategy need not make of such data what exact arithmetic does; NULL where it must, and of data that
 * are no special values. It must where its manifest says so, but
 *   NaN        not for an extreme that the driver's built-ins find: OpenCL does not say what they do with it
 *   infinities not for an extreme of which a probe has seen the driver's built-in lose them
 *   denormals  only where the driver claims to keep them (CL_FP_DENORM), for the type of the accumulator.
 *              Halves are loaded as floats without loss, and places are compared as integers: always exact */
const char *red_special_unpromised(const struct red_strategy *strategy, const struct red_op *op,
                                   const struct red_dtype *dtype, enum red_pattern pattern,
                                   const struct red_device_info *info,
                                   const struct red_capabilities *capabilities);

/* Judges an answer to special values (IEEE 754-2008; fmin and fmax pass over a NaN, OpenCL C 3.0 section
 * 6.15.2). Other than exact is wrong where the exact answer is promised and deviates where it is not. *words
 * says what came instead, and is empty of exact ones. */
enum red_judgement red_special_judge(const struct red_special *special, const struct red_truth *truth,
                                     const struct red_value *got, const char **words);

/* Writes "nan, denormal": the kinds that the strategy does not promise on the session's device d for some of
 * the chosen types and operations. Empty where it promises all. */
void red_special_print_unpromised(const struct red_session *session, size_t d,
                                  const struct red_strategy *strategy, char *text, size_t text_bytes);

/* Writes for people what is not promised, why, of which operations and by which of the strategies; `runs`
 * says which of them the device runs. Nothing where all is. */
void red_special_report_unpromised(const struct red_session *session, size_t d, const bool *runs, FILE *out);

#endif
