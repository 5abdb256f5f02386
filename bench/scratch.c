#define _DEFAULT_SOURCE /* mkdtemp */
#include "bench/scratch.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum red_status red_scratch_make(char folder[RED_SCRATCH_BYTES], struct red_error *error) {
    const char *parent = getenv("TMPDIR");
    int length = snprintf(folder, RED_SCRATCH_BYTES, "%s/clreduce-XXXXXX", parent ? parent : "/tmp");
    if (length < RED_SCRATCH_BYTES && mkdtemp(folder) != NULL)
        return RED_OK;
    folder[0] = '\0';
    return red_fail(error, RED_E_INPUT, "cannot make a folder in %s: %s", parent ? parent : "/tmp",
                    length < RED_SCRATCH_BYTES ? strerror(errno) : "its path is too long");
}

void red_scratch_remove(char folder[RED_SCRATCH_BYTES]) {
    DIR *entries = folder[0] != '\0' ? opendir(folder) : NULL;
    const struct dirent *entry;
    while (entries != NULL && (entry = readdir(entries)) != NULL) {
        char path[RED_SCRATCH_BYTES + 300];
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        unlink(path);
    }
    if (entries != NULL)
        closedir(entries);
    if (folder[0] != '\0')
        rmdir(folder);
    folder[0] = '\0';
}
