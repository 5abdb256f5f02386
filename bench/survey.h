/* What comes of data that nobody is right or wrong about: special values, and sums that are hard to add. */
#ifndef CLREDUCE_BENCH_SURVEY_H
#define CLREDUCE_BENCH_SURVEY_H

#include "bench/session.h"

/* One table per device, operation and float type of the session, with a row per strategy and a column per
 * data set.
 *   --special   what each strategy answers to NaN, infinities, -0 and denormals; the first row is what exact
 *               arithmetic answers (IEEE 754-2008, and fmin and fmax for extremes)
 *   --accuracy  the error in units of u * sum of |terms|, which is what a single rounding may cost (u: half a
 *               unit in the last place of the accumulator), the largest share of the error bound, and
 *               whether all calls gave the same bits
 * n is the first of --n; otherwise 1000 for special values, 2^20 for sums, and 2^25 for all ones.
 * Errors: RED_E_INPUT where no float type is chosen, RED_E_MEMORY, RED_E_NO_DEVICE if nothing ran. */
enum red_status red_survey(struct red_session *session, struct red_error *error);

#endif
