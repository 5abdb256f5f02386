/* The module clreduce_mpi.so: MPI behind the table of ranks/mpi.h. It is the only file that includes <mpi.h>,
 * and no library of the program needs it. Calls and their meaning are those of MPI 4.0; persistent
 * collectives (section 6.13) also by the extension of Open MPI 4 that has them under MPIX names. */
#define _POSIX_C_SOURCE 200809L /* nanosleep */
#include "ranks/mpi.h"

#include <limits.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#ifdef OPEN_MPI
#include <mpi-ext.h>
#endif
#if MPI_VERSION >= 4 || (defined(OPEN_MPI) && OMPI_MAJOR_VERSION >= 5)
#define REDUCE_INIT    MPI_Reduce_init
#define ALLREDUCE_INIT MPI_Allreduce_init
#elif defined(OMPI_HAVE_MPI_EXT_PCOLLREQ)
#define REDUCE_INIT    MPIX_Reduce_init
#define ALLREDUCE_INIT MPIX_Allreduce_init
#endif

enum { TAG = 1, CHUNK_BYTES = 1 << 30 };

static MPI_Comm comm_of(const struct red_comm *comm) {
    return *(const MPI_Comm *)comm->handle;
}

/* Takes over a communicator; of MPI_COMM_NULL, which others are in, the handle is NULL. */
static void set_comm(struct red_comm *comm, MPI_Comm from) {
    *comm = (struct red_comm){.rank = -1};
    if (from == MPI_COMM_NULL)
        return;
    MPI_Comm *kept = malloc(sizeof *kept);
    if (kept == NULL)
        MPI_Abort(from, 1);
    *kept = from;
    comm->handle = kept;
    MPI_Comm_rank(from, &comm->rank);
    MPI_Comm_size(from, &comm->size);
}

static void format_library(char *text, size_t text_bytes) {
    char library[MPI_MAX_LIBRARY_VERSION_STRING];
    int length, version, subversion;
    MPI_Get_library_version(library, &length);
    MPI_Get_version(&version, &subversion);
    const char *name = strncmp(library, "MPICH", 5) == 0 ? "MPICH" : "";
    const char *at = library;
    if (name[0] != '\0') /* "MPICH Version:\t4.0.2\n..." */
        at += strcspn(library, "0123456789");
    snprintf(text, text_bytes, "%s%s%.*s, MPI %d.%d", name, name[0] ? " " : "", (int)strcspn(at, ",\n"), at,
             version, subversion);
}

static void format_host(char *text, size_t text_bytes) {
    char name[MPI_MAX_PROCESSOR_NAME];
    int length;
    MPI_Get_processor_name(name, &length);
    snprintf(text, text_bytes, "%.*s", length, name);
}

static void start(struct red_comm *world) {
    int provided;
    MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &provided);
    set_comm(world, MPI_COMM_WORLD);
}

static void end(void) {
    MPI_Finalize();
}

static void abort_all(int exit_status) {
    MPI_Abort(MPI_COMM_WORLD, exit_status);
}

static void make_node(const struct red_comm *of, struct red_comm *node) {
    MPI_Comm made;
    MPI_Comm_split_type(comm_of(of), MPI_COMM_TYPE_SHARED, of->rank, MPI_INFO_NULL, &made);
    set_comm(node, made);
}

static void make_first(const struct red_comm *of, int size, struct red_comm *first) {
    MPI_Comm made;
    MPI_Comm_split(comm_of(of), of->rank < size ? 0 : MPI_UNDEFINED, of->rank, &made);
    set_comm(first, made);
}

static void free_comm(struct red_comm *comm) {
    if (comm->handle != NULL && comm_of(comm) != MPI_COMM_WORLD)
        MPI_Comm_free(comm->handle);
    free(comm->handle);
    *comm = (struct red_comm){.rank = -1};
}

/* ---- waiting ------------------------------------------------------------------------------------------- */

static void sleep_a_millisecond(void) {
    nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
}

static void barrier(const struct red_comm *comm) {
    MPI_Barrier(comm_of(comm));
}

static void barrier_asleep(const struct red_comm *comm) {
    MPI_Request request;
    int done = 0;
    MPI_Ibarrier(comm_of(comm), &request);
    for (MPI_Test(&request, &done, MPI_STATUS_IGNORE); !done; MPI_Test(&request, &done, MPI_STATUS_IGNORE))
        sleep_a_millisecond();
}

/* ---- bytes --------------------------------------------------------------------------------------------- */

static void share(const struct red_comm *comm, void *bytes, size_t n) {
    for (size_t at = 0; at < n; at += CHUNK_BYTES)
        MPI_Bcast((char *)bytes + at, (int)(n - at < CHUNK_BYTES ? n - at : CHUNK_BYTES), MPI_BYTE, 0,
                  comm_of(comm));
}

static void gather(const struct red_comm *comm, const void *mine, size_t n, void *all) {
    MPI_Allgather(mine, (int)n, MPI_BYTE, all, (int)n, MPI_BYTE, comm_of(comm));
}

