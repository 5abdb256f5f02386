/* Ctrl-C, or SIGTERM: the run ends early, with what there is. */
#ifndef CLREDUCE_CORE_INTERRUPT_H
#define CLREDUCE_CORE_INTERRUPT_H

#include <stdbool.h>
#include <sys/types.h>

#include "core/status.h"

/* From now on the first such signal is only remembered; a second one ends the program at once. Either way
 * no temporary file stays. */
void red_interrupt_watch(void);

/* For work that leaves nothing worth keeping: true, and the first signal ends the program with status 130,
 * too. */
void red_interrupt_at_once(bool at_once);

bool red_interrupted(void);

/* Ends the run early for another reason than a signal: what was found is kept, but going on would lose what
 * comes. The reason is the program's last word, with its status; the first one counts. */
struct red_error;
void red_interrupt_for(const struct red_error *why);

/* That reason, or NULL. */
const struct red_error *red_interrupt_reason(void);

/* What must not stay behind when a signal ends the program: temporary files, scratch folders, a process. */

/* Notes a file or a folder that red_leftovers_remove is to remove, and forgets it. For one thread; what there
 * is no room for is not noted. */
void red_leftover_add(const char *path);
void red_leftover_drop(const char *path);

/* The process that this one waits for; 0: none. */
void red_leftover_awaited(pid_t pid);

/* Removes a folder with the files in it, and follows no link. Calls nothing that a signal handler may not. */
void red_folder_remove(const char *path);

/* Removes all that is noted and ends the process. For signal handlers. */
void red_leftovers_remove(void);

/* Folders for files that nobody needs afterwards. */

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
