#define _GNU_SOURCE /* prctl, sigaltstack */
/* Watches over this rank: a driver that crashes, exits or hangs in it would leave the others waiting for
 * ever. Whatever happens, all ranks end, with one line on the standard error that names this rank, its host
 * and what it did. A rank has no worker: a process that has started MPI must not fork where the network's
 * library cannot (Open MPI, "fork support"). */
#include "ranks/watch.h"

#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "core/clock.h"

enum { LINE_BYTES = 512, STACK_BYTES = 1 << 16 };

/* One per process, for signal handlers and atexit take no argument. */
static struct {
    char who[160];          /* "clreduce: rank 3 of 8 on n1" */
    char doing[LINE_BYTES]; /* written by the rank's thread, read where it is stuck or gone */
    _Atomic double begin_s; /* of the step, by red_clock_s; 0: no limit */
    _Atomic double limit_s; /* that it may take */
    _Atomic bool waits;     /* for others */
    int rank;
    _Atomic bool active, told;
    double patience_s;
    void (*abort)(int exit_status);
    pthread_t thread;
    bool has_thread;
} watch;

static const struct {
    int number;
    const char *name;
} crashes[] = {
    {SIGSEGV, "SIGSEGV"}, {SIGBUS, "SIGBUS"}, {SIGFPE, "SIGFPE"}, {SIGILL, "SIGILL"}, {SIGABRT, "SIGABRT"}};

/* Writes text to the standard error; a signal handler may call it. */
static void write_text(const char *text) {
    ssize_t written = write(STDERR_FILENO, text, strlen(text));
    (void)written;
}

/* Handles the signals of a crash: says which, and where, and ends this process, whereupon mpirun ends the
 * others. */
static void tell_crash(int number) {
    const char *name = "a signal";
    for (size_t i = 0; i < sizeof crashes / sizeof crashes[0]; i++)
        name = crashes[i].number == number ? crashes[i].name : name;
    if (!atomic_exchange(&watch.told, true)) {
        write_text(watch.who);
        write_text(": crashed (");
        write_text(name);
        write_text(") while ");
        write_text(watch.doing);
        write_text("; --resume goes on behind what was measured\n");
    }
    _exit(red_exit_status_of(RED_E_CRASHED));
}

/* Runs at exit: a driver that calls exit() leaves the others waiting, too. */
static void tell_exit(void) {
    if (!atomic_load(&watch.active) || atomic_exchange(&watch.told, true))
        return;
    write_text(watch.who);
    write_text(": the process was ended from within (exit) while ");
    write_text(watch.doing);
    write_text("\n");
    _exit(red_exit_status_of(RED_E_CRASHED));
}

/* Says who is late, once, and ends all ranks. */
static void tell_late(void) {
    const double limit_s = atomic_load(&watch.limit_s);
    if (atomic_exchange(&watch.told, true))
        return;
    if (atomic_load(&watch.waits))
        fprintf(stderr,
                "%s: waited %.0f s for another rank, while %s; look at the other hosts, or give --patience "
                "more\n",
                watch.who, 2 * limit_s, watch.doing);
    else
        fprintf(stderr, "%s: no end within %.0f s, while %s; --patience gives it more\n", watch.who, limit_s,
                watch.doing);
    fflush(stderr);
    watch.abort(red_exit_status_of(RED_E_TIMED_OUT));
    _exit(red_exit_status_of(RED_E_TIMED_OUT));
}

/* Whether the step has taken too long. Ranks that wait say so one after the other, half a second apart: the
 * first ends all. */
static bool is_late(void) {
    const double begin_s = atomic_load(&watch.begin_s), limit_s = atomic_load(&watch.limit_s);
    const double allowed_s = atomic_load(&watch.waits) ? 2 * limit_s + 0.5 * watch.rank : limit_s;
    return begin_s > 0 && red_clock_s() > begin_s + allowed_s;
}

/* The thread of the watch: looks twenty times a second whether the step has ended. */
static void *look_at_clock(void *unused) {
    (void)unused;
    while (atomic_load(&watch.active)) {
        if (is_late())
            tell_late();
        usleep(50000);
    }
    return NULL;
}

/* Has the signals of a crash handled on a stack of their own: a kernel on a CPU may have used up the other.
 */
static void handle_crashes(void) {
    static char stack[STACK_BYTES];
    const stack_t alternative = {.ss_sp = stack, .ss_size = sizeof stack};
    struct sigaction action = {.sa_handler = tell_crash, .sa_flags = SA_ONSTACK};
    sigemptyset(&action.sa_mask);
    sigaltstack(&alternative, NULL);
    for (size_t i = 0; i < sizeof crashes / sizeof crashes[0]; i++)
        sigaction(crashes[i].number, &action, NULL);
}

enum red_status red_watch_begin(const struct red_ranks *ranks, struct red_error *error) {
    snprintf(watch.who, sizeof watch.who, "clreduce: rank %d of %d on %s", ranks->world.rank,
             ranks->world.size, ranks->host);
    snprintf(watch.doing, sizeof watch.doing, "the start");
    watch.rank = ranks->world.rank;
    watch.patience_s = ranks->patience_s;
    watch.abort = ranks->mpi->abort;
    atomic_store(&watch.active, true);
    prctl(PR_SET_PDEATHSIG, SIGKILL); /* where mpirun's own process on this host is killed */
    handle_crashes();
    atexit(tell_exit);
    watch.has_thread = pthread_create(&watch.thread, NULL, look_at_clock, NULL) == 0;
    return watch.has_thread ? RED_OK : red_fail(error, RED_E_MEMORY, "no thread for the watch over a rank");
}

void red_watch_end(void) {
    atomic_store(&watch.active, false);
    if (watch.has_thread)
        pthread_join(watch.thread, NULL);
    watch.has_thread = false;
    for (size_t i = 0; i < sizeof crashes / sizeof crashes[0]; i++)
        signal(crashes[i].number, SIG_DFL);
}

void red_watch_step(double expected_s, const char *format, ...) {
    va_list arguments;
    atomic_store(&watch.begin_s, 0);
    va_start(arguments, format);
    vsnprintf(watch.doing, sizeof watch.doing, format, arguments);
    va_end(arguments);
    atomic_store(&watch.waits, false);
    atomic_store(&watch.limit_s, watch.patience_s + expected_s);
    atomic_store(&watch.begin_s, red_clock_s());
}

void red_watch_wait(bool waits) {
    atomic_store_explicit(&watch.waits, waits, memory_order_relaxed);
}

void red_watch_nothing(void) {
    atomic_store(&watch.begin_s, 0);
}
