/* Processes that this one starts: workers, other builds of clreduce, the runs of ranks. Who starts one tells
 * the user how it ended. */
#ifndef CLREDUCE_CORE_SPAWN_H
#define CLREDUCE_CORE_SPAWN_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "core/text.h"

/* A program to be started, in a process group of its own: what it starts can be ended with it, and a signal
 * to this one's group does not reach it. */
struct red_spawn {
    const char *path;
    const char *const *arguments;   /* from the program's name to a NULL */
    const char *const *environment; /* to a NULL; NULL: this process's */
    int input, output;              /* descriptors; -1: /dev/null */
    bool has_errors;                /* they go where its output goes; otherwise to /dev/null */
    bool ends_with_parent;          /* killed where the thread that has started it ends */
};

/* Starts it; no copy of this process's memory is made, to which a network's card may be writing (Open MPI,
 * "fork support"). 0, or an errno; then *pid is 0. */
int red_spawn_start(const struct red_spawn *wanted, pid_t *pid);

/* Waits until the process has ended. Gives its status, as waitpid tells it; 0 where nobody can wait for it.
 */
int red_spawn_wait(pid_t pid);

/* "SIGSEGV"; "signal 34" of one that has no such name. */
struct red_short_text red_signal_text(int number);

/* Reads the end of a file that a process writes to, with a byte 0 behind it. Gives its length. */
size_t red_spawn_read_tail(int file, char *tail, size_t tail_bytes);

#endif
