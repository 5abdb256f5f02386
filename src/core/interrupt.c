#define _GNU_SOURCE /* getdents64, O_DIRECTORY */
/* Handles Ctrl-C and SIGTERM, removes temporary files when a signal ends the program, and makes scratch
 * folders for emit, duel and bad-driver isolation. */
#include "core/interrupt.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "core/file.h"
#include "core/status.h"

enum { SLOTS_N = 32, ENTRIES_BYTES = 4096 };

/* A signal handler reaches nothing but globals. */
static struct {
    volatile sig_atomic_t is_used;
    char path[RED_PATH_BYTES];
} slots[SLOTS_N];
static volatile pid_t awaited_process;

/* `path` is of a temporary file (core/file.c) or a scratch folder (below); after a signal the user finds
 * none. */
void red_leftover_add(const char *path) {
    for (size_t i = 0; i < SLOTS_N; i++) {
        if (slots[i].is_used)
            continue;
        if (snprintf(slots[i].path, sizeof slots[i].path, "%s", path) < (int)sizeof slots[i].path)
            slots[i].is_used = 1;
        return;
    }
}

void red_leftover_forget(const char *path) {
    for (size_t i = 0; i < SLOTS_N; i++)
        if (slots[i].is_used && strcmp(slots[i].path, path) == 0)
            slots[i].is_used = 0;
}

/* For the run that a rank of --each starts (ranks/each.c). */
void red_leftover_set_awaited_process(pid_t pid) {
    awaited_process = pid;
}

/* For workers (worker/process.c) and ranks (ranks/ranks.c). */
void red_unkilled_print(const char *who, pid_t pid, double waited_s) {
    fprintf(
        stderr,
        "%s: process %ld was killed and is still there after %g s: it is in a call of the driver that the "
        "system's kernel does not interrupt, and may hold the device. It ends with that call; if it does "
        "not, restart the machine\n",
        who, (long)pid, waited_s);
}

/* Removes a folder with the files in it, and follows no link; one with folders in it stays. Calls nothing
 * that a signal handler may not: no readdir, which may allocate. */
