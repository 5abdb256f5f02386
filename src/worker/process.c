/* Starts, asks and ends worker processes, and does the framing of their messages. A crash, a hang or a kill
 * becomes an error with the driver's last words: the reason of a cell, or a line on stderr. A red_process is
 * the worker or a prober of a client (worker/client.c), or lists devices (worker/icd.c). */
#define _GNU_SOURCE /* SOCK_CLOEXEC, environ, memfd_create, memrchr */
#include "worker/worker_private.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "core/clock.h"
#include "core/interrupt.h"
#include "core/memory.h"
#include "core/spawn.h"
#include "core/text.h"

enum { WORDS_BYTES = 160, POLL_MS = 200, MARK_BYTES = 64 };

/* What may be written about one question. Between two looks at it a process writes a few dozen MB at most. */
static const off_t OUTPUT_BYTES_MAX = 64 << 20;

/* How long a driver may take to unload, and still, where that time has passed while others were waited for or
 * all was stopped; the system to end what was killed; and silence until it is told. */
static const double UNLOAD_S = 20, UNLOAD_LEFT_S = 1, KILL_S = 5, NOTICE_S = 5;

/* ---- framing -------------------------------------------------------------------------------------------
 * What goes through the socket between a worker and who asks it: one JSON object at a time. */

/* A message fits into a socket's smallest buffer; every question and answer is far below. */
enum { MESSAGE_BYTES = 96 * 1024 };

/* Sends an object, whose reference it takes over (NULL is an ENOMEM). 0, or an errno. */
static int message_send(int channel, json_t *message) {
    char *text = message ? json_dumps(message, JSON_COMPACT) : NULL;
    size_t length = text ? strlen(text) : 0;
    int code = text == NULL ? ENOMEM : length > MESSAGE_BYTES ? EMSGSIZE : 0;
    ssize_t sent = -1;
    do
        sent = code == 0 ? send(channel, text, length, MSG_NOSIGNAL) : 0;
    while (sent < 0 && errno == EINTR);
    if (code == 0 && sent != (ssize_t)length)
        code = sent < 0 ? errno : EIO;
    free(text);
    json_decref(message);
    return code;
}

/* Waits for an object; the caller releases it. NULL where the other side is gone, or sends what is none. */
static json_t *message_receive(int channel) {
    char *text = malloc(MESSAGE_BYTES);
    ssize_t length = -1;
    if (text == NULL)
        red_memory_note_failure();
    do /* a driver's own signals do not end a worker */
        length = text ? recv(channel, text, MESSAGE_BYTES, 0) : -1;
    while (text != NULL && length < 0 && errno == EINTR);
    json_t *message = length > 0 ? json_loadb(text, (size_t)length, JSON_REJECT_DUPLICATES, NULL) : NULL;
    free(text);
    if (json_is_object(message))
        return message;
    json_decref(message);
    return NULL;
}

/* ---- the process's side -------------------------------------------------------------------------------- */

static int process_channel = -1; /* reports of steps come from deep inside the work */

/* do_probe calls it: the message of a crash or a hang names the last step. */
void red_process_report_step(const char *step, json_t *more) {
    json_object_set_new(more, "step", json_string(step));
    if (process_channel >= 0)
        (void)message_send(process_channel, more);
    else
        json_decref(more);
}

/* An error as the message that red_process_receive of the parent reads. */
static json_t *error_json(const struct red_error *error) {
    char *text = red_utf8_repaired(error->text);
    json_t *message = json_pack("{s:{s:i, s:s}}", "failure", "status", (int)error->status, "text",
                                text ? text : "no memory for an error");
    free(text);
    return message;
}

/* Whether the parent is gone, whose end of the socket is closed then. */
static bool is_parent_gone(void) {
    struct pollfd input = {.fd = STDIN_FILENO};
    return poll(&input, 1, 0) == 1 && (input.revents & POLLHUP) != 0;
}

/* Ends the group of processes of a worker when the parent is gone: a process that does nothing else, and has
 * not loaded any driver. It becomes the parent's child when `between` ends, the process that has started it.
 */
