/* Folders for files that nobody needs afterwards. */
#ifndef CLREDUCE_CORE_SCRATCH_H
#define CLREDUCE_CORE_SCRATCH_H

#include "core/status.h"

enum { RED_SCRATCH_BYTES = 512 };

/* A folder in use; an empty path: none. */
struct red_scratch {
    char path[RED_SCRATCH_BYTES];
    int lock; /* held as long as this process lives: who finds it free may remove the folder */
};

/* Makes a folder below TMPDIR, or /tmp, for this user alone. Remove with _remove. Errors: RED_E_INPUT. */
enum red_status red_scratch_make(struct red_scratch *scratch, struct red_error *error);

/* Removes the folder with the files in it, and empties the path; does nothing for an empty one. */
void red_scratch_remove(struct red_scratch *scratch);

/* Removes folders that this user's killed processes have left: of our names, with a lock file of ours that is
 * older than a minute and that nobody holds. */
void red_scratch_sweep(void);

#endif
