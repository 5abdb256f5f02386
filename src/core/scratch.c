#define _GNU_SOURCE /* mkdtemp, flock, O_DIRECTORY, O_NOFOLLOW */
#include "core/scratch.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "core/leftover.h"

enum { AGE_S = 60, RANDOM_N = 6 };
static const char PREFIX[] = "clreduce-", LOCK[] = ".clreduce-lock";

/* An empty TMPDIR is none (XBD 8.3). */
static const char *parent_find(const char **named) {
    const char *given = getenv("TMPDIR");
    bool is_given = given != NULL && given[0] != '\0';
    *named = is_given ? " (TMPDIR)" : "";
    return is_given ? given : "/tmp";
}

enum red_status red_scratch_make(struct red_scratch *scratch, struct red_error *error) {
    const char *named, *parent = parent_find(&named);
    char lock[RED_SCRATCH_BYTES + sizeof LOCK];
    int length = snprintf(scratch->path, sizeof scratch->path, "%s/%sXXXXXX", parent, PREFIX);
    scratch->lock = -1;
    if (length >= RED_SCRATCH_BYTES || mkdtemp(scratch->path) == NULL) {
        scratch->path[0] = '\0';
        return red_fail(error, RED_E_INPUT, "cannot make a folder in %s%s: %s; set TMPDIR to another", parent,
                        named, length < RED_SCRATCH_BYTES ? strerror(errno) : "its path is too long");
    }
    red_leftover_add(scratch->path);
    snprintf(lock, sizeof lock, "%s/%s", scratch->path, LOCK);
    scratch->lock = open(lock, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (scratch->lock >= 0) /* where locks are not supported, nobody gets one, and the folder stays */
        (void)flock(scratch->lock, LOCK_EX | LOCK_NB);
    return RED_OK;
}

void red_scratch_remove(struct red_scratch *scratch) {
    if (scratch->path[0] == '\0')
        return;
    red_folder_remove(scratch->path);
    red_leftover_drop(scratch->path);
    if (scratch->lock >= 0)
        close(scratch->lock);
    scratch->path[0] = '\0';
}

/* ---- what was left ---------------------------------------------------------------------------------------
 */

static int is_ours(const struct dirent *entry) {
    const char *random = entry->d_name + sizeof PREFIX - 1;
    if (strncmp(entry->d_name, PREFIX, sizeof PREFIX - 1) != 0 || strlen(random) != RANDOM_N)
        return 0;
    for (size_t i = 0; i < RANDOM_N; i++)
        if (!isalnum((unsigned char)random[i]))
            return 0;
    return 1;
}

/* Whether its process is gone; one that is about to lock it has made the file just now. */
static bool is_left(int lock) {
    struct stat seen;
    return fstat(lock, &seen) == 0 && S_ISREG(seen.st_mode) && seen.st_uid == geteuid() &&
           difftime(time(NULL), seen.st_mtime) > AGE_S && flock(lock, LOCK_EX | LOCK_NB) == 0;
}

static void sweep(const char *path) {
    struct stat seen;
    int folder = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    bool is_own = folder >= 0 && fstat(folder, &seen) == 0 && seen.st_uid == geteuid() &&
                  (seen.st_mode & (S_IRWXG | S_IRWXO)) == 0;
    int lock = is_own ? openat(folder, LOCK, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC) : -1;
    if (lock >= 0 && is_left(lock))
        red_folder_remove(path);
    if (lock >= 0)
        close(lock);
    if (folder >= 0)
        close(folder);
}

void red_scratch_sweep(void) {
    const char *named, *parent = parent_find(&named);
    struct dirent **entries = NULL;
    int n = scandir(parent, &entries, is_ours, NULL);
    for (int i = 0; i < n; i++) {
        char path[RED_SCRATCH_BYTES];
        if (snprintf(path, sizeof path, "%s/%s", parent, entries[i]->d_name) < (int)sizeof path)
            sweep(path);
        free(entries[i]);
    }
    free(entries);
}
