/* Tuned geometry: found by searching (--tune), or taken from the file that searches leave behind (--tuned).
 */
#ifndef CLREDUCE_RUN_AUTOTUNE_H
#define CLREDUCE_RUN_AUTOTUNE_H

#include "results/run.h"
#include "results/tuned.h"
#include "run/session.h"

/* Reads the file, telling where it is; a broken one is a warning and counts as empty. With --tune searches
 * then: for every strategy, device, operation, type and band of the session's n the geometry that is fastest
 * at the band's largest n. It takes the place of the default only if, measured in turns with it,
 *   - its median is lower by a twentieth or more, and the 95 % intervals do not overlap,
 *   - it is not slower at the band's smallest n,
 *   - and it is right, on all exact data at that n and on sizes at which tails show.
 * The file is written after every band. Release *tuned with red_tuned_clear. Errors: RED_E_WRONG if a
 * candidate was wrong, which is not taken, when all is done; RED_E_INPUT if the file cannot be written;
 * RED_E_MEMORY. */
enum red_status red_autotune_session(struct red_session *session, double budget_s, struct red_tuned *tuned,
                                     struct red_error *error);

/* Sets a cell's tuning, if there is one for it. */
void red_autotune_apply(const struct red_tuned *tuned, const struct red_device_info *device,
                        struct red_cell *cell);

#endif
