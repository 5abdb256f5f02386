#define _GNU_SOURCE /* memfd_create */
/* Processes that this one starts (core/spawn.h). */
#include "tests/unit/testing.h"

#include <errno.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/spawn.h"

/* Runs the lines by the shell, and reads the end of what they print. Gives how they ended. */
static int run_lines(const char *lines, bool has_errors, const char *const *environment, char *tail,
                     size_t tail_bytes) {
    const char *const arguments[] = {"sh", "-c", lines, NULL};
    const int file = memfd_create("printed", MFD_CLOEXEC);
    const struct red_spawn wanted = {.path = "/bin/sh",
                                     .arguments = arguments,
                                     .environment = environment,
                                     .input = -1,
                                     .output = file,
                                     .has_errors = has_errors};
    pid_t pid;
    assert_true(file >= 0);
    assert_int_equal(red_spawn_start(&wanted, &pid), 0);
    assert_int_not_equal(getpgid(pid), getpgrp());
    const int ended = red_spawn_wait(pid);
    assert_in_range(red_spawn_read_tail(file, tail, tail_bytes), 0, tail_bytes - 1);
    close(file);
    return ended;
}

static void a_process_is_started_and_waited_for(void **state) {
    static const char *const environment[] = {"NAME=value", NULL};
    char tail[64];
    int ended =
        run_lines("cat; echo out $NAME; echo error >&2; exit 3", false, environment, tail, sizeof tail);
    assert_int_equal(WEXITSTATUS(ended), 3);
    assert_string_equal(tail, "out value\n");
    ended = run_lines("echo out; echo error >&2; kill -USR1 $$", true, NULL, tail, sizeof tail);
    assert_true(WIFSIGNALED(ended) && WTERMSIG(ended) == SIGUSR1);
    assert_string_equal(red_signal_text(WTERMSIG(ended)).text, "SIGUSR1");
    assert_int_equal(strncmp(red_signal_text(SIGRTMIN + 1).text, "signal ", 7), 0);
    assert_string_equal(tail, "out\nerror\n");
    (void)run_lines("printf 0123456789", false, NULL, tail, 5);
    assert_string_equal(tail, "6789");
    (void)run_lines("", false, NULL, tail, 5);
    assert_string_equal(tail, "");
}

/* Signals are what they are to a program that is started elsewhere: none is blocked, none is handled. */
static void a_process_takes_signals_as_any_other(void **state) {
    char tail[512], *ignored = NULL, *blocked = NULL;
    (void)signal(SIGUSR2, SIG_IGN);
    (void)run_lines("grep -E '^Sig(Blk|Ign|Cgt)' /proc/self/status", false, NULL, tail, sizeof tail);
    (void)signal(SIGUSR2, SIG_DFL);
    blocked = strstr(tail, "SigBlk:\t");
    ignored = strstr(tail, "SigIgn:\t");
    assert_true(blocked != NULL && ignored != NULL);
    assert_int_equal(strtoull(blocked + 8, NULL, 16), 0);
    assert_true((strtoull(ignored + 8, NULL, 16) >> (SIGUSR2 - 1) & 1) != 0);
}

static void what_is_no_program_is_an_error(void **state) {
    const char *const arguments[] = {"nothing", NULL};
    const struct red_spawn wanted = {.path = "/nothing", .arguments = arguments, .input = -1, .output = -1};
    pid_t pid = 7;
    assert_int_equal(red_spawn_start(&wanted, &pid), ENOENT);
    assert_int_equal(pid, 0);
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1); /* nothing is left behind */
}
