#define _GNU_SOURCE /* prctl, MAP_ANONYMOUS */
/* Watches over this rank: a driver that crashes, exits or hangs in it would leave the others waiting for
 * ever. The process that mpirun starts divides in two before MPI and any driver are there: a child, which is
 * the rank, and the watch, which does nothing but wait for it. So whatever the rank's process does or
 * suffers, a driver's own handlers of signals included, one line on the standard error names the rank, its
 * host and what it did, and an exit status other than 0 makes mpirun end the others. The rank itself never
 * forks: where MPI runs, the network's library may not survive that (Open MPI, "fork support"). */
#include "ranks/watch.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/clock.h"
#include "core/interrupt.h"
#include "core/spawn.h"

enum { LINE_BYTES = 512, NAP_US = 200000, REST_US = 2500000, KILL_S = 5 };

/* How far the rank is. */
enum stage { STARTS, WORKS, HAS_ENDED };

/* What the rank tells the watch, in memory that both have. */
struct watch {
    char who[160];          /* "clreduce: rank 3 of 8 on n1" */
    char doing[LINE_BYTES]; /* read where the rank is stuck or gone */
    _Atomic double begin_s; /* of the step, by red_clock_s; 0: no limit */
    _Atomic double limit_s; /* that it may take */
    _Atomic bool waits;     /* for others */
    _Atomic bool resumable; /* --resume goes on */
    _Atomic int stage;
    _Atomic int exit_status; /* once it has ended */
    int rank;
    double patience_s;
};

/* What red_watch_step and the rest write where nobody watches. */
static struct watch unwatched;

/* One per process: steps are told from everywhere, and a signal handler takes no argument. */
static struct watch *watch = &unwatched;

/* ---- the watch's process ------------------------------------------------------------------------------- */

/* What the watch knows of the rank's process. */
struct seen {
    pid_t rank, launcher;
    int how;                    /* its status, by waitpid */
    bool is_stopped;            /* SIGSTOP */
    bool is_told_to_end;        /* a signal that asks for it has come */
    int forward;                /* a signal to be handed on to it; 0: none */
    double begin_s;             /* of the step that is waited for */
    struct red_waiting waiting; /* for its end */
};

/* Says what has happened, and ends this process, whereupon mpirun ends the others. */
static _Noreturn void tell_and_end(enum red_status status, const char *what) {
    char line[3 * LINE_BYTES];
    const char *way_on = atomic_load(&watch->resumable)
                             ? "; the same command with --resume goes on behind what was measured"
                             : "";
    watch->who[sizeof watch->who - 1] = watch->doing[LINE_BYTES - 1] = '\0';
    const int length =
        snprintf(line, sizeof line, "%s: %s while %s%s\n", watch->who, what, watch->doing, way_on);
    ssize_t written = write(STDERR_FILENO, line, (size_t)length);
    (void)written;
    usleep(NAP_US); /* mpirun is to read it before it hears of the end */
    _exit(red_exit_status_of(status));
}

/* Ends as the rank's process has ended. What comes behind the end of the work, as a crash of a driver that
 * is unloaded, spoils nothing. */
static _Noreturn void end_like(const struct seen *seen) {
    const enum stage stage = (enum stage)atomic_load(&watch->stage);
    const int number = WIFSIGNALED(seen->how) ? WTERMSIG(seen->how) : 0;
    const bool is_from_outside =
        number == SIGKILL || number == SIGTERM || number == SIGINT || number == SIGHUP;
    char what[LINE_BYTES];
    const bool has_obeyed = seen->is_told_to_end && number == 0 &&
                            WEXITSTATUS(seen->how) == red_exit_status_of(RED_E_INTERRUPTED);
    if (has_obeyed || (number == 0 && stage != WORKS))
        _exit(WEXITSTATUS(seen->how));
    /* It may have ended for the sake of another, which is to speak first, whereupon mpirun ends this one. */
    if (seen->is_told_to_end || (atomic_load(&watch->waits) && (number == 0 || number == SIGABRT)))
        usleep(REST_US);
    if (number == 0)
        snprintf(what, sizeof what, "the process was ended from within (exit status %d)",
                 WEXITSTATUS(seen->how));
    else
        snprintf(what, sizeof what, "%s (%s)", is_from_outside ? "was killed" : "crashed",
                 red_signal_text(number).text);
    if (stage != HAS_ENDED)
        tell_and_end(RED_E_CRASHED, what);
    fprintf(stderr, "%s: %s while its driver was unloaded; nothing is lost\n", watch->who, what);
    fflush(stderr);
    _exit(atomic_load(&watch->exit_status));
}

