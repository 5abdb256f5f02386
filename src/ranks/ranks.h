/* The ranks of an mpirun: joining them, agreeing with them, and ending with them. cli joins where --ranks or
 * --each is given; ranks/scaling.c and ranks/each.c work with them. */
#ifndef CLREDUCE_RANKS_RANKS_H
#define CLREDUCE_RANKS_RANKS_H

#include "core/status.h"
#include "ranks/mpi.h"

/* Numbers of ranks that one run measures or verifies: --rank-counts. */
enum { RED_RANK_COUNTS_MAX = 32 };

/* This process among all ranks. */
struct red_ranks {
    const struct red_mpi *mpi;
    struct red_comm world, node; /* all ranks; those of this host */
    unsigned node_number;        /* of this host: in the order of their first ranks */
    unsigned nodes_n;
    char host[64], library[160];
    double patience_s;
};

/* What all ranks must have in common. */
struct red_ranks_identity {
    char version[32];
    uint64_t seed;
    char command[512]; /* but for --device */
};

/* Whether an mpirun, srun or the like has started this process; whether it is another rank than 0. Both
 * before MPI is started, by what these set in the environment. */
bool red_ranks_is_launched(void);
bool red_ranks_is_not_first(void);

/* Puts "rank 3 on HOST: " before the text of an error of this rank alone, before MPI is there, where mpirun
 * has started it; returns its status. */
enum red_status red_ranks_name_in(struct red_error *error);

/* Divides this process (ranks/ranks.c: no thread may run yet, nor a driver be loaded), loads the module,
 * starts MPI, and refuses ranks that differ from rank 0. From then on a crash of this process, its end by a
 * signal, and a step that takes longer than the patience end all ranks, with one line that names this rank
 * and its host. Leave with red_ranks_leave. Errors, then on all ranks: RED_E_INPUT; without MPI those of this
 * rank alone. */
enum red_status red_ranks_join(const struct red_ranks_identity *identity, double patience_s,
                               struct red_ranks *ranks, struct red_error *error);

/* Room for n items, all zero, which the caller frees. Without memory all ranks end: the others would wait for
 * this one. */
void *red_ranks_room(const struct red_ranks *ranks, size_t n, size_t item_bytes);

/* What each rank of `comm` has, so many bytes, rank after rank, on all of them; the caller frees it. */
void *red_ranks_gather(const struct red_ranks *ranks, const struct red_comm *comm, const void *mine,
                       size_t n);

/* The greatest of the numbers that the ranks of `comm` have. */
double red_ranks_greatest(const struct red_ranks *ranks, const struct red_comm *comm, double mine);

/* Ends MPI. `status` is how the work ended here; all ranks return the worst of them, and rank 0 prints
 * the error's text before any of them ends. Does nothing where red_ranks_join has not succeeded. */
enum red_status red_ranks_leave(struct red_ranks *ranks, enum red_status status, struct red_error *error);

/* Agrees on a status: RED_OK where all ranks of `comm` bring that. Otherwise all get the same one, that of
 * the lowest rank among those whose status weighs most, and its error's text with "rank 3 on HOST: " before
 * it. A signal that any rank got is RED_E_INTERRUPTED for all. */
enum red_status red_ranks_agree(const struct red_ranks *ranks, const struct red_comm *comm,
                                enum red_status status, struct red_error *error);

/* ---- watch -----------------------------------------------------------------------------------------------
 * What this rank does, for the line of a crash or a hang. */

/* From now on that line says that --resume goes on: all ranks were given --output. */
void red_watch_set_resumable(void);

/* A step begins, which may take the patience and expected_s more. While this rank waits for others
 * (red_watch_wait) they are given twice that, so that who hangs says so first. */
void red_watch_step(double expected_s, const char *format, ...) __attribute__((format(printf, 2, 3)));
void red_watch_wait(bool waits);

/* From now on it may take as long as it likes: it waits for its turn, or measures by workers. */
void red_watch_nothing(void);

#endif
