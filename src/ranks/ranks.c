#define _GNU_SOURCE /* prctl, MAP_ANONYMOUS, readlink */
/* Loads the MPI module, joins the other ranks, agrees with them on errors, leaves them, and watches over this
 * rank. */
#include "ranks/ranks.h"

#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/clock.h"
#include "core/interrupt.h"
#include "core/spawn.h"
#include "core/text.h"

/* ---- the watch -------------------------------------------------------------------------------------------
 * A driver that crashes, exits or hangs in a rank would leave the others waiting for ever. The process that
 * mpirun starts divides in two before MPI and any driver are there: a child, which is the rank, and the
 * watch, which does nothing but wait for it. So whatever the rank's process does or suffers, a driver's own
 * handlers of signals included, one line on the standard error names the rank, its host and what it did, and
 * an exit status other than 0 makes mpirun end the others. The rank itself never forks: where MPI runs, the
 * network's library may not survive that (Open MPI, "fork support"). */

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

/* Divides this process in two, before MPI, threads and drivers: the watch, in which the function never
 * returns, and the rank, in which it does. From now on a crash, an exit, a signal or a step that takes too
 * long ends the process that mpirun started, and with it all ranks. `who` names the rank until
 * begin_watch does; with is_launched both end when the process that started this one does. Errors:
 * RED_E_MEMORY, RED_E_CRASHED. */
