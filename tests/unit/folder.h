/* What a program of unit tests writes goes into a folder: the one that it is given, or else a new one, which
 * is removed with all that is in it. Main functions call these around the tests. */
#ifndef CLREDUCE_TESTS_FOLDER_H
#define CLREDUCE_TESTS_FOLDER_H

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { FOLDER_BYTES = 4096 };

/* `made`, of FOLDER_BYTES, gets the name of a new folder, or "" where one is given. */
static inline void enter_folder(const char *given, char *made) {
    const char *above = getenv("TMPDIR");
    snprintf(made, FOLDER_BYTES, "%s/unit.XXXXXX", above != NULL && above[0] == '/' ? above : "/tmp");
    if (given != NULL)
        made[0] = '\0';
    if ((given == NULL && mkdtemp(made) == NULL) || chdir(given != NULL ? given : made) != 0) {
        perror(given != NULL ? given : made);
        exit(1);
    }
}

static inline int remove_entry(const char *path, const struct stat *info, int kind, struct FTW *at) {
    (void)info, (void)kind, (void)at;
    return remove(path);
}

static inline void remove_folder(const char *made) {
    if (made[0] != '\0' && (chdir("/") != 0 || nftw(made, remove_entry, 16, FTW_DEPTH | FTW_PHYS) != 0))
        perror(made);
}

#endif