static void gather_first(const struct red_comm *comm, const void *mine, size_t n, void *all) {
    MPI_Gather(mine, (int)n, MPI_BYTE, all, (int)n, MPI_BYTE, 0, comm_of(comm));
}

/* A message is its length and its bytes, since a count of MPI 3 is an int. */
static void send_bytes(const struct red_comm *comm, int to, const void *bytes, size_t n) {
    uint64_t length = n;
    MPI_Send(&length, 1, MPI_UINT64_T, to, TAG, comm_of(comm));
    for (size_t at = 0; at < n; at += CHUNK_BYTES)
        MPI_Send((const char *)bytes + at, (int)(n - at < CHUNK_BYTES ? n - at : CHUNK_BYTES), MPI_BYTE, to,
                 TAG, comm_of(comm));
}

static size_t await_bytes(const struct red_comm *comm, int from) {
    uint64_t length = 0;
    int there = 0;
    for (MPI_Iprobe(from, TAG, comm_of(comm), &there, MPI_STATUS_IGNORE); !there;
         MPI_Iprobe(from, TAG, comm_of(comm), &there, MPI_STATUS_IGNORE))
        sleep_a_millisecond();
    MPI_Recv(&length, 1, MPI_UINT64_T, from, TAG, comm_of(comm), MPI_STATUS_IGNORE);
    return (size_t)length;
}

static void receive_bytes(const struct red_comm *comm, int from, void *bytes, size_t n) {
    for (size_t at = 0; at < n; at += CHUNK_BYTES)
        MPI_Recv((char *)bytes + at, (int)(n - at < CHUNK_BYTES ? n - at : CHUNK_BYTES), MPI_BYTE, from, TAG,
                 comm_of(comm), MPI_STATUS_IGNORE);
}

/* ---- reductions ---------------------------------------------------------------------------------------- */

struct made_reduction {
    struct red_mpi_reduction asked;
    MPI_Comm comm;
    MPI_Datatype type;
    MPI_Op op;
    MPI_Request request;
    bool owns_type, owns_op;
};

/* Extremes are compared here and not by MPI_MIN and MPI_MAX: MPICH 4.0.2, of Debian 12, compares unsigned
 * integers as if they were signed (pmodels/mpich issue 6083), Open MPI 4.1.2 to 4.1.4 those of type `unsigned
 * long` (open-mpi/ompi issue 10525). Floats are no NaNs, unless all are. */
#define OWN(verb, name, c_type, combine)                                                                     \
    static void verb##_##name(void *from, void *into, int *n, MPI_Datatype *type) {                          \
        const c_type *theirs = from;                                                                         \
        c_type *ours = into;                                                                                 \
        (void)type;                                                                                          \
        for (int i = 0; i < *n; i++) {                                                                       \
            const c_type a = theirs[i], b = ours[i];                                                         \
            ours[i] = combine;                                                                               \
        }                                                                                                    \
    }
#define OWN_OF_INTEGERS(verb, combine)                                                                       \
    OWN(verb, u32, uint32_t, combine)                                                                        \
    OWN(verb, i32, int32_t, combine)                                                                         \
    OWN(verb, u64, uint64_t, combine)                                                                        \
    OWN(verb, i64, int64_t, combine)
OWN_OF_INTEGERS(keep_least, a < b ? a : b)
OWN_OF_INTEGERS(keep_greatest, a > b ? a : b)
OWN(keep_least, f64, double, a < b ? a : b)
OWN(keep_greatest, f64, double, a > b ? a : b)

/* Of two places the lower key wins, of equal keys the lower index. */
static void keep_lower_pairs(void *from, void *into, int *n, MPI_Datatype *type) {
    const struct red_pair *a = from;
    struct red_pair *b = into;
    (void)type;
    for (int i = 0; i < *n; i++)
        if (a[i].key < b[i].key || (a[i].key == b[i].key && a[i].index < b[i].index))
            b[i] = a[i];
}