static _Noreturn void end_group_after(pid_t parent, pid_t between) {
    sigset_t all;
    int number;
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, NULL);
    prctl(PR_SET_PDEATHSIG, SIGUSR1);
    while (getppid() == between)
        sigwait(&all, &number);
    if (getppid() != parent && !is_parent_gone())
        _exit(0); /* the parent is a program that leaves such children to others: its end cannot be noticed */
    for (int opened = STDIN_FILENO; opened <= STDERR_FILENO; opened++)
        close(opened); /* the end of the socket is to tell the parent of the worker's */
    while (getppid() == parent)
        sigwait(&all, &number);
    kill(0, SIGKILL);
    _exit(0);
}

/* Starts the process of end_group_after. It is no child of the worker, whose driver may wait until it has no
 * child any more. */
static void start_guard(pid_t parent) {
    const pid_t between = fork();
    if (between == 0) {
        const pid_t here = getpid();
        if (fork() == 0)
            end_group_after(parent, here);
        _exit(0);
    }
    if (between > 0)
        (void)red_spawn_wait(between);
}

/* red_worker_serve calls it, for the verb `worker`. */
void red_process_serve(red_process_answer *answer, void *context) {
    json_t *question;
    prctl(PR_SET_PDEATHSIG, SIGKILL); /* nobody waits for it when the parent is gone */
    signal(SIGINT, SIG_IGN);          /* the parent decides what an interruption means, */
    signal(SIGTERM, SIG_IGN);         /* of which a whole group of processes is told */
    const pid_t parent = getppid();   /* or who has taken its place, where it is gone */
    if (is_parent_gone())
        return;
    if (getpgrp() == getpid())
        start_guard(parent);
    process_channel = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3);
    int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (nothing >= 0) {
        dup2(nothing, STDIN_FILENO);
        close(nothing);
    }
    while (process_channel >= 0 && (question = message_receive(process_channel)) != NULL) {
        struct red_error error = {.text = ""};
        json_t *reply = answer(context, question, &error);
        json_decref(question);
        if (reply == NULL && error.status == RED_OK)
            red_fail(&error, RED_E_MEMORY, "no memory for an answer");
        if (message_send(process_channel, reply ? reply : error_json(&error)) != 0)
            break;
    }
}

/* ---- starting and ending ------------------------------------------------------------------------------- */

struct red_process {
    const char *const *arguments, *const *environment;
    pid_t pid; /* 0: none */
    int channel, words;
    bool ended;            /* it was waited for */
    int how;               /* its status then, by waitpid */
    char mark[MARK_BYTES]; /* "CLREDUCE_WORKER=...", in its environment and that of what it starts */
    bool was_killed;
    char name[32];
    bool named;      /* so its device is known */
    char step[128];  /* what it reported last about the question at hand */
    json_t *last;    /* the whole report; NULL: none */
    double unload_s; /* that it may take to end */
    double closed_s; /* when it was asked to */
};

enum red_status red_process_create(const struct red_client_program *program, struct red_process **process,
                                   struct red_error *error) {
    struct red_process *made = calloc(1, sizeof *made);
    if (made == NULL)
        return red_fail(error, RED_E_MEMORY, "no memory for a worker process");
    *made = (struct red_process){.arguments = program->arguments,
                                 .environment = program->environment,
                                 .unload_s =
                                     program->patience_s > 0 ? fmin(program->patience_s, UNLOAD_S) : UNLOAD_S,
                                 .channel = -1,
                                 .words = -1,
                                 .name = "a driver"};
    *process = made;
    return RED_OK;
}

/* send_open calls it: lines on stderr begin with the device's id from then on. */
void red_process_set_name(struct red_process *process, const char *name) {
    snprintf(process->name, sizeof process->name, "%s", name);
    process->named = true;
}

bool red_process_is_started(const struct red_process *process) {
    return process->pid != 0;
}

/* verify --soak prints it. */
double red_process_memory_bytes(const struct red_process *process) {
    char path[64];
    long pages = 0;
    snprintf(path, sizeof path, "/proc/%ld/statm", (long)process->pid);
    FILE *file = process->pid != 0 ? fopen(path, "r") : NULL;
    bool known = file != NULL && fscanf(file, "%*d %ld", &pages) == 1;
    if (file != NULL)
        fclose(file);
    return known ? (double)pages * (double)sysconf(_SC_PAGESIZE) : 0;
}

