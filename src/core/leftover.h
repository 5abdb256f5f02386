/* What must not stay behind when a signal ends the program: temporary files, scratch folders, a process. */
#ifndef CLREDUCE_CORE_LEFTOVER_H
#define CLREDUCE_CORE_LEFTOVER_H

#include <sys/types.h>

/* Notes a file or a folder that red_leftovers_remove is to remove, and forgets it. For one thread; what there
 * is no room for is not noted. */
void red_leftover_add(const char *path);
void red_leftover_drop(const char *path);

/* The process that this one waits for; 0: none. */
void red_leftover_process(pid_t pid);

/* Removes a folder with the files in it, and follows no link. Calls nothing that a signal handler may not. */
void red_folder_remove(const char *path);

/* Removes all that is noted and ends the process. For signal handlers. */
void red_leftovers_remove(void);

#endif