static void remove_folder_of_files(const char *path) {
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

/* Where the program ends at once: by a signal, or without memory for libxml2 (core/memory.c). */
void red_leftovers_kill_and_remove(void) {
    int kept = errno;
    if (awaited_process > 0)
        kill(awaited_process, SIGTERM);
    for (size_t i = 0; i < SLOTS_N; i++) {
        if (!slots[i].is_used)
            continue;
        if (unlink(slots[i].path) != 0 && errno != ENOENT)
            remove_folder_of_files(slots[i].path);
        slots[i].is_used = 0;
    }
    errno = kept;
}

enum { AGE_S = 60, RANDOM_N = 6 };
static const char PREFIX[] = "clreduce-", LOCK[] = ".clreduce-lock";

/* The folder for scratch folders, TMPDIR or /tmp, and a note for messages. An empty TMPDIR is none (XBD 8.3).
 */
static const char *scratch_parent(const char **note) {
    const char *given = getenv("TMPDIR");
    bool is_given = given != NULL && given[0] != '\0';
    *note = is_given ? " (TMPDIR)" : "";
    return is_given ? given : "/tmp";
}

/* For binaries of duel sides (gate/side.c) and links to single drivers (worker/icd.c). */
enum red_status red_scratch_make(struct red_scratch *scratch, struct red_error *error) {
    const char *note, *parent = scratch_parent(&note);
    char lock[RED_SCRATCH_BYTES + sizeof LOCK];
    int length = snprintf(scratch->path, sizeof scratch->path, "%s/%sXXXXXX", parent, PREFIX);
    scratch->lock = -1;
    if (length >= RED_SCRATCH_BYTES || mkdtemp(scratch->path) == NULL) {
        scratch->path[0] = '\0';
        return red_fail(error, RED_E_INPUT, "cannot make a folder in %s%s: %s; set TMPDIR to another", parent,
                        note, length < RED_SCRATCH_BYTES ? strerror(errno) : "its path is too long");
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
    remove_folder_of_files(scratch->path);
    red_leftover_forget(scratch->path);
    if (scratch->lock >= 0)
        close(scratch->lock);
    scratch->path[0] = '\0';
}

/* ---- what was left ------------------------------------------------------------------------------------- */

/* Whether the entry, of any kind, has a name as red_scratch_make gives. */
static int is_scratch_name(const struct dirent *entry) {
    const char *random = entry->d_name + sizeof PREFIX - 1;
    if (strncmp(entry->d_name, PREFIX, sizeof PREFIX - 1) != 0 || strlen(random) != RANDOM_N)
        return 0;
    for (size_t i = 0; i < RANDOM_N; i++)
        if (!isalnum((unsigned char)random[i]))
            return 0;
    return 1;
}

/* Takes the lock if the process of the folder is gone: it is free, of this user, and too old to be one that
 * is not locked yet. False: nothing is locked. */
static bool lock_if_owner_gone(int lock) {
    struct stat seen;
    return fstat(lock, &seen) == 0 && S_ISREG(seen.st_mode) && seen.st_uid == geteuid() &&
           difftime(time(NULL), seen.st_mtime) > AGE_S && flock(lock, LOCK_EX | LOCK_NB) == 0;
}

/* Removes one scratch folder of ours if its process is gone; red_scratch_sweep calls it for each. */
static void remove_scratch_if_abandoned(const char *path) {
    struct stat seen;
    int folder = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    bool is_own = folder >= 0 && fstat(folder, &seen) == 0 && seen.st_uid == geteuid() &&
                  (seen.st_mode & (S_IRWXG | S_IRWXO)) == 0;
    int lock = is_own ? openat(folder, LOCK, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC) : -1;
    if (lock >= 0 && lock_if_owner_gone(lock))
        remove_folder_of_files(path);
    if (lock >= 0)
        close(lock);
    if (folder >= 0)
        close(folder);
}

/* cli/main.c calls it at the start, but not in a worker. */
void red_scratch_sweep(void) {
    const char *note, *parent = scratch_parent(&note);
    struct dirent **entries = NULL;
    int n = scandir(parent, &entries, is_scratch_name, NULL);
    for (int i = 0; i < n; i++) {
        char path[RED_SCRATCH_BYTES];
        if (snprintf(path, sizeof path, "%s/%s", parent, entries[i]->d_name) < (int)sizeof path)
            remove_scratch_if_abandoned(path);
        free(entries[i]);
    }
    free(entries);
}

/* A signal handler reaches nothing but globals. */
static volatile sig_atomic_t interrupted, signalled, ends_at_once;
static volatile pid_t forwarder;
static struct red_error reason;

/* Handles SIGINT and SIGTERM: the first one is remembered; a second one, or with ends_at_once the first, ends
 * the program with status 130. One that was handed on is no second one. */
static void handle_signal(int signal_number, siginfo_t *info, void *context) {
    static const char told[] = "clreduce: interrupted\n";
    (void)signal_number;
    (void)context;
    if (signalled && forwarder != 0 && info->si_pid == forwarder)
        return;
    if (signalled || ends_at_once) {
        red_leftovers_kill_and_remove();
        (void)!write(STDERR_FILENO, told, sizeof told - 1);
        _exit(red_exit_status_of(RED_E_INTERRUPTED));
    }
    signalled = interrupted = 1;
}

void red_interrupt_handle_signals(void) {
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_sigaction = handle_signal;
    action.sa_flags = SA_SIGINFO;
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
}

/* By cli/main.c for each verb; by `verify` for --show-data, --special and --accuracy. */
void red_interrupt_set_at_once(bool at_once) {
    ends_at_once = at_once;
}

/* For a rank of mpirun (ranks/ranks.c). */
void red_interrupt_set_forwarder(pid_t pid) {
    forwarder = pid;
}

/* For a journal that cannot be written (run/checkpoint.c). */
void red_interrupt_because_of(const struct red_error *why) {
    if (reason.text[0] == '\0')
        reason = *why;
    interrupted = 1;
}

enum red_status red_interrupt_settle(enum red_status status, bool prints, struct red_error *error) {
    if (reason.text[0] == '\0')
        return status;
    if (status == RED_E_INTERRUPTED)
        return red_fail(error, reason.status, "%s", reason.text);
    if (prints && strstr(error->text, reason.text) == NULL)
        fprintf(stderr, "%s\n", reason.text);
    return status;
}

/* Asked between cells, checks and blocks, and while waiting for a worker (worker/process.c). */
bool red_interrupted(void) {
    return interrupted != 0;
}