/* worker/client.c asks it how far a probe was that has crashed or hung. */
const json_t *red_process_last_report(const struct red_process *process) {
    return process->last;
}

/* Where it is so, worker/client.c and worker/icd.c ask again, and no cell fails. */
bool red_process_ended_without_blame(const struct red_process *process) {
    return process->was_killed;
}

/* Gives the environment of the process, which has its mark; to be freed. NULL without memory. */
static const char **make_environment(struct red_process *process) {
    const char *const *given =
        process->environment != NULL ? process->environment : (const char *const *)environ;
    size_t n = 0;
    while (given[n] != NULL)
        n++;
    const char **environment = malloc((n + 2) * sizeof *environment);
    if (environment == NULL)
        return NULL;
    memcpy(environment, given, n * sizeof *environment);
    snprintf(process->mark, sizeof process->mark, "CLREDUCE_WORKER=%ld.%" PRIu64, (long)getpid(),
             red_clock_ns());
    environment[n] = process->mark;
    environment[n + 1] = NULL;
    return environment;
}

/* Starts the program's worker with a socket as its input. Output goes to a file in memory; its last words are
 * told if the process ends badly. 0, or an errno. */
static int start_process(struct red_process *process) {
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0)
        return errno;
    process->words = memfd_create("words", MFD_CLOEXEC);
    if (process->words >= 0)
        (void)fcntl(process->words, F_SETFL, O_APPEND);
    const char **environment = make_environment(process);
    const struct red_spawn wanted = {.path = process->arguments[0],
                                     .arguments = process->arguments,
                                     .environment = environment,
                                     .input = ends[1],
                                     .output = process->words,
                                     .has_errors = true};
    prctl(PR_SET_CHILD_SUBREAPER,
          1); /* what a driver starts becomes this process's to wait for (end_strays) */
    const int code = environment != NULL ? red_spawn_start(&wanted, &process->pid) : ENOMEM;
    free(environment);
    close(ends[1]);
    process->channel = ends[0];
    process->ended = false;
    process->how = 0;
    return code;
}

/* Whether the process has the mark in its environment. What has ended has none. */
static bool has_mark(pid_t pid, const char *mark) {
    char path[64], *entry = NULL;
    size_t entry_bytes = 0;
    bool found = false;
    snprintf(path, sizeof path, "/proc/%ld/environ", (long)pid);
    FILE *file = fopen(path, "r");
    while (file != NULL && !found && getdelim(&entry, &entry_bytes, '\0', file) > 0)
        found = strcmp(entry, mark) == 0;
    if (file != NULL)
        fclose(file);
    free(entry);
    return found;
}

/* Whether a child of this process has ended and is none that this one has started: those stay in its session.
 */
static bool is_ended_orphan(pid_t pid) {
    siginfo_t seen = {.si_pid = 0};
    return getsid(pid) != getsid(0) && waitid(P_PID, (id_t)pid, &seen, WEXITED | WNOHANG | WNOWAIT) == 0 &&
           seen.si_pid == pid;
}

/* A process that this one is to wait for and that has the mark, or has ended, when nobody can read its mark;
 * 0: none. Linux lists them by thread. */
static pid_t find_stray(const char *mark) {
    DIR *threads = opendir("/proc/self/task");
    pid_t found = 0;
    for (const struct dirent *thread; threads != NULL && found == 0 && (thread = readdir(threads)) != NULL;) {
        char path[sizeof thread->d_name + 64];
        long pid;
        snprintf(path, sizeof path, "/proc/self/task/%s/children", thread->d_name);
        FILE *children = thread->d_name[0] != '.' ? fopen(path, "r") : NULL;
        while (children != NULL && found == 0 && fscanf(children, "%ld", &pid) == 1)
            found = has_mark((pid_t)pid, mark) || is_ended_orphan((pid_t)pid) ? (pid_t)pid : 0;
        if (children != NULL)
            fclose(children);
    }
    if (threads != NULL)
        closedir(threads);
    return found;
}