/* Kills the rank's process, and says on the standard error where it is still there after KILL_S. */
static void kill_rank(const struct seen *seen) {
    struct red_waiting waiting;
    kill(seen->rank, SIGKILL);
    red_waiting_begin(&waiting);
    while (waitpid(seen->rank, NULL, WNOHANG) == 0) {
        if (red_waiting_look(&waiting) > KILL_S) {
            red_unkilled_print(watch->who, seen->rank, KILL_S);
            return;
        }
        usleep(NAP_US / 100);
    }
}

/* Kills a rank that is late, says so, and ends. */
static _Noreturn void end_late(const struct seen *seen, double limit_s) {
    char what[LINE_BYTES];
    kill_rank(seen);
    if (atomic_load(&watch->stage) == HAS_ENDED) {
        fprintf(stderr, "%s: the driver did not end within %.0f s and was killed; nothing is lost\n",
                watch->who, limit_s);
        fflush(stderr);
        _exit(atomic_load(&watch->exit_status));
    }
    if (seen->is_stopped)
        snprintf(what, sizeof what, "was stopped (SIGSTOP), and not continued within %.0f s,", limit_s);
    else if (atomic_load(&watch->waits))
        snprintf(what, sizeof what,
                 "waited %.0f s for another rank (look at the other hosts; --patience gives more)", limit_s);
    else
        snprintf(what, sizeof what, "no end within %.0f s (--patience gives more)", limit_s);
    tell_and_end(RED_E_TIMED_OUT, what);
}

/* Ends the rank if its step has taken too long. Ranks that wait say so one after the other, half a second
 * apart: the first ends all. */
static void look_at_clock(struct seen *seen) {
    const double begin_s = atomic_load(&watch->begin_s);
    const double limit_s = atomic_load(&watch->limit_s);
    const double allowed_s =
        atomic_load(&watch->waits) && !seen->is_stopped ? 2 * limit_s + 0.5 * fmin(watch->rank, 60) : limit_s;
    if (begin_s != seen->begin_s)
        red_waiting_begin(&seen->waiting);
    seen->begin_s = begin_s;
    if (red_waiting_look(&seen->waiting) > allowed_s && begin_s > 0)
        end_late(seen, allowed_s);
}

/* Looks what has become of the rank's process. */
static void look_at_rank(struct seen *seen) {
    if (waitpid(seen->rank, &seen->how, WNOHANG | WUNTRACED | WCONTINUED) != seen->rank)
        return;
    if (WIFEXITED(seen->how) || WIFSIGNALED(seen->how))
        end_like(seen);
    seen->is_stopped = WIFSTOPPED(seen->how);
}

/* Waits for the rank's process, hands signals on to it, and ends with it. A signal is handed on a little
 * later: mpirun and Slurm send it to both processes, and what came from there counts (core/interrupt.h). */
static _Noreturn void watch_over(struct seen *seen, const sigset_t *signals) {
    const struct timespec nap = {.tv_nsec = NAP_US * 1000L};
    for (;;) {
        const int number = sigtimedwait(signals, NULL, &nap);
        if (number < 0 && seen->forward > 0) {
            kill(seen->rank, seen->forward);
            seen->forward = 0;
        }
        if (number > 0 && number != SIGCHLD) {
            seen->forward = number;
            seen->is_told_to_end = seen->is_told_to_end || number == SIGTERM || number == SIGINT;
        }
        look_at_rank(seen);
        look_at_clock(seen);
        if (seen->launcher != 0 && getppid() != seen->launcher) /* mpirun's process on this host was killed */
            _exit(red_exit_status_of(RED_E_CRASHED));           /* and the rank's ends with this one */
    }
}

