/* Verifying a case: what `verify`, `bench`, --tune and `duel` ask before they trust it or time it. */
#ifndef CLREDUCE_RUN_VERIFY_CASE_H
#define CLREDUCE_RUN_VERIFY_CASE_H

#include "run/session.h"

/* red_client_verify; a wrong result is RED_E_WRONG with the evidence. *verification is filled then, too, and
 * zero after any other error. */
enum red_status red_case_verify(struct red_client *client, const struct red_case *wanted, bool timed_only,
                                double expected_s, struct red_verification *verification,
                                struct red_error *error);

/* The data sets that whatever is timed must pass before; how many. The last one is what is timed; the others
 * are exact: red_key_probe's, or as many of them as --data-sets allows. Where there are more than are taken
 * (by default f32 from n = 2^28 on) the seed draws them. */
unsigned red_case_data_sets(const struct red_selection *selection, const struct red_op *op,
                            const struct red_dtype *dtype, uint64_t n,
                            struct red_probe sets[RED_DATA_SETS_MAX + 1]);

#endif