/* Waits for those that waitpid takes by this number, until there is none, KILL_S at most. */
static void reap(pid_t which) {
    const struct timespec nap = {.tv_nsec = 1000000};
    struct red_waiting waiting;
    pid_t ended = 0;
    red_waiting_begin(&waiting);
    while ((ended = waitpid(which, NULL, WNOHANG)) >= 0 && red_waiting_look(&waiting) < KILL_S)
        if (ended == 0)
            nanosleep(&nap, NULL);
}

/* Kills what a process that has ended has left behind: its group, which was sent the signal, and what has
 * left the group, one after the other, for the children of each become this process's with its end. */
static void end_strays(const struct red_process *process) {
    struct red_waiting waiting;
    pid_t stray;
    reap(-process->pid);
    red_waiting_begin(&waiting);
    while ((stray = find_stray(process->mark)) != 0 && red_waiting_look(&waiting) < KILL_S) {
        kill(stray, SIGKILL);
        reap(stray);
    }
}

/* Whether the process has ended. If so what it has started ends with it: its group is killed before it was
 * waited for, since the group's number is nobody else's until then. */
static bool has_ended(struct red_process *process) {
    siginfo_t seen = {.si_pid = 0};
    if (process->ended)
        return true;
    const int failed = waitid(P_PID, (id_t)process->pid, &seen, WEXITED | WNOHANG | WNOWAIT);
    if (failed == 0 ? seen.si_pid == 0 : errno != ECHILD)
        return false;
    if (failed == 0)
        kill(-process->pid, SIGKILL);
    process->how = red_spawn_wait(process->pid);
    process->ended = true;
    end_strays(process);
    return true;
}

/* Waits until the process has ended, limit_s at most. False: it still runs. */
static bool wait_for_end(struct red_process *process, double limit_s) {
    const struct timespec nap = {.tv_nsec = 2000000};
    struct red_waiting waiting;
    red_waiting_begin(&waiting);
    while (!has_ended(process)) {
        if (red_waiting_look(&waiting) > limit_s)
            return false;
        nanosleep(&nap, NULL);
    }
    return true;
}

/* The last line that the process has written, printable characters only; empty if there is none. The last
 * line of output that was cut off is no whole one: then it is the line before. */
static void read_last_words(const struct red_process *process, bool is_cut, char *text, size_t text_bytes) {
    char tail[4096];
    size_t length = red_spawn_read_tail(process->words, tail, sizeof tail), used = 0;
    const char *line_end = is_cut ? memrchr(tail, '\n', length) : NULL;
    if (line_end != NULL)
        length = (size_t)(line_end - tail);
    while (length > 0 && isspace((unsigned char)tail[length - 1]))
        length--;
    size_t at = length;
    while (at > 0 && tail[at - 1] != '\n')
        at--;
    for (; at < length && used + 1 < text_bytes; at++)
        if (isprint((unsigned char)tail[at]))
            text[used++] = tail[at];
    text[used] = '\0';
}

/* Closes what belonged to a process that has ended, so that the next question starts another. */
static void release_ended(struct red_process *process) {
    if (process->channel >= 0)
        close(process->channel);
    if (process->words >= 0)
        close(process->words);
    process->channel = process->words = -1;
    process->pid = 0;
}

/* This file calls it for a hang or an interrupt, and worker/client_asks.c where an answer cannot be read. */
void red_process_kill(struct red_process *process) {
    if (process->pid == 0)
        return;
    if (!process->ended)
        kill(-process->pid, SIGKILL);
    if (!wait_for_end(process, KILL_S))
        red_unkilled_print(process->name, process->pid, KILL_S);
    release_ended(process);
}

/* Tells the user if somebody else has killed it, which is no fault of the driver's. Whether that was so. */
static bool print_if_killed(const struct red_process *process) {
    bool was_killed = WIFSIGNALED(process->how) && WTERMSIG(process->how) == SIGKILL;
    if (was_killed)
        fprintf(stderr, "%s: its process was killed from outside (by a user, or for want of memory)\n",
                process->name);
    return was_killed;
}

