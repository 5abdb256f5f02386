#define _DEFAULT_SOURCE /* readlink */
/* Loads the MPI module, joins the other ranks, agrees with them on errors, and leaves them. */
#include "ranks/ranks.h"

#include <dlfcn.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/interrupt.h"
#include "core/text.h"
#include "ranks/watch.h"

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
    red_watch_end(status);
}

/* Starts MPI and looks who the others are. */
static void start_mpi(struct red_ranks *ranks) {
    ranks->mpi->start(&ranks->world);
    ranks->mpi->host_format(ranks->host, sizeof ranks->host);
    ranks->mpi->library_format(ranks->library, sizeof ranks->library);
    red_watch_begin(ranks);
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
    enum red_status status = red_watch_divide(who, red_ranks_is_launched(), patience_s, error);
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
