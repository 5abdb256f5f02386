/* Preloaded, a system in which something fails, in the first process that loads it and in none of its
 * children: SCARCE_MEMORY=K    the K-th allocation of this process, from 1; with "K+" all from the K-th on
 *   SCARCE_LOCKS=1     flock: no locks available
 *   SCARCE_COUNT=FILE  writes how many allocations there were */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

extern void *__libc_malloc(size_t bytes);
extern void *__libc_calloc(size_t n, size_t bytes);
extern void *__libc_realloc(void *old, size_t bytes);

static unsigned long calls, fails_at;
static bool fails_on, counts, has_no_locks;
static char count_path[256];

__attribute__((constructor)) static void begin(void) {
    const char *at = getenv("SCARCE_MEMORY"), *path = getenv("SCARCE_COUNT");
    char *end = NULL;
    fails_at = at != NULL ? strtoul(at, &end, 10) : 0;
    fails_on = end != NULL && *end == '+';
    has_no_locks = getenv("SCARCE_LOCKS") != NULL;
    counts = path != NULL && strlen(path) < sizeof count_path;
    if (counts)
        strcpy(count_path, path);
    unsetenv("SCARCE_MEMORY");
    unsetenv("SCARCE_COUNT");
    unsetenv("SCARCE_LOCKS");
    unsetenv("LD_PRELOAD");
    __atomic_store_n(&calls, 0, __ATOMIC_RELAXED);
}

__attribute__((destructor)) static void end(void) {
    char text[32];
    int fd = counts ? open(count_path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666) : -1;
    if (fd >= 0) {
        int n = snprintf(text, sizeof text, "%lu\n", calls);
        (void)!write(fd, text, (size_t)n);
        close(fd);
    }
}

static bool fails(void) {
    unsigned long call = __atomic_add_fetch(&calls, 1, __ATOMIC_RELAXED);
    bool failed = fails_at != 0 && (call == fails_at || (fails_on && call > fails_at));
    if (failed)
        errno = ENOMEM;
    return failed;
}

void *malloc(size_t bytes) {
    return fails() ? NULL : __libc_malloc(bytes);
}

void *calloc(size_t n, size_t bytes) {
    return fails() ? NULL : __libc_calloc(n, bytes);
}

void *realloc(void *old, size_t bytes) {
    return fails() ? NULL : __libc_realloc(old, bytes);
}

int flock(int fd, int operation) {
    static int (*real)(int, int);
    if (has_no_locks) {
        errno = ENOLCK;
        return -1;
    }
    if (real == NULL) /* POSIX.1-2008, dlsym: a function's address as an object's */
        *(void **)(void *)&real = dlsym(RTLD_NEXT, "flock");
    return real(fd, operation);
}