/* ---- the rank's process -------------------------------------------------------------------------------- */

/* Handles the end of the watch, which a user may have killed for the rank. */
static void tell_unwatched(int number) {
    static const char what[] = ": the process that watches over it was killed while ";
    (void)number;
    (void)!write(STDERR_FILENO, watch->who, strlen(watch->who));
    (void)!write(STDERR_FILENO, what, sizeof what - 1);
    (void)!write(STDERR_FILENO, watch->doing, strlen(watch->doing));
    (void)!write(STDERR_FILENO, "\n", 1);
    _exit(red_exit_status_of(RED_E_CRASHED));
}

/* Has this process end with the watch, and takes signals that it hands on for what they are. */
static enum red_status follow_watch(pid_t watcher, const sigset_t *mask, struct red_error *error) {
    struct sigaction action = {.sa_handler = tell_unwatched};
    sigfillset(&action.sa_mask);
    red_interrupt_set_forwarder(watcher);
    if (sigaction(SIGRTMAX, &action, NULL) != 0 || prctl(PR_SET_PDEATHSIG, SIGRTMAX) != 0 ||
        getppid() != watcher || sigprocmask(SIG_SETMASK, mask, NULL) != 0)
        return red_fail(error, RED_E_CRASHED, "the process that watches over this rank is gone");
    return RED_OK;
}

enum red_status red_watch_divide(const char *who, bool is_launched, double patience_s,
                                 struct red_error *error) {
    static const int handed_on[] = {SIGCHLD, SIGINT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2};
    struct watch *shared =
        mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    struct seen seen = {.launcher = is_launched ? getppid() : 0};
    const pid_t watcher = getpid();
    sigset_t signals, mask;
    if (shared == MAP_FAILED)
        return red_fail(error, RED_E_MEMORY, "no memory to watch over a rank");
    sigemptyset(&signals);
    for (size_t i = 0; i < sizeof handed_on / sizeof handed_on[0]; i++)
        sigaddset(&signals, handed_on[i]);
    watch = shared;
    snprintf(watch->who, sizeof watch->who, "%s", who);
    watch->patience_s = patience_s;
    red_watch_step(0, "MPI is started");
    red_watch_wait(true);
    sigprocmask(SIG_BLOCK, &signals, &mask);
    seen.rank = fork();
    if (seen.rank == 0)
        return follow_watch(watcher, &mask, error);
    if (seen.rank > 0)
        watch_over(&seen, &signals);
    sigprocmask(SIG_SETMASK, &mask, NULL);
    return red_fail(error, RED_E_MEMORY, "no process to watch over a rank: %s", strerror(errno));
}

void red_watch_begin(const struct red_ranks *ranks) {
    snprintf(watch->who, sizeof watch->who, "clreduce: rank %d of %d on %s", ranks->world.rank,
             ranks->world.size, ranks->host);
    watch->rank = ranks->world.rank;
    atomic_store(&watch->stage, WORKS);
}

void red_watch_set_resumable(void) {
    atomic_store(&watch->resumable, true);
}

void red_watch_end(enum red_status status) {
    red_watch_step(0, "its driver is unloaded");
    atomic_store(&watch->exit_status, red_exit_status_of(status));
    atomic_store(&watch->stage, HAS_ENDED);
    if (watch != &unwatched)
        kill(getppid(), SIGCONT); /* nobody is to wait for a watch that was stopped */
}

void red_watch_step(double expected_s, const char *format, ...) {
    va_list arguments;
    atomic_store(&watch->begin_s, 0);
    va_start(arguments, format);
    vsnprintf(watch->doing, sizeof watch->doing, format, arguments);
    va_end(arguments);
    atomic_store(&watch->waits, false);
    atomic_store(&watch->limit_s, watch->patience_s + expected_s);
    atomic_store(&watch->begin_s, red_clock_s());
}

void red_watch_wait(bool waits) {
    atomic_store_explicit(&watch->waits, waits, memory_order_relaxed);
}

void red_watch_nothing(void) {
    atomic_store(&watch->begin_s, 0);
}
