#define _POSIX_C_SOURCE 200809L /* posix_spawnp */
#include "core/spawn.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/interrupt.h"
#include "core/leftover.h"

enum { WAIT_MS_MAX = 20 };

extern char **environ;

/* A signal that came for this process is the other's, too: it may be waiting for something that never ends.
 */
static void wait_for(pid_t pid, int *ended) {
    bool told = false;
    for (int wait_ms = 1; waitpid(pid, ended, WNOHANG) == 0; wait_ms += wait_ms < WAIT_MS_MAX) {
        poll(NULL, 0, wait_ms);
        if (red_interrupted() && !told)
            told = kill(pid, SIGTERM) == 0;
    }
}

int red_spawn(const char *program, const char *const *arguments, const char *log, int *ended) {
    posix_spawn_file_actions_t actions;
    pid_t pid = 0;
    int code = posix_spawn_file_actions_init(&actions);
    if (code != 0)
        return code;
    code = posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    if (code == 0)
        code = posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, log, O_WRONLY | O_CREAT | O_TRUNC,
                                                0600);
    if (code == 0)
        code = posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
    if (code == 0)
        code = posix_spawnp(&pid, program, &actions, NULL, (char *const *)(uintptr_t)arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    red_leftover_child(code == 0 ? pid : 0);
    if (code == 0)
        wait_for(pid, ended);
    red_leftover_child(0);
    return code;
}
