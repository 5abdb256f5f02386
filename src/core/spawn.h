/* Another program run to its end, its words kept in a file. */
#ifndef CLREDUCE_CORE_SPAWN_H
#define CLREDUCE_CORE_SPAWN_H

/* Runs the program with nothing to read, output and errors both written to the file, and waits for its end.
 *   program    a path, or a name looked for in PATH
 *   arguments  from the program's own name on, NULL after the last
 *   log        path of the file, made anew
 *   ended      [out] how it ended, for WIFEXITED and its like; set if it was started
 * Returns 0, or the errno of what kept it from starting; older C libraries find that out in the child
 * instead, which then exits with 127 (posix_spawn, POSIX.1-2008). */
int red_spawn(const char *program, const char *const *arguments, const char *log, int *ended);

#endif
