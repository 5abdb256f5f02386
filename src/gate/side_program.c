#define _GNU_SOURCE /* pipe2, environ */
#include "gate/side_program.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/clock.h"

static const double LIMIT_S = 10;

/* Into a group of its own, so that what it starts ends with it. */
static int start(const char *path, char *const *environment, int out, pid_t *pid) {
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    const char *const arguments[] = {path, "--version", NULL};
    int code = posix_spawn_file_actions_init(&actions);
    if (code != 0)
        return code;
    code = posix_spawnattr_init(&attributes);
    if (code == 0) {
        code = posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
        if (code == 0)
            code = posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
        if (code == 0)
            code = posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
        if (code == 0)
            code = posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
        if (code == 0)
            code = posix_spawn(pid, path, &actions, &attributes, (char *const *)(uintptr_t)arguments,
                               environment != NULL ? environment : environ);
        posix_spawnattr_destroy(&attributes);
    }
    posix_spawn_file_actions_destroy(&actions);
    return code;
}

/* What it says, up to its end, the limit or the room there is. */
static void hear(int in, char *text, size_t text_bytes) {
    struct pollfd ready = {.fd = in, .events = POLLIN};
    double end_s = red_clock_s() + LIMIT_S;
    size_t used = 0;
    ssize_t n = 1;
    while (n > 0 && used + 1 < text_bytes && red_clock_s() < end_s) {
        if (poll(&ready, 1, 100) <= 0)
            continue;
        n = read(in, text + used, text_bytes - 1 - used);
        used += n > 0 ? (size_t)n : 0;
    }
    text[used] = '\0';
}

enum red_status red_program_version(const char *option, const char *path, char *const *environment,
                                    char *version, size_t version_bytes, struct red_error *error) {
    static const char name[] = "clreduce ";
    char text[64] = "";
    pid_t pid = 0;
    int ends[2], how;
    if (pipe2(ends, O_CLOEXEC) != 0)
        return red_fail(error, RED_E_MEMORY, "no pipe to %s: %s", path, strerror(errno));
    int code = start(path, environment, ends[1], &pid);
    close(ends[1]);
    if (code == 0) {
        hear(ends[0], text, sizeof text);
        kill(-pid, SIGKILL);
        waitpid(pid, &how, 0);
    }
    close(ends[0]);
    if (code != 0)
        return red_fail(error, RED_E_INPUT, "%s: '%s' cannot be started: %s", option, path, strerror(code));
    size_t length = strcspn(text, "\n"), before = sizeof name - 1;
    if (strncmp(text, name, before) != 0 || text[length] != '\n' || length - before >= version_bytes)
        return red_fail(error, RED_E_INPUT,
                        "%s: '%s' is no build of clreduce; expected one, such as build/clreduce", option,
                        path);
    snprintf(version, version_bytes, "%.*s", (int)(length - before), text + before);
    return RED_OK;
}
