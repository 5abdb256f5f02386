/* What the room ranks asks of an MPI: a table of functions in the module clreduce_mpi.so, which mpi.c makes,
 * the only file that includes <mpi.h>. The module is loaded where --ranks or --each asks for it, so that the
 * program needs no MPI for anything else, neither built nor installed.
 *
 * No function returns an error: MPI's own ones end all ranks with MPI's message (MPI_ERRORS_ARE_FATAL, MPI
 * 4.0, section 9.3). All are called by the thread that has started MPI. */
#ifndef CLREDUCE_RANKS_MPI_H
#define CLREDUCE_RANKS_MPI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/types.h"

/* Ranks that work together: a communicator. `handle` NULL: this process is not in it. */
struct red_comm {
    int rank, size;
    void *handle;
};

/* What a reduction over ranks is made of: values of an accumulator's fold type (struct red_partial), which
 * are combined as the operation's row says. */
struct red_mpi_reduction {
    enum red_accumulator_index type;
    enum red_op_index op;
    size_t n; /* values */
    bool everywhere, persistent;
    const void *from; /* n values; as long as the reduction is there */
    void *to;         /* n values, on rank 0 or, everywhere, on all */
};

enum { RED_MPI_TABLE_VERSION = 2 };

struct red_mpi {
    unsigned table_version;

    /* "Open MPI v4.1.4, MPI 3.1"; the name of this host. */
    void (*library_format)(char *text, size_t text_bytes);
    void (*host_format)(char *text, size_t text_bytes);

    /* Starts MPI, of which *world is all ranks; ends it, which waits for all ranks. */
    void (*start)(struct red_comm *world);
    void (*end)(void);
    /* Ends all ranks with this exit status. */
    void (*abort)(int exit_status);

    /* The ranks of `of` that share this host's memory; the first `size` of them. Release with comm_free. */
    void (*node_make)(const struct red_comm *of, struct red_comm *node);
    void (*first_make)(const struct red_comm *of, int size, struct red_comm *first);
    void (*comm_free)(struct red_comm *comm);

    /* Waits for all ranks: at once, as MPI does, or asleep but for a look every millisecond, where others
     * measure meanwhile. */
    void (*barrier)(const struct red_comm *comm);
    void (*barrier_asleep)(const struct red_comm *comm);

    /* Gives rank 0's bytes to all; gives all ranks' bytes, rank after rank, to all, or to rank 0 alone. */
    void (*share)(const struct red_comm *comm, void *bytes, size_t n);
    void (*gather)(const struct red_comm *comm, const void *mine, size_t n, void *all);
    void (*gather_first)(const struct red_comm *comm, const void *mine, size_t n, void *all);

    /* A message of any length to another rank, and its receipt, asleep until it is there: *n bytes, of which
     * `take` must first be told, as it gives the room. */
    void (*send)(const struct red_comm *comm, int to, const void *bytes, size_t n);
    size_t (*await)(const struct red_comm *comm, int from);
    void (*receive)(const struct red_comm *comm, int from, void *bytes, size_t n);

    /* Prepares a reduction over ranks, does it, and releases it. NULL, with the reason, where this MPI has
     * none such. */
    void *(*reduction_make)(const struct red_comm *comm, const struct red_mpi_reduction *reduction,
                            const char **reason);
    void (*reduction_run)(void *made);
    void (*reduction_free)(void *made);
};

/* The module's one function. */
typedef const struct red_mpi *red_mpi_get(void);
#define RED_MPI_GET_NAME "red_mpi_table"

#endif
