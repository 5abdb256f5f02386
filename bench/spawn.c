#define _POSIX_C_SOURCE 200809L /* posix_spawnp */
#include "bench/spawn.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdint.h>
#include <sys/wait.h>
#include <unistd.h>

#include "record/leftover.h"

extern char **environ;

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
    while (code == 0 && waitpid(pid, ended, 0) < 0 && errno == EINTR) {
    }
    red_leftover_child(0);
    return code;
}
