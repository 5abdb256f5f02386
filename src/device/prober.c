#define _GNU_SOURCE /* SOCK_CLOEXEC, environ */
#include "device/prober.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "device/private.h"
#include "device/probe.h"

/* An idle child ends after this. The parent does not need to know: it starts another. */
enum { IDLE_MS = 2000 };

/* ---- what goes over the channel: one message each, of one machine, so plain structures -------------------
 */

struct question {
    enum red_need_index need;
    enum red_c_standard standard;
};

struct message {
    bool is_answer, is_step;          /* the answer; what is begun */
    size_t group_size;                /* 0: building */
    struct red_capability capability; /* the answer */
};

/* ---- the child -------------------------------------------------------------------------------------------
 */

static void tell_step(void *context, size_t group_size) {
    struct message message = {.is_step = true, .group_size = group_size};
    (void)send(*(int *)context, &message, sizeof message, MSG_NOSIGNAL);
}

void red_prober_serve(struct red_device *device, int channel) {
    const struct red_probe_watch watch = {tell_step, &channel};
    struct pollfd ready = {.fd = channel, .events = POLLIN};
    struct question question;
    while (poll(&ready, 1, IDLE_MS) == 1 && recv(channel, &question, sizeof question, 0) == sizeof question) {
        struct message message = {.is_answer = true};
        red_probe_run(device, question.need, question.standard, &watch, &message.capability);
        (void)send(channel, &message, sizeof message, MSG_NOSIGNAL);
    }
}

/* ---- the parent ------------------------------------------------------------------------------------------
 */

struct red_prober {
    const char *program, *id;
    double limit_s;
    pid_t child; /* 0: none */
    int channel;
};

enum red_status red_prober_create(const char *program, const char *id, double limit_s,
                                  struct red_prober **prober, struct red_error *error) {
    struct red_prober *made = calloc(1, sizeof *made);
    if (made == NULL)
        return red_fail(error, RED_E_MEMORY, "no memory for probing device %s", id);
    *made = (struct red_prober){.program = program, .id = id, .limit_s = limit_s, .channel = -1};
    *prober = made;
    return RED_OK;
}

/* Closing the channel ends a child that listens; one that hangs is killed. Returns how it ended. */
static int stop(struct red_prober *prober, bool hangs) {
    int ended = 0;
    if (prober->child == 0)
        return 0;
    close(prober->channel);
    if (hangs)
        kill(prober->child, SIGKILL);
    while (waitpid(prober->child, &ended, 0) < 0 && errno == EINTR)
        ;
    prober->child = 0;
    return ended;
}

void red_prober_destroy(struct red_prober *prober) {
    if (prober == NULL)
        return;
    stop(prober, true);
    free(prober);
}

/* 0, or the errno that says why not. The child's stderr is the driver's talk: of no use to anybody. */
static int start(struct red_prober *prober) {
    char *const arguments[] = {(char *)(uintptr_t)prober->program, "probe", "--device",
                               (char *)(uintptr_t)prober->id, NULL};
    posix_spawn_file_actions_t actions;
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0)
        return errno;
    int code = posix_spawn_file_actions_init(&actions);
    if (code == 0) {
        code = posix_spawn_file_actions_adddup2(&actions, ends[1], STDIN_FILENO);
        if (code == 0)
            code = posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
        if (code == 0)
            code = posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
        if (code == 0)
            code = posix_spawn(&prober->child, prober->program, &actions, NULL, arguments, environ);
        posix_spawn_file_actions_destroy(&actions);
    }
    close(ends[1]);
    prober->channel = ends[0];
    if (code != 0) {
        close(ends[0]);
        prober->child = 0;
    }
    return code;
}

enum reply { REPLY_ANSWER, REPLY_ENDED, REPLY_HANGS, REPLY_NOBODY };

/* Waits for the answer; *message keeps the last step that was begun. */
static enum reply listen_for(struct red_prober *prober, struct message *message) {
    struct pollfd ready = {.fd = prober->channel, .events = POLLIN};
    for (;;) {
        int events = poll(&ready, 1, (int)(1e3 * prober->limit_s));
        if (events < 0 && errno == EINTR)
            continue;
        if (events == 0)
            return REPLY_HANGS;
        struct message got;
        if (events < 0 || recv(prober->channel, &got, sizeof got, 0) != sizeof got)
            return REPLY_ENDED;
        *message = got;
        if (got.is_answer)
            return REPLY_ANSWER;
    }
}

/* "running a probe with group size 7" */
static void step_print(size_t group_size, char *text, size_t text_bytes) {
    if (group_size == 0)
        snprintf(text, text_bytes, "building a probe");
    else
        snprintf(text, text_bytes, "running a probe with group size %zu", group_size);
}

/* how: what waitpid said, or why nobody could be asked */
static void explain(const struct red_prober *prober, enum reply reply, int how, size_t group_size,
                    struct red_capability *capability) {
    char step[64];
    step_print(group_size, step, sizeof step);
    size_t room = sizeof capability->reason;
    if (reply == REPLY_NOBODY)
        snprintf(capability->reason, room, "%s could not be started: %s", prober->program, strerror(how));
    else if (reply == REPLY_HANGS)
        snprintf(capability->reason, room, "the driver hung %s (over %g s)", step, prober->limit_s);
    else if (WIFSIGNALED(how))
        snprintf(capability->reason, room, "the driver crashed %s (%s)", step, strsignal(WTERMSIG(how)));
    else
        snprintf(capability->reason, room, "the driver ended the program %s (exit status %d)", step,
                 WEXITSTATUS(how));
}

/* One question to a child that is there or is started. *code: why it could not be started. */
static enum reply ask_once(struct red_prober *prober, const struct question *question,
                           struct message *message, int *ended, int *code) {
    *code = prober->child == 0 ? start(prober) : 0;
    if (*code != 0)
        return REPLY_NOBODY;
    (void)send(prober->channel, question, sizeof *question, MSG_NOSIGNAL);
    enum reply reply = listen_for(prober, message);
    if (reply != REPLY_ANSWER)
        *ended = stop(prober, reply == REPLY_HANGS);
    return reply;
}

static void ignore_step(void *context, size_t group_size) {
    (void)context;
    (void)group_size;
}

void red_prober_ask(struct red_prober *prober, struct red_device *device, enum red_need_index need,
                    enum red_c_standard standard, struct red_capability *capability) {
    static const struct red_probe_watch nobody = {ignore_step, NULL};
    const struct question question = {need, standard};
    struct message message = {.is_answer = false};
    int ended = 0, code = 0;
    if (prober == NULL) {
        red_probe_run(device, need, standard, &nobody, capability);
        return;
    }
    bool was_there = prober->child != 0;
    enum reply reply = ask_once(prober, &question, &message, &ended, &code);
    /* The child that was there may have ended idle just now, in whatever way its driver ends. */
    if (reply == REPLY_ENDED && was_there && !message.is_step)
        reply = ask_once(prober, &question, &message, &ended, &code);
    *capability = message.capability;
    if (reply == REPLY_ANSWER)
        return;
    *capability =
        (struct red_capability){.builds = message.group_size > 0 ? RED_YES : RED_UNKNOWN, .behaves = RED_NO};
    explain(prober, reply, reply == REPLY_NOBODY ? code : ended, message.group_size, capability);
}