/* The reason of a `crashed` cell: "the driver crashed (SIGSEGV) while DOING ...; its last words: ...". */
static enum red_status fail_ended(const struct red_process *process, const char *doing,
                                  struct red_error *error) {
    const int wait_status = process->how;
    char ending[96], words[WORDS_BYTES];
    read_last_words(process, false, words, sizeof words);
    if (WIFSIGNALED(wait_status) && WTERMSIG(wait_status) == SIGKILL)
        snprintf(ending, sizeof ending, "was killed (SIGKILL: by a user, or for want of memory)");
    else if (WIFSIGNALED(wait_status))
        snprintf(ending, sizeof ending, "crashed (%.80s)", red_signal_text(WTERMSIG(wait_status)).text);
    else
        snprintf(ending, sizeof ending, "ended the program (exit status %d)", WEXITSTATUS(wait_status));
    return red_fail(error, RED_E_CRASHED, "the driver %s while %s%s%s%s%s", ending, doing,
                    process->step[0] ? ", " : "", process->step, words[0] ? "; its last words: " : "", words);
}

void red_process_begin_closing(struct red_process *process) {
    if (process->pid == 0 || process->channel < 0)
        return;
    close(process->channel);
    process->channel = -1;
    process->step[0] = '\0';
    process->closed_s = red_clock_s();
}

/* A driver that fails while it is unloaded costs no cell, but is a line on stderr. */
void red_process_stop(struct red_process *process) {
    struct red_error error = {.text = ""};
    if (process->pid == 0)
        return;
    red_process_begin_closing(process);
    const double waited_s = red_clock_s() - process->closed_s;
    const double limit_s = fmax(process->unload_s, waited_s + UNLOAD_LEFT_S);
    if (!wait_for_end(process, limit_s - waited_s)) {
        red_process_kill(process);
        fprintf(stderr, "%s: the driver did not end within %.2g s and was killed\n", process->name, limit_s);
        return;
    }
    if (!WIFEXITED(process->how) || WEXITSTATUS(process->how) != 0) {
        (void)fail_ended(process, "being unloaded, after all its work", &error);
        fprintf(stderr, "%s: %s\n", process->name, error.text);
    }
    release_ended(process);
}

void red_process_destroy(struct red_process *process) {
    if (process == NULL)
        return;
    red_process_stop(process);
    json_decref(process->last);
    free(process);
}

/* ---- asking -------------------------------------------------------------------------------------------- */

enum red_status red_process_send(struct red_process *process, json_t *question, struct red_error *error) {
    if (red_memory_check(error) != RED_OK) { /* half a question may be left */
        json_decref(question);
        return RED_E_MEMORY;
    }
    bool was_there = process->pid != 0;
    process->was_killed = false;
    int code = was_there ? 0 : start_process(process);
    bool is_there = code == 0;
    if (was_there && has_ended(process)) /* what it has started may still have the socket */
        code = EPIPE;
    if (process->words >= 0) /* last words are those about this question */
        code = ftruncate(process->words, 0) == 0 || code != 0 ? code : errno;
    enum red_status status = RED_OK;
    process->step[0] = '\0';
    json_decref(process->last);
    process->last = NULL;
    if (code == 0)
        code = message_send(process->channel, json_incref(question));
    json_decref(question);
    if (code == 0)
        return RED_OK;
    if (is_there && (code == EPIPE || code == ECONNRESET) && wait_for_end(process, KILL_S)) {
        status = fail_ended(process, was_there ? "nobody asked anything" : "being started", error);
        bool killed = print_if_killed(process);
        process->was_killed = was_there || killed; /* another one can take the question */
        if (was_there && !killed)
            fprintf(stderr, "%s: the driver ended its process between two questions\n", process->name);
    } else
        status = red_fail(error, code == ENOMEM ? RED_E_MEMORY : RED_E_DEVICE,
                          "%s cannot be started, or not be asked: %s", process->arguments[0], strerror(code));
    red_process_kill(process);
    return status;
}

/* Whether the process does not run since somebody has stopped it. */
static bool is_stopped(const struct red_process *process) {
    siginfo_t seen = {.si_pid = 0};
    return !process->ended && waitid(P_PID, (id_t)process->pid, &seen, WSTOPPED | WNOHANG | WNOWAIT) == 0 &&
           seen.si_pid != 0;
}

