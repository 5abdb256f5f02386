#define _GNU_SOURCE /* getdents64, O_DIRECTORY */
#include "core/leftover.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/file.h"

enum { SLOTS_N = 32, ENTRIES_BYTES = 4096 };

/* A signal handler reaches nothing but globals. */
static struct {
    volatile sig_atomic_t is_used;
    char path[RED_PATH_BYTES];
} slots[SLOTS_N];
static volatile pid_t process;

void red_leftover_add(const char *path) {
    for (size_t i = 0; i < SLOTS_N; i++) {
        if (slots[i].is_used)
            continue;
        if (snprintf(slots[i].path, sizeof slots[i].path, "%s", path) < (int)sizeof slots[i].path)
            slots[i].is_used = 1;
        return;
    }
}

void red_leftover_drop(const char *path) {
    for (size_t i = 0; i < SLOTS_N; i++)
        if (slots[i].is_used && strcmp(slots[i].path, path) == 0)
            slots[i].is_used = 0;
}

void red_leftover_process(pid_t pid) {
    process = pid;
}

/* readdir may allocate, which a signal handler must not. */
void red_folder_remove(const char *path) {
    _Alignas(struct dirent64) char entries[ENTRIES_BYTES];
    ssize_t bytes;
    int folder = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    while (folder >= 0 && (bytes = getdents64(folder, entries, sizeof entries)) > 0) {
        bool removed = false;
        for (ssize_t at = 0; at < bytes;) {
            const struct dirent64 *entry = (const struct dirent64 *)(const void *)(entries + at);
            removed = unlinkat(folder, entry->d_name, 0) == 0 || removed;
            at += entry->d_reclen;
        }
        if (removed) /* what was removed may have moved what follows */
            lseek(folder, 0, SEEK_SET);
    }
    if (folder >= 0)
        close(folder);
    rmdir(path);
}

void red_leftovers_remove(void) {
    int kept = errno;
    if (process > 0)
        kill(process, SIGTERM);
    for (size_t i = 0; i < SLOTS_N; i++) {
        if (!slots[i].is_used)
            continue;
        if (unlink(slots[i].path) != 0 && errno != ENOENT)
            red_folder_remove(slots[i].path);
        slots[i].is_used = 0;
    }
    errno = kept;
}
