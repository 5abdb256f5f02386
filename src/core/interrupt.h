/* Early end of a run by Ctrl-C, SIGTERM or an error that must not be ignored. Loops that measure or verify
 * ask red_interrupted; the user gets the results found so far, and exit status 130 after a signal. */
#ifndef CLREDUCE_CORE_INTERRUPT_H
#define CLREDUCE_CORE_INTERRUPT_H

#include <stdbool.h>
#include <sys/types.h>

#include "core/status.h"

/* From now on the first such signal is only remembered; a second one ends the program at once. Either way
 * no temporary file stays. */
void red_interrupt_handle_signals(void);

/* Sets what the first signal does; ends nothing itself. cli/main.c sets it for verbs whose work leaves
 * nothing worth keeping, and verify/ while it makes what is of no use in part: true, and the first signal
 * ends the program with status 130, too. */
void red_interrupt_set_at_once(bool at_once);

/* Sets the process that hands signals on to this one: where mpirun sends them to both, what it hands on is
 * the same once more, and no second one. */
void red_interrupt_set_forwarder(pid_t pid);

/* Whether a signal or red_interrupt_because_of has asked the run to end. */
bool red_interrupted(void);

/* Ends the run early for an error after which going on would lose results, as a full disk below the journal
 * (run/checkpoint.c). What was found is kept; the program ends with the first such error and its status. */
struct red_error;
void red_interrupt_because_of(const struct red_error *why);

/* The status of a run that may have ended early so: the first such error's, with its text in `error`, where
 * the run ended interrupted; otherwise its own, and with `prints` that text goes to the standard error unless
 * `error` tells it. After a signal alone nothing changes. */
enum red_status red_interrupt_settle(enum red_status status, bool prints, struct red_error *error);

/* ---- leftovers -------------------------------------------------------------------------------------------
 * What must not stay behind when a signal ends the program: temporary files, scratch folders, a process. */

/* Says on the standard error that a process of a driver's, of what `who` names, was killed and is still there
 * after waited_s seconds, why that may be so, and the way out. */
void red_unkilled_print(const char *who, pid_t pid, double waited_s);

/* The first notes a file or a folder that red_leftovers_kill_and_remove is to remove; the second forgets it,
 * and removes nothing. For one thread; what there is no room for is not noted. */
void red_leftover_add(const char *path);
void red_leftover_forget(const char *path);

/* Sets the process that this one waits for (the run of a rank of --each), which a signal
 * ends, too; 0: none. */
void red_leftover_set_awaited_process(pid_t pid);

/* Removes all that is noted, and sends SIGTERM to the process that this one waits for; then returns. The
 * caller exits. A signal handler may call it. */
void red_leftovers_kill_and_remove(void);

/* ---- scratch folders ----------------------------------------------------------------------------------- */

enum { RED_SCRATCH_BYTES = 512 };

/* A folder in use; an empty path: none. */
struct red_scratch {
    char path[RED_SCRATCH_BYTES];
    int lock; /* locked while this process lives; red_scratch_sweep removes unlocked ones */
};

/* Makes a folder below TMPDIR, or /tmp, for this user alone. It is noted as a leftover. Remove with
 * _remove. Errors: RED_E_INPUT. */
enum red_status red_scratch_make(struct red_scratch *scratch, struct red_error *error);

/* Removes the folder with the files in it, which has no folders, and empties the path; does nothing for an
 * empty one. */
void red_scratch_remove(struct red_scratch *scratch);

/* Removes folders that this user's killed processes have left: of our names, with a lock file of ours that is
 * older than a minute and that nobody holds. */
void red_scratch_sweep(void);

#endif