#define OWN_FUNCTIONS(name)                                                                                  \
    { [RED_PICKS_LEAST] = keep_least_##name, [RED_PICKS_GREATEST] = keep_greatest_##name }
/* By type and combiner: what is done with two values; NULL where MPI's own operation does it. */
static MPI_User_function *const own_functions[RED_ACCUMULATORS_N][RED_COMBINERS_N] = {
    [RED_ACCUMULATOR_u32] = OWN_FUNCTIONS(u32),
    [RED_ACCUMULATOR_i32] = OWN_FUNCTIONS(i32),
    [RED_ACCUMULATOR_u64] = OWN_FUNCTIONS(u64),
    [RED_ACCUMULATOR_i64] = OWN_FUNCTIONS(i64),
    /* as doubles */
    [RED_ACCUMULATOR_f32] = {[RED_PICKS_LEAST] = keep_least_f64, [RED_PICKS_GREATEST] = keep_greatest_f64},
    [RED_ACCUMULATOR_f64] = {[RED_PICKS_LEAST] = keep_least_f64, [RED_PICKS_GREATEST] = keep_greatest_f64},
    [RED_ACCUMULATOR_pair] = {[RED_PICKS_LEAST] = keep_lower_pairs},
};

/* Sets the operation. The accumulator of a place is the least of all; in one word the key stands above the
 * index. False where the type has no such operation. */
static bool set_op(struct made_reduction *made) {
#define MPI_NAME(name, role, term, does, identity, empty, map, combine, openmp, suffix, atomic, mpi, ...) mpi,
#define COMBINER(name, role, term, does, ...)                                                                \
    RED_ROLE_##role == RED_ROLE_PLACE ? RED_PICKS_LEAST : RED_##does,
    const MPI_Op ops[] = {RED_OPS(MPI_NAME, )};
    static const enum red_combiner combiners[] = {RED_OPS(COMBINER, )};
    MPI_User_function *own = own_functions[made->asked.type][combiners[made->asked.op]];
    made->op = ops[made->asked.op];
    if (own != NULL) {
        MPI_Op_create(own, 1, &made->op);
        made->owns_op = true;
    }
    return own != NULL || (made->op != MPI_OP_NULL && made->asked.type != RED_ACCUMULATOR_pair);
}

/* Sets type and operation; false where the type has no such operation. */
static bool set_type_and_op(struct made_reduction *made) {
    const MPI_Datatype types[RED_ACCUMULATORS_N] = {
        [RED_ACCUMULATOR_u32] = MPI_UINT32_T, [RED_ACCUMULATOR_i32] = MPI_INT32_T,
        [RED_ACCUMULATOR_u64] = MPI_UINT64_T, [RED_ACCUMULATOR_i64] = MPI_INT64_T,
        [RED_ACCUMULATOR_f32] = MPI_DOUBLE,   [RED_ACCUMULATOR_f64] = MPI_DOUBLE,
        [RED_ACCUMULATOR_pair] = MPI_BYTE}; /* below */
    made->type = types[made->asked.type];
    if (made->asked.type == RED_ACCUMULATOR_pair) {
        MPI_Type_contiguous(2, MPI_UINT64_T, &made->type);
        MPI_Type_commit(&made->type);
        made->owns_type = true;
    }
    return set_op(made);
}

static void free_reduction(void *reduction) {
    struct made_reduction *made = reduction;
    if (made == NULL)
        return;
    if (made->request != MPI_REQUEST_NULL)
        MPI_Request_free(&made->request);
    if (made->owns_op)
        MPI_Op_free(&made->op);
    if (made->owns_type)
        MPI_Type_free(&made->type);
    free(made);
}

static void *make_reduction(const struct red_comm *comm, const struct red_mpi_reduction *reduction,
                            const char **reason) {
    struct made_reduction *made = calloc(1, sizeof *made);
    if (made == NULL)
        MPI_Abort(comm_of(comm), 1);
    *made = (struct made_reduction){.asked = *reduction, .comm = comm_of(comm), .request = MPI_REQUEST_NULL};
    *reason = "it has no such operation";
    bool fits = reduction->n <= INT_MAX && set_type_and_op(made);
    if (fits && reduction->persistent) {
#ifdef REDUCE_INIT
        if (reduction->everywhere)
            ALLREDUCE_INIT(reduction->from, reduction->to, (int)reduction->n, made->type, made->op,
                           made->comm, MPI_INFO_NULL, &made->request);
        else
            REDUCE_INIT(reduction->from, reduction->to, (int)reduction->n, made->type, made->op, 0,
                        made->comm, MPI_INFO_NULL, &made->request);
#else
        fits = false;
        *reason = "this MPI has no persistent collectives (MPI_Reduce_init of MPI 4)";
#endif
    }
    if (fits)
        return made;
    free_reduction(made);
    return NULL;
}

static void run_reduction(void *reduction) {
    struct made_reduction *made = reduction;
    const struct red_mpi_reduction *asked = &made->asked;
    if (asked->persistent) {
        MPI_Start(&made->request);
        MPI_Wait(&made->request, MPI_STATUS_IGNORE);
    } else if (asked->everywhere)
        MPI_Allreduce(asked->from, asked->to, (int)asked->n, made->type, made->op, made->comm);
    else
        MPI_Reduce(asked->from, asked->to, (int)asked->n, made->type, made->op, 0, made->comm);
}

red_mpi_get red_mpi_table;
const struct red_mpi *red_mpi_table(void) {
    static const struct red_mpi table = {.table_version = RED_MPI_TABLE_VERSION,
                                         .library_format = format_library,
                                         .host_format = format_host,
                                         .start = start,
                                         .end = end,
                                         .abort = abort_all,
                                         .node_make = make_node,
                                         .first_make = make_first,
                                         .comm_free = free_comm,
                                         .barrier = barrier,
                                         .barrier_asleep = barrier_asleep,
                                         .share = share,
                                         .gather = gather,
                                         .gather_first = gather_first,
                                         .send = send_bytes,
                                         .await = await_bytes,
                                         .receive = receive_bytes,
                                         .reduction_make = make_reduction,
                                         .reduction_run = run_reduction,
                                         .reduction_free = free_reduction};
    return &table;
}
