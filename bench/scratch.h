/* Folders for files that nobody needs afterwards. */
#ifndef CLREDUCE_BENCH_SCRATCH_H
#define CLREDUCE_BENCH_SCRATCH_H

#include "model/status.h"

enum { RED_SCRATCH_BYTES = 512 };

/* Makes a folder below TMPDIR, or /tmp, for this user alone. Remove with _remove. Errors: RED_E_INPUT. */
enum red_status red_scratch_make(char folder[RED_SCRATCH_BYTES], struct red_error *error);

/* Removes the folder with the files in it, and empties the text; does nothing for an empty one. */
void red_scratch_remove(char folder[RED_SCRATCH_BYTES]);

#endif
