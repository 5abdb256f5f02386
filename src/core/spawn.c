/* Starts programs, and reads how they have ended. */
#define _GNU_SOURCE /* environ, vfork, sigabbrev_np */
#include "core/spawn.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* Makes a descriptor, or /dev/null for -1, the new process's descriptor `at`. False with errno. */
static bool place(int descriptor, int at) {
    const int from = descriptor >= 0 ? descriptor : open("/dev/null", O_RDWR | O_CLOEXEC);
    return from >= 0 && (from == at ? fcntl(at, F_SETFD, 0) == 0 : dup2(from, at) == at);
}

/* Becomes the program, in the new process; returns with errno if that fails. No handler of a signal may run
 * here, where it would write to the memory of the process that starts this one. */
static void become(const struct red_spawn *wanted, const sigset_t *mask) {
    for (int number = 1; number < NSIG; number++) {
        struct sigaction action;
        if (sigaction(number, NULL, &action) == 0 && action.sa_handler != SIG_IGN)
            (void)signal(number, SIG_DFL);
    }
    const char *const *environment =
        wanted->environment != NULL ? wanted->environment : (const char *const *)environ;
    if ((!wanted->ends_with_parent || prctl(PR_SET_PDEATHSIG, SIGKILL) == 0) && setpgid(0, 0) == 0 &&
        place(wanted->input, STDIN_FILENO) && place(wanted->output, STDOUT_FILENO) &&
        place(wanted->has_errors ? STDOUT_FILENO : -1, STDERR_FILENO) &&
        sigprocmask(SIG_SETMASK, mask, NULL) == 0)
        execve(wanted->path, (char *const *)(uintptr_t)wanted->arguments,
               (char *const *)(uintptr_t)environment);
}

int red_spawn_start(const struct red_spawn *wanted, pid_t *pid) {
    volatile int code = 0; /* set by the new process, too, which shares this memory */
    sigset_t all, mask;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &mask);
    const pid_t made = vfork();
    if (made == 0) {
        become(wanted, &mask);
        code = errno;
        _exit(127);
    }
    if (made < 0)
        code = errno;
    pthread_sigmask(SIG_SETMASK, &mask, NULL);
    if (made > 0 && code != 0)
        (void)red_spawn_wait(made);
    *pid = code == 0 ? made : 0;
    return code;
}

int red_spawn_wait(pid_t pid) {
    int ended = 0;
    while (waitpid(pid, &ended, 0) < 0 && errno == EINTR)
        ;
    return ended;
}

struct red_short_text red_signal_text(int number) {
    const char *name = sigabbrev_np(number);
    struct red_short_text made;
    if (name != NULL)
        snprintf(made.text, sizeof made.text, "SIG%s", name);
    else
        snprintf(made.text, sizeof made.text, "signal %d", number);
    return made;
}

size_t red_spawn_read_tail(int file, char *tail, size_t tail_bytes) {
    const off_t end = file >= 0 ? lseek(file, 0, SEEK_END) : 0, room = (off_t)tail_bytes - 1;
    const ssize_t length = end > 0 ? pread(file, tail, (size_t)room, end > room ? end - room : 0) : 0;
    tail[length > 0 ? length : 0] = '\0';
    return length > 0 ? (size_t)length : 0;
}