/* Kills a process that gives no answer; the cell is `timed-out`. */
static enum red_status kill_and_fail_timed_out(struct red_process *process, double limit_s, const char *doing,
                                               struct red_error *error) {
    char words[WORDS_BYTES];
    const char *why = is_stopped(process) ? "its process was stopped (SIGSTOP), and gave " : "";
    read_last_words(process, false, words, sizeof words);
    red_process_kill(process);
    return red_fail(error, RED_E_TIMED_OUT, "%sno answer in %.3g s while %s%s%s%s%s", why, limit_s, doing,
                    process->step[0] ? ", " : "", process->step,
                    words[0] ? "; the driver's last words: " : "", words);
}

/* Whether the output, which is kept in memory, is too long: a kernel that prints has no end of it. */
static bool prints_too_much(const struct red_process *process) {
    struct stat seen;
    return process->words >= 0 && fstat(process->words, &seen) == 0 && seen.st_size > OUTPUT_BYTES_MAX;
}

/* Kills a process that prints without end; the cell is `crashed`. */
static enum red_status kill_and_fail_too_much_output(struct red_process *process, const char *doing,
                                                     struct red_error *error) {
    char words[WORDS_BYTES];
    read_last_words(process, true, words, sizeof words);
    red_process_kill(process);
    return red_fail(
        error, RED_E_CRASHED,
        "its process was ended: it wrote more than %lld MiB while %s (a printf in the kernel?)%s%s",
        (long long)(OUTPUT_BYTES_MAX >> 20), doing, words[0] ? "; its last words: " : "", words);
}

/* Takes the message over: it is the answer, or has the error that the process reports, which is set. */
static enum red_status take_answer_or_error(json_t *message, json_t **answer, struct red_error *error) {
    json_t *failure = json_object_get(message, "failure");
    int status = RED_E_DEVICE;
    const char *text = "unreadable";
    if (failure == NULL) {
        *answer = message;
        return RED_OK;
    }
    (void)json_unpack(failure, "{s:i, s:s}", "status", &status, "text", &text);
    if (status <= RED_OK || status >= RED_STATUS_N)
        status = RED_E_DEVICE;
    red_fail(error, (enum red_status)status, "%s", text);
    json_decref(message);
    return (enum red_status)status;
}

enum red_status red_process_receive(struct red_process *process, double limit_s, const char *doing,
                                    json_t **answer, struct red_error *error) {
    struct pollfd ready = {.fd = process->channel, .events = POLLIN};
    const double start_s = red_clock_s();
    struct red_waiting waiting;
    bool noticed = false;
    *answer = NULL;
    red_waiting_begin(&waiting);
    for (;;) {
        const bool ended = has_ended(process); /* what it said before is still there to be read */
        int events = poll(&ready, 1, ended ? 0 : POLL_MS);
        if (red_interrupted()) {
            red_process_kill(process);
            return red_fail(error, RED_E_INTERRUPTED, "interrupted while %s", doing);
        }
        if (prints_too_much(process))
            return kill_and_fail_too_much_output(process, doing, error);
        if (!noticed && !process->named && red_clock_s() > start_s + NOTICE_S) {
            noticed = true;
            fprintf(stderr, "still waiting for a driver that is %s: %.0f s at most (--patience)\n", doing,
                    limit_s);
        }
        if (events <= 0 && ended) /* what it has started has the socket open */
            break;
        if (events <= 0 && red_waiting_look(&waiting) > limit_s)
            return kill_and_fail_timed_out(process, limit_s, doing, error);
        if (events <= 0)
            continue;
        json_t *message = message_receive(process->channel);
        const char *step = json_string_value(json_object_get(message, "step"));
        if (message != NULL && step == NULL)
            return take_answer_or_error(message, answer, error);
        if (message == NULL && red_memory_check(error) != RED_OK) {
            red_process_kill(process);
            return RED_E_MEMORY;
        }
        if (message == NULL)
            break;
        snprintf(process->step, sizeof process->step, "%s", step);
        json_decref(process->last);
        process->last = message;
        red_waiting_begin(&waiting);
    }
    if (!wait_for_end(process, KILL_S)) {
        red_process_kill(process);
        return red_fail(error, RED_E_CRASHED, "the driver has broken its process while %s", doing);
    }
    enum red_status status = fail_ended(process, doing, error);
    process->was_killed = print_if_killed(process);
    release_ended(process);
    return status;
}