static enum red_status divide_process(const char *who, bool is_launched, double patience_s,
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

/* The rank is known. What goes wrong from now on, until end_watch, is an error whatever the process says of
 * its end. */
static void begin_watch(const struct red_ranks *ranks) {
    snprintf(watch->who, sizeof watch->who, "clreduce: rank %d of %d on %s", ranks->world.rank,
             ranks->world.size, ranks->host);
    watch->rank = ranks->world.rank;
    atomic_store(&watch->stage, WORKS);
}

void red_watch_set_resumable(void) {
    atomic_store(&watch->resumable, true);
}

/* The rank's work is done, and how. */
static void end_watch(enum red_status status) {
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

static const char module_name[] = "clreduce_mpi.so";

/* ---- before MPI ---------------------------------------------------------------------------------------- */

/* The variables by which the processes of an MPI job know their rank: Open MPI, PMIx, MPICH, Slurm. */
static const char *const rank_variables[] = {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK", "SLURM_PROCID"};

static const char *rank_in_environment(void) {
    for (size_t i = 0; i < sizeof rank_variables / sizeof rank_variables[0]; i++)
        if (getenv(rank_variables[i]) != NULL)
            return getenv(rank_variables[i]);
    return NULL;
}

/* Whether an mpirun, srun or the like has started this process. */
bool red_ranks_is_launched(void) {
    return rank_in_environment() != NULL;
}

bool red_ranks_is_not_first(void) {
    const char *rank = rank_in_environment();
    return rank != NULL && strcmp(rank, "0") != 0;
}

/* "rank 3 on n1", before MPI says so. */
static void format_name_in_environment(char *name, size_t name_bytes) {
    const char *rank = rank_in_environment();
    char host[64] = "";
    (void)gethostname(host, sizeof host - 1);
    snprintf(name, name_bytes, "rank %.10s on %s", rank != NULL ? rank : "0", host);
}

enum red_status red_ranks_name_in(struct red_error *error) {
    const struct red_error found = *error;
    char name[96];
    if (!red_ranks_is_launched())
        return found.status;
    format_name_in_environment(name, sizeof name);
    return red_fail(error, found.status, "%s: %.3900s", name, found.text);
}

/* ---- the module ---------------------------------------------------------------------------------------- */

/* Opens the module in the folder that is `from` that of the program, "" or a relative path that ends with a
 * slash; NULL with the loader's words. */
static void *open_module(const char *from, char *said, size_t said_bytes) {
    char program[PATH_MAX], path[2 * PATH_MAX];
    const ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    program[length > 0 ? length : 0] = '\0';
    char *slash = strrchr(program, '/');
    if (slash == NULL)
        return NULL;
    slash[1] = '\0';
    const int written = snprintf(path, sizeof path, "%s%s%s", program, from, module_name);
    if (written < 0 || (size_t)written >= sizeof path)
        return NULL;
    void *module = access(path, F_OK) == 0 ? dlopen(path, RTLD_NOW | RTLD_GLOBAL) : NULL;
    if (module == NULL && access(path, F_OK) == 0)
        snprintf(said, said_bytes, "%s", dlerror());
    return module;
}

/* The table of the module, which lies beside the program, or installed in clreduce/ of the library folder
 * that CMake was given. Errors: RED_E_INPUT with the way to have MPI. */
static enum red_status load_mpi(const struct red_mpi **mpi, struct red_error *error) {
    char said[512] = "";
    void *module = open_module("", said, sizeof said);
    if (module == NULL && said[0] == '\0')
        module = open_module(RED_MODULE_FROM_PROGRAM, said, sizeof said);
    if (module == NULL && said[0] != '\0')
        return red_fail(error, RED_E_INPUT, "cannot load MPI: %s", said);
    if (module == NULL)
        return red_fail(error, RED_E_INPUT,
                        "this clreduce was built without MPI, which --ranks and --each need: install one "
                        "(Debian: libopenmpi-dev and openmpi-bin) and build again, or run ./bench/cluster, "
                        "which does both");
    red_mpi_get *get;
    *(void **)&get = dlsym(module, RED_MPI_GET_NAME);
    *mpi = get != NULL ? get() : NULL;
    return *mpi != NULL && (*mpi)->table_version == RED_MPI_TABLE_VERSION
               ? RED_OK
               : red_fail(error, RED_E_INPUT, "%s beside this clreduce is of another build; build again",
                          module_name);
}

/* ---- values of all ranks ------------------------------------------------------------------------------- */

void *red_ranks_room(const struct red_ranks *ranks, size_t n, size_t item_bytes) {
    void *room = calloc(n, item_bytes);
    if (room == NULL)
        ranks->mpi->abort(red_exit_status_of(RED_E_MEMORY));
    return room;
}

void *red_ranks_gather(const struct red_ranks *ranks, const struct red_comm *comm, const void *mine,
                       size_t n) {
    void *all = red_ranks_room(ranks, (size_t)comm->size, n);
    ranks->mpi->gather(comm, mine, n, all);
    return all;
}

double red_ranks_greatest(const struct red_ranks *ranks, const struct red_comm *comm, double mine) {
    double *all = red_ranks_gather(ranks, comm, &mine, sizeof mine), greatest = mine;
    for (int i = 0; i < comm->size; i++)
        greatest = fmax(greatest, all[i]);
    free(all);
    return greatest;
}

/* ---- agreeing ------------------------------------------------------------------------------------------ */

/* What a rank brings where not all went well. */
struct vote {
    int status, rank; /* of the world */
    char host[64], text[1024];
};

/* Whether the text says "rank 3 on" already. */
static bool names_rank(const char *text) {
    for (const char *at = strstr(text, "rank "); at != NULL; at = strstr(at + 1, "rank ")) {
        const size_t digits = strspn(at + 5, "0123456789");
        if (digits > 0 && strncmp(at + 5 + digits, " on ", 4) == 0)
            return true;
    }
    return false;
}

enum red_status red_ranks_agree(const struct red_ranks *ranks, const struct red_comm *comm,
                                enum red_status status, struct red_error *error) {
    int mine = status == RED_OK && red_interrupted() ? RED_E_INTERRUPTED : (int)status, all_ok = 1;
    red_watch_wait(true);
    int *statuses = red_ranks_gather(ranks, comm, &mine, sizeof mine);
    for (int i = 0; i < comm->size; i++)
        all_ok = all_ok && statuses[i] == RED_OK;
    if (!all_ok) {
        struct vote vote = {.status = mine, .rank = ranks->world.rank};
        snprintf(vote.host, sizeof vote.host, "%s", ranks->host);
        red_text_add(vote.text, sizeof vote.text, "%s",
                     status != RED_OK && error != NULL ? error->text : "interrupted");
        struct vote *votes = red_ranks_gather(ranks, comm, &vote, sizeof vote);
        struct red_worst worst = {.status = RED_OK};
        for (int i = 0; i < comm->size; i++)
            red_worst_add(&worst, (enum red_status)votes[i].status, (size_t)i);
        const struct vote *decides = &votes[worst.at];
        const bool is_named = names_rank(decides->text) || decides->status == RED_E_INTERRUPTED;
        status = is_named ? red_fail(error, (enum red_status)decides->status, "%s", decides->text)
                          : red_fail(error, (enum red_status)decides->status, "rank %d on %s: %s",
                                     decides->rank, decides->host, decides->text);
        free(votes);
    }
    red_watch_wait(false);
    free(statuses);
    return status;
}

/* ---- joining and leaving ------------------------------------------------------------------------------- */

/* Refuses processes that an mpirun of another MPI has started: they do not find each other, and each would be
 * rank 0 of one, and write the same file. It says how many there are in the environment (Open MPI, MPICH). */
static enum red_status check_together(const struct red_ranks *ranks, struct red_error *error) {
    static const char *const size_variables[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"};
    for (size_t i = 0; i < sizeof size_variables / sizeof size_variables[0]; i++) {
        const char *size = getenv(size_variables[i]);
        if (ranks->world.size == 1 && size != NULL && strtol(size, NULL, 10) > 1)
            return red_fail(
                error, RED_E_INPUT,
                "mpirun has started %.10s processes, and each is alone: it is of another MPI than %s, "
                "for which this clreduce was built; use the mpirun of that",
                size, ranks->library);
    }
    return RED_OK;
}

/* Says which rank is of another version than rank 0, in bytes that no version lays out otherwise: all ranks
 * find the same one. */
static enum red_status check_versions(const struct red_ranks *ranks, const char *version,
                                      struct red_error *error) {
    struct line {
        char version[32], host[64];
    } mine = {.version = ""};
    enum red_status status = RED_OK;
    snprintf(mine.version, sizeof mine.version, "%s", version);
    snprintf(mine.host, sizeof mine.host, "%s", ranks->host);
    struct line *all = red_ranks_gather(ranks, &ranks->world, &mine, sizeof mine);
    for (int i = 1; i < ranks->world.size && status == RED_OK; i++)
        if (strncmp(all[i].version, all[0].version, sizeof all[i].version) != 0)
            status = red_fail(error, RED_E_INPUT,
                              "rank %d on %.64s is clreduce %.32s, and rank 0 on %.64s is %.32s; install the "
                              "same on all hosts",
                              i, all[i].host, all[i].version, all[0].host, all[0].version);
    free(all);
    return status;
}

/* Says in what this rank differs from rank 0. */
static enum red_status check_same(const struct red_ranks_identity *mine,
                                  const struct red_ranks_identity *first, struct red_error *error) {
    if (mine->seed != first->seed)
        return red_fail(error, RED_E_INPUT,
                        "it has --seed %llu, and rank 0 has %llu; give all ranks the same",
                        (unsigned long long)mine->seed, (unsigned long long)first->seed);
    if (strcmp(mine->command, first->command) != 0)
        return red_fail(
            error, RED_E_INPUT,
            "its command is '%s', and that of rank 0 '%s'; all ranks take the same options but for "
            "--device",
            mine->command, first->command);
    return RED_OK;
}

/* Numbers the hosts in the order of their first ranks. */
static void number_nodes(struct red_ranks *ranks) {
    int first = ranks->world.rank; /* of the ranks of this host */
    ranks->mpi->share(&ranks->node, &first, sizeof first);
    int *firsts = red_ranks_gather(ranks, &ranks->world, &first, sizeof first);
    for (int i = 0; i < ranks->world.size; i++) {
        ranks->nodes_n += firsts[i] == i;
        ranks->node_number += firsts[i] == i && i < first;
    }
    free(firsts);
}

/* On rank 0: prints what its buffer holds, and the error of all. mpirun kills all ranks as soon as one of
 * them has ended with an exit status, and what is not printed by then is lost. */
static void print_before_others_end(enum red_status status, const struct red_error *error) {
    fflush(stdout);
    if (status != RED_OK && status != RED_E_PIPE)
        fprintf(stderr, "clreduce: %s\n", error->text);
}

/* Ends MPI on this rank, once all have agreed; the error is told by rank 0. */
static void end_mpi(struct red_ranks *ranks, enum red_status status, struct red_error *error) {
    if (ranks->world.rank == 0)
        print_before_others_end(status, error);
    error->told = status != RED_OK;
    red_watch_step(0, "MPI is ended");
    red_watch_wait(true);
    ranks->mpi->barrier(&ranks->world);
    ranks->mpi->comm_free(&ranks->node);
    ranks->mpi->comm_free(&ranks->world);
    ranks->mpi->end();
    ranks->mpi = NULL;
    end_watch(status);
}

/* Starts MPI and looks who the others are. */
static void start_mpi(struct red_ranks *ranks) {
    ranks->mpi->start(&ranks->world);
    ranks->mpi->host_format(ranks->host, sizeof ranks->host);
    ranks->mpi->library_format(ranks->library, sizeof ranks->library);
    begin_watch(ranks);
    red_watch_step(0, "it joins");
    red_watch_wait(true);
    ranks->mpi->node_make(&ranks->world, &ranks->node);
    number_nodes(ranks);
}

enum red_status red_ranks_join(const struct red_ranks_identity *identity, double patience_s,
                               struct red_ranks *ranks, struct red_error *error) {
    struct red_ranks_identity first = *identity;
    const bool is_not_first = red_ranks_is_not_first(); /* MPI changes the environment */
    char name[96], who[128];
    *ranks = (struct red_ranks){.patience_s = patience_s};
    format_name_in_environment(name, sizeof name);
    snprintf(who, sizeof who, "clreduce: %s", name);
    enum red_status status = divide_process(who, red_ranks_is_launched(), patience_s, error);
    if (status == RED_OK)
        status = load_mpi(&ranks->mpi, error);
    if (status != RED_OK) {
        ranks->mpi = NULL;
        return red_ranks_name_in(error);
    }
    start_mpi(ranks);
    status = check_together(ranks, error);
    ranks->world.rank = status != RED_OK && is_not_first ? 1 : ranks->world.rank; /* one prints */
    if (status == RED_OK)
        status = check_versions(ranks, identity->version, error);
    if (status != RED_OK) {
        end_mpi(ranks, status, error);
        return status;
    }
    ranks->mpi->share(&ranks->world, &first, sizeof first);
    status = check_same(identity, &first, error);
    return red_ranks_agree(ranks, &ranks->world, status, error);
}

enum red_status red_ranks_leave(struct red_ranks *ranks, enum red_status status, struct red_error *error) {
    if (ranks->mpi == NULL)
        return status;
    status = red_interrupt_settle(status, ranks->world.rank == 0, error); /* the last moment to print */
    red_watch_step(0, "it leaves");
    status = red_ranks_agree(ranks, &ranks->world, status, error);
    end_mpi(ranks, status, error);
    return status;
}
