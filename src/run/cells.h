/* Cells made ready for timing: verified, projected, warmed up. */
#ifndef CLREDUCE_RUN_CELLS_H
#define CLREDUCE_RUN_CELLS_H

#include "run/bench.h"

/* Verifies each cell on exact and on the timed data, projects its cost and warms it
 * up. What cannot run gets its state and reason; what can becomes a row. A wrong cell is no error here.
 * With a result_path (or NULL) a journal is kept beside it, and with --resume gone on from. Errors:
 * RED_E_MEMORY, RED_E_INTERRUPTED; those of red_bench_checkpoint_open. */
enum red_status red_bench_prepare(struct red_bench *bench, const char *result_path, struct red_error *error);

#endif
